/* Defines decoded instructions: decode.c makes them from a kernel's bits, and all other files of sim/eu/ use them. */
#ifndef CMKIT_SIM_EU_INSTRUCTION_H
#define CMKIT_SIM_EU_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/eu/eu.h"
#include "sim/eu/types.h"

enum { EU_MAX_LANES = 32, EU_MAX_SOURCES = 3 };

enum eu_opcode {
#define EU_OP(ID, ...) EU_OP_##ID,
#include "tables/eu_ops.def"
#undef EU_OP
    EU_OPS
};

enum eu_property {
    EU_PROPERTY_LOGIC = 1,
    EU_PROPERTY_COMPARE = 2,
    EU_PROPERTY_SELECT = 4,
    EU_PROPERTY_CARRY = 8,
    EU_PROPERTY_ACC_IN = 16,
    EU_PROPERTY_FLOAT = 32,
    EU_PROPERTY_INT = 64,
    EU_PROPERTY_VECTOR = 128,
    EU_PROPERTY_BRANCH = 256,
    EU_PROPERTY_SHIFT = 512,
    EU_PROPERTY_PAIRS = 1024,
    EU_PROPERTY_FOURS = 2048
};

enum eu_modifier {
    EU_MODIFIER_PRED = 1,
    EU_MODIFIER_COND = 2,
    EU_MODIFIER_SAT = 4,
    EU_MODIFIER_SRCMOD = 8,
    EU_MODIFIER_MACH_SAT = 16
};

/* How close results are to those of real hardware: tables/eu_ops.def, tables/eu_math.def. */
enum eu_fidelity { EU_EXACT, EU_APPROXIMATE, EU_EXACT_UNSIGNED, EU_FIDELITY_OF_FUNCTION };

struct eu_instruction;
struct eu_alu;

typedef void eu_execute(struct eu_thread *thread, const struct eu_instruction *in);
typedef void eu_semantics(struct eu_alu *alu);

/* The functions eu_execute_NAME of thread.h. */
enum eu_executor {
#define EU_EXECUTE(NAME) EU_EXECUTE_##NAME,
#include "tables/eu_ops.def"
#undef EU_EXECUTE
    EU_EXECUTORS
};

struct eu_op {
    const char *mnemonic;
    uint32_t iga;
    unsigned sources;
    unsigned first_generation, last_generation;
    enum eu_executor execute;
    unsigned properties, modifiers;
    enum eu_fidelity fidelity;
};

extern const struct eu_op eu_op_table[EU_OPS];

/* Returns the function that runs an instruction, or the one that computes its lanes: handlers.c. */
eu_execute *eu_handler(const struct eu_op *op);
eu_semantics *eu_handler_semantics(const struct eu_op *op);

/* Returns the set of enum eu_modifier that the instruction has on a platform; EU_MODIFIER_SAT includes MACH_SAT. */
static inline unsigned eu_modifiers(const struct eu_op *op, const struct platform *platform)
{
    bool saturates = (op->modifiers & EU_MODIFIER_MACH_SAT) && platform_has(platform, FEATURE_MACH_SATURATES);
    return op->modifiers | (saturates ? EU_MODIFIER_SAT : 0);
}

/* Registers of a send: of its sources and its destination. */
struct eu_lengths {
    uint32_t src0, src1, dst;
};

/* Returns the lengths in the descriptors; from Xe-HP on the instruction itself may have the second source's length. */
struct eu_lengths eu_message_lengths(const struct platform *platform, const struct eu_instruction *in,
                                     uint32_t descriptor, uint32_t extended);

/* Returns the number of lanes that the instruction computes together. */
static inline unsigned eu_lane_group(const struct eu_op *op)
{
    return op->properties & EU_PROPERTY_FOURS ? 4 : op->properties & EU_PROPERTY_PAIRS ? 2 : 1;
}

/* A function of the math instruction. Name NULL: the number has no function. */
struct eu_math_function {
    const char *name;
    unsigned sources, first_generation, last_generation;
    uint32_t types; /* set of enum eu_type, as bits */
    enum eu_fidelity fidelity;
};

