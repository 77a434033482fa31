/* Runs one thread group on one host thread. */
#ifndef CMKIT_SIM_STREAM_GROUP_H
#define CMKIT_SIM_STREAM_GROUP_H

#include "sim/stream/dispatcher.h"
#include "sim/stream/observation.h"

/* A host thread's resources for running groups: registers and payloads of the threads, local memory. They are reused
 * for the next group and grow if it is larger. */
struct group_runner;

struct group_runner *group_runner_create(const struct platform *platform);
void group_runner_destroy(struct group_runner *runner);

/* Allocates the resources for groups of the dispatch. 0: out of memory. */
int group_runner_prepare(struct group_runner *runner, const struct dispatch *dispatch);

/* Adds the counts since group_runner_prepare() to `sum`, which may be NULL. */
void group_runner_report(struct group_runner *runner, struct observation *sum);

/* Runs group `id` of the dispatch that the runner was prepared for to its end; thread i gets the hardware slot
 * slots[i]. `limit` is the number of instructions that may still be issued. `*instructions` is the number issued. 1, or
 * 0 with the fault raised and `*thread` at fault. */
int group_run(struct group_runner *runner, const struct dispatch *dispatch, const uint32_t id[3], const uint16_t *slots,
              uint64_t limit, uint64_t *instructions, struct sim_fault *fault, uint32_t *thread);

/* After group_run() of a timed dispatch: hands the record of group `index` on, or, if the group is not done, tells that
 * there is none. */
void group_runner_deliver(struct group_runner *runner, const struct dispatch *dispatch, uint64_t index, int is_done);

#endif
