/* Performs common untyped and dword scattered messages on a fast path: dword elements, all channels inside one object,
 * known lengths. The result is that of scattered.c, in the same order if the order is visible. Other cases, and all
 * faults, go to scattered.c. */
#pragma GCC optimize("O3")
#include "sim/message/handlers.h"
#include "sim/message/surface.h"
#include "sim/timing/record.h"

#define INLINE static inline __attribute__((always_inline))

enum { MOST_CHANNELS = 16 };

bool scattered_is_simple(const struct request *request)
{
    const struct message_kind *kind = request->kind;
    if (kind->perform != message_scattered || request->is_4x2 || request->element_bytes != 4 ||
        kind->direction == DIRECTION_NOTHING)
        return false;
    /* True for components without a gap: element n is 4n bytes after the address. */
    return kind->data != DATA_MASKED || (request->component_mask & (request->component_mask + 1)) == 0;
}

/* Returns the contiguous bytes, or NULL if they are split between the two sources. */
static const uint8_t *whole(const struct request *request, unsigned byte, unsigned bytes)
{
    const struct message *message = request->message;
    unsigned first = message->src0_regs * request->register_bytes;
    if (byte + bytes <= first)
        return message->src0 + byte;
    return byte >= first ? message->src1 + (byte - first) : NULL;
}

/* Channel addresses as distances from `host`, the host address of the lowest one. */
struct places {
    uint32_t offset[MOST_CHANNELS];
    uint8_t *host;
};

/* Computes the offsets of the enabled channels, 0 for the others; the OR of their bits, and the largest. */
INLINE void strip_offsets(struct places *places, const unsigned channels, uint32_t strip, uint32_t mask, const bool all,
                          uint32_t *seen, uint32_t *most)
{
    for (unsigned channel = 0; channel < channels; channel++) {
        uint32_t offset = places->offset[channel] & strip;
        if (!all)
            offset = mask >> channel & 1 ? offset : 0;
        places->offset[channel] = offset;
        *seen |= offset;
        *most = offset > *most ? offset : *most;
    }
}

/* Handles 32-bit addresses in shared local memory, or in a surface that one object holds. */
static bool place_in_target(const struct request *request, const struct target *target, const uint8_t *addresses,
                            struct places *places)
{
    uint32_t bytes = request->elements * 4, seen = 0, most = 0;
    uint32_t strip = target->kind == TARGET_SLM ? target->slm_mask : UINT32_MAX;
    memcpy(places->offset, addresses, request->channels * 4);
    if (request->mask == 0xffff)
        strip_offsets(places, 16, strip, 0, true, &seen, &most);
    else
        strip_offsets(places, request->channels, strip, request->mask, false, &seen, &most);
    places->host = target->host;
    return target->host && seen % 4 == 0 && target->bytes >= bytes && most <= target->bytes - bytes;
}

/* Handles 64-bit addresses, or 32-bit ones from a base, that are all in one object. */
static bool place_flat(struct request *request, const struct target *target, const uint8_t *addresses,
                       struct places *places)
{
    uint64_t address[MOST_CHANNELS], least = UINT64_MAX, most = 0, seen = 0;
    unsigned first = (unsigned)__builtin_ctz(request->mask);
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint32_t low;
        if (target->is_64_bit) {
            memcpy(&address[channel], addresses + channel * 8, 8);
        } else {
            memcpy(&low, addresses + channel * 4, sizeof low);
            address[channel] = low;
        }
        seen |= request->mask >> channel & 1 ? address[channel] : 0;
    }
    for (unsigned channel = 0; channel < request->channels; channel++) {
        if (!(request->mask >> channel & 1))
            address[channel] = address[first];
        least = address[channel] < least ? address[channel] : least;
        most = address[channel] > most ? address[channel] : most;
    }
    bool wraps = !target->is_64_bit && most > UINT32_MAX - request->elements * 4;
    if (seen % 4 != 0 || most - least > INT32_MAX || wraps)
        return false;
    places->host = request_find_memory(request, target->base + least, most - least + request->elements * 4);
    for (unsigned channel = 0; channel < request->channels; channel++)
        places->offset[channel] = (uint32_t)(address[channel] - least);
    return places->host != NULL;
}

