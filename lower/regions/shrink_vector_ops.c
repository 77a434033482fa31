/* Shrinks vector operations (dead vector elements, paper, section V): if only some lanes of a result are read, only
 * these are computed, if that takes fewer instructions. Reductions by halves look like that.
 *
 *     s = max(v, w);  a = s.select<8, 1>(0)        s8 = max(v.select<8, 1>(0), w.select<8, 1>(0));  a = s8
 *
 * Runs of lanes with gaps between them become an operation each: rows of a large matrix, of which others are not read.
 */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/demanded_elements.h"
#include "lower/regions/shrink_vector_ops.h"
#include "lower/regions/forget_lanes.h"

struct fewer {
    struct demanded *live;
    LLVMBuilderRef builder;
    LLVMModuleRef module;
};

enum {
    REGISTER = 32,      /* bytes; of the smallest registers */
    MOST_SPANS = 32,    /* operations that one becomes */
    SEVERAL_RUNS = 256, /* bytes; smaller vectors stay whole */
};

/* Lanes first..first+count-1. */
struct span {
    unsigned first, count;
};

static LLVMValueRef part(struct fewer *f, LLVMValueRef value, struct span span);

unsigned regions_instructions(unsigned lanes, unsigned bytes)
{
    enum { TWO_REGISTERS = 64, MOST_LANES = 32 };
    if (bytes == 0 || bytes > TWO_REGISTERS)
        return lanes;
    unsigned most = TWO_REGISTERS / bytes < MOST_LANES ? TWO_REGISTERS / bytes : MOST_LANES;
    return lanes / most + (unsigned)__builtin_popcount(lanes % most);
}

static unsigned largest_lane(LLVMValueRef i)
{
    unsigned bytes = 1;
    for (int k = -1; k < LLVMGetNumOperands(i); k++) {
        LLVMTypeRef type = LLVMTypeOf(k < 0 ? i : LLVMGetOperand(i, (unsigned)k));
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && !type_is_mask(type) && type_element_bytes(type) > bytes)
            bytes = type_element_bytes(type);
    }
    return bytes;
}

/* Finds the demanded lanes, extended to a power of two that crosses no register boundary, or to those from the first
 * one on that take fewest instructions; false: all lanes. */
static bool live_span(const struct demanded_vector *v, struct span *span)
{
    unsigned first = 0, end = v->lanes;
    while (first < end && !demanded_is_read(v, (int)(first * v->size), v->size))
        first++;
    while (end > first && !demanded_is_read(v, (int)((end - 1) * v->size), v->size))
        end--;
    if (first == end)
        return false; /* it goes with the dead values */
    for (unsigned count = 1; count < v->lanes; count *= 2)
        if (end <= first / count * count + count) {
            *span = (struct span){first / count * count, count};
            return span->first + count <= v->lanes;
        }
    unsigned bytes = largest_lane(v->value);
    *span = (struct span){0, end};
    for (unsigned count = end + 1; count < v->lanes; count++)
        if (regions_instructions(count, bytes) < regions_instructions(span->count, bytes))
            span->count = count;
    return end < v->lanes;
}

/* Spans of lanes to compute, from the first one on. */
struct spans {
    struct span all[MOST_SPANS];
    unsigned count;
};

static unsigned spans_instructions(const struct spans *spans, unsigned bytes)
{
    unsigned sum = 0;
    for (unsigned k = 0; k < spans->count; k++)
        sum += regions_instructions(spans->all[k].count, bytes);
    return sum;
}

/* Finds runs of demanded lanes, each extended to whole registers; false: too many, or one. */
static bool live_runs(const struct demanded_vector *v, struct spans *spans)
{
    unsigned step = v->size < REGISTER ? REGISTER / v->size : 1, end;
    spans->count = 0;
    for (unsigned first = 0; first < v->lanes; first = end) {
        struct span *last = spans->count ? &spans->all[spans->count - 1] : NULL;
        end = first + step < v->lanes ? first + step : v->lanes;
        if (!demanded_is_read(v, (int)(first * v->size), (end - first) * v->size))
            continue;
        if (last && last->first + last->count == first)
            last->count += end - first;
        else if (spans->count == MOST_SPANS)
            return false;
        else
            spans->all[spans->count++] = (struct span){first, end - first};
    }
    return spans->count > 1;
}

