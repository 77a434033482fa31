/* Emulates 64-bit integers as pairs of dwords on platforms without them (Gen11, Gen12LP), and their products on all
 * platforms. Lane k's low half is at byte 8k of its variable, the high half at 8k + 4. */
#include "lower/codegen/select/select.h"
#include "lower/codegen/select/select_mask.h"
#include "lower/ir/fault.h"
#include "lower/ir/remarks.h"

struct pair {
    struct macro_operand low, high;
};

static struct macro_operand half(unsigned variable, unsigned lanes, int offset)
{
    struct macro_operand o = macro_region(variable, VISA_TYPE_UD, offset, lanes);
    o.region.hstride = 8;
    return o;
}

/* Returns the halves of a 64-bit operand. */
static struct pair pair_of(struct selection *s, LLVMValueRef value)
{
    struct macro_operand o = operand_source(s, value, 'U');
    struct pair p = {o, o};
    p.low.type = p.high.type = VISA_TYPE_UD;
    if (o.kind == MACRO_IMMEDIATE) {
        p.low.bits = o.bits & 0xffffffff;
        p.high.bits = o.bits >> 32;
    } else {
        p.high.region.offset += 4;
    }
    return p;
}

static struct pair result_of(struct selection *s, LLVMValueRef i)
{
    unsigned variable = operand_value_variable(s, i), lanes = type_lanes(LLVMTypeOf(i));
    return (struct pair){half(variable, lanes, 0), half(variable, lanes, 4)};
}

static struct macro_operand temporary(struct selection *s, unsigned lanes)
{
    return macro_region(cg_new_variable(s, VISA_TYPE_UD, lanes, 0, NULL), VISA_TYPE_UD, 0, lanes);
}

static bool is_in(const struct macro_operand *o, const struct pair *out)
{
    return o->kind != MACRO_IMMEDIATE && o->variable == out->low.variable;
}

/* Returns the location for a result: in place, unless a source that is still needed is there. */
static struct pair building_place(struct selection *s, unsigned lanes, struct pair out, struct pair a, struct pair b)
{
    if (!is_in(&a.low, &out) && !is_in(&b.low, &out))
        return out;
    return (struct pair){temporary(s, lanes), temporary(s, lanes)};
}

static void put_in_place(struct selection *s, unsigned lanes, struct pair out, struct pair built)
{
    if (built.low.variable == out.low.variable)
        return;
    legalize_move(s, lanes, out.low, built.low);
    legalize_move(s, lanes, out.high, built.high);
}

static struct macro_operand temporary_mask(struct selection *s, unsigned lanes)
{
    unsigned first = 0;
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        unsigned p = cg_new_predicate(s, lanes - part * MASK_PART_LANES < 32 ? lanes - part * MASK_PART_LANES : 32);
        first = part ? first : p;
    }
    return (struct macro_operand){.kind = MACRO_MASK, .variable = first};
}

/* Returns a number for a first operand, which is read with its sign. */
static struct macro_operand in_register(struct selection *s, unsigned lanes, struct macro_operand number)
{
    struct macro_operand copy = temporary(s, lanes);
    legalize_move(s, lanes, copy, number);
    if (number.type == VISA_TYPE_D)
        copy.type = VISA_TYPE_D;
    return copy;
}

static void operate(struct selection *s, enum visa_opcode op, unsigned lanes, struct macro_operand dst,
                    struct macro_operand a, struct macro_operand b)
{
    if (a.kind == MACRO_IMMEDIATE)
        a = in_register(s, lanes, a);
    struct macro w = {.op = op, .lanes = lanes, .dst = dst, .src = {a, b}, .sources = 2};
    legalize_macro(s, &w);
}

static void compare(struct selection *s, enum visa_condition c, unsigned lanes, struct macro_operand mask,
                    struct macro_operand a, struct macro_operand b)
{
    struct macro w = {.op = VISA_OP_CMP, .condition = c, .lanes = lanes, .dst = mask, .src = {a, b}, .sources = 2};
    if (a.kind == MACRO_IMMEDIATE)
        w.src[0] = in_register(s, lanes, a);
    legalize_macro(s, &w);
}

/* mask: the addition low = a + b carried; the subtraction a - b borrowed. */
static void add_if(struct selection *s, unsigned lanes, struct macro_operand mask, struct macro_operand dst,
                   uint32_t number)
{
    struct macro w = {.op = VISA_OP_ADD,
                      .lanes = lanes,
                      .dst = dst,
                      .src = {dst, macro_immediate(VISA_TYPE_UD, number)},
                      .sources = 2};
    w.predicate = mask;
    legalize_macro(s, &w);
}

