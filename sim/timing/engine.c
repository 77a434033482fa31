/* Runs the timing engine: launches, groups, programs. */
#include "sim/timing/engine_internal.h"

#include <stdlib.h>
#include <string.h>
#include "sim/eu/instruction.h"

/* The slot that issued last comes last. */
static void set_order(struct timing_engine *engine)
{
    uint32_t threads = engine->threads;
    for (uint32_t last = 0; last < threads; last++)
        for (uint32_t slot = 0; slot < threads; slot++)
            engine->order[last][slot] = (slot + threads - last - 1) % threads;
}

static int create_parts(struct timing_engine *engine)
{
    set_order(engine);
    engine->eu = aligned_alloc(HOST_LINE, engine->eus * sizeof *engine->eu);
    engine->groups = calloc((size_t)engine->eus * engine->threads, sizeof *engine->groups);
    engine->memory = timing_memory_create(engine->machine, engine->constants);
    return engine->eu && engine_order_create(engine) && engine->groups && engine->memory;
}

struct timing_engine *timing_engine_create(const struct platform *platform, const struct timing_machine *machine,
                                           const struct timing_constants *constants, struct team *team)
{
    struct timing_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->platform = platform;
    engine->machine = machine;
    engine->constants = constants;
    engine->team = team;
    engine->tokens = platform_has(platform, FEATURE_SCOREBOARD);
    engine->subslices = machine->slices * machine->subslices;
    engine->eus_each = machine->eus;
    engine->eus = engine->subslices * machine->eus;
    engine->threads = platform->threads;
    for (size_t i = 0; i < TIMING_CONSTANTS; i++)
        engine->k[i] = timing_ticks(constants->value[i]);
    if (engine->eus <= MOST_EUS && engine->eus_each <= MOST_EUS_EACH && engine->subslices <= MOST_SUBSLICES &&
        engine->threads <= MOST_EU_THREADS && create_parts(engine))
        return engine;
    timing_engine_destroy(engine);
    return NULL;
}

static void forget_programs(struct timing_engine *engine)
{
    while (engine->programs) {
        struct timing_program *next = engine->programs->next;
        free(engine->programs);
        engine->programs = next;
    }
}

void timing_engine_destroy(struct timing_engine *engine)
{
    if (!engine)
        return;
    forget_programs(engine);
    timing_memory_destroy(engine->memory);
    timing_profile_destroy(engine->profile);
    free(engine->groups);
    engine_order_destroy(engine);
    free(engine->eu);
    free(engine);
}

void timing_engine_profile(struct timing_engine *engine)
{
    engine->profiles = true;
}

void timing_engine_window(struct timing_engine *engine, uint64_t from, uint64_t to)
{
    engine->window[0] = from;
    engine->window[1] = to;
}

struct timing_profile *timing_engine_take_profile(struct timing_engine *engine)
{
    struct timing_profile *profile = engine->profile;
    engine->profile = NULL;
    return profile;
}

/* Gives the program's instructions lines in the profile. */
static bool profile_program(struct timing_engine *engine, struct timing_program *program)
{
    struct timing_code *code = timing_profile_add(engine->profile, program->program, program->count);
    if (!code)
        return false;
    program->line = code->line;
    for (size_t i = 0; i < program->count; i++)
        code->flops[i] = program->op[i].flops;
    return true;
}

bool timing_engine_knows(const struct timing_engine *engine, const struct eu_program *program)
{
    for (const struct timing_program *known = engine->programs; known; known = known->next)
        if (known->program == program)
            return true;
    return false;
}

int timing_engine_learn(struct timing_engine *engine, const struct eu_program *program)
{
    if (timing_engine_knows(engine, program))
        return 1;
    struct timing_program *made = timing_program_create(engine->platform, program, engine->constants);
    if (!made)
        return 0;
    made->next = engine->programs;
    engine->programs = made;
    return !engine->profile || profile_program(engine, made);
}

/* All slots are free from the time at which the walker starts. EUs that the platform has not never get a thread. */
static void reset_eus(struct timing_engine *engine)
{
    uint32_t there = engine->eus - engine->machine->off;
    memset(engine->eu, 0, engine->eus * sizeof *engine->eu);
    for (uint32_t i = 0; i < engine->eus; i++) {
        struct eu *eu = &engine->eu[i];
        eu->subslice = i / engine->eus_each;
        eu->part = &engine->subslice[eu->subslice];
        eu->live = i < there ? 0 : engine->threads;
        eu->busy_until = 0;
        for (uint32_t s = 0; s < MOST_EU_THREADS; s++)
            eu->at[s] = eu_tick_of(TIMING_NEVER);
        for (uint32_t s = 0; s < engine->threads; s++)
            eu->slot[s].free = engine->k[TIMING_walker_start];
        engine->subslice_slots[eu->subslice] += i < there ? engine->threads : 0;
    }
    engine_order_begin(engine);
    engine->counts.eus = there;
    engine->counts.slots = (uint64_t)there * engine->threads;
}

