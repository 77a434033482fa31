/* Writes one instruction in SPIR-V (spirv.h): a row of a table for each LLVM opcode. Masks are vectors of booleans
 * there, which have operations of their own. */
#include "lower/vc/spirv.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef operand(LLVMValueRef i, unsigned n)
{
    return LLVMGetOperand(i, n);
}

static uint32_t value_of(struct spirv_writer *w, LLVMValueRef i, unsigned n)
{
    return spirv_value(w, operand(i, n));
}

struct row {
    void (*write)(struct spirv_writer *w, LLVMValueRef i, const struct row *row);
    enum spirv_op op, of_masks;
};

/* --- flags of LLVM instructions
 * ---------------------------------------------------------------------------------------- */

static void decorate_wraps(struct spirv_writer *w, LLVMValueRef i)
{
    if (LLVMGetNUW(i))
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, spirv_result(w, i), DECORATION_NO_UNSIGNED_WRAP);
    if (LLVMGetNSW(i))
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, spirv_result(w, i), DECORATION_NO_SIGNED_WRAP);
}

static void decorate_fast_math(struct spirv_writer *w, LLVMValueRef i)
{
    static const struct {
        LLVMFastMathFlags flag;
        uint32_t bit;
    } bits[] = {{LLVMFastMathNoNaNs, FAST_NOT_NAN},
                {LLVMFastMathNoInfs, FAST_NOT_INF},
                {LLVMFastMathNoSignedZeros, FAST_NO_SIGNED_ZERO},
                {LLVMFastMathAllowReciprocal, FAST_RECIPROCAL}};
    LLVMFastMathFlags flags = LLVMCanValueUseFastMathFlags(i) ? LLVMGetFastMathFlags(i) : LLVMFastMathNone;
    uint32_t mask = 0;
    for (size_t n = 0; n < sizeof bits / sizeof *bits; n++)
        mask |= flags & bits[n].flag ? bits[n].bit : 0;
    if ((flags & LLVMFastMathAll) == LLVMFastMathAll)
        mask |= FAST_ALL;
    if (mask)
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, spirv_result(w, i), DECORATION_FAST_MATH, mask);
}

static void decorate(struct spirv_writer *w, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: decorate_wraps(w, i); break;
    default: decorate_fast_math(w, i);
    }
}

/* --- arithmetic
 * -------------------------------------------------------------------------------------------------------- */

static void write_binary(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    bool mask = type_is_mask(LLVMTypeOf(i));
    if (mask && !row->of_masks)
        vc_fail(&w->vc, "this operation on a mask");
    if (!mask)
        decorate(w, i);
    SPIRV_DEFINE(w, i, mask ? row->of_masks : row->op, value_of(w, i, 0), value_of(w, i, 1));
}

static void write_unary(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    decorate(w, i);
    SPIRV_DEFINE(w, i, row->op, value_of(w, i, 0));
}

/* 1 (or -1) where a mask is set. */
static void write_extension(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!type_is_mask(LLVMTypeOf(operand(i, 0)))) {
        SPIRV_DEFINE(w, i, row->op, value_of(w, i, 0));
        return;
    }
    int on = opcode == LLVMSExt || opcode == LLVMSIToFP ? -1 : 1;
    SPIRV_DEFINE(w, i, OP_SELECT, value_of(w, i, 0), spirv_splat(w, type, on), spirv_splat(w, type, 0));
}

/* The mask is the lowest bit. */
static void write_truncation(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    LLVMTypeRef from = LLVMTypeOf(operand(i, 0));
    if (!type_is_mask(LLVMTypeOf(i))) {
        SPIRV_DEFINE(w, i, row->op, value_of(w, i, 0));
        return;
    }
    uint32_t bit = SPIRV_COMPUTE(w, OP_BITWISE_AND, spirv_type(w, from), value_of(w, i, 0), spirv_splat(w, from, 1));
    SPIRV_DEFINE(w, i, OP_I_NOT_EQUAL, bit, spirv_splat(w, from, 0));
}

