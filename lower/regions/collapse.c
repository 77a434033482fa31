/* Region collapsing: folds reads of reads, reads of writes and reads of constants to one read, or none. It works on
 * byte offsets, so that it looks through bitcasts to other element types. */
#include <stdlib.h>
#include <string.h>
#include "lower/functions/functions.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

/* First and last byte of a region's lanes in the vector. */
struct span {
    int first, end;
    bool contiguous; /* lane after lane */
};

/* A write with constant offset. Each read looks through the writes before it, of which there may be hundreds. */
struct written {
    struct region region;
    struct span span;
    unsigned lanes, size; /* of its value; bytes of a lane */
};

struct fold {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct pointer_map queued; /* instructions to whether they are to be looked at again */
    size_t waiting;            /* how many are */
    struct pointer_map writes; /* to written[]; NONE: erased */
    struct written *written;
    size_t count, capacity;
    int *offsets; /* of the lanes of the read that is being looked at */
    unsigned most_offsets;
};

static const size_t NONE = (size_t)-1;

static LLVMValueRef without_bitcasts(LLVMValueRef value)
{
    while (LLVMIsABitCastInst(value) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMVectorTypeKind)
        value = LLVMGetOperand(value, 0);
    return value;
}

static unsigned value_bytes(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return type_lanes(type) * type_element_bytes(type);
}

/* Builds a read of `lanes` elements at constant byte offsets of `source`, as `result`. NULL: the offsets are not a
 * region or do not suit the element size. */
static LLVMValueRef read_at(struct fold *f, LLVMTypeRef result, LLVMValueRef source, const int *offsets, unsigned lanes)
{
    LLVMTypeRef element = type_element(result);
    unsigned bytes = type_element_bytes(element), total = value_bytes(source);
    struct region region;
    if (total % bytes != 0 || !region_from_offsets(offsets, lanes, &region))
        return NULL;
    for (unsigned i = 0; i < lanes; i++)
        if (offsets[i] % (int)bytes != 0 || offsets[i] < 0 || offsets[i] + bytes > total)
            return NULL;
    if (LLVMGetTypeKind(LLVMTypeOf(source)) != LLVMVectorTypeKind) {
        if (result == LLVMTypeOf(source))
            return source;
        LLVMTypeRef one = LLVMVectorType(LLVMTypeOf(source), 1);
        source = LLVMBuildInsertElement(f->builder, LLVMGetPoison(one), source, constant_i32(f->module, 0), "");
    }
    if (LLVMGetElementType(LLVMTypeOf(source)) != element)
        source = LLVMBuildBitCast(f->builder, source, LLVMVectorType(element, total / bytes), "");
    bool whole = region.offset == 0 && region.width == lanes && (lanes == 1 || region.hstride == (int)bytes) &&
                 lanes * bytes == total;
    if (whole && LLVMTypeOf(source) == result)
        return source;
    return region_build_read(f->builder, f->module, result, source, &region, NULL);
}

static LLVMValueRef fold_constant(LLVMTypeRef result, LLVMValueRef source, const int *offsets, unsigned lanes)
{
    LLVMTypeRef type = LLVMTypeOf(source), element = type_element(result);
    unsigned bytes = type_element_bytes(element);
    if (type_element(type) != element || !LLVMIsConstant(source))
        return NULL;
    LLVMValueRef *out = ir_calloc(lanes, sizeof *out), folded = NULL;
    unsigned i = 0;
    for (; i < lanes; i++) {
        unsigned index = (unsigned)offsets[i] / bytes;
        out[i] = index < type_lanes(type) ? LLVMGetAggregateElement(source, index) : LLVMGetUndef(element);
        if (!out[i])
            break;
    }
    if (i == lanes)
        folded = LLVMGetTypeKind(result) == LLVMVectorTypeKind ? LLVMConstVector(out, lanes) : out[0];
    free(out);
    return folded;
}

static struct span span_of(const struct region *r, unsigned count, unsigned size)
{
    struct span span = {.contiguous = r->width >= count && (count == 1 || r->hstride == (int)size)};
    region_extent(r, count, size, &span.first, &span.end);
    return span;
}

