/* Accesses of several channels and atomic operations of the load/store cache: from DG2 on. The names of AtomicOp are
 * those of Intel's cm/cm_common.h. */
#ifndef CMKIT_CM_DETAIL_MEMORY_LSC_ATOMIC_H
#define CMKIT_CM_DETAIL_MEMORY_LSC_ATOMIC_H

/* The new value of an atomic operation, from the old value and its operands x and y; all return the old value. S
 * compares with signs, U without, F floats. */
enum class AtomicOp {
    IINC = 0x08,  /* old + 1 */
    IDEC = 0x09,  /* old - 1 */
    LOAD = 0x0a,  /* old */
    STORE = 0x0b, /* x */
    IADD = 0x0c,
    ISUB = 0x0d,
    SMIN = 0x0e,
    SMAX = 0x0f,
    UMIN = 0x10,
    UMAX = 0x11,
    ICAS = 0x12, /* y if old is x, else old */
    FADD = 0x13,
    FSUB = 0x14,
    FMIN = 0x15,
    FMAX = 0x16,
    FCAS = 0x17, /* as ICAS, equal as floats */
    AND = 0x18,
    OR = 0x19,
    XOR = 0x1a
};

namespace cm_detail
{

constexpr int lsc_atomic_sources(AtomicOp operation)
{
    return operation == AtomicOp::IINC || operation == AtomicOp::IDEC || operation == AtomicOp::LOAD ? 0
           : operation == AtomicOp::ICAS || operation == AtomicOp::FCAS                              ? 2
                                                                                                     : 1;
}
constexpr bool lsc_atomic_of_floats(AtomicOp operation)
{
    return operation >= AtomicOp::FADD && operation <= AtomicOp::FCAS;
}
constexpr bool lsc_atomic_hints_allowed(CacheHint l1, CacheHint l3)
{
    typedef CacheHint H;
    return (l1 == H::Default && l3 == H::Default) || (l1 == H::Uncached && (l3 == H::Uncached || l3 == H::WriteBack));
}

template <AtomicOp Op, typename T, VectorSize VS, CacheHint L1, CacheHint L3, int Operands>
constexpr bool check_lsc_atomic()
{
    constexpr bool any_type = Op == AtomicOp::LOAD || Op == AtomicOp::STORE;
    static_assert(is_element<T> && sizeof(T) >= 2, "atomic operations are on elements of 16, 32 or 64 bits");
    static_assert(any_type || __is_floating_point(T) == lsc_atomic_of_floats(Op),
                  "this atomic operation is not on {T}; names that begin with F take floats, the others integers");
    static_assert(!__is_same(T, half) || (Op != AtomicOp::FADD && Op != AtomicOp::FSUB),
                  "half cannot be added in memory; FMIN, FMAX and FCAS take half, FADD and FSUB float and double");
    static_assert(VS == VectorSize::N1, "an atomic operation is on one element for each lane");
    static_assert(check_atomic_operands<lsc_atomic_sources(Op), Operands>());
    static_assert(lsc_atomic_hints_allowed(L1, L3), "atomic operations have the hints Default twice, or Uncached with "
                                                    "Uncached or WriteBack");
    return true;
}

/* Operand k of those before the predicate, which may follow the operation's own. */
template <int K, int Sources, typename T, int N, typename... X> CM_DETAIL_INLINE lanes<T, N> lsc_operand(const X &...x)
{
    return argument<(K < Sources ? K : 99), T, N>(x...);
}
template <int Sources, int N, typename... X> CM_DETAIL_INLINE lanes<ushort, N> lsc_last_mask(const X &...x)
{
    if constexpr ((int)sizeof...(X) > Sources)
        return argument<Sources, ushort, N>(x...);
    else
        return (lanes<ushort, N>)(ushort)1;
}

/* Elements of 16 bits are passed in dwords: the message uses the lower halves and clears the upper ones. */
template <typename T> using lsc_atomic_carrier = conditional<sizeof(T) == 2, uint, T>;
template <typename T, int N> CM_DETAIL_INLINE lanes<lsc_atomic_carrier<T>, N> lsc_atomic_carried(lanes<T, N> x)
{
    if constexpr (sizeof(T) == 2)
        return lsc_carried<T, N>(x);
    else
        return x;
}
template <typename T, CacheHint L1, CacheHint L3>
constexpr unsigned lsc_atomic_how = (unsigned)L1 | (unsigned)L3 << 4 | lsc_element<T, DataSize::Default>::message << 8;

/* One message of 16 lanes from lane First on. */
template <int First, typename T, typename Place, int N, typename Run>
CM_DETAIL_INLINE lanes<T, LSC_LANES> lsc_atomic_piece(lanes<Place, N> at, lanes<ushort, N> mask, lanes<T, N> x,
                                                      lanes<T, N> y, const Run &run)
{
    return run(lsc_piece<First, ushort, N>(mask), lsc_piece<First, Place, N>(at), lsc_piece<First, T, N>(x),
               lsc_piece<First, T, N>(y));
}

template <AtomicOp Op, typename T, typename Place, int N, typename Run, typename... X>
CM_DETAIL_INLINE auto lsc_atomic_on(lanes<Place, N> at, const Run &run, const X &...x)
{
    static_assert(N <= 2 * LSC_LANES, "an atomic operation of the load/store cache takes at most 32 lanes");
    constexpr int sources = lsc_atomic_sources(Op);
    lanes<ushort, N> mask = __cm_narrowed<N>(lsc_last_mask<sources, N>(x...));
    typedef lsc_atomic_carrier<T> C;
    lanes<C, N> a = lsc_atomic_carried<T, N>(lsc_operand<0, sources, T, N>(x...)),
                b = lsc_atomic_carried<T, N>(lsc_operand<1, sources, T, N>(x...));
    lanes<C, LSC_LANES> first = lsc_atomic_piece<0, C>(at, mask, a, b, run), second = first;
    if constexpr (N > LSC_LANES)
        second = lsc_atomic_piece<LSC_LANES, C>(at, mask, a, b, run);
    lanes<C, N> old = lsc_joined<N, 1, C>(first, second, count_to<N>());
    if constexpr (sizeof(T) == 2)
        return vector<T, N>(from_lanes(), lsc_delivered<T, C, N>(old));
    else
        return vector<T, N>(from_lanes(), old);
}

} // namespace cm_detail

