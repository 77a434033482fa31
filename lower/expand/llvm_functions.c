/* Expands LLVM intrinsics that LLVM's passes create and that vISA lacks, or lacks for that width: overflow and
 * saturating arithmetic, byte swaps, bit operations on words and quadwords, minimum and maximum of quadwords, copysign,
 * selects with a constant mask. */
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

struct expander {
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMTypeRef type; /* of the function's first operand: lanes of `bits` */
    unsigned bits;
    LLVMValueRef x, y; /* its operands; of functions of one operand y means nothing */
};

static LLVMTypeRef lanes_of(const struct expander *e, unsigned bits)
{
    return type_like(e->type, LLVMIntTypeInContext(LLVMGetModuleContext(e->module), bits));
}

static LLVMValueRef number(const struct expander *e, int64_t n)
{
    return constant_number(e->type, n);
}

static LLVMValueRef genx(const struct expander *e, enum genx_id id, LLVMTypeRef type, LLVMValueRef a, LLVMValueRef b)
{
    return genx_build(e->b, e->module, id, type, (LLVMValueRef[]){a, b}, b ? 2 : 1);
}

/* ---- minimum and maximum, on platforms that compare quadwords in several steps ---- */

static LLVMValueRef choice(const struct expander *e, LLVMIntPredicate first_if)
{
    return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, first_if, e->x, e->y, ""), e->x, e->y, "");
}
static LLVMValueRef least_unsigned(const struct expander *e)
{
    return choice(e, LLVMIntULT);
}
static LLVMValueRef largest_unsigned(const struct expander *e)
{
    return choice(e, LLVMIntUGT);
}
static LLVMValueRef least_signed(const struct expander *e)
{
    return choice(e, LLVMIntSLT);
}
static LLVMValueRef largest_signed(const struct expander *e)
{
    return choice(e, LLVMIntSGT);
}

static LLVMValueRef is_negative(const struct expander *e, LLVMValueRef n)
{
    return LLVMBuildICmp(e->b, LLVMIntSLT, n, number(e, 0), "");
}

static LLVMValueRef absolute(const struct expander *e)
{
    return LLVMBuildSelect(e->b, is_negative(e, e->x), LLVMBuildSub(e->b, number(e, 0), e->x, ""), e->x, "");
}

/* Saturating moves between signed and unsigned quadwords, which constants fold. */
static LLVMValueRef clamped_to_signed(const struct expander *e)
{
    return LLVMBuildSelect(e->b, is_negative(e, e->x), number(e, INT64_MAX), e->x, "");
}
static LLVMValueRef clamped_to_unsigned(const struct expander *e)
{
    return LLVMBuildSelect(e->b, is_negative(e, e->x), number(e, 0), e->x, "");
}

/* ---- saturating sums: one instruction reads the narrow numbers in the wide sum, and saturates (bale.c) ---- */

static LLVMValueRef widened(const struct expander *e, LLVMValueRef value, bool is_signed)
{
    LLVMTypeRef wide = lanes_of(e, 2 * e->bits);
    return is_signed ? LLVMBuildSExt(e->b, value, wide, "") : LLVMBuildZExt(e->b, value, wide, "");
}

static LLVMValueRef narrow_sum(const struct expander *e, bool is_signed, bool subtract)
{
    LLVMValueRef x = widened(e, e->x, is_signed), y = widened(e, e->y, is_signed);
    LLVMValueRef sum = subtract ? LLVMBuildSub(e->b, x, y, "") : LLVMBuildAdd(e->b, x, y, "");
    return genx(e, is_signed ? GENX_SSTRUNC_SAT : GENX_UUTRUNC_SAT, e->type, sum, NULL);
}

/* True if `result`, the sum or difference of x and y, has a sign that is impossible without overflow. */
static LLVMValueRef has_wrapped(const struct expander *e, LLVMValueRef result, bool subtract)
{
    LLVMValueRef against = LLVMBuildXor(e->b, e->x, subtract ? e->y : result, "");
    return is_negative(e, LLVMBuildAnd(e->b, against, LLVMBuildXor(e->b, subtract ? e->x : e->y, result, ""), ""));
}

