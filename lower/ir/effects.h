/* Decides which instructions have side effects, and deletes unused ones that have none (trivial DCE). */
#ifndef CMKIT_LOWER_IR_EFFECTS_H
#define CMKIT_LOWER_IR_EFFECTS_H

#include "lower/ir/ir.h"

/* EFFECT_NONE: the result depends on the operands only. EFFECT_READS: also on memory. EFFECT_WRITES: anything else,
 * such as a call that may not return, or a volatile load. */
enum ir_effect { EFFECT_NONE, EFFECT_READS, EFFECT_WRITES };

/* `op` is the instruction's opcode. A branch has no effect here. */
enum ir_effect ir_effect_of(LLVMValueRef i, LLVMOpcode op);

/* True if `i` may be deleted when its value is unused. */
bool ir_is_without_effect(LLVMValueRef i);

/* Deletes instructions without effect whose values are unused, last block first, so that chains go in one walk. */
void ir_remove_unused(LLVMValueRef function);

#endif
