/* Integer intrinsics: averages, carries, wide products, division, rotations, bit fields. Operands are vectors,
 * matrices, references and scalars; matrices count in row-major order and give vectors. */
#ifndef CMKIT_CM_DETAIL_MATH_INTEGER_H
#define CMKIT_CM_DETAIL_MATH_INTEGER_H

namespace cm_detail
{

/* The type of a result that an intrinsic returns through a reference parameter: a vector, matrix, reference to them or
 * scalar. */
template <typename T, int N, typename X> CM_DETAIL_INLINE auto put(X &&to, lanes<T, N> value)
{
    typedef bare<X> D;
    if constexpr (CM_DETAIL_IS_OPERAND(D)) {
        static_assert(facts<D>::count == N, "the second result must have as many elements as the first");
        to.write_(convert<element<D>, T, N>(value));
    } else {
        static_assert(N == 1, "the second result must have as many elements as the first");
        to = (D)value[0];
    }
}

template <typename A, typename B> constexpr bool are_integers = __is_integral(element<A>) && __is_integral(element<B>);
/* Numbers whose sums carry: vectors and matrices of uint or 64-bit unsigned integers; scalars become that. */
template <typename A> constexpr bool is_carried = __is_unsigned(element<A>) && sizeof(element<A>) >= 4;
template <typename A, typename B>
constexpr bool carries =
    are_integers<A, B> && (!CM_DETAIL_IS_OPERAND(A) || is_carried<A>) && (!CM_DETAIL_IS_OPERAND(B) || is_carried<B>) &&
    (!CM_DETAIL_IS_OPERAND(A) || !CM_DETAIL_IS_OPERAND(B) || __is_same(element<A>, element<B>));
template <typename A, typename B>
using carried = conditional<CM_DETAIL_IS_OPERAND(A) || CM_DETAIL_IS_OPERAND(B), element<first_operand<A, B>>,
                            conditional<(sizeof(A) > 4 || sizeof(B) > 4), uint64_t, uint>>;
template <typename A> constexpr bool is_dword = __is_integral(element<A>) && sizeof(element<A>) <= 4;

/* The words and dwords that instructions rotate. */
template <typename A>
constexpr bool is_rotated = __is_integral(element<A>) && (sizeof(element<A>) == 2 || sizeof(element<A>) == 4);

} // namespace cm_detail

/* cm_avg<T>(a, b[, SAT]): (a + b + 1) >> 1 of integers of up to 32 bits, computed without overflow in the type of a +
 * b, then converted (or clamped) to T; T is that type unless given. Halves round up. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename A, typename B, typename F = cm_detail::no_saturation,
          typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_avg(const A &a, const B &b, F flag = F())
{
    using namespace cm_detail;
    static_assert(is_dword<A> && is_dword<B>, "cm_avg takes integers of at most 32 bits");
    typedef common<element<A>, element<B>> U;
    typedef or_natural<T, U> R;
    constexpr int N = lane_count<A, B>;
    lanes<U, N> x = lanes_of<U, N>(a), y = lanes_of<U, N>(b);
    if constexpr (__is_signed(U))
        return give<R, A, B>(finish<R, U, N>(__cm_savg<U, N>(x, y), flag));
    else
        return give<R, A, B>(finish<R, U, N>(__cm_uavg<U, N>(x, y), flag));
}

/* cm_addc(a, b, carry): a + b of uint or 64-bit unsigned integers, of the shape of the first vector or matrix; one may
 * be any integer; carry (of the same type, as many elements) becomes 1 where the sum does not fit, else 0. All
 * platforms. Source: CM specification 4.3 "Built-in Functions". */
template <typename A, typename B, typename C, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_addc(const A &a, const B &b, C &&carry)
{
    using namespace cm_detail;
    static_assert(carries<A, B>, "cm_addc takes uint, or 64-bit unsigned integers");
    typedef carried<A, B> U;
    constexpr int N = lane_count<A, B>;
    lanes<U, N> x = lanes_of<U, N>(a), sum = x + lanes_of<U, N>(b);
    put<U, N>(carry, __builtin_convertvector(sum < x, lanes<U, N>) & (U)1);
    return give_shaped<U, first_operand<A, B>, A, B>(sum);
}

