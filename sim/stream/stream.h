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

/* Executes the batch at GPU address `batch` to its end on `engine`, including its waits. The state is kept for the next
 * batch. 1, or 0 with `fault` raised. */
int stream_execute(struct stream *stream, enum stream_engine engine, const struct sim_space *space, uint64_t batch,
                   struct sim_fault *fault);

/* Returns the streamer's position for a fault report: "GPGPU_WALKER at 0x..., kernel at 0x..., group 1,0,0, thread 3".
 */
const char *stream_position(const struct stream *stream);

#endif
