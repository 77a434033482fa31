/* Instructions that are copied again and again, with other operands each time: read once, and what becomes a number is kept
 * as one; a constant of it is made where a copy has it as an operand. */
#ifndef CMKIT_LOWER_ANALYSIS_UNROLL_CLONE_H
#define CMKIT_LOWER_ANALYSIS_UNROLL_CLONE_H

#include "lower/ir/arithmetic.h"

/* What stands for a value of the original now. */
struct stand_in {
    LLVMValueRef value; /* NULL: a number that is no constant yet */
    uint64_t number;
    bool is_number;
};

/* A value of the original, by its place among them. */
struct replay_value {
    LLVMValueRef original;
    bool changed; /* `now` is not the original itself */
    struct stand_in now;
};

struct replay_step {
    LLVMValueRef i;
    LLVMOpcode op;
    bool is_arithmetic;
    struct arithmetic arithmetic;
    unsigned result, operands, count; /* places: of the result; of operands in operands[] */
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

/* Reads a block's instructions but for phis and the terminator; they are steps[] from *first on, *count of them. */
void replay_read(struct replay *replay, LLVMBasicBlockRef block, size_t *first, size_t *count);

/* Copies a step's instruction to the builder's position, or knows what it is. */
void replay_copy(struct replay *replay, const struct replay_step *step);

LLVMValueRef replay_operand(struct replay *replay, const struct replay_step *step, unsigned operand);
bool replay_operand_number(const struct replay *replay, const struct replay_step *step, unsigned operand, uint64_t *number);

/* What stands for `original`; itself if nothing does. */
LLVMValueRef replay_of(struct replay *replay, LLVMValueRef original);
bool replay_number(const struct replay *replay, LLVMValueRef original, uint64_t *number);
bool replay_is_changed(const struct replay *replay, LLVMValueRef original);

/* From now on. */
void replay_set(struct replay *replay, LLVMValueRef original, LLVMValueRef value);
struct stand_in replay_stand_in(struct replay *replay, LLVMValueRef original);
void replay_set_stand_in(struct replay *replay, LLVMValueRef original, struct stand_in now);

#endif
