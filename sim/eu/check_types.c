/* Checks the types and modifiers of an opcode: turns the rows of tables/eu_ops.def, eu_op_types.def and eu_math.def
 * into rules. */
#include <assert.h>
#include <stdio.h>
#include "sim/eu/instruction.h"
#include "sim/eu/type_sets.h"

struct type_row {
    uint8_t op;
    uint16_t first, last;
    uint16_t destination, source;
};

static const struct type_row type_rows[] = {
#define EU_TYPES(OP, FIRST, LAST, DESTINATION, SOURCE) {EU_OP_##OP, FIRST, LAST, DESTINATION, SOURCE},
#include "tables/eu_op_types.def"
#undef EU_TYPES
};

const struct eu_math_function eu_math_table[EU_MATH_FUNCTIONS] = {
#define EXACT          EU_EXACT
#define EXACT_UNSIGNED EU_EXACT_UNSIGNED
#define APPROXIMATE    EU_APPROXIMATE
#define EU_MATH(ID, NAME, NUMBER, SOURCES, FIRST, LAST, TYPES, FIDELITY)                                               \
    [NUMBER] = {NAME, SOURCES, FIRST, LAST, TYPES, FIDELITY},
#include "tables/eu_math.def"
#undef EU_MATH
#undef EXACT
#undef EXACT_UNSIGNED
#undef APPROXIMATE
};

/* A packed immediate has the type of the elements that it expands to. */
static uint32_t type_bit(unsigned type)
{
    switch (type) {
    case EU_UV: return UW;
    case EU_V: return W;
    case EU_VF: return F;
    default: return 1u << type;
    }
}

/* Gen12's instructions of three sources have 16 bits for an immediate: bfe takes words there, as the newer finalizers
 * of Intel (IGC 2.40) write them, where its registers are of dwords. */
static uint32_t source_types(const struct platform *platform, const struct eu_instruction *in,
                             const struct eu_operand *x)
{
    bool is_short = x->place == EU_IMMEDIATE && (type_bit(x->type) & WORDS) != 0;
    bool is_bits = in->op == &eu_op_table[EU_OP_BFE] || in->op == &eu_op_table[EU_OP_BFI2];
    return type_bit(x->type) | (is_short && is_bits && platform_has(platform, FEATURE_XE_ENCODING) ? DWORDS : 0);
}

static bool pair_exists(const struct platform *platform, const struct eu_instruction *in, uint32_t source)
{
    unsigned op = (unsigned)(in->op - eu_op_table);
    for (size_t i = 0; i < sizeof type_rows / sizeof *type_rows; i++) {
        const struct type_row *row = &type_rows[i];
        if (row->op == op && platform_between(platform, row->first, row->last) &&
            (row->destination & 1u << in->dst.type) && (row->source & source))
            return true;
    }
    return false;
}

/* Divisions and roots in steps, with accumulators of their own. */
static bool has_macros(const struct platform *platform)
{
    for (size_t i = 0; i < sizeof type_rows / sizeof *type_rows; i++)
        if (type_rows[i].op == EU_OP_MADM && platform_between(platform, type_rows[i].first, type_rows[i].last))
            return true;
    return false;
}

static const char *check_math(const struct platform *platform, const struct eu_instruction *in)
{
    const struct eu_math_function *function = &eu_math_table[in->function % EU_MATH_FUNCTIONS];
    if (in->function >= EU_MATH_FUNCTIONS || function->name == NULL ||
        !platform_between(platform, function->first_generation, function->last_generation))
        return "math function that the platform does not have";
    if ((in->function == EU_MATH_INVM || in->function == EU_MATH_RSQTM) && !has_macros(platform))
        return "math function that the platform does not have";
    for (unsigned s = 0; s < function->sources; s++)
        if (in->src[s].place != EU_NOWHERE && !(type_bit(in->src[s].type) & function->types))
            return "math function without these operand types";
    if (in->condition != EU_ALWAYS && in->function != EU_MATH_INVM && in->function != EU_MATH_RSQTM)
        return "condition modifier that the instruction does not have";
    return NULL;
}

