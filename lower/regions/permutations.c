/* Replaces a chain of region writes that only moves lanes of one vector by that vector, or by fewer moves. Examples:
 *
 *     both halves of each dword, written to their places in a vector of words     the dwords
 *     rows and columns exchanged for each k, so each pair of lanes twice          the matrix as it was
 *
 * It follows each byte of the last vector of a chain to the value that it comes from. */
#include <stdlib.h>
#include <string.h>
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

enum { MOST_VALUES = 256, MOST_BYTES = 2048, MOST_STRIDES = 32, MOST_RUN = 32 };

/* Where a byte comes from: byte `at` of `root`. NULL: it is undefined. */
struct origin {
    LLVMValueRef root;
    unsigned at;
};

/* The origins of the bytes of the values that the chain looked at so far. */
struct chain {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct pointer_map numbers;
    struct origin *origins[MOST_VALUES];
    size_t count;
};

/* Lanes of the last vector, `dst` and so on, that come from lanes `src` and so on. */
struct run {
    unsigned dst, src, lanes, dst_stride, src_stride;
};

static unsigned bytes_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return type_lanes(type) * type_element_bytes(type);
}

static bool has_bytes(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value), element = type_element(type);
    bool is_number = type_is_float(type) || LLVMGetTypeKind(element) == LLVMIntegerTypeKind;
    return is_number && type_element_bits(type) % 8 == 0 && bytes_of(value) <= MOST_BYTES;
}

static const struct origin *origins_of(struct chain *c, LLVMValueRef value);

/* Copies the origins of `count` bytes of another value. */
static bool take(struct chain *c, LLVMValueRef from, unsigned at, struct origin *to, unsigned count)
{
    const struct origin *origins = has_bytes(from) ? origins_of(c, from) : NULL;
    if (!origins || at + count > bytes_of(from))
        return false;
    memcpy(to, origins + at, count * sizeof *to);
    return true;
}

static bool constant_region(LLVMValueRef call, unsigned offset_operand, struct region *r)
{
    return LLVMIsAConstantInt(LLVMGetOperand(call, offset_operand)) && region_of_call(call, r);
}

static bool through_read(struct chain *c, LLVMValueRef read, struct origin *to)
{
    enum { OFFSET = 4 };
    struct region r;
    LLVMValueRef from = LLVMGetOperand(read, 0);
    unsigned size = type_element_bytes(LLVMTypeOf(read)), lanes = type_lanes(LLVMTypeOf(read));
    if (!constant_region(read, OFFSET, &r))
        return false;
    const struct origin *origins = has_bytes(from) ? origins_of(c, from) : NULL;
    unsigned total = origins ? bytes_of(from) : 0;
    for (unsigned k = 0; k < lanes; k++) {
        int at = region_lane(&r, k);
        if (at < 0 || (unsigned)at + size > total)
            return false;
        memcpy(&to[k * size], origins + at, size * sizeof *to);
    }
    return true;
}

static bool through_write(struct chain *c, LLVMValueRef write, struct origin *to)
{
    enum { OFFSET = 5 };
    struct region r;
    LLVMValueRef value = LLVMGetOperand(write, 1);
    unsigned size = type_element_bytes(LLVMTypeOf(value)), total = bytes_of(write),
             lanes = type_lanes(LLVMTypeOf(value));
    if (!region_writes_all_lanes(write) || !constant_region(write, OFFSET, &r) ||
        !take(c, LLVMGetOperand(write, 0), 0, to, total))
        return false;
    const struct origin *origins = has_bytes(value) ? origins_of(c, value) : NULL;
    for (unsigned k = 0; k < lanes; k++) {
        int at = region_lane(&r, k);
        if (!origins || at < 0 || (unsigned)at + size > total)
            return false;
        memcpy(&to[at], origins + k * size, size * sizeof *to);
    }
    return true;
}

static void fill_with_own(LLVMValueRef value, struct origin *to, unsigned count)
{
    bool is_undefined = LLVMIsUndef(value) || LLVMIsPoison(value);
    for (unsigned k = 0; k < count; k++)
        to[k] = (struct origin){is_undefined ? NULL : value, k};
}

