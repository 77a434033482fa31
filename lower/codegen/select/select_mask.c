/* Selects mask operations: compares, logic on masks, reductions any and all. A mask of N lanes is one predicate
 * variable per 32 lanes. */
#include "lower/analysis/range.h"

#include <assert.h>
#include "lower/codegen/select/select_mask.h"

static enum visa_condition integer_condition(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ: return VISA_EQ;
    case LLVMIntNE: return VISA_NE;
    case LLVMIntUGT:
    case LLVMIntSGT: return VISA_GT;
    case LLVMIntUGE:
    case LLVMIntSGE: return VISA_GE;
    case LLVMIntULT:
    case LLVMIntSLT: return VISA_LT;
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

/* An immediate must be the second operand; the first of two goes through a variable. */
void select_compare_to_mask(struct selection *s, enum visa_condition c, unsigned lanes, unsigned mask,
                            struct macro_operand a, struct macro_operand b)
{
    assert(lanes >= 1 && mask);
    struct macro w = {.op = VISA_OP_CMP, .condition = c, .lanes = lanes, .sources = 2, .src = {a, b}};
    if (a.kind == MACRO_IMMEDIATE && b.kind == MACRO_IMMEDIATE) {
        unsigned v = cg_new_variable(s, a.type, 1, 0, NULL);
        legalize_move(s, 1, macro_scalar(v, a.type, 0), a);
        w.src[0] = macro_scalar(v, a.type, 0);
    } else if (a.kind == MACRO_IMMEDIATE) {
        w.src[0] = b, w.src[1] = a;
        w.condition = mirrored(c);
    }
    w.dst = (struct macro_operand){.kind = MACRO_MASK, .variable = mask};
    legalize_macro(s, &w);
}

void select_set_words(struct selection *s, struct macro_operand t, unsigned lanes, unsigned mask, bool inverse,
                      unsigned value)
{
    assert(t.kind == MACRO_REGION && lanes >= 1 && mask && value <= UINT16_MAX);
    struct macro w = {
        .op = VISA_OP_MOV, .lanes = lanes, .sources = 1, .dst = t, .src = {macro_immediate(VISA_TYPE_UW, value)}};
    w.predicate = (struct macro_operand){.kind = MACRO_MASK, .variable = mask};
    w.inverse = inverse;
    legalize_macro(s, &w);
}

/* The same on words of 0 and 1 under the masks. Where the finalizer guards instructions without execution mask, logic
 * on predicates takes six more instructions. (So would a select between two immediates, of which one needs a register.)
 */
static void logic_in_words(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a,
                           unsigned b)
{
    struct macro_operand t =
        macro_region(cg_new_variable(s, VISA_TYPE_UW, lanes, s->platform->grf_bytes, NULL), VISA_TYPE_UW, 0, lanes);
    legalize_move(s, lanes, t, macro_immediate(VISA_TYPE_UW, 0));
    select_set_words(s, t, lanes, a, op == VISA_OP_NOT, 1);
    if (op == VISA_OP_AND && a != b)
        select_set_words(s, t, lanes, b, true, 0);
    else if (op == VISA_OP_OR && a != b)
        select_set_words(s, t, lanes, b, false, 1);
    if (op == VISA_OP_XOR) {
        struct macro w = {
            .op = VISA_OP_XOR, .lanes = lanes, .sources = 2, .dst = t, .src = {t, macro_immediate(VISA_TYPE_UW, 1)}};
        w.predicate = (struct macro_operand){.kind = MACRO_MASK, .variable = b};
        legalize_macro(s, &w);
    }
    select_compare_to_mask(s, VISA_NE, lanes, dst, t, macro_immediate(VISA_TYPE_UW, 0));
}

void select_mask_logic(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b)
{
    assert(lanes >= 1 && dst && a);
    if (s->channels.live[s->block] && goto_loops_counts(&s->channels, s->current))
        cg_channel_logic(s, op, lanes, dst, a, b);
    else if (s->unmasked_is_slow && lanes > 1)
        logic_in_words(s, op, lanes, dst, a, b);
    else
        cg_logic_of_parts(s, op, lanes, dst, a, b);
}

void select_mask_copy(struct selection *s, unsigned lanes, unsigned dst, unsigned src)
{
    assert(lanes >= 1 && dst && src);
    if (dst != src)
        select_mask_logic(s, VISA_OP_OR, lanes, dst, src, src);
}

static void set_all_lanes(struct selection *s, unsigned lanes, unsigned mask, bool on)
{
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++)
        cg_bits_to_mask(s, mask + part,
                        (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE,
                                              .type = VISA_TYPE_UD,
                                              .bits = on ? select_mask_part_bits(lanes, part) : 0});
}

