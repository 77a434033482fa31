/* Conveniences over LLVM-C that every pass uses: types as lanes, genx intrinsics and CM builtins by number, errors at a
 * source position. */
#ifndef CMKIT_LOWER_IR_IR_H
#define CMKIT_LOWER_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <llvm-c/Core.h>
#include "lower/ir/context.h"
#include "lower/ir/intrinsic_ids.h"
#include "lower/ir/pointer_map.h"
#include "tables/platforms.h"

struct builtin_row {
    const char *name, *operands;
    char result;
    int mask;
    enum feature_id feature; /* see builtins.def */
    size_t length;           /* of the name */
};
extern const struct builtin_row builtin_table[BUILTIN_COUNT];

/* The binding table index of shared local memory (docs/compiler/abi.md). */
enum { SHARED_LOCAL_MEMORY = 254 };

/* The intrinsic or builtin that a function is, by its name. Passes ask for every call, often more than once: see
 * context.h. */
const struct ir_known_function *ir_find_known_function(LLVMValueRef function);
#define KNOWN_FUNCTION_SLOT(FUNCTION)                                                                                  \
    (((uintptr_t)(FUNCTION) >> 3) * 0x9e3779b97f4a7c15ull >> 32 & (KNOWN_FUNCTIONS - 1))

static inline const struct ir_known_function *known_function_of(LLVMValueRef function)
{
    size_t home = KNOWN_FUNCTION_SLOT(function);
    for (size_t k = 0; k < 2; k++) { /* the second, because two hot functions may have one home */
        const struct ir_known_function *known = &ir_context->functions[(home + k) % KNOWN_FUNCTIONS];
        if (known->function == function && known->epoch == ir_context->epoch)
            return known;
    }
    return ir_find_known_function(function);
}

/* Returns the intrinsic or builtin that a call calls; NONE for anything else, including values that are not calls. */
static inline enum genx_id genx_call_id(LLVMValueRef value)
{
    return LLVMIsACallInst(value) ? known_function_of(LLVMGetCalledValue(value))->genx : GENX_NONE;
}
enum builtin_id builtin_call_id(LLVMValueRef value);

/* Saturating integer conversions (sstrunc.sat ...): the sign of the result, then of the operand. */
static inline bool is_saturation(enum genx_id id)
{
    return id == GENX_SSTRUNC_SAT || id == GENX_SUTRUNC_SAT || id == GENX_USTRUNC_SAT || id == GENX_UUTRUNC_SAT;
}
static inline bool saturates_signed(enum genx_id id) /* its operand has a sign */
{
    return id == GENX_SSTRUNC_SAT || id == GENX_USTRUNC_SAT;
}
static inline bool saturates_to_signed(enum genx_id id)
{
    return id == GENX_SSTRUNC_SAT || id == GENX_SUTRUNC_SAT;
}
enum builtin_id builtin_of_function(LLVMValueRef function);

/* Clears what is cached of functions by their addresses: to be called after one may have been deleted. */
void ir_forget_functions(void);

bool ir_is_named(LLVMValueRef value, const char *prefix); /* its name has this prefix */
/* True for a call of a function whose name has this prefix; not for llvm.genx.*. */
bool ir_calls_named(LLVMValueRef value, const char *prefix);
/* True if the module has such calls. A pass that handles nothing else checks this first. */
bool ir_module_calls(LLVMModuleRef module, const char *prefix);
const char *genx_name(enum genx_id id); /* without "llvm.genx." */
char genx_effect(enum genx_id id);      /* EFFECT of genx_intrinsics.def */

/* KIND of genx_intrinsics.def: properties of an intrinsic. */
enum genx_kind {
    KIND_ALU = 'A',
    KIND_BUFFER = 'B',
    KIND_BUFFER_ATOMIC = 'D',
    KIND_FLAT_ATOMIC = 'F',
    KIND_TYPED_ATOMIC = 'T',
    KIND_BLOCK_READ = 'R',
    KIND_TRANSPOSED_READ = 'L',
    KIND_GROUP_ID = 'G'
};
bool genx_is(enum genx_id id, enum genx_kind kind);
int genx_old_operand(enum genx_id id);  /* OLD there; -1: none */
int genx_mask_operand(enum genx_id id); /* MASK there; -1: none */

