/* Baling: decides which LLVM instructions become part of one vISA instruction (paper, section V).
 *
 * A bale's root has a result that others use. Around it are region reads, extensions of bytes and words and sign
 * changes as source operands, and a region write as destination. An instruction that is baled into its user is not
 * emitted: operand_source() in select.c turns it into an operand, select_region() turns the value of a region write
 * into the writing instruction. Reading a region costs nothing, so a read with several users is baled into each of
 * them. */
#include <stdlib.h>
#include "lower/analysis/range.h"
#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/fused_terms.h"
#include "lower/codegen/bale/scattered_read.h"

static struct cg_value *add_value(struct selection *s, LLVMValueRef llvm, unsigned block, unsigned position)
{
    LLVMTypeRef type = LLVMTypeOf(llvm);
    struct cg_value v = {
        .llvm = llvm, .same_as = s->value_count, .block = block, .position = position, .parent = s->value_count};
    v.is_mask = type_is_mask(type);
    v.bytes = v.is_mask ? 0 : type_lanes(type) * type_element_bytes(type);
    pointer_map_set(&s->numbers, llvm, s->value_count);
    ARRAY_PUSH(s->values, s->value_count, s->value_capacity, v);
    return &s->values[s->value_count - 1];
}

struct cg_value *bale_value(struct selection *s, LLVMValueRef llvm)
{
    size_t number;
    return pointer_map_get(&s->numbers, llvm, &number) ? &s->values[number] : NULL;
}

struct cg_value *bale_value_root(struct selection *s, LLVMValueRef llvm)
{
    struct cg_value *v = bale_value(s, llvm);
    while (v && v->same_as != (size_t)(v - s->values))
        v = &s->values[v->same_as];
    return v;
}

static bool native_type(const struct selection *s, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return type_is_float(type) || type_element_bits(type) <= 32 || platform_has(s->platform, FEATURE_NATIVE_INT64);
}

static bool native_width(const struct selection *s, LLVMValueRef operation)
{
    return native_type(s, operation) || ir_has_int64_operation(s->platform, operation);
}

static bool is_float_arithmetic(LLVMValueRef i)
{
    if (!LLVMIsAInstruction(i))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul;
}

static bool is_sum(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAdd || op == LLVMSub;
}

static bool is_cast(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt: return true;
    default: return false;
    }
}

static bool is_contracted(LLVMValueRef i, LLVMOpcode op)
{
    return LLVMIsAInstruction(i) && LLVMGetInstructionOpcode(i) == op &&
           (LLVMGetFastMathFlags(i) & LLVMFastMathAllowContract);
}

/* Returns the bits of a number of an integer sum or product as an instruction reads it; 0: through an address. */
static unsigned source_bits(LLVMValueRef number)
{
    bool is_extended = LLVMIsAZExtInst(number) || LLVMIsASExtInst(number);
    LLVMValueRef source = is_extended ? LLVMGetOperand(number, 0) : number;
    if (LLVMIsConstant(number))
        return range_within(range_of_integer(number), INT16_MIN, INT16_MAX) ? 16 : 32;
    return ir_is_indirect_read(source) ? 0 : type_element_bits(LLVMTypeOf(source));
}

bool bale_shifted_factor(LLVMValueRef shift, int64_t *factor)
{
    enum { MOST = 14 };
    uint64_t distance;
    if (!LLVMIsABinaryOperator(shift) || LLVMGetInstructionOpcode(shift) != LLVMShl ||
        !constant_in_lanes(LLVMGetOperand(shift, 1), &distance) || distance == 0 || distance > MOST)
        return false;
    *factor = (int64_t)1 << distance;
    return true;
}

/* True if `product` and `other` are the product and the second operand of an integer mad: its factors are words.
 * Of dwords the finalizer makes a product and a sum; bytes would be copied first. */
static bool is_integer_mad(LLVMValueRef product, LLVMValueRef other)
{
    int64_t factor;
    if (!LLVMIsAInstruction(product) || LLVMGetNextUse(LLVMGetFirstUse(product)) || LLVMIsConstant(other))
        return false;
    bool small = bale_shifted_factor(product, &factor) ||
                 (LLVMGetInstructionOpcode(product) == LLVMMul && source_bits(LLVMGetOperand(product, 1)) == 16);
    return small && source_bits(LLVMGetOperand(product, 0)) == 16 && source_bits(other) >= 16;
}

/* A difference negates an operand, but no factor of dwords: a negated word may need one bit more. */
static int integer_fused_product(LLVMValueRef sum)
{
    unsigned bits = type_element_bits(LLVMTypeOf(sum));
    if ((bits != 16 && bits != 32) || bale_becomes_saturated(sum))
        return -1;
    unsigned last = LLVMGetInstructionOpcode(sum) == LLVMSub && bits == 32 ? 0 : 1;
    for (unsigned k = 0; k <= last; k++)
        if (is_integer_mad(LLVMGetOperand(sum, k), LLVMGetOperand(sum, 1 - k)))
            return (int)k;
    return -1;
}

