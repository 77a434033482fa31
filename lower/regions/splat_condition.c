/* Compares numbers in all lanes where the result of a scalar comparison is wanted in all lanes.
 *
 *     c = icmp ult i32 x, 7                            m = icmp ult <16 x i32> splat x, splat 7
 *     m = shufflevector (insertelement undef, c, 0)
 *
 * The comparison in all lanes is one instruction. To copy one lane of a predicate to the others takes more. Conditions
 * of other kinds choose a number, which is compared in all lanes. LLVM's instcombine prefers the left form, so this
 * runs after the last instcombine. */
#include "lower/regions/splat_condition.h"

#include "lower/ir/ir.h"

enum { MOST_DEPTH = 2 };

/* The number in lane 0 of a vector of which no other lane is defined; NULL: it is none. */
static LLVMValueRef inserted_number(LLVMValueRef vector)
{
    int64_t lane;
    if (!LLVMIsAInsertElementInst(vector) || !LLVMIsUndef(LLVMGetOperand(vector, 0)))
        return NULL;
    return constant_int(LLVMGetOperand(vector, 2), &lane) && lane == 0 ? LLVMGetOperand(vector, 1) : NULL;
}

/* A comparison of 64 bits takes several instructions on most platforms: it is made once. */
static bool is_cheap_compare(LLVMValueRef condition)
{
    if (!LLVMIsAICmpInst(condition) && !LLVMIsAFCmpInst(condition))
        return false;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(condition, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind != LLVMPointerTypeKind && kind != LLVMVectorTypeKind && type_element_bits(type) > 1 &&
           type_element_bits(type) <= 32;
}

static bool is_logic(LLVMValueRef condition)
{
    LLVMOpcode op = LLVMIsABinaryOperator(condition) ? LLVMGetInstructionOpcode(condition) : LLVMRet;
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

/* Comparisons, and logic on them. */
static bool can_splat(LLVMValueRef condition, unsigned depth)
{
    if (LLVMIsAConstantInt(condition) || is_cheap_compare(condition))
        return true;
    return depth < MOST_DEPTH && is_logic(condition) && can_splat(LLVMGetOperand(condition, 0), depth + 1) &&
           can_splat(LLVMGetOperand(condition, 1), depth + 1);
}

static LLVMValueRef splat_condition(LLVMBuilderRef builder, LLVMValueRef condition, unsigned lanes)
{
    if (LLVMIsAConstantInt(condition))
        return ir_build_splat(builder, condition, lanes);
    LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1);
    if (is_logic(condition))
        return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(condition), splat_condition(builder, a, lanes),
                              splat_condition(builder, b, lanes), "");
    a = ir_build_splat(builder, a, lanes);
    b = ir_build_splat(builder, b, lanes);
    if (LLVMIsAICmpInst(condition))
        return LLVMBuildICmp(builder, LLVMGetICmpPredicate(condition), a, b, "");
    return LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(condition), a, b, "");
}

/* A number that is chosen by the condition, in all lanes, compared with 0. */
static LLVMValueRef splat_by_number(LLVMBuilderRef builder, LLVMValueRef condition, unsigned lanes)
{
    LLVMTypeRef word = LLVMInt16TypeInContext(LLVMGetTypeContext(LLVMTypeOf(condition)));
    LLVMValueRef zero = LLVMConstNull(word),
                 number = LLVMBuildSelect(builder, condition, LLVMConstInt(word, 1, false), zero, "");
    LLVMValueRef all = ir_build_splat(builder, number, lanes), none = ir_build_splat(builder, zero, lanes);
    return LLVMBuildICmp(builder, LLVMIntNE, all, none, "");
}

bool regions_is_only_splatted(LLVMValueRef number)
{
    for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef vector = LLVMGetUser(use);
        LLVMUseRef next = inserted_number(vector) == number ? LLVMGetFirstUse(vector) : NULL;
        if (!next || LLVMGetNextUse(next) || !LLVMIsAShuffleVectorInst(LLVMGetUser(next)) ||
            !ir_is_splat_shuffle(LLVMGetUser(next)))
            return false;
    }
    return true;
}

LLVMValueRef regions_condition_in_all_lanes(LLVMBuilderRef builder, LLVMValueRef condition, unsigned lanes)
{
    return can_splat(condition, 0) ? splat_condition(builder, condition, lanes)
                                   : splat_by_number(builder, condition, lanes);
}

bool regions_replace_splat_of_condition(LLVMBuilderRef builder, LLVMValueRef splat)
{
    if (!LLVMIsAShuffleVectorInst(splat) || !type_is_mask(LLVMTypeOf(splat)) || !ir_is_splat_shuffle(splat))
        return false;
    LLVMValueRef condition = inserted_number(LLVMGetOperand(splat, 0));
    if (!condition || LLVMIsConstant(condition))
        return false;
    unsigned lanes = type_lanes(LLVMTypeOf(splat));
    LLVMPositionBuilderBefore(builder, splat);
    LLVMReplaceAllUsesWith(splat, regions_condition_in_all_lanes(builder, condition, lanes));
    LLVMInstructionEraseFromParent(splat);
    return true;
}