#define CM_DETAIL_LSC_HINTS CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default
/* cm_atomic<OPERATION, T, VectorSize, DataSize, L1, L3>(S, offsets[, x[, y]][, predicate]): an atomic operation
 * (AtomicOp) on an element of a buffer for each lane, at byte offsets, integers that are multiples of its size; the
 * result is what was there. T has 16, 32 or 64 bits; half has no FADD and FSUB; up to 32 lanes. x and y, as many as the
 * operation has, are vectors. Lanes whose predicate is 0 are undefined. cm_ptr_atomic(p, offsets, ...): from a pointer
 * on, of whose elements T is unless given; cm_atomic_slm(offsets, ...): in shared local memory, without FADD and FSUB.
 * Hints: two times Default, or Uncached with Uncached or WriteBack. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <AtomicOp Op, typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename O, typename... X, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_atomic(SurfaceIndex surface, const O &offsets, const X &...x)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    static_assert(check_lsc_atomic<Op, T, VS, L1, L3, sizeof...(X)>());
    constexpr unsigned how = lsc_atomic_how<T, L1, L3>;
    typedef lsc_atomic_carrier<T> C;
    return lsc_atomic_on<Op, T>(
        offset_lanes<uint, N>(offsets),
        [&](lanes<ushort, 16> mask, lanes<uint, 16> at, lanes<C, 16> a, lanes<C, 16> b)
            CM_DETAIL_MEMBER { return __cm_lsc_atomic<C, 16>(how, (unsigned)Op, mask, surface, at, a, b); },
        x...);
}
/* cm_ptr_atomic<OPERATION, T, VectorSize, DataSize, L1, L3>(p, offsets[, x[, y]][, predicate]): an atomic operation
 * on a T at each byte offset from a pointer. */