/* True if instructions of 16 lanes can read the number where it is: its lanes are a few bytes apart, in long rows. */
static bool is_read_in_place(LLVMValueRef number)
{
    enum { ROW = 8 };
    bool is_extended = LLVMIsAZExtInst(number) || LLVMIsASExtInst(number);
    LLVMValueRef source = is_extended ? LLVMGetOperand(number, 0) : number;
    unsigned lanes = type_lanes(LLVMTypeOf(source));
    struct region r;
    if (LLVMIsAShuffleVectorInst(source))
        return ir_is_splat_shuffle(source);
    if (!region_is_read(source))
        return true;
    if (!region_of_call(source, &r))
        return false;
    int step = r.hstride / (int)type_element_bytes(LLVMTypeOf(source));
    return (r.width >= lanes || r.width % ROW == 0) && (step == 0 || step == 1 || step == 2 || step == 4);
}

/* True for a product of words or bytes whose only user is `sum`. */
static bool is_word_product(LLVMValueRef product, LLVMValueRef sum)
{
    int64_t factor;
    if (!LLVMIsABinaryOperator(product) || LLVMGetNextUse(LLVMGetFirstUse(product)) ||
        LLVMGetInstructionParent(product) != LLVMGetInstructionParent(sum))
        return false;
    unsigned first = source_bits(LLVMGetOperand(product, 0)), second = source_bits(LLVMGetOperand(product, 1));
    bool small = (first == 8 || first == 16) && is_read_in_place(LLVMGetOperand(product, 0)) &&
                 is_read_in_place(LLVMGetOperand(product, 1));
    return bale_shifted_factor(product, &factor)
               ? small
               : LLVMGetInstructionOpcode(product) == LLVMMul && small && (second == 8 || second == 16);
}

/* True for a sum or product of words that can leave its result in the accumulator: an instruction writes it, and only
 * `user` reads it. A shift cannot; it becomes a product (select_arithmetic.c). */
static bool may_accumulate(LLVMValueRef value, LLVMValueRef user)
{
    int64_t factor;
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionParent(value) == LLVMGetInstructionParent(user) &&
           (is_sum(value) || LLVMGetInstructionOpcode(value) == LLVMMul || bale_shifted_factor(value, &factor)) &&
           !LLVMGetNextUse(LLVMGetFirstUse(value)) && !bale_becomes_saturated(value);
}

/* The finalizer makes `mac` of a mad of 16 words whose sum comes from the instruction before it (IGC,
 * Optimizer::lowerMadSequence), and a product and a sum of any other. A negated sum would need a move. */
static int accumulated_product(LLVMValueRef sum)
{
    enum { ACCUMULATED_LANES = 16 };
    if (type_element_bits(LLVMTypeOf(sum)) != 16 || type_lanes(LLVMTypeOf(sum)) % ACCUMULATED_LANES != 0 ||
        bale_becomes_saturated(sum))
        return -1;
    for (unsigned k = LLVMGetInstructionOpcode(sum) == LLVMSub ? 1 : 0; k < 2; k++)
        if (is_word_product(LLVMGetOperand(sum, k), sum) && may_accumulate(LLVMGetOperand(sum, 1 - k), sum))
            return (int)k;
    return -1;
}

/* Returns the product of a sum that becomes a mad; of two the first, like the peer. A sum with zero stays a product. */
int bale_fused_product(const struct selection *s, LLVMValueRef sum)
{
    if (!LLVMIsABinaryOperator(sum))
        return -1;
    if (is_sum(sum) && platform_has(s->platform, FEATURE_INT_MAD))
        return integer_fused_product(sum);
    if (is_sum(sum) && platform_has(s->platform, FEATURE_INT_MAC))
        return accumulated_product(sum);
    if (!is_contracted(sum, LLVMFAdd) && !is_contracted(sum, LLVMFSub))
        return -1;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef product = LLVMGetOperand(sum, k), other = LLVMGetOperand(sum, 1 - k);
        if (!is_contracted(product, LLVMFMul))
            continue;
        bool indirect = ir_is_indirect_read(LLVMGetOperand(product, 0)) ||
                        ir_is_indirect_read(LLVMGetOperand(product, 1)) || ir_is_indirect_read(other);
        return indirect || LLVMIsNull(other) ? -1 : (int)k;
    }
    return -1;
}

/* True if all users are sums that fuse the product into a mad. */
static bool becomes_factor(const struct selection *s, LLVMValueRef i)
{
    int64_t factor;
    bool is_product =
        (LLVMIsABinaryOperator(i) && LLVMGetInstructionOpcode(i) == LLVMMul) || bale_shifted_factor(i, &factor);
    if ((!is_product && !is_contracted(i, LLVMFMul)) || !LLVMGetFirstUse(i))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        int product = bale_fused_product(s, user);
        if (product < 0 || LLVMGetOperand(user, (unsigned)product) != i ||
            LLVMGetOperand(user, 1 - (unsigned)product) == i)
            return false;
    }
    return true;
}

bool bale_is_multiplied(const struct selection *s, LLVMValueRef shift)
{
    enum { MERGED_LANES = 16 }; /* the finalizer merges the move of so many bytes into the shift */
    int64_t factor;
    LLVMValueRef number = LLVMGetOperand(shift, 0);
    unsigned bits = type_element_bits(LLVMTypeOf(shift));
    if (!bale_shifted_factor(shift, &factor) || (bits != 16 && bits != 32) || bale_becomes_saturated(shift))
        return false;
    if ((LLVMIsAZExtInst(number) || LLVMIsASExtInst(number)) && type_lanes(LLVMTypeOf(shift)) > MERGED_LANES)
        return source_bits(number) == 8 || source_bits(number) == 16;
    LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(shift));
    int product = LLVMIsABinaryOperator(user) && is_sum(user) && platform_has(s->platform, FEATURE_INT_MAC)
                      ? accumulated_product(user)
                      : -1;
    return product >= 0 && LLVMGetOperand(user, (unsigned)product) != shift;
}

