/* Coalesces the values of global variables that subroutines use (see global_coalescing.c). */
#ifndef CMKIT_LOWER_CODEGEN_BALE_GLOBAL_COALESCING_H
#define CMKIT_LOWER_CODEGEN_BALE_GLOBAL_COALESCING_H

#include "lower/codegen/bale/liveness.h"

/* Where the value of a global crosses a call: the subroutine's parameter, a result of a call, an argument, what the
 * subroutine leaves. */
enum touch_kind { TOUCH_PARAMETER, TOUCH_RESULT, TOUCH_ARGUMENT, TOUCH_LEFT };
struct touch {
    enum touch_kind kind;
    unsigned global;
    LLVMValueRef value;
    LLVMValueRef call;        /* of a result or an argument */
    unsigned block, position; /* of the instruction that touches it */
    size_t number;            /* of the value, if it may lie in the global's variable, or VALUE_NONE */
};
struct touches {
    struct touch *list; /* rising kinds */
    size_t count, capacity;
};
struct touches find_touches(struct selection *s);

/* Lets values of a global share a variable, as far as they may. Those that are needed behind a call that changes the
 * global cannot be in its own variable, and stay out of it. */
void join_touches(struct liveness *l, struct touches *touches);

/* Puts those into the global's own variable for which no call does anything else to it meanwhile. Frees the touches. */
void bind_globals(struct liveness *l, struct touches *touches);

#endif
