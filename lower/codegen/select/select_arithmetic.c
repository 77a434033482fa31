/* Selects arithmetic: LLVM's operators and casts, and llvm.genx.* and llvm.* functions that are one vISA operation on
 * all lanes. */
#include "lower/analysis/range.h"
#include "lower/codegen/bale/fused_terms.h"
#include "lower/codegen/select/select.h"
#include "lower/ir/operation_info.h"

/* LLVM operator to vISA: signedness of integer operands, and whether the second source is negated. */
static const struct {
    LLVMOpcode llvm;
    enum visa_opcode op;
    char sign;
    bool negate_second;
} operators[] = {
    {LLVMAdd, VISA_OP_ADD, 'S', false},  {LLVMSub, VISA_OP_ADD, 'S', true},   {LLVMMul, VISA_OP_MUL, 'S', false},
    {LLVMUDiv, VISA_OP_DIV, 'U', false}, {LLVMSDiv, VISA_OP_DIV, 'S', false}, {LLVMURem, VISA_OP_MOD, 'U', false},
    {LLVMSRem, VISA_OP_MOD, 'S', false}, {LLVMShl, VISA_OP_SHL, 'S', false},  {LLVMLShr, VISA_OP_SHR, 'U', false},
    {LLVMAShr, VISA_OP_ASR, 'S', false}, {LLVMAnd, VISA_OP_AND, 'S', false},  {LLVMOr, VISA_OP_OR, 'S', false},
    {LLVMXor, VISA_OP_XOR, 'S', false},  {LLVMFAdd, VISA_OP_ADD, 'F', false}, {LLVMFSub, VISA_OP_ADD, 'F', true},
    {LLVMFMul, VISA_OP_MUL, 'F', false}, {LLVMFDiv, VISA_OP_DIV, 'F', false},
};

/* Casts are moves: signedness of source and result. */
static const struct {
    LLVMOpcode llvm;
    char from, to;
} casts[] = {
    {LLVMZExt, 'U', 'U'},   {LLVMSExt, 'S', 'S'},    {LLVMTrunc, 'S', 'S'},
    {LLVMFPToUI, 'F', 'U'}, {LLVMFPToSI, 'F', 'S'},  {LLVMUIToFP, 'U', 'F'},
    {LLVMSIToFP, 'S', 'F'}, {LLVMFPTrunc, 'F', 'F'}, {LLVMFPExt, 'F', 'F'},
};

static void negate(struct macro_operand *o)
{
    if (o->kind != MACRO_IMMEDIATE) {
        o->modifier ^= VISA_MODIFIER_NEGATE;
        return;
    }
    unsigned bits = 8 * visa_type_bytes(o->type);
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    o->bits = visa_type_class(o->type) == 'F' ? o->bits ^ (1ull << (bits - 1)) : (0 - o->bits) & mask;
}

/* Allows at most one immediate, as the last source (vISA); none with three sources (Gen9, "three-source instructions").
 */
static void order_sources(struct selection *s, struct macro *w, bool commutative)
{
    bool short_immediates = w->op == VISA_OP_ADD3 || w->op == VISA_OP_BFN;
    for (unsigned k = 0; w->sources > 2 && !short_immediates && k < w->sources; k++)
        if (w->src[k].kind == MACRO_IMMEDIATE)
            w->src[k] = operand_scalar_constant(s, w->src[k]);
    if (w->sources != 2 || w->src[0].kind != MACRO_IMMEDIATE)
        return;
    if (commutative && w->src[1].kind != MACRO_IMMEDIATE) {
        struct macro_operand swap = w->src[0];
        w->src[0] = w->src[1];
        w->src[1] = swap;
        return;
    }
    w->src[0] = operand_scalar_constant(s, w->src[0]);
}

static bool is_commutative(enum visa_opcode op)
{
    return op == VISA_OP_ADD || op == VISA_OP_MUL || op == VISA_OP_AND || op == VISA_OP_OR || op == VISA_OP_XOR ||
           op == VISA_OP_MIN || op == VISA_OP_MAX;
}

static bool finish(struct selection *s, struct macro *w)
{
    order_sources(s, w, is_commutative(w->op));
    legalize_macro(s, w);
    return true;
}

/* True if a byte shift count would make the shift a byte operation, or for divisions of bytes or words. */
static bool needs_dwords(const struct macro *w)
{
    return (w->op == VISA_OP_DIV || w->op == VISA_OP_MOD) && visa_type_class(w->dst.type) != 'F' &&
           visa_type_bytes(w->dst.type) < 4;
}