/* True if the operation cannot have wrapped before its result is saturated with signedness `sign`. */
static bool is_exact(LLVMValueRef operation, char sign)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(operation);
    struct range a = range_of_integer(LLVMGetOperand(operation, 0)), b = range_of_integer(LLVMGetOperand(operation, 1));
    int64_t most = ((int64_t)1 << (type_element_bits(LLVMTypeOf(operation)) - 1)) - 1;
    if (op == LLVMLShr && b.low > 0) /* no result is negative */
        return true;
    if (op == LLVMAShr || op == LLVMLShr)
        return (op == LLVMAShr) == (sign == 'S');
    if (sign == 'S' ? LLVMGetNSW(operation) : LLVMGetNUW(operation))
        return true;
    struct range r = {a.low + b.low, a.high + b.high};
    if (op == LLVMSub)
        r = (struct range){a.low - b.high, a.high - b.low};
    return op != LLVMShl && range_within(r, sign == 'S' ? -most - 1 : 0, most);
}

/* True for 64-bit lanes that are extended 32-bit numbers. */
static bool is_widened(LLVMValueRef value)
{
    uint64_t bits;
    if (LLVMIsConstant(value))
        return constant_splat_bits(value, &bits) && bits <= INT32_MAX;
    return (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value)) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(value, 0))) &&
           !LLVMIsConstant(LLVMGetOperand(value, 0)) && !ir_is_indirect_read(LLVMGetOperand(value, 0));
}

static bool is_word(LLVMValueRef widened)
{
    return !LLVMIsConstant(widened) && type_element_bits(LLVMTypeOf(LLVMGetOperand(widened, 0))) <= 16;
}

/* True for a 64-bit sum or product of 32-bit numbers: one instruction can read these and saturate. Products of two
 * dwords take several steps. */
static bool is_widened_operation(LLVMValueRef operation, char sign)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(operation);
    LLVMValueRef a = LLVMGetOperand(operation, 0), b = LLVMGetOperand(operation, 1);
    if ((op != LLVMAdd && op != LLVMSub && op != LLVMMul) || !is_widened(a) || !is_widened(b))
        return false;
    bool unsigned_a = LLVMIsASExtInst(a) == NULL, unsigned_b = LLVMIsASExtInst(b) == NULL;
    if (sign == 'U' && (op == LLVMSub || !unsigned_a || !unsigned_b))
        return false;                                /* a negative number would become a large one */
    if (op == LLVMSub && (unsigned_a || unsigned_b)) /* negated dwords without sign */
        return is_word(a) && is_word(b);
    return op == LLVMMul ? is_word(a) || is_word(b) : unsigned_a == unsigned_b || (is_word(a) && is_word(b));
}

LLVMValueRef bale_saturated_operation(LLVMValueRef conversion)
{
    enum genx_id id = genx_call_id(conversion);
    bool integer = is_saturation(id);
    LLVMValueRef op = integer || id == GENX_SAT ? LLVMGetOperand(conversion, 0) : NULL;
    if (!op || !LLVMIsABinaryOperator(op) || LLVMGetNextUse(LLVMGetFirstUse(op)) ||
        LLVMGetInstructionParent(op) != LLVMGetInstructionParent(conversion))
        return NULL;
    LLVMOpcode code = LLVMGetInstructionOpcode(op);
    unsigned bits = type_element_bits(LLVMTypeOf(op));
    if (integer && bits < 64 && type_element_bits(LLVMTypeOf(conversion)) == 64)
        return NULL; /* few platforms have 64-bit results */
    if (id == GENX_SAT)
        return bits <= 32 && (code == LLVMFAdd || code == LLVMFSub || code == LLVMFMul) ? op : NULL;
    char sign = saturates_signed(id) ? 'S' : 'U';
    if (bits == 64)
        return type_element_bits(LLVMTypeOf(conversion)) <= 32 && is_widened_operation(op, sign) ? op : NULL;
    bool sum = code == LLVMAdd || code == LLVMSub;
    bool below =
        range_of_integer(LLVMGetOperand(op, 0)).low < 0 || (sum && range_of_integer(LLVMGetOperand(op, 1)).low < 0);
    if ((sum || code == LLVMShl) && sign == 'U' && below)
        return NULL; /* their sources are read as signed numbers */
    return (sum || code == LLVMShl || code == LLVMLShr || code == LLVMAShr) && is_exact(op, sign) ? op : NULL;
}

bool bale_becomes_saturated(LLVMValueRef i)
{
    LLVMUseRef use = LLVMGetFirstUse(i);
    return use && !LLVMGetNextUse(use) && LLVMIsACallInst(LLVMGetUser(use)) &&
           bale_saturated_operation(LLVMGetUser(use)) == i;
}

/* True for a saturated 64-bit operation that reads its operands before their extension. */
static bool reads_narrow(LLVMValueRef operation)
{
    return LLVMIsABinaryOperator(operation) && !type_is_float(LLVMTypeOf(operation)) &&
           type_element_bits(LLVMTypeOf(operation)) == 64 && bale_becomes_saturated(operation);
}

