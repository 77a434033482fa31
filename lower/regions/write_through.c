/* Forwards in-place writes. A result that is written into a vector and has other uses lives in two registers: its own
 * and the vector's. If all other users can read those lanes of the vector instead, they do, and the operation writes
 * the vector directly. The write moves to the operation if others read the result before it. A result that is only
 * written, into two vectors, is computed twice: as many instructions as with moves. Lanes that were gathered into a
 * vector are read there too, not gathered again, so that the vector that they come from need not stay. */
#include <string.h>
#include "lower/ir/byte_set.h"
#include "lower/ir/ir.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/regions/write_through.h"

struct use_of {
    LLVMValueRef user;
    unsigned operand;
    LLVMValueRef vector; /* the version of the vector to read there */
    struct region region;
};

/* True for one instruction that reads regions and writes one. Values that are folded into their users do not count: a
 * product in a sum, the low half of a number. With 64 bits, only sums of doubles are one instruction on every platform.
 */
static bool is_arithmetic(LLVMValueRef i)
{
    if (!LLVMIsAInstruction(i) || type_is_mask(LLVMTypeOf(i)))
        return false;
    if (type_element_bits(LLVMTypeOf(i)) > 32)
        return LLVMGetInstructionOpcode(i) == LLVMFAdd || LLVMGetInstructionOpcode(i) == LLVMFSub;
    if (LLVMGetInstructionOpcode(i) == LLVMFMul || LLVMIsATruncInst(i) || LLVMIsABitCastInst(i))
        return false;
    return LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACastInst(i) ||
           (LLVMIsACallInst(i) && ir_is_alu_call(i));
}

/* True if the user reads any lanes of a register at no cost. */
static bool reads_regions(LLVMValueRef user, unsigned operand)
{
    if (region_is_write(user))
        return operand == 1;
    return is_arithmetic(user) || LLVMIsACmpInst(user) ||
           (LLVMIsABinaryOperator(user) && type_is_float(LLVMTypeOf(user)));
}

/* True for regions that are as fast as a variable of their own: contiguous lanes, or lanes so far apart that the
 * operation is done lane by lane in any case. */
static bool is_easy(const struct region *r, LLVMTypeRef type)
{
    enum { FAR = 32 };
    return type_lanes(type) == 1 ||
           (r->width == type_lanes(type) && (r->hstride == (int)type_element_bytes(type) || r->hstride >= FAR));
}

enum { MOST_USERS = 64 };
enum { MOST_BYTES = 4096 }; /* of a vector; larger ones are left alone */

/* Bytes of the vector that were written since: byte_set.h. */
struct later {
    uint64_t bytes[MOST_BYTES / 64];
};

static bool is_inside(int at, unsigned bytes)
{
    return at >= 0 && (unsigned)at + bytes <= MOST_BYTES;
}

/* Marks the bytes of the vector that `write` changes; all bytes if the offset is not constant. */
static void mark_written(LLVMValueRef write, struct later *later)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 1));
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    struct region r;
    if (!region_of_call(write, &r)) {
        memset(later, 0xff, sizeof *later);
        return;
    }
    for (unsigned n, lane = 0; lane < lanes; lane += n) {
        int at = region_lane(&r, lane);
        n = region_run(&r, lanes, bytes, lane);
        if (at >= 0 && at < MOST_BYTES)
            byte_set_add(later->bytes, (unsigned)at, is_inside(at, n * bytes) ? (unsigned)at + n * bytes : MOST_BYTES);
    }
}

static bool is_written(const struct later *later, const struct region *r, LLVMTypeRef type)
{
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    for (unsigned n, lane = 0; lane < lanes; lane += n) {
        int at = region_lane(r, lane);
        n = region_run(r, lanes, bytes, lane);
        if (!is_inside(at, n * bytes) || byte_set_has_any(later->bytes, (unsigned)at, (unsigned)at + n * bytes))
            return true;
    }
    return false;
}

