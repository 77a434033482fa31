/* Runs a thread group's threads in turns on one host thread. A thread runs until it ends, waits at the barrier or has
 * used up its turn. Turns are limited so that a thread may spin on a value that another thread of the group writes. */
#include "sim/stream/group.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "sim/check/init.h"
#include "sim/gdb/gdb.h"
#include "sim/message/surface.h"
#include "sim/plugin/plugin.h"
#include "sim/stream/check_location.h"
#include "sim/stream/position.h"
#include "sim/report/trace.h"
#include "sim/timing/clock_readings.h"

static const uint64_t TURN = 100000; /* instructions */
enum { UNDEFINED_BYTE = 0xcd };      /* local memory before anything is stored to it */
enum { MOST_LINKED = 256 };          /* programs that a dispatch calls outside of its kernel */

struct group_runner {
    const struct platform *platform;
    const struct dispatch *dispatch;      /* at hand */
    struct eu_code code[1 + MOST_LINKED]; /* the kernel, then the functions in other modules that it has called */
    uint32_t codes;
    struct eu_thread **threads;
    enum eu_stop *stops;
    uint32_t room;
    struct eu_barriers barriers; /* of the group at hand */
    struct message_state *state;
    struct message_cache *cache;
    struct check_group *check; /* --check, NULL: accesses are not checked */
    const uint16_t *slots;     /* hardware slots of the threads */
    uint8_t *slm;
    uint32_t slm_bytes;
    uint8_t *payload;                /* room for a whole register file */
    struct observation *observation; /* of the dispatch at hand, NULL: nothing is counted */
    struct group_record *record;     /* of the group at hand, NULL: it is not timed */
    struct record_message *message;  /* room for the record's message under way */
    struct plugin_group shown;       /* --plugin: the group at hand */
    bool debugs;                     /* --gdb: threads are a debugger's */
    struct eu_trace *traces;         /* one for each thread, NULL: nothing is traced */
};

struct group_runner *group_runner_create(const struct platform *platform)
{
    assert(platform);
    struct group_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return NULL;
    runner->platform = platform;
    runner->state = calloc(1, sizeof *runner->state);
    runner->cache = message_cache_create();
    runner->payload = malloc((size_t)platform->grf_bytes * platform->grf_count);
    if (!runner->state || !runner->cache || !runner->payload) {
        group_runner_destroy(runner);
        return NULL;
    }
    return runner;
}

void group_runner_destroy(struct group_runner *runner)
{
    if (!runner)
        return;
    for (uint32_t i = 0; i < runner->room; i++)
        eu_thread_destroy(runner->threads[i]);
    free(runner->threads);
    free(runner->stops);
    free(runner->state);
    message_cache_destroy(runner->cache);
    free(runner->slm);
    free(runner->payload);
    check_group_destroy(runner->check);
    free(runner->traces);
    free(runner->message);
    record_destroy(runner->record);
    observation_destroy(runner->observation);
    free(runner);
}

/* Allocates what is to be counted. 0: out of memory. */
static int prepare_observation(struct group_runner *runner, const struct dispatch *dispatch, uint32_t count)
{
    free(runner->traces);
    runner->traces = dispatch->trace ? calloc(count, sizeof *runner->traces) : NULL;
    check_group_destroy(runner->check);
    runner->check = dispatch->check ? check_group_create(dispatch->check) : NULL;
    observation_destroy(runner->observation);
    runner->observation = dispatch->counts ? observation_create() : NULL;
    return (runner->traces || !dispatch->trace) && (runner->observation || !dispatch->counts);
}

/* Adds a program to those of the group's threads. NULL: out of memory. */
static const struct eu_code *add_code(struct group_runner *runner, const struct eu_program *program, uint32_t ip)
{
    struct eu_count *counts = runner->observation ? observation_add(runner->observation, program) : NULL;
    if (runner->observation && !counts)
        return NULL;
    struct eu_code *code = &runner->code[runner->codes++];
    *code = (struct eu_code){program, ip, counts};
    return code;
}

