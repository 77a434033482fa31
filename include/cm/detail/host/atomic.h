/* Defines atomic operations on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_ATOMIC_H
#define CMKIT_CM_DETAIL_HOST_ATOMIC_H

namespace cm_detail
{
/* What an atomic operation of tables/visa_atomics.def stores. */
template <typename T> inline T host_atomic_result(unsigned operation, T old, T x, T y)
{
    if constexpr (__is_floating_point(T)) {
        switch (operation) {
        case 13: return old > x ? old : x;
        case 14: return old < x ? old : x;
        case 15: return old == y ? x : old;
        default: return x; /* exchange: headers refuse the rest */
        }
    } else {
        switch (operation) {
        case 0: return old + x;
        case 1: return old - x;
        case 2: return old + 1;
        case 3: return old - 1;
        case 4: return (__make_unsigned(T))x < (__make_unsigned(T))old ? x : old;
        case 5: return (__make_unsigned(T))x > (__make_unsigned(T))old ? x : old;
        case 6: return x;
        case 7: return old == y ? x : old;
        case 8: return old & x;
        case 9: return old | x;
        case 10: return old ^ x;
        case 11: return (__make_signed(T))x < (__make_signed(T))old ? x : old;
        default: return (__make_signed(T))x > (__make_signed(T))old ? x : old;
        }
    }
}
template <typename T> inline T host_atomic(unsigned operation, char *at, T x, T y)
{
    typedef conditional<sizeof(T) == 8, uint64_t, uint32_t> word;
    word old = __atomic_load_n((word *)at, __ATOMIC_SEQ_CST), wanted;
    do
        wanted = __builtin_bit_cast(word, host_atomic_result<T>(operation, __builtin_bit_cast(T, old), x, y));
    while (!__atomic_compare_exchange_n((word *)at, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return __builtin_bit_cast(T, old);
}
} // namespace cm_detail
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                          cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> x,
                                          cm_detail::lanes<T, N> y)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, N> a(x), b(y), old;
    for (int k = 0; k < N; k++) {
        bool on = m.at[k] && cm_detail::is_live<N>(k);
        char *at = on ? cm_detail::host_buffer(surface, distance.at[k] & ~3u, sizeof(T)) : nullptr;
        old.at[k] = at ? cm_detail::host_atomic<T>(operation, at, a.at[k], b.at[k]) : (T)0;
    }
    return old;
}

#endif
