/* Removes dead vector elements (paper, section V): lanes that are never read are not written, and computations that
 * only they need are deleted.
 *
 * A region write whose lanes are all dead is deleted. Of a scattered write, which is done lane by lane anyway, only the
 * live lanes remain. If no byte of the older vector is demanded, it becomes undefined and need not be copied, unless it
 * ends there: then the result stays in its place.
 * shrink_vector_ops.c handles operations. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/demanded_elements.h"
#include "lower/regions/forget_lanes.h"
#include "lower/regions/shrink_vector_ops.h"
#include "lower/regions/splat_condition.h"
#include "lower/passes.h"
#include "lower/regions/write_through.h"

/* True if no lane of the write is demanded. */
static bool writes_dead_lanes(const struct demanded_vector *result)
{
    if (result->kind != VECTOR_WRITE)
        return false;
    unsigned size, lanes = demanded_written_lanes(result, &size);
    for (unsigned n, k = 0; k < lanes; k += n) {
        n = region_run(&result->region, lanes, size, k);
        if (demanded_is_read(result, region_lane(&result->region, k), n * size))
            return false;
    }
    return true;
}

/* True if this write demands no byte of the older vector. */
static bool needs_nothing_old(struct demanded *l, const struct demanded_vector *result)
{
    return !byte_set_has_any(demanded_read_by_others(l, result), 0, result->bytes);
}

/* True if the value is also written to lanes that are demanded: it can be computed there. */
static bool is_written_elsewhere(struct demanded *l, LLVMValueRef write)
{
    LLVMValueRef value = LLVMGetOperand(write, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user == write || !region_is_write(user) || LLVMGetOperand(user, 1) != value)
            continue;
        const struct demanded_vector *other = demanded_vector_of(l, user);
        if (other && !writes_dead_lanes(other))
            return true;
    }
    return false;
}

/* ---- writes with some demanded lanes ---- */

struct rebuild {
    LLVMBuilderRef builder;
    LLVMModuleRef module;
};

/* True for lanes in one row that are too far apart for one instruction: fewer lanes are fewer instructions. */
static bool is_scattered(LLVMValueRef write, struct region *r)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !region_writes_all_lanes(write) || !region_of_call(write, r))
        return false;
    return r->width == type_lanes(type) && r->width > 1 && r->hstride > 4 * (int)type_element_bytes(type);
}

/* Returns lanes first..first+count-1 of a value; computes only these if the value has no other use. */
static LLVMValueRef some_lanes(struct rebuild *b, LLVMValueRef value, unsigned first, unsigned count)
{
    LLVMTypeRef element = type_element(LLVMTypeOf(value)), type = LLVMVectorType(element, count);
    bool single = LLVMIsAInstruction(value) && !LLVMGetNextUse(LLVMGetFirstUse(value));
    struct region r = {(int)(first * type_element_bytes(element)), count, 0, (int)type_element_bytes(element)}, whole;
    if (LLVMIsAUndefValue(value))
        return LLVMGetUndef(type);
    if (region_is_read(value) && region_of_call(value, &whole) && whole.width == type_lanes(LLVMTypeOf(value))) {
        r = (struct region){region_lane(&whole, first), count, 0, whole.hstride};
        return region_build_read(b->builder, b->module, type, LLVMGetOperand(value, 0), &r, NULL);
    }
    if (!single || !LLVMIsABinaryOperator(value))
        return region_build_read(b->builder, b->module, type, value, &r, NULL);
    LLVMValueRef left = some_lanes(b, LLVMGetOperand(value, 0), first, count);
    LLVMValueRef right = some_lanes(b, LLVMGetOperand(value, 1), first, count);
    LLVMValueRef result = LLVMBuildBinOp(b->builder, LLVMGetInstructionOpcode(value), left, right, "");
    if (LLVMIsAInstruction(result) && LLVMCanValueUseFastMathFlags(result))
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(value));
    return result;
}

/* True for moves of lanes in one row, the last of which are dead, where the others need no more instructions. The dead
 * ones may never have been written: a read of them would make them live from the kernel's start on. */