/* NULL: not a write, or one with a run-time offset. Valid until the next call. */
static const struct written *written_of(struct fold *f, LLVMValueRef write)
{
    size_t number;
    if (pointer_map_get(&f->writes, write, &number) && number != NONE)
        return &f->written[number];
    struct written w;
    if (!region_is_write(write) || !region_of_call(write, &w.region))
        return NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    w.lanes = type_lanes(type);
    w.size = type_element_bytes(type);
    w.span = span_of(&w.region, w.lanes, w.size);
    pointer_map_set(&f->writes, write, f->count);
    ARRAY_PUSH(f->written, f->count, f->capacity, w);
    return &f->written[f->count - 1];
}

/* Returns the lane of a region that holds the bytes at..end-1; `count`: none does. *overlap: some lanes hold some of
 * them. */
static unsigned lane_holding(const struct region *r, const struct span *span, unsigned count, int size, int at, int end,
                             bool *overlap)
{
    if (at >= span->end || end <= span->first)
        return count;
    if (span->contiguous) {
        *overlap = true;
        bool inside = at >= span->first && end <= span->end && (at - span->first) % size + end - at <= size;
        return inside ? (unsigned)((at - span->first) / size) : count;
    }
    int row = r->offset, column = 0;
    for (unsigned k = 0; k < count; k++) {
        int lane = row + column * r->hstride;
        *overlap = *overlap || (at < lane + size && end > lane);
        if (at >= lane && end <= lane + size)
            return k;
        if (++column == (int)r->width) {
            column = 0;
            row += r->vstride;
        }
    }
    return count;
}

/* Finds the lanes of a written value that hold the bytes of a read of `lanes` elements of `bytes` at offsets[]: 1 all
 * of them (offsets[] becomes offsets in the value), 0 none, -1 mixed. `wanted`: the read's first and last byte. */
static int through_write(const struct written *w, const struct span *wanted, int *offsets, unsigned lanes,
                         unsigned bytes)
{
    int size = (int)w->size, length = (int)bytes;
    if (wanted->first >= w->span.end || wanted->end <= w->span.first)
        return 0;
    unsigned hits = 0;
    bool overlap = false;
    for (unsigned i = 0; i < lanes && (hits == i || !overlap); i++)
        hits +=
            lane_holding(&w->region, &w->span, w->lanes, size, offsets[i], offsets[i] + length, &overlap) < w->lanes;
    if (hits < lanes)
        return overlap ? -1 : 0;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned k = lane_holding(&w->region, &w->span, w->lanes, size, offsets[i], offsets[i] + length, &overlap);
        offsets[i] += (int)(k * w->size) - region_lane(&w->region, k);
    }
    return 1;
}

/* Converts offsets[] in a read's result to offsets in that read's source. */
static bool through_read(const struct region *r, unsigned count, unsigned size, int *offsets, unsigned lanes,
                         unsigned bytes)
{
    if (bytes > size)
        return false;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned lane = (unsigned)offsets[i] / size;
        if (offsets[i] < 0 || lane >= count)
            return false;
        offsets[i] = region_lane(r, lane) + offsets[i] % (int)size;
    }
    return true;
}

/* The same for a read of a shuffle of one vector, which LLVM makes of some of our reads. */
static bool through_shuffle(LLVMValueRef shuffle, int *offsets, unsigned lanes, unsigned bytes)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(shuffle, 0));
    int size = (int)type_element_bytes(type);
    if ((int)bytes > size || type_is_mask(type))
        return false;
    for (unsigned i = 0; i < lanes; i++) {
        if (offsets[i] < 0 || offsets[i] / size >= (int)LLVMGetNumMaskElements(shuffle))
            return false;
        int lane = LLVMGetMaskValue(shuffle, (unsigned)(offsets[i] / size));
        if (lane < 0 || lane >= (int)type_lanes(type))
            return false;
        offsets[i] = lane * size + offsets[i] % size;
    }
    return true;
}

/* The same for a read of the low parts of extended numbers. */
static bool through_extension(LLVMValueRef extension, int *offsets, unsigned lanes, unsigned bytes)
{
    LLVMTypeRef narrow = LLVMTypeOf(LLVMGetOperand(extension, 0)), wide = LLVMTypeOf(extension);
    if (type_is_mask(narrow))
        return false;
    int from = (int)type_element_bytes(narrow), to = (int)type_element_bytes(wide);
    for (unsigned i = 0; i < lanes; i++) {
        if (offsets[i] < 0 || offsets[i] / to >= (int)type_lanes(wide) || offsets[i] % to + (int)bytes > from)
            return false;
        offsets[i] = offsets[i] / to * from + offsets[i] % to;
    }
    return true;
}

