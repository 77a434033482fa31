/* Buffers: linear surfaces. Reads outside give 0, writes outside are dropped. */
#ifndef CMKIT_CM_DETAIL_MEMORY_BUFFER_H
#define CMKIT_CM_DETAIL_MEMORY_BUFFER_H

namespace cm_detail
{

/* Marks an offset that is a multiple of 4 bytes only. */
enum class alignment { oword, dword };

template <typename T, int N>
constexpr bool is_oword_size =
    N * sizeof(T) == 16 || N * sizeof(T) == 32 || N * sizeof(T) == 64 || N * sizeof(T) == 128;

/* Element counts whose bytes are 1, 2, 4 or 8 owords: the size of a read of N elements. */
template <typename T, int N> constexpr int read_count = power_of_two_at_least(N * sizeof(T), 16) / sizeof(T);

template <typename M>
CM_DETAIL_INLINE void read_oword(alignment aligned, SurfaceIndex surface, uint offset, const M &destination)
{
    typedef element<M> T;
    constexpr int N = facts<M>::count, whole = read_count<T, N>;
    static_assert(N * sizeof(T) <= 128, "an oword block read of {M}, {M.bytes} bytes; it takes at most 128 bytes");
    auto data = aligned == alignment::oword ? __cm_oword_read<T, whole>(surface, offset)
                                            : __cm_oword_read_unaligned<T, whole>(surface, offset);
    destination.write_(slice<0, N, T, whole>(data));
}

template <typename M> CM_DETAIL_INLINE void write_oword(SurfaceIndex surface, uint offset, const M &source)
{
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    static_assert(is_oword_size<T, N>,
                  "an oword block write of {M}, {M.bytes} bytes; it takes 16, 32, 64 or 128 bytes");
    __cm_oword_write<T, N>(surface, offset, source.read_());
}

template <typename T, int N> constexpr bool check_scattered()
{
    static_assert(sizeof(T) <= 4, "scattered reads and writes take elements of at most 4 bytes");
    static_assert(is_power_of_two(N) && N <= 32, "scattered reads and writes take a power of two of lanes, at most 32");
    return true;
}

/* Scale: the bytes of one step of an offset. */
template <int Scale, typename O, typename M>
CM_DETAIL_INLINE void read_scattered(SurfaceIndex surface, uint base, const O &offset, const M &destination)
{
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    static_assert(check_scattered<T, N>());
    lanes<uint, N> distance = offset_lanes<uint, N>(offset) * (uint)Scale;
    destination.write_(
        __cm_gather<T, N>((lanes<ushort, N>)(ushort)1, surface, base * Scale, distance, (lanes<T, N>)(T)0));
}
template <int Scale, typename O, typename M>
CM_DETAIL_INLINE void write_scattered(SurfaceIndex surface, uint base, const O &offset, const M &source)
{
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    static_assert(check_scattered<T, N>());
    lanes<uint, N> distance = offset_lanes<uint, N>(offset) * (uint)Scale;
    __cm_scatter<T, N>((lanes<ushort, N>)(ushort)1, surface, base * Scale, distance, source.read_());
}

template <typename X> using if_index = enable_if<__is_integral(X)>;
/* A base may be of any type: as a uint, 0 would be as near to the x of an image, whose y one offset can be. */
template <typename O, typename M, typename B = uint>
using if_scattered = enable_if<CM_DETAIL_IS_OPERAND(O) && CM_DETAIL_IS_OPERAND(M) && __is_convertible(B, uint)>;

} // namespace cm_detail

/* DWALIGNED(S), MODIFIED_DWALIGNED(S), CONSTANT_DWALIGNED(S) in the place of a surface S: the offset in bytes is
 * aligned to a dword only. CONSTANT(S): S itself; caches are the driver's concern. All platforms.
 * Source: CM specification 4.5 "OWord Block Read/Write"; Intel's cm/cm_dataport.h (CONSTANT). */
#define DWALIGNED(SURFACE)          SURFACE, GENX_DWALIGNED
#define MODIFIED_DWALIGNED(SURFACE) SURFACE, GENX_MODIFIED_DWALIGNED
#define CONSTANT(SURFACE)           SURFACE
#define CONSTANT_DWALIGNED(SURFACE) SURFACE, GENX_CONSTANT_DWALIGNED

/* read(S, offset, v), write(S, offset, v): the contiguous bytes of a buffer, into and out of a vector or matrix of any
 * element type, from a byte offset on, a multiple of 16; for read(DWALIGNED(S), ...) a multiple of 4. Reads take up to
 * 128 bytes; writes exactly 16, 32, 64 or 128. Not inside SIMD control flow. All platforms.
 * Source: CM specification 4.5 "OWord Block Read/Write". */
