/* Sampler messages: parameters in, texels out. */
#include <math.h>
#include "sim/message/handlers.h"
#include "sim/message/texture.h"

/* Parameter `index` of `channel`; 0 if it was not sent. */
static uint32_t parameter(const struct request *request, unsigned index, unsigned channel)
{
    if (index >= request->coordinates)
        return 0;
    return request_dword(request, request->address_at + (index * request->channels + channel) * 4);
}

static int32_t clamp_to_int(float value)
{
    if (!(value == value))
        return 0;
    return value < -0x1p30f ? -(1 << 30) : value > 0x1p30f ? 1 << 30 : (int32_t)value;
}

static void return_channels(const struct request *request, unsigned channel, const uint32_t values[4], bool integer)
{
    uint8_t *dst = request->message->dst;
    unsigned each = request->channels * request->element_bytes;
    each = (each + request->register_bytes - 1) / request->register_bytes * request->register_bytes;
    unsigned element = 0;
    for (unsigned component = 0; component < 4 && element < request->elements; component++) {
        if (!(request->component_mask >> component & 1))
            continue;
        uint8_t *at = dst + element++ * each + channel * request->element_bytes;
        if (request->element_bytes == 4) {
            memcpy(at, &values[component], 4);
            continue;
        }
        uint16_t half = integer ? (uint16_t)values[component] : half_of(float_of(values[component]));
        memcpy(at, &half, sizeof half);
    }
}

/* Surface of a message that fetches texels. A null surface reads as 0 everywhere. */
static bool open_texture(struct request *request, struct surface *surface)
{
    unsigned index = request->descriptor & 255;
    if (index == INDEX_SLM || index == INDEX_STATELESS || index == INDEX_STATELESS_NONCOHERENT)
        return request_refuse(request, "binding table index %u names no surface", index);
    if (!surface_open(request, index, surface))
        return false;
    if (surface->type == SURFACE_NULL)
        return true;
    if (surface->format->kind == FORMAT_RAW || surface->format->kind == FORMAT_YUV ||
        surface->type == SURFACE_STRUCTURED)
        return request_refuse(request, "surface format %s cannot be sampled", surface->format->name);
    return true;
}

/* Texel offsets of the header, 4 bits signed each, are not implemented. */
static bool check_offsets(struct request *request)
{
    if (request->has_header && (request_header(request, 2) & 0xfff) != 0)
        return request_refuse(request, "texel offsets 0x%03x are not implemented", request_header(request, 2) & 0xfff);
    return true;
}

static bool returns_integers(const struct surface *surface)
{
    return surface->type != SURFACE_NULL && format_is_integer(surface->format);
}

/* Places of U, V, R and LOD among the parameters. */
struct load_order {
    unsigned v, r, lod;
    bool has_lod;
};

static bool load_channel(struct request *request, const struct surface *surface, const struct load_order *order,
                         unsigned channel, uint32_t values[4])
{
    int32_t place[3] = {(int32_t)parameter(request, 0, channel), (int32_t)parameter(request, order->v, channel),
                        (int32_t)parameter(request, order->r, channel)};
    int32_t slice = place[texture_dimensions(surface) % 3];
    if (order->has_lod && parameter(request, order->lod, channel) != 0)
        return request_refuse(request, "LOD %u is not implemented", parameter(request, order->lod, channel));
    if (!texture_load(request, surface, place, slice, values))
        return false;
    texture_select(surface, values);
    return true;
}

static enum message_effect load(struct request *request, const struct load_order *order)
{
    struct surface surface;
    if (!open_texture(request, &surface) || !check_offsets(request))
        return MESSAGE_FAULT;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        if (!(request->mask >> channel & 1))
            continue;
        if (surface.type != SURFACE_NULL && !load_channel(request, &surface, order, channel, values))
            return MESSAGE_FAULT;
        return_channels(request, channel, values, returns_integers(&surface));
    }
    return MESSAGE_DONE;
}

enum message_effect message_sampler_load(struct request *request)
{
    return load(request, &(struct load_order){.v = 1, .lod = 2, .r = 3, .has_lod = true});
}

enum message_effect message_sampler_load_lz(struct request *request)
{
    return load(request, &(struct load_order){.v = 1, .r = 2});
}

/* Coordinates of `channel`, the first at parameter `first`. */
static void place_sample(const struct request *request, const struct surface *surface, unsigned first, unsigned channel,
                         struct sample *sample)
{
    for (unsigned axis = 0; axis < 3; axis++)
        sample->place[axis] = float_of(parameter(request, first + axis, channel));
    sample->slice = 0;
    if (surface->is_array)
        sample->slice = clamp_to_int(rintf(sample->place[texture_dimensions(surface) % 3]));
}