static void write_from_float(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    if (type_is_mask(LLVMTypeOf(i)))
        vc_fail(&w->vc, "a mask made of a float");
    SPIRV_DEFINE(w, i, row->op, value_of(w, i, 0));
}

static void write_space_cast(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    if (vc_space(LLVMTypeOf(i)) != vc_space(LLVMTypeOf(operand(i, 0))))
        vc_fail(&w->vc, "a pointer to another address space");
    SPIRV_DEFINE(w, i, row->op, value_of(w, i, 0));
}

/* --- comparisons
 * ------------------------------------------------------------------------------------------------------- */

static void write_integer_comparison(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    static const enum spirv_op ops[] = {
        [LLVMIntEQ] = OP_I_EQUAL,          [LLVMIntNE] = OP_I_NOT_EQUAL,      [LLVMIntUGT] = OP_U_GREATER,
        [LLVMIntUGE] = OP_U_GREATER_EQUAL, [LLVMIntULT] = OP_U_LESS,          [LLVMIntULE] = OP_U_LESS_EQUAL,
        [LLVMIntSGT] = OP_S_GREATER,       [LLVMIntSGE] = OP_S_GREATER_EQUAL, [LLVMIntSLT] = OP_S_LESS,
        [LLVMIntSLE] = OP_S_LESS_EQUAL,
    };
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    LLVMTypeRef type = LLVMTypeOf(operand(i, 0));
    uint32_t a = value_of(w, i, 0), b = value_of(w, i, 1);
    (void)row;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        uint32_t number = spirv_int_type(w, 64);
        a = SPIRV_COMPUTE(w, OP_CONVERT_PTR_TO_U, number, a);
        b = SPIRV_COMPUTE(w, OP_CONVERT_PTR_TO_U, number, b);
    }
    if (!type_is_mask(type))
        SPIRV_DEFINE(w, i, ops[predicate], a, b);
    else if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        SPIRV_DEFINE(w, i, predicate == LLVMIntEQ ? OP_LOGICAL_EQUAL : OP_LOGICAL_NOT_EQUAL, a, b);
    else
        vc_fail(&w->vc, "a comparison of masks by size");
}

static void write_float_comparison(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    static const enum spirv_op ops[] = {
        [LLVMRealOEQ] = OP_F_ORD_EQUAL,
        [LLVMRealOGT] = OP_F_ORD_GREATER,
        [LLVMRealOGE] = OP_F_ORD_GREATER_EQUAL,
        [LLVMRealOLT] = OP_F_ORD_LESS,
        [LLVMRealOLE] = OP_F_ORD_LESS_EQUAL,
        [LLVMRealONE] = OP_F_ORD_NOT_EQUAL,
        [LLVMRealORD] = OP_ORDERED,
        [LLVMRealUNO] = OP_UNORDERED,
        [LLVMRealUEQ] = OP_F_UNORD_EQUAL,
        [LLVMRealUGT] = OP_F_UNORD_GREATER,
        [LLVMRealUGE] = OP_F_UNORD_GREATER_EQUAL,
        [LLVMRealULT] = OP_F_UNORD_LESS,
        [LLVMRealULE] = OP_F_UNORD_LESS_EQUAL,
        [LLVMRealUNE] = OP_F_UNORD_NOT_EQUAL,
    };
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(i);
    (void)row;
    if (predicate == LLVMRealPredicateFalse || predicate == LLVMRealPredicateTrue)
        vc_fail(&w->vc, "a comparison that is always %s", predicate == LLVMRealPredicateTrue ? "true" : "false");
    else
        SPIRV_DEFINE(w, i, ops[predicate], value_of(w, i, 0), value_of(w, i, 1));
}

static void write_select(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    SPIRV_DEFINE(w, i, row->op, value_of(w, i, 0), value_of(w, i, 1), value_of(w, i, 2));
}

