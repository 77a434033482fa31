/* Folds constant masks that flip lanes of a condition, as in the compare-and-exchange steps of a bitonic sort:
 *
 *     select((x > y) ^ upper, y, x)        select(x > y, y and x exchanged in the upper lanes)
 *
 * y is x with its halves exchanged there, so both values are regions of x: no mask is moved to a flag register. */
#include "lower/simdcf/flipped_selects.h"
#include "lower/ir/region.h"

enum { MOST_LANES = 64 };

/* Finds the vector whose lanes `value` reads, and their offsets there. */
static LLVMValueRef lanes_of(LLVMValueRef value, unsigned lanes, int *offsets)
{
    enum { OFFSET = 4 };
    struct region r = {0, lanes, 0, (int)type_element_bytes(LLVMTypeOf(value))};
    LLVMValueRef from = value;
    if (region_is_read(value)) {
        from = LLVMGetOperand(value, 0);
        if (!LLVMIsAConstantInt(LLVMGetOperand(value, OFFSET)) || !region_of_call(value, &r))
            return NULL;
    }
    for (unsigned k = 0; k < lanes; k++)
        offsets[k] = region_lane(&r, k);
    return from;
}

/* Exchanges the lanes that the constant sets; false: it is not constant. */
static bool exchange(LLVMValueRef constant, unsigned lanes, int *a, int *b)
{
    for (unsigned k = 0; k < lanes; k++) {
        uint64_t bit;
        bool undefined;
        if (!constant_lane(constant, k, &bit, &undefined))
            return false;
        int old = a[k];
        a[k] = bit & 1 ? b[k] : old;
        b[k] = bit & 1 ? old : b[k];
    }
    return true;
}

LLVMValueRef simdcf_flipped_select(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef select)
{
    LLVMValueRef flipped = LLVMGetOperand(select, 0), yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    LLVMTypeRef type = LLVMTypeOf(select);
    unsigned lanes = type_lanes(type);
    int a[MOST_LANES], b[MOST_LANES];
    struct region yes_region, no_region;
    if (!LLVMIsAInstruction(flipped) || LLVMGetInstructionOpcode(flipped) != LLVMXor || !ir_has_one_use(flipped) ||
        type_lanes(LLVMTypeOf(flipped)) != lanes || lanes < 2 || lanes > MOST_LANES ||
        !LLVMIsConstant(LLVMGetOperand(flipped, 1)))
        return NULL;
    LLVMValueRef from = lanes_of(yes, lanes, a);
    if (!from || LLVMIsConstant(from) || lanes_of(no, lanes, b) != from ||
        !exchange(LLVMGetOperand(flipped, 1), lanes, a, b) || !region_from_offsets(a, lanes, &yes_region) ||
        !region_from_offsets(b, lanes, &no_region))
        return NULL;
    LLVMPositionBuilderBefore(builder, select);
    yes = region_build_read(builder, module, type, from, &yes_region, NULL);
    no = region_build_read(builder, module, type, from, &no_region, NULL);
    return LLVMBuildSelect(builder, LLVMGetOperand(flipped, 0), yes, no, "");
}