/* Finds the lanes to compute; false: all. Several operations have to save a quarter of the instructions. */
static bool find_spans(const struct demanded_vector *v, struct spans *spans)
{
    unsigned bytes = largest_lane(v->value), all = regions_instructions(v->lanes, bytes), fewest = all;
    struct spans runs;
    spans->count = 1;
    if (live_span(v, &spans->all[0]) && spans_instructions(spans, bytes) < all)
        fewest = spans_instructions(spans, bytes);
    else
        spans->count = 0;
    if (v->lanes * v->size >= SEVERAL_RUNS && live_runs(v, &runs) && 4 * spans_instructions(&runs, bytes) <= 3 * fewest)
        *spans = runs;
    return spans->count > 0;
}

static LLVMTypeRef part_type(LLVMTypeRef type, struct span span)
{
    return LLVMVectorType(type_element(type), span.count);
}

static LLVMValueRef constant_part(LLVMValueRef constant, struct span span)
{
    LLVMValueRef *lanes = ir_calloc(span.count, sizeof *lanes);
    for (unsigned k = 0; k < span.count; k++)
        lanes[k] = LLVMGetAggregateElement(constant, span.first + k);
    LLVMValueRef all = LLVMConstVector(lanes, span.count);
    free(lanes);
    return all;
}

/* Builds the operation in these lanes; NULL: a mask that is not computed by a compare. */
static LLVMValueRef operation_part(struct fewer *f, LLVMValueRef i, struct span span)
{
    enum { MOST_OPERANDS = 3 };
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned count = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
    if (count > MOST_OPERANDS)
        return NULL;
    for (unsigned k = 0; k < count; k++) {
        operands[k] = LLVMGetOperand(i, k);
        if (LLVMGetTypeKind(LLVMTypeOf(operands[k])) == LLVMVectorTypeKind &&
            !(operands[k] = part(f, operands[k], span)))
            return NULL;
    }
    LLVMValueRef result = NULL;
    LLVMIntPredicate first;
    if (LLVMIsABinaryOperator(i))
        result = LLVMBuildBinOp(f->builder, LLVMGetInstructionOpcode(i), operands[0], operands[1], "");
    else if (LLVMIsACastInst(i) && !LLVMIsABitCastInst(i))
        result =
            LLVMBuildCast(f->builder, LLVMGetInstructionOpcode(i), operands[0], part_type(LLVMTypeOf(i), span), "");
    else if (LLVMIsASelectInst(i))
        result = LLVMBuildSelect(f->builder, operands[0], operands[1], operands[2], "");
    else if (LLVMIsAICmpInst(i))
        result = LLVMBuildICmp(f->builder, LLVMGetICmpPredicate(i), operands[0], operands[1], "");
    else if (LLVMIsAFCmpInst(i))
        result = LLVMBuildFCmp(f->builder, LLVMGetFCmpPredicate(i), operands[0], operands[1], "");
    else if (ir_is_extreme(i, &first)) {
        LLVMTypeRef type = part_type(LLVMTypeOf(i), span);
        LLVMValueRef function =
            LLVMGetIntrinsicDeclaration(f->module, LLVMGetIntrinsicID(LLVMGetCalledValue(i)), &type, 1);
        result = LLVMBuildCall2(f->builder, LLVMGlobalGetValueType(function), function, operands, count, "");
    }
    if (result && LLVMIsAInstruction(result) && LLVMCanValueUseFastMathFlags(result) && LLVMCanValueUseFastMathFlags(i))
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(i));
    return result;
}

