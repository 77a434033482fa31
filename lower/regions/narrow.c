/* Type demotion: computes in words if the same bits result (paper, section V).
 *
 *     int(a) + int(b), a and b bytes               no sum needs more than ten bits: words
 *     float(a) + float(b) + float(c) ...           sums of small integers are exact: integers, converted once
 *     int(a) > 100                                 a compare with a number that a byte can be: of bytes
 *
 * It requires that the range of every lane proves it, and that all users can read words as well: an instruction holds
 * twice as many words as dwords, but widening a result for a user of dwords would cost more. */
#include "lower/analysis/range.h"
#include "lower/ir/ir.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/ir/remarks.h"
#include "lower/passes.h"

struct narrow {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    bool narrowed; /* something is done in words that was not */
};

static bool fits_signed(struct range r)
{
    return range_within(r, INT16_MIN, INT16_MAX);
}
static bool fits_unsigned(struct range r)
{
    return range_within(r, 0, UINT16_MAX);
}

/* Builds a truncation of `value` right after it, once for all that ask: as an operand of several users it may cost
 * more than as a copy. */
static LLVMValueRef truncation(struct narrow *n, LLVMValueRef value, LLVMTypeRef type)
{
    bool placed = LLVMIsAInstruction(value) && !LLVMIsAPHINode(value) && !LLVMIsATerminatorInst(value);
    if (!placed)
        return LLVMBuildTrunc(n->builder, value, type, "");
    LLVMValueRef next = LLVMGetNextInstruction(value);
    for (; next && LLVMIsATruncInst(next) && LLVMGetOperand(next, 0) == value; next = LLVMGetNextInstruction(next))
        if (LLVMTypeOf(next) == type)
            return next;
    LLVMBuilderRef here = LLVMCreateBuilderInContext(LLVMGetModuleContext(n->module));
    LLVMPositionBuilderBefore(here, next);
    LLVMValueRef low = LLVMBuildTrunc(here, value, type, "");
    LLVMDisposeBuilder(here);
    return low;
}

/* Returns the low bits of integer `value` as elements of type `element`, looking through extensions. */
static LLVMValueRef low_bits(struct narrow *n, LLVMValueRef value, LLVMTypeRef element)
{
    LLVMTypeRef type = type_like(LLVMTypeOf(value), element);
    bool zero = LLVMIsAZExtInst(value) != NULL;
    if (zero || LLVMIsASExtInst(value)) {
        LLVMValueRef from = LLVMGetOperand(value, 0);
        unsigned bits = type_element_bits(LLVMTypeOf(from)), wanted = LLVMGetIntTypeWidth(element);
        if (bits == wanted)
            return from;
        if (bits < wanted)
            return zero ? LLVMBuildZExt(n->builder, from, type, "") : LLVMBuildSExt(n->builder, from, type, "");
        value = from;
    }
    return type_element_bits(LLVMTypeOf(value)) == LLVMGetIntTypeWidth(element) ? value : truncation(n, value, type);
}

/* ---- integers ---- */

/* True for a shift count that is valid for words, and that is a word without a move. */
static bool is_distance_in_words(LLVMValueRef distance)
{
    return (LLVMIsConstant(distance) || LLVMIsAZExtInst(distance)) && range_within(range_of_integer(distance), 0, 15);
}

/* True if the low bits of the result depend on the low bits of the operands only. */
static bool is_modular(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return true;
    case LLVMShl: return is_distance_in_words(LLVMGetOperand(i, 1));
    default: return false;
    }
}

/* True for a right shift of numbers that fit words, with the signedness of the shift. */
static bool shifts_right_in_words(LLVMValueRef i)
{
    LLVMOpcode op = LLVMIsABinaryOperator(i) ? LLVMGetInstructionOpcode(i) : LLVMAdd;
    if (op != LLVMLShr && op != LLVMAShr)
        return false;
    struct range r = range_of_integer(LLVMGetOperand(i, 0));
    return op == LLVMLShr ? fits_unsigned(r) : fits_signed(r);
}

static bool shifts_words(LLVMValueRef i)
{
    return shifts_right_in_words(i) && is_distance_in_words(LLVMGetOperand(i, 1));
}