INLINE uint32_t load(const uint8_t *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void read_all(const struct places *places, uint8_t *back, unsigned elements, const unsigned channels)
{
    uint32_t row = 0, same = 0;
    for (unsigned channel = 0; channel < channels; channel++) {
        row |= places->offset[channel] ^ (places->offset[0] + channel * 4);
        same |= places->offset[channel] ^ places->offset[0];
    }
    if (row == 0 && elements == 1) {
        memcpy(back, places->host + places->offset[0], channels * 4);
        return;
    }
    for (unsigned element = 0; element < elements; element++) {
        const uint8_t *from = places->host + element * 4;
        uint32_t values[MOST_CHANNELS];
        if (same == 0) {
            uint32_t value = load(from + places->offset[0]);
            for (unsigned channel = 0; channel < channels; channel++)
                values[channel] = value;
        } else {
            for (unsigned channel = 0; channel < channels; channel++)
                values[channel] = load(from + places->offset[channel]);
        }
        memcpy(back + element * channels * 4, values, channels * 4);
    }
}

static void read_some(const struct request *request, const struct places *places)
{
    for (uint32_t rest = request->mask; rest != 0; rest &= rest - 1) {
        unsigned channel = (unsigned)__builtin_ctz(rest);
        for (unsigned element = 0; element < request->elements; element++)
            memcpy(request->message->dst + (element * request->channels + channel) * 4,
                   places->host + places->offset[channel] + element * 4, 4);
    }
}

/* Writes channel after channel: if two write the same dword, the last one's value stays. */
static void write_some(const struct request *request, const struct places *places, const uint8_t *data)
{
    for (uint32_t rest = request->mask; rest != 0; rest &= rest - 1) {
        unsigned channel = (unsigned)__builtin_ctz(rest);
        for (unsigned element = 0; element < request->elements; element++)
            memcpy(places->host + places->offset[channel] + element * 4,
                   data + (element * request->channels + channel) * 4, 4);
    }
}

static void write_all(const struct request *request, const struct places *places, const uint8_t *data)
{
    uint32_t row = 0;
    for (unsigned channel = 0; channel < request->channels; channel++)
        row |= places->offset[channel] ^ (places->offset[0] + channel * 4);
    if (row == 0 && request->elements == 1)
        memcpy(places->host + places->offset[0], data, request->channels * 4);
    else
        write_some(request, places, data);
}

/* The data port moves 64 bytes of a message's registers at a time: a dword of each of 16 lanes, two of eight, three or
 * four of four. Lanes of one pass share lines, those of two do not. */
static void record_passes(struct request *request, const struct places *places)
{
    unsigned lanes = request->elements == 2 ? 8 : 4, size = request->elements * 4;
    for (unsigned first = 0; first < request->channels; first += lanes) {
        uint64_t line[16]; /* two at most of each lane */
        unsigned lines = 0;
        for (unsigned lane = first; lane < first + lanes; lane++) {
            if (!(request->mask >> lane & 1))
                continue;
            uint64_t at = (uintptr_t)places->host + places->offset[lane];
            for (uint64_t each = at / 64; each <= (at + size - 1) / 64; each++) {
                unsigned i = 0;
                while (i < lines && line[i] != each)
                    i++;
                line[i] = each;
                lines += i == lines;
            }
        }
        request->message->state->record->message->passes += lines;
    }
}

/* The bytes from the first channel's on if all channels of the message have the same ones, or consecutive dwords. 0:
 * they have not, or the message has not all channels. */
static uint32_t one_access(const struct request *request, const struct places *places)
{
    uint32_t row = 0, same = 0;
    if (request->mask != 0xffff)
        return 0;
    for (unsigned channel = 0; channel < 16; channel++) {
        row |= places->offset[channel] ^ (places->offset[0] + channel * 4);
        same |= places->offset[channel] ^ places->offset[0];
    }
    if (same == 0)
        return request->elements * 4;
    return row == 0 && request->elements == 1 ? 16 * 4 : 0;
}

static void record_accesses(struct request *request, const struct places *places)
{
    struct thread_record *record = request->message->state->record;
    uint32_t size = request->elements * 4, from = places->offset[__builtin_ctz(request->mask)], end = from;
    for (uint32_t rest = request->mask; rest != 0; rest &= rest - 1) {
        uint32_t offset = places->offset[__builtin_ctz(rest)];
        if (offset + size == end)
            continue;
        if (offset != end) {
            record_touch(record, places->host + from, end - from);
            from = offset;
        }
        end = offset + size;
    }
    record_touch(record, places->host + from, end - from);
}

/* Records for the timing model which memory the channels move. Consecutive dwords are one access, and so are equal
 * ones. */
static void record_places(struct request *request, const struct places *places)
{
    struct thread_record *record = request->message->state->record;
    uint32_t bytes = one_access(request, places);
    if (bytes)
        record_touch(record, places->host + places->offset[0], bytes);
    else
        record_accesses(request, places);
    if (record->message->path == RECORD_DATA && request->elements > 1)
        record_passes(request, places);
}

bool scattered_simple(struct request *request)
{
    struct target target;
    struct places places;
    unsigned channels = request->channels, address_bytes = request->kind->address == ADDRESS_A64 ? 8 : 4;
    bool all = request->mask == (1u << channels) - 1;
    const uint8_t *addresses = whole(request, request->address_at, channels * address_bytes);
    const uint8_t *data =
        request_writes(request) ? whole(request, request->data_at, request->elements * channels * 4) : NULL;
    if (request->mask == 0 || !addresses || (request_writes(request) ? !data : !request->message->dst) ||
        !target_open(request, &target))
        return false;
    bool placed = target.kind == TARGET_FLAT    ? place_flat(request, &target, addresses, &places)
                  : target.kind == TARGET_EMPTY ? false
                                                : place_in_target(request, &target, addresses, &places);
    if (!placed)
        return false;
    if (request->message->state->record)
        record_places(request, &places);
    if (request_writes(request) && all)
        write_all(request, &places, data);
    else if (request_writes(request))
        write_some(request, &places, data);
    else if (all && channels == 16)
        read_all(&places, request->message->dst, request->elements, 16);
    else if (all)
        read_all(&places, request->message->dst, request->elements, 8);
    else
        read_some(request, &places);
    return true;
}
