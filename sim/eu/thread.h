/* Defines the state of an EU thread, for the files of sim/eu/. */
#ifndef CMKIT_SIM_EU_THREAD_H
#define CMKIT_SIM_EU_THREAD_H

#include <stdarg.h>
#include "sim/eu/instruction.h"

/* Byte offsets of the architecture registers in the register file; the general registers follow them. */
enum {
    EU_FILE_NULL = 0,          /* reads as zero, never written */
    EU_FILE_ADDRESS = 256,     /* a0: 16 words */
    EU_FILE_ACCUMULATOR = 288, /* acc0 to acc9, each as large as a general register */
    EU_FILE_FLAG = 928,        /* f0 to f3: a dword each */
    EU_FILE_CHANNEL_ENABLE = 960,
    EU_FILE_STATE = 992,         /* sr0 */
    EU_FILE_CONTROL = 1024,      /* cr0 */
    EU_FILE_NOTIFICATION = 1056, /* n0 */
    EU_FILE_POINTER = 1088,      /* ip */
    EU_FILE_DEPENDENCY = 1120,   /* tdr0 */
    EU_FILE_TIMESTAMP = 1152,    /* tm0 */
    EU_FILE_STACK = 1184,        /* sp */
    EU_FILE_DEBUG = 1216,        /* dbg0 */
    EU_FILE_MESSAGE = 1248,      /* msg0, from Xe2 on */
    EU_FILE_SCALAR = 1280,       /* s0, from Xe3 on */
    EU_FILE_GATHERED = 1344,     /* no register: the registers of a message that s0 names, side by side */
    EU_FILE_GENERAL = 2368
};

enum {
    EU_SCALAR_BYTES = EU_FILE_GATHERED - EU_FILE_SCALAR,
    EU_GATHERED_MOST = (EU_FILE_GENERAL - EU_FILE_GATHERED) / 64
};

/* True for the source of a message whose payload is gathered: bytes of s0, each the number of a register. */
static inline bool eu_is_gathered(const struct eu_operand *operand)
{
    return operand->place == EU_DIRECT && operand->base >= EU_FILE_SCALAR && operand->base < EU_FILE_GATHERED;
}

/* True if there is msg0. */
static inline bool eu_has_message_register(const struct platform *platform)
{
    return platform_has(platform, FEATURE_MESSAGE_REGISTER);
}

/* The number of flag registers of 32 bits. */
static inline unsigned eu_flag_registers(const struct platform *platform)
{
    return platform_has(platform, FEATURE_FOUR_FLAGS) ? 4 : 2;
}

enum { EU_ACCUMULATORS = 10, EU_REGISTER_MOST = 64, EU_SLACK_BYTES = 512 };

/* Dwords of the accumulators. */
enum { EU_ACCUMULATOR_DWORDS = EU_ACCUMULATORS * EU_REGISTER_MOST / 4 };

/* Fields of cr0.0. */
enum {
    EU_CR0_ALTERNATE = 1 << 0, /* single precision by the alternate rules instead of IEEE's */
    EU_CR0_ROUNDING_SHIFT = 4,
    EU_CR0_DOUBLE_DENORMALS = 1 << 6,
    EU_CR0_SINGLE_DENORMALS = 1 << 7,
    EU_CR0_HALF_DENORMALS = 1 << 10,
    EU_CR0_ROUNDS_TO_INTEGERS = 1 << 12 /* reals become integers in the rounding mode, not towards zero */
};

/* What a thread has given to the other one of its pair for a product (pair.h). */
struct eu_offer {
    uint32_t pointer;  /* of the instruction */
    uint16_t origin;   /* check_origin of an uninitialized value, or 0 */
    uint8_t rows[128]; /* half of the rows of source 2 */
};

