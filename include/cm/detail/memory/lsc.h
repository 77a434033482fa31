/* Loads and stores of the load/store cache (LSC): from DG2 on; blocks of two dimensions on PVC. The names of DataSize,
 * VectorSize, CacheHint and of the fences' LSC_SFID, LSC_FENCE_OP and LSC_SCOPE are those of Intel's cm/cm_common.h. */
#ifndef CMKIT_CM_DETAIL_MEMORY_LSC_H
#define CMKIT_CM_DETAIL_MEMORY_LSC_H

/* Bytes of an element in memory; U8U32 and U16U32 take a dword in registers, whose upper bits are 0, U16U32H one
 * whose lower bits are 0. Default: the
 * element type's own. */
enum class DataSize { Default, U8, U16, U32, U64, U8U32, U16U32, U16U32H };

/* Neighbouring elements that each lane takes. */
enum class VectorSize { N0, N1, N2, N3, N4, N8, N16, N32, N64 };

/* The use of the caches of level 1 and 3; Default: as the memory's settings say. */
enum class CacheHint { Default, Uncached, Cached, WriteBack, WriteThrough, Streaming, ReadInvalidate, ConstCached };

/* Which memory a cm_fence is for. */
enum class LSC_SFID { LSC_UGM, LSC_UGML, LSC_TGM, LSC_SLM };
/* The operation of a cm_fence on the caches' lines. */
enum class LSC_FENCE_OP {
    LSC_FENCE_OP_NONE,
    LSC_FENCE_OP_EVICT,
    LSC_FENCE_OP_INVALIDATE,
    LSC_FENCE_OP_DISCARD,
    LSC_FENCE_OP_CLEAN,
    LSC_FENCE_OP_FLUSHL3
};
/* Who shall see what was written before a cm_fence. */
enum class LSC_SCOPE {
    LSC_SCOPE_GROUP,
    LSC_SCOPE_LOCAL,
    LSC_SCOPE_TILE,
    LSC_SCOPE_GPU,
    LSC_SCOPE_GPUS,
    LSC_SCOPE_SYSTEM,
    LSC_SCOPE_SYSACQ
};

