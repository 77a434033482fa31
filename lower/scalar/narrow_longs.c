/* Computes 64-bit integers in dwords if only their low dwords are read (LLVM: demanded bits). Addresses in shared local
 * memory look like that: C's pointers have 64 bits, the messages take 32.
 *
 *     a = zext i; b = shl a, 3; c = add b, 272; trunc c        i32: b = shl i, 3; c = add b, 272
 *
 * LLVM's instcombine does so for one user and without shuffles. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/scalar/inst_simplify.h"

enum { DWORD = 32, LONG = 64, MOST_LANES = 1024 };

struct longs {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef *candidates; /* operations that are to be done in dwords */
    size_t count, capacity;
    struct pointer_map number; /* of a candidate, plus one; 0: it is none after all */
    struct pointer_map dwords; /* a candidate to what replaces it */
};

static bool is_long(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == LONG;
}

static LLVMTypeRef dword_type(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return type_like(type, LLVMInt32TypeInContext(LLVMGetTypeContext(type)));
}

/* True for a constant with lanes that are no numbers, such as addresses of functions. */
static bool has_unknown_lane(LLVMValueRef vector)
{
    uint64_t number;
    bool undefined;
    for (unsigned k = 0; LLVMIsConstant(vector) && k < type_lanes(LLVMTypeOf(vector)); k++)
        if (!constant_lane(vector, k, &number, &undefined))
            return true;
    return LLVMIsConstant(vector) && type_lanes(LLVMTypeOf(vector)) > MOST_LANES / 2;
}

/* True for a read at an offset that is known at run time: its low dwords are read alone. */
static bool is_read_at_run_time(LLVMValueRef value)
{
    struct region region;
    return region_is_read(value) && !region_of_call(value, &region) && !has_unknown_lane(LLVMGetOperand(value, 0));
}

/* True if the low dword of the result depends on the low dwords of 64-bit operands only. */
static bool is_candidate(LLVMValueRef i)
{
    uint64_t distance;
    if (!is_long(i))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
    case LLVMPHI: return true;
    case LLVMInsertElement: return LLVMIsConstant(LLVMGetOperand(i, 2));
    case LLVMShuffleVector: return LLVMGetNumMaskElements(i) <= MOST_LANES;
    case LLVMShl: return constant_in_lanes(LLVMGetOperand(i, 1), &distance) && distance < DWORD;
    case LLVMZExt:
    case LLVMSExt: return type_element_bits(LLVMTypeOf(LLVMGetOperand(i, 0))) <= DWORD;
    case LLVMCall: return is_read_at_run_time(i);
    default: return false;
    }
}

static bool is_chosen(const struct longs *l, LLVMValueRef value)
{
    size_t number;
    return pointer_map_get(&l->number, value, &number) && number;
}

/* True if all that is read of the value are low dwords. */
static bool is_read_low(const struct longs *l, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsATruncInst(user) && !(is_chosen(l, user) && !is_read_at_run_time(user)))
            return false;
        if (LLVMIsATruncInst(user) && type_element_bits(LLVMTypeOf(user)) > DWORD)
            return false;
    }
    return LLVMGetFirstUse(value) != NULL;
}

/* Finds all operations of which only low dwords are read: at first it takes every one for such an operation. */
static void find_candidates(struct longs *l, LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_candidate(i)) {
        ARRAY_PUSH(l->candidates, l->count, l->capacity, i);
        pointer_map_set(&l->number, i, l->count);
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t k = l->count; k-- > 0;) /* users are behind what they use, mostly */
            if (is_chosen(l, l->candidates[k]) && !is_read_low(l, l->candidates[k])) {
                pointer_map_set(&l->number, l->candidates[k], 0);
                changed = true;
            }
    }
}

static LLVMValueRef low_dwords(struct longs *l, LLVMValueRef value);

static LLVMValueRef shuffled(struct longs *l, LLVMValueRef i)
{
    LLVMValueRef lanes[MOST_LANES];
    unsigned count = LLVMGetNumMaskElements(i);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));
    for (unsigned k = 0; k < count; k++) {
        int lane = LLVMGetMaskValue(i, k);
        lanes[k] = lane < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, (unsigned)lane, false);
    }
    LLVMValueRef a = low_dwords(l, LLVMGetOperand(i, 0)), b = low_dwords(l, LLVMGetOperand(i, 1));
    return LLVMBuildShuffleVector(l->builder, a, b, LLVMConstVector(lanes, count), "");
}

/* Returns a vector of 64-bit lanes as one of dwords, of which the low ones are read. In a constant the high ones repeat
 * them: it takes fewer instructions. */
static LLVMValueRef as_dwords(struct longs *l, LLVMValueRef vector)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));
    unsigned lanes = type_lanes(LLVMTypeOf(vector));
    if (!LLVMIsConstant(vector))
        return LLVMBuildBitCast(l->builder, vector, LLVMVectorType(i32, 2 * lanes), "");
    LLVMValueRef dwords[MOST_LANES];
    for (unsigned k = 0; k < lanes; k++) {
        uint64_t number;
        bool undefined, known = constant_lane(vector, k, &number, &undefined) && !undefined;
        dwords[2 * k] = known ? LLVMConstInt(i32, number & UINT32_MAX, false) : LLVMGetUndef(i32);
        dwords[2 * k + 1] = dwords[2 * k];
    }
    return LLVMConstVector(dwords, 2 * lanes);
}

