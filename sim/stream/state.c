#include "sim/stream/state.h"

#define ADDRESS ((UINT64_C(1) << 48) - 1) /* the highest */

void stream_state_get(const struct stream *stream, uint64_t state[STREAM_STATES])
{
    uint64_t *to = state;
#define TRACE_STATE(MEMBER, MOST) *to++ = (uint64_t)stream->MEMBER;
#include "sim/stream/trace_state.def"
#undef TRACE_STATE
    for (int i = 0; i < STREAM_REGISTER_DWORDS; i++)
        *to++ = stream->registers[i];
    for (int i = 0; i < STREAM_DESCRIPTORS; i++)
        for (int word = 0; word < DESCRIPTOR_DWORDS; word++)
            *to++ = stream->descriptors[i][word];
}

/* What commands check when they set these. */
static int is_consistent(const struct stream *stream)
{
    uint32_t scratch = stream->scratch_pointer ? 1024u << stream->scratch_code : 0;
    return stream->scratch_bytes == scratch &&
           (!stream->has_large_grf || platform_has(stream->platform, FEATURE_LARGE_GRF));
}

int stream_state_set(struct stream *stream, const uint64_t state[STREAM_STATES])
{
    static const uint64_t most[] = {
#define TRACE_STATE(MEMBER, MOST) MOST,
#include "sim/stream/trace_state.def"
#undef TRACE_STATE
    };
    const uint64_t *from = state;
    for (int i = 0; i < STREAM_STATES; i++)
        if (state[i] > (i < STREAM_STATE_MEMBERS ? most[i] : UINT32_MAX))
            return 0;
#define TRACE_STATE(MEMBER, MOST) stream->MEMBER = (__typeof__(stream->MEMBER))*from++;
#include "sim/stream/trace_state.def"
#undef TRACE_STATE
    for (int i = 0; i < STREAM_REGISTER_DWORDS; i++)
        stream->registers[i] = (uint32_t)*from++;
    for (int i = 0; i < STREAM_DESCRIPTORS; i++)
        for (int word = 0; word < DESCRIPTOR_DWORDS; word++)
            stream->descriptors[i][word] = (uint32_t)*from++;
    return is_consistent(stream);
}