namespace cm_detail
{

/* Elements; 0 for what is no VectorSize, such as (VectorSize)16. */
constexpr int vector_size(VectorSize size)
{
    return size <= VectorSize::N4 ? (int)size : size <= VectorSize::N64 ? 8 << ((int)size - (int)VectorSize::N8) : 0;
}

/* The pairs of hints that the hardware has. */
enum class lsc_access { load, prefetch, store };
constexpr bool lsc_hints_allowed(lsc_access access, CacheHint l1, CacheHint l3)
{
    typedef CacheHint H;
    if (l1 == H::Default && l3 == H::Default)
        return access != lsc_access::prefetch;
    if (access == lsc_access::store)
        return (l1 == H::WriteBack && l3 == H::WriteBack) ||
               ((l1 == H::Uncached || l1 == H::WriteThrough || l1 == H::Streaming) &&
                (l3 == H::Uncached || l3 == H::WriteBack));
    bool plain = (l1 == H::Uncached || l1 == H::Cached || l1 == H::Streaming) && (l3 == H::Uncached || l3 == H::Cached);
    if (access == lsc_access::prefetch)
        return plain && !(l1 == H::Uncached && l3 == H::Uncached);
    /* which of these a platform has is checked where its messages are made */
    bool invalidates = l1 == H::ReadInvalidate && (l3 == H::Cached || l3 == H::ReadInvalidate);
    bool constant = l1 == H::ConstCached && l3 == H::ConstCached;
    return plain || invalidates || constant;
}

/* How an element travels: its bytes in memory, and the vISA number of the size in the message. */
template <typename T, DataSize DS> struct lsc_element {
    static_assert(is_element<T>, "elements are integers, half, float or double");
    static constexpr int bytes = DS == DataSize::Default                       ? (int)sizeof(T)
                                 : DS == DataSize::U8 || DS == DataSize::U8U32 ? 1
                                 : DS == DataSize::U16 || DS == DataSize::U16U32 || DS == DataSize::U16U32H ? 2
                                 : DS == DataSize::U32                                                      ? 4
                                                                                                            : 8;
    static_assert(bytes == sizeof(T) || (bytes < 4 && sizeof(T) == 4),
                  "the data size must be that of the element type, or U8U32, U16U32 or U16U32H of a dword");
    /* 3: u32, 4: u64, 5: u8 in a dword, 6: u16 in a dword */
    static constexpr unsigned message = bytes == 1 ? 5 : bytes == 2 ? 6 : bytes == 4 ? 3 : 4;
    typedef conditional<bytes == 8, uint64_t, uint> carrier;
    static constexpr int shift = DS == DataSize::U16U32H ? 16 : 0; /* of the bits in a register */
};

/* The constant of the builtins: tables/builtins.def. */
template <lsc_access Access, CacheHint L1, CacheHint L3> constexpr unsigned lsc_how(unsigned size, unsigned elements)
{
    constexpr bool allowed = lsc_hints_allowed(Access, L1, L3);
    static_assert(
        allowed || Access != lsc_access::load,
        "loads do not have this pair of cache hints; they take (Uncached, Cached or Streaming) with (Uncached "
        "or Cached), ReadInvalidate with Cached, or Default twice");
    static_assert(allowed || Access != lsc_access::prefetch,
                  "prefetches do not have this pair of cache hints; they take (Uncached, Cached or Streaming) with "
                  "(Uncached or Cached) but not Uncached twice, or ReadInvalidate with Cached");
    static_assert(allowed || Access != lsc_access::store,
                  "stores do not have this pair of cache hints; they take (Uncached, WriteThrough or Streaming) with "
                  "(Uncached or WriteBack), WriteBack twice, or Default twice");
    return (unsigned)L1 | (unsigned)L3 << 4 | size << 8 | elements << 12;
}

/* Bits of T in the lanes that travel, and back. */
template <typename T>
using carried_bits = conditional<sizeof(T) == 8, uint64_t,
                                 conditional<sizeof(T) == 4, uint, conditional<sizeof(T) == 2, ushort, uchar>>>;
template <typename T, int N> CM_DETAIL_INLINE auto lsc_carried(lanes<T, N> x)
{
    typedef carried_bits<T> B;
    return convert<conditional<sizeof(T) == 8, uint64_t, uint>, B, N>(__builtin_bit_cast(lanes<B, N>, x));
}
template <typename T, typename C, int N> CM_DETAIL_INLINE lanes<T, N> lsc_delivered(lanes<C, N> x)
{
    return __builtin_bit_cast(lanes<T, N>, convert<carried_bits<T>, C, N>(x));
}

/* The accessed memory: a surface at byte offsets, shared local memory, or flat addresses. */
struct lsc_surface {
    typedef uint place;
    SurfaceIndex surface;
    template <typename C, int N>
    CM_DETAIL_MEMBER auto load(unsigned how, lanes<ushort, 16> mask, lanes<uint, 16> at) const
    {
        return __cm_lsc_load<C, N>(how, mask, surface, at);
    }
    template <typename C, int N>
    CM_DETAIL_MEMBER void store(unsigned how, lanes<ushort, 16> mask, lanes<uint, 16> at, lanes<C, N> x) const
    {
        __cm_lsc_store<C, N>(how, mask, surface, at, x);
    }
    CM_DETAIL_MEMBER void prefetch(unsigned how, lanes<ushort, 16> mask, lanes<uint, 16> at) const
    {
        __cm_lsc_prefetch(how, mask, surface, at);
    }
    template <typename C, int N> CM_DETAIL_MEMBER auto block_load(unsigned how, uint at) const
    {
        return __cm_lsc_block_load<C, N>(how, surface, at);
    }
    template <typename C, int N> CM_DETAIL_MEMBER void block_store(unsigned how, uint at, lanes<C, N> x) const
    {
        __cm_lsc_block_store<C, N>(how, surface, at, x);
    }
    CM_DETAIL_MEMBER void block_prefetch(unsigned how, uint at) const { __cm_lsc_block_prefetch(how, surface, at); }
};
struct lsc_flat {
    typedef uint64_t place;
    template <typename C, int N>
    CM_DETAIL_MEMBER auto load(unsigned how, lanes<ushort, 16> mask, lanes<uint64_t, 16> at) const
    {
        return __cm_lsc_load_flat<C, N>(how, mask, at);
    }
    template <typename C, int N>
    CM_DETAIL_MEMBER void store(unsigned how, lanes<ushort, 16> mask, lanes<uint64_t, 16> at, lanes<C, N> x) const
    {
        __cm_lsc_store_flat<C, N>(how, mask, at, x);
    }
    CM_DETAIL_MEMBER void prefetch(unsigned how, lanes<ushort, 16> mask, lanes<uint64_t, 16> at) const
    {
        __cm_lsc_prefetch_flat(how, mask, at);
    }
    template <typename C, int N> CM_DETAIL_MEMBER auto block_load(unsigned how, uint64_t at) const
    {
        return __cm_lsc_block_load_flat<C, N>(how, at);
    }
    template <typename C, int N> CM_DETAIL_MEMBER void block_store(unsigned how, uint64_t at, lanes<C, N> x) const
    {
        __cm_lsc_block_store_flat<C, N>(how, at, x);
    }
    CM_DETAIL_MEMBER void block_prefetch(unsigned how, uint64_t at) const { __cm_lsc_block_prefetch_flat(how, at); }
};

/* Every message has 16 lanes, of which the last may be inactive: a value of N lanes needs several messages. Parts of
 * the value and of the replies are never variables, because SIMD control flow of another width could not write them. */
enum { LSC_LANES = 16 };

/* Lanes First to First + 15 of a value; missing lanes are 0. */
template <int First, typename T, int N, int... K>
CM_DETAIL_INLINE lanes<T, LSC_LANES> lsc_piece_at(lanes<T, N> x, sequence<K...>)
{
    return __builtin_shufflevector(x, (lanes<T, N>)(T)0, (First + K < N ? First + K : N)...);
}
template <int First, typename T, int N> CM_DETAIL_INLINE lanes<T, LSC_LANES> lsc_piece(lanes<T, N> x)
{
    return lsc_piece_at<First, T, N>(x, count_to<LSC_LANES>());
}

/* Two pieces of elements for each lane as one value: element c of lane k of the value is number c * N + k, of a piece
 * c * 16 + k. And a piece of such a value; lanes that it does not have are undefined. */
template <int N, int VS, typename C, int... I>
CM_DETAIL_INLINE lanes<C, N * VS> lsc_joined(lanes<C, LSC_LANES * VS> a, lanes<C, LSC_LANES * VS> b, sequence<I...>)
{
    return __builtin_shufflevector(
        a, b, (I % N < LSC_LANES ? I / N * LSC_LANES + I % N : (VS + I / N - 1) * LSC_LANES + I % N)...);
}
template <int First, int N, int VS, typename C, int... I>
CM_DETAIL_INLINE lanes<C, LSC_LANES * VS> lsc_part(lanes<C, N * VS> x, sequence<I...>)
{
    return __builtin_shufflevector(x, x,
                                   (First + I % LSC_LANES < N ? I / LSC_LANES * N + First + I % LSC_LANES : -1)...);
}

/* A value of A lanes and one of B as one of both. */
template <int W, typename C, int N, int... I> CM_DETAIL_INLINE lanes<C, W> lsc_widened(lanes<C, N> x, sequence<I...>)
{
    return __builtin_shufflevector(x, x, (I < N ? I : -1)...);
}
template <int A, int B, int VS, typename C, int... I>
CM_DETAIL_INLINE lanes<C, (A + B) * VS> lsc_concatenated(lanes<C, A * VS> a, lanes<C, B * VS> b, sequence<I...>)
{
    constexpr int W = (A > B ? A : B) * VS, N = A + B;
    return __builtin_shufflevector(lsc_widened<W, C, A * VS>(a, count_to<W>()),
                                   lsc_widened<W, C, B * VS>(b, count_to<W>()),
                                   (I % N < A ? I / N * A + I % N : W + I / N * B + I % N - A)...);
}

template <typename C, int VS, typename Where, int N>
CM_DETAIL_INLINE lanes<C, N * VS> lsc_gather(unsigned how, const Where &where, lanes<typename Where::place, N> at,
                                             lanes<ushort, N> mask)
{
    typedef typename Where::place P;
    constexpr int count = LSC_LANES * VS, pair = 2 * LSC_LANES;
    if constexpr (N > pair) {
        constexpr int rest = N - pair;
        return lsc_concatenated<pair, rest, VS, C>(
            lsc_gather<C, VS, Where, pair>(how, where, __lanes_pick<P, pair, N, 0, 0, pair, 1>(at),
                                           __lanes_pick<ushort, pair, N, 0, 0, pair, 1>(mask)),
            lsc_gather<C, VS, Where, rest>(how, where, __lanes_pick<P, rest, N, pair, 0, rest, 1>(at),
                                           __lanes_pick<ushort, rest, N, pair, 0, rest, 1>(mask)),
            count_to<N * VS>());
    } else {
        lanes<C, count> first =
            where.template load<C, count>(how, lsc_piece<0, ushort, N>(mask), lsc_piece<0, P, N>(at));
        if constexpr (N <= LSC_LANES)
            return lsc_joined<N, VS, C>(first, first, count_to<N * VS>());
        else
            return lsc_joined<N, VS, C>(first,
                                        where.template load<C, count>(how, lsc_piece<LSC_LANES, ushort, N>(mask),
                                                                      lsc_piece<LSC_LANES, P, N>(at)),
                                        count_to<N * VS>());
    }
}
template <int VS, int First, typename C, typename Where, int N>
CM_DETAIL_INLINE void lsc_scatter(unsigned how, const Where &where, lanes<typename Where::place, N> at,
                                  lanes<ushort, N> mask, lanes<C, N * VS> from)
{
    if constexpr (First < N) {
        constexpr int count = LSC_LANES * VS;
        where.template store<C, count>(how, lsc_piece<First, ushort, N>(mask),
                                       lsc_piece<First, typename Where::place, N>(at),
                                       lsc_part<First, N, VS, C>(from, count_to<count>()));
        lsc_scatter<VS, First + LSC_LANES, C>(how, where, at, mask, from);
    }
}
template <int First, typename Where, int N>
CM_DETAIL_INLINE void lsc_prefetches(unsigned how, const Where &where, lanes<typename Where::place, N> at,
                                     lanes<ushort, N> mask)
{
    if constexpr (First < N) {
        where.prefetch(how, lsc_piece<First, ushort, N>(mask), lsc_piece<First, typename Where::place, N>(at));
        lsc_prefetches<First + LSC_LANES>(how, where, at, mask);
    }
}

template <VectorSize VS> constexpr bool check_vector_size()
{
    static_assert(vector_size(VS) >= 1 && vector_size(VS) <= 8, "each lane takes 1, 2, 3, 4 or 8 elements");
    return true;
}
template <int N> constexpr bool check_block_count()
{
    static_assert((N >= 1 && N <= 4) || N == 8 || N == 16 || N == 32 || N == 64,
                  "a block of {N} elements; blocks have 1, 2, 3, 4, 8, 16, 32 or 64");
    return true;
}
template <typename T, int N, DataSize DS> constexpr bool check_lsc_block()
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                  "a block of {T} elements; blocks have elements of 32 or 64 bits: move others as int and format");
    constexpr bool same = DS == DataSize::Default || DS == (sizeof(T) == 8 ? DataSize::U64 : DataSize::U32);
    static_assert(same || (sizeof(T) != 4 && sizeof(T) != 8),
                  "a block of {T} elements with another data size; it is that of the elements, U32 or U64, or Default: "
                  "U8U32, U16U32 and U16U32H are for lanes, cm_load<T, VectorSize::N1, DataSize::U8U32>(S, offsets)");
    return check_block_count<N>();
}
template <int N, DataSize DS> constexpr bool check_block_prefetch()
{
    static_assert(DS == DataSize::U32 || DS == DataSize::U64,
                  "a block is prefetched with the data size U32 or U64; for smaller elements ask for fewer of U32");
    return check_block_count<N>();
}