static struct macro_operand negated(struct selection *s, unsigned lanes, struct macro_operand o)
{
    struct macro_operand copy = temporary(s, lanes), minus = o;
    if (o.kind == MACRO_IMMEDIATE)
        return macro_immediate(VISA_TYPE_UD, (0 - o.bits) & 0xffffffff);
    minus.type = VISA_TYPE_D;
    minus.modifier = VISA_MODIFIER_NEGATE;
    copy.type = VISA_TYPE_D;
    legalize_move(s, lanes, copy, minus);
    copy.type = VISA_TYPE_UD;
    return copy;
}

static struct visa_operand written_lane(const struct macro_operand *o)
{
    struct visa_operand out = macro_general_operand(o);
    out.region.vstride = out.region.width = 0;
    out.region.hstride = 1;
    return out;
}

static bool is_zero(const struct macro_operand *o)
{
    return o->kind == MACRO_IMMEDIATE && o->bits == 0;
}

/* Returns the halves of a term or factor; if it is an extended dword, the high half is known. */
static struct pair halves_of(struct selection *s, LLVMValueRef value)
{
    struct pair p = pair_of(s, value);
    if (LLVMIsAZExtInst(value))
        p.high = (struct macro_operand){.kind = MACRO_IMMEDIATE, .type = VISA_TYPE_UD};
    return p;
}

/* True if a + b + carry takes one instruction (of three lanes, two). That of three terms has room for 16 bits of a
 * number. Four lanes and more that are apart are moved there by the finalizer. */
static bool is_one_sum(const struct selection *s, unsigned lanes, const struct macro_operand *dst,
                       const struct macro_operand *a, const struct macro_operand *b)
{
    if (is_zero(a) || is_zero(b) || (a->kind == MACRO_IMMEDIATE && b->kind == MACRO_IMMEDIATE))
        return true;
    const struct macro_operand *number = a->kind == MACRO_IMMEDIATE ? a : b;
    bool is_wide = number->kind == MACRO_IMMEDIATE && (int32_t)number->bits != (int16_t)number->bits;
    bool is_apart = lanes > 3 && dst->region.hstride > 4;
    return platform_has(s->platform, FEATURE_ADD3) && !is_wide && !is_apart;
}

/* dst = a + b + carry */
static void add_carry(struct selection *s, unsigned lanes, struct macro_operand dst, struct macro_operand a,
                      struct macro_operand b, struct macro_operand carry)
{
    if (a.kind == MACRO_IMMEDIATE) {
        struct macro_operand number = a;
        a = b;
        b = number;
    }
    if (a.kind == MACRO_IMMEDIATE) {
        b.bits = (a.bits + b.bits) & UINT32_MAX;
        dst.type = carry.type;
        if (is_zero(&b))
            legalize_move(s, lanes, dst, carry);
        else
            operate(s, VISA_OP_ADD, lanes, dst, carry, b);
    } else if (is_zero(&b)) {
        operate(s, VISA_OP_ADD, lanes, dst, carry, a); /* a carry in the accumulator must be first */
    } else if (is_one_sum(s, lanes, &dst, &a, &b)) {
        if (b.kind == MACRO_IMMEDIATE)
            b = macro_immediate(VISA_TYPE_W, b.bits & UINT16_MAX);
        struct macro w = {.op = VISA_OP_ADD3, .lanes = lanes, .dst = dst, .src = {carry, a, b}, .sources = 3};
        legalize_macro(s, &w);
    } else {
        struct macro_operand high = temporary(s, lanes);
        operate(s, VISA_OP_ADD, lanes, high, a, b);
        operate(s, VISA_OP_ADD, lanes, dst, carry, high);
    }
}

/* Adds one lane without a predicate: the hardware's carry is a number. Sources must not be in `out`. */
static void add_scalars(struct selection *s, struct pair out, struct pair a, struct pair b)
{
    if (a.low.kind == MACRO_IMMEDIATE) {
        struct pair swap = a;
        a = b;
        b = swap;
    }
    struct macro_operand carry = temporary(s, 1);
    struct visa_instruction i = {.op = VISA_OP_ADDC, .exec_size = 1, .dst = written_lane(&out.low)};
    i.src[0] = written_lane(&carry);
    i.src[1] = macro_general_operand(&a.low);
    i.src[2] = macro_general_operand(&b.low);
    cg_emit(s, &i);
    add_carry(s, 1, out.high, a.high, b.high, carry);
}

/* Adds many lanes. The carry is a number, all ones, if one instruction adds it to the high halves, otherwise a
 * predicate. */
static void add_lanes(struct selection *s, unsigned lanes, struct pair out, struct pair a, struct pair b)
{
    operate(s, VISA_OP_ADD, lanes, out.low, a.low, b.low);
    if (is_one_sum(s, lanes, &out.high, &a.high, &b.high)) {
        struct macro_operand carry = temporary(s, lanes);
        compare(s, VISA_LT, lanes, carry, out.low, a.low);
        carry.type = VISA_TYPE_D;
        carry.modifier = VISA_MODIFIER_NEGATE;
        add_carry(s, lanes, out.high, a.high, b.high, carry);
        return;
    }
    struct macro_operand carry = temporary_mask(s, lanes);
    operate(s, VISA_OP_ADD, lanes, out.high, a.high, b.high);
    compare(s, VISA_LT, lanes, carry, out.low, a.low);
    add_if(s, lanes, carry, out.high, 1);
}