/* cm_subb(a, b, borrow): a - b of uint or 64-bit unsigned integers, of the shape of the first vector or matrix; one may
 * be any integer; borrow (of the same type, as many elements) becomes 1 where b is greater, else 0. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename A, typename B, typename C, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_subb(const A &a, const B &b, C &&borrow)
{
    using namespace cm_detail;
    static_assert(carries<A, B>, "cm_subb takes uint, or 64-bit unsigned integers");
    typedef carried<A, B> U;
    constexpr int N = lane_count<A, B>;
    lanes<U, N> x = lanes_of<U, N>(a), y = lanes_of<U, N>(b);
    put<U, N>(borrow, __builtin_convertvector(x < y, lanes<U, N>) & (U)1);
    return give_shaped<U, first_operand<A, B>, A, B>(x - y);
}

/* cm_imul<T>(low, a, b): the 64-bit product of dwords: returns the upper 32 bits, `low` receives the lower ones. Signed
 * where C++ multiplies the operands signed. T is the element type of `low` unless given. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename L, typename A, typename B, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_imul(L &&low, const A &a, const B &b)
{
    using namespace cm_detail;
    static_assert(is_dword<A> && is_dword<B>, "cm_imul takes integers of at most 32 bits");
    typedef common<element<A>, element<B>> U;
    constexpr int N = lane_count<A, B>;
    lanes<U, N> x = lanes_of<U, N>(a), y = lanes_of<U, N>(b), high;
    if constexpr (__is_signed(U))
        high = __cm_smulh<U, N>(x, y);
    else
        high = __cm_umulh<U, N>(x, y);
    put<U, N>(low, x * y);
    typedef or_natural<T, conditional<is_dword<bare<L>>, element<bare<L>>, U>> R;
    return give<R, A, B>(convert<R, U, N>(high));
}

/* cm_imad(low, a, b, c): the 64-bit sum a * b + c of integers of up to 32 bits: returns the upper 32 bits, `low`
 * receives the lower ones. Signed where C++ computes it signed. All platforms.
 * Source: Intel's cm/cm.h. */
template <typename L, typename A, typename B, typename C, typename = cm_detail::if_values<A, B, C>>
CM_DETAIL_INLINE auto cm_imad(L &&low, const A &a, const B &b, const C &c)
{
    using namespace cm_detail;
    static_assert(is_dword<A> && is_dword<B> && is_dword<C>, "cm_imad takes integers of at most 32 bits");
    typedef common<common<element<A>, element<B>>, element<C>> U;
    constexpr int N = lane_count<A, B, C>;
    lanes<U, N> x = lanes_of<U, N>(a), y = lanes_of<U, N>(b), z = lanes_of<U, N>(c), high;
    if constexpr (__is_signed(U))
        high = __cm_smulh<U, N>(x, y) + (z >> 31);
    else
        high = __cm_umulh<U, N>(x, y);
    lanes<uint, N> product = convert<uint, U, N>(x * y), sum = product + convert<uint, U, N>(z);
    put<U, N>(low, convert<U, uint, N>(sum));
    return give<U, A, B, C>(high + convert<U, uint, N>(__builtin_convertvector(sum < product, lanes<uint, N>) & 1u));
}

#define CM_DETAIL_DIVISION(NAME, OPERATOR)                                                                             \
    template <typename T = void, typename A, typename B, typename = cm_detail::if_values<A, B>>                        \
    CM_DETAIL_INLINE auto NAME(const A &a, const B &b, int = 0)                                                        \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(are_integers<A, B>, #NAME " takes integers");                                                    \
        typedef common<element<A>, element<B>> U;                                                                      \
        constexpr int N = lane_count<A, B>;                                                                            \
        typedef or_natural<T, element<first_operand<A, B>>> R;                                                         \
        lanes<U, N> value = lanes_of<U, N>(a) OPERATOR lanes_of<U, N>(b);                                              \
        return give<R, A, B>(convert<R, U, N>(value));                                                                 \
    }
/* cm_quot<T>(a, b), cm_mod<T>(a, b): quotient (rounded to zero) and remainder of integers, as `/` and `%` compute them;
 * cm_div<T>(remainder, a, b) gives both, the remainder in the place of its first operand. T is the element type
 * of the first vector or matrix, or of a, unless given. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_DIVISION(cm_quot, /)
CM_DETAIL_DIVISION(cm_mod, %)
#undef CM_DETAIL_DIVISION

/* cm_div<T>(remainder, a, b): the quotient; the remainder goes to the first operand. */
template <typename T = void, typename Q, typename A, typename B, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_div(Q &&remainder, const A &a, const B &b, int = 0)
{
    using namespace cm_detail;
    typedef common<element<A>, element<B>> U;
    constexpr int N = lane_count<A, B>;
    put<U, N>(remainder, lanes_of<U, N>(a) % lanes_of<U, N>(b));
    return cm_quot<T>(a, b);
}