/* vISA's number of the size of an element that a prefetch is for. */
template <DataSize DS> constexpr unsigned lsc_prefetch_size()
{
    typedef DataSize D;
    static_assert(DS != D::Default, "a prefetch knows no element type; its data size is U32 if it is not given, or U8, "
                                    "U16 or U64");
    return DS == D::U8 || DS == D::U8U32                         ? 5
           : DS == D::U16 || DS == D::U16U32 || DS == D::U16U32H ? 6
           : DS == D::U64                                        ? 4
                                                                 : 3;
}

template <typename T, VectorSize VS, DataSize DS, CacheHint L1, CacheHint L3, typename Where, int N>
CM_DETAIL_INLINE auto lsc_load_lanes(const Where &where, lanes<typename Where::place, N> at, lanes<ushort, N> mask)
{
    static_assert(check_vector_size<VS>());
    constexpr int n = vector_size(VS);
    typedef lsc_element<T, DS> E;
    typedef typename E::carrier C;
    typedef conditional<n == 1, vector<T, N>, by_lane<T, N, n>> result;
    auto bits = lsc_gather<C, n>(lsc_how<lsc_access::load, L1, L3>(E::message, n), where, at, mask);
    return result(from_lanes(), lsc_delivered<T, C, N * n>(bits << (C)E::shift));
}
template <typename T, VectorSize VS, DataSize DS, CacheHint L1, CacheHint L3, typename Where, int N, typename V>
CM_DETAIL_INLINE void lsc_store_lanes(const Where &where, lanes<typename Where::place, N> at, lanes<ushort, N> mask,
                                      const V &value)
{
    static_assert(check_vector_size<VS>());
    constexpr int n = vector_size(VS);
    typedef lsc_element<T, DS> E;
    lsc_scatter<n, 0, typename E::carrier>(lsc_how<lsc_access::store, L1, L3>(E::message, n), where, at, mask,
                                           lsc_carried<T, N * n>(lanes_of<T, N * n>(value)) >>
                                               (typename E::carrier)E::shift);
}
template <typename T, int N, DataSize DS, CacheHint L1, CacheHint L3, typename Where>
CM_DETAIL_INLINE auto lsc_load_block(const Where &where, typename Where::place at)
{
    static_assert(check_lsc_block<T, N, DS>());
    typedef carried_bits<T> C;
    return vector<T, N>(from_lanes(), lsc_delivered<T, C, N>(where.template block_load<C, N>(
                                          lsc_how<lsc_access::load, L1, L3>(sizeof(T) == 8 ? 4 : 3, N), at)));
}
template <typename T, int N, DataSize DS, CacheHint L1, CacheHint L3, typename Where, typename V>
CM_DETAIL_INLINE void lsc_store_block(const Where &where, typename Where::place at, const V &value)
{
    static_assert(check_lsc_block<T, N, DS>());
    where.template block_store<carried_bits<T>, N>(lsc_how<lsc_access::store, L1, L3>(sizeof(T) == 8 ? 4 : 3, N), at,
                                                   lsc_carried<T, N>(lanes_of<T, N>(value)));
}

