#include "lower/analysis/range.h"
#include <assert.h>
#include <string.h>
#include "lower/ir/byte_set.h"
#include "lower/ir/function_info.h"
#include "lower/ir/region.h"

enum { MOST_DEPTH = 16, STEP = 2 }; /* an operation is a step, a cast is half a one */

static struct range range_at(LLVMValueRef value, unsigned depth);

static struct range type_range(LLVMTypeRef type)
{
    unsigned bits = type_element_bits(type);
    if (bits > 32)
        return (struct range){INT64_MIN, INT64_MAX};
    return (struct range){-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1};
}

bool range_within(struct range range, int64_t low, int64_t high)
{
    assert(low <= high);
    return range.low >= low && range.high <= high;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct range join(struct range a, struct range b)
{
    return (struct range){least(a.low, b.low), most(a.high, b.high)};
}

static struct range constant_range(LLVMValueRef value, struct range otherwise)
{
    unsigned bits = type_element_bits(LLVMTypeOf(value));
    struct range r = {INT64_MAX, INT64_MIN};
    for (unsigned i = 0; i < type_lanes(LLVMTypeOf(value)); i++) {
        uint64_t lane;
        bool undefined;
        if (!constant_lane(value, i, &lane, &undefined) || undefined)
            return otherwise;
        int64_t number = (int64_t)(lane << (64 - bits)) >> (64 - bits);
        r = join(r, (struct range){number, number});
    }
    return r;
}

static struct range product(struct range a, struct range b)
{
    int64_t p = a.low * b.low, q = a.low * b.high, r = a.high * b.low,
            s = a.high * b.high; /* of 33 bits each at most */
    return (struct range){least(least(p, q), least(r, s)), most(most(p, q), most(r, s))};
}

static struct range without_sign(struct range a, LLVMTypeRef type)
{
    return a.low >= 0 ? a : (struct range){0, ((int64_t)1 << type_element_bits(type)) - 1};
}

/* All ones up to the highest bit of n. */
static int64_t bits_below(int64_t n)
{
    int64_t mask = 0;
    while (mask < n)
        mask = 2 * mask + 1;
    return mask;
}

static struct range shifted(LLVMOpcode op, LLVMTypeRef type, struct range a, struct range count, struct range otherwise)
{
    if (!range_within(count, 0, type_element_bits(type) - 1))
        return otherwise;
    if (op == LLVMShl)
        return product(a, (struct range){(int64_t)1 << count.low, (int64_t)1 << count.high});
    if (op == LLVMLShr)
        a = without_sign(a, type);
    return (struct range){a.low >> (a.low < 0 ? count.low : count.high),
                          a.high >> (a.high < 0 ? count.high : count.low)};
}

static struct range binary_range(LLVMValueRef i, unsigned depth, struct range otherwise)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    struct range a = range_at(LLVMGetOperand(i, 0), depth + STEP), b = range_at(LLVMGetOperand(i, 1), depth + STEP),
                 r = otherwise;
    switch (op) {
    case LLVMAdd: r = (struct range){a.low + b.low, a.high + b.high}; break;
    case LLVMSub: r = (struct range){a.low - b.high, a.high - b.low}; break;
    case LLVMMul: r = product(a, b); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: r = shifted(op, type, a, b, otherwise); break;
    case LLVMAnd:
        if (a.low >= 0 || b.low >= 0)
            r = (struct range){0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high)};
        break;
    case LLVMOr:
    case LLVMXor:
        if (a.low >= 0 && b.low >= 0)
            r = (struct range){0, bits_below(most(a.high, b.high))};
        break;
    default: break;
    }
    return range_within(r, otherwise.low, otherwise.high) ? r : otherwise; /* it may have wrapped */
}

/* Returns the range of a vector that is written in pieces: the union of all pieces, and of the old vector unless the
 * pieces cover it. */