/* Finds and decodes the code of a called function, which may be in another module than the kernel. */
static const struct eu_code *find_code(void *context, uint32_t ip, struct sim_fault *fault)
{
    struct group_runner *runner = context;
    const struct dispatch *dispatch = runner->dispatch;
    for (uint32_t i = 0; i < runner->codes; i++)
        if (eu_program_starts_at(runner->code[i].program, ip - runner->code[i].ip))
            return &runner->code[i];
    uint64_t address = (dispatch->instruction_base + ip) & UINT64_C(0xffffffffffff), hash;
    const struct sim_range *range = sim_space_find(dispatch->state.space, address);
    if (!range || runner->codes > MOST_LINKED) {
        sim_fault_raise(fault, range ? "more than %d functions outside of the kernel are called" : "no code is there",
                        MOST_LINKED);
        return NULL;
    }
    uint64_t inside = address - range->gpu;
    const struct eu_program *program = dispatcher_program(dispatch->dispatcher, runner->platform, address,
                                                          range->host + inside, range->size - inside, &hash, fault);
    const struct eu_code *code = program ? add_code(runner, program, ip) : NULL;
    const struct message_touch *touch = dispatch->state.touch;
    if (code && touch)
        touch->touched(touch->context, address, eu_program_bytes(program), false);
    if (code && runner->debugs)
        gdb_announce(&(struct gdb_code){.address = address,
                                        .bytes = range->host + inside,
                                        .available = range->size - inside,
                                        .program = program,
                                        .register_bytes = runner->platform->grf_bytes});
    if (program && !code) {
        dispatcher_release(dispatch->dispatcher, program);
        sim_fault_raise(fault, "no memory to count instructions");
    }
    return code;
}

void group_runner_report(struct group_runner *runner, struct observation *sum)
{
    if (sum && runner->observation)
        observation_merge(sum, runner->observation);
    observation_destroy(runner->observation);
    runner->observation = NULL;
    for (uint32_t i = 1; i < runner->codes; i++)
        dispatcher_release(runner->dispatch->dispatcher, runner->code[i].program);
    runner->codes = 0;
}

/* Exchanges the registers of threads if the dispatch has them in another mode: 0 without memory. */
static int use_platform(struct group_runner *runner, const struct platform *platform)
{
    if (runner->platform == platform)
        return 1;
    uint8_t *payload = realloc(runner->payload, (size_t)platform->grf_bytes * platform->grf_count);
    if (!payload)
        return 0;
    runner->payload = payload;
    while (runner->room)
        eu_thread_destroy(runner->threads[--runner->room]);
    runner->platform = platform;
    return 1;
}

int group_runner_prepare(struct group_runner *runner, const struct dispatch *dispatch)
{
    assert(dispatch->program && dispatch->width && dispatch->height && dispatch->depth);
    uint32_t count = dispatch_threads(dispatch);
    if (!use_platform(runner, dispatch->state.platform))
        return 0;
    runner->dispatch = dispatch;
    runner->codes = 0;
    if (dispatch->timing && !runner->message)
        runner->message = calloc(1, sizeof *runner->message);
    if (dispatch->timing && !runner->message)
        return 0;
    if (!prepare_observation(runner, dispatch, count) ||
        !add_code(runner, dispatch->program, (uint32_t)(dispatch->kernel - dispatch->instruction_base)))
        return 0;
    if (count > runner->room) {
        struct eu_thread **threads = realloc(runner->threads, count * sizeof *threads);
        if (threads)
            runner->threads = threads;
        enum eu_stop *stops = realloc(runner->stops, count * sizeof *stops);
        if (stops)
            runner->stops = stops;
        if (!threads || !stops)
            return 0;
        for (; runner->room < count; runner->room++)
            if (!(runner->threads[runner->room] = eu_thread_create(runner->platform)))
                return 0;
    }
    if (dispatch->state.slm_bytes > runner->slm_bytes) {
        /* 64-byte aligned, as the blocks of local memory that messages move are. */
        uint8_t *slm = aligned_alloc(64, (dispatch->state.slm_bytes + 63) / 64 * 64);
        if (!slm)
            return 0;
        free(runner->slm);
        runner->slm = slm;
        runner->slm_bytes = dispatch->state.slm_bytes;
    }
    return 1;
}

