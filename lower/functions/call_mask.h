/* Passes the active lanes of a call to the called function (call_mask.c). */
#ifndef CMKIT_LOWER_FUNCTIONS_CALL_MASK_H
#define CMKIT_LOWER_FUNCTIONS_CALL_MASK_H

#include "lower/ir/ir.h"

/* Returns the number of lanes of the mask that `function` takes; 0: it takes none. */
unsigned call_mask_lanes(LLVMValueRef function);

/* Records that `call` is in SIMD control flow over `lanes` lanes, so that the function takes a mask. False after an
 * error: it takes a mask of another width. */
bool call_mask_request(LLVMValueRef call, unsigned lanes, bool *changed);

/* Adds the parameter to the recorded functions; their calls pass all lanes. */
void call_mask_add_parameters(LLVMModuleRef module);

/* Returns that parameter, <W x i16> of 0 and 1; NULL: there is none. */
LLVMValueRef call_mask_parameter(LLVMValueRef function);

#endif