static LLVMValueRef signed_sum(const struct expander *e, bool subtract)
{
    if (e->bits < 64)
        return narrow_sum(e, true, subtract);
    LLVMValueRef sum = subtract ? LLVMBuildSub(e->b, e->x, e->y, "") : LLVMBuildAdd(e->b, e->x, e->y, "");
    LLVMValueRef sign = LLVMBuildAShr(e->b, e->x, number(e, 63), "");
    return LLVMBuildSelect(e->b, has_wrapped(e, sum, subtract), LLVMBuildXor(e->b, sign, number(e, INT64_MAX), ""), sum,
                           "");
}
static LLVMValueRef saturated_sum(const struct expander *e)
{
    return signed_sum(e, false);
}
static LLVMValueRef saturated_difference(const struct expander *e)
{
    return signed_sum(e, true);
}

static LLVMValueRef saturated_unsigned_sum(const struct expander *e)
{
    if (e->bits < 64)
        return narrow_sum(e, false, false);
    LLVMValueRef sum = LLVMBuildAdd(e->b, e->x, e->y, "");
    return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntULT, sum, e->x, ""), number(e, -1), sum, "");
}

static LLVMValueRef saturated_unsigned_difference(const struct expander *e)
{
    LLVMValueRef larger = e->bits < 64 ? genx(e, GENX_UMAX, e->type, e->x, e->y) : largest_unsigned(e);
    return LLVMBuildSub(e->b, larger, e->y, "");
}

/* ---- bits ---- */

/* Swaps bytes: the bytes at one position of each lane are a region. */
static LLVMValueRef swapped_bytes(const struct expander *e)
{
    unsigned lanes = type_lanes(e->type), bytes = e->bits / 8;
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(e->module));
    LLVMValueRef from = LLVMBuildBitCast(e->b, e->x, type_with_lanes(byte, lanes * bytes), "");
    LLVMValueRef to = LLVMGetUndef(LLVMTypeOf(from));
    for (unsigned k = 0; k < bytes; k++) {
        struct region source = {(int)(bytes - 1 - k), lanes, 0, (int)bytes},
                      destination = {(int)k, lanes, 0, (int)bytes};
        LLVMValueRef part = region_build_read(e->b, e->module, type_with_lanes(byte, lanes), from, &source, NULL);
        to = region_build_write(e->b, e->module, to, part, &destination, NULL, NULL);
    }
    return LLVMBuildBitCast(e->b, to, e->type, "");
}

/* Applies `id` to the low (0) or high (1) dwords of quadwords. */
static LLVMValueRef of_half(const struct expander *e, enum genx_id id, int high)
{
    LLVMTypeRef dwords = lanes_of(e, 32);
    unsigned lanes = type_lanes(e->type);
    LLVMValueRef all = LLVMBuildBitCast(e->b, e->x, type_with_lanes(type_element(dwords), 2 * lanes), "");
    struct region half = {4 * high, lanes, 0, 8};
    return genx(e, id, dwords, region_build_read(e->b, e->module, dwords, all, &half, NULL), NULL);
}

static LLVMValueRef count_of(const struct expander *e, enum genx_id id)
{
    return genx(e, id, lanes_of(e, 32), LLVMBuildZExt(e->b, e->x, lanes_of(e, 32), ""), NULL);
}

static LLVMValueRef to_width(const struct expander *e, LLVMValueRef dwords)
{
    return e->bits > 32 ? LLVMBuildZExt(e->b, dwords, e->type, "") : LLVMBuildTrunc(e->b, dwords, e->type, "");
}

static LLVMValueRef set_bits(const struct expander *e)
{
    if (e->bits < 32)
        return to_width(e, count_of(e, GENX_CBIT));
    return to_width(e, LLVMBuildAdd(e->b, of_half(e, GENX_CBIT, 0), of_half(e, GENX_CBIT, 1), ""));
}

