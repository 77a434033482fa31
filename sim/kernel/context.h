/* Manages contexts and address spaces of one open device file. A context has a command streamer and a host thread of
 * its own, which executes submitted batches in order. Batches of different contexts run at the same time, and a batch
 * may wait for the host. */
#ifndef CMKIT_SIM_KERNEL_CONTEXT_H
#define CMKIT_SIM_KERNEL_CONTEXT_H

#include <pthread.h>
#include <stdint.h>
#include "sim/kernel/objects.h"
#include "sim/base/fault.h"
#include "sim/base/space.h"
#include "sim/stream/engine.h"
#include "tables/platforms.h"

struct context;
struct dispatcher;

/* Hooks of a batch whose address space may change while it runs. `owner` is the submission's. */
struct submission_hooks {
    /* As struct stream_source has it: what it returns lives until the next call, or until destroy(). */
    const struct sim_space *(*renew)(void *owner);
    /* The batch has run, or there was none: writes what the program waits for. 1, or 0 with `fault` raised. */
    int (*finish)(void *owner, struct sim_fault *fault);
    void (*destroy)(void *owner);
};

/* One batch to run. It owns its space and a busy reference to each object until it has run. */
struct submission {
    struct submission *next;
    struct sim_space *space;              /* NULL with hooks */
    const struct submission_hooks *hooks; /* NULL: the space does not change */
    void *owner;
    uint64_t batch; /* GPU address of the first command; 0 with hooks: none, only finish() is called */
    enum stream_engine engine;
    uint32_t objects;
    struct object *object[];
};

struct context_table {
    pthread_mutex_t lock;
    const struct platform *platform;
    struct dispatcher *dispatcher;
    struct context **contexts; /* by id; 0 is the file's default context */
    uint32_t context_count;
    uint8_t *spaces; /* by id: 1 if the address space is open; id 0 is not used */
    uint32_t space_count;
};

/* 0 or a negative errno value. */
int context_table_init(struct context_table *table, const struct platform *platform, struct dispatcher *dispatcher);
void context_table_destroy(struct context_table *table); /* waits for nothing: unfinished batches run on */

/* Called around a fork, so that the table does not change while the process is copied. In the child, the contexts have
 * no batches and no thread; the parent runs what the parent has queued. */
void context_table_before_fork(struct context_table *table);
void context_table_after_fork(struct context_table *table, int in_child);
/* Call it in the child before the first use: `dispatcher` runs the contexts from now on. */
void context_table_revive(struct context_table *table, struct dispatcher *dispatcher);

/* Creates a context in address space `space` (0: a private one). Returns its id in `id`. */
int context_create(struct context_table *table, uint32_t space, uint32_t *id);
int context_destroy(struct context_table *table, uint32_t id);
/* Ends the batch that runs in the context when it next waits, and drops those that wait: for interfaces that kill
 * queues. */
void context_cancel(struct context_table *table, uint32_t id);
/* Returns the id of the context's address space; a private one gets an id now. -ENOENT: no such context. */
int context_space(struct context_table *table, uint32_t id, uint32_t *space);
int context_set_space(struct context_table *table, uint32_t id, uint32_t space);
/* Batches run on that engine from now on, and name it as entry 0 of the context's list of engines. -ENOENT. */
int context_set_engine(struct context_table *table, uint32_t id, enum stream_engine engine);
/* True if the context has a list of engines, of one. */
int context_has_engine_list(struct context_table *table, uint32_t id);
int context_exists(struct context_table *table, uint32_t id);

/* Address spaces are ids only: a batch accesses the objects that are submitted with it. */
int context_space_create(struct context_table *table, uint32_t *id);
int context_space_destroy(struct context_table *table, uint32_t id);

/* Allocates a batch with `objects` objects. NULL: out of memory. */
struct submission *submission_create(uint32_t objects);
void submission_destroy(struct submission *submission);
/* Queues the batch, which has a space or hooks, and returns at once. 0: the context owns the submission now. -ENOENT,
 * -ENOMEM, -EAGAIN. */
int context_submit(struct context_table *table, uint32_t id, struct submission *submission);

#endif
