/* Defines the vISA program: lower/ builds it, visa_emit/ prints it and compiles it to Gen code and a zebin.
 *
 * Plain structs, no LLVM. One struct visa_instruction per vISA instruction (a bale: root operation with its source and
 * destination regions and modifiers). Operands carry their own type; if it differs from the variable's declared type,
 * the emitter declares an alias. The program owns everything, and frees it at its end. */
#ifndef CMKIT_VISA_EMIT_VISA_H
#define CMKIT_VISA_EMIT_VISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tables/platforms.h"
#include "visa_emit/debug_info.h"

enum visa_type {
#define VISA_TYPE(ID, TEXT, BYTES, CLASS) VISA_TYPE_##ID,
#include "tables/visa_types.def"
#undef VISA_TYPE
    VISA_TYPE_COUNT
};

unsigned visa_type_bytes(enum visa_type type);
char visa_type_class(enum visa_type type); /* 'U', 'S', 'F' or 'P': see visa_types.def */
const char *visa_type_text(enum visa_type type);

enum visa_opcode {
#define VISA_OP(ID, TEXT, FORM, SOURCES, FLAGS) VISA_OP_##ID,
#include "tables/visa_ops.def"
#undef VISA_OP
    VISA_OP_COUNT
};

/* Variables. Numbers below VISA_FIRST_VARIABLE name vISA's predefined variables. */
enum visa_predefined {
    VISA_NULL,       /* %null */
    VISA_R0,         /* %r0: thread header */
    VISA_GROUP_ID_X, /* %group_id_x, y, z */
    VISA_GROUP_ID_Y,
    VISA_GROUP_ID_Z,
    VISA_CR0, /* %cr0 */
    VISA_SR0,
    VISA_HWID,      /* %hw_id */
    VISA_TSC,       /* %tsc */
    VISA_SLM,       /* %slm: state variable T0 */
    VISA_STATELESS, /* %scratch: state variable T5, binding table index 255: stateless access */
    VISA_ARG,       /* %arg, %retval: what crosses calls on the stack */
    VISA_RETVAL,
    VISA_FIRST_VARIABLE = 32 /* vISA's own numbers start here too, so V32 in its listings is V32 here */
};

enum visa_class {
    VISA_CLASS_GENERAL,
    VISA_CLASS_ADDRESS,
    VISA_CLASS_PREDICATE,
    VISA_CLASS_SAMPLER,
    VISA_CLASS_SURFACE
};

struct visa_variable {
    enum visa_class class;
    enum visa_type type; /* of a general variable; others ignore it */
    unsigned elements;   /* of that type; lanes of a predicate; words of an address variable */
    unsigned align; /* bytes, a power of two, at most two GRFs; 0: natural. The emitter raises it to what the uses need:
                     * the size of the widest type used, a GRF for message payloads and for a GRF or more of data */
    int input_offset;    /* bytes from the start of r0 where the thread finds it at its start, or -1 */
    const char *comment; /* name of the source variable or value, or NULL: printed after the declaration */
};

struct visa_region {
    uint16_t vstride, width, hstride;
}; /* in elements: <vstride;width,hstride> */

enum visa_operand_kind {
    VISA_OPERAND_NONE,
    VISA_OPERAND_GENERAL,    /* variable, byte offset, region (destination: hstride only), type */
    VISA_OPERAND_INDIRECT,   /* address variable, element in it, byte displacement, region, type */
    VISA_OPERAND_ADDRESS,    /* address variable, element: in addr_add and as mov destination */
    VISA_OPERAND_ADDRESS_OF, /* &variable + byte offset */
    VISA_OPERAND_PREDICATE,  /* predicate variable as operand of cmp (destination), and/or/xor/not, setp */
    VISA_OPERAND_IMMEDIATE,  /* bits in type; packed types in the low 32 bits */
    VISA_OPERAND_RAW,        /* message payload: variable, byte offset */
    VISA_OPERAND_STATE,      /* surface or sampler variable */
    VISA_OPERAND_NAME,       /* the name of a variable as one of elements of `type` */
    VISA_OPERAND_NUMBER,     /* bits: a number without type */
    VISA_OPERAND_STRING /* half of the address of a string of the program: bits: its number, element: 0 low, 1 high */
};