enum { EU_MATH_FUNCTIONS = 16 };
extern const struct eu_math_function eu_math_table[EU_MATH_FUNCTIONS];

/* Location of an operand. Every register, general or architectural, has a byte offset in the thread's register file. */
enum eu_place { EU_NOWHERE, EU_DIRECT, EU_INDIRECT, EU_IMMEDIATE };

/* Registers that are computed when they are read, or that have an effect when they are written. */
enum eu_special { EU_PLAIN, EU_ACCUMULATOR, EU_CONTROL, EU_STATE, EU_CHANNEL_ENABLE, EU_POINTER, EU_TIMESTAMP };

struct eu_operand {
    uint8_t place;      /* enum eu_place; as a destination EU_NOWHERE is null */
    uint8_t type;       /* enum eu_type */
    uint8_t special;    /* enum eu_special */
    uint8_t width_log2; /* lanes in a row */
    bool negate, absolute;
    bool row_addresses;         /* indirect: each row has an address register of its own (Vx1, VxH) */
    bool linear;                /* lane n lies at n * step: step 0 is a scalar */
    uint8_t address;            /* indirect: first word of a0 */
    uint8_t reg;                /* register number as written, for send and reports */
    uint16_t vstride;           /* bytes between rows */
    uint16_t hstride;           /* bytes between lanes of a row */
    uint16_t step;              /* bytes, if linear */
    uint8_t load;               /* fast.c: enum eu_fast_load */
    uint32_t keep, flip, minus; /* fast.c: modifiers as bits, ((x & keep) ^ flip) - minus */
    int32_t base; /* direct: byte offset in the register file; indirect: byte offset added to the address */
    uint64_t immediate;
};

enum eu_condition {
    EU_ALWAYS,
    EU_EQUAL,
    EU_NOT_EQUAL,
    EU_GREATER,
    EU_GREATER_EQUAL,
    EU_LESS,
    EU_LESS_EQUAL,
    EU_OVERFLOW = 8,
    EU_UNORDERED,
    EU_EARLY_OUT
};

/* iga::PredCtrl */
enum eu_predicate {
    EU_NO_PREDICATE,
    EU_SEQUENTIAL,
    EU_ANYV,
    EU_ALLV,
    EU_ANY2H,
    EU_ALL2H,
    EU_ANY4H,
    EU_ALL4H,
    EU_ANY8H,
    EU_ALL8H,
    EU_ANY16H,
    EU_ALL16H,
    EU_ANY32H,
    EU_ALL32H,
    EU_ANY, /* of all channels of the instruction, from Xe-HPC on */
    EU_ALL
};

/* iga::MathFC */
enum eu_math {
#define EU_MATH(ID, NAME, NUMBER, ...) EU_MATH_##ID = NUMBER,
#include "tables/eu_math.def"
#undef EU_MATH
};

enum eu_sync { EU_SYNC_NOP = 0, EU_SYNC_ALLRD = 2, EU_SYNC_ALLWR = 3, EU_SYNC_BAR = 14, EU_SYNC_HOST = 15 };

enum { EU_NO_TARGET = UINT32_MAX, EU_DESCRIPTOR_IMMEDIATE = 0xff, EU_LENGTH_IN_DESCRIPTOR = 0xff };