/* The same for a read of any of these. False: it is a read of something else. */
static bool through_source(LLVMValueRef source, int *offsets, unsigned lanes, unsigned bytes)
{
    struct region inner;
    LLVMTypeRef type = LLVMTypeOf(source);
    if (LLVMIsAShuffleVectorInst(source))
        return through_shuffle(source, offsets, lanes, bytes);
    if (LLVMIsAZExtInst(source) || LLVMIsASExtInst(source))
        return through_extension(source, offsets, lanes, bytes);
    return region_is_read(source) && region_of_call(source, &inner) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(source, 4))) != LLVMVectorTypeKind &&
           through_read(&inner, type_lanes(type), type_element_bytes(type), offsets, lanes, bytes);
}

/* The lanes of a region, in f->offsets. */
static int *lanes_of(struct fold *f, const struct region *r, unsigned lanes)
{
    if (lanes > f->most_offsets) {
        f->most_offsets = 2 * lanes;
        f->offsets = ir_realloc(f->offsets, f->most_offsets * sizeof *f->offsets);
    }
    for (unsigned i = 0; i < lanes; i++)
        f->offsets[i] = region_lane(r, i);
    return f->offsets;
}

/* True if a join continues the vector of `write`, through later writes. */
static bool is_carried(LLVMValueRef write)
{
    enum { MOST_WRITES = 32 };
    for (unsigned n = 0; write && n < MOST_WRITES; n++) {
        LLVMValueRef next = NULL;
        for (LLVMUseRef use = LLVMGetFirstUse(write); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAPHINode(user))
                return true;
            if (region_is_write(user) && LLVMGetOperand(user, 0) == write)
                next = user;
        }
        write = next;
    }
    return false;
}

/* True for a large operation that is computed in the vector of its write, and that a join continues. If it had another
 * user behind its block, its value and the vector would both be live, and every iteration of a loop would copy it. */
static bool is_computed_in_place(LLVMValueRef write, LLVMValueRef read)
{
    enum { LARGE_VALUE = 512 }; /* bytes */
    LLVMValueRef value = LLVMGetOperand(write, 1);
    return value_bytes(value) >= LARGE_VALUE && LLVMIsAInstruction(value) && ir_is_lane_wise(value) &&
           LLVMGetFirstUse(value) && ir_has_one_use(value) &&
           LLVMGetInstructionParent(read) != LLVMGetInstructionParent(write) && is_carried(write);
}

/* Returns what a read finds in a constant vector if that is undefined or zeros (float sums with zero stay as they are).
 * Other numbers are read where they are: there is room for the result. */
static LLVMValueRef constant_part(LLVMTypeRef result, LLVMValueRef constant, const int *offsets, unsigned lanes)
{
    if (LLVMIsUndef(constant))
        return LLVMGetUndef(result);
    if (type_is_float(result))
        return NULL;
    if (LLVMIsNull(constant))
        return LLVMConstNull(result);
    LLVMValueRef part = fold_constant(result, constant, offsets, lanes);
    return part && LLVMIsNull(part) ? part : NULL;
}

/* Folds a read through writes to a read of a written value, if all lanes come from one, or to constant lanes that the
 * writes left alone. A read of an older version of the vector only would gain nothing. */
static LLVMValueRef read_of_writes(struct fold *f, LLVMValueRef read, LLVMValueRef write, const struct span *wanted,
                                   unsigned lanes, unsigned bytes)
{
    const struct written *w;
    int verdict = 0;
    while (verdict == 0 && (w = written_of(f, write))) {
        verdict = through_write(w, wanted, f->offsets, lanes, bytes);
        if (verdict == 0)
            write = without_bitcasts(LLVMGetOperand(write, 0));
    }
    if (verdict == 0 && LLVMIsConstant(write))
        return constant_part(LLVMTypeOf(read), write, f->offsets, lanes);
    if (verdict != 1 || !region_writes_all_lanes(write) || is_computed_in_place(write, read))
        return NULL;
    LLVMPositionBuilderBefore(f->builder, read);
    return read_at(f, LLVMTypeOf(read), LLVMGetOperand(write, 1), f->offsets, lanes);
}

/* LLVM makes two shifts of a truncation that is extended again with its sign. */
static bool is_sign_extended(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMIsASExtInst(LLVMGetUser(use)))
            return true;
    return false;
}

