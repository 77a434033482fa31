/* COMPUTE_WALKER of Xe-HP and later: from the command to a dispatch. The streamer generates the local ids; kernels load
 * their arguments themselves, from the indirect data that r0 names. */
#include "sim/stream/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/clock.h"

enum field {
#define WALKER_FIELD(NAME, ...) NAME,
#include "tables/compute_walker.def"
#undef WALKER_FIELD
    FIELDS
};

enum column { XE_HP, XE2, COLUMNS };

static const struct {
    unsigned low, bits, dword[COLUMNS];
} rows[FIELDS] = {
#define WALKER_FIELD(NAME, LOW, BITS, XE_HP, XE2) {LOW, BITS, {XE_HP, XE2}},
#include "tables/compute_walker.def"
#undef WALKER_FIELD
};

/* A walker while it is executed. */
struct walker {
    struct stream *stream;
    const uint32_t *words;
    enum column column;
    struct dispatch dispatch;
    uint8_t *local_ids; /* registers of each thread of a group, or NULL */
};

static uint32_t field(const struct walker *walker, enum field field)
{
    uint32_t mask = rows[field].bits == 32 ? UINT32_MAX : (UINT32_C(1) << rows[field].bits) - 1;
    return walker->words[rows[field].dword[walker->column]] >> rows[field].low & mask;
}

/* A field of several dwords. */
static const uint32_t *words_of(const struct walker *walker, enum field field)
{
    return walker->words + rows[field].dword[walker->column];
}

/* Codes of local memory: kilobytes of a group. */
static const uint16_t local_kilobytes[] = {0, 1, 2, 4, 8, 16, 32, 64, 24, 48, 96, 128, 192, 256, 384};

/* Codes of the number of barriers. */
static const uint8_t barrier_counts[] = {0, 1, 2, 4, 8, 16, 24, 32};

/* Codes of the number of registers of a thread; 0: no such code. */
static const uint16_t register_counts[32] = {32, 64, 96, 128, 160, 192, 0, 256};