static void subtract_lanes(struct selection *s, unsigned lanes, struct pair out, struct pair a, struct pair b)
{
    struct macro_operand borrow = temporary_mask(s, lanes);
    compare(s, VISA_LT, lanes, borrow, a.low, b.low);
    operate(s, VISA_OP_ADD, lanes, out.low, a.low, negated(s, lanes, b.low));
    operate(s, VISA_OP_ADD, lanes, out.high, a.high, negated(s, lanes, b.high));
    add_if(s, lanes, borrow, out.high, 0xffffffff);
}

static bool add_or_subtract(struct selection *s, LLVMValueRef i, bool subtract)
{
    LLVMValueRef left = LLVMGetOperand(i, 0), right = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = subtract ? pair_of(s, left) : halves_of(s, left),
                b = subtract ? pair_of(s, right) : halves_of(s, right), out = result_of(s, i);
    struct pair sum = building_place(s, lanes, out, a, b);
    bool immediates = a.low.kind == MACRO_IMMEDIATE && b.low.kind == MACRO_IMMEDIATE;
    if (subtract)
        subtract_lanes(s, lanes, sum, a, b);
    else if (lanes == 1 && !immediates)
        add_scalars(s, sum, a, b);
    else
        add_lanes(s, lanes, sum, a, b);
    put_in_place(s, lanes, out, sum);
    return true;
}

/* The dwords of both halves as they lie in registers, twice as many lanes; false: they are not side by side. */
static bool dwords_of(const struct pair *p, unsigned lanes, struct macro_operand *out)
{
    const struct region *r = &p->low.region;
    *out = p->low;
    if (p->low.kind == MACRO_IMMEDIATE)
        return p->low.bits == p->high.bits;
    bool in_row = lanes == 1 || (r->width >= lanes && r->hstride == 8), same = r->width == 1 && r->vstride == 0;
    out->region = (struct region){r->offset, in_row ? 2 * lanes : 2, 0, 4};
    return p->low.kind == MACRO_REGION && (in_row || same);
}

/* True for a number whose halves are moves of dwords, or of 0: the finalizer reads the dwords themselves, half by half.
 */
static bool is_moved(const struct selection *s, LLVMValueRef value)
{
    enum { HALF = 32 };
    uint64_t distance;
    if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value))
        return true;
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    bool is_shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
    bool is_emulated = is_shift && !ir_has_int64_operation(s->platform, value); /* shift() moves its halves at last */
    return is_emulated || (is_shift && constant_in_lanes(LLVMGetOperand(value, 1), &distance) && distance >= HALF);
}

static bool logic(struct selection *s, LLVMValueRef i, enum visa_opcode op)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = pair_of(s, LLVMGetOperand(i, 0)), b = pair_of(s, LLVMGetOperand(i, 1)), out = result_of(s, i);
    struct macro w = {.op = op, .lanes = 2 * lanes, .sources = 2};
    bool is_last = b.low.kind == MACRO_IMMEDIATE || a.low.kind != MACRO_IMMEDIATE; /* where an immediate must be */
    bool is_moves = is_moved(s, LLVMGetOperand(i, 0)) || is_moved(s, LLVMGetOperand(i, 1));
    if (!is_moves && dwords_of(&out, lanes, &w.dst) && dwords_of(is_last ? &a : &b, lanes, &w.src[0]) &&
        dwords_of(is_last ? &b : &a, lanes, &w.src[1]) && w.src[0].kind != MACRO_IMMEDIATE) {
        legalize_macro(s, &w);
        return true;
    }
    struct pair bits = building_place(s, lanes, out, a, b);
    operate(s, op, lanes, bits.low, a.low, b.low);
    operate(s, op, lanes, bits.high, a.high, b.high);
    put_in_place(s, lanes, out, bits);
    return true;
}

static void pick(struct selection *s, unsigned lanes, struct macro_operand mask, struct macro_operand dst,
                 struct macro_operand yes, struct macro_operand no)
{
    bool inverse = yes.kind == MACRO_IMMEDIATE; /* immediates come last */
    struct macro w = {.op = VISA_OP_SEL,
                      .lanes = lanes,
                      .sources = 2,
                      .predicate = mask,
                      .inverse = inverse,
                      .dst = dst,
                      .src = {inverse ? no : yes, inverse ? yes : no}};
    legalize_macro(s, &w);
}

/* Shifts by counts from 0 to 63 that may differ between lanes. Dword shifts use five bits of their count, so bits move
 * between the halves in two steps, by 1 and by 31 minus the count; from 32 on the far half moves as a whole. */
