/* The sampler: texels of images by coordinates, filtered or not. PVC has none. The names of CM3DSampleOp and
 * CM3DLoadOp: CM specification 4.7 "Sampler Interface". */
#ifndef CMKIT_CM_DETAIL_MEMORY_SAMPLER_H
#define CMKIT_CM_DETAIL_MEMORY_SAMPLER_H

/* What cm_3d_sample does and the parameters it takes, in this order; the last ones may be left out and are 0 then. u,
 * v, r: coordinates; ai: element of an array of cubes. */
enum CM3DSampleOp {
    CM_3D_SAMPLE = 0,                  /* u v r ai */
    CM_3D_SAMPLE_B = 1,                /* bias u v r ai: the bias is added to the level of detail */
    CM_3D_SAMPLE_L = 2,                /* lod u v r ai: at this level of detail */
    CM_3D_SAMPLE_C = 3,                /* ref u v r ai: compared with ref by the sampler's function */
    CM_3D_SAMPLE_D = 4,                /* u du/dx du/dy v dv/dx dv/dy r dr/dx dr/dy ai */
    CM_3D_SAMPLE_B_C = 5,              /* ref bias u v r ai */
    CM_3D_SAMPLE_L_C = 6,              /* ref lod u v r ai */
    CM_3D_SAMPLE_D_C = 20,             /* ref, then as CM_3D_SAMPLE_D */
    CM_3D_SAMPLE_LZ = 24,              /* u v r ai: at level 0 */
    CM_3D_SAMPLE_C_LZ = 25,            /* ref u v r ai */
    CM_3D_SAMPLE_NULLMASK_ENABLE = 32, /* with one of the others: a register more tells which texels have memory */
    /* as Intel's headers name them: CM3DSampleOp::_CM_3D_SAMPLE */
    _CM_3D_SAMPLE = CM_3D_SAMPLE,
    _CM_3D_SAMPLE_B = CM_3D_SAMPLE_B,
    _CM_3D_SAMPLE_L = CM_3D_SAMPLE_L,
    _CM_3D_SAMPLE_C = CM_3D_SAMPLE_C,
    _CM_3D_SAMPLE_D = CM_3D_SAMPLE_D,
    _CM_3D_SAMPLE_B_C = CM_3D_SAMPLE_B_C,
    _CM_3D_SAMPLE_L_C = CM_3D_SAMPLE_L_C,
    _CM_3D_SAMPLE_D_C = CM_3D_SAMPLE_D_C,
    _CM_3D_SAMPLE_LZ = CM_3D_SAMPLE_LZ,
    _CM_3D_SAMPLE_C_LZ = CM_3D_SAMPLE_C_LZ,
    _CM_3D_SAMPLE_NULLMASK_ENABLE = CM_3D_SAMPLE_NULLMASK_ENABLE,
};
/* The same of cm_3d_load. */
enum CM3DLoadOp {
    CM_3D_LOAD = 7,     /* u v lod r */
    CM_3D_LOAD_LZ = 26, /* u v r: of level 0 */
    CM_3D_LOAD_NULLMASK_ENABLE = CM_3D_SAMPLE_NULLMASK_ENABLE,
    _CM_3D_LOAD = CM_3D_LOAD,
    _CM_3D_LOAD_LZ = CM_3D_LOAD_LZ,
    _CM_3D_LOAD_NULLMASK_ENABLE = CM_3D_LOAD_NULLMASK_ENABLE,
};
constexpr CM3DSampleOp operator|(CM3DSampleOp a, CM3DSampleOp b)
{
    return (CM3DSampleOp)((int)a | (int)b);
}
constexpr CM3DLoadOp operator|(CM3DLoadOp a, CM3DLoadOp b)
{
    return (CM3DLoadOp)((int)a | (int)b);
}

