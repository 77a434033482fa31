/* Moves constants that are written into a vector in front of the writes of other values, where they become part of the
 * constant that the vector begins with. All of it takes one or two instructions then, instead of one for each lane.
 *
 *     v = 0;  v(0) = x;  v(1) = 7;  v(3) = 1         v = {0, 7, 0, 1};  v(0) = x
 *
 * Headers of messages and tables of offsets look like that. */
#include "lower/ir/forget_debug.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

enum { BYTES_OF_SET = 64, LEAST_CONSTANTS = 4 /* a constant of different lanes takes up to three instructions */ };
_Static_assert((int)INSTRUCTION_BYTES <= (int)BYTES_OF_SET, "bytes of the vectors are bits of a word");

/* Finds the bytes that `write` may change, as bits; false: its offset is not constant. */
static bool find_bytes(LLVMValueRef write, uint64_t *bytes)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    unsigned lanes = type_lanes(type), size = type_element_bytes(type);
    struct region region;
    *bytes = 0;
    if (!region_of_call(write, &region))
        return false;
    for (unsigned k = 0; k < lanes; k++)
        for (unsigned byte = 0; byte < size; byte++) {
            int at = region_lane(&region, k) + (int)byte;
            if (at < 0 || at >= BYTES_OF_SET)
                return false;
            *bytes |= UINT64_C(1) << at;
        }
    return true;
}

/* True for constants whose bits are known: not for addresses of functions. */
static bool is_known(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value) || LLVMIsAConstantDataVector(value) ||
           LLVMIsAConstantAggregateZero(value);
}

static bool writes_constant(LLVMValueRef i)
{
    if (!region_is_write(i) || !is_known(LLVMGetOperand(i, 1)) || !region_writes_all_lanes(i))
        return false;
    LLVMTypeRef type = LLVMTypeOf(i);
    return type_lanes(type) * type_element_bytes(type) <= INSTRUCTION_BYTES;
}

/* Returns the first of the writes before `last` that the vector consists of, which begins with a constant; NULL: there
 * is none, or one of them writes what `last` writes, or has another user. */
static LLVMValueRef first_write(LLVMValueRef last)
{
    LLVMValueRef first = NULL, vector = LLVMGetOperand(last, 0);
    uint64_t constant, other;
    if (!find_bytes(last, &constant))
        return NULL;
    while (region_is_write(vector)) {
        if (!ir_has_one_use(vector) || LLVMGetInstructionParent(vector) != LLVMGetInstructionParent(last) ||
            !find_bytes(vector, &other) || (constant & other))
            return NULL;
        first = vector;
        vector = LLVMGetOperand(vector, 0);
    }
    return LLVMIsConstant(vector) ? first : NULL;
}

/* Counts the writes of constants of which the vector that begins with `first` consists. */
static unsigned count_constants(LLVMValueRef first)
{
    unsigned count = 0;
    for (LLVMValueRef i = first; region_is_write(i); i = LLVMGetUser(LLVMGetFirstUse(i))) {
        count += writes_constant(i) && first_write(i) == first;
        if (!ir_has_one_use(i))
            break;
    }
    return count;
}

static void move(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef write, LLVMValueRef first)
{
    struct region region;
    region_of_call(write, &region);
    LLVMPositionBuilderBefore(builder, first);
    LLVMValueRef old = LLVMGetOperand(write, 0);
    LLVMSetOperand(
        first, 0,
        region_build_write(builder, module, LLVMGetOperand(first, 0), LLVMGetOperand(write, 1), &region, NULL, NULL));
    for (LLVMValueRef changed = old; changed != first; changed = LLVMGetOperand(changed, 0))
        ir_forget_debug(changed);
    ir_forget_debug(first);
    LLVMReplaceAllUsesWith(write, old);
    LLVMInstructionEraseFromParent(write);
}

bool pass_early_constants(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    {
        LLVMValueRef moved = NULL; /* the first write of a vector of which constants are moved */
        FOR_EACH_REMOVABLE(i, block)
        {
            LLVMValueRef first = writes_constant(i) ? first_write(i) : NULL;
            if (!first || (first != moved && count_constants(first) < LEAST_CONSTANTS))
                continue;
            moved = first;
            move(module, builder, i, first);
        }
    }
    LLVMDisposeBuilder(builder);
    return true;
}
