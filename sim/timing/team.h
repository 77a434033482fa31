/* Host threads that share out work: one has parts of something to be done, others help while they have nothing else to
 * do. */
#ifndef CMKIT_SIM_TIMING_TEAM_H
#define CMKIT_SIM_TIMING_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct team;

/* NULL: no memory. */
struct team *team_create(void);
void team_destroy(struct team *team);

/* Part `part` of the work. Parts are done in any order, by several threads at the same time. */
typedef void team_work(void *context, uint32_t part);

/* Does parts 0 to `parts` - 1, together with those who help. Returns when all are done. One thread at a time calls it.
 */
void team_run(struct team *team, uint32_t parts, team_work *work, void *context);

/* Helps until `is_over` says so, which is asked between parts and after team_wake(). */
void team_help(struct team *team, bool (*is_over)(void *context), void *context);

/* Those who help and wait for work ask whether it is over. */
void team_wake(struct team *team);

#endif