#define CM_DETAIL_ROTATION(NAME, BUILTIN, AHEAD, BACK)                                                                 \
    template <typename T = void, typename A, typename B, typename = cm_detail::if_values<A, B>>                        \
    CM_DETAIL_INLINE auto NAME(const A &a, const B &n)                                                                 \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef or_natural<T, element<A>> R;                                                                           \
        constexpr int N = lane_count<A, B>;                                                                            \
        if constexpr (__is_integral(element<A>) && sizeof(element<A>) == 8) {                                          \
            lanes<uint64_t, N> x = lanes_of<uint64_t, N>(a), places = lanes_of<uint64_t, N>(n) & (uint64_t)63;         \
            lanes<uint64_t, N> rest = (64 - places) & (uint64_t)63;                                                    \
            return give<R, A, B>(convert<R, uint64_t, N>(x AHEAD places | x BACK rest));                               \
        } else {                                                                                                       \
            static_assert(is_rotated<A>, #NAME " takes 16, 32 and 64-bit integers");                                   \
            typedef conditional<sizeof(element<A>) == 2, ushort, uint> U;                                              \
            return give<R, A, B>(convert<R, U, N>(BUILTIN<U, N>(lanes_of<U, N>(a), lanes_of<U, N>(n))));               \
        }                                                                                                              \
    }
/* cm_rol<T>(a, n), cm_ror<T>(a, n): the bits of a rotated n places to the left or right; n counts modulo the width. T
 * is a's type unless given. 64-bit integers are rotated by shifts, on every platform; 16 and 32-bit ones by
 * instructions. From ICLLP on. Source: Intel's cm/cm.h. */
CM_DETAIL_ROTATION(cm_rol, __cm_rol, <<, >>)
CM_DETAIL_ROTATION(cm_ror, __cm_ror, >>, <<)
#undef CM_DETAIL_ROTATION

/* cm_bf_insert<T>(width, offset, field, base): base with its `width` bits from bit `offset` on replaced by the lowest
 * bits of field. Widths and offsets are numbers 0 to 31. Integers of up to 32 bits. T is base's type unless given. All
 * platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename W, typename O, typename X, typename Y,
          typename = cm_detail::if_values<W, O, X, Y>>
CM_DETAIL_INLINE auto cm_bf_insert(const W &width, const O &offset, const X &field, const Y &base)
{
    using namespace cm_detail;
    static_assert(is_dword<X> && is_dword<Y>, "cm_bf_insert takes int and uint");
    typedef or_natural<T, element<Y>> R;
    constexpr int N = lane_count<W, O, X, Y>;
    auto value = __cm_bfi<uint, N>(lanes_of<uint, N>(width), lanes_of<uint, N>(offset), lanes_of<uint, N>(field),
                                   lanes_of<uint, N>(base));
    return give<R, W, O, X, Y>(convert<R, uint, N>(value));
}

/* cm_bf_extract<T>(width, offset, x): the `width` bits of x from bit `offset` on, extended by x's sign if x is signed.
 * Widths and offsets are numbers 0 to 31; a width of 0 gives 0. Integers of up to 32 bits. T is x's type unless given.
 * All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename W, typename O, typename X, typename = cm_detail::if_values<W, O, X>>
CM_DETAIL_INLINE auto cm_bf_extract(const W &width, const O &offset, const X &x)
{
    using namespace cm_detail;
    static_assert(is_dword<X>, "cm_bf_extract takes int and uint");
    typedef or_natural<T, element<X>> R;
    typedef conditional<__is_signed(element<X>), int, uint> U;
    constexpr int N = lane_count<W, O, X>;
    lanes<U, N> w = lanes_of<U, N>(width), o = lanes_of<U, N>(offset), v = lanes_of<U, N>(x);
    if constexpr (__is_signed(U))
        return give<R, W, O, X>(convert<R, U, N>(__cm_sbfe<U, N>(w, o, v)));
    else
        return give<R, W, O, X>(convert<R, U, N>(__cm_ubfe<U, N>(w, o, v)));
}

/* cm_dp4a<T>(sum, a, b[, SAT]): sum plus the dot product of the four bytes in each dword of a with those of b. The
 * bytes are signed where a and b are int, unsigned where they are uint. T is sum's type unless given. From TGLLP on.
 * Source: Intel's cm/cm.h. */
template <typename T = void, typename S, typename A, typename B, typename F = cm_detail::no_saturation,
          typename = cm_detail::if_values<S, A, B>>
