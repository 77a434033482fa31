/* Texels of images by Intel's names for the load/store cache: the channels are a template argument. */
#ifndef CMKIT_CM_DETAIL_MEMORY_TYPED4_H
#define CMKIT_CM_DETAIL_MEMORY_TYPED4_H

namespace cm_detail
{

/* The constant of the builtins: channels, and hints for parts whose typed messages go through the load/store cache. */
template <lsc_access Access, ChannelMaskType Channels, CacheHint L1, CacheHint L3> constexpr unsigned typed_how()
{
    return (unsigned)Channels | lsc_how<Access, L1, L3>(0, 0) << 4;
}

template <ChannelMaskType Channels, typename M, typename U, typename... X> constexpr bool check_typed4()
{
    static_assert(sizeof...(X) < 3, "the coordinates are U, V and R; there is no level of detail");
    static_assert(facts<M>::rows == channel_count(Channels), "the matrix must have a row for each enabled channel");
    return check_typed<M, facts<U>::count, 1 + sizeof...(X)>();
}

template <ChannelMaskType Channels, CacheHint L1, CacheHint L3, typename M, int N, typename... X>
CM_DETAIL_INLINE void load_texels(const M &m, lanes<ushort, N> mask, SurfaceIndex image, const X &...x)
{
    typedef element<M> T;
    constexpr int rows = channel_count(Channels);
    constexpr unsigned how = typed_how<lsc_access::load, Channels, L1, L3>();
    vector<T, N * rows> data(from_lanes(),
                             __cm_typed_read<T, N, N * rows>(how, mask, image, coordinate<0, N>(x...),
                                                             coordinate<1, N>(x...), coordinate<2, N>(x...)));
    vector<ushort, N> moved(from_lanes(), mask);
#pragma unroll
    for (int row = 0; row < rows; row++)
        m.row(row).merge(data.template select<N, 1>(row * N), moved);
}

template <ChannelMaskType Channels, CacheHint L1, CacheHint L3, typename M, int N, typename... X>
CM_DETAIL_INLINE void store_texels(const M &m, lanes<ushort, N> mask, SurfaceIndex image, const X &...x)
{
    typedef element<M> T;
    constexpr int rows = channel_count(Channels);
    constexpr unsigned how = typed_how<lsc_access::store, Channels, L1, L3>();
    static_assert((Channels & (Channels + 1)) == 0,
                  "cm_store4_typed writes CM_R_ENABLE, CM_GR_ENABLE, CM_BGR_ENABLE or "
                  "CM_ABGR_ENABLE; write_typed writes others");
    vector<T, N * rows> data;
#pragma unroll
    for (int row = 0; row < rows; row++)
        data.template select<N, 1>(row * N) = m.row(row);
    __cm_typed_write<T, N, N * rows>(how, mask, image, coordinate<0, N>(x...), coordinate<1, N>(x...),
                                     coordinate<2, N>(x...), data.read_());
}

template <typename U> using if_coordinates = enable_if<CM_DETAIL_IS_OPERAND(U)>;

} // namespace cm_detail

/* cm_load4_typed<CHANNELS, L1, L3>(m, [predicate,] S, x[, y[, z]]): a texel for each of 8, 16 or 32 lanes, converted by
 * the image's format: the first channel that CHANNELS (CM_R_ENABLE ... CM_ABGR_ENABLE) enables into m's first row, and
 * so on. m: a matrix of int, uint or float. Lanes whose predicate's bit 0 is not set keep what they have. Coordinates,
 * vectors of integers, count texels; outside the image: 0. Cache hints have an effect where CM_HAS_LSC_TYPED is
 * defined. cm_store4_typed<CHANNELS, L1, L3>(m, [predicate,] S, x[, y[, z]]) writes R, GR, BGR or ABGR. All platforms
 * but not on PVC. Source: Intel's cm/cm_lsc.h. */
template <ChannelMaskType Channels, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, typename M,
          typename U, typename... X, typename = cm_detail::if_typed<M, U>>