/* Returns the dispatch mask of thread (x, y, z) in its group. */
static uint32_t dispatch_mask(const struct dispatch *dispatch, uint32_t x, uint32_t y)
{
    uint32_t mask = dispatch->simd == 32 ? UINT32_MAX : (UINT32_C(1) << dispatch->simd) - 1;
    if (x == dispatch->width - 1)
        mask &= dispatch->right_mask;
    if (y == dispatch->height - 1)
        mask &= dispatch->bottom_mask;
    return mask;
}

/* Counts and traces the thread if that is wanted. */
static void observe_thread(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3],
                           uint32_t index)
{
    struct eu_trace *trace = NULL;
    if (dispatch->trace && sim_trace_thread(id, index)) {
        trace = &runner->traces[index];
        trace->out = dispatch->trace;
        snprintf(trace->label, sizeof trace->label,
                 "kernel %016" PRIx64 " group %" PRIu32 ",%" PRIu32 ",%" PRIu32 " thread %" PRIu32, dispatch->hash,
                 id[0], id[1], id[2], index);
    }
    eu_thread_observe(runner->threads[index], runner->code[0].counts, trace);
}

/* Records what the thread executes, if the dispatch is timed. */
static void record_thread(struct group_runner *runner, const struct dispatch *dispatch, uint32_t index)
{
    struct thread_record *record = runner->record ? &runner->record->thread[index] : NULL;
    if (record) {
        record->local = dispatch->state.slm_bytes ? runner->slm : NULL;
        record->local_bytes = dispatch->state.slm_bytes;
        record->message = runner->message;
    }
    eu_thread_record(runner->threads[index], record);
}

/* Gives the thread the clock that the timing model has found for it. */
static void set_clock(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3],
                      uint32_t index)
{
    uint64_t size_x = dispatch->end[0] - dispatch->first[0], size_y = dispatch->end[1] - dispatch->first[1];
    uint64_t group =
        ((id[2] - dispatch->first[2]) * size_y + id[1] - dispatch->first[1]) * size_x + id[0] - dispatch->first[0];
    size_t count;
    const uint64_t *clock = clock_readings_get(dispatch->clock, group, index, &count);
    eu_thread_clock(runner->threads[index], clock, clock ? clock + count : NULL);
}

void group_runner_deliver(struct group_runner *runner, const struct dispatch *dispatch, uint64_t index, int is_done)
{
    assert(dispatch->timing);
    struct group_record *record = runner->record;
    runner->record = NULL;
    runner->state->record = NULL;
    if (is_done && record) {
        record->index = index;
        timing_deliver(dispatch->timing, record, record_finish(record));
        return;
    }
    record_destroy(record);
    timing_cancel(dispatch->timing);
}

/* Loads the payload: header in r0, then the thread's own registers, then those common to all threads. */
static void start_thread(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3],
                         uint32_t index, uint32_t slot)
{
    uint32_t header[8];
    memcpy(header, dispatch->header, sizeof header);
    header[1] = id[0];
    header[6] = id[1];
    header[7] = id[2];
    if (dispatch->numbers_threads)
        header[2] = index;
    if (platform_has(dispatch->state.platform, FEATURE_NAMED_BARRIERS)) /* for the payloads of barriers */
        header[2] |= runner->barriers.threads << 24;
    header[5] = dispatch->scratch_pointer + slot * dispatch->state.scratch_bytes;
    header[5] = (header[5] & ~UINT32_C(0x3ff)) | slot;

    uint8_t *payload = runner->payload, *next = payload + runner->platform->grf_bytes;
    memset(payload, 0, runner->platform->grf_bytes);
    memcpy(payload, header, sizeof header);
    if (dispatch->per_thread_bytes)
        memcpy(next, dispatch->per_thread + (size_t)index * dispatch->per_thread_bytes, dispatch->per_thread_bytes);
    next += dispatch->per_thread_bytes;
    if (dispatch->cross_thread_bytes)
        memcpy(next, dispatch->cross_thread, dispatch->cross_thread_bytes);
    next += dispatch->cross_thread_bytes;

    if (runner->check && check_follows_values(runner->check)) {
        const struct surface_scratch scratch = surface_scratch_find(&dispatch->state, dispatch->scratch_pointer, slot);
        check_scratch_begin(scratch.address, scratch.bytes);
    }
    uint32_t x = index % dispatch->width, y = index / dispatch->width % dispatch->height;
    eu_thread_start(runner->threads[index], dispatch->program, runner->state, payload, (size_t)(next - payload),
                    dispatch_mask(dispatch, x, y), slot);
    eu_thread_link(runner->threads[index], runner->code[0].ip, find_code, runner);
    if (platform_has(dispatch->state.platform, FEATURE_NAMED_BARRIERS))
        eu_thread_join(runner->threads[index], &runner->barriers);
    observe_thread(runner, dispatch, id, index);
    record_thread(runner, dispatch, index);
    if (dispatch->reads_timed_clock)
        set_clock(runner, dispatch, id, index);
    if (dispatch->shown)
        plugin_thread_begin(&runner->shown, runner->threads[index]);
    runner->stops[index] = EU_LIMIT;
}

