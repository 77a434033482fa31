/* A result that is written into a vector and used besides lives twice: in a register of its own and in the vector.
 * Where every other user could as well read those lanes of the vector, it does, and the operation writes the vector
 * itself. */
#include <stdlib.h>
#include "lower/ir.h"
#include "lower/passes.h"
#include "lower/region.h"
#include "lower/select.h"

struct use_of {
    LLVMValueRef user;
    unsigned operand;
    LLVMValueRef vector; /* the version of the vector to read there */
};

/* One instruction that reads regions, and writes one. What becomes an operand of its users is none: a product that a
 * sum takes in, the low half of a number. */
static bool is_arithmetic(LLVMValueRef i)
{
    if (!LLVMIsAInstruction(i) || type_is_mask(LLVMTypeOf(i)) || type_element_bits(LLVMTypeOf(i)) > 32)
        return false;
    if (LLVMGetInstructionOpcode(i) == LLVMFMul || LLVMIsATruncInst(i) || LLVMIsABitCastInst(i))
        return false;
    return LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACastInst(i) ||
           (LLVMIsACallInst(i) && is_alu_call(i));
}

/* Reads any lanes of a register at no cost. */
static bool reads_regions(LLVMValueRef user, unsigned operand)
{
    if (is_wrregion(user))
        return operand == 1;
    return is_arithmetic(user) || LLVMIsACmpInst(user) ||
           (LLVMIsABinaryOperator(user) && type_is_float(LLVMTypeOf(user)));
}

static bool is_plain_write(LLVMValueRef i, struct region *r)
{
    LLVMValueRef mask = is_wrregion(i) ? LLVMGetOperand(i, 7) : NULL;
    return mask && LLVMIsAConstantInt(mask) && region_of_call(i, r);
}

/* Regions that are read as fast as a variable of one's own: lanes that follow each other; and lanes that are so far
 * apart that the operation goes lane by lane in any case. */
static bool is_easy(const struct region *r, LLVMTypeRef type)
{
    enum { FAR = 32 };
    return type_lanes(type) == 1 ||
           (r->width == type_lanes(type) && (r->hstride == (int)type_element_bytes(type) || r->hstride >= FAR));
}

/* Whether `write` leaves the bytes from `first` to before `end` alone. */
static bool leaves_alone(LLVMValueRef write, int first, int end)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    struct region r;
    if (!region_of_call(write, &r) || !LLVMIsAConstantInt(LLVMGetOperand(write, 5)))
        return false;
    for (unsigned lane = 0; lane < type_lanes(type); lane++) {
        int at = region_lane(&r, lane);
        if (at < end && at + (int)type_element_bytes(type) > first)
            return false;
    }
    return true;
}

/* The users of `value` that follow `write` in its block, each with the vector as it is there; 0 if one cannot read it.
 */
static unsigned users_after(LLVMValueRef value, LLVMValueRef write, const struct region *r, struct use_of *uses,
                            unsigned most)
{
    int first = r->offset, end = first + (int)(type_lanes(LLVMTypeOf(value)) * type_element_bytes(LLVMTypeOf(value)));
    LLVMValueRef vector = write;
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetNextInstruction(write); i; i = LLVMGetNextInstruction(i)) {
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            if (LLVMGetOperand(i, k) != value)
                continue;
            if (count == most || !vector || !reads_regions(i, k))
                return 0;
            uses[count++] = (struct use_of){i, k, vector};
        }
        if (vector && is_wrregion(i) && LLVMGetOperand(i, 0) == vector)
            vector = leaves_alone(i, first, end) ? i : NULL;
    }
    return count;
}

static unsigned count_uses(LLVMValueRef value)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        count++;
    return count;
}

static bool write_through(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef write)
{
    enum { MOST = 16 };
    struct use_of uses[MOST];
    struct region r;
    LLVMValueRef value = is_wrregion(write) ? LLVMGetOperand(write, 1) : NULL;
    if (!value || !is_plain_write(write, &r) || !is_arithmetic(value) || !is_easy(&r, LLVMTypeOf(value)) ||
        LLVMGetInstructionParent(value) != LLVMGetInstructionParent(write))
        return false;
    unsigned others = count_uses(value) - 1;
    if (others == 0 || others > MOST || users_after(value, write, &r, uses, MOST) != others)
        return false;
    for (unsigned i = 0; i < others; i++) {
        LLVMPositionBuilderBefore(builder, uses[i].user);
        LLVMSetOperand(uses[i].user, uses[i].operand,
                       build_rdregion(builder, module, LLVMTypeOf(value), uses[i].vector, &r, NULL));
    }
    return true;
}

bool pass_write_through(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    write_through(module, builder, i);
    LLVMDisposeBuilder(builder);
    return true;
}
