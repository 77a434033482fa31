/* Operators between vectors, matrices, references and scalars: lane by lane, in the type that C++ gives the two
 * elements. The result has the shape of the left operand, of the right one if the left is a scalar. */
#ifndef CMKIT_CM_DETAIL_CORE_OPERATORS_H
#define CMKIT_CM_DETAIL_CORE_OPERATORS_H

namespace cm_detail
{

/* An object of T with X's shape. */
template <typename T, typename X>
using object_like = conditional<X::is_matrix_, matrix<T, X::rows_, X::columns_>, vector<T, X::columns_>>;

/* Facts about an operator's operands, computed once for each two types. Which of them are vectors or matrices: 1 the
 * left one, 2 the right one, 3 both; 0: these are no operands of CM's, and the operator is another one. */
template <typename A, typename B,
          int = CM_DETAIL_IS_OPERAND(A)   ? (CM_DETAIL_IS_OPERAND(B)  ? 3
                                             : CM_DETAIL_IS_SCALAR(B) ? 1
                                                                      : 0)
                : CM_DETAIL_IS_OPERAND(B) ? (CM_DETAIL_IS_SCALAR(A) ? 2 : 0)
                                          : 0>
struct operation {
};
/* shape: who gives the result its shape; left, right: elements; common: what C++ computes with them in; agree: they
 * have as many elements, or one is a scalar */
template <typename A, typename B> struct operation<A, B, 1> {
    typedef A shape;
    typedef typename A::element_type left;
    typedef B right;
    typedef decltype(left() + right()) common;
    static constexpr bool agree = true;
};
template <typename A, typename B> struct operation<A, B, 2> {
    typedef B shape;
    typedef A left;
    typedef typename B::element_type right;
    typedef decltype(left() + right()) common;
    static constexpr bool agree = true;
};
template <typename A, typename B> struct operation<A, B, 3> {
    typedef A shape;
    typedef typename A::element_type left;
    typedef typename B::element_type right;
    typedef decltype(left() + right()) common;
    static constexpr bool agree = A::count_ == B::count_;
};

/* A is the deduced type of the left operand of an assignment. */
template <typename A> using if_assignable = enable_if<CM_DETAIL_IS_OPERAND(bare<A>)>;

} // namespace cm_detail

/* Which operands an operator takes: numbers, or integers. */
#define CM_DETAIL_NUMBERS(L, R, TEXT)
#define CM_DETAIL_INTEGERS(L, R, TEXT)                                                                                 \
    static_assert(!__is_floating_point(L) && !__is_floating_point(R),                                                  \
                  TEXT ": this operator takes integers; cm_rndz<int> makes some of floats, format<int>() takes their " \
                       "bits")

/* The type in which operation O computes. */
#define CM_DETAIL_COMMON  typename O::common
#define CM_DETAIL_INTEGER decltype(typename O::left() % typename O::right())
#define CM_DETAIL_SHIFTED decltype(typename O::left() << typename O::right())

/* U is the type to compute in, TYPE the type of the result's elements. */
#define CM_DETAIL_OPERATOR(OP, TAKES, COMPUTE, TYPE, VALUE)                                                            \
    template <typename A, typename B, typename O = cm_detail::operation<A, B>, typename S = typename O::shape>         \
    CM_DETAIL_INLINE auto operator OP(const A &left, const B &right)                                                   \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(O::agree, "{A} " #OP " {B}: {A.count} elements and {B.count}; both operands must have the same " \
                                "number of elements, or one is a scalar");                                             \
        TAKES(typename O::left, typename O::right, "{A} " #OP " {B}");                                                 \
        typedef COMPUTE U;                                                                                             \
        constexpr int N = S::count_;                                                                                   \
        lanes<U, N> a = lanes_of<U, N>(left), b = lanes_of<U, N>(right);                                               \
        return object_like<TYPE, S>(from_lanes(), VALUE);                                                              \
    }

CM_DETAIL_OPERATOR(+, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, U, a + b);
CM_DETAIL_OPERATOR(-, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, U, a - b);
CM_DETAIL_OPERATOR(*, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, U, a *b);
CM_DETAIL_OPERATOR(/, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, U, a / b);
CM_DETAIL_OPERATOR(%, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, U, a % b);
CM_DETAIL_OPERATOR(&, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, U, a &b);
CM_DETAIL_OPERATOR(|, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, U, a | b);
CM_DETAIL_OPERATOR(^, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, U, a ^ b);
CM_DETAIL_OPERATOR(<<, CM_DETAIL_INTEGERS, CM_DETAIL_SHIFTED, U, a << b);
CM_DETAIL_OPERATOR(>>, CM_DETAIL_INTEGERS, CM_DETAIL_SHIFTED, U, a >> b);

