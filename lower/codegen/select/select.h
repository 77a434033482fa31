/* The second half's shared state: a kernel on its way from LLVM values to vISA instructions.
 *
 * bale.c decides which values live in registers and which are part of their users' instructions; coalesce.c gives values
 * that may share a variable the same one; select*.c walk the blocks and make one wide instruction per bale; legalize.c
 * splits wide instructions into vISA instructions that the platform has. */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_SELECT_H
#define CMKIT_LOWER_CODEGEN_SELECT_SELECT_H

#include "lower/analysis/goto_loops.h"
#include "lower/ir/cfg.h"
#include "lower/ir/ir.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/codegen/bale/print_steps.h"
#include "lower/ir/options.h"
#include "visa_emit/visa.h"

#define VALUE_NONE ((size_t)-1)

/* One LLVM value of the kernel (argument or instruction with a result). */
struct value {
    LLVMValueRef llvm;
    size_t same_as;      /* the value whose bits it has (bitcast); itself otherwise */
    bool inlined;        /* part of its users' instructions: has no variable */
    bool is_mask;        /* <N x i1>: lives in predicates */
    unsigned block;      /* of the definition; arguments: 0 */
    unsigned position;   /* in the block; arguments and phis: 0 */
    size_t parent;       /* union-find: values that share a variable */
    unsigned variable;   /* of the class; 0: none yet */
    unsigned bytes;      /* of the value in registers */
};

/* A mask's lanes sit in one predicate variable per 32 lanes. */
enum { MASK_PART_LANES = 32 };

/* Words of an address register: places of `base` plus the `lanes` u16 offsets that are `stride` bytes apart. */
struct known_address {
    unsigned base, offset;
    int at, stride, displacement;
    unsigned lanes, variable;
};
enum { ADDRESS_WORDS = 16, ADDRESS_GROUP = 8, KNOWN_CONSTANTS = 16, KNOWN_SCALARS = 32, KNOWN_GROUPS = 16, KNOWN_MASKS = 16 };

/* Where a value lies: bytes from the start of a variable. */
struct place {
    unsigned variable;
    int offset;
};

/* A function that is called, and where what crosses the call is put: in variables of its own for a subroutine, in %arg
 * and %retval for one on the stack. */
struct callee {
    LLVMValueRef function;
    unsigned number; /* of its label, from 1 */
    struct place *parameters, *results;
    unsigned parameter_count, result_count;
    unsigned parameter_bytes, result_bytes; /* on the stack */
    struct visa_kernel *out;                /* of one on the stack; a subroutine is part of what calls it */
};

struct callees {
    struct callee **list; /* in the order in which they were met */
    size_t count, capacity;
};

/* What a kernel, or a function on the stack, shares with its subroutines. Variables are 0 until they are asked for. */
struct kernel_inputs {
    struct callees callees;
    struct used_global { unsigned global, variable; } *globals; /* that subroutines use, and the variable of each */
    size_t global_count, global_capacity;
    unsigned local_ids, local_size, group_count, print_buffer; /* input variables */
    unsigned surface, sampler;                                 /* state variables */
    unsigned payload_end; /* bytes from r0's start: where the next implicit argument goes */
};

struct selection {
    LLVMModuleRef module;
    LLVMValueRef kernel;
    LLVMValueRef function; /* whose body is being selected: the kernel, or a function that it calls */
    struct kernel_inputs *inputs; /* of `out` */
    struct callees *on_stack;     /* of the kernel */
    struct visa_kernel *kernel_out; /* `out`, or where that is a function on the stack the kernel that it belongs to */
    unsigned label_base;   /* number of the function's first label in the kernel */
    const struct lower_options *options;
    const struct platform *platform;
    struct visa_program *program;
    struct visa_kernel *out;
    struct cfg cfg;
    struct channels channels; /* the loops that lanes leave by themselves */
    bool for_all_lanes;       /* what is computed is kept for users that may look at other lanes */
    bool by_channel;          /* what is being emitted obeys the channels that are on, where not all are */
    struct { LLVMValueRef mask; unsigned predicate; bool inverse; } told[KNOWN_MASKS]; /* of masks of channels, in the block */
    unsigned told_count;
    struct value *values;
    size_t value_count, value_capacity;
    struct pointer_map numbers; /* LLVM value to values[] */
    bool failed;
    LLVMValueRef current;       /* the instruction being selected, and where it stands in the source */
    unsigned file, line;
    LLVMMetadataRef scope;      /* the one that `file` is of; NULL: none */
    unsigned block;             /* the one being selected */
    bool unmasked_is_slow;      /* in the block being selected: the finalizer guards instructions without execution mask */
    unsigned *leads_to;         /* per block: itself, or the block that it does nothing but jump to */
    struct { unsigned variable; int offset; } landing; /* of the message that is being selected, where is_landing() */
    struct known_address addresses[ADDRESS_WORDS]; /* oldest first; of the block being selected */
    unsigned address_count;
    struct address_group {
        LLVMValueRef vector;
        LLVMBasicBlockRef block;
        unsigned group, lanes;
    } groups[KNOWN_GROUPS]; /* which lanes of vectors are offsets in a block: address.c */
    struct { LLVMValueRef constant; unsigned variable; } constants[KNOWN_CONSTANTS]; /* built in the block, oldest first */
    unsigned constant_count;
    struct { enum visa_type type; uint64_t bits; unsigned variable, block; } scalars[KNOWN_SCALARS]; /* of one lane, built in `block` */
    unsigned scalar_count;
    struct { LLVMValueRef constant; unsigned variable; } last_mask; /* the same for masks: one, flags are few */
    unsigned same[2]; /* variables of which one is a copy of the other, since the last call; 0: none */
    struct { LLVMValueRef call; const struct visa_operand *operands; } assembly; /* the last one that was selected */
    struct shared_part { unsigned predicate, first; } *shared_parts; /* predicates that have the lanes of another one */
    size_t shared_part_count, shared_part_capacity;
};

