/* Performs loads and stores of the load/store cache; decodes and checks all of its messages. */
#include "sim/message/lsc.h"

#include <assert.h>
#include "sim/message/handlers.h"

enum { OPERATION_MASK = 0x3f, LANE_VECTOR_MOST = 8 };

static const struct data_size {
    uint8_t memory, registers, shift;
    const char *name;
} data_sizes[8] = {
#define LSC_DATA(NUMBER, MEMORY, REGISTERS, SHIFT, NAME) [NUMBER] = {MEMORY, REGISTERS, SHIFT, NAME},
#include "tables/lsc.def"
};

static const uint8_t vector_lengths[8] = {
#define LSC_VECTOR(NUMBER, ELEMENTS) [NUMBER] = ELEMENTS,
#include "tables/lsc.def"
};

static const uint8_t address_sizes[4] = {
#define LSC_ADDRESS(NUMBER, BYTES) [NUMBER] = BYTES,
#include "tables/lsc.def"
};

static unsigned bits(uint32_t value, unsigned low, unsigned count)
{
    return value >> low & ((1u << count) - 1);
}

static const struct data_size *data_size(const struct request *request)
{
    return &data_sizes[bits(request->descriptor, 9, 3)];
}

unsigned lsc_address_bytes(const struct request *request)
{
    return address_sizes[bits(request->descriptor, 7, 2)];
}

static bool is_transposed(const struct request *request)
{
    return !request->is_quad && bits(request->descriptor, 15, 1);
}

static bool is_slm(const struct request *request)
{
    return request->kind->address == ADDRESS_LSC_SLM;
}

static unsigned registers(const struct request *request, unsigned bytes)
{
    return (bytes + request->register_bytes - 1) / request->register_bytes;
}

/* Returns the lanes that payloads have space for: at least one register of dwords, at most two. */
static unsigned payload_lanes(const struct request *request)
{
    unsigned least = request->register_bytes / 4;
    return request->channels < least ? least : request->channels;
}

/* Returns the bytes from one element of all lanes to the next element. */
unsigned lsc_element_pitch(const struct request *request)
{
    return registers(request, payload_lanes(request) * request->element_bytes) * request->register_bytes;
}

static int64_t sign_extended(uint32_t value, unsigned low, unsigned count)
{
    return (int32_t)(value << (32 - low - count)) >> (32 - count);
}

/* Returns the offset that the extended descriptor adds to every address. For surfaces named by a register, the offset
 * is in the instruction. */
static int64_t immediate_offset(const struct request *request)
{
    uint32_t extended = request->message->extended;
    if (!platform_has(request->message->state->platform, FEATURE_LSC_OFFSETS))
        return 0;
    switch (lsc_base(request)) {
    case LSC_FLAT: return sign_extended(extended, 12, 20);
    case LSC_BINDING_TABLE: return sign_extended(extended, 12, 12);
    default: return request->message->surface_offset;
    }
}

uint64_t lsc_address(const struct request *request, unsigned lane)
{
    assert(lane < request->channels);
    uint64_t address = 0;
    unsigned bytes = lsc_address_bytes(request);
    memcpy(&address, request_payload(request, lane * bytes), bytes);
    address += (uint64_t)immediate_offset(request);
    return bytes == 8 ? address : address & UINT32_MAX;
}

unsigned lsc_element_at(const struct request *request, unsigned element, unsigned lane)
{
    assert(lane < request->channels);
    if (is_transposed(request))
        return element * request->element_bytes;
    return element * lsc_element_pitch(request) + lane * request->element_bytes;
}

static bool check_shape(struct request *request)
{
    const struct data_size *size = data_size(request);
    unsigned lanes = request->message->exec_size;
    if (size->registers == 0)
        return request_refuse(request, "data size %u (%s) is for 2D blocks only", bits(request->descriptor, 9, 3),
                              size->name ? size->name : "reserved");
    if (lsc_address_bytes(request) == 0)
        return request_refuse(request, "address size 0 is reserved");
    if (lanes > request->register_bytes / 2)
        return request_refuse(request, "%u lanes, the platform has %u", lanes, request->register_bytes / 2);
    if (is_slm(request) && (lsc_base(request) != LSC_FLAT || lsc_address_bytes(request) == 8))
        return request_refuse(request, "addresses of shared local memory are flat, of 16 or 32 bits");
    if (!is_slm(request) && lsc_address_bytes(request) == 2)
        return request_refuse(request, "addresses of 16 bits are for shared local memory");
    if (!is_transposed(request))
        return request->elements <= LANE_VECTOR_MOST ||
               request_refuse(request, "vectors of %u elements must be transposed", request->elements);
    if (lanes != 1 || request->kind->direction == DIRECTION_ATOMIC)
        return request_refuse(request, "a transposed message of %u lanes", lanes);
    return size->memory == size->registers || request_refuse(request, "transposed data of size %s", size->name);
}