/* True if the value is extended only for operations that read the narrow lanes. */
static bool becomes_narrow(LLVMValueRef i)
{
    if (!LLVMGetFirstUse(i) || !(LLVMIsAZExtInst(i) || LLVMIsASExtInst(i)))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (!reads_narrow(LLVMGetUser(use)))
            return false;
    return true;
}

/* True for arithmetic that select_arithmetic() turns into one macro instruction, with operands anywhere. */
static bool is_plain_arithmetic(const struct selection *s, LLVMValueRef i)
{
    if (!LLVMIsAInstruction(i) || type_is_mask(LLVMTypeOf(i)) || !native_width(s, i))
        return false;
    if (LLVMIsABinaryOperator(i) ||
        LLVMIsAUnaryOperator(i)) /* 64-bit products are made of several instructions everywhere */
        return (LLVMGetInstructionOpcode(i) != LLVMMul || type_element_bits(LLVMTypeOf(i)) <= 32);
    if (is_cast(i))
        return native_type(s, LLVMGetOperand(i, 0)) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0)));
    if (LLVMIsASelectInst(i))
        return true;
    return LLVMIsACallInst(i) && ir_is_alu_call(i) && native_type(s, LLVMGetOperand(i, 0));
}

/* True if operand `index` of `user` is the offset of a region. */
static bool is_region_offset(LLVMValueRef user, unsigned index)
{
    return (region_is_read(user) && index == 4) || (region_is_write(user) && index == 5);
}

/* True if `user` can read operand `index` through a region. */
static bool takes_region(LLVMValueRef user, unsigned index)
{
    if (region_is_write(user) || LLVMIsAInsertElementInst(user))
        return index == 1 && !ir_renamed_operand(user);
    if (LLVMIsASelectInst(user))
        return index > 0;
    if (LLVMIsAICmpInst(user) || LLVMIsAFCmpInst(user))
        return true;
    if (type_is_mask(LLVMTypeOf(user)))
        return LLVMIsATruncInst(user) != NULL;
    if (LLVMIsABinaryOperator(user) || LLVMIsAUnaryOperator(user) || is_cast(user))
        return true;
    return LLVMIsACallInst(user) && ir_is_alu_call(user);
}

enum source_kind {
    SOURCE_NONE,
    SOURCE_REGION,
    SOURCE_INDIRECT,
    SOURCE_DISPLACED,
    SOURCE_EXTEND,
    SOURCE_NEGATE,
    SOURCE_ABSOLUTE,
    SOURCE_COMPLEMENT
};

/* Returns how an instruction can be a source operand of another. */
static enum source_kind source_kind(LLVMValueRef i)
{
    int64_t index;
    enum genx_id id = genx_call_id(i);
    if (type_is_mask(LLVMTypeOf(i)))
        return SOURCE_NONE;
    if (genx_is(id, KIND_GROUP_ID))
        return SOURCE_REGION;
    if (region_is_read(i)) {
        struct region r;
        return region_of_call(i, &r) ? SOURCE_REGION : SOURCE_INDIRECT;
    }
    if (ir_is_displaced(i))
        return SOURCE_DISPLACED;
    if (LLVMIsAExtractElementInst(i))
        return constant_int(LLVMGetOperand(i, 1), &index) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
                       genx_call_id(LLVMGetOperand(i, 0)) != GENX_LOCAL_ID
                   ? SOURCE_REGION
                   : SOURCE_NONE;
    if (LLVMIsATruncInst(i))
        return SOURCE_REGION;
    if (LLVMIsAShuffleVectorInst(i))
        return LLVMGetNumMaskElements(i) > 0 && LLVMIsConstant(LLVMGetOperand(i, 1)) ? SOURCE_REGION : SOURCE_NONE;
    if (LLVMIsAZExtInst(i) || LLVMIsASExtInst(i)) {
        unsigned from = type_element_bits(LLVMTypeOf(LLVMGetOperand(i, 0))), to = type_element_bits(LLVMTypeOf(i));
        bool one = type_lanes(LLVMTypeOf(i)) == 1; /* lanes of 64 bits read lanes of the same width */
        return ((from == 8 || from == 16) && to <= 32) || (from == 32 && to == 64 && one) ? SOURCE_EXTEND : SOURCE_NONE;
    }
    if (LLVMIsAUnaryOperator(i) || genx_call_id(i) == GENX_ABSF)
        return SOURCE_NEGATE;
    if (genx_call_id(i) == GENX_ABSI && range_of_integer(i).low >= 0) /* no lane is the number that has no opposite */
        return SOURCE_ABSOLUTE;
    if (ir_is_complement(i))
        return SOURCE_COMPLEMENT;
    return SOURCE_NONE;
}

/* A shuffle is an operand only if its lanes form a region of its first operand. */
bool bale_shuffle_region(LLVMValueRef i, struct region *out)
{
    unsigned lanes = LLVMGetNumMaskElements(i), inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 0)));
    int bytes = (int)type_element_bytes(LLVMTypeOf(i)), last = 0, *offsets = ir_calloc(lanes, sizeof *offsets);
    bool ok = true;
    for (unsigned k = 0; k < lanes; k++) {
        int lane = LLVMGetMaskValue(i, k);
        if (lane < 0) /* undefined: any lane continues the pattern */
            lane = last;
        ok = ok && lane < (int)inputs;
        offsets[k] = lane * bytes;
        last = lane;
    }
    ok = ok && region_from_offsets(offsets, lanes, out);
    free(offsets);
    return ok;
}