/* Reads the low part of a lane of the numbers that are truncated. */
static LLVMValueRef read_of_low_part(struct fold *f, LLVMValueRef read, LLVMValueRef wide, const struct region *r)
{
    LLVMTypeRef result = LLVMTypeOf(read), type = LLVMTypeOf(wide);
    int from = (int)type_element_bytes(type), to = (int)type_element_bytes(result);
    struct region lane = {r->offset / to * from, 1, 0, 0};
    LLVMPositionBuilderBefore(f->builder, read);
    LLVMTypeRef parts = LLVMVectorType(result, type_lanes(type) * (unsigned)(from / to));
    return region_build_read(f->builder, f->module, result, LLVMBuildBitCast(f->builder, wide, parts, ""), &lane, NULL);
}

/* Truncates after the read instead of before it: the truncation is part of its user then, and needs no register. */
static LLVMValueRef read_of_truncation(struct fold *f, LLVMValueRef read, LLVMValueRef truncation,
                                       const struct region *r)
{
    LLVMTypeRef result = LLVMTypeOf(read), type = LLVMTypeOf(truncation);
    LLVMValueRef wide = LLVMGetOperand(truncation, 0);
    int from = (int)type_element_bytes(LLVMTypeOf(wide)), to = (int)type_element_bytes(type);
    if (!type_is_mask(type) && from <= 4 && is_sign_extended(read) && result == type_element(type) &&
        r->offset % to == 0)
        return read_of_low_part(f, read, wide, r);
    if (type_is_mask(type) || from > 4 || is_sign_extended(read) || type_element(type) != type_element(result) ||
        type_lanes(result) > type_lanes(type) || r->offset % to || r->vstride % to || r->hstride % to)
        return NULL;
    struct region region = {r->offset / to * from, r->width, r->vstride / to * from, r->hstride / to * from};
    LLVMPositionBuilderBefore(f->builder, read);
    LLVMTypeRef lanes = type_like(result, type_element(LLVMTypeOf(wide)));
    LLVMValueRef part = region_build_read(f->builder, f->module, lanes, wide, &region, NULL);
    return LLVMBuildTrunc(f->builder, part, result, "");
}

/* Returns the better form of a read with constant offset; NULL: there is none. */
static LLVMValueRef fold_read(struct fold *f, LLVMValueRef call)
{
    struct region r;
    if (!region_of_call(call, &r) || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 4))) == LLVMVectorTypeKind)
        return NULL;
    LLVMTypeRef result = LLVMTypeOf(call);
    unsigned lanes = type_lanes(result), bytes = type_element_bytes(result);
    LLVMValueRef outer = LLVMGetOperand(call, 0), source = without_bitcasts(outer);
    int *offsets = lanes_of(f, &r, lanes);
    if (LLVMIsConstant(outer))
        return fold_constant(result, outer, offsets, lanes);
    if (!LLVMIsAInstruction(source))
        return NULL;
    struct span wanted = span_of(&r, lanes, bytes);
    if (LLVMIsATruncInst(outer))
        return read_of_truncation(f, call, outer, &r);
    if (region_is_write(source))
        return read_of_writes(f, call, source, &wanted, lanes, bytes);
    if (!through_source(source, offsets, lanes, bytes))
        return NULL;
    LLVMPositionBuilderBefore(f->builder, call);
    return read_at(f, result, LLVMGetOperand(source, 0), offsets, lanes);
}

/* Folds lanes of a read or of other chosen lanes, which LLVM or a reduction takes by a shuffle, to a read of their own.
 */
static LLVMValueRef part_of_read(struct fold *f, LLVMValueRef shuffle)
{
    LLVMValueRef source = LLVMGetOperand(shuffle, 0);
    LLVMTypeRef type = LLVMTypeOf(source);
    struct region first = {0, 1, 0, 0};
    if (!LLVMIsAInstruction(source) || !LLVMIsUndef(LLVMGetOperand(shuffle, 1)) || type_is_mask(type))
        return NULL;
    unsigned lanes = LLVMGetNumMaskElements(shuffle), bytes = type_element_bytes(type);
    int *offsets = lanes_of(f, &first, lanes);
    for (unsigned k = 0; k < lanes; k++)
        offsets[k] = LLVMGetMaskValue(shuffle, k) * (int)bytes;
    if (!through_source(source, offsets, lanes, bytes))
        return NULL;
    LLVMPositionBuilderBefore(f->builder, shuffle);
    return read_at(f, LLVMTypeOf(shuffle), LLVMGetOperand(source, 0), offsets, lanes);
}

