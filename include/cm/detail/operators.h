/* Operators between vectors, matrices, references and scalars: lane by lane, in the type that C++ gives the two
 * elements. The result has the shape of the left operand, of the right one if the left is a scalar. */
#ifndef CMKIT_CM_DETAIL_OPERATORS_H
#define CMKIT_CM_DETAIL_OPERATORS_H

namespace cm_detail
{

template <typename T, int R, int C, bool Matrix> struct object_of {
    typedef matrix<T, R, C> type;
};
template <typename T, int R, int C> struct object_of<T, R, C, false> {
    typedef vector<T, C> type;
};

/* An object of T with X's shape. */
template <typename T, typename X>
using object_like = typename object_of<T, facts<X>::rows, facts<X>::columns, facts<X>::is_matrix>::type;

template <typename A, typename B> using shape_giver = conditional<is_operand<A>, A, B>;

template <typename A, typename B>
using if_operands = enable_if<(is_operand<A> && (is_operand<B> || is_scalar<B>)) || (is_operand<B> && is_scalar<A>)>;

/* A is the deduced type of the left operand: not constant. */
template <typename A, typename B>
using if_assignable =
    enable_if<is_operand<bare<A>> && !__is_const(__remove_reference_t(A)) && (is_operand<B> || is_scalar<B>)>;

template <typename A, typename B> using truth_type = ushort;

/* Whether two operands have as many elements, or one is a scalar. */
template <typename A, typename B>
constexpr bool agree = !is_operand<A> || !is_operand<B> || facts<A>::count == facts<B>::count;

/* Which operands an operator takes. */
template <typename A, typename B> constexpr bool numbers = true;
template <typename A, typename B> constexpr bool integers = !is_float<element<A>> && !is_float<element<B>>;

} // namespace cm_detail

/* U is the type to compute in, TYPE that of the result's elements. */
#define CM_DETAIL_OPERATOR(OP, TAKES, COMPUTE, TYPE, VALUE)                                                            \
    template <typename A, typename B, typename = cm_detail::if_operands<A, B>>                                         \
    CM_DETAIL_INLINE auto operator OP(const A &left, const B &right)                                                   \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(agree<A, B>,                                                                                     \
                      "{A} " #OP " {B}: {A.count} elements and {B.count}; both operands must have the same "           \
                      "number of elements, or one is a scalar");                                                       \
        static_assert(TAKES<A, B>, "{A} " #OP " {B}: this operator takes integers; "                                   \
                                   "cm_rndz<int> makes some of floats, format<int>() takes their bits");               \
        typedef COMPUTE<element<A>, element<B>> U;                                                                     \
        typedef TYPE<element<A>, element<B>> E;                                                                        \
        constexpr int N = facts<shape_giver<A, B>>::count;                                                             \
        lanes<U, N> a = lanes_of<U, N>(left), b = lanes_of<U, N>(right);                                               \
        return object_like<E, shape_giver<A, B>>(from_lanes(), VALUE);                                                 \
    }

CM_DETAIL_OPERATOR(+, numbers, common, common, a + b);
CM_DETAIL_OPERATOR(-, numbers, common, common, a - b);
CM_DETAIL_OPERATOR(*, numbers, common, common, a *b);
CM_DETAIL_OPERATOR(/, numbers, common, common, (divide<U, N>(a, b)));
CM_DETAIL_OPERATOR(%, integers, common_integer, common_integer, (remainder<U, N>(a, b)));
CM_DETAIL_OPERATOR(&, integers, common_integer, common_integer, a &b);
CM_DETAIL_OPERATOR(|, integers, common_integer, common_integer, a | b);
CM_DETAIL_OPERATOR(^, integers, common_integer, common_integer, a ^ b);
CM_DETAIL_OPERATOR(<<, integers, shifted, shifted, a << b);
CM_DETAIL_OPERATOR(>>, integers, shifted, shifted, a >> b);

/* Comparisons give 1 where they hold and 0 elsewhere. */
#define CM_DETAIL_COMPARISON(OP)                                                                                       \
    CM_DETAIL_OPERATOR(OP, numbers, common, truth_type, (__builtin_convertvector(a OP b, lanes<ushort, N>) & (ushort)1))
