/* Executes GPGPU_WALKER: builds a dispatch from the command, its interface descriptor and the streamer's state. */
#include "sim/stream/launch.h"

#include <inttypes.h>

/* Dwords of an interface descriptor (PRM volume 2d, INTERFACE_DESCRIPTOR_DATA). */
enum { KERNEL, KERNEL_HIGH, MODES, SAMPLERS, BINDING_TABLE, PER_THREAD, GROUP, CROSS_THREAD };

static int read_dimensions(struct stream *stream, const uint32_t *words, struct dispatch *dispatch)
{
    const uint32_t indirect = 1u << 10;
    static const int first_word[3] = {5, 8, 11}, end_word[3] = {7, 10, 12};
    for (int i = 0; i < 3; i++) {
        dispatch->first[i] = words[first_word[i]];
        dispatch->end[i] = words[end_word[i]];
        if (words[0] & indirect && !launch_read_dimension(stream, (unsigned)i, &dispatch->end[i]))
            return 0;
        if (dispatch->first[i] > dispatch->end[i])
            return sim_fault_raise(stream->fault, "%s: groups %" PRIu32 " to %" PRIu32 " of dimension %d",
                                   stream->command, dispatch->first[i], dispatch->end[i], i);
    }
    return 1;
}

static int read_group_shape(struct stream *stream, const uint32_t *words, const uint32_t *descriptor,
                            struct dispatch *dispatch)
{
    uint32_t simd_code = words[4] >> 30, threads = descriptor[GROUP] & 0x3ff;
    if (simd_code > 2)
        return sim_fault_raise(stream->fault, "%s: SIMD size code %" PRIu32 " does not exist", stream->command,
                               simd_code);
    dispatch->simd = 8u << simd_code;
    dispatch->width = (words[4] & 0x3f) + 1;
    dispatch->height = (words[4] >> 8 & 0x3f) + 1;
    dispatch->depth = (words[4] >> 16 & 0x3f) + 1;
    dispatch->right_mask = words[13];
    dispatch->bottom_mask = words[14];
    if (dispatch->width * dispatch->height * dispatch->depth != threads)
        return sim_fault_raise(stream->fault,
                               "%s: %" PRIu32 " x %" PRIu32 " x %" PRIu32
                               " threads, but the interface descriptor has %" PRIu32,
                               stream->command, dispatch->width, dispatch->height, dispatch->depth, threads);
    return 1;
}

/* Reads the indirect data, or what MEDIA_CURBE_LOAD left: first the registers common to all threads, then each
 * thread's. */
static int read_payload(struct stream *stream, const uint32_t *words, const uint32_t *descriptor,
                        struct dispatch *dispatch)
{
    uint32_t grf = stream->platform->grf_bytes, length = words[2] & 0x1ffff;
    uint32_t threads = dispatch->width * dispatch->height * dispatch->depth;
    dispatch->cross_thread_bytes = (descriptor[CROSS_THREAD] & 0xff) * grf;
    dispatch->per_thread_bytes = (descriptor[PER_THREAD] >> 16) * grf;
    if (grf + dispatch->cross_thread_bytes + dispatch->per_thread_bytes > grf * stream->platform->grf_count)
        return sim_fault_raise(stream->fault,
                               "%s: a payload of %" PRIu32 " + %" PRIu32 " bytes does not fit the registers",
                               stream->command, dispatch->per_thread_bytes, dispatch->cross_thread_bytes);
    if (descriptor[PER_THREAD] & 0xffff)
        return sim_fault_raise(stream->fault, "%s: constants at an offset in the URB are not implemented",
                               stream->command);
    uint64_t needed = dispatch->cross_thread_bytes + (uint64_t)threads * dispatch->per_thread_bytes;
    if (needed == 0)
        return 1;
    const uint8_t *data = stream->curbe;
    if (length == 0 && needed > stream->curbe_bytes)
        return sim_fault_raise(stream->fault, "%s: a payload of %" PRIu64 " bytes, MEDIA_CURBE_LOAD has left %" PRIu32,
                               stream->command, needed, stream->curbe_bytes);
    if (length != 0)
        data = stream_memory(stream, stream->indirect_base + (words[3] & ~UINT32_C(0x3f)), needed);
    if (!data)
        return 0;
    dispatch->cross_thread = data;
    dispatch->per_thread = data + dispatch->cross_thread_bytes;
    return 1;
}

