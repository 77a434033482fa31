/* Masks: compares, logic on masks, reductions any and all. A mask of N lanes is one predicate variable per 32 lanes. */
#include "lower/analysis/range.h"
#include "lower/codegen/select/select.h"

static enum visa_condition integer_condition(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ: return VISA_EQ;
    case LLVMIntNE: return VISA_NE;
    case LLVMIntUGT: case LLVMIntSGT: return VISA_GT;
    case LLVMIntUGE: case LLVMIntSGE: return VISA_GE;
    case LLVMIntULT: case LLVMIntSLT: return VISA_LT;
    default: return VISA_LE;
    }
}

static enum visa_condition mirrored(enum visa_condition c)
{
    switch (c) {
    case VISA_GT: return VISA_LT;
    case VISA_GE: return VISA_LE;
    case VISA_LT: return VISA_GT;
    case VISA_LE: return VISA_GE;
    default: return c;
    }
}

/* One compare of two operands into `mask`; an immediate goes second, two of them through a variable. */
static void compare(struct selection *s, enum visa_condition c, unsigned lanes, unsigned mask, struct wide_operand a, struct wide_operand b)
{
    struct wide w = {.op = VISA_OP_CMP, .condition = c, .lanes = lanes, .sources = 2, .src = {a, b}};
    if (a.kind == WIDE_IMMEDIATE && b.kind == WIDE_IMMEDIATE) {
        unsigned v = new_variable(s, a.type, 1, 0, NULL);
        wide_move(s, 1, wide_scalar(v, a.type, 0), a);
        w.src[0] = wide_scalar(v, a.type, 0);
    } else if (a.kind == WIDE_IMMEDIATE) {
        w.src[0] = b, w.src[1] = a;
        w.condition = mirrored(c);
    }
    w.dst = (struct wide_operand){.kind = WIDE_MASK, .variable = mask};
    wide_emit(s, &w);
}

/* `value` to the lanes of t that the mask has, or (`inverse`) has not. */
static void set_words(struct selection *s, struct wide_operand t, unsigned lanes, unsigned mask, bool inverse, unsigned value)
{
    struct wide w = {.op = VISA_OP_MOV, .lanes = lanes, .sources = 1, .dst = t, .src = {wide_immediate(VISA_TYPE_UW, value)}};
    w.predicate = (struct wide_operand){.kind = WIDE_MASK, .variable = mask};
    w.inverse = inverse;
    wide_emit(s, &w);
}

/* The same by words of 0 and 1 under the masks: where the finalizer guards an instruction without execution mask, that takes
 * six others. (So would a choice between two immediates, of which one needs a register.) */
static void logic_in_words(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b)
{
    struct wide_operand t = wide_region(new_variable(s, VISA_TYPE_UW, lanes, s->platform->grf_bytes, NULL), VISA_TYPE_UW, 0, lanes);
    wide_move(s, lanes, t, wide_immediate(VISA_TYPE_UW, 0));
    set_words(s, t, lanes, a, op == VISA_OP_NOT, 1);
    if (op == VISA_OP_AND && a != b)
        set_words(s, t, lanes, b, true, 0);
    else if (op == VISA_OP_OR && a != b)
        set_words(s, t, lanes, b, false, 1);
    if (op == VISA_OP_XOR) {
        struct wide w = {.op = VISA_OP_XOR, .lanes = lanes, .sources = 2, .dst = t, .src = {t, wide_immediate(VISA_TYPE_UW, 1)}};
        w.predicate = (struct wide_operand){.kind = WIDE_MASK, .variable = b};
        wide_emit(s, &w);
    }
    compare(s, VISA_NE, lanes, dst, t, wide_immediate(VISA_TYPE_UW, 0));
}

/* op dst, a[, b] on all parts of masks. */
static void mask_logic(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b)
{
    if (s->channels.live[s->block] && counts_by_channel(&s->channels, s->current))
        channel_logic(s, op, lanes, dst, a, b);
    else if (s->unmasked_is_slow && lanes > 1)
        logic_in_words(s, op, lanes, dst, a, b);
    else
        logic_of_parts(s, op, lanes, dst, a, b);
}