/* Folds an element of a read with other elements, after a bitcast, to a read of its own. */
static LLVMValueRef element_of_read(struct fold *f, LLVMValueRef extract)
{
    enum { OFFSET = 4 };
    struct region r;
    int64_t number;
    LLVMValueRef vector = LLVMGetOperand(extract, 0), read = without_bitcasts(vector);
    if (read == vector || type_is_mask(LLVMTypeOf(vector)) || !region_is_read(read) || !region_of_call(read, &r) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(read, OFFSET))) == LLVMVectorTypeKind ||
        !constant_int(LLVMGetOperand(extract, 1), &number))
        return NULL;
    LLVMTypeRef type = LLVMTypeOf(read), result = LLVMTypeOf(extract);
    unsigned bytes = type_element_bytes(result);
    int offset = (int)number * (int)bytes;
    if (!through_read(&r, type_lanes(type), type_element_bytes(type), &offset, 1, bytes))
        return NULL;
    LLVMPositionBuilderBefore(f->builder, read); /* the vector may not live as far as its user */
    return read_at(f, result, LLVMGetOperand(read, 0), &offset, 1);
}

/* Bypasses a write that the next write overwrites exactly. */
static bool skip_overwritten(struct fold *f, LLVMValueRef call)
{
    LLVMValueRef before = LLVMGetOperand(call, 0);
    const struct written *found = written_of(f, before);
    struct written b = found ? *found : (struct written){.lanes = 0}, a;
    if (!found || !(found = written_of(f, call)))
        return false;
    a = *found;
    if (a.span.first != b.span.first || a.span.end != b.span.end || !region_writes_all_lanes(call) ||
        LLVMTypeOf(LLVMGetOperand(before, 1)) != LLVMTypeOf(LLVMGetOperand(call, 1)))
        return false;
    for (unsigned i = 0; i < a.lanes; i++)
        if (region_lane(&a.region, i) != region_lane(&b.region, i))
            return false;
    LLVMSetOperand(call, 0, LLVMGetOperand(before, 0));
    return true;
}

/* Folds any read of a splat constant to its lane. */
static LLVMValueRef uniform_read(LLVMValueRef read)
{
    LLVMValueRef source = LLVMGetOperand(read, 0);
    if (!LLVMIsConstant(source) || LLVMIsUndef(source) || LLVMIsPoison(source))
        return NULL;
    LLVMValueRef first = LLVMGetAggregateElement(source, 0);
    for (unsigned i = 1; i < type_lanes(LLVMTypeOf(source)); i++)
        if (LLVMGetAggregateElement(source, i) != first)
            return NULL;
    return first ? constant_splat(LLVMTypeOf(read), first) : NULL;
}

/* Folds lanes selected at run time whose indices are constant after all, and form a region. */
static LLVMValueRef chosen_region(struct fold *f, LLVMValueRef read)
{
    enum { OFFSET = 4 };
    LLVMValueRef source = LLVMGetOperand(read, 0), chosen = LLVMGetOperand(read, OFFSET);
    unsigned lanes = type_lanes(LLVMTypeOf(read)), bytes = type_element_bytes(LLVMTypeOf(source));
    if (!LLVMIsConstant(chosen) || type_lanes(LLVMTypeOf(chosen)) != lanes || lanes == 1)
        return NULL;
    int *offsets = ir_calloc(lanes, sizeof *offsets);
    bool known = true;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t bits;
        bool undefined;
        known = known && constant_lane(chosen, i, &bits, &undefined) && !undefined && bits % bytes == 0 &&
                bits / bytes < type_lanes(LLVMTypeOf(source));
        offsets[i] = known ? (int)bits : 0;
    }
    struct region region;
    known = known && region_from_offsets(offsets, lanes, &region);
    free(offsets);
    if (!known)
        return NULL;
    LLVMPositionBuilderBefore(f->builder, read);
    return region_build_read(f->builder, f->module, LLVMTypeOf(read), source, &region, NULL);
}