template <AtomicOp Op, typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename U, typename O, typename... X, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_ptr_atomic(U *p, const O &offsets, const X &...x)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    static_assert(check_lsc_atomic<Op, T, VS, L1, L3, sizeof...(X)>());
    constexpr unsigned how = lsc_atomic_how<T, L1, L3>;
    typedef lsc_atomic_carrier<T> C;
    return lsc_atomic_on<Op, T>(
        addresses_of<N>(p, offsets),
        [&](lanes<ushort, 16> mask, lanes<uint64_t, 16> at, lanes<C, 16> a, lanes<C, 16> b)
            CM_DETAIL_MEMBER { return __cm_lsc_atomic_flat<C, 16>(how, (unsigned)Op, mask, at, a, b); },
        x...);
}
/* cm_ptr_atomic<OPERATION>(p, offsets[, x[, y]][, predicate]): an atomic operation on elements as p points to, at
 * byte offsets from it. */
template <AtomicOp Op, typename O, typename U, typename... X, typename = cm_detail::if_offsets<O>>
CM_DETAIL_INLINE auto cm_ptr_atomic(U *p, const O &offsets, const X &...x)
{
    return cm_ptr_atomic<Op, U, VectorSize::N1>(p, offsets, x...);
}
/* cm_atomic_slm<OPERATION, T, VectorSize, DataSize, L1, L3>(offsets[, x[, y]][, predicate]): an atomic operation at
 * each byte offset in shared local memory; no FADD, no FSUB. */
template <AtomicOp Op, typename T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS,
          int Lanes = 0, typename O, typename... X, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_atomic_slm(const O &offsets, const X &...x)
{
    static_assert(Op != AtomicOp::FADD && Op != AtomicOp::FSUB,
                  "cm_atomic_slm: FADD and FSUB are not those of shared memory; cm_atomic and cm_ptr_atomic have them");
    return cm_atomic<Op, T, VS, DS, L1, L3>(cm_detail::shared_memory, offsets, x...);
}

namespace cm_detail
{

/* Each enabled channel by a message of its own. */
template <typename T, ChannelMaskType Channels, DataSize DS, CacheHint L1, CacheHint L3, typename Where, int N>
CM_DETAIL_INLINE auto lsc_load_channels(const Where &where, lanes<typename Where::place, N> at, lanes<ushort, N> mask)
{
    typedef typename Where::place P;
    constexpr int bytes = lsc_element<T, DS>::bytes;
    vector<T, N * channel_count(Channels)> result;
    int row = 0;
#pragma unroll
    for (int channel = 0; channel < 4; channel++)
        if (Channels >> channel & 1)
            result.template select<N, 1>(row++ * N) =
                lsc_load_lanes<T, VectorSize::N1, DS, L1, L3>(where, at + (P)(channel * bytes), mask);
    return by_lane<T, N, channel_count(Channels)>(from_lanes(), result.read_());
}
template <typename T, ChannelMaskType Channels, DataSize DS, CacheHint L1, CacheHint L3, typename Where, int N,
          typename V>
CM_DETAIL_INLINE void lsc_store_channels(const Where &where, lanes<typename Where::place, N> at, lanes<ushort, N> mask,
                                         const V &value)
{
    typedef typename Where::place P;
    constexpr int bytes = lsc_element<T, DS>::bytes;
    vector<T, N * channel_count(Channels)> data = value;
    int row = 0;
#pragma unroll
    for (int channel = 0; channel < 4; channel++)
        if (Channels >> channel & 1)
            lsc_store_lanes<T, VectorSize::N1, DS, L1, L3>(where, at + (P)(channel * bytes), mask,
                                                           data.template select<N, 1>(row++ * N));
}

} // namespace cm_detail

