/* Declares messages from an EU thread to the shared functions (data ports, sampler, gateway, thread spawner).
 *
 * The EU fills a `struct message` and calls message_send(). Handlers read payload registers through src0/src1 and write
 * returned registers through dst; register r+1 follows register r in memory. tables/messages.def drives the dispatch:
 * one row per (generation, shared function, message type). A message without a row is a fault that names the shared
 * function, the descriptor and its fields. */
#ifndef CMKIT_SIM_MESSAGE_MESSAGE_H
#define CMKIT_SIM_MESSAGE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/base/fault.h"
#include "sim/base/space.h"
#include "tables/platforms.h"

/* The state of one host thread between messages of a thread group: opened surfaces, the memory that was used last. */
struct message_cache;
struct thread_record;

struct message_cache *message_cache_create(void);
void message_cache_destroy(struct message_cache *cache);

/* Clears the cache: the states in memory may have changed. */
void message_cache_reset(struct message_cache *cache);

/* Watches accesses to memory for a debugger or a plug-in; MESSAGE_CHANGES is an atomic operation: `address` is a GPU
 * address (48 bits), or an offset in the group's shared local memory. It is called before the access. */
enum message_watched { MESSAGE_READS, MESSAGE_WRITES, MESSAGE_CHANGES };
struct message_watch {
    void (*accessed)(void *context, uint64_t address, uint64_t size, enum message_watched what, bool is_local);
    void *context;
};

/* Learns of every access to global memory, also to states and texels, before it: to copy what is there. */
struct message_touch {
    void (*touched)(void *context, uint64_t address, uint64_t size, bool writes);
    void *context;
};

/* The state that a thread's messages refer to. The walker fills it for each dispatch, and the group's members for each
 * group. */
struct message_state {
    const struct platform *platform;
    const struct sim_space *space;
    uint64_t general_base, surface_base, dynamic_base, indirect_base; /* STATE_BASE_ADDRESS */
    uint64_t bindless_base, bindless_sampler_base;
    uint64_t binding_table;  /* offset from surface_base */
    uint32_t sampler_states; /* offset from dynamic_base */
    uint64_t scratch_base;   /* GPU address of the scratch pool (general_base + MEDIA_VFE_STATE's pointer), 0 if none */
    uint32_t scratch_bytes;  /* per thread */
    uint8_t *slm;            /* this group's shared local memory, NULL if the kernel has none */
    uint32_t slm_bytes;
    struct message_tally *tally;       /* of the host thread (tally.h); NULL: messages are not counted */
    struct message_cache *cache;       /* of the host thread that runs the group; NULL: no cache */
    struct thread_record *record;      /* of the sending thread (sim/timing/record.h); NULL: no timing */
    struct check_group *check;         /* of the group; NULL: accesses are not checked (sim/check/) */
    const struct message_watch *watch; /* NULL: accesses are not watched */
    const struct message_touch *touch; /* NULL: not wanted */
    struct check_group *shadow;        /* not NULL: messages move the shadow of memory (values.h), not its bytes */
    bool drop_faults;                  /* drop accesses outside of the objects (fault->dropped) instead of failing */
};

/* The effect of a message that the thread's scheduler must handle. */
enum message_effect { MESSAGE_DONE, MESSAGE_BARRIER, MESSAGE_END_OF_THREAD, MESSAGE_FAULT };

/* A message decoded before it is sent: its descriptors are in the instruction, so only payload and channels vary. */
struct message_plan;

/* The shadow of the sender's register file, --check=init: sim/check/init.h. */
struct message_values {
    const uint8_t *file; /* the registers, which payloads point into */
    uint8_t *bits;       /* a shadow byte for each of its bytes */
    uint16_t *origins;   /* of shadow bits that are set */
    size_t first_register;
};

struct message {
    const struct message_state *state;
    const struct message_plan *plan; /* made from the same descriptors and lengths; NULL: decode now */
    uint32_t sfid;                   /* shared function, the hardware's number for this generation */
    uint32_t descriptor;             /* message descriptor, after a0 indirection */
    uint32_t extended;               /* extended descriptor */
    int32_t surface_offset;          /* load/store cache: added to addresses in a surface that a register names */
    bool wide_offset;                /* the extended descriptor holds only a surface state's offset, in bytes */
    bool end_of_thread;
    uint32_t exec_size;         /* channels of the instruction: 1..32 */
    uint32_t exec_mask;         /* bit i: channel i is enabled (execution mask, predicate and NoMask applied) */
    uint32_t channel_offset;    /* first channel of the instruction: 0, 8, 16, 24 */
    uint32_t thread_slot;       /* FFTID: which scratch slot this thread has */
    bool is_gathered;           /* src0 is the whole payload, also what others send as src1 */
    const uint8_t *src0, *src1; /* payload registers; src1 NULL unless split send */
    uint32_t src0_regs, src1_regs, dst_regs;
    uint32_t dst_room; /* registers from dst to the last: a 2D block may fill one more than dst_regs */
    uint8_t *dst;      /* destination registers, NULL for null */
    const struct message_values *values; /* NULL: nothing is followed */
};

/* Performs the message, of 1 to 32 channels. MESSAGE_FAULT: `fault` says why and nothing was returned. */
enum message_effect message_send(const struct message *message, struct sim_fault *fault);

/* Creates the plan for messages like `shape`; it depends on descriptors, sfid, lengths and the presence of payloads.
 * Returns NULL if they must be decoded each time, because a header has more information or because sending them is a
 * fault. Free it with free(). */
struct message_plan *message_plan_create(const struct platform *platform, const struct message *shape);

/* True if it computes with floating-point numbers, so that the host's rounding mode matters. */
bool message_plan_computes(const struct message_plan *plan);

/* Returns "hdc1 untyped surface read" for statistics and fault reports; never NULL. */
const char *message_name(const struct platform *platform, uint32_t sfid, uint32_t descriptor);

/* True if tables/messages.def has the message. */
bool message_is_known(const struct platform *platform, uint32_t sfid, uint32_t descriptor);

#endif