/* Constants written into a constant. */
static LLVMValueRef constant_write(LLVMValueRef write)
{
    LLVMValueRef old = LLVMGetOperand(write, 0), value = LLVMGetOperand(write, 1);
    LLVMTypeRef type = LLVMTypeOf(write), element = type_element(type);
    struct region r;
    if (!LLVMIsConstant(old) || !LLVMIsConstant(value) || type_element(LLVMTypeOf(value)) != element ||
        !region_writes_all_lanes(write) || !region_of_call(write, &r))
        return NULL;
    unsigned lanes = type_lanes(type), count = type_lanes(LLVMTypeOf(value));
    LLVMValueRef *out = ir_calloc(lanes, sizeof *out), folded = NULL;
    bool known = true;
    for (unsigned i = 0; i < lanes; i++)
        known = (out[i] = LLVMGetAggregateElement(old, i)) && known;
    for (unsigned k = 0; k < count && known; k++) {
        unsigned at = (unsigned)region_lane(&r, k) / type_element_bytes(type);
        LLVMValueRef lane =
            LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind ? LLVMGetAggregateElement(value, k) : value;
        known = at < lanes && lane;
        if (known)
            out[at] = lane;
    }
    if (known)
        folded = LLVMConstVector(out, lanes);
    free(out);
    return folded;
}

static bool is_first_lane(LLVMValueRef index)
{
    int64_t lane;
    return constant_int(index, &lane) && lane == 0;
}

/* Rebuilds an access with another type of its lane: `read` as `result`, `write` with `value`. */
static LLVMValueRef read_again(struct fold *f, LLVMValueRef read, LLVMTypeRef result)
{
    enum { OPERANDS = 6 };
    LLVMValueRef operands[OPERANDS];
    for (unsigned k = 0; k < OPERANDS; k++)
        operands[k] = LLVMGetOperand(read, k);
    LLVMPositionBuilderBefore(f->builder, read); /* the vector may not live as far as its user */
    return genx_build(f->builder, f->module, genx_call_id(read), result, operands, OPERANDS);
}

static LLVMValueRef write_again(struct fold *f, LLVMValueRef write, LLVMValueRef value)
{
    enum { OPERANDS = 8 };
    LLVMValueRef operands[OPERANDS];
    for (unsigned k = 0; k < OPERANDS; k++)
        operands[k] = LLVMGetOperand(write, k);
    operands[1] = value;
    LLVMPositionBuilderBefore(f->builder, write);
    return genx_build(f->builder, f->module, genx_call_id(write), LLVMTypeOf(write), operands, OPERANDS);
}

/* A one-lane read whose lane is only extracted becomes a scalar read. */
static LLVMValueRef scalar_read(struct fold *f, LLVMValueRef extract)
{
    enum { OFFSET = 4 };
    LLVMValueRef read = LLVMGetOperand(extract, 0);
    if (!region_is_read(read) || type_lanes(LLVMTypeOf(read)) != 1 || !is_first_lane(LLVMGetOperand(extract, 1)) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(read, OFFSET))) == LLVMVectorTypeKind)
        return NULL;
    return read_again(f, read, LLVMTypeOf(extract));
}

/* A scalar read that is inserted into a one-lane vector becomes a vector read. */
static LLVMValueRef vector_read(struct fold *f, LLVMValueRef insert)
{
    LLVMValueRef read = LLVMGetOperand(insert, 1);
    bool is_read = region_is_read(read) && type_lanes(LLVMTypeOf(insert)) == 1;
    return is_read ? read_again(f, read, LLVMTypeOf(insert)) : NULL;
}

/* A write of a scalar extracted from a one-lane vector writes the vector. */
static LLVMValueRef vector_write(struct fold *f, LLVMValueRef write)
{
    LLVMValueRef scalar = LLVMGetOperand(write, 1);
    if (!LLVMIsAExtractElementInst(scalar) || type_lanes(LLVMTypeOf(LLVMGetOperand(scalar, 0))) != 1 ||
        !LLVMIsACallInst(LLVMGetOperand(scalar, 0)))
        return NULL;
    return write_again(f, write, LLVMGetOperand(scalar, 0));
}

/* A write of a scalar inserted into a one-lane vector writes the scalar. */
static LLVMValueRef scalar_write(struct fold *f, LLVMValueRef write)
{
    LLVMValueRef one = LLVMGetOperand(write, 1);
    if (!LLVMIsAInsertElementInst(one) || type_lanes(LLVMTypeOf(one)) != 1)
        return NULL;
    return write_again(f, write, LLVMGetOperand(one, 1));
}

/* Returns the byte offset of element `index` (any integer) as i16, its constant term last, where address.c looks for
 * it. */
