/* The CM template library: helpers written in CM. So far: ramps, and in namespace cmtl roundings and the angle of a
 * point.
 * Source: Intel's CM language specification and the header cm/cmtl.h of its compiler. */
#ifndef CMKIT_CM_CMTL_H
#define CMKIT_CM_CMTL_H

#include "cm.h"

/* cm_vector_assign(v, first, step): the first element becomes `first`, each other one `step` more than the one before.
 * All platforms. */
template <typename M, typename T, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_vector_assign(const M &destination, T first, T step)
{
    using namespace cm_detail;
    typedef element<M> E;
    constexpr int N = facts<M>::count;
    lanes<E, N> number = convert<E, ushort, N>(pattern<N, 0, N, 1>());
    destination.write_((lanes<E, N>)(E)first + number * (lanes<E, N>)(E)step);
}

/* Declares NAME and fills it with such a ramp. */
#define cm_vector(NAME, TYPE, SIZE, FIRST, STEP)                                                                       \
    vector<TYPE, SIZE> NAME;                                                                                           \
    cm_vector_assign(NAME, (TYPE)(FIRST), (TYPE)(STEP))
#define cm_matrix(NAME, TYPE, ROWS, COLUMNS, FIRST, STEP)                                                              \
    matrix<TYPE, ROWS, COLUMNS> NAME;                                                                                  \
    cm_vector_assign(NAME, (TYPE)(FIRST), (TYPE)(STEP))

namespace cmtl
{

/* cm_floor<T>(x[, SAT]), cm_ceil<T>: the next integer below and above, as cm_rndd and cm_rndu. All platforms. */
template <typename T, typename A, typename F = cm_detail::no_saturation>
CM_DETAIL_INLINE auto cm_floor(const A &x, F flag = F())
{
    return ::cm_rndd<T>(x, flag);
}
template <typename T, typename A, typename F = cm_detail::no_saturation>
CM_DETAIL_INLINE auto cm_ceil(const A &x, F flag = F())
{
    return ::cm_rndu<T>(x, flag);
}

/* cm_atan2(y, x), cm_atan2_fast(y, x): the angle of the point (x, y) in radians, from -pi to pi, to within 1e-5. float.
 * All platforms. */
template <typename A, typename B, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_atan2(const A &y, const B &x)
{
    using namespace cm_detail;
    static_assert(are_floats<A, B>, "cm_atan2 takes float");
    constexpr int N = lane_count<A, B>;
    return give<float, A, B>(angle_of<N>(lanes_of<float, N>(y), lanes_of<float, N>(x)));
}
template <typename A, typename B, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_atan2_fast(const A &y, const B &x)
{
    return cm_atan2(y, x);
}

} // namespace cmtl

#endif
