/* Systolic matrix products (dpas): from XeHP on, not on Meteor Lake. The names of CmPrecisionType are those of Intel's
 * cm/cm_common.h. */
#ifndef CMKIT_CM_DETAIL_MATH_DPAS_H
#define CMKIT_CM_DETAIL_MATH_DPAS_H

/* What the dwords of an operand hold: integers of 2, 4 or 8 bits without and with signs, bfloat16, half, tf32. */
enum CmPrecisionType {
    CM_Precision_U2 = 2,
    CM_Precision_S2 = 3,
    CM_Precision_U4 = 4,
    CM_Precision_S4 = 5,
    CM_Precision_U8 = 6,
    CM_Precision_S8 = 7,
    CM_Precision_BF16 = 8,
    CM_Precision_FP16 = 9,
    CM_Precision_TF32 = 11,
    CM_PRECISION_U2 = CM_Precision_U2,
    CM_PRECISION_S2 = CM_Precision_S2,
    CM_PRECISION_U4 = CM_Precision_U4,
    CM_PRECISION_S4 = CM_Precision_S4,
    CM_PRECISION_U8 = CM_Precision_U8,
    CM_PRECISION_S8 = CM_Precision_S8,
    CM_PRECISION_BF = CM_Precision_BF16,
    CM_PRECISION_HF = CM_Precision_FP16,
    CM_PRECISION_TF32 = CM_Precision_TF32
};

/* details::get_dpas_execution_size(precision): the number, a constant int, of columns of a product, dwords in a
 * register, which production kernels ask the inside of Intel's headers for. All platforms.
 * Source: Intel's cm/dpas/helpers.h. */
namespace details
{
template <int RegisterBits> constexpr int dpas_columns(CmPrecisionType)
{
    return RegisterBits / 32;
}
} // namespace details
#define get_dpas_execution_size dpas_columns<CM_GRF_WIDTH> /* the width is known where the kernel is compiled */

