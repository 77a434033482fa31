/* Shared local memory: bytes that the threads of a group share while they run. A barrier waits for threads but orders
 * no accesses: cm_slm_fence before it makes writes visible to the others. The names of SLM_ChannelMaskType:
 * CM specification 4.6 "SLM Functions". */
#ifndef CMKIT_CM_DETAIL_MEMORY_SLM_H
#define CMKIT_CM_DETAIL_MEMORY_SLM_H

/* Channels of cm_slm_read4 and cm_slm_write4; the bits that are set are those left out. */
enum SLM_ChannelMaskType {
    SLM_R_ENABLE = 14,
    SLM_G_ENABLE = 13,
    SLM_GR_ENABLE = 12,
    SLM_B_ENABLE = 11,
    SLM_BR_ENABLE = 10,
    SLM_BG_ENABLE = 9,
    SLM_BGR_ENABLE = 8,
    SLM_A_ENABLE = 7,
    SLM_AR_ENABLE = 6,
    SLM_AG_ENABLE = 5,
    SLM_AGR_ENABLE = 4,
    SLM_AB_ENABLE = 3,
    SLM_ABR_ENABLE = 2,
    SLM_ABG_ENABLE = 1,
    SLM_ABGR_ENABLE = 0,
    /* as Intel's headers name them: SLM_ChannelMaskType::_SLM_R_ENABLE */
    _SLM_R_ENABLE = SLM_R_ENABLE,
    _SLM_G_ENABLE = SLM_G_ENABLE,
    _SLM_GR_ENABLE = SLM_GR_ENABLE,
    _SLM_B_ENABLE = SLM_B_ENABLE,
    _SLM_BR_ENABLE = SLM_BR_ENABLE,
    _SLM_BG_ENABLE = SLM_BG_ENABLE,
    _SLM_BGR_ENABLE = SLM_BGR_ENABLE,
    _SLM_A_ENABLE = SLM_A_ENABLE,
    _SLM_AR_ENABLE = SLM_AR_ENABLE,
    _SLM_AG_ENABLE = SLM_AG_ENABLE,
    _SLM_AGR_ENABLE = SLM_AGR_ENABLE,
    _SLM_AB_ENABLE = SLM_AB_ENABLE,
    _SLM_ABR_ENABLE = SLM_ABR_ENABLE,
    _SLM_ABG_ENABLE = SLM_ABG_ENABLE,
    _SLM_ABGR_ENABLE = SLM_ABGR_ENABLE,
};

