/* Defines conversions to shorter floats: bf16 and tf32, for matrix products, and half with random rounding. */
#ifndef CMKIT_CM_DETAIL_CORE_SHORT_FLOATS_H
#define CMKIT_CM_DETAIL_CORE_SHORT_FLOATS_H

namespace cm_detail
{
template <typename R, typename T, int N> CM_DETAIL_INLINE auto bf_converted(lanes<T, N> x)
{
    static_assert((__is_same(R, half) && __is_same(T, float)) || (__is_same(R, float) && __is_same(T, half)),
                  "cm_bf_cvt goes from float to half, whose bits are those of a bf16, and back");
    if constexpr (__is_same(R, half))
        return __builtin_bit_cast(lanes<half, N>, __cm_bf_round<ushort, float, N>(x));
    else
        return __cm_bf_widen<float, ushort, N>(__builtin_bit_cast(lanes<ushort, N>, x));
}
} // namespace cm_detail

/* cm_bf_cvt<half>(x): rounds floats to the nearest bf16 and returns its 16 bits in half lanes; cm_bf_cvt<float>(x):
 * such lanes as floats. A vector for a vector or matrix, a scalar for a scalar. The half lanes hold bits, not numbers
 * of type half. From XEHP_SDV on but not on MTL.
 * Source: Intel's cm/cm_cvt.h. */
template <typename R, typename X> CM_DETAIL_INLINE auto cm_bf_cvt(const X &x)
{
    using namespace cm_detail;
    if constexpr (CM_DETAIL_IS_OPERAND(X))
        return vector<R, facts<X>::count>(from_lanes(), bf_converted<R, element<X>, facts<X>::count>(x.read_()));
    else
        return bf_converted<R, X, 1>((lanes<X, 1>)x)[0];
}

/* cm_tf32_cvt<int>(x): floats rounded to the nearest tf32, whose 19 bits are the upper ones of the int lanes that come
 * back: a vector for a vector or matrix, a scalar for a scalar. From PVC on.
 * Source: Intel's cm/cm_cvt.h. */
template <typename R, typename X> CM_DETAIL_INLINE auto cm_tf32_cvt(const X &x)
{
    using namespace cm_detail;
    static_assert((__is_same(R, int) || __is_same(R, uint)) && __is_same(element<X>, float),
                  "cm_tf32_cvt goes from float to int");
    if constexpr (CM_DETAIL_IS_OPERAND(X))
        return vector<R, facts<X>::count>(
            from_lanes(), convert<R, uint, facts<X>::count>(__cm_tf32_round<uint, float, facts<X>::count>(x.read_())));
    else
        return (R)__cm_tf32_round<uint, float, 1>((lanes<float, 1>)x)[0];
}

namespace cm_detail
{
/* Random bits as a float's: a float's own, or an integer of 16 bits. */
template <typename T, int N> CM_DETAIL_INLINE auto random_bits(lanes<T, N> x)
{
    if constexpr (__is_same(T, float))
        return x;
    else
        return __builtin_bit_cast(lanes<float, N>, convert<uint, ushort, N>(__builtin_bit_cast(lanes<ushort, N>, x)));
}

template <typename R, typename X, typename Y> constexpr bool rounds_randomly()
{
    static_assert(__is_same(R, half) && __is_same(X, float), "cm_srnd goes from float to half");
    static_assert(__is_same(Y, float) || __is_same(Y, short) || __is_same(Y, ushort),
                  "random bits of cm_srnd are float, short or ushort");
    return true;
}
} // namespace cm_detail

/* cm_srnd<half>(x, random): rounds floats to half at random (stochastic rounding): the lower 13 bits of a lane of
 * `random` are added to the lane of x at its last bit, and what half has no room for is cut. A vector for vectors or
 * matrices of one shape, a scalar for scalars. `random` is float, whose bits count, or short or ushort. From PVC on.
 * Source: Intel's cm/cm_srnd.h; vISA documentation, SRND. */
template <typename R, typename X, typename Y> CM_DETAIL_INLINE auto cm_srnd(const X &x, const Y &random)
{
    using namespace cm_detail;
    if constexpr (CM_DETAIL_IS_OPERAND(X)) {
        constexpr int N = facts<X>::count;
        static_assert(CM_DETAIL_IS_OPERAND(Y), "random bits of cm_srnd are a vector as x is");
        if constexpr (rounds_randomly<R, element<X>, element<Y>>()) {
            static_assert(facts<Y>::count == N, "random bits of cm_srnd have as many lanes as x");
            return vector<R, N>(from_lanes(),
                                __cm_srnd<R, float, N>(x.read_(), random_bits<element<Y>, N>(random.read_())));
        }
    } else if constexpr (rounds_randomly<R, X, Y>()) {
        return __cm_srnd<R, float, 1>((lanes<float, 1>)x, random_bits<Y, 1>((lanes<Y, 1>)random))[0];
    }
}

#endif