/* True for a bitcast of `value` to other numbers. */
static bool is_view(LLVMValueRef i, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    return LLVMIsABitCastInst(i) && LLVMGetOperand(i, 0) == value && !type_is_mask(type) &&
           LLVMGetTypeKind(type) == LLVMVectorTypeKind && type_element_bits(type) % 8 == 0;
}

/* True if `operand` is `value`, which the vector holds at `whole`, or a region of it. Returns its offset in the vector.
 */
static bool find_lanes(LLVMValueRef operand, LLVMValueRef value, const struct region *whole, struct region *out)
{
    *out = *whole;
    if (operand == value)
        return true;
    bool contiguous = whole->hstride == (int)type_element_bytes(LLVMTypeOf(value));
    if (!region_is_read(operand) || !contiguous ||
        (LLVMGetOperand(operand, 0) != value && !is_view(LLVMGetOperand(operand, 0), value)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(operand, 4)) || !region_of_call(operand, out))
        return false;
    out->offset += whole->offset;
    return true;
}

/* Counts the uses of `value`; a read of its region, or a bitcast, counts by its own uses. */
static unsigned count_uses(LLVMValueRef value)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_part = is_view(user, value) || (region_is_read(user) && LLVMGetOperand(user, 0) == value);
        count += is_part ? count_uses(user) : 1;
    }
    return count;
}

/* True if every operand of `user` that is `value` may be any lanes of a register. */
static bool could_read(LLVMValueRef user, LLVMValueRef value)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
        if (LLVMGetOperand(user, k) == value && !reads_regions(user, k))
            return false;
    return true;
}

static bool collect_users(LLVMValueRef value, LLVMValueRef write, bool region, LLVMValueRef *users, unsigned *count);

/* Adds the users of the regions that are read of a bitcast. False: it has other users, or these could never read. */
static bool collect_view_users(LLVMValueRef view, LLVMValueRef write, LLVMValueRef *users, unsigned *count)
{
    for (LLVMUseRef use = LLVMGetFirstUse(view); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef read = LLVMGetUser(use);
        if (!region_is_read(read) || LLVMGetOperand(read, 0) != view || !collect_users(read, write, true, users, count))
            return false;
    }
    return true;
}

/* Adds the users of `value`, or of regions of it, except `write`. False: one of them could never read the vector. */
static bool collect_users(LLVMValueRef value, LLVMValueRef write, bool region, LLVMValueRef *users, unsigned *count)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user == write && !region)
            continue;
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(write))
            return false;
        if (!region && is_view(user, value)) {
            if (!collect_view_users(user, write, users, count))
                return false;
            continue;
        }
        if (region_is_read(user)) {
            if (region || LLVMGetOperand(user, 0) != value || !collect_users(user, write, true, users, count))
                return false;
            continue;
        }
        if (*count == MOST_USERS || !could_read(user, value))
            return false;
        users[(*count)++] = user;
    }
    return true;
}

static bool is_among(LLVMValueRef i, LLVMValueRef *users, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (users[k] == i)
            return true;
    return false;
}

/* Adds the operands of `i` that are `value`, which `vector` holds at `r`. False: it cannot read them there. */
static bool add_uses(LLVMValueRef i, LLVMValueRef value, LLVMValueRef vector, const struct region *r,
                     const struct later *later, struct use_of *uses, unsigned *found)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        struct region lanes;
        if (!find_lanes(LLVMGetOperand(i, k), value, r, &lanes))
            continue;
        if (*found == MOST_USERS || !reads_regions(i, k) || is_written(later, &lanes, LLVMTypeOf(LLVMGetOperand(i, k))))
            return false;
        uses[(*found)++] = (struct use_of){i, k, vector, lanes};
    }
    return true;
}

/* Returns the only write of another version of `vector` in its block; NULL: there is none. *several: there are more. */
static LLVMValueRef next_write(LLVMValueRef vector, bool *several)
{
    LLVMValueRef next = NULL;
    *several = false;
    for (LLVMUseRef use = LLVMGetFirstUse(vector); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!region_is_write(user) || LLVMGetOperand(user, 0) != vector ||
            LLVMGetInstructionParent(user) != LLVMGetInstructionParent(vector))
            continue;
        *several |= next && next != user;
        next = user;
    }
    return next;
}