static LLVMValueRef leading_zeros(const struct expander *e)
{
    LLVMTypeRef dwords = lanes_of(e, 32);
    if (e->bits < 32)
        return to_width(e, LLVMBuildSub(e->b, count_of(e, GENX_LZD), constant_number(dwords, 32 - (int)e->bits), ""));
    LLVMValueRef high = of_half(e, GENX_LZD, 1), whole = constant_number(dwords, 32);
    LLVMValueRef both = LLVMBuildAdd(e->b, of_half(e, GENX_LZD, 0), whole, "");
    return to_width(e, LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, high, whole, ""), both, high, ""));
}

/* Counts the bits below the lowest set bit. */
static LLVMValueRef trailing_zeros(const struct expander *e)
{
    struct expander below = *e;
    below.x = LLVMBuildAnd(e->b, LLVMBuildNot(e->b, e->x, ""), LLVMBuildSub(e->b, e->x, number(e, 1), ""), "");
    return e->bits == 32 ? genx(e, GENX_CBIT, e->type, below.x, NULL) : set_bits(&below);
}

static LLVMValueRef reversed_bits(const struct expander *e)
{
    if (e->bits < 32) {
        LLVMValueRef all = count_of(e, GENX_BFREV);
        return to_width(e, LLVMBuildLShr(e->b, all, constant_number(lanes_of(e, 32), 32 - (int)e->bits), ""));
    }
    LLVMValueRef low = to_width(e, of_half(e, GENX_BFREV, 1)), high = to_width(e, of_half(e, GENX_BFREV, 0));
    return LLVMBuildOr(e->b, LLVMBuildShl(e->b, high, number(e, 32), ""), low, "");
}

/* Returns the first operand with the second one's sign. */
static LLVMValueRef other_sign(const struct expander *e)
{
    LLVMTypeRef type = lanes_of(e, e->bits);
    uint64_t sign = UINT64_C(1) << (e->bits - 1);
    LLVMValueRef x = LLVMBuildBitCast(e->b, e->x, type, ""), y = LLVMBuildBitCast(e->b, e->y, type, "");
    LLVMValueRef magnitude = LLVMBuildAnd(e->b, x, constant_number(type, (int64_t)(sign - 1)), "");
    LLVMValueRef bit = LLVMBuildAnd(e->b, y, constant_number(type, (int64_t)sign), "");
    return LLVMBuildBitCast(e->b, LLVMBuildOr(e->b, magnitude, bit, ""), e->type, "");
}

/* Widths to expand: all; all but dwords; quadwords on platforms that emulate them. */
enum width { ANY, NO_DWORDS, EMULATED };

static const struct {
    const char *prefix;
    enum genx_id id; /* the same of CM's own functions, or NONE */
    enum width width;
    LLVMValueRef (*expand)(const struct expander *);
} functions[] = {
    {"llvm.umin.", GENX_UMIN, EMULATED, least_unsigned},
    {"llvm.umax.", GENX_UMAX, EMULATED, largest_unsigned},
    {"llvm.smin.", GENX_SMIN, EMULATED, least_signed},
    {"llvm.smax.", GENX_SMAX, EMULATED, largest_signed},
    {"llvm.abs.", GENX_ABSI, EMULATED, absolute},
    {"llvm.genx.sutrunc.sat.", GENX_SUTRUNC_SAT, EMULATED, clamped_to_signed},
    {"llvm.genx.ustrunc.sat.", GENX_USTRUNC_SAT, EMULATED, clamped_to_unsigned},
    {"llvm.sadd.sat.", GENX_NONE, ANY, saturated_sum},
    {"llvm.ssub.sat.", GENX_NONE, ANY, saturated_difference},
    {"llvm.uadd.sat.", GENX_NONE, ANY, saturated_unsigned_sum},
    {"llvm.usub.sat.", GENX_NONE, ANY, saturated_unsigned_difference},
    {"llvm.bswap.", GENX_NONE, ANY, swapped_bytes},
    {"llvm.ctpop.", GENX_NONE, NO_DWORDS, set_bits},
    {"llvm.ctlz.", GENX_NONE, NO_DWORDS, leading_zeros},
    {"llvm.cttz.", GENX_NONE, ANY, trailing_zeros},
    {"llvm.bitreverse.", GENX_NONE, NO_DWORDS, reversed_bits},
    {"llvm.copysign.", GENX_NONE, ANY, other_sign},
};

