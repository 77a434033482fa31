/* Calls of functions to copies of their bodies, folded as they are copied: a branch whose condition is constant with
 * the call's arguments is followed one way only. */
#ifndef CMKIT_LOWER_FUNCTIONS_INLINE_BODY_H
#define CMKIT_LOWER_FUNCTIONS_INLINE_BODY_H

#include "lower/ir/cfg.h"

/* The function to be copied, in the order in which control reaches its blocks. */
struct body {
    LLVMValueRef function;
    struct cfg cfg;
    unsigned *order, reached, *rank; /* per block: its place in the order */
    unsigned end;                    /* the only block that returns; CFG_NONE: they are several, or none */
    bool traced;                     /* places in the source are told with the calls that lead there */
};

void body_describe(struct body *body, LLVMValueRef function, bool traced);
void body_free(struct body *body);

/* Whether copies of it mean the same as calls: arguments are passed as they are, or not used. */
bool body_can_be_copied(LLVMValueRef function);

/* Puts a copy in the place of `call`, which goes; where nobody else calls the function, its instructions themselves: what is
 * left of it does nothing. Where the body is more than one block, what stands before the call in its block moves to a new
 * one. */
void body_inline(const struct body *body, LLVMBuilderRef builder, LLVMValueRef call);

#endif