namespace cm_detail
{

/* Binding table index 254 is the group's shared local memory. */
constexpr SurfaceIndex shared_memory = SurfaceIndex(254);

template <typename O, typename M> constexpr bool check_slm()
{
    static_assert(sizeof(element<M>) <= 4, "shared local memory is read and written in elements of at most 4 bytes");
    static_assert(facts<O>::count == facts<M>::count, "there must be as many offsets as elements");
    static_assert(facts<M>::count == 8 || facts<M>::count == 16 || facts<M>::count == 32,
                  "scattered shared local memory accesses have 8, 16 or 32 lanes");
    return true;
}

template <int Scale, typename O, typename M>
CM_DETAIL_INLINE void slm_read(uint buffer, const O &offset, const M &destination)
{
    static_assert(check_slm<O, M>());
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    lanes<uint, N> distance = offset_lanes<uint, N>(offset) * (uint)Scale;
    destination.write_(
        __cm_gather<T, N>((lanes<ushort, N>)(ushort)1, shared_memory, buffer, distance, (lanes<T, N>)(T)0));
}
template <int Scale, typename O, typename M>
CM_DETAIL_INLINE void slm_write(uint buffer, const O &offset, const M &source)
{
    static_assert(check_slm<O, M>());
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    lanes<uint, N> distance = offset_lanes<uint, N>(offset) * (uint)Scale;
    __cm_scatter<T, N>((lanes<ushort, N>)(ushort)1, shared_memory, buffer, distance, source.read_());
}

template <int Scale, bool Write, typename O, typename M>
CM_DETAIL_INLINE void slm_channels(uint buffer, const O &offset, const M &data, int left_out)
{
    typedef element<M> T;
    constexpr int N = facts<O>::count, rows = facts<M>::count / N;
    static_assert(check_untyped<M, O>());
    lanes<uint, N> distance = offset_lanes<uint, N>(offset) * (uint)Scale;
    surface_channels where = {shared_memory, buffer};
    auto row = as_row(data);
    unsigned channels = ~left_out & 15;
    with_channels<rows>(channels, [&](auto count) CM_DETAIL_MEMBER {
        if constexpr (Write)
            write_channels<count.value, T, N, 0>(where, channels, distance, parts_of<N, decltype(row)>{row});
        else
            read_channels<count.value, T, N>(where, channels, distance, parts_of<N, decltype(row)>{row});
    });
}

/* Blocks as dwords of up to 16 lanes. First: dwords that are done. */
template <bool Write, int First, typename V> CM_DETAIL_INLINE void slm_block(uint at, const V &dwords)
{
    constexpr int left = V::count_ - First;
    if constexpr (left > 0) {
        constexpr int n = left >= 16 ? 16 : left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
        lanes<ushort, n> all = (ushort)1;
        lanes<uint, n> distance = convert<uint, ushort, n>(__lanes_pattern<n, 0, n, 4>());
        auto part = dwords.template select<n, 1>(First);
        if constexpr (Write)
            __cm_scatter<uint, n>(all, shared_memory, at + First * 4, distance, part.read_());
        else
            part.write_(__cm_gather<uint, n>(all, shared_memory, at + First * 4, distance, (lanes<uint, n>)0u));
        slm_block<Write, First + n>(at, dwords);
    }
}

template <bool Write, typename M> CM_DETAIL_INLINE void slm_block_of(uint at, const M &data)
{
    static_assert(facts<M>::count * sizeof(element<M>) % 4 == 0,
                  "blocks of shared local memory are a multiple of 4 bytes long");
    __cm_slm_block();
    slm_block<Write, 0>(at, as_row(data).template format<uint>());
}

} // namespace cm_detail

/* cm_slm_init(bytes): how much memory the group shares, at most 64 KB, on PVC and Xe2 128 KB; a constant
 * uint, the same in every thread. Its contents are undefined at the start; its start is aligned to 16 bytes. All
 * platforms. Source: CM specification 4.6 "SLM Functions". */
CM_DETAIL_INLINE void cm_slm_init(uint bytes)
{
    __cm_slm_init(bytes);
}

