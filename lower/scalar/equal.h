/* Instructions that compute the same of the same operands. */
#ifndef CMKIT_LOWER_SCALAR_EQUAL_H
#define CMKIT_LOWER_SCALAR_EQUAL_H

#include "lower/ir/ir.h"

enum { SCALAR_MOST_OPERANDS = 24 }; /* of instructions that are compared */

bool scalar_is_commutative(LLVMValueRef i, LLVMOpcode op);
/* Returns facts that are not operands: a comparison's predicate, a GEP's element type, the index of an extractvalue. */
uint64_t scalar_other_facts(LLVMValueRef i, LLVMOpcode op);

/* True if `a` computes what `b`, of opcode `op`, would compute of these operands; not for loads and stores, whose
 * further facts are not compared. */
bool scalar_is_equal(LLVMValueRef a, LLVMValueRef b, LLVMOpcode op, LLVMValueRef *operands, unsigned count);

/* Keeps only the flags (nuw, nsw, fast-math ...) that both equal values have. */
void scalar_keep_common_promises(LLVMValueRef kept, LLVMValueRef other);

#endif