/* cm_load4<T, CHANNELS, DataSize, L1, L3>(S, offsets[, predicate]): of up to four neighbouring elements at each byte
 * offset, those that CHANNELS (CM_R_ENABLE ... CM_ABGR_ENABLE) enables: all lanes of the first, then of the next.
 * cm_store4<...>(S, offsets, v[, predicate]) writes such a value; cm_ptr_load4<...>(p, offsets[, predicate]),
 * cm_ptr_store4<...>(p, offsets, v[, predicate]) from a pointer on; cm_load4_slm<...>(offsets[, predicate]),
 * cm_store4_slm<...>(offsets, v[, predicate]) in shared local memory. One message for each channel. Elements of 8 to 64
 * bits at multiples of their size, lanes and hints as for cm_load. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <typename T, ChannelMaskType Channels, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0,
          typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_load4(SurfaceIndex surface, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    return lsc_load_channels<T, Channels, DS, L1, L3>(lsc_surface{surface}, offset_lanes<uint, N>(offsets),
                                                      lsc_mask<N>(predicate));
}
/* cm_store4<T, CHANNELS, DataSize, L1, L3>(S, offsets, v[, predicate]): writes the enabled ones of four neighbouring
 * elements at each byte offset. */
template <typename T, ChannelMaskType Channels, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0,
          typename O, typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_store4(SurfaceIndex surface, const O &offsets, const V &value, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    lsc_store_channels<T, Channels, DS, L1, L3>(lsc_surface{surface}, offset_lanes<uint, N>(offsets),
                                                lsc_mask<N>(predicate), value);
}
/* cm_ptr_load4<T, CHANNELS, DataSize, L1, L3>(p, offsets[, predicate]): the enabled ones of four neighbouring
 * elements at each byte offset from a pointer. */
template <typename T, ChannelMaskType Channels, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0,
          typename U, typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_ptr_load4(const U *p, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    return lsc_load_channels<T, Channels, DS, L1, L3>(lsc_flat(), addresses_of<N>(p, offsets), lsc_mask<N>(predicate));
}
/* cm_ptr_store4<T, CHANNELS, DataSize, L1, L3>(p, offsets, v[, predicate]): writes the enabled ones of four
 * neighbouring elements at each byte offset from a pointer. */
template <typename T, ChannelMaskType Channels, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0,
          typename U, typename O, typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_ptr_store4(U *p, const O &offsets, const V &value, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    lsc_store_channels<T, Channels, DS, L1, L3>(lsc_flat(), addresses_of<N>(p, offsets), lsc_mask<N>(predicate), value);
}
/* cm_load4_slm<T, CHANNELS, DataSize>(offsets[, predicate]): the enabled ones of four neighbouring elements at each
 * byte offset in shared local memory. */
template <typename T, ChannelMaskType Channels, DataSize DS = DataSize::Default, int Lanes = 0, typename O,
          typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_load4_slm(const O &offsets, const P &predicate = 1)
{
    return cm_load4<T, Channels, DS>(cm_detail::shared_memory, offsets, predicate);
}
/* cm_store4_slm<T, CHANNELS, DataSize>(offsets, v[, predicate]): writes the enabled ones of four neighbouring
 * elements at each byte offset in shared local memory. */
template <typename T, ChannelMaskType Channels, DataSize DS = DataSize::Default, int Lanes = 0, typename O, typename V,
          typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_store4_slm(const O &offsets, const V &value, const P &predicate = 1)
{
    cm_store4<T, Channels, DS>(cm_detail::shared_memory, offsets, value, predicate);
}
#undef CM_DETAIL_LSC_HINTS

#endif