void mask_copy(struct selection *s, unsigned lanes, unsigned dst, unsigned src)
{
    if (dst != src)
        mask_logic(s, VISA_OP_OR, lanes, dst, src, src);
}

static bool select_icmp(struct selection *s, LLVMValueRef i)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(a)), mask = mask_variable(s, i);
    if (type_is_mask(LLVMTypeOf(a))) { /* equality of masks */
        mask_logic(s, VISA_OP_XOR, lanes, mask, mask_variable(s, a), mask_variable(s, b));
        if (p == LLVMIntEQ)
            mask_logic(s, VISA_OP_NOT, lanes, mask, mask, 0);
        return p == LLVMIntEQ || p == LLVMIntNE || select_fail(s, i, "order of masks");
    }
    if (type_element_bits(LLVMTypeOf(a)) == 64 && s->platform->generation != 9)
        return false;
    char sign = is_unsigned_order(p) ? 'U' : 'S';
    if (lanes > MASK_PART_LANES && splat_number(a) && splat_number(b) && share_mask_parts(s, i))
        lanes = MASK_PART_LANES;
    compare(s, integer_condition(p), lanes, mask, source(s, a, sign), source(s, b, sign));
    return true;
}

/* A float compare is false where a number is NaN, except "not equal". The unordered ones are the ordered opposite, inverted. */
static bool select_fcmp(struct selection *s, LLVMValueRef i)
{
    LLVMRealPredicate p = LLVMGetFCmpPredicate(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(a)), mask = mask_variable(s, i);
    static const struct { enum visa_condition condition; bool invert; } simple[] = {
        [LLVMRealOEQ] = {VISA_EQ, false}, [LLVMRealOGT] = {VISA_GT, false}, [LLVMRealOGE] = {VISA_GE, false},
        [LLVMRealOLT] = {VISA_LT, false}, [LLVMRealOLE] = {VISA_LE, false}, [LLVMRealUNE] = {VISA_NE, false},
        [LLVMRealUGT] = {VISA_LE, true},  [LLVMRealUGE] = {VISA_LT, true},  [LLVMRealULT] = {VISA_GE, true},
        [LLVMRealULE] = {VISA_GT, true},
    };
    struct wide_operand x = source(s, a, 'F'), y = source(s, b, 'F');
    if (p < sizeof simple / sizeof *simple && simple[p].condition != VISA_COND_NONE) {
        compare(s, simple[p].condition, lanes, mask, x, y);
        if (simple[p].invert)
            mask_logic(s, VISA_OP_NOT, lanes, mask, mask, 0);
        return true;
    }
    unsigned other = 0;
    for (unsigned part = 0; part < mask_parts(lanes); part++) {
        unsigned v = new_predicate(s, lanes - part * MASK_PART_LANES < 32 ? lanes - part * MASK_PART_LANES : 32);
        other = part ? other : v;
    }
    if (p == LLVMRealONE || p == LLVMRealUEQ) {
        compare(s, VISA_LT, lanes, mask, x, y);
        compare(s, VISA_GT, lanes, other, x, y);
    } else if (p == LLVMRealUNO || p == LLVMRealORD) {
        compare(s, VISA_NE, lanes, mask, x, x);
        compare(s, VISA_NE, lanes, other, y, y);
    } else {
        return select_fail(s, i, "a float compare that is always true or false");
    }
    mask_logic(s, VISA_OP_OR, lanes, mask, mask, other);
    if (p == LLVMRealUEQ || p == LLVMRealORD)
        mask_logic(s, VISA_OP_NOT, lanes, mask, mask, 0);
    return true;
}

/* Bit 0 of each lane. */
static bool select_trunc(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(from));
    enum visa_type type = visa_type_of(type_element(LLVMTypeOf(from)), 'U');
    if (visa_type_bytes(type) == 8) /* bit 0 is in the low half, on every part */
        type = VISA_TYPE_UD;
    unsigned bits = new_variable(s, type, lanes, 0, NULL);
    struct wide w = {.op = VISA_OP_AND, .lanes = lanes, .sources = 2, .dst = wide_region(bits, type, 0, lanes)};
    w.src[0] = source(s, from, 'U');
    if (w.src[0].kind == WIDE_IMMEDIATE)
        return select_fail(s, i, "internal: bit 0 of a constant");
    w.src[0].type = type;
    w.src[1] = wide_immediate(type, 1);
    if (range_within(integer_range(from), 0, 1)) { /* nothing but bit 0 is there */
        compare(s, VISA_NE, lanes, mask_variable(s, i), w.src[0], wide_immediate(type, 0));
        return true;
    }
    wide_emit(s, &w);
    compare(s, VISA_NE, lanes, mask_variable(s, i), wide_region(bits, type, 0, lanes), wide_immediate(type, 0));
    return true;
}