/* True if the lanes are whole consecutive registers, as messages send and receive. */
static bool is_whole_registers(const struct selection *s, const struct region *r, LLVMTypeRef type)
{
    int grf = (int)s->platform->grf_bytes, element = (int)type_element_bytes(type), lanes = (int)type_lanes(type);
    return r->width == (unsigned)lanes && (r->hstride == element || lanes == 1) && r->offset % grf == 0 &&
           lanes * element % grf == 0;
}

bool bale_payload_region(const struct selection *s, LLVMValueRef i, struct region *out)
{
    bool region =
        region_is_read(i) ? region_of_call(i, out) : LLVMIsAShuffleVectorInst(i) && bale_shuffle_region(i, out);
    return region && is_whole_registers(s, out, LLVMTypeOf(i));
}

/* True for a single word, from which an address is computed. */
static bool is_offset_word(LLVMValueRef i, enum source_kind kind)
{
    return type_element_bits(LLVMTypeOf(i)) == 16 && type_lanes(LLVMTypeOf(i)) == 1 && kind == SOURCE_REGION &&
           !LLVMIsAShuffleVectorInst(i);
}

/* True if the vector that `i` reads is overwritten before the read's user in the same block. If the read were baled,
 * the vector could not be overwritten in place, and all of it would be copied instead of the lanes that are read. */
static bool is_changed_before(LLVMValueRef i, LLVMValueRef user)
{
    enum { FAR = 256 }; /* instructions: blocks may be large */
    LLVMValueRef vector = LLVMGetOperand(i, 0), at = LLVMGetNextInstruction(i);
    for (unsigned n = 0; n < FAR && at && at != user; n++, at = LLVMGetNextInstruction(at))
        if (ir_partly_overwritten(at) == vector)
            return true;
    return false;
}

/* True if the user can read an indirect operand: only one, in an instruction of one or two sources. With one address
 * per lane it must be the first source (PRM volume 7, "indirect addressing": VxH is for source 0). */
static bool takes_indirect(const struct selection *s, LLVMValueRef i, LLVMValueRef user, unsigned index)
{
    bool per_lane = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 4))) > 1, write = region_is_write(user);
    if (LLVMGetNextUse(LLVMGetFirstUse(i)) || LLVMGetInstructionParent(i) != LLVMGetInstructionParent(user) ||
        type_element_bits(LLVMTypeOf(i)) > 32 || (type_is_mask(LLVMTypeOf(user)) && !LLVMIsACmpInst(user)) ||
        !native_width(s, user))
        return false;
    if (is_changed_before(i, user))
        return false;
    if (LLVMIsACallInst(user) && !write && LLVMGetNumArgOperands(user) > 2)
        return false;
    if (per_lane && index > 0 && !write)
        return false;
    return !LLVMIsASelectInst(user) || !per_lane;
}

/* True for a scalar that is inserted into lane 0 only to be splatted: the splats read the scalar itself. */
static bool only_splatted(LLVMValueRef i)
{
    LLVMValueRef old = LLVMGetOperand(i, 0);
    int64_t lane;
    if (!(LLVMIsUndef(old) || LLVMIsPoison(old)) || !constant_int(LLVMGetOperand(i, 2), &lane) || lane != 0 ||
        type_is_mask(LLVMTypeOf(i)))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAShuffleVectorInst(user) || LLVMGetOperand(user, 0) != i || !ir_is_splat_shuffle(user))
            return false;
    }
    return true;
}

/* True if all users of the lanes of `splat` may read `widened`, the number in them, in its narrow type. */
static bool lanes_take_narrow(LLVMValueRef splat, LLVMValueRef widened)
{
    for (LLVMUseRef use = LLVMGetFirstUse(splat); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == splat &&
                (ir_renamed_operand(user) || !takes_region(user, k) || !range_takes_narrow(user, k, widened)))
                return false;
    }
    return true;
}

/* The same for a scalar that is only splatted. If it is a lane of a vector that is overwritten before it is read, the
 * vector would be copied: acceptable if one instruction copies it, which costs no more than a move of the scalar. */
static bool splats_take_narrow(LLVMValueRef insert, LLVMValueRef widened)
{
    if (!LLVMIsAInsertElementInst(insert) || !only_splatted(insert))
        return false;
    LLVMValueRef read = LLVMGetOperand(widened, 0);
    bool is_lane = region_is_read(read) || LLVMIsAExtractElementInst(read);
    LLVMTypeRef from = is_lane ? LLVMTypeOf(LLVMGetOperand(read, 0)) : LLVMTypeOf(read);
    if (type_lanes(from) * type_element_bytes(from) > INSTRUCTION_BYTES)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(insert); use; use = LLVMGetNextUse(use))
        if (!lanes_take_narrow(LLVMGetUser(use), widened))
            return false;
    return true;
}

