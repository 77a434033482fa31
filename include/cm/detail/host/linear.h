/* Defines on the CPU: dot products, linear functions and sums of absolute differences. Each is rounded once. */
#ifndef CMKIT_CM_DETAIL_HOST_LINEAR_H
#define CMKIT_CM_DETAIL_HOST_LINEAR_H

namespace cm_detail
{

/* Of each four lanes the products of the first Count, then the second factor alone where it is Last, in all four. */
template <int Count, int Last, typename T, int N> inline lanes<T, N> host_dot(lanes<T, N> x, lanes<T, N> y)
{
    array<T, N> a(x), b(y), value;
    for (int k = 0; k < N; k += 4) {
        double sum = Last ? b.at[k + Last] : 0;
        for (int n = 0; n < Count; n++)
            sum += (double)a.at[k + n] * b.at[k + n];
        for (int n = 0; n < 4; n++)
            value.at[k + n] = (T)sum;
    }
    return value;
}

template <typename R, typename T, int N> inline lanes<R, N> host_differences(lanes<T, N> x, lanes<T, N> y)
{
    array<T, N> a(x), b(y);
    array<R, N> value;
    for (int k = 0; k < N; k++) {
        int pair = k & ~1, first = a.at[pair] - b.at[pair], second = a.at[pair + 1] - b.at[pair + 1];
        value.at[k] = (R)((first < 0 ? -first : first) + (second < 0 ? -second : second));
    }
    return value;
}

} // namespace cm_detail

template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lrp(cm_detail::lanes<T, N> weight, cm_detail::lanes<T, N> x,
                                       cm_detail::lanes<T, N> y)
{
    cm_detail::array<T, N> w(weight), a(x), b(y), value;
    for (int k = 0; k < N; k++)
        value.at[k] = (T)((double)a.at[k] * w.at[k] + (double)b.at[k] * (1 - (double)w.at[k]));
    return value;
}
#define CM_DETAIL_DOT(NAME, COUNT, LAST)                                                                               \
    template <typename T, int N>                                                                                       \
    inline cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y)                      \
    {                                                                                                                  \
        return cm_detail::host_dot<COUNT, LAST, T, N>(x, y);                                                           \
    }
CM_DETAIL_DOT(dp2, 2, 0)
CM_DETAIL_DOT(dp3, 3, 0)
CM_DETAIL_DOT(dp4, 4, 0)
CM_DETAIL_DOT(dph, 3, 3)
#undef CM_DETAIL_DOT
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_line(cm_detail::lanes<T, 4> coefficients, cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> a(x), value;
    for (int k = 0; k < N; k++)
        value.at[k] = (T)((double)coefficients[0] * a.at[k] + coefficients[3]);
    return value;
}
template <typename T, int N, int M>
inline cm_detail::lanes<T, N> __cm_pln(cm_detail::lanes<T, 4> coefficients, cm_detail::lanes<T, M> x)
{
    cm_detail::array<T, M> a(x);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++) {
        int at = k / 8 * 16 + k % 8;
        value.at[k] =
            (T)((double)coefficients[0] * a.at[at] + (double)coefficients[1] * a.at[at + 8] + coefficients[3]);
    }
    return value;
}
template <typename R, typename T, int N>
inline cm_detail::lanes<R, N> __cm_ssad2(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y)
{
    return cm_detail::host_differences<R, T, N>(x, y);
}
template <typename R, typename T, int N>
inline cm_detail::lanes<R, N> __cm_usad2(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y)
{
    return cm_detail::host_differences<R, T, N>(x, y);
}

#endif
