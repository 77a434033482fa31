/* Copies a block's instructions many times with different operands, for unrolling. Instructions are read once. A result
 * that is a number is kept as a number; a constant is created only if a copied instruction uses it. */
#ifndef CMKIT_LOWER_ANALYSIS_UNROLL_CLONE_H
#define CMKIT_LOWER_ANALYSIS_UNROLL_CLONE_H

#include "lower/ir/arithmetic.h"

/* The current replacement of an original value. */
struct replay_stand_in {
    LLVMValueRef value; /* NULL: a number that is no constant yet */
    uint64_t number;
    bool is_number;
};

/* An original value, by its index. */
struct replay_value {
    LLVMValueRef original;
    bool changed; /* `now` is not the original itself */
    struct replay_stand_in now;
};

struct replay_step {
    LLVMValueRef i;
    LLVMOpcode op;
    bool is_arithmetic;
    struct arithmetic arithmetic;
    unsigned result, operands, count; /* indices: of the result; of operands in operands[] */
};

struct replay {
    LLVMBuilderRef builder;
    struct pointer_map places;
    struct replay_value *values;
    size_t value_count, value_capacity;
    struct replay_step *steps;
    size_t step_count, step_capacity;
    unsigned *operands;
    size_t operand_count, operand_capacity;
};

void replay_free(struct replay *replay);

/* Reads a block's instructions, except phis and the terminator, into steps[] from *first on; *count is their number. */
void replay_read(struct replay *replay, LLVMBasicBlockRef block, size_t *first, size_t *count);

/* Copies a step's instruction to the builder's position, or folds it. */
void replay_copy(struct replay *replay, const struct replay_step *step);

LLVMValueRef replay_operand(struct replay *replay, const struct replay_step *step, unsigned operand);
bool replay_operand_number(const struct replay *replay, const struct replay_step *step, unsigned operand,
                           uint64_t *number);

/* Returns the replacement of `original`; `original` itself if there is none. */
LLVMValueRef replay_of(struct replay *replay, LLVMValueRef original);
bool replay_number(const struct replay *replay, LLVMValueRef original, uint64_t *number);
bool replay_is_changed(const struct replay *replay, LLVMValueRef original);

/* Sets the replacement of `original` from now on. */
void replay_set(struct replay *replay, LLVMValueRef original, LLVMValueRef value);
struct replay_stand_in replay_stand_in(struct replay *replay, LLVMValueRef original);
void replay_set_stand_in(struct replay *replay, LLVMValueRef original, struct replay_stand_in now);

#endif
