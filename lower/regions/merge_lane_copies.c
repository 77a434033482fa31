/* Merges copies of single lanes between vectors into copies of regions.
 *
 *     w(0) = v(1);  w(1) = v(0);  w(2) = v(3);  w(3) = v(2) ...       w.select<16, 2>(0) = v.select<16, 2>(1) ...
 *
 * Unrolled loops that permute a vector look like that. */
#include <stdlib.h>
#include <string.h>
#include "lower/ir/byte_set.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

enum { MOST_COPIES = 256 };   /* lanes of one chain of writes */
enum { MOST_BYTES = 4096 };   /* of a vector; writes after them are not changed */
enum { MOST_LANES = 32 };     /* of one instruction */
enum { FARTHEST = 4 };        /* lanes from one lane that an instruction writes to the next */
enum { REGISTER_BYTES = 32 }; /* an operand of one instruction lies in two */

/* A written lane: its index, and its source. */
struct copied {
    LLVMValueRef write, from;
    int at, from_at; /* bytes */
    bool done;
};

struct chain {
    struct copied *copies; /* in the order of .at, once sorted */
    unsigned count;
    unsigned bytes; /* of a lane */
    uint64_t written[MOST_BYTES / 64];
    struct pointer_map seen; /* writes that have been in a chain */
};

struct dead {
    LLVMValueRef first, last;
}; /* a chain without users */

/* Recognizes `write` as the copy of one lane. */
static bool is_copy(LLVMValueRef write, struct copied *out)
{
    struct region to, from;
    LLVMValueRef read = region_is_write(write) ? LLVMGetOperand(write, 1) : NULL;
    if (!read || !region_is_read(read) || type_lanes(LLVMTypeOf(read)) != 1 || !region_writes_all_lanes(write) ||
        !region_of_call(write, &to) || !region_of_call(read, &from))
        return false;
    *out = (struct copied){write, LLVMGetOperand(read, 0), to.offset, from.offset, false};
    return to.offset >= 0 && to.offset + type_element_bytes(LLVMTypeOf(read)) <= MOST_BYTES;
}

/* Finds the copies from `first` on; each writes the previous one's result, which has no other use. */
static void find_chain(LLVMValueRef first, struct chain *chain)
{
    struct copied copy;
    LLVMTypeRef lane = LLVMTypeOf(LLVMGetOperand(first, 1));
    chain->count = 0;
    chain->bytes = type_element_bytes(lane);
    memset(chain->written, 0, sizeof chain->written);
    for (LLVMValueRef write = first; is_copy(write, &copy) && chain->count < MOST_COPIES;) {
        unsigned at = (unsigned)copy.at, end = at + chain->bytes;
        if (type_element(LLVMTypeOf(LLVMGetOperand(write, 1))) != type_element(lane) ||
            byte_set_has_any(chain->written, at, end))
            return;
        byte_set_add(chain->written, at, end);
        pointer_map_set(&chain->seen, write, 0);
        chain->copies[chain->count++] = copy;
        LLVMValueRef next = ir_has_one_use(write) ? LLVMGetUser(LLVMGetFirstUse(write)) : NULL;
        if (!next || !region_is_write(next) || LLVMGetOperand(next, 0) != write ||
            LLVMGetInstructionParent(next) != LLVMGetInstructionParent(first))
            return;
        write = next;
    }
}

static int by_place(const void *a, const void *b)
{
    return ((const struct copied *)a)->at - ((const struct copied *)b)->at;
}

static struct copied *copy_of(const struct chain *chain, int at)
{
    struct copied key = {.at = at}, *found = bsearch(&key, chain->copies, chain->count, sizeof key, by_place);
    return found && !found->done ? found : NULL;
}

/* True if the lanes are within two registers. */
static bool is_near(const struct region *r, unsigned lanes, unsigned bytes)
{
    int first, end;
    region_extent(r, lanes, bytes, &first, &end);
    return first % REGISTER_BYTES + end - first <= 2 * REGISTER_BYTES;
}

/* True if the region can be a source: rows of a power of two of lanes, at strides of 0, 1, 2, 4 ... lanes. */
static bool is_source(const struct region *r, unsigned lanes, unsigned bytes)
{
    int h = r->hstride / (int)bytes, v = r->vstride / (int)bytes, farthest = r->width == lanes ? 16 : FARTHEST;
    bool power = (h & (h - 1)) == 0 && (v & (v - 1)) == 0 && (r->width & (r->width - 1)) == 0;
    return h >= 0 && h <= farthest && v >= 0 && v <= 16 && power && is_near(r, lanes, bytes);
}