/* Finds the users of `value` after `write` in its block, `count` uses, each with the version of the vector at that
 * point. False: one of them cannot read it or is in another block. */
static bool find_uses(LLVMValueRef value, LLVMValueRef write, const struct region *r, struct use_of *uses,
                      unsigned count)
{
    enum { FURTHEST = 2000 }; /* instructions: the time stays linear in the block's length */
    LLVMValueRef users[MOST_USERS], vector = write;
    struct later later = {{0}};
    unsigned user_count = 0, found = 0, steps = 0;
    bool several;
    if (!collect_users(value, write, false, users, &user_count))
        return false;
    for (LLVMValueRef i = LLVMGetNextInstruction(value); i != write; i = LLVMGetNextInstruction(i))
        if (!i || is_among(i, users, user_count))
            return false;
    LLVMValueRef next = next_write(vector, &several);
    for (LLVMValueRef i = LLVMGetNextInstruction(write); i && found < count; i = LLVMGetNextInstruction(i)) {
        if (is_among(i, users, user_count) && !add_uses(i, value, vector, r, &later, uses, &found))
            return false;
        if (several ? LLVMIsACallInst(i) && LLVMGetOperand(i, 0) == vector && region_is_write(i) : i == next) {
            mark_written(i, &later);
            vector = i;
            next = next_write(vector, &several);
        }
        if (steps++ > FURTHEST)
            return false;
    }
    return found == count;
}

/* True for lanes that are read one by one, which the vector holds side by side. */
static bool is_gathered(LLVMValueRef value, const struct region *to)
{
    enum { FAR = 32, LEAST_LANES = 4 };
    LLVMTypeRef type = LLVMTypeOf(value);
    struct region from;
    return region_is_read(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 4)) && region_of_call(value, &from) &&
           type_lanes(type) >= LEAST_LANES && from.width >= type_lanes(type) && from.hstride >= FAR &&
           to->width >= type_lanes(type) && to->hstride == (int)type_element_bytes(type);
}

/* Returns the number of other uses of a written value, all of which can read the vector; 0: there are none, or one
 * cannot. */
static unsigned readers_of_vector(LLVMValueRef write, struct use_of *uses)
{
    struct region r;
    LLVMValueRef value = region_is_write(write) ? LLVMGetOperand(write, 1) : NULL;
    if (!value || !LLVMGetFirstUse(value) || !LLVMGetNextUse(LLVMGetFirstUse(value)) ||
        !region_writes_all_lanes(write) || !region_of_call(write, &r) ||
        !(is_arithmetic(value) || ir_is_block_read(value) || is_gathered(value, &r)) ||
        !is_easy(&r, LLVMTypeOf(value)) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(write))
        return 0;
    unsigned others = count_uses(value) - 1;
    return others > 0 && others <= MOST_USERS && find_uses(value, write, &r, uses, others) ? others : 0;
}

bool regions_is_computed_in_place(LLVMValueRef write)
{
    struct use_of uses[MOST_USERS];
    return is_arithmetic(LLVMGetOperand(write, 1)) && readers_of_vector(write, uses) > 0;
}

/* Returns the vector with the elements of `type`. */
static LLVMValueRef as_elements(LLVMBuilderRef builder, LLVMValueRef vector, LLVMTypeRef type)
{
    LLVMTypeRef element = type_element(type), from = LLVMTypeOf(vector);
    unsigned bytes = type_lanes(from) * type_element_bytes(from);
    if (type_element(from) == element)
        return vector;
    return LLVMBuildBitCast(builder, vector, LLVMVectorType(element, bytes / type_element_bytes(element)), "");
}

static bool write_through(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef write)
{
    struct use_of uses[MOST_USERS];
    unsigned others = readers_of_vector(write, uses);
    if (others == 0)
        return false;
    for (unsigned i = 0; i < others; i++) {
        LLVMPositionBuilderBefore(builder, uses[i].user);
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(uses[i].user, uses[i].operand));
        LLVMSetOperand(uses[i].user, uses[i].operand,
                       region_build_read(builder, module, type, as_elements(builder, uses[i].vector, type),
                                         &uses[i].region, NULL));
    }
    return true;
}