static bool shift_by_lanes(struct selection *s, LLVMValueRef i, LLVMOpcode op)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = pair_of(s, LLVMGetOperand(i, 0)), out = result_of(s, i);
    struct macro_operand count = temporary(s, lanes), rest = temporary(s, lanes), far = temporary_mask(s, lanes);
    struct macro_operand inner = temporary(s, lanes), outer = temporary(s, lanes), spill = temporary(s, lanes);
    struct macro_operand fill = macro_immediate(VISA_TYPE_UD, 0), one = macro_immediate(VISA_TYPE_UD, 1);
    bool left = op == LLVMShl, arithmetic = op == LLVMAShr;
    struct macro_operand from = left ? a.low : a.high, to = left ? a.high : a.low, from_signed = from,
                         inner_signed = inner;
    if (arithmetic) {
        from_signed.type = inner_signed.type = VISA_TYPE_D;
        fill = temporary(s, lanes);
    }
    legalize_move(s, lanes, count, pair_of(s, LLVMGetOperand(i, 1)).low);
    operate(s, VISA_OP_AND, lanes, rest, count, macro_immediate(VISA_TYPE_UD, 32));
    compare(s, VISA_NE, lanes, far, rest, macro_immediate(VISA_TYPE_UD, 0));
    operate(s, VISA_OP_AND, lanes, count, count, macro_immediate(VISA_TYPE_UD, 31));
    operate(s, VISA_OP_XOR, lanes, rest, count, macro_immediate(VISA_TYPE_UD, 31));
    operate(s, left ? VISA_OP_SHR : VISA_OP_SHL, lanes, spill, from, one);
    operate(s, left ? VISA_OP_SHR : VISA_OP_SHL, lanes, spill, spill, rest);
    operate(s, left ? VISA_OP_SHL : VISA_OP_SHR, lanes, outer, to, count);
    operate(s, VISA_OP_OR, lanes, outer, outer, spill);
    if (arithmetic) {
        struct macro_operand fill_signed = fill;
        fill_signed.type = VISA_TYPE_D;
        operate(s, VISA_OP_ASR, lanes, fill_signed, from_signed, macro_immediate(VISA_TYPE_UD, 31));
    }
    operate(s, left ? VISA_OP_SHL : arithmetic ? VISA_OP_ASR : VISA_OP_SHR, lanes, inner_signed, from_signed, count);
    pick(s, lanes, far, outer, inner, outer);
    pick(s, lanes, far, spill, fill, inner);
    legalize_move(s, lanes, left ? out.low : out.high, spill);
    legalize_move(s, lanes, left ? out.high : out.low, outer);
    return true;
}

/* Shifts by a constant: bits move between the halves. */
static bool shift(struct selection *s, LLVMValueRef i, LLVMOpcode op)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = pair_of(s, LLVMGetOperand(i, 0)), out = result_of(s, i);
    struct macro_operand count = operand_source(s, LLVMGetOperand(i, 1), 'U'), zero = macro_immediate(VISA_TYPE_UD, 0);
    if (count.kind != MACRO_IMMEDIATE)
        return shift_by_lanes(s, i, op);
    uint64_t n = count.bits & 63;
    bool left = op == LLVMShl;
    enum visa_opcode far_op = left ? VISA_OP_SHL : op == LLVMAShr ? VISA_OP_ASR : VISA_OP_SHR;
    struct macro_operand from = left ? a.low : a.high, to = left ? a.high : a.low;
    if (op == LLVMAShr)
        from.type = VISA_TYPE_D;
    struct macro_operand inner = temporary(s, lanes), outer = temporary(s, lanes), spill = temporary(s, lanes);
    if (n >= 32) {
        struct macro_operand by = macro_immediate(VISA_TYPE_UD, n - 32);
        outer.type = from.type;
        operate(s, far_op, lanes, outer, from, by);
        inner.type = from.type;
        if (op == LLVMAShr)
            operate(s, VISA_OP_ASR, lanes, inner, from, macro_immediate(VISA_TYPE_UD, 31));
        else
            legalize_move(s, lanes, inner, zero);
    } else if (n == 0) {
        legalize_move(s, lanes, inner, from);
        legalize_move(s, lanes, outer, to);
    } else {
        struct macro_operand plain = from;
        plain.type = VISA_TYPE_UD;
        operate(s, left ? VISA_OP_SHR : VISA_OP_SHL, lanes, spill, plain, macro_immediate(VISA_TYPE_UD, 32 - n));
        operate(s, left ? VISA_OP_SHL : VISA_OP_SHR, lanes, outer, to, macro_immediate(VISA_TYPE_UD, n));
        operate(s, VISA_OP_OR, lanes, outer, outer, spill);
        inner.type = from.type;
        operate(s, far_op, lanes, inner, from, macro_immediate(VISA_TYPE_UD, n));
    }
    inner.type = outer.type = VISA_TYPE_UD;
    legalize_move(s, lanes, left ? out.low : out.high, inner);
    legalize_move(s, lanes, left ? out.high : out.low, outer);
    return true;
}