/* True for operations whose sources may be complemented. */
static bool is_logic(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

/* True if operand `index` of `user`, an extended number, may be read before its extension. */
static bool takes_extended(const struct selection *s, LLVMValueRef user, unsigned index, LLVMValueRef extended)
{
    if (type_element_bits(LLVMTypeOf(extended)) == 64)
        return LLVMIsABinaryOperator(user) && ir_has_int64_operation(s->platform, user) &&
               (LLVMGetInstructionOpcode(user) == LLVMAdd || (LLVMGetInstructionOpcode(user) == LLVMSub && index == 0));
    return range_takes_narrow(user, index, extended) || splats_take_narrow(user, extended) ||
           (index == 0 && LLVMGetInstructionOpcode(user) == LLVMShl &&
            (becomes_factor(s, user) || bale_is_multiplied(s, user)));
}

/* True if the user moves lanes of its operands run by run: a run may be lanes of the vector that `i` reads. */
static bool moves_lanes_of(LLVMValueRef user, LLVMValueRef i)
{
    struct region r;
    return region_is_read(i) && LLVMIsAShuffleVectorInst(user) && !type_is_mask(LLVMTypeOf(user)) &&
           !bale_shuffle_region(user, &r);
}

static bool all_users_take(const struct selection *s, LLVMValueRef i, enum source_kind kind)
{
    struct region whole;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++) {
            if (LLVMGetOperand(user, k) != i)
                continue;
            if (genx_is_payload(user, k) && bale_payload_region(s, i, &whole))
                continue;
            if (is_region_offset(user, k) && (kind == SOURCE_DISPLACED || is_offset_word(i, kind)))
                continue;
            if (kind == SOURCE_REGION && moves_lanes_of(user, i))
                continue;
            if (kind == SOURCE_DISPLACED || (kind == SOURCE_INDIRECT && !takes_indirect(s, i, user, k)))
                return false;
            if (ir_renamed_operand(user) || !takes_region(user, k))
                return false;
            if (kind == SOURCE_EXTEND && !takes_extended(s, user, k, i))
                return false;
            if (kind == SOURCE_NEGATE && !is_float_arithmetic(user) && !LLVMIsASelectInst(user) &&
                !LLVMIsAFCmpInst(user))
                return false;
            if (kind == SOURCE_ABSOLUTE && !is_sum(user))
                return false;
            if (kind == SOURCE_COMPLEMENT && !is_logic(user))
                return false;
        }
    }
    return true;
}

bool bale_becomes_source(const struct selection *s, LLVMValueRef i)
{
    enum source_kind kind = source_kind(i);
    struct region r;
    if (LLVMIsAInsertElementInst(i))
        return only_splatted(i);
    bool has_operand = !LLVMIsACallInst(i) || LLVMGetNumArgOperands(i) > 0;
    if (kind == SOURCE_NONE || (has_operand && kind != SOURCE_INDIRECT && LLVMIsConstant(LLVMGetOperand(i, 0))))
        return false;
    if (LLVMIsAShuffleVectorInst(i) && !bale_shuffle_region(i, &r))
        return false;
    if (kind == SOURCE_REGION && bale_pays_as_copy(s, i))
        return false;
    return all_users_take(s, i, kind);
}

/* True if a vector that `i` reads is overwritten before its user: computed there, it would read an older version, which
 * would have to be copied. */
static bool reads_what_changes(LLVMValueRef i, LLVMValueRef user)
{
    enum { FAR = 64 }; /* instructions: blocks may be large */
    LLVMValueRef at = LLVMGetNextInstruction(i);
    for (unsigned n = 0; n < FAR && at && at != user; n++, at = LLVMGetNextInstruction(at)) {
        LLVMValueRef changed = region_is_write(at) ? ir_partly_overwritten(at) : NULL;
        if (!changed || type_lanes(LLVMTypeOf(changed)) <= type_lanes(LLVMTypeOf(i)))
            continue;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            LLVMValueRef read = LLVMGetOperand(i, k);
            if (region_is_read(read) && LLVMGetOperand(read, 0) == changed)
                return true;
        }
    }
    return false;
}

/* True if the single user is a region write in the same block: the operation then writes the region directly. */
static bool becomes_writer(struct selection *s, LLVMValueRef i)
{
    LLVMUseRef use = LLVMGetFirstUse(i);
    if (!use || LLVMGetNextUse(use) || !is_plain_arithmetic(s, i))
        return false;
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInsertElementInst(user) && only_splatted(user)) /* an operand itself: it writes nothing */
        return false;
    bool write =
        region_is_write(user) || (LLVMIsAInsertElementInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 2)));
    if (!write || ir_renamed_operand(user) || LLVMGetOperand(user, 1) != i ||
        LLVMGetInstructionParent(user) != LLVMGetInstructionParent(i) || reads_what_changes(i, user))
        return false;
    if (region_is_write(user) && !region_writes_all_lanes(user) && !ir_takes_predicate(i))
        return false;
    struct region r;
    if (LLVMIsASelectInst(i) && region_is_write(user) && /* it has a predicate of its own, whose lanes cannot be split
                                                          * freely */
        (!region_of_call(user, &r) || r.width < type_lanes(LLVMTypeOf(i))))
        return false;
    return !region_is_write(user) || type_lanes(LLVMTypeOf(LLVMGetOperand(user, 5))) == 1;
}

