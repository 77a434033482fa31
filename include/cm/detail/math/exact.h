/* Functions that are more exact than the hardware's approximations: correctly rounded division and square root, inverse
 * trigonometric functions. */
#ifndef CMKIT_CM_DETAIL_MATH_EXACT_H
#define CMKIT_CM_DETAIL_MATH_EXACT_H

namespace cm_detail
{

template <typename T, int N> CM_DETAIL_INLINE lanes<uint, N> bits_of_float(lanes<T, N> x)
{
    return __builtin_bit_cast(lanes<uint, N>, x);
}
template <int N> CM_DETAIL_INLINE lanes<float, N> float_of_bits(lanes<uint, N> x)
{
    return __builtin_bit_cast(lanes<float, N>, x);
}
template <int N> CM_DETAIL_INLINE lanes<float, N> fused(lanes<float, N> a, lanes<float, N> b, lanes<float, N> c)
{
    return __builtin_elementwise_fma(a, b, c);
}

/* Lanes as `x` where the condition (of a comparison) holds, else as `y`. */
template <typename T, int N, typename M> CM_DETAIL_INLINE lanes<T, N> where(M condition, lanes<T, N> x, lanes<T, N> y)
{
    return __cm_merge<T, N>(x, y, __builtin_convertvector(condition, lanes<ushort, N>));
}

/* Neither zero, subnormal, infinite nor NaN. */
template <int N> CM_DETAIL_INLINE auto is_ordinary(lanes<float, N> x)
{
    lanes<uint, N> exponent = (bits_of_float<float, N>(x) >> 23) & 0xffu;
    return (exponent - 1u) < 254u;
}

/* 2 to the power of n in two factors; |n| <= 254. */
template <int N> CM_DETAIL_INLINE lanes<float, N> scale(lanes<float, N> x, lanes<int, N> n)
{
    lanes<int, N> first = n >> 1, second = n - first;
    lanes<uint, N> a = __builtin_convertvector(first + 127, lanes<uint, N>) << 23;
    lanes<uint, N> b = __builtin_convertvector(second + 127, lanes<uint, N>) << 23;
    return x * float_of_bits<N>(a) * float_of_bits<N>(b);
}

/* `q` is at most one unit in the last place from the exact value, `rest` is what tells the side: makes it the nearest.
 * Half a unit of q, on the side of the exact value, times `slope` is compared with `rest`, exactly. */
template <int N>
CM_DETAIL_INLINE lanes<float, N> nearest(lanes<float, N> q, lanes<float, N> rest, lanes<float, N> slope)
{
    lanes<uint, N> bits = bits_of_float<float, N>(q), one = 1u, none = 0u;
    lanes<uint, N> below = where<uint, N>(rest < 0.0f, one, none);
    lanes<uint, N> exponent = (bits - below) & 0x7f800000u;
    lanes<float, N> limit = slope * float_of_bits<N>(exponent - (24u << 23));
    lanes<uint, N> up = where<uint, N>(rest > limit, one, none), down = where<uint, N>(rest <= -limit, one, none);
    return float_of_bits<N>(bits + up - down);
}

/* Divides mantissas in [1,2) by Newton's iteration on the approximate reciprocal; special cases (zeros, infinities,
 * NaN) come from the approximation itself. */
template <int N> CM_DETAIL_INLINE lanes<float, N> divide_exactly(lanes<float, N> a, lanes<float, N> b)
{
    constexpr uint mantissa = 0x007fffffu, one_exponent = 0x3f800000u, sign = 0x80000000u;
    lanes<uint, N> x = bits_of_float<float, N>(a), y = bits_of_float<float, N>(b);
    lanes<float, N> p = where<float, N>(is_ordinary<N>(a), float_of_bits<N>((x & mantissa) | one_exponent), a);
    lanes<float, N> d = where<float, N>(is_ordinary<N>(b), float_of_bits<N>((y & mantissa) | one_exponent), b);
    lanes<float, N> one = 1.0f, r = __cm_inv<float, N>(d);
    lanes<float, N> special = p * r;
    r = fused<N>(fused<N>(-d, r, one), r, r);
    lanes<float, N> q = p * r;
    q = fused<N>(fused<N>(-d, q, p), r, q);
    q = nearest<N>(q, fused<N>(-d, q, p), d);
    lanes<int, N> n = __builtin_convertvector((x >> 23) & 0xffu, lanes<int, N>) -
                      __builtin_convertvector((y >> 23) & 0xffu, lanes<int, N>);
    q = scale<N>(q, n);
    q = float_of_bits<N>((bits_of_float<float, N>(q) & ~sign) | ((x ^ y) & sign));
    /* a special operand keeps its sign in p or d; the other one's was taken off */
    lanes<uint, N> lost = where<uint, N>(is_ordinary<N>(a), x, (lanes<uint, N>)0u) ^
                          where<uint, N>(is_ordinary<N>(b), y, (lanes<uint, N>)0u);
    special = float_of_bits<N>(bits_of_float<float, N>(special) ^ (lost & sign));
    return where<float, N>(is_ordinary<N>(b), where<float, N>(is_ordinary<N>(a), q, special), special);
}

/* Square roots of mantissas in [1,4). */
template <int N> CM_DETAIL_INLINE lanes<float, N> root_exactly(lanes<float, N> a)
{
    lanes<uint, N> x = bits_of_float<float, N>(a), exponent = (x >> 23) & 0xffu, odd = (exponent + 1u) & 1u;
    lanes<float, N> special = __cm_sqrt<float, N>(a);
    lanes<float, N> m = float_of_bits<N>((x & 0x007fffffu) | ((odd + 127u) << 23));
    lanes<float, N> half_of_one = 0.5f, r = __cm_rsqrt<float, N>(m);
    r = fused<N>(r * half_of_one, fused<N>(-(m * r), r, (lanes<float, N>)1.0f), r);
    lanes<float, N> s = m * r;
    s = fused<N>(fused<N>(-s, s, m) * half_of_one, r, s);
    s = nearest<N>(s, fused<N>(-s, s, m), s + s);
    lanes<int, N> n =
        (__builtin_convertvector(exponent, lanes<int, N>) - 127 - __builtin_convertvector(odd, lanes<int, N>)) >> 1;
    s = scale<N>(s, n);
    lanes<uint, N> positive = x >> 31;
    return where<float, N>(is_ordinary<N>(a), where<float, N>(positive == 0u, s, special), special);
}

template <typename T> constexpr bool is_ieee = __is_same(T, float) || __is_same(T, double);

template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> ieee_quotient(lanes<T, N> a, lanes<T, N> b)
{
    if constexpr (__is_same(T, float)) {
        if (!__cm_has(has_ieee_division))
            return divide_exactly<N>(a, b);
    }
    return __cm_ieee_div<T, N>(a, b);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> ieee_root(lanes<T, N> a)
{
    if constexpr (__is_same(T, float)) {
        if (!__cm_has(has_ieee_division))
            return root_exactly<N>(a);
    }
    return __cm_ieee_sqrt<T, N>(a);
}

} // namespace cm_detail

/* cm_div_ieee(a, b[, SAT]): the quotient rounded to nearest even, as IEEE 754 has it; subnormal operands and results
 * count as 0 on the GPU. float, and double where the platform has it; vectors, matrices and scalars, a lane for each
 * element. ICLLP and TGLLP, which have no instruction for it, compute it in some 50 instructions. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename A, typename B, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_div_ieee(const A &a, const B &b, F flag = F())
{
    using namespace cm_detail;
    typedef float_operand<A, B> U;
    static_assert(is_ieee<U>, "cm_div_ieee takes float or double");
    constexpr int N = lane_count<A, B>;
    return give<U, A, B>(finish<U, U, N>(ieee_quotient<U, N>(lanes_of<U, N>(a), lanes_of<U, N>(b)), flag));
}

/* cm_sqrt_ieee(x[, SAT]): the square root of each element, rounded to nearest even: float, and double where the
 * platform has it; otherwise as cm_div_ieee. All platforms. Source: CM specification 4.3 "Built-in Functions". */
template <typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_sqrt_ieee(const A &x, F flag = F())
{
    using namespace cm_detail;
    typedef element<A> U;
    static_assert(is_ieee<U>, "cm_sqrt_ieee takes float or double");
    constexpr int N = lane_count<A>;
    return give<U, A>(finish<U, U, N>(ieee_root<U, N>(lanes_of<U, N>(x)), flag));
}

/* cm_rsqrt(x[, SAT]): 1 / the square root of each element: of float or half as exact as the hardware's approximation,
 * of double, where the platform has it, the rounded quotient of the rounded root; a matrix of doubles gives a matrix.
 * All platforms. Source: Intel's cm/intrinsics/rsqrt.h. */
template <typename T = void, typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_rsqrt(const A &operand, F flag = F())
{
    using namespace cm_detail;
    typedef element<A> U;
    typedef or_natural<T, U> R;
    static_assert(__is_same(U, double) || __is_same(U, float) || __is_same(U, half),
                  "cm_rsqrt takes float, half or double");
    constexpr int N = lane_count<A>;
    lanes<U, N> x = lanes_of<U, N>(operand);
    if constexpr (__is_same(U, double))
        return give_shaped<R, A>(finish<R, U, N>(ieee_quotient<U, N>((lanes<U, N>)(U)1, ieee_root<U, N>(x)), flag));
    else
        return give<R, A>(finish<R, U, N>(__cm_rsqrt<U, N>(x), flag));
}

/* cm_sincos(cosine, x[, SAT]): returns the sine of x (radians) in the shape of `cosine`, which receives the cosine,
 * element by element: a vector or matrix of as many elements as x, or of any number if x is a scalar, or a scalar.
 * float or half, as exact as cm_sin and cm_cos. All platforms. Source: CM specification 4.3 "Built-in Functions". */
template <typename C, typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_sincos(C &&cosine, const A &x, F flag = F())
{
    using namespace cm_detail;
    typedef element<A> U;
    typedef bare<C> D;
    static_assert(__is_same(U, float) || __is_same(U, half), "cm_sincos takes float or half");
    constexpr int N = lane_count<A, D>;
    put<U, N>(cosine, finish<U, U, N>(__cm_cos<U, N>(lanes_of<U, N>(x)), flag));
    return give_shaped<U, D, A>(finish<U, U, N>(__cm_sin<U, N>(lanes_of<U, N>(x)), flag));
}

namespace cm_detail
{

template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> power_series(lanes<T, N>, T last)
{
    return last;
}
/* first + x * (second + x * (... last)) */
template <typename T, int N, typename... Rest>
CM_DETAIL_INLINE lanes<T, N> power_series(lanes<T, N> x, T first, Rest... rest)
{
    return (lanes<T, N>)first + x * power_series<T, N>(x, rest...);
}

/* Abramowitz and Stegun, "Handbook of Mathematical Functions", 4.4.46 and 4.4.49: absolute error below 2e-8 before
 * rounding. */
template <int N> CM_DETAIL_INLINE lanes<float, N> arc_cosine_of_positive(lanes<float, N> x)
{
    lanes<float, N> one = 1.0f;
    return __cm_sqrt<float, N>(one - x) * power_series<float, N>(x, 1.5707963050f, -0.2145988016f, 0.0889789874f,
                                                                 -0.0501743046f, 0.0308918810f, -0.0170881256f,
                                                                 0.0066700901f, -0.0012624911f);
}
template <int N> CM_DETAIL_INLINE lanes<float, N> arc_cosine(lanes<float, N> x)
{
    lanes<float, N> y = arc_cosine_of_positive<N>(__cm_fabs<float, N>(x)), pi = 3.14159265359f;
    return where<float, N>(x < 0.0f, pi - y, y);
}
template <int N> CM_DETAIL_INLINE lanes<float, N> arc_sine(lanes<float, N> x)
{
    lanes<float, N> y = (lanes<float, N>)1.57079632679f - arc_cosine_of_positive<N>(__cm_fabs<float, N>(x));
    return where<float, N>(x < 0.0f, -y, y);
}
template <int N> CM_DETAIL_INLINE lanes<float, N> arc_tangent(lanes<float, N> x)
{
    lanes<float, N> size = __cm_fabs<float, N>(x), t = where<float, N>(size > 1.0f, __cm_inv<float, N>(size), size);
    lanes<float, N> y =
        t * power_series<float, N>(t * t, 1.0f, -0.3333314528f, 0.1999355085f, -0.1420889944f, 0.1065626393f,
                                   -0.0752896400f, 0.0429096138f, -0.0161657367f, 0.0028662257f);
    y = where<float, N>(size > 1.0f, (lanes<float, N>)1.57079632679f - y, y);
    return where<float, N>(x < 0.0f, -y, y);
}

/* The angle of (x, y); (0, 0) has the angle 0. */
template <int N> CM_DETAIL_INLINE lanes<float, N> angle_of(lanes<float, N> y, lanes<float, N> x)
{
    lanes<float, N> pi = 3.14159265359f, none = 0.0f;
    lanes<float, N> angle = arc_tangent<N>(y * __cm_inv<float, N>(x));
    lanes<float, N> turn = where<float, N>(y < 0.0f, -pi, pi);
    angle = angle + where<float, N>(x < 0.0f, turn, none);
    return where<float, N>(y == 0.0f, where<float, N>(x < 0.0f, pi, none), angle);
}

} // namespace cm_detail

namespace cm_detail
{

/* The exact remainder of |a| after whole multiples of |b|, with a's sign: each round subtracts a quotient of 15 bits
 * times b times a power of two. The quotient may be one too large, which is corrected. */
template <int N> CM_DETAIL_INLINE lanes<float, N> exact_remainder(lanes<float, N> a, lanes<float, N> b)
{
    constexpr uint digits = 23, step = 14 << digits, exponents = 255u << digits, one = 127u << digits;
    constexpr uint rounds = 18; /* of 14 binary places: from the largest exponent to the smallest */
    lanes<float, N> rest = __cm_fabs<float, N>(a), none = 0.0f;
    lanes<uint, N> lowest = bits_of_float<float, N>(__cm_fabs<float, N>(b)), nothing = 0u;
#pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        lanes<uint, N> size = bits_of_float<float, N>(rest), far = lowest + step;
        lanes<uint, N> unit = lowest + where<uint, N>(size > far, (size - far) & exponents, nothing);
        lanes<float, N> large = float_of_bits<N>(unit); /* its quotient by numbers that neither overflow nor vanish */
        lanes<uint, N> down = (unit & exponents) - one;
        lanes<float, N> part = where<float, N>(size + (2u << digits) > unit, float_of_bits<N>(size - down), none);
        lanes<float, N> times =
            __cm_rndz<float, N>(part * __cm_inv<float, N>(float_of_bits<N>(unit - down)) + 0.03125f);
        rest = fused<N>(-times, large, rest);
        rest = rest + where<float, N>(rest < 0.0f, large, none);
    }
    return rest;
}

} // namespace cm_detail