/* high += low half of a * b */
static void add_cross_product(struct selection *s, unsigned lanes, struct macro_operand high, struct macro_operand a,
                              struct macro_operand b)
{
    if (is_zero(&a) || is_zero(&b))
        return;
    struct macro_operand cross = temporary(s, lanes);
    operate(s, VISA_OP_MUL, lanes, cross, a, b);
    operate(s, VISA_OP_ADD, lanes, high, high, cross);
}

/* True for the product of dwords that are extended with their sign. */
static bool is_signed_product(LLVMValueRef i)
{
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef factor = LLVMGetOperand(i, k);
        if (!LLVMIsASExtInst(factor) || type_element_bits(LLVMTypeOf(LLVMGetOperand(factor, 0))) != 32)
            return false;
    }
    return true;
}

/* Computes the product of two dwords in full: its halves are two operations. */
static void multiply_dwords(struct selection *s, LLVMValueRef i)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = pair_of(s, LLVMGetOperand(i, 0)), b = pair_of(s, LLVMGetOperand(i, 1)), out = result_of(s, i),
                product = building_place(s, lanes, out, a, b);
    struct macro_operand high = product.high, low = product.low;
    high.type = low.type = a.low.type = b.low.type = VISA_TYPE_D;
    operate(s, VISA_OP_MULH, lanes, high, a.low, b.low);
    operate(s, VISA_OP_MUL, lanes, low, a.low, b.low);
    put_in_place(s, lanes, out, product);
}

/* Computes the low 64 bits of a product: low * low in full, which is one operation on Gen9, plus the cross products in
 * the high half. */
static bool multiply(struct selection *s, LLVMValueRef i)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    if (!platform_has(s->platform, FEATURE_NATIVE_INT64) && is_signed_product(i)) {
        multiply_dwords(s, i);
        return true;
    }
    struct pair a = halves_of(s, LLVMGetOperand(i, 0)), b = halves_of(s, LLVMGetOperand(i, 1)), out = result_of(s, i),
                product = out;
    if (platform_has(s->platform, FEATURE_NATIVE_INT64)) {
        unsigned whole = out.low.variable;
        if (is_in(&a.low, &out) || is_in(&b.low, &out))
            whole = cg_new_variable(s, VISA_TYPE_UQ, lanes, 0, NULL);
        product = (struct pair){half(whole, lanes, 0), half(whole, lanes, 4)};
        operate(s, VISA_OP_MUL, lanes, macro_region(whole, VISA_TYPE_UQ, 0, lanes), a.low, b.low);
    } else {
        product = building_place(s, lanes, out, a, b);
        operate(s, VISA_OP_MULH, lanes, product.high, a.low, b.low);
        operate(s, VISA_OP_MUL, lanes, product.low, a.low, b.low);
    }
    add_cross_product(s, lanes, product.high, a.low, b.high);
    add_cross_product(s, lanes, product.high, a.high, b.low);
    put_in_place(s, lanes, out, product);
    return true;
}

/* True if `user` knows the high half of an extended dword. */
static bool knows_high_half(const struct selection *s, LLVMValueRef user, bool is_signed)
{
    LLVMOpcode op = LLVMIsABinaryOperator(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
    if (is_signed)
        return op == LLVMMul && is_signed_product(user);
    return op == LLVMMul || (op == LLVMAdd && !ir_has_int64_operation(s->platform, user));
}

bool select_is_half(const struct selection *s, LLVMValueRef value)
{
    bool is_signed = LLVMIsASExtInst(value) != NULL;
    if ((!is_signed && !LLVMIsAZExtInst(value)) || type_element_bits(LLVMTypeOf(value)) != 64 ||
        type_is_mask(LLVMTypeOf(LLVMGetOperand(value, 0))) || platform_has(s->platform, FEATURE_NATIVE_INT64))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!knows_high_half(s, LLVMGetUser(use), is_signed))
            return false;
    return true;
}

static bool extend(struct selection *s, LLVMValueRef i, bool sign)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair out = result_of(s, i);
    if (type_is_mask(LLVMTypeOf(from))) {
        struct macro w = {.op = VISA_OP_SEL, .lanes = lanes, .sources = 2, .dst = out.low};
        w.predicate = operand_mask(s, from, lanes);
        struct macro_operand one = macro_scalar(cg_new_variable(s, VISA_TYPE_UD, 1, 0, NULL), VISA_TYPE_UD, 0);
        legalize_move(s, 1, one, macro_immediate(VISA_TYPE_UD, sign ? 0xffffffff : 1));
        w.src[0] = one;
        w.src[1] = macro_immediate(VISA_TYPE_UD, 0);
        legalize_macro(s, &w);
        legalize_move(s, lanes, out.high, sign ? out.low : w.src[1]);
        return true;
    }
    struct macro_operand src = operand_source(s, from, sign ? 'S' : 'U'), low = out.low, high = out.high;
    low.type = high.type = sign ? VISA_TYPE_D : VISA_TYPE_UD;
    legalize_move(s, lanes, low, src);
    if (select_is_half(s, i))
        return true;
    if (sign)
        operate(s, VISA_OP_ASR, lanes, high, low, macro_immediate(VISA_TYPE_UD, 31));
    else
        legalize_move(s, lanes, high, macro_immediate(VISA_TYPE_UD, 0));
    return true;
}

