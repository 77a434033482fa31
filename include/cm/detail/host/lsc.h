/* Defines the load/store cache (LSC) on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_LSC_H
#define CMKIT_CM_DETAIL_HOST_LSC_H

/* The load/store cache: 16 lanes. The elements of a lane are contiguous in memory and apart in the value. Place: the
 * address of byte `byte` of lane k, or NULL. */
namespace cm_detail
{
constexpr unsigned host_lsc_bytes(unsigned how)
{
    return (how >> 8 & 15) == 4 ? 8 : (how >> 8 & 15) == 5 ? 1 : (how >> 8 & 15) == 6 ? 2 : 4;
}
template <typename T, int N, typename Place>
inline lanes<T, N> host_lsc_load(unsigned how, lanes<ushort, 16> mask, const Place &place)
{
    array<ushort, 16> m(mask);
    array<T, N> value;
    unsigned bytes = host_lsc_bytes(how);
    for (int k = 0; k < N; k++) {
        T x = 0;
        const char *from = m.at[k % 16] && is_live<16>(k % 16) ? place(k % 16, k / 16 * bytes, bytes) : nullptr;
        if (from)
            __builtin_memcpy(&x, from, bytes);
        value.at[k] = x;
    }
    return value;
}
template <typename T, int N, typename Place>
inline void host_lsc_store(unsigned how, lanes<ushort, 16> mask, const Place &place, lanes<T, N> value)
{
    array<ushort, 16> m(mask);
    array<T, N> from(value);
    unsigned bytes = host_lsc_bytes(how);
    for (int k = 0; k < N; k++)
        if (char *to = m.at[k % 16] && is_live<16>(k % 16) ? place(k % 16, k / 16 * bytes, bytes) : nullptr)
            __builtin_memcpy(to, &from.at[k], bytes);
}
struct host_lsc_surface {
    SurfaceIndex surface;
    array<uint, 16> at;
    char *operator()(int k, unsigned byte, unsigned bytes) const
    {
        return host_buffer(surface, at.at[k] + byte, bytes);
    }
};
struct host_lsc_flat {
    array<uint64_t, 16> at;
    char *operator()(int k, unsigned byte, unsigned) const { return (char *)at.at[k] + byte; }
};
} // namespace cm_detail
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_load(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                                            cm_detail::lanes<uint, 16> offsets)
{
    return cm_detail::host_lsc_load<T, N>(how, mask, cm_detail::host_lsc_surface{surface, offsets});
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_load_flat(unsigned how, cm_detail::lanes<ushort, 16> mask,
                                                 cm_detail::lanes<uint64_t, 16> addresses)
{
    return cm_detail::host_lsc_load<T, N>(how, mask, cm_detail::host_lsc_flat{addresses});
}
template <typename T, int N>
inline void __cm_lsc_store(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                           cm_detail::lanes<uint, 16> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::host_lsc_store<T, N>(how, mask, cm_detail::host_lsc_surface{surface, offsets}, value);
}
template <typename T, int N>
inline void __cm_lsc_store_flat(unsigned how, cm_detail::lanes<ushort, 16> mask,
                                cm_detail::lanes<uint64_t, 16> addresses, cm_detail::lanes<T, N> value)
{
    cm_detail::host_lsc_store<T, N>(how, mask, cm_detail::host_lsc_flat{addresses}, value);
}
inline void __cm_lsc_prefetch(unsigned, cm_detail::lanes<ushort, 16>, SurfaceIndex, cm_detail::lanes<uint, 16>) {}
inline void __cm_lsc_prefetch_flat(unsigned, cm_detail::lanes<ushort, 16>, cm_detail::lanes<uint64_t, 16>) {}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_block_load(unsigned, SurfaceIndex surface, unsigned offset)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++) {
        const char *from = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T));
        value.at[k] = from ? cm_detail::host_load<T>(from) : (T)0;
    }
    return value;
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_lsc_block_load_flat(unsigned, uint64_t address)
{
    return __cm_svm_block_read<T, N>(address);
}
template <typename T, int N>
inline void __cm_lsc_block_store(unsigned, SurfaceIndex surface, unsigned offset, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (char *to = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T)))
            cm_detail::host_store<T>(to, from.at[k]);
}
template <typename T, int N>
inline void __cm_lsc_block_store_flat(unsigned, uint64_t address, cm_detail::lanes<T, N> value)
{
    __cm_svm_block_write<T, N>(address, value);
}
inline void __cm_lsc_block_prefetch(unsigned, SurfaceIndex, unsigned) {}
inline void __cm_lsc_block_prefetch_flat(unsigned, uint64_t) {}
inline void __cm_lsc_fence(unsigned)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