/* Extends sources to dwords first, and truncates the result. */
static bool through_dwords(struct selection *s, struct macro *w)
{
    bool u = visa_type_class(w->dst.type) == 'U';
    enum visa_type type = u ? VISA_TYPE_UD : VISA_TYPE_D;
    struct macro_operand dst = w->dst, predicate = w->predicate;
    for (unsigned k = 0; k < w->sources; k++) {
        if (w->src[k].kind == MACRO_IMMEDIATE) {
            if (w->src[k].type == VISA_TYPE_W)
                w->src[k].bits = (uint32_t)(int16_t)w->src[k].bits;
            w->src[k].type = type;
            continue;
        }
        unsigned copy = cg_new_variable(s, type, w->lanes, 0, NULL);
        legalize_move(s, w->lanes, macro_region(copy, type, 0, w->lanes), w->src[k]);
        w->src[k] = macro_region(copy, type, 0, w->lanes);
    }
    unsigned result = cg_new_variable(s, type, w->lanes, 0, NULL);
    w->dst = macro_region(result, type, 0, w->lanes);
    w->predicate = macro_nothing();
    finish(s, w);
    struct macro narrow = {.op = VISA_OP_MOV, .lanes = w->lanes, .dst = dst, .predicate = predicate, .sources = 1};
    narrow.src[0] = macro_region(result, type, 0, w->lanes);
    legalize_macro(s, &narrow);
    return true;
}

/* True for bytes that were read or moved, not computed. */
static bool is_packed(LLVMValueRef value)
{
    return !LLVMIsABinaryOperator(value) && !(LLVMIsACastInst(value) && !LLVMIsABitCastInst(value)) &&
           !(LLVMIsACallInst(value) && ir_is_alu_call(value));
}

/* True if a number may be extended from fewer bits without sign (with `any_sign` also with sign), through moves:
 * regions, insertions, wider extensions. */
static bool is_widened(LLVMValueRef v, bool any_sign, unsigned depth)
{
    enum { MOST_DEPTH = 6 };
    if (!LLVMIsAInstruction(v) || LLVMIsAZExtInst(v) || (any_sign && LLVMIsASExtInst(v)))
        return LLVMIsAInstruction(v);
    if (depth > MOST_DEPTH)
        return true;
    if (LLVMIsASExtInst(v) || LLVMIsABitCastInst(v) || region_is_read(v) || LLVMIsAExtractElementInst(v) ||
        LLVMIsAFreezeInst(v))
        return is_widened(LLVMGetOperand(v, 0), any_sign, depth + 1);
    if (region_is_write(v) || LLVMIsAShuffleVectorInst(v) || LLVMIsAInsertElementInst(v))
        return is_widened(LLVMGetOperand(v, 0), any_sign, depth + 1) ||
               is_widened(LLVMGetOperand(v, 1), any_sign, depth + 1);
    return false;
}

/* Stops the finalizer from reading an operand before the move that extends it: an `and` that changes nothing is not a
 * move. */
static void stop_moves(struct selection *s, const struct macro *w, struct macro_operand *o)
{
    const struct region *r = &o->region;
    unsigned lanes = r->width == 1 && r->vstride == 0 ? 1 : w->lanes,
             copy = cg_new_variable(s, o->type, lanes, 0, NULL);
    struct macro_operand to = lanes == 1 ? macro_scalar(copy, o->type, 0) : macro_region(copy, o->type, 0, lanes);
    struct macro and = {.op = VISA_OP_AND, .lanes = lanes, .dst = to, .sources = 2};
    and.src[0] = *o;
    and.src[1] = macro_immediate(o->type, visa_type_bytes(o->type) == 8 ? UINT64_MAX : UINT32_MAX);
    legalize_macro(s, &and);
    *o = to;
}

/* The finalizer makes a division unsigned if it finds either operand unsigned. */
static void keep_signed(struct selection *s, LLVMValueRef i, struct macro *w)
{
    for (unsigned k = 0; k < 2; k++)
        if (is_widened(LLVMGetOperand(i, k), false, 0) && w->src[k].kind == MACRO_REGION &&
            visa_type_bytes(w->src[k].type) == 4)
            stop_moves(s, w, &w->src[k]);
}

/* Returns an operand as the operation reads it: in 64 bits unless it is an extended dword (bale_saturated_operation()).
 */
