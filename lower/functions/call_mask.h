/* The lanes that are on where a function is called (call_mask.c). */
#ifndef CMKIT_LOWER_FUNCTIONS_CALL_MASK_H
#define CMKIT_LOWER_FUNCTIONS_CALL_MASK_H

#include "lower/ir/ir.h"

/* Lanes of the mask that `function` takes; 0: it takes none. */
unsigned call_mask_lanes(LLVMValueRef function);

/* `call` stands in SIMD control flow over `lanes` lanes: the function takes a mask. False after an error: it takes
 * another. */
bool call_mask_ask(LLVMValueRef call, unsigned lanes, bool *changed);

/* Gives the functions that were asked their parameter; their calls pass all lanes. */
void call_mask_add_parameters(LLVMModuleRef module);

/* That parameter, <W x i16> of 0 and 1; NULL: there is none. */
LLVMValueRef call_mask_parameter(LLVMValueRef function);

#endif
