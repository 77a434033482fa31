/* Decodes sampler states, addresses and filters texels. Filters use coordinates in 1/256 of a texel, as the hardware
 * does. */
#include "sim/message/texture.h"
#include <assert.h>
#include <math.h>

static unsigned bits(uint32_t value, unsigned low, unsigned count)
{
    return value >> low & ((1u << count) - 1);
}

static bool read_border(struct request *request, uint32_t pointer, struct sampler *sampler)
{
    const uint8_t *memory = request_state(request, request->message->state->dynamic_base + pointer, 16);
    if (!memory)
        return false;
    memcpy(sampler->border, memory, 16);
    return true;
}

static bool decode_filter(struct request *request, unsigned number, bool *linear)
{
    if (number > 1)
        return request_refuse(request, "sampler filter %u is not implemented", number);
    *linear = number == 1;
    return true;
}

static bool check_sampler(struct request *request, unsigned index, const uint32_t state[4])
{
    if (bits(state[0], 31, 1))
        return request_refuse(request, "sampler %u is disabled", index);
    if (bits(state[0], 29, 1))
        return request_refuse(request, "sampler %u: the legacy border colour is not implemented", index);
    if (bits(state[0], 20, 2) == 2)
        return request_refuse(request, "sampler %u: mip filter 2 is reserved", index);
    if (bits(state[1], 7, 1))
        return request_refuse(request, "sampler %u: chroma key is not implemented", index);
    if (bits(state[2], 1, 1))
        return request_refuse(request, "sampler %u: skipping the sRGB decode is not implemented", index);
    if (bits(state[3], 9, 1) && bits(state[3], 22, 2) < 2)
        return request_refuse(request, "sampler %u: reduction %u is not implemented", index, bits(state[3], 22, 2));
    return true;
}

/* Returns the address of the sampler states. Bit 0 of the header's pointer: from the base of bindless samplers on. */
static uint64_t table_of(const struct request *request)
{
    enum { POINTER = 3 };
    const struct message_state *thread = request->message->state;
    if (!request->has_header)
        return thread->dynamic_base + thread->sampler_states;
    uint32_t pointer = request_header(request, POINTER);
    bool is_bindless = pointer & 1 && platform_has(thread->platform, FEATURE_PAYLOAD_IN_MEMORY);
    return (is_bindless ? thread->bindless_sampler_base : thread->dynamic_base) +
           (pointer & ~(is_bindless ? 15u : 31u));
}

bool sampler_open(struct request *request, unsigned index, struct sampler *sampler)
{
    assert(sampler);
    const uint8_t *memory = request_state(request, table_of(request) + index * 16, 16);
    uint32_t state[4];
    if (!memory)
        return false;
    memcpy(state, memory, sizeof state);
    memset(sampler, 0, sizeof *sampler);
    if (!check_sampler(request, index, state) ||
        !decode_filter(request, bits(state[0], 14, 3), &sampler->minify_linear) ||
        !decode_filter(request, bits(state[0], 17, 3), &sampler->magnify_linear))
        return false;
    sampler->mip_filter = (enum sampler_mip_filter)bits(state[0], 20, 2);
    sampler->lod_bias = ((int32_t)(state[0] << 18) >> 19) / 256.0; /* S4.8 */
    sampler->least_lod = bits(state[1], 20, 12) / 256.0;
    sampler->most_lod = bits(state[1], 8, 12) / 256.0;
    sampler->shadow_function = bits(state[1], 1, 3);
    sampler->reduction = bits(state[3], 9, 1) ? (enum sampler_reduction)bits(state[3], 22, 2) : REDUCTION_NONE;
    sampler->unnormalized = bits(state[3], 10, 1);
    bool has_border = false;
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned mode = bits(state[3], 6 - 3 * axis, 3);
        if (mode == 3 || mode > 5)
            return request_refuse(request, "sampler %u: address mode %u is not implemented", index, mode);
        sampler->address[axis] = (enum sampler_address_mode)mode;
        sampler->round[0][axis] = bits(state[3], 18 - 2 * axis, 1);
        sampler->round[1][axis] = bits(state[3], 17 - 2 * axis, 1);
        has_border |= mode == MODE_BORDER;
    }
    return !has_border || read_border(request, state[2] & 0x00ffffc0, sampler);
}

unsigned texture_dimensions(const struct surface *surface)
{
    switch (surface->type) {
    case SURFACE_2D: return 2;
    case SURFACE_3D: return 3;
    default: return 1;
    }
}