/* cm_slm_alloc(bytes): the offset, in bytes, of a part of it, a multiple of 16; both are uint. Without cm_slm_init,
 * bytes is a constant; after it, bytes may be known at run time only, the same in all threads of a group. Then calls
 * stand in one place without a branch or loop between them, and nothing checks their sum against cm_slm_init's.
 * Each call in the text of a kernel has a part of its own, the same for all threads and each time that it is executed.
 * Nothing is freed. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
CM_DETAIL_INLINE uint cm_slm_alloc(uint bytes)
{
    return __cm_slm_alloc(bytes);
}

/* cm_slm_read(buffer, offsets, v), cm_slm_write(buffer, offsets, v): an element at each lane of offsets, a vector or
 * matrix of integers, starting at `buffer` (bytes, from cm_slm_alloc). Offsets count elements; offsets of
 * cm_slm_read_scaled(buffer, offsets, v) and cm_slm_write_scaled(buffer, offsets, v) count bytes. Each element is
 * aligned to its size. 8, 16 or 32 lanes of 1, 2 or 4 bytes. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_read(uint buffer, const O &offsets, const M &destination)
{
    cm_detail::slm_read<sizeof(cm_detail::element<M>)>(buffer, offsets, destination);
}
/* cm_slm_read_scaled(buffer, offsets, v): an element for each lane; offsets count bytes. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_read_scaled(uint buffer, const O &offsets, const M &destination)
{
    cm_detail::slm_read<1>(buffer, offsets, destination);
}
/* cm_slm_write(buffer, offsets, v): writes an element for each lane; offsets count elements. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_write(uint buffer, const O &offsets, const M &source)
{
    cm_detail::slm_write<sizeof(cm_detail::element<M>)>(buffer, offsets, source);
}
/* cm_slm_write_scaled(buffer, offsets, v): writes an element for each lane; offsets count bytes. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_write_scaled(uint buffer, const O &offsets, const M &source)
{
    cm_detail::slm_write<1>(buffer, offsets, source);
}

/* cm_slm_read4(buffer, offsets, v, channels), cm_slm_write4(buffer, offsets, v, channels): up to four neighbouring
 * dwords at each offset; v has all lanes of the first enabled channel, then of the next. Offsets count dwords; offsets
 * of cm_slm_read4_scaled(buffer, offsets, v, channels) and cm_slm_write4_scaled(buffer, offsets, v, channels) count
 * bytes. 8, 16 or 32 lanes of int, uint or float. `channels` is a constant, an SLM_ChannelMaskType or a number, whose
 * set bits disable channels. Dwords are aligned. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_read4(uint buffer, const O &offsets, const M &destination, int channels)
{
    cm_detail::slm_channels<4, false>(buffer, offsets, destination, channels);
}
/* cm_slm_read4_scaled(buffer, offsets, v, channels): up to four dwords from each offset on, in bytes. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_read4_scaled(uint buffer, const O &offsets, const M &destination, int channels)
{
    cm_detail::slm_channels<1, false>(buffer, offsets, destination, channels);
}
/* cm_slm_write4(buffer, offsets, v, channels): writes up to four dwords from each offset on, in dwords. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_write4(uint buffer, const O &offsets, const M &source, int channels)
{
    cm_detail::slm_channels<4, true>(buffer, offsets, source, channels);
}
/* cm_slm_write4_scaled(buffer, offsets, v, channels): writes up to four dwords from each offset on, in bytes. */
template <typename O, typename M, typename = cm_detail::if_scattered<O, M>>
CM_DETAIL_INLINE void cm_slm_write4_scaled(uint buffer, const O &offsets, const M &source, int channels)
{
    cm_detail::slm_channels<1, true>(buffer, offsets, source, channels);
}

/* cm_slm_block_read(buffer, [alignment,] offset, v), cm_slm_block_write(buffer, offset, v): contiguous bytes from
 * buffer + offset on, both in bytes and their sum a multiple of 4; v, a vector or matrix of any element type, has any
 * multiple of 4 bytes. Not inside SIMD control flow. All platforms.
 * Source: CM specification 4.6 "SLM Block Read/Write". */
template <typename M, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(M)>>
CM_DETAIL_INLINE void cm_slm_block_read(uint buffer, int offset, const M &destination)
{
    cm_detail::slm_block_of<false>(buffer + offset, destination);
}
/* cm_slm_block_read(buffer, alignment, offset, v): contiguous bytes from buffer + offset on; the alignment,
 * GENX_DWALIGNED and the like, says nothing. */
template <typename M, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(M)>>
CM_DETAIL_INLINE void cm_slm_block_read(uint buffer, CmBufferAttrib, int offset, const M &destination)
{
    cm_detail::slm_block_of<false>(buffer + offset, destination);
}
/* cm_slm_block_write(buffer, offset, v): writes contiguous bytes from buffer + offset on, a multiple of 4. */
template <typename M, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(M)>>
CM_DETAIL_INLINE void cm_slm_block_write(uint buffer, int offset, const M &source)
{
    cm_detail::slm_block_of<true>(buffer + offset, source);
}

/* cm_slm_block_read(p, v), cm_slm_block_write(p, v): the same from a __local pointer to elements of v's type on, a
 * multiple of 4 bytes. Not inside SIMD control flow. All platforms. Intel's headers take (uint)(svmptr_t)p as the
 * buffer instead.
 * Source: cmkit's own. */
