/* Dot products, linear functions and sums of absolute differences. Inside SIMD control flow, active lanes of
 * a result are written, from all lanes of its group. SKL has instructions for them, whose results are rounded once;
 * other platforms compute them by multiplications and additions and round after each. */
#ifndef CMKIT_CM_DETAIL_MATH_LINEAR_H
#define CMKIT_CM_DETAIL_MATH_LINEAR_H

namespace cm_detail
{

/* Lane Which of each group of four, in all four lanes. */
template <int Which, typename T, int N> CM_DETAIL_INLINE lanes<T, N> of_four(lanes<T, N> x)
{
    return __lanes_pick<T, N, N, Which, 4, 4, 0>(x);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> dot2(lanes<T, N> a, lanes<T, N> b)
{
    if (__cm_has(has_linear))
        return __cm_dp2<T, N>(a, b);
    lanes<T, N> p = a * b;
    return of_four<0, T, N>(p) + of_four<1, T, N>(p);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> dot3(lanes<T, N> a, lanes<T, N> b)
{
    if (__cm_has(has_linear))
        return __cm_dp3<T, N>(a, b);
    return dot2<T, N>(a, b) + of_four<2, T, N>(a * b);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> dot4(lanes<T, N> a, lanes<T, N> b)
{
    if (__cm_has(has_linear))
        return __cm_dp4<T, N>(a, b);
    return dot3<T, N>(a, b) + of_four<3, T, N>(a * b);
}
template <typename T, int N> CM_DETAIL_INLINE lanes<T, N> doth(lanes<T, N> a, lanes<T, N> b)
{
    if (__cm_has(has_linear))
        return __cm_dph<T, N>(a, b);
    return dot3<T, N>(a, b) + of_four<3, T, N>(b);
}

/* c(0) * x + c(3) */
template <int N> CM_DETAIL_INLINE lanes<float, N> line(lanes<float, 4> c, lanes<float, N> x)
{
    if constexpr (N % 8 == 0) { /* the fewest lanes that the instruction takes */
        if (__cm_has(has_linear))
            return __cm_line<float, N>(c, x);
    }
    return (lanes<float, N>)c[0] * x + (lanes<float, N>)c[3];
}
/* Eight lanes of x, then eight of y, and so on. */
template <int N, int... I>
CM_DETAIL_INLINE lanes<float, 2 * N> in_turns(lanes<float, N> x, lanes<float, N> y, sequence<I...>)
{
    return __builtin_shufflevector(x, y, (I / 16 * 8 + I % 8 + I % 16 / 8 * N)...);
}
/* Of such lanes those of x (Which is 0) or of y (1). */
template <int N, int Which, int... I> CM_DETAIL_INLINE lanes<float, N> of_turns(lanes<float, 2 * N> xy, sequence<I...>)
{
    return __builtin_shufflevector(xy, xy, (I / 8 * 16 + Which * 8 + I % 8)...);
}
/* c(0) * x + c(1) * y + c(3) */
template <int N> CM_DETAIL_INLINE lanes<float, N> plane(lanes<float, 4> c, lanes<float, 2 * N> xy)
{
    if (__cm_has(has_linear))
        return __cm_pln<float, N, 2 * N>(c, xy);
    return (lanes<float, N>)c[0] * of_turns<N, 0>(xy, count_to<N>()) +
           (lanes<float, N>)c[1] * of_turns<N, 1>(xy, count_to<N>()) + (lanes<float, N>)c[3];
}
template <int N>
CM_DETAIL_INLINE lanes<float, N> interpolated(lanes<float, N> weight, lanes<float, N> a, lanes<float, N> b)
{
    if (__cm_has(has_linear))
        return __cm_lrp<float, N>(weight, a, b);
    return a * weight + b * ((lanes<float, N>)1.0f - weight);
}

template <typename... X> constexpr bool are_floats = (__is_same(element<X>, float) && ...);

} // namespace cm_detail

#define CM_DETAIL_DOT(NAME, FUNCTION)                                                                                  \
    template <typename T = float, typename A, typename B, typename F = cm_detail::no_saturation,                       \
              typename = cm_detail::if_values<A, B>>                                                                   \
    CM_DETAIL_INLINE auto NAME(const A &a, const B &b, F flag = F())                                                   \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        constexpr int N = lane_count<A, B>;                                                                            \
        static_assert(are_floats<A, B>, #NAME " takes float");                                                         \
        static_assert(N % 4 == 0, #NAME " takes a multiple of 4 elements");                                            \
        if constexpr (N % 4 == 0)                                                                                      \
            return give<T, A, B>(                                                                                      \
                finish<T, float, N>(FUNCTION<float, N>(lanes_of<float, N>(a), lanes_of<float, N>(b)), flag));          \
        else                                                                                                           \
            return vector<T, N>();                                                                                     \
    }
/* cm_dp2<T>(a, b[, SAT]), cm_dp3<T>(a, b[, SAT]), cm_dp4<T>(a, b[, SAT]), cm_dph<T>(a, b[, SAT]): for each four lanes
 * the dot product of their first two, three or four elements, in all four lanes of the result; dph takes 1 in place
 * of a's fourth element. float; a multiple of four lanes; b may be a scalar. T is float unless given. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_DOT(cm_dp2, dot2)
CM_DETAIL_DOT(cm_dp3, dot3)
CM_DETAIL_DOT(cm_dp4, dot4)
CM_DETAIL_DOT(cm_dph, doth)
#undef CM_DETAIL_DOT

/* cm_line<T>(p, x[, SAT]), cm_line<T>(a, b, x[, SAT]): p(0) * x + p(3), or a * x + b, for each lane of x. p: four
 * floats; a, b: scalars; x: float, a multiple of four lanes. T is float unless given. All platforms. Source: CM
 * specification 4.3 "Built-in Functions". */
template <typename T = float, typename P, typename A, typename F = cm_detail::no_saturation,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(P) && CM_DETAIL_IS_OPERAND(A)>>
CM_DETAIL_INLINE auto cm_line(const P &p, const A &x, F flag = F())
{
    using namespace cm_detail;
    constexpr int N = lane_count<A>;
    static_assert(are_floats<P, A>, "cm_line takes float");
    static_assert(facts<P>::count == 4 && N % 4 == 0, "cm_line takes 4 coefficients and a multiple of 4 elements");
    return give<T, A>(finish<T, float, N>(line<N>(lanes_of<float, 4>(p), lanes_of<float, N>(x)), flag));
}
/* cm_line<T>(a, b, x[, SAT]): a * x + b for each lane of x; a and b are scalars. */
template <typename T = float, typename P, typename Q, typename A, typename F = cm_detail::no_saturation,
          typename = cm_detail::enable_if<CM_DETAIL_IS_SCALAR(P) && CM_DETAIL_IS_SCALAR(Q) && CM_DETAIL_IS_OPERAND(A)>>
CM_DETAIL_INLINE auto cm_line(P a, Q b, const A &x, F flag = F())
{
    vector<float, 4> p = a;
    p(3) = b;
    return cm_line<T>(p, x, flag);
}

/* cm_pln(p, x, y[, SAT]), cm_pln(p, xy): p(0) * x + p(1) * y + p(3) for each lane of x and y. p: four floats; x, y:
 * float, a multiple of eight lanes; xy: eight lanes of x, eight of y, and so on. All platforms.
 * Source: CM specification 4.3 "Built-in Functions"; vISA documentation, PLN (cm_pln of p and xy). */
template <typename P, typename A, typename B, typename F = cm_detail::no_saturation,
          typename = cm_detail::if_values<P, A, B>>
CM_DETAIL_INLINE auto cm_pln(const P &p, const A &x, const B &y, F flag = F())
{
    using namespace cm_detail;
    constexpr int N = lane_count<A, B>;
    static_assert(are_floats<P, A, B>, "cm_pln takes float");
    static_assert(facts<P>::count == 4 && N % 8 == 0, "cm_pln takes 4 coefficients and a multiple of 8 elements");
    if constexpr (N % 8 == 0)
        return give<float, A, B>(finish<float, float, N>(
            plane<N>(lanes_of<float, 4>(p),
                     in_turns<N>(lanes_of<float, N>(x), lanes_of<float, N>(y), count_to<2 * N>())),
            flag));
    else
        return vector<float, N>();
}
/* cm_pln(p, xy): p(0) * x + p(1) * y + p(3); xy has eight lanes of x, eight of y, and so on. */
template <typename P, typename A, typename = cm_detail::if_values<P, A>>
CM_DETAIL_INLINE auto cm_pln(const P &p, const A &xy)
{
    using namespace cm_detail;
    constexpr int N = facts<A>::count / 2;
    static_assert(are_floats<P, A>, "cm_pln takes float");
    static_assert(facts<P>::count == 4 && facts<A>::count % 16 == 0,
                  "cm_pln takes 4 coefficients and a multiple of 16 elements, eight of x and eight of y in turn");
    if constexpr (facts<A>::count % 16 == 0)
        return vector<float, N>(from_lanes(), plane<N>(lanes_of<float, 4>(p), lanes_of<float, 2 * N>(xy)));
    else
        return vector<float, N>();
}

/* cm_lrp(w, a, b[, SAT]): a * w + b * (1 - w), lane by lane. float, a multiple of four lanes. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename W, typename A, typename B, typename F = cm_detail::no_saturation,
          typename = cm_detail::if_values<W, A, B>>
CM_DETAIL_INLINE auto cm_lrp(const W &weight, const A &a, const B &b, F flag = F())
{
    using namespace cm_detail;
    constexpr int N = lane_count<W, A, B>;
    static_assert(are_floats<W, A, B>, "cm_lrp takes float");
    static_assert(N % 4 == 0, "cm_lrp takes a multiple of 4 elements");
    return give<float, W, A, B>(finish<float, float, N>(
        interpolated<N>(lanes_of<float, N>(weight), lanes_of<float, N>(a), lanes_of<float, N>(b)), flag));
}

namespace cm_detail
{

/* The byte type of an integer type's sign, the word type. */
template <typename T> using byte_of = conditional<__is_signed(T), char, uchar>;
template <typename T> using word_of = conditional<__is_signed(T), short, ushort>;

/* |a - b| of each pair of lanes, of bytes E, summed into the first of the two; the second is 0. */
template <typename E, typename A, typename B, int N> CM_DETAIL_INLINE auto pair_differences(const A &a, const B &b)
{
    static_assert(are_integers<A, B>, "sums of absolute differences are of integers, which become bytes");
    static_assert(N % 2 == 0, "sums of absolute differences take an even number of elements");
    lanes<int, N> first = convert<int, ushort, N>(__lanes_pattern<N, 0, 2, 1>());
    lanes<E, N> x = lanes_of<E, N>(a), y = lanes_of<E, N>(b);
    if constexpr (N % 2 == 0) {
        if (__cm_has(has_linear)) {
            typedef word_of<E> W;
            lanes<W, N> sums;
            if constexpr (__is_signed(E))
                sums = __cm_ssad2<W, E, N>(x, y);
            else
                sums = __cm_usad2<W, E, N>(x, y);
            return convert<int, W, N>(sums) & (first - 1);
        }
    }
    lanes<int, N> each = __cm_sabs<int, N>(convert<int, E, N>(x) - convert<int, E, N>(y));
    lanes<int, N> both = __lanes_pick<int, N, N, 0, 2, 2, 0>(each) + __lanes_pick<int, N, N, 1, 2, 2, 0>(each);
    return both & (first - 1);
}

} // namespace cm_detail

/* cm_sad2<T>(a, b[, SAT]): |a - b| of each two neighbouring bytes, summed into the first lane of the two; the second is
 * 0. Integers become char or uchar, as the sign of the first vector or matrix says; one may be a scalar. T is short or
 * ushort unless given; the sums always fit. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename A, typename B, typename F = int, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_sad2(const A &a, const B &b, F = F())
{
    using namespace cm_detail;
    typedef element<first_operand<A, B>> E;
    typedef or_natural<T, word_of<E>> R;
    constexpr int N = lane_count<A, B>;
    return give<R, A, B>(convert<R, int, N>(pair_differences<byte_of<E>, A, B, N>(a, b)));
}

/* cm_sada2<T>(a, b, sum[, SAT]): cm_sad2 of bytes plus the lanes of `sum`, as short or ushort, as many as a has, or a
 * scalar; the first of each two counts, the second is passed on. T is the element type of `sum` unless given. All
 * platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename T = void, typename A, typename B, typename C, typename F = cm_detail::no_saturation,
          typename = cm_detail::if_values<A, B, C>>
CM_DETAIL_INLINE auto cm_sada2(const A &a, const B &b, const C &sum, F flag = F())
{
    using namespace cm_detail;
    typedef element<first_operand<A, B>> E;
    typedef or_natural<T, element<C>> R;
    constexpr int N = lane_count<A, B, C>;
    static_assert(__is_integral(element<C>) && __is_integral(R), "cm_sada2 adds integers");
    typedef word_of<R> W;
    lanes<int, N> added = convert<int, W, N>(lanes_of<W, N>(sum));
    return give<R, A, B, C>(finish<R, int, N>(pair_differences<byte_of<E>, A, B, N>(a, b) + added, flag));
}

#endif
