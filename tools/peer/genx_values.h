/* Values of operands that types do not show: what Intel's back end takes them for. */
#ifndef CMKIT_PEER_GENX_VALUES_H
#define CMKIT_PEER_GENX_VALUES_H

#include <llvm-c/Core.h>

/* What is wrong with the operands of a call of llvm.genx.NAME, or NULL. */
const char *genx_wrong_value(LLVMValueRef call, const char *name);

#endif