/* Comparisons give 1 where they hold and 0 elsewhere. */
#define CM_DETAIL_COMPARISON(OP)                                                                                       \
    CM_DETAIL_OPERATOR(OP, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, ushort,                                                \
                       (__builtin_convertvector(a OP b, lanes<ushort, N>) & (ushort)1))
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
    template <typename A, typename B, typename = cm_detail::if_assignable<A>,                                          \
              typename O = cm_detail::operation<cm_detail::bare<A>, B>, typename S = typename O::shape>                \
    CM_DETAIL_INLINE auto &operator OP##=(A && left, const B & right)                                                  \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        static_assert(!__is_const(__remove_reference_t(A)), "{A} " #OP "= on a constant; declare it without const to " \
                                                            "change it");                                              \
        static_assert(__is_lvalue_reference(A) || !S::dense_, "{A} " #OP "= on a temporary; iselect, replicate and "   \
                                                              "operators give copies");                                \
        static_assert(O::agree, "{A} " #OP "= {B}: {A.count} elements and {B.count}; both operands must have "         \
                                "the same number of elements, or the right one is a scalar");                          \
        TAKES(typename O::left, typename O::right, "{A} " #OP "= {B}");                                                \
        typedef COMPUTE U;                                                                                             \
        constexpr int N = S::count_;                                                                                   \
        lanes<U, N> a = __builtin_convertvector(left.read_(), lanes<U, N>), b = lanes_of<U, N>(right);                 \
        left.write_(__builtin_convertvector(VALUE, lanes<typename O::left, N>));                                       \
        return left;                                                                                                   \
    }
CM_DETAIL_ASSIGN(+, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, a + b);
CM_DETAIL_ASSIGN(-, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, a - b);
CM_DETAIL_ASSIGN(*, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, a *b);
CM_DETAIL_ASSIGN(/, CM_DETAIL_NUMBERS, CM_DETAIL_COMMON, a / b);
CM_DETAIL_ASSIGN(%, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, a % b);
CM_DETAIL_ASSIGN(&, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, a &b);
CM_DETAIL_ASSIGN(|, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, a | b);
CM_DETAIL_ASSIGN(^, CM_DETAIL_INTEGERS, CM_DETAIL_INTEGER, a ^ b);
CM_DETAIL_ASSIGN(<<, CM_DETAIL_INTEGERS, CM_DETAIL_SHIFTED, a << b);
CM_DETAIL_ASSIGN(>>, CM_DETAIL_INTEGERS, CM_DETAIL_SHIFTED, a >> b);
#undef CM_DETAIL_ASSIGN

#define CM_DETAIL_PREFIX(OP, TAKES, VALUE)                                                                             \
    template <typename A, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(A)>>                                    \
    CM_DETAIL_INLINE auto operator OP(const A &x)                                                                      \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef typename A::element_type T;                                                                            \
        TAKES(T, T, #OP "{A}");                                                                                        \
        typedef decltype(+T()) U;                                                                                      \
        constexpr int N = A::count_;                                                                                   \
        auto a = lanes_of<U, N>(x);                                                                                    \
        return object_like<U, A>(from_lanes(), VALUE);                                                                 \
    }
CM_DETAIL_PREFIX(+, CM_DETAIL_NUMBERS, a);
CM_DETAIL_PREFIX(-, CM_DETAIL_NUMBERS, -a);
CM_DETAIL_PREFIX(~, CM_DETAIL_INTEGERS, ~a);
#undef CM_DETAIL_PREFIX
#undef CM_DETAIL_NUMBERS
#undef CM_DETAIL_INTEGERS
#undef CM_DETAIL_COMMON
#undef CM_DETAIL_INTEGER
#undef CM_DETAIL_SHIFTED

template <typename A, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(A)>>
CM_DETAIL_INLINE auto operator!(const A &x)
{
    using namespace cm_detail;
    constexpr int N = A::count_;
    return object_like<ushort, A>(from_lanes(), __builtin_convertvector(x.read_() == 0, lanes<ushort, N>) & (ushort)1);
}

#endif