namespace cm_detail
{

/* The same for doubles, 49 bits a round, with the nearest whole multiple of b, so that the remainder may be negative.
 */
template <int N> CM_DETAIL_INLINE lanes<double, N> exact_remainder(lanes<double, N> a, lanes<double, N> b)
{
    constexpr uint64_t digits = 52, step = (uint64_t)49 << digits, exponents = (uint64_t)0x7ff << digits;
    constexpr uint rounds = 43; /* from the largest exponent to the smallest */
    constexpr double whole = (double)((uint64_t)1 << digits);
    lanes<double, N> rest = __cm_fabs<double, N>(a), none = 0.0;
    lanes<uint64_t, N> lowest = __builtin_bit_cast(lanes<uint64_t, N>, __cm_fabs<double, N>(b)), nothing = 0u;
#pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        lanes<uint64_t, N> size = __builtin_bit_cast(lanes<uint64_t, N>, rest), far = lowest + step;
        lanes<uint64_t, N> unit = lowest + where<uint64_t, N>(size > far, (size - far) & exponents, nothing);
        lanes<double, N> large = __builtin_bit_cast(lanes<double, N>, unit);
        lanes<double, N> times = (__cm_ieee_div<double, N>(rest, large) + whole) - whole;
        rest = __builtin_elementwise_fma(-times, large, rest);
        rest = rest + where<double, N>(rest < 0.0, large, none);
    }
    return rest;
}

} // namespace cm_detail

