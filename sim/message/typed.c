/* Performs typed surface reads and writes: a pixel for each channel, converted by the surface's format and channel
 * selects. */
#include "sim/message/typed.h"

#include <assert.h>
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"

uint32_t typed_slots(const struct request *request, unsigned slot_group)
{
    assert(slot_group <= 2);
    const struct message *message = request->message;
    if (slot_group == 2 && message->exec_size > 8)
        return message->exec_mask >> 8 & 0xff;
    return request->mask;
}

/* Reads the coordinates U, V, R, LOD in this order; absent ones are 0. */
static uint32_t coordinate(const struct request *request, unsigned index, unsigned channel)
{
    if (index >= request->coordinates)
        return 0;
    return request_dword(request, request->address_at + (index * request->channels + channel) * 4);
}

/* Tells the check of a write beyond the image, or to a level that it lacks. The hardware drops it. Reads are defined.
 */
static void report_outside(const struct request *request, const struct surface *surface, const uint32_t pixel[4])
{
    struct check_group *check = request->message->state->check;
    if (!check || request->kind->direction == DIRECTION_READ || surface->type == SURFACE_BUFFER)
        return;
    const uint32_t extent[] = {surface->width, surface->height, surface->depth};
    check_outside_image(check, pixel, extent,
                        request->kind->direction == DIRECTION_ATOMIC ? CHECK_ATOMIC : CHECK_WRITE);
}

bool typed_pixel(struct request *request, const struct surface *surface, unsigned channel, uint8_t **memory)
{
    assert(channel < request->channels && memory);
    uint32_t u = coordinate(request, 0, channel), v = coordinate(request, 1, channel);
    uint32_t r = coordinate(request, 2, channel), lod = coordinate(request, 3, channel);
    *memory = NULL;
    if (surface->type == SURFACE_NULL)
        return true;
    if (surface->type == SURFACE_1D && surface->is_array) {
        r = v; /* the array index follows U */
        v = 0;
    }
    if (surface->type == SURFACE_BUFFER || surface->type == SURFACE_1D)
        v = 0;
    struct surface level;
    bool has_slices = surface->depth > 1 || surface->is_array || surface->type == SURFACE_3D, is_inside = true;
    if (lod != 0 || surface->first_level != 0) {
        is_inside = surface->type <= SURFACE_3D && surface_level(surface, lod, &level);
        surface = is_inside ? &level : surface;
    }
    if (!is_inside || u >= surface->width || v >= surface->height || (has_slices && r >= surface->depth)) {
        report_outside(request, surface, (uint32_t[]){u, v, has_slices ? r : 0, lod});
        return true;
    }
    r = has_slices ? r : 0;
    *memory = surface_pixel(request, surface, u, v, r);
    return *memory != NULL;
}

/* Finds the shader channel of each surface channel for writes: the inverse of the surface state's channel selects
 * ("which surface channel is read or written"). If selects name a channel twice, or a constant, some surface channels
 * have no shader channel. The first select that names a surface channel writes it; a channel that none names takes the
 * shader channel of its own name. */
static void find_writers(const struct surface *surface, uint8_t writers[4])
{
    unsigned named = 0;
    for (unsigned shader = 0; shader < 4; shader++) {
        unsigned to = surface->select[shader] - 4u;
        if (to >= 4 || named >> to & 1)
            continue;
        writers[to] = (uint8_t)shader;
        named |= 1u << to;
    }
    for (unsigned channel = 0; channel < 4; channel++)
        if (!(named >> channel & 1))
            writers[channel] = (uint8_t)channel;
}

static void read_pixel(const struct request *request, const struct surface *surface, unsigned channel,
                       const uint8_t *memory)
{
    uint32_t values[4] = {0, 0, 0, 0};
    if (memory) {
        format_read(surface->format, memory, values);
        surface_select(surface, values);
    }
    unsigned element = 0;
    for (unsigned component = 0; component < 4 && request->message->dst_regs != 0; component++)
        if (request->component_mask >> component & 1)
            memcpy(request->message->dst + request_element_at(request, element++, channel), &values[component], 4);
}

/* Masked components keep their value in the surface. */
static void write_pixel(struct request *request, const struct surface *surface, unsigned channel, uint8_t *memory)
{
    uint32_t values[4], sent[4];
    uint8_t writers[4];
    if (!memory)
        return;
    format_read(surface->format, memory, values);
    find_writers(surface, writers);
    unsigned element = 0;
    for (unsigned component = 0; component < 4; component++)
        if (request->component_mask >> component & 1)
            sent[component] =
                request_dword(request, request->data_at + request_element_at(request, element++, channel));
    for (unsigned i = 0; i < 4; i++)
        if (request->component_mask >> writers[i] & 1)
            values[i] = sent[writers[i]];
    request->is_approximate |= !format_writes_exactly(surface->format, values);
    format_write(surface->format, memory, values);
}

static bool check_texels(struct request *request, const struct surface *surface)
{
    if (surface->type == SURFACE_NULL)
        return true;
    if (surface->format->kind >= FORMAT_RAW || surface->type == SURFACE_STRUCTURED)
        return request_refuse(request, "surface format %s has no typed access", surface->format->name);
    return !request_writes(request) || format_is_writable(surface->format) ||
           request_refuse(request, "typed write of surface format %s is not implemented", surface->format->name);
}

static enum message_effect move_texels(struct request *request, unsigned index, uint32_t mask)
{
    struct surface surface;
    if (!surface_open(request, index, &surface) || !check_texels(request, &surface))
        return MESSAGE_FAULT;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned channel = (unsigned)__builtin_ctz(rest);
        uint8_t *memory;
        request_names_lane(request, channel, 0);
        if (!typed_pixel(request, &surface, channel, &memory))
            return MESSAGE_FAULT;
        if (request_writes(request))
            write_pixel(request, &surface, channel, memory);
        else
            read_pixel(request, &surface, channel, memory);
    }
    return MESSAGE_DONE;
}

enum message_effect message_typed(struct request *request)
{
    unsigned slot_group = request->descriptor >> 12 & 3;
    if (slot_group != 1 && slot_group != 2)
        return request_fault(request, "slot group %u is not implemented", slot_group);
    return move_texels(request, request->descriptor & 255, typed_slots(request, slot_group));
}

enum message_effect message_lsc_typed(struct request *request)
{
    return move_texels(request, lsc_surface_index(request), request->mask);
}
