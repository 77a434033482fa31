/* Coalesces the values of global variables that subroutines use (see global_coalescing.c). */
#ifndef CMKIT_LOWER_CODEGEN_BALE_GLOBAL_COALESCING_H
#define CMKIT_LOWER_CODEGEN_BALE_GLOBAL_COALESCING_H

#include "lower/codegen/bale/liveness.h"

/* The value of a global at a call or function boundary: the subroutine's parameter, a result of a call, an
 * argument, the value that the subroutine returns. */
enum global_access_kind { GLOBAL_ACCESS_PARAMETER, GLOBAL_ACCESS_RESULT, GLOBAL_ACCESS_ARGUMENT, GLOBAL_ACCESS_RETURN };
struct global_access {
    enum global_access_kind kind;
    unsigned global;
    LLVMValueRef value;
    LLVMValueRef call;        /* of a result or an argument */
    unsigned block, position; /* of the instruction with the access */
    size_t number;            /* of the value, if it may lie in the global's variable, or VALUE_NONE */
};
struct global_accesses {
    struct global_access *list; /* rising kinds */
    size_t count, capacity;
};
struct global_accesses global_accesses_find(struct selection *s);

/* Lets values of a global share a variable where possible. Values that are live after a call that changes the global
 * cannot be in its variable, and stay out. */
void global_accesses_join(struct liveness *l, struct global_accesses *accesses);

/* Puts values into the global's own variable if no call changes it during their live ranges. Frees the accesses. */
void coalesce_globals(struct liveness *l, struct global_accesses *accesses);

#endif
