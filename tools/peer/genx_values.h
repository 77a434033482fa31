/* Checks values of operands that types do not show, as Intel's back end requires them. */
#ifndef CMKIT_PEER_GENX_VALUES_H
#define CMKIT_PEER_GENX_VALUES_H

#include <llvm-c/Core.h>

/* Returns what is wrong with the operands of a call of llvm.genx.NAME, or NULL. */
const char *genx_wrong_value(LLVMValueRef call, const char *name);

#endif
