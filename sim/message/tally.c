/* Counts messages and the bytes between registers and surfaces. */
#include "sim/message/tally.h"

#include <assert.h>
#include <stdio.h>
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"
#include "sim/message/surface.h"

size_t message_tally_bytes(void)
{
    return sizeof(struct message_tally) + 2 * message_kind_count() * sizeof(uint64_t);
}

void message_tally_merge(struct message_tally *to, const struct message_tally *from)
{
    assert(to != from);
    for (size_t i = 0; i < TALLY_SURFACES; i++) {
        to->read[i] += from->read[i];
        to->written[i] += from->written[i];
    }
    for (size_t i = 0; i < 2 * message_kind_count(); i++)
        to->kinds[i] += from->kinds[i];
}

/* Returns the bytes that the message moves for the enabled channels, inside or outside of the surface. */
static uint64_t bytes_moved(struct request *request)
{
    const struct message_kind *kind = request->kind;
    unsigned active = (unsigned)__builtin_popcount(request->mask), width, rows, pitch;
    if (kind->direction == DIRECTION_NOTHING || kind->perform == message_sampler_resinfo ||
        kind->perform == message_sampler_info)
        return 0;
    if (kind->data == DATA_MEDIA)
        return request_media_block(request, &width, &rows, &pitch) ? width * rows : 0;
    if (kind->channels == CHANNELS_BLOCK)
        return request->elements * request->element_bytes;
    if (kind->perform == message_byte_scattered)
        return active * (1u << (request->descriptor >> 10 & 3));
    return active * request->elements * request->element_bytes;
}

void message_tally_add(struct message_tally *tally, struct request *request)
{
    const struct message_kind *kind = request->kind;
    unsigned surface = kind->perform == message_scratch_block ? TALLY_SCRATCH
                       : kind->channels == CHANNELS_LSC       ? lsc_surface_index(request)
                                                              : request->descriptor & 255;
    uint64_t bytes = bytes_moved(request);
    tally->kinds[message_kind_index(kind)]++;
    if (request->is_approximate)
        tally->kinds[message_kind_count() + message_kind_index(kind)]++;
    if (kind->direction == DIRECTION_READ || kind->direction == DIRECTION_ATOMIC)
        tally->read[surface] += bytes;
    if (kind->direction == DIRECTION_WRITE || kind->direction == DIRECTION_ATOMIC)
        tally->written[surface] += bytes;
}

size_t message_tally_kinds(const struct message_tally *tally, struct sim_count *counts, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < message_kind_count() && used < room; i++)
        if (tally->kinds[i] != 0) {
            struct sim_count *count = &counts[used++];
            *count = (struct sim_count){.values = {tally->kinds[i], 0}};
            snprintf(count->name, sizeof count->name, "%s", message_kind_name(i));
        }
    return used;
}

void message_tally_each(const struct message_tally *tally, message_tally_visit *visit)
{
    assert(visit);
    for (size_t i = 0; i < message_kind_count(); i++) {
        uint64_t approximate = tally->kinds[message_kind_count() + i];
        if (tally->kinds[i] != approximate)
            visit(message_kind_name(i), message_kind_is_exact(i), tally->kinds[i] - approximate);
        if (approximate != 0)
            visit(message_kind_name(i), false, approximate);
    }
}

static void name_surface(unsigned surface, char *name, size_t size)
{
    switch (surface) {
    case TALLY_SCRATCH: snprintf(name, size, "scratch"); break;
    case INDEX_BINDLESS: snprintf(name, size, "bindless"); break;
    case INDEX_STATELESS:
    case INDEX_STATELESS_NONCOHERENT: snprintf(name, size, "stateless"); break;
    case INDEX_SLM: snprintf(name, size, "slm"); break;
    default: snprintf(name, size, "%u", surface); break;
    }
}

size_t message_tally_surfaces(const struct message_tally *tally, struct sim_count *counts, size_t room)
{
    size_t used = 0;
    for (unsigned i = 0; i < TALLY_SURFACES && used < room; i++)
        if (tally->read[i] != 0 || tally->written[i] != 0) {
            struct sim_count *count = &counts[used++];
            *count = (struct sim_count){.values = {tally->read[i], tally->written[i]}};
            name_surface(i, count->name, sizeof count->name);
        }
    return used;
}
