/* Defines the state of the timing engine, for its own files: engine.c, order.c (order of events), dispatch.c (threads
 * to EUs), issue.c (instructions of one EU), messages.c.
 *
 * Several host threads may run subslices at the same time (order.c). What they change is the subslice's own: its
 * struct engine_subslice, its EUs, and their threads. */
#ifndef CMKIT_SIM_TIMING_ENGINE_INTERNAL_H
#define CMKIT_SIM_TIMING_ENGINE_INTERNAL_H

#include "sim/timing/engine.h"
#include "sim/timing/memory.h"
#include "sim/timing/program.h"

enum { MOST_EU_THREADS = 8, MOST_EUS = 1 << 10, MOST_EUS_EACH = 32, TOKENS = 16, DISTANCES = 8 };

/* Ticks leave room for the number of an EU beside them, and more. */
enum { EU_BITS = 10 };
#define TIMING_NEVER (UINT64_MAX >> (EU_BITS + 3))

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

/* A tick and, in its lowest bits, the enum timing_cause of waiting for it. */
enum { CAUSE_BITS = 3 };
typedef uint64_t caused_tick;

static inline caused_tick caused(uint64_t tick, unsigned cause)
{
    return tick << CAUSE_BITS | cause;
}

/* Sets of registers that may be written after a slot's `at`; all others are not. Older: by instructions that have all
 * written theirs at `older_until`. Young: by later ones, at `young_until`. Sent: by messages. */
enum pending { PENDING_OLDER, PENDING_YOUNG, PENDING_SENT, PENDING_SETS };

/* A hardware thread's slot. The first lines are used by each instruction. */
struct slot {
    _Alignas(HOST_LINE) const struct timing_op *op; /* the next one */
    uint64_t at;                                    /* tick from which it may issue, ports aside */
    uint64_t next;                                  /* by the order of its instructions */
    uint64_t latest;                                /* of all times below */
    uint64_t older_until, young_until;
    const struct timing_program *program;
    uint32_t left; /* instructions after `op` that follow it in the program */
    uint8_t pending_other[PENDING_SETS], cause;
    uint64_t pending[PENDING_SETS][TIMING_SET_WORDS]; /* bits as in struct timing_op */
    uint64_t latest_read;                             /* of `read` */
    const uint32_t *run, *message;                    /* the record's next words */
    uint64_t reading[TIMING_SET_WORDS];               /* registers that `read` may have a time for after `at` */
    struct timing_message sent;                       /* the next message */
    uint32_t sent_words;                              /* of it; 0: there is none */
    uint32_t in_order_count;
    const uint32_t *runs_end, *messages_end;
    struct running_group *group;
    uint32_t thread;     /* number in the group */
    uint32_t barriers;   /* that it has passed */
    uint32_t unanswered; /* messages whose answers' times are not known yet: their registers' are TIMING_NEVER */
    bool is_live, waits; /* waits: at a barrier that not all have reached */
    uint64_t free;       /* not live: from when a thread may be started */
    uint64_t started;
    uint64_t in_order[DISTANCES];
    caused_tick token_written[TOKENS];
    uint64_t token_read[TOKENS];
    caused_tick written[TIMING_REGISTERS];
    uint64_t read[TIMING_GENERAL];
};

/* A tick above the place of its slot among an EU's slots of the same tick: the least is that of the slot that issues.
 */
enum { ORDER_BITS = 3 };
_Static_assert(MOST_EU_THREADS <= 1 << ORDER_BITS, "each slot has a place");
typedef uint64_t eu_tick;

static inline eu_tick eu_tick_of(uint64_t tick)
{
    return tick << ORDER_BITS;
}

struct eu {
    /* Copies of what the slots say, side by side: TIMING_NEVER for those without a thread. */
    _Alignas(HOST_LINE) eu_tick at[MOST_EU_THREADS];
    eu_tick free_of[TIMING_PORT_CHOICES]; /* when the port is, or one of them */
    uint8_t port[MOST_EU_THREADS];
    struct engine_subslice *part; /* where it is */
    uint32_t subslice, live, last;
    uint32_t chosen;    /* the slot that may issue first */
    uint64_t chosen_at; /* when, TIMING_NEVER: none may */
    uint64_t busy_until;
    uint64_t others_at;                     /* parked: when a slot may issue that does not wait for the queue */
    const uint64_t *queue[MOST_EU_THREADS]; /* that refused the slot's next message; NULL: none did */
    struct parked_eus *parked;              /* among which it is; NULL: among none */
    struct slot slot[MOST_EU_THREADS];
};

/* Only messages go to that port. */
static inline bool engine_sends(const struct eu *eu)
{
    return eu->port[eu->chosen] == TIMING_PORT_SEND;
}

/* EUs of a subslice that wait for room in one queue, and do nothing else before there is. */
struct parked_eus {
    const uint64_t *queue;
    uint32_t eus; /* bits of their numbers in the subslice */
};
enum { SUBSLICE_QUEUES = 3 }; /* data, local memory, sampler */

/* A message whose answer depends on what others do, or the end of a thread. */
struct shared_event {
    uint64_t key; /* tick above EU */
    struct slot *slot;
    const struct timing_op *op;
    struct timing_message message;
    uint32_t first, requests; /* in the subslice's list */
    uint64_t taken, done;     /* done: of what the subslice has answered by itself */
};