static struct macro_operand operator_source(struct selection *s, LLVMValueRef i, unsigned index, bool saturates,
                                            char sign)
{
    LLVMValueRef value = LLVMGetOperand(i, index);
    uint64_t bits;
    if (!saturates || type_element_bits(LLVMTypeOf(value)) != 64 || type_is_float(LLVMTypeOf(value)))
        return operand_source(s, value, sign);
    if (constant_splat_bits(value, &bits))
        return macro_immediate(VISA_TYPE_D, bits);
    return operand_source(s, LLVMGetOperand(value, 0), LLVMIsAZExtInst(value) ? 'U' : 'S');
}

/* True if users read only the bits of the type: sums, selects, messages; not compares, conversions, quotients. */
static bool only_bits_count(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) ? ir_is_alu_call(user) || region_is_read(user) || region_is_write(user)
                                  : !LLVMIsAInstruction(user))
            return false;
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMAdd:
        case LLVMSub:
        case LLVMMul:
        case LLVMAnd:
        case LLVMOr:
        case LLVMXor:
        case LLVMShl:
        case LLVMTrunc:
        case LLVMSelect:
        case LLVMCall: break;
        default: return false;
        }
    }
    return true;
}

/* Negates by a product. The finalizer turns 0 - x into a move with negation and folds it into users: the negated least
 * number has one bit more then. From an indirect operand it reads as many bits as before the extension, which may not
 * hold the negated number. A product is not a move. */
static void negate_by_product(LLVMValueRef difference, struct macro *w)
{
    LLVMValueRef number = LLVMGetOperand(difference, 1);
    bool is_zero =
        w->src[0].kind == MACRO_IMMEDIATE && w->src[0].bits == 0 && w->src[1].modifier == VISA_MODIFIER_NEGATE;
    if (!is_zero || visa_type_bytes(w->dst.type) > 4)
        return;
    bool is_widened = LLVMIsAZExtInst(number) || LLVMIsASExtInst(number);
    bool fits = is_widened ? !ir_is_indirect_read(LLVMGetOperand(number, 0))
                           : LLVMGetNSW(difference) ||
                                 range_of_integer(number).low > -((int64_t)1 << (8 * visa_type_bytes(w->dst.type) - 1));
    if (fits || (!is_widened && only_bits_count(difference)))
        return;
    w->op = VISA_OP_MUL;
    w->src[1].modifier = VISA_MODIFIER_NONE;
    w->src[0] = macro_immediate(VISA_TYPE_W, UINT16_MAX);
}

/* The same for an absolute value, which is a move for the finalizer: the maximum of a number and its negation is not.
 * The finalizer keeps numbers in accumulators, whose lanes have more bits than a dword (Intel PRM, "accumulator
 * registers"), for users that do not depend on the sign, and does not know that (abs) does (IGC,
 * G4_INST::isSignSensitive). */
static void absolute_by_maximum(LLVMValueRef i, struct macro *w)
{
    bool has_room =
        w->src[0].kind == MACRO_IMMEDIATE || visa_type_bytes(w->dst.type) > 4 || range_of_integer(i).low >= 0;
    if (has_room || (only_bits_count(i) && !ir_may_have_wrapped(LLVMGetOperand(i, 0), 0)))
        return;
    w->op = VISA_OP_MAX;
    w->sources = 2;
    w->src[0].modifier = VISA_MODIFIER_NONE;
    w->src[1] = w->src[0];
    w->src[1].modifier = VISA_MODIFIER_NEGATE;
}

/* Platforms after Gen9 multiply dwords by words: a dword that fits a word is read as a word; otherwise a product takes
 * four instructions for every eight lanes. */
static void read_factor_words(struct selection *s, LLVMValueRef product, struct macro *w)
{
    if (platform_has(s->platform, FEATURE_MUL_DWORDS) || visa_type_bytes(w->dst.type) != 4)
        return;
    for (unsigned k = 0; k < 2; k++)
        if (w->src[k].kind == MACRO_IMMEDIATE || visa_type_bytes(w->src[k].type) != 4)
            return;
    for (unsigned k = 2; k-- > 0;) {
        struct range r = range_of_integer(LLVMGetOperand(product, k));
        bool positive = range_within(r, 0, UINT16_MAX);
        if (w->src[k].kind != MACRO_REGION || w->src[k].modifier ||
            (!positive && !range_within(r, INT16_MIN, INT16_MAX)))
            continue;
        w->src[k].type = positive ? VISA_TYPE_UW : VISA_TYPE_W;
        return;
    }
}