/* Neighbours of a group run on units that are fused in pairs. */
static void pair_threads(struct group_runner *runner, const struct dispatch *dispatch, uint32_t count)
{
    if (platform_has(dispatch->state.platform, FEATURE_DPASW))
        for (uint32_t i = 0; i + 1 < count; i += 2)
            eu_thread_pair(runner->threads[i], runner->threads[i + 1]);
}

static bool can_run(const struct group_runner *runner, uint32_t i)
{
    return runner->stops[i] == EU_LIMIT || (runner->stops[i] == EU_PAIR && eu_thread_can_run(runner->threads[i]));
}

/* How many threads wait at the barrier, wait for the other one of their pair, and have ended. */
struct stop_counts {
    uint32_t waiting, parted, ended;
};

static struct stop_counts count_stops(const struct group_runner *runner, uint32_t count)
{
    struct stop_counts counts = {0};
    for (uint32_t i = 0; i < count; i++) {
        counts.waiting += runner->stops[i] == EU_BARRIER;
        counts.parted += runner->stops[i] == EU_PAIR && !can_run(runner, i);
        counts.ended += runner->stops[i] == EU_END;
    }
    return counts;
}

/* Runs thread `index` for a turn and reports skipped accesses (--on-fault=continue). */
static enum eu_stop take_turn(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3],
                              uint32_t index, uint64_t budget, uint64_t *instructions, struct sim_fault *fault)
{
    if (runner->check)
        check_group_thread(runner->check, index, runner->slots[index]);
    if (dispatch->shown)
        plugin_group_thread(&runner->shown, index);
    if (runner->debugs)
        gdb_turn_begin(index);
    runner->state->record = runner->record ? &runner->record->thread[index] : NULL;
    enum eu_stop stop = eu_thread_run(runner->threads[index], budget, instructions, fault);
    if (!fault->dropped)
        return stop;
    dispatch_report_dropped(dispatch, id, index, fault);
    *fault = (struct sim_fault){0};
    return stop == EU_FAULT ? EU_LIMIT : stop;
}

/* Runs one turn of every thread that can run. 0 with the fault raised. */
static int take_turns(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3],
                      uint64_t limit, uint64_t *instructions, struct sim_fault *fault, uint32_t *thread)
{
    uint32_t count = dispatch_threads(dispatch);
    for (uint32_t i = 0; i < count; i++) {
        if (!can_run(runner, i) || (runner->debugs && !gdb_may_run(i)))
            continue;
        *thread = i;
        uint64_t left = limit - *instructions;
        runner->stops[i] = take_turn(runner, dispatch, id, i, left < TURN ? left : TURN, instructions, fault);
        if (runner->debugs)
            gdb_turn_end(i, runner->stops[i]);
        if (runner->stops[i] == EU_FAULT && runner->debugs)
            gdb_fault(i, fault);
        if (runner->stops[i] == EU_FAULT)
            return 0;
        if (runner->stops[i] == EU_LIMIT && *instructions >= limit) {
            eu_thread_locate(runner->threads[i], fault);
            return sim_fault_raise(fault, "the limit of instructions for this run is reached (--max-instructions)");
        }
    }
    return 1;
}

/* Raises a fault: threads wait at a barrier that others never reached before they ended, or in dpasw for a thread
 * that waits or has ended. */
