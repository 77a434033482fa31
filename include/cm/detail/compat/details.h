/* Defines the functions of Intel's internal namespace details that kernels call. All are constant. */
#ifndef CMKIT_CM_DETAIL_COMPAT_DETAILS_H
#define CMKIT_CM_DETAIL_COMPAT_DETAILS_H

namespace details
{
/* details::lsc_vector_size<VectorSize>(): how many elements that is.
 * Source: Intel's cm/cm_util.h. */
template <VectorSize VS> constexpr unsigned lsc_vector_size()
{
    return (unsigned)cm_detail::vector_size(VS);
}
/* details::lsc_vector_size<N>(): the VectorSize of N elements, N0 where there is none. */
template <unsigned N> constexpr VectorSize lsc_vector_size()
{
    return N == 16   ? VectorSize::N16
           : N == 32 ? VectorSize::N32
           : N == 64 ? VectorSize::N64
                     : cm_detail::vector_size_of(N);
}
/* details::roundUpNextMultiple(n, m): the least multiple of m that is not below n.
 * Source: Intel's cm/cm_util.h. */
constexpr unsigned roundUpNextMultiple(unsigned n, unsigned m)
{
    return (n + m - 1) / m * m;
}
/* details::getNextPowerOf2(n[, k]): the least of k (1 if it is not given), 2 k, 4 k, ... that is not below n.
 * Source: Intel's cm/cm_util.h. */
constexpr unsigned getNextPowerOf2(unsigned n, unsigned k = 1)
{
    while (k < n)
        k *= 2;
    return k;
}
/* details::isPowerOf2(n[, limit]): whether n has one bit, or none, and is at most the limit.
 * Source: Intel's cm/cm_util.h. */
constexpr bool isPowerOf2(unsigned n, unsigned limit = ~0u)
{
    return (n & (n - 1)) == 0 && n <= limit;
}
/* details::lsc_default_simt(): the lanes of a message to the load/store cache, a constant: 16, on PVC 32. All
 * platforms. Source: Intel's cm/cm_util.h. */
template <int RegisterBits> constexpr int lsc_lanes()
{
    return RegisterBits / 16;
}
} // namespace details
#define lsc_default_simt lsc_lanes<CM_GRF_WIDTH> /* the width is known where the kernel is compiled */

#endif