static bool ends_in_dead_lanes(const struct demanded_vector *result, struct region *r)
{
    LLVMValueRef write = result->value, value = LLVMGetOperand(write, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(value)), bytes = type_element_bytes(LLVMTypeOf(value)), live = lanes;
    struct region from;
    if (!region_is_read(value) || !ir_has_one_use(value) || !region_of_call(value, &from) || from.width < lanes ||
        LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind || !region_writes_all_lanes(write) ||
        !region_of_call(write, r) || r->width < lanes)
        return false;
    while (live > 0 && !demanded_is_read(result, region_lane(r, live - 1), bytes))
        live--;
    unsigned step = (unsigned)(r->hstride > from.hstride ? r->hstride : from.hstride);
    return live > 0 && live < lanes && regions_instructions(live, step) <= regions_instructions(lanes, step);
}

/* Writes the demanded lanes, one write per contiguous run. */
static void write_live_lanes(struct demanded *l, struct rebuild *b, const struct demanded_vector *result)
{
    LLVMValueRef write = result->value, value = LLVMGetOperand(write, 1), vector = LLVMGetOperand(write, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(value)), bytes = type_element_bytes(LLVMTypeOf(value)), live = 0;
    struct region r;
    if (!is_scattered(write, &r) && !ends_in_dead_lanes(result, &r))
        return;
    for (unsigned k = 0; k < lanes; k++)
        live += demanded_is_read(result, region_lane(&r, k), bytes);
    if (live == lanes)
        return;
    regions_forget_lanes(l, write);
    LLVMPositionBuilderBefore(b->builder, write);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(write));
    for (unsigned first = 0, end; first < lanes; first = end) {
        for (end = first; end < lanes && demanded_is_read(result, region_lane(&r, end), bytes);)
            end++;
        struct region run = {region_lane(&r, first), end - first, 0, r.hstride};
        if (end > first)
            vector = region_build_write(b->builder, b->module, vector, some_lanes(b, value, first, end - first), &run,
                                        NULL, NULL);
        else
            end++;
    }
    LLVMReplaceAllUsesWith(write, vector);
}

/* ---- writes that stay in the variable of the older vector ---- */

#define LARGE_VECTOR  1024 /* bytes; a variable of its own for fewer costs little */
#define MOST_FOLLOWED 32   /* values; the search for accesses at run-time addresses ends there */

/* True for operations whose result the code generator may read in place of a copy. */
static bool may_alias_operand(LLVMValueRef user)
{
    return region_is_read(user) || LLVMIsAShuffleVectorInst(user) || LLVMIsABitCastInst(user);
}

static bool is_before(LLVMValueRef a, LLVMValueRef b)
{
    for (LLVMValueRef i = a; i; i = LLVMGetNextInstruction(i))
        if (i == b)
            return true;
    return false;
}

/* True if no instruction but the write reads the value, or parts of it, later than the write. */
static bool ends_at(LLVMValueRef value, LLVMValueRef write)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user == write)
            continue;
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(write) || LLVMIsAPHINode(user) ||
            !is_before(user, write) || (may_alias_operand(user) && !ends_at(user, write)))
            return false;
    }
    return true;
}

/* True if the vector, or one made from it by writes and joins, is read or written at a run-time offset. Such a vector
 * is not decomposed: all of it stays one variable. */