/* --- lanes
 * ------------------------------------------------------------------------------------------------------------- */

/* Extracts a lane with a constant or run-time index; an index beyond the vector is undefined. */
static void write_extract(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    int64_t lane;
    (void)row;
    if (!constant_int(operand(i, 1), &lane))
        SPIRV_DEFINE(w, i, OP_VECTOR_EXTRACT_DYNAMIC, value_of(w, i, 0), value_of(w, i, 1));
    else if ((uint64_t)lane >= type_lanes(LLVMTypeOf(operand(i, 0))))
        spirv_define(w, i, OP_UNDEF, NULL, 0);
    else
        SPIRV_DEFINE(w, i, OP_COMPOSITE_EXTRACT, value_of(w, i, 0), (uint32_t)lane);
}

static void write_insert(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    int64_t lane;
    (void)row;
    if (!constant_int(operand(i, 2), &lane))
        SPIRV_DEFINE(w, i, OP_VECTOR_INSERT_DYNAMIC, value_of(w, i, 0), value_of(w, i, 1), value_of(w, i, 2));
    else if ((uint64_t)lane >= type_lanes(LLVMTypeOf(i)))
        spirv_define(w, i, OP_UNDEF, NULL, 0);
    else
        SPIRV_DEFINE(w, i, OP_COMPOSITE_INSERT, value_of(w, i, 1), value_of(w, i, 0), (uint32_t)lane);
}

/* Extracts one lane of a shuffle's operands; a vector of one lane is already a scalar. */
static void write_picked_lane(struct spirv_writer *w, LLVMValueRef i)
{
    int lane = LLVMGetMaskValue(i, 0), first = (int)type_lanes(LLVMTypeOf(operand(i, 0)));
    if (lane < 0)
        spirv_define(w, i, OP_UNDEF, NULL, 0);
    else
        SPIRV_DEFINE(w, i, OP_COMPOSITE_EXTRACT, value_of(w, i, lane >= first), (uint32_t)(lane % first));
}

static void write_shuffle(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    enum { UNDEFINED = ~0u };
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetNumMaskElements(i) == 1) {
        write_picked_lane(w, i);
        return;
    }
    struct spirv_words words = {0};
    uint32_t a = value_of(w, i, 0), b = value_of(w, i, 1), id = spirv_type(w, type);
    if (type_lanes(LLVMTypeOf(operand(i, 0))) == 1) { /* scalars become the first two lanes of the shuffled vector */
        a = SPIRV_COMPUTE(w, OP_COMPOSITE_INSERT, id, a, spirv_undef(w, id), 0);
        a = SPIRV_COMPUTE(w, OP_COMPOSITE_INSERT, id, b, a, 1);
        b = spirv_undef(w, id);
    }
    spirv_put(&words, a);
    spirv_put(&words, b);
    for (unsigned n = 0; n < LLVMGetNumMaskElements(i); n++)
        spirv_put(&words, LLVMGetMaskValue(i, n) < 0 ? UNDEFINED : (uint32_t)LLVMGetMaskValue(i, n));
    spirv_define(w, i, row->op, words.words, words.count);
    free(words.words);
}

static void write_extractvalue(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    struct spirv_words words = {0};
    spirv_put(&words, value_of(w, i, 0));
    for (unsigned n = 0; n < LLVMGetNumIndices(i); n++)
        spirv_put(&words, LLVMGetIndices(i)[n]);
    spirv_define(w, i, row->op, words.words, words.count);
    free(words.words);
}

/* --- control flow
 * ------------------------------------------------------------------------------------------------------ */

static void write_phi(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    struct spirv_words words = {0};
    for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
        spirv_put(&words, spirv_value(w, LLVMGetIncomingValue(i, n)));
        spirv_put(&words, spirv_block(w, LLVMGetIncomingBlock(i, n)));
    }
    spirv_define(w, i, row->op, words.words, words.count);
    free(words.words);
}

