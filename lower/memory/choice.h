/* Phis and selects of addresses. */
#ifndef CMKIT_LOWER_MEMORY_CHOICE_H
#define CMKIT_LOWER_MEMORY_CHOICE_H

#include <stdbool.h>
#include <llvm-c/Core.h>

static inline bool is_choice(LLVMValueRef value)
{
    return LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

/* Returns the index of the first chosen operand of a phi or select. */
static inline unsigned first_chosen(LLVMValueRef choice)
{
    return LLVMIsASelectInst(choice) ? 1 : 0;
}

#endif