template <typename T, typename M, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(M)>>
CM_DETAIL_INLINE void cm_slm_block_read(const __local T *p, const M &destination)
{
    static_assert(__is_same(T, cm_detail::element<M>), "elements of {T} behind the pointer are no elements of a {M}");
    cm_detail::slm_block_of<false>((uint)(svmptr_t)p, destination);
}
/* cm_slm_block_write(p, v): writes contiguous elements from a __local pointer on. */
template <typename T, typename M, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(M)>>
CM_DETAIL_INLINE void cm_slm_block_write(__local T *p, const M &source)
{
    static_assert(__is_same(T, cm_detail::element<M>), "elements of {T} behind the pointer are no elements of a {M}");
    cm_detail::slm_block_of<true>((uint)(svmptr_t)p, source);
}

/* cm_slm_atomic(buffer, operation, offsets, old[, x[, y]]): an atomic operation (CmAtomicOpType, a constant) on each
 * dword from `buffer` (bytes) on that `offsets` number (dwords); old receives what was there, or is NULL. int or uint,
 * a power of two of lanes up to 32. Dwords are aligned. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
template <typename O, typename D, typename X = int, typename Y = int,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(O)>>
CM_DETAIL_INLINE void cm_slm_atomic(uint buffer, CmAtomicOpType operation, const O &offsets, D &&old, const X &x = 0,
                                    const Y &y = 0)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    static_assert(is_power_of_two(N) && N <= 32, "atomic operations take a power of two of lanes, at most 32");
    lanes<uint, N> distance = offset_lanes<uint, N>(offsets) * 4u + (lanes<uint, N>)buffer;
    lanes<ushort, N> all = (ushort)1;
    auto before = __cm_atomic<uint, N>(atomic_number(operation), all, shared_memory, distance, lanes_of<uint, N>(x),
                                       lanes_of<uint, N>(y));
    give_old<uint, N>(old, operation, before, all);
}

/* cm_slm_fence([mask]): orders this thread's earlier writes to shared local memory before its later accesses, for any
 * number of bytes and alignment. mask: bits of CmFenceMask, a constant uint. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
CM_DETAIL_INLINE void cm_slm_fence(uint mask = CM_GLOBAL_COHERENT_FENCE)
{
    cm_fence(mask | CM_LOCAL_BARRIER);
}

namespace cm_detail
{

/* Every thread copies blocks of N dwords, as many threads apart; then all wait. Read: fetches N dwords from a byte
 * offset. */
template <int N, typename Read>
CM_DETAIL_INLINE void slm_load_blocks(uint buffer, uint offset, uint size, const Read &read_dwords)
{
    uint threads = cm_linear_local_size();
    for (uint block = cm_linear_local_id(); block < size / (N * 4); block += threads) {
        vector<uint, N> data;
        read_dwords(offset + block * N * 4, data);
        slm_block_of<true>(buffer + block * N * 4, data);
    }
    cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
    cm_barrier();
}

} // namespace cm_detail

/* cm_slm_load(buffer, S or address, offset, size): the threads of the group together copy `size` bytes (a uint, a
 * multiple of 256) from byte `offset` of a buffer, or of memory from an svmptr_t on (16-byte aligned), into shared
 * local memory at `buffer`, and wait for the end. Every thread calls it, not inside SIMD control flow. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
template <int N = 64> CM_DETAIL_INLINE void cm_slm_load(uint buffer, SurfaceIndex surface, uint offset, uint size)
{
    cm_detail::slm_load_blocks<N>(buffer, offset, size, [&](uint at, vector<uint, N> &data) CM_DETAIL_MEMBER {
        read(surface, at, data.template select<N / 2, 1>(0));
        read(surface, at + N * 2, data.template select<N / 2, 1>(N / 2));
    });
}
/* cm_slm_load(buffer, address, offset, size): the group copies `size` bytes from memory at address + offset. */
template <int N = 64> CM_DETAIL_INLINE void cm_slm_load(uint buffer, svmptr_t address, uint offset, uint size)
{
    cm_detail::slm_load_blocks<N>(buffer, offset, size, [&](uint at, vector<uint, N> &data) CM_DETAIL_MEMBER {
        cm_svm_block_read(address + at, data);
    });
}

#endif