/* cm_frem(a, b): the exact remainder of a after whole multiples of b, with the sign of a: a if b is infinite, NaN if a
 * is infinite or b is 0 (denormals are zeros). float, and double where the platform has it; vectors, matrices and
 * scalars, a lane for each element, a matrix of a matrix. All platforms. Source: Intel's cm/intrinsics/frem.h. */
template <typename A, typename B, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_frem(const A &a, const B &b)
{
    using namespace cm_detail;
    typedef float_operand<A, B> T;
    static_assert(is_ieee<T>, "cm_frem takes float or double");
    typedef conditional<sizeof(T) == 8, uint64_t, uint> I;
    constexpr int N = lane_count<A, B>, digits = sizeof(T) == 8 ? 52 : 23;
    constexpr I sign = (I)1 << (sizeof(T) * 8 - 1), infinite = (sign >> digits) - 1 << digits;
    lanes<T, N> x = lanes_of<T, N>(a), y = lanes_of<T, N>(b);
    lanes<I, N> of_x = __builtin_bit_cast(lanes<I, N>, x), of_y = __builtin_bit_cast(lanes<I, N>, y);
    lanes<I, N> rest = __builtin_bit_cast(lanes<I, N>, exact_remainder<N>(x, y)), nan = infinite | (I)1 << (digits - 1);
    rest = rest | (of_x & sign);
    rest = where<I, N>((of_y & ~sign) == infinite, of_x, rest);
    rest = where<I, N>((of_y & infinite) == (I)0, nan, rest);
    rest = where<I, N>((of_y & ~sign) > infinite, nan, rest);
    rest = where<I, N>((of_x & infinite) == infinite, nan, rest);
    return give_shaped<T, first_operand<A, B>, A, B>(__builtin_bit_cast(lanes<T, N>, rest));
}

#define CM_DETAIL_ARC(NAME, FUNCTION)                                                                                  \
    template <typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>                   \
    CM_DETAIL_INLINE auto NAME(const A &x, F flag = F())                                                               \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef element<A> U;                                                                                          \
        static_assert(__is_same(U, float) || __is_same(U, half), #NAME " takes float or half");                        \
        constexpr int N = lane_count<A>;                                                                               \
        return give<U, A>(finish<U, float, N>(FUNCTION<N>(lanes_of<float, N>(x)), flag));                              \
    }
/* cm_asin(x[, SAT]), cm_acos(x[, SAT]) (x from -1 to 1), cm_atan(x[, SAT]): angles in radians, by polynomials, to
 * within 1e-6. float or half, computed in float; vectors, matrices and scalars, a lane for each element. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_ARC(cm_asin, arc_sine)
CM_DETAIL_ARC(cm_acos, arc_cosine)
CM_DETAIL_ARC(cm_atan, arc_tangent)
#undef CM_DETAIL_ARC

#endif