/* Returns the scalar by which all lanes are shifted, if it is no constant; NULL: `i` is no such shift. */
static LLVMValueRef scalar_distance(LLVMValueRef i)
{
    LLVMOpcode op = LLVMIsABinaryOperator(i) ? LLVMGetInstructionOpcode(i) : LLVMAdd;
    if (op != LLVMShl && op != LLVMLShr && op != LLVMAShr)
        return NULL;
    LLVMValueRef number = constant_splat_number(LLVMGetOperand(i, 1));
    return number && !LLVMIsConstant(number) ? number : NULL;
}

static bool is_truncated_to_words(LLVMValueRef value);

/* True for a shift by one scalar of which only the low words are read, and that can be done in words: one to the left,
 * or one to the right of numbers that fit words. */
static bool shifts_words_by_scalar(LLVMValueRef i)
{
    return scalar_distance(i) && is_truncated_to_words(i) &&
           (LLVMGetInstructionOpcode(i) == LLVMShl || shifts_right_in_words(i));
}

/* True for the smaller or larger of two numbers that fit signed words. */
static bool compares_words(LLVMValueRef i)
{
    bool least;
    return ir_is_signed_extreme(i, &least) && fits_signed(range_of_integer(LLVMGetOperand(i, 0))) &&
           fits_signed(range_of_integer(LLVMGetOperand(i, 1)));
}

/* True for the absolute value of a number that has one in signed words. */
static bool is_magnitude_of_words(LLVMValueRef i)
{
    return genx_call_id(i) == GENX_ABSI && range_within(range_of_integer(LLVMGetOperand(i, 0)), -INT16_MAX, INT16_MAX);
}

/* True if `user` reads a constant region of `value`, dwords. *region, if not NULL, becomes that region of the same
 * numbers in words. */
static bool reads_region(LLVMValueRef user, LLVMValueRef value, struct region *region)
{
    struct region r;
    if (!region_is_read(user) || LLVMGetOperand(user, 0) != value || !region_of_call(user, &r) ||
        type_element_bits(LLVMTypeOf(user)) != 32)
        return false;
    if (region)
        *region = (struct region){r.offset / 2, r.width, r.vstride / 2, r.hstride / 2};
    return true;
}

static bool users_read_words(LLVMValueRef value, bool is_signed);
static bool shifts_left_to_words(LLVMValueRef shift);

/* True if `user` reads operand `value` as words at no cost: narrowing makes it do so, or its operand may be extended
 * words. */
static bool can_read_words(LLVMValueRef user, LLVMValueRef value, bool is_signed)
{
    if (LLVMIsATruncInst(user))
        return type_element_bits(LLVMTypeOf(user)) <= 16 && !type_is_mask(LLVMTypeOf(user));
    if (is_saturation(genx_call_id(user)) || LLVMIsAUIToFPInst(user) || LLVMIsASIToFPInst(user))
        return true;
    if (LLVMIsAICmpInst(user))
        return is_signed;
    if (shifts_words(user))
        return users_read_words(user, true);
    if (reads_region(user, value, NULL))
        return users_read_words(user, is_signed);
    if (compares_words(user) || is_magnitude_of_words(user))
        return is_signed && users_read_words(user, true);
    if (!LLVMIsABinaryOperator(user) || !is_modular(user))
        return false;
    if (LLVMGetInstructionOpcode(user) == LLVMShl) /* of words it loses what does not fit */
        return shifts_left_to_words(user);
    return LLVMGetInstructionOpcode(user) != LLVMSub || LLVMGetOperand(user, 1) != value || is_signed;
}

/* True for a left shift that narrowing will do in words. */
static bool shifts_left_to_words(LLVMValueRef shift)
{
    struct range r = range_of_integer(shift);
    bool is_signed = fits_signed(r);
    return (is_signed || fits_unsigned(r)) && users_read_words(shift, is_signed);
}

static bool users_read_words(LLVMValueRef value, bool is_signed)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!can_read_words(LLVMGetUser(use), value, is_signed))
            return false;
    return LLVMGetFirstUse(value) != NULL;
}

