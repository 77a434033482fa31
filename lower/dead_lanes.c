/* Dead vector elements (paper, section V): lanes that nobody reads are not kept, and what only they needed is not
 * computed.
 *
 * Backwards, every vector has the set of its bytes that are read, through regions, formats, joins and operations lane
 * by lane; around loops until nothing is added. Then a region write of dead lanes goes (of some dead lanes: where each
 * is written by itself in any case), and the older version of a vector of which no byte is read any more is undefined:
 * it need not be copied. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir.h"
#include "lower/passes.h"
#include "lower/region.h"

struct vector {
    LLVMValueRef value;
    unsigned bytes;
    uint64_t *read;
    bool changed; /* since its operands were told */
    bool place;   /* a write of dead lanes that stays: otherwise its value, which others read, would need another place */
};

struct liveness {
    struct vector *vectors;
    size_t count, capacity;
    struct pointer_map numbers;
};

static unsigned words(unsigned bytes)
{
    return (bytes + 63) / 64;
}

static bool is_tracked(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMIsAInstruction(value) && LLVMGetTypeKind(type) == LLVMVectorTypeKind && !type_is_mask(type);
}

static struct vector *vector_of(struct liveness *l, LLVMValueRef value)
{
    size_t number;
    return pointer_map_get(&l->numbers, value, &number) ? &l->vectors[number] : NULL;
}

/* The bits of bytes first..end-1 in their first word; *next: the byte behind those. */
static uint64_t bits_of(unsigned first, unsigned end, unsigned *next)
{
    unsigned word_end = (first / 64 + 1) * 64;
    *next = end < word_end ? end : word_end;
    unsigned count = *next - first;
    return (count == 64 ? ~0ull : (1ull << count) - 1) << (first % 64);
}

static bool is_read(const struct vector *v, unsigned first, unsigned bytes)
{
    unsigned end = first + bytes < v->bytes ? first + bytes : v->bytes;
    for (unsigned next; first < end; first = next)
        if (v->read[first / 64] & bits_of(first, end, &next))
            return true;
    return false;
}

static void mark(struct vector *v, int start, unsigned bytes)
{
    int stop = start + (int)bytes < (int)v->bytes ? start + (int)bytes : (int)v->bytes;
    for (unsigned next, first = start > 0 ? (unsigned)start : 0; (int)first < stop; first = next) {
        uint64_t *word = &v->read[first / 64], bits = bits_of(first, (unsigned)stop, &next);
        v->changed = v->changed || (bits & ~*word);
        *word |= bits;
    }
}

static void clear(struct vector *v, unsigned first, unsigned bytes)
{
    unsigned end = first + bytes < v->bytes ? first + bytes : v->bytes;
    for (unsigned next; first < end; first = next)
        v->read[first / 64] &= ~bits_of(first, end, &next);
}

static void mark_all(struct vector *v)
{
    mark(v, 0, v->bytes);
}

/* Lane k of `v` is read where lane k of `result` is. */
static void mark_lanes(struct vector *v, const struct vector *result)
{
    unsigned lanes = type_lanes(LLVMTypeOf(result->value)), to = type_element_bytes(LLVMTypeOf(result->value));
    unsigned from = type_element_bytes(LLVMTypeOf(v->value));
    for (unsigned k = 0; k < lanes; k++)
        if (is_read(result, k * to, to))
            mark(v, (int)(k * from), from);
}

static void mark_bytes(struct vector *v, const struct vector *result)
{
    for (unsigned k = 0; k < words(v->bytes); k++) {
        uint64_t added = result->read[k] & ~v->read[k];
        v->read[k] |= added;
        v->changed = v->changed || added;
    }
}

static bool has_constant_offset(LLVMValueRef access)
{
    struct region r;
    return region_of_call(access, &r) && LLVMIsAConstantInt(LLVMGetOperand(access, is_wrregion(access) ? 5 : 4));
}

static void mark_read(struct vector *source, LLVMValueRef read, const struct vector *result)
{
    struct region r;
    unsigned lanes = type_lanes(LLVMTypeOf(read)), bytes = type_element_bytes(LLVMTypeOf(read));
    if (!has_constant_offset(read)) {
        mark_all(source);
        return;
    }
    region_of_call(read, &r);
    for (unsigned k = 0; k < lanes; k++)
        if (!result || is_read(result, k * bytes, bytes))
            mark(source, region_lane(&r, k), bytes);
}

