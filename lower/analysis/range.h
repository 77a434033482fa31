/* Computes the range of numbers that a value's lanes can have (LLVM: value range analysis). Example: of `zext i8` it is
 * 0 to 255. */
#ifndef CMKIT_LOWER_ANALYSIS_RANGE_H
#define CMKIT_LOWER_ANALYSIS_RANGE_H

#include "lower/ir/ir.h"

struct range {
    int64_t low, high; /* every lane, as a signed number of its type, is one of low..high */
};

/* Returns the range of integers of up to 32 bits, scalars or vectors. Without knowledge it is the range of the type. */
struct range range_of_integer(LLVMValueRef value);

/* True if every lane of a float value is an integer and not -0.0. The range is one in which floats represent all
 * integers. */
bool range_float_is_integer(LLVMValueRef value, struct range *out);

bool range_within(struct range range, int64_t low, int64_t high);

/* True if operand `index` of `user`, which `widened` extends from bytes or words, may be read in its narrow type. The
 * narrow type must not change the result: shifts and divisions compute in the type of their sources. */
bool range_takes_narrow(LLVMValueRef user, unsigned index, LLVMValueRef widened);

/* The same for each operand that is `value`, which is `widened` or a part of it, of all users of `value`. */
bool range_users_take_narrow(LLVMValueRef value, LLVMValueRef widened);

#endif