/* dst = ~a & b. */
static void mask_without(struct selection *s, unsigned lanes, unsigned dst, unsigned a, unsigned b)
{
    unsigned rest = cg_new_mask(s, lanes);
    select_mask_logic(s, VISA_OP_NOT, lanes, rest, a, 0);
    select_mask_logic(s, VISA_OP_AND, lanes, dst, rest, b);
}

/* Compares lanes as numbers of one bit: 0 and 1, or 0 and -1. */
static void compare_masks(struct selection *s, LLVMIntPredicate p, unsigned lanes, unsigned mask, unsigned a,
                          unsigned b)
{
    bool equal = p == LLVMIntEQ || p == LLVMIntNE;
    bool greater =
        p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSLT || p == LLVMIntSLE; /* a may be set and b not */
    bool inverse = p == LLVMIntEQ || p == LLVMIntUGE || p == LLVMIntULE || p == LLVMIntSGE || p == LLVMIntSLE;
    if (equal)
        select_mask_logic(s, VISA_OP_XOR, lanes, mask, a, b);
    else if (greater != inverse) /* a > b, and a <= b is its opposite */
        mask_without(s, lanes, mask, b, a);
    else
        mask_without(s, lanes, mask, a, b);
    if (inverse)
        select_mask_logic(s, VISA_OP_NOT, lanes, mask, mask, 0);
}

static bool select_icmp(struct selection *s, LLVMValueRef i)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(a)), mask = operand_mask_variable(s, i);
    if (type_is_mask(LLVMTypeOf(a))) {
        compare_masks(s, p, lanes, mask, operand_mask_variable(s, a), operand_mask_variable(s, b));
        return true;
    }
    if (type_element_bits(LLVMTypeOf(a)) == 64 && !platform_has(s->platform, FEATURE_NATIVE_INT64))
        return false;
    char sign = ir_is_unsigned_order(p) ? 'U' : 'S';
    if (lanes > MASK_PART_LANES && constant_splat_number(a) && constant_splat_number(b) &&
        operand_share_mask_parts(s, i))
        lanes = MASK_PART_LANES;
    select_compare_to_mask(s, integer_condition(p), lanes, mask, operand_source(s, a, sign),
                           operand_source(s, b, sign));
    return true;
}

/* True for a constant that is no NaN. */
static bool is_a_number(LLVMValueRef value)
{
    LLVMValueRef number = LLVMIsConstant(value) ? constant_splat_number(value) : NULL;
    number = number ? number : value;
    LLVMBool loses;
    return LLVMIsAConstantFP(number) &&
           LLVMConstRealGetDouble(number, &loses) == LLVMConstRealGetDouble(number, &loses);
}

