/* Performs sampler messages: reads parameters, returns texels. */
#include <math.h>
#include "sim/message/handlers.h"
#include "sim/message/texture.h"

static unsigned message_type(const struct request *request)
{
    return request->descriptor >> 12 & 31;
}

/* Returns the position of parameter `name` in the order, -1 if absent. Orders are short: a call of strchr costs more.
 */
static int position(const struct request *request, char name)
{
    const char *order = request->kind->parameters;
    for (int i = 0; order[i]; i++)
        if (order[i] == name)
            return i;
    return -1;
}

static bool takes(const struct request *request, char name)
{
    return position(request, name) >= 0;
}

/* Returns parameter `name` of `channel` as it was sent; 0 if the message has none or is too short. */
static uint32_t raw_parameter(const struct request *request, char name, unsigned channel, bool *is_half)
{
    int at = position(request, name);
    unsigned index = at >= 0 ? (unsigned)at : request->coordinates;
    *is_half = request->descriptor >> 29 & 1;
    if (index >= request->coordinates)
        return 0;
    if (!*is_half)
        return request_dword(request, request->address_at + (index * request->channels + channel) * 4);
    unsigned each = (request->channels * 2 + request->register_bytes - 1) / request->register_bytes;
    uint16_t half;
    memcpy(&half, request_payload(request, request->address_at + index * each * request->register_bytes + channel * 2),
           sizeof half);
    return half;
}

static float real_parameter(const struct request *request, char name, unsigned channel)
{
    bool is_half;
    uint32_t bits = raw_parameter(request, name, channel, &is_half);
    return is_half ? format_float_of_half((uint16_t)bits) : format_float_of(bits);
}

static int32_t integer_parameter(const struct request *request, char name, unsigned channel)
{
    bool is_half;
    uint32_t bits = raw_parameter(request, name, channel, &is_half);
    return is_half ? (int16_t)bits : (int32_t)bits;
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
        uint16_t half = integer ? (uint16_t)values[component] : format_half_of(format_float_of(values[component]));
        memcpy(at, &half, sizeof half);
    }
}

/* Opens the surface of a message that fetches texels. A null surface reads as 0. */
static bool open_texture(struct request *request, struct surface *surface)
{
    unsigned index = request->descriptor & 255;
    if (index == INDEX_SLM || index == INDEX_STATELESS || index == INDEX_STATELESS_NONCOHERENT)
        return request_refuse(request, "binding table index %u names no surface", index);
    if (!surface_open(request, index, surface))
        return false;
    if (surface->type == SURFACE_NULL)
        return true;
    bool is_yuv = surface->format->kind == FORMAT_YUV || surface->format->kind == FORMAT_PLANAR;
    bool no_pair = is_yuv && (surface->type != SURFACE_2D || surface->mip_count != 0);
    if (surface->format->kind == FORMAT_RAW || no_pair || surface->type == SURFACE_STRUCTURED)
        return request_refuse(request, "surface format %s cannot be sampled", surface->format->name);
    return true;
}

/* Offsets in texels: header dword 2, bits 11:8, 7:4, 3:0 for U, V, R, signed. */
static int header_offset(const struct request *request, unsigned axis)
{
    if (!request->has_header)
        return 0;
    return (int32_t)(request_header(request, 2) << (20 + 4 * axis)) >> 28;
}

static bool returns_integers(const struct surface *surface)
{
    return surface->type != SURFACE_NULL && format_is_integer(surface->format);
}

static bool load_channel(struct request *request, const struct surface *surface, unsigned channel, uint32_t values[4])
{
    static const char names[] = "uvr";
    int32_t place[3];
    struct surface level;
    for (unsigned axis = 0; axis < 3; axis++)
        place[axis] = integer_parameter(request, names[axis], channel);
    int32_t slice = place[texture_dimensions(surface) % 3];
    for (unsigned axis = 0; axis < texture_dimensions(surface); axis++)
        place[axis] = (int32_t)((uint32_t)place[axis] + (uint32_t)header_offset(request, axis));
    uint32_t lod = (uint32_t)integer_parameter(request, 'L', channel);
    memset(values, 0, 16);
    if (surface->type > SURFACE_3D)
        level = *surface;
    else if (!surface_level(surface, lod, &level)) /* no such level: as outside of the surface */
        place[0] = -1, level = *surface;
    if (!texture_load(request, &level, place, slice, values))
        return false;
    surface_select(surface, values);
    return true;
}

enum message_effect message_sampler_load(struct request *request)
{
    struct surface surface;
    if (!open_texture(request, &surface))
        return MESSAGE_FAULT;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        if (!(request->mask >> channel & 1))
            continue;
        if (surface.type != SURFACE_NULL && !load_channel(request, &surface, channel, values))
            return MESSAGE_FAULT;
        return_channels(request, channel, values, returns_integers(&surface));
    }
    return MESSAGE_DONE;
}

struct sampling {
    struct surface surface;
    struct sampler sampler;
};

static bool open_sampling(struct request *request, struct sampling *sampling)
{
    if (!open_texture(request, &sampling->surface) ||
        !sampler_open(request, request->descriptor >> 8 & 15, &sampling->sampler))
        return false;
    if (sampling->surface.type == SURFACE_BUFFER)
        return request_refuse(request, "a buffer has no filter");
    if (takes(request, 'C') && returns_integers(&sampling->surface))
        return request_refuse(request, "comparison on the integer format %s", sampling->surface.format->name);
    return true;
}