enum visa_modifier {
    VISA_MODIFIER_NONE = 0,
    VISA_MODIFIER_NEGATE = 1,
    VISA_MODIFIER_ABSOLUTE = 2,
    VISA_MODIFIER_NOT = 4
};

struct visa_operand {
    enum visa_operand_kind kind : 8; /* small: an instruction has eight operands */
    enum visa_type type : 8;
    unsigned modifier : 8; /* bits of enum visa_modifier */
    bool per_channel;      /* INDIRECT source: one address per channel <VxH>: region.width 1 address each */
    unsigned variable;
    int offset;       /* bytes (GENERAL, RAW, ADDRESS_OF; INDIRECT: displacement, -512..511) */
    unsigned element; /* ADDRESS, INDIRECT: word in the address variable */
    struct visa_region region;
    uint64_t bits; /* IMMEDIATE */
};

enum visa_condition { VISA_COND_NONE, VISA_EQ, VISA_NE, VISA_GT, VISA_GE, VISA_LT, VISA_LE };
enum visa_predicate_control { VISA_PRED_EACH, VISA_PRED_ANY, VISA_PRED_ALL };

struct visa_predicate {
    unsigned variable; /* VISA_NULL: no predicate */
    bool inverse;
    enum visa_predicate_control control;
};

/* attr[0] of the atomic forms. */
enum visa_atomic {
#define VISA_ATOMIC(ID, TEXT, SOURCES, TYPE, LSC) VISA_ATOMIC_##ID,
#include "tables/visa_atomics.def"
#undef VISA_ATOMIC
    VISA_ATOMIC_COUNT
};

/* attr[0] of the fence: vISA's encoding. */
enum visa_fence {
    VISA_FENCE_COMMIT = 1,       /* wait until it has completed */
    VISA_FENCE_INSTRUCTIONS = 2, /* flush caches: instruction, sampler, constant, read-write data, L1 */
    VISA_FENCE_SAMPLER = 4,
    VISA_FENCE_CONSTANT = 8,
    VISA_FENCE_DATA = 16,
    VISA_FENCE_LOCAL = 32, /* shared local memory only; else global memory */
    VISA_FENCE_L1 = 64,
    VISA_FENCE_SOFTWARE = 128 /* no hardware fence: only keeps the finalizer from moving memory accesses */
};

/* Attributes of the LSC forms, in vISA's numbers. */
enum visa_lsc_memory { VISA_LSC_FLAT, VISA_LSC_SURFACE, VISA_LSC_SHARED, VISA_LSC_IMAGE };
enum {
    VISA_LSC_SURFACE_SOURCE = 3, /* the source that is the surface's number, where no attribute is */
    VISA_LSC_DATA_SOURCE = 4     /* what a quad stores */
};
enum visa_lsc_cache {
    VISA_LSC_DEFAULT,
    VISA_LSC_UNCACHED,
    VISA_LSC_CACHED,
    VISA_LSC_WRITE_BACK,
    VISA_LSC_WRITE_THROUGH,
    VISA_LSC_STREAMING,
    VISA_LSC_READ_INVALIDATE
};
enum visa_lsc_size { VISA_LSC_U32 = 3, VISA_LSC_U64, VISA_LSC_U8_IN_U32, VISA_LSC_U16_IN_U32 };

/* attr[0] and [1] of dpas: what a dword holds. */
enum visa_packed {
    VISA_PACKED_U2 = 3,
    VISA_PACKED_S2,
    VISA_PACKED_U4,
    VISA_PACKED_S4,
    VISA_PACKED_U8,
    VISA_PACKED_S8,
    VISA_PACKED_BF16,
    VISA_PACKED_HALF,
    VISA_PACKED_TF32 = 12
};