namespace cm_detail
{

constexpr int sample_parameters(int operation)
{
    return operation == CM_3D_SAMPLE_D                                      ? 10
           : operation == CM_3D_SAMPLE_D_C                                  ? 11
           : operation == CM_3D_LOAD                                        ? 4
           : operation == CM_3D_LOAD_LZ                                     ? 3
           : operation == CM_3D_SAMPLE || operation == CM_3D_SAMPLE_LZ      ? 4
           : operation == CM_3D_SAMPLE_B_C || operation == CM_3D_SAMPLE_L_C ? 6
           : operation == CM_3D_SAMPLE_B || operation == CM_3D_SAMPLE_L || operation == CM_3D_SAMPLE_C ||
                   operation == CM_3D_SAMPLE_C_LZ
               ? 5
               : 0;
}

/* Lanes of the first operand among the parameters. */
template <typename A, typename... X> constexpr int sampler_lanes()
{
    if constexpr (CM_DETAIL_IS_OPERAND(A) || sizeof...(X) == 0)
        return facts<A>::count;
    else
        return sampler_lanes<X...>();
}

/* All lanes of the first parameter, then of the next. */
template <typename T, int N, typename... X> CM_DETAIL_INLINE lanes<T, N *(int)sizeof...(X)> parameters_of(const X &...x)
{
    vector<T, N *(int)sizeof...(X)> all;
    int at = 0;
    ((all.template select<N, 1>(at).write_(lanes_of<T, N>(x)), at += N), ...);
    return all.read_();
}

/* The operation of the sampler, and whether it returns a register that tells which texels have memory. Drivers allocate
 * memory for all texels of images, so no kernel needs it. */
constexpr int sampler_operation(int operation)
{
    return operation & ~CM_3D_SAMPLE_NULLMASK_ENABLE;
}
constexpr bool tells_presence(int operation)
{
    return operation & CM_3D_SAMPLE_NULLMASK_ENABLE;
}
constexpr int presence_size = 8; /* dwords; bits of lanes are in the first */
template <int Lanes> constexpr ushort present_lanes = (1 << Lanes) - 1;

/* Lanes of the result that hold texels. */
template <int Operation, typename V>
constexpr int texel_count = facts<V>::count - (tells_presence(Operation) ? presence_size : 0);

template <int Operation, int N, typename V, typename X>
CM_DETAIL_INLINE void give_texels(const V &destination, const X &texels)
{
    if constexpr (tells_presence(Operation)) {
        constexpr int size = texel_count<Operation, V>;
        vector<element<V>, facts<V>::count> all = 0;
        all.template select<size, 1>(0).write_(texels);
        all.template select<1, 1>(size).template format<uint>() = present_lanes<N>;
        destination.write_(all.read_());
    } else {
        destination.write_(texels);
    }
}

template <int Operation, int Channels, typename T, int N, int Size, int Parameters> constexpr bool check_sampler()
{
    constexpr int most = sample_parameters(sampler_operation(Operation));
    static_assert(sizeof(T) == 4, "the sampler gives int, uint or float");
    static_assert(N == 8 || N == 16, "the sampler takes 8 or 16 lanes");
    static_assert(Channels > 0 && Channels < 16, "the channels must be CM_R_ENABLE ... CM_ABGR_ENABLE");
    static_assert(Size > 0 && (Size == N * channel_count(Channels) || !tells_presence(Operation)),
                  "the result has N lanes for each enabled channel, and 8 more for the lanes whose texels have memory");
    static_assert(Size == N * channel_count(Channels), "the result has N lanes for each enabled channel");
    static_assert(most > 0, "the sampler has no such operation");
    static_assert(Parameters <= most, "this operation of the sampler takes fewer parameters");
    return true;
}

} // namespace cm_detail

/* cm_3d_sample<OPERATION, CHANNELS>(v, offsets, sampler, S, parameters...): filtered texels of an image. v: int, uint
 * or float, all lanes of the first enabled channel, then of the next. `offsets` is a constant: bits 0, 4 and 8 are the
 * offsets of the texels in z, y and x from the coordinates, -8 to 7. The parameters (CM3DSampleOp lists them) are
 * vectors of 8 or 16 floats; coordinates are normalized if the sampler says so. Not inside SIMD control flow. With
 * CM_3D_SAMPLE_NULLMASK_ENABLE in OPERATION (CM_3D_SAMPLE | CM_3D_SAMPLE_NULLMASK_ENABLE) v has 8 lanes more; the first
 * of them gets a bit for each lane whose texels have memory (all: drivers allocate all of an image), the others 0. All
 * platforms but not on PVC.
 * Source: CM specification 4.7 "Sampler Interface". */
template <CM3DSampleOp Operation, ChannelMaskType Channels, typename V, typename... X,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_3d_sample(const V &destination, ushort offsets, SamplerIndex sampler, SurfaceIndex image,
                                   const X &...parameters)
{
    using namespace cm_detail;
    typedef element<V> T;
    constexpr int N = sampler_lanes<X...>(), size = texel_count<Operation, V>;
    static_assert(check_sampler<Operation, Channels, T, N, size, sizeof...(X)>());
    give_texels<Operation, N>(
        destination, __cm_sample<T, size, N * sizeof...(X)>(sampler_operation(Operation), Channels, offsets, sampler,
                                                            image, parameters_of<float, N>(parameters...)));
}

/* cm_3d_load<OPERATION, CHANNELS>(v, offsets, S, parameters...): the same without a sampler: the parameters are vectors
 * of 8 or 16 uint and count texels. Outside the image: 0. Not inside SIMD control flow. All platforms but not on PVC.
 * Source: CM specification 4.7 "Sampler Interface". */