/* Builds the same saturation of a narrower number, with that number's signedness. */
static LLVMValueRef saturated_part(struct narrow *n, LLVMValueRef call, LLVMValueRef number, bool is_signed)
{
    bool to_signed = saturates_to_signed(genx_call_id(call));
    enum genx_id narrow = is_signed ? (to_signed ? GENX_SSTRUNC_SAT : GENX_USTRUNC_SAT)
                                    : (to_signed ? GENX_SUTRUNC_SAT : GENX_UUTRUNC_SAT);
    LLVMPositionBuilderBefore(n->builder, call);
    return genx_build(n->builder, n->module, narrow, LLVMTypeOf(call), &number, 1);
}

/* A saturation reads its operand with its own signedness: a negative number that it reads as a large one does not fit a
 * word. */
static bool saturation_agrees(LLVMValueRef call, struct range r)
{
    return saturates_signed(genx_call_id(call)) || r.low >= 0;
}

static void replace(LLVMValueRef old, LLVMValueRef value)
{
    LLVMReplaceAllUsesWith(old, value);
    LLVMInstructionEraseFromParent(old);
}

/* Replaces a saturation of numbers that fit the narrower type by their low bits. */
static bool drop_saturation(struct narrow *n, LLVMValueRef call)
{
    bool to_signed = saturates_to_signed(genx_call_id(call));
    LLVMValueRef wide = LLVMGetOperand(call, 0);
    LLVMTypeRef element = type_element(LLVMTypeOf(call));
    unsigned bits = LLVMGetIntTypeWidth(element);
    struct range r = range_of_integer(wide);
    int64_t above = bits < 64 ? (int64_t)1 << (bits - to_signed) : INT64_MAX;
    if (bits > type_element_bits(LLVMTypeOf(wide)) || !range_within(r, to_signed ? -above : 0, above - 1) ||
        !saturation_agrees(call, r))
        return false;
    LLVMPositionBuilderBefore(n->builder, call);
    LLVMReplaceAllUsesWith(call, low_bits(n, wide, element));
    return true;
}

/* A saturation of an extended number is one of the number itself where that is wider than the result. */
static void saturate_before_extension(struct narrow *n, LLVMValueRef call)
{
    LLVMValueRef wide = LLVMGetOperand(call, 0);
    bool is_signed = LLVMIsASExtInst(wide) != NULL;
    if ((!is_signed && !LLVMIsAZExtInst(wide)) || (is_signed && !saturates_signed(genx_call_id(call))))
        return; /* it reads a negative number as a large one */
    LLVMValueRef number = LLVMGetOperand(wide, 0);
    if (type_element_bits(LLVMTypeOf(number)) > type_element_bits(LLVMTypeOf(call)))
        LLVMReplaceAllUsesWith(call, saturated_part(n, call, number, is_signed));
}

/* Converts words to the float that `user` makes of the dwords of the same value; NULL: it is no such conversion. */
static LLVMValueRef converted_words(struct narrow *n, LLVMValueRef user, LLVMValueRef words, struct range r)
{
    if (!LLVMIsASIToFPInst(user) && !(LLVMIsAUIToFPInst(user) && r.low >= 0))
        return NULL;
    LLVMPositionBuilderBefore(n->builder, user);
    return fits_signed(r) ? LLVMBuildSIToFP(n->builder, words, LLVMTypeOf(user), "")
                          : LLVMBuildUIToFP(n->builder, words, LLVMTypeOf(user), "");
}

/* Replaces dwords `wide`, numbers within `r`, by `words` in users. */
static void forward_words(struct narrow *n, LLVMValueRef wide, LLVMValueRef words, struct range r)
{
    n->narrowed = true;
    bool is_signed = fits_signed(r);
    LLVMValueRef widened = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(wide); use; use = LLVMGetFirstUse(wide)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATruncInst(user)) {
            LLVMPositionBuilderBefore(n->builder, user);
            replace(user, low_bits(n, words, type_element(LLVMTypeOf(user))));
            continue;
        }
        if (is_saturation(genx_call_id(user)) && type_element_bits(LLVMTypeOf(user)) < 16) {
            replace(user, saturated_part(n, user, words, is_signed));
            continue;
        }
        struct region region;
        if (reads_region(user, wide, &region)) {
            LLVMPositionBuilderBefore(n->builder, user);
            LLVMTypeRef type = LLVMTypeOf(user), element = type_element(LLVMTypeOf(words));
            bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
            LLVMValueRef read = region_build_read(n->builder, n->module, is_vector ? type_like(type, element) : element,
                                                  words, &region, NULL);
            replace(user,
                    is_signed ? LLVMBuildSExt(n->builder, read, type, "") : LLVMBuildZExt(n->builder, read, type, ""));
            continue;
        }
        LLVMValueRef converted = converted_words(n, user, words, r);
        if (converted) {
            replace(user, converted);
            continue;
        }
        if (!widened) {
            LLVMPositionBuilderBefore(n->builder, wide);
            widened = is_signed ? LLVMBuildSExt(n->builder, words, LLVMTypeOf(wide), "")
                                : LLVMBuildZExt(n->builder, words, LLVMTypeOf(wide), "");
        }
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == wide)
                LLVMSetOperand(user, k, widened);
    }
}