CM_DETAIL_INLINE auto cm_dp4a(const S &sum, const A &a, const B &b, F flag = F())
{
    using namespace cm_detail;
    static_assert(sizeof(element<S>) == 4 && sizeof(element<A>) == 4 && sizeof(element<B>) == 4 && is_dword<S> &&
                      are_integers<A, B>,
                  "cm_dp4a takes int and uint");
    static_assert(__is_same(element<A>, element<B>), "cm_dp4a: the factors must both be int or both uint");
    typedef or_natural<T, element<S>> R;
    static_assert(sizeof(R) == 4 && __is_integral(R), "cm_dp4a gives int or uint");
    constexpr int N = lane_count<S, A, B>;
    typedef element<A> E;
    constexpr bool clamps = !__is_same(F, no_saturation);
    constexpr unsigned signs = __is_signed(E) * 3; /* of result and bytes */
    lanes<E, N> x = lanes_of<E, N>(a), y = lanes_of<E, N>(b);
    if constexpr (!clamps || (__is_same(F, saturation) && __is_same(R, E) && __is_same(element<S>, E))) {
        return give<R, S, A, B>(
            convert<R, E, N>(__cm_dp4a<E, N>(signs | clamps << 2, convert<E, R, N>(lanes_of<R, N>(sum)), x, y)));
    } else { /* signs differ: a dot product alone always fits */
        lanes<int64_t, N> total =
            convert<int64_t, E, N>(__cm_dp4a<E, N>(signs, (lanes<E, N>)(E)0, x, y)) + lanes_of<int64_t, N>(sum);
        return give<R, S, A, B>(finish<R, int64_t, N>(total, flag));
    }
}

/* cm_bfn<EXPRESSION>(x, y, z): computes each bit by a boolean expression of BFN_X, BFN_Y and BFN_Z, the operands' bits:
 * cm_bfn<~BFN_X & BFN_Y | BFN_Z>(a, b, c); such an expression is a BFNT. 16 and 32-bit integers of one type. From
 * XEHP_SDV on.
 * Source: CM specification 4.3 "Built-in Functions". */
enum class BFNT : unsigned char { X = 0xaa, Y = 0xcc, Z = 0xf0 };
constexpr BFNT BFN_X = BFNT::X, BFN_Y = BFNT::Y, BFN_Z = BFNT::Z;
constexpr BFNT operator~(BFNT x)
{
    return (BFNT)(uchar) ~(uchar)x;
}
constexpr BFNT operator&(BFNT x, BFNT y)
{
    return (BFNT)((uchar)x & (uchar)y);
}
constexpr BFNT operator|(BFNT x, BFNT y)
{
    return (BFNT)((uchar)x | (uchar)y);
}
constexpr BFNT operator^(BFNT x, BFNT y)
{
    return (BFNT)((uchar)x ^ (uchar)y);
}
/* cm_bfn<EXPRESSION>(x, y, z): each bit by a boolean expression of BFN_X, BFN_Y and BFN_Z. */
template <auto Table, typename A, typename B, typename C, typename = cm_detail::if_values<A, B, C>>
CM_DETAIL_INLINE auto cm_bfn(const A &x, const B &y, const C &z)
{
    using namespace cm_detail;
    typedef element<A> U;
    static_assert(is_rotated<A> && __is_same(U, element<B>) && __is_same(U, element<C>),
                  "cm_bfn takes 16 or 32-bit integers, all of one type");
    constexpr int N = lane_count<A, B, C>;
    return give<U, A, B, C>(
        __cm_bfn<U, N>((unsigned)Table & 0xff, lanes_of<U, N>(x), lanes_of<U, N>(y), lanes_of<U, N>(z)));
}

/* cm_f16tof32(x): the halves whose bits are the lower words of x, as float; cm_f32tof16(x): the bits of x as half. A
 * matrix gives a matrix. All platforms.
 * Source: Intel's cm/cm.h. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto cm_f16tof32(const A &x)
{
    using namespace cm_detail;
    static_assert(__is_integral(element<A>), "cm_f16tof32 takes integers");
    constexpr int N = lane_count<A>;
    lanes<ushort, N> bits = lanes_of<ushort, N>(x);
    return give_shaped<float, A>(convert<float, half, N>(__builtin_bit_cast(lanes<half, N>, bits)));
}
/* cm_f32tof16(x): the bits of floats as half, in ushort. */
template <typename A, typename = cm_detail::if_values<A>> CM_DETAIL_INLINE auto cm_f32tof16(const A &x)
{
    using namespace cm_detail;
    static_assert(__is_same(element<A>, float), "cm_f32tof16 takes float");
    constexpr int N = lane_count<A>;
    lanes<half, N> value = lanes_of<half, N>(x);
    return give_shaped<ushort, A>(__builtin_bit_cast(lanes<ushort, N>, value));
}

#endif
