/* Reads batches: fetches a command, finds its row, checks its length, calls its handler. */
#include "sim/stream/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/clock.h"
#include "sim/base/poll.h"
#include "sim/stream/position.h"
#include "sim/stream/record.h"

enum { ON_RENDER = 1 << STREAM_RENDER, ON_COPY = 1 << STREAM_COPY, ON_COMPUTE = 1 << STREAM_COMPUTE };

static const struct command {
    unsigned engines, first_generation, last_generation;
    uint32_t mask, key; /* of dword 0 */
    const char *name;
    uint32_t length_mask, shortest, longest;
    stream_handler *handler;
} commands[] = {
#define MI_COMMAND(OPCODE, NAME, LENGTH, MIN, MAX, HANDLER)                                                            \
    {ON_RENDER | ON_COPY | ON_COMPUTE,                                                                                 \
     0,                                                                                                                \
     UINT_MAX,                                                                                                         \
     0xff800000,                                                                                                       \
     (uint32_t)(OPCODE) << 23,                                                                                         \
     NAME,                                                                                                             \
     LENGTH,                                                                                                           \
     MIN,                                                                                                              \
     MAX,                                                                                                              \
     command_##HANDLER},
#define BLIT_COMMAND(OPCODE, NAME, LENGTH, MIN, MAX, HANDLER)                                                          \
    {ON_COPY, 0, UINT_MAX, 0xffc00000, 2u << 29 | (uint32_t)(OPCODE) << 22, NAME, LENGTH, MIN, MAX, command_##HANDLER},
#define COMMON_COMMAND(FROM, TO, MASK, KEY, NAME, LENGTH, MIN, MAX, HANDLER)                                           \
    {ON_RENDER | ON_COPY | ON_COMPUTE, FROM, TO, MASK, KEY, NAME, LENGTH, MIN, MAX, command_##HANDLER},
#define GFX_COMMAND(FROM, TO, KEY, NAME, LENGTH, MIN, MAX, HANDLER)                                                    \
    {ON_RENDER | ON_COMPUTE, FROM, TO, 0xffff0000, (uint32_t)(KEY) << 16, NAME, LENGTH, MIN, MAX, command_##HANDLER},
#include "tables/gpu_commands.def"
#undef MI_COMMAND
#undef BLIT_COMMAND
#undef COMMON_COMMAND
#undef GFX_COMMAND
};

static const struct command *find_command(const struct platform *platform, uint32_t word)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if ((word & commands[i].mask) == commands[i].key &&
            platform_between(platform, commands[i].first_generation, commands[i].last_generation))
            return &commands[i];
    return NULL;
}

/* Parts without the command have one pipeline. */
static uint32_t first_pipeline(const struct platform *platform)
{
    const uint32_t pipeline_select = 0x69040000;
    return find_command(platform, pipeline_select) ? 0 : PIPELINE_GPGPU;
}

struct stream *stream_create(const struct platform *platform, struct dispatcher *dispatcher, uint32_t context)
{
    assert(platform);
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream) {
        stream->platform = platform;
        stream->dispatcher = dispatcher;
        stream->context = context;
        stream->pipeline = first_pipeline(platform);
    }
    return stream;
}

void stream_destroy(struct stream *stream)
{
    if (stream)
        free(stream->curbe);
    free(stream);
}

void stream_set_dispatcher(struct stream *stream, struct dispatcher *dispatcher)
{
    assert(dispatcher);
    stream->dispatcher = dispatcher;
}

const char *stream_position(const struct stream *stream)
{
    return stream->position;
}

/* Records the position when a fault stops the batch, while the data that the report names still exist. */
static void note_position(struct stream *stream)
{
    int used = snprintf(stream->position, sizeof stream->position, "%s at 0x%" PRIx64, stream->command,
                        stream->command_address);
    if (stream->dispatch.active && used > 0 && (size_t)used + 2 < sizeof stream->position) {
        memcpy(stream->position + used, ", ", 3);
        dispatch_describe(&stream->dispatch, stream->space, stream->fault, stream->position + used + 2,
                          sizeof stream->position - (size_t)used - 2);
    }
}

static int raise_unknown(struct stream *stream, const uint32_t *words)
{
    uint32_t word = words[0];
    stream->command = "unknown command";
    if (word >> 29 == 0)
        return sim_fault_raise(stream->fault,
                               "MI command with opcode 0x%02" PRIx32 " (dword 0x%08" PRIx32 ") is not known",
                               word >> 23 & 0x3f, word);
    return sim_fault_raise(stream->fault,
                           "command of type %" PRIu32 ", pipeline %" PRIu32 ", opcode 0x%" PRIx32
                           ", subopcode 0x%02" PRIx32 " (dword 0x%08" PRIx32 ") is not known",
                           word >> 29, word >> 27 & 3, word >> 24 & 7, word >> 16 & 0xff, word);
}

static int launches(const struct command *command)
{
    return command->handler == command_gpgpu_walker || command->handler == command_compute_walker;
}

/* Executes the command at stream->next. */
static int step(struct stream *stream)
{
    stream->command = "command fetch";
    stream->command_address = stream->next;
    const uint32_t *words = stream_memory(stream, stream->next, 4);
    if (!words)
        return 0;
    const struct command *command = find_command(stream->platform, words[0]);
    if (!command)
        return raise_unknown(stream, words);
    stream->command = command->name;
    if (!(command->engines >> stream->engine & 1))
        return sim_fault_raise(stream->fault, "%s (dword 0 is 0x%08" PRIx32 ") is no command of the %s engine",
                               command->name, words[0], stream->engine == STREAM_COPY ? "copy" : "render");
    uint32_t count = command->length_mask ? (words[0] & command->length_mask) + 2 : 1;
    if (count < command->shortest || count > command->longest)
        return sim_fault_raise(stream->fault, "%s: %" PRIu32 " dwords, must be %" PRIu32 " to %" PRIu32, command->name,
                               count, command->shortest, command->longest);
    words = sim_space_map(stream->space, stream->next, 4 * (uint64_t)count);
    if (!words)
        return sim_fault_raise_address(stream->fault, stream->next, 4 * (uint64_t)count, command->name);
    if (!dispatcher_count_command(stream->dispatcher))
        return sim_fault_raise(stream->fault, "the limit of instructions for this run is reached (--max-instructions)");
    stream->next += 4 * (uint64_t)count;
    sim_clock_advance(1);
    if (stream->skipping && command->handler != command_set_predicate)
        return 1;
    return launch_record_is_wanted() && launches(command) ? launch_record(stream, command->handler, words, count)
                                                          : command->handler(stream, words, count);
}

void stream_idle_begin(struct stream *stream)
{
    sim_poll_batch_end();
    sim_clock_batch_end(stream->platform->timestamp_hz);
}

void stream_idle_end(struct stream *stream)
{
    sim_clock_batch_begin(stream->platform->timestamp_hz);
    sim_poll_batch_begin();
}

void stream_renew_space(struct stream *stream)
{
    if (stream->source->renew)
        stream->space = stream->source->renew(stream->source->owner);
}

void stream_cancel(struct stream *stream)
{
    atomic_store(&stream->cancelled, 1);
}

static void begin(struct stream *stream, enum stream_engine engine, const struct stream_source *source, uint64_t batch,
                  struct sim_fault *fault)
{
    assert((source->space || source->renew) && fault && engine <= STREAM_COMPUTE);
    stream->engine = engine;
    stream->source = source;
    stream->space = source->space;
    stream->fault = fault;
    stream->next = batch;
    stream->depth = 0;
    stream->ended = atomic_load(&stream->cancelled);
    stream->dispatch.active = 0;
    stream_renew_space(stream);
    stream_idle_end(stream);
}

int stream_launches(const struct stream *stream, uint32_t word)
{
    const struct command *command = find_command(stream->platform, word);
    return command && launches(command);
}

int stream_execute_one(struct stream *stream, enum stream_engine engine, const struct stream_source *source,
                       uint64_t command, uint64_t clock, struct sim_fault *fault)
{
    begin(stream, engine, source, command, fault);
    stream->is_replay = 1;
    sim_clock_set(clock - 1); /* a command takes one */
    int good = step(stream);
    if (!good)
        note_position(stream);
    stream_idle_begin(stream);
    return good;
}

int stream_execute(struct stream *stream, enum stream_engine engine, const struct stream_source *source, uint64_t batch,
                   struct sim_fault *fault)
{
    begin(stream, engine, source, batch, fault);
    while (!stream->ended)
        if (!step(stream)) {
            note_position(stream);
            break;
        }
    stream_idle_begin(stream);
    return stream->ended;
}

int command_no_effect(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)stream, (void)words, (void)count;
    return 1;
}

int command_unsupported(struct stream *stream, const uint32_t *words, uint32_t count)
{
    return sim_fault_raise(stream->fault, "%s (dword 0 is 0x%08" PRIx32 ", %" PRIu32 " dwords) is not implemented",
                           stream->command, words[0], count);
}