static bool saturations_agree(LLVMValueRef value, struct range r)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (is_saturation(genx_call_id(LLVMGetUser(use))) && !saturation_agrees(LLVMGetUser(use), r))
            return false;
    return true;
}

/* True if the low words of operand `value` are all of it that decides the low words of `user`. */
static bool is_modular_in(LLVMValueRef user, LLVMValueRef value)
{
    if (LLVMIsASelectInst(user))
        return LLVMGetOperand(user, 0) != value;
    return LLVMIsABinaryOperator(user) && is_modular(user) &&
           (LLVMGetInstructionOpcode(user) != LLVMShl || LLVMGetOperand(user, 1) != value);
}

/* True if nothing but the low words of the result are read, through `depth` operations. */
static bool decides_words(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool truncates = LLVMIsATruncInst(user) && type_element_bits(LLVMTypeOf(user)) == 16;
        if (!truncates && !(depth > 0 && is_modular_in(user, value) && decides_words(user, depth - 1)))
            return false;
    }
    return LLVMGetFirstUse(value) != NULL;
}

static bool is_truncated_to_words(LLVMValueRef value)
{
    enum { DEPTH = 4 };
    return decides_words(value, DEPTH);
}

/* Shifts words by a scalar that may be more than 15, as LLVM's shifts of words may not. To the left: times a power of
 * two, whose low word is 0 then. To the right: by 15 at most; an unsigned word has no bit left if the scalar is more.
 */
static LLVMValueRef shifted_words(struct narrow *n, LLVMValueRef wide, LLVMValueRef words)
{
    LLVMBuilderRef b = n->builder;
    LLVMOpcode op = LLVMGetInstructionOpcode(wide);
    LLVMValueRef distance = scalar_distance(wide), one = LLVMConstInt(LLVMTypeOf(distance), 1, false),
                 most = LLVMConstInt(LLVMTypeOf(distance), 15, false);
    LLVMTypeRef word = type_element(LLVMTypeOf(words));
    unsigned lanes = type_lanes(LLVMTypeOf(words));
    if (op == LLVMShl) {
        LLVMValueRef factor = LLVMBuildTrunc(b, LLVMBuildShl(b, one, distance, ""), word, "");
        return LLVMBuildMul(b, words, ir_build_splat(b, factor, lanes), "narrow");
    }
    LLVMValueRef is_small = LLVMBuildICmp(b, LLVMIntULE, distance, most, ""),
                 by = LLVMBuildTrunc(b, LLVMBuildSelect(b, is_small, distance, most, ""), word, "");
    LLVMValueRef shifted = LLVMBuildBinOp(b, op, words, ir_build_splat(b, by, lanes), "narrow");
    if (op == LLVMAShr || range_within(range_of_integer(distance), 0, 15))
        return shifted;
    LLVMValueRef kept = LLVMBuildSExt(b, is_small, word, "");
    return LLVMBuildAnd(b, shifted, ir_build_splat(b, kept, lanes), "");
}

static LLVMValueRef extreme_of_words(struct narrow *n, LLVMValueRef wide, LLVMValueRef a, LLVMValueRef b)
{
    bool least = false;
    ir_is_signed_extreme(wide, &least);
    return genx_build(n->builder, n->module, least ? GENX_SMIN : GENX_SMAX, LLVMTypeOf(a), (LLVMValueRef[]){a, b}, 2);
}