static bool has_run_time_access(LLVMValueRef vector)
{
    LLVMValueRef followed[MOST_FOLLOWED] = {vector};
    size_t count = 1;
    for (size_t k = 0; k < count; k++)
        for (LLVMUseRef use = LLVMGetFirstUse(followed[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            struct region r;
            if ((region_is_read(user) || region_is_write(user)) && LLVMGetOperand(user, 0) == followed[k] &&
                !region_of_call(user, &r))
                return true;
            size_t n = 0;
            while (n < count && followed[n] != user)
                n++;
            if ((region_is_write(user) || LLVMIsAPHINode(user)) && n == count && count < MOST_FOLLOWED)
                followed[count++] = user;
        }
    return false;
}

/* True for a write whose older vector ends there although none of it is demanded: in its place, the result costs
 * nothing, but as an undefined vector with a few live lanes it would take registers for all lanes. */
static bool stays_in_place(LLVMValueRef write)
{
    LLVMValueRef old = LLVMGetOperand(write, 0);
    LLVMTypeRef type = LLVMTypeOf(old);
    return LLVMIsAInstruction(old) && type_lanes(type) * type_element_bytes(type) >= LARGE_VECTOR &&
           type_lanes(type) >= 2 * type_lanes(LLVMTypeOf(LLVMGetOperand(write, 1))) && has_run_time_access(write) &&
           ends_at(old, write);
}

/* True for a product of words, or a sum of them, that a sum adds to a further product: the finalizer keeps it in the
 * accumulator (mac), unless a variable has to hold it. */
static bool is_accumulated(const struct platform *platform, LLVMValueRef write)
{
    enum { ACCUMULATED_LANES = 16 };
    LLVMValueRef value = LLVMGetOperand(write, 1), product = NULL;
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMUseRef first = LLVMGetFirstUse(value), second = first ? LLVMGetNextUse(first) : NULL;
    if (!platform_has(platform, FEATURE_INT_MAC) || type_is_float(type) || type_element_bits(type) != 16 ||
        type_lanes(type) % ACCUMULATED_LANES != 0 || !second || LLVMGetNextUse(second))
        return false;
    LLVMValueRef sum = LLVMGetUser(first) == write ? LLVMGetUser(second) : LLVMGetUser(first);
    if (!LLVMIsABinaryOperator(sum) || LLVMGetInstructionParent(sum) != LLVMGetInstructionParent(value))
        return false;
    if (LLVMGetInstructionOpcode(sum) == LLVMAdd)
        product = LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == value ? 1 : 0);
    return product && LLVMIsABinaryOperator(product) && LLVMGetInstructionOpcode(product) == LLVMMul &&
           ir_has_one_use(product);
}

/* A write that stays for its place needs no constant around it. */
static void forget_constant(struct demanded *l, const struct demanded_vector *write)
{
    LLVMValueRef old = LLVMGetOperand(write->value, 0);
    if (!LLVMIsConstant(old) || LLVMIsUndef(old) || !needs_nothing_old(l, write))
        return;
    regions_forget_lanes(l, write->value);
    LLVMSetOperand(write->value, 0, LLVMGetUndef(LLVMTypeOf(old)));
}

static void remove_dead(struct demanded *l, struct rebuild *b, const struct platform *platform)
{
    for (size_t n = 0; n < l->count; n++) {
        struct demanded_vector *v = &l->vectors[n];
        if (!region_is_write(v->value))
            continue;
        if (writes_dead_lanes(v)) {
            v->place = regions_is_computed_in_place(v->value) && !is_written_elsewhere(l, v->value) &&
                       !is_accumulated(platform, v->value);
            if (v->place) {
                forget_constant(l, v);
                continue;
            }
            regions_forget_lanes(l, v->value);
            LLVMReplaceAllUsesWith(v->value, LLVMGetOperand(v->value, 0)); /* it goes with the other dead values */
            continue;
        }
        const struct demanded_vector *old = demanded_vector_of(l, LLVMGetOperand(v->value, 0));
        if (needs_nothing_old(l, v) && !(old && old->place) && !stays_in_place(v->value)) {
            regions_forget_lanes(l, v->value);
            LLVMSetOperand(v->value, 0, LLVMGetUndef(LLVMTypeOf(v->value)));
        }
        write_live_lanes(l, b, v);
    }
}

/* Returns the vector operation behind lane 0 of `splat`; NULL: there is none, or it has other users. */
static LLVMValueRef splatted_operation(LLVMValueRef splat)
{
    LLVMValueRef operation = LLVMIsAShuffleVectorInst(splat) ? LLVMGetOperand(splat, 0) : NULL;
    bool known = operation && (LLVMIsABinaryOperator(operation) || LLVMIsAICmpInst(operation));
    return known && ir_has_one_use(operation) && ir_is_splat_shuffle(splat) ? operation : NULL;
}

/* Scalarizes a select of two numbers by one condition. */
static bool choose_one_number(struct rebuild *b, LLVMValueRef choice)
{
    LLVMTypeRef type = LLVMTypeOf(choice);
    if (!LLVMIsASelectInst(choice) || LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_is_mask(type) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(choice, 0))) == LLVMVectorTypeKind)
        return false;
    LLVMValueRef x = constant_splat_number(LLVMGetOperand(choice, 1)),
                 y = constant_splat_number(LLVMGetOperand(choice, 2));
    if (!x || !y)
        return false;
    LLVMPositionBuilderBefore(b->builder, choice);
    LLVMValueRef number = LLVMBuildSelect(b->builder, LLVMGetOperand(choice, 0), x, y, "");
    LLVMReplaceAllUsesWith(choice, ir_build_splat(b->builder, number, type_lanes(type)));
    LLVMInstructionEraseFromParent(choice);
    return true;
}