/* attr[1] of the sampler forms: CM's numbers, which are those of the messages. */
enum visa_sample {
    VISA_SAMPLE,
    VISA_SAMPLE_BIAS,
    VISA_SAMPLE_LOD,
    VISA_SAMPLE_COMPARE,
    VISA_SAMPLE_DERIVATIVES,
    VISA_SAMPLE_BIAS_COMPARE,
    VISA_SAMPLE_LOD_COMPARE,
    VISA_LOAD,
    VISA_SAMPLE_DERIVATIVES_COMPARE = 20,
    VISA_SAMPLE_ZERO = 24,
    VISA_SAMPLE_COMPARE_ZERO,
    VISA_LOAD_ZERO,
};

enum { VISA_ARG_REGISTERS = 32, VISA_RETVAL_REGISTERS = 12 }; /* the finalizer's %arg and %retval, of 32 bytes */
enum { VISA_MAX_SOURCES = 7, VISA_MAX_ATTRIBUTES = 4 };

struct visa_instruction {
    enum visa_opcode op;
    uint8_t exec_size; /* 1, 2, 4, 8, 16, 32 */
    uint8_t channel;   /* first channel: 0, 4, 8, ... 28: M1, M2 ... M8 */
    bool no_mask;      /* M1_NM: the execution mask is ignored */
    bool by_channel;   /* runs on the channel enables of SIMD control flow, which may be off: such lanes stay */
    bool saturate;
    enum visa_condition condition;
    struct visa_predicate predicate;
    struct visa_operand dst;
    struct visa_operand src[VISA_MAX_SOURCES];
    int attr[VISA_MAX_ATTRIBUTES];         /* by form: see visa_ops.def */
    const struct visa_operand *parameters; /* of sampler forms: payloads, of assembly: operands, of switches: labels */
    unsigned parameter_count;
    const char *text; /* of assembly; of subroutines the name in the source, NULL: not known; in the program's memory */
    unsigned file, line,
        column;     /* in the source: number of visa_add_file(), 0 if not known; line, column 0: not known */
    unsigned scope; /* number in the kernel's `debug`, 0: not known */
    unsigned mark;  /* the first mark behind it in the kernel's `debug`, 0: none */
    unsigned state; /* of its line in the program's `states`, 0: none */
};

/* Kernel arguments as the launcher sees them, in order; docs/compiler/abi.md. */
enum visa_argument_kind {
    VISA_ARG_VALUE,   /* scalar or vector by value */
    VISA_ARG_POINTER, /* svmptr_t or T*: 64-bit address, made resident */
    VISA_ARG_LOCAL,   /* __local T*: offset in the group's shared memory; the launch adds the argument's bytes to that
                       * memory */
    VISA_ARG_BUFFER,  /* SurfaceIndex of a buffer: binding table entry, and its address */
    VISA_ARG_IMAGE_BLOCK, /* SurfaceIndex of a 2D image read with media block messages */
    VISA_ARG_IMAGE, /* SurfaceIndex of an image read with typed messages or the sampler; dimensions in `dimensions` */
    VISA_ARG_SAMPLER,
    /* Implicit: not counted in the kernel's argument list. */
    VISA_ARG_LOCAL_IDS,    /* three u16 in r1 */
    VISA_ARG_LOCAL_SIZE,   /* three u32 */
    VISA_ARG_GROUP_COUNT,  /* three u32 */
    VISA_ARG_PRINTF_BUFFER /* address of the driver's buffer for printf output */
};

enum visa_access { VISA_ACCESS_READ_WRITE, VISA_ACCESS_READ, VISA_ACCESS_WRITE };

