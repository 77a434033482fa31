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
#include "lower/byte_set.h"
#include "lower/ir.h"
#include "lower/passes.h"
#include "lower/region.h"

enum vector_kind {
    VECTOR_WRITE, /* of a region at a constant place */
    VECTOR_READ,  /* the same */
    VECTOR_SAME,  /* byte for byte its operands: a join, a format */
    VECTOR_LANES, /* operation lane by lane */
    VECTOR_SHUFFLE,
    VECTOR_OTHER,
};

struct vector {
    LLVMValueRef value;
    enum vector_kind kind;
    unsigned lanes, size, bytes; /* size: of a lane */
    struct region region;        /* of a read or write */
    uint64_t *read;              /* byte_set.h */
    bool is_changed;             /* since its operands were told */
    bool place; /* a write of dead lanes that stays: otherwise its value, which others read, would need another place */
};

struct liveness {
    struct vector *vectors;
    size_t count, capacity;
    LLVMValueRef *roots; /* what makes its operands live in any case */
    size_t root_count, root_capacity;
    struct pointer_map numbers;
    uint64_t *sets;   /* all of theirs, and `beside` */
    uint64_t *beside; /* for one vector at a time */
};

static bool is_tracked(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && !type_is_mask(type) && LLVMIsAInstruction(value);
}

static struct vector *vector_of(struct liveness *l, LLVMValueRef value)
{
    size_t number;
    return pointer_map_get(&l->numbers, value, &number) ? &l->vectors[number] : NULL;
}

static bool is_read(const struct vector *v, int first, unsigned bytes)
{
    unsigned end = (unsigned)first + bytes < v->bytes ? (unsigned)first + bytes : v->bytes;
    return byte_set_has_any(v->read, (unsigned)first, end);
}

static void mark(struct vector *v, int start, unsigned bytes)
{
    int stop = start + (int)bytes < (int)v->bytes ? start + (int)bytes : (int)v->bytes;
    int first = start > 0 ? start : 0;
    if (first < stop && byte_set_add(v->read, (unsigned)first, (unsigned)stop))
        v->is_changed = true;
}

static void mark_all(struct vector *v)
{
    mark(v, 0, v->bytes);
}

/* Lane k of `v` is read where lane k of `result` is. */
static void mark_lanes(struct vector *v, const struct vector *result)
{
    if (byte_set_has_all(result->read, 0, result->bytes)) {
        mark_all(v);
        return;
    }
    for (unsigned k = 0; k < result->lanes; k++)
        if (is_read(result, (int)(k * result->size), result->size))
            mark(v, (int)(k * v->size), v->size);
}

static void mark_bytes(struct vector *v, const uint64_t *read)
{
    for (unsigned k = 0; k < byte_set_words(v->bytes); k++) {
        uint64_t added = read[k] & ~v->read[k];
        v->read[k] |= added;
        v->is_changed = v->is_changed || added;
    }
}

/* Reads of some lanes, of a region of `source` at a constant place; `result`: what is read of them, NULL: all. */
static void mark_region(struct vector *source, const struct region *r, unsigned lanes, unsigned bytes,
                        const struct vector *result)
{
    bool all = !result || byte_set_has_all(result->read, 0, result->bytes);
    for (unsigned n, k = 0; k < lanes; k += n) {
        n = all ? region_run(r, lanes, bytes, k) : 1;
        if (all || is_read(result, (int)(k * bytes), bytes))
            mark(source, region_lane(r, k), n * bytes);
    }
}

/* Operand 0 of a read that is no vector itself. */
static void mark_read_scalar(struct vector *source, LLVMValueRef read)
{
    struct region r;
    LLVMTypeRef type = LLVMTypeOf(read);
    if (region_of_call(read, &r))
        mark_region(source, &r, type_lanes(type), type_element_bytes(type), NULL);
    else
        mark_all(source);
}

