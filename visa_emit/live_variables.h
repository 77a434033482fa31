/* Computes the live variables of a vISA program by data-flow equations over its blocks. One set is solved backward
 * (read later), the other forward (written before); a variable is live where both hold. The forward set is needed
 * because large variables are written in many pieces, and no single piece ends liveness. Consecutive pieces that cover
 * the whole variable do end it. */
#ifndef CMKIT_VISA_EMIT_LIVE_VARIABLES_H
#define CMKIT_VISA_EMIT_LIVE_VARIABLES_H

#include "visa_emit/visa.h"

struct live_block {
    size_t first, end;        /* instructions */
    uint64_t *in, *out;       /* variables that are read later, at the block's start and end */
    uint64_t *kept;           /* of those at the end, the ones that are read later at the start, too */
    uint64_t *before, *after; /* that may have been written before, at the block's start and end */
    unsigned function;        /* number of the stack function or subroutine; 0: the kernel itself */
};

/* The variables that an instruction accesses: `writes` of those that it writes, then `reads`, in accessed[]. */
struct live_accesses {
    size_t first;
    unsigned writes, reads;
    bool has_result; /* the first one is its destination */
};

/* Bytes of a variable, from `low` to `high`, that the backward walk has found written. */
struct live_cover {
    unsigned low, high;
    unsigned walk; /* in which walk; in others nothing is known of the variable */
};

struct live_variables {
    const struct visa_kernel *kernel;
    size_t words; /* of a set */
    struct live_block *blocks;
    size_t count;
    size_t *of_label, *of_function; /* blocks */
    unsigned functions;
    unsigned *base;                 /* of address variables: the variable that they point into */
    struct live_accesses *accesses; /* per instruction */
    unsigned *accessed;             /* indices in the kernel's variables[] */
    unsigned *sizes;                /* bytes per variable */
    struct live_cover *covers;
    unsigned walk;  /* live_variables_start() begins another */
    uint64_t *sets; /* the blocks' */
    bool changed;
};

/* Solves the equations for a kernel without its stack functions. False: out of memory. Call live_variables_free() in
 * either case. */
bool live_variables_find(struct live_variables *f, const struct visa_kernel *kernel);
void live_variables_free(struct live_variables *f);

/* Calls `visit` for each successor of block `from`: a call's are the subroutine and the block behind it, and a
 * subroutine's end has those behind all its calls. */
typedef void live_successor(struct live_variables *f, void *user, size_t from, size_t to);
void live_variables_successors(struct live_variables *f, size_t from, live_successor *visit, void *user);

static inline bool variable_in(const uint64_t *set, size_t variable)
{
    return set[variable / 64] >> (variable % 64) & 1;
}

/* Updates the set of live variables from after instruction `n` to before it. Start at a block's end with
 * live_variables_start(). */
void live_variables_start(struct live_variables *f);
void live_variables_step(struct live_variables *f, size_t n, uint64_t *live);

/* Returns the bytes of a message's reply if its form defines them; else 0. */
unsigned live_variables_reply(const struct visa_instruction *i);

#endif
