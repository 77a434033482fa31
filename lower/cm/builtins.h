/* Declares what the files that lower builtins share: the current call, and helpers to read its operands and build
 * calls. Each `cm_lower_NAME` builds builtin NAME before the call and returns its value, NULL after an error. */
#ifndef CMKIT_LOWER_CM_BUILTINS_H
#define CMKIT_LOWER_CM_BUILTINS_H

#include "lower/ir/ir.h"

struct cm_call {
    LLVMModuleRef module;
    const struct platform *platform;
    LLVMBuilderRef builder;
    LLVMValueRef instruction;
    LLVMTypeRef result;
    enum genx_id intrinsic; /* of the builtin's row */
};

static inline LLVMValueRef operand(const struct cm_call *c, unsigned i)
{
    return LLVMGetOperand(c->instruction, i);
}

static inline LLVMTypeRef int_type(const struct cm_call *c, unsigned bits)
{
    return LLVMIntTypeInContext(LLVMGetModuleContext(c->module), bits);
}

static inline LLVMValueRef build(const struct cm_call *c, enum genx_id id, LLVMTypeRef result, LLVMValueRef *operands,
                                 unsigned count)
{
    return genx_build(c->builder, c->module, id, result, operands, count);
}

/* Converts an <N x u16> mask to <N x i1>: non-zero lanes are set. */
static inline LLVMValueRef mask_bits(const struct cm_call *c, LLVMValueRef mask)
{
    return LLVMBuildICmp(c->builder, LLVMIntNE, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
}

/* Returns a constant operand, which headers pass as a template argument or literal. */
static inline unsigned constant_operand(const struct cm_call *c, unsigned i)
{
    int64_t number = 0;
    constant_int(operand(c, i), &number);
    return (unsigned)number;
}

/* Returns the number of data operands of atomic operation `op` (tables/visa_atomics.def); -1 after an error: no such
 * operation. */
int cm_atomic_source_count(const struct cm_call *c, unsigned op);

/* lane_width.c: messages transfer bytes and words in the low part of a dword per lane. */
unsigned cm_log2(unsigned n); /* rounded down */
LLVMValueRef cm_widen_lanes(const struct cm_call *c, LLVMValueRef value);
LLVMValueRef cm_narrow_lanes(const struct cm_call *c, LLVMValueRef value, LLVMTypeRef type);

/* builtins_float.c */
LLVMValueRef cm_lower_bf_round(const struct cm_call *c);
LLVMValueRef cm_lower_bf_widen(const struct cm_call *c);
LLVMValueRef cm_lower_tf32_round(const struct cm_call *c);

/* builtins_send.c */
LLVMValueRef cm_lower_raw_send(const struct cm_call *c);
LLVMValueRef cm_lower_raw_send_only(const struct cm_call *c);
LLVMValueRef cm_lower_raw_sends(const struct cm_call *c);
LLVMValueRef cm_lower_raw_sends_only(const struct cm_call *c);
LLVMValueRef cm_lower_event(const struct cm_call *c);
LLVMValueRef cm_lower_nbarrier_signal(const struct cm_call *c);

/* builtins_lsc.c */

/* An atomic operation of the load/store cache. */
struct cm_lsc_atomic {
    unsigned operation;           /* tables/lsc_atomics.def */
    unsigned hints, size;         /* of level 1 and, from bit 4 on, level 3; the message's code of an element's size */
    LLVMValueRef mask, addresses; /* bits; byte offsets, or addresses */
    LLVMValueRef sources[2], surface; /* NULL: none */
    enum genx_id intrinsic;           /* unless the surface is shared local memory */
};
LLVMValueRef cm_build_lsc_atomic(const struct cm_call *c, const struct cm_lsc_atomic *a, LLVMTypeRef result);
LLVMValueRef cm_lower_lsc_atomic(const struct cm_call *c);
LLVMValueRef cm_lower_lsc_atomic_flat(const struct cm_call *c);
LLVMValueRef cm_lower_lsc_load_2d(const struct cm_call *c);
LLVMValueRef cm_lower_lsc_store_2d(const struct cm_call *c);
LLVMValueRef cm_lower_lsc_prefetch_2d(const struct cm_call *c);

/* builtins_print.c */
LLVMValueRef cm_lower_print(const struct cm_call *c);

/* builtins_image.c */
LLVMValueRef cm_lower_typed_read(const struct cm_call *c);
LLVMValueRef cm_lower_typed_write(const struct cm_call *c);
LLVMValueRef cm_lower_typed_prefetch(const struct cm_call *c);
LLVMValueRef cm_lower_typed_atomic(const struct cm_call *c);
LLVMValueRef cm_lower_sample(const struct cm_call *c);
LLVMValueRef cm_lower_load_texel(const struct cm_call *c);
LLVMValueRef cm_lower_media_read(const struct cm_call *c);
LLVMValueRef cm_lower_media_write(const struct cm_call *c);

#endif
