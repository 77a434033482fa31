/* Launches a dispatch for every kind of walker, once its fields are read: finds the kernel and runs the dispatch. */
#ifndef CMKIT_SIM_STREAM_LAUNCH_H
#define CMKIT_SIM_STREAM_LAUNCH_H

#include "sim/stream/internal.h"

/* Register of the first of three dwords with the number of groups, for walkers that take it from there. */
enum { LAUNCH_DIMENSIONS = 0x2500 };

/* What messages of a dispatch refer to, as the streamer's commands have set it: all but the walker's own fields
 * (binding table, samplers, local memory, scratch). */
struct message_state launch_message_state(const struct stream *stream);

/* The end of dimension `dimension`, 0 to 2, from the streamer's registers. 1, or 0 with the fault raised. */
int launch_read_dimension(struct stream *stream, unsigned dimension, uint32_t *end);

/* Decodes the kernel that starts `offset` bytes from the instruction base, and runs the dispatch with it. `dispatch` is
 * complete but for the kernel. 1 when all of its groups have ended, or 0 with the fault raised. */
int launch_run(struct stream *stream, uint64_t offset, struct dispatch *dispatch);

#endif
