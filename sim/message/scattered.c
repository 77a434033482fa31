/* Performs messages with an address for each channel: untyped, dword, qword and byte scattered reads and writes,
 * with 32-bit addresses of a surface or 64-bit ones. */
#include "sim/message/handlers.h"
#include "sim/message/surface.h"

/* Returns the bytes from the channel's address to its element `element`, and the element's offset in the registers'
 * data. Masked components keep their offset in memory; in registers the others are adjacent, except in SIMD4x2. */
struct placement {
    unsigned in_memory, in_registers;
};

static void place_elements(const struct request *request, struct placement places[8])
{
    unsigned element = 0;
    if (request->kind->data != DATA_MASKED) {
        for (; element < request->elements; element++)
            places[element] = (struct placement){element * request->element_bytes, element};
        return;
    }
    for (unsigned component = 0; component < 4; component++)
        if (request->component_mask >> component & 1) {
            places[element] = (struct placement){component * 4, request->is_4x2 ? component : element};
            element++;
        }
}

static bool move_channel(struct request *request, const struct target *target, const struct placement *places,
                         unsigned channel)
{
    uint64_t address = request_address(request, channel);
    unsigned size = request->element_bytes;
    if (address % 4 != 0)
        return request_refuse(request, "address 0x%llx of channel %u is not dword aligned", (unsigned long long)address,
                              channel);
    request_names_lane(request, request->is_4x2 ? 4 * channel : channel, 0);
    for (unsigned element = 0; element < request->elements; element++) {
        unsigned at = request_element_at(request, places[element].in_registers, channel);
        uint8_t *memory = NULL;
        enum surface_reach reach = target_at(request, target, address + places[element].in_memory, size, &memory);
        if (reach == REACH_FAULT)
            return false;
        if (request_writes(request)) {
            if (reach == REACH_INSIDE)
                memcpy(memory, request_payload(request, request->data_at + at), size);
        } else if (reach == REACH_INSIDE) {
            memcpy(request->message->dst + at, memory, size);
        } else {
            memset(request->message->dst + at, 0, size);
        }
    }
    return true;
}

/* Returns `bytes` contiguous bytes of the payload, or NULL if they are split between the two sources. */
static const uint8_t *whole_payload(const struct request *request, unsigned byte, unsigned bytes)
{
    const uint8_t *first = request_payload(request, byte);
    return request_payload(request, byte + bytes - 1) == first + (bytes - 1) ? first : NULL;
}

/* True if every channel is enabled and moves one dword, at consecutive addresses. */
static bool is_consecutive(const struct request *request, uint64_t first)
{
    if (request->mask != (1u << request->channels) - 1 || request->elements != 1 || request->element_bytes != 4 ||
        request->is_4x2 || first % 4 != 0 || (request->kind->data == DATA_MASKED && request->component_mask != 1))
        return false;
    for (unsigned channel = 1; channel < request->channels; channel++)
        if (request_address(request, channel) != first + channel * 4)
            return false;
    return true;
}

/* Moves the common case in one copy. Returns false for other cases, and outside of the surface or of all objects:
 * nothing was moved then, and the channels are processed one by one. */
static bool move_consecutive(struct request *request, const struct target *target)
{
    uint64_t first = request_address(request, 0);
    unsigned bytes = request->channels * 4;
    uint8_t *memory;
    if (target->kind == TARGET_EMPTY || !is_consecutive(request, first) ||
        !target_covers(request, target, first, bytes))
        return false;
    request_names_lane(request, 0, 4);
    if (target_at(request, target, first, bytes, &memory) != REACH_INSIDE)
        return false;
    if (!request_writes(request)) {
        memcpy(request->message->dst, memory, bytes);
        return true;
    }
    const uint8_t *payload = whole_payload(request, request->data_at, bytes);
    if (payload)
        memcpy(memory, payload, bytes);
    return payload != NULL;
}

enum message_effect message_scattered(struct request *request)
{
    struct target target;
    struct placement places[8];
    if (!target_open(request, &target))
        return MESSAGE_FAULT;
    if (move_consecutive(request, &target))
        return MESSAGE_DONE;
    place_elements(request, places);
    for (unsigned channel = 0; channel < request->channels; channel++)
        if ((request->mask >> channel & 1) && !move_channel(request, &target, places, channel))
            return MESSAGE_FAULT;
    return MESSAGE_DONE;
}

/* Moves one, two or four bytes at any address; in registers each takes a dword, zero extended. */
enum message_effect message_byte_scattered(struct request *request)
{
    struct target target;
    unsigned size = 1u << (request->descriptor >> 10 & 3);
    if (size > 4)
        return request_fault(request, "data size 3 is reserved");
    if (!target_open(request, &target))
        return MESSAGE_FAULT;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        if (!(request->mask >> channel & 1))
            continue;
        uint8_t *memory = NULL;
        uint32_t value = 0;
        request_names_lane(request, channel, 0);
        enum surface_reach reach = target_at(request, &target, request_address(request, channel), size, &memory);
        if (reach == REACH_FAULT)
            return MESSAGE_FAULT;
        if (request_writes(request)) {
            if (reach == REACH_INSIDE)
                memcpy(memory, request_payload(request, request->data_at + channel * 4), size);
            continue;
        }
        if (reach == REACH_INSIDE)
            memcpy(&value, memory, size);
        memcpy(request->message->dst + channel * 4, &value, sizeof value);
    }
    return MESSAGE_DONE;
}
