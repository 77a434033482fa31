/* Reads of private variables that find what was written there, or what an earlier read found: of variables that
 * are only read and written, at places that need not be known. Blocks are walked in reverse post-order. */
#ifndef CMKIT_LOWER_SCALAR_LOAD_FORWARDING_H
#define CMKIT_LOWER_SCALAR_LOAD_FORWARDING_H

#include "lower/ir/cfg.h"

struct reads {
    const struct cfg *cfg;
    LLVMValueRef *variables;
    size_t count, capacity;
    bool parameters;
    bool *entered;                 /* per block: it is walked, or being walked */
    struct pointer_map of_address; /* addresses to the variables they lie in */
    struct pointer_map versions;   /* a variable in a block to its version at the block's end, as far as it is walked */
    size_t last_version;
    struct known_read *known;
    size_t known_count, known_capacity;
    struct pointer_map last_known; /* a variable's version to the last of known[] that is about it, + 1 */
};

/* `parameters`: loads of what these point to as well, which nothing outside of the function changes meanwhile. */
void reads_begin(struct reads *r, const struct cfg *cfg, LLVMValueRef function, bool parameters);

void reads_enter(struct reads *r, unsigned block);

/* The value that `i` reads; NULL: it reads no such variable, or nothing is known. What it does itself is known from now
 * on. `i` must stay as it is while its block is walked. */
LLVMValueRef reads_find(struct reads *r, LLVMValueRef i, unsigned block);

/* Variables that are only written go, with what writes them. */
void reads_end(struct reads *r);

#endif