/* ---- bale.c ---- */

/* Numbers the values and decides what is inlined. */
void bale_kernel(struct selection *s);
struct value *value_of(struct selection *s, LLVMValueRef llvm); /* NULL: a constant or no value */
struct value *value_root(struct selection *s, LLVMValueRef llvm); /* the value whose bits it has */

/* Values that are read where `user` is emitted: its operands, those of inlined operands, and so on; with the instruction
 * whose operand each is. */
void for_each_source(struct selection *s, LLVMValueRef user,
                     void (*visit)(struct selection *, struct value *, LLVMValueRef, void *), void *context);

bool is_emitted(struct selection *s, LLVMValueRef instruction); /* it becomes instructions of its own */

/* The lanes of a shufflevector as a region of its first operand; false if they are none. */
bool shuffle_region(LLVMValueRef shuffle, struct region *out);

/* A mask that predicates can say by another one: the lanes from `first` on of a wider one, or those that one has not.
 */
struct said_mask {
    LLVMValueRef by;
    unsigned first;
    bool inverse;
};
bool say_mask(LLVMValueRef mask, struct said_mask *out);

/* The operand of a sum of floats that is a product which a mad computes together with it; -1: none. */
int fused_product(LLVMValueRef sum);

/* The arithmetic that a saturating conversion does itself, with the result's type as destination; NULL: none. */
LLVMValueRef saturated_operation(LLVMValueRef conversion);

/* True if `read` reads whole registers in order: a message can take them as payload. *out: which. */
bool payload_region(const struct selection *s, LLVMValueRef read, struct region *out);

/* The value to which dpas `i` may be added in place: its sum operand, if no other operand overlaps it. NULL: there is none. */
struct value *matrix_sum(struct selection *s, LLVMValueRef i);

/* True if dpas `product` reads bytes [from, to) of `vector`, other than exactly these as its sum. dpas writes rows of the result
 * while it still has to read later rows. */
bool product_reads(struct selection *s, LLVMValueRef product, struct value *vector, int from, int to);

/* ---- coalesce.c ---- */
void coalesce_kernel(struct selection *s);
struct value *value_class(struct selection *s, struct value *value);

/* ---- print_steps.c ---- */
void print_step(struct selection *s, enum step step); /* after baling or coalescing, where it is to be printed */

/* ---- wide instructions: select.c makes them, legalize.c splits them ---- */

enum wide_kind { WIDE_NONE, WIDE_REGION, WIDE_IMMEDIATE, WIDE_MASK, WIDE_ADDRESS };

struct wide_operand {
    enum wide_kind kind;
    enum visa_type type;
    unsigned modifier;
    unsigned variable;    /* REGION; MASK: first part */
    unsigned lane;        /* MASK: the lane of the variable's that the first lane of the operation goes by */
    bool channels;        /* MASK: of the channels that are on; VISA_NULL: all of these */
    bool inverse;         /* MASK: those of the channels that the predicate has not */
    enum visa_predicate_control control; /* MASK: each lane for itself, or any or all of them for one lane */
    struct region region; /* bytes */
    uint64_t bits;        /* IMMEDIATE: the same in all lanes */
    unsigned address;     /* ADDRESS: variable whose lanes are reached through an address register */
    unsigned offset;      /* ADDRESS: variable that holds u16 byte offsets: one, or one per lane */
    int offset_at;        /* ADDRESS: byte in that variable where the first is */
    bool per_lane;        /* ADDRESS: an address per lane */
    unsigned offsets;     /* ADDRESS: how many there are: one, or one per lane */
    unsigned multiple;    /* ADDRESS: bytes that the offset is known to be a multiple of */
    unsigned group, group_lane; /* ADDRESS: neighbours to compute with it, 0: none; which of them it is */
    int group_stride;           /* bytes from one of them to the next */
};

