/* Inlines a call: copies the function's body and folds the copies. Of a branch whose condition is constant with the
 * call's arguments, only one direction is copied. */
#ifndef CMKIT_LOWER_FUNCTIONS_INLINE_BODY_H
#define CMKIT_LOWER_FUNCTIONS_INLINE_BODY_H

#include "lower/ir/cfg.h"

/* The function to copy, with its blocks in reverse post-order. */
struct body {
    LLVMValueRef function;
    struct cfg cfg;
    unsigned *order, reached, *rank; /* per block: its index in the order */
    unsigned end;                    /* the only returning block; CFG_NONE: several, or none */
    bool traced;                     /* debug locations keep the chain of calls */
};

void body_describe(struct body *body, LLVMValueRef function, bool traced);
void body_free(struct body *body);

/* True if copies mean the same as calls: arguments are passed unchanged, or not used. */
bool body_can_be_copied(LLVMValueRef function);

/* Replaces `call` by a copy of the body. If the function has no other call, its instructions are moved and it becomes
 * empty. If the body has more than one block, the instructions before the call move to a new block. */
void body_inline(const struct body *body, LLVMBuilderRef builder, LLVMValueRef call);

#endif