/* True for branches, and for instructions of one lane whose predicate can be any or all lanes of a mask. */
static bool takes_condition(const struct selection *s, LLVMValueRef user, LLVMValueRef condition)
{
    if (type_lanes(LLVMTypeOf(LLVMGetOperand(condition, 0))) <
        8) /* predicates have eight lanes or more: others would count */
        return false;
    if (LLVMIsABranchInst(user))
        return true;
    LLVMTypeRef type = LLVMTypeOf(user);
    if (type_lanes(type) != 1 || type_is_mask(type) || !native_width(s, user))
        return false;
    return is_cast(user) || (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) == condition);
}

/* True for `any` and `all` of masks that are used by branches and selects only: their predicate does the reduction. */
static bool becomes_condition(const struct selection *s, LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    if (id != GENX_ANY && id != GENX_ALL)
        return false;
    unsigned lanes = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 0)));
    if (lanes < 2 || lanes > 32 || (lanes & (lanes - 1)) != 0 || !LLVMGetFirstUse(i))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (!takes_condition(s, LLVMGetUser(use), i))
            return false;
    return true;
}

bool bale_derive_mask(LLVMValueRef mask, struct bale_derived_mask *out)
{
    enum { CHANNELS = 8 }; /* instructions start at multiples of that on every platform */
    unsigned lanes = type_lanes(LLVMTypeOf(mask)), first = 0;
    if (!LLVMIsAInstruction(mask) || !type_is_mask(LLVMTypeOf(mask)) || lanes < 2)
        return false;
    *out = (struct bale_derived_mask){.by = LLVMGetOperand(mask, 0)};
    out->inverse = LLVMGetInstructionOpcode(mask) == LLVMXor && constant_mask_is_full(LLVMGetOperand(mask, 1));
    if (out->inverse || !ir_is_run(mask, &first))
        return out->inverse;
    out->first = first;
    return first % CHANNELS == 0 && first / MASK_PART_LANES == (first + lanes - 1) / MASK_PART_LANES;
}

/* True if its lanes are later lanes of a wider mask. */
static bool is_part(LLVMValueRef mask)
{
    struct bale_derived_mask said;
    LLVMValueRef by = mask;
    while (bale_derive_mask(by, &said))
        by = said.by;
    return type_lanes(LLVMTypeOf(by)) > type_lanes(LLVMTypeOf(mask));
}

/* True if `user` uses operand `index`, a mask, as its predicate. */
static bool takes_mask(const struct selection *s, LLVMValueRef user, unsigned index)
{
    if (region_is_write(user))
        return index == 7;
    if (LLVMIsACallInst(user))
        return ir_has_channel_mask(user, index);
    return index == 0 && (LLVMIsASelectInst(user) || is_cast(user)) && !type_is_mask(LLVMTypeOf(user)) &&
           native_width(s, user);
}

/* True for a mask that only predicates use, and that they can derive from another mask. */
static bool becomes_predicate(struct selection *s, LLVMValueRef i)
{
    struct bale_derived_mask said;
    if (!bale_derive_mask(i, &said) || !bale_value_root(s, said.by) || goto_loops_is_mask(&s->channels, said.by) ||
        !LLVMGetFirstUse(i))
        return false;
    bool part = is_part(i);
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!part && becomes_condition(s, user))
            continue;
        if (part && s->channels.any && s->channels.live[cfg_number(&s->cfg, LLVMGetInstructionParent(user))])
            return false; /* the channels that are on are its own lanes' */
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == i && !takes_mask(s, user, k) && !becomes_predicate(s, user))
                return false;
    }
    return true;
}

/* True if nothing between the message and its user changes the message's operands, or makes the order of memory
 * accesses visible. */
static bool can_wait_until(LLVMValueRef message, LLVMValueRef user)
{
    bool writes = genx_effect(genx_call_id(message)) == 'W';
    for (LLVMValueRef i = LLVMGetNextInstruction(message); i != user; i = LLVMGetNextInstruction(i)) {
        if (!i || LLVMIsAStoreInst(i) || (writes && LLVMIsALoadInst(i)))
            return false;
        enum genx_id id = genx_call_id(i);
        if (LLVMIsACallInst(i) && (id == GENX_NONE || genx_effect(id) == 'W' || (writes && genx_effect(id) == 'R')))
            return false;
    }
    return true;
}

LLVMValueRef bale_replied(LLVMValueRef value)
{
    return LLVMIsABitCastInst(value) && ir_renamed_operand(value) ? LLVMGetOperand(value, 0) : value;
}

/* Returns the reply under the type in which its single user takes it. */
static LLVMValueRef name_of_reply(LLVMValueRef i)
{
    LLVMUseRef use = LLVMGetFirstUse(i);
    bool renamed = use && !LLVMGetNextUse(use) && bale_replied(LLVMGetUser(use)) == i;
    return renamed ? LLVMGetUser(use) : i;
}

/* True if the single user writes the whole reply, or matrix product, to whole registers of a variable: it arrives there
 * directly. The same holds for the lanes of the message's mask if those are written: the other lanes keep their values.
 */