/* Scalarizes a select that is the same in all lanes. If the mask has other users, the numbers are compared again: one
 * lane of a predicate would keep all of it live, and predicates are few. */
static bool choose_one_lane(struct rebuild *b, LLVMValueRef choice)
{
    LLVMValueRef mask = LLVMIsASelectInst(choice) ? LLVMGetOperand(choice, 0) : NULL;
    if (!mask || !LLVMIsAICmpInst(mask))
        return false;
    LLVMValueRef x = constant_splat_number(LLVMGetOperand(mask, 0)), y = constant_splat_number(LLVMGetOperand(mask, 1)),
                 a = constant_splat_number(LLVMGetOperand(choice, 1)),
                 c = constant_splat_number(LLVMGetOperand(choice, 2));
    if (!x || !y || !a || !c)
        return false;
    LLVMPositionBuilderBefore(b->builder, choice);
    LLVMValueRef one = LLVMBuildICmp(b->builder, LLVMGetICmpPredicate(mask), x, y, "");
    LLVMValueRef number = LLVMBuildSelect(b->builder, one, a, c, "");
    LLVMReplaceAllUsesWith(choice, ir_build_splat(b->builder, number, type_lanes(LLVMTypeOf(choice))));
    LLVMInstructionEraseFromParent(choice);
    return true;
}

/* Scalarizes a vector operation of which only lane 0 exists and is splatted, as LLVM prefers it. Masks of all lanes are
 * computed by a comparison of the splatted numbers. */
static void compute_one_lane(struct rebuild *b, LLVMValueRef splat)
{
    if (choose_one_number(b, splat) || choose_one_lane(b, splat) ||
        regions_replace_splat_of_condition(b->builder, splat))
        return;
    LLVMValueRef operation = splatted_operation(splat);
    if (!operation)
        return;
    unsigned lanes = type_lanes(LLVMTypeOf(splat));
    LLVMValueRef x = ir_only_lane(LLVMGetOperand(operation, 0)), y = ir_only_lane(LLVMGetOperand(operation, 1)), all;
    if (!x || !y || (LLVMIsConstant(x) && LLVMIsConstant(y)))
        return;
    LLVMPositionBuilderBefore(b->builder, operation);
    if (LLVMIsAICmpInst(operation))
        all = LLVMBuildICmp(b->builder, LLVMGetICmpPredicate(operation), ir_build_splat(b->builder, x, lanes),
                            ir_build_splat(b->builder, y, lanes), "");
    else
        all = ir_build_splat(b->builder, LLVMBuildBinOp(b->builder, LLVMGetInstructionOpcode(operation), x, y, ""),
                             lanes);
    LLVMReplaceAllUsesWith(splat, all);
    LLVMInstructionEraseFromParent(splat);
    LLVMInstructionEraseFromParent(operation);
}

bool pass_dead_lanes(LLVMModuleRef module, const struct lower_options *options)
{
    struct rebuild b = {LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), module};
    FOR_EACH_FUNCTION(kernel, module)
    {
        struct demanded l;
        FOR_EACH_BLOCK(block, kernel)
        FOR_EACH_REMOVABLE(i, block)
        compute_one_lane(&b, i);
        demanded_find(&l, kernel);
        remove_dead(&l, &b, options->platform);
        regions_shrink_operations(&l, module, b.builder);
        demanded_free(&l);
    }
    LLVMDisposeBuilder(b.builder);
    return true;
}