static void reset_groups(struct timing_engine *engine)
{
    if (engine->waiting) /* of a launch that was given up */
        engine->release(engine->release_context, engine->waiting);
    engine->free_groups = NULL;
    engine->opening = NULL;
    engine->waiting = NULL;
    engine->taken = engine->ended = engine->dispatch_free = engine->last_end = 0;
    memset(engine->subslice_free, 0, sizeof engine->subslice_free);
    memset(engine->subslice_groups, 0, sizeof engine->subslice_groups);
    memset(engine->subslice_slots, 0, sizeof engine->subslice_slots);
    memset(engine->subslice_local, 0, sizeof engine->subslice_local);
    for (uint32_t i = engine->eus * engine->threads; i-- > 0;) {
        if (engine->groups[i].record)
            engine->release(engine->release_context, engine->groups[i].record);
        engine->groups[i].record = NULL;
        engine->groups[i].next = engine->free_groups;
        engine->free_groups = &engine->groups[i];
    }
}

int timing_engine_begin(struct timing_engine *engine, const struct timing_shape *shape, int warm)
{
    forget_programs(engine);
    timing_profile_destroy(engine->profile);
    engine->profile = engine->profiles ? timing_profile_create() : NULL;
    if (engine->profile)
        memcpy(engine->profile->window, engine->window, sizeof engine->window);
    if ((engine->profiles && !engine->profile) || !timing_engine_learn(engine, shape->program))
        return 0;
    engine->shape = *shape;
    engine->failed = false;
    memset(&engine->counts, 0, sizeof engine->counts);
    engine->holds_subslice = shape->local_bytes > 0 || engine->programs->has_barrier;
    reset_groups(engine);
    reset_eus(engine);
    timing_memory_begin(engine->memory, warm, shape->local_bytes > 0, &engine->counts);
    return 1;
}

/* Goes on until all that was taken has ended, or there is room for a group whose record is not there. */
static void run(struct timing_engine *engine)
{
    for (;;) {
        uint64_t ended = engine->ended;
        engine_dispatch(engine);
        if (engine->failed || (!engine->waiting && !engine->opening && engine->taken < engine->shape.groups))
            return;
        uint64_t resident = engine->counts.resident;
        while (engine->counts.resident == resident && engine->ended == ended)
            if (!engine_step(engine))
                return;
    }
}

void timing_engine_feed(struct timing_engine *engine, struct group_record *record, timing_release *release,
                        void *context)
{
    engine->release = release;
    engine->release_context = context;
    engine->waiting = record;
    run(engine);
    if (engine->failed && engine->waiting) {
        release(context, engine->waiting);
        engine->waiting = NULL;
    }
}

/* Adds up what subslices counted. */
static void sum_up(struct timing_engine *engine)
{
    struct timing_counts *sum = &engine->counts;
    for (uint32_t i = 0; i < engine->subslices; i++) {
        const struct engine_subslice *part = &engine->subslice[i];
        sum->active += part->counts.active;
        for (size_t c = 0; c < TIMING_CAUSES; c++)
            sum->stalled[c] += part->counts.stalled[c];
        sum->both += part->counts.both;
        sum->instructions += part->counts.instructions;
        sum->l1.hits += part->counts.l1.hits;
        sum->l1.misses += part->counts.l1.misses;
        sum->sampler.hits += part->counts.sampler.hits;
        sum->sampler.misses += part->counts.sampler.misses;
        sum->local_bytes += part->counts.local_bytes;
        sum->fpu0 += part->busy[TIMING_PORT_FPU0];
        sum->fpu1 += part->busy[TIMING_PORT_FPU1];
        sum->math += part->busy[TIMING_PORT_MATH];
        sum->send += part->busy[TIMING_PORT_SEND];
    }
}

const struct timing_counts *timing_engine_end(struct timing_engine *engine)
{
    if (engine->failed || engine->ended < engine->shape.groups)
        return NULL;
    uint64_t moved = engine->counts.dram_read + engine->counts.dram_written;
    uint64_t end = timing_memory_end(engine->memory, engine->last_end) + engine->k[TIMING_walker_end];
    if (engine->profile)
        timing_profile_note(engine->profile, TIMING_SERIES_DRAM, end,
                            engine->counts.dram_read + engine->counts.dram_written - moved);
    for (uint32_t i = 0; i < engine->eus - engine->machine->off; i++)
        if (end > engine->eu[i].busy_until)
            engine->counts.stalled[TIMING_CAUSE_NO_THREAD] += end - engine->eu[i].busy_until;
    engine->counts.elapsed = end;
    sum_up(engine);
    for (const struct timing_program *program = engine->programs; program; program = program->next)
        engine->counts.clock_readers += program->reads_clock;
    return &engine->counts;
}