/* What is read of a write's result beside the lanes that it writes. The caller frees .read. */
static struct vector read_beside(const struct vector *result)
{
    struct vector kept = *result;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(result->value, 1));
    unsigned bytes = type_element_bytes(type);
    struct region r;
    kept.read = checked_calloc(words(kept.bytes), sizeof *kept.read);
    memcpy(kept.read, result->read, words(kept.bytes) * sizeof *kept.read);
    region_of_call(result->value, &r);
    unsigned lanes = writes_all_lanes(result->value) && has_constant_offset(result->value) ? type_lanes(type) : 0;
    for (unsigned k = 0; k < lanes; k++)
        clear(&kept, (unsigned)region_lane(&r, k), bytes);
    return kept;
}

/* The older vector is read where the write leaves it and somebody reads the result; the value where its lanes are. */
static void mark_written(struct liveness *l, LLVMValueRef write, const struct vector *result)
{
    struct vector *old = vector_of(l, LLVMGetOperand(write, 0)), *value = vector_of(l, LLVMGetOperand(write, 1));
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    struct region r;
    if (!has_constant_offset(write)) {
        if (old)
            mark_bytes(old, result);
        if (value)
            mark_all(value);
        return;
    }
    region_of_call(write, &r);
    for (unsigned k = 0; value && k < lanes; k++)
        if (is_read(result, (unsigned)region_lane(&r, k), bytes))
            mark(value, (int)(k * bytes), bytes);
    if (!old)
        return;
    struct vector kept = read_beside(result);
    mark_bytes(old, &kept);
    free(kept.read);
}

static void mark_shuffled(struct liveness *l, LLVMValueRef shuffle, const struct vector *result)
{
    unsigned bytes = type_element_bytes(LLVMTypeOf(shuffle)),
             inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
    for (unsigned k = 0; k < LLVMGetNumMaskElements(shuffle); k++) {
        int lane = LLVMGetMaskValue(shuffle, k);
        struct vector *from = lane < 0 ? NULL : vector_of(l, LLVMGetOperand(shuffle, (unsigned)lane / inputs));
        if (from && is_read(result, k * bytes, bytes))
            mark(from, lane % (int)inputs * (int)bytes, bytes);
    }
}

/* Tells the operands of `i` what is read of them; `result`: what is read of it, NULL if it is no vector itself. */
static void propagate(struct liveness *l, LLVMValueRef i, const struct vector *result)
{
    struct vector *from;
    if (result && is_wrregion(i)) {
        mark_written(l, i, result);
        return;
    }
    if (result && LLVMIsAShuffleVectorInst(i)) {
        mark_shuffled(l, i, result);
        return;
    }
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        if (!(from = vector_of(l, LLVMGetOperand(i, k))))
            continue;
        if (is_rdregion(i) && k == 0)
            mark_read(from, i, result);
        else if (result && (LLVMIsAPHINode(i) || LLVMIsABitCastInst(i)) && from->bytes == result->bytes)
            mark_bytes(from, result);
        else if (result && is_lane_wise(i) && type_lanes(LLVMTypeOf(from->value)) == type_lanes(LLVMTypeOf(i)))
            mark_lanes(from, result);
        else
            mark_all(from);
    }
}

/* Whether an instruction without a tracked result makes its operands live. */
static bool is_root(LLVMValueRef i)
{
    return !is_tracked(i) &&
           (LLVMGetFirstUse(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || LLVMIsACallInst(i));
}

static bool has_effects(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && (genx_call_id(i) == GENX_NONE || genx_effect(genx_call_id(i)) != 'N');
}

static void find_vectors(struct liveness *l, LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_tracked(i)) {
        struct vector v = {.value = i, .bytes = type_lanes(LLVMTypeOf(i)) * type_element_bytes(LLVMTypeOf(i))};
        v.read = checked_calloc(words(v.bytes), sizeof *v.read);
        pointer_map_set(&l->numbers, i, l->count);
        ARRAY_PUSH(l->vectors, l->count, l->capacity, v);
    }
}

/* From the end of the kernel to its start, so that most vectors know all their readers when it is their turn. */
static void find_reads(struct liveness *l, LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_root(i) || (is_tracked(i) && has_effects(i)))
        propagate(l, i, NULL);
    for (bool again = true; again;) {
        again = false;
        for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(kernel); block; block = LLVMGetPreviousBasicBlock(block))
            for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
                struct vector *v = is_tracked(i) ? vector_of(l, i) : NULL;
                if (!v || !v->changed)
                    continue;
                v->changed = false;
                again = true;
                propagate(l, i, v);
            }
    }
}

static bool is_dead(const struct vector *v)
{
    for (unsigned k = 0; k < words(v->bytes); k++)
        if (v->read[k])
            return false;
    return true;
}