static bool select_logic(struct selection *s, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    if (op != LLVMAnd && op != LLVMOr && op != LLVMXor)
        return false;
    bool ones = true, undefined;
    uint64_t lane;
    for (unsigned k = 0; k < lanes; k++)
        ones = ones && constant_lane(b, k, &lane, &undefined) && (lane & 1 || undefined);
    if (op == LLVMXor && ones)
        mask_logic(s, VISA_OP_NOT, lanes, mask_variable(s, i), mask_variable(s, a), 0);
    else
        mask_logic(s, op == LLVMAnd ? VISA_OP_AND : op == LLVMOr ? VISA_OP_OR : VISA_OP_XOR, lanes, mask_variable(s, i),
                   mask_variable(s, a), mask_variable(s, b));
    return true;
}

/* 0: no lane set, 1: every lane, -1: neither, or not known. */
static int known_mask(LLVMValueRef mask)
{
    if (!LLVMIsConstant(mask) || LLVMIsUndef(mask) || LLVMIsPoison(mask))
        return -1;
    return LLVMIsNull(mask) ? 0 : mask_is_full(mask) ? 1 : -1;
}

/* select of masks: (c & a) | (~c & b). What && and || make of numbers' compares has a constant on one side. */
static bool select_mask_select(struct selection *s, LLVMValueRef i)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i)), out = mask_variable(s, i);
    unsigned c = mask_operand(s, LLVMGetOperand(i, 0), lanes).variable;
    if (known_mask(LLVMGetOperand(i, 2)) == 0 || known_mask(LLVMGetOperand(i, 1)) == 1) {
        bool both = known_mask(LLVMGetOperand(i, 2)) == 0;
        mask_logic(s, both ? VISA_OP_AND : VISA_OP_OR, lanes, out, c, mask_variable(s, LLVMGetOperand(i, both ? 1 : 2)));
        return true;
    }
    unsigned a = mask_variable(s, LLVMGetOperand(i, 1)), b = mask_variable(s, LLVMGetOperand(i, 2)), t[2];
    for (unsigned k = 0; k < 2; k++)
        for (unsigned part = 0; part < mask_parts(lanes); part++) {
            unsigned v = new_predicate(s, lanes - part * MASK_PART_LANES < 32 ? lanes - part * MASK_PART_LANES : 32);
            if (part == 0)
                t[k] = v;
        }
    mask_logic(s, VISA_OP_AND, lanes, t[0], c, a);
    mask_logic(s, VISA_OP_NOT, lanes, t[1], c, 0);
    mask_logic(s, VISA_OP_AND, lanes, t[1], t[1], b);
    mask_logic(s, VISA_OP_OR, lanes, out, t[0], t[1]);
    return true;
}

static uint32_t part_bits(unsigned lanes, unsigned part)
{
    unsigned n = lanes - part * MASK_PART_LANES;
    return n >= 32 ? 0xffffffffu : (1u << n) - 1;
}