static const char *check_modifiers(const struct platform *platform, const struct eu_instruction *in)
{
    unsigned modifiers = eu_modifiers(in->op, platform);
    if (in->predicate != EU_NO_PREDICATE && !(modifiers & EU_MODIFIER_PRED))
        return "predicate that the instruction does not have";
    if (in->condition != EU_ALWAYS && !(modifiers & EU_MODIFIER_COND) && in->op != &eu_op_table[EU_OP_MATH])
        return "condition modifier that the instruction does not have";
    if (in->condition == EU_ALWAYS && (in->op->properties & EU_PROPERTY_COMPARE))
        return "comparison without a condition";
    if (in->saturate && !(modifiers & EU_MODIFIER_SAT))
        return "saturation that the instruction does not have";
    for (unsigned s = 0; s < in->op->sources; s++)
        if ((in->src[s].negate || in->src[s].absolute) && !(modifiers & EU_MODIFIER_SRCMOD))
            return "source modifier that the instruction does not have";
    return NULL;
}

const char *eu_check_types(const struct platform *platform, const struct eu_instruction *in)
{
    const char *broken = check_modifiers(platform, in);
    if (broken != NULL)
        return broken;
    if (in->op == &eu_op_table[EU_OP_WAIT])
        return in->src[0].type == EU_UD ? NULL : "operand types that the instruction does not have";
    if (!eu_platform_has_type(platform, in->dst.type))
        return "operand type that the platform does not have";
    for (unsigned s = 0; s < in->op->sources; s++) {
        const struct eu_operand *x = &in->src[s];
        if (x->place == EU_NOWHERE || (s == 1 && in->op == &eu_op_table[EU_OP_SMOV]))
            continue;
        if (!eu_platform_has_type(platform, x->type))
            return "operand type that the platform does not have";
        if (s == 1 && (in->op->properties & EU_PROPERTY_SHIFT) && eu_type_table[x->type].domain == EU_INTEGER)
            continue;
        if (!pair_exists(platform, in, source_types(platform, in, x)))
            return "operand types that the instruction does not have";
    }
    return in->op == &eu_op_table[EU_OP_MATH] ? check_math(platform, in) : NULL;
}

const char *eu_instruction_name(const struct eu_instruction *in, char *text, size_t size)
{
    assert(in->op && text && size);
    if (in->op == &eu_op_table[EU_OP_MATH] && eu_math_table[in->function % EU_MATH_FUNCTIONS].name != NULL)
        snprintf(text, size, "math.%s", eu_math_table[in->function % EU_MATH_FUNCTIONS].name);
    else if (in->op == &eu_op_table[EU_OP_SYNC])
        snprintf(text, size, "sync.%s",
                 in->function == EU_SYNC_NOP     ? "nop"
                 : in->function == EU_SYNC_ALLRD ? "allrd"
                 : in->function == EU_SYNC_ALLWR ? "allwr"
                 : in->function == EU_SYNC_BAR   ? "bar"
                                                 : "host");
    else
        snprintf(text, size, "%s", in->op->mnemonic);
    return text;
}

const char *eu_describe_types(const struct eu_instruction *in, char *text, size_t size)
{
    assert(text && size);
    size_t used = 0;
    text[0] = 0;
    for (unsigned o = 0; o <= EU_MAX_SOURCES && used < size; o++)
        if (in->written_type[o] != EU_NO_TYPE)
            used += (size_t)snprintf(text + used, size - used, " %s%s%s", eu_type_table[in->written_type[o]].name,
                                     o > 0 && in->src[o - 1].place == EU_IMMEDIATE ? "#" : "", o == 0 ? " <-" : "");
    return text;
}

enum eu_fidelity eu_instruction_fidelity(const struct eu_instruction *in)
{
    if (in->op->execute == EU_EXECUTE_dpas) /* of integers, it is exact */
        return in->dst.type == EU_F ? EU_APPROXIMATE : EU_EXACT;
    enum eu_fidelity fidelity = in->op->fidelity;
    if (fidelity == EU_FIDELITY_OF_FUNCTION)
        fidelity = eu_math_table[in->function % EU_MATH_FUNCTIONS].fidelity;
    if (fidelity != EU_EXACT_UNSIGNED)
        return fidelity;
    bool reads_second_signed = !(in->op->properties & EU_PROPERTY_SHIFT) && eu_type_is_signed(in->src[1].type);
    return eu_type_is_signed(in->src[0].type) || reads_second_signed ? EU_APPROXIMATE : EU_EXACT;
}