/* Chooses between words if the low words are all that is read of what is chosen. */
static void narrow_choice(struct narrow *n, LLVMValueRef i)
{
    if (!is_truncated_to_words(i))
        return;
    LLVMTypeRef word = LLVMInt16TypeInContext(LLVMGetModuleContext(n->module));
    remark_at(i, REMARK_NARROWED, type_lanes(LLVMTypeOf(i)));
    LLVMPositionBuilderBefore(n->builder, i);
    LLVMValueRef a = low_bits(n, LLVMGetOperand(i, 1), word), b = low_bits(n, LLVMGetOperand(i, 2), word);
    forward_words(n, i, LLVMBuildSelect(n->builder, LLVMGetOperand(i, 0), a, b, "narrow"), range_of_integer(i));
}

/* True if operands are words without a move. */
static bool reads_only_words(LLVMValueRef i)
{
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        bool extended = LLVMIsAZExtInst(operand) || LLVMIsASExtInst(operand);
        if (!LLVMIsConstant(operand) && !(extended && type_element_bits(LLVMTypeOf(LLVMGetOperand(operand, 0))) <= 16))
            return false;
    }
    return true;
}

static bool is_read_by_regions(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (region_is_read(LLVMGetUser(use)))
            return true;
    return false;
}

static void narrow_integer(struct narrow *n, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (type_is_float(type) || type_element_bits(type) != 32 || type_lanes(type) * 4 <= INSTRUCTION_BYTES)
        return;
    if (LLVMIsASelectInst(i)) {
        narrow_choice(n, i);
        return;
    }
    if (shifts_words_by_scalar(i)) {
        remark_at(i, REMARK_NARROWED, type_lanes(type));
        LLVMPositionBuilderBefore(n->builder, i);
        LLVMValueRef words = low_bits(n, LLVMGetOperand(i, 0), LLVMInt16TypeInContext(LLVMGetModuleContext(n->module)));
        forward_words(n, i, shifted_words(n, i, words), range_of_integer(i));
        return;
    }
    bool extreme = compares_words(i), magnitude = is_magnitude_of_words(i),
         modular = LLVMIsABinaryOperator(i) && is_modular(i);
    if (!extreme && !magnitude && !modular && !shifts_words(i))
        return;
    struct range r = range_of_integer(i);
    bool is_signed = fits_signed(r), fits = is_signed || fits_unsigned(r);
    if (is_read_by_regions(i) && !(LLVMIsABinaryOperator(i) && reads_only_words(i)))
        return; /* in words it takes no fewer instructions, and readers of dwords would extend them */
    if (!(modular && is_truncated_to_words(i)) &&
        (!fits || !users_read_words(i, is_signed) || !saturations_agree(i, r)))
        return;
    LLVMTypeRef word = LLVMInt16TypeInContext(LLVMGetModuleContext(n->module));
    remark_at(i, REMARK_NARROWED, type_lanes(type));
    LLVMPositionBuilderBefore(n->builder, i);
    LLVMValueRef a = low_bits(n, LLVMGetOperand(i, 0), word);
    if (magnitude) {
        forward_words(n, i, genx_build(n->builder, n->module, GENX_ABSI, LLVMTypeOf(a), &a, 1), r);
        return;
    }
    LLVMValueRef b = low_bits(n, LLVMGetOperand(i, 1), word);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef words = extreme ? extreme_of_words(n, i, a, b) : LLVMBuildBinOp(n->builder, op, a, b, "narrow");
    if (LLVMIsABinaryOperator(words) && (op == LLVMAdd || op == LLVMSub || op == LLVMMul) && is_signed)
        LLVMSetNSW(words, fits_signed(range_of_integer(LLVMGetOperand(i, 0))) &&
                              fits_signed(range_of_integer(LLVMGetOperand(i, 1))));
    forward_words(n, i, words, r);
}

/* Removes a mask that keeps all bits that the numbers may have. */
static bool drop_mask(LLVMValueRef i)
{
    uint64_t mask;
    LLVMValueRef numbers = LLVMGetOperand(i, 0);
    if (LLVMGetInstructionOpcode(i) != LLVMAnd || !constant_splat_bits(LLVMGetOperand(i, 1), &mask) ||
        (mask & (mask + 1)) != 0 || mask > UINT32_MAX || !range_within(range_of_integer(numbers), 0, (int64_t)mask))
        return false;
    LLVMReplaceAllUsesWith(i, numbers);
    return true;
}

