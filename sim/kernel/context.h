/* Contexts and address spaces of one open device file. A context has a command streamer of its own, on a host thread of
 * its own, that executes what is submitted to it in order: batches of different contexts run at the same time, and a
 * batch may wait for the host. */
#ifndef CMKIT_SIM_KERNEL_CONTEXT_H
#define CMKIT_SIM_KERNEL_CONTEXT_H

#include <pthread.h>
#include <stdint.h>
#include "sim/kernel/objects.h"
#include "sim/base/space.h"
#include "tables/platforms.h"

struct context;
struct dispatcher;

/* One batch to run. It owns its space and a busy reference to each object until it has run. */
struct submission {
    struct submission *next;
    struct sim_space *space;
    uint64_t batch; /* GPU address of the first command */
    uint32_t objects;
    struct object *object[];
};

struct context_table {
    pthread_mutex_t lock;
    const struct platform *platform;
    struct dispatcher *dispatcher;
    struct context **contexts; /* by id; 0 is the file's default context */
    uint32_t context_count;
    uint8_t *spaces; /* by id: 1 if the address space is open; 0 is none */
    uint32_t space_count;
};

/* 0 or a negative errno value. */
int context_table_init(struct context_table *table, const struct platform *platform, struct dispatcher *dispatcher);
void context_table_destroy(struct context_table *table); /* waits for nothing: unfinished batches run on */

/* Around a fork: nobody changes the table while the process is copied. In the child, the contexts have nothing queued
 * and no thread; what the parent has queued, the parent runs. */
void context_table_before_fork(struct context_table *table);
void context_table_after_fork(struct context_table *table, int in_child);
/* In the child, before the first use: contexts are run by `dispatcher` from now on. */
void context_table_revive(struct context_table *table, struct dispatcher *dispatcher);

/* A new context in address space `space` (0: its own). Its id through `id`. */
int context_create(struct context_table *table, uint32_t space, uint32_t *id);
int context_destroy(struct context_table *table, uint32_t id);
/* The context's address space, making a name for a private one. -ENOENT if there is no such context. */
int context_space(struct context_table *table, uint32_t id, uint32_t *space);
int context_set_space(struct context_table *table, uint32_t id, uint32_t space);
int context_exists(struct context_table *table, uint32_t id);

/* Address spaces are names only: what a batch sees is the list of objects submitted with it. */
int context_space_create(struct context_table *table, uint32_t *id);
int context_space_destroy(struct context_table *table, uint32_t id);

/* Room for a batch with `objects` objects; NULL without memory. */
struct submission *submission_create(uint32_t objects);
void submission_destroy(struct submission *submission);
/* Queues the batch and returns at once. 0: the submission is the context's now. -ENOENT, -ENOMEM, -EAGAIN. */
int context_submit(struct context_table *table, uint32_t id, struct submission *submission);

#endif