CM_DETAIL_COMPARISON(==);
CM_DETAIL_COMPARISON(!=);
CM_DETAIL_COMPARISON(<);
CM_DETAIL_COMPARISON(<=);
CM_DETAIL_COMPARISON(>);
CM_DETAIL_COMPARISON(>=);
#undef CM_DETAIL_COMPARISON
#undef CM_DETAIL_OPERATOR

/* `x op= y` is computed in C++'s type for both elements and converted back without saturation. */
#define CM_DETAIL_ASSIGN(OP, TAKES, COMPUTE, VALUE)                                                                    \
    template <typename A, typename B, typename = cm_detail::if_assignable<A, B>>                                       \
    CM_DETAIL_INLINE auto &operator OP##=(A && left, const B & right)                                                  \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(__is_lvalue_reference(A) || !bare<A>::dense_,                                                    \
                      "{A} " #OP "= on a temporary; iselect, replicate and "                                           \
                      "operators give copies");                                                                        \
        static_assert(agree<bare<A>, B>,                                                                               \
                      "{A} " #OP "= {B}: {A.count} elements and {B.count}; both operands must have "                   \
                      "the same number of elements, or the right one is a scalar");                                    \
        static_assert(TAKES<bare<A>, B>, "{A} " #OP "= {B}: this operator takes integers; "                            \
                                         "cm_rndz<int> makes some of floats, format<int>() takes their bits");         \
        typedef element<bare<A>> T;                                                                                    \
        typedef COMPUTE<T, element<B>> U;                                                                              \
        constexpr int N = facts<bare<A>>::count;                                                                       \
        lanes<U, N> a = convert<U, T, N>(left.read_()), b = lanes_of<U, N>(right);                                     \
        left.write_(convert<T, U, N>(VALUE));                                                                          \
        return left;                                                                                                   \
    }
CM_DETAIL_ASSIGN(+, numbers, common, a + b);
CM_DETAIL_ASSIGN(-, numbers, common, a - b);
CM_DETAIL_ASSIGN(*, numbers, common, a *b);
CM_DETAIL_ASSIGN(/, numbers, common, (divide<U, N>(a, b)));
CM_DETAIL_ASSIGN(%, integers, common_integer, (remainder<U, N>(a, b)));
CM_DETAIL_ASSIGN(&, integers, common_integer, a &b);
CM_DETAIL_ASSIGN(|, integers, common_integer, a | b);
CM_DETAIL_ASSIGN(^, integers, common_integer, a ^ b);
CM_DETAIL_ASSIGN(<<, integers, shifted, a << b);
CM_DETAIL_ASSIGN(>>, integers, shifted, a >> b);
#undef CM_DETAIL_ASSIGN

#define CM_DETAIL_PREFIX(OP, TAKES, TYPE, VALUE)                                                                       \
    template <typename A, typename = cm_detail::enable_if<cm_detail::is_operand<A>>>                                   \
    CM_DETAIL_INLINE auto operator OP(const A &x)                                                                      \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(TAKES<A, A>, #OP "{A}: this operator takes integers; "                                           \
                                       "cm_rndz<int> makes some of floats, format<int>() takes their bits");           \
        typedef TYPE U;                                                                                                \
        constexpr int N = facts<A>::count;                                                                             \
        auto a = lanes_of<U, N>(x);                                                                                    \
        return object_like<U, A>(from_lanes(), VALUE);                                                                 \
    }
CM_DETAIL_PREFIX(+, numbers, promoted<element<A>>, a);
CM_DETAIL_PREFIX(-, numbers, promoted<element<A>>, -a);
CM_DETAIL_PREFIX(~, integers, promoted<element<A>>, ~a);
#undef CM_DETAIL_PREFIX

template <typename A, typename = cm_detail::enable_if<cm_detail::is_operand<A>>>
CM_DETAIL_INLINE auto operator!(const A &x)
{
    using namespace cm_detail;
    constexpr int N = facts<A>::count;
    return object_like<ushort, A>(from_lanes(), __builtin_convertvector(x.read_() == 0, lanes<ushort, N>) & (ushort)1);
}

#endif