struct wide {
    enum visa_opcode op;
    unsigned lanes;
    bool saturate;
    bool packed; /* bytes that are packed already, not fresh results that the finalizer could leave in words */
    enum visa_condition condition;
    struct wide_operand predicate; /* MASK or NONE */
    bool inverse;
    struct wide_operand dst;
    struct wide_operand src[4];
    unsigned sources;
};

/* The error of an operation on doubles where the part has none. */
void refuse_doubles(struct selection *s, LLVMValueRef at);

/* Splits and appends. Copies sources that a split would overwrite first. */
void wide_emit(struct selection *s, const struct wide *wide);

/* The bits of one predicate variable as a u32 variable, and back from a u32 operand. */
unsigned mask_to_bits(struct selection *s, unsigned predicate);
void set_constant_mask(struct selection *s, unsigned first, LLVMValueRef mask, unsigned lanes);

/* dst = a op b of predicates, in a loop of channels: of the lanes that are on, perhaps of others too. */
void channel_logic(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b);
void mask_copy(struct selection *s, unsigned lanes, unsigned dst, unsigned src);
void bits_to_mask(struct selection *s, unsigned predicate, struct visa_operand bits);

/* `lanes` plain elements of `variable` from byte `offset` on. */
struct wide_operand wide_region(unsigned variable, enum visa_type type, int offset, unsigned lanes);
struct wide_operand wide_scalar(unsigned variable, enum visa_type type, int offset);
struct wide_operand wide_immediate(enum visa_type type, uint64_t bits);
static inline struct wide_operand wide_nothing(void)
{
    return (struct wide_operand){.kind = WIDE_NONE};
}
void wide_move(struct selection *s, unsigned lanes, struct wide_operand dst, struct wide_operand src);

/* ---- select_channels.c ---- */

/* A mask of channels as a predicate, in a block where not all channels are on. */
struct wide_operand channel_operand(struct selection *s, LLVMValueRef mask);

/* ---- select_control.c ---- */

/* Lanes would leave a loop of channels over an edge on which values are copied, which nothing there could do. */
bool leaving_copies(struct selection *s);

/* ---- ifcvt_workaround.c ---- */

/* After selection: short ways of questions as the finalizer can convert them. */
void mend_ways(struct visa_program *program, struct visa_kernel *out);

/* ---- indirect_src_workaround.c ---- */

/* After selection: no lanes with an address each that the finalizer reads as numbers with a sign. */
void mend_chosen_lanes(struct visa_kernel *out);

/* ---- constants.c ---- */

/* An immediate in a variable, for operands that cannot be immediates. One variable for all that ask for it where the first who
 * did has run. */
struct wide_operand scalar_constant(struct selection *s, struct wide_operand immediate);

/* A variable that holds the constant; nobody may write to it. */
unsigned constant_variable(struct selection *s, LLVMValueRef constant);
void forget_constants(struct selection *s); /* at the start of a block */

/* ---- address.c ---- */

/* The lanes `region` of variable `base` beyond run-time `offset` (i16, in bytes: one, or one for each lane). */
struct wide_operand address_operand(struct selection *s, unsigned base, LLVMTypeRef element, struct region region,
                                    LLVMValueRef offset);

/* Makes *out, otherwise complete, an operand through an address register: lanes [first, first + n) of `o`. */
void use_address(struct selection *s, const struct wide_operand *o, unsigned first, unsigned n, int displacement,
                 struct visa_operand *out);

/* Address registers hold nothing that is known; nothing that was computed from `variable`. */
void forget_addresses(struct selection *s);
void forget_addresses_of(struct selection *s, unsigned variable);

/* ---- select.c and its parts ---- */
unsigned file_of_scope(struct visa_program *program, LLVMMetadataRef scope);