/* A predicate, a vector or 1 for all, where SIMD control flow has the lanes on. */
template <int N, typename P> CM_DETAIL_INLINE lanes<ushort, N> lsc_mask(const P &predicate)
{
    if constexpr (CM_DETAIL_IS_OPERAND(P))
        return __cm_narrowed<N>(lanes_of<ushort, N>(predicate));
    else
        return __cm_narrowed<N>((lanes<ushort, N>)(ushort)(predicate != 0));
}

/* Offsets for as many lanes as required; 0: for any number. */
template <typename O, int Lanes = 0>
using if_offsets = enable_if<CM_DETAIL_IS_OPERAND(O) && (Lanes == 0 || facts<O>::count == Lanes)>;
template <typename O> using if_offset = enable_if<__is_integral(O)>;

} // namespace cm_detail

#define CM_DETAIL_LSC_HINTS CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default
#define CM_DETAIL_LSC_CACHE CacheHint L1 = CacheHint::Cached, CacheHint L3 = CacheHint::Cached
/* cm_load<T, VectorSize, DataSize, L1, L3>(S, offsets[, predicate]): elements of a buffer at byte offsets (a vector or
 * matrix of integers, multiples of the element's size), as many neighbours for each as VectorSize says. Element c of
 * lane k is element c * lanes + k of the result. T has 8, 16, 32 or 64 bits; any number of lanes, 16 a message. Lanes
 * whose predicate is 0 are undefined. cm_store<...>(S, offsets, v[, predicate]) writes such a value,
 * cm_prefetch<VectorSize, DataSize, L1, L3>(S, offsets[, predicate]) only fills the caches (DataSize is U32, the hints
 * are Cached unless given). From a pointer on: cm_ptr_load<...>(p, offsets[, predicate]), cm_ptr_store<...>(p, offsets,
 * v[, predicate]), cm_ptr_prefetch<VectorSize, DataSize, L1, L3>(p, offsets[, predicate]). In shared local memory,
 * without hints: cm_load_slm<T, VectorSize, DataSize>(offsets[, predicate]), cm_store_slm<T, VectorSize,
 * DataSize>(offsets, v[, predicate]). Hints (CacheHint): both Default (not for prefetches), or loads {Uncached, Cached,
 * Streaming} x {Uncached, Cached} and ReadInvalidate with Cached; prefetches the same but not Uncached twice; stores
 * WriteBack twice, or {Uncached, WriteThrough, Streaming} x {Uncached, WriteBack}. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_load(SurfaceIndex surface, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    return lsc_load_lanes<T, VS, DS, L1, L3>(lsc_surface{surface}, offset_lanes<uint, N>(offsets),
                                             lsc_mask<N>(predicate));
}
/* cm_store<T, VectorSize, DataSize, L1, L3>(S, offsets, v[, predicate]): writes elements of a buffer at byte
 * offsets. */