/* No lane of the write is read. */
static bool writes_dead_lanes(const struct vector *result)
{
    struct region r;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(result->value, 1));
    if (!has_constant_offset(result->value))
        return false;
    region_of_call(result->value, &r);
    for (unsigned k = 0; k < type_lanes(type); k++)
        if (is_read(result, (unsigned)region_lane(&r, k), type_element_bytes(type)))
            return false;
    return true;
}

/* No byte of the older vector is read through this write. */
static bool needs_nothing_old(const struct vector *result)
{
    struct vector kept = read_beside(result);
    bool dead = is_dead(&kept);
    free(kept.read);
    return dead;
}

/* ---- writes of which some lanes are read ---- */

struct rebuild {
    LLVMBuilderRef builder;
    LLVMModuleRef module;
};

/* Lanes in one row, too far apart for one instruction to write them: fewer of them are fewer instructions. */
static bool is_scattered(LLVMValueRef write, struct region *r)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    if (!writes_all_lanes(write) || !has_constant_offset(write) || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return false;
    region_of_call(write, r);
    return r->width == type_lanes(type) && r->width > 1 && r->hstride > 4 * (int)type_element_bytes(type);
}

/* Lanes first..first+count-1 of a value, computed for themselves where it is only needed here. */
static LLVMValueRef some_lanes(struct rebuild *b, LLVMValueRef value, unsigned first, unsigned count)
{
    LLVMTypeRef element = type_element(LLVMTypeOf(value)), type = LLVMVectorType(element, count);
    bool single = LLVMIsAInstruction(value) && !LLVMGetNextUse(LLVMGetFirstUse(value));
    struct region r = {(int)(first * type_element_bytes(element)), count, 0, (int)type_element_bytes(element)}, whole;
    if (LLVMIsAUndefValue(value))
        return LLVMGetUndef(type);
    if (is_rdregion(value) && region_of_call(value, &whole) && whole.width == type_lanes(LLVMTypeOf(value))) {
        r = (struct region){region_lane(&whole, first), count, 0, whole.hstride};
        return build_rdregion(b->builder, b->module, type, LLVMGetOperand(value, 0), &r, NULL);
    }
    if (!single || !LLVMIsABinaryOperator(value))
        return build_rdregion(b->builder, b->module, type, value, &r, NULL);
    LLVMValueRef left = some_lanes(b, LLVMGetOperand(value, 0), first, count);
    LLVMValueRef right = some_lanes(b, LLVMGetOperand(value, 1), first, count);
    LLVMValueRef result = LLVMBuildBinOp(b->builder, LLVMGetInstructionOpcode(value), left, right, "");
    if (LLVMIsAInstruction(result) && LLVMCanValueUseFastMathFlags(result))
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(value));
    return result;
}

/* Writes the lanes that are read, run by run. */
static void write_live_lanes(struct rebuild *b, const struct vector *result)
{
    LLVMValueRef write = result->value, value = LLVMGetOperand(write, 1), vector = LLVMGetOperand(write, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(value)), bytes = type_element_bytes(LLVMTypeOf(value)), live = 0;
    struct region r;
    if (!is_scattered(write, &r))
        return;
    for (unsigned k = 0; k < lanes; k++)
        live += is_read(result, (unsigned)region_lane(&r, k), bytes);
    if (live == lanes)
        return;
    LLVMPositionBuilderBefore(b->builder, write);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(write));
    for (unsigned first = 0, end; first < lanes; first = end) {
        for (end = first; end < lanes && is_read(result, (unsigned)region_lane(&r, end), bytes);)
            end++;
        struct region run = {region_lane(&r, first), end - first, 0, r.hstride};
        if (end > first)
            vector = build_wrregion(b->builder, b->module, vector, some_lanes(b, value, first, end - first), &run, NULL, NULL);
        else
            end++;
    }
    LLVMReplaceAllUsesWith(write, vector);
}

static void remove_dead(struct liveness *l, struct rebuild *b)
{
    for (size_t n = 0; n < l->count; n++) {
        struct vector *v = &l->vectors[n];
        if (!is_wrregion(v->value))
            continue;
        if (writes_dead_lanes(v)) {
            v->place = is_computed_in_place(v->value);
            if (v->place)
                continue;
            LLVMReplaceAllUsesWith(v->value, LLVMGetOperand(v->value, 0)); /* it goes with the other dead values */
            continue;
        }
        const struct vector *old = vector_of(l, LLVMGetOperand(v->value, 0));
        if (needs_nothing_old(v) && !(old && old->place))
            LLVMSetOperand(v->value, 0, LLVMGetUndef(LLVMTypeOf(v->value)));
        write_live_lanes(b, v);
    }
}

