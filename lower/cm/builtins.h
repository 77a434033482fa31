/* Declares what the files that lower builtins share: the current call, and helpers to read its operands and build
 * calls. Each `lower_NAME` builds builtin NAME before the call and returns its value, NULL after an error. */
#ifndef CMKIT_LOWER_CM_BUILTINS_H
#define CMKIT_LOWER_CM_BUILTINS_H

#include "lower/ir/ir.h"

struct call {
    LLVMModuleRef module;
    const struct platform *platform;
    LLVMBuilderRef builder;
    LLVMValueRef instruction;
    LLVMTypeRef result;
    enum genx_id intrinsic; /* of the builtin's row */
};

static inline LLVMValueRef operand(const struct call *c, unsigned i)
{
    return LLVMGetOperand(c->instruction, i);
}

static inline LLVMTypeRef int_type(const struct call *c, unsigned bits)
{
    return LLVMIntTypeInContext(LLVMGetModuleContext(c->module), bits);
}

static inline LLVMValueRef build(const struct call *c, enum genx_id id, LLVMTypeRef result, LLVMValueRef *operands,
                                 unsigned count)
{
    return genx_build(c->builder, c->module, id, result, operands, count);
}

/* Converts an <N x u16> mask to <N x i1>: non-zero lanes are set. */
static inline LLVMValueRef mask_bits(const struct call *c, LLVMValueRef mask)
{
    return LLVMBuildICmp(c->builder, LLVMIntNE, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
}

/* Returns a constant operand, which headers pass as a template argument or literal. */
static inline unsigned constant_operand(const struct call *c, unsigned i)
{
    int64_t number = 0;
    constant_int(operand(c, i), &number);
    return (unsigned)number;
}

/* Returns the number of data operands of atomic operation `op` (tables/visa_atomics.def); -1 after an error: no such
 * operation. */
int atomic_source_count(const struct call *c, unsigned op);

/* lane_width.c: messages transfer bytes and words in the low part of a dword per lane. */
unsigned log2_of(unsigned n); /* rounded down */
LLVMValueRef widen_lanes(const struct call *c, LLVMValueRef value);
LLVMValueRef narrow_lanes(const struct call *c, LLVMValueRef value, LLVMTypeRef type);

/* builtins_float.c */
LLVMValueRef lower_bf_round(const struct call *c);
LLVMValueRef lower_bf_widen(const struct call *c);
LLVMValueRef lower_tf32_round(const struct call *c);

/* builtins_send.c */
LLVMValueRef lower_raw_send(const struct call *c);
LLVMValueRef lower_raw_send_only(const struct call *c);
LLVMValueRef lower_raw_sends(const struct call *c);
LLVMValueRef lower_raw_sends_only(const struct call *c);
LLVMValueRef lower_event(const struct call *c);

/* builtins_lsc.c */
LLVMValueRef lower_lsc_atomic(const struct call *c);
LLVMValueRef lower_lsc_atomic_flat(const struct call *c);
LLVMValueRef lower_lsc_load_2d(const struct call *c);
LLVMValueRef lower_lsc_store_2d(const struct call *c);
LLVMValueRef lower_lsc_prefetch_2d(const struct call *c);

/* builtins_image.c */
LLVMValueRef lower_typed_read(const struct call *c);
LLVMValueRef lower_typed_write(const struct call *c);
LLVMValueRef lower_typed_atomic(const struct call *c);
LLVMValueRef lower_sample(const struct call *c);
LLVMValueRef lower_load_texel(const struct call *c);

#endif