/* ---- compares ---- */

/* Returns the extension that `value` is, if it has no other use, or that its splatted number is; NULL: none. */
static LLVMValueRef widening(LLVMValueRef value)
{
    LLVMValueRef number = constant_splat_number(value), wide = number ? number : value;
    bool widened = LLVMIsAZExtInst(wide) || LLVMIsASExtInst(wide);
    return widened && ir_has_one_use(value) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(wide, 0))) ? wide : NULL;
}

/* Returns the unsigned predicate with the same order for non-negative numbers. */
static LLVMIntPredicate unsigned_order(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntSGT: return LLVMIntUGT;
    case LLVMIntSGE: return LLVMIntUGE;
    case LLVMIntSLT: return LLVMIntULT;
    case LLVMIntSLE: return LLVMIntULE;
    default: return predicate;
    }
}

/* Moves a compare of extended numbers with a small constant in front of the extension. A splatted number is then read
 * in place, and an instruction has more lanes. */
static void narrow_compare(struct narrow *n, LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef wide = LLVMIsConstant(b) ? widening(a) : NULL;
    if (!wide || type_element_bits(type) > 32 || (wide == a && type_bytes(n->module, type) <= INSTRUCTION_BYTES))
        return;
    LLVMValueRef from = LLVMGetOperand(wide, 0);
    LLVMTypeRef element = type_element(LLVMTypeOf(from));
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    bool is_signed = LLVMIsASExtInst(wide) != NULL;
    int64_t above = (int64_t)1 << (LLVMGetIntTypeWidth(element) - is_signed);
    if (!range_within(range_of_integer(b), is_signed ? -above : 0, above - 1) ||
        (is_signed && ir_is_unsigned_order(predicate)))
        return;
    LLVMPositionBuilderBefore(n->builder, i);
    LLVMValueRef numbers = wide == a ? from : ir_build_splat(n->builder, from, type_lanes(type));
    LLVMValueRef constant = LLVMBuildTrunc(n->builder, b, type_like(type, element), "");
    LLVMReplaceAllUsesWith(
        i, LLVMBuildICmp(n->builder, is_signed ? predicate : unsigned_order(predicate), numbers, constant, ""));
}

/* ---- bytes ---- */

/* Instructions do not write bytes contiguously: logic on bytes that are extended is done in the wider type, and so are
 * right shifts. */
static void widen_logic(struct narrow *n, LLVMValueRef i)
{
    LLVMValueRef logic = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMOpcode op = LLVMIsABinaryOperator(logic) ? LLVMGetInstructionOpcode(logic) : LLVMAdd;
    bool shift = op == LLVMLShr && LLVMIsConstant(LLVMGetOperand(logic, 1));
    if ((op != LLVMAnd && op != LLVMOr && op != LLVMXor && !shift) || type_element_bits(LLVMTypeOf(logic)) != 8 ||
        !ir_has_one_use(logic) || type_element_bits(type) > 32)
        return;
    LLVMTypeRef wider = type; /* of words (two for a dword) if they exceed one instruction */
    if (type_bytes(n->module, type) > INSTRUCTION_BYTES)
        wider = type_like(type, LLVMInt16TypeInContext(LLVMGetTypeContext(type)));
    if (type_bytes(n->module, wider) > INSTRUCTION_BYTES)
        return;
    LLVMPositionBuilderBefore(n->builder, logic);
    LLVMValueRef a = LLVMBuildZExt(n->builder, LLVMGetOperand(logic, 0), wider, "");
    LLVMValueRef b = LLVMBuildZExt(n->builder, LLVMGetOperand(logic, 1), wider, "");
    LLVMValueRef result = LLVMBuildBinOp(n->builder, op, a, b, "");
    LLVMReplaceAllUsesWith(i, wider == type ? result : LLVMBuildZExt(n->builder, result, type, ""));
}

/* ---- floats that are integers ---- */

