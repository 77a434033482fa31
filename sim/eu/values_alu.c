/* Computes which bits of a result depend on unwritten bits. The rules for sums, logic and comparisons are those
 * of memcheck. */
#include <assert.h>
#include "sim/eu/values.h"

static const uint64_t ALL = UINT64_MAX;

/* A carry goes upwards from the lowest unknown bit. */
static uint64_t and_above(uint64_t unknown)
{
    return unknown | (0 - unknown);
}

static uint64_t any(uint64_t unknown)
{
    return unknown ? ALL : 0;
}

static bool is_zero(const struct eu_value *v)
{
    return v->unknown == 0 && v->value == 0;
}

/* A zero that is known decides an "and", a one an "or". */
static uint64_t of_and(const struct eu_value *a, const struct eu_value *b)
{
    return (a->unknown & (b->unknown | b->value)) | (b->unknown & (a->unknown | a->value));
}

static uint64_t of_or(const struct eu_value *a, const struct eu_value *b)
{
    return (a->unknown & (b->unknown | ~b->value)) | (b->unknown & (a->unknown | ~a->value));
}

static uint64_t of_product(const struct eu_value *a, const struct eu_value *b)
{
    return is_zero(a) || is_zero(b) ? 0 : and_above(a->unknown | b->unknown);
}

static uint64_t width_mask(unsigned bits)
{
    return bits >= 64 ? ALL : (UINT64_C(1) << bits) - 1;
}

static uint64_t of_shift(const struct eu_instruction *in, enum eu_opcode op, const struct eu_value *s)
{
    unsigned bits = 8 * eu_type_table[in->src[0].type].bytes, result = 8 * eu_type_table[in->dst.type].bytes;
    unsigned mask = bits == 64 || result == 64 ? 63 : 31, count = (unsigned)s[1].value & mask;
    if (s[1].unknown & mask)
        return is_zero(&s[0]) ? 0 : ALL;
    if (op == EU_OP_SHL)
        return s[0].unknown << count;
    if (op == EU_OP_SHR)
        return (s[0].unknown & width_mask(bits)) >> count;
    return (uint64_t)((int64_t)s[0].unknown >> count);
}

/* Rotates within the source's width. */
static uint64_t of_rotation(const struct eu_instruction *in, bool is_left, const struct eu_value *s)
{
    unsigned bits = 8 * eu_type_table[in->src[0].type].bytes, count = (unsigned)s[1].value % bits;
    uint64_t unknown = s[0].unknown & width_mask(bits);
    if (s[1].unknown & (bits - 1))
        return any(s[0].unknown | s[1].unknown);
    count = is_left ? count : (bits - count) % bits;
    return count == 0 ? unknown : (unknown << count | unknown >> (bits - count)) & width_mask(bits);
}

/* A field of src0 bits from bit src1 of src2. */
static uint64_t of_field(const struct eu_instruction *in, const struct eu_value *s)
{
    unsigned width = (unsigned)s[0].value & 31, from = (unsigned)s[1].value & 31;
    if ((s[0].unknown | s[1].unknown) & 31)
        return ALL;
    uint64_t field = (s[2].unknown & UINT32_MAX) >> from & width_mask(width);
    bool sign = width > 0 && field >> (width - 1) & 1;
    return sign && eu_type_is_signed((enum eu_type)in->src[2].type) ? field | ~width_mask(width) : field;
}

static uint64_t reversed(uint64_t unknown)
{
    uint64_t result = 0;
    for (unsigned bit = 0; bit < 32; bit++)
        result |= (unknown >> bit & 1) << (31 - bit);
    return result;
}

