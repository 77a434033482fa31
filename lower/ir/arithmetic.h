/* Computes operations on known integers of up to 64 bits, as in loop counters and offsets. */
#ifndef CMKIT_LOWER_IR_ARITHMETIC_H
#define CMKIT_LOWER_IR_ARITHMETIC_H

#include "lower/ir/ir.h"

struct arithmetic {
    LLVMOpcode op;             /* a binary one, a comparison, or a conversion between integers */
    LLVMIntPredicate relation; /* of a comparison */
    unsigned bits, result_bits;
};

/* False: `i` is not such an operation. */
bool arithmetic_of(LLVMValueRef i, struct arithmetic *arithmetic);

static inline bool arithmetic_is_conversion(const struct arithmetic *a)
{
    return a->op == LLVMZExt || a->op == LLVMSExt || a->op == LLVMTrunc;
}

/* Returns the result for `left` and `right` (conversions ignore `right`). Bits above the type are zero in operands and
 * result. False: undefined, or not known here. */
bool arithmetic_result(const struct arithmetic *arithmetic, uint64_t left, uint64_t right, uint64_t *result);

#endif