static uint32_t extent(const struct surface *surface, unsigned axis)
{
    return axis == 0 ? surface->width : axis == 1 ? surface->height : surface->depth;
}

/* Packed 4:2:2: two pixels share the chroma of their four bytes; red is V (Cr), green Y, blue U (Cb). */
static bool load_packed(struct request *request, const struct surface *surface, uint32_t x, uint32_t y, uint32_t layer,
                        uint32_t channels[4])
{
    const uint8_t *pair = request_memory(request, surface_address(surface, (x & ~1u) * 2, y, layer), 4);
    if (!pair)
        return false;
    bool luma_first = surface->format->order[0] == 'Y';
    bool u_first = strchr(surface->format->order, 'U') < strchr(surface->format->order, 'V');
    unsigned luma = (luma_first ? 0 : 1) + (x & 1) * 2, first = luma_first ? 1 : 0;
    channels[0] = format_bits_of((float)pair[u_first ? first + 2 : first] / 255);
    channels[1] = format_bits_of((float)pair[luma] / 255);
    channels[2] = format_bits_of((float)pair[u_first ? first : first + 2] / 255);
    channels[3] = format_bits_of(1.0f);
    return true;
}

/* 4:2:0 in two planes, of bytes or words: a square of two by two pixels shares a pair of U and V. */
static bool load_planar(struct request *request, const struct surface *surface, uint32_t x, uint32_t y,
                        uint32_t channels[4])
{
    unsigned bytes = surface->format->bytes, most = bytes == 1 ? UINT8_MAX : UINT16_MAX;
    uint16_t luma = 0, u = 0, v = 0;
    const uint8_t *memory = request_memory(request, surface_address(surface, x * bytes, y, 0), bytes);
    if (!memory)
        return false;
    memcpy(&luma, memory, bytes);
    memory =
        request_memory(request, surface_address(surface, (x & ~1u) * bytes, surface->chroma_row + y / 2, 0), 2 * bytes);
    if (!memory)
        return false;
    memcpy(&u, memory, bytes);
    memcpy(&v, memory + bytes, bytes);
    channels[0] = format_bits_of((float)v / (float)most);
    channels[1] = format_bits_of((float)luma / (float)most);
    channels[2] = format_bits_of((float)u / (float)most);
    channels[3] = format_bits_of(1.0f);
    return true;
}

/* Reads formats whose pixels share chroma. A pixel's U and V are those of its pair or square, also for a linear filter:
 * cl_intel_packed_yuv and cl_intel_planar_yuv define a pixel, OpenCL C defines filters on pixels. */
static bool shares_chroma(const struct surface *surface)
{
    return surface->format->kind == FORMAT_YUV || surface->format->kind == FORMAT_PLANAR;
}

bool texture_load(struct request *request, const struct surface *surface, const int32_t place[3], int32_t slice,
                  uint32_t channels[4])
{
    static const uint8_t zeros[16];
    unsigned dimensions = texture_dimensions(surface);
    uint32_t at[3] = {0, 0, 0};
    bool outside = surface->is_array && (slice < 0 || (uint32_t)slice >= surface->depth);
    for (unsigned axis = 0; axis < dimensions; axis++) {
        at[axis] = (uint32_t)place[axis];
        outside |= at[axis] >= extent(surface, axis);
    }
    if (outside && shares_chroma(surface)) {
        memset(channels, 0, 16);
        return true;
    }
    if (outside) {
        format_read(surface->format, zeros, channels);
        return true;
    }
    uint32_t layer = surface->is_array ? (uint32_t)slice : at[2];
    if (surface->format->kind == FORMAT_YUV)
        return load_packed(request, surface, at[0], at[1], layer, channels);
    if (surface->format->kind == FORMAT_PLANAR)
        return load_planar(request, surface, at[0], at[1], channels);
    const uint8_t *memory = surface_pixel(request, surface, at[0], at[1], layer);
    if (!memory)
        return false;
    format_read(surface->format, memory, channels);
    return true;
}

/* Returns the texel that `index` addresses on an axis of `size` texels; -1: the border. */
static int64_t wrap(enum sampler_address_mode mode, int64_t index, int64_t size)
{
    switch (mode) {
    case MODE_WRAP: return (index % size + size) % size;
    case MODE_MIRROR:
        index = (index % (2 * size) + 2 * size) % (2 * size);
        return index < size ? index : 2 * size - 1 - index;
    case MODE_MIRROR_ONCE: index = index < 0 ? -1 - index : index; return index < size ? index : size - 1;
    case MODE_BORDER: return index < 0 || index >= size ? -1 : index;
    default: return index < 0 ? 0 : index < size ? index : size - 1;
    }
}

