/* Defines the state of the timing engine, for its own files: engine.c (order of events), dispatch.c (threads to EUs),
 * issue.c (instructions of one EU), messages.c. */
#ifndef CMKIT_SIM_TIMING_ENGINE_INTERNAL_H
#define CMKIT_SIM_TIMING_ENGINE_INTERNAL_H

#include "sim/timing/engine.h"
#include "sim/timing/memory.h"
#include "sim/timing/program.h"

enum { MOST_EU_THREADS = 8, MOST_EUS = 1024, MOST_SUBSLICES = 32, TOKENS = 16, DISTANCES = 8 };

#define TIMING_NEVER UINT64_MAX

/* A group on the machine. */
struct running_group {
    struct group_record *record;
    struct running_group *next; /* of free ones */
    uint32_t started, ended, arrived, releases;
    uint64_t released; /* tick of the last release of the barrier */
    uint64_t latest;   /* arrival at the barrier */
    uint32_t subslice;
    bool holds_subslice; /* a barrier or local memory */
};

/* A hardware thread's slot. */
struct slot {
    bool is_live, waits; /* waits: at a barrier that not all have reached */
    uint8_t ports, cause;
    struct running_group *group;
    uint32_t thread; /* in the group */
    const struct timing_program *program;
    const struct timing_op *op; /* the next one */
    uint32_t run, runs, index, left, message;
    uint32_t barriers; /* that it has passed */
    uint64_t at;       /* tick from which it may issue, ports aside */
    uint64_t next;     /* by the order of its instructions */
    uint64_t free;     /* not live: from when a thread may be started */
    uint64_t started;
    uint64_t latest; /* of all times below */
    uint64_t written[TIMING_REGISTERS], read[TIMING_GENERAL];
    uint8_t why[TIMING_REGISTERS];
    uint64_t token_written[TOKENS], token_read[TOKENS];
    uint8_t token_why[TOKENS];
    uint64_t in_order[DISTANCES];
    uint32_t in_order_count;
};

struct eu {
    uint64_t
        at[MOST_EU_THREADS]; /* copies of what the slots say, side by side: TIMING_NEVER for those without a thread */
    uint8_t ports[MOST_EU_THREADS];
    struct slot slot[MOST_EU_THREADS];
    uint32_t subslice, live, last;
    uint64_t port_free[TIMING_PORTS];
    uint64_t busy_until;
};

struct timing_engine {
    const struct platform *platform;
    const struct timing_machine *machine;
    const struct timing_constants *constants;
    uint64_t k[TIMING_CONSTANTS]; /* ticks */
    struct timing_memory *memory;
    struct timing_program *programs;
    struct timing_shape shape;
    struct timing_counts counts;
    bool holds_subslice; /* the launch's groups need one subslice each */
    bool failed, tokens;

    struct eu *eu;
    uint32_t eus, subslices, eus_each, threads, leaves;
    uint64_t *tree; /* of leaves: the least tick of all EUs on top */

    /* Dispatch */
    struct running_group *groups, *free_groups, *opening; /* opening: not all of its threads are started */
    uint64_t taken, ended;                                /* groups */
    struct group_record *waiting;                         /* fed, not taken yet */
    uint64_t dispatch_free, subslice_free[MOST_SUBSLICES];
    uint32_t subslice_groups[MOST_SUBSLICES], subslice_slots[MOST_SUBSLICES];
    uint64_t subslice_local[MOST_SUBSLICES];
    uint64_t last_end;
    timing_release *release;
    void *release_context;
};

/* engine.c: the least tick at which the EU does something. */
void engine_set_key(struct timing_engine *engine, uint32_t eu, uint64_t tick);

/* dispatch.c: starts threads while there are slots and records. */
void engine_dispatch(struct timing_engine *engine);
void engine_thread_ended(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now);

/* issue.c: goes to the slot's next instruction. False: the record has ended, or names nothing known. */
bool engine_next_op(struct timing_engine *engine, struct slot *slot);
/* Finds when the slot's next instruction may be issued. */
void engine_prepare(struct timing_engine *engine, struct slot *slot);
/* Issues the EU's instructions up to its next message, or `horizon`. Returns the tick of what comes next. */
uint64_t engine_issue(struct timing_engine *engine, struct eu *eu, uint64_t horizon);
/* Notes that the slot's instruction was issued at `now` to `port` (TIMING_PORTS: to none) and takes it `busy` ticks. */
void engine_take_port(struct timing_engine *engine, struct eu *eu, const struct slot *slot, unsigned port, uint64_t now,
                      uint64_t busy);

/* messages.c: sends the message of `slot` at `now`. */
void engine_send(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now);

/* Copies the slot's tick and ports: call it when they have changed. */
static inline void engine_note_slot(struct eu *eu, const struct slot *slot)
{
    size_t number = (size_t)(slot - eu->slot);
    eu->at[number] = slot->is_live ? slot->at : TIMING_NEVER;
    eu->ports[number] = slot->ports;
}

/* The slot that may issue first; `*at` and `*port`. NULL: none. */
struct slot *engine_first_slot(struct eu *eu, uint32_t threads, uint64_t *at, unsigned *port);

#endif