template <typename I, typename M, typename = cm_detail::if_index<I>, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, I offset, const M &destination)
{
    cm_detail::read_oword(cm_detail::alignment::oword, surface, offset, destination);
}
/* read(DWALIGNED(S), offset, v): contiguous bytes from a byte offset on that is a multiple of 4. */
template <typename I, typename M, typename = cm_detail::if_index<I>, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, CmBufferAttrib access, I offset, const M &destination)
{
    bool dword = access == GENX_DWALIGNED || access == GENX_MODIFIED_DWALIGNED || access == GENX_CONSTANT_DWALIGNED;
    cm_detail::read_oword(dword ? cm_detail::alignment::dword : cm_detail::alignment::oword, surface, offset,
                          destination);
}
/* write(S, offset, v): 16, 32, 64 or 128 contiguous bytes to a buffer, at a byte offset that is a multiple of 16. */
template <typename I, typename M, typename = cm_detail::if_index<I>, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, I offset, const M &source)
{
    cm_detail::write_oword(surface, offset, source);
}

/* read(S, [base,] offsets, v), write(S, [base,] offsets, v): an element of a buffer for each lane of v and of offsets,
 * a vector or matrix of integers: base, an integer, and offsets count elements of v's type, so that any offset is
 * aligned. A power of two of lanes, at most 32, of 1, 2 or 4 bytes. All platforms.
 * Source: CM specification 4.5 "Scattered Read/Write". */
template <typename B, typename O, typename M, typename = cm_detail::if_scattered<O, M, B>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, B base, const O &offset, const M &destination)
{
    cm_detail::read_scattered<sizeof(cm_detail::element<M>)>(surface, base, offset, destination);
}
/* read(S, offsets, v): an element of a buffer for each lane; offsets count elements. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, const O &offset, const M &destination)
{
    cm_detail::read_scattered<sizeof(cm_detail::element<M>)>(surface, 0, offset, destination);
}
/* write(S, base, offsets, v): each lane's element to a buffer; base and offsets count elements. */
template <typename B, typename O, typename M, typename = cm_detail::if_scattered<O, M, B>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, B base, const O &offset, const M &source)
{
    cm_detail::write_scattered<sizeof(cm_detail::element<M>)>(surface, base, offset, source);
}
/* write(S, offsets, v): each lane's element to a buffer; offsets count elements. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, const O &offset, const M &source)
{
    cm_detail::write_scattered<sizeof(cm_detail::element<M>)>(surface, 0, offset, source);
}

/* The same for MODIFIED(S), which is ignored: the driver sets the caches. Offsets count elements. All platforms. */
template <typename B, typename O, typename M, typename = cm_detail::if_scattered<O, M, B>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, CmBufferAttrib, B base, const O &offset, const M &destination)
{
    read(surface, base, offset, destination);
}

/* read_scaled(S, base, offsets, v), write_scaled(S, base, offsets, v): the same, of a power of two of lanes up to 32,
 * of elements of 1, 2 or 4 bytes; base and offsets, integers, count bytes, multiples of the element's size. All
 * platforms.
 * Source: CM specification 4.5 "Scaled Scattered Read/Write". */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void read_scaled(SurfaceIndex surface, uint base, const O &offset, const M &destination)
{
    cm_detail::read_scattered<1>(surface, base, offset, destination);
}
/* write_scaled(S, base, offsets, v): each lane's element to a buffer; base and offsets count bytes. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void write_scaled(SurfaceIndex surface, uint base, const O &offset, const M &source)
{
    cm_detail::write_scattered<1>(surface, base, offset, source);
}

/* read<T>(S, offset), write(S, offset, x): one element of 1, 2 or 4 bytes; the offset counts elements, any offset is
 * aligned. Outside the buffer: 0, and writes are dropped. All platforms.
 * Source: Intel's cm/cm_dataport.h. */
template <typename T, typename I, typename = cm_detail::if_index<I>>
CM_DETAIL_INLINE T read(SurfaceIndex surface, I offset)
{
    using namespace cm_detail;
    return __cm_gather<T, 1>((lanes<ushort, 1>)(ushort)1, surface, 0, (lanes<uint, 1>)(uint)(offset * sizeof(T)),
                             (lanes<T, 1>)(T)0)[0];
}
/* write(S, offset, x): one element to a buffer; the offset counts elements. */
template <typename T, typename I, typename = cm_detail::if_index<I>,
          typename = cm_detail::enable_if<cm_detail::is_element<T>>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, I offset, T value)
{
    using namespace cm_detail;
    __cm_scatter<T, 1>((lanes<ushort, 1>)(ushort)1, surface, 0, (lanes<uint, 1>)(uint)(offset * sizeof(T)),
                       (lanes<T, 1>)value);
}
/* write(S, base, offset, x): one element of 1, 2 or 4 bytes; base and offset count elements, any offset is aligned. All
 * platforms.
 * Source: CM specification 4.5 "Scattered Read/Write". */
template <typename T, typename I, typename J, typename = cm_detail::if_index<I>, typename = cm_detail::if_index<J>,
          typename = cm_detail::enable_if<cm_detail::is_element<T>>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, I base, J offset, T value)
{
    write(surface, (uint)base + (uint)offset, value);
}