namespace cm_detail
{

constexpr int precision_bits(CmPrecisionType p)
{
    return p == CM_PRECISION_TF32 ? 32
           : p >= CM_PRECISION_BF ? 16
           : p >= CM_PRECISION_U8 ? 8
           : p >= CM_PRECISION_U4 ? 4
                                  : 2;
}
constexpr bool precision_is_float(CmPrecisionType p)
{
    return p >= CM_PRECISION_BF;
}

/* Numbers of one row of A, or of one column of B, that an instruction multiplies: 8 steps of up to 8. */
constexpr int dpas_depth(CmPrecisionType b, CmPrecisionType a, int depth)
{
    int widest = precision_bits(b) > precision_bits(a) ? precision_bits(b) : precision_bits(a);
    return depth * (32 / widest < 8 ? 32 / widest : 8);
}

/* Columns of B by the size of its operand: 8, on Xe HPC 16. */
template <CmPrecisionType B, CmPrecisionType A, int Depth, typename Src1> constexpr int dpas_columns()
{
    constexpr int bits = facts<Src1>::count * (int)sizeof(element<Src1>) * 8;
    constexpr int columns = bits / (dpas_depth(B, A, Depth) * precision_bits(B));
    static_assert(columns * dpas_depth(B, A, Depth) * precision_bits(B) == bits && (columns == 8 || columns == 16),
                  "cm_dpas: the first source must hold 8 columns (16 on PVC) of as many numbers as the precisions ask");
    return columns;
}

/* Elements of results and accumulators: the bits of a bfloat16 are a short's. */
template <CmPrecisionType B, typename R>
constexpr bool is_dpas_sum =
    precision_is_float(B) ? __is_same(R, float) || (B == CM_PRECISION_HF && __is_same(R, half)) ||
                                (B == CM_PRECISION_BF && __is_same(R, short))
                          : __is_same(R, int) || __is_same(R, uint);

template <CmPrecisionType B, CmPrecisionType A, typename R, int Depth, int Repeat, int Rows, typename Acc,
          typename Src1, typename Src2>
constexpr bool check_dpas()
{
    static_assert(Depth == 8, "cm_dpas: a systolic depth of {Depth}; it must be 8");
    static_assert(Repeat >= 1 && Repeat <= 8, "cm_dpas: a repeat count of {Repeat}; it must be 1 to 8");
    static_assert(precision_is_float(B) ? A == B : !precision_is_float(A),
                  "cm_dpas: both sources hold integers, or the same kind of float");
    static_assert(is_dpas_sum<B, R>,
                  "cm_dpas: integers add up to int or uint, floats to float; on PVC also half to half "
                  "and bfloat16 to short, which holds its bits");
    static_assert(!CM_DETAIL_IS_OPERAND(Acc) || !precision_is_float(B) || is_dpas_sum<B, element<Acc>>,
                  "cm_dpas: an accumulator of {Acc}; its elements are float, or of half and bfloat16 half and short");
    static_assert(__is_integral(element<Src1>) && __is_integral(element<Src2>) && sizeof(element<Src1>) == 4 &&
                      sizeof(element<Src2>) == 4,
                  "cm_dpas: the sources are vectors of int or uint that hold packed numbers");
    constexpr int columns = dpas_columns<B, A, Depth, Src1>();
    static_assert(facts<Src2>::count * 32 == Rows * dpas_depth(B, A, Depth) * precision_bits(A),
                  "cm_dpas: a second source of {Src2}; it must hold a row of numbers for each repetition");
    static_assert(!CM_DETAIL_IS_OPERAND(Acc) || facts<Acc>::count == Repeat * columns,
                  "cm_dpas: the accumulator must have a row of columns for each repetition");
    return true;
}

/* The instruction's constant: tables/builtins.def. The intrinsic's numbers of precisions are larger by one. */
template <CmPrecisionType B, CmPrecisionType A, int Depth, int Repeat, bool Signed, bool Halved>
constexpr uint dpas_how = (B + 1) | (A + 1) << 4 | Depth << 8 | Repeat << 12 | Signed << 16 | Halved << 17;

/* The accumulator as lanes of S. */
template <typename S, int N, bool Brain, typename Acc> CM_DETAIL_INLINE lanes<S, N> dpas_accumulator(const Acc &acc)
{
    if constexpr (Brain && __is_same(element<Acc>, short) && __is_same(S, float)) {
        lanes<short, N> bits = lanes_of<short, N>(acc);
        return __cm_bf_widen<float, ushort, N>(__builtin_bit_cast(lanes<ushort, N>, bits));
    } else {
        return lanes_of<S, N>(acc);
    }
}

template <CmPrecisionType B, CmPrecisionType A, typename R, int Depth, int Repeat, bool Halved, typename Acc,
          typename Src1, typename Src2>
CM_DETAIL_INLINE auto dpas(const Acc &acc, const Src1 &b, const Src2 &a)
{
    constexpr int rows = Halved ? (Repeat + 1) / 2 : Repeat;
    static_assert(check_dpas<B, A, R, Depth, Repeat, rows, Acc, Src1, Src2>());
    constexpr int N = Repeat * dpas_columns<B, A, Depth, Src1>(), M = facts<Src1>::count, K = facts<Src2>::count;
    constexpr bool is_signed_result = __is_floating_point(R) || __is_signed(R);
    /* where result and accumulator differ, the sum is one of floats */
    constexpr bool mixed = CM_DETAIL_IS_OPERAND(Acc) && precision_is_float(B) && !__is_same(element<Acc>, R);
    typedef conditional<mixed, float, R> S;
    lanes<S, N> sum = dpas_accumulator < S, N, B == CM_PRECISION_BF > (acc);
    lanes<S, N> total = __cm_dpas<S, N, M, K>(dpas_how<B, A, Depth, Repeat, is_signed_result, Halved>, sum,
                                              lanes_of<int, M>(b), lanes_of<int, K>(a));
    if constexpr (mixed && __is_same(R, short))
        return vector<R, N>(from_lanes(), __builtin_bit_cast(lanes<short, N>, __cm_bf_round<ushort, float, N>(total)));
    else
        return vector<R, N>(from_lanes(), convert<R, S, N>(total));
}

template <typename Acc, typename Given>
using dpas_result =
    conditional<__is_same(Given, void), conditional<CM_DETAIL_IS_OPERAND(Acc), element<Acc>, int>, Given>;

} // namespace cm_detail

/* get_precision_bits(P): the bits of a number of that precision (CmPrecisionType); get_ops_per_channel(P1, P2): the
 * numbers of a dword of the wider one, at most 8, which cm_dpas multiplies at a step. Constants of type uint. All
 * platforms.
 * Source: Intel's cm/cm_common.h. */
constexpr unsigned get_precision_bits(CmPrecisionType precision)
{
    return cm_detail::precision_bits(precision);
}
/* get_ops_per_channel(P1, P2): the numbers of a dword of the wider precision, at most 8. */
constexpr unsigned get_ops_per_channel(CmPrecisionType src1, CmPrecisionType src2)
{
    return cm_detail::dpas_depth(src1, src2, 1);
}

