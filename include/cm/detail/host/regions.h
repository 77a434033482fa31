/* Defines the builtins of shuffles, references and masks on the CPU, lane by lane. */
#ifndef CMKIT_CM_DETAIL_HOST_REGIONS_H
#define CMKIT_CM_DETAIL_HOST_REGIONS_H

/* Shuffles by a pattern (builtins.h). */
template <int N, int Pitch, int Width, int Step> inline cm_detail::offsets<N> __lanes_pattern()
{
    cm_detail::array<ushort, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = k / Width * Pitch + k % Width * Step;
    return value;
}
template <typename T, int N, int M, int First, int Pitch, int Width, int Step>
inline cm_detail::lanes<T, N> __lanes_pick(cm_detail::lanes<T, M> x)
{
    cm_detail::array<T, M> from(x);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = from.at[First + k / Width * Pitch + k % Width * Step];
    return value;
}
template <int R, int C> inline int __lanes_distance(cm_detail::offsets<R * C>, int, int)
{
    return 0;
}
template <int N, int R, int C, int Pitch, int Width, int Step>
inline cm_detail::offsets<N> __lanes_part(cm_detail::offsets<R * C> x, int i, int j)
{
    cm_detail::array<ushort, R * C> from(x);
    cm_detail::array<ushort, N> value;
    for (int k = 0; k < N; k++) {
        unsigned at = i * C + j + k / Width * Pitch + k % Width * Step;
        value.at[k] = at < R * C ? from.at[at] : cm_detail::nowhere;
    }
    return value;
}
/* References. */
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_rdref(const void *base, cm_detail::offsets<N> offsets)
{
    cm_detail::array<ushort, N> from(offsets);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = from.at[k] == cm_detail::nowhere ? T() : cm_detail::host_load<T>((const char *)base + from.at[k]);
    return value;
}
/* Inactive lanes may hold any number, and their addresses may be unmapped. */
template <int N> inline cm_detail::offsets<N> __cm_distance(cm_detail::offsets<N> offsets)
{
    if (cm_detail::simd.width != N)
        return offsets;
    cm_detail::array<ushort, N> distance(offsets);
    for (int k = 0; k < N; k++)
        distance.at[k] = cm_detail::is_live<N>(k) ? distance.at[k] : 0;
    return distance;
}
template <typename T, int N>
inline void __cm_wrref(void *base, cm_detail::offsets<N> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::check_lanes<N>();
    cm_detail::array<ushort, N> to(offsets);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (cm_detail::is_live<N>(k) && to.at[k] != cm_detail::nowhere)
            cm_detail::host_store<T>((char *)base + to.at[k], from.at[k]);
}

template <typename T, int N>
inline void __cm_wrnew(void *base, cm_detail::offsets<N> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::array<ushort, N> to(offsets);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        cm_detail::host_store<T>((char *)base + to.at[k], from.at[k]);
}

/* Masks. Lanes that are not live do not take part. */
template <int N> inline ushort __cm_any(cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<ushort, N> m(mask);
    bool found = false;
    for (int k = 0; k < N; k++)
        found |= m.at[k] != 0 && cm_detail::is_live<N>(k);
    return found;
}
template <int N> inline ushort __cm_all(cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<ushort, N> m(mask);
    bool missing = false;
    for (int k = 0; k < N; k++)
        missing |= m.at[k] == 0 && cm_detail::is_live<N>(k);
    return !missing;
}
/* True if any live lane's mask is set: only simdcf.h knows what happens then. */
template <int N> inline bool __cm_simdcf_any(cm_detail::lanes<ushort, N> mask)
{
    return __cm_any<N>(mask);
}

/* The CPU has everything. */
inline bool __cm_has(unsigned)
{
    return true;
}
template <int N> inline cm_detail::lanes<ushort, N> __cm_live(cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<ushort, N> m(mask);
    for (int k = 0; k < N; k++)
        m.at[k] = cm_detail::is_live<N>(k) ? m.at[k] : 0;
    return m;
}

template <int N> inline cm_detail::lanes<ushort, N> __cm_narrowed(cm_detail::lanes<ushort, N> mask)
{
    return __cm_live<N>(mask);
}

template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_merge(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y,
                                         cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<T, N> a(x), b(y);
    cm_detail::array<ushort, N> m(mask);
    for (int k = 0; k < N; k++)
        if (!(m.at[k] & 1))
            a.at[k] = b.at[k];
    return a;
}

#endif