struct eu_instruction {
    eu_execute *execute;
    eu_semantics *semantics;
    const struct eu_op *op;
    uint32_t offset;     /* bytes from the kernel's start */
    uint32_t lanes_mask; /* exec_size low bits */
    uint8_t size;        /* 8 or 16 bytes */
    uint8_t exec_size;
    uint8_t channel_offset;
    uint8_t domain; /* enum eu_domain in which lanes are computed */
    bool no_mask, inverse, saturate, write_accumulator, end_of_thread,
        is_atomic;                                  /* is_atomic: of products of matrices */
    bool resume_point;                              /* waiting channels may resume here */
    uint8_t accumulator_offset;                     /* of the implicit accumulator operand: the destination's bytes in
                                                       its register */
    uint8_t predicate;                              /* enum eu_predicate */
    uint8_t condition;                              /* enum eu_condition */
    uint8_t flag_register, flag_subregister;        /* of predicate and condition */
    uint16_t function;                              /* math, sync, bfn: the function; if, else, goto: branch control;
                                                       dpas: its depth and, in the low byte, its rows */
    uint16_t scoreboard;                            /* Gen12: software scoreboard bits: 8, with SCOREBOARD_MATH 10 */
    uint8_t descriptor_register, extended_register; /* send: dword of a0, or EU_DESCRIPTOR_IMMEDIATE */
    uint8_t src1_registers;                         /* send: length of source 1, or EU_LENGTH_IN_DESCRIPTOR */
    bool wide_offset;                               /* send: see struct message */
    int32_t surface_offset;                         /* send: the same */
    uint16_t sfid;
    uint32_t descriptor, extended;
    uint32_t jip, uip;         /* indices of instructions, EU_NO_TARGET if absent */
    struct message_plan *plan; /* send: of a message with fixed descriptors and registers, or NULL; the program's */
    bool computes;             /* send: the host's rounding mode must be as usual while it is performed */
    uint8_t precision[2];      /* dpas: the decoder's types of sources 1 and 2 */
    uint8_t written_type[1 + EU_MAX_SOURCES]; /* destination, sources: as encoded; EU_NO_TYPE: no type */
    struct eu_operand dst, src[EU_MAX_SOURCES];
};

struct eu_program {
    const struct platform *platform;
    uint8_t *code; /* the bytes that were decoded: offsets 0 to extent */
    size_t extent;
    uint32_t *index; /* index of the instruction that starts at 8 * n; EU_NO_TARGET: none does */
    struct eu_instruction *instructions;
    size_t count;
};

/* How many channels a predicate of EU_ANY2H and later joins. */
unsigned eu_predicate_group(const struct eu_instruction *in);

/* Whether a source is the clock. */
bool eu_reads_clock(const struct eu_instruction *in);

/* The size of the instruction at `code`; 0 when fewer bytes are available. */
unsigned eu_instruction_bytes(const uint8_t *code, size_t available);

/* The assembly of an instruction in `text`; its bits in hex if the decoder has no text for it. */
void eu_disassemble(const struct platform *platform, const uint8_t *code, size_t available, char *text, size_t size);

/* Checks that the generation has this combination of opcode, types, regions and sizes. Raises `fault` and returns false
 * otherwise. The rules are complete and not guessed: code of Intel's compilers passes. */
bool eu_check(const struct platform *platform, const struct eu_instruction *in, struct sim_fault *fault);

/* The rules for opcodes: a row of tables/eu_op_types.def or tables/eu_math.def must have these types, and
 * tables/eu_ops.def these modifiers. Returns NULL, or the violated rule. */
const char *eu_check_types(const struct platform *platform, const struct eu_instruction *in);

/* Checks the bits of an instruction that is not compacted: bits of modifiers that it does not have must be clear.
 * Returns NULL, or the violated rule. */
const char *eu_check_fields(const struct platform *platform, const uint8_t *code, const struct eu_instruction *in);

/* "mad", "math.inv", "sync.nop": the instruction's name with its function. */
const char *eu_instruction_name(const struct eu_instruction *in, char *text, size_t size);

/* " ud <- ud, w#": the types as written, destination first; # marks an immediate. Empty when there are none. */
const char *eu_describe_types(const struct eu_instruction *in, char *text, size_t size);

enum eu_fidelity eu_instruction_fidelity(const struct eu_instruction *in);

/* Selects the fastest function for a checked instruction, whose `execute` is the generic function; results are the
 * same. Records in its operands how fast.c loads them. */
eu_execute *eu_fast_execute(const struct platform *platform, struct eu_instruction *in);

/* The same for send: decodes the message now if the instruction holds all of it. */
eu_execute *eu_plan_send(const struct platform *platform, struct eu_instruction *in);

/* For tests: runs every instruction of the program through the common pipeline. */
void eu_program_avoid_fast(struct eu_program *program);

#endif
