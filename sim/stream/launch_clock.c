#include "sim/stream/launch_clock.h"

#include "sim/stream/record.h"
#include "sim/timing/clock_readings.h"
#include "sim/trace/pages.h"

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
    first->timed->counts.clock_decides = issued != instructions;
    return good;
}

/* The first execution, and the second one if what it needs is known. */
static int run_twice(struct stream *stream, struct dispatch *dispatch, struct trace_pages *pages,
                     uint64_t *instructions)
{
    const struct message_touch touch = launch_touch_of(pages);
    dispatch->state.touch = &touch;
    int good = run(stream, dispatch, instructions);
    bool is_known = dispatch->timed->is_timed && clock_readings_are_complete(dispatch->clock);
    if (good && is_known && trace_pages_restore(pages))
        good = run_again(stream, dispatch, *instructions);
    else
        dispatch->timed->counts.clock_counted = 1;
    dispatch->state.touch = NULL;
    return good;
}

int launch_run_by_clock(struct stream *stream, struct dispatch *dispatch, uint64_t *instructions)
{
    uint64_t groups = dispatch_groups(dispatch);
    uint32_t threads = dispatch_threads(dispatch);
    bool twice = is_wanted(stream, dispatch) && groups > 0 && threads > 0;
    struct trace_pages *pages = twice ? trace_pages_create(stream->space) : NULL;
    int good;
    dispatch->clock = pages ? clock_readings_create(groups, threads) : NULL;
    if (dispatch->clock) {
        good = run_twice(stream, dispatch, pages, instructions);
    } else {
        good = run(stream, dispatch, instructions);
        dispatch->timed->counts.clock_counted = dispatch->timed->counts.clock_readers > 0;
    }
    clock_readings_destroy(dispatch->clock);
    dispatch->clock = NULL;
    trace_pages_destroy(pages);
    return good;
}