/* cm_dpas<P1, P2, [T,] depth, repeat>(acc, src1, src2): acc + A * B, where B is src1 (8 columns, on PVC 16; in VNNI
 * order: the numbers of one dword are neighbours in a column) and A is src2, `repeat` rows one after the other; P1 and
 * P2 say what their dwords hold (CmPrecisionType), depth is 8. A row has 8 times as many numbers as fit into a dword,
 * at most 64. acc is a vector of repeat rows of columns, or 0 (then T is the result's type); cm_dpas<P1, P2, depth,
 * repeat, T, T1, T2, N>(acc, src1, src2) spells all types out. Elements of acc and result are int or uint for integers,
 * float for half, bfloat16 and tf32; where the platform has it (PVC), half for half and short, which holds the bits,
 * for bfloat16, in one of them or in both. No saturation. cm_dpasw<...>(acc, src1, src2): src2 has half as many rows,
 * for two threads that share them. Not inside SIMD control flow. From XEHP_SDV on but not on MTL (cm_dpasw: nor on PVC;
 * tf32: PVC only).
 * Source: Intel's cm/cm_dpas.h. */
template <CmPrecisionType P1, CmPrecisionType P2, typename T, int Depth, int Repeat, typename Acc, typename Src1,
          typename Src2>
CM_DETAIL_INLINE auto cm_dpas(const Acc &acc, const Src1 &src1, const Src2 &src2, int = 0)
{
    return cm_detail::dpas<P1, P2, T, Depth, Repeat, false>(acc, src1, src2);
}
/* cm_dpas<P1, P2, depth, repeat[, T]>(acc, src1, src2): acc + A * B of matrices; the result's type is that of acc
 * unless given. */
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Repeat, typename T = void, typename Acc, typename Src1,
          typename Src2>
CM_DETAIL_INLINE auto cm_dpas(const Acc &acc, const Src1 &src1, const Src2 &src2, int = 0)
{
    return cm_detail::dpas<P1, P2, cm_detail::dpas_result<Acc, T>, Depth, Repeat, false>(acc, src1, src2);
}
/* With the types of the sources' elements, and optionally their numbers of elements. */
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Repeat, typename T, typename T1, typename T2, int... N,
          typename Acc, typename Src1, typename Src2>
CM_DETAIL_INLINE auto cm_dpas(const Acc &acc, const Src1 &src1, const Src2 &src2, int = 0)
{
    return cm_detail::dpas<P1, P2, T, Depth, Repeat, false>(acc, src1, src2);
}
/* cm_dpas<P1, P2, T, depth, repeat, TA, T1, T2>(acc, src1, src2): acc + A * B of matrices; with the types of
 * all operands, and optionally their numbers of elements. */
template <CmPrecisionType P1, CmPrecisionType P2, typename T, int Depth, int Repeat, typename A, typename T1,
          typename T2, int... N, typename Acc, typename Src1, typename Src2>
CM_DETAIL_INLINE auto cm_dpas(const Acc &acc, const Src1 &src1, const Src2 &src2, int = 0)
{
    return cm_detail::dpas<P1, P2, T, Depth, Repeat, false>(acc, src1, src2);
}
/* cm_dpasw<P1, P2, depth, repeat[, T]>(acc, src1, src2): acc + A * B of matrices; src2 has half as many rows, for
 * two threads that share them. */
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Repeat, typename T = void, typename Acc, typename Src1,
          typename Src2>
CM_DETAIL_INLINE auto cm_dpasw(const Acc &acc, const Src1 &src1, const Src2 &src2, int = 0)
{
    return cm_detail::dpas<P1, P2, cm_detail::dpas_result<Acc, T>, Depth, Repeat, true>(acc, src1, src2);
}
/* cm_dpasw<P1, P2, depth, repeat, T, T1, T2>(acc, src1, src2): acc + A * B of matrices; with the types of
 * the sources' elements. */
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Repeat, typename T, typename T1, typename T2, int... N,
          typename Acc, typename Src1, typename Src2>
CM_DETAIL_INLINE auto cm_dpasw(const Acc &acc, const Src1 &src1, const Src2 &src2, int = 0)
{
    return cm_detail::dpas<P1, P2, T, Depth, Repeat, true>(acc, src1, src2);
}

#endif