/* The low dwords of what is read: those of the vector, as dwords. */
static LLVMValueRef read_at_run_time(struct longs *l, LLVMValueRef read)
{
    enum { OFFSET = 4 };
    struct region region;
    region_of_call(read, &region);
    return region_build_read(l->builder, l->module, dword_type(read), as_dwords(l, LLVMGetOperand(read, 0)), &region,
                             LLVMGetOperand(read, OFFSET));
}

static LLVMValueRef operated(struct longs *l, LLVMValueRef i)
{
    LLVMValueRef operands[2] = {low_dwords(l, LLVMGetOperand(i, 0)), low_dwords(l, LLVMGetOperand(i, 1))};
    LLVMValueRef result = LLVMBuildBinOp(l->builder, LLVMGetInstructionOpcode(i), operands[0], operands[1], "");
    bool built = false;
    LLVMValueRef simpler =
        LLVMIsABinaryOperator(result) ? scalar_simpler_value(l->builder, result, operands, &built) : NULL;
    if (simpler)
        LLVMInstructionEraseFromParent(result);
    return simpler ? simpler : result;
}

/* Does what a chosen instruction does, in dwords, in front of it. */
static LLVMValueRef in_dwords(struct longs *l, LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), x, y;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMZExt: return LLVMBuildZExt(l->builder, a, dword_type(i), "");
    case LLVMSExt: return LLVMBuildSExt(l->builder, a, dword_type(i), "");
    case LLVMSelect:
        x = low_dwords(l, LLVMGetOperand(i, 1)), y = low_dwords(l, LLVMGetOperand(i, 2));
        return LLVMBuildSelect(l->builder, a, x, y, "");
    case LLVMInsertElement:
        x = low_dwords(l, a), y = low_dwords(l, LLVMGetOperand(i, 1));
        return LLVMBuildInsertElement(l->builder, x, y, LLVMGetOperand(i, 2), "");
    case LLVMShuffleVector: return shuffled(l, i);
    case LLVMCall: return read_at_run_time(l, i);
    default: return operated(l, i);
    }
}

static LLVMValueRef phi_of_dwords(struct longs *l, LLVMValueRef phi)
{
    LLVMValueRef low = LLVMBuildPhi(l->builder, dword_type(phi), "");
    pointer_map_set(&l->dwords, phi, (size_t)low); /* it may be its own operand's */
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMPositionBuilderBefore(l->builder, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef value = low_dwords(l, LLVMGetIncomingValue(phi, k));
        LLVMAddIncoming(low, &value, &from, 1);
    }
    return low;
}

/* Returns the low dwords of a 64-bit value. Those of one that is not chosen are read at the builder's position. */
static LLVMValueRef low_dwords(struct longs *l, LLVMValueRef value)
{
    size_t known;
    if (pointer_map_get(&l->dwords, value, &known))
        return (LLVMValueRef)known;
    if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value)) { /* of dwords, perhaps for others too */
        LLVMValueRef from = LLVMGetOperand(value, 0);
        if (type_element_bits(LLVMTypeOf(from)) == DWORD)
            return from;
    }
    if (!is_chosen(l, value))
        return LLVMBuildTrunc(l->builder, value, dword_type(value), "");
    LLVMBuilderRef outer = l->builder;
    l->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(l->module));
    LLVMPositionBuilderBefore(l->builder, value);
    LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(value));
    LLVMValueRef low = LLVMIsAPHINode(value) ? phi_of_dwords(l, value) : in_dwords(l, value);
    LLVMDisposeBuilder(l->builder);
    l->builder = outer;
    pointer_map_set(&l->dwords, value, (size_t)low);
    return low;
}

/* Lets truncations of chosen values read dwords. */
static void replace_truncations(struct longs *l, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsATruncInst(user) || !is_chosen(l, value))
            continue;
        LLVMPositionBuilderBefore(l->builder, user);
        LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(user));
        LLVMValueRef low = low_dwords(l, value);
        bool whole = LLVMTypeOf(low) == LLVMTypeOf(user);
        LLVMReplaceAllUsesWith(user, whole ? low : LLVMBuildTrunc(l->builder, low, LLVMTypeOf(user), ""));
        LLVMInstructionEraseFromParent(user);
    }
}

static void erase_chosen(struct longs *l)
{
    for (size_t k = 0; k < l->count; k++)
        if (is_chosen(l, l->candidates[k]))
            LLVMReplaceAllUsesWith(l->candidates[k], LLVMGetPoison(LLVMTypeOf(l->candidates[k])));
    for (size_t k = 0; k < l->count; k++)
        if (is_chosen(l, l->candidates[k]))
            LLVMInstructionEraseFromParent(l->candidates[k]);
}

bool pass_narrow_longs(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct longs l = {.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    {
        l.count = 0;
        find_candidates(&l, f);
        for (size_t k = 0; k < l.count; k++)
            replace_truncations(&l, l.candidates[k]);
        erase_chosen(&l);
        pointer_map_free(&l.number);
        pointer_map_free(&l.dwords);
    }
    free(l.candidates);
    LLVMDisposeBuilder(l.builder);
    return true;
}