static void write_branch(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    uint32_t first = spirv_block(w, LLVMGetSuccessor(i, 0));
    if (!LLVMIsConditional(i))
        SPIRV_EMIT(w, SPIRV_FUNCTIONS, row->op, first);
    else
        SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_BRANCH_CONDITIONAL, spirv_value(w, LLVMGetCondition(i)), first,
                   spirv_block(w, LLVMGetSuccessor(i, 1)));
}

/* SPIR-V has no switch over a bit. */
static void write_split_bitcast(struct spirv_writer *w, LLVMValueRef i)
{
    LLVMBasicBlockRef to[2] = {LLVMGetSwitchDefaultDest(i), LLVMGetSwitchDefaultDest(i)};
    for (unsigned n = 2; n + 1 < (unsigned)LLVMGetNumOperands(i); n += 2)
        to[LLVMConstIntGetZExtValue(operand(i, n))] = LLVMValueAsBasicBlock(operand(i, n + 1));
    SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_BRANCH_CONDITIONAL, value_of(w, i, 0), spirv_block(w, to[1]),
               spirv_block(w, to[0]));
}

/* Operands: value, default block, then pairs of number and block. */
static void write_switch(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    LLVMTypeRef type = LLVMTypeOf(operand(i, 0));
    if (type_is_mask(type)) {
        write_split_bitcast(w, i);
        return;
    }
    struct spirv_words words = {0};
    spirv_put(&words, value_of(w, i, 0));
    spirv_put(&words, spirv_block(w, LLVMGetSwitchDefaultDest(i)));
    for (unsigned n = 2; n + 1 < (unsigned)LLVMGetNumOperands(i); n += 2) {
        uint64_t number = LLVMConstIntGetZExtValue(operand(i, n));
        spirv_put(&words, (uint32_t)number);
        if (type_element_bits(type) == 64)
            spirv_put(&words, (uint32_t)(number >> 32));
        spirv_put(&words, spirv_block(w, LLVMValueAsBasicBlock(operand(i, n + 1))));
    }
    spirv_emit(w, SPIRV_FUNCTIONS, row->op, words.words, words.count);
    free(words.words);
}

/* Returns the struct of results that the last cm.return built. */
static void write_return(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    if (LLVMGetNumOperands(i) == 0)
        spirv_emit(w, SPIRV_FUNCTIONS, row->op, NULL, 0);
    else
        SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_RETURN_VALUE, w->left);
}

static void write_unreachable(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    (void)i;
    spirv_emit(w, SPIRV_FUNCTIONS, row->op, NULL, 0);
}

static void write_load(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    (void)row;
    spirv_load(w, i);
}
static void write_store(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    (void)row;
    spirv_store(w, i);
}
static void write_address(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    (void)row;
    spirv_address(w, i);
}
static void write_call(struct spirv_writer *w, LLVMValueRef i, const struct row *row)
{
    (void)row;
    spirv_call(w, i);
}

