/* Caches lanes of constants. See ir.h. LLVM-C returns a lane of a vector as a constant of its own, which it must look
 * up or create. For vectors of plain data, which live as long as their context, each lane is looked up once. */
#include <stdlib.h>
#include <string.h>
#include "lower/ir/ir.h"

enum lane_state { LANE_NEW, LANE_KNOWN, LANE_NONE };

struct constant_lane {
    uint64_t bits;
    enum lane_state state;
};

static size_t first_lane(LLVMValueRef vector)
{
    struct constant_lanes *known = &ir_context->constants;
    if (known->last == vector)
        return known->last_first;
    size_t first;
    if (!pointer_map_get(&known->first, vector, &first)) {
        first = known->count;
        pointer_map_set(&known->first, vector, first);
        known->count += type_lanes(LLVMTypeOf(vector));
        if (known->count > known->capacity) {
            size_t old = known->capacity;
            known->capacity = 2 * known->count;
            known->lanes = ir_realloc(known->lanes, known->capacity * sizeof *known->lanes);
            memset(known->lanes + old, 0, (known->capacity - old) * sizeof *known->lanes);
        }
    }
    known->last = vector;
    return known->last_first = first;
}

static uint64_t float_bits(LLVMValueRef value, unsigned bits)
{
    LLVMBool lossy;
    double number = LLVMConstRealGetDouble(value, &lossy);
    if (bits == 64) {
        uint64_t out;
        memcpy(&out, &number, 8);
        return out;
    }
    float narrow = (float)number;
    uint32_t out;
    memcpy(&out, &narrow, 4);
    if (bits == 32)
        return out;
    _Float16 half = (_Float16)number;
    uint16_t out16;
    memcpy(&out16, &half, 2);
    return out16;
}

static bool scalar_bits(LLVMValueRef value, uint64_t *bits)
{
    LLVMOpcode from = LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : LLVMAdd;
    if (from == LLVMIntToPtr || from == LLVMPtrToInt) { /* offsets in shared memory */
        LLVMTypeRef type = LLVMTypeOf(value);
        if (!scalar_bits(LLVMGetOperand(value, 0), bits))
            return false;
        if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
            *bits &= ~0ull >> (64 - type_element_bits(type));
    } else if (LLVMIsAConstantInt(value))
        *bits = LLVMConstIntGetZExtValue(value);
    else if (LLVMIsAConstantFP(value))
        *bits = float_bits(value, type_element_bits(LLVMTypeOf(value)));
    else
        return false;
    return true;
}

static bool data_lane(LLVMValueRef vector, unsigned lane, uint64_t *bits)
{
    size_t number = first_lane(vector) + lane; /* it may move the lanes */
    struct constant_lane *found = &ir_context->constants.lanes[number];
    if (found->state == LANE_NEW)
        found->state = scalar_bits(LLVMGetAggregateElement(vector, lane), &found->bits) ? LANE_KNOWN : LANE_NONE;
    *bits = found->bits;
    return found->state == LANE_KNOWN;
}

/* Returns a lane of a bitcast constant: the bits of the source lanes at that position, the first in the lowest bits.
 * (LLVM-C also creates such expressions from numbers, which only passes with the data layout fold.) */
static bool bitcast_lane(LLVMValueRef bitcast, unsigned lane, uint64_t *bits, bool *undefined)
{
    LLVMValueRef from = LLVMGetOperand(bitcast, 0);
    unsigned width = type_element_bits(LLVMTypeOf(bitcast)), piece = type_element_bits(LLVMTypeOf(from));
    unsigned first = lane * width, defined = 0;
    for (unsigned at = first; at < first + width;) {
        uint64_t source;
        bool unknown;
        if (!constant_lane(from, at / piece, &source, &unknown))
            return false;
        *bits |= source >> at % piece << (at - first);
        defined += !unknown;
        at += piece - at % piece;
    }
    *undefined = !defined;
    *bits &= ~0ull >> (64 - width);
    return true;
}

bool constant_lane(LLVMValueRef value, unsigned lane, uint64_t *bits, bool *undefined)
{
    *undefined = false;
    *bits = 0;
    bool is_data = ir_context->constants.last == value || LLVMIsAConstantDataVector(value);
    if (is_data && lane < type_lanes(LLVMTypeOf(value)))
        return data_lane(value, lane, bits);
    if (LLVMIsUndef(value) || LLVMIsPoison(value)) {
        *undefined = true;
        return true;
    }
    if (!LLVMIsConstant(value))
        return false;
    if (LLVMIsNull(value))
        return true;
    if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMBitCast)
        return bitcast_lane(value, lane, bits, undefined);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind) {
        LLVMValueRef element = LLVMGetAggregateElement(value, lane);
        return element && constant_lane(element, 0, bits, undefined);
    }
    return scalar_bits(value, bits);
}

bool constant_words(LLVMValueRef constant, unsigned lanes, int64_t add, int nowhere, int *out)
{
    bool is_data = LLVMIsAConstantDataVector(constant) && lanes <= type_lanes(LLVMTypeOf(constant));
    size_t first = is_data ? first_lane(constant) : 0;
    for (unsigned k = 0; k < lanes; k++) {
        uint64_t bits = is_data ? ir_context->constants.lanes[first + k].bits : 0;
        bool undefined = false, is_known = is_data && ir_context->constants.lanes[first + k].state == LANE_KNOWN;
        if (!is_known && !constant_lane(constant, k, &bits, &undefined))
            return false;
        out[k] = undefined ? nowhere : (int)((int16_t)bits + add);
    }
    return true;
}

bool constant_mask_is_full(LLVMValueRef mask)
{
    if (!LLVMIsConstant(mask))
        return false;
    for (unsigned k = 0; k < type_lanes(LLVMTypeOf(mask)); k++) {
        uint64_t bit;
        bool undefined;
        if (!constant_lane(mask, k, &bit, &undefined) || (!(bit & 1) && !undefined))
            return false;
    }
    return true;
}

bool constant_splat_bits(LLVMValueRef constant, uint64_t *bits)
{
    unsigned lanes = type_lanes(LLVMTypeOf(constant));
    bool found = false;
    *bits = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t lane;
        bool undefined;
        if (!constant_lane(constant, i, &lane, &undefined))
            return false;
        if (undefined)
            continue;
        if (found && lane != *bits)
            return false;
        *bits = lane;
        found = true;
    }
    return true;
}