/* ---- results with overflow flags ---- */

static LLVMValueRef product(const struct expander *e, bool is_signed, LLVMValueRef *wrapped)
{
    LLVMValueRef wide = LLVMBuildMul(e->b, widened(e, e->x, is_signed), widened(e, e->y, is_signed), "");
    LLVMValueRef low = LLVMBuildTrunc(e->b, wide, e->type, "");
    *wrapped = LLVMBuildICmp(e->b, LLVMIntNE, widened(e, low, is_signed), wide, "");
    return low;
}

static LLVMValueRef sum(const struct expander *e, bool is_signed, bool subtract, LLVMValueRef *wrapped)
{
    LLVMValueRef result = subtract ? LLVMBuildSub(e->b, e->x, e->y, "") : LLVMBuildAdd(e->b, e->x, e->y, "");
    if (is_signed)
        *wrapped = has_wrapped(e, result, subtract);
    else
        *wrapped = LLVMBuildICmp(e->b, LLVMIntULT, subtract ? e->x : result, subtract ? e->y : e->x, "");
    return result;
}

static const struct {
    const char *prefix;
    bool is_signed, multiply, subtract;
} wrapping[] = {
    {"llvm.uadd.with.overflow.", false, false, false}, {"llvm.sadd.with.overflow.", true, false, false},
    {"llvm.usub.with.overflow.", false, false, true},  {"llvm.ssub.with.overflow.", true, false, true},
    {"llvm.umul.with.overflow.", false, true, false},  {"llvm.smul.with.overflow.", true, true, false},
};

/* Replaces the extractvalues of such a call. Products of quadwords are not expanded: nothing here multiplies 128 bits,
 * and no CM code is recognized as such a product. */
static void expand_wrapping(const struct expander *e, LLVMValueRef call, size_t row)
{
    LLVMValueRef parts[2];
    if (wrapping[row].multiply && e->bits == 64)
        return;
    parts[0] = wrapping[row].multiply ? product(e, wrapping[row].is_signed, &parts[1])
                                      : sum(e, wrapping[row].is_signed, wrapping[row].subtract, &parts[1]);
    for (LLVMUseRef use = LLVMGetFirstUse(call), after; use; use = after) {
        after = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAExtractValueInst(user))
            LLVMReplaceAllUsesWith(user, parts[LLVMGetIndices(user)[0]]);
    }
}

static bool is_wanted(const struct expander *e, const struct lower_options *options, enum width width)
{
    switch (width) {
    case NO_DWORDS: return e->bits != 32;
    case EMULATED: return e->bits == 64 && !platform_has(options->platform, FEATURE_NATIVE_INT64);
    default: return true;
    }
}

/* Returns the row of functions[]; -1: none. */
static int row_of(LLVMValueRef call, enum genx_id id)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (id == GENX_NONE ? ir_calls_named(call, functions[k].prefix) : id == functions[k].id)
            return (int)k;
    return -1;
}

static void expand(struct expander *e, LLVMValueRef call, const struct lower_options *options)
{
    enum genx_id id = genx_call_id(call);
    int row = row_of(call, id);
    if (id != GENX_NONE && row < 0)
        return;
    if (ir_calls_named(call, "llvm.assume")) { /* an assumption about a function's path, without result */
        LLVMInstructionEraseFromParent(call);
        return;
    }
    e->x = LLVMGetOperand(call, 0);
    e->y = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1) : NULL;
    e->type = LLVMTypeOf(e->x);
    e->bits = type_element_bits(e->type);
    LLVMPositionBuilderBefore(e->b, call);
    LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(call));
    for (size_t k = 0; id == GENX_NONE && k < sizeof wrapping / sizeof *wrapping; k++)
        if (ir_calls_named(call, wrapping[k].prefix))
            expand_wrapping(e, call, k);
    if (row < 0 || LLVMTypeOf(call) != e->type || !is_wanted(e, options, functions[row].width))
        return;
    LLVMReplaceAllUsesWith(call, functions[row].expand(e));
    LLVMInstructionEraseFromParent(call);
}

