/* Implements the command streamer of one context: reads batches, keeps the state that commands set, starts thread
 * groups. Only one host thread may use it at a time. */
#ifndef CMKIT_SIM_STREAM_STREAM_H
#define CMKIT_SIM_STREAM_STREAM_H

#include <stdint.h>
#include "sim/base/fault.h"
#include "sim/base/space.h"
#include "sim/stream/dispatcher.h"
#include "sim/stream/engine.h"
#include "tables/platforms.h"

struct stream;

/* Creates a streamer in its reset state. `context` is for reports. NULL: out of memory. */
struct stream *stream_create(const struct platform *platform, struct dispatcher *dispatcher, uint32_t context);
void stream_destroy(struct stream *stream); /* NULL is allowed */

/* Sets the dispatcher that runs thread groups. */
void stream_set_dispatcher(struct stream *stream, struct dispatcher *dispatcher);

/* The address space of a batch. Without `renew` it stays as it is while the batch runs. With it, the program may change
 * the space meanwhile: the streamer calls renew(owner) when the batch begins and after each wait for memory, and uses
 * what it returns until the next call. Such a batch may wait for the program without end, as a ring does that is fed
 * without requests: while it waits, the GPU counts as idle, and its polls do not count towards --max-instructions. */
struct stream_source {
    const struct sim_space *space; /* without renew */
    const struct sim_space *(*renew)(void *owner);
    void *owner;
};

/* Executes the batch at GPU address `batch` to its end on `engine`, including its waits. The state is kept for the next
 * batch. 1, or 0 with `fault` raised. */
int stream_execute(struct stream *stream, enum stream_engine engine, const struct stream_source *source, uint64_t batch,
                   struct sim_fault *fault);

/* Whether the command whose first dword is `word` launches a kernel. */
int stream_launches(const struct stream *stream, uint32_t word);

/* Executes the one command at GPU address `command`, when the GPU's clock is `clock`. 1, or 0 with `fault` raised. */
int stream_execute_one(struct stream *stream, enum stream_engine engine, const struct stream_source *source,
                       uint64_t command, uint64_t clock, struct sim_fault *fault);

/* Ends the batch that runs at its next wait for memory, and later ones at once. Another thread may call it. */
void stream_cancel(struct stream *stream);

/* Returns the streamer's position for a fault report: "GPGPU_WALKER at 0x..., kernel at 0x..., group 1,0,0, thread 3".
 */
const char *stream_position(const struct stream *stream);

#endif