/* The lanes that a write at a constant place writes. */
static unsigned written_lanes(const struct vector *write, unsigned *size)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write->value, 1));
    *size = type_element_bytes(type);
    return type_lanes(type);
}

/* What is read of a write's result beside the lanes that it writes, in l->beside. */
static const uint64_t *read_beside(struct liveness *l, const struct vector *result)
{
    unsigned words = byte_set_words(result->bytes), size;
    memcpy(l->beside, result->read, words * sizeof *l->beside);
    unsigned lanes = result->kind == VECTOR_WRITE && writes_all_lanes(result->value) ? written_lanes(result, &size) : 0;
    for (unsigned n, k = 0; k < lanes; k += n) {
        n = region_run(&result->region, lanes, size, k);
        unsigned first = (unsigned)region_lane(&result->region, k), end = first + n * size;
        byte_set_remove(l->beside, first, end < result->bytes ? end : result->bytes);
    }
    return l->beside;
}

/* The older vector is read where the write leaves it and somebody reads the result; the value where its lanes are. */
static void mark_written(struct liveness *l, const struct vector *result)
{
    struct vector *old = vector_of(l, LLVMGetOperand(result->value, 0)),
                  *value = vector_of(l, LLVMGetOperand(result->value, 1));
    for (unsigned k = 0; value && k < value->lanes; k++)
        if (is_read(result, region_lane(&result->region, k), value->size))
            mark(value, (int)(k * value->size), value->size);
    if (old)
        mark_bytes(old, read_beside(l, result));
}

static void mark_shuffled(struct liveness *l, const struct vector *result)
{
    LLVMValueRef shuffle = result->value;
    unsigned bytes = result->size, inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
    struct vector *from[2] = {vector_of(l, LLVMGetOperand(shuffle, 0)), vector_of(l, LLVMGetOperand(shuffle, 1))};
    for (unsigned k = 0; (from[0] || from[1]) && k < result->lanes; k++) {
        int lane = LLVMGetMaskValue(shuffle, k);
        struct vector *v = lane < 0 ? NULL : from[(unsigned)lane / inputs];
        if (v && is_read(result, (int)(k * bytes), bytes))
            mark(v, lane % (int)inputs * (int)bytes, bytes);
    }
}

/* Tells operand `k` of `i` what is read of it; `result`: what is read of `i`, NULL if it is no vector itself. */
static void mark_operand(struct vector *from, unsigned k, LLVMValueRef i, const struct vector *result)
{
    enum vector_kind kind = result ? result->kind : VECTOR_OTHER;
    if (kind == VECTOR_READ && k == 0)
        mark_region(from, &result->region, result->lanes, result->size, result);
    else if (!result && k == 0 && is_rdregion(i))
        mark_read_scalar(from, i);
    else if (kind == VECTOR_SAME && from->bytes == result->bytes)
        mark_bytes(from, result->read);
    else if (kind == VECTOR_LANES && from->lanes == result->lanes)
        mark_lanes(from, result);
    else if (k == 0 && result && kind == VECTOR_OTHER && is_wrregion(i)) /* somewhere, known at run time */
        mark_bytes(from, result->read);
    else
        mark_all(from);
}

static void propagate(struct liveness *l, LLVMValueRef i, const struct vector *result)
{
    if (result && result->kind == VECTOR_WRITE) {
        mark_written(l, result);
        return;
    }
    if (result && result->kind == VECTOR_SHUFFLE) {
        mark_shuffled(l, result);
        return;
    }
    unsigned operands = (unsigned)LLVMGetNumOperands(i);
    for (unsigned k = 0; k < operands; k++) {
        struct vector *from = vector_of(l, LLVMGetOperand(i, k));
        if (from)
            mark_operand(from, k, i, result);
    }
}

