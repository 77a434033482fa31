/* Live ranges of the values of a function after baling: live-in and live-out sets per block, and uses per value. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_LIVENESS_H
#define CMKIT_LOWER_CODEGEN_BALE_LIVENESS_H

#include "lower/codegen/emit/selection.h"

struct liveness {
    struct selection *s;
    size_t words;         /* of a set */
    uint64_t **in, **out; /* per block: sets of values */
    struct use {
        size_t value;
        unsigned block, position; /* of the instruction that is emitted */
        LLVMValueRef reader;      /* that instruction, or the instruction baled into it that reads the value */
    } *uses;
    struct use *collected; /* the same in the order of the instructions */
    size_t use_count, use_capacity;
    size_t *first_use; /* per value: index into uses[], sorted by value; [value_count] is the end (room for one more) */
    unsigned *length;  /* per block: number of positions */
    bool **stale;      /* per block and position: liveness_mark() was called */
    size_t *next_member;      /* circular list of a class's values */
    unsigned block, position; /* while collecting */
    unsigned *stack;          /* of blocks, while looking for live ones */
};

/* Fills all but next_member. */
void liveness_find(struct liveness *l, struct selection *s);

/* Marks an instruction whose sources change because values are no longer baled. */
void liveness_mark(struct liveness *l, unsigned block, unsigned position);

/* Collects the sources of the marked instructions anew, and finds the live ranges again. The other instructions must
 * have the sources that they had. */
void liveness_update(struct liveness *l);
void liveness_free(struct liveness *l);
static inline bool liveness_has(const uint64_t *set, size_t value)
{
    return set[value / 64] >> (value % 64) & 1;
}

/* True if `v` is live after position `position` of block `b`, i.e. defined there or before and used later. */
bool liveness_after(const struct liveness *l, size_t v, unsigned b, unsigned position);

/* False for the thread's inputs, and for globals that a subroutine only reads: all users read them in place, and
 * nothing writes them. */
bool interference_may_share(const struct selection *s, const struct cg_value *v);

#endif
