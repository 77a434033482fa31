/* Reads elements of constant arrays by vectors of indices. */
#ifndef CMKIT_CM_CMTL_GLOBAL_H
#define CMKIT_CM_CMTL_GLOBAL_H

#include "../cm.h"

namespace cmtl
{
namespace global
{

/* cmtl::global::load(array, places): the elements of an array whose size is known, one for each lane of a vector of
 * integers, which counts elements from 0. All platforms.
 * Source: Intel's cm/cmtl/global.h. */
template <typename T, int Size, typename P, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(P)>>
CM_DETAIL_INLINE auto load(const T (&array)[Size], const P &places)
{
    constexpr int N = cm_detail::facts<P>::count;
    static_assert(__is_integral(cm_detail::element<P>), "elements are numbered by integers, not by {P}");
    vector<int, N> place = places;
    vector<T, N> values;
#pragma unroll
    for (int k = 0; k < N; k++)
        values(k) = array[place(k)];
    return values;
}

} // namespace global
} // namespace cmtl

#endif