bool genx_is_payload(LLVMValueRef user, unsigned operand); /* true if column WHOLE says that `user` reads the operand as
                                                            * whole registers */

enum { GENX_NAME_SIZE = 224 }; /* of an intrinsic with its type suffixes */

/* Builds a call of intrinsic `id` before the builder's position, and declares it with its overload suffixes. */
LLVMValueRef genx_build(LLVMBuilderRef builder, LLVMModuleRef module, enum genx_id id, LLVMTypeRef result,
                        LLVMValueRef *operands, unsigned count);

/* Lanes and element of a type. Passes ask for nearly every value: see context.h. */
const struct ir_known_type *type_describe(LLVMTypeRef type, struct ir_known_type *known);

static inline const struct ir_known_type *known_type_of(LLVMTypeRef type)
{
    struct ir_known_type *known = &ir_context->types[((uintptr_t)type >> 3 ^ (uintptr_t)type >> 11) % KNOWN_TYPES];
    return known->type == type ? known : type_describe(type, known);
}

static inline unsigned type_lanes(LLVMTypeRef type)
{
    return known_type_of(type)->lanes;
}
static inline LLVMTypeRef type_element(LLVMTypeRef type)
{
    return known_type_of(type)->element;
}
static inline unsigned type_element_bits(LLVMTypeRef type)
{
    return known_type_of(type)->bits;
}
static inline unsigned type_element_bytes(LLVMTypeRef type)
{
    return (known_type_of(type)->bits + 7) / 8;
}
static inline bool type_is_float(LLVMTypeRef type)
{
    return known_type_of(type)->is_float;
}
static inline bool type_is_mask(LLVMTypeRef type) /* i1 elements */
{
    return known_type_of(type)->bits == 1;
}
/* True for pointers to global memory: the spaces that OpenCL calls private (0, pointers that are not variables), global
 * (1), constant (2) and generic (4) hold the same addresses there. */
static inline bool type_is_global_address(LLVMTypeRef pointer)
{
    enum { CONSTANT = 2, GENERIC = 4 };
    unsigned space = LLVMGetPointerAddressSpace(pointer);
    return space <= CONSTANT || space == GENERIC;
}
LLVMTypeRef type_with_lanes(LLVMTypeRef element, unsigned lanes); /* always a vector */
LLVMTypeRef type_like(LLVMTypeRef shape, LLVMTypeRef element); /* with the lanes of `shape`; a scalar like a scalar */

/* The largest operand of one instruction in bytes: two registers of 32 bytes. */
enum { INSTRUCTION_BYTES = 64 };
unsigned ir_instructions_for(unsigned bytes);

/* True if lane k of the result depends on lane k of the operands only (and on a select's condition). */
bool ir_is_lane_wise(LLVMValueRef i);

/* True for llvm.smin, smax, umin and umax, which are lane-wise too. *first: the predicate with which the first operand
 * compares to the second if it is the result. */
bool ir_is_extreme(LLVMValueRef i, LLVMIntPredicate *first);

/* True for the smaller (*least) or larger of two signed numbers, of llvm.smin and smax or of llvm.genx.smin and smax.
 */
bool ir_is_signed_extreme(LLVMValueRef i, bool *least);

/* Returns the size of a type in memory, arrays and structs included, in the layout of private variables. */
unsigned type_bytes(LLVMModuleRef module, LLVMTypeRef type);

/* Bits of lane `lane` of a constant (integer, float, splat, data vector); undefined and poison lanes are 0 and set
 * *undefined. False if `value` is not a constant of known bits. */
bool constant_lane(LLVMValueRef value, unsigned lane, uint64_t *bits, bool *undefined);

/* Reads lanes 0..lanes-1 of a constant of words as signed numbers, plus `add`; undefined lanes are `nowhere`. False: a
 * lane is not known. */
bool constant_words(LLVMValueRef constant, unsigned lanes, int64_t add, int nowhere, int *out);

/* Returns the bits of a splat (undefined lanes are ignored); false if lanes differ. */
bool constant_splat_bits(LLVMValueRef constant, uint64_t *bits);

