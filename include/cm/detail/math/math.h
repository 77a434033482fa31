/* Arithmetic intrinsics. An explicit template argument is the element type of the result; a last argument SAT
 * saturates. Operands are vectors, matrices, references and scalars; the result is a vector with an element per lane
 * (of matrices in row-major order), or a scalar when all operands are scalars. */
#ifndef CMKIT_CM_DETAIL_MATH_MATH_H
#define CMKIT_CM_DETAIL_MATH_MATH_H

namespace cm_detail
{

/* The first count that is not 0; intrinsics have at most four operands. */
constexpr int first_count(int a, int b, int c = 0, int d = 0, int e = 0)
{
    return a ? a : b ? b : c ? c : d ? d : e;
}
/* Lanes of the result of an intrinsic on X...; 1 when all are scalars. */
template <typename... X> constexpr int lane_count = first_count(facts<X>::count..., 1);

/* The result of an intrinsic on X...: lanes as a vector, or one lane as a scalar. */
template <typename R, typename... X> CM_DETAIL_INLINE auto give(lanes<R, lane_count<X...>> value)
{
    if constexpr ((!CM_DETAIL_IS_OPERAND(X) && ...))
        return value[0];
    else
        return vector<R, lane_count<X...>>(from_lanes(), value);
}
/* The same as a matrix where M, which says the shape, is one. */
template <typename R, typename M, typename... X> CM_DETAIL_INLINE auto give_shaped(lanes<R, lane_count<M, X...>> value)
{
    if constexpr (facts<M>::is_matrix)
        return matrix<R, facts<M>::rows, facts<M>::columns>(from_lanes(), value);
    else
        return give<R, M, X...>(value);
}
/* The first of two that is a vector or matrix; the first if none is. */
template <typename A, typename B>
using first_operand = conditional<CM_DETAIL_IS_OPERAND(B) && !CM_DETAIL_IS_OPERAND(A), B, A>;
/* The type of the float or half among two scalars, of a vector or matrix otherwise. */
template <typename A, typename B>
using float_operand =
    element<conditional<CM_DETAIL_IS_OPERAND(A) || CM_DETAIL_IS_OPERAND(B), first_operand<A, B>,
                        conditional<__is_floating_point(B) && (!__is_floating_point(A) || sizeof(A) == 8), B, A>>>;

template <typename... X> using if_values = enable_if<((CM_DETAIL_IS_OPERAND(X) || CM_DETAIL_IS_SCALAR(X)) && ...)>;

/* `T` as given by the user, or the operands' common type if it is void. */
template <typename T, typename Natural> using or_natural = conditional<__is_same(T, void), Natural, T>;

template <typename T> using uint_or = or_natural<T, uint>;

template <typename A, typename B> using chosen = decltype(true ? A() : B());

template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> least(lanes<T, N> a, lanes<T, N> b)
{
    if constexpr (CM_DETAIL_IS_BF16(T))
        return convert<T, float, N>(__cm_fmin<float, N>(convert<float, T, N>(a), convert<float, T, N>(b)));
    else if constexpr (__is_floating_point(T))
        return __cm_fmin<T, N>(a, b);
    else if constexpr (__is_signed(T))
        return __cm_smin<T, N>(a, b);
    else
        return __cm_umin<T, N>(a, b);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> greatest(lanes<T, N> a, lanes<T, N> b)
{
    if constexpr (CM_DETAIL_IS_BF16(T))
        return convert<T, float, N>(__cm_fmax<float, N>(convert<float, T, N>(a), convert<float, T, N>(b)));
    else if constexpr (__is_floating_point(T))
        return __cm_fmax<T, N>(a, b);
    else if constexpr (__is_signed(T))
        return __cm_smax<T, N>(a, b);
    else
        return __cm_umax<T, N>(a, b);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> magnitude(lanes<T, N> x)
{
    if constexpr (CM_DETAIL_IS_BF16(T))
        return convert<T, float, N>(__cm_fabs<float, N>(convert<float, T, N>(x)));
    else if constexpr (__is_floating_point(T))
        return __cm_fabs<T, N>(x);
    else if constexpr (__is_signed(T))
        return __cm_sabs<T, N>(x);
    else
        return x;
}

/* The operand of a rounding: elements unchanged, a scalar that is neither float nor half as a float. */
template <typename A>
using rounded = conditional<CM_DETAIL_IS_OPERAND(A) || __is_same(A, half), element<A>,
                            conditional<CM_DETAIL_IS_SCALAR(A) && !CM_DETAIL_IS_BF16(A), float, A>>;

/* Parts round floats only; halves give the same there. */
#define CM_DETAIL_OF_FLOATS(NAME)                                                                                      \
    template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> NAME##_of(lanes<T, N> x)                                 \
    {                                                                                                                  \
        return convert<T, float, N>(__cm_##NAME<float, N>(convert<float, T, N>(x)));                                   \
    }
CM_DETAIL_OF_FLOATS(frc)
CM_DETAIL_OF_FLOATS(rndd)
CM_DETAIL_OF_FLOATS(rndu)
CM_DETAIL_OF_FLOATS(rnde)
CM_DETAIL_OF_FLOATS(rndz)
#undef CM_DETAIL_OF_FLOATS

/* A type that holds every sum and product of elements of A and B, so that saturation sees no wrap. 64-bit operands
 * wrap. */
template <typename A, typename B>
using exact = conditional<
    __is_floating_point(common<A, B>), common<A, B>,
    conditional<(sizeof(A) > 2 || sizeof(B) > 2), conditional<(sizeof(common<A, B>) > 4), common<A, B>, int64_t>,
                conditional<__is_signed(A) || __is_signed(B), int, uint>>>;

/* Operands are of type U first, as C++ has it, unless that is the narrower one. */
template <typename W, typename U, int N, typename X> CM_DETAIL_INLINE auto exact_lanes_of(const X &x)
{
    if constexpr (sizeof(W) <= sizeof(U))
        return lanes_of<W, N>(x);
    else
        return convert<W, U, N>(lanes_of<U, N>(x));
}

} // namespace cm_detail

/* sum and product: converted to the result type without wrapping in between; CLAMPED: for quadwords with SAT */
#define CM_DETAIL_EXACT(NAME, VALUE, CLAMPED)                                                                          \
    template <typename T = void, typename A, typename B, typename F = cm_detail::no_saturation,                        \
              typename = cm_detail::if_values<A, B>>                                                                   \
    CM_DETAIL_INLINE auto NAME(const A &left, const B &right, F flag = F())                                            \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef common<element<A>, element<B>> U;                                                                      \
        typedef or_natural<T, U> R;                                                                                    \
        constexpr int N = lane_count<A, B>;                                                                            \
        if constexpr (__is_same(F, no_saturation) && sizeof(R) <= sizeof(U)) {                                         \
            lanes<U, N> a = lanes_of<U, N>(left), b = lanes_of<U, N>(right);                                           \
            return give<R, A, B>(convert<R, U, N>(VALUE));                                                             \
        } else {                                                                                                       \
            typedef exact<element<A>, element<B>> W;                                                                   \
            lanes<W, N> a = exact_lanes_of<W, U, N>(left), b = exact_lanes_of<W, U, N>(right);                         \
            if constexpr (__is_same(F, saturation) && __is_integral(U) && sizeof(U) == 8)                              \
                return give<R, A, B>(saturate<R, W, N>(CLAMPED));                                                      \
            else                                                                                                       \
                return give<R, A, B>(finish<R, W, N>(VALUE, flag));                                                    \
        }                                                                                                              \
    }
/* cm_add<T>(a, b[, SAT]), cm_mul<T>(a, b[, SAT]): sum and product of any element type, computed without wrap, then
 * converted (with SAT: clamped) to T; T is the type of a + b unless given. 64-bit products wrap. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_EXACT(cm_add, a + b, __builtin_elementwise_add_sat(a, b))
CM_DETAIL_EXACT(cm_mul, a *b, a *b)
#undef CM_DETAIL_EXACT

/* minimum and maximum: compared in the type of `c ? a : b` */
#define CM_DETAIL_CHOICE(NAME, FUNCTION)                                                                               \
    template <typename T = void, typename A, typename B, typename F = cm_detail::no_saturation,                        \
              typename = cm_detail::if_values<A, B>>                                                                   \
    CM_DETAIL_INLINE auto NAME(const A &left, const B &right, F flag = F())                                            \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef chosen<element<A>, element<B>> U;                                                                      \
        constexpr int N = lane_count<A, B>;                                                                            \
        lanes<U, N> value = FUNCTION<U, N>(lanes_of<U, N>(left), lanes_of<U, N>(right));                               \
        return give<or_natural<T, U>, A, B>(finish<or_natural<T, U>, U, N>(value, flag));                              \
    }
/* cm_min<T>(a, b[, SAT]), cm_max<T>(a, b[, SAT]): the lesser and the greater of any element type, compared in the type
 * of `c ? a : b`, then converted or clamped to T (that type unless given). All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_CHOICE(cm_min, least)
CM_DETAIL_CHOICE(cm_max, greatest)
#undef CM_DETAIL_CHOICE

/* one operand, result of the operand's type unless T says otherwise */
#define CM_DETAIL_UNARY(NAME, OPERAND, VALUE)                                                                          \
    template <typename T = void, typename A, typename F = cm_detail::no_saturation,                                    \
              typename = cm_detail::if_values<A>>                                                                      \
    CM_DETAIL_INLINE auto NAME(const A &operand, F flag = F())                                                         \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef OPERAND U;                                                                                             \
        CM_DETAIL_FLOAT(U, #NAME);                                                                                     \
        constexpr int N = lane_count<A>;                                                                               \
        lanes<U, N> x = lanes_of<U, N>(operand);                                                                       \
        return give<or_natural<T, U>, A>(finish<or_natural<T, U>, U, N>(VALUE, flag));                                 \
    }
#define CM_DETAIL_FLOAT(U, NAME) static_assert(__is_same(U, float) || __is_same(U, half), NAME " takes float or half")

/* cm_abs<T>(x[, SAT]): the absolute value of any element type, as T (x's type unless given). The most negative integer
 * is unchanged without SAT. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_abs(const A &operand, F flag = F())
{
    using namespace cm_detail;
    typedef element<A> U;
    typedef or_natural<T, U> R;
    constexpr int N = lane_count<A>;
    lanes<U, N> x = magnitude<U, N>(lanes_of<U, N>(operand));
    if constexpr (__is_integral(U) && __is_signed(U) && !__is_same(F, no_saturation)) {
        typedef __make_unsigned(U) P; /* which has the magnitude of the most negative one too */
        lanes<R, N> clamped = saturate<R, P, N>(convert<P, U, N>(x));
        if constexpr (__is_same(F, saturation))
            return give<R, A>(clamped);
        else
            return give<R, A>(flag ? clamped : convert<R, U, N>(x));
    } else {
        return give<R, A>(finish<R, U, N>(x, flag));
    }
}
/* cm_inv(x[, SAT]) 1 / x, cm_log(x[, SAT]) base-2 logarithm, cm_exp(x[, SAT]) base-2 exponential, cm_sqrt(x[, SAT])
 * square root, cm_sin(x[, SAT]) and cm_cos(x[, SAT]) of radians, cm_frc(x[, SAT])
 * fraction x - floor(x): of float or half, as exact as the hardware's approximations (the C library's on the CPU
 * target). SAT clamps to [0,1]. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_UNARY(cm_inv, element<A>, (__cm_inv<U, N>(x)))
CM_DETAIL_UNARY(cm_log, element<A>, (__cm_log<U, N>(x)))
CM_DETAIL_UNARY(cm_exp, element<A>, (__cm_exp<U, N>(x)))
CM_DETAIL_UNARY(cm_sqrt, element<A>, (__cm_sqrt<U, N>(x)))
CM_DETAIL_UNARY(cm_sin, element<A>, (__cm_sin<U, N>(x)))
CM_DETAIL_UNARY(cm_cos, element<A>, (__cm_cos<U, N>(x)))
CM_DETAIL_UNARY(cm_frc, element<A>, (frc_of<U, N>(x)))
/* cm_rndd<T>(x[, SAT]) the next integer below, cm_rndu<T>(x[, SAT]) above, cm_rnde<T>(x[, SAT]) the nearest (halves
 * to even), cm_rndz<T>(x[, SAT]) towards zero: of float or half, and of any scalar as a float, as T (x's type unless
 * given). All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_UNARY(cm_rndd, rounded<A>, (rndd_of<U, N>(x)))
CM_DETAIL_UNARY(cm_rndu, rounded<A>, (rndu_of<U, N>(x)))
CM_DETAIL_UNARY(cm_rnde, rounded<A>, (rnde_of<U, N>(x)))
CM_DETAIL_UNARY(cm_rndz, rounded<A>, (rndz_of<U, N>(x)))
#undef CM_DETAIL_UNARY

/* cm_pow(x, y[, SAT]): x to the power of y, of float or half, as the hardware approximates it; x is not negative.
 * Either may be a single number of another type. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename A, typename B, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_pow(const A &base, const B &exponent, F flag = F())
{
    using namespace cm_detail;
    typedef float_operand<A, B> U;
    CM_DETAIL_FLOAT(U, "cm_pow");
    constexpr int N = lane_count<A, B>;
    return give<U, A, B>(finish<U, U, N>(__cm_pow<U, N>(lanes_of<U, N>(base), lanes_of<U, N>(exponent)), flag));
}

/* shifts; shr follows the sign of the left operand, lsr and asr force one */
#define CM_DETAIL_SHIFT(NAME, COMPUTE, VALUE)                                                                          \
    template <typename T = void, typename A, typename B, typename F = cm_detail::no_saturation,                        \
              typename = cm_detail::if_values<A, B>>                                                                   \
    CM_DETAIL_INLINE auto NAME(const A &left, const B &right, F flag = F())                                            \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(__is_integral(element<A>) && __is_integral(element<B>), #NAME " takes integers");                \
        typedef shifted<element<A>, element<B>> P;                                                                     \
        typedef COMPUTE(P) U;                                                                                          \
        typedef or_natural<T, element<A>> R;                                                                           \
        constexpr int N = lane_count<A, B>;                                                                            \
        lanes<U, N> a = convert<U, P, N>(lanes_of<P, N>(left)), b = lanes_of<U, N>(right);                             \
        return give<R, A, B>(finish<R, U, N>(VALUE, flag));                                                            \
    }