unsigned new_variable(struct selection *s, enum visa_type type, unsigned elements, unsigned align, const char *comment);
unsigned new_predicate(struct selection *s, unsigned lanes);
struct visa_instruction *emit(struct selection *s, const struct visa_instruction *instruction);
void forget_same(struct selection *s); /* s->same[], where what holds anything may have changed */
bool select_fail(struct selection *s, LLVMValueRef at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The vISA type of an element; `sign`: 'S' or 'U' for integers. */
enum visa_type visa_type_of(LLVMTypeRef element, char sign);

unsigned value_variable(struct selection *s, LLVMValueRef value); /* where it lives; materializes constants */
unsigned mask_variable(struct selection *s, LLVMValueRef mask);   /* its first predicate */
unsigned mask_parts(unsigned lanes);

/* All predicates of a mask that is the same in every lane become its first one; false: it shares them with other masks. */
bool share_mask_parts(struct selection *s, LLVMValueRef mask);
struct wide_operand source(struct selection *s, LLVMValueRef value, char sign);
struct wide_operand destination(struct selection *s, LLVMValueRef value, char sign);
struct wide_operand mask_operand(struct selection *s, LLVMValueRef mask, unsigned lanes); /* one lane serves all `lanes` */
struct wide_operand combined_mask(struct selection *s,
                                  LLVMValueRef combination); /* any or all, inlined: for one lane */
/* The operand's absolute value: a modifier, or another immediate. */
void make_absolute(struct wide_operand *o);
struct wide_operand immediate_of(LLVMTypeRef element, uint64_t bits, char sign);

/* ---- kernel.c: where arguments lie ---- */
unsigned align_up(unsigned n, unsigned to);
/* Behind `from`: no argument crosses a register unless it fills whole ones. */
unsigned next_place(const struct selection *s, unsigned from, unsigned bytes, unsigned alignment);

void select_kernel_body(struct selection *s);
void select_subroutine_body(struct selection *s, struct callee *callee);
void select_stack_body(struct selection *s, struct callee *callee);

/* ---- select_call.c ---- */
struct callee *find_callee(struct selection *s, LLVMValueRef function); /* entered in its list when it is new */
unsigned global_variable(struct selection *s, unsigned global, LLVMTypeRef type); /* for all subroutines */
void free_callees(struct callees *all);
void bind_parameters(struct selection *s, struct callee *callee);  /* a subroutine's live where callers put them */
void copy_globals(struct selection *s, struct callee *callee);     /* but for globals that may not be changed in place */
void take_parameters(struct selection *s, struct callee *callee);  /* one on the stack copies them from there */
void move_lanes(struct selection *s, LLVMTypeRef type, struct place to, struct place from); /* a value, not a mask */
void move_value(struct selection *s, LLVMValueRef like, unsigned to, unsigned from); /* a whole value of that type */

/* ---- select_assembly.c ---- */
bool select_assembly(struct selection *s, LLVMValueRef i);        /* vISA text of the user's */
bool select_assembly_output(struct selection *s, LLVMValueRef i); /* one of several outputs, right behind it */

/* One selector per family; each returns false if the instruction is not its. */
bool select_arithmetic(struct selection *s, LLVMValueRef i, struct wide_operand dst, struct wide_operand predicate);
bool select_wide_integer(struct selection *s, LLVMValueRef i); /* 64-bit integers on parts without them */
/* mask: whether one lane is the constant `number`; false: the part compares such values itself */
bool select_equals_wide(struct selection *s, struct wide_operand mask, LLVMValueRef value, LLVMValueRef number);
bool select_mask(struct selection *s, LLVMValueRef i);         /* results in predicates */
bool select_region(struct selection *s, LLVMValueRef i);       /* rdregion, wrregion, extract, insert, shuffle */
bool select_image(struct selection *s, LLVMValueRef i);         /* texels: typed accesses, the sampler */
bool select_lsc(struct selection *s, LLVMValueRef i);           /* the load/store cache */
bool select_matrix(struct selection *s, LLVMValueRef i);        /* dpas */
bool select_group(struct selection *s, LLVMValueRef i);         /* dp4, sad2, line ... */
bool select_send(struct selection *s, LLVMValueRef i);          /* messages by their descriptors */
bool select_message(struct selection *s, LLVMValueRef i);      /* memory, barrier, fence, thread ids */
bool select_call(struct selection *s, LLVMValueRef i);         /* calls of functions, their results */
bool select_control(struct selection *s, LLVMValueRef i, unsigned block);
void find_empty_blocks(struct selection *s); /* fills leads_to */

/* A message payload: makes the variable start at a register. */
struct visa_operand raw_operand(struct selection *s, unsigned variable, int offset);
/* A value as a payload. A read of whole registers is those registers, a reply that lands in a vector the vector's. */
struct visa_operand payload_value(struct selection *s, LLVMValueRef value);
/* The reply of message `i`, whose lanes are switched by `mask`: lanes that are off have their old value before it. */
void keep_old_lanes(struct selection *s, LLVMValueRef i, LLVMValueRef mask);
/* A scalar of a message: an immediate or one lane, as unsigned number. */
struct visa_operand message_scalar(struct selection *s, LLVMValueRef value);
/* A surface variable with the surface's binding table index; kernel parameters are constants. */
struct visa_operand message_surface(struct selection *s, LLVMValueRef handle);
/* Whether bale.c decided that arithmetic `value` writes its region itself. */
bool is_writer(struct selection *s, LLVMValueRef value);
bool is_landing(struct selection *s, LLVMValueRef value); /* a message whose reply arrives where a region write puts it */
unsigned local_ids_variable(struct selection *s);

struct visa_operand general_operand(const struct wide_operand *o); /* one lane */

#endif