/* Reads the state that messages refer to, and r0 (PRM volume 7, "GPGPU Thread Payload"). */
static void read_state(const struct stream *stream, const uint32_t *descriptor, struct dispatch *dispatch)
{
    uint32_t slm_code = descriptor[GROUP] >> 16 & 0x1f;
    struct message_state *state = &dispatch->state;
    *state = launch_message_state(stream);
    state->binding_table = descriptor[BINDING_TABLE] & 0xffe0;
    state->sampler_states = descriptor[SAMPLERS] & ~UINT32_C(0x1f);
    state->scratch_base = stream->scratch_bytes ? stream->general_base + stream->scratch_pointer : 0;
    state->scratch_bytes = stream->scratch_bytes;
    state->slm_bytes = slm_code ? 512u << slm_code : 0;
    dispatch->scratch_pointer = (uint32_t)stream->scratch_pointer;
    /* r0.2 holds the barrier's number: here each group has its own barrier, so any number works */
    dispatch->header[3] = dispatch->state.sampler_states | stream->scratch_code;
    dispatch->header[4] = (uint32_t)dispatch->state.binding_table;
}

static int check_modes(struct stream *stream, const uint32_t *descriptor)
{
    const uint32_t exceptions = 1u << 7 | 1u << 11 | 1u << 13, alternate_float = 1u << 16, single_flow = 1u << 18;
    const uint32_t global_barrier = platform_has(stream->platform, FEATURE_GLOBAL_BARRIER) ? 1u << 15 : 0;
    if (descriptor[MODES] & (alternate_float | single_flow) || descriptor[GROUP] & global_barrier)
        return sim_fault_raise(stream->fault,
                               "%s: interface descriptor modes 0x%08" PRIx32 ", 0x%08" PRIx32 " are not implemented",
                               stream->command, descriptor[MODES], descriptor[GROUP]);
    if (descriptor[MODES] & exceptions)
        return sim_fault_raise(stream->fault, "%s: exceptions (0x%08" PRIx32 ") are not implemented", stream->command,
                               descriptor[MODES]);
    if ((descriptor[GROUP] >> 16 & 0x1f) > 7)
        return sim_fault_raise(stream->fault, "%s: local memory size code %" PRIu32 " does not exist", stream->command,
                               descriptor[GROUP] >> 16 & 0x1f);
    return 1;
}

int command_gpgpu_walker(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t predicate = 1u << 8;
    struct dispatch dispatch = {0};
    uint32_t number = words[1] & 0x3f, enabled = 1;
    (void)count;
    if (stream->pipeline != PIPELINE_GPGPU)
        return sim_fault_raise(stream->fault, "%s: pipeline %" PRIu32 " is selected, not GPGPU", stream->command,
                               stream->pipeline);
    if (number >= stream->descriptor_count)
        return sim_fault_raise(stream->fault, "%s: interface descriptor %" PRIu32 " of %u", stream->command, number,
                               stream->descriptor_count);
    if (words[0] & predicate && !stream_predicate(stream, &enabled))
        return 0;
    if (!enabled)
        return 1;
    const uint32_t *descriptor = stream->descriptors[number];
    if (!check_modes(stream, descriptor) || !read_dimensions(stream, words, &dispatch) ||
        !read_group_shape(stream, words, descriptor, &dispatch) || !read_payload(stream, words, descriptor, &dispatch))
        return 0;
    read_state(stream, descriptor, &dispatch);
    uint64_t kernel = (uint64_t)(descriptor[KERNEL_HIGH] & 0xffff) << 32 | (descriptor[KERNEL] & ~UINT32_C(0x3f));
    return launch_run(stream, kernel, &dispatch);
}
