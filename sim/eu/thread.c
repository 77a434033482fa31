/* Creates, starts and runs threads. */
#include "sim/eu/pair.h"
#include "sim/eu/scoreboard.h"
#include "sim/eu/values.h"
#include "sim/timing/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FILL_PATTERN = 0xcd };

struct eu_thread *eu_thread_create(const struct platform *platform)
{
    assert(platform && platform->grf_bytes <= EU_REGISTER_MOST);
    uint32_t general = platform->grf_bytes * platform->grf_count;
    uint32_t file = EU_FILE_GENERAL + general;
    size_t bytes = (sizeof(struct eu_thread) + file + EU_SLACK_BYTES + 63) / 64 * 64;
    struct eu_thread *thread = aligned_alloc(64, bytes);
    if (thread == NULL)
        return NULL;
    memset(thread, 0, bytes);
    thread->platform = platform;
    thread->scoreboard = eu_scoreboard_create(platform);
    thread->values = eu_values_create(file);
    thread->file_bytes = file;
    thread->general_bytes = general;
    return thread;
}

void eu_thread_destroy(struct eu_thread *thread)
{
    if (thread != NULL) {
        free(thread->scoreboard);
        free(thread->values);
    }
    free(thread);
}

uint8_t *eu_thread_grf(struct eu_thread *thread, unsigned reg)
{
    assert(reg < thread->platform->grf_count);
    return thread->file + EU_FILE_GENERAL + (size_t)reg * thread->platform->grf_bytes;
}

/* sr0.0: the EU and hardware thread; sr0.2: the dispatch mask. From Xe2 on msg0.0 has the subslice, and the EU's number
 * lies lower: IGC's vector back end makes the hardware thread's number of both. */
static void set_state_register(struct eu_thread *thread)
{
    const struct platform *p = thread->platform;
    uint32_t tid = thread->slot % p->threads;
    uint32_t eu = thread->slot / p->threads % p->eus;
    uint32_t subslice = thread->slot / p->threads / p->eus;
    bool is_apart = eu_has_message_register(p);
    uint32_t place = is_apart ? tid | eu << 4 : tid | eu << 8 | subslice << 12;
    uint32_t state[4] = {place, 0, thread->dispatch, thread->dispatch};
    if (is_apart)
        memcpy(thread->file + EU_FILE_MESSAGE, &subslice, sizeof subslice);
    memcpy(thread->file + EU_FILE_STATE, state, sizeof state);
}

void eu_thread_start(struct eu_thread *thread, const struct eu_program *program, const struct message_state *state,
                     const void *payload, size_t payload_bytes, uint32_t dispatch_mask, uint32_t slot)
{
    assert(program && program->platform == thread->platform && (payload || !payload_bytes));
    if (payload_bytes > thread->general_bytes)
        payload_bytes = thread->general_bytes;
    thread->program = program;
    thread->state = state;
    thread->ip = 0;
    thread->dispatch = thread->active = dispatch_mask;
    thread->slot = slot;
    thread->origin = thread->kernel_origin = 0;
    thread->find_code = NULL;
    thread->stop = 0;
    thread->at_barrier = false;
    thread->issued = 0;
    thread->clock = NULL;
    thread->counts = NULL;
    thread->trace = NULL;
    thread->record = NULL;
    thread->debugger = NULL;
    thread->barriers = NULL;
    thread->signalled = 0;
    thread->awaited = 0;
    thread->other = NULL;
    thread->is_second = false;
    thread->offers = thread->shared_products = 0;
    thread->watcher = NULL;
    thread->call_depth = 0;
    memset(thread->resume, 0xff, sizeof thread->resume);
    memset(thread->accumulator_high, 0, sizeof thread->accumulator_high);
    memset(thread->file, 0, EU_FILE_GENERAL);
    if (payload_bytes > 0)
        memcpy(thread->file + EU_FILE_GENERAL, payload, payload_bytes);
    memset(thread->file + EU_FILE_GENERAL + payload_bytes, FILL_PATTERN, thread->general_bytes - payload_bytes);
    set_state_register(thread);
    if (thread->scoreboard != NULL)
        eu_scoreboard_reset(thread->scoreboard);
    if (thread->values != NULL)
        eu_values_start(thread, payload_bytes);
}

void eu_thread_link(struct eu_thread *thread, uint32_t ip, eu_find_code *find_code, void *context)
{
    assert(thread->program); /* eu_thread_start() was called */
    thread->origin = thread->kernel_origin = ip;
    thread->find_code = find_code;
    thread->find_context = context;
}

/* Activates the channels that wait for this instruction. */
static void activate(struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t here = eu_pointer(thread, in);
    for (uint32_t rest = thread->dispatch & ~thread->active; rest != 0; rest &= rest - 1) {
        unsigned channel = (unsigned)__builtin_ctz(rest);
        if (thread->resume[channel] == here)
            thread->active |= 1u << channel;
    }
}

/* Whether the instruction may make the thread wait without executing: eu_execute_observed() finds out. */
static inline bool may_stop_before(const struct eu_instruction *in)
{
    return in->op == &eu_op_table[EU_OP_SYNC] || eu_is_shared(in);
}

/* Executes instructions of the thread's program until it stops or has issued `limit` instructions. */
static void interpret(struct eu_thread *thread, uint64_t limit)
{
    const struct eu_instruction *instructions = thread->program->instructions;
    bool observed =
        thread->counts || thread->trace || thread->scoreboard || thread->values || thread->watcher || thread->debugger;
    struct thread_record *record = thread->record;
    thread->stop = 0;
    while (thread->stop == 0 && thread->issued < limit) {
        const struct eu_instruction *in = &instructions[thread->ip];
        if (in->resume_point)
            activate(thread, in);
        if (__builtin_expect(observed, 0) && thread->debugger) {
            if (!thread->debugger(thread->debug_context, thread, eu_pointer(thread, in)))
                return;
            in = &instructions[thread->ip]; /* the debugger may have moved the thread */
        }
        thread->ip++;
        thread->issued++;
        if (__builtin_expect(observed || (record && may_stop_before(in)), 0)) {
            eu_execute_observed(thread, in);
            continue;
        }
        if (record)
            record_step(record, thread->program, (uint32_t)(in - instructions));
        in->execute(thread, in);
    }
}

enum eu_stop eu_thread_run(struct eu_thread *thread, uint64_t budget, uint64_t *executed, struct sim_fault *fault)
{
    assert(thread->program && executed && fault);
    uint64_t before = thread->issued;
    uint64_t limit = budget > UINT64_MAX - before ? UINT64_MAX : before + budget;
    thread->fault = fault;
    thread->awaited = 0;
    eu_host_control_set(thread);
    do
        interpret(thread, limit);
    while (thread->stop == EU_MOVED && thread->issued < limit);
    eu_host_control_reset();
    *executed += thread->issued - before;
    return thread->stop == 0 || thread->stop == EU_MOVED ? EU_LIMIT : (enum eu_stop)(thread->stop - 1);
}