static LLVMValueRef element_offset(struct fold *f, LLVMValueRef index, unsigned bytes)
{
    LLVMTypeRef word = LLVMInt16TypeInContext(LLVMGetModuleContext(f->module));
    LLVMValueRef constant = NULL, offset;
    if (LLVMIsAInstruction(index) && LLVMGetInstructionOpcode(index) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(index, 1))) {
        constant = LLVMGetOperand(index, 1);
        index = LLVMGetOperand(index, 0);
    }
    offset = LLVMBuildIntCast2(f->builder, index, word, false, "");
    if (bytes > 1)
        offset = LLVMBuildMul(f->builder, offset, LLVMConstInt(word, bytes, false), "");
    if (constant)
        offset = LLVMBuildAdd(f->builder, offset,
                              constant_i16(f->module, LLVMConstIntGetSExtValue(constant) * (int)bytes), "");
    return offset;
}

/* Converts extractelement and insertelement with a run-time index to regions of one lane. */
static LLVMValueRef numbered_element(struct fold *f, LLVMValueRef i)
{
    bool insert = LLVMIsAInsertElementInst(i) != NULL;
    LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, insert ? 2 : 1);
    if (LLVMIsConstant(index))
        return NULL;
    enum genx_id id = genx_call_id(vector);
    if (type_is_mask(LLVMTypeOf(vector)) || id == GENX_LOCAL_ID || id == GENX_LOCAL_SIZE || id == GENX_GROUP_COUNT)
        return NULL;
    struct region one = {0, 1, 0, 0};
    LLVMPositionBuilderBefore(f->builder, i);
    LLVMValueRef offset = element_offset(f, index, type_element_bytes(LLVMTypeOf(vector)));
    if (insert)
        return region_build_write(f->builder, f->module, vector, LLVMGetOperand(i, 1), &one, offset, NULL);
    return region_build_read(f->builder, f->module, LLVMTypeOf(i), vector, &one, offset);
}

/* Folds a write of all lanes to the written value; also a masked one whose old lanes are undefined. */
static LLVMValueRef whole_write(LLVMValueRef write)
{
    LLVMValueRef value = LLVMGetOperand(write, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    struct region r;
    bool all = region_writes_all_lanes(write) || LLVMIsUndef(LLVMGetOperand(write, 0));
    bool whole = LLVMTypeOf(write) == type && all && region_of_call(write, &r) && r.offset == 0 &&
                 (type_lanes(type) == 1 || (r.width == type_lanes(type) && r.hstride == (int)type_element_bytes(type)));
    return whole && LLVMIsAConstantInt(LLVMGetOperand(write, 5)) ? value : NULL;
}

/* True if writing constant `part` into part of `vector` changes nothing. */
static bool writes_nothing(LLVMValueRef part, LLVMValueRef vector)
{
    return LLVMIsAUndefValue(part) || (LLVMIsNull(part) && LLVMIsConstant(vector) && LLVMIsNull(vector));
}

/* Splits the write of a modified vector into another one: first the vector, then the modification. If the old value has
 * other uses, it is copied once instead of twice. */
static LLVMValueRef two_writes(struct fold *f, LLVMValueRef write)
{
    LLVMValueRef part = LLVMGetOperand(write, 1);
    struct region outer, inner;
    if (!region_is_write(part) || LLVMGetNextUse(LLVMGetFirstUse(part)) || !region_writes_all_lanes(write) ||
        !region_writes_all_lanes(part) || !region_of_call(write, &outer) || !region_of_call(part, &inner) ||
        LLVMTypeOf(write) == LLVMTypeOf(part) || LLVMGetInstructionParent(part) != LLVMGetInstructionParent(write))
        return NULL;
    LLVMValueRef old = LLVMGetOperand(write, 0), first = LLVMGetOperand(part, 0);
    bool once = LLVMIsConstant(first);
    if (once && !writes_nothing(first, old))
        return NULL;
    unsigned lanes = type_lanes(LLVMTypeOf(LLVMGetOperand(part, 1))), bytes = type_element_bytes(LLVMTypeOf(part));
    int *offsets = ir_calloc(lanes, sizeof *offsets);
    for (unsigned k = 0; k < lanes; k++)
        offsets[k] = region_lane(&outer, (unsigned)region_lane(&inner, k) / bytes);
    struct region both;
    bool found = region_from_offsets(offsets, lanes, &both);
    free(offsets);
    if (!found)
        return NULL;
    LLVMPositionBuilderBefore(f->builder, write);
    LLVMValueRef whole = once ? old : region_build_write(f->builder, f->module, old, first, &outer, NULL, NULL);
    return region_build_write(f->builder, f->module, whole, LLVMGetOperand(part, 1), &both, NULL, NULL);
}

static LLVMValueRef fold_write(struct fold *f, LLVMValueRef write)
{
    LLVMValueRef folded = whole_write(write);
    folded = folded ? folded : constant_write(write);
    folded = folded ? folded : scalar_write(f, write);
    folded = folded ? folded : two_writes(f, write);
    return folded ? folded : vector_write(f, write);
}

static LLVMValueRef fold_instruction(struct fold *f, LLVMValueRef i)
{
    LLVMValueRef folded;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        if (region_is_write(i))
            return fold_write(f, i);
        if (!region_is_read(i))
            return NULL;
        folded = fold_read(f, i);
        folded = folded ? folded : uniform_read(i);
        return folded ? folded : chosen_region(f, i);
    case LLVMExtractElement:
        folded = scalar_read(f, i);
        folded = folded ? folded : element_of_read(f, i);
        return folded ? folded : numbered_element(f, i);
    case LLVMShuffleVector: return part_of_read(f, i);
    case LLVMInsertElement: folded = vector_read(f, i); return folded ? folded : numbered_element(f, i);
    default: return NULL;
    }
}

