/* Forwards values between accesses of private variables: a load gets the value that was stored, or that an earlier load
 * returned. It handles variables that are only loaded and stored; offsets need not be constant. Blocks are visited in
 * reverse post-order. */
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

/* `parameters`: also forwards loads through these pointers, whose memory only this function changes meanwhile. */
void reads_begin(struct reads *r, const struct cfg *cfg, LLVMValueRef function, bool parameters);

void reads_enter(struct reads *r, unsigned block);

/* Returns the value that `i` loads; NULL: not such a variable, or not known. Then records what `i` itself does. `i`
 * must not change while its block is visited. */
LLVMValueRef reads_find(struct reads *r, LLVMValueRef i, unsigned block);

/* Deletes variables that are only written, with their stores. */
void reads_end(struct reads *r);

#endif