/* Whether an instruction without a tracked result makes its operands live. */
static bool is_root(LLVMValueRef i)
{
    return LLVMGetFirstUse(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || LLVMIsACallInst(i);
}

static bool has_effects(LLVMValueRef i)
{
    enum genx_id id = LLVMIsACallInst(i) ? genx_call_id(i) : GENX_NONE;
    return LLVMIsACallInst(i) && (id == GENX_NONE || genx_effect(id) != 'N');
}

static enum vector_kind kind_of(LLVMValueRef i, struct region *region)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        if (is_wrregion(i))
            return region_of_call(i, region) ? VECTOR_WRITE : VECTOR_OTHER;
        return is_rdregion(i) && region_of_call(i, region) ? VECTOR_READ : VECTOR_OTHER;
    case LLVMPHI:
    case LLVMBitCast: return VECTOR_SAME;
    case LLVMShuffleVector: return VECTOR_SHUFFLE;
    default: return is_lane_wise(i) ? VECTOR_LANES : VECTOR_OTHER;
    }
}

static void add_vector(struct liveness *l, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    struct vector v = {.value = i, .lanes = type_lanes(type), .size = type_element_bytes(type)};
    v.bytes = v.lanes * v.size;
    v.kind = kind_of(i, &v.region);
    pointer_map_set(&l->numbers, i, l->count);
    ARRAY_PUSH(l->vectors, l->count, l->capacity, v);
}

static void find_vectors(struct liveness *l, LLVMValueRef kernel)
{
    size_t words = 0, most = 0;
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    {
        bool tracked = is_tracked(i);
        if (tracked)
            add_vector(l, i);
        if (tracked ? has_effects(i) : is_root(i))
            ARRAY_PUSH(l->roots, l->root_count, l->root_capacity, i);
    }
    for (size_t n = 0; n < l->count; n++) {
        size_t own = byte_set_words(l->vectors[n].bytes);
        words += own;
        most = own > most ? own : most;
    }
    uint64_t *next = l->sets = checked_calloc(words + most, sizeof *l->sets);
    for (size_t n = 0; n < l->count; n++) {
        l->vectors[n].read = next;
        next += byte_set_words(l->vectors[n].bytes);
    }
    l->beside = next;
}

/* From the end of the kernel to its start, so that most vectors know all their readers when it is their turn. */
static void find_reads(struct liveness *l)
{
    for (size_t n = 0; n < l->root_count; n++)
        propagate(l, l->roots[n], NULL);
    for (bool again = true; again;) {
        again = false;
        for (size_t n = l->count; n-- > 0;) {
            struct vector *v = &l->vectors[n];
            if (!v->is_changed)
                continue;
            v->is_changed = false;
            again = true;
            propagate(l, v->value, v);
        }
    }
}

/* No lane of the write is read. */
static bool writes_dead_lanes(const struct vector *result)
{
    if (result->kind != VECTOR_WRITE)
        return false;
    unsigned size, lanes = written_lanes(result, &size);
    for (unsigned n, k = 0; k < lanes; k += n) {
        n = region_run(&result->region, lanes, size, k);
        if (is_read(result, region_lane(&result->region, k), n * size))
            return false;
    }
    return true;
}

/* No byte of the older vector is read through this write. */
static bool needs_nothing_old(struct liveness *l, const struct vector *result)
{
    return !byte_set_has_any(read_beside(l, result), 0, result->bytes);
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
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !writes_all_lanes(write) || !region_of_call(write, r))
        return false;
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
        live += is_read(result, region_lane(&r, k), bytes);
    if (live == lanes)
        return;
    LLVMPositionBuilderBefore(b->builder, write);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(write));
    for (unsigned first = 0, end; first < lanes; first = end) {
        for (end = first; end < lanes && is_read(result, region_lane(&r, end), bytes);)
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
        if (needs_nothing_old(l, v) && !(old && old->place))
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
        find_reads(&l);
        remove_dead(&l, &b);
        free(l.sets);
        free(l.roots);
        free(l.vectors);
        pointer_map_free(&l.numbers);
    }
    LLVMDisposeBuilder(b.builder);
    return true;
}
