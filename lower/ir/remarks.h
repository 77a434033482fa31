/* Remarks: what a pass did to the code of a source line, or why it could not. remarks.def lists them. */
#ifndef CMKIT_LOWER_IR_REMARKS_H
#define CMKIT_LOWER_IR_REMARKS_H

#include <stdbool.h>
#include <llvm-c/Core.h>
#include "lower/ir/options.h"

enum remark_id {
#define REMARK(ID, KIND, PASS, NAME, FORMAT) REMARK_##ID,
#include "lower/ir/remarks.def"
#undef REMARK
    REMARKS
};

/* Whether somebody asked for remarks (lower_options.remark). Ask first where finding out what to say takes time. */
bool remark_is_wanted(void);

/* Makes a remark about an instruction, with the values of the row's format. Does nothing if no option enabled remarks
 * (lower_options.remark). */
void remark_at(LLVMValueRef at, enum remark_id id, ...);

#endif
