/* Saturating conversions: integers clamp to the range of the new type; floats to [0,1], where NaN gives 0. */
#ifndef CMKIT_CM_DETAIL_CORE_CONVERT_H
#define CMKIT_CM_DETAIL_CORE_CONVERT_H

namespace cm_detail
{

template <typename R, typename T, int N> CM_DETAIL_INLINE lanes<R, N> saturate(lanes<T, N> x)
{
    if constexpr (CM_DETAIL_IS_BF16(T))
        return saturate<R, float, N>(convert<float, T, N>(x));
    else if constexpr (CM_DETAIL_IS_BF16(R))
        return convert<R, float, N>(saturate<float, T, N>(x));
    else if constexpr (__is_floating_point(R))
        return __cm_sat_f<R, N>(convert<R, T, N>(x));
    else if constexpr (__is_floating_point(T)) {
        if constexpr (__is_signed(R))
            return __cm_sat_f2s<R, T, N>(x);
        else
            return __cm_sat_f2u<R, T, N>(x);
    } else if constexpr (__is_same(R, T))
        return x;
    else if constexpr (sizeof(R) > sizeof(T) && (__is_signed(R) || !__is_signed(T)))
        return convert<R, T, N>(x); /* every value fits */
    else if constexpr (__is_signed(T)) {
        if constexpr (__is_signed(R))
            return __cm_sat_s2s<R, T, N>(x);
        else
            return __cm_sat_s2u<R, T, N>(x);
    } else {
        if constexpr (__is_signed(R))
            return __cm_sat_u2s<R, T, N>(x);
        else
            return __cm_sat_u2u<R, T, N>(x);
    }
}

template <typename T, int N, typename X> CM_DETAIL_INLINE lanes<T, N> saturated_lanes_of(const X &x)
{
    return saturate<T, element<X>, N>(lanes_of<element<X>, N>(x));
}

/* The last argument of an intrinsic: SAT, or 0 for a plain conversion. An int that is not a literal decides at run
 * time. (auto: the body is instantiated where the intrinsic is called, and errors are reported there.) */
template <typename R, typename T, int N, typename F> CM_DETAIL_INLINE auto finish(lanes<T, N> x, F flag)
{
    if constexpr (__is_same(F, saturation)) {
        return saturate<R, T, N>(x);
    } else {
        static_assert(__is_integral(F) || __is_enum(F), "the last argument is SAT or 0");
        lanes<R, N> clamped = saturate<R, T, N>(x), plain = convert<R, T, N>(x);
        return flag ? clamped : plain;
    }
}
/* No argument at all: the common case takes no detour. */
struct no_saturation {
};
template <typename R, typename T, int N> CM_DETAIL_INLINE lanes<R, N> finish(lanes<T, N> x, no_saturation)
{
    return __builtin_convertvector(x, lanes<R, N>);
}

} // namespace cm_detail

#endif
