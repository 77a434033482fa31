/* Scalar types, the hardware vectors under vector and matrix, and what is known about an operand at compile time. */
#ifndef CMKIT_CM_DETAIL_TYPES_H
#define CMKIT_CM_DETAIL_TYPES_H

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef _Float16 half;
typedef unsigned char U8;
typedef unsigned short U16;
typedef unsigned int U32;
typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __UINTPTR_TYPE__ uintptr_t;

/* An address in the flat address space; arithmetic on it counts bytes. */
typedef uint64_t svmptr_t;

/* Handles: only passed on to memory operations. */
enum class SurfaceIndex : unsigned {};
enum class SamplerIndex : unsigned {};

template <typename T, int N> class vector;
template <typename T, int R, int C> class matrix;
template <typename T, int N> class vector_ref;
template <typename T, int R, int C> class matrix_ref;

namespace cm_detail
{

/* N lanes in registers: what operators compute with. Not how a vector is stored: see vector.h. */
template <typename T, int N> using lanes = T __attribute__((ext_vector_type(N)));

/* Marks the constructor that takes such lanes. */
struct from_lanes {
};

/* Byte distance of each lane of a reference from the reference's address. */
template <int N> using offsets = lanes<ushort, (N > 0 ? N : 1)>; /* a wrong size has its error already */

template <int... I> struct sequence {
};
template <typename, int... I> using sequence_of = sequence<I...>;
template <int N> using count_to = __make_integer_seq<sequence_of, int, N>;

template <bool B, typename T = void> struct enable {
};
template <typename T> struct enable<true, T> {
    typedef T type;
};
template <bool B, typename T = void> using enable_if = typename enable<B, T>::type;

template <bool B, typename T, typename F> struct choose {
    typedef T type;
};
template <typename T, typename F> struct choose<false, T, F> {
    typedef F type;
};
template <bool B, typename T, typename F> using conditional = typename choose<B, T, F>::type;

template <typename T> using bare = __remove_cvref(T);
template <typename T> T &&declval() noexcept;
template <typename A, typename B> constexpr bool same = __is_same(A, B);

template <typename T> constexpr bool is_float = same<T, half> || same<T, float> || same<T, double>;
template <typename T> constexpr bool is_integer = __is_integral(T);
template <typename T> constexpr bool is_signed = T(-1) < T(0);
template <typename T> constexpr bool is_element = (__is_integral(T) && !same<T, bool>) || is_float<T>;
template <typename T> constexpr bool is_handle = same<T, SurfaceIndex> || same<T, SamplerIndex>;
template <typename T> constexpr bool is_scalar = __is_integral(T) || is_float<T> || (__is_enum(T) && !is_handle<T>);

/* Facts of a vector, matrix or reference type; `count` is 0 for anything else. */
struct operand_tag {
};
template <typename X> constexpr bool is_operand = __is_base_of(operand_tag, X);

template <bool Operand, typename X> struct facts_of {
    typedef X element;
    static constexpr int count = 0, rows = 0, columns = 0;
    static constexpr bool is_matrix = false;
};
template <typename X> struct facts_of<true, X> {
    typedef typename X::element_type element;
    static constexpr int count = X::count_, rows = X::rows_, columns = X::columns_;
    static constexpr bool is_matrix = X::is_matrix_;
};
template <typename X> using facts = facts_of<is_operand<X>, X>;
template <typename X> using element = typename facts<X>::element;

template <typename T> using unsigned_of = __make_unsigned(T);

/* What C++ makes of a scalar operation on two elements. */
template <typename A, typename B> using common = decltype(A() + B());
template <typename A> using promoted = decltype(+A());
template <typename A, typename B> using common_integer = decltype(A() % B());
template <typename A, typename B> using shifted = decltype(A() << B());

/* A constant as an argument. */
template <unsigned N> struct constant {
    static constexpr unsigned value = N;
};

constexpr int power_of_two_at_least(int n, int least)
{
    int p = least;
    while (p < n)
        p *= 2;
    return p;
}
constexpr bool is_power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* The second operand of a conversion or intrinsic that saturates; `SAT` itself is an object so that overloads see it.
 */
struct saturation {
    constexpr operator int() const { return 1; }
};

} // namespace cm_detail

#define SAT (cm_detail::saturation())
enum { _GENX_NOSAT = 0, _GENX_SAT = 1 };

#endif
