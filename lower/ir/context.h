/* Caches of what the middle end asks LLVM for again and again, by the addresses of functions, types and constants.
 *
 * Each function of the interface (lower_to_genx, lower_to_visa ...) has a context of its own from ir_context_enter()
 * to ir_context_leave(): no cache outlives the module that it is about, modules may be compiled in turns, one inside
 * the other, and in several threads. ir_context, the current one of the thread, is the only mutable variable of the
 * middle end. */
#ifndef CMKIT_LOWER_IR_CONTEXT_H
#define CMKIT_LOWER_IR_CONTEXT_H

#include <stdint.h>
#include <llvm-c/Core.h>
#include "lower/ir/intrinsic_ids.h"
#include "lower/ir/options.h"
#include "lower/ir/pointer_map.h"

enum {
    KNOWN_FUNCTIONS = 1024,
    MADE_FUNCTIONS = 256,
    KNOWN_TYPES = 256,
    SMALL_NUMBERS = 2048,
    SMALL_PAGE = 128,
    REGION_OPERANDS = 4,
    KNOWN_REGIONS = 256
};

/* Which intrinsic or builtin a function is. */
struct ir_known_function {
    LLVMValueRef function;
    uint16_t genx, builtin; /* enum genx_id, enum builtin_id */
    unsigned epoch;         /* of the context when this was found; it is forgotten in another one */
};

/* An intrinsic's declaration, by the types of a call of it. */
struct ir_made_function {
    LLVMValueRef function;
    LLVMTypeRef type, types[GENX_MOST_OPERANDS + 1]; /* the result's, the operands' */
    LLVMModuleRef module;
    enum genx_id id;
    unsigned count; /* of operands */
};

struct ir_known_type {
    LLVMTypeRef type, element; /* of a vector; a scalar itself */
    unsigned lanes, bits;      /* a scalar is one lane; bits of an element, of pointers 64 */
    bool is_float;             /* half, float, double elements */
};

/* Constants 0, 1, 2 ... of one integer type: operands of regions. */
struct ir_small_numbers {
    LLVMTypeRef type;
    LLVMValueRef *pages[SMALL_NUMBERS / SMALL_PAGE]; /* NULL: none of its numbers was asked for */
};

/* The lanes of constant vectors: LLVM-C has to find or make a constant for each lane that is read. */
struct constant_lanes {
    struct constant_lane *lanes; /* of all vectors */
    size_t count, capacity;
    struct pointer_map first; /* of a vector in lanes[] */
    LLVMValueRef last;        /* the vector that was asked for last */
    size_t last_first;
};

/* A region by the constants that describe it. */
struct ir_known_region {
    LLVMValueRef operands[REGION_OPERANDS];
    int vstride, width, hstride, offset;
};

struct ir_context {
    const struct lower_options *options; /* NULL: the function of the interface has none */
    unsigned epoch;                      /* ir_forget_functions() begins another */
    struct ir_known_function functions[KNOWN_FUNCTIONS];
    struct ir_made_function *made_functions; /* MADE_FUNCTIONS of them, not cleared */
    unsigned made_epochs[MADE_FUNCTIONS];    /* when each was made, as above */
    struct ir_known_type types[KNOWN_TYPES];
    struct ir_small_numbers words, dwords;
    struct constant_lanes constants;
    struct ir_known_region regions[KNOWN_REGIONS];
    unsigned memory_kind, nounwind_kind, willreturn_kind, convergent_kind; /* LLVM's numbers of attributes */
};

extern _Thread_local struct ir_context *ir_context;

/* Makes a new context the current one and returns the one before, which ir_context_leave() makes current again. */
struct ir_context *ir_context_enter(const struct lower_options *options);
void ir_context_leave(struct ir_context *before);

void ir_forget_numbers(struct ir_small_numbers *small);

#endif
