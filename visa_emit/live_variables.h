/* Which variables of a vISA program are live, by the usual equations over its blocks: from behind for what is read
 * later, from the front for what was written before. A variable is live where both hold: large ones are written in many
 * pieces, none of which starts its life by itself. Pieces that follow one another and are all of it do. */
#ifndef CMKIT_VISA_EMIT_LIVE_VARIABLES_H
#define CMKIT_VISA_EMIT_LIVE_VARIABLES_H

#include "visa_emit/visa.h"

struct block {
    size_t first, end;        /* instructions */
    uint64_t *in, *out;       /* variables that are read later, and known to the equations */
    uint64_t *before, *after; /* that may have been written before, at the block's start and end */
    unsigned function;        /* that it is part of; 0: the kernel's own */
};

/* What has been seen from behind of the pieces that write a variable: bytes of it from `low` to `high`. */
struct cover {
    unsigned low, high;
};

struct live_variables {
    const struct visa_kernel *kernel;
    size_t words; /* of a set */
    struct block *blocks;
    size_t count;
    size_t *of_label, *of_function; /* blocks */
    unsigned functions;
    unsigned *base; /* of address variables: the variable that they point into */
    struct cover *covers;
    uint64_t *sets; /* the blocks' */
    bool changed;
};

/* Solves the equations for a kernel's own text. False: out of memory; to be freed in any case. */
bool live_variables_find(struct live_variables *f, const struct visa_kernel *kernel);
void live_variables_free(struct live_variables *f);

static inline bool variable_in(const uint64_t *set, size_t variable)
{
    return set[variable / 64] >> (variable % 64) & 1;
}

/* The place in variables[] of the general variable that an operand reads or writes; false: none. */
bool operand_variable(const struct live_variables *f, const struct visa_operand *o, size_t *variable);

/* Calls `visit` with what the instruction reads, or with what it writes. */
void visit_variables(struct live_variables *f, const struct visa_instruction *i, bool writes,
                     void (*visit)(struct live_variables *, size_t, void *), void *context);

/* Turns the live variables behind an instruction into those in front of it, from a block's end on. */
void live_variables_start(struct live_variables *f);
void live_variables_step(struct live_variables *f, const struct visa_instruction *i, uint64_t *live);

#endif