static int check_modes(const struct walker *walker)
{
    static const struct {
        enum field field;
        const char *name;
    } refused[] = {
        {PARTITION, "sharing groups with other tiles"},
        {PARTITION_TYPE, "sharing groups with other tiles"},
        {TILE_LAYOUT, "local ids in tiles"},
        {EXCEPTIONS, "exceptions"},
        {ALTERNATE_FLOAT, "the alternate float mode"},
        {SINGLE_FLOW, "single program flow"},
        {ROUNDING, "a rounding mode in the interface descriptor"},
        {RAY_TRACING, "the thread dispatcher of ray tracing"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (field(walker, refused[i].field))
            return sim_fault_raise(walker->stream->fault, "%s: %s (%" PRIu32 ") is not implemented",
                                   walker->stream->command, refused[i].name, field(walker, refused[i].field));
    if (field(walker, SIMD) > 2)
        return sim_fault_raise(walker->stream->fault, "%s: SIMD size code %" PRIu32 " does not exist",
                               walker->stream->command, field(walker, SIMD));
    if (field(walker, LOCAL_MEMORY) >= sizeof local_kilobytes / sizeof local_kilobytes[0] ||
        local_kilobytes[field(walker, LOCAL_MEMORY)] > walker->stream->platform->slm_kilobytes)
        return sim_fault_raise(walker->stream->fault, "%s: local memory size code %" PRIu32 " does not exist",
                               walker->stream->command, field(walker, LOCAL_MEMORY));
    if (platform_has(walker->stream->platform, FEATURE_REGISTER_COUNTS) &&
        register_counts[field(walker, REGISTERS)] == 0)
        return sim_fault_raise(walker->stream->fault, "%s: register count code %" PRIu32 " does not exist",
                               walker->stream->command, field(walker, REGISTERS));
    return 1;
}

static int read_groups(struct walker *walker)
{
    struct dispatch *dispatch = &walker->dispatch;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t count = words_of(walker, GROUPS)[i];
        if (field(walker, INDIRECT_DIMENSIONS) && !launch_read_dimension(walker->stream, i, &count))
            return 0;
        dispatch->first[i] = words_of(walker, FIRST_GROUP)[i];
        if (count > UINT32_MAX - dispatch->first[i])
            return sim_fault_raise(walker->stream->fault, "%s: %" PRIu32 " groups from %" PRIu32 " of dimension %u",
                                   walker->stream->command, count, dispatch->first[i], i);
        dispatch->end[i] = dispatch->first[i] + count;
    }
    dispatch->simd = 8u << field(walker, SIMD);
    dispatch->width = field(walker, THREADS);
    dispatch->height = dispatch->depth = 1;
    dispatch->right_mask = field(walker, EXECUTION_MASK);
    dispatch->bottom_mask = UINT32_MAX;
    if (dispatch->width == 0)
        return sim_fault_raise(walker->stream->fault, "%s: a group of no threads", walker->stream->command);
    return 1;
}

/* The dimensions of a group, the one whose ids change fastest first. */
static const uint8_t walk_orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* The local ids of work-item `item` of a group. */
static void local_id(const uint8_t order[3], const uint32_t size[3], uint32_t item, uint32_t id[3])
{
    for (unsigned i = 0; i < 3; i++) {
        id[order[i]] = item % size[order[i]];
        item /= size[order[i]];
    }
}

/* Words for each thread of a group: x of all of its channels in whole registers, then y, then z, of those that are
 * wanted. */
static int generate_local_ids(struct walker *walker)
{
    struct dispatch *dispatch = &walker->dispatch;
    uint32_t size[3] = {field(walker, LOCAL_X) + 1, field(walker, LOCAL_Y) + 1, field(walker, LOCAL_Z) + 1};
    uint32_t wanted = field(walker, EMIT_LOCAL), order = field(walker, WALK_ORDER),
             grf = walker->stream->platform->grf_bytes;
    uint32_t block = (dispatch->simd * 2 + grf - 1) / grf * grf;
    if (order >= sizeof walk_orders / sizeof walk_orders[0])
        return sim_fault_raise(walker->stream->fault, "%s: walk order %" PRIu32 " does not exist",
                               walker->stream->command, order);
    dispatch->per_thread_bytes = (uint32_t)__builtin_popcount(wanted) * block;
    dispatch->per_thread = walker->local_ids = calloc(dispatch->width, dispatch->per_thread_bytes + 1);
    if (!walker->local_ids)
        return sim_fault_raise(walker->stream->fault, "%s: no memory", walker->stream->command);
    for (uint32_t item = 0; item < dispatch->width * dispatch->simd; item++) {
        uint32_t id[3];
        local_id(walk_orders[order], size, item, id);
        uint8_t *at = walker->local_ids + (size_t)(item / dispatch->simd) * dispatch->per_thread_bytes;
        at += item % dispatch->simd * 2;
        for (unsigned i = 0; i < 3; i++)
            if (wanted >> i & 1) {
                uint16_t value = (uint16_t)id[i];
                memcpy(at, &value, sizeof value);
                at += block;
            }
    }
    return 1;
}

/* r0, then local ids, then a register of inline data. */
static int read_payload(struct walker *walker)
{
    struct dispatch *dispatch = &walker->dispatch;
    if (field(walker, GENERATE_LOCAL)) {
        if (!generate_local_ids(walker))
            return 0;
    } else if (field(walker, EMIT_LOCAL)) {
        return sim_fault_raise(walker->stream->fault, "%s: local ids that are emitted but not generated",
                               walker->stream->command);
    }
    if (field(walker, EMIT_INLINE)) {
        dispatch->cross_thread = (const uint8_t *)words_of(walker, INLINE_DATA);
        dispatch->cross_thread_bytes = 32;
    }
    return 1;
}

static void read_state(struct walker *walker)
{
    const struct stream *stream = walker->stream;
    struct dispatch *dispatch = &walker->dispatch;
    uint64_t tables = stream->has_binding_base ? stream->binding_base : stream->surface_base;
    uint32_t local_memory = field(walker, LOCAL_MEMORY);
    struct message_state *state = &dispatch->state;
    *state = launch_message_state(stream);
    if (platform_has(stream->platform, FEATURE_REGISTER_COUNTS))
        state->platform = dispatcher_with_registers(stream->dispatcher, register_counts[field(walker, REGISTERS)]);
    state->indirect_base = stream->general_base;
    state->binding_table = tables - stream->surface_base + field(walker, BINDING_TABLE) * UINT64_C(32);
    state->sampler_states = field(walker, SAMPLERS) << 5;
    state->slm_bytes = local_kilobytes[local_memory] * 1024u;
    dispatch->header[0] = field(walker, INDIRECT_START) << 6;
    dispatch->header[3] = dispatch->state.sampler_states;
    dispatch->header[4] = field(walker, BINDING_TABLE) << 5;
    dispatch->scratch_pointer = stream->scratch_surface;
    dispatch->numbers_threads = 1;
    if (platform_has(walker->stream->platform, FEATURE_NAMED_BARRIERS))
        dispatch->named_barriers = barrier_counts[field(walker, NAMED_BARRIERS)];
}

/* After all groups have ended: an immediate value, or when they began and ended, as the context's clock and the global
 * one have it. */
static int write_post_sync(const struct walker *walker, uint64_t began)
{
    enum { NOTHING, IMMEDIATE, TIMESTAMPS = 3 };
    struct stream *stream = walker->stream;
    uint64_t address = stream_address(words_of(walker, POST_ADDRESS)), ended = sim_clock_advance(0);
    const uint32_t *value = words_of(walker, POST_VALUE);
    switch (field(walker, POST_OPERATION)) {
    case NOTHING: return 1;
    case IMMEDIATE: return stream_store(stream, address, (uint64_t)value[1] << 32 | value[0], 8);
    case TIMESTAMPS:
        if (platform_has(stream->platform, FEATURE_WIDE_TIMESTAMPS))
            return stream_store(stream, address, began, 8) && stream_store(stream, address + 8, began, 8) &&
                   stream_store(stream, address + 16, ended, 8) && stream_store(stream, address + 24, ended, 8);
        return stream_store(stream, address, (began & UINT32_MAX) << 32 | (began & UINT32_MAX), 8) &&
               stream_store(stream, address + 8, (ended & UINT32_MAX) << 32 | (ended & UINT32_MAX), 8);
    default:
        return sim_fault_raise(stream->fault, "%s: post-sync operation %" PRIu32 " does not exist", stream->command,
                               field(walker, POST_OPERATION));
    }
}

int command_compute_walker(struct stream *stream, const uint32_t *words, uint32_t count)
{
    enum { XE2_DWORDS = 40 };
    struct walker walker = {.stream = stream, .words = words, .column = count == XE2_DWORDS ? XE2 : XE_HP};
    uint32_t enabled = 1;
    if (stream->pipeline != PIPELINE_GPGPU)
        return sim_fault_raise(stream->fault, "%s: pipeline %" PRIu32 " is selected, not GPGPU", stream->command,
                               stream->pipeline);
    if (field(&walker, PREDICATE) && !stream_predicate(stream, &enabled))
        return 0;
    if (!enabled)
        return 1;
    uint64_t began = sim_clock_advance(0);
    int good = check_modes(&walker) && read_groups(&walker) && read_payload(&walker);
    if (good) {
        read_state(&walker);
        good = launch_run(stream, field(&walker, KERNEL) << 6, &walker.dispatch);
    }
    free(walker.local_ids);
    return good && write_post_sync(&walker, began);
}
