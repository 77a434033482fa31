/* Inside of coalescing: where values are live, keeping what would be copied, and joining those that never are at once. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_LIVENESS_H
#define CMKIT_LOWER_CODEGEN_BALE_LIVENESS_H

#include "lower/codegen/select/select.h"

struct liveness {
    struct selection *s;
    size_t words;          /* of a set */
    uint64_t **in, **out;  /* per block: sets of values */
    struct use {
        size_t value;
        unsigned block, position; /* of the instruction that is emitted */
        LLVMValueRef reader;      /* that, or the part of it that reads the value */
    } *uses;
    size_t use_count, use_capacity;
    size_t *first_use; /* per value: index into uses[], sorted by value; [value_count] is the end (room for one more) */
    unsigned *length;      /* per block: number of positions */
    size_t *next_member;   /* circular list of a class's values */
    unsigned block, position; /* while collecting */
};

/* ---- liveness.c ---- */

/* Fills all but next_member. */
void liveness_find(struct liveness *l, struct selection *s);
void liveness_free(struct liveness *l);
bool liveness_has(const uint64_t *set, size_t value);

/* Whether `v` is still needed after position `position` of block `b`, or defined there or before and used later. */
bool live_after(const struct liveness *l, size_t v, unsigned b, unsigned position);

/* Values that the thread finds in its registers, and globals that a subroutine only reads, are read there, by all that
 * ask for them, and never written. */
bool may_share(const struct selection *s, const struct value *v);

/* ---- unbale.c ---- */

/* Gives reads that are parts of instructions registers of their own where that saves copies of what they read. Whether there are any. */
bool unbale(const struct liveness *l);

/* ---- coalesce.c ---- */

size_t class_of(struct selection *s, size_t v);

/* Lets the classes of a and b share a variable if no two of their values are live at once. */
void try_join(struct liveness *l, size_t a, size_t b);

/* ---- global_coalescing.c ---- */

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