/* Puts `value` on the worklist. */
static void requeue(struct fold *f, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return;
    size_t waits;
    if (pointer_map_get(&f->queued, value, &waits) && waits)
        return;
    pointer_map_set(&f->queued, value, true);
    f->waiting++;
}

/* Puts the users of a changed value on the worklist, also those after a bitcast. */
static void requeue_users(struct fold *f, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        requeue(f, user);
        if (LLVMIsABitCastInst(user))
            requeue_users(f, user);
    }
}

/* Erases it; its address may be reused by another instruction. */
static void erase(struct fold *f, LLVMValueRef i)
{
    size_t number;
    if (pointer_map_get(&f->queued, i, &number) && number) {
        pointer_map_set(&f->queued, i, false);
        f->waiting--;
    }
    if (pointer_map_get(&f->writes, i, &number))
        pointer_map_set(&f->writes, i, NONE);
    LLVMInstructionEraseFromParent(i);
}

static void replace(struct fold *f, LLVMValueRef i, LLVMValueRef folded)
{
    LLVMValueRef written = region_is_write(i) ? LLVMGetOperand(i, 1) : NULL, source = LLVMGetOperand(i, 0);
    requeue_users(f, i);
    requeue(f, folded);
    for (int k = 0; LLVMIsAInstruction(folded) && k < LLVMGetNumOperands(folded); k++)
        requeue(f, LLVMGetOperand(folded, (unsigned)k));
    LLVMReplaceAllUsesWith(i, folded);
    erase(f, i);
    if (written && region_is_write(written) && !LLVMGetFirstUse(written)) /* it would count as a user */
        erase(f, written);
    if (region_is_write(source) && ir_has_one_use(source))
        requeue_users(f, source); /* a last user is worth more */
}

static void fold_or_requeue(struct fold *f, LLVMValueRef i)
{
    if (LLVMIsACallInst(i) && region_is_write(i) && skip_overwritten(f, i)) {
        requeue(f, i);
        requeue_users(f, i);
    }
    LLVMValueRef folded = fold_instruction(f, i);
    if (folded)
        replace(f, i, folded);
}

/* Runs one round over the worklist; the first round visits everything. */
static void fold_kernel(struct fold *f, LLVMValueRef kernel, bool all)
{
    size_t queued;
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!all && f->waiting == 0)
            return;
        bool wanted = f->waiting && pointer_map_get(&f->queued, i, &queued) && queued;
        if (wanted) {
            pointer_map_set(&f->queued, i, false);
            f->waiting--;
        }
        if (all || wanted)
            fold_or_requeue(f, i);
    }
}

static void fold_rounds(struct fold *f, LLVMValueRef kernel)
{
    enum { MOST_ROUNDS = 8 };
    fold_kernel(f, kernel, true);
    for (int round = 1; round < MOST_ROUNDS && f->waiting; round++)
        fold_kernel(f, kernel, false);
    pointer_map_free(&f->queued);
    pointer_map_free(&f->writes);
    f->waiting = f->count = 0;
}

bool pass_collapse(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct fold f = {.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(kernel, module)
    if (function_is_lowered(kernel))
        fold_rounds(&f, kernel);
    free(f.written);
    free(f.offsets);
    LLVMDisposeBuilder(f.builder);
    return true;
}
