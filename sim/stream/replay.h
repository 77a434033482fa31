/* Launches a recorded launch again. */
#ifndef CMKIT_SIM_STREAM_REPLAY_H
#define CMKIT_SIM_STREAM_REPLAY_H

#include "sim/stream/stream.h"
#include "sim/trace/launch.h"

/* Puts the streamer into the launch's state. NULL, or a static sentence that says what is wrong with the record. */
const char *launch_restore(struct stream *stream, const struct trace_launch *launch);

/* Executes the command that launches, in a space with the launch's memory. 1, or 0 with `fault` raised. */
int launch_replay(struct stream *stream, const struct sim_space *space, const struct trace_launch *launch,
                  struct sim_fault *fault);

#endif