/* A float compare is false for NaN, except "not equal". Unordered compares are the inverted opposite ordered ones. */
static bool select_fcmp(struct selection *s, LLVMValueRef i)
{
    LLVMRealPredicate p = LLVMGetFCmpPredicate(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(a)), mask = operand_mask_variable(s, i);
    static const struct {
        enum visa_condition condition;
        bool invert;
    } simple[] = {
        [LLVMRealOEQ] = {VISA_EQ, false}, [LLVMRealOGT] = {VISA_GT, false}, [LLVMRealOGE] = {VISA_GE, false},
        [LLVMRealOLT] = {VISA_LT, false}, [LLVMRealOLE] = {VISA_LE, false}, [LLVMRealUNE] = {VISA_NE, false},
        [LLVMRealUGT] = {VISA_LE, true},  [LLVMRealUGE] = {VISA_LT, true},  [LLVMRealULT] = {VISA_GE, true},
        [LLVMRealULE] = {VISA_GT, true},
    };
    struct macro_operand x = operand_source(s, a, 'F'), y = operand_source(s, b, 'F');
    if (p < sizeof simple / sizeof *simple && simple[p].condition != VISA_COND_NONE) {
        select_compare_to_mask(s, simple[p].condition, lanes, mask, x, y);
        if (simple[p].invert)
            select_mask_logic(s, VISA_OP_NOT, lanes, mask, mask, 0);
        return true;
    }
    if (p == LLVMRealPredicateTrue || p == LLVMRealPredicateFalse) {
        set_all_lanes(s, lanes, mask, p == LLVMRealPredicateTrue);
        return true;
    }
    unsigned other = cg_new_mask(s, lanes);
    if (p == LLVMRealONE || p == LLVMRealUEQ) {
        select_compare_to_mask(s, VISA_LT, lanes, mask, x, y);
        select_compare_to_mask(s, VISA_GT, lanes, other, x, y);
    } else { /* UNO, ORD */
        select_compare_to_mask(s, VISA_NE, lanes, mask, x, x);
        if (!is_a_number(b))
            select_compare_to_mask(s, VISA_NE, lanes, other, y, y);
    }
    if (p == LLVMRealONE || p == LLVMRealUEQ || !is_a_number(b))
        select_mask_logic(s, VISA_OP_OR, lanes, mask, mask, other);
    if (p == LLVMRealUEQ || p == LLVMRealORD)
        select_mask_logic(s, VISA_OP_NOT, lanes, mask, mask, 0);
    return true;
}

/* Bit 0 of each lane. */
static bool select_trunc(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(from));
    enum visa_type type = cg_visa_type(type_element(LLVMTypeOf(from)), 'U');
    if (visa_type_bytes(type) == 8) /* bit 0 is in the low half, on every platform */
        type = VISA_TYPE_UD;
    unsigned bits = cg_new_variable(s, type, lanes, 0, NULL);
    struct macro w = {.op = VISA_OP_AND, .lanes = lanes, .sources = 2, .dst = macro_region(bits, type, 0, lanes)};
    w.src[0] = operand_source(s, from, 'U');
    if (w.src[0].kind == MACRO_IMMEDIATE)
        w.src[0] = operand_scalar_constant(s, w.src[0]);
    w.src[0].type = type;
    w.src[1] = macro_immediate(type, 1);
    if (range_within(range_of_integer(from), 0, 1)) { /* nothing but bit 0 is there */
        select_compare_to_mask(s, VISA_NE, lanes, operand_mask_variable(s, i), w.src[0], macro_immediate(type, 0));
        return true;
    }
    legalize_macro(s, &w);
    select_compare_to_mask(s, VISA_NE, lanes, operand_mask_variable(s, i), macro_region(bits, type, 0, lanes),
                           macro_immediate(type, 0));
    return true;
}

/* Returns an operation on one-bit numbers as one on masks. Shifts by 1 and divisions by 0 are undefined. */
static enum visa_opcode logic_of_bits(LLVMOpcode op)
{
    switch (op) {
    case LLVMAnd:
    case LLVMMul: return VISA_OP_AND;
    case LLVMOr: return VISA_OP_OR;
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub: return VISA_OP_XOR;
    default: return VISA_OP_MOV; /* of the first operand */
    }
}

static bool select_logic(struct selection *s, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(i)), mask = operand_mask_variable(s, i);
    enum visa_opcode logic = logic_of_bits(op);
    bool ones = true, undefined;
    uint64_t lane;
    for (unsigned k = 0; k < lanes; k++)
        ones = ones && constant_lane(b, k, &lane, &undefined) && (lane & 1 || undefined);
    if (op == LLVMXor && ones)
        select_mask_logic(s, VISA_OP_NOT, lanes, mask, operand_mask_variable(s, a), 0);
    else if (op == LLVMURem || op == LLVMSRem) /* by 1 */
        set_all_lanes(s, lanes, mask, false);
    else if (logic == VISA_OP_MOV)
        select_mask_copy(s, lanes, mask, operand_mask_variable(s, a));
    else
        select_mask_logic(s, logic, lanes, mask, operand_mask_variable(s, a), operand_mask_variable(s, b));
    return true;
}

