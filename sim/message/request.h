/* Defines struct request: one message while it is performed. message.c decodes it once; handlers use the decoded fields
 * and not the raw descriptor bits that the table describes. */
#ifndef CMKIT_SIM_MESSAGE_REQUEST_H
#define CMKIT_SIM_MESSAGE_REQUEST_H

#include <string.h>
#include "sim/check/init.h"
#include "sim/message/message.h"

/* Columns of tables/messages.def. */
enum request_header_rule { HEADER_REQUIRED, HEADER_FORBIDDEN, HEADER_OPTIONAL, HEADER_IGNORED };
enum request_channel_rule {
    CHANNELS_BLOCK,
    CHANNELS_NATIVE,
    CHANNELS_AT_8,
    CHANNELS_AT_12,
    CHANNELS_AT_12R,
    CHANNELS_MODE_12,
    CHANNELS_SAMPLER,
    CHANNELS_LSC
};
enum request_address_rule {
    ADDRESS_NONE,
    ADDRESS_A32,
    ADDRESS_A64,
    ADDRESS_COORDINATES,
    ADDRESS_PARAMETERS,
    ADDRESS_LSC,
    ADDRESS_LSC_SLM,
    ADDRESS_LSC_TYPED
};
enum request_data_rule {
    DATA_NONE,
    DATA_DWORD,
    DATA_MASKED,
    DATA_DWORDS,
    DATA_QWORDS,
    DATA_OWORDS,
    DATA_HWORDS,
    DATA_HWORDS_8,
    DATA_TEXEL,
    DATA_MEDIA,
    DATA_INT32,
    DATA_INT64,
    DATA_FLOAT,
    DATA_INT16,
    DATA_HALF,
    DATA_LSC
};
enum request_direction { DIRECTION_NOTHING, DIRECTION_READ, DIRECTION_WRITE, DIRECTION_ATOMIC };

struct request;

struct message_kind {
    unsigned first_generation, last_generation;
    uint32_t sfid, mask, value;
    enum request_header_rule header;
    enum request_channel_rule channels;
    enum request_address_rule address;
    enum request_data_rule data;
    enum request_direction direction;
    enum message_effect (*perform)(struct request *);
    const char *name;       /* "hdc1 untyped surface read" */
    const char *parameters; /* SAMPLER_MESSAGE: their order; NULL for others */
};

struct request {
    const struct message *message;
    const struct message_kind *kind;
    struct sim_fault *fault;
    uint32_t descriptor;
    unsigned register_bytes;
    bool has_header;
    bool is_quad;            /* load/store cache: elements by component_mask */
    bool is_4x2;             /* SIMD4x2: two addresses, each with four channels of its own */
    unsigned channels;       /* 8 to 32; 1 for blocks; 2 for SIMD4x2; load/store cache: lanes of the instruction */
    uint32_t mask;           /* enabled channels, `channels` bits */
    unsigned elements;       /* elements that each channel (or the block) moves */
    unsigned element_bytes;  /* 4, 8, 16 or 32 */
    uint32_t component_mask; /* DATA_MASKED, DATA_TEXEL: bit c set when component c is moved */
    unsigned operands;       /* atomics: 0..2 */
    unsigned address_at;     /* byte offset of the addresses in the payload */
    unsigned data_at;        /* byte offset of the data in the payload */
    unsigned coordinates;    /* COORDINATES, PARAMETERS: how many */
    unsigned return_bytes;   /* room in dst */
    bool is_approximate;     /* set by the handler: real hardware may give other bits for this message */
    struct sim_range window; /* the range of the last access: most messages stay in one */
};

/* kinds.c: returns the row of tables/messages.def for a descriptor, NULL if the generation has no such message. */
const struct message_kind *message_kind_find(const struct platform *platform, uint32_t sfid, uint32_t descriptor);

/* Returns the shared function's name; "unknown shared function" for an unknown number. */
const char *message_function_name(uint32_t sfid);

/* True if the descriptor says that the payload starts with a header. */
bool message_has_header(uint32_t sfid, uint32_t descriptor);

/* Returns the name of a message that the hardware has and the simulator refuses (MESSAGE_REFUSED); NULL for others. */
const char *message_refused_name(uint32_t sfid, uint32_t descriptor);

/* Rows of tables/messages.def: their number, the row of a message, its name. */
size_t message_kind_count(void);
size_t message_kind_index(const struct message_kind *kind);
const char *message_kind_name(size_t index);

