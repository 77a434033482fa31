/* Functions of the template library on numbers: limits, roundings, classes of floats, fractions and exponents. */
#ifndef CMKIT_CM_CMTL_MATH_H
#define CMKIT_CM_CMTL_MATH_H

#include "../cm.h"
#include "exponential.h"
#include "mask.h"

namespace cm_detail
{

/* The bits of a float without its sign. */
template <typename A> CM_DETAIL_INLINE auto magnitude_bits(const A &x)
{
    typedef element<A> T;
    static_assert(__is_floating_point(T), "classes are those of half, float or double");
    typedef float_bits<T> B;
    constexpr int N = lane_count<A>;
    return __builtin_bit_cast(lanes<B, N>, lanes_of<T, N>(x)) & (B)~sign_bit<T>;
}
/* Lanes of a comparison as a mask: of a scalar one lane. */
template <typename A, typename C> CM_DETAIL_INLINE auto mask_of_class(C condition)
{
    constexpr int N = lane_count<A>;
    if constexpr (CM_DETAIL_IS_OPERAND(A))
        return cmtl::Mask<N>(
            vector<ushort, N>(from_lanes(), __builtin_convertvector(condition, lanes<ushort, N>) & (ushort)1));
    else
        return condition[0] != 0;
}

} // namespace cm_detail