namespace cm_detail
{

/* Blocks of more than 128 bytes in pieces. First: the element at which the pieces start. */
template <int First, typename V>
CM_DETAIL_INLINE void read_hwords(SurfaceIndex surface, uint offset, const V &destination)
{
    constexpr int n = V::count_ - First < 32 ? V::count_ - First : 32;
    destination.template select<n, 1>(First).write_(__cm_oword_read<uint, n>(surface, offset + First * 4));
    if constexpr (First + n < V::count_)
        read_hwords<First + n>(surface, offset, destination);
}
template <int First, typename V> CM_DETAIL_INLINE void write_hwords(SurfaceIndex surface, uint offset, const V &source)
{
    constexpr int n = V::count_ - First < 32 ? V::count_ - First : 32;
    __cm_oword_write<uint, n>(surface, offset + First * 4, source.template select<n, 1>(First).read_());
    if constexpr (First + n < V::count_)
        write_hwords<First + n>(surface, offset, source);
}
template <typename V> constexpr bool check_hwords()
{
    static_assert(__is_same(element<V>, uint), "hword blocks are of uint");
    static_assert(facts<V>::count == 8 || facts<V>::count == 16 || facts<V>::count == 32 || facts<V>::count == 64,
                  "an hword block is 8, 16, 32 or 64 uint: 1, 2, 4 or 8 hwords");
    return true;
}
template <typename V, typename O> constexpr bool check_qwords()
{
    static_assert(sizeof(element<V>) == 8, "the elements have 64 bits");
    static_assert(facts<V>::count == facts<O>::count && (facts<V>::count == 8 || facts<V>::count == 16),
                  "there are 8 or 16 offsets and as many elements");
    return true;
}

} // namespace cm_detail

/* cm_hword_read(S, offset, v), cm_hword_write(S, offset, v): 1, 2, 4 or 8 times 32 contiguous bytes of a buffer as
 * uint; the offset counts bytes and is a multiple of 32. Not inside SIMD control flow. All platforms.
 * Source: Intel's cm/cm_dataport.h. */
template <typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_hword_read(SurfaceIndex surface, uint offset, const V &destination)
{
    static_assert(cm_detail::check_hwords<V>());
    cm_detail::read_hwords<0>(surface, offset, destination);
}
/* cm_hword_write(S, offset, v): writes the uints at a byte offset that 32 divides. */
template <typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_hword_write(SurfaceIndex surface, uint offset, const V &source)
{
    static_assert(cm_detail::check_hwords<V>());
    cm_detail::write_hwords<0>(surface, offset, source);
}

/* cm_qword_scatter_read(S, offsets, v), cm_qword_scatter_write(S, offsets, v): 8 or 16 elements of 64 bits of a buffer,
 * integers or double, one for each lane of offsets; offsets count bytes and are multiples of 8. All platforms.
 * Source: Intel's cm/cm_dataport.h. */
template <typename O, typename V, typename = cm_detail::if_scattered<O, V>>
CM_DETAIL_INLINE void cm_qword_scatter_read(SurfaceIndex surface, const O &offsets, const V &destination)
{
    using namespace cm_detail;
    static_assert(check_qwords<V, O>());
    constexpr int N = facts<V>::count;
    lanes<uint, 2 * N> halves = __cm_gather4<uint, N, 2 * N>(3, __cm_narrowed<N>((lanes<ushort, N>)(ushort)1), surface,
                                                             0, offset_lanes<uint, N>(offsets));
    lanes<uint64_t, N> low = convert<uint64_t, uint, N>(slice<0, N, uint, 2 * N>(halves));
    lanes<uint64_t, N> high = convert<uint64_t, uint, N>(slice<N, N, uint, 2 * N>(halves));
    destination.write_(__builtin_bit_cast(lanes<element<V>, N>, high << (uint64_t)32 | low));
}
/* cm_qword_scatter_write(S, offsets, v): writes the elements; offsets count bytes and are multiples of 8. */
template <typename O, typename V, typename = cm_detail::if_scattered<O, V>>
CM_DETAIL_INLINE void cm_qword_scatter_write(SurfaceIndex surface, const O &offsets, const V &source)
{
    using namespace cm_detail;
    static_assert(check_qwords<V, O>());
    constexpr int N = facts<V>::count;
    lanes<uint64_t, N> value = __builtin_bit_cast(lanes<uint64_t, N>, source.read_());
    vector<uint, 2 * N> halves;
    halves.template select<N, 1>(0).write_(convert<uint, uint64_t, N>(value));
    halves.template select<N, 1>(N).write_(convert<uint, uint64_t, N>(value >> (uint64_t)32));
    __cm_scatter4<uint, N, 2 * N>(3, __cm_narrowed<N>((lanes<ushort, N>)(ushort)1), surface, 0,
                                  offset_lanes<uint, N>(offsets), halves.read_());
}

#endif
