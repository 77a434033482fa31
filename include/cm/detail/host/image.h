/* Defines accesses of texels on the CPU: typed accesses and the sampler (tables/builtins.def). Images have one
 * to three dimensions and one level. */
#ifndef CMKIT_CM_DETAIL_HOST_IMAGE_H
#define CMKIT_CM_DETAIL_HOST_IMAGE_H

namespace cm_detail
{

/* enum cm_host_encoding of tables/host_abi.h, and enums of runtime/cmrt.h */
enum class host_encoding : uint32_t { unorm, snorm, unsigned_integer, signed_integer, floating };
enum class host_address : uint32_t { none, clamp, border, repeat, mirror };

/* The four channels of a texel as a kernel sees them: integers, or bits of floats. */
struct host_texel {
    uint32_t channel[4];
};

/* An image with a known format. */
class host_image
{
  public:
    explicit host_image(SurfaceIndex surface) : surface_(host_surface_of(surface))
    {
        if (surface_.further_count)
            host_fail("a kernel accessed texels of an image with several planes, which only has blocks");
        if (surface_.texel == 0 || surface_.channels == 0 || surface_.channels > 4)
            host_fail("a kernel accessed texels of a surface that is no image");
        bits_ = 8 * surface_.texel / surface_.channels;
    }
    int width() const { return (int)(surface_.width / surface_.texel); }
    int height() const { return (int)surface_.height; }
    unsigned dimensions() const { return surface_.dimensions; }
    int extent(unsigned axis) const { return axis == 0 ? width() : axis == 1 ? height() : (int)surface_.depth; }
    bool is_integer() const
    {
        return encoding() == host_encoding::unsigned_integer || encoding() == host_encoding::signed_integer;
    }
    /* NULL outside. Coordinates of dimensions that the image does not have are ignored. */
    char *at(int64_t x, int64_t y, int64_t z) const
    {
        y = dimensions() > 1 ? y : 0;
        z = dimensions() > 2 ? z : 0;
        bool inside = x >= 0 && x < width() && y >= 0 && y < height() && z >= 0 && z < (int64_t)surface_.depth;
        return inside ? surface_.base + (uint64_t)z * surface_.slice + (uint64_t)y * surface_.pitch +
                            (uint64_t)x * surface_.texel
                      : nullptr;
    }
    /* Absent channels are 0, an absent alpha is 1. `from` NULL: a texel of zeros. */
    host_texel read(const char *from) const
    {
        host_texel texel = {{0, 0, 0, is_integer() ? 1 : __builtin_bit_cast(uint32_t, 1.0f)}};
        for (unsigned k = 0; k < surface_.channels; k++) {
            uint32_t field = 0;
            if (from)
                __builtin_memcpy(&field, from + k * bits_ / 8, bits_ / 8);
            texel.channel[k] = decode(field);
        }
        return texel;
    }
    void write(char *to, const host_texel &texel) const
    {
        for (unsigned k = 0; k < surface_.channels; k++) {
            uint32_t field = encode(texel.channel[k]);
            __builtin_memcpy(to + k * bits_ / 8, &field, bits_ / 8);
        }
    }
    bool holds_dwords() const { return bits_ == 32 && surface_.channels == 1; }

  private:
    host_encoding encoding() const { return (host_encoding)surface_.encoding; }
    double most() const
    {
        return (double)(((uint64_t)1 << (encoding() == host_encoding::snorm ? bits_ - 1 : bits_)) - 1);
    }
    int32_t extend(uint32_t field) const { return (int32_t)(field << (32 - bits_)) >> (32 - bits_); }

    uint32_t decode(uint32_t field) const
    {
        float value = 0;
        switch (encoding()) {
        case host_encoding::unsigned_integer: return field;
        case host_encoding::signed_integer: return (uint32_t)extend(field);
        case host_encoding::unorm: value = (float)(field / most()); break;
        case host_encoding::snorm:
            value = (float)(extend(field) / most());
            value = value < -1 ? -1 : value;
            break;
        case host_encoding::floating:
            value = bits_ == 16 ? (float)__builtin_bit_cast(half, (ushort)field) : __builtin_bit_cast(float, field);
            break;
        }
        return __builtin_bit_cast(uint32_t, value);
    }
    /* What does not fit is clamped; fractions of normalized formats are rounded to the nearest, NaN is 0. */
    uint32_t encode(uint32_t channel) const
    {
        float value = __builtin_bit_cast(float, channel);
        if (encoding() == host_encoding::floating)
            return bits_ == 16 ? __builtin_bit_cast(ushort, (half)value) : channel;
        if (encoding() == host_encoding::unsigned_integer)
            return bits_ < 32 && channel >> bits_ ? (uint32_t)most() : channel;
        if (encoding() == host_encoding::signed_integer) {
            int64_t limit = (int64_t)1 << (bits_ - 1), x = (int32_t)channel;
            return (uint32_t)(x < -limit ? -limit : x >= limit ? limit - 1 : x);
        }
        float scaled = value * (float)most(), least = encoding() == host_encoding::snorm ? -(float)most() : 0;
        scaled = !(scaled > least) ? (scaled == scaled ? least : 0) : scaled > (float)most() ? (float)most() : scaled;
        return (uint32_t)(int64_t)__builtin_rint(scaled);
    }

