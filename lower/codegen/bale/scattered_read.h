/* Region reads that cost less as a copy than as operands of their users (see scattered_read.c). */
#ifndef CMKIT_LOWER_CODEGEN_BALE_SCATTERED_READ_H
#define CMKIT_LOWER_CODEGEN_BALE_SCATTERED_READ_H

#include "lower/codegen/emit/selection.h"

/* True if region read or truncation `read` is cheaper if its lanes are copied side by side once, for all its users. */
bool bale_pays_as_copy(const struct selection *s, LLVMValueRef read);

#endif
