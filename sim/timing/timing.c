/* Collects the records of a launch, brings them into order, and feeds them to the engines. */
#include "sim/timing/timing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "sim/timing/clock_readings.h"
#include "sim/timing/pages.h"
#include "sim/timing/program.h"
#include "sim/timing/team.h"

/* Records that wait may take so many bytes; then host threads wait for the engines, or for an earlier group. */
enum { MOST_WAITING = 64 << 20 };

struct timing {
    const struct timing_machine *machine;
    int warm;
    unsigned engines; /* the first with the constants as they are, the others with drawn ones */
    struct timing_engine *engine[1 + GENSIM_MAX_DRAWS];
    struct timing_constants constants[1 + GENSIM_MAX_DRAWS];
    struct pages pages;
    struct team *team; /* host threads that run subslices of the engines */

    pthread_mutex_t turn; /* of the launch */
    pthread_mutex_t lock; /* all below */
    pthread_cond_t fed;
    struct group_record *waiting; /* by index */
    size_t waiting_bytes;
    bool feeding;       /* a host thread runs the engines, without the lock */
    uint64_t next;      /* index of the group that the engines need */
    uint64_t groups;    /* of the launch */
    const char *why;    /* the launch cannot be timed, NULL: it can */
    uint64_t before;    /* ticks of all earlier launches */
    uint64_t window[2]; /* of events, ticks from the first launch on */
};

static int create_engines(struct timing *timing, const struct sim_options *options)
{
    for (unsigned i = 0; i <= options->timing_draws; i++) {
        timing_constants_of(options->platform, &timing->constants[i]);
        if (options->timing_set && timing_constants_set(&timing->constants[i], options->timing_set))
            return 0;
        if (i > 0)
            timing_constants_draw(options->platform, &timing->constants[i], options->timing_set, i - 1,
                                  options->timing_draws, options->timing_seed);
        timing->engine[i] =
            timing_engine_create(options->platform, timing->machine, &timing->constants[i], timing->team);
        if (!timing->engine[i])
            return 0;
        if (i == 0 && (options->profile || options->events))
            timing_engine_profile(timing->engine[i]);
        timing->engines++;
    }
    return 1;
}

struct timing *timing_create(const struct sim_options *options, const char **wrong)
{
    struct timing_constants constants;
    *wrong = NULL;
    if (!options->timing)
        return NULL;
    const struct timing_machine *machine = timing_machine_find(options->platform, options->timing);
    if (!machine || !timing_constants_of(options->platform, &constants)) {
        *wrong = "there are no timing data for this device and machine";
        return NULL;
    }
    struct timing *timing = calloc(1, sizeof *timing);
    if (timing) {
        timing->machine = machine;
        timing->warm = options->timing_warm;
        for (int i = 0; i < 2 && options->events; i++)
            timing->window[i] = options->window[i] * machine->mhz * TIMING_TICKS;
        pthread_mutex_init(&timing->turn, NULL);
        pthread_mutex_init(&timing->lock, NULL);
        pthread_cond_init(&timing->fed, NULL);
        timing->team = team_create();
    }
    if (timing && timing->team && create_engines(timing, options))
        return timing;
    *wrong = "no memory for the timing model, or a constant that it has not";
    timing_destroy(timing);
    return NULL;
}

void timing_destroy(struct timing *timing)
{
    if (!timing)
        return;
    for (unsigned i = 0; i < timing->engines; i++)
        timing_engine_destroy(timing->engine[i]);
    pages_destroy(&timing->pages);
    team_destroy(timing->team);
    pthread_cond_destroy(&timing->fed);
    pthread_mutex_destroy(&timing->lock);
    pthread_mutex_destroy(&timing->turn);
    free(timing);
}

static uint64_t after(uint64_t tick, uint64_t before)
{
    return tick > before ? tick - before : 0;
}

