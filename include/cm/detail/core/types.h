/* Defines scalar types, the LLVM vectors beneath vector and matrix, and compile-time facts about operands. All
 * platforms. The names of the types are those of CM specification 2.1 "Scalar Data Types" and Intel's cm/cm_common.h.
 */
#ifndef CMKIT_CM_DETAIL_CORE_TYPES_H
#define CMKIT_CM_DETAIL_CORE_TYPES_H

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
/* As in XeTLA, whose own size_t would be another type beside __SIZE_TYPE__. */
typedef uint64_t size_t;
/* _SIZE_T: tells Clang's <stddef.h> that size_t is there. Source: cmkit's own. */
#define _SIZE_T
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __UINTPTR_TYPE__ uintptr_t;

/* An address in the flat address space; arithmetic on it counts bytes. */
typedef uint64_t svmptr_t;

/* Handles: only passed on to memory operations. */
enum class SurfaceIndex : unsigned {};
/* A sampler; only passed on to functions that sample images. */
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

template <bool B, typename T, typename F> using conditional = __type_pack_element<!B, T, F>;

template <typename T> using bare = __remove_cvref(T);
template <typename T> T &&declval() noexcept;
/* Properties of types come from Clang itself (__is_same, __is_integral, __is_floating_point ...) and from the macros
 * below: a variable template would cost an instantiation each time, and every kernel reads those of the precompiled
 * headers. */
template <typename T>
constexpr bool is_element =
    (__is_integral(T) && !__is_same(T, bool)) || (__is_floating_point(T) && !__is_same(T, long double));

/* Facts of a vector, matrix or reference type; `count` is 0 for anything else. */
struct operand_tag {
};
#define CM_DETAIL_IS_OPERAND(X) __is_base_of(cm_detail::operand_tag, X)
/* Numbers and plain enumerations: no handles. */
#define CM_DETAIL_IS_SCALAR(T)                                                                                         \
    (__is_arithmetic(T) || (__is_enum(T) && !__is_same(T, SurfaceIndex) && !__is_same(T, SamplerIndex)))

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
/* bf16, which the precompiled headers cannot name: it has the operations of float. */
#define CM_DETAIL_IS_BF16(T) (__is_floating_point(T) && sizeof(T) == 2 && !__is_same(T, half))

template <typename X> inline constexpr bool is_part = false;
template <typename T, int N> inline constexpr bool is_part<vector_ref<T, N>> = true;
template <typename T, int R, int C> inline constexpr bool is_part<matrix_ref<T, R, C>> = true;

template <typename X> using facts = facts_of<CM_DETAIL_IS_OPERAND(X), X>;
template <typename X> using element = typename facts_of<CM_DETAIL_IS_OPERAND(X), X>::element;

template <typename T> using unsigned_of = __make_unsigned(T);

/* What C++ makes of a scalar operation on two elements. */
template <typename A, typename B> using common = decltype(A() + B());
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

/* SAT: the second operand of a conversion, `vector<uchar, 8> v(w, SAT)`, or the last of an intrinsic, that saturates:
 * integers clamp to the range of the new type, floats to [0,1]. An object, so that overloads see it.
 * Source: CM specification 2.1.2 "Saturation". */
struct saturation {
    constexpr operator int() const { return 1; }
};

} // namespace cm_detail

#define SAT (cm_detail::saturation())
enum { _GENX_NOSAT = 0, _GENX_SAT = 1 };

#endif