#define CM_DETAIL_AS_IS(P)    P
#define CM_DETAIL_SIGNED(P)   __make_signed(P)
#define CM_DETAIL_UNSIGNED(P) __make_unsigned(P)
/* cm_shl<T>(a, n[, SAT]), cm_lsr<T>(a, n[, SAT]), cm_asr<T>(a, n[, SAT]): integers a shifted n bits left, right with
 * zeros, right with its sign, in the type that C++ promotes a to (of that sign), then converted or clamped to T (a's
 * type unless given). n is less than the bits of the promoted type. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_SHIFT(cm_shl, CM_DETAIL_AS_IS, a << b)
CM_DETAIL_SHIFT(cm_lsr, CM_DETAIL_UNSIGNED, a >> b)
CM_DETAIL_SHIFT(cm_asr, CM_DETAIL_SIGNED, a >> b)
#undef CM_DETAIL_SHIFT
#undef CM_DETAIL_AS_IS
#undef CM_DETAIL_SIGNED
#undef CM_DETAIL_UNSIGNED

/* cm_shr<T>(a, n[, SAT]): what a >> n of integers, n bits to the right, puts into a's own type, then converted or
 * clamped to T. n is less than the bits of the promoted type. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename A, typename B, typename F = cm_detail::no_saturation,
          typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_shr(const A &left, const B &right, F flag = F())
{
    using namespace cm_detail;
    typedef element<A> S;
    typedef or_natural<T, S> R;
    static_assert(__is_integral(S) && __is_integral(element<B>), "cm_shr takes integers");
    typedef shifted<element<A>, element<B>> U;
    constexpr int N = lane_count<A, B>;
    lanes<U, N> value = lanes_of<U, N>(left) >> lanes_of<U, N>(right);
    return give<R, A, B>(finish<R, S, N>(convert<S, U, N>(value), flag));
}

namespace cm_detail
{

template <typename T, int N> CM_DETAIL_INLINE lanes<uint, N> leading_zeros(lanes<T, N> x)
{
    if constexpr (sizeof(T) == 8) {
        lanes<uint64_t, N> all = convert<uint64_t, T, N>(x);
        lanes<uint, N> high = __cm_lzd<uint, N>(convert<uint, uint64_t, N>(all >> (uint64_t)32));
        lanes<uint, N> low = __cm_lzd<uint, N>(convert<uint, uint64_t, N>(all)), none = 0u;
        return high + __cm_merge<uint, N>(low, none, __builtin_convertvector(high == 32u, lanes<ushort, N>));
    } else {
        return __cm_lzd<uint, N>(convert<uint, T, N>(x));
    }
}

} // namespace cm_detail

#define CM_DETAIL_COUNT(NAME, RESULT, VALUE)                                                                           \
    template <typename T = void, typename A, typename = cm_detail::if_values<A>>                                       \
    CM_DETAIL_INLINE auto NAME(const A &operand, int = 0)                                                              \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(__is_integral(element<A>), #NAME " takes integers");                                             \
        typedef element<A> U;                                                                                          \
        constexpr int N = lane_count<A>;                                                                               \
        lanes<U, N> x = lanes_of<U, N>(operand);                                                                       \
        return give<RESULT, A>(convert<RESULT, uint, N>(VALUE));                                                       \
    }
/* cm_cbit(x): the number of set bits, of any integer, as uint. cm_fbl(x): the number of the lowest set bit of uint, all
 * ones for 0, as uint. Both take a template argument that says nothing. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_COUNT(cm_cbit, uint, (__cm_cbit<U, N>(x)))
CM_DETAIL_COUNT(cm_fbl, uint, (__cm_fbl<uint, N>(convert<uint, U, N>(x))))
/* cm_lzd<T>(x): the number of leading zeros of the 32 bits of x, 32 for 0; of 64-bit integers those of 64.
 * cm_bf_reverse<T>(x): the 32 bits of x in reverse order. The result is uint unless T is given. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_COUNT(cm_lzd, uint_or<T>, (leading_zeros<U, N>(x)))
CM_DETAIL_COUNT(cm_bf_reverse, uint_or<T>, (__cm_bfrev<uint, N>(convert<uint, U, N>(x))))
#undef CM_DETAIL_COUNT

/* cm_fbh(x): the place, counted from bit 31 down, of the first bit that is not as the sign (unsigned: that is set); all
 * ones where there is none, as in 0 and -1. 32-bit integers; the result is int for signed x (-1: none), uint for
 * unsigned. It takes a template argument that says nothing. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename A, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_fbh(const A &operand, int = 0)
{
    using namespace cm_detail;
    static_assert(__is_integral(element<A>), "cm_fbh takes integers");
    constexpr int N = lane_count<A>;
    if constexpr (__is_signed(element<A>))
        return give<int, A>(convert<int, uint, N>(__cm_fbh<int, N>(lanes_of<int, N>(operand))));
    else
        return give<uint, A>(__cm_ufbh<uint, N>(lanes_of<uint, N>(operand)));
}

#undef CM_DETAIL_FLOAT
#endif
