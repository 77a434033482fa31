/* Defines products of matrices (dpas) on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_DPAS_H
#define CMKIT_CM_DETAIL_HOST_DPAS_H

namespace cm_detail
{
/* Number k of dwords that hold numbers of a CmPrecisionType. */
inline double host_packed(const int *dwords, unsigned precision, unsigned k)
{
    constexpr unsigned u8 = 7, s8 = 8, bf16 = 9, fp16 = 10, tf32 = 12;
    unsigned bits = precision == tf32 ? 32 : precision >= bf16 ? 16 : precision >= u8 ? 8 : precision >= 5 ? 4 : 2;
    uint32_t number = (uint32_t)dwords[k * bits / 32] >> k * bits % 32;
    if (precision == tf32)
        return __builtin_bit_cast(float, number & ~0x1fffu);
    number &= (1u << bits) - 1;
    if (precision == bf16)
        return __builtin_bit_cast(float, number << 16);
    if (precision == fp16)
        return (double)__builtin_bit_cast(half, (ushort)number);
    bool negative = precision <= s8 && precision % 2 == 0 && number >> (bits - 1); /* signed kinds are even */
    return negative ? (double)number - (double)(1u << bits) : (double)number;
}
} // namespace cm_detail
namespace cm_detail
{
/* The bits of a bf16: rounded to the nearest, ties to even. */
inline short host_brain(float x)
{
    uint32_t bits = __builtin_bit_cast(uint32_t, x);
    return x != x ? (short)(bits >> 16 | 0x40) : (short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/* An accumulator's number: a short holds the bits of a bf16. */
template <typename T> inline double host_sum(T x)
{
    if constexpr (__is_same(T, short))
        return __builtin_bit_cast(float, (uint32_t)(ushort)x << 16);
    else
        return x;
}
} // namespace cm_detail

template <typename T, int N, int M, int K>
inline cm_detail::lanes<T, N> __cm_dpas(unsigned how, cm_detail::lanes<T, N> sum, cm_detail::lanes<int, M> b,
                                        cm_detail::lanes<int, K> a)
{
    cm_detail::check_outside_simd("cm_dpas is not allowed inside SIMD control flow");
    using namespace cm_detail;
    array<T, N> value(sum);
    array<int, M> columns_of(b);
    array<int, K> rows_of_a(a);
    unsigned p1 = how & 15, p2 = how >> 4 & 15, rows = how >> 12 & 15, columns = N / rows;
    if (how >> 17 & 1)
        host_fail("cm_dpasw shares rows between two threads, which the CPU does not have");
    unsigned bits = p2 == 12 ? 32 : p2 >= 9 ? 16 : p2 >= 7 ? 8 : p2 >= 5 ? 4 : 2;
    unsigned depth = K * 32 / rows / bits, bits1 = M * 32 / columns / depth, group = 32 / bits1;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++) {
            double total = host_sum<T>(value.at[r * columns + c]);
            for (unsigned k = 0; k < depth; k++) /* the numbers of a dword of B are neighbours in a column */
                total += host_packed(columns_of.at, p1, k / group * group * columns + c * group + k % group) *
                         host_packed(rows_of_a.at, p2, r * depth + k);
            if constexpr (__is_floating_point(T))
                value.at[r * columns + c] = (T)total;
            else if constexpr (sizeof(T) == 2)
                value.at[r * columns + c] = host_brain((float)total);
            else
                value.at[r * columns + c] = (T)(int64_t)total;
        }
    return value;
}

#endif
