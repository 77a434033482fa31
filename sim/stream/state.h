/* The state of a command streamer as numbers, for recorded launches: trace_state.def, registers, descriptors. */
#ifndef CMKIT_SIM_STREAM_STATE_H
#define CMKIT_SIM_STREAM_STATE_H

#include "sim/stream/internal.h"

enum {
#define TRACE_STATE(MEMBER, MOST) STREAM_STATE_##MEMBER,
#include "sim/stream/trace_state.def"
#undef TRACE_STATE
    STREAM_STATE_MEMBERS,
    STREAM_STATES = STREAM_STATE_MEMBERS + STREAM_REGISTER_DWORDS + STREAM_DESCRIPTORS * DESCRIPTOR_DWORDS
};

void stream_state_get(const struct stream *stream, uint64_t state[STREAM_STATES]);

/* Sets the state. 1, or 0 if a number is none that the streamer can have. */
int stream_state_set(struct stream *stream, const uint64_t state[STREAM_STATES]);

#endif
