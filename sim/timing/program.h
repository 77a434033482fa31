/* Translates decoded instructions into what the timing engine needs of them: ports, times, registers, waits. */
#ifndef CMKIT_SIM_TIMING_PROGRAM_H
#define CMKIT_SIM_TIMING_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/eu/eu.h"
#include "sim/timing/constants.h"

/* Times are in ticks. */
enum { TIMING_TICK_SHIFT = 6, TIMING_TICKS = 1 << TIMING_TICK_SHIFT /* in a clock */ };

static inline uint64_t timing_ticks(double clocks)
{
    return (uint64_t)(clocks * TIMING_TICKS + 0.5);
}

enum timing_op_kind { TIMING_PLAIN, TIMING_MESSAGE, TIMING_BRANCH, TIMING_WAIT, TIMING_NOTHING };

/* What an instruction may be issued to: one port, the FPU that is free first, or none. */
enum timing_port {
    TIMING_PORT_FPU0,
    TIMING_PORT_FPU1,
    TIMING_PORT_MATH,
    TIMING_PORT_SEND,
    TIMING_PORT_BRANCH,
    TIMING_PORTS,
    TIMING_EITHER_FPU = TIMING_PORTS,
    TIMING_NO_PORT,
    TIMING_PORT_CHOICES
};

/* Numbers of registers: general ones first. */
enum {
    TIMING_GENERAL = 128,
    TIMING_ACCUMULATOR = 128,
    TIMING_FLAG = 129,
    TIMING_ADDRESS = 131,
    TIMING_REGISTERS = 132
};

struct timing_span {
    uint8_t first, count;
};

enum { TIMING_SET_BITS = 64, TIMING_SET_WORDS = TIMING_GENERAL / TIMING_SET_BITS, TIMING_OP_BYTES = 64 };

/* One instruction fills one line of the host's cache. `reads` and `writes` are sets of registers: bits of general ones;
 * `other` has bits of those after them. */
struct timing_op {
    _Alignas(TIMING_OP_BYTES) uint64_t reads[TIMING_SET_WORDS];
    uint64_t writes[TIMING_SET_WORDS]; /* the destination */
    uint8_t reads_other, writes_other;
    uint8_t kind, port; /* enum timing_op_kind, enum timing_port */
    bool is_end : 1, reads_clock : 1;
    bool writes_flag;
    uint8_t flag;                         /* that it writes, if any */
    uint8_t back;                         /* messages: first register of the answer */
    struct timing_span destination;       /* written */
    uint16_t flops;                       /* on all of its lanes */
    uint32_t busy, latency, flag_latency; /* ticks; latencies from the end of `busy` */
    /* Gen12's software scoreboard */
    uint8_t distance;                      /* 0: none */
    int8_t wait_written, wait_read, takes; /* tokens, -1: none */
    uint16_t all_written, all_read;        /* sync.allwr, sync.allrd: sets of tokens */
};
_Static_assert(sizeof(struct timing_op) == TIMING_OP_BYTES, "an instruction is a line");

struct timing_line;

struct timing_program {
    struct timing_program *next;
    const struct eu_program *program;
    bool has_barrier, reads_clock;
    struct timing_line *line; /* of a profile, NULL: there is none */
    size_t count;
    struct timing_op op[];
};

/* NULL: no memory. Free it with free(). */
struct timing_program *timing_program_create(const struct platform *platform, const struct eu_program *program,
                                             const struct timing_constants *constants);

#endif
