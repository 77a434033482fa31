/* Sampler state, texel addressing and filtering. Filters see coordinates in 1/256 of a texel, as the hardware does. */
#include "sim/message/texture.h"
#include <math.h>

static unsigned bits(uint32_t value, unsigned low, unsigned count)
{
    return value >> low & ((1u << count) - 1);
}

static bool read_border(struct request *request, uint32_t pointer, struct sampler *sampler)
{
    const uint8_t *memory = request_memory(request, request->message->state->dynamic_base + pointer, 16);
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
    if (bits(state[0], 1, 13) != 0)
        return request_refuse(request, "sampler %u: LOD bias is not implemented", index);
    if (bits(state[1], 7, 1))
        return request_refuse(request, "sampler %u: chroma key is not implemented", index);
    if (bits(state[3], 9, 1))
        return request_refuse(request, "sampler %u: reduction filters are not implemented", index);
    return true;
}

bool sampler_open(struct request *request, unsigned index, struct sampler *sampler)
{
    const struct message_state *thread = request->message->state;
    uint32_t table = request->has_header ? request_header(request, 3) & ~31u : thread->sampler_states;
    const uint8_t *memory = request_memory(request, thread->dynamic_base + table + index * 16, 16);
    uint32_t state[4];
    if (!memory)
        return false;
    memcpy(state, memory, sizeof state);
    memset(sampler, 0, sizeof *sampler);
    if (!check_sampler(request, index, state) ||
        !decode_filter(request, bits(state[0], 14, 3), &sampler->minify_linear) ||
        !decode_filter(request, bits(state[0], 17, 3), &sampler->magnify_linear))
        return false;
    sampler->unnormalized = bits(state[3], 10, 1);
    bool has_border = false;
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned mode = bits(state[3], 6 - 3 * axis, 3);
        if (mode == 3 || mode > 5)
            return request_refuse(request, "sampler %u: address mode %u is not implemented", index, mode);
        sampler->address[axis] = (enum address_mode)mode;
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

void texture_select(const struct surface *surface, uint32_t channels[4])
{
    uint32_t from[4];
    memcpy(from, channels, sizeof from);
    uint32_t one = surface->format && format_is_integer(surface->format) ? 1 : bits_of(1.0f);
    for (unsigned i = 0; i < 4; i++) {
        unsigned select = surface->select[i];
        channels[i] = select >= 4 ? from[select - 4] : select == 1 ? one : 0;
    }
}

static uint32_t extent(const struct surface *surface, unsigned axis)
{
    return axis == 0 ? surface->width : axis == 1 ? surface->height : surface->depth;
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
    if (outside) {
        format_read(surface->format, zeros, channels);
        return true;
    }
    uint32_t layer = surface->is_array ? (uint32_t)slice : at[2];
    const uint8_t *memory = surface_pixel(request, surface, at[0], at[1], layer);
    if (!memory)
        return false;
    format_read(surface->format, memory, channels);
    return true;
}

/* The texel that `index` addresses on an axis of `size` texels; -1: the border. */
static int64_t wrap(enum address_mode mode, int64_t index, int64_t size)
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

static bool fetch(struct request *request, const struct surface *surface, const struct sampler *sampler,
                  const int64_t index[3], int32_t slice, uint32_t channels[4])
{
    int32_t place[3] = {0, 0, 0};
    for (unsigned axis = 0; axis < texture_dimensions(surface); axis++) {
        int64_t texel = wrap(sampler->address[axis], index[axis], extent(surface, axis));
        if (texel < 0) {
            memcpy(channels, sampler->border, 16);
            return true;
        }
        place[axis] = (int32_t)texel;
    }
    return texture_load(request, surface, place, slice, channels);
}

/* Coordinate in 1/256 texels; NaN is 0, and what no surface could reach stays within 2^40. */
static int64_t fixed_point(float coordinate, uint32_t size, bool unnormalized, bool round)
{
    double texels = unnormalized ? (double)coordinate : (double)coordinate * size;
    if (!(texels == texels))
        return 0;
    texels = fmin(fmax(texels * 256, -0x1p40), 0x1p40);
    return (int64_t)floor(round ? texels + 0.5 : texels);
}

/* The texel at or below each coordinate, and for linear filters the 1/256 that the next one counts. */
static void locate(const struct surface *surface, const struct sampler *sampler, const struct sample *sample,
                   bool linear, int64_t first[3], unsigned weight[3])
{
    for (unsigned axis = 0; axis < 3; axis++) {
        first[axis] = weight[axis] = 0;
        if (axis >= texture_dimensions(surface))
            continue;
        int64_t at = fixed_point(sample->place[axis], extent(surface, axis), sampler->unnormalized,
                                 sampler->round[sample->minify][axis]);
        if (linear)
            at -= 128; /* texel centres lie at one half */
        first[axis] = at >> 8;
        weight[axis] = linear ? (unsigned)(at & 255) : 0;
    }
}

static int32_t clamp_slice(const struct surface *surface, int32_t slice)
{
    int32_t last = (int32_t)surface->depth - 1;
    return slice < 0 ? 0 : slice > last ? last : slice;
}

bool texture_sample(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct sample *sample, uint32_t channels[4])
{
    bool linear = sample->minify ? sampler->minify_linear : sampler->magnify_linear;
    int64_t first[3];
    unsigned weight[3];
    double sum[4] = {0, 0, 0, 0};
    locate(surface, sampler, sample, linear, first, weight);
    if (!linear)
        return fetch(request, surface, sampler, first, clamp_slice(surface, sample->slice), channels);
    if (format_is_integer(surface->format))
        return request_refuse(request, "linear filter on the integer format %s", surface->format->name);
    for (unsigned corner = 0; corner < 8; corner++) {
        int64_t index[3];
        double share = 1;
        for (unsigned axis = 0; axis < 3; axis++) {
            unsigned step = corner >> axis & 1;
            index[axis] = first[axis] + step;
            share *= (step ? weight[axis] : 256 - weight[axis]) / 256.0;
        }
        if (share == 0) /* also the axes that the surface does not have */
            continue;
        if (!fetch(request, surface, sampler, index, clamp_slice(surface, sample->slice), channels))
            return false;
        for (unsigned i = 0; i < 4; i++)
            sum[i] += share * (double)float_of(channels[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        channels[i] = bits_of((float)sum[i]);
    return true;
}

bool texture_gather(struct request *request, const struct surface *surface, const struct sampler *sampler,
                    const struct sample *sample, unsigned component, uint32_t values[4])
{
    static const uint8_t steps[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    int64_t first[3];
    unsigned weight[3];
    locate(surface, sampler, sample, true, first, weight);
    for (unsigned i = 0; i < 4; i++) {
        int64_t index[3] = {first[0] + steps[i][0], first[1] + steps[i][1], 0};
        uint32_t channels[4];
        if (!fetch(request, surface, sampler, index, clamp_slice(surface, sample->slice), channels))
            return false;
        texture_select(surface, channels);
        values[i] = channels[component];
    }
    return true;
}
