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
/* details::lsc_data_size<T, DS>(): DS, or the DataSize of an element of type T for DataSize::Default.
 * Source: Intel's cm/cm_util.h. */
template <typename T, DataSize DS> constexpr DataSize lsc_data_size()
{
    static_assert(DS != DataSize::Default || sizeof(T) <= 8, "details::lsc_data_size: no message has such elements");
    return DS != DataSize::Default ? DS
           : sizeof(T) == 1        ? DataSize::U8
           : sizeof(T) == 2        ? DataSize::U16
           : sizeof(T) == 4        ? DataSize::U32
                                   : DataSize::U64;
}
/* details::lsc_expand_ds(DS): what loads each byte or word to a dword, for the DataSize of a byte or a word.
 * Source: Intel's cm/cm_util.h. */
constexpr DataSize lsc_expand_ds(DataSize ds)
{
    return ds == DataSize::U8 ? DataSize::U8U32 : ds == DataSize::U16 ? DataSize::U16U32 : ds;
}
/* details::is_cm_scalar<T>: value is whether T is an integer or a float, and no vector or matrix.
 * Source: Intel's cm/cm_traits.h. */
template <typename T> struct is_cm_scalar : std::bool_constant<__is_arithmetic(T) && !__is_same(__remove_cv(T), bool)> {
};
/* details::lsc_default_simt(): the lanes of a message to the load/store cache, a constant: 16, on PVC 32. All
 * platforms. Source: Intel's cm/cm_util.h. */
template <int RegisterBits> constexpr int lsc_lanes()
{
    return RegisterBits / 16;
}
} // namespace details
#define lsc_default_simt lsc_lanes<CM_GRF_WIDTH> /* the width is known where the kernel is compiled */

#endif
