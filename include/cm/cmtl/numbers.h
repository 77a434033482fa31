/* Defines mathematical constants with the names of C++20's <numbers>, and a few more. NAME_v are templates of the type.
 * Source: Intel's cm/cmtl/numbers.h. */
#ifndef CMKIT_CM_CMTL_NUMBERS_H
#define CMKIT_CM_CMTL_NUMBERS_H

namespace cmtl
{
namespace numbers
{

/* cmtl::numbers::e, log2e, log10e, pi, inv_pi, inv_sqrtpi, ln2, ln10, inv_ln2, sqrt2, sqrt3, inv_sqrt2, inv_sqrt3,
 * egamma, phi: doubles; cmtl::numbers::pi_v<T> and so on: of a type of floats. All platforms. */
#define CM_DETAIL_NUMBER(NAME, VALUE)                                                                                  \
    template <typename T> inline constexpr cm_detail::enable_if<__is_floating_point(T), T> NAME##_v = (T)(VALUE);      \
    inline constexpr double NAME = NAME##_v<double>;
CM_DETAIL_NUMBER(e, 2.718281828459045235360L)
CM_DETAIL_NUMBER(log2e, 1.442695040888963407360L)
CM_DETAIL_NUMBER(log10e, 0.434294481903251827651L)
CM_DETAIL_NUMBER(pi, 3.141592653589793238463L)
CM_DETAIL_NUMBER(inv_pi, 0.318309886183790671538L)
CM_DETAIL_NUMBER(inv_sqrtpi, 0.564189583547756286948L)
CM_DETAIL_NUMBER(ln2, 0.693147180559945309417L)
CM_DETAIL_NUMBER(ln10, 2.302585092994045684018L)
CM_DETAIL_NUMBER(inv_ln2, 1.442695040888963407360L)
CM_DETAIL_NUMBER(sqrt2, 1.414213562373095048802L)
CM_DETAIL_NUMBER(sqrt3, 1.732050807568877293527L)
CM_DETAIL_NUMBER(inv_sqrt2, 0.707106781186547524401L)
CM_DETAIL_NUMBER(inv_sqrt3, 0.577350269189625764509L)
CM_DETAIL_NUMBER(egamma, 0.577215664901532860607L)
CM_DETAIL_NUMBER(phi, 1.618033988749894848205L)
#undef CM_DETAIL_NUMBER

} // namespace numbers
} // namespace cmtl

#endif