/* src0 * src1 + src2, of floats with one rounding. */
static void fuse(struct selection *s, LLVMValueRef i, unsigned product, struct macro *w)
{
    LLVMValueRef factors = LLVMGetOperand(i, product);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    char sign = type_is_float(LLVMTypeOf(i)) ? 'F' : 'S';
    int64_t factor;
    w->op = VISA_OP_MAD;
    w->sources = 3;
    w->src[0] = operand_source(s, LLVMGetOperand(factors, 0), sign);
    w->src[1] = bale_shifted_factor(factors, &factor)
                    ? macro_immediate_of(type_element(LLVMTypeOf(i)), (uint64_t)factor, sign)
                    : operand_source(s, LLVMGetOperand(factors, 1), sign);
    w->src[2] = operand_source(s, LLVMGetOperand(i, 1 - product), sign);
    if (op == LLVMFSub || op == LLVMSub)
        negate(&w->src[product == 0 ? 2 : 1]);
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), sign);
}

/* a + b + c. The number among them is the first or last source. */
static void fuse_sum(struct selection *s, LLVMValueRef i, const struct bale_terms *f, struct macro *w)
{
    enum { SECOND = 1, LAST = 2 };
    w->op = VISA_OP_ADD3;
    w->sources = f->terms;
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), 'S');
    for (unsigned k = 0; k < f->terms; k++) {
        w->src[k] = operand_source(s, f->term[k], 'S');
        if (f->negated[k])
            negate(&w->src[k]);
        if (w->src[k].kind == MACRO_IMMEDIATE)
            w->src[k] = macro_immediate(VISA_TYPE_W, w->src[k].bits & UINT16_MAX);
    }
    if (w->src[SECOND].kind == MACRO_IMMEDIATE) {
        struct macro_operand number = w->src[SECOND];
        w->src[SECOND] = w->src[LAST];
        w->src[LAST] = number;
    }
}

/* Up to three numbers, bit by bit. */
static void fuse_logic(struct selection *s, LLVMValueRef i, const struct bale_terms *f, struct macro *w)
{
    w->op = VISA_OP_BFN;
    w->sources = f->terms;
    w->table = f->table;
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), 'U');
    for (unsigned k = 0; k < f->terms; k++) {
        w->src[k] = operand_source(s, f->term[k], 'U');
        if (w->src[k].kind == MACRO_IMMEDIATE)
            w->src[k] = macro_immediate(VISA_TYPE_UW, (f->inverted[k] ? ~w->src[k].bits : w->src[k].bits) & UINT16_MAX);
    }
}

/* Multiplies instead of shifting where that is better: a product reads bytes as they are, and writes the accumulator.
 */
static void shift_by_product(struct selection *s, LLVMValueRef shift, struct macro *w)
{
    LLVMValueRef number = LLVMGetOperand(shift, 0);
    int64_t factor;
    if (!bale_shifted_factor(shift, &factor) || !bale_is_multiplied(s, shift))
        return;
    w->op = VISA_OP_MUL;
    w->src[0] = operand_source(s, number, 'S');
    w->src[1] = macro_immediate(VISA_TYPE_W, (uint64_t)factor);
}

/* Sets the operation, its sources and the type of its result; false: not an operator. */
static bool prepare_operator(struct selection *s, LLVMValueRef i, bool saturates, struct macro *w)
{
    int product = bale_fused_product(s, i);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (product >= 0) {
        fuse(s, i, (unsigned)product, w);
        return true;
    }
    struct bale_terms f;
    if (!saturates && bale_fused_sum(s, i, &f)) {
        fuse_sum(s, i, &f, w);
        return true;
    }
    if (bale_fused_logic(s, i, &f)) {
        fuse_logic(s, i, &f, w);
        return true;
    }
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (operators[k].llvm != op)
            continue;
        char sign = operators[k].sign;
        w->op = operators[k].op;
        w->sources = 2;
        w->packed = is_packed(LLVMGetOperand(i, 0)) && is_packed(LLVMGetOperand(i, 1));
        w->src[0] = operator_source(s, i, 0, saturates, sign);
        w->src[1] = operator_source(s, i, 1, saturates, op == LLVMAShr || op == LLVMShl ? 'U' : sign);
        if (operators[k].negate_second)
            negate(&w->src[1]);
        if (op == LLVMSDiv || op == LLVMSRem)
            keep_signed(s, i, w);
        w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), sign);
        if (op == LLVMSub)
            negate_by_product(i, w);
        if (op == LLVMMul)
            read_factor_words(s, i, w);
        if (op == LLVMShl)
            shift_by_product(s, i, w);
        return true;
    }
    return false;
}