namespace cmtl
{
namespace math
{

/* cmtl::math::clamp(x, low, high): the nearest number from low to high, of any element type, which are of x's type and
 * shape or scalars. All platforms.
 * Source: Intel's cm/cmtl/math/clamp.h. */
template <typename A, typename L, typename H, typename = cm_detail::if_values<A, L, H>>
CM_DETAIL_INLINE auto clamp(const A &x, const L &low, const H &high)
{
    using namespace cm_detail;
    typedef element<A> T;
    constexpr int N = lane_count<A>;
    return give_shaped<T, A>(greatest<T, N>(least<T, N>(lanes_of<T, N>(x), lanes_of<T, N>(high)), lanes_of<T, N>(low)));
}

/* cmtl::math::clamp<T>(x, low, high): the nearest numbers from low to high; template arguments name the element
 * type and shape of x. */
CM_DETAIL_EXPLICIT_ELEMENTS(clamp)

/* cmtl::math::round_fast<T>(x): each half, float or double of a vector, matrix or scalar to the nearest integer of type
 * T, ties away from zero; where x has no binary places left for halves, the sum with 1/2 rounds. All platforms.
 * Source: Intel's cm/cmtl/math/round.h. */
template <typename T, typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto round_fast(const A &x)
{
    using namespace cm_detail;
    typedef element<A> F;
    static_assert(__is_integral(T) && __is_floating_point(F), "round_fast makes integers of half, float or double");
    constexpr int N = lane_count<A>;
    lanes<F, N> value = lanes_of<F, N>(x), half_of = (lanes<F, N>)(F)0.5;
    lanes<ushort, N> negative = __builtin_convertvector(value < (F)0, lanes<ushort, N>);
    return give_shaped<T, A>(convert<T, F, N>(value + __cm_merge<F, N>(-half_of, half_of, negative)));
}

/* cmtl::math::isnan(x), isinf(x), isnormal(x), issubnormal(x): which lanes are of this class, a cmtl::Mask (a bool, of
 * a scalar); fpclassify(x): vectors of fp_nan, fp_infinite, fp_subnormal, fp_zero and fp_normal. half, float or double,
 * by their bits. All platforms.
 * Source: Intel's cm/cmtl/math/fpclassify.h. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto isnan(const A &x)
{
    using namespace cm_detail;
    return mask_of_class<A>(magnitude_bits(x) > exponent_bits<element<A>>);
}
/* cmtl::math::isinf(x): which lanes are plus or minus infinity. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto isinf(const A &x)
{
    using namespace cm_detail;
    return mask_of_class<A>(magnitude_bits(x) == exponent_bits<element<A>>);
}
/* cmtl::math::isnormal(x): which lanes are numbers that are neither 0 nor denormals. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto isnormal(const A &x)
{
    using namespace cm_detail;
    typedef element<A> T;
    typedef float_bits<T> B;
    constexpr B first = (B)1 << float_parts<T>::digits;
    auto bits = magnitude_bits(x);
    return mask_of_class<A>((bits >= first) & (bits < exponent_bits<T>));
}
/* cmtl::math::issubnormal(x): which lanes are denormals. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto issubnormal(const A &x)
{
    using namespace cm_detail;
    typedef element<A> T;
    typedef float_bits<T> B;
    constexpr B first = (B)1 << float_parts<T>::digits;
    auto bits = magnitude_bits(x);
    return mask_of_class<A>((bits != (B)0) & (bits < first));
}
enum { fp_nan = 0, fp_infinite, fp_subnormal, fp_zero, fp_normal };
/* cmtl::math::fpclassify(x): the class of each lane, fp_nan, fp_infinite, fp_subnormal, fp_zero or fp_normal, as
 * int. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto fpclassify(const A &x)
{
    using namespace cm_detail;
    typedef element<A> T;
    typedef float_bits<T> B;
    constexpr int N = lane_count<A>;
    auto bits = magnitude_bits(x);
    lanes<ushort, N> exponent_is_0 = __builtin_convertvector(bits < (B)1 << float_parts<T>::digits, lanes<ushort, N>),
                     fraction_is_0 = __builtin_convertvector(
                         (bits << (int)(sizeof(B) * 8 - float_parts<T>::digits)) == (B)0, lanes<ushort, N>),
                     exponent_is_most = __builtin_convertvector(bits >= exponent_bits<T>, lanes<ushort, N>);
    lanes<ushort, N> special = ((exponent_is_0 & (ushort)1) << 1) + (fraction_is_0 & (ushort)1),
                     ordinary = (ushort)fp_normal;
    return give_shaped<int, A>(
        convert<int, ushort, N>(__cm_merge<ushort, N>(special, ordinary, exponent_is_0 | exponent_is_most)));
}

/* cmtl::math::frexp(x, exponent): the fraction f of x = f * 2^exponent, from 1/2 to 1 without its sign, of half, float
 * or double; zeros, infinities and NaN are their own. The exponents, 0 for zeros, go to a vector or matrix of integers
 * of x's shape (a reference to an integer, of a scalar). Denormals are zeros. All platforms.
 * Source: Intel's cm/cmtl/math/frexp.h. */
template <typename A, typename E, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto frexp(const A &x, E &&exponent)
{
    using namespace cm_detail;
    typedef element<A> T;
    typedef float_bits<T> B;
    constexpr int N = lane_count<A>, digits = float_parts<T>::digits, bias = float_parts<T>::bias;
    lanes<T, N> value = lanes_of<T, N>(x);
    lanes<B, N> bits = __builtin_bit_cast(lanes<B, N>, value), place = bits & exponent_bits<T>;
    lanes<ushort, N> ordinary =
        __builtin_convertvector((place != (B)0) & (place != exponent_bits<T>), lanes<ushort, N>);
    lanes<int, N> none = 0;
    vector<int, N> power(from_lanes(),
                         __cm_merge<int, N>(convert<int, B, N>(place >> digits) - (bias - 1), none, ordinary));
    lanes<B, N> fraction = (bits & (B)~exponent_bits<T>) | ((B)(bias - 1) << digits);
    if constexpr (CM_DETAIL_IS_OPERAND(A))
        exponent.select_all() = power;
    else
        exponent = power(0);
    return give_shaped<T, A>(__builtin_bit_cast(lanes<T, N>, __cm_merge<B, N>(fraction, bits, ordinary)));
}
/* cmtl::math::frexp<T, I>(x, exponent): with the element types of x and exponent, and optionally their shape. */
template <typename T, typename I, int... Shape, typename A, typename E, typename = cm_detail::if_elements<T, A>>
CM_DETAIL_INLINE auto frexp(const A &x, E &&exponent)
{
    return frexp(x, exponent);
}

/* cmtl::math::exp(x[, tag]): e to the power of x; cmtl::math::log(x[, tag]): the logarithm of base e. half, float or
 * double, vectors, matrices and scalars; the error of the result is at most four units in the last place (half: one).
 * Computed by polynomials, half in float. Denormals are zeros; the logarithm of zero is minus infinity, that of a
 * negative number NaN. tag: the classes that x may have, a cmtl::hint::fpclass_tag, by default all; other classes are
 * not handled. double if the platform has it. All platforms.
 * Source: Intel's cm/cmtl/math/exp.h, cm/cmtl/math/log.h. */
template <typename A, typename Tag = hint::fpclass_tag_def::general_t, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto exp(const A &x, Tag = Tag())
{
    using namespace cm_detail;
    typedef element<A> T;
    typedef wide_float<T> W;
    static_assert(check_exponential<T, Tag>());
    constexpr int N = lane_count<A>;
    return give_shaped<T, A>(convert<T, W, N>(exponential<Tag, W, N>(convert<W, T, N>(lanes_of<T, N>(x)))));
}
/* cmtl::math::log(x[, tag]): the logarithm of base e of half, float or double. */
template <typename A, typename Tag = hint::fpclass_tag_def::general_t, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto log(const A &x, Tag = Tag())
{
    using namespace cm_detail;
    typedef element<A> T;
    typedef wide_float<T> W;
    static_assert(check_exponential<T, Tag>());
    constexpr int N = lane_count<A>;
    return give_shaped<T, A>(convert<T, W, N>(logarithm<Tag, W, N>(convert<W, T, N>(lanes_of<T, N>(x)))));
}

} // namespace math
} // namespace cmtl

#endif
