/* Quotients by a constant: see division_by_constant.c. */
#ifndef CMKIT_LOWER_EXPAND_DIVISION_BY_CONSTANT_H
#define CMKIT_LOWER_EXPAND_DIVISION_BY_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Core.h>

struct division_by_constant {
    bool remainder, sign;
    uint32_t most; /* that x is, if it has no sign */
};

/* Builds x / y, or the remainder, of 32-bit lanes, where y is the same constant in all lanes. NULL: it is none, or 0.
 */
LLVMValueRef division_by_constant(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef x, LLVMValueRef y,
                                  const struct division_by_constant *division);

#endif