bool bale_is_in_place_reply(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef reply = name_of_reply(i);
    LLVMUseRef use = LLVMGetFirstUse(reply);
    if (!use || LLVMGetNextUse(use) || genx_call_id(i) == GENX_NONE)
        return false;
    struct region r;
    bool product = ir_is_matrix_product(i), whole = product || ir_is_block_read(i);
    bool gather = ir_is_lsc_gather(i) && constant_mask_is_full(LLVMGetOperand(i, 0));
    if (!whole && !gather && !ir_is_one_atomic(i))
        return false;
    LLVMValueRef user = LLVMGetUser(use);
    if (!region_is_write(user) || LLVMGetOperand(user, 1) != reply || !region_of_call(user, &r))
        return false;
    LLVMTypeRef type = LLVMTypeOf(reply);
    struct cg_value *old = bale_value_root(s, LLVMGetOperand(user, 0));
    if (product && old &&
        bale_product_reads(s, i, old, r.offset, r.offset + (int)(type_lanes(type) * type_element_bytes(type))))
        return false;
    LLVMValueRef written = LLVMGetOperand(user, 7);
    bool same = whole || constant_mask_is_full(LLVMGetOperand(i, 0)) ? LLVMIsAConstantInt(written) != NULL
                                                                     : LLVMGetOperand(i, 0) == written;
    return same && is_whole_registers(s, &r, type) && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(i) &&
           can_wait_until(i, user);
}

bool bale_is_writer(struct selection *s, LLVMValueRef value)
{
    return !bale_becomes_source(s, value) && becomes_writer(s, value);
}

void bale_kernel(struct selection *s)
{
    for (unsigned i = 0; i < LLVMCountParams(s->function); i++)
        add_value(s, LLVMGetParam(s->function, i), 0, 0);
    for (unsigned b = 0; b < s->cfg.count; b++) {
        unsigned position = 1;
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMStructTypeKind)
            add_value(s, i, b, LLVMIsAPHINode(i) ? 0 : position++);
        else
            position++;
    }
    bale_fuse_terms(s);
    for (size_t n = 0; n < s->value_count; n++) {
        struct cg_value *v = &s->values[n];
        if (!LLVMIsAInstruction(v->llvm))
            continue;
        if (goto_loops_is_mask(&s->channels, v->llvm)) {
            v->inlined = true;
            continue;
        }
        LLVMValueRef renamed = ir_renamed_operand(v->llvm);
        struct cg_value *target = renamed ? bale_value(s, renamed) : NULL;
        if (target)
            v->same_as = (size_t)(target - s->values);
        else if (!renamed)
            v->inlined = bale_becomes_source(s, v->llvm) || becomes_writer(s, v->llvm) ||
                         bale_is_in_place_reply(s, v->llvm) || becomes_condition(s, v->llvm) ||
                         becomes_predicate(s, v->llvm) || becomes_factor(s, v->llvm) ||
                         bale_becomes_saturated(v->llvm) || becomes_narrow(v->llvm) || v->fused;
    }
}

bool bale_is_emitted(struct selection *s, LLVMValueRef i)
{
    struct cg_value *v = bale_value(s, i);
    if (!v)
        return true;
    return !v->inlined && v->same_as == (size_t)(v - s->values);
}

void bale_for_each_source(struct selection *s, LLVMValueRef user,
                          void (*visit)(struct selection *, struct cg_value *, LLVMValueRef, void *), void *context)
{
    int product = bale_fused_product(s, user);
    bool narrow = reads_narrow(user);
    LLVMValueRef live = s->channels.any ? s->channels.live[cfg_number(&s->cfg, LLVMGetInstructionParent(user))] : NULL;
    for (int k = 0; k < LLVMGetNumOperands(user); k++) {
        LLVMValueRef operand = LLVMGetOperand(user, (unsigned)k);
        struct cg_value *v = operand ? bale_value_root(s, operand) : NULL;
        if (!v || (live && (operand == live || (LLVMIsAPHINode(operand) && goto_loops_is_mask(&s->channels, operand)))))
            continue;
        if (v->inlined || k == product || narrow)
            bale_for_each_source(s, v->llvm, visit, context);
        else
            visit(s, v, user, context);
    }
}

/* Returns the value whose variable holds operand `k` of a product, with the first byte and the end in it. */
static struct cg_value *place_of(struct selection *s, LLVMValueRef product, unsigned k, int *from, int *to)
{
    LLVMValueRef operand = LLVMGetOperand(product, k);
    struct cg_value *v = bale_value_root(s, operand);
    struct region r = {0, 1, 0, 0};
    if (v && v->inlined && bale_payload_region(s, v->llvm, &r))
        v = bale_value_root(s, LLVMGetOperand(v->llvm, 0));
    *from = r.offset;
    *to = r.offset + (int)(type_lanes(LLVMTypeOf(operand)) * type_element_bytes(LLVMTypeOf(operand)));
    return v;
}

bool bale_product_reads(struct selection *s, LLVMValueRef product, struct cg_value *vector, int from, int to)
{
    for (unsigned k = MATRIX_SUM; k <= MATRIX_ROWS; k++) {
        int first, end;
        if (place_of(s, product, k, &first, &end) == vector && first < to && from < end &&
            !(k == MATRIX_SUM && first == from && end == to))
            return true;
    }
    return false;
}

struct cg_value *bale_matrix_sum(struct selection *s, LLVMValueRef i)
{
    int from, to;
    struct cg_value *sum = ir_is_matrix_product(i) ? place_of(s, i, MATRIX_SUM, &from, &to) : NULL;
    return sum && from == 0 && !bale_product_reads(s, i, sum, 0, to) ? sum : NULL;
}