static bool check_length(struct request *request, const char *which, unsigned have, unsigned want)
{
    return have == want || request_refuse(request, "%s %u registers where the descriptor 0x%08x needs %u", which, have,
                                          request->descriptor, want);
}

static bool check_registers(struct request *request, unsigned addresses, unsigned data, bool returns_data)
{
    const struct message *message = request->message;
    bool reads = request->kind->direction == DIRECTION_READ;
    if (!check_length(request, "addresses have", message->src0_regs, addresses) ||
        !check_length(request, "data has", message->src1_regs, reads ? 0 : data))
        return false;
    if (!message->src0 || (message->src1_regs && !message->src1))
        return request_refuse(request, "a source is missing");
    if (message->dst_regs == 0 || !returns_data) /* a load without a destination only fills the cache */
        return check_length(request, "destination has", message->dst_regs, 0);
    return check_length(request, "destination has", message->dst_regs,
                        reads ? data : registers(request, lsc_element_pitch(request)));
}

/* Loads and stores of four components, of which bits 15:12 choose some. */
static bool is_quad_operation(uint32_t descriptor)
{
    uint32_t operation = descriptor & OPERATION_MASK;
    return operation == 0x02 || operation == 0x06 || operation == 0x20;
}

static bool decode_data(struct request *request)
{
    uint32_t operation = request->descriptor & OPERATION_MASK;
    request->is_quad = is_quad_operation(request->descriptor);
    request->element_bytes = data_size(request)->registers;
    request->elements = vector_lengths[bits(request->descriptor, 12, 3)];
    if (request->is_quad) {
        request->component_mask = bits(request->descriptor, 12, 4);
        request->elements = (unsigned)__builtin_popcount(request->component_mask);
        if (request->elements == 0)
            return request_refuse(request, "no component is on");
        if (data_size(request)->memory != 4 || data_size(request)->registers != 4)
            return request_refuse(request, "quads of size %s", data_size(request)->name);
    }
    if (request->kind->direction == DIRECTION_ATOMIC) {
        request->operands = (unsigned)lsc_atomic_operands(operation);
        if (request->elements != 1)
            return request_refuse(request, "an atomic operation on %u elements", request->elements);
        if (data_size(request)->memory == 1 || data_size(request)->shift ||
            (lsc_atomic_is_float(operation) && data_size(request)->memory == 8))
            return request_refuse(request, "an atomic operation on data of size %s", data_size(request)->name);
    }
    return check_shape(request);
}

/* Registers of addresses of a message whose data follows them. */
static unsigned address_registers(const struct request *request)
{
    bool is_strided = request->kind->perform == message_lsc_strided;
    unsigned lanes = is_transposed(request) || is_strided ? 1 : payload_lanes(request);
    return registers(request, lanes * lsc_address_bytes(request));
}

void lsc_divide(struct message *message)
{
    const struct platform *platform = message->state->platform;
    const struct message_kind *kind = message_kind_find(platform, message->sfid, message->descriptor);
    if (!kind || kind->channels != CHANNELS_LSC ||
        (kind->direction != DIRECTION_WRITE && kind->direction != DIRECTION_ATOMIC))
        return;
    const struct request request = {.message = message,
                                    .kind = kind,
                                    .descriptor = message->descriptor,
                                    .register_bytes = platform->grf_bytes,
                                    .is_quad = is_quad_operation(message->descriptor),
                                    .channels = message->exec_size};
    unsigned total = message->src0_regs, addresses = 1; /* of 2D blocks */
    if (kind->perform == message_lsc_typed)
        addresses = total - lsc_typed_data_registers(&request);
    else if (kind->perform != message_lsc_block2d && kind->perform != message_lsc_typed_block)
        addresses = address_registers(&request);
    if (addresses >= total) /* no data, or a wrong length, which decoding finds */
        return;
    message->src0_regs = addresses;
    message->src1_regs = total - addresses;
    message->src1 = message->src0 + addresses * platform->grf_bytes;
}

