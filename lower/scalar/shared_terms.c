/* Computes two terms that several sums or logic operations have in common once.
 *
 *     r0 = (a0 ^ x) ^ y           p = x ^ y
 *     r1 = (a1 ^ x) ^ y           r0 = a0 ^ p
 *                                 r1 = a1 ^ p
 *
 * Where one instruction takes three terms (add3, bfn), two operations in a row cost one: there the terms are joined
 * only if an odd number of operations is left over. */
#include <stdlib.h>
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"

enum { LEAST_LANES = 8, MOST_BYTES = 512, MOST_OF_TERM = 64, MOST_DEPTH = 16 };

/* (inner ^ y), where inner is (a ^ x) and has no other user. */
struct occurrence {
    LLVMValueRef outer, inner, x, y;
    size_t next; /* of those with the same first term: index + 1 */
};

struct block_terms {
    LLVMBuilderRef builder;
    const struct platform *platform;
    struct pointer_map places;  /* of the block's instructions, counted from 1 */
    struct pointer_map numbers; /* of terms, counted from 1 in the order in which they are met */
    struct pointer_map
        of_terms;            /* per term: index + 1 of the newest occurrence whose term with the lower number it is */
    struct pointer_map gone; /* operations that are no more */
    struct occurrence *list;
    size_t count, capacity, terms;
};

static bool is_joined(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    LLVMTypeRef type = LLVMTypeOf(value);
    return (op == LLVMAdd || op == LLVMAnd || op == LLVMOr || op == LLVMXor) && !type_is_mask(type) &&
           type_lanes(type) >= LEAST_LANES && type_lanes(type) * type_element_bytes(type) <= MOST_BYTES;
}

static bool is_same(LLVMValueRef a, LLVMValueRef b)
{
    return is_joined(a) && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
           LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b);
}

/* Counts the operations of the expression below `root`. */
static unsigned operations(LLVMValueRef root, unsigned depth)
{
    unsigned count = 1;
    for (unsigned k = 0; k < 2 && depth; k++) {
        LLVMValueRef operand = LLVMGetOperand(root, k);
        if (LLVMIsAInstruction(operand) && ir_has_one_use(operand) && is_same(operand, root))
            count += operations(operand, depth - 1);
    }
    return count;
}

/* True if one operation less is one instruction less. */
static bool pays(const struct block_terms *t, LLVMValueRef outer)
{
    bool add = LLVMGetInstructionOpcode(outer) == LLVMAdd;
    LLVMValueRef root = outer;
    if (!platform_has(t->platform, add ? FEATURE_ADD3 : FEATURE_BFN))
        return true;
    for (unsigned depth = 0; depth < MOST_DEPTH && ir_has_one_use(root); depth++) {
        LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(root));
        if (!is_same(user, root))
            break;
        root = user;
    }
    return operations(root, MOST_DEPTH) % 2 == 1;
}

static bool is_term(LLVMValueRef value)
{
    return !LLVMIsConstant(value) && !ir_has_one_use(value);
}

static size_t number_of(struct block_terms *t, LLVMValueRef term)
{
    size_t number = 0;
    if (!pointer_map_get(&t->numbers, term, &number))
        pointer_map_set(&t->numbers, term, number = ++t->terms);
    return number;
}

static void note(struct block_terms *t, LLVMValueRef outer, LLVMValueRef inner, LLVMValueRef x, LLVMValueRef y)
{
    bool swap = number_of(t, x) > number_of(t, y); /* one order for each pair */
    struct occurrence o = {.outer = outer, .inner = inner, .x = swap ? y : x, .y = swap ? x : y};
    pointer_map_get(&t->of_terms, o.x, &o.next);
    ARRAY_PUSH(t->list, t->count, t->capacity, o);
    pointer_map_set(&t->of_terms, o.x, t->count);
}

static void find_occurrences(struct block_terms *t, LLVMValueRef outer)
{
    if (!is_joined(outer))
        return;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef inner = LLVMGetOperand(outer, k), y = LLVMGetOperand(outer, 1 - k);
        if (!is_term(y) || !LLVMIsAInstruction(inner) || !ir_has_one_use(inner) || !is_same(inner, outer))
            continue;
        for (unsigned m = 0; m < 2; m++) {
            LLVMValueRef x = LLVMGetOperand(inner, m);
            if (is_term(x) && x != y)
                note(t, outer, inner, x, y);
        }
    }
}