/* Reads the coordinates and offsets of `channel`, and its comparison value. */
static void place_sample(const struct request *request, const struct surface *surface, unsigned channel,
                         struct texture_sample *sample)
{
    static const char names[] = "uvr";
    *sample =
        (struct texture_sample){.compares = takes(request, 'C'), .reference = real_parameter(request, 'C', channel)};
    for (unsigned axis = 0; axis < 3; axis++) {
        sample->place[axis] = real_parameter(request, names[axis], channel);
        sample->offset[axis] = header_offset(request, axis);
    }
    if (surface->is_array)
        sample->slice = clamp_to_int(rintf(sample->place[texture_dimensions(surface) % 3]));
}

/* Returns the level of detail of `channel`: sent directly, computed from derivatives that were sent, or from the four
 * channels of a square of two by two; 0 for messages that end in _lz. */
static double find_lod(const struct request *request, const struct sampling *sampling, unsigned channel)
{
    static const char names[] = "uvr", derivatives[] = "123456";
    float x[3], y[3];
    unsigned type = message_type(request);
    if (takes(request, 'L') || type == 0x18 || type == 0x19)
        return (double)real_parameter(request, 'L', channel);
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned corner = channel & ~3u;
        float here = real_parameter(request, names[axis], corner);
        bool given = takes(request, '1');
        x[axis] = given ? real_parameter(request, derivatives[2 * axis], channel)
                        : real_parameter(request, names[axis], corner + 1) - here;
        y[axis] = given ? real_parameter(request, derivatives[2 * axis + 1], channel)
                        : real_parameter(request, names[axis], corner + 2) - here;
    }
    return texture_lod(&sampling->surface, &sampling->sampler, x, y) + (double)real_parameter(request, 'B', channel);
}

enum message_effect message_sampler_sample(struct request *request)
{
    struct sampling sampling;
    if (!open_sampling(request, &sampling))
        return MESSAGE_FAULT;
    bool lod_matters = sampling.surface.mip_count != 0 ||
                       sampling.sampler.magnify_linear != sampling.sampler.minify_linear || takes(request, 'L');
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        struct texture_sample at;
        if (!(request->mask >> channel & 1))
            continue;
        if (sampling.surface.type != SURFACE_NULL) {
            place_sample(request, &sampling.surface, channel, &at);
            at.lod = lod_matters ? find_lod(request, &sampling, channel) : 0;
            if (!texture_sample(request, &sampling.surface, &sampling.sampler, &at, values))
                return MESSAGE_FAULT;
            surface_select(&sampling.surface, values);
        }
        return_channels(request, channel, values, returns_integers(&sampling.surface));
    }
    return MESSAGE_DONE;
}

enum message_effect message_sampler_gather(struct request *request)
{
    struct sampling sampling;
    struct surface level;
    if (!open_sampling(request, &sampling))
        return MESSAGE_FAULT;
    const struct surface *surface = &sampling.surface;
    if (surface->type != SURFACE_2D && surface->type != SURFACE_NULL)
        return request_fault(request, "surface type %u has no four neighbours", surface->type);
    if (surface->type == SURFACE_2D && !surface_level(surface, 0, &level))
        return request_fault(request, "the surface has no level %u", surface->first_level);
    unsigned component = request->has_header ? request_header(request, 2) >> 16 & 3 : 0;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        struct texture_sample at;
        if (!(request->mask >> channel & 1))
            continue;
        place_sample(request, surface, channel, &at);
        at.offset[0] += clamp_to_int((float)integer_parameter(request, 'i', channel));
        at.offset[1] += clamp_to_int((float)integer_parameter(request, 'j', channel));
        if (surface->type != SURFACE_NULL &&
            !texture_gather(request, &level, &sampling.sampler, &at, component, values))
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

/* Returns width, height, depth or array elements of each channel's level, and the number of levels; 0 beyond the last
 * level. */
enum message_effect message_sampler_resinfo(struct request *request)
{
    struct surface surface, level;
    if (!open_texture(request, &surface))
        return MESSAGE_FAULT;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t values[4] = {0, 0, 0, 0};
        if (!(request->mask >> channel & 1))
            continue;
        unsigned dimensions = texture_dimensions(&surface);
        bool leveled = surface.type <= SURFACE_3D;
        uint32_t number = (uint32_t)integer_parameter(request, 'L', channel);
        if (!leveled)
            level = surface;
        if (surface.type != SURFACE_NULL && (leveled ? surface_level(&surface, number, &level) : true)) {
            values[0] = level.width;
            values[1] = dimensions >= 2 ? level.height : level.is_array ? level.depth : 0;
            values[2] = dimensions == 3 || (dimensions == 2 && level.is_array) ? level.depth : 0;
        }
        values[3] = surface.type != SURFACE_NULL ? surface.mip_count + 1 : 0;
        return_channels(request, channel, values, true);
    }
    return MESSAGE_DONE;
}

/* Returns the number of samples: multisampled surfaces are refused, so it is one. */
enum message_effect message_sampler_info(struct request *request)
{
    struct surface surface;
    if (!open_texture(request, &surface))
        return MESSAGE_FAULT;
    uint32_t values[4] = {surface.type != SURFACE_NULL, 0, 0, 0};
    return_to_all(request, values);
    return MESSAGE_DONE;
}
