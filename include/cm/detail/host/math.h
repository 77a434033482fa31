/* Defines arithmetic on the CPU, of each lane. */
#ifndef CMKIT_CM_DETAIL_HOST_MATH_H
#define CMKIT_CM_DETAIL_HOST_MATH_H

namespace cm_detail
{
template <typename T> inline T host_rotate(T x, T count)
{
    constexpr unsigned bits = 8 * sizeof(T);
    unsigned n = count & (bits - 1);
    return n ? (T)(x << n | x >> (bits - n)) : x;
}
} // namespace cm_detail

/* Functions of a lane: half computes in float. W is the type to compute in, x and y the operands. */
#define CM_DETAIL_WIDE(T) cm_detail::conditional<__is_same(T, half), float, T>
#define CM_DETAIL_UNARY(NAME, VALUE)                                                                                   \
    template <typename T, int N> inline cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> operand)             \
    {                                                                                                                  \
        typedef CM_DETAIL_WIDE(T) W;                                                                                   \
        cm_detail::array<T, N> value(operand);                                                                         \
        for (int k = 0; k < N; k++) {                                                                                  \
            W x = value.at[k];                                                                                         \
            value.at[k] = (T)(VALUE);                                                                                  \
        }                                                                                                              \
        return value;                                                                                                  \
    }
#define CM_DETAIL_BINARY(NAME, VALUE)                                                                                  \
    template <typename T, int N>                                                                                       \
    inline cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> left, cm_detail::lanes<T, N> right)               \
    {                                                                                                                  \
        typedef CM_DETAIL_WIDE(T) W;                                                                                   \
        cm_detail::array<T, N> a(left), b(right);                                                                      \
        for (int k = 0; k < N; k++) {                                                                                  \
            W x = a.at[k], y = b.at[k];                                                                                \
            a.at[k] = (T)(VALUE);                                                                                      \
        }                                                                                                              \
        return a;                                                                                                      \
    }
CM_DETAIL_UNARY(inv, 1 / x);
CM_DETAIL_UNARY(log, __builtin_log2f(x));
CM_DETAIL_UNARY(exp, __builtin_exp2f(x));
CM_DETAIL_UNARY(sqrt, __builtin_sqrtf(x));
CM_DETAIL_UNARY(rsqrt, 1 / __builtin_sqrtf(x));
CM_DETAIL_UNARY(sin, __builtin_sinf(x));
CM_DETAIL_UNARY(cos, __builtin_cosf(x));
CM_DETAIL_BINARY(pow, __builtin_powf(x, y));
CM_DETAIL_UNARY(rndd, __builtin_floorf(x));
CM_DETAIL_UNARY(rndu, __builtin_ceilf(x));
CM_DETAIL_UNARY(rnde, __builtin_rintf(x));
CM_DETAIL_UNARY(rndz, __builtin_truncf(x));
CM_DETAIL_UNARY(frc, x - __builtin_floorf(x));
CM_DETAIL_BINARY(smin, y < x ? y : x);
CM_DETAIL_BINARY(smax, y > x ? y : x);
CM_DETAIL_BINARY(umin, y < x ? y : x);
CM_DETAIL_BINARY(umax, y > x ? y : x);
CM_DETAIL_BINARY(fmin, x < y || y != y ? x : y); /* which of two zeros or NaNs, as sel has it */
CM_DETAIL_BINARY(fmax, x >= y || y != y ? x : y);
CM_DETAIL_UNARY(sabs, x < 0 ? 0 - x : x);
CM_DETAIL_UNARY(fabs, __builtin_fabs(x));
CM_DETAIL_UNARY(sat_f, x > 0 ? (x < 1 ? x : 1) : 0);
CM_DETAIL_UNARY(bfrev, __builtin_bitreverse32(x));
CM_DETAIL_BINARY(ieee_div, x / y);
CM_DETAIL_UNARY(ieee_sqrt, sizeof(x) == 8 ? (W)__builtin_sqrt(x) : (W)__builtin_sqrtf(x));
CM_DETAIL_BINARY(savg, ((int64_t)x + (int64_t)y + 1) >> 1);
CM_DETAIL_BINARY(uavg, ((uint64_t)x + (uint64_t)y + 1) >> 1);
CM_DETAIL_BINARY(smulh, ((int64_t)x * (int64_t)y) >> 32);
CM_DETAIL_BINARY(umulh, ((uint64_t)x * (uint64_t)y) >> 32);
CM_DETAIL_BINARY(rol, cm_detail::host_rotate<T>(x, y));
CM_DETAIL_BINARY(ror, cm_detail::host_rotate<T>(x, 0 - y));
#undef CM_DETAIL_UNARY
#undef CM_DETAIL_BINARY
#undef CM_DETAIL_WIDE

#endif