/* True for sums, products and logic of one instruction whose second operand may be an immediate. */
static bool takes_immediates(const struct selection *s, LLVMValueRef i, enum visa_opcode op)
{
    struct bale_terms f;
    LLVMValueRef number = LLVMGetOperand(i, 1);
    bool is_simple =
        op == VISA_OP_ADD || op == VISA_OP_MUL || op == VISA_OP_AND || op == VISA_OP_OR || op == VISA_OP_XOR;
    if (!is_simple || LLVMIsConstant(LLVMGetOperand(i, 0)) || !LLVMIsConstant(number) ||
        bale_fused_product(s, i) >= 0 || bale_fused_sum(s, i, &f) || bale_fused_logic(s, i, &f))
        return false;
    return op != VISA_OP_MUL || type_is_float(LLVMTypeOf(i)) || platform_has(s->platform, FEATURE_MUL_DWORDS) ||
           range_within(range_of_integer(number), INT16_MIN, INT16_MAX);
}

/* Emits the operation row by row: constant_rows.c. False: its operands cannot be taken apart. */
static bool by_rows(struct selection *s, LLVMValueRef i, const struct macro *w)
{
    size_t k = 0, count = sizeof operators / sizeof *operators;
    while (k < count && operators[k].llvm != LLVMGetInstructionOpcode(i))
        k++;
    bool may = k < count && w->predicate.kind == MACRO_NONE && takes_immediates(s, i, operators[k].op);
    unsigned row = may ? select_constant_rows(s, i) : 0;
    if (!row)
        return false;
    LLVMTypeRef element = type_element(LLVMTypeOf(i));
    char sign = operators[k].sign;
    struct macro_operand source = operand_source(s, LLVMGetOperand(i, 0), sign), unused;
    if (source.kind != MACRO_REGION || source.variable == w->dst.variable ||
        !select_lanes_from(&source, row, row, &unused) || !select_lanes_from(&w->dst, row, row, &unused))
        return false;
    for (unsigned first = 0; first < w->lanes; first += row) {
        struct macro part = {.op = operators[k].op, .lanes = row, .sources = 2};
        uint64_t bits = 0;
        bool undefined;
        constant_lane(LLVMGetOperand(i, 1), first, &bits, &undefined);
        select_lanes_from(&source, first, row, &part.src[0]);
        part.src[1] = macro_immediate_of(element, bits, sign);
        if (operators[k].negate_second)
            negate(&part.src[1]);
        select_lanes_from(&w->dst, first, row, &part.dst);
        part.dst.type = cg_visa_type(element, sign);
        legalize_macro(s, &part);
    }
    return true;
}

static bool select_operator(struct selection *s, LLVMValueRef i, struct macro *w)
{
    if (LLVMIsABinaryOperator(i) && by_rows(s, i, w))
        return true;
    if (!prepare_operator(s, i, false, w))
        return false;
    return needs_dwords(w) ? through_dwords(s, w) : finish(s, w);
}

/* Extends a mask to numbers: sel with its predicate. */
static bool select_mask_cast(struct selection *s, LLVMValueRef i, struct macro *w)
{
    LLVMTypeRef element = type_element(LLVMTypeOf(i));
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    uint64_t one = op == LLVMSExt ? ~0ull : 1;
    if (op == LLVMUIToFP || op == LLVMSIToFP) {
        double value = op == LLVMSIToFP ? -1.0 : 1.0;
        bool undefined;
        constant_lane(LLVMConstReal(element, value), 0, &one, &undefined);
    }
    w->op = VISA_OP_SEL;
    w->sources = 2;
    w->predicate = operand_mask(s, LLVMGetOperand(i, 0), w->lanes);
    w->src[0] =
        operand_scalar_constant(s, macro_immediate_of(element, one, 'S')); /* an immediate must be the second source */
    w->src[1] = macro_immediate_of(element, 0, 'S');
    w->dst.type = cg_visa_type(element, 'S');
    legalize_macro(s, w);
    return true;
}