/* Returns the integer that float `value` is, in `element`s. */
static LLVMValueRef integer_of(struct narrow *n, LLVMValueRef value, LLVMTypeRef element)
{
    LLVMTypeRef type = type_like(LLVMTypeOf(value), element);
    if (LLVMIsConstant(value))
        return LLVMBuildFPToSI(n->builder, value, type, "");
    LLVMValueRef from = LLVMGetOperand(value, 0);
    unsigned bits = type_element_bits(LLVMTypeOf(from)), wanted = LLVMGetIntTypeWidth(element);
    if (bits < wanted)
        return LLVMIsAUIToFPInst(value) ? LLVMBuildZExt(n->builder, from, type, "")
                                        : LLVMBuildSExt(n->builder, from, type, "");
    return low_bits(n, from, element);
}

static bool is_converted(LLVMValueRef value)
{
    return LLVMIsAUIToFPInst(value) || LLVMIsASIToFPInst(value);
}

static bool is_converted_once(LLVMValueRef value)
{
    return is_converted(value) && !LLVMGetNextUse(LLVMGetFirstUse(value));
}

/* Turns a sum of converted integers into the conversion of a sum; if that is an operand of another sum, it is next. */
static void narrow_float(struct narrow *n, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    struct range r;
    if ((op != LLVMFAdd && op != LLVMFSub) || type_lanes(type) * 4 < INSTRUCTION_BYTES ||
        !range_float_is_integer(i, &r))
        return;
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    if ((!is_converted(a) && !LLVMIsConstant(a)) || (!is_converted(b) && !LLVMIsConstant(b)) ||
        (!is_converted_once(a) && !is_converted_once(b)))
        return;
    LLVMContextRef context = LLVMGetModuleContext(n->module);
    bool is_signed = fits_signed(r), words = is_signed || fits_unsigned(r);
    LLVMTypeRef element = words ? LLVMInt16TypeInContext(context) : LLVMInt32TypeInContext(context);
    remark_at(i, REMARK_INTEGER_SUM, type_lanes(type));
    LLVMPositionBuilderBefore(n->builder, i);
    LLVMValueRef sum = LLVMBuildBinOp(n->builder, op == LLVMFAdd ? LLVMAdd : LLVMSub, integer_of(n, a, element),
                                      integer_of(n, b, element), "narrow");
    bool sign = is_signed || !words;
    LLVMReplaceAllUsesWith(i, sign ? LLVMBuildSIToFP(n->builder, sum, type, "")
                                   : LLVMBuildUIToFP(n->builder, sum, type, ""));
}

/* With rounding down, the difference of equal floats is -0.0. */
static bool has_float_control(LLVMValueRef kernel)
{
    char text[16];
    return ir_string_attribute(kernel, LLVMAttributeFunctionIndex, "cm-float-control", text, sizeof text) != NULL;
}

static void narrow_saturation(struct narrow *n, LLVMValueRef call)
{
    if (!drop_saturation(n, call))
        saturate_before_extension(n, call);
}

static void narrow_block(struct narrow *n, LLVMBasicBlockRef block, bool with_floats)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        bool used = LLVMGetFirstUse(i) != NULL;
        bool vector = used && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind;
        if (used && LLVMIsAZExtInst(i))
            widen_logic(n, i);
        else if (vector && LLVMIsAICmpInst(i))
            narrow_compare(n, i);
        else if (vector && is_saturation(genx_call_id(i)))
            narrow_saturation(n, i);
        else if (vector && !type_is_float(LLVMTypeOf(i)) && !drop_mask(i))
            narrow_integer(n, i);
        else if (vector && with_floats)
            narrow_float(n, i);
        next = LLVMGetNextInstruction(i);
        if (used && !LLVMGetFirstUse(i)) /* its replacement comes before it */
            LLVMInstructionEraseFromParent(i);
    }
}

/* An operation in words leaves operands of which it reads the low words only. Those come before it: the next round sees
 * them. */
bool pass_narrow(LLVMModuleRef module, const struct lower_options *options)
{
    enum { MOST_ROUNDS = 4 };
    (void)options;
    struct narrow n = {.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(kernel, module)
    {
        bool with_floats = !has_float_control(kernel);
        n.narrowed = true;
        for (int round = 0; n.narrowed && round < MOST_ROUNDS; round++) {
            n.narrowed = false;
            FOR_EACH_BLOCK(block, kernel)
            {
                narrow_block(&n, block, with_floats);
            }
        }
    }
    LLVMDisposeBuilder(n.builder);
    return true;
}