template <CM3DLoadOp Operation, ChannelMaskType Channels, typename V, typename... X,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_3d_load(const V &destination, ushort offsets, SurfaceIndex image, const X &...parameters)
{
    using namespace cm_detail;
    typedef element<V> T;
    constexpr int N = sampler_lanes<X...>(), size = texel_count<Operation, V>;
    static_assert(check_sampler<Operation, Channels, T, N, size, sizeof...(X)>());
    give_texels<Operation, N>(
        destination, __cm_load_texel<T, size, N * sizeof...(X)>(sampler_operation(Operation), Channels, offsets, image,
                                                                parameters_of<uint, N>(parameters...)));
}

namespace cm_detail
{
template <typename M> constexpr bool check_texels16()
{
    static_assert(facts<M>::columns == 16, "the matrix must have 16 columns");
    static_assert(sizeof(element<M>) == 4, "the elements must be int, uint or float");
    return true;
}
template <typename M> using if_matrix = enable_if<facts<M>::is_matrix>;

/* Sixteen bits for sixteen lanes. */
template <typename Z> CM_DETAIL_INLINE void all_present(const Z &present)
{
    static_assert(facts<Z>::count == 1 && (__is_same(element<Z>, ushort) || __is_same(element<Z>, short)),
                  "texels that have memory are bits of a vector of one short or ushort");
    present.write_((lanes<element<Z>, 1>)(element<Z>)present_lanes<16>);
}
} // namespace cm_detail

/* sample16(m, channels, S, sampler, u[, v[, r]]): 16 filtered texels, the first enabled channel into m's first row, and
 * so on. m: 16 columns of int, uint or float, at least a row for each channel; u, v, r: vectors of 16 floats.
 * `channels` is a constant. Not inside SIMD control flow. All platforms but not on PVC.
 * Source: CM specification 4.7 "Sampler Interface". */
template <typename M, typename... X, typename = cm_detail::if_matrix<M>>
CM_DETAIL_INLINE void sample16(const M &m, ChannelMaskType channels, SurfaceIndex image, SamplerIndex sampler,
                               const X &...coordinates)
{
    using namespace cm_detail;
    static_assert(check_texels16<M>());
    static_assert(check_sampler<CM_3D_SAMPLE, 1, element<M>, sampler_lanes<X...>(), 16, sizeof...(X)>());
    with_channels<facts<M>::rows>(channels, [&](auto rows) CM_DETAIL_MEMBER {
        constexpr int size = 16 * rows.value;
        m.template select<rows.value, 1, 16, 1>(0, 0).write_(__cm_sample<element<M>, size, 16 * sizeof...(X)>(
            CM_3D_SAMPLE, channels, 0, sampler, image, parameters_of<float, 16>(coordinates...)));
    });
}

/* sample16(m, present, channels, S, sampler, u[, v[, r]]): the same; `present`, a vector of one short or ushort, gets a
 * bit for each lane whose texels have memory: all 16, as drivers give images all of theirs. All platforms but not on
 * PVC.
 * Source: Intel's cm/cm_sampler.h. */
template <typename M, typename Z, typename... X, typename = cm_detail::if_matrix<M>,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(Z)>>
CM_DETAIL_INLINE void sample16(const M &m, const Z &present, ChannelMaskType channels, SurfaceIndex image,
                               SamplerIndex sampler, const X &...coordinates)
{
    using namespace cm_detail;
    all_present(present);
    sample16(m, channels, image, sampler, coordinates...);
}

/* load16(m, channels, S, u[, v[, r]]): 16 texels of level 0, into m as sample16 does, by coordinates that count texels,
 * vectors of 16 uint. Outside the image: 0. Not inside SIMD control flow. All platforms but not on PVC.
 * Source: CM specification 4.7 "Sampler Interface". */
template <typename M, typename... X, typename = cm_detail::if_matrix<M>>
CM_DETAIL_INLINE void load16(const M &m, ChannelMaskType channels, SurfaceIndex image, const X &...coordinates)
{
    using namespace cm_detail;
    static_assert(check_texels16<M>());
    static_assert(check_sampler<CM_3D_LOAD_LZ, 1, element<M>, sampler_lanes<X...>(), 16, sizeof...(X)>());
    with_channels<facts<M>::rows>(channels, [&](auto rows) CM_DETAIL_MEMBER {
        constexpr int size = 16 * rows.value;
        m.template select<rows.value, 1, 16, 1>(0, 0).write_(__cm_load_texel<element<M>, size, 16 * sizeof...(X)>(
            CM_3D_LOAD_LZ, channels, 0, image, parameters_of<uint, 16>(coordinates...)));
    });
}

/* load16(m, present, channels, S, u[, v[, r]]): the same; `present`, a vector of one short or ushort, as sample16 gives
 * it. All platforms but not on PVC.
 * Source: Intel's cm/cm_sampler.h. */
template <typename M, typename Z, typename... X, typename = cm_detail::if_matrix<M>,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(Z)>>
CM_DETAIL_INLINE void load16(const M &m, const Z &present, ChannelMaskType channels, SurfaceIndex image,
                             const X &...coordinates)
{
    cm_detail::all_present(present);
    load16(m, channels, image, coordinates...);
}

#endif