/* True if real hardware gives the same bits. For filtered texels it may not: weights and levels have few bits. */
bool message_kind_is_exact(size_t index);

/* Counts a message that was performed. */
void message_tally_add(struct message_tally *tally, struct request *request);

/* A plan is a request without message, channels and window. */
struct message_plan {
    struct request request;
    bool is_simple; /* scattered_simple() may try it */
    bool computes;
};

/* Finds the enabled channels of the message. */
void request_decode_mask(struct request *request);

/* Performs an untyped or scattered message on the fast path. Returns false if it needs the general path; then nothing
 * was moved. Requires scattered_is_simple(). */
bool scattered_simple(struct request *request);
bool scattered_is_simple(const struct request *request);

/* Payload registers are one sequence: those of src0, then those of src1. An access must not cross a register. */
static inline const uint8_t *request_payload(const struct request *request, unsigned byte)
{
    unsigned first = request->message->src0_regs * request->register_bytes;
    return byte < first ? request->message->src0 + byte : request->message->src1 + (byte - first);
}

static inline uint32_t request_dword(const struct request *request, unsigned byte)
{
    uint32_t value;
    memcpy(&value, request_payload(request, byte), sizeof value);
    return value;
}

static inline uint32_t request_header(const struct request *request, unsigned dword)
{
    return request_dword(request, dword * 4);
}

/* Returns the address of channel `channel`: 32 or 64 bits, as the table says. */
uint64_t request_address(const struct request *request, unsigned channel);

/* Names the channel that the following accesses are for, to the checks. */
static inline void request_names_lane(const struct request *request, unsigned channel, unsigned bytes)
{
    if (request->message->state->check)
        check_group_lane(request->message->state->check, channel + request->message->channel_offset, bytes);
}

/* Returns the offset of element `element` of `channel` from the first byte of the data, in the payload as in dst: all
 * channels of element 0, then all of element 1; SIMD4x2 has two halves of four dwords. */
static inline unsigned request_element_at(const struct request *request, unsigned element, unsigned channel)
{
    if (request->is_4x2)
        return channel * 16 + element * 4;
    return (element * request->channels + channel) * request->element_bytes;
}

static inline bool request_writes(const struct request *request)
{
    return request->kind->direction == DIRECTION_WRITE;
}

/* Returns the kind of memory access. */
static inline enum check_access request_access(const struct request *request)
{
    return request->kind->direction == DIRECTION_WRITE    ? CHECK_WRITE
           : request->kind->direction == DIRECTION_ATOMIC ? CHECK_ATOMIC
                                                          : CHECK_READ;
}

/* Tells a debugger or a plug-in of an access. */
static inline void request_watch(const struct request *request, uint64_t address, uint64_t size, bool is_local)
{
    const struct message_watch *watch = request->message->state->watch;
    if (watch) {
        enum check_access access = request_access(request);
        watch->accessed(watch->context, address, size,
                        access == CHECK_READ    ? MESSAGE_READS
                        : access == CHECK_WRITE ? MESSAGE_WRITES
                                                : MESSAGE_CHANGES,
                        is_local);
    }
}

/* Raises a fault that starts with the message's name. Always returns MESSAGE_FAULT. */
enum message_effect request_fault(struct request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for functions that return a bool: always returns false. */
bool request_refuse(struct request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the host memory of [gpu, gpu + size); NULL, with the fault raised, if no object covers it. */
uint8_t *request_memory(struct request *request, uint64_t gpu, uint64_t size);

/* Returns the shadow of the memory that an access of a message on the shadow means (values.h). */
uint8_t *request_shadow(struct request *request, enum check_store store, uint64_t where, uint64_t size);

/* The same for states (surfaces, samplers, binding tables), which the checks ignore. */
uint8_t *request_state(struct request *request, uint64_t gpu, uint64_t size);

/* As request_memory, without a fault, a check or a record of the access. */
uint8_t *request_find_memory(struct request *request, uint64_t gpu, uint64_t size);

/* As request_memory, without a fault or a check. */
uint8_t *request_try_memory(struct request *request, uint64_t gpu, uint64_t size);

/* Reads the lengths from the descriptor (and from the header, which has some sizes), and checks them against the
 * registers that were sent. Returns false with the fault raised if they differ. */
bool request_decode(struct request *request);

/* Returns size in bytes and rows of a media block from its header; false with the fault raised if the platform has no
 * such block. */
bool request_media_block(struct request *request, unsigned *width, unsigned *rows, unsigned *pitch);

#endif
