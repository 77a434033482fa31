#include "sim/stream/replay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "sim/stream/state.h"

const char *launch_restore(struct stream *stream, const struct trace_launch *launch)
{
    assert(!stream->curbe);
    if (launch->states != STREAM_STATES || launch->engine > STREAM_COMPUTE || launch->clock == 0 ||
        !stream_state_set(stream, launch->state))
        return "it is damaged: the streamer has no such state";
    stream->curbe = launch->curbe_bytes ? malloc(launch->curbe_bytes) : NULL;
    if (launch->curbe_bytes && !stream->curbe)
        return "there is no memory";
    if (launch->curbe_bytes)
        memcpy(stream->curbe, launch->curbe, launch->curbe_bytes);
    stream->curbe_bytes = (uint32_t)launch->curbe_bytes;
    return NULL;
}

int launch_replay(struct stream *stream, const struct sim_space *space, const struct trace_launch *launch,
                  struct sim_fault *fault)
{
    const struct stream_source source = {.space = space};
    const uint32_t *word = sim_space_map(space, launch->command, sizeof *word);
    if (launch->command % sizeof *word || !word || !stream_launches(stream, *word))
        return sim_fault_raise(fault, "the trace is damaged: its command launches no kernel");
    return stream_execute_one(stream, (enum stream_engine)launch->engine, &source, launch->command, launch->clock,
                              fault);
}
