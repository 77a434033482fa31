/* Reassociates sums to use fewer operations. Constants of one sum are added up. Run-time offsets of regions become a
 * multiple of one number plus a constant, which is free in indirect operands (the address register's immediate).
 *
 *     (a + 2) + b + 3             a + b + 5
 *     a + b, (a + 2) + b          c = a + b, c + 2
 *     a * 3 + b * 5 + c * 3       (c + a) * 3 + b * 5
 *     (i + 2) * 16 + 2 * i        i * 18 + 32
 */
#include <stdlib.h>
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

enum { DEPTH = 8 };

static bool is_integer_sum(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
}

static bool adds_constant(LLVMValueRef value)
{
    return is_integer_sum(value) && LLVMIsConstant(LLVMGetOperand(value, 1)) && !LLVMIsUndef(LLVMGetOperand(value, 1));
}

static void may_wrap(LLVMValueRef sum)
{
    LLVMSetNSW(sum, false);
    LLVMSetNUW(sum, false);
}

/* Removes constants from the single-use sum `sum` and adds them to *constant. True if there were any; nuw and nsw flags
 * of the sum are then invalid. */
static bool take_constants(LLVMValueRef sum, LLVMValueRef *constant, unsigned depth)
{
    bool taken = false;
    if (!depth || !is_integer_sum(sum) || !ir_has_one_use(sum))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef part = LLVMGetOperand(sum, k);
        if (LLVMIsConstant(part))
            continue;
        if (adds_constant(part) && ir_has_one_use(part)) {
            *constant = LLVMConstAdd(*constant, LLVMGetOperand(part, 1));
            LLVMSetOperand(sum, k, LLVMGetOperand(part, 0));
            LLVMInstructionEraseFromParent(part);
            taken = true;
        }
        taken = take_constants(LLVMGetOperand(sum, k), constant, depth - 1) || taken;
    }
    if (taken) {
        may_wrap(sum);
        ir_forget_debug(sum);
    }
    return taken;
}

static void add_up_constants(LLVMValueRef sum)
{
    LLVMValueRef constant = LLVMGetOperand(sum, 1);
    if (!take_constants(LLVMGetOperand(sum, 0), &constant, DEPTH))
        return;
    LLVMSetOperand(sum, 1, constant);
    may_wrap(sum);
}

static bool are_terms(LLVMValueRef sum, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef first = LLVMGetOperand(sum, 0), second = LLVMGetOperand(sum, 1);
    return (first == a && second == b) || (first == b && second == a);
}

/* The sum of `a` and `b` among those that were passed in the block; NULL: there is none. */
static LLVMValueRef sum_before(const struct pointer_map *passed, LLVMValueRef a, LLVMValueRef b)
{
    enum { MOST_USES = 64 };
    size_t number;
    unsigned uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(b); use && uses < MOST_USES; use = LLVMGetNextUse(use), uses++) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_integer_sum(user) && are_terms(user, a, b) && pointer_map_get(passed, user, &number))
            return user;
    }
    return NULL;
}

/* Adds the constant of a term last, if the sum without it is there: such are the addresses of several blocks. */
static void share_sum(LLVMValueRef sum, const struct pointer_map *passed)
{
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef term = LLVMGetOperand(sum, k), other = LLVMGetOperand(sum, 1 - k);
        LLVMValueRef shared =
            adds_constant(term) && ir_has_one_use(term) ? sum_before(passed, LLVMGetOperand(term, 0), other) : NULL;
        if (!shared)
            continue;
        LLVMSetOperand(sum, 0, shared);
        LLVMSetOperand(sum, 1, LLVMGetOperand(term, 1));
        may_wrap(sum);
        LLVMInstructionEraseFromParent(term);
        return;
    }
}

/* Of the sums of numbers in a block. */
static void share_sums(LLVMBasicBlockRef block)
{
    struct pointer_map passed = {0};
    FOR_EACH_INSTRUCTION(i, block)
    if (is_integer_sum(i) && type_lanes(LLVMTypeOf(i)) == 1) {
        share_sum(i, &passed);
        pointer_map_set(&passed, i, 1);
    }
    pointer_map_free(&passed);
}

/* True for a single-use product (or left shift) of vectors by a constant. */
static bool is_product(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMAdd;
    return (op == LLVMMul || op == LLVMShl) && LLVMIsConstant(LLVMGetOperand(value, 1)) && ir_has_one_use(value);
}

static bool have_equal_factors(LLVMValueRef a, LLVMValueRef b)
{
    return is_product(a) && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
           LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1);
}

