/* Computes bytes in words where all users can read the low bytes of the words: instructions write words, so that each
 * result of bytes costs a move more, which packs them.
 *
 *     c = select m, a, b       bytes           c = select m, zext a, zext b        words
 *     d = add c, a             bytes           d = trunc (add c, zext a)           the low bytes, read where they are
 *
 * Logic on packed bytes is done four at a time, in dwords; it stays as it is. */
#include <llvm-c/DebugInfo.h>
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

static bool is_bytes(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && type_lanes(type) > 1 && !type_is_float(type) &&
           !type_is_mask(type) && type_element_bits(type) == 8;
}

static bool is_logic(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

/* True for the result of an instruction that writes words; bytes that were read or moved are packed. */
static bool is_computed(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) || (LLVMIsACastInst(value) && !LLVMIsABitCastInst(value)) ||
           (LLVMIsACallInst(value) && ir_is_alu_call(value));
}

/* True for an operation on bytes whose low bytes can be computed in words. */
static bool writes_words(LLVMValueRef i)
{
    if (!is_bytes(i))
        return false;
    if (LLVMIsASelectInst(i))
        return true;
    if (!LLVMIsABinaryOperator(i))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return true;
    default: return is_logic(i) && (is_computed(LLVMGetOperand(i, 0)) || is_computed(LLVMGetOperand(i, 1)));
    }
}

/* True if `user` reads operand `bytes` as well if they are two bytes apart. */
static bool reads_apart(LLVMValueRef user, LLVMValueRef bytes)
{
    if (LLVMIsAICmpInst(user) || LLVMIsAZExtInst(user) || LLVMIsASExtInst(user) || LLVMIsAUIToFPInst(user) ||
        LLVMIsASIToFPInst(user))
        return true;
    return writes_words(user) && (!is_logic(user) || LLVMIsABinaryOperator(bytes));
}

static bool all_read_apart(LLVMValueRef bytes)
{
    for (LLVMUseRef use = LLVMGetFirstUse(bytes); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(bytes) || !reads_apart(user, bytes))
            return false;
    }
    return LLVMGetFirstUse(bytes) != NULL;
}

/* True if an operand is the low bytes of words that were computed, which are read whole then. It writes no bytes apart,
 * which take no packing. */
static bool reads_words(LLVMValueRef i)
{
    bool any = false;
    for (unsigned k = LLVMIsASelectInst(i) ? 1 : 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef bytes = LLVMGetOperand(i, k);
        any = any || (LLVMIsATruncInst(bytes) && type_element_bits(LLVMTypeOf(LLVMGetOperand(bytes, 0))) == 16);
    }
    for (LLVMUseRef use = LLVMGetFirstUse(i); any && use; use = LLVMGetNextUse(use))
        any = !region_is_write(LLVMGetUser(use));
    return any;
}

/* Returns the operand in words: the one whose low bytes it is, or with zeros or (`sign`) signs above them. */
static LLVMValueRef in_words(LLVMBuilderRef builder, LLVMValueRef bytes, LLVMTypeRef words, bool exact, bool sign)
{
    if (!exact && LLVMIsATruncInst(bytes) && LLVMTypeOf(LLVMGetOperand(bytes, 0)) == words)
        return LLVMGetOperand(bytes, 0);
    return sign ? LLVMBuildSExt(builder, bytes, words, "") : LLVMBuildZExt(builder, bytes, words, "");
}

static LLVMValueRef computed_in_words(LLVMBuilderRef builder, LLVMValueRef i, LLVMTypeRef words)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool chooses = LLVMIsASelectInst(i) != NULL, right = op == LLVMLShr || op == LLVMAShr;
    bool distance = right || op == LLVMShl;
    unsigned first = chooses ? 1 : 0;
    LLVMValueRef a = in_words(builder, LLVMGetOperand(i, first), words, right, op == LLVMAShr),
                 b = in_words(builder, LLVMGetOperand(i, first + 1), words, distance, false);
    return chooses ? LLVMBuildSelect(builder, LLVMGetOperand(i, 0), a, b, "") : LLVMBuildBinOp(builder, op, a, b, "");
}

bool pass_byte_words(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    FOR_EACH_FUNCTION(function, module)
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!writes_words(i) || !(all_read_apart(i) || reads_words(i)))
            continue;
        LLVMTypeRef words = type_like(LLVMTypeOf(i), LLVMInt16TypeInContext(context));
        LLVMPositionBuilderBefore(builder, i);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
        LLVMValueRef computed = computed_in_words(builder, i, words);
        LLVMReplaceAllUsesWith(i, LLVMBuildTrunc(builder, computed, LLVMTypeOf(i), ""));
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