/* True if an operation negates `value`, or lanes of it, as it reads it. */
static bool is_read_with_modifier(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_sub = LLVMIsABinaryOperator(user) && LLVMGetInstructionOpcode(user) == LLVMSub;
        if ((is_sub && LLVMGetOperand(user, 1) == value) || genx_call_id(user) == GENX_ABSI ||
            ir_calls_named(user, "llvm.abs."))
            return true;
        bool lanes = region_is_read(user) || region_is_write(user) || LLVMIsAShuffleVectorInst(user) ||
                     LLVMIsAInsertElementInst(user) || LLVMIsAExtractElementInst(user) || LLVMIsABitCastInst(user) ||
                     LLVMIsAFreezeInst(user);
        if (lanes && depth > 0 && is_read_with_modifier(user, depth - 1))
            return true;
    }
    return false;
}

/* True for a result whose variable no other value has: none is written in place of it, and it is in no phi. */
static bool has_own_variable(LLVMValueRef value)
{
    if (!LLVMIsABinaryOperator(value))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) || region_is_write(user) || LLVMIsAInsertElementInst(user) ||
            (LLVMIsACallInst(user) && genx_call_id(user) == GENX_NONE && !ir_is_alu_call(user)))
            return false;
    }
    return true;
}

/* If the finalizer cannot read an operand before its extending move, because it has changed meanwhile, it narrows the
 * destination of the move, and then forgets source modifiers of its users. An operation that changes nothing is not a
 * move. */
static void widen_without_move(LLVMValueRef i, struct macro *w)
{
    enum { MOST_DEPTH = 4 };
    bool widens = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i);
    if (!widens || w->src[0].kind == MACRO_IMMEDIATE || w->src[0].modifier || has_own_variable(LLVMGetOperand(i, 0)) ||
        !is_read_with_modifier(i, MOST_DEPTH))
        return;
    unsigned bytes = visa_type_bytes(w->src[0].type);
    bool is_signed = visa_type_class(w->src[0].type) == 'S';
    enum visa_type type = bytes > 1 ? w->src[0].type : is_signed ? VISA_TYPE_W : VISA_TYPE_UW;
    w->op = is_signed ? VISA_OP_MIN : VISA_OP_AND;
    w->src[1] = macro_immediate(type, (1ull << (8 * bytes - is_signed)) - 1);
    w->sources = 2;
}

/* The finalizer treats signed and unsigned conversions of one float, of the same size, as equal values. Saturation,
 * which such moves perform anyway, distinguishes them. */
static bool has_signed_twin(LLVMValueRef conversion)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(conversion, 0)); use; use = LLVMGetNextUse(use))
        if (LLVMIsAFPToSIInst(LLVMGetUser(use)) && LLVMTypeOf(LLVMGetUser(use)) == LLVMTypeOf(conversion))
            return true;
    return false;
}

static bool select_cast(struct selection *s, LLVMValueRef i, struct macro *w)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    for (size_t k = 0; k < sizeof casts / sizeof *casts; k++) {
        if (casts[k].llvm != op)
            continue;
        if (type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))))
            return select_mask_cast(s, i, w);
        w->op = VISA_OP_MOV;
        w->sources = 1;
        w->src[0] = operand_source(s, LLVMGetOperand(i, 0), casts[k].from);
        if (op == LLVMTrunc && visa_type_bytes(w->src[0].type) == 8) /* the low half of each lane: on every platform */
            w->src[0].type = VISA_TYPE_D;
        w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), casts[k].to);
        w->saturate |= op == LLVMFPToUI && has_signed_twin(i);
        widen_without_move(i, w);
        return finish(s, w);
    }
    return false;
}

/* Returns signedness of operand and result of the saturating conversions. */
static void convert_signs(enum genx_id id, char *from, char *to)
{
    *from = !is_saturation(id) ? 'F' : saturates_signed(id) ? 'S' : 'U';
    *to = saturates_to_signed(id) || id == GENX_FPTOSI_SAT ? 'S' : id == GENX_SAT ? 'F' : 'U';
}

/* Returns a number in a variable, so that the finalizer does not know its value. */
static struct macro_operand dword_in_halves(struct selection *s, struct macro_operand immediate)
{
    struct macro_operand number = macro_scalar(cg_new_variable(s, immediate.type, 1, 0, NULL), immediate.type, 0);
    for (unsigned half = 0; half < 2; half++)
        legalize_move(s, 1, macro_scalar(number.variable, VISA_TYPE_UW, 2 * (int)half),
                      macro_immediate(VISA_TYPE_UW, immediate.bits >> (16 * half) & 0xffff));
    return number;
}