/* Finds a sum below `sum` with a term whose factor is that of `product`; *term: which of its operands. */
static LLVMValueRef sum_with_factor(LLVMValueRef sum, LLVMValueRef product, LLVMBasicBlockRef block, unsigned *term)
{
    for (unsigned depth = 0; depth < DEPTH; depth++) {
        if (!is_integer_sum(sum) || !ir_has_one_use(sum) || LLVMGetInstructionParent(sum) != block)
            return NULL;
        for (*term = 0; *term < 2; (*term)++)
            if (have_equal_factors(LLVMGetOperand(sum, *term), product))
                return sum;
        sum = LLVMGetOperand(sum, !is_integer_sum(LLVMGetOperand(sum, 0)));
    }
    return NULL;
}

/* Makes one product of two terms of a sum with equal factors: they are added first. */
static void add_before_product(LLVMBuilderRef builder, LLVMValueRef sum, unsigned operand)
{
    LLVMValueRef product = LLVMGetOperand(sum, operand), rest = LLVMGetOperand(sum, 1 - operand);
    unsigned term;
    LLVMValueRef other =
        is_product(product) ? sum_with_factor(rest, product, LLVMGetInstructionParent(sum), &term) : NULL;
    if (!other)
        return;
    LLVMValueRef equal = LLVMGetOperand(other, term);
    LLVMPositionBuilderBefore(builder, sum);
    LLVMValueRef both = LLVMBuildAdd(builder, LLVMGetOperand(product, 0), LLVMGetOperand(equal, 0), "");
    LLVMOpcode op = LLVMGetInstructionOpcode(product);
    LLVMSetOperand(sum, operand, LLVMBuildBinOp(builder, op, both, LLVMGetOperand(product, 1), ""));
    may_wrap(sum);
    for (LLVMValueRef below = rest; below != other && is_integer_sum(below);
         below = LLVMGetOperand(below, !is_integer_sum(LLVMGetOperand(below, 0))))
        may_wrap(below);
    ir_forget_debug_of_users(other); /* sums on the way lack a term now */
    LLVMReplaceAllUsesWith(other, LLVMGetOperand(other, 1 - term));
    LLVMInstructionEraseFromParent(other);
    LLVMInstructionEraseFromParent(equal);
    LLVMInstructionEraseFromParent(product);
}

/* An offset: factor * number + constant, in 16 bits. `operations`: cost of its present code without the last constant
 * additions, which indirect operands do for free. number: NULL for constants. */
struct offset {
    LLVMValueRef number;
    uint16_t factor, constant;
    unsigned operations;
};

static struct offset offset_of(LLVMValueRef value, unsigned depth);

static struct offset scaled(LLVMValueRef value, uint16_t factor, unsigned depth)
{
    struct offset o = offset_of(LLVMGetOperand(value, 0), depth - 1);
    o.operations += 1u + (o.constant != 0);
    o.factor = (uint16_t)(o.factor * factor);
    o.constant = (uint16_t)(o.constant * factor);
    return o;
}

/* Adds or subtracts two offsets. False: the result is not a multiple of one number. */
static bool add(struct offset *a, const struct offset *b, bool subtract)
{
    bool both = a->number && b->number;
    if (both && a->number != b->number)
        return false;
    a->operations += b->operations + both + (both && (a->constant || b->constant)) + (subtract && !a->number);
    a->number = a->number ? a->number : b->number;
    a->factor = (uint16_t)(subtract ? a->factor - b->factor : a->factor + b->factor);
    a->constant = (uint16_t)(subtract ? a->constant - b->constant : a->constant + b->constant);
    return true;
}

static struct offset offset_of(LLVMValueRef value, unsigned depth)
{
    struct offset itself = {value, 1, 0, 0};
    int64_t number;
    if (constant_int(value, &number))
        return (struct offset){NULL, 0, (uint16_t)number, 0};
    if (LLVMIsATruncInst(value))
        return offset_of(LLVMGetOperand(value, 0), depth);
    if (!depth || !LLVMIsABinaryOperator(value))
        return itself;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    bool factor = constant_int(LLVMGetOperand(value, 1), &number);
    if (op == LLVMShl && factor && number >= 0 && number < 16)
        return scaled(value, (uint16_t)(1u << number), depth);
    if (op == LLVMMul && factor)
        return scaled(value, (uint16_t)number, depth);
    if (op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(value))) {
        struct offset a = offset_of(LLVMGetOperand(value, 0), depth - 1),
                      b = offset_of(LLVMGetOperand(value, 1), depth - 1);
        return add(&a, &b, op == LLVMSub) ? a : itself;
    }
    return itself;
}