template <typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename O, typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_store(SurfaceIndex surface, const O &offsets, const V &value, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    lsc_store_lanes<T, VS, DS, L1, L3>(lsc_surface{surface}, offset_lanes<uint, N>(offsets), lsc_mask<N>(predicate),
                                       value);
}
/* cm_prefetch<VectorSize, DataSize, L1, L3>(S, offsets[, predicate]): fills the caches of a buffer at byte offsets. */
template <VectorSize VS = VectorSize::N1, DataSize DS = DataSize::U32, CM_DETAIL_LSC_CACHE, int Lanes = 0, typename O,
          typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_prefetch(SurfaceIndex surface, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    static_assert(check_vector_size<VS>());
    lsc_prefetches<0>(lsc_how<lsc_access::prefetch, L1, L3>(lsc_prefetch_size<DS>(), vector_size(VS)),
                      lsc_surface{surface}, offset_lanes<uint, N>(offsets), lsc_mask<N>(predicate));
}
/* cm_ptr_load<T, VectorSize, DataSize, L1, L3>(p, offsets[, predicate]): elements at byte offsets from a pointer. */
template <typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename U, typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_ptr_load(const U *p, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    return lsc_load_lanes<T, VS, DS, L1, L3>(lsc_flat(), addresses_of<N>(p, offsets), lsc_mask<N>(predicate));
}
/* cm_ptr_store<T, VectorSize, DataSize, L1, L3>(p, offsets, v[, predicate]): writes elements at byte offsets from a
 * pointer. */