/* Selects dp4a: the intrinsic gives the signedness. The finalizer folds bytes and words into it where dwords are
 * extended from them, or are small numbers. */
static bool select_dot(struct selection *s, LLVMValueRef i, enum genx_id id, struct macro *w)
{
    unsigned kind = id >= GENX_SSDP4A_SAT ? id - GENX_SSDP4A_SAT : id - GENX_SSDP4A;
    char result = kind < 2 ? 'S' : 'U', operands = kind % 2 == 0 ? 'S' : 'U';
    w->op = genx_operation(id);
    w->saturate = id >= GENX_SSDP4A_SAT;
    w->sources = 3;
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), result);
    for (unsigned k = 0; k < 3; k++) {
        w->src[k] = operand_source(s, LLVMGetOperand(i, k), operands);
        if (k && w->src[k].kind == MACRO_IMMEDIATE)
            w->src[k] = dword_in_halves(s, w->src[k]);
        else if (is_widened(LLVMGetOperand(i, k), true, 0) && w->src[k].kind == MACRO_REGION)
            stop_moves(s, w, &w->src[k]);
    }
    return finish(s, w);
}

/* Saturates a number that may have wrapped by min with the type's largest number, or by max with 0. The finalizer would
 * fold a saturating move into the operation before it, which then does not wrap. */
static void saturate_by_limit(struct macro *w)
{
    enum visa_type from = w->src[0].type, to = w->dst.type;
    bool is_signed = visa_type_class(to) == 'S', narrower = visa_type_bytes(to) < visa_type_bytes(from);
    unsigned bits = 8 * visa_type_bytes(to) - is_signed;
    if (!narrower && visa_type_class(from) == 'S' && !is_signed) {
        w->op = VISA_OP_MAX;
        w->src[1] = macro_immediate(from, 0);
    } else if (narrower || visa_type_bytes(to) == visa_type_bytes(from)) {
        w->op = VISA_OP_MIN;
        w->src[1] = macro_immediate(from, (1ull << bits) - 1);
    } else {
        return; /* there is room for all numbers */
    }
    w->sources = 2;
}

static uint32_t reversed_bits(uint32_t bits)
{
    uint32_t reversed = 0;
    for (unsigned k = 0; k < 32; k++)
        reversed |= (bits >> k & 1) << (31 - k);
    return reversed;
}

/* Counts bits of a constant here: the finalizer shortens it to a word, which these operations do not accept. */
static void count_constant(LLVMValueRef number, bool is_signed, struct macro *w)
{
    uint64_t all;
    if (w->src[0].kind != MACRO_IMMEDIATE || !constant_splat_bits(number, &all) ||
        type_element_bits(LLVMTypeOf(number)) > 32)
        return;
    uint32_t bits = (uint32_t)all, result;
    uint32_t magnitude = (int32_t)bits < 0 ? ~bits : bits; /* whose highest bit is the highest one that is no sign */
    switch (w->op) {
    case VISA_OP_CBIT: result = (uint32_t)__builtin_popcount(bits); break;
    case VISA_OP_BFREV: result = reversed_bits(bits); break;
    case VISA_OP_FBL: result = bits ? (uint32_t)__builtin_ctz(bits) : ~0u; break;
    case VISA_OP_LZD: result = bits ? (uint32_t)__builtin_clz(bits) : 32; break;
    case VISA_OP_FBH:
        magnitude = is_signed ? magnitude : bits;
        result = magnitude ? (uint32_t)__builtin_clz(magnitude) : ~0u;
        break;
    default: return;
    }
    w->op = VISA_OP_MOV;
    w->src[0] = macro_immediate(w->dst.type, result);
}

