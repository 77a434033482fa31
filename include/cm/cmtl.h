/* The CM template library: ramps, and in namespace cmtl roundings, the angle of a point, blocks
 * of any size, and matrices that are turned. */
#ifndef CMKIT_CM_CMTL_H
#define CMKIT_CM_CMTL_H

#include "cm.h"

/* CM_CONST_E, CM_CONST_PI, CM_CONST_2PI, CMPI, CM_DBL_EPSILON: floats, with as many digits as Intel's header gives
 * them; cmtl::numbers has more. All platforms. Source: Intel's cm/cmtl.h. */
#define CM_CONST_E     2.71828f
#define CM_CONST_PI    3.14159f
#define CM_CONST_2PI   6.28318f
#define CM_DBL_EPSILON 0.00001f
#define CMPI           3.14159265f

#define CM_DETAIL_CHECK_SQUARE(NAME, SIZE)                                                                             \
    static_assert(cm_detail::facts<A>::rows == SIZE && cm_detail::facts<A>::columns == SIZE &&                         \
                      cm_detail::facts<B>::rows == SIZE && cm_detail::facts<B>::columns == SIZE,                       \
                  #NAME " takes matrices of " #SIZE " rows and " #SIZE " columns")

namespace cm_detail
{
template <typename A, typename B> CM_DETAIL_INLINE void transpose(const A &in, const B &out)
{
    matrix<element<A>, facts<A>::rows, facts<A>::columns> copy = in;
#pragma unroll
    for (int row = 0; row < facts<A>::columns; row++)
        out.row(row) = copy.column(row);
}
} // namespace cm_detail

/* cm_assert(condition): on the CPU target a condition (a bool) that is false stops the program there, in gdb at the
 * line that asked; on GPUs nothing. All platforms.
 * Source: Intel's cm/cmtl.h. */
CM_DETAIL_INLINE void cm_assert([[maybe_unused]] bool condition)
{
#ifdef CMKIT_HOST
    if (!condition)
        __builtin_trap();
#endif
}

namespace cmtl
{

/* cm_vector_assign(v, first, step): v is a vector or matrix of any element type, which first and step are converted to:
 * the first element becomes `first`, each other one `step` more than the one before. All platforms.
 * Source: CM specification 6.7 "Init and assignment". */
template <typename E = void, int Size = 0, typename M, typename T, typename S, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_vector_assign(const M &destination, T first, S step)
{
    using namespace cm_detail;
    typedef element<M> D;
    constexpr int N = facts<M>::count;
    lanes<D, N> number = convert<D, ushort, N>(__lanes_pattern<N, 0, N, 1>());
    destination.write_((lanes<D, N>)(D)first + number * (lanes<D, N>)(D)step);
}

} // namespace cmtl

using cmtl::cm_vector_assign;

/* cm_vector(NAME, TYPE, SIZE, FIRST, STEP), cm_matrix(NAME, TYPE, ROWS, COLUMNS, FIRST, STEP): declares NAME, of any
 * element type, and fills it with a ramp: FIRST, FIRST + STEP ... All platforms.
 * Source: CM specification 6.7 "Init and assignment". */
#define cm_vector(NAME, TYPE, SIZE, FIRST, STEP)                                                                       \
    vector<TYPE, SIZE> NAME;                                                                                           \
    cm_vector_assign(NAME, (TYPE)(FIRST), (TYPE)(STEP))
#define cm_matrix(NAME, TYPE, ROWS, COLUMNS, FIRST, STEP)                                                              \
    matrix<TYPE, ROWS, COLUMNS> NAME;                                                                                  \
    cm_vector_assign(NAME, (TYPE)(FIRST), (TYPE)(STEP))

namespace cmtl
{

/* cm_assert_range(v, low, high): cm_assert that every element of v, a vector or matrix of numbers, is from low to high,
 * two floats. All platforms.
 * Source: Intel's cm/cmtl.h. */
template <typename T = void, int N = 0, typename A, typename = cm_detail::if_operand<A>>
CM_DETAIL_INLINE void cm_assert_range(const A &v, float low, float high)
{
    cm_assert((v >= low).all() && (v <= high).all());
}

/* cm_floor<T>(x[, SAT]), cm_ceil<T>(x[, SAT]): the next integer below and above of each float or half of a vector,
 * matrix or scalar, as T, as cm_rndd and cm_rndu give it. All platforms.
 * Source: CM specification 6.8 "Extended math". */
template <typename T, typename A, typename F = cm_detail::no_saturation>
CM_DETAIL_INLINE auto cm_floor(const A &x, F flag = F())
{
    return ::cm_rndd<T>(x, flag);
}
/* cm_ceil<T>(x[, SAT]): the next integer above each float or half, as T. */
template <typename T, typename A, typename F = cm_detail::no_saturation>
CM_DETAIL_INLINE auto cm_ceil(const A &x, F flag = F())
{
    return ::cm_rndu<T>(x, flag);
}
/* cm_floor<T, N>(v), cm_ceil<T, N>(v); of a matrix NAME<T, R, C>(m): template arguments name the shape. */
CM_DETAIL_EXPLICIT_ROUNDING(cm_floor)
CM_DETAIL_EXPLICIT_ROUNDING(cm_ceil)

/* cm_atan2(y, x[, SAT]): the angle of the point (x, y) in radians, from -pi to pi, to within 1e-5;
 * cm_atan2_fast(y, x[, SAT]): from 0 to 2 pi. float; of matrices a matrix. All platforms.
 * Source: CM specification 6.8 "Extended math". */
template <typename A, typename B, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_atan2(const A &y, const B &x, F flag = F())
{
    using namespace cm_detail;
    static_assert(are_floats<A, B>, "cm_atan2 takes float");
    constexpr int N = lane_count<A, B>;
    lanes<float, N> angle = angle_of<N>(lanes_of<float, N>(y), lanes_of<float, N>(x));
    return give_shaped<float, first_operand<A, B>, A, B>(finish<float, float, N>(angle, flag));
}
/* cm_atan2_fast(y, x[, SAT]): the angle of the point (x, y) in radians, from 0 to 2 pi. */
template <typename A, typename B, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_atan2_fast(const A &y, const B &x, F flag = F())
{
    using namespace cm_detail;
    constexpr int N = lane_count<A, B>;
    constexpr float two_pi = 6.28318531f;
    vector<float, N> angle(from_lanes(), lanes_of<float, N>(cm_atan2(y, x)));
    angle.merge(angle + two_pi, angle < 0.0f);
    return give_shaped<float, first_operand<A, B>, A, B>(finish<float, float, N>(angle.read_(), flag));
}

/* cm_fmod(y, x[, SAT]): the remainder of y after whole multiples of x, with the sign of y; float, the quotient below
 * 2^24; of matrices a matrix. All platforms.
 * Source: CM specification 6.8 "Extended math". */
template <typename A, typename B, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A, B>>
CM_DETAIL_INLINE auto cm_fmod(const A &y, const B &x, F flag = F())
{
    using namespace cm_detail;
    static_assert(are_floats<A, B>, "cm_fmod takes float");
    constexpr int N = lane_count<A, B>;
    lanes<float, N> a = lanes_of<float, N>(y), b = lanes_of<float, N>(x);
    return give_shaped<float, first_operand<A, B>, A, B>(
        finish<float, float, N>(a - b * __cm_rndz<float, N>(a / b), flag));
}

/* cm_tanh(x[, SAT]), cm_tanh_cody_waite(x[, SAT]): the hyperbolic tangent of float, to within 1e-6; of a
 * matrix a matrix. All platforms.
 * Source: CM specification 6.8 "Extended math". */
template <typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_tanh(const A &x, F flag = F())
{
    using namespace cm_detail;
    static_assert(are_floats<A, A>, "cm_tanh takes float");
    constexpr int N = lane_count<A>;
    constexpr float most = 10, twice_log2_e = 2.885390082f;
    lanes<float, N> limit = (lanes<float, N>)most, one = (lanes<float, N>)1.0f;
    lanes<float, N> near = __cm_fmax<float, N>(__cm_fmin<float, N>(lanes_of<float, N>(x), limit), -limit);
    lanes<float, N> power = __cm_exp<float, N>(near * twice_log2_e);
    return give_shaped<float, A>(finish<float, float, N>(one - __cm_inv<float, N>(power + one) * 2.0f, flag));
}
/* cm_tanh_cody_waite(x[, SAT]): the hyperbolic tangent of float; another name of cm_tanh. */
template <typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_tanh_cody_waite(const A &x, F flag = F())
{
    return cm_tanh(x, flag);
}

/* cm_sin_emu(x[, SAT]), cm_cos_emu(x[, SAT]): sine and cosine of float by polynomials, to within 1e-6 for angles up to
 * 100; of a matrix a matrix. All platforms.
 * Source: Intel's cm/cmtl.h. */
template <typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_sin_emu(const A &x, F flag = F())
{
    using namespace cm_detail;
    static_assert(are_floats<A, A>, "cm_sin_emu takes float");
    constexpr int N = lane_count<A>;
    constexpr float inverse_pi = 0.318309886f, pi_high = 3.140625f, pi_low = 9.67653589793e-4f;
    lanes<float, N> angle = lanes_of<float, N>(x), turns = __cm_rnde<float, N>(angle * inverse_pi);
    lanes<float, N> r = (angle - turns * pi_high) - turns * pi_low, square = r * r;
    lanes<float, N> sum = square * -2.50521084e-8f + 2.75573192e-6f;
    sum = sum * square - 1.98412698e-4f;
    sum = sum * square + 8.33333333e-3f;
    sum = sum * square - 1.66666667e-1f;
    lanes<int, N> odd = convert<int, float, N>(turns) & 1;
    lanes<float, N> sign = 1.0f - convert<float, int, N>(odd) * 2.0f;
    return give_shaped<float, A>(finish<float, float, N>((r + r * square * sum) * sign, flag));
}
/* cm_cos_emu(x[, SAT]): the cosine of float by polynomials, of radians. */
template <typename A, typename F = cm_detail::no_saturation, typename = cm_detail::if_values<A>>
CM_DETAIL_INLINE auto cm_cos_emu(const A &x, F flag = F())
{
    using namespace cm_detail;
    constexpr float half_pi = 1.57079633f;
    constexpr int N = lane_count<A>;
    vector<float, N> shifted(from_lanes(), lanes_of<float, N>(x) + half_pi);
    return give_shaped<float, A>(lanes_of<float, N>(cm_sin_emu(shifted, flag)));
}
/* cm_atan2<N>(y, x), cm_atan2_fast<N>(y, x), cm_fmod<N>(y, x), cm_tanh<N>(v), cm_tanh_cody_waite<N>(v),
 * cm_sin_emu<N>(v), cm_cos_emu<N>(v); of a matrix NAME<R, C>(m): template arguments name the shape. */
CM_DETAIL_EXPLICIT_SHAPE(cm_atan2)
CM_DETAIL_EXPLICIT_SHAPE(cm_atan2_fast)
CM_DETAIL_EXPLICIT_SHAPE(cm_fmod)
CM_DETAIL_EXPLICIT_SHAPE(cm_tanh)
CM_DETAIL_EXPLICIT_SHAPE(cm_tanh_cody_waite)
CM_DETAIL_EXPLICIT_SHAPE(cm_sin_emu)
CM_DETAIL_EXPLICIT_SHAPE(cm_cos_emu)

} // namespace cmtl

/* A namespace of its own: included inside another one, this header must not hide the global cm_detail. */
namespace cmtl_blocks
{
using namespace cm_detail;

/* A part of a 2D surface in blocks of at most 8 rows of 32 bytes, from element (Row, Column) of m on. */
template <bool Write, int Row, int Column, typename M>
CM_DETAIL_INLINE void any_block(SurfaceIndex surface, CmBufferAttrib which, int x, int y, const M &m)
{
    typedef element<M> T;
    constexpr int wide = 32 / (int)sizeof(T), R = facts<M>::rows - Row, C = facts<M>::columns - Column;
    constexpr int rows = R < 8 ? R : 8, columns = C < wide ? C : wide;
    auto part = m.template select<rows, 1, columns, 1>(Row, Column);
    if constexpr (Write)
        ::write(surface, which, (x + Column) * (int)sizeof(T), y + Row, part);
    else
        ::read(surface, which, (x + Column) * (int)sizeof(T), y + Row, part);
    if constexpr (columns < C)
        any_block<Write, Row, Column + columns>(surface, which, x, y, m);
    else if constexpr (rows < R)
        any_block<Write, Row + rows, 0>(surface, which, x, y, m);
}

/* Elements of a buffer, from element First of v on. */
template <bool Write, int First, typename V> CM_DETAIL_INLINE void any_elements(SurfaceIndex surface, int i, const V &v)
{
    constexpr int n = pointer_piece(facts<V>::count - First);
    vector<uint, n> place(from_lanes(), convert<uint, ushort, n>(__lanes_pattern<n, 0, n, 1>()));
    auto part = v.template select<n, 1>(First);
    if constexpr (Write)
        ::write(surface, (uint)(i + First), place, part);
    else
        ::read(surface, (uint)(i + First), place, part);
    if constexpr (First + n < facts<V>::count)
        any_elements<Write, First + n>(surface, i, v);
}

} // namespace cmtl_blocks

namespace cmtl
{

/* ReadBlock(S, x, y, m), WriteBlock(S, x, y, m): a part of a 2D surface of any number of rows and columns of any
 * element type; x and y count elements of m's type. Written rows are a multiple of 4 bytes wide. ReadBlock(S, x, y, m,
 * width): of a surface of `width` elements a row, which are no multiple of 4 bytes: beyond the row's end is its last
 * element. ReadBlock(TOP_FIELD(S), x, y, m[, width]) and its like: of the rows of one field. Not inside SIMD control
 * flow. All platforms.
 * Source: CM specification 6.1 "I/O". */
template <typename T = void, int H = 0, int W = 0, typename M, typename = cm_detail::if_matrix<M>>
CM_DETAIL_INLINE void ReadBlock(SurfaceIndex surface, int x, int y, const M &m)
{
    cmtl_blocks::any_block<false, 0, 0>(surface, GENX_NONE, x, y, m);
}
/* ReadBlock(S, x, y, m, width): a part of a 2D surface; beyond the end of a row of `width` elements is its last
 * element. */
template <typename T = void, int H = 0, int W = 0, typename M, typename = cm_detail::if_matrix<M>>
CM_DETAIL_INLINE void ReadBlock(SurfaceIndex surface, int x, int y, const M &m, uint width)
{
    using namespace cm_detail;
    constexpr int R = facts<M>::rows, C = facts<M>::columns;
    if (width * sizeof(element<M>) % 4 == 0) { /* the hardware itself repeats the last; 0: nothing is known */
        cmtl_blocks::any_block<false, 0, 0>(surface, GENX_NONE, x, y, m);
        return;
    }
    int from = x < (int)width ? x : (int)width - 1, last = (int)width - 1 - from;
    cmtl_blocks::any_block<false, 0, 0>(surface, GENX_NONE, from, y, m);
    if (last >= C - 1)
        return;
    vector<element<M>, R> edge = m.column(last);
#pragma unroll
    for (int column = 0; column < C; column++) {
        vector<ushort, R> beyond = (ushort)(column > last);
        m.column(column).merge(edge, beyond);
    }
}
/* ReadBlock(TOP_FIELD(S), x, y, m[, width]): a part of the rows of one field of a 2D surface. */
template <typename T = void, int H = 0, int W = 0, typename M, typename = cm_detail::if_matrix<M>>
CM_DETAIL_INLINE void ReadBlock(SurfaceIndex surface, CmBufferAttrib which, int x, int y, const M &m, uint = 0)
{
    cmtl_blocks::any_block<false, 0, 0>(surface, which, x, y, m);
}
/* WriteBlock(S, x, y, m): writes a part of a 2D surface; its rows are a multiple of 4 bytes wide. */
template <typename T = void, int H = 0, int W = 0, typename M, typename = cm_detail::if_matrix<M>>
CM_DETAIL_INLINE void WriteBlock(SurfaceIndex surface, int x, int y, const M &m)
{
    cmtl_blocks::any_block<true, 0, 0>(surface, GENX_NONE, x, y, m);
}

/* ReadLinear(S, i, v), WriteLinear(S, i, v): any number of elements of a buffer from element i on, a vector v of any
 * element type. All platforms.
 * Source: CM specification 6.1 "I/O". */
template <typename T = void, int W = 0, typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void ReadLinear(SurfaceIndex surface, int i, const V &v)
{
    cmtl_blocks::any_elements<false, 0>(surface, i, v);
}
/* WriteLinear(S, i, v): writes the vector to the buffer from element i on. */
template <typename T = void, int W = 0, typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void WriteLinear(SurfaceIndex surface, int i, const V &v)
{
    cmtl_blocks::any_elements<true, 0>(surface, i, v);
}

/* Pack<Small, Large, N>(a, b, v): lanes of v from two lanes of half the size, a in the lower half; Unpack<Small, Large,
 * N>(a, b, v) takes them apart, UnpackSingle<Small, Large, N>(a, which, v) one of them: CMRT_LOC_FIRST or
 * CMRT_LOC_SECOND. Pack makes dwords of bytes too, whose upper halves are 0. The template arguments may be left out.
 * All platforms. Source: CM specification 6.4 "Iselect". */
#define CMRT_LOC_FIRST  0
#define CMRT_LOC_SECOND 1
/* Pack<Small, Large, N>(a, b, v): lanes of v from two lanes of half the size, a in the lower half. */
template <typename Small, typename Large, int N, typename A, typename B, typename V>
CM_DETAIL_INLINE void Pack(const A &a, const B &b, const V &v)
{
    constexpr int parts = sizeof(Large) / sizeof(Small); /* of two bytes in a dword, the upper two are 0 */
    static_assert(parts == 2 || (parts == 4 && sizeof(Small) == 1),
                  "Pack joins two elements into one of twice the size, or two bytes into a dword");
    vector<Small, N * parts> all = 0;
    all.template select<N, parts>(0) = a;
    all.template select<N, parts>(1) = b;
    v.write_(all.template format<Large>().read_());
}
/* UnpackSingle<Small, Large, N>(a, which, v): the lower half of each lane of v (CMRT_LOC_FIRST) or the upper
 * (CMRT_LOC_SECOND). */
template <typename Small, typename Large, int N, typename A, typename V>
CM_DETAIL_INLINE void UnpackSingle(const A &a, int which, const V &v)
{
    static_assert(2 * sizeof(Small) == sizeof(Large), "Unpack splits one element into two of half the size");
    vector<Large, N> all = v;
    a.write_(all.template format<Small>().template select<N, 2>(which).read_());
}
/* Unpack<Small, Large, N>(a, b, v): the lower halves of the lanes of v to a, the upper ones to b. */
template <typename Small, typename Large, int N, typename A, typename B, typename V>
CM_DETAIL_INLINE void Unpack(const A &a, const B &b, const V &v)
{
    UnpackSingle<Small, Large, N>(a, CMRT_LOC_FIRST, v);
    UnpackSingle<Small, Large, N>(b, CMRT_LOC_SECOND, v);
}
/* The same with types and number as the operands have them. */
template <typename A, typename B, typename V, typename = cm_detail::if_operand<A>>
CM_DETAIL_INLINE void Pack(const A &a, const B &b, const V &v)
{
    Pack<cm_detail::element<A>, cm_detail::element<V>, cm_detail::facts<V>::count>(a, b, v);
}
/* UnpackSingle(a, which, v): with types and number as the operands have them. */
template <typename A, typename V, typename = cm_detail::if_operand<A>>
CM_DETAIL_INLINE void UnpackSingle(const A &a, int which, const V &v)
{
    UnpackSingle<cm_detail::element<A>, cm_detail::element<V>, cm_detail::facts<V>::count>(a, which, v);
}
/* Unpack(a, b, v): with types and number as the operands have them. */
template <typename A, typename B, typename V, typename = cm_detail::if_operand<A>>
CM_DETAIL_INLINE void Unpack(const A &a, const B &b, const V &v)
{
    Unpack<cm_detail::element<A>, cm_detail::element<V>, cm_detail::facts<V>::count>(a, b, v);
}

/* Map(in, out, from): element k of `out` is element from(k) of `in`, both counted row by row; matrices of as many
 * elements of one type, of any type, and a vector of ushort. All platforms.
 * Source: CM specification 6.6 "Matrix transform". */
template <typename T = void, int W = 0, typename A, typename B, typename I, typename = cm_detail::if_scattered<A, B>>
CM_DETAIL_INLINE void Map(const A &in, const B &out, const I &from)
{
    using namespace cm_detail;
    vector<ushort, facts<B>::count> index = from;
    vector<element<A>, facts<A>::count> all = in;
    out.write_(all.iselect(index).read_());
}

/* MirrorVertical(in, out): the rows in reverse order; MirrorHorizontal_16x16(in, out): the columns. in, out: matrices
 * of any element type and of one shape, the latter of 16 rows and columns. All platforms.
 * Source: CM specification 6.6 "Matrix transform". */
template <typename T = void, int H = 0, int W = 0, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void MirrorVertical(const A &in, const B &out)
{
    using namespace cm_detail;
    matrix<element<A>, facts<A>::rows, facts<A>::columns> copy = in;
#pragma unroll
    for (int row = 0; row < facts<A>::rows; row++)
        out.row(row) = copy.row(facts<A>::rows - 1 - row);
}
/* MirrorHorizontal_16x16(in, out): the columns of 16 rows in reverse order. */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void MirrorHorizontal_16x16(const A &in, const B &out)
{
    matrix<cm_detail::element<A>, 16, 16> copy = in;
#pragma unroll
    for (int column = 0; column < 16; column++)
        out.column(column) = copy.column(15 - column);
}

/* Transpose_8x8(in, out), Transpose_16x16(in, out): rows become columns. ReverseTranspose_16x16(in, out): the same
 * about the other diagonal. Rotate90_16x16(in, out), Rotate180_16x16(in, out), Rotate270_16x16(in, out): turned
 * clockwise. in, out: matrices of 8 or 16 rows and as many columns, of any element type. All platforms.
 * Source: CM specification 6.6 "Matrix transform". */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void Transpose_8x8(const A &in, const B &out)
{
    CM_DETAIL_CHECK_SQUARE(Transpose_8x8, 8);
    cm_detail::transpose(in, out);
}
/* Transpose_16x16(in, out): rows become columns, of 16 rows and columns. */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void Transpose_16x16(const A &in, const B &out)
{
    CM_DETAIL_CHECK_SQUARE(Transpose_16x16, 16);
    cm_detail::transpose(in, out);
}
/* Rotate180_16x16(in, out): a matrix of 16 rows and columns, turned upside down. */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void Rotate180_16x16(const A &in, const B &out)
{
    CM_DETAIL_CHECK_SQUARE(Rotate180_16x16, 16);
    matrix<cm_detail::element<A>, 16, 16> turned;
    MirrorVertical(in, turned.select_all());
    MirrorHorizontal_16x16(turned, out);
}
/* Rotate90_16x16(in, out): a matrix of 16 rows and columns, turned by a quarter clockwise. */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void Rotate90_16x16(const A &in, const B &out)
{
    CM_DETAIL_CHECK_SQUARE(Rotate90_16x16, 16);
    matrix<cm_detail::element<A>, 16, 16> turned;
    MirrorVertical(in, turned.select_all());
    Transpose_16x16(turned, out);
}
/* Rotate270_16x16(in, out): a matrix of 16 rows and columns, turned by three quarters clockwise. */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void Rotate270_16x16(const A &in, const B &out)
{
    CM_DETAIL_CHECK_SQUARE(Rotate270_16x16, 16);
    matrix<cm_detail::element<A>, 16, 16> turned;
    Transpose_16x16(in, turned.select_all());
    MirrorVertical(turned, out);
}
/* ReverseTranspose_16x16(in, out): rows become columns, mirrored about the other diagonal. */
template <typename T = void, typename A, typename B, typename = cm_detail::if_matrix<A>>
CM_DETAIL_INLINE void ReverseTranspose_16x16(const A &in, const B &out)
{
    CM_DETAIL_CHECK_SQUARE(ReverseTranspose_16x16, 16);
    matrix<cm_detail::element<A>, 16, 16> turned;
    Rotate180_16x16(in, turned.select_all());
    Transpose_16x16(turned, out);
}

} // namespace cmtl

#undef CM_DETAIL_CHECK_SQUARE

#include "detail/cmtl/stack.h"

#endif