static bool choose(struct selection *s, LLVMValueRef i)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = pair_of(s, LLVMGetOperand(i, 1)), b = pair_of(s, LLVMGetOperand(i, 2)), out = result_of(s, i);
    struct macro_operand mask = operand_mask(s, LLVMGetOperand(i, 0), lanes),
                         parts[2][3] = {{a.low, b.low, out.low}, {a.high, b.high, out.high}};
    for (unsigned k = 0; k < 2; k++) {
        struct macro w = {.op = VISA_OP_SEL, .lanes = lanes, .sources = 2, .predicate = mask, .dst = parts[k][2]};
        w.src[0] = parts[k][0];
        w.src[1] = parts[k][1];
        if (w.src[0].kind == MACRO_IMMEDIATE) {
            w.src[0] = temporary(s, lanes);
            legalize_move(s, lanes, w.src[0], parts[k][0]);
        }
        legalize_macro(s, &w);
    }
    return true;
}

static bool is_int64(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) != LLVMVoidTypeKind && !type_is_float(type) && type_element_bits(type) == 64;
}

/* The bits in which two dwords differ. */
static struct macro_operand differing_bits(struct selection *s, unsigned lanes, struct macro_operand a,
                                           struct macro_operand b)
{
    if (is_zero(&b))
        return a;
    struct macro_operand bits = temporary(s, lanes);
    operate(s, VISA_OP_XOR, lanes, bits, a, b);
    return bits;
}

static void compare_bits(struct selection *s, enum visa_condition c, unsigned lanes, struct macro_operand mask,
                         struct pair a, struct pair b)
{
    struct macro_operand low = differing_bits(s, lanes, a.low, b.low), high = differing_bits(s, lanes, a.high, b.high),
                         difference = temporary(s, lanes);
    operate(s, VISA_OP_OR, lanes, difference, low, high);
    compare(s, c, lanes, mask, difference, macro_immediate(VISA_TYPE_UD, 0));
}

bool select_equals_wide(struct selection *s, struct macro_operand mask, LLVMValueRef value, LLVMValueRef number)
{
    if (platform_has(s->platform, FEATURE_NATIVE_INT64) || !is_int64(value))
        return false;
    compare_bits(s, VISA_EQ, 1, mask, pair_of(s, value), pair_of(s, number));
    return true;
}

/* True if no low half can be below, or above, that of the number: "below 0" is a question of the high halves. */
static bool high_decides(enum visa_condition c, const struct macro_operand *low)
{
    uint64_t limit = c == VISA_LT || c == VISA_GE ? 0 : UINT32_MAX;
    return low->kind == MACRO_IMMEDIATE && (low->bits & UINT32_MAX) == limit;
}

/* Compares the high halves, and if they are equal the low ones, unsigned. */
static bool order(struct selection *s, LLVMValueRef i)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(x)), out = operand_mask_variable(s, i);
    struct pair a = pair_of(s, x), b = pair_of(s, y);
    struct macro_operand mask = {.kind = MACRO_MASK, .variable = out};
    if (p == LLVMIntEQ || p == LLVMIntNE) {
        compare_bits(s, p == LLVMIntEQ ? VISA_EQ : VISA_NE, lanes, mask, a, b);
        return true;
    }
    bool is_signed = p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntSLT || p == LLVMIntSLE;
    bool greater = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
    bool equal = p == LLVMIntUGE || p == LLVMIntULE || p == LLVMIntSGE || p == LLVMIntSLE;
    enum visa_condition low_order = greater ? (equal ? VISA_GE : VISA_GT) : (equal ? VISA_LE : VISA_LT);
    if (high_decides(low_order, &b.low)) {
        a.high.type = b.high.type = is_signed ? VISA_TYPE_D : VISA_TYPE_UD;
        compare(s, low_order, lanes, mask, a.high, b.high);
        return true;
    }
    /* The low halves decide where the high ones are equal; by numbers of 0 and 1 where logic on masks is slow. */
    struct macro_operand low = temporary_mask(s, lanes), high = temporary_mask(s, lanes),
                         differ = temporary_mask(s, lanes);
    compare(s, low_order, lanes, low, a.low, b.low);
    bool is_one = 8 * lanes <= 2 * s->platform->grf_bytes; /* the finalizer makes predicated compares of logic then */
    bool by_logic = lanes == 1 || (is_one && !s->unmasked_is_slow && !s->channels.live[s->block]);
    compare(s, by_logic ? VISA_EQ : VISA_NE, lanes, differ, a.high, b.high);
    a.high.type = b.high.type = is_signed ? VISA_TYPE_D : VISA_TYPE_UD;
    if (by_logic) {
        select_mask_logic(s, VISA_OP_AND, lanes, low.variable, low.variable, differ.variable);
        compare(s, greater ? VISA_GT : VISA_LT, lanes, high, a.high, b.high);
        select_mask_logic(s, VISA_OP_OR, lanes, out, low.variable, high.variable);
        return true;
    }
    compare(s, greater ? VISA_GT : VISA_LT, lanes, high, a.high, b.high);
    struct macro_operand word = temporary(s, lanes), other = temporary(s, lanes), one = temporary(s, 1);
    one = macro_scalar(one.variable, VISA_TYPE_UD, 0);
    legalize_move(s, 1, one, macro_immediate(VISA_TYPE_UD, 1));
    struct macro pick = {.op = VISA_OP_SEL,
                         .lanes = lanes,
                         .sources = 2,
                         .predicate = low,
                         .dst = word,
                         .src = {one, macro_immediate(VISA_TYPE_UD, 0)}};
    legalize_macro(s, &pick);
    pick.predicate = high;
    pick.dst = other;
    legalize_macro(s, &pick);
    pick.predicate = differ;
    pick.dst = word;
    pick.src[0] = other;
    pick.src[1] = word;
    legalize_macro(s, &pick);
    compare(s, VISA_NE, lanes, mask, word, macro_immediate(VISA_TYPE_UD, 0));
    return true;
}