/* The mask's bits outside its lanes are unknown: they are cut off before bits are compared. */
static bool select_reduction(struct selection *s, LLVMValueRef i, bool all)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(from)), mask = mask_variable(s, from), sum = 0;
    for (unsigned part = 0; part < mask_parts(lanes); part++) {
        uint32_t full = part_bits(lanes, part);
        unsigned bits = mask_to_bits(s, mask + part);
        struct wide w = {.op = VISA_OP_AND, .lanes = 1, .sources = 2, .dst = wide_scalar(bits, VISA_TYPE_UD, 0)};
        w.src[0] = wide_scalar(bits, VISA_TYPE_UD, 0);
        w.src[1] = wide_immediate(VISA_TYPE_UD, full);
        if (full != 0xffffffffu && full != 0xffff) /* predicates are of 16 or 32 lanes: nothing unknown in those */
            wide_emit(s, &w);
        if (all && lanes <= MASK_PART_LANES) {
            compare(s, VISA_EQ, 1, mask_variable(s, i), w.dst, wide_immediate(VISA_TYPE_UD, full));
            return true;
        }
        if (all) { /* missing lanes instead of live ones */
            w.op = VISA_OP_XOR;
            wide_emit(s, &w);
        }
        if (part) {
            w.op = VISA_OP_OR;
            w.dst = w.src[0] = wide_scalar(sum, VISA_TYPE_UD, 0);
            w.src[1] = wide_scalar(bits, VISA_TYPE_UD, 0);
            wide_emit(s, &w);
        } else {
            sum = bits;
        }
    }
    compare(s, all ? VISA_EQ : VISA_NE, 1, mask_variable(s, i), wide_scalar(sum, VISA_TYPE_UD, 0), wide_immediate(VISA_TYPE_UD, 0));
    return true;
}

/* Part `number` of a mask, of 32 lanes, as a dword in a variable of its own. */
static struct wide_operand bits_of_part(struct selection *s, LLVMValueRef mask, unsigned number)
{
    return wide_scalar(mask_to_bits(s, mask_variable(s, mask) + number), VISA_TYPE_UD, 0);
}

/* A run of lanes of a mask, inside one part of it or of whole parts. */
static bool select_mask_run(struct selection *s, LLVMValueRef i, unsigned first)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = LLVMGetNumMaskElements(i), part = first / MASK_PART_LANES, at = first % MASK_PART_LANES;
    if (lanes > MASK_PART_LANES ? at != 0 : at + lanes > MASK_PART_LANES)
        return select_fail(s, i, "a run of mask lanes across two flag registers");
    for (unsigned n = 0; n * MASK_PART_LANES < lanes; n++) {
        struct wide_operand o = bits_of_part(s, from, part + n);
        struct wide w = {.op = VISA_OP_SHR, .lanes = 1, .sources = 2, .dst = o, .src = {o, wide_immediate(VISA_TYPE_UD, at)}};
        wide_emit(s, &w);
        bits_to_mask(s, mask_variable(s, i) + n, general_operand(&o));
    }
    return true;
}

/* A mask of up to 32 lanes, a power of two, again and again. */
static bool select_mask_repeat(struct selection *s, LLVMValueRef i, unsigned inputs)
{
    struct wide_operand o = bits_of_part(s, LLVMGetOperand(i, 0), 0);
    struct wide_operand copy = wide_scalar(new_variable(s, VISA_TYPE_UD, 1, 0, NULL), VISA_TYPE_UD, 0);
    struct wide mask = {.op = VISA_OP_AND, .lanes = 1, .sources = 2, .dst = o, .src = {o}};
    mask.src[1] = wide_immediate(VISA_TYPE_UD, part_bits(inputs, 0));
    wide_emit(s, &mask);
    for (unsigned lanes = inputs; lanes < MASK_PART_LANES; lanes *= 2) {
        struct wide shift = {.op = VISA_OP_SHL, .lanes = 1, .sources = 2, .dst = copy, .src = {o}};
        shift.src[1] = wide_immediate(VISA_TYPE_UD, lanes);
        wide_emit(s, &shift);
        struct wide both = {.op = VISA_OP_OR, .lanes = 1, .sources = 2, .dst = o, .src = {o, copy}};
        wide_emit(s, &both);
    }
    for (unsigned n = 0; n < mask_parts(LLVMGetNumMaskElements(i)); n++)
        bits_to_mask(s, mask_variable(s, i) + n, general_operand(&o));
    return true;
}