/* 0: no lane set, 1: all lanes set, -1: neither, or not known. */
static int known_mask(LLVMValueRef mask)
{
    if (!LLVMIsConstant(mask) || LLVMIsUndef(mask) || LLVMIsPoison(mask))
        return -1;
    return LLVMIsNull(mask) ? 0 : constant_mask_is_full(mask) ? 1 : -1;
}

/* Selects a select of masks: (c & a) | (~c & b). && and || of compares have a constant on one side. */
static bool select_mask_select(struct selection *s, LLVMValueRef i)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i)), out = operand_mask_variable(s, i);
    unsigned c = operand_mask(s, LLVMGetOperand(i, 0), lanes).variable;
    if (known_mask(LLVMGetOperand(i, 2)) == 0 || known_mask(LLVMGetOperand(i, 1)) == 1) {
        bool both = known_mask(LLVMGetOperand(i, 2)) == 0;
        select_mask_logic(s, both ? VISA_OP_AND : VISA_OP_OR, lanes, out, c,
                          operand_mask_variable(s, LLVMGetOperand(i, both ? 1 : 2)));
        return true;
    }
    unsigned a = operand_mask_variable(s, LLVMGetOperand(i, 1)), b = operand_mask_variable(s, LLVMGetOperand(i, 2));
    unsigned t[2] = {cg_new_mask(s, lanes), cg_new_mask(s, lanes)};
    select_mask_logic(s, VISA_OP_AND, lanes, t[0], c, a);
    select_mask_logic(s, VISA_OP_NOT, lanes, t[1], c, 0);
    select_mask_logic(s, VISA_OP_AND, lanes, t[1], t[1], b);
    select_mask_logic(s, VISA_OP_OR, lanes, out, t[0], t[1]);
    return true;
}

uint32_t select_mask_part_bits(unsigned lanes, unsigned part)
{
    assert(part < cg_mask_parts(lanes));
    unsigned n = lanes - part * MASK_PART_LANES;
    return n >= 32 ? 0xffffffffu : (1u << n) - 1;
}

/* Bits of a mask outside its lanes are undefined: they are cleared before bits are compared. */
static bool select_reduction(struct selection *s, LLVMValueRef i, bool all)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(from)), mask = operand_mask_variable(s, from), sum = 0;
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        uint32_t full = select_mask_part_bits(lanes, part);
        unsigned bits = cg_mask_to_bits(s, mask + part);
        struct macro w = {.op = VISA_OP_AND, .lanes = 1, .sources = 2, .dst = macro_scalar(bits, VISA_TYPE_UD, 0)};
        w.src[0] = macro_scalar(bits, VISA_TYPE_UD, 0);
        w.src[1] = macro_immediate(VISA_TYPE_UD, full);
        if (full != 0xffffffffu && full != 0xffff) /* predicates have 16 or 32 lanes: none of these bits is undefined */
            legalize_macro(s, &w);
        if (all && lanes <= MASK_PART_LANES) {
            select_compare_to_mask(s, VISA_EQ, 1, operand_mask_variable(s, i), w.dst,
                                   macro_immediate(VISA_TYPE_UD, full));
            return true;
        }
        if (all) { /* missing lanes instead of live ones */
            w.op = VISA_OP_XOR;
            legalize_macro(s, &w);
        }
        if (part) {
            w.op = VISA_OP_OR;
            w.dst = w.src[0] = macro_scalar(sum, VISA_TYPE_UD, 0);
            w.src[1] = macro_scalar(bits, VISA_TYPE_UD, 0);
            legalize_macro(s, &w);
        } else {
            sum = bits;
        }
    }
    select_compare_to_mask(s, all ? VISA_EQ : VISA_NE, 1, operand_mask_variable(s, i),
                           macro_scalar(sum, VISA_TYPE_UD, 0), macro_immediate(VISA_TYPE_UD, 0));
    return true;
}

bool select_mask(struct selection *s, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        return false;
    if (select_mask_bitcast(s, i))
        return true;
    if (!type_is_mask(LLVMTypeOf(i)))
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
    if (LLVMIsAExtractElementInst(i))
        return select_mask_extract(s, i);
    if (LLVMIsAInsertElementInst(i))
        return select_mask_insert(s, i);
    return LLVMIsABinaryOperator(i) && select_logic(s, i);
}