static struct range written_range(LLVMValueRef write, unsigned depth, struct range otherwise)
{
    enum { MOST_WRITES = 8, MOST_BYTES = 1024 };
    uint64_t written[MOST_BYTES / 64] = {0};
    LLVMTypeRef type = LLVMTypeOf(write);
    unsigned all = type_lanes(type) * type_element_bytes(type), bytes = type_element_bytes(type);
    struct range r = {INT64_MAX, INT64_MIN};
    LLVMValueRef vector = write;
    for (unsigned n = 0; n < MOST_WRITES && region_is_write(vector); n++, vector = LLVMGetOperand(vector, 0)) {
        LLVMValueRef value = LLVMGetOperand(vector, 1);
        struct region region;
        r = join(r, range_at(value, depth + STEP));
        if (all > MOST_BYTES || !region_writes_all_lanes(vector) || !region_of_call(vector, &region))
            continue;
        for (unsigned run, k = 0, lanes = type_lanes(LLVMTypeOf(value)); k < lanes; k += run) {
            int at = region_lane(&region, k);
            run = region_run(&region, lanes, bytes, k);
            if (at >= 0 && (unsigned)at + run * bytes <= all)
                byte_set_add(written, (unsigned)at, (unsigned)at + run * bytes);
        }
        if (byte_set_has_all(written, 0, all))
            return r;
    }
    return LLVMIsUndef(vector) || LLVMIsPoison(vector) ? otherwise : join(r, range_at(vector, depth + STEP));
}

static struct range call_range(LLVMValueRef i, unsigned depth, struct range otherwise)
{
    enum genx_id id = genx_call_id(i);
    if (region_is_read(i))
        return range_at(LLVMGetOperand(i, 0), depth + STEP);
    if (region_is_write(i))
        return written_range(i, depth, otherwise);
    if (id == GENX_ABSI || ir_calls_named(i, "llvm.abs.")) {
        struct range a = range_at(LLVMGetOperand(i, 0), depth + STEP);
        return a.low > otherwise.low ? (struct range){0, most(-a.low, most(a.high, 0))} : otherwise;
    }
    bool is_least;
    if (ir_is_signed_extreme(i, &is_least)) {
        struct range a = range_at(LLVMGetOperand(i, 0), depth + STEP), b = range_at(LLVMGetOperand(i, 1), depth + STEP);
        return is_least ? (struct range){least(a.low, b.low), least(a.high, b.high)}
                        : (struct range){most(a.low, b.low), most(a.high, b.high)};
    }
    return otherwise;
}

/* A parameter of a function that is called has the numbers that its calls pass. */
static struct range parameter_range(LLVMValueRef parameter, unsigned depth, struct range otherwise)
{
    enum { MOST_CALLS = 8, CALL_STEP = MOST_DEPTH / 2 };
    LLVMValueRef function = LLVMGetParamParent(parameter);
    unsigned number = 0, calls = 0;
    struct range r = {INT64_MAX, INT64_MIN};
    if (function_call_kind(function) == CALL_INLINED)
        return otherwise;
    while (LLVMGetParam(function, number) != parameter)
        number++;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (++calls > MOST_CALLS || function_called(call) != function)
            return otherwise;
        r = join(r, range_at(LLVMGetOperand(call, number), depth + CALL_STEP));
    }
    return calls ? r : otherwise;
}

static struct range range_at(LLVMValueRef value, unsigned depth)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    struct range otherwise = type_range(type);
    if (type_is_float(type) || type_is_mask(type) || type_element_bits(type) > 32 || depth > MOST_DEPTH)
        return otherwise;
    if (LLVMIsConstant(value))
        return constant_range(value, otherwise);
    if (LLVMIsAArgument(value))
        return parameter_range(value, depth, otherwise);
    if (LLVMIsABinaryOperator(value))
        return binary_range(value, depth, otherwise);
    if (LLVMIsACallInst(value))
        return call_range(value, depth, otherwise);
    if (LLVMIsASelectInst(value))
        return join(range_at(LLVMGetOperand(value, 1), depth + STEP), range_at(LLVMGetOperand(value, 2), depth + STEP));
    if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsATruncInst(value)) {
        LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(value, 0));
        if (type_is_mask(from))
            return LLVMIsAZExtInst(value) ? (struct range){0, 1} : (struct range){-1, 0};
        struct range a = range_at(LLVMGetOperand(value, 0), depth + 1);
        if (LLVMIsAZExtInst(value))
            a = without_sign(a, from);
        return range_within(a, otherwise.low, otherwise.high) ? a : otherwise;
    }
    return otherwise;
}

struct range range_of_integer(LLVMValueRef value)
{
    return range_at(value, 0);
}