/* The same of a constant. */
static bool saturate_constant(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    uint64_t bits;
    if (!constant_splat_bits(LLVMGetOperand(i, 0), &bits))
        return false;
    bool is_signed = saturates_to_signed(id), is_negative = saturates_signed(id) && (int64_t)bits < 0;
    unsigned width = type_element_bits(LLVMTypeOf(i)) - is_signed;
    uint64_t most = (1ull << width) - 1, least = is_signed ? ~most : 0;
    if (is_negative ? (int64_t)bits < (int64_t)least : bits > most)
        bits = is_negative ? least : most;
    struct macro_operand number = macro_immediate_of(type_element(LLVMTypeOf(i)), bits, is_signed ? 'S' : 'U');
    legalize_move(s, type_lanes(LLVMTypeOf(i)), operand_destination(s, i, is_signed ? 'S' : 'U'), number);
    return true;
}

/* Clamps 64-bit lanes to a dword, signed or not; the narrower result is a saturating move of that. */
static bool saturate(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    if (saturate_constant(s, i, id))
        return true;
    bool from_signed = saturates_signed(id), to_signed = saturates_to_signed(id);
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair a = pair_of(s, LLVMGetOperand(i, 0));
    struct macro_operand high = a.high, low = temporary(s, lanes), limit = temporary(s, lanes),
                         fits = temporary_mask(s, lanes);
    struct macro_operand zero = macro_immediate(VISA_TYPE_UD, 0);
    legalize_move(s, lanes, low, a.low);
    high.type = from_signed ? VISA_TYPE_D : VISA_TYPE_UD;
    if (to_signed) { /* the limit is 0x7fffffff, or its complement where the number is negative; it fits if high == low
                        >> 31 */
        struct macro_operand sign = temporary(s, lanes), top = low, below = high;
        sign.type = top.type = VISA_TYPE_D;
        if (from_signed)
            operate(s, VISA_OP_ASR, lanes, sign, below, macro_immediate(VISA_TYPE_UD, 31));
        else
            legalize_move(s, lanes, sign, macro_immediate(VISA_TYPE_D, 0));
        operate(s, VISA_OP_XOR, lanes, limit, sign, macro_immediate(VISA_TYPE_D, 0x7fffffff));
        operate(s, VISA_OP_ASR, lanes, sign, top, macro_immediate(VISA_TYPE_UD, 31));
        if (!from_signed) { /* low must be below 2^31 too: its sign bit counts as out of range */
            struct macro_operand plain = sign;
            plain.type = VISA_TYPE_UD;
            operate(s, VISA_OP_OR, lanes, plain, plain, a.high);
            compare(s, VISA_EQ, lanes, fits, plain, zero);
        } else {
            high.type = sign.type = VISA_TYPE_D;
            compare(s, VISA_EQ, lanes, fits, high, sign);
        }
    } else { /* all ones, or 0 where the number is negative; it fits if high == 0 */
        struct macro_operand sign = limit;
        if (from_signed) {
            sign.type = VISA_TYPE_D;
            operate(s, VISA_OP_ASR, lanes, sign, high, macro_immediate(VISA_TYPE_UD, 31));
            operate(s, VISA_OP_XOR, lanes, sign, sign, macro_immediate(VISA_TYPE_D, 0xffffffff));
        } else {
            legalize_move(s, lanes, limit, macro_immediate(VISA_TYPE_UD, 0xffffffff));
        }
        compare(s, VISA_EQ, lanes, fits, a.high, zero);
    }
    pick(s, lanes, fits, low, low, limit);
    struct macro narrow = {.op = VISA_OP_MOV, .lanes = lanes, .saturate = true, .sources = 1, .src = {low}};
    narrow.src[0].type = to_signed ? VISA_TYPE_D : VISA_TYPE_UD;
    narrow.dst = operand_destination(s, i, to_signed ? 'S' : 'U');
    legalize_macro(s, &narrow);
    return true;
}

