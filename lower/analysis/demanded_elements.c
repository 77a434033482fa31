/* Computes demanded bytes backward: starts at instructions with effects, and propagates the demanded bytes of an
 * operation's result to its operands until nothing is added. See demanded_elements.h. */
#include "lower/analysis/demanded_elements.h"
#include <stdlib.h>
#include <string.h>

static bool is_tracked(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMIsAInstruction(value);
}

struct demanded_vector *demanded_vector_of(struct demanded *l, LLVMValueRef value)
{
    size_t number;
    return pointer_map_get(&l->numbers, value, &number) ? &l->vectors[number] : NULL;
}

bool demanded_is_read(const struct demanded_vector *v, int first, unsigned bytes)
{
    unsigned end = (unsigned)first + bytes < v->bytes ? (unsigned)first + bytes : v->bytes;
    return byte_set_has_any(v->read, (unsigned)first, end);
}

static void mark(struct demanded_vector *v, int start, unsigned bytes)
{
    int stop = start + (int)bytes < (int)v->bytes ? start + (int)bytes : (int)v->bytes;
    int first = start > 0 ? start : 0;
    if (first < stop && byte_set_add(v->read, (unsigned)first, (unsigned)stop))
        v->is_changed = true;
}

static void mark_all(struct demanded_vector *v)
{
    mark(v, 0, v->bytes);
}

/* Marks lane k of `v` as demanded where lane k of `result` is. */
static void mark_lanes(struct demanded_vector *v, const struct demanded_vector *result)
{
    if (byte_set_has_all(result->read, 0, result->bytes)) {
        mark_all(v);
        return;
    }
    for (unsigned k = 0; k < result->lanes; k++)
        if (demanded_is_read(result, (int)(k * result->size), result->size))
            mark(v, (int)(k * v->size), v->size);
}

static void mark_bytes(struct demanded_vector *v, const uint64_t *read)
{
    for (unsigned k = 0; k < byte_set_words(v->bytes); k++) {
        uint64_t added = read[k] & ~v->read[k];
        v->read[k] |= added;
        v->is_changed = v->is_changed || added;
    }
}

/* Marks a read of a region of `source` with constant offset. `result`: demanded lanes of the read; NULL: all. */
static void mark_region(struct demanded_vector *source, const struct region *r, unsigned lanes, unsigned bytes,
                        const struct demanded_vector *result)
{
    bool all = !result || byte_set_has_all(result->read, 0, result->bytes);
    for (unsigned n, k = 0; k < lanes; k += n) {
        n = all ? region_run(r, lanes, bytes, k) : 1;
        if (all || demanded_is_read(result, (int)(k * bytes), bytes))
            mark(source, region_lane(r, k), n * bytes);
    }
}

/* Marks operand 0 of a read whose result is not a vector. */
static void mark_read_scalar(struct demanded_vector *source, LLVMValueRef read)
{
    struct region r;
    LLVMTypeRef type = LLVMTypeOf(read);
    if (region_of_call(read, &r))
        mark_region(source, &r, type_lanes(type), type_element_bytes(type), NULL);
    else
        mark_all(source);
}

unsigned demanded_written_lanes(const struct demanded_vector *write, unsigned *size)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write->value, 1));
    *size = type_element_bytes(type);
    return type_lanes(type);
}

const uint64_t *demanded_read_by_others(struct demanded *l, const struct demanded_vector *result)
{
    unsigned words = byte_set_words(result->bytes), size;
    memcpy(l->beside, result->read, words * sizeof *l->beside);
    unsigned lanes = result->kind == VECTOR_WRITE && region_writes_all_lanes(result->value)
                         ? demanded_written_lanes(result, &size)
                         : 0;
    for (unsigned n, k = 0; k < lanes; k += n) {
        n = region_run(&result->region, lanes, size, k);
        unsigned first = (unsigned)region_lane(&result->region, k), end = first + n * size;
        byte_set_remove(l->beside, first, end < result->bytes ? end : result->bytes);
    }
    return l->beside;
}

/* Marks the operands of a write: the old vector where the write keeps it and the result is demanded; the new value
 * where its lanes are demanded. */
static void mark_written(struct demanded *l, const struct demanded_vector *result)
{
    enum { MASK = 7 };
    struct demanded_vector *old = demanded_vector_of(l, LLVMGetOperand(result->value, 0)),
                           *value = demanded_vector_of(l, LLVMGetOperand(result->value, 1)),
                           *mask = demanded_vector_of(l, LLVMGetOperand(result->value, MASK));
    unsigned size, lanes = demanded_written_lanes(result, &size);
    for (unsigned k = 0; (value || mask) && k < lanes; k++)
        if (demanded_is_read(result, region_lane(&result->region, k), size)) {
            if (value)
                mark(value, (int)(k * value->size), value->size);
            if (mask)
                mark(mask, (int)k, 1);
        }
    if (old)
        mark_bytes(old, demanded_read_by_others(l, result));
}

