/* See arithmetic.h. */
#include "lower/ir/arithmetic.h"

#include <assert.h>

enum { MOST_BITS = 64 };

bool arithmetic_of(LLVMValueRef i, struct arithmetic *a)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMICmp:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc: break;
    default: return false;
    }
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    *a = (struct arithmetic){.op = op,
                             .relation = op == LLVMICmp ? LLVMGetICmpPredicate(i) : 0,
                             .bits = type_element_bits(type),
                             .result_bits = type_element_bits(LLVMTypeOf(i))};
    return a->bits <= MOST_BITS && a->result_bits <= MOST_BITS;
}

static int64_t with_sign(uint64_t number, unsigned bits)
{
    return (int64_t)(number << (MOST_BITS - bits)) >> (MOST_BITS - bits);
}

static bool holds(LLVMIntPredicate relation, uint64_t a, uint64_t b, unsigned bits)
{
    switch (relation) {
    case LLVMIntEQ: return a == b;
    case LLVMIntNE: return a != b;
    case LLVMIntUGT: return a > b;
    case LLVMIntUGE: return a >= b;
    case LLVMIntULT: return a < b;
    case LLVMIntULE: return a <= b;
    case LLVMIntSGT: return with_sign(a, bits) > with_sign(b, bits);
    case LLVMIntSGE: return with_sign(a, bits) >= with_sign(b, bits);
    case LLVMIntSLT: return with_sign(a, bits) < with_sign(b, bits);
    default: return with_sign(a, bits) <= with_sign(b, bits);
    }
}

static bool divide(const struct arithmetic *a, uint64_t left, uint64_t right, uint64_t *result)
{
    int64_t x = with_sign(left, a->bits), y = with_sign(right, a->bits);
    bool is_signed = a->op == LLVMSDiv || a->op == LLVMSRem;
    if (right == 0 || (is_signed && y == -1 && x == INT64_MIN))
        return false;
    switch (a->op) {
    case LLVMUDiv: *result = left / right; break;
    case LLVMURem: *result = left % right; break;
    case LLVMSDiv: *result = (uint64_t)(x / y); break;
    default: *result = (uint64_t)(x % y); break;
    }
    return true;
}

bool arithmetic_result(const struct arithmetic *a, uint64_t left, uint64_t right, uint64_t *result)
{
    assert(a->bits >= 1 && a->bits <= 64 && a->result_bits >= 1 && a->result_bits <= 64);
    bool shift = a->op == LLVMShl || a->op == LLVMLShr || a->op == LLVMAShr;
    if (shift && right >= a->bits)
        return false;
    switch (a->op) {
    case LLVMICmp: *result = holds(a->relation, left, right, a->bits); return true;
    case LLVMZExt:
    case LLVMTrunc: *result = left; break;
    case LLVMSExt: *result = (uint64_t)with_sign(left, a->bits); break;
    case LLVMAdd: *result = left + right; break;
    case LLVMSub: *result = left - right; break;
    case LLVMMul: *result = left * right; break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        if (!divide(a, left, right, result))
            return false;
        break;
    case LLVMAnd: *result = left & right; break;
    case LLVMOr: *result = left | right; break;
    case LLVMXor: *result = left ^ right; break;
    case LLVMShl: *result = left << right; break;
    case LLVMLShr: *result = left >> right; break;
    case LLVMAShr: *result = (uint64_t)(with_sign(left, a->bits) >> right); break;
    default: return false;
    }
    *result &= ~(uint64_t)0 >> (MOST_BITS - a->result_bits);
    return true;
}