/* True if `vector` is defined before `value`, and by moving its next write there nothing else reads it too late. */
static bool is_ready(LLVMValueRef vector, LLVMValueRef value)
{
    if (LLVMIsUndef(vector) || LLVMIsPoison(vector))
        return true;
    if (!region_is_write(vector) || !ir_has_one_use(vector) ||
        LLVMGetInstructionParent(vector) != LLVMGetInstructionParent(value))
        return false;
    LLVMValueRef i = LLVMGetNextInstruction(vector);
    while (i && i != value)
        i = LLVMGetNextInstruction(i);
    return i;
}

/* True if the vector of `write` may be live from the definition of the written value on: it is small. */
static bool may_begin_early(LLVMValueRef write)
{
    enum { MOST_GROWTH = 4, MOST_VECTOR = 256 };
    LLVMValueRef value = LLVMGetOperand(write, 1);
    unsigned size = type_lanes(LLVMTypeOf(value)) * type_element_bytes(LLVMTypeOf(value)),
             whole = type_lanes(LLVMTypeOf(write)) * type_element_bytes(LLVMTypeOf(write));
    return whole <= MOST_VECTOR && whole <= MOST_GROWTH * size;
}

static void move_before(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef place)
{
    LLVMPositionBuilderBefore(builder, place);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(builder, i);
}

/* Moves the write of a result that has readers before it to the result's definition, so that these read the vector. */
static bool write_early(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef write)
{
    LLVMValueRef value = region_is_write(write) ? LLVMGetOperand(write, 1) : NULL;
    if (!value || !is_arithmetic(value) || LLVMGetNextInstruction(value) == write || ir_has_one_use(value) ||
        !region_writes_all_lanes(write) || !LLVMIsAConstantInt(LLVMGetOperand(write, 5)) ||
        LLVMGetInstructionParent(value) != LLVMGetInstructionParent(write) || !may_begin_early(write) ||
        !is_ready(LLVMGetOperand(write, 0), value))
        return false;
    LLVMValueRef behind = LLVMGetNextInstruction(write);
    move_before(builder, write, LLVMGetNextInstruction(value));
    if (write_through(module, builder, write))
        return true;
    move_before(builder, write, behind);
    return false;
}

/* True for one instruction with any kind of operands on every platform. */
static bool is_simple(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMFAdd:
    case LLVMFSub: return type_element_bits(LLVMTypeOf(i)) <= 32;
    default: return false;
    }
}

/* Recomputes a value for its second write, if it is written into two vectors and has no other use. */
static void compute_again(LLVMBuilderRef builder, LLVMValueRef write)
{
    enum { MOST_OPERATIONS = 2 };
    LLVMValueRef value = region_is_write(write) ? LLVMGetOperand(write, 1) : NULL;
    LLVMUseRef use = value ? LLVMGetFirstUse(value) : NULL, other = use ? LLVMGetNextUse(use) : NULL;
    LLVMTypeRef type = value ? LLVMTypeOf(value) : NULL;
    if (!other || LLVMGetNextUse(other) || !LLVMIsAInstruction(value) || type_is_mask(type) || !is_simple(value) ||
        ir_instructions_for(type_lanes(type) * type_element_bytes(type)) > MOST_OPERATIONS)
        return;
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!region_is_write(user) || LLVMGetOperand(user, 1) != value || LLVMGetOperand(user, 0) == value ||
            !region_writes_all_lanes(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value))
            return;
    }
    LLVMValueRef again = LLVMInstructionClone(value);
    LLVMPositionBuilderBefore(builder, write);
    LLVMInsertIntoBuilder(builder, again);
    LLVMSetOperand(write, 1, again);
}

bool pass_write_through(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    if (!write_through(module, builder, i) && !write_early(module, builder, i))
        compute_again(builder, i);
    LLVMDisposeBuilder(builder);
    return true;
}
