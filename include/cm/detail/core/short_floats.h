/* Defines the short float types of matrix products: bf16 and tf32. */
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

#endif