void timing_begin(struct timing *timing, const struct timing_shape *shape)
{
    pthread_mutex_lock(&timing->turn);
    pthread_mutex_lock(&timing->lock);
    timing->next = 0;
    timing->groups = shape->groups;
    timing->waiting = NULL;
    timing->waiting_bytes = 0;
    timing->why = NULL;
    if (!timing->warm)
        pages_clear(&timing->pages);
    timing_engine_window(timing->engine[0], after(timing->window[0], timing->before),
                         after(timing->window[1], timing->before));
    if (shape->readings)
        clock_readings_begin(shape->readings, timing->before);
    struct timing_shape drawn = *shape;
    drawn.readings = NULL; /* the first engine's constants are the clock's */
    for (unsigned i = 0; i < timing->engines; i++)
        if (!timing_engine_begin(timing->engine[i], i == 0 ? shape : &drawn, timing->warm))
            timing->why = "no memory for the timing model";
    pthread_mutex_unlock(&timing->lock);
}

static void release(void *context, struct group_record *record)
{
    (void)context;
    if (--record->readers == 0)
        record_destroy(record);
}

static bool is_known(const struct timing *timing, const struct eu_program *program)
{
    for (unsigned e = 0; e < timing->engines; e++)
        if (!timing_engine_knows(timing->engine[e], program))
            return false;
    return true;
}

/* Engines learn a program while none of them runs. */
static void learn_program(struct timing *timing, const struct eu_program *program)
{
    while (timing->feeding)
        pthread_cond_wait(&timing->fed, &timing->lock);
    for (unsigned e = 0; e < timing->engines; e++)
        if (!timing_engine_learn(timing->engine[e], program))
            timing->why = "no memory for the timing model";
}

/* Makes the programs known that the record names: they live until the caller returns. */
static void learn(struct timing *timing, const struct group_record *record)
{
    for (uint32_t t = 0; t < record->threads; t++) {
        const struct record_words *runs = &record->thread[t].runs;
        for (uint32_t i = 0; i + 2 < runs->count; i++) {
            if (runs->words[i] & 0xfff)
                continue;
            uint64_t pointer = runs->words[i + 1] | (uint64_t)runs->words[i + 2] << 32;
            const struct eu_program *program = (const struct eu_program *)(uintptr_t)pointer;
            if (!is_known(timing, program))
                learn_program(timing, program);
            i += 2;
        }
    }
}

static void insert(struct timing *timing, struct group_record *record)
{
    struct group_record **link = &timing->waiting;
    while (*link && (*link)->index < record->index)
        link = &(*link)->next;
    record->next = *link;
    *link = record;
    timing->waiting_bytes += record->bytes;
}

/* Gives the group to the engines. Returns why that failed, NULL: it has not. */
static const char *feed_record(struct timing *timing, struct group_record *record, const char *why)
{
    if (!why && !pages_translate(&timing->pages, record))
        why = "no memory for the timing model";
    record->readers = timing->engines;
    for (unsigned i = 0, engines = timing->engines; i < engines; i++)
        if (why)
            release(timing, record);
        else
            timing_engine_feed(timing->engine[i], record, release, timing);
    return why;
}

static void wake(struct timing *timing)
{
    pthread_cond_broadcast(&timing->fed);
    team_wake(timing->team);
}

/* Feeds the groups whose turn it is, unless another host thread does. Others go on meanwhile: the lock is free. */
static void feed(struct timing *timing)
{
    if (timing->feeding)
        return;
    timing->feeding = true;
    while (timing->waiting && timing->waiting->index == timing->next) {
        struct group_record *record = timing->waiting;
        timing->waiting = record->next;
        timing->waiting_bytes -= record->bytes;
        timing->next++;
        const char *why = timing->why;
        pthread_mutex_unlock(&timing->lock);
        why = feed_record(timing, record, why);
        pthread_mutex_lock(&timing->lock);
        if (!timing->why)
            timing->why = why;
        wake(timing);
    }
    timing->feeding = false;
    wake(timing);
}

