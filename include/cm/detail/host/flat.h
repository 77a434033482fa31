/* Defines accesses by flat addresses on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_FLAT_H
#define CMKIT_CM_DETAIL_HOST_FLAT_H

/* Flat addresses. */
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_svm_block_read(svmptr_t address)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::array<T, N> value;
    __builtin_memcpy(value.at, (const void *)address, sizeof value.at);
    return value;
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_svm_block_read_unaligned(svmptr_t address)
{
    return __cm_svm_block_read<T, N>(address);
}
template <typename T, int N> inline void __cm_svm_block_write(svmptr_t address, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::array<T, N> from(value);
    __builtin_memcpy((void *)address, from.at, sizeof from.at);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_svm_gather(cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                                              cm_detail::lanes<T, N> off)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> from(addresses);
    cm_detail::array<T, N> value(off);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k))
            value.at[k] = cm_detail::host_load<T>((const void *)from.at[k]);
    return value;
}
template <typename T, int N>
inline void __cm_svm_scatter(cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                             cm_detail::lanes<T, N> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> to(addresses);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k))
            cm_detail::host_store<T>((void *)to.at[k], from.at[k]);
}

template <typename T, int N, int M>
inline cm_detail::lanes<T, M> __cm_svm_gather4(unsigned channels, cm_detail::lanes<ushort, N> mask,
                                               cm_detail::lanes<uint64_t, N> addresses)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> from(addresses);
    cm_detail::array<T, M> value;
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++)
            value.at[row * N + k] = m.at[k] && cm_detail::is_live<N>(k)
                                        ? cm_detail::host_load<T>((const char *)from.at[k] + 4 * channel)
                                        : (T)0;
        row++;
    }
    return value;
}
template <typename T, int N, int M>
inline void __cm_svm_scatter4(unsigned channels, cm_detail::lanes<ushort, N> mask,
                              cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, M> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> to(addresses);
    cm_detail::array<T, M> from(value);
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++)
            if (m.at[k] && cm_detail::is_live<N>(k))
                cm_detail::host_store<T>((char *)to.at[k] + 4 * channel, from.at[row * N + k]);
        row++;
    }
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_svm_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask,
                                              cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, N> x,
                                              cm_detail::lanes<T, N> y)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> at(addresses);
    cm_detail::array<T, N> a(x), b(y), old;
    for (int k = 0; k < N; k++)
        old.at[k] = m.at[k] && cm_detail::is_live<N>(k)
                        ? cm_detail::host_atomic<T>(operation, (char *)at.at[k], a.at[k], b.at[k])
                        : (T)0;
    return old;
}

#endif