/* Returns the most lanes, a power of two, that one instruction can copy from the lane at `at` on, at a distance of
 * `step` lanes. */
static unsigned lanes_from(const struct chain *chain, const struct copied *first, unsigned step, struct region *from)
{
    int offsets[MOST_LANES];
    unsigned best = 1;
    for (unsigned k = 0; k < MOST_LANES; k++) {
        const struct copied *copy = copy_of(chain, first->at + (int)(k * step * chain->bytes));
        if (!copy || copy->from != first->from)
            break;
        offsets[k] = copy->from_at;
        unsigned lanes = k + 1;
        struct region r, to = {first->at, lanes, 0, (int)(step * chain->bytes)};
        if ((lanes & k) == 0 && lanes > 1 && is_near(&to, lanes, chain->bytes) &&
            region_from_offsets(offsets, lanes, &r) && is_source(&r, lanes, chain->bytes)) {
            best = lanes;
            *from = r;
        }
    }
    return best;
}

/* Writes the chain's lanes over `old` at the builder's position, as many at once as possible. Without a builder it only
 * counts the instructions. */
static unsigned write_lanes(LLVMModuleRef module, LLVMBuilderRef builder, struct chain *chain, LLVMValueRef *old)
{
    unsigned writes = 0;
    for (unsigned k = 0; k < chain->count; k++)
        chain->copies[k].done = false;
    for (unsigned k = 0; k < chain->count; k++) {
        const struct copied *first = &chain->copies[k];
        if (first->done)
            continue;
        struct region from = {first->from_at, 1, 0, 0}, trial;
        unsigned lanes = 1, step = 1;
        for (unsigned s = 1; s <= FARTHEST; s *= 2) {
            unsigned n = lanes_from(chain, first, s, &trial);
            if (n > lanes)
                lanes = n, step = s, from = trial;
        }
        for (unsigned n = 0; n < lanes; n++)
            copy_of(chain, first->at + (int)(n * step * chain->bytes))->done = true;
        writes++;
        if (!builder)
            continue;
        LLVMTypeRef type = LLVMVectorType(type_element(LLVMTypeOf(first->from)), lanes);
        struct region to = {first->at, lanes, 0, (int)(step * chain->bytes)};
        LLVMValueRef read = region_build_read(builder, module, type, first->from, &from, NULL);
        *old = region_build_write(builder, module, *old, read, &to, NULL, NULL);
    }
    return writes;
}

/* Merges what it can of the chain that starts at `first`. False: nothing. */
static bool join_copies(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef first, struct chain *chain,
                        struct dead *dead)
{
    struct copied copy;
    size_t seen;
    if (!is_copy(first, &copy) || pointer_map_get(&chain->seen, first, &seen))
        return false;
    find_chain(first, chain);
    if (chain->count < 2)
        return false;
    LLVMValueRef last = chain->copies[chain->count - 1].write, vector = LLVMGetOperand(first, 0);
    qsort(chain->copies, chain->count, sizeof *chain->copies, by_place);
    if (write_lanes(module, NULL, chain, NULL) == chain->count)
        return false;
    LLVMPositionBuilderBefore(builder, last);
    write_lanes(module, builder, chain, &vector);
    LLVMReplaceAllUsesWith(last, vector);
    *dead = (struct dead){first, last};
    return true;
}

static void erase_chain(struct dead dead)
{
    for (LLVMValueRef write = dead.last, before; write; write = before) {
        LLVMValueRef read = LLVMGetOperand(write, 1);
        before = write == dead.first ? NULL : LLVMGetOperand(write, 0);
        LLVMInstructionEraseFromParent(write);
        if (!LLVMGetFirstUse(read))
            LLVMInstructionEraseFromParent(read);
    }
}

bool pass_merge_lane_copies(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    struct chain *chain = ir_calloc(1, sizeof *chain);
    struct dead *dead = NULL, one;
    size_t count = 0, capacity = 0;
    chain->copies = ir_calloc(MOST_COPIES, sizeof *chain->copies);
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    if (join_copies(module, builder, i, chain, &one))
        ARRAY_PUSH(dead, count, capacity, one);
    for (size_t k = 0; k < count; k++)
        erase_chain(dead[k]);
    free(dead);
    free(chain->copies);
    pointer_map_free(&chain->seen);
    free(chain);
    LLVMDisposeBuilder(builder);
    return true;
}
