/* Performs messages: finds the row of tables/messages.def, decodes the request, calls the handler. */
#include <assert.h>
#include <stdlib.h>
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"
#include "sim/message/record_timing.h"
#include "sim/message/surface.h"
#include "sim/message/values.h"
#include "sim/timing/record.h"

static enum message_effect fault_unknown(const struct message *message, struct sim_fault *fault)
{
    uint32_t descriptor = message->descriptor;
    const char *refused = message_refused_name(message->sfid, descriptor);
    if (refused) {
        sim_fault_raise(fault, "%s (descriptor 0x%08x) is not implemented on %s", refused, descriptor,
                        message->state->platform->name);
        return MESSAGE_FAULT;
    }
    sim_fault_raise(fault,
                    "%s (shared function %u) on %s has no message with descriptor 0x%08x (extended 0x%08x): "
                    "type %u, control 0x%02x, index %u, %u registers sent, %u returned",
                    message_function_name(message->sfid), message->sfid, message->state->platform->name, descriptor,
                    message->extended, descriptor >> 14 & 31, descriptor >> 8 & 63, descriptor & 255,
                    descriptor >> 25 & 15, descriptor >> 20 & 31);
    return MESSAGE_FAULT;
}

/* Sources are read completely before the destination is written: if they share registers, the handler gets a copy of
 * the sources. */
enum { LONGEST_SOURCE = 31 * 64 };

static bool overlap(const struct message *message, const uint8_t *source, uint32_t registers, unsigned register_bytes)
{
    uintptr_t from = (uintptr_t)source, to = (uintptr_t)message->dst;
    return source && message->dst && from < to + (uintptr_t)message->dst_regs * register_bytes &&
           to < from + (uintptr_t)registers * register_bytes;
}

static enum message_effect perform(struct request *request)
{
    const struct message *message = request->message;
    unsigned size = request->register_bytes;
    bool first = overlap(message, message->src0, message->src0_regs, size);
    bool second = overlap(message, message->src1, message->src1_regs, size);
    if (!first && !second)
        return request->kind->perform(request);
    uint8_t copies[2][LONGEST_SOURCE];
    struct message copied = *message;
    if (message->src0_regs * size > LONGEST_SOURCE || message->src1_regs * size > LONGEST_SOURCE)
        return request_fault(request, "%u and %u registers are sent", message->src0_regs, message->src1_regs);
    if (first)
        copied.src0 = memcpy(copies[0], message->src0, message->src0_regs * size);
    if (second)
        copied.src1 = memcpy(copies[1], message->src1, message->src1_regs * size);
    request->message = &copied;
    enum message_effect effect = request->kind->perform(request);
    request->message = message;
    return effect;
}

/* Returns the request of a message, decoded now or together with the kernel. Returns NULL with the fault raised. */
static bool open_request(const struct message *message, struct sim_fault *fault, struct request *request)
{
    const struct platform *platform = message->state->platform;
    if (message->plan) {
        *request = message->plan->request;
        request->message = message;
        request->fault = fault;
        request_decode_mask(request);
        return true;
    }
    const struct message_kind *kind = message_kind_find(platform, message->sfid, message->descriptor);
    if (!kind) {
        fault_unknown(message, fault);
        return false;
    }
    *request = (struct request){.message = message,
                                .kind = kind,
                                .fault = fault,
                                .descriptor = message->descriptor,
                                .register_bytes = platform->grf_bytes,
                                .has_header = message_has_header(message->sfid, message->descriptor)};
    return kind->channels == CHANNELS_LSC ? lsc_decode(request) : request_decode(request);
}

enum message_effect message_send(const struct message *message, struct sim_fault *fault)
{
    assert(message->state && fault && message->exec_size >= 1 && message->exec_size <= 32);
    struct request request;
    struct message divided;
    if (message->is_gathered) {
        divided = *message;
        lsc_divide(&divided);
        message = &divided;
    }
    struct message_cache *cache = message->state->cache;
    if (!open_request(message, fault, &request))
        return MESSAGE_FAULT;
    if (cache)
        request.window = cache->window;
    enum message_effect effect = MESSAGE_DONE;
    if (message->state->record)
        message_record_timing(&request);
    if (message->exec_mask != 0 || message->end_of_thread) {
        bool is_seen = message->state->check || message->state->watch || message->state->touch;
        if (__builtin_expect(message->values != NULL, 0))
            message_move_values(&request);
        bool done = message->plan && message->plan->is_simple && !is_seen && scattered_simple(&request);
        if (!done)
            effect = perform(&request);
        if (message->state->tally)
            message_tally_add(message->state->tally, &request);
    }
    if (message->state->record)
        record_message_end(message->state->record);
    if (cache)
        cache->window = request.window;
    if (effect == MESSAGE_DONE && message->end_of_thread)
        return MESSAGE_END_OF_THREAD;
    return effect;
}

struct message_plan *message_plan_create(const struct platform *platform, const struct message *shape)
{
    assert(platform && shape);
    const struct message_state state = {.platform = platform};
    struct message message = *shape;
    struct sim_fault fault = {0};
    const struct message_kind *kind = message_kind_find(platform, message.sfid, message.descriptor);
    bool header_matters = kind && (kind->data == DATA_MEDIA || kind->data == DATA_TEXEL);
    struct message_plan *plan = kind && !header_matters ? calloc(1, sizeof *plan) : NULL;
    if (!plan)
        return NULL;
    message.state = &state;
    message.plan = NULL;
    if (!open_request(&message, &fault, &plan->request)) {
        free(plan);
        return NULL;
    }
    plan->is_simple = scattered_is_simple(&plan->request);
    plan->computes = kind->data == DATA_FLOAT || kind->data == DATA_HALF || kind->address == ADDRESS_COORDINATES ||
                     kind->address == ADDRESS_LSC_TYPED || kind->perform == message_lsc_atomic;
    plan->request.message = NULL;
    plan->request.fault = NULL;
    return plan;
}

bool message_plan_computes(const struct message_plan *plan)
{
    return plan->computes;
}

struct message_cache *message_cache_create(void)
{
    return calloc(1, sizeof(struct message_cache));
}

void message_cache_destroy(struct message_cache *cache)
{
    free(cache);
}

void message_cache_reset(struct message_cache *cache)
{
    cache->known = 0;
    cache->window = (struct sim_range){0};
}

const char *message_name(const struct platform *platform, uint32_t sfid, uint32_t descriptor)
{
    const struct message_kind *kind = message_kind_find(platform, sfid, descriptor);
    return kind ? kind->name : message_function_name(sfid);
}

bool message_is_known(const struct platform *platform, uint32_t sfid, uint32_t descriptor)
{
    return message_kind_find(platform, sfid, descriptor) != NULL;
}