static void mark_shuffled(struct demanded *l, const struct demanded_vector *result)
{
    LLVMValueRef shuffle = result->value;
    unsigned bytes = result->size, inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
    struct demanded_vector *from[2] = {demanded_vector_of(l, LLVMGetOperand(shuffle, 0)),
                                       demanded_vector_of(l, LLVMGetOperand(shuffle, 1))};
    for (unsigned k = 0; (from[0] || from[1]) && k < result->lanes; k++) {
        int lane = LLVMGetMaskValue(shuffle, k);
        struct demanded_vector *v = lane < 0 ? NULL : from[(unsigned)lane / inputs];
        if (v && demanded_is_read(result, (int)(k * bytes), bytes))
            mark(v, lane % (int)inputs * (int)bytes, bytes);
    }
}

/* Marks the demanded bytes of operand `k` of `i`. `result`: demanded bytes of `i`; NULL: it is not a vector. */
static void mark_operand(struct demanded_vector *from, unsigned k, LLVMValueRef i, const struct demanded_vector *result)
{
    enum demanded_vector_kind kind = result ? result->kind : VECTOR_OTHER;
    if (kind == VECTOR_READ && k == 0)
        mark_region(from, &result->region, result->lanes, result->size, result);
    else if (!result && k == 0 && region_is_read(i))
        mark_read_scalar(from, i);
    else if (kind == VECTOR_SAME && from->bytes == result->bytes)
        mark_bytes(from, result->read);
    else if (kind == VECTOR_LANES && from->lanes == result->lanes)
        mark_lanes(from, result);
    else if (k == 0 && result && kind == VECTOR_OTHER && region_is_write(i)) /* somewhere, known at run time */
        mark_bytes(from, result->read);
    else
        mark_all(from);
}

static void propagate(struct demanded *l, LLVMValueRef i, const struct demanded_vector *result)
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
        struct demanded_vector *from = demanded_vector_of(l, LLVMGetOperand(i, k));
        if (from)
            mark_operand(from, k, i, result);
    }
}

/* True if an instruction without a tracked result demands its operands. */
static bool is_root(LLVMValueRef i)
{
    return LLVMGetFirstUse(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || LLVMIsACallInst(i);
}

static bool has_effects(LLVMValueRef i)
{
    enum genx_id id = LLVMIsACallInst(i) ? genx_call_id(i) : GENX_NONE;
    LLVMIntPredicate first;
    return LLVMIsACallInst(i) && !ir_is_extreme(i, &first) && (id == GENX_NONE || genx_effect(id) != 'N');
}

static enum demanded_vector_kind kind_of(LLVMValueRef i, struct region *region)
{
    LLVMIntPredicate first;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        if (region_is_write(i))
            return region_of_call(i, region) ? VECTOR_WRITE : VECTOR_OTHER;
        if (ir_is_extreme(i, &first))
            return VECTOR_LANES;
        return region_is_read(i) && region_of_call(i, region) ? VECTOR_READ : VECTOR_OTHER;
    case LLVMPHI:
    case LLVMBitCast: return VECTOR_SAME;
    case LLVMShuffleVector: return VECTOR_SHUFFLE;
    default: return ir_is_lane_wise(i) ? VECTOR_LANES : VECTOR_OTHER;
    }
}

static void add_vector(struct demanded *l, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    struct demanded_vector v = {
        .value = i, .lanes = type_lanes(type), .size = type_is_mask(type) ? 1 : type_element_bytes(type)};
    v.bytes = v.lanes * v.size;
    v.kind = kind_of(i, &v.region);
    pointer_map_set(&l->numbers, i, l->count);
    ARRAY_PUSH(l->vectors, l->count, l->capacity, v);
}

static void find_vectors(struct demanded *l, LLVMValueRef kernel)
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
    uint64_t *next = l->sets = ir_calloc(words + most, sizeof *l->sets);
    for (size_t n = 0; n < l->count; n++) {
        l->vectors[n].read = next;
        next += byte_set_words(l->vectors[n].bytes);
    }
    l->beside = next;
}

/* Visits the function from its end to its start, so that most vectors are visited after all their users. */
static void find_reads(struct demanded *l)
{
    for (size_t n = 0; n < l->root_count; n++)
        propagate(l, l->roots[n], NULL);
    for (bool again = true; again;) {
        again = false;
        for (size_t n = l->count; n-- > 0;) {
            struct demanded_vector *v = &l->vectors[n];
            if (!v->is_changed)
                continue;
            v->is_changed = false;
            again = true;
            propagate(l, v->value, v);
        }
    }
}

void demanded_find(struct demanded *l, LLVMValueRef function)
{
    *l = (struct demanded){0};
    find_vectors(l, function);
    find_reads(l);
}

void demanded_free(struct demanded *l)
{
    free(l->sets);
    free(l->roots);
    free(l->vectors);
    pointer_map_free(&l->numbers);
}