struct visa_argument {
    enum visa_argument_kind kind;
    enum visa_access access;
    const char *name, *type_name; /* as written in the source: `uint h` */
    int index;                    /* position in the source argument list; -1: implicit */
    unsigned size;                /* bytes passed in the payload (0: binding table only) */
    int payload_offset;  /* bytes from r0's start; the zebin's counts from r2 (docs/compiler/abi.md); -1: not in the
                            payload */
    int binding;         /* binding table index, or -1 */
    unsigned dimensions; /* images: 1, 2, 3 */
    unsigned block_width, block_rows; /* images: bytes, rows of the largest block the kernel accesses; 0: not known */
};

/* How many instructions a source line needs at least for the lanes that it computes and moves. */
struct visa_bound {
    unsigned file, line, instructions; /* file and line as in instructions */
};

struct visa_kernel {
    const char *name;
    const char *source_name;         /* NULL: not known */
    struct visa_variable *variables; /* [0] is number VISA_FIRST_VARIABLE */
    size_t variable_count;
    struct visa_instruction *instructions;
    size_t instruction_count;
    struct visa_argument *arguments;
    size_t argument_count;
    size_t variable_capacity, instruction_capacity,
        argument_capacity; /* visa_add_...'s own; 0 for arrays made elsewhere */
    unsigned label_count;  /* labels 0 .. label_count-1 */
    unsigned slm_bytes;
    bool has_barrier;
    unsigned named_barriers; /* that it asks for; cm_barrier's is one more */
    bool uses_stateless;     /* reads or writes memory by address */
    bool uses_local_ids;
    unsigned file, line;      /* where it is defined, as in instructions */
    struct debug_unit *debug; /* its variables for debuggers; NULL: none */
    /* Functions that the kernel calls on the stack. They have variables and labels of their own and are printed as
     * functions Sn of the kernel's text, n being the index here plus 1. They use the kernel's surfaces but none of its
     * arguments. */
    struct visa_kernel **functions;
    size_t function_count, function_capacity;
    struct visa_bound *bounds; /* of the unit's lines, if somebody asked; a line may be there more than once */
    size_t bound_count, bound_capacity;
    unsigned argument_registers, result_registers; /* of a stack function: registers of %arg that it reads, of %retval
                                                    * that it writes */
};

/* The barriers that the kernel needs, in a number that the hardware allots: 0, 1, 2, 4, 8, 16, 24 or 32. As in IGC the
 * barrier of the whole group is one more; its number is 0 (KernelMetadata::getAlignedBarrierCnt()). */
unsigned visa_barrier_count(const struct visa_kernel *kernel);

/* A source file as the compiler got it: a relative name is relative to the folder. */
struct visa_file {
    const char *name, *folder;
};

/* Text that the host reads by its address in its own memory, such as printf's format. */
struct visa_text {
    const char *bytes;
    size_t size; /* with the final 0 */
};

/* Of optimized code: the debug_assignment.record of each source variable that has a known value where a source line
 * begins. */
struct visa_line_state {
    unsigned *records;
    size_t count;
};

struct visa_program {
    const struct platform *platform;
    struct visa_kernel *kernels;
    size_t kernel_count, kernel_capacity;
    struct visa_text *strings;
    size_t string_count, string_capacity;
    struct visa_file *files; /* [0] is number 1 */
    size_t file_count, file_capacity;
    struct visa_line_state *states; /* [0] is number 1 */
    size_t state_count;
    bool watched;    /* homes of variables follow the source line by line: the finalizer moves and merges nothing */
    bool debug_info; /* source positions in the text, debug information in the zebin; else the zebin's lines only */
    struct visa_arena *arena; /* every array and string above lives here */
};

/* Creates an empty program for `platform`. NULL: out of memory. */
struct visa_program *visa_program_create(const struct platform *platform);
void visa_program_destroy(struct visa_program *program);

/* Allocates zeroed memory that lives as long as the program. Ends the process with a message if out of memory. */
void *visa_alloc(struct visa_program *program, size_t bytes);
char *visa_string(struct visa_program *program, const char *text);

