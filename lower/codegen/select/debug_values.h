/* Notes for debuggers which vISA variables have the values of source variables, in optimized code (cmc -O2 -g). */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_DEBUG_VALUES_H
#define CMKIT_LOWER_CODEGEN_SELECT_DEBUG_VALUES_H

#include "lower/codegen/emit/selection.h"

/* Takes the debug records (lower/debug/watch_values.c) out of the module, and the states of its lines. NULL: there are
 * none. */
struct select_debug *select_debug_take(LLVMModuleRef module, struct visa_program *program);
void select_debug_free(struct select_debug *values);

/* Returns the number of the line state of a debug location in the program's `states`; 0: there is none. */
unsigned select_debug_state(struct selection *s, LLVMMetadataRef location);

/* To be called once the function's values have variables or are baled: gives those numbers that records name. */
void select_debug_number_values(struct selection *s);

/* To be called behind a block's label, in front of an instruction, and behind the code of one. They attach marks to the
 * last vISA instruction. */
void select_debug_begin_block(struct selection *s, unsigned block);
void select_debug_assign(struct selection *s, LLVMValueRef instruction);
void select_debug_define(struct selection *s, LLVMValueRef instruction);

#endif