/* True for a constant mask whose lanes are all set or undefined. */
bool constant_mask_is_full(LLVMValueRef mask);
bool constant_int(LLVMValueRef value, int64_t *number);      /* scalar integer constant, sign-extended */
int constant_of(LLVMValueRef instruction, unsigned operand); /* its low 32 bits; 0: it is no constant */
LLVMValueRef constant_i16(LLVMModuleRef module, int64_t number);
LLVMValueRef constant_i32(LLVMModuleRef module, int64_t number);
LLVMValueRef constant_number(LLVMTypeRef type, int64_t number);     /* an integer, in every lane */
LLVMValueRef constant_splat(LLVMTypeRef type, LLVMValueRef scalar); /* every lane; of a scalar type, `scalar` itself */
LLVMValueRef ir_build_splat(LLVMBuilderRef builder, LLVMValueRef number, unsigned lanes); /* a number, in every lane */
bool ir_is_splat_shuffle(LLVMValueRef shuffle); /* lane 0 of its first operand does */

/* Returns lane 0 of a vector whose other lanes are undefined, or of a constant; NULL: it is neither. */
LLVMValueRef ir_only_lane(LLVMValueRef vector);
LLVMValueRef constant_splat_number(
    LLVMValueRef value); /* the number that is in every lane of a vector, as a constant or by a splat; or NULL */
bool constant_in_lanes(LLVMValueRef value, uint64_t *number); /* an integer of up to 64 bits, in every lane */
bool ir_has_one_use(LLVMValueRef value);
bool ir_is_run(LLVMValueRef shuffle, unsigned *first); /* its lanes are consecutive lanes of its first operand, from
                                                        * *first on */
bool ir_is_unsigned_order(LLVMIntPredicate predicate); /* more or less, of numbers without sign */

/* Returns the function of the CM headers that the user's source calls at `at`, such as "cm_load", for messages;
 * `otherwise` if there is none. The text is stored in *called. */
struct ir_called {
    char name[64];
};
const char *lower_called(LLVMValueRef at, const char *otherwise, struct ir_called *called);

/* Returns the call site in the user's source: the innermost inlined-at location outside the CM headers. */
LLVMMetadataRef ir_user_location(LLVMMetadataRef location);

/* True if a source position is in the CM headers. */
bool lower_is_in_headers(LLVMMetadataRef location);

/* Returns the first instruction with a known position, for errors about the whole function; NULL: there is none. */
LLVMValueRef function_start(LLVMValueRef function);

/* Prints `file:line:column: error: ...` to standard error; `cmc: error: ...` if neither the instruction nor one near it
 * has a position. Returns false. */
bool lower_error(LLVMValueRef at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs an LLVM pass pipeline given as text; false after printing LLVM's message. */
bool ir_run_llvm_passes(LLVMModuleRef module, const char *pipeline);

#define FOR_EACH_FUNCTION(f, module) for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define FOR_EACH_BLOCK(b, function)                                                                                    \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
#define FOR_EACH_INSTRUCTION(i, block)                                                                                 \
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
/* Like FOR_EACH_INSTRUCTION; the body may erase `i`, or insert instructions before and after it, which are not
 * visited. */
#define FOR_EACH_REMOVABLE(i, block)                                                                                   \
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), i##_next = i ? LLVMGetNextInstruction(i) : NULL; i;          \
         i = i##_next, i##_next = i ? LLVMGetNextInstruction(i) : NULL)

/* IGC's attribute of a kernel: how many named barriers it has. */
#define IR_NAMED_BARRIERS "VCNamedBarrierCount"
unsigned ir_named_barriers(LLVMValueRef kernel);
bool function_is_kernel(LLVMValueRef function);

/* A string attribute of a function or (index > 0) parameter; NULL if absent. Not NUL-terminated by LLVM: copied into
 * `buffer`. */
const char *ir_string_attribute(LLVMValueRef function, unsigned index, const char *name, char *buffer, size_t size);

/* Grows an array of `*count` elements by one; ends the process when out of memory. */
#define ARRAY_PUSH(array, count, capacity, value)                                                                      \
    do {                                                                                                               \
        if ((count) == (capacity)) {                                                                                   \
            (capacity) = (capacity) ? 2 * (capacity) : 16;                                                             \
            (array) = ir_realloc((array), (capacity) * sizeof *(array));                                               \
        }                                                                                                              \
        (array)[(count)++] = (value);                                                                                  \
    } while (0)

void *ir_realloc(void *old, size_t bytes);
void *ir_calloc(size_t count, size_t size);

#endif