bool lsc_decode(struct request *request)
{
    assert(request->kind && request->message && request->fault);
    const struct message *message = request->message;
    request->channels = message->exec_size;
    request_decode_mask(request);
    if (request->kind->address == ADDRESS_LSC_TYPED)
        return lsc_typed_decode(request);
    if (request->kind->direction == DIRECTION_NOTHING)
        return check_length(request, "a fence sends", message->src0_regs + message->src1_regs, 1) &&
               (message->dst_regs <= 1 || check_length(request, "a fence returns", message->dst_regs, 1));
    if (request->kind->perform == message_lsc_block2d)
        return lsc_block2d_decode(request);
    if (!decode_data(request))
        return false;
    unsigned addresses = address_registers(request);
    unsigned count = request->kind->direction == DIRECTION_ATOMIC ? request->operands : request->elements;
    unsigned data = count * (is_transposed(request) ? 1 : registers(request, lsc_element_pitch(request)));
    if (is_transposed(request))
        data = registers(request, request->elements * request->element_bytes);
    request->data_at = addresses * request->register_bytes;
    request->return_bytes = message->dst_regs * request->register_bytes;
    return check_registers(request, addresses, data, request->kind->direction != DIRECTION_WRITE);
}

bool lsc_target(struct request *request, struct target *target)
{
    if (is_slm(request))
        return target_open_index(request, INDEX_SLM, target);
    memset(target, 0, sizeof *target);
    switch (lsc_base(request)) {
    case LSC_FLAT: target->is_64_bit = lsc_address_bytes(request) == 8; return true;
    case LSC_BINDING_TABLE: return target_open_index(request, lsc_binding_index(request), target);
    case LSC_BINDLESS:
    case LSC_SURFACE_STATE: return target_open_index(request, INDEX_BINDLESS, target);
    }
    return false;
}

/* Moves one element between memory and registers, at any address. Addresses outside of a surface read as zero. */
static bool move_element(struct request *request, const struct target *target, uint64_t address, unsigned at)
{
    const struct data_size *size = data_size(request);
    uint64_t value = 0;
    uint8_t *memory = NULL;
    enum surface_reach reach = target_at(request, target, address, size->memory, &memory);
    if (reach == REACH_FAULT)
        return false;
    if (request_writes(request)) {
        memcpy(&value, request_payload(request, request->data_at + at), size->registers);
        value >>= size->shift;
        if (reach == REACH_INSIDE)
            memcpy(memory, &value, size->memory);
        return true;
    }
    if (reach == REACH_INSIDE)
        memcpy(&value, memory, size->memory);
    value <<= size->shift;
    if (request->message->dst_regs)
        memcpy(request->message->dst + at, &value, size->registers);
    return true;
}

/* Moves all elements of a lane. Masked components of a quad keep their offset in memory; in registers the others are
 * adjacent. */
static bool move_lane(struct request *request, const struct target *target, unsigned lane, uint64_t address)
{
    unsigned bytes = data_size(request)->memory, place = 0;
    if (!is_transposed(request)) /* then all elements are the thread's */
        request_names_lane(request, lane, 0);
    for (unsigned element = 0; element < request->elements; element++, place++) {
        while (request->is_quad && !(request->component_mask >> place & 1))
            place++;
        if (!move_element(request, target, address + (uint64_t)place * bytes, lsc_element_at(request, element, lane)))
            return false;
    }
    return true;
}

/* Moves the common case in one copy: a transposed vector that is contiguous inside the target. Returns false if nothing
 * was moved. */
static bool move_block(struct request *request, const struct target *target, uint64_t address)
{
    unsigned bytes = request->elements * request->element_bytes;
    uint8_t *memory = NULL;
    if (!target_covers(request, target, address, bytes) ||
        target_at(request, target, address, bytes, &memory) != REACH_INSIDE)
        return false;
    if (request_writes(request))
        memcpy(memory, request_payload(request, request->data_at), bytes);
    else if (request->message->dst_regs)
        memcpy(request->message->dst, memory, bytes);
    return true;
}

enum message_effect message_lsc_move(struct request *request)
{
    struct target target;
    if (!lsc_target(request, &target))
        return MESSAGE_FAULT;
    if (is_transposed(request) && (request->mask & 1)) {
        uint64_t address = lsc_address(request, 0);
        if (address % request->element_bytes != 0)
            return request_fault(request, "address 0x%llx is not aligned to %u bytes", (unsigned long long)address,
                                 request->element_bytes);
        if (move_block(request, &target, address))
            return MESSAGE_DONE;
    }
    for (uint32_t rest = request->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!move_lane(request, &target, lane, lsc_address(request, lane)))
            return MESSAGE_FAULT;
    }
    return MESSAGE_DONE;
}

/* A base address and the distance from lane to lane. */
enum message_effect message_lsc_strided(struct request *request)
{
    struct target target;
    uint64_t address = lsc_address(request, 0);
    uint32_t pitch = request_dword(request, lsc_address_bytes(request));
    if (!lsc_target(request, &target))
        return MESSAGE_FAULT;
    for (uint32_t rest = request->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!move_lane(request, &target, lane, address + (uint64_t)lane * pitch))
            return MESSAGE_FAULT;
    }
    return MESSAGE_DONE;
}