/* ---- floats ---- */

static bool float_at(LLVMValueRef value, unsigned depth, struct range *out);

static bool is_exact(struct range r)
{
    return range_within(r, -(1 << 24), 1 << 24);
}

static bool constant_float(LLVMValueRef value, struct range *out)
{
    *out = (struct range){INT64_MAX, INT64_MIN};
    for (unsigned i = 0; i < type_lanes(LLVMTypeOf(value)); i++) {
        uint64_t bits;
        bool undefined;
        float number;
        if (!constant_lane(value, i, &bits, &undefined) || undefined)
            return false;
        uint32_t word = (uint32_t)bits;
        memcpy(&number, &word, sizeof number);
        bool small = number >= -(float)(1 << 24) && number <= (float)(1 << 24);
        if (!small || (float)(int32_t)number != number || word == 0x80000000u)
            return false;
        *out = join(*out, (struct range){(int32_t)number, (int32_t)number});
    }
    return true;
}

/* A product of a negative number and zero would be -0.0; sums and differences of integers never are. */
static bool float_operation(LLVMValueRef i, unsigned depth, struct range *out)
{
    struct range a, b;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if ((op != LLVMFAdd && op != LLVMFSub && op != LLVMFMul) || !float_at(LLVMGetOperand(i, 0), depth + STEP, &a) ||
        !float_at(LLVMGetOperand(i, 1), depth + STEP, &b))
        return false;
    if (op == LLVMFMul && (a.low < 0 || b.low < 0))
        return false;
    *out = op == LLVMFAdd   ? (struct range){a.low + b.low, a.high + b.high}
           : op == LLVMFSub ? (struct range){a.low - b.high, a.high - b.low}
                            : product(a, b);
    return true;
}

static bool float_at(LLVMValueRef value, unsigned depth, struct range *out)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type_element(type)) != LLVMFloatTypeKind || depth > MOST_DEPTH)
        return false;
    bool known = false;
    if (LLVMIsConstant(value))
        known = constant_float(value, out);
    else if (LLVMIsABinaryOperator(value))
        known = float_operation(value, depth, out);
    else if (LLVMIsAUIToFPInst(value) || LLVMIsASIToFPInst(value)) {
        LLVMValueRef from = LLVMGetOperand(value, 0);
        *out = range_at(from, depth + STEP);
        known = type_element_bits(LLVMTypeOf(from)) <= 32 && !type_is_mask(LLVMTypeOf(from));
        if (LLVMIsAUIToFPInst(value))
            *out = without_sign(*out, LLVMTypeOf(from));
    }
    return known && is_exact(*out);
}

bool range_float_is_integer(LLVMValueRef value, struct range *out)
{
    return float_at(value, 0, out);
}

bool range_takes_narrow(LLVMValueRef user, unsigned index, LLVMValueRef widened)
{
    bool sign = LLVMIsASExtInst(widened) != NULL;
    unsigned from = type_element_bits(LLVMTypeOf(LLVMGetOperand(widened, 0)));
    LLVMOpcode op = LLVMGetInstructionOpcode(user);
    enum genx_id id = genx_call_id(user);
    switch (op) {
    case LLVMCall: /* a word without sign might be compared with one that has one */
        if (id == GENX_SMIN || id == GENX_SMAX)
            return sign || from == 8;
        return (id == GENX_UMIN || id == GENX_UMAX) && !sign && from == 8;
    case LLVMICmp:
        return !sign || LLVMGetICmpPredicate(user) == LLVMIntEQ || LLVMGetICmpPredicate(user) >= LLVMIntSGT ||
               LLVMGetICmpPredicate(user) == LLVMIntNE;
    case LLVMSub: return index == 0 || sign || from == 8; /* a word without sign has no room for its negative */
    case LLVMAdd:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return true;
    case LLVMSelect: return index > 0 && from == 8; /* a word without sign might be chosen beside one with sign */
    case LLVMLShr:
        return index == 0 && !sign && from == 8 && range_within(range_of_integer(LLVMGetOperand(user, 1)), 0, 7);
    default: return false;
    }
}

bool range_users_take_narrow(LLVMValueRef value, LLVMValueRef widened)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == value && !range_takes_narrow(user, k, widened))
                return false;
    }
    return true;
}
