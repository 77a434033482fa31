/* Defines reads and writes of buffers on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_BUFFER_H
#define CMKIT_CM_DETAIL_HOST_BUFFER_H

/* Buffers. A block is checked element by element: what is outside reads as 0. */
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_oword_read(SurfaceIndex surface, unsigned offset)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++) {
        const char *from = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T));
        value.at[k] = from ? cm_detail::host_load<T>(from) : (T)0;
    }
    return value;
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_oword_read_unaligned(SurfaceIndex surface, unsigned offset)
{
    return __cm_oword_read<T, N>(surface, offset);
}
template <typename T, int N>
inline void __cm_oword_write(SurfaceIndex surface, unsigned offset, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (char *to = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T)))
            cm_detail::host_store<T>(to, from.at[k]);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_gather(cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                                          cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> off)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, N> value(off);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k)) {
            const char *from = cm_detail::host_buffer(surface, base + distance.at[k], sizeof(T));
            value.at[k] = from ? cm_detail::host_load<T>(from) : (T)0;
        }
    return value;
}
template <typename T, int N>
inline void __cm_scatter(cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                         cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k))
            if (char *to = cm_detail::host_buffer(surface, base + distance.at[k], sizeof(T)))
                cm_detail::host_store<T>(to, from.at[k]);
}

template <typename T, int N, int M>
inline cm_detail::lanes<T, M> __cm_gather4(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                           unsigned base, cm_detail::lanes<uint, N> offsets)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, M> value;
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++) {
            bool on = m.at[k] && cm_detail::is_live<N>(k);
            const char *from =
                on ? cm_detail::host_buffer(surface, base + distance.at[k] + 4 * channel, sizeof(T)) : nullptr;
            value.at[row * N + k] = from ? cm_detail::host_load<T>(from) : (T)0;
        }
        row++;
    }
    return value;
}
template <typename T, int N, int M>
inline void __cm_scatter4(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                          cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, M> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, M> from(value);
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++)
            if (m.at[k] && cm_detail::is_live<N>(k))
                if (char *to = cm_detail::host_buffer(surface, base + distance.at[k] + 4 * channel, sizeof(T)))
                    cm_detail::host_store<T>(to, from.at[row * N + k]);
        row++;
    }
}

#endif