CM_DETAIL_INLINE void cm_load4_typed(const M &m, SurfaceIndex image, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_typed4<Channels, M, U, X...>());
    load_texels<Channels, L1, L3, M, N>(m, (lanes<ushort, N>)(ushort)1, image, x, rest...);
}
/* cm_load4_typed<CHANNELS, L1, L3>(m, predicate, S, x[, y[, z]]): a texel for each lane whose predicate's bit 0 is
 * set. */
template <ChannelMaskType Channels, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, typename M,
          typename P, typename U, typename... X, typename = cm_detail::if_typed<M, U>, typename = void>
CM_DETAIL_INLINE void cm_load4_typed(const M &m, const P &predicate, SurfaceIndex image, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_typed4<Channels, M, U, X...>());
    load_texels<Channels, L1, L3, M, N>(m, mask_of<N>(predicate), image, x, rest...);
}
/* cm_store4_typed<CHANNELS, L1, L3>(m, S, x[, y[, z]]): writes m's rows to channels of texels. */
template <ChannelMaskType Channels, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, typename M,
          typename U, typename... X, typename = cm_detail::if_typed<M, U>>
CM_DETAIL_INLINE void cm_store4_typed(const M &m, SurfaceIndex image, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_typed4<Channels, M, U, X...>());
    store_texels<Channels, L1, L3, M, N>(m, (lanes<ushort, N>)(ushort)1, image, x, rest...);
}
/* cm_store4_typed<CHANNELS, L1, L3>(m, predicate, S, x[, y[, z]]): the same for lanes whose predicate's bit 0 is set.
 */
template <ChannelMaskType Channels, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, typename M,
          typename P, typename U, typename... X, typename = cm_detail::if_typed<M, U>, typename = void>
CM_DETAIL_INLINE void cm_store4_typed(const M &m, const P &predicate, SurfaceIndex image, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_typed4<Channels, M, U, X...>());
    store_texels<Channels, L1, L3, M, N>(m, mask_of<N>(predicate), image, x, rest...);
}
/* cm_prefetch4_typed<CHANNELS, L1, L3>([predicate,] S, x[, y[, z]]): fills the caches with texels of an image, for each
 * of 8, 16 or 32 lanes; L1 and L3 as for cm_prefetch. Coordinates, vectors of integers, count texels. From BMG on.
 * Source: Intel's cm/cm_lsc.h. */
template <ChannelMaskType Channels, CacheHint L1, CacheHint L3, typename U, typename... X,
          typename = cm_detail::if_coordinates<U>>
CM_DETAIL_INLINE void cm_prefetch4_typed(SurfaceIndex image, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(sizeof...(X) < 3, "the coordinates are U, V and R; there is no level of detail");
    __cm_typed_prefetch<N>(typed_how<lsc_access::prefetch, Channels, L1, L3>(), (lanes<ushort, N>)(ushort)1, image,
                           coordinate<0, N>(x, rest...), coordinate<1, N>(x, rest...), coordinate<2, N>(x, rest...));
}
/* cm_prefetch4_typed<CHANNELS, L1, L3>(predicate, S, x[, y[, z]]): fills the caches with texels for lanes whose
 * predicate's bit 0 is set. */
template <ChannelMaskType Channels, CacheHint L1, CacheHint L3, typename P, typename U, typename... X,
          typename = cm_detail::if_coordinates<U>, typename = void>
CM_DETAIL_INLINE void cm_prefetch4_typed(const P &predicate, SurfaceIndex image, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(sizeof...(X) < 3, "the coordinates are U, V and R; there is no level of detail");
    __cm_typed_prefetch<N>(typed_how<lsc_access::prefetch, Channels, L1, L3>(), mask_of<N>(predicate), image,
                           coordinate<0, N>(x, rest...), coordinate<1, N>(x, rest...), coordinate<2, N>(x, rest...));
}

#endif