template <typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename U, typename O, typename V, typename P = int,
          typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_ptr_store(U *p, const O &offsets, const V &value, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    lsc_store_lanes<T, VS, DS, L1, L3>(lsc_flat(), addresses_of<N>(p, offsets), lsc_mask<N>(predicate), value);
}
/* The elements are what p points to. */
template <VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0,
          typename U, typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_ptr_load(const U *p, const O &offsets, const P &predicate = 1)
{
    return cm_ptr_load<U, VS, DS, L1, L3>(p, offsets, predicate);
}
/* cm_ptr_store<VectorSize, DataSize, L1, L3>(p, offsets, v[, predicate]): writes elements as p points to at byte
 * offsets from it. */
template <VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0,
          typename U, typename O, typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_ptr_store(U *p, const O &offsets, const V &value, const P &predicate = 1)
{
    cm_ptr_store<U, VS, DS, L1, L3>(p, offsets, value, predicate);
}
/* cm_ptr_prefetch<VectorSize, DataSize, L1, L3>(p, offsets[, predicate]): fills the caches at byte offsets from a
 * pointer. */
template <VectorSize VS = VectorSize::N1, DataSize DS = DataSize::U32, CM_DETAIL_LSC_CACHE, int Lanes = 0, typename U,
          typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_ptr_prefetch(const U *p, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    static_assert(check_vector_size<VS>());
    lsc_prefetches<0>(lsc_how<lsc_access::prefetch, L1, L3>(lsc_prefetch_size<DS>(), vector_size(VS)), lsc_flat(),
                      addresses_of<N>(p, offsets), lsc_mask<N>(predicate));
}
/* cm_load_slm<T, VectorSize, DataSize>(offsets[, predicate]): elements at byte offsets in shared local memory. */
template <typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, int Lanes = 0, typename O,
          typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_load_slm(const O &offsets, const P &predicate = 1)
{
    return cm_load<T, VS, DS>(cm_detail::shared_memory, offsets, predicate);
}
/* cm_store_slm<T, VectorSize, DataSize>(offsets, v[, predicate]): writes elements at byte offsets in shared local
 * memory. */
