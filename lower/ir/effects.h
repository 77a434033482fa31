/* Decides which instructions have side effects, and deletes unused ones that have none (trivial DCE). */
#ifndef CMKIT_LOWER_IR_EFFECTS_H
#define CMKIT_LOWER_IR_EFFECTS_H

#include "lower/ir/ir.h"

/* True if a call writes nothing, always returns, and reads memory only where `may_read`. */
bool ir_call_has_no_effect(LLVMValueRef call, bool may_read);

/* True if `i` may be deleted when its value is unused. */
bool ir_is_without_effect(LLVMValueRef i);

/* Deletes instructions without effect whose values are unused, last block first, so that chains go in one walk. */
void ir_remove_unused(LLVMValueRef function);

#endif