/* Shifts right by whole bytes, truncations: bytes `first` and so on of each lane of the operand. */
static bool through_lanes(struct chain *c, LLVMValueRef value, unsigned first, struct origin *to)
{
    LLVMValueRef from = LLVMGetOperand(value, 0);
    unsigned wide = type_element_bytes(LLVMTypeOf(from)), size = type_element_bytes(LLVMTypeOf(value));
    if (!has_bytes(from))
        return false;
    fill_with_own(value, to, bytes_of(value)); /* what is shifted in */
    for (unsigned k = 0; k < type_lanes(LLVMTypeOf(value)); k++)
        if (!take(c, from, k * wide + first, &to[k * size], wide - first < size ? wide - first : size))
            return false;
    return true;
}

static bool through_shift(struct chain *c, LLVMValueRef shift, struct origin *to)
{
    uint64_t distance;
    return constant_in_lanes(LLVMGetOperand(shift, 1), &distance) && distance % 8 == 0 &&
           distance < type_element_bits(LLVMTypeOf(shift)) && through_lanes(c, shift, (unsigned)distance / 8, to);
}

static bool through_shuffle(struct chain *c, LLVMValueRef shuffle, struct origin *to)
{
    unsigned size = type_element_bytes(LLVMTypeOf(shuffle)), lanes = type_lanes(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
    const struct origin *origins[2] = {0};
    for (unsigned k = 0; k < type_lanes(LLVMTypeOf(shuffle)); k++) {
        int lane = LLVMGetMaskValue(shuffle, k);
        if (lane == LLVMGetUndefMaskElem())
            return false;
        unsigned second = (unsigned)lane >= lanes;
        if (!origins[second]) {
            LLVMValueRef from = LLVMGetOperand(shuffle, second);
            origins[second] = has_bytes(from) ? origins_of(c, from) : NULL;
        }
        if (!origins[second])
            return false;
        memcpy(&to[k * size], origins[second] + ((unsigned)lane - second * lanes) * size, size * sizeof *to);
    }
    return true;
}

static bool is_followed(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMCall
               ? region_is_read(value) || region_is_write(value)
               : op == LLVMBitCast || op == LLVMShuffleVector || op == LLVMTrunc || op == LLVMLShr || op == LLVMAShr;
}

/* Finds the origins of a value that is_followed(). */
static bool follow(struct chain *c, LLVMValueRef value, struct origin *to)
{
    if (region_is_read(value))
        return through_read(c, value, to);
    if (region_is_write(value))
        return through_write(c, value, to);
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMBitCast: return take(c, LLVMGetOperand(value, 0), 0, to, bytes_of(value));
    case LLVMShuffleVector: return through_shuffle(c, value, to);
    case LLVMTrunc: return through_lanes(c, value, 0, to);
    case LLVMLShr:
    case LLVMAShr: return through_shift(c, value, to);
    default: return false;
    }
}

/* Returns the origin of each byte of a value that has_bytes(). A value that is not followed further is its own. NULL:
 * too many values, or the value depends on itself, as it may in unreachable code. */
static const struct origin *origins_of(struct chain *c, LLVMValueRef value)
{
    size_t number;
    if (pointer_map_get(&c->numbers, value, &number))
        return c->origins[number];
    if (c->count == MOST_VALUES)
        return NULL;
    unsigned count = bytes_of(value);
    struct origin *origins = ir_realloc(NULL, count * sizeof *origins);
    number = c->count++;
    pointer_map_set(&c->numbers, value, number);
    c->origins[number] = NULL;
    if (!is_followed(value) || !follow(c, value, origins))
        fill_with_own(value, origins, count);
    return c->origins[number] = origins;
}

static bool same_lane(const struct origin *a, const struct origin *b, unsigned size)
{
    for (unsigned k = 0; k < size; k++)
        if (a[k].root != b[k].root || a[k].at != b[k].at)
            return false;
    return true;
}

/* Finds the lane of an older vector that each lane of the last one equals; false: some equals none. Undefined lanes
 * stay. */