/* An equality is known if known bits differ; a comparison with zero for the sign needs the sign only. */
static uint64_t of_comparison(const struct eu_instruction *in, const struct eu_value *s)
{
    uint64_t unknown = s[0].unknown | s[1].unknown;
    bool is_equality = in->condition == EU_EQUAL || in->condition == EU_NOT_EQUAL;
    bool is_sign = (in->condition == EU_LESS || in->condition == EU_GREATER_EQUAL) && is_zero(&s[1]);
    if (in->domain != EU_INTEGER || unknown == 0)
        return any(unknown);
    if (is_equality && ((s[0].value ^ s[1].value) & ~unknown))
        return 0;
    if (is_sign && eu_type_is_signed((enum eu_type)in->src[0].type) && !(s[0].unknown >> 63))
        return 0;
    return ALL;
}

static uint64_t of_integers(const struct eu_instruction *in, enum eu_opcode op, const struct eu_value *s)
{
    uint64_t unknown = s[0].unknown | s[1].unknown | s[2].unknown;
    switch (op) {
    case EU_OP_NOT: return s[0].unknown;
    case EU_OP_AND: return of_and(&s[0], &s[1]);
    case EU_OP_OR: return of_or(&s[0], &s[1]);
    case EU_OP_XOR:
    case EU_OP_BFN: return unknown;
    case EU_OP_SHL:
    case EU_OP_SHR:
    case EU_OP_ASR: return of_shift(in, op, s);
    case EU_OP_ROL:
    case EU_OP_ROR: return of_rotation(in, op == EU_OP_ROL, s);
    case EU_OP_ADD:
    case EU_OP_ADD3:
    case EU_OP_ADDC:
    case EU_OP_SUBB: return and_above(unknown);
    case EU_OP_MUL: return of_product(&s[0], &s[1]);
    case EU_OP_MAD: return and_above(s[0].unknown | of_product(&s[1], &s[2]));
    case EU_OP_BFE: return of_field(in, s);
    case EU_OP_BFI2: return s[0].unknown ? ALL : (s[1].unknown & s[0].value) | (s[2].unknown & ~s[0].value);
    case EU_OP_BFREV: return reversed(s[0].unknown);
    default: return any(unknown);
    }
}

bool eu_values_is_copy(const struct eu_instruction *in, unsigned source)
{
    enum eu_opcode op = (enum eu_opcode)(in->op - eu_op_table);
    const struct eu_operand *x = &in->src[source];
    bool moves = op == EU_OP_MOV || op == EU_OP_MOVI || op == EU_OP_SMOV ||
                 (op == EU_OP_SEL && in->condition == EU_ALWAYS) || op == EU_OP_CSEL;
    bool is_integer = eu_type_table[x->type].domain == EU_INTEGER && eu_type_table[in->dst.type].domain == EU_INTEGER;
    return moves && !in->saturate && !x->negate && !x->absolute && (x->type == in->dst.type || is_integer);
}

uint64_t eu_values_result(const struct eu_instruction *in, const struct eu_value source[EU_MAX_SOURCES],
                          unsigned chosen)
{
    enum eu_opcode op = (enum eu_opcode)(in->op - eu_op_table);
    bool is_same = in->op->sources == 2 && in->src[0].place == EU_DIRECT && in->src[1].place == EU_DIRECT &&
                   in->src[0].base == in->src[1].base && in->src[0].type == in->src[1].type &&
                   in->src[0].negate == in->src[1].negate;
    assert(chosen < EU_MAX_SOURCES);
    if (in->op->properties & EU_PROPERTY_COMPARE)
        return is_same && in->domain == EU_INTEGER ? 0 : of_comparison(in, source); /* x == x: always true */
    if (op == EU_OP_MOV || op == EU_OP_MOVI || op == EU_OP_SMOV ||
        ((op == EU_OP_SEL || op == EU_OP_CSEL) && chosen != EU_MAX_SOURCES - 1))
        return eu_values_is_copy(in, chosen)               ? source[chosen].unknown
               : in->domain == EU_INTEGER && !in->saturate ? and_above(source[chosen].unknown)
                                                           : any(source[chosen].unknown);
    if (op == EU_OP_XOR && is_same)
        return 0; /* the usual way to make zeros */
    if (in->domain != EU_INTEGER)
        return any(source[0].unknown | source[1].unknown | source[2].unknown);
    return of_integers(in, op, source);
}