static bool select_genx(struct selection *s, LLVMValueRef i, enum genx_id id, struct macro *w)
{
    enum genx_select_class class = genx_select_class(id);
    if (class == SELECT_dot)
        return select_dot(s, i, id, w);
    if (class != SELECT_convert && class != SELECT_alu_s && class != SELECT_alu_u && class != SELECT_alu_f)
        return false;
    char from = class == SELECT_alu_s ? 'S' : class == SELECT_alu_u ? 'U' : 'F', to = from;
    if (class == SELECT_convert)
        convert_signs(id, &from, &to);
    LLVMValueRef operation = bale_saturated_operation(i);
    if (operation && prepare_operator(s, operation, true, w)) {
        w->saturate = true;
        w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), to);
        return finish(s, w);
    }
    w->op = genx_operation(id);
    w->saturate = class == SELECT_convert;
    w->sources = LLVMGetNumArgOperands(i);
    for (unsigned k = 0; k < w->sources && k < 4; k++)
        w->src[k] = operand_source(s, LLVMGetOperand(i, k), from);
    if (id == GENX_ABSI || id == GENX_ABSF)
        macro_make_absolute(&w->src[0]);
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), to);
    if (w->src[0].kind != MACRO_IMMEDIATE && ir_is_limited(i))
        saturate_by_limit(w);
    else if (w->src[0].kind != MACRO_IMMEDIATE && ir_saturates_wrapped(i)) /* quadwords, which min does not take */
        stop_moves(s, w, &w->src[0]);
    if (id == GENX_ABSI)
        absolute_by_maximum(i, w);
    count_constant(LLVMGetOperand(i, 0), from == 'S', w);
    return finish(s, w);
}

static bool select_function(struct selection *s, LLVMValueRef i, struct macro *w)
{
    const struct ir_llvm_function *f = ir_llvm_function_of(i);
    if (!f)
        return false;
    w->op = f->op;
    w->sources = f->operands;
    for (unsigned n = 0; n < w->sources; n++)
        w->src[n] = operand_source(s, LLVMGetOperand(i, n), f->sign);
    if (f->modifier == VISA_MODIFIER_ABSOLUTE)
        macro_make_absolute(&w->src[0]);
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), f->sign);
    if (f->modifier == VISA_MODIFIER_ABSOLUTE && f->sign == 'S')
        absolute_by_maximum(i, w);
    return finish(s, w);
}

static bool select_select(struct selection *s, LLVMValueRef i, struct macro *w)
{
    char sign = type_is_float(LLVMTypeOf(i)) ? 'F' : 'S';
    w->op = VISA_OP_SEL;
    w->sources = 2;
    w->predicate = operand_mask(s, LLVMGetOperand(i, 0), w->lanes);
    w->src[0] = operand_source(s, LLVMGetOperand(i, 1), sign);
    w->src[1] = operand_source(s, LLVMGetOperand(i, 2), sign);
    w->dst.type = cg_visa_type(type_element(LLVMTypeOf(i)), sign);
    if (w->src[0].kind == MACRO_IMMEDIATE && w->src[1].kind != MACRO_IMMEDIATE) {
        struct macro_operand swap = w->src[0];
        w->src[0] = w->src[1];
        w->src[1] = swap;
        w->inverse = true;
    }
    return finish(s, w);
}

/* Refuses types that the platform lacks: the first among result and operands. */
static bool check_types(struct selection *s, LLVMValueRef i)
{
    for (int k = -1; k < (int)LLVMGetNumOperands(i); k++) {
        LLVMTypeRef type = k < 0 ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, (unsigned)k));
        if (LLVMGetTypeKind(type_element(type)) == LLVMDoubleTypeKind && !platform_has(s->platform, FEATURE_DOUBLE)) {
            cg_refuse_doubles(s, i);
            return false;
        }
    }
    return true;
}

/* `dst` and `predicate` are the destination of a region write; kind NONE: the value's own variable. */
bool select_arithmetic(struct selection *s, LLVMValueRef i, struct macro_operand dst, struct macro_operand predicate)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        return false;
    if (!check_types(s, i))
        return true;
    struct macro w = {.lanes = type_lanes(LLVMTypeOf(i)), .predicate = predicate};
    w.dst = dst.kind == MACRO_NONE ? operand_destination(s, i, 'S') : dst;
    if (LLVMIsASelectInst(i))
        return select_select(s, i, &w);
    if (LLVMIsAUnaryOperator(i)) {
        w.op = VISA_OP_MOV;
        w.sources = 1;
        w.src[0] = operand_source(s, LLVMGetOperand(i, 0), 'F');
        negate(&w.src[0]);
        return finish(s, &w);
    }
    if (LLVMIsACallInst(i)) {
        enum genx_id id = genx_call_id(i);
        return id != GENX_NONE ? select_genx(s, i, id, &w) : select_function(s, i, &w);
    }
    return select_operator(s, i, &w) || select_cast(s, i, &w);
}
