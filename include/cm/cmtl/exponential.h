/* Defines powers and logarithms of base e, with an error of a few units in the last place.
 * Source: Intel's cm/cmtl/math/exp_impl.h. */
#ifndef CMKIT_CM_CMTL_EXPONENTIAL_H
#define CMKIT_CM_CMTL_EXPONENTIAL_H

#include "hint.h"
#include "numbers.h"

namespace cm_detail
{

/* How the bits of a float are divided. */
template <typename T> struct float_parts;
template <> struct float_parts<half> {
    typedef ushort bits;
    static constexpr int digits = 10, bias = 15;
};
template <> struct float_parts<float> {
    typedef uint bits;
    static constexpr int digits = 23, bias = 127;
};
template <> struct float_parts<double> {
    typedef uint64_t bits;
    static constexpr int digits = 52, bias = 1023;
};
template <typename T> using float_bits = typename float_parts<T>::bits;
template <typename T> constexpr float_bits<T> sign_bit = (float_bits<T>)1 << (sizeof(T) * 8 - 1);
template <typename T>
constexpr float_bits<T> exponent_bits = (float_bits<T>)(2 * float_parts<T>::bias + 1) << float_parts<T>::digits;

template <typename T> using wide_float = conditional<__is_same(T, double), double, float>;
template <typename T, typename Tag> constexpr bool check_exponential()
{
    static_assert(__is_floating_point(T), "exp and log take half, float or double");
    static_assert(cmtl::hint::is_fpclass_tag_v<Tag> && !cmtl::hint::equal_v<Tag, cmtl::hint::fpclass_tag_def::none_t>,
                  "what is known of x is a cmtl::hint::fpclass_tag of one class or more");
    return true;
}

/* ln 2 as a sum of two numbers, of which the first is short enough that its product with an exponent is exact; the
 * number of terms of the series; the limits beyond which powers leave the type's range. */
template <typename T> struct exponential_facts;
template <> struct exponential_facts<float> {
    static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f, least = -110, most = 95;
    static constexpr int power_terms = 7, logarithm_terms = 5;
};
template <> struct exponential_facts<double> {
    static constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10, least = -800,
                            most = 750;
    static constexpr int power_terms = 13, logarithm_terms = 11;
};

constexpr double inverse_factorial(int n)
{
    return n < 2 ? 1 : inverse_factorial(n - 1) / n;
}
/* The series of e^r from term K on, divided by r^K. */
template <int K, typename T, int N> CM_DETAIL_INLINE lanes<T, N> exponential_series(lanes<T, N> r)
{
    constexpr T factor = (T)inverse_factorial(K);
    if constexpr (K == exponential_facts<T>::power_terms)
        return (lanes<T, N>)factor;
    else
        return exponential_series<K + 1, T, N>(r) * r + factor;
}
/* The series of log((1 + s) / (1 - s)) / s - 2 from term K on, divided by s^(2K); z is s^2. */
template <int K, typename T, int N> CM_DETAIL_INLINE lanes<T, N> logarithm_series(lanes<T, N> z)
{
    constexpr T factor = (T)(2.0 / (2 * K + 1));
    if constexpr (K == exponential_facts<T>::logarithm_terms)
        return (lanes<T, N>)factor;
    else
        return logarithm_series<K + 1, T, N>(z) * z + factor;
}

/* 2^n of exponents that the type has. */
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> power_of_two(lanes<int, N> n)
{
    typedef float_bits<T> B;
    lanes<B, N> exponent = convert<B, int, N>(n + float_parts<T>::bias);
    return __builtin_bit_cast(lanes<T, N>, exponent << (B)float_parts<T>::digits);
}

template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> reciprocal(lanes<T, N> x)
{
    if constexpr (__is_same(T, float))
        return __cm_inv<float, N>(x);
    else
        return lanes_of<T, N>(cm_div_ieee((T)1, vector<T, N>(from_lanes(), x)));
}

template <typename Tag, typename T, int N> CM_DETAIL_INLINE lanes<T, N> exponential(lanes<T, N> x)
{
    typedef exponential_facts<T> F;
    lanes<T, N> least = (lanes<T, N>)F::least, most = (lanes<T, N>)F::most;
    lanes<T, N> near = where<T, N>(x > least, where<T, N>(x < most, x, most), least); /* NaN is least */
    lanes<T, N> up = (T)0.5, down = (T)-0.5;
    lanes<int, N> n = convert<int, T, N>(near * (T)cmtl::numbers::inv_ln2 + where<T, N>(x < (T)0, down, up));
    lanes<T, N> whole = convert<T, int, N>(n), r = (near - whole * F::ln2_high) - whole * F::ln2_low;
    /* in two steps, as 2^n alone may not be there */
    lanes<int, N> first = n >> 1;
    lanes<T, N> power = exponential_series<0, T, N>(r) * power_of_two<T, N>(first) * power_of_two<T, N>(n - first);
    if constexpr (Tag::template has_v<cmtl::hint::fpclass_tag_def::nan_t>)
        return where<T, N>(x != x, x, power);
    else
        return power;
}

template <typename Tag, typename T, int N> CM_DETAIL_INLINE lanes<T, N> logarithm(lanes<T, N> x)
{
    typedef exponential_facts<T> F;
    typedef float_bits<T> B;
    typedef cmtl::hint::fpclass_tag_def D;
    constexpr int digits = float_parts<T>::digits, bias = float_parts<T>::bias;
    constexpr T root_2 = (T)cmtl::numbers::sqrt2;
    /* x = (1 + f) * 2^n, 1 + f from the root of 1/2 to that of 2 */
    lanes<B, N> bits = __builtin_bit_cast(lanes<B, N>, x) & (B)~sign_bit<T>;
    lanes<T, N> m = __builtin_bit_cast(lanes<T, N>, (bits & (B)~exponent_bits<T>) | (B)bias << (B)digits);
    lanes<int, N> n = convert<int, B, N>(bits >> (B)digits) - bias, next = n + 1;
    n = where<int, N>(m > root_2, next, n);
    lanes<T, N> f = where<T, N>(m > root_2, m * (T)0.5, m) - (T)1, whole = convert<T, int, N>(n);
    lanes<T, N> s = f * reciprocal<T, N>(f + (T)2), z = s * s, half_square = f * f * (T)0.5;
    lanes<T, N> rest = logarithm_series<1, T, N>(z) * z;
    lanes<T, N> value = whole * F::ln2_high - ((half_square - (s * (half_square + rest) + whole * F::ln2_low)) - f);

    lanes<T, N> infinite = (T)__builtin_huge_val(), nan = (T)__builtin_nan("");
    if constexpr (Tag::value & D::special_t::value)
        value = where<T, N>(bits >= exponent_bits<T>, x, value);
    value = where<T, N>(x < (T)0, nan, value);
    if constexpr (Tag::value & (D::zero_t::value | D::subnormal_t::value))
        value = where<T, N>(bits < (B)1 << (B)digits, -infinite, value);
    return value;
}

} // namespace cm_detail
#endif
