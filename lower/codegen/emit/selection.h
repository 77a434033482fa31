/* Defines the state of code generation for one kernel or stack function: its values, its caches and the vISA that is
 * being written.
 *
 * bale/ decides which values get registers, which are baled into their users, and which share a variable; select/ walks
 * the blocks and makes one macro instruction (macro.h) per bale; legalize/ splits macro instructions into vISA. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_SELECTION_H
#define CMKIT_LOWER_CODEGEN_EMIT_SELECTION_H

#include "lower/analysis/goto_loops.h"
#include "lower/ir/cfg.h"
#include "lower/ir/ir.h"
#include "lower/ir/options.h"
#include "visa_emit/visa.h"

#define VALUE_NONE ((size_t)-1)

/* One LLVM value of the kernel (argument or instruction with a result). */
struct cg_value {
    LLVMValueRef llvm;
    size_t same_as;    /* the value whose bits it has (bitcast); itself otherwise */
    bool inlined;      /* baled into its users: has no variable */
    bool fused;        /* part of the instruction of another sum or logic operation (fused_terms.h) */
    bool is_mask;      /* <N x i1>: lives in predicates */
    unsigned block;    /* of the definition; arguments: 0 */
    unsigned position; /* in the block; arguments and phis: 0 */
    size_t parent;     /* union-find: values that share a variable */
    unsigned variable; /* of the class; 0: none yet */
    unsigned bytes;    /* of the value in registers */
};

/* A mask of N lanes is one predicate variable per 32 lanes. */
enum { MASK_PART_LANES = 32 };

/* Words of an address register: addresses of `base` plus the `lanes` u16 offsets that are `stride` bytes apart. */
struct cg_known_address {
    unsigned base, offset;
    int at, stride, displacement;
    unsigned lanes, variable;
};
enum {
    ADDRESS_WORDS = 16,
    ADDRESS_GROUP = 8,
    KNOWN_CONSTANTS = 16,
    KNOWN_SCALARS = 32,
    KNOWN_GROUPS = 16,
    KNOWN_BROADCASTS = 4,
    KNOWN_MASKS = 16
};

/* The location of a value: bytes from the start of a variable. */
struct cg_location {
    unsigned variable;
    int offset;
};

/* A called function, and the places of its parameters and results: variables of their own for a subroutine, %arg and
 * %retval for a stack function. */
struct cg_callee {
    LLVMValueRef function;
    unsigned number; /* of its label, from 1 */
    struct cg_location *parameters, *results;
    unsigned parameter_count, result_count;
    unsigned parameter_bytes, result_bytes; /* on the stack */
    struct visa_kernel *out;                /* of a stack function; a subroutine is part of its caller's text */
};

struct cg_callees {
    struct cg_callee **list; /* in the order of the first calls */
    size_t count, capacity;
};

/* Inputs that a kernel or stack function shares with its subroutines. A variable is 0 until it is used. */
struct cg_kernel_inputs {
    struct cg_callees callees;
    struct cg_used_global {
        unsigned global, variable;
    } *globals; /* that subroutines use, and the variable of each */
    size_t global_count, global_capacity;
    unsigned local_ids, local_size, group_count, print_buffer; /* input variables */
    unsigned surface, sampler;                                 /* state variables */
    unsigned payload_end;   /* bytes from r0's start: where the next implicit argument goes */
    struct cg_debug *debug; /* of emit/debug_info.c; NULL: nothing is noted yet */
};

struct selection {
    LLVMModuleRef module;
    LLVMValueRef kernel;
    LLVMValueRef function; /* the function whose body is being selected: the kernel, or a function that it calls */
    struct cg_kernel_inputs *inputs;   /* of `out` */
    struct cg_callees *on_stack;       /* of the kernel */
    struct select_debug *debug_values; /* of the module; NULL: none are noted */
    struct visa_kernel *kernel_out; /* `out`, or where that is a function on the stack the kernel that it belongs to */
    unsigned label_base;            /* number of the function's first label in the kernel */
    const struct lower_options *options;
    const struct platform *platform;
    struct visa_program *program;
    struct visa_kernel *out;
    struct cfg cfg;
    struct goto_loops channels; /* the loops that lanes leave by themselves */
    bool for_all_lanes;         /* the result is kept for users that may read other lanes */
    bool by_channel;            /* the emitted instruction runs under the channel enables, which are not all on */
    struct {
        LLVMValueRef mask;
        unsigned predicate;
        bool inverse;
    } channel_masks[KNOWN_MASKS]; /* channel masks of the block */
    unsigned channel_mask_count;
    struct cg_value *values;
    size_t value_count, value_capacity;
    struct pointer_map numbers; /* LLVM value to values[] */
    bool failed;
    LLVMValueRef current; /* the current instruction, and its source position */
    unsigned file, line, column;
    unsigned debug_scope;  /* its scope in out->debug */
    unsigned debug_state;  /* its line's number in program->states */
    LLVMMetadataRef scope; /* the scope of `file`; NULL: none */
    unsigned block;        /* the one being selected */
    bool unmasked_is_slow; /* for the current block: the finalizer guards instructions without execution mask,
                            * which is slow */
    unsigned *jump_target; /* per block: itself, or the block that it does nothing but jump to */
    struct {
        unsigned variable;
        int offset;
    } reply_target;       /* of the message that is being selected, where bale_is_in_place_reply() */
    unsigned lanes_first; /* the lanes that `current` writes, read side by side; 0: it writes them where they are */
    struct cg_known_address addresses[ADDRESS_WORDS]; /* oldest first; of the block being selected */
    unsigned address_count;
    struct cg_address_group {
        LLVMValueRef vector;
        LLVMBasicBlockRef block;
        unsigned group, lanes;
    } groups[KNOWN_GROUPS]; /* lanes of vectors that are offsets in a block: address.c */
    struct {
        LLVMValueRef constant;
        unsigned variable;
    } constants[KNOWN_CONSTANTS]; /* built in the block, the newest or last used one last */
    unsigned constant_count;
    struct cg_built_constant {
        LLVMValueRef constant;
        unsigned variable, block;
        size_t first, end; /* instructions */
    } *built;              /* all of the function */
    size_t built_count, built_capacity;
    struct {
        enum visa_type type;
        uint64_t bits;
        unsigned variable, block;
    } scalars[KNOWN_SCALARS]; /* of one lane, built in `block` */
    unsigned scalar_count;
    struct {
        LLVMValueRef constant;
        unsigned variable;
    } last_mask; /* the same for masks: only one, because flags are few */
    struct {
        LLVMValueRef lane;
        unsigned variable, lanes;
    } last_broadcast; /* the last mask of one lane that was copied to several in the block */
    struct {
        LLVMValueRef lane;
        unsigned bits;
    } broadcasts[KNOWN_BROADCASTS]; /* of the block: 0 or all ones, oldest first */
    unsigned broadcast_count;
    unsigned same[2]; /* two variables with equal contents since the last call; 0: none */
    struct {
        LLVMValueRef call;
        const struct visa_operand *operands;
    } assembly; /* the last one that was selected */
    struct cg_shared_part {
        unsigned predicate, first;
    } *shared_parts; /* predicates that have the lanes of another one */
    size_t shared_part_count, shared_part_capacity;
};

#endif