/* These functions extend a program. Returned indices stay valid; pointers into the arrays do not. */
struct visa_kernel *visa_add_kernel(struct visa_program *program, const char *name);
struct visa_kernel *visa_add_function(struct visa_program *program, struct visa_kernel *kernel, const char *name);
unsigned visa_add_variable(struct visa_program *program, struct visa_kernel *kernel,
                           const struct visa_variable *variable);
struct visa_instruction *visa_add_instruction(struct visa_program *program, struct visa_kernel *kernel,
                                              const struct visa_instruction *instruction);
/* Empties the kernel, with room for `most` instructions. The old ones stay where they are, in the program's memory. */
void visa_replace_instructions(struct visa_program *program, struct visa_kernel *kernel, size_t most);
void visa_add_bound(struct visa_program *program, struct visa_kernel *kernel, struct visa_bound bound);
/* Puts the mark that no byte of its result's variable is live before each instruction n with begins[n]: `count` of
 * them. */
void visa_insert_lifetime_starts(struct visa_program *program, struct visa_kernel *kernel, const bool *begins,
                                 size_t count);

void visa_add_argument(struct visa_program *program, struct visa_kernel *kernel, const struct visa_argument *argument);

/* Returns the number of a string of the program. Equal strings have one number. */
unsigned visa_add_text(struct visa_program *program, const char *bytes, size_t size);

/* Returns the number of a source file, from 1. Equal files have one number. */
unsigned visa_add_file(struct visa_program *program, const char *name, const char *folder);

/* Returns a base for placeholders of string addresses. A kernel's text and code hold `result` + 2 * string + half until
 * the driver writes the halves of the address there. None of the kernel's own immediates is one of these numbers. */
uint32_t visa_string_base(const struct visa_program *program, const struct visa_kernel *kernel);

/* Returns the variable of a number >= VISA_FIRST_VARIABLE. */
struct visa_variable *visa_variable(const struct visa_kernel *kernel, unsigned number);

/* Rewrites a kernel that the finalizer spills, so that lanes of spilled variables that SIMD control flow leaves alone
 * stay. False: there is nothing to rewrite. Finalize it again then. */
bool visa_keep_inactive_lanes(struct visa_program *program, struct visa_kernel *kernel);

/* Rewrites a kernel that the finalizer spills: variables that no write fills as a whole get marks where their values
 * begin. False: there is nothing to mark, or the program is watched. Finalize it again otherwise. */
bool visa_start_lifetimes(struct visa_program *program, struct visa_kernel *kernel);

/* Rewrites a kernel that the finalizer spills: instructions move down to the first use of their results. False: none
 * does, or the program is watched. Finalize it again otherwise. */
bool visa_sink_instructions(struct visa_program *program, struct visa_kernel *kernel);

/* Rewrites a kernel that the finalizer spills: small numbers, such as addresses, are computed again where they are
 * used. False: there are none, or the program is watched. Finalize it again otherwise. */
bool visa_rematerialize(struct visa_program *program, struct visa_kernel *kernel);

/* Rewrites a kernel that the finalizer spills: a variable whose registers are accessed in groups becomes one variable
 * for each group. False: there is nothing to rewrite, or the program is watched. Finalize it again otherwise. */
bool visa_split_variables(struct visa_program *program, struct visa_kernel *kernel);

/* Prints the kernel as vISA text. A table gives each op its printer, so no operand lacks one. */
void visa_print(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out);

/* Prints the same text and calls `printed` after each instruction of the kernel and of its stack functions, with the
 * stream flushed. */
typedef void visa_printed(void *user, const struct visa_kernel *kernel, size_t instruction);
void visa_print_each(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out,
                     visa_printed *printed, void *user);

/* Returns the instruction that wrote line `line` of that text, counted from 1. NULL: none did. */
const struct visa_instruction *visa_at_line(const struct visa_program *program, const struct visa_kernel *kernel,
                                            unsigned line);

/* Returns the instruction that the finalizer calls `number` in its messages. NULL: none. */
const struct visa_instruction *visa_of_number(const struct visa_program *program, const struct visa_kernel *kernel,
                                              unsigned number);

#endif