static bool lanes_moved(const struct origin *old, const struct origin *last, unsigned lanes, unsigned size,
                        unsigned *from)
{
    for (unsigned k = 0; k < lanes; k++) {
        const struct origin *lane = &last[k * size];
        from[k] = k;
        if (!lane->root || same_lane(&old[k * size], lane, size))
            continue;
        for (from[k] = 0; from[k] < lanes && !same_lane(&old[from[k] * size], lane, size); from[k]++)
            ;
        if (from[k] == lanes)
            return false;
    }
    return true;
}

/* Returns the longest run of moved lanes from `first` on. Moved lanes that are done are marked as if they stayed. */
static struct run longest_run(const unsigned *from, unsigned lanes, unsigned first)
{
    struct run best = {first, from[first], 1, 0, 0};
    unsigned tried = 0;
    for (unsigned next = first + 1; next < lanes && tried < MOST_STRIDES; next++) {
        if (from[next] == next || from[next] < from[first])
            continue;
        struct run r = {first, from[first], 2, next - first, from[next] - from[first]};
        for (unsigned at = next + r.dst_stride; at < lanes && r.lanes < MOST_RUN; at += r.dst_stride, r.lanes++)
            if (from[at] == at || from[at] != r.src + r.lanes * r.src_stride)
                break;
        best = r.lanes > best.lanes ? r : best;
        tried++;
    }
    return best;
}

/* Returns what a write, or a bitcast between writes, starts from; NULL: it is neither. */
static LLVMValueRef before(LLVMValueRef v)
{
    bool continues = region_is_write(v) || (LLVMIsABitCastInst(v) && has_bytes(LLVMGetOperand(v, 0)));
    return continues ? LLVMGetOperand(v, 0) : NULL;
}

/* Counts the writes from `root` to `last`, and their lanes. */
static unsigned count_writes(LLVMValueRef last, LLVMValueRef root, unsigned *lanes)
{
    unsigned count = 0;
    for (LLVMValueRef v = last; v && v != root; v = before(v))
        if (region_is_write(v)) {
            *lanes += type_lanes(LLVMTypeOf(LLVMGetOperand(v, 1)));
            count++;
        }
    return count;
}

static LLVMValueRef move_run(struct chain *c, LLVMValueRef root, LLVMValueRef vector, const struct run *r)
{
    LLVMTypeRef type = type_element(LLVMTypeOf(root));
    int size = (int)type_element_bytes(type);
    struct region from = {(int)r->src * size, r->lanes, 0, (int)r->src_stride * size};
    struct region to = {(int)r->dst * size, r->lanes, 0, (int)r->dst_stride * size};
    LLVMTypeRef part = r->lanes == 1 ? type : LLVMVectorType(type, r->lanes);
    LLVMValueRef value = region_build_read(c->builder, c->module, part, root, &from, NULL);
    return region_build_write(c->builder, c->module, vector, value, &to, NULL, NULL);
}

/* Moves the lanes that are not where they were. Returns NULL if the chain does it with as few writes. */
static LLVMValueRef move_lanes(struct chain *c, LLVMValueRef last, LLVMValueRef root, unsigned *from)
{
    unsigned lanes = type_lanes(LLVMTypeOf(last)), old_lanes = 0, new_lanes = 0, count = 0;
    unsigned writes = count_writes(last, root, &old_lanes);
    struct run *runs = ir_calloc(writes + 1, sizeof *runs);
    for (unsigned k = 0; k < lanes && count <= writes; k++) {
        if (from[k] == k)
            continue;
        struct run r = longest_run(from, lanes, k);
        for (unsigned n = 0; n < r.lanes; n++)
            from[r.dst + n * r.dst_stride] = r.dst + n * r.dst_stride;
        new_lanes += r.lanes;
        if (count < writes)
            runs[count] = r;
        count++;
    }
    LLVMValueRef vector = NULL;
    if (count <= writes && (new_lanes < old_lanes || count == 0)) {
        LLVMPositionBuilderBefore(c->builder, last);
        root = LLVMTypeOf(root) == LLVMTypeOf(last) ? root : LLVMBuildBitCast(c->builder, root, LLVMTypeOf(last), "");
        vector = root;
        for (unsigned k = 0; k < count; k++)
            vector = move_run(c, root, vector, &runs[k]);
    }
    free(runs);
    return vector;
}

