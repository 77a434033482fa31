#include "sim/stream/launch.h"

#include <assert.h>
#include <stdlib.h>
#include "sim/base/clock.h"
#include "sim/base/process.h"
#include "sim/report/events.h"
#include "sim/report/fidelity.h"
#include "sim/report/profile.h"
#include "sim/report/stats.h"
#include "sim/report/time_range.h"
#include "sim/stream/launch_clock.h"
#include "sim/stream/position.h"
#include "sim/stream/profile_place.h"
#include "sim/stream/record.h"
#include "sim/report/trace.h"

static const struct platform *platform_of(const struct stream *stream)
{
    return stream->has_large_grf ? dispatcher_with_registers(stream->dispatcher, DISPATCHER_MOST_REGISTERS)
                                 : stream->platform;
}

struct message_state launch_message_state(const struct stream *stream)
{
    return (struct message_state){
        .platform = platform_of(stream),
        .space = stream->space,
        .general_base = stream->general_base,
        .surface_base = stream->surface_base,
        .dynamic_base = stream->dynamic_base,
        .indirect_base = stream->indirect_base,
        .bindless_base = stream->bindless_base,
        .bindless_sampler_base = stream->bindless_sampler_base,
        .drop_faults = sim_process_continues(),
        .touch = launch_record_touch(stream),
    };
}

int launch_read_dimension(struct stream *stream, unsigned dimension, uint32_t *end)
{
    assert(dimension < 3 && end);
    return stream_register_read(stream, LAUNCH_DIMENSIONS + 4 * dimension, end);
}

static int find_kernel(struct stream *stream, uint64_t offset, struct dispatch *dispatch)
{
    dispatch->kernel = (stream->instruction_base + offset) & UINT64_C(0xffffffffffff);
    const struct sim_range *range = sim_space_find(stream->space, dispatch->kernel);
    if (!range)
        return sim_fault_raise_address(stream->fault, dispatch->kernel, 16, "kernel start");
    uint64_t inside = dispatch->kernel - range->gpu;
    dispatch->program = dispatcher_program(stream->dispatcher, dispatch->state.platform, dispatch->kernel,
                                           range->host + inside, range->size - inside, &dispatch->hash, stream->fault);
    dispatch->instruction_base = stream->instruction_base;
    if (dispatch->program)
        launch_record_kernel(stream, dispatch);
    stream->dispatch = (struct dispatch_position){.active = 1, .kernel = dispatch->kernel};
    return dispatch->program != NULL;
}

static int run(struct stream *stream, struct dispatch *dispatch)
{
    uint64_t instructions = 0, groups = dispatch_groups(dispatch);
    const char *name = sim_trace_wanted() || sim_stats_wanted() || sim_profile_wanted() || sim_events_wanted()
                           ? dispatch_name(dispatch)
                           : "";
    dispatch->trace = sim_trace_kernel(dispatch->hash, name);
    dispatch->counts = sim_stats_wanted() || sim_fidelity_wanted() ? calloc(1, sizeof *dispatch->counts) : NULL;
    struct timing_result timed = {0};
    dispatch->timed = &timed;
    int good = launch_run_by_clock(stream, dispatch, &instructions);
    if (good) {
        const struct sim_launch launch = {
            .kernel_address = dispatch->kernel,
            .kernel_hash = dispatch->hash,
            .name = name,
            .kernel_bytes = eu_program_bytes(dispatch->program),
            .groups = groups,
            .threads = groups * dispatch_threads(dispatch),
            .instructions = instructions,
            .simd = dispatch->simd,
            .context = stream->context,
            .timing = &timed,
        };
        sim_clock_advance(timed.is_timed ? timing_host_ticks(&timed, stream->platform->timestamp_hz) : instructions);
        sim_time_range_record(&timed);
        sim_stats_record(&launch, dispatch->counts);
        sim_events_record(&launch, &timed);
        sim_profile_record(&launch, &timed, dispatch_profile_describe, dispatch);
    } else {
        timing_profile_destroy(timed.profile);
    }
    free(dispatch->counts);
    return good;
}

int launch_run(struct stream *stream, uint64_t offset, struct dispatch *dispatch)
{
    assert(stream->space && dispatch->state.platform);
    if (!find_kernel(stream, offset, dispatch))
        return 0;
    int good = run(stream, dispatch);
    dispatcher_release(stream->dispatcher, dispatch->program);
    return good;
}
