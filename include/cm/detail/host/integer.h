/* Defines bit fields, saturation and dp4a on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_INTEGER_H
#define CMKIT_CM_DETAIL_HOST_INTEGER_H

/* Bit fields as the hardware has them: widths and offsets count modulo 32. */
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_bfi(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                       cm_detail::lanes<T, N> field, cm_detail::lanes<T, N> base)
{
    cm_detail::array<T, N> w(width), o(offset), f(field), value(base);
    for (int k = 0; k < N; k++) {
        uint32_t mask = (((uint32_t)1 << (w.at[k] & 31)) - 1) << (o.at[k] & 31);
        value.at[k] = (((uint32_t)f.at[k] << (o.at[k] & 31)) & mask) | ((uint32_t)value.at[k] & ~mask);
    }
    return value;
}
namespace cm_detail
{
/* W: the type whose sign decides how the field is extended. */
template <typename W, typename T, int N>
inline lanes<T, N> host_extract(lanes<T, N> width, lanes<T, N> offset, lanes<T, N> from)
{
    array<T, N> w(width), o(offset), value(from);
    for (int k = 0; k < N; k++) {
        unsigned bits = w.at[k] & 31, at = o.at[k] & 31;
        uint32_t x = value.at[k];
        if (bits == 0)
            value.at[k] = 0;
        else if (bits + at < 32)
            value.at[k] = (W)(x << (32 - bits - at)) >> (32 - bits);
        else
            value.at[k] = (W)x >> at;
    }
    return value;
}
} // namespace cm_detail
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_ubfe(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                        cm_detail::lanes<T, N> value)
{
    return cm_detail::host_extract<uint32_t, T, N>(width, offset, value);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_sbfe(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                        cm_detail::lanes<T, N> value)
{
    return cm_detail::host_extract<int32_t, T, N>(width, offset, value);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_bfn(unsigned table, cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y,
                                       cm_detail::lanes<T, N> z)
{
    cm_detail::array<T, N> a(x), b(y), c(z), value;
    for (int k = 0; k < N; k++) {
        value.at[k] = 0;
        for (unsigned bit = 0; bit < 8 * sizeof(T); bit++) {
            unsigned row = (a.at[k] >> bit & 1) | (b.at[k] >> bit & 1) << 1 | (c.at[k] >> bit & 1) << 2;
            value.at[k] |= (T)(table >> row & 1) << bit;
        }
    }
    return value;
}

namespace cm_detail
{

template <typename T>
constexpr T greatest_integer = __is_signed(T) ? (T)(((uint64_t)1 << (sizeof(T) * 8 - 1)) - 1) : (T) ~(T)0;
template <typename T> constexpr T least_integer = __is_signed(T) ? (T)((uint64_t)1 << (sizeof(T) * 8 - 1)) : (T)0;

template <typename R, typename T> inline R host_saturate(T x)
{
    if constexpr (__is_floating_point(T)) {
        if (!(x == x))
            return 0;
        if ((double)x <= (double)least_integer<R>)
            return least_integer<R>;
        return (double)x >= (double)greatest_integer<R> ? greatest_integer<R> : (R)x;
    } else { /* 128 bits hold every integer */
        return (__int128)x<(__int128)least_integer<R> ? least_integer<R> : (__int128)x>(__int128) greatest_integer<R>
                   ? greatest_integer<R>
                   : (R)x;
    }
}

} // namespace cm_detail

template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_dp4a(unsigned how, cm_detail::lanes<T, N> sum, cm_detail::lanes<T, N> x,
                                        cm_detail::lanes<T, N> y)
{
    cm_detail::array<T, N> value(sum), a(x), b(y);
    for (int k = 0; k < N; k++) {
        int64_t total = how & 1 ? (int64_t)(int32_t)value.at[k] : (int64_t)(uint32_t)value.at[k];
        for (int byte = 0; byte < 4; byte++) {
            uint8_t p = (uint32_t)a.at[k] >> 8 * byte, q = (uint32_t)b.at[k] >> 8 * byte;
            total += how & 2 ? (int8_t)p * (int8_t)q : p * q;
        }
        if (!(how & 4))
            value.at[k] = (T)total;
        else if (how & 1)
            value.at[k] = (T)cm_detail::host_saturate<int32_t, int64_t>(total);
        else
            value.at[k] = (T)cm_detail::host_saturate<uint32_t, int64_t>(total);
    }
    return value;
}

#endif
