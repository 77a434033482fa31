/* Defines the state of the command streamer, for its command handlers only. */
#ifndef CMKIT_SIM_STREAM_INTERNAL_H
#define CMKIT_SIM_STREAM_INTERNAL_H

#include <stdatomic.h>
#include "sim/stream/stream.h"

enum {
    STREAM_DEPTH = 3, /* batch levels: a batch, its second level, the second level's third */
    STREAM_REGISTER_DWORDS = 80,
    STREAM_DESCRIPTORS = 64,
    DESCRIPTOR_DWORDS = 8,
    PIPELINE_GPGPU = 2,
    STREAM_GPR = 0x2600, /* the first general-purpose register, of 64 bits */
    STREAM_PREDICATE_RESULT = 0x2418
};

struct stream {
    const struct platform *platform;
    struct dispatcher *dispatcher;
    uint32_t context;
    uint32_t registers[STREAM_REGISTER_DWORDS]; /* all rows of tables/gpu_registers.def, one after the other */

    /* The batch being executed */
    enum stream_engine engine;
    const struct stream_source *source;
    const struct sim_space *space; /* what the source gave last */
    atomic_int cancelled;
    struct sim_fault *fault;
    uint64_t next;                  /* GPU address of the next command */
    uint64_t returns[STREAM_DEPTH]; /* where the levels above go on */
    unsigned depth;
    int ended;
    int skipping;        /* MI_SET_PREDICATE: commands have no effect but that one; stays from batch to batch */
    const char *command; /* name and address of the command at work */
    uint64_t command_address;

    /* STATE_BASE_ADDRESS */
    uint64_t general_base, surface_base, dynamic_base, indirect_base, instruction_base, bindless_base;
    uint64_t bindless_sampler_base;
    uint64_t binding_base; /* 3DSTATE_BINDING_TABLE_POOL_ALLOC: where binding tables are counted from */
    int has_binding_base;
    uint32_t scratch_surface; /* CFE_STATE: r0.5 bits 31:10, which name the state of the scratch surface */
    /* MEDIA_VFE_STATE */
    uint64_t scratch_pointer;             /* from general_base */
    uint32_t scratch_code, scratch_bytes; /* per thread; the hardware's encoding of the size, and the size; 0: no
                                           * scratch */
    uint32_t curbe_room;                  /* bytes that MEDIA_CURBE_LOAD may fill */
    /* MEDIA_CURBE_LOAD */
    uint8_t *curbe; /* a copy; NULL: not loaded */
    uint32_t curbe_bytes;
    /* MEDIA_INTERFACE_DESCRIPTOR_LOAD */
    uint32_t descriptors[STREAM_DESCRIPTORS][DESCRIPTOR_DWORDS];
    unsigned descriptor_count;
    uint32_t pipeline; /* PIPELINE_SELECT */
    int has_large_grf; /* STATE_COMPUTE_MODE: threads have 256 registers */

    int is_replay;                /* one recorded launch: no program waits for what commands write */
    struct launch_record *record; /* of the launch under way, --save-trace; NULL: none is made */

    struct dispatch_position dispatch; /* where in a dispatch the fault is */
    char position[384];
};

/* A handler of one command: `words` are its `count` dwords. 1, or 0 with stream->fault raised. */
typedef int stream_handler(struct stream *stream, const uint32_t *words, uint32_t count);

#define MI_COMMAND(OPCODE, NAME, LENGTH, MIN, MAX, HANDLER)                  stream_handler command_##HANDLER;
#define BLIT_COMMAND(OPCODE, NAME, LENGTH, MIN, MAX, HANDLER)                stream_handler command_##HANDLER;
#define COMMON_COMMAND(FROM, TO, MASK, KEY, NAME, LENGTH, MIN, MAX, HANDLER) stream_handler command_##HANDLER;
#define GFX_COMMAND(FROM, TO, KEY, NAME, LENGTH, MIN, MAX, HANDLER)          stream_handler command_##HANDLER;
#include "tables/gpu_commands.def"
#undef MI_COMMAND
#undef BLIT_COMMAND
#undef COMMON_COMMAND
#undef GFX_COMMAND

/* registers.c: register at byte offset `offset`. 1, or 0 with the fault raised. */
int stream_register_read(struct stream *stream, uint32_t offset, uint32_t *value);
int stream_register_write(struct stream *stream, uint32_t offset, uint32_t value);

/* access.c: raises a fault and returns 0 if the command has one of `bits` in its first dword; `what` names their
 * meaning. */
int stream_refuse(struct stream *stream, const uint32_t *words, uint32_t bits, const char *what);

/* stream.c: begin and end a wait for memory that only the program may end: the GPU is idle meanwhile. The space is
 * renewed after each wait. */
void stream_idle_begin(struct stream *stream);
void stream_idle_end(struct stream *stream);
void stream_renew_space(struct stream *stream);

/* Returns in `*enabled` whether predicated commands are executed. */
int stream_predicate(struct stream *stream, uint32_t *enabled);
/* Comparisons of semaphores and conditional ends: value OPERATION data. -1: no such comparison. */
int stream_compare(uint32_t operation, uint32_t value, uint32_t data);

/* Returns the host memory of [gpu, gpu + size), or NULL with the fault raised; `size` 4 or 8 must divide `gpu`. */
void *stream_memory(struct stream *stream, uint64_t gpu, uint64_t size);
/* Stores `size` bytes, 4 or 8, after everything that the batch has written so far. */
int stream_store(struct stream *stream, uint64_t gpu, uint64_t value, unsigned size);

/* record.c: says that a command reads memory while a launch is recorded. */
void launch_touched(struct stream *stream, uint64_t gpu, uint64_t size);

static inline uint64_t stream_address(const uint32_t *words)
{
    return ((uint64_t)words[1] << 32 | words[0]) & UINT64_C(0xffffffffffff);
}

#endif