struct eu_thread {
    const struct platform *platform;
    const struct eu_program *program;
    const struct message_state *state;
    uint32_t ip;     /* index of the next instruction */
    uint32_t active; /* channels that execute at ip; the others of `dispatch` wait */
    uint32_t dispatch;
    uint32_t resume[EU_MAX_LANES]; /* where a waiting channel becomes active again: as the register ip has it */
    uint32_t origin;               /* ip of the program's first instruction */
    uint32_t kernel_origin;        /* that of the program that the thread was started with */
    eu_find_code *find_code;       /* eu_thread_link(), NULL: the program is all there is */
    void *find_context;
    uint32_t slot;
    uint32_t file_bytes, general_bytes;
    int stop;                           /* 0, or 1 + enum eu_stop: set by executed instructions */
    bool at_barrier;                    /* has signalled a barrier that it has not waited for */
    uint64_t issued;                    /* instructions since the start: the thread's clock, if it has no other */
    const uint64_t *clock, *clock_end;  /* eu_thread_clock(), NULL: there is none */
    uint64_t clock_read, clock_read_at; /* the last value; `issued` then */
    struct sim_fault *fault;
    struct eu_count *counts;          /* eu_thread_observe(), NULL: nothing is counted */
    const struct eu_trace *trace;     /* NULL: nothing is written */
    struct eu_scoreboard *scoreboard; /* NULL: not checked */
    struct eu_values *values;         /* NULL: uninitialized values are not followed */
    struct thread_record *record;     /* eu_thread_record(), NULL: not timed */
    eu_debugger *debugger;            /* eu_thread_debug(), NULL: none */
    void *debug_context;
    struct eu_thread *other; /* eu_thread_pair(), NULL: none */
    bool is_second;
    uint64_t offers, shared_products;  /* made and used so far: as many, or one more is made */
    struct eu_offer offer[2];          /* the last ones, by number */
    struct eu_barriers *barriers;      /* eu_thread_join(), NULL: only the barrier of the whole group */
    uint32_t signalled;                /* named barriers that the thread must wait for */
    uint32_t phase[EU_NAMED_BARRIERS]; /* in which it signalled them */
    int awaited;                       /* the one that it stopped at, from 1 on; 0: none */
    eu_watcher *watcher;               /* eu_thread_watch(), NULL: none */
    void *watch_context;
    unsigned call_depth; /* calls that have not returned; the first EU_MOST_CALLS return to these pointers */
    uint32_t calls[EU_MOST_CALLS];
    int32_t accumulator_high[EU_ACCUMULATOR_DWORDS]; /* bits 63:32 of dword accumulator lanes */
    _Alignas(64) uint8_t file[];
};

/* In `stop`: the thread continues in another program. */
enum { EU_MOVED = 0x100 };

/* Returns the pointer of an instruction of the thread's program: as in register ip, and as in reports. */
static inline uint32_t eu_pointer(const struct eu_thread *thread, const struct eu_instruction *in)
{
    return thread->origin + in->offset;
}

static inline uint32_t eu_kernel_offset(const struct eu_thread *thread, const struct eu_instruction *in)
{
    return eu_pointer(thread, in) - thread->kernel_origin;
}

static inline void eu_stop_thread(struct eu_thread *thread, enum eu_stop why)
{
    thread->stop = 1 + (int)why;
}

/* Raises the thread's fault with the instruction and ends the thread. */
void eu_thread_fault(struct eu_thread *thread, const struct eu_instruction *in, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline uint32_t eu_flags(const struct eu_thread *thread, unsigned reg)
{
    uint32_t bits;
    __builtin_memcpy(&bits, thread->file + EU_FILE_FLAG + 4 * reg, sizeof bits);
    return bits;
}

static inline uint32_t eu_control(const struct eu_thread *thread)
{
    uint32_t bits;
    __builtin_memcpy(&bits, thread->file + EU_FILE_CONTROL, sizeof bits);
    return bits;
}

/* Returns the predicate bits for the lanes of `in`, which has a predicate. */
uint32_t eu_predicate_lanes(const struct eu_thread *thread, const struct eu_instruction *in);

/* Expands flag register bits by channel: any or all over groups of channels. */
uint32_t eu_spread_groups(uint32_t bits, unsigned group, bool all);

/* Writes the condition's bits of the enabled lanes into the instruction's flag register. */
static inline void eu_write_flags(struct eu_thread *thread, const struct eu_instruction *in, uint32_t enabled,
                                  uint32_t conditions)
{
    unsigned shift = (16u * in->flag_subregister + in->channel_offset) % 32;
    uint32_t written = enabled << shift;
    uint32_t bits = (eu_flags(thread, in->flag_register) & ~written) | (conditions << shift & written);
    __builtin_memcpy(thread->file + EU_FILE_FLAG + 4 * in->flag_register, &bits, sizeof bits);
}

/* The lanes of `in` that execute: channels enabled (or NoMask) and predicate. */
static inline uint32_t eu_enabled_lanes(const struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t lanes = in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    if (in->predicate == EU_NO_PREDICATE)
        return lanes;
    if (in->predicate != EU_SEQUENTIAL)
        return lanes & eu_predicate_lanes(thread, in);
    uint32_t bits = eu_flags(thread, in->flag_register) >> 16 * in->flag_subregister >> in->channel_offset;
    return lanes & (in->inverse ? ~bits : bits);
}

/* observe.c: executes an instruction like in->execute, and counts or traces it. */
void eu_execute_observed(struct eu_thread *thread, const struct eu_instruction *in);

/* trace.c: the instruction and its registers, before and after it executes. */
void eu_trace_before(struct eu_thread *thread, const struct eu_instruction *in);
void eu_trace_after(struct eu_thread *thread, const struct eu_instruction *in);

/* Sets the host's floating-point control as in cr0. The interpreter runs with it throughout. */
void eu_host_control_set(const struct eu_thread *thread);
void eu_host_control_reset(void);

/* True if double instructions need cr0's denormal mode for doubles, because it differs from that for floats. */
bool eu_double_mode_differs(const struct eu_thread *thread);
void eu_host_control_set_doubles(const struct eu_thread *thread);

#define EU_EXECUTE(NAME) eu_execute eu_execute_##NAME;
#include "tables/eu_ops.def"
#undef EU_EXECUTE

#endif
