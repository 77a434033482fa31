/* Builds operands of messages: payloads are whole registers, scalars go into the descriptor or header, surfaces are
 * state variables. */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_MESSAGE_OPERANDS_H
#define CMKIT_LOWER_CODEGEN_SELECT_MESSAGE_OPERANDS_H

#include "lower/codegen/emit/selection.h"

/* Returns a value as payload. A baled read of whole registers is these registers; a reply that is written into a vector
 * goes there. */
struct visa_operand select_payload_value(struct selection *s, LLVMValueRef value);
/* The same from byte `bytes` on. */
struct visa_operand select_payload_from(struct selection *s, LLVMValueRef value, unsigned bytes);
/* Emits a message for the lanes of a mask. In a goto loop the mask may be a subset of the enabled channels. */
void select_emit_masked(struct selection *s, const struct visa_instruction *message, LLVMValueRef mask);
/* Copies the old value to the reply of message `i` before it: inactive lanes of `mask` keep it. */
void select_keep_old_lanes(struct selection *s, LLVMValueRef i, LLVMValueRef mask);
/* A scalar of a message: an immediate or one lane, as unsigned number. */
struct visa_operand select_message_scalar(struct selection *s, LLVMValueRef value);
/* A surface variable with the surface's binding table index; kernel parameters are constants. */
struct visa_operand select_message_surface(struct selection *s, LLVMValueRef handle);
/* Writes the variable again, before a further message to a surface of which the index is known; NULL: there is none. It
 * costs no instruction: docs/compiler/abi.md, "Faults of the finalizer". */
void select_message_surface_again(struct selection *s, LLVMValueRef handle);
/* select_lsc.c: sets the surface of a message to the load/store cache: the binding table index of a kernel argument, or
 * a variable with a run-time index. */
void select_lsc_surface(struct selection *s, LLVMValueRef handle, struct visa_instruction *m);
/* The same as extended descriptor, for messages with explicit descriptors. */
struct visa_operand select_lsc_descriptor(struct selection *s, LLVMValueRef handle);

#endif