static LLVMValueRef part(struct fewer *f, LLVMValueRef value, struct span span)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMIsUndef(value) || LLVMIsPoison(value))
        return LLVMGetUndef(part_type(type, span));
    if (LLVMIsAConstantDataVector(value) || LLVMIsAConstantVector(value) || LLVMIsAConstantAggregateZero(value))
        return constant_part(value, span);
    if (type_is_mask(type)) /* another compare costs no more than a part of a predicate */
        return ir_is_lane_wise(value) && LLVMIsAInstruction(value) ? operation_part(f, value, span) : NULL;
    if (LLVMIsAConstant(value))
        return NULL;
    if (LLVMIsAShuffleVectorInst(value) && ir_is_splat_shuffle(value)) { /* no vector of all lanes for its number */
        LLVMValueRef number = ir_only_lane(LLVMGetOperand(value, 0));
        if (number)
            return ir_build_splat(f->builder, number, span.count);
    }
    int bytes = (int)type_element_bytes(type);
    struct region r = {(int)span.first * bytes, span.count, 0, bytes}, old;
    bool whole = region_is_write(value) && LLVMIsUndef(LLVMGetOperand(value, 0)) && region_writes_all_lanes(value) &&
                 region_of_call(value, &old) && old.offset == r.offset && old.width == r.width &&
                 old.hstride == bytes && LLVMTypeOf(LLVMGetOperand(value, 1)) == part_type(type, span);
    return whole ? LLVMGetOperand(value, 1)
                 : region_build_read(f->builder, f->module, part_type(type, span), value, &r, NULL);
}

/* True for a masked write, or a select that keeps its width, which becomes a part of the operation if that has all its
 * lanes. */
static bool does_it_itself(struct fewer *f, LLVMValueRef user)
{
    struct spans spans;
    if (region_is_write(user))
        return !region_writes_all_lanes(user);
    if (!LLVMIsASelectInst(user))
        return false;
    const struct demanded_vector *choice = demanded_vector_of(f->live, user);
    LLVMValueRef mask = LLVMGetOperand(user, 0);
    bool divides = LLVMIsConstant(mask) || (LLVMIsAInstruction(mask) && ir_is_lane_wise(mask));
    return !choice || !divides || !find_spans(choice, &spans);
}

/* Writes the operations of the spans into `vector`, whose lanes they are at `place`. */
static LLVMValueRef write_spans(struct fewer *f, LLVMValueRef vector, const struct spans *spans, LLVMValueRef *few,
                                const struct region *place)
{
    for (unsigned k = 0; k < spans->count; k++) {
        struct span span = spans->all[k];
        struct region r = {region_lane(place, span.first), span.count, 0, place->hstride};
        vector = region_build_write(f->builder, f->module, vector, few[k], &r, NULL, NULL);
    }
    return vector;
}

/* Replaces region writes of `all`, which demand only the spans of it, by writes of these. */
static void write_fewer(struct fewer *f, LLVMValueRef all, const struct spans *spans, LLVMValueRef *few)
{
    for (LLVMUseRef next, use = LLVMGetFirstUse(all); use; use = next) {
        LLVMValueRef write = LLVMGetUser(use);
        struct region whole;
        next = LLVMGetNextUse(use);
        if (!region_is_write(write) || LLVMGetOperand(write, 1) != all || LLVMGetOperand(write, 0) == all ||
            !region_of_call(write, &whole) || whole.width != type_lanes(LLVMTypeOf(all)))
            continue;
        LLVMPositionBuilderBefore(f->builder, write);
        LLVMReplaceAllUsesWith(write, write_spans(f, LLVMGetOperand(write, 0), spans, few, &whole));
        /* it goes with the other dead values */
    }
}

static void compute_fewer(struct fewer *f, const struct demanded_vector *v)
{
    struct spans spans;
    LLVMValueRef few[MOST_SPANS];
    if (v->kind != VECTOR_LANES || type_is_mask(LLVMTypeOf(v->value)) || !find_spans(v, &spans))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(v->value); use; use = LLVMGetNextUse(use))
        if (does_it_itself(f, LLVMGetUser(use)))
            return;
    LLVMPositionBuilderBefore(f->builder, v->value);
    LLVMSetCurrentDebugLocation2(f->builder, LLVMInstructionGetDebugLoc(v->value));
    for (unsigned k = 0; k < spans.count; k++)
        if (!(few[k] = operation_part(f, v->value, spans.all[k])))
            return;
    struct region whole = {0, v->lanes, 0, (int)v->size};
    LLVMValueRef all = write_spans(f, LLVMGetUndef(LLVMTypeOf(v->value)), &spans, few, &whole);
    regions_forget_lanes(f->live, v->value);
    LLVMReplaceAllUsesWith(v->value, all);
    write_fewer(f, all, &spans, few);
}

void regions_shrink_operations(struct demanded *live, LLVMModuleRef module, LLVMBuilderRef builder)
{
    struct fewer f = {live, builder, module};
    for (size_t n = 0; n < live->count; n++)
        compute_fewer(&f, &live->vectors[n]);
}