/* Replaces the extraction of a lane of a number's bits, which LLVM makes of a bit test, by a shift. NULL: not that
 * pattern. */
static LLVMValueRef one_bit(const struct expander *e, LLVMValueRef lane)
{
    int64_t bit;
    LLVMValueRef bits = LLVMIsAExtractElementInst(lane) ? LLVMGetOperand(lane, 0) : NULL;
    if (!bits || !LLVMIsABitCastInst(bits) || !type_is_mask(LLVMTypeOf(bits)) ||
        !constant_int(LLVMGetOperand(lane, 1), &bit))
        return NULL;
    LLVMValueRef number = LLVMGetOperand(bits, 0);
    LLVMTypeRef type = type_element(LLVMTypeOf(number));
    unsigned width = type_element_bits(type), from = (unsigned)bit / width;
    LLVMPositionBuilderBefore(e->b, lane);
    LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(lane));
    if (LLVMGetTypeKind(LLVMTypeOf(number)) == LLVMVectorTypeKind)
        number = LLVMBuildExtractElement(e->b, number, constant_i32(e->module, from), "");
    LLVMValueRef low = LLVMBuildLShr(e->b, number, LLVMConstInt(type, (unsigned)bit % width, false), "");
    return LLVMBuildTrunc(e->b, low, LLVMTypeOf(lane), "");
}

/* Replaces a shuffle whose lane k is lane k of one of its operands, in many runs, by a select with a constant mask,
 * from which LLVM made it. A select reads its operands in place. NULL: not that pattern. */
static LLVMValueRef blend(const struct expander *e, LLVMValueRef shuffle)
{
    enum { MOST_MOVES = 3, MOST_LANES = 32 }; /* of a predicate */
    if (!LLVMIsAShuffleVectorInst(shuffle))
        return NULL;
    LLVMValueRef x = LLVMGetOperand(shuffle, 0), y = LLVMGetOperand(shuffle, 1), first[MOST_LANES];
    unsigned lanes = LLVMGetNumMaskElements(shuffle), bits = type_element_bits(LLVMTypeOf(shuffle)), runs = 1;
    if (lanes > MOST_LANES || LLVMTypeOf(x) != LLVMTypeOf(shuffle) || bits > 32 || bits < 16)
        return NULL;
    bool before = false;
    for (unsigned k = 0; k < lanes; k++) {
        int lane = LLVMGetMaskValue(shuffle, k);
        bool second = lane < 0 ? before : (unsigned)lane >= lanes;
        if (lane >= 0 && (unsigned)lane % lanes != k)
            return NULL;
        runs += k > 0 && second != before;
        before = second;
        first[k] = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetModuleContext(e->module)), !second, false);
    }
    if (runs <= MOST_MOVES)
        return NULL;
    LLVMPositionBuilderBefore(e->b, shuffle);
    LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(shuffle));
    return LLVMBuildSelect(e->b, LLVMConstVector(first, lanes), x, y, "");
}

bool pass_llvm_functions(LLVMModuleRef module, const struct lower_options *options)
{
    struct expander e = {.module = module, .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef other = one_bit(&e, i);
        if (!other)
            other = blend(&e, i);
        if (other)
            LLVMReplaceAllUsesWith(i, other);
        else if (LLVMIsACallInst(i) && LLVMGetNumArgOperands(i) > 0)
            expand(&e, i, options);
    }
    LLVMDisposeBuilder(e.b);
    return true;
}
