/* Replays the records of a launch on the model's EUs: dispatch, issue, messages. One engine times one set of constants.
 *
 * The engine is deterministic: it takes groups in their order, and events by time, subslice, EU and thread. It needs
 * the record of a group when the group is dispatched, and not before. */
#ifndef CMKIT_SIM_TIMING_ENGINE_H
#define CMKIT_SIM_TIMING_ENGINE_H

#include <stdbool.h>
#include "sim/timing/constants.h"
#include "sim/timing/counts.h"
#include "sim/timing/profile.h"
#include "sim/timing/record.h"

struct timing_engine;
struct eu_program;

/* A launch. */
struct timing_shape {
    const struct eu_program *program;
    uint64_t groups;
    uint32_t group_threads;
    uint32_t local_bytes;
    uint32_t payload_registers;      /* that a thread is started with */
    struct clock_readings *readings; /* where the threads' readings of the clock are noted, NULL: nowhere */
};

struct team;

/* The threads of `team` run subslices. NULL: no memory. */
struct timing_engine *timing_engine_create(const struct platform *platform, const struct timing_machine *machine,
                                           const struct timing_constants *constants, struct team *team);
void timing_engine_destroy(struct timing_engine *engine);

/* From now on each launch has a profile. */
void timing_engine_profile(struct timing_engine *engine);

/* Launches have events from now on, those that touch the window from tick `from` to `to` of the next one. */
void timing_engine_window(struct timing_engine *engine, uint64_t from, uint64_t to);

/* The profile of the last launch, which is the caller's. NULL: there is none. */
struct timing_profile *timing_engine_take_profile(struct timing_engine *engine);

/* Starts a launch. 0: no memory. `warm`: caches keep what earlier launches left. */
int timing_engine_begin(struct timing_engine *engine, const struct timing_shape *shape, int warm);

bool timing_engine_knows(const struct timing_engine *engine, const struct eu_program *program);

/* Makes `program` known, which records name. Call it while the program lives. 0: no memory. */
int timing_engine_learn(struct timing_engine *engine, const struct eu_program *program);

/* The engine is given the next group's record, which must live until it has been passed to `release`, and goes on until
 * it needs another. */
typedef void timing_release(void *context, struct group_record *record);
void timing_engine_feed(struct timing_engine *engine, struct group_record *record, timing_release *release,
                        void *context);

/* After the last group: what was counted. NULL: the record does not fit the program, or threads wait forever. */
const struct timing_counts *timing_engine_end(struct timing_engine *engine);

#endif