/* Saturating conversion to 64 bits: out of range are only negative numbers, or results that would get a sign. */
static bool saturate_wide(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    bool from_signed = saturates_signed(id), to_signed = saturates_to_signed(id);
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct pair out = result_of(s, i);
    if (type_element_bits(LLVMTypeOf(from)) < 64 && from_signed == to_signed)
        return extend(s, i, from_signed);
    struct pair a = {temporary(s, lanes), temporary(s, lanes)};
    if (type_element_bits(LLVMTypeOf(from)) == 64) {
        a = pair_of(s, from);
    } else {
        struct macro_operand low = a.low;
        low.type = from_signed ? VISA_TYPE_D : VISA_TYPE_UD;
        legalize_move(s, lanes, low, operand_source(s, from, from_signed ? 'S' : 'U'));
        legalize_move(s, lanes, a.high, macro_immediate(VISA_TYPE_UD, 0));
        if (from_signed) {
            struct macro_operand high = a.high;
            high.type = VISA_TYPE_D;
            operate(s, VISA_OP_ASR, lanes, high, low, macro_immediate(VISA_TYPE_UD, 31));
        }
    }
    if (from_signed == to_signed) {
        legalize_move(s, lanes, out.low, a.low);
        legalize_move(s, lanes, out.high, a.high);
        return true;
    }
    struct macro_operand negative = temporary_mask(s, lanes), high = a.high;
    high.type = VISA_TYPE_D;
    compare(s, VISA_LT, lanes, negative, high, macro_immediate(VISA_TYPE_D, 0));
    pick(s, lanes, negative, out.low, macro_immediate(VISA_TYPE_UD, from_signed ? 0 : 0xffffffff), a.low);
    pick(s, lanes, negative, out.high, macro_immediate(VISA_TYPE_UD, from_signed ? 0 : 0x7fffffff), a.high);
    return true;
}

static bool product_or_quotient(struct selection *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMMul: return multiply(s, i);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return cg_fail(s, i, LOWER_FAULT("a division of 64-bit integers"));
    default: return false;
    }
}

static bool select_in_dwords(struct selection *s, LLVMValueRef i)
{
    if (platform_has(s->platform,
                     FEATURE_NATIVE_INT64)) /* has them but for products and quotients, which vISA lacks everywhere */
        return !LLVMIsACallInst(i) && is_int64(i) && product_or_quotient(s, i);
    if (LLVMIsACallInst(i)) {
        enum genx_id id = genx_call_id(i);
        if (!is_saturation(id) || bale_saturated_operation(i))
            return false;
        return is_int64(i) ? saturate_wide(s, i, id) : is_int64(LLVMGetOperand(i, 0)) && saturate(s, i, id);
    }
    if (LLVMIsAICmpInst(i))
        return is_int64(LLVMGetOperand(i, 0)) && order(s, i);
    if (!is_int64(i) || ir_has_int64_operation(s->platform, i))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd: return add_or_subtract(s, i, false);
    case LLVMSub: return add_or_subtract(s, i, true);
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return product_or_quotient(s, i);
    case LLVMAnd: return logic(s, i, VISA_OP_AND);
    case LLVMOr: return logic(s, i, VISA_OP_OR);
    case LLVMXor: return logic(s, i, VISA_OP_XOR);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return shift(s, i, LLVMGetInstructionOpcode(i));
    case LLVMZExt: return extend(s, i, false);
    case LLVMSExt: return extend(s, i, true);
    case LLVMSelect: return choose(s, i);
    case LLVMFPToSI:
    case LLVMFPToUI: cg_refuse_doubles(s, i); return true; /* pass_int64_fp_convert leaves no others */
    default:
        return cg_fail(s, i, "this operation on 64-bit integers is not available on %s (%s has it)", s->platform->name,
                       feature_first(FEATURE_NATIVE_INT64));
    }
}

bool select_wide_integer(struct selection *s, LLVMValueRef i)
{
    bool selected = select_in_dwords(s, i);
    if (selected && type_lanes(LLVMTypeOf(i)) > 1 && /* single ones are addresses, mostly */
        !platform_has(s->platform, FEATURE_NATIVE_INT64))
        remark_at(i, REMARK_INT64, type_lanes(LLVMTypeOf(i)));
    return selected;
}