/* The hardware's functions name the comparison that gives 0: "less" is 0 if the texel is less than the reference. (Mesa
 * translates OpenGL's comparisons like this.) */
static float compare(unsigned function, float texel, float reference)
{
    switch (function) {
    case 0: return 0;
    case 1: return 1;
    case 2: return !(texel < reference);
    case 3: return !(texel == reference);
    case 4: return !(texel <= reference);
    case 5: return !(texel > reference);
    case 6: return !(texel != reference);
    default: return !(texel >= reference);
    }
}

/* Returns the texel at `index`, wrapped; compared with the reference if the sample needs it. */
static bool fetch(struct request *request, const struct surface *surface, const struct sampler *sampler,
                  const struct texture_sample *sample, const int64_t index[3], uint32_t channels[4])
{
    int32_t place[3] = {0, 0, 0}, last = (int32_t)surface->depth - 1;
    int32_t slice = sample->slice < 0 ? 0 : sample->slice > last ? last : sample->slice;
    bool in_border = false;
    for (unsigned axis = 0; axis < texture_dimensions(surface); axis++) {
        int64_t texel = wrap(sampler->address[axis], index[axis] + sample->offset[axis], extent(surface, axis));
        in_border |= texel < 0;
        place[axis] = (int32_t)texel;
    }
    if (in_border)
        memcpy(channels, sampler->border, 16);
    else if (!texture_load(request, surface, place, slice, channels))
        return false;
    if (sample->compares)
        channels[0] =
            format_bits_of(compare(sampler->shadow_function, format_float_of(channels[0]), sample->reference));
    return true;
}

/* Returns the coordinate in 1/256 texels; 0 for NaN. Coordinates beyond every surface are clamped to 2^40. */
static int64_t fixed_point(float coordinate, uint32_t size, bool unnormalized, bool round)
{
    double texels = unnormalized ? (double)coordinate : (double)coordinate * size;
    if (!(texels == texels))
        return 0;
    texels *= 256;
    texels = (texels < -0x1p40 ? -0x1p40 : texels > 0x1p40 ? 0x1p40 : texels) + (round ? 0.5 : 0);
    int64_t below = (int64_t)texels;
    return below - ((double)below > texels); /* floor() would be a call */
}

/* Finds the texel at or below each coordinate, and for linear filters the weight of the next one in 1/256. */
static void locate(const struct surface *surface, const struct sampler *sampler, const struct texture_sample *sample,
                   bool minify, bool linear, int64_t first[3], unsigned weight[3])
{
    for (unsigned axis = 0; axis < 3; axis++) {
        first[axis] = weight[axis] = 0;
        if (axis >= texture_dimensions(surface))
            continue;
        int64_t at = fixed_point(sample->place[axis], extent(surface, axis), sampler->unnormalized,
                                 sampler->round[minify][axis]);
        if (linear)
            at -= 128; /* texel centres are at one half */
        first[axis] = at >> 8;
        weight[axis] = linear ? (unsigned)(at & 255) : 0;
    }
}

/* Flushes denormals: the sampler's floats have none, they are zeros of the same sign. (`ld` keeps them: the OpenCL
 * compiler, IGC, flushes only the results of `ld` with instructions of its own.) Halves and shorter floats are normal
 * floats by then. */
static void flush_denormals(const struct surface *surface, uint32_t channels[4])
{
    if (format_is_integer(surface->format))
        return;
    for (unsigned i = 0; i < 4; i++)
        if ((channels[i] & 0x7f800000) == 0)
            channels[i] &= 0x80000000;
}

/* Adds `share` of a texel to the sum of a linear filter. */
static void accumulate(enum sampler_reduction reduction, double sum[4], const uint32_t channels[4], double share,
                       bool is_first)
{
    for (unsigned i = 0; i < 4; i++) {
        double value = (double)format_float_of(channels[i]);
        if (reduction == REDUCTION_NONE)
            sum[i] += share * value;
        else if (is_first)
            sum[i] = value;
        else
            sum[i] = reduction == REDUCTION_MINIMUM ? fmin(sum[i], value) : fmax(sum[i], value);
    }
}