static const struct row table[] = {
    [LLVMRet] = {write_return, OP_RETURN, 0},
    [LLVMBr] = {write_branch, OP_BRANCH, 0},
    [LLVMSwitch] = {write_switch, OP_SWITCH, 0},
    [LLVMUnreachable] = {write_unreachable, OP_UNREACHABLE, 0},
    [LLVMAdd] = {write_binary, OP_I_ADD, OP_LOGICAL_NOT_EQUAL},
    [LLVMFAdd] = {write_binary, OP_F_ADD, 0},
    [LLVMSub] = {write_binary, OP_I_SUB, OP_LOGICAL_NOT_EQUAL},
    [LLVMFSub] = {write_binary, OP_F_SUB, 0},
    [LLVMMul] = {write_binary, OP_I_MUL, OP_LOGICAL_AND},
    [LLVMFMul] = {write_binary, OP_F_MUL, 0},
    [LLVMUDiv] = {write_binary, OP_U_DIV, 0},
    [LLVMSDiv] = {write_binary, OP_S_DIV, 0},
    [LLVMFDiv] = {write_binary, OP_F_DIV, 0},
    [LLVMURem] = {write_binary, OP_U_MOD, 0},
    [LLVMSRem] = {write_binary, OP_S_REM, 0},
    [LLVMFRem] = {write_binary, OP_F_REM, 0},
    [LLVMShl] = {write_binary, OP_SHIFT_LEFT, 0},
    [LLVMLShr] = {write_binary, OP_SHIFT_RIGHT_LOGICAL, 0},
    [LLVMAShr] = {write_binary, OP_SHIFT_RIGHT_ARITHMETIC, 0},
    [LLVMAnd] = {write_binary, OP_BITWISE_AND, OP_LOGICAL_AND},
    [LLVMOr] = {write_binary, OP_BITWISE_OR, OP_LOGICAL_OR},
    [LLVMXor] = {write_binary, OP_BITWISE_XOR, OP_LOGICAL_NOT_EQUAL},
    [LLVMFNeg] = {write_unary, OP_F_NEGATE, 0},
    [LLVMLoad] = {write_load, OP_LOAD, 0},
    [LLVMStore] = {write_store, OP_STORE, 0},
    [LLVMGetElementPtr] = {write_address, OP_PTR_ACCESS_CHAIN, 0},
    [LLVMTrunc] = {write_truncation, OP_U_CONVERT, 0},
    [LLVMZExt] = {write_extension, OP_U_CONVERT, 0},
    [LLVMSExt] = {write_extension, OP_S_CONVERT, 0},
    [LLVMFPToUI] = {write_from_float, OP_CONVERT_F_TO_U, 0},
    [LLVMFPToSI] = {write_from_float, OP_CONVERT_F_TO_S, 0},
    [LLVMUIToFP] = {write_extension, OP_CONVERT_U_TO_F, 0},
    [LLVMSIToFP] = {write_extension, OP_CONVERT_S_TO_F, 0},
    [LLVMFPTrunc] = {write_unary, OP_F_CONVERT, 0},
    [LLVMFPExt] = {write_unary, OP_F_CONVERT, 0},
    [LLVMPtrToInt] = {write_unary, OP_CONVERT_PTR_TO_U, 0},
    [LLVMIntToPtr] = {write_unary, OP_CONVERT_U_TO_PTR, 0},
    [LLVMBitCast] = {write_unary, OP_BITCAST, 0},
    [LLVMAddrSpaceCast] = {write_space_cast, OP_BITCAST, 0},
    [LLVMICmp] = {write_integer_comparison, OP_I_EQUAL, 0},
    [LLVMFCmp] = {write_float_comparison, OP_F_ORD_EQUAL, 0},
    [LLVMPHI] = {write_phi, OP_PHI, 0},
    [LLVMCall] = {write_call, OP_FUNCTION_CALL, 0},
    [LLVMSelect] = {write_select, OP_SELECT, 0},
    [LLVMExtractElement] = {write_extract, OP_COMPOSITE_EXTRACT, 0},
    [LLVMInsertElement] = {write_insert, OP_COMPOSITE_INSERT, 0},
    [LLVMShuffleVector] = {write_shuffle, OP_VECTOR_SHUFFLE, 0},
    [LLVMExtractValue] = {write_extractvalue, OP_COMPOSITE_EXTRACT, 0},
};

void spirv_instruction(struct spirv_writer *w, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    w->vc.at = i;
    if ((size_t)opcode < sizeof table / sizeof *table && table[opcode].write) {
        table[opcode].write(w, i, &table[opcode]);
        return;
    }
    char *text = LLVMPrintValueToString(i);
    vc_fail(&w->vc, "'%.200s'", text + strspn(text, " "));
    LLVMDisposeMessage(text);
}
