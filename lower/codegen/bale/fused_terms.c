/* Finds sums of three numbers, which add3 computes, and logic of up to three numbers, which bfn computes (vISA, ADD3
 * and BFN). Fused operations have one user, in the same block, so that nothing is computed twice. Operands are those
 * that an instruction with three sources reads without a copy: whole numbers of words or dwords, side by side or evenly
 * apart, and one constant of 16 bits. */
#include "lower/codegen/bale/fused_terms.h"

#include "lower/codegen/bale/bale.h"

static bool is_binary(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMIsABinaryOperator(value);
}

static bool is_sum(LLVMValueRef value)
{
    return is_binary(value) &&
           (LLVMGetInstructionOpcode(value) == LLVMAdd || LLVMGetInstructionOpcode(value) == LLVMSub);
}

static bool is_logic(LLVMValueRef value)
{
    LLVMOpcode op = is_binary(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

static bool has_words_or_dwords(LLVMValueRef value)
{
    unsigned bits = type_element_bits(LLVMTypeOf(value));
    return !type_is_mask(LLVMTypeOf(value)) && (bits == 16 || bits == 32);
}

/* True if `inner` can be computed where its only user is. */
static bool is_only_for(LLVMValueRef inner, LLVMValueRef user)
{
    return ir_has_one_use(inner) && LLVMGetInstructionParent(inner) == LLVMGetInstructionParent(user);
}

/* True if an instruction of three sources reads the lanes where they are: one for all, or evenly apart. */
static bool is_even(LLVMValueRef value)
{
    enum { MOST_STEP = 4 };
    struct region r;
    if (LLVMIsAShuffleVectorInst(value))
        return ir_is_splat_shuffle(value);
    if (!region_is_read(value))
        return true;
    if (!region_of_call(value, &r))
        return false;
    int step = r.hstride / (int)type_element_bytes(LLVMTypeOf(value));
    return r.width >= type_lanes(LLVMTypeOf(value)) && step >= 0 && step <= MOST_STEP && step != MOST_STEP - 1;
}

/* True for a constant that is the same number in all lanes. */
static bool is_number(LLVMValueRef value)
{
    uint64_t bits;
    return LLVMIsConstant(value) && constant_splat_bits(value, &bits);
}

/* Returns the number that is in all lanes, or the value itself: that number is what an instruction reads. */
static LLVMValueRef behind_splat(LLVMValueRef value)
{
    LLVMValueRef number = LLVMIsAShuffleVectorInst(value) ? constant_splat_number(value) : NULL;
    return number ? number : value;
}

/* True for a number of all bits: an extended one is read before its extension, which bytes do not allow, nor logic. */
static bool is_term(LLVMValueRef value)
{
    if (LLVMIsConstant(value))
        return !LLVMIsUndef(value) && !LLVMIsPoison(value);
    LLVMValueRef number = behind_splat(value);
    return !LLVMIsAZExtInst(number) && !LLVMIsASExtInst(number) && is_even(value);
}

/* ---- sums ---- */

/* Words are extended as they are read. */
static bool is_summand(LLVMValueRef value, bool negated)
{
    LLVMValueRef number = behind_splat(value);
    bool is_word = (LLVMIsASExtInst(number) || (LLVMIsAZExtInst(number) && !negated)) &&
                   type_element_bits(LLVMTypeOf(LLVMGetOperand(number, 0))) == 16;
    return is_word ? number != value || is_even(LLVMGetOperand(number, 0)) : is_term(value);
}

static bool is_immediate_word(LLVMValueRef value)
{
    uint64_t bits;
    if (!constant_splat_bits(value, &bits))
        return false;
    int64_t number = type_element_bits(LLVMTypeOf(value)) == 16 ? (int16_t)bits : (int32_t)bits;
    return number > INT16_MIN && number <= INT16_MAX;
}

static bool may_be_fused(const struct selection *s, LLVMValueRef sum)
{
    return is_sum(sum) && has_words_or_dwords(sum) && bale_fused_product(s, sum) < 0 &&
           !LLVMIsNull(LLVMGetOperand(sum, 0));
}

static bool fuse_sums(LLVMValueRef root, unsigned inner, struct bale_terms *out)
{
    LLVMValueRef sum = LLVMGetOperand(root, inner);
    *out = (struct bale_terms){.terms = MOST_TERMS, .fused = {sum}, .count = 1};
    unsigned numbers = 0;
    for (unsigned k = 0; k < MOST_TERMS; k++) {
        out->term[k] = k < 2 ? LLVMGetOperand(sum, k) : LLVMGetOperand(root, 1 - inner);
        out->negated[k] = k > 0 && LLVMGetInstructionOpcode(k == 1 ? sum : root) == LLVMSub;
        numbers += is_number(out->term[k]);
        if (!is_summand(out->term[k], out->negated[k]) || (is_number(out->term[k]) && !is_immediate_word(out->term[k])))
            return false;
    }
    return numbers <= 1;
}

bool bale_fused_sum(const struct selection *s, LLVMValueRef root, struct bale_terms *out)
{
    if (!platform_has(s->platform, FEATURE_ADD3) || !may_be_fused(s, root) || bale_becomes_saturated(root))
        return false;
    unsigned last = LLVMGetInstructionOpcode(root) == LLVMSub ? 0 : 1; /* a negated sum would negate its numbers */
    for (unsigned k = 0; k <= last; k++) {
        LLVMValueRef inner = LLVMGetOperand(root, k);
        if (may_be_fused(s, inner) && is_only_for(inner, root) && fuse_sums(root, k, out))
            return true;
    }
    return false;
}

/* ---- logic ---- */

/* Returns the 16 bits of a constant, or of its complement, that an instruction can hold; false: it can hold neither. */
static bool short_constant(LLVMValueRef value, bool *inverted)
{
    uint64_t bits;
    if (!constant_splat_bits(value, &bits))
        return false;
    *inverted = (uint32_t)bits > UINT16_MAX && type_element_bits(LLVMTypeOf(value)) == 32;
    return !*inverted || ~(uint32_t)bits <= UINT16_MAX;
}

/* The number behind complements that are part of their users anyway. */
static LLVMValueRef behind_complements(const struct selection *s, LLVMValueRef value, bool *inverted)
{
    *inverted = false;
    while (LLVMIsAInstruction(value) && ir_is_complement(value) && bale_becomes_source(s, value)) {
        value = LLVMGetOperand(value, 0);
        *inverted = !*inverted;
    }
    return value;
}

/* True if each complement between an operand and the number behind it has one use too: another reader of a complement
 * would read that number. */
static bool has_one_reader(LLVMValueRef operand, LLVMValueRef behind)
{
    for (; operand != behind; operand = LLVMGetOperand(operand, 0))
        if (!ir_has_one_use(operand))
            return false;
    return true;
}

static void add_term(struct bale_terms *f, LLVMValueRef value)
{
    for (unsigned k = 0; k < f->terms; k++)
        if (f->term[k] == value)
            return;
    if (f->terms < MOST_TERMS)
        f->term[f->terms] = value;
    f->terms++;
}

static bool is_part_of(const struct bale_terms *f, LLVMValueRef value)
{
    for (unsigned k = 0; k < f->count; k++)
        if (f->fused[k] == value)
            return true;
    return false;
}

static void collect(const struct selection *s, LLVMValueRef operation, struct bale_terms *f)
{
    for (unsigned k = 0; k < 2; k++) {
        bool inverted;
        LLVMValueRef value = behind_complements(s, LLVMGetOperand(operation, k), &inverted);
        if (is_part_of(f, value))
            collect(s, value, f);
        else
            add_term(f, value);
    }
}

/* True for terms that one instruction reads. */
static bool are_terms(struct bale_terms *f)
{
    unsigned numbers = 0;
    if (f->terms > MOST_TERMS)
        return false;
    for (unsigned k = 0; k < f->terms; k++) {
        numbers += is_number(f->term[k]);
        if (!is_term(f->term[k]) || (is_number(f->term[k]) && !short_constant(f->term[k], &f->inverted[k])))
            return false;
    }
    return numbers <= 1;
}

/* Takes one more operation into the root's, the first that leaves no more than three terms. */
static bool take_one(const struct selection *s, LLVMValueRef root, LLVMValueRef user, struct bale_terms *f)
{
    for (unsigned k = 0; k < 2; k++) {
        bool inverted;
        LLVMValueRef inner = behind_complements(s, LLVMGetOperand(user, k), &inverted);
        if (is_part_of(f, inner) && take_one(s, root, inner, f))
            return true;
        bool is_candidate = is_logic(inner) && !ir_is_complement(inner) && is_only_for(inner, root) &&
                            has_one_reader(LLVMGetOperand(user, k), inner) && !is_part_of(f, inner) &&
                            f->count < MOST_FUSED;
        if (!is_candidate)
            continue;
        struct bale_terms more = *f;
        more.fused[more.count++] = inner;
        more.terms = 0;
        collect(s, root, &more);
        if (!are_terms(&more))
            continue;
        *f = more;
        return true;
    }
    return false;
}

static unsigned table_of(const struct selection *s, const struct bale_terms *f, LLVMValueRef value)
{
    enum { ALL = 0xff };
    static const unsigned tables[MOST_TERMS] = {0xaa, 0xcc, 0xf0};
    bool inverted;
    value = behind_complements(s, value, &inverted);
    unsigned flip = inverted ? ALL : 0;
    for (unsigned k = 0; k < f->terms; k++)
        if (f->term[k] == value)
            return tables[k] ^ flip ^ (f->inverted[k] ? ALL : 0);
    unsigned a = table_of(s, f, LLVMGetOperand(value, 0)), b = table_of(s, f, LLVMGetOperand(value, 1));
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return (op == LLVMAnd ? a & b : op == LLVMOr ? a | b : a ^ b) ^ flip;
}

/* An immediate must not be the second of three sources. */
static void place_number(struct bale_terms *f)
{
    enum { SECOND = 1, LAST = 2 };
    if (!is_number(f->term[SECOND]))
        return;
    LLVMValueRef number = f->term[SECOND];
    bool inverted = f->inverted[SECOND];
    f->term[SECOND] = f->term[LAST];
    f->inverted[SECOND] = f->inverted[LAST];
    f->term[LAST] = number;
    f->inverted[LAST] = inverted;
}

bool bale_fused_logic(const struct selection *s, LLVMValueRef root, struct bale_terms *out)
{
    *out = (struct bale_terms){0};
    if (!platform_has(s->platform, FEATURE_BFN) || !is_logic(root) || !has_words_or_dwords(root) ||
        ir_is_complement(root))
        return false;
    while (take_one(s, root, root, out))
        ;
    if (out->count == 0 || out->terms < MOST_TERMS)
        return false;
    place_number(out);
    out->table = table_of(s, out, root);
    return true;
}

void bale_fuse_terms(struct selection *s)
{
    for (size_t n = s->value_count; n-- > 0;) { /* users first */
        struct bale_terms f;
        LLVMValueRef root = s->values[n].llvm;
        /* a sum that is part of an indirect operand is no instruction itself */
        if (s->values[n].fused || !LLVMIsAInstruction(root) || bale_becomes_source(s, root) ||
            (!bale_fused_sum(s, root, &f) && !bale_fused_logic(s, root, &f)))
            continue;
        for (unsigned k = 0; k < f.count; k++)
            bale_value(s, f.fused[k])->fused = true;
    }
}