/* True if the operations are as they were found, and joining the terms pays: others may have been joined since. */
static bool is_left(const struct block_terms *t, const struct occurrence *o)
{
    size_t gone;
    if (pointer_map_get(&t->gone, o->outer, &gone) || pointer_map_get(&t->gone, o->inner, &gone))
        return false;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned m = 0; m < 2 && LLVMGetOperand(o->outer, k) == o->inner; m++) {
            LLVMValueRef y = LLVMGetOperand(o->outer, 1 - k), x = LLVMGetOperand(o->inner, m);
            if ((x == o->x && y == o->y) || (x == o->y && y == o->x))
                return pays(t, o->outer);
        }
    return false;
}

static void position_behind(struct block_terms *t, LLVMBasicBlockRef block, LLVMValueRef x, LLVMValueRef y)
{
    size_t first = 0, second = 0;
    pointer_map_get(&t->places, x, &first);
    pointer_map_get(&t->places, y, &second);
    LLVMValueRef at = first || second ? LLVMGetNextInstruction(first > second ? x : y) : LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(t->builder, at);
}

/* Makes (a ^ x) ^ y the operation a ^ `pair`. */
static void join(struct block_terms *t, const struct occurrence *o, LLVMValueRef pair)
{
    LLVMValueRef first = LLVMGetOperand(o->inner, 0), outer = o->outer;
    LLVMSetOperand(outer, 0, first == o->x || first == o->y ? LLVMGetOperand(o->inner, 1) : first);
    LLVMSetOperand(outer, 1, pair);
    if (LLVMGetInstructionOpcode(outer) == LLVMAdd) {
        LLVMSetNSW(outer, false);
        LLVMSetNUW(outer, false);
    } else if (LLVMGetInstructionOpcode(outer) == LLVMOr) {
        LLVMSetIsDisjoint(outer, false);
    }
    pointer_map_set(&t->gone, o->inner, 1);
    ir_forget_debug(o->inner);
    LLVMInstructionEraseFromParent(o->inner);
}

static bool have_same_terms(const struct occurrence *a, const struct occurrence *b)
{
    return a->y == b->y && a->x == b->x && LLVMGetInstructionOpcode(a->outer) == LLVMGetInstructionOpcode(b->outer);
}

/* Joins the terms of `o` wherever they occur, if that is more than once. */
static void join_all(struct block_terms *t, LLVMBasicBlockRef block, const struct occurrence *o)
{
    size_t newest = 0, found[MOST_OF_TERM], count = 0, looked = 0;
    if (!is_left(t, o) || !pointer_map_get(&t->of_terms, o->x, &newest))
        return;
    for (size_t i = newest; i > 0 && looked < MOST_OF_TERM; i = t->list[i - 1].next, looked++)
        if (is_left(t, &t->list[i - 1]) && have_same_terms(&t->list[i - 1], o))
            found[count++] = i - 1;
    if (count < 2)
        return;
    position_behind(t, block, o->x, o->y);
    LLVMValueRef pair = LLVMBuildBinOp(t->builder, LLVMGetInstructionOpcode(o->outer), o->x, o->y, "");
    for (size_t i = count; i > 0; i--)
        if (is_left(t, &t->list[found[i - 1]]))
            join(t, &t->list[found[i - 1]], pair);
}

static void share_in(const struct lower_options *options, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    struct block_terms t = {.builder = builder, .platform = options->platform};
    size_t place = 0;
    FOR_EACH_INSTRUCTION(i, block)
    {
        pointer_map_set(&t.places, i, ++place);
        find_occurrences(&t, i);
    }
    for (size_t i = 0; i < t.count && t.count > 1; i++)
        join_all(&t, block, &t.list[i]);
    pointer_map_free(&t.places);
    pointer_map_free(&t.numbers);
    pointer_map_free(&t.of_terms);
    pointer_map_free(&t.gone);
    free(t.list);
}

/* True if a vector is the result of two such operations in a row. */
static bool may_have_terms(LLVMBasicBlockRef block)
{
    FOR_EACH_INSTRUCTION(i, block)
    for (unsigned k = 0; k < 2 && is_joined(i); k++) {
        LLVMValueRef inner = LLVMGetOperand(i, k);
        if (LLVMIsAInstruction(inner) && ir_has_one_use(inner) && is_same(inner, i))
            return true;
    }
    return false;
}

bool pass_shared_terms(LLVMModuleRef module, const struct lower_options *options)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    if (may_have_terms(block))
        share_in(options, builder, block);
    LLVMDisposeBuilder(builder);
    return true;
}
