/* Defines conversions and counts of bits on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_CONVERT_H
#define CMKIT_CM_DETAIL_HOST_CONVERT_H

#define CM_DETAIL_CONVERT(NAME)                                                                                        \
    template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_##NAME(cm_detail::lanes<T, N> operand) \
    {                                                                                                                  \
        cm_detail::array<T, N> x(operand);                                                                             \
        cm_detail::array<R, N> value;                                                                                  \
        for (int k = 0; k < N; k++)                                                                                    \
            value.at[k] = cm_detail::host_saturate<R, T>(x.at[k]);                                                     \
        return value;                                                                                                  \
    }
CM_DETAIL_CONVERT(sat_s2s);
CM_DETAIL_CONVERT(sat_s2u);
CM_DETAIL_CONVERT(sat_u2s);
CM_DETAIL_CONVERT(sat_u2u);
CM_DETAIL_CONVERT(sat_f2s);
CM_DETAIL_CONVERT(sat_f2u);
#undef CM_DETAIL_CONVERT

#define CM_DETAIL_COUNT(NAME, VALUE)                                                                                   \
    template <typename T, int N> inline cm_detail::lanes<uint, N> __cm_##NAME(cm_detail::lanes<T, N> operand)          \
    {                                                                                                                  \
        cm_detail::array<T, N> from(operand);                                                                          \
        cm_detail::array<uint, N> value;                                                                               \
        for (int k = 0; k < N; k++) {                                                                                  \
            __make_unsigned(T) x = from.at[k];                                                                         \
            value.at[k] = VALUE;                                                                                       \
        }                                                                                                              \
        return value;                                                                                                  \
    }
CM_DETAIL_COUNT(cbit, __builtin_popcountll(x));
CM_DETAIL_COUNT(fbl, x ? __builtin_ctz(x) : ~0u);
CM_DETAIL_COUNT(lzd, x ? __builtin_clz(x) : 32);
CM_DETAIL_COUNT(fbh, ((int)x < 0 ? (~x ? __builtin_clz(~x) : ~0u) : (x ? __builtin_clz(x) : ~0u)));
CM_DETAIL_COUNT(ufbh, (x ? __builtin_clz(x) : ~0u));
#undef CM_DETAIL_COUNT

namespace cm_detail
{
/* The bits of x without the lower `bits`, rounded to the nearest, ties to even. */
inline uint32_t host_shorten(float x, int bits)
{
    uint32_t word = __builtin_bit_cast(uint32_t, x), half_way = ((uint32_t)1 << (bits - 1)) - 1;
    if (!(x == x))
        return (word | 0x400000) >> bits << bits;
    return (word + half_way + (word >> bits & 1)) >> bits << bits;
}
} // namespace cm_detail
template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_bf_round(cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> from(x);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = (R)(cm_detail::host_shorten(from.at[k], 16) >> 16);
    return value;
}
template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_bf_widen(cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> from(x);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = __builtin_bit_cast(float, (uint32_t)from.at[k] << 16);
    return value;
}
template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_tf32_round(cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> from(x);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = cm_detail::host_shorten(from.at[k], 13);
    return value;
}

namespace cm_detail
{
/* x rounded to half by 13 random bits: they are added to the bits that half does not have, which are then cut. */
inline half host_round_randomly(float x, float random)
{
    uint32_t word = __builtin_bit_cast(uint32_t, x), added = __builtin_bit_cast(uint32_t, random);
    if (!__builtin_isfinite(x))
        return (half)x;
    float cut = __builtin_bit_cast(float, (word + (added & 0x1fff)) & ~(uint32_t)0x1fff);
    if (__builtin_fabsf(cut) < 0x1p-14f) /* a subnormal half */
        cut = __builtin_truncf(cut * 0x1p24f) * 0x1p-24f;
    return (half)cut;
}
} // namespace cm_detail
template <typename R, typename T, int N>
inline cm_detail::lanes<R, N> __cm_srnd(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> random)
{
    cm_detail::array<T, N> from(x), bits(random);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = cm_detail::host_round_randomly(from.at[k], bits.at[k]);
    return value;
}

#endif