/* Finds the operand of a region access that is its offset. */
static bool offset_operand(LLVMValueRef i, unsigned *operand)
{
    if (!LLVMIsACallInst(i) || !(region_is_write(i) || region_is_read(i)))
        return false;
    *operand = region_is_write(i) ? 5 : 4;
    LLVMValueRef offset = LLVMGetOperand(i, *operand);
    return !LLVMIsConstant(offset) && type_lanes(LLVMTypeOf(offset)) == 1;
}

/* True if `value` is used for offsets only. */
static bool is_only_offset(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned operand;
        if (offset_operand(user, &operand) && LLVMGetOperand(user, operand) == value)
            continue;
        if (!depth || !(LLVMIsATruncInst(user) || adds_constant(user)) || !is_only_offset(user, depth - 1))
            return false;
    }
    return true;
}

/* Removes the constant that an indirect operand adds for free. */
static LLVMValueRef without_constant(LLVMValueRef offset)
{
    while (LLVMIsATruncInst(offset) || adds_constant(offset))
        offset = LLVMGetOperand(offset, 0);
    return offset;
}

struct product {
    LLVMValueRef number, value;
    uint16_t factor;
};

struct offsets {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct pointer_map numbers; /* numbers with at least one offset that gets simpler */
    struct product *products;
    size_t count, capacity;
};

static void position_behind(struct offsets *o, LLVMValueRef number)
{
    LLVMValueRef at = LLVMIsAInstruction(number)
                          ? LLVMGetNextInstruction(number)
                          : LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetParamParent(number)));
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(o->builder, at);
}

/* Builds factor * number, once for all offsets. */
static LLVMValueRef product_of(struct offsets *o, const struct offset *offset)
{
    for (size_t k = 0; k < o->count; k++)
        if (o->products[k].number == offset->number && o->products[k].factor == offset->factor)
            return o->products[k].value;
    position_behind(o, offset->number);
    LLVMValueRef value = offset->number, factor = constant_i16(o->module, (int)offset->factor);
    if (type_element_bits(LLVMTypeOf(value)) > 16)
        value = LLVMBuildTrunc(o->builder, value, LLVMTypeOf(factor), "");
    if (offset->factor != 1 && (offset->factor & (offset->factor - 1)) == 0)
        value = LLVMBuildShl(o->builder, value, constant_i16(o->module, __builtin_ctz(offset->factor)), "");
    else if (offset->factor != 1)
        value = LLVMBuildMul(o->builder, value, factor, "");
    ARRAY_PUSH(o->products, o->count, o->capacity, ((struct product){offset->number, value, offset->factor}));
    return value;
}

static bool can_be_product(const struct offset *offset, LLVMValueRef value)
{
    return offset->number && offset->factor && type_element_bits(LLVMTypeOf(offset->number)) >= 16 &&
           !LLVMIsConstant(offset->number) && is_only_offset(without_constant(value), 4);
}

static void find_simpler(struct offsets *o, LLVMValueRef i)
{
    unsigned operand;
    if (!offset_operand(i, &operand))
        return;
    LLVMValueRef value = LLVMGetOperand(i, operand);
    struct offset offset = offset_of(value, DEPTH);
    if (can_be_product(&offset, value) && offset.operations > (offset.factor != 1))
        pointer_map_set(&o->numbers, offset.number, 1);
}

static void simplify(struct offsets *o, LLVMValueRef i)
{
    unsigned operand;
    size_t simpler = 0;
    if (!offset_operand(i, &operand))
        return;
    LLVMValueRef value = LLVMGetOperand(i, operand);
    struct offset offset = offset_of(value, DEPTH);
    if (!offset.number || !pointer_map_get(&o->numbers, offset.number, &simpler) || !can_be_product(&offset, value))
        return;
    LLVMValueRef sum = product_of(o, &offset);
    LLVMPositionBuilderBefore(o->builder, i);
    if (offset.constant)
        sum = LLVMBuildAdd(o->builder, sum, constant_i16(o->module, (int16_t)offset.constant), "");
    LLVMSetOperand(i, operand, sum);
}

static void simplify_offsets(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function)
{
    struct offsets o = {.module = module, .builder = builder};
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    find_simpler(&o, i);
    if (o.numbers.count == 0)
        return; /* with nothing in memory */
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    simplify(&o, i);
    pointer_map_free(&o.numbers);
    free(o.products);
}

bool pass_reassociate(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    {
        FOR_EACH_BLOCK(block, f)
        FOR_EACH_INSTRUCTION(i, block)
        if (adds_constant(i))
            add_up_constants(i);
        else if (is_integer_sum(i) && type_lanes(LLVMTypeOf(i)) > 1) {
            add_before_product(builder, i, 0);
            add_before_product(builder, i, 1);
        }
        FOR_EACH_BLOCK(block, f)
        share_sums(block);
        simplify_offsets(module, builder, f);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