/* `level` is a surface of one level. */
static bool sample_level(struct request *request, const struct surface *level, const struct sampler *sampler,
                         const struct texture_sample *sample, bool minify, uint32_t channels[4])
{
    /* Integers have no filter: OpenCL leaves the result undefined; this returns the nearest texel. */
    bool linear = (minify ? sampler->minify_linear : sampler->magnify_linear) && !format_is_integer(level->format);
    bool is_first = true;
    int64_t first[3];
    unsigned weight[3];
    double sum[4] = {0, 0, 0, 0};
    locate(level, sampler, sample, minify, linear, first, weight);
    if (!linear) {
        if (!fetch(request, level, sampler, sample, first, channels))
            return false;
        flush_denormals(level, channels);
        return true;
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        int64_t index[3];
        double share = 1;
        for (unsigned axis = 0; axis < 3; axis++) {
            unsigned step = corner >> axis & 1;
            index[axis] = first[axis] + step;
            share *= (step ? weight[axis] : 256 - weight[axis]) / 256.0;
        }
        if (share == 0) /* includes the axes that the surface lacks */
            continue;
        if (!fetch(request, level, sampler, sample, index, channels))
            return false;
        flush_denormals(level, channels);
        accumulate(sampler->reduction, sum, channels, share, is_first);
        is_first = false;
    }
    for (unsigned i = 0; i < 4; i++)
        channels[i] = format_bits_of((float)sum[i]);
    flush_denormals(level, channels);
    return true;
}

double texture_lod(const struct surface *surface, const struct sampler *sampler, const float x[3], const float y[3])
{
    double lengths[2] = {0, 0};
    for (unsigned axis = 0; axis < texture_dimensions(surface); axis++) {
        double size = sampler->unnormalized ? 1 : extent(surface, axis);
        lengths[0] += (double)x[axis] * size * (double)x[axis] * size;
        lengths[1] += (double)y[axis] * size * (double)y[axis] * size;
    }
    double longest = fmax(lengths[0], lengths[1]);
    return longest > 0 ? log2(longest) / 2 : -64; /* no change: magnified */
}

/* Levels above the last one repeat it. */
static bool sample_at(struct request *request, const struct surface *surface, const struct sampler *sampler,
                      const struct texture_sample *sample, uint32_t number, bool minify, uint32_t channels[4])
{
    struct surface level;
    if (!surface_level(surface, number < surface->mip_count ? number : surface->mip_count, &level))
        return request_refuse(request, "the surface has no level %u", number);
    return sample_level(request, &level, sampler, sample, minify, channels);
}

/* The level of detail has eight fraction bits, like the coordinates. */
bool texture_sample(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct texture_sample *sample, uint32_t channels[4])
{
    double lod = sample->lod == sample->lod ? sample->lod + sampler->lod_bias : 0;
    lod = floor(fmin(fmax(lod, sampler->least_lod), sampler->most_lod) * 256) / 256;
    bool minify = lod > 0;
    if (sampler->mip_filter == MIP_NONE)
        return sample_at(request, surface, sampler, sample, 0, minify, channels);
    if (sampler->mip_filter == MIP_NEAREST || format_is_integer(surface->format))
        return sample_at(request, surface, sampler, sample, (uint32_t)(lod + 0.5), minify, channels);
    uint32_t below = (uint32_t)lod, next[4];
    double share = lod - below;
    if (!sample_at(request, surface, sampler, sample, below, minify, channels))
        return false;
    if (share == 0 || below >= surface->mip_count)
        return true;
    if (!sample_at(request, surface, sampler, sample, below + 1, minify, next))
        return false;
    for (unsigned i = 0; i < 4; i++)
        channels[i] = format_bits_of(
            (float)((double)format_float_of(channels[i]) * (1 - share) + (double)format_float_of(next[i]) * share));
    flush_denormals(surface, channels);
    return true;
}

bool texture_gather(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct texture_sample *sample, unsigned component, uint32_t values[4])
{
    assert(component < 4);
    static const uint8_t steps[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    int64_t first[3];
    unsigned weight[3];
    locate(surface, sampler, sample, false, true, first, weight);
    for (unsigned i = 0; i < 4; i++) {
        int64_t index[3] = {first[0] + steps[i][0], first[1] + steps[i][1], 0};
        uint32_t channels[4];
        if (!fetch(request, surface, sampler, sample, index, channels))
            return false;
        surface_select(surface, channels);
        values[i] = channels[component];
    }
    return true;
}
