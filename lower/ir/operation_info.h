/* Classifies LLVM instructions by the vISA operation that they become: arithmetic (ALU), message, matrix product.
 * Example: `call <8 x i32> @llvm.smin.v8i32(...)` is an ALU call of VISA_OP_MIN on signed sources.
 * Nothing here depends on the state of baling or selection; what does is in codegen/bale/bale.h. */
#ifndef CMKIT_LOWER_IR_OPERATION_INFO_H
#define CMKIT_LOWER_IR_OPERATION_INFO_H

#include "lower/ir/ir.h"
#include "visa_emit/visa.h"

/* SELECT of genx_intrinsics.def: how instruction selection treats an intrinsic. */
enum genx_select_class {
    SELECT_region,
    SELECT_reduce,
    SELECT_convert,
    SELECT_alu_s,
    SELECT_alu_u,
    SELECT_alu_f,
    SELECT_dot,
    SELECT_group,
    SELECT_matrix,
    SELECT_message,
    SELECT_image,
    SELECT_lsc,
    SELECT_send,
    SELECT_thread,
    SELECT_sync,
    SELECT_COUNT
};
enum genx_select_class genx_select_class(enum genx_id id);
enum visa_opcode genx_operation(enum genx_id id); /* OP of genx_intrinsics.def */

/* One of LLVM's own functions that is one vISA operation on every lane, such as llvm.smin. */
struct ir_llvm_function {
    const char *prefix; /* its name without the types: "llvm.smin." */
    enum visa_opcode op;
    char sign; /* of the sources: 'S', 'U', 'F' */
    unsigned operands, modifier;
};
const struct ir_llvm_function *ir_llvm_function_of(LLVMValueRef call); /* NULL: not a call of one */

/* ---- arithmetic ---- */

/* True for calls of llvm.* and llvm.genx.* that compute lane by lane. */
bool ir_is_alu_call(LLVMValueRef call);

/* True if the operation may be predicated. min, max and sel are not: they use the predicate or condition themselves. */
bool ir_takes_predicate(LLVMValueRef operation);

/* True if integer `value` may have wrapped around: a sum, product, left shift or truncation, seen through `depth`
 * moves. The finalizer may use the unwrapped result of such an operation in a saturating or absolute move. */
bool ir_may_have_wrapped(LLVMValueRef value, unsigned depth);

/* True for a saturating conversion of a value that may have wrapped. */
bool ir_saturates_wrapped(LLVMValueRef conversion);
/* True if it is also of dwords, words or bytes: it is selected as min or max, not as a saturating move. */
bool ir_is_limited(LLVMValueRef conversion);

/* True for the bitwise complement of words or dwords that an operand with the modifier ~ can be: not of lanes that are
 * extended or chosen at run time. */
bool ir_is_complement(LLVMValueRef i);

/* True for bytes that are extended to wider integers. */
bool ir_extends_bytes(LLVMValueRef value);

/* True if `user`, of an extended number, truncates it to the number's element type `narrow`, or to a narrower one. */
bool ir_undoes_extension(LLVMValueRef user, LLVMTypeRef narrow);

/* The number as `type`, which is its own type or a narrower one. */
LLVMValueRef ir_truncated(LLVMBuilderRef builder, LLVMValueRef number, LLVMTypeRef type);

/* True if the finalizer may swap the operation's two sources. */
bool ir_exchanges_sources(enum visa_opcode op);

/* True if the platform computes `i`, which has 64-bit integers, with one instruction; products never. */
bool ir_has_int64_operation(const struct platform *platform, LLVMValueRef i);

/* ---- moves and regions ---- */

/* The operand whose bits `i` returns unchanged (bitcast, freeze, ptrtoint, vectors of one lane); NULL: `i` is something
 * else. */
LLVMValueRef ir_renamed_operand(LLVMValueRef i);

/* True for a region read whose offset is not constant: it needs indirect addressing. */
bool ir_is_indirect_read(LLVMValueRef value);

/* True for an i16 offset that is `x + constant`, the same constant in all lanes. The constant becomes the immediate of
 * the indirect operand: r[a0.0, constant]. */
bool ir_is_displaced(LLVMValueRef offset);

/* The value that `user` overwrites in part, as the first operand of wrregion and insertelement, or the old value of a
 * gather. NULL if there is none or it is undefined. */
LLVMValueRef ir_partly_overwritten(LLVMValueRef user);

/* ---- messages ---- */

bool ir_is_atomic(LLVMValueRef value); /* atomic operation on a surface or on addresses */

/* Lanes of one atomic message: 16 for surfaces, 8 for addresses. */
unsigned ir_atomic_lanes(LLVMValueRef atomic);

/* True for an atomic of one message. With two, the second would read operands that the reply of the first has
 * overwritten. */
bool ir_is_one_atomic(LLVMValueRef value);

/* True if operand `operand` of a message is its execution mask, whose lanes may start at any channel. */
bool ir_has_channel_mask(LLVMValueRef message, unsigned operand);

/* True for messages whose reply fills whole registers. */
bool ir_is_block_read(LLVMValueRef value);

/* True for load/store cache (LSC) accesses that transfer one transposed block. */
bool ir_is_lsc_block(LLVMValueRef access);
bool ir_is_lsc_block_read(LLVMValueRef value);

/* True for an LSC load by lanes that is one message. */
bool ir_is_lsc_gather(LLVMValueRef value);

/* True for dpas and dpasw, whose first three operands are MATRIX_SUM, MATRIX_COLUMNS, MATRIX_ROWS. */
bool ir_is_matrix_product(LLVMValueRef i);
enum { MATRIX_SUM, MATRIX_COLUMNS, MATRIX_ROWS };

#endif