    const host_surface &surface_;
    unsigned bits_; /* of a channel */
};

/* The texel that `index` addresses on an axis of `size`; -1: the border. */
inline int64_t host_wrap(host_address mode, int64_t index, int64_t size)
{
    switch (mode) {
    case host_address::repeat: return (index % size + size) % size;
    case host_address::mirror:
        index = (index % (2 * size) + 2 * size) % (2 * size);
        return index < size ? index : 2 * size - 1 - index;
    case host_address::border: return index < 0 || index >= size ? -1 : index;
    default: return index < 0 ? 0 : index < size ? index : size - 1;
    }
}

/* The image as a sampler sees it, at level 0. */
class host_sampling
{
  public:
    host_sampling(SamplerIndex sampler, SurfaceIndex surface) : image_(surface)
    {
        if ((uint32_t)sampler >= current->surface_count)
            host_fail("a kernel used a sampler that is not an argument");
        sampler_ = current->samplers[(uint32_t)sampler];
    }
    host_texel at(const float (&coordinates)[3], const int (&offsets)[3]) const
    {
        int64_t first[3] = {0, 0, 0};
        double beyond[3] = {0, 0, 0}; /* share of the texel after the first, on each axis */
        if (sampler_.filter && image_.is_integer())
            host_fail("a linear filter on an image of integers");
        for (unsigned axis = 0; axis < image_.dimensions(); axis++) {
            double x = place(coordinates[axis], image_.extent(axis)) - (sampler_.filter ? 0.5 : 0);
            double low = __builtin_floor(x);
            first[axis] = (int64_t)low + offsets[axis];
            beyond[axis] = x - low;
        }
        return sampler_.filter ? between(first, beyond) : fetch(first[0], first[1], first[2]);
    }

  private:
    /* In texels; NaN is 0, and what no image could reach stays within 2^32. */
    double place(float coordinate, int size) const
    {
        double x = sampler_.normalized ? (double)coordinate * size : (double)coordinate;
        return !(x == x) ? 0 : x < -0x1p32 ? -0x1p32 : x > 0x1p32 ? 0x1p32 : x;
    }
    host_texel fetch(int64_t x, int64_t y, int64_t z) const
    {
        host_address mode = (host_address)sampler_.address;
        x = host_wrap(mode, x, image_.extent(0));
        y = host_wrap(mode, y, image_.extent(1));
        z = host_wrap(mode, z, image_.extent(2));
        return x < 0 || y < 0 || z < 0 ? host_texel{{0, 0, 0, 0}} : image_.read(image_.at(x, y, z));
    }
    /* The corners of a box of texels, weighted. */
    host_texel between(const int64_t (&first)[3], const double (&beyond)[3]) const
    {
        double sum[4] = {0, 0, 0, 0};
        for (int corner = 0; corner < 8; corner++) {
            int place[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
            double share = 1;
            for (int axis = 0; axis < 3; axis++)
                share *= place[axis] ? beyond[axis] : 1 - beyond[axis];
            if (share == 0)
                continue;
            host_texel texel = fetch(first[0] + place[0], first[1] + place[1], first[2] + place[2]);
            for (int k = 0; k < 4; k++)
                sum[k] += share * (double)__builtin_bit_cast(float, texel.channel[k]);
        }
        host_texel result;
        for (int k = 0; k < 4; k++)
            result.channel[k] = __builtin_bit_cast(uint32_t, (float)sum[k]);
        return result;
    }

    host_image image_;
    host_sampler sampler_;
};

/* Where u, v and r stand among the parameters of an operation of the sampler (CM3DSampleOp, CM3DLoadOp). */
struct host_order {
    int at[3];
};
inline host_order host_order_of(unsigned operation)
{
    switch (operation) {
    case 0:
    case 24:
    case 26: return {{0, 1, 2}};
    case 7: return {{0, 1, 3}};
    case 1:
    case 2: return {{1, 2, 3}};
    case 4: return {{0, 3, 6}};
    default: host_fail("the CPU's sampler does not compare");
    }
}

/* Field of a texel offset: signed, 4 bits. */
inline int host_texel_offset(unsigned offsets, int low)
{
    return (int)(offsets << (28 - low)) >> 28;
}

/* Channels of texel `texel` into lane k of a value with `count` lanes for each enabled channel. */
template <typename T>
inline void host_put_channels(T *value, int k, int count, unsigned channels, const host_texel &texel)
{
    for (int channel = 0, row = 0; channel < 4; channel++)
        if (channels >> channel & 1)
            value[row++ * count + k] = __builtin_bit_cast(T, texel.channel[channel]);
}

} // namespace cm_detail

template <typename T, int N, int M>
inline cm_detail::lanes<T, M> __cm_typed_read(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                              cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y,
                                              cm_detail::lanes<uint, N> z)
{
    using namespace cm_detail;
    host_image image(surface);
    array<ushort, N> m(mask);
    array<uint, N> column(x), row(y), slice(z);
    array<T, M> value;
    for (int k = 0; k < N; k++) {
        const char *from = m.at[k] && is_live<N>(k) ? image.at(column.at[k], row.at[k], slice.at[k]) : nullptr;
        host_put_channels<T>(value.at, k, N, channels, from ? image.read(from) : host_texel{{0, 0, 0, 0}});
    }
    return value;
}
template <typename T, int N, int M>
inline void __cm_typed_write(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                             cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y, cm_detail::lanes<uint, N> z,
                             cm_detail::lanes<T, M> value)
{
    using namespace cm_detail;
    host_image image(surface);
    array<ushort, N> m(mask);
    array<uint, N> column(x), row(y), slice(z);
    array<T, M> from(value);
    for (int k = 0; k < N; k++) {
        char *to = m.at[k] && is_live<N>(k) ? image.at(column.at[k], row.at[k], slice.at[k]) : nullptr;
        if (!to)
            continue;
        host_texel texel = image.read(to); /* channels that are not enabled stay */
        for (int channel = 0, at = 0; channel < 4; channel++)
            if (channels >> channel & 1)
                texel.channel[channel] = __builtin_bit_cast(uint32_t, from.at[at++ * N + k]);
        image.write(to, texel);
    }
}
template <int N>
inline void __cm_typed_prefetch(unsigned, cm_detail::lanes<ushort, N>, SurfaceIndex, cm_detail::lanes<uint, N>,
                                cm_detail::lanes<uint, N>, cm_detail::lanes<uint, N>)
{
}
template <typename T, int N>
inline cm_detail::lanes<T, N>
__cm_typed_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                  cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y, cm_detail::lanes<uint, N> z,
                  cm_detail::lanes<uint, N> lod, cm_detail::lanes<T, N> a, cm_detail::lanes<T, N> b)
{
    using namespace cm_detail;
    host_image image(surface);
    if (!image.holds_dwords())
        host_fail("an atomic operation on an image whose texels are not one dword");
    array<ushort, N> m(mask);
    array<uint, N> column(x), row(y), slice(z), level(lod);
    array<T, N> first(a), second(b), old;
    for (int k = 0; k < N; k++) {
        char *at = m.at[k] && is_live<N>(k) && !level.at[k] ? image.at(column.at[k], row.at[k], slice.at[k]) : nullptr;
        old.at[k] = at ? host_atomic<T>(operation, at, first.at[k], second.at[k]) : (T)0;
    }
    return old;
}