/* The launch cannot be timed: its records are of no use. */
static void drop_waiting(struct timing *timing)
{
    while (timing->waiting) {
        struct group_record *next = timing->waiting->next;
        record_destroy(timing->waiting);
        timing->waiting = next;
    }
    timing->waiting_bytes = 0;
    wake(timing);
}

void timing_cancel(struct timing *timing)
{
    pthread_mutex_lock(&timing->lock);
    timing->why = "a group of threads did not end";
    drop_waiting(timing);
    pthread_mutex_unlock(&timing->lock);
}

/* Fewer records wait, or no thread feeds the engines with them. */
static bool has_room(void *context)
{
    struct timing *timing = context;
    pthread_mutex_lock(&timing->lock);
    bool has = timing->waiting_bytes <= MOST_WAITING || !timing->feeding;
    pthread_mutex_unlock(&timing->lock);
    return has;
}

/* The engines have got all groups and do nothing more, or there is nothing to be timed. */
static bool is_over(void *context)
{
    struct timing *timing = context;
    pthread_mutex_lock(&timing->lock);
    bool over = timing->why || (timing->next == timing->groups && !timing->feeding);
    pthread_mutex_unlock(&timing->lock);
    return over;
}

void timing_deliver(struct timing *timing, struct group_record *record, int complete)
{
    pthread_mutex_lock(&timing->lock);
    if (!complete)
        timing->why = "no memory for the record of a group";
    if (!timing->why)
        learn(timing, record);
    if (timing->why) {
        record_destroy(record);
        drop_waiting(timing);
    } else {
        insert(timing, record);
        feed(timing);
    }
    while (timing->waiting_bytes > MOST_WAITING) {
        if (!timing->feeding) {
            pthread_cond_wait(&timing->fed, &timing->lock);
            continue;
        }
        pthread_mutex_unlock(&timing->lock);
        team_help(timing->team, has_room, timing);
        pthread_mutex_lock(&timing->lock);
    }
    pthread_mutex_unlock(&timing->lock);
}

void timing_help(struct timing *timing)
{
    team_help(timing->team, is_over, timing);
}

static uint64_t clocks_of(const struct timing_counts *counts)
{
    return (counts->elapsed + TIMING_TICKS / 2) / TIMING_TICKS;
}

static struct timing_peaks peaks_of(const struct timing_machine *machine, const double *k)
{
    double hz = 1e6 * machine->mhz, subslices = machine->slices * machine->subslices;
    double eus = subslices * machine->eus - machine->off;
    return (struct timing_peaks){
        .flops = 2 * eus * k[TIMING_fpu_ports] * k[TIMING_port_lanes] * hz,
        .local = subslices * 64 / k[TIMING_slm_cycle] * hz,
        .l3 = machine->slices * k[TIMING_l3_banks] * 64 / k[TIMING_l3_bank_cycle] * hz,
        .dram = 1e6 * machine->dram,
        .limit = 1e6 * machine->dram * k[TIMING_dram_efficiency],
    };
}

void timing_end(struct timing *timing, struct timing_result *result)
{
    memset(result, 0, sizeof *result);
    pthread_mutex_lock(&timing->lock);
    result->machine = timing->machine;
    result->why = timing->why;
    for (unsigned i = 0; i < timing->engines && !result->why; i++) {
        const struct timing_counts *counts = timing_engine_end(timing->engine[i]);
        if (!counts) {
            result->why = "the record does not fit the machine";
        } else if (i == 0) {
            result->counts = *counts;
            result->clocks = clocks_of(counts);
        } else {
            result->drawn_clocks[result->draws++] = clocks_of(counts);
        }
    }
    result->is_timed = !result->why;
    result->peaks = peaks_of(timing->machine, timing->constants[0].value);
    result->before = timing->before;
    timing->before += result->counts.elapsed;
    result->profile = timing_engine_take_profile(timing->engine[0]);
    drop_waiting(timing);
    pthread_mutex_unlock(&timing->lock);
    pthread_mutex_unlock(&timing->turn);
}