struct sampling {
    struct surface surface;
    struct sampler sampler;
};

static bool open_sampling(struct request *request, struct sampling *sampling)
{
    if (!open_texture(request, &sampling->surface) || !check_offsets(request) ||
        !sampler_open(request, request->descriptor >> 8 & 15, &sampling->sampler))
        return false;
    if (sampling->surface.type == SURFACE_BUFFER)
        return request_refuse(request, "a buffer has no filter");
    return true;
}

/* `first` is the parameter of U; the LOD, if the message has one, comes before it. */
static enum message_effect sample(struct request *request, struct sampling *sampling, unsigned first)
{
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        struct sample at = {.minify = false};
        if (!(request->mask >> channel & 1))
            continue;
        float lod = first ? float_of(parameter(request, 0, channel)) : 0;
        at.minify = lod > 0;
        if (at.minify && sampling->surface.mip_count != 0)
            return request_fault(request, "LOD %g of a surface with levels is not implemented", (double)lod);
        place_sample(request, &sampling->surface, first, channel, &at);
        if (sampling->surface.type != SURFACE_NULL) {
            if (!texture_sample(request, &sampling->surface, &sampling->sampler, &at, values))
                return MESSAGE_FAULT;
            texture_select(&sampling->surface, values);
        }
        return_channels(request, channel, values, returns_integers(&sampling->surface));
    }
    return MESSAGE_DONE;
}

/* sample computes the LOD from neighbouring channels, sample_lz takes 0: the same when there is one level and one
 * filter. */
enum message_effect message_sampler_sample(struct request *request)
{
    struct sampling sampling;
    bool needs_lod = (request->descriptor >> 12 & 31) == 0;
    if (!open_sampling(request, &sampling))
        return MESSAGE_FAULT;
    if (needs_lod &&
        (sampling.surface.mip_count != 0 || sampling.sampler.magnify_linear != sampling.sampler.minify_linear))
        return request_fault(request, "the level of detail from neighbouring channels is not implemented");
    return sample(request, &sampling, 0);
}

enum message_effect message_sampler_sample_l(struct request *request)
{
    struct sampling sampling;
    return open_sampling(request, &sampling) ? sample(request, &sampling, 1) : MESSAGE_FAULT;
}

enum message_effect message_sampler_gather(struct request *request)
{
    struct sampling sampling;
    if (!open_sampling(request, &sampling))
        return MESSAGE_FAULT;
    const struct surface *surface = &sampling.surface;
    if (surface->type != SURFACE_2D && surface->type != SURFACE_NULL)
        return request_fault(request, "surface type %u has no four neighbours", surface->type);
    unsigned component = request->has_header ? request_header(request, 2) >> 16 & 3 : 0;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        struct sample at = {.minify = false};
        if (!(request->mask >> channel & 1))
            continue;
        place_sample(request, surface, 0, channel, &at);
        if (surface->type != SURFACE_NULL &&
            !texture_gather(request, surface, &sampling.sampler, &at, component, values))
            return MESSAGE_FAULT;
        return_channels(request, channel, values, returns_integers(surface));
    }
    return MESSAGE_DONE;
}

/* Returns the same integers to every enabled channel. */
static void return_to_all(const struct request *request, const uint32_t values[4])
{
    for (unsigned channel = 0; channel < request->channels; channel++)
        if (request->mask >> channel & 1)
            return_channels(request, channel, values, true);
}

/* Width, height, depth or array elements, number of levels. */
enum message_effect message_sampler_resinfo(struct request *request)
{
    struct surface surface;
    if (!open_texture(request, &surface))
        return MESSAGE_FAULT;
    for (unsigned channel = 0; channel < request->channels; channel++)
        if ((request->mask >> channel & 1) && parameter(request, 0, channel) != 0)
            return request_fault(request, "LOD %u is not implemented", parameter(request, 0, channel));
    uint32_t values[4] = {0, 0, 0, 0};
    if (surface.type != SURFACE_NULL) {
        unsigned dimensions = texture_dimensions(&surface);
        values[0] = surface.width;
        values[1] = dimensions >= 2 ? surface.height : surface.is_array ? surface.depth : 0;
        values[2] = dimensions == 3 || (dimensions == 2 && surface.is_array) ? surface.depth : 0;
        values[3] = surface.mip_count + 1;
    }
    return_to_all(request, values);
    return MESSAGE_DONE;
}

/* Number of samples: multisampled surfaces are refused, so there is one. */
enum message_effect message_sampler_info(struct request *request)
{
    struct surface surface;
    if (!open_texture(request, &surface))
        return MESSAGE_FAULT;
    uint32_t values[4] = {surface.type != SURFACE_NULL, 0, 0, 0};
    return_to_all(request, values);
    return MESSAGE_DONE;
}
