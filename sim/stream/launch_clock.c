#include "sim/stream/launch_clock.h"

#include "sim/timing/clock_readings.h"
#include "sim/trace/pages.h"

static void touched(void *context, uint64_t address, uint64_t size, bool writes)
{
    trace_pages_touch(context, address, size, writes);
}

static int run(struct stream *stream, const struct dispatch *dispatch, uint64_t *instructions)
{
    return dispatcher_run(stream->dispatcher, dispatch, instructions, stream->fault, &stream->dispatch);
}

static bool is_wanted(const struct stream *stream, const struct dispatch *dispatch)
{
    return dispatcher_is_timed(stream->dispatcher) && eu_program_reads_clock(dispatch->program) &&
           !dispatcher_is_watched() && !dispatch->trace && !dispatch->state.touch && !dispatch->state.drop_faults;
}

/* The second execution, from the memory that the first one found. */
static int run_again(struct stream *stream, const struct dispatch *first, uint64_t instructions)
{
    struct dispatch again = *first;
    uint64_t issued = 0;
    again.state.touch = NULL;
    again.counts = NULL;
    again.reads_timed_clock = true;
    int good = run(stream, &again, &issued);
    first->timed->counts.clock_timed = 1;
    first->timed->counts.clock_decides = issued != instructions;
    return good;
}

int launch_run_by_clock(struct stream *stream, struct dispatch *dispatch, uint64_t *instructions)
{
    uint64_t groups = 1;
    for (int i = 0; i < 3; i++)
        groups *= dispatch->end[i] - dispatch->first[i];
    uint32_t threads = dispatch->width * dispatch->height * dispatch->depth;
    bool twice = is_wanted(stream, dispatch) && groups > 0 && threads > 0;
    struct clock_readings *readings = twice ? clock_readings_create(groups, threads) : NULL;
    struct trace_pages *pages = readings ? trace_pages_create(stream->space) : NULL;
    const struct message_touch touch = {touched, pages};
    if (pages) {
        dispatch->state.touch = &touch;
        dispatch->clock = readings;
    }
    int good = run(stream, dispatch, instructions);
    if (good && pages && dispatch->timed->is_timed && clock_readings_are_complete(readings) &&
        trace_pages_restore(pages))
        good = run_again(stream, dispatch, *instructions);
    if (pages) {
        dispatch->state.touch = NULL;
        dispatch->clock = NULL;
    }
    trace_pages_destroy(pages);
    clock_readings_destroy(readings);
    return good;
}
