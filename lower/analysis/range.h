/* What numbers the lanes of a value can be. */
#ifndef CMKIT_LOWER_ANALYSIS_RANGE_H
#define CMKIT_LOWER_ANALYSIS_RANGE_H

#include "lower/ir/ir.h"

struct range {
    int64_t low, high; /* every lane, as a signed number of its type, is one of low..high */
};

/* Of integers of up to 32 bits, scalars or vectors. Whatever is not known is the range of the type. */
struct range integer_range(LLVMValueRef value);

/* Of floats that are integers, and not minus zero, in every lane; false: not known to be. The range is one in which a float
 * has every integer. */
bool float_is_integer(LLVMValueRef value, struct range *out);

bool range_within(struct range range, int64_t low, int64_t high);

#endif