/* Lanes of a mask picked by constants: a run of lanes, one lane for all, or all lanes again and again. */
static bool select_mask_shuffle(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = LLVMGetNumMaskElements(i), inputs = type_lanes(LLVMTypeOf(from));
    unsigned first;
    bool splat = true, repeat = inputs <= MASK_PART_LANES && (inputs & (inputs - 1)) == 0;
    for (unsigned k = 0; k < lanes; k++) {
        int lane = LLVMGetMaskValue(i, k);
        splat = splat && (lane < 0 || lane == 0);
        repeat = repeat && (lane < 0 || lane == (int)(k % inputs));
    }
    if (is_run(i, &first))
        return select_mask_run(s, i, first);
    if (!splat)
        return repeat ? select_mask_repeat(s, i, inputs) : select_fail(s, i, "a shuffle of mask lanes");
    struct wide_operand o = bits_of_part(s, from, 0), minus = o;
    struct wide w = {.op = VISA_OP_AND, .lanes = 1, .sources = 2, .dst = o, .src = {o, wide_immediate(VISA_TYPE_UD, 1)}};
    wide_emit(s, &w);
    minus.modifier = VISA_MODIFIER_NEGATE; /* 1 to all ones, 0 to 0 */
    minus.type = VISA_TYPE_D;
    wide_move(s, 1, wide_scalar(o.variable, VISA_TYPE_D, 0), minus);
    for (unsigned n = 0; n * MASK_PART_LANES < lanes; n++)
        bits_to_mask(s, mask_variable(s, i) + n, general_operand(&o));
    return true;
}

/* Lane of a mask by number, and a mask with one lane changed. */
static bool select_mask_element(struct selection *s, LLVMValueRef i, bool insert)
{
    LLVMValueRef old = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(old));
    int64_t lane;
    if (!constant_int(LLVMGetOperand(i, insert ? 2 : 1), &lane))
        return select_fail(s, i, "a lane of a mask chosen at run time");
    unsigned part = (unsigned)lane / MASK_PART_LANES;
    struct wide_operand bit = wide_immediate(VISA_TYPE_UD, 1ull << lane % MASK_PART_LANES);
    if (!insert) {
        struct wide_operand o = bits_of_part(s, old, part);
        struct wide w = {.op = VISA_OP_AND, .lanes = 1, .sources = 2, .dst = o, .src = {o, bit}};
        wide_emit(s, &w);
        compare(s, VISA_NE, 1, mask_variable(s, i), o, wide_immediate(VISA_TYPE_UD, 0));
        return true;
    }
    struct wide_operand r = wide_scalar(new_variable(s, VISA_TYPE_UD, 1, 0, NULL), VISA_TYPE_UD, 0);
    if (LLVMIsUndef(old)) {
        wide_move(s, 1, r, wide_immediate(VISA_TYPE_UD, 0));
    } else {
        struct wide keep = {.op = VISA_OP_AND, .lanes = 1, .sources = 2, .dst = r, .src = {bits_of_part(s, old, part)}};
        keep.src[1] = wide_immediate(VISA_TYPE_UD, ~bit.bits & 0xffffffffu);
        wide_emit(s, &keep);
        if (lanes > MASK_PART_LANES)
            mask_copy(s, lanes, mask_variable(s, i), mask_variable(s, old));
    }
    struct wide set = {.op = VISA_OP_OR, .lanes = 1, .sources = 2, .dst = r, .src = {r, bit}};
    set.predicate = mask_operand(s, LLVMGetOperand(i, 1), 1);
    wide_emit(s, &set);
    bits_to_mask(s, mask_variable(s, i) + part, general_operand(&r));
    return true;
}

bool select_mask(struct selection *s, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || !type_is_mask(LLVMTypeOf(i)))
        return false;
    enum genx_id id = genx_call_id(i);
    if (id == GENX_ANY || id == GENX_ALL)
        return select_reduction(s, i, id == GENX_ALL);
    if (LLVMIsAICmpInst(i))
        return select_icmp(s, i);
    if (LLVMIsAFCmpInst(i))
        return select_fcmp(s, i);
    if (LLVMIsATruncInst(i))
        return select_trunc(s, i);
    if (LLVMIsASelectInst(i))
        return select_mask_select(s, i);
    if (LLVMIsAShuffleVectorInst(i))
        return select_mask_shuffle(s, i);
    if (LLVMIsAExtractElementInst(i) || LLVMIsAInsertElementInst(i))
        return select_mask_element(s, i, LLVMIsAInsertElementInst(i));
    return LLVMIsABinaryOperator(i) && select_logic(s, i);
}