template <typename T, int N, int M>
inline cm_detail::lanes<T, N> __cm_sample(unsigned operation, unsigned channels, unsigned offsets, SamplerIndex sampler,
                                          SurfaceIndex surface, cm_detail::lanes<float, M> parameters)
{
    using namespace cm_detail;
    host_sampling source(sampler, surface);
    host_order order = host_order_of(operation);
    const int offset[3] = {host_texel_offset(offsets, 8), host_texel_offset(offsets, 4), host_texel_offset(offsets, 0)};
    array<float, M> parameter(parameters);
    array<T, N> value;
    int lane_count = N / __builtin_popcount(channels);
    for (int k = 0; k < lane_count; k++) {
        float coordinates[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; axis++)
            if ((order.at[axis] + 1) * lane_count <= M)
                coordinates[axis] = parameter.at[order.at[axis] * lane_count + k];
        host_texel texel = source.at(coordinates, offset);
        host_put_channels<T>(value.at, k, lane_count, channels, texel);
    }
    return value;
}
template <typename T, int N, int M>
inline cm_detail::lanes<T, N> __cm_load_texel(unsigned operation, unsigned channels, unsigned offsets,
                                              SurfaceIndex surface, cm_detail::lanes<uint, M> parameters)
{
    using namespace cm_detail;
    host_image image(surface);
    host_order order = host_order_of(operation);
    array<uint, M> parameter(parameters);
    array<T, N> value;
    constexpr unsigned with_level = 7;
    int lane_count = N / __builtin_popcount(channels), given = M / lane_count;
    for (int k = 0; k < lane_count; k++) {
        int64_t place[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; axis++) {
            if (order.at[axis] < given)
                place[axis] = (int)parameter.at[order.at[axis] * lane_count + k];
            place[axis] += host_texel_offset(offsets, 8 - 4 * axis);
        }
        bool absent = operation == with_level && given > 2 && parameter.at[2 * lane_count + k] != 0;
        host_texel texel = image.read(absent ? nullptr : image.at(place[0], place[1], place[2]));
        host_put_channels<T>(value.at, k, lane_count, channels, texel);
    }
    return value;
}

#endif
