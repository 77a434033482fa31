/* The CM template library: helpers written in CM. So far: ramps. */
#ifndef CMKIT_CM_CMTL_H
#define CMKIT_CM_CMTL_H

#include "cm.h"

/* The first element is `first`, each other one `step` more than the one before. */
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

#endif