template <typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, int Lanes = 0, typename O,
          typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_store_slm(const O &offsets, const V &value, const P &predicate = 1)
{
    cm_store<T, VS, DS>(cm_detail::shared_memory, offsets, value, predicate);
}

/* data_size_alignment<DataSize>(): the alignment of accesses of such elements, an Align in bytes. All platforms.
 * Source: Intel's cm/cm_memory.h. */
template <DataSize DS> constexpr Align data_size_alignment()
{
    return DS == DataSize::U8    ? Align::BYTE
           : DS == DataSize::U16 ? Align::WORD
           : DS == DataSize::U32 ? Align::DWORD
           : DS == DataSize::U64 ? Align::QWORD
                                 : Align::ELEM_SIZE;
}

/* cm_load_slm<T, N, Align>(offset), cm_store_slm<T, N, Align>(offset, v): a block, a vector, of N contiguous elements
 * of any type in shared local memory at a byte offset that is a multiple of 4; a multiple of 4 bytes. Not inside SIMD
 * control flow. All platforms.
 * Source: Intel's cm/cm_slm.h. */
template <typename T, int N, Align A> CM_DETAIL_INLINE vector<T, N> cm_load_slm(uint offset)
{
    vector<T, N> value;
    cm_slm_block_read(0, offset, value);
    return value;
}
/* cm_store_slm<T, N, Align>(offset, v): writes a block of shared local memory. */
template <typename T, int N, Align A, typename V> CM_DETAIL_INLINE void cm_store_slm(uint offset, const V &value)
{
    cm_slm_block_write(0, offset, vector<T, N>(value));
}

/* cm_load<T, N, DataSize, L1, L3>(S, offset): a block of N contiguous elements of 32 or 64 bits at a byte offset that
 * is a multiple of 4 (8): N is 1, 2, 3, 4, 8, 16, 32 or 64. cm_store<...>(S, offset, v) writes it, cm_prefetch<N,
 * DataSize, L1, L3>(S, offset) only fills the caches; cm_ptr_load<...>(p[, offset]), cm_ptr_store<...>(p[, offset],
 * v), cm_ptr_prefetch<N, DataSize, L1, L3>(p[, offset]) from a pointer on; cm_load_slm<T, N, DataSize>(offset),
 * cm_store_slm<T, N, DataSize>(offset, v) in shared local memory. cm_store<T>(S, offset, v), cm_ptr_store<T>(p, offset,
 * v) and cm_store_slm<T>(offset, v) take N from v, and T too if it is not given. DataSize is that of T, U32 or U64
 * (prefetches: of either), or Default. Hints as above.
 * Not inside SIMD control flow. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename O,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE auto cm_load(SurfaceIndex surface, O offset)
{
    return cm_detail::lsc_load_block<T, N, DS, L1, L3>(cm_detail::lsc_surface{surface}, (uint)offset);
}
/* cm_store<T, N, DataSize, L1, L3>(S, offset, v): writes a block of a buffer. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename O, typename V,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_store(SurfaceIndex surface, O offset, const V &value)
{
    cm_detail::lsc_store_block<T, N, DS, L1, L3>(cm_detail::lsc_surface{surface}, (uint)offset, value);
}
/* cm_prefetch<N, DataSize, L1, L3>(S, offset): fills the caches with a block of a buffer. */
template <int N, DataSize DS = DataSize::U32, CM_DETAIL_LSC_CACHE, typename O, typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_prefetch(SurfaceIndex surface, O offset)
{
    using namespace cm_detail;
    static_assert(check_block_prefetch<N, DS>());
    lsc_surface{surface}.block_prefetch(lsc_how<lsc_access::prefetch, L1, L3>(DS == DataSize::U64 ? 4 : 3, N),
                                        (uint)offset);
}
/* cm_ptr_load<T, N, DataSize, L1, L3>(p[, offset]): a block from a pointer on. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename U>
CM_DETAIL_INLINE auto cm_ptr_load(const U *p, ptrdiff_t offset = 0)
{
    return cm_detail::lsc_load_block<T, N, DS, L1, L3>(cm_detail::lsc_flat(), cm_detail::address_of(p) + offset);
}
/* cm_ptr_store<T, N, DataSize, L1, L3>(p, offset, v): writes a block from a pointer and a byte offset on. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename U, typename V>
CM_DETAIL_INLINE void cm_ptr_store(U *p, ptrdiff_t offset, const V &value)
{
    cm_detail::lsc_store_block<T, N, DS, L1, L3>(cm_detail::lsc_flat(), cm_detail::address_of(p) + offset, value);
}
/* cm_ptr_store<T, N, DataSize, L1, L3>(p, v): writes a block from a pointer on. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename U, typename V,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_ptr_store(U *p, const V &value)
{
    cm_detail::lsc_store_block<T, N, DS, L1, L3>(cm_detail::lsc_flat(), cm_detail::address_of(p), value);
}
/* cm_store<T>(S, offset, v): writes a block of as many elements as v has. */
template <typename T = void, typename O, typename V, typename = cm_detail::if_offset<O>,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_store(SurfaceIndex surface, O offset, const V &value)
{
    using namespace cm_detail;
    cm_store<or_natural<T, element<V>>, facts<V>::count>(surface, offset, value);
}
/* cm_ptr_store<T>(p, offset, v): writes a block of as many elements as v has. */
template <typename T = void, typename U, typename O, typename V, typename = cm_detail::if_offset<O>,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_ptr_store(U *p, O offset, const V &value)
{
    using namespace cm_detail;
    cm_ptr_store<or_natural<T, element<V>>, facts<V>::count>(p, (ptrdiff_t)offset, value);
}
/* cm_ptr_prefetch<N, DataSize, L1, L3>(p[, offset]): fills the caches with a block from a pointer on. */
template <int N, DataSize DS = DataSize::U32, CM_DETAIL_LSC_CACHE, typename U>
CM_DETAIL_INLINE void cm_ptr_prefetch(const U *p, ptrdiff_t offset = 0)
{
    using namespace cm_detail;
    static_assert(check_block_prefetch<N, DS>());
    lsc_flat().block_prefetch(lsc_how<lsc_access::prefetch, L1, L3>(DS == DataSize::U64 ? 4 : 3, N),
                              address_of(p) + offset);
}
/* cm_load_slm<T, N, DataSize>(offset): a block of shared local memory. */
template <typename T, int N, DataSize DS = DataSize::Default, typename O, typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE auto cm_load_slm(O offset)
{
    return cm_load<T, N, DS>(cm_detail::shared_memory, offset);
}
/* cm_store_slm<T, N, DataSize>(offset, v): writes a block of shared local memory. */
template <typename T, int N, DataSize DS = DataSize::Default, typename O, typename V,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_store_slm(O offset, const V &value)
{
    cm_store<T, N, DS>(cm_detail::shared_memory, offset, value);
}
/* cm_store_slm<T>(offset, v): writes a block of as many elements as v has. */
template <typename T = void, typename O, typename V, typename = cm_detail::if_offset<O>,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_store_slm(O offset, const V &value)
{
    cm_store<T>(cm_detail::shared_memory, offset, value);
}