static int raise_waits(const struct group_runner *runner, const struct stop_counts *counts, struct sim_fault *fault,
                       uint32_t *thread)
{
    for (*thread = 0; runner->stops[*thread] != (counts->parted ? EU_PAIR : EU_BARRIER); ++*thread)
        ;
    int named = eu_thread_awaits(runner->threads[*thread]);
    eu_thread_locate(runner->threads[*thread], fault);
    if (named >= 0)
        sim_fault_raise(fault, "threads wait at named barrier %d for others, which wait elsewhere or have ended",
                        named);
    else if (counts->parted)
        sim_fault_raise(fault, "dpasw: the other thread of the pair waits at the barrier or has ended");
    else
        sim_fault_raise(fault, "threads of a group wait at the barrier (%u) for threads that have ended (%u)",
                        counts->waiting, counts->ended);
    if (runner->debugs)
        gdb_fault(*thread, fault);
    return 0;
}

/* Shows the group to a debugger, if one is wanted. */
static void debug_group(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3],
                        uint32_t count)
{
    runner->debugs = gdb_is_wanted();
    if (runner->debugs)
        gdb_group_begin(&(struct gdb_group){.id = {id[0], id[1], id[2]},
                                            .count = count,
                                            .threads = runner->threads,
                                            .stops = runner->stops,
                                            .state = runner->state,
                                            .instruction_base = dispatch->instruction_base,
                                            .slots = runner->slots,
                                            .scratch = dispatch->scratch_pointer});
}

static void forget_scratch(const struct group_runner *runner, const struct dispatch *dispatch, uint32_t count)
{
    if (!runner->check || !check_follows_values(runner->check))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct surface_scratch scratch =
            surface_scratch_find(&dispatch->state, dispatch->scratch_pointer, runner->slots[i]);
        check_scratch_end(scratch.address, scratch.bytes);
    }
}

int group_run(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3], const uint16_t *slots,
              uint64_t limit, uint64_t *instructions, struct sim_fault *fault, uint32_t *thread)
{
    assert(runner->dispatch == dispatch && slots && instructions && fault && thread);
    uint32_t count = dispatch_threads(dispatch);
    *instructions = 0;
    *runner->state = dispatch->state;
    runner->state->cache = runner->cache;
    runner->state->check = runner->check;
    runner->slots = slots;
    if (runner->check)
        check_group_start(runner->check, dispatch_group_number(dispatch, id), dispatch->state.slm_bytes);
    runner->state->tally = runner->observation ? runner->observation->tally : NULL;
    message_cache_reset(runner->cache);
    runner->record = dispatch->timing ? record_create(count) : NULL;
    if (dispatch->state.slm_bytes) {
        runner->state->slm = runner->slm;
        memset(runner->slm, UNDEFINED_BYTE, dispatch->state.slm_bytes);
    }
    if (dispatch->shown)
        plugin_group_begin(&runner->shown, dispatch->shown, dispatch->shown_data, id, dispatch->program, runner->state);
    runner->barriers = (struct eu_barriers){.count = dispatch->named_barriers, .threads = count};
    for (uint32_t i = 0; i < count; i++)
        start_thread(runner, dispatch, id, i, slots[i]);
    pair_threads(runner, dispatch, count);
    debug_group(runner, dispatch, id, count);
    for (;;) {
        uint64_t before = *instructions;
        if (!take_turns(runner, dispatch, id, limit, instructions, fault, thread))
            return 0;
        progress_advance(dispatch->progress, *instructions - before, 0);
        const struct stop_counts counts = count_stops(runner, count);
        if (counts.ended == count && runner->debugs)
            gdb_group_end();
        if (counts.ended == count)
            forget_scratch(runner, dispatch, count);
        if (counts.ended == count && dispatch->shown)
            plugin_group_end(&runner->shown);
        if (counts.ended == count)
            return 1;
        if (counts.waiting + counts.parted + counts.ended < count)
            continue;
        if (counts.ended || counts.parted)
            return raise_waits(runner, &counts, fault, thread);
        if (runner->check)
            check_group_barrier(runner->check);
        for (uint32_t i = 0; i < count; i++)
            runner->stops[i] = EU_LIMIT;
    }
}