/* A subslice: one host thread at a time runs it. */
struct engine_subslice {
    _Alignas(HOST_LINE) struct parked_eus parked[SUBSLICE_QUEUES];
    struct timing_counts counts;
    uint64_t busy[TIMING_PORT_CHOICES]; /* of ports: ticks */
    struct timing_requests requests;    /* of this window */
    struct shared_event *event;         /* of this window, in their order */
    uint32_t events, room, next;        /* next: the first that has not been answered */
    bool failed;
};

struct timing_engine {
    const struct platform *platform;
    const struct timing_machine *machine;
    const struct timing_constants *constants;
    uint64_t k[TIMING_CONSTANTS]; /* ticks */
    struct timing_memory *memory;
    struct timing_program *programs;
    struct timing_shape shape;
    struct timing_counts counts;    /* of what all share; after the end, of all */
    struct timing_profile *profile; /* NULL: none is wanted */
    bool profiles;
    struct team *team;   /* that runs subslices */
    uint64_t window[2];  /* of events in the profile */
    bool holds_subslice; /* the launch's groups need one subslice each */
    bool failed, tokens;

    struct eu *eu;
    uint32_t eus, subslices, eus_each, threads;
    eu_tick order[MOST_EU_THREADS][MOST_EU_THREADS]; /* of slots at the same tick, by the slot that issued last */
    uint64_t *key; /* of each EU, the tick above its number: of what it does next, but for a parked one's message */
    struct engine_subslice *subslice;
    uint64_t ahead;       /* ticks of a window: what others do in it is seen after it */
    uint64_t window_end;  /* tick */
    uint64_t undisturbed; /* ticks for which an EU may go on alone: what others do is seen later, a barrier's end */
    uint64_t window_work; /* instructions of the last window */
    uint64_t work;        /* instructions of all windows */

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

/* order.c. False: no memory. */
bool engine_order_create(struct timing_engine *engine);
void engine_order_destroy(struct timing_engine *engine);
void engine_order_begin(struct timing_engine *engine);
/* Goes on to the next event that more than one subslice sees, and past it. False: there is none. */
bool engine_step(struct timing_engine *engine);
/* The least tick at which the EU does something. */
void engine_set_key(struct timing_engine *engine, uint32_t eu, uint64_t tick);

/* Keys: a tick above the number of an EU. */
static inline uint64_t engine_key_of(uint32_t eu, uint64_t tick)
{
    return tick << EU_BITS | eu;
}

static inline uint32_t engine_eu_of(uint64_t key)
{
    return key & (MOST_EUS - 1);
}

/* dispatch.c: starts threads while there are slots and records. */
void engine_dispatch(struct timing_engine *engine);
void engine_thread_ended(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now);

/* issue.c: notes in the profile what the slot's thread did. */
void engine_note_event(struct timing_engine *engine, const struct eu *eu, const struct slot *slot, uint8_t path,
                       uint64_t from, uint64_t to);
/* Advances to the slot's next instruction. False: the record has ended, or is invalid. */
bool engine_next_op(struct timing_engine *engine, struct slot *slot);
/* Finds when the slot's next instruction may be issued. */
void engine_prepare(struct timing_engine *engine, struct slot *slot);
/* Issues the EU's instructions up to its next message, or `horizon`. Returns the tick of what comes next. */
uint64_t engine_issue(struct timing_engine *engine, struct eu *eu, uint64_t horizon);
/* Notes that the slot's instruction was issued at `now` to `port`, no choice any more, and takes it `busy` ticks. */
void engine_take_port(struct timing_engine *engine, struct eu *eu, const struct slot *slot, unsigned port, uint64_t now,
                      uint64_t busy);

/* messages.c: reads the slot's next message from its record, if there is one. */
void engine_read_message(struct slot *slot);
/* Whether the chosen slot's queue is still full, and the EU has nothing else to do before it accepts. */
bool engine_waits_on(const struct timing_engine *engine, struct eu *eu);
/* Whether the chosen slot's message was refused before, and is again: what takes least time to find out. */
bool engine_is_refused(const struct timing_engine *engine, struct eu *eu);
/* Does what comes of a subslice's event for all. Call it in the order of the events. */
void engine_answer(struct timing_engine *engine, struct engine_subslice *part, struct shared_event *event);
/* Sends the message of `slot` at `now`. */
void engine_send(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now);

/* Copies the tick and port of a slot with a thread: call it when they have changed. */
static inline void engine_note_slot(struct eu *eu, const struct slot *slot, uint32_t number)
{
    eu->at[number] = eu_tick_of(slot->at);
    eu->port[number] = slot->op->port;
}

/* Chooses the slot that may issue first. Returns its tick, TIMING_NEVER if there is none. Call it after all changes of
 * an EU's slots. */
uint64_t engine_choose_slot(const struct timing_engine *engine, struct eu *eu);

/* The queue has refused messages of these slots before, and would do so at `now`: all may be sent at `accepted`. */
void engine_defer(struct eu *eu, const uint64_t *queue, uint64_t now, uint64_t accepted);

/* The least tick at which a slot may issue that does not wait for the queue of the chosen one. */
uint64_t engine_others_at(const struct eu *eu);

#endif