/* cm_fence<memory, operation, scope>(), also cm_lsc_fence<memory, operation, scope>(): this thread's earlier writes, of
 * any number of bytes and alignment, become visible in the scope before its later accesses. memory: LSC_SFID,
 * operation: LSC_FENCE_OP, scope: LSC_SCOPE, constants. From DG2 on.
 * Source: Intel's cm/cm_lsc.h; cmkit's own (cm_lsc_fence). */
template <LSC_SFID Memory = LSC_SFID::LSC_UGM, LSC_FENCE_OP Operation = LSC_FENCE_OP::LSC_FENCE_OP_NONE,
          LSC_SCOPE Scope = LSC_SCOPE::LSC_SCOPE_GROUP>
CM_DETAIL_INLINE void cm_lsc_fence()
{
    __cm_lsc_fence((unsigned)Memory | (unsigned)Operation << 4 | (unsigned)Scope << 8);
}
/* cm_fence<memory, operation, scope>(): this thread's earlier writes become visible in the scope before its later
 * accesses, as with cm_lsc_fence. */
template <LSC_SFID Memory = LSC_SFID::LSC_UGM, LSC_FENCE_OP Operation = LSC_FENCE_OP::LSC_FENCE_OP_NONE,
          LSC_SCOPE Scope = LSC_SCOPE::LSC_SCOPE_GROUP>
CM_DETAIL_INLINE void cm_fence()
{
    cm_lsc_fence<Memory, Operation, Scope>();
}
#undef CM_DETAIL_LSC_HINTS
#undef CM_DETAIL_LSC_CACHE

#endif