/* True for a write of all lanes of a chain that no other write continues. */
static bool ends_chain(LLVMValueRef i)
{
    if (!region_is_write(i) || !region_is_write(LLVMGetOperand(i, 0)) || !has_bytes(i))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (region_is_write(LLVMGetUser(use)) && LLVMGetOperand(LLVMGetUser(use), 0) == i)
            return false;
    return LLVMGetFirstUse(i) != NULL;
}

/* Returns the vector that a chain of reads, shifts and so on of one value starts from, if it is as large as `last`. */
static LLVMValueRef source_of(struct chain *c, LLVMValueRef last)
{
    LLVMValueRef root = origins_of(c, LLVMGetOperand(last, 1))[0].root;
    bool suits = root && !LLVMIsAConstant(root) && bytes_of(root) == bytes_of(last) &&
                 LLVMGetTypeKind(LLVMTypeOf(root)) == LLVMVectorTypeKind;
    return suits ? root : NULL;
}

/* True if one of the value's bytes has this origin, or might have. */
static bool may_hold(struct chain *c, LLVMValueRef value, struct origin byte)
{
    const struct origin *origins = has_bytes(value) ? origins_of(c, value) : NULL;
    unsigned count = origins ? bytes_of(value) : 0, k = 0;
    while (k < count && (origins[k].root != byte.root || origins[k].at != byte.at))
        k++;
    return k < count || !origins;
}

/* True if an older vector of the chain may hold what the last write adds. Most chains put lanes of different values
 * side by side: this costs less than to follow each of their vectors. */
static bool may_repeat(struct chain *c, LLVMValueRef last, struct origin added)
{
    LLVMValueRef v = LLVMGetOperand(last, 0);
    for (LLVMValueRef older; (older = before(v)); v = older)
        if (v == added.root || (region_is_write(v) && may_hold(c, LLVMGetOperand(v, 1), added)))
            return true;
    return may_hold(c, v, added);
}

/* Makes the last vector of an older one; NULL: its lanes are not all there, or nothing would be gained. */
static LLVMValueRef of_older(struct chain *c, LLVMValueRef last, LLVMValueRef older)
{
    unsigned lanes = type_lanes(LLVMTypeOf(last)), size = type_element_bytes(LLVMTypeOf(last));
    const struct origin *old = origins_of(c, older), *new = origins_of(c, last);
    unsigned *from = ir_calloc(lanes, sizeof *from);
    LLVMValueRef vector = NULL;
    if (old && new && lanes_moved(old, new, lanes, size, from))
        vector = move_lanes(c, last, older, from);
    free(from);
    return vector;
}

/* Tries the value that the last one's lanes are read from, then the first vectors of the chain. */
static void replace_chain(struct chain *c, LLVMValueRef last)
{
    enum { MOST_CHAIN = 128 };
    LLVMValueRef value = LLVMGetOperand(last, 1), versions[MOST_CHAIN], vector = NULL;
    const struct origin *origins = has_bytes(value) ? origins_of(c, value) : NULL;
    if (!origins || !origins[0].root || origins[0].root == value)
        return; /* most chains hold results of arithmetic */
    LLVMValueRef source = source_of(c, last);
    size_t count = 0;
    for (LLVMValueRef v = before(last); v && count < MOST_CHAIN; v = before(v))
        versions[count++] = v;
    if (source)
        vector = of_older(c, last, source);
    if (!vector && !may_repeat(c, last, origins[0]))
        return;
    while (!vector && count > 0)
        vector = of_older(c, last, versions[--count]);
    if (vector)
        LLVMReplaceAllUsesWith(last, vector);
}

static void forget(struct chain *c)
{
    pointer_map_free(&c->numbers);
    c->numbers = (struct pointer_map){0};
    for (size_t k = 0; k < c->count; k++)
        free(c->origins[k]);
    c->count = 0;
}

bool pass_permutations(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct chain c = {.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        FOR_EACH_INSTRUCTION(i, b)
    if (ends_chain(i)) {
        replace_chain(&c, i);
        forget(&c);
    }
    LLVMDisposeBuilder(c.builder);
    return true;
}