/* Lane 0 of a vector whose other lanes are nothing, or of a constant; NULL: it is neither. */
static LLVMValueRef only_lane(LLVMValueRef vector)
{
    int64_t lane;
    if (LLVMIsConstant(vector))
        return LLVMGetAggregateElement(vector, 0);
    bool first = LLVMIsAInsertElementInst(vector) && constant_int(LLVMGetOperand(vector, 2), &lane) && lane == 0;
    return first && LLVMIsUndef(LLVMGetOperand(vector, 0)) ? LLVMGetOperand(vector, 1) : NULL;
}

/* What lane 0 of `splat`, a vector that goes to all its lanes, is computed by; NULL: no other vector, or one with other users. */
static LLVMValueRef splatted_operation(LLVMValueRef splat)
{
    LLVMValueRef operation = LLVMIsAShuffleVectorInst(splat) ? LLVMGetOperand(splat, 0) : NULL;
    bool known = operation && (LLVMIsABinaryOperator(operation) || LLVMIsAICmpInst(operation));
    return known && has_one_use(operation) && goes_to_all_lanes(splat) ? operation : NULL;
}

/* A choice that is the same in all lanes: of the numbers. They are compared again where the mask stays: one lane of a
 * predicate would keep all of it, and predicates are few. */
static bool choose_one_lane(struct rebuild *b, LLVMValueRef choice)
{
    LLVMValueRef mask = LLVMIsASelectInst(choice) ? LLVMGetOperand(choice, 0) : NULL;
    if (!mask || !LLVMIsAICmpInst(mask))
        return false;
    LLVMValueRef x = splat_number(LLVMGetOperand(mask, 0)), y = splat_number(LLVMGetOperand(mask, 1)),
                 a = splat_number(LLVMGetOperand(choice, 1)), c = splat_number(LLVMGetOperand(choice, 2));
    if (!x || !y || !a || !c)
        return false;
    LLVMPositionBuilderBefore(b->builder, choice);
    LLVMValueRef one = LLVMBuildICmp(b->builder, LLVMGetICmpPredicate(mask), x, y, "");
    LLVMValueRef number = LLVMBuildSelect(b->builder, one, a, c, "");
    LLVMReplaceAllUsesWith(choice, build_splat(b->builder, number, type_lanes(LLVMTypeOf(choice))));
    LLVMInstructionEraseFromParent(choice);
    return true;
}

/* An operation on vectors of which lane 0 alone is there and goes to all lanes, as LLVM prefers it: on numbers. Masks of all
 * lanes come from a comparison of the numbers in all lanes. */
static void compute_one_lane(struct rebuild *b, LLVMValueRef splat)
{
    if (choose_one_lane(b, splat))
        return;
    LLVMValueRef operation = splatted_operation(splat);
    if (!operation)
        return;
    unsigned lanes = type_lanes(LLVMTypeOf(splat));
    LLVMValueRef x = only_lane(LLVMGetOperand(operation, 0)), y = only_lane(LLVMGetOperand(operation, 1)), all;
    if (!x || !y || (LLVMIsConstant(x) && LLVMIsConstant(y)))
        return;
    LLVMPositionBuilderBefore(b->builder, operation);
    if (LLVMIsAICmpInst(operation))
        all = LLVMBuildICmp(b->builder, LLVMGetICmpPredicate(operation), build_splat(b->builder, x, lanes),
                            build_splat(b->builder, y, lanes), "");
    else
        all = build_splat(b->builder, LLVMBuildBinOp(b->builder, LLVMGetInstructionOpcode(operation), x, y, ""), lanes);
    LLVMReplaceAllUsesWith(splat, all);
    LLVMInstructionEraseFromParent(splat);
    LLVMInstructionEraseFromParent(operation);
}

bool pass_dead_lanes(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct rebuild b = {LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), module};
    FOR_EACH_FUNCTION(kernel, module)
    {
        struct liveness l = {0};
        FOR_EACH_BLOCK(block, kernel)
        FOR_EACH_REMOVABLE(i, block)
        compute_one_lane(&b, i);
        find_vectors(&l, kernel);
        find_reads(&l, kernel);
        remove_dead(&l, &b);
        for (size_t n = 0; n < l.count; n++)
            free(l.vectors[n].read);
        free(l.vectors);
        pointer_map_free(&l.numbers);
    }
    LLVMDisposeBuilder(b.builder);
    return true;
}
