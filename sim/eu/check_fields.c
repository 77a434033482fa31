/* Checks fields of the encoding that an instruction does not have. The decoder hides them, so this code reads the bits
 * themselves: the hardware's behaviour is undefined if they are set. Source: the instruction formats in Intel's PRMs
 * (Skylake volume 2d "EUISA", the same for Ice and Tiger Lake); test/unit/sim_eu/eu_undefined_encodings.c compares with
 * Intel's assembler. */
#include "sim/eu/iga_c.h"
#include "sim/eu/operand_decode.h"
#include "sim/eu/thread.h"

/* First bits of fields: up to Gen11, and on Gen12. */
struct field {
    unsigned start, start_12, bits;
};

/* The predicate of platforms that count channels by eights has two bits less, for the channel offset before it. */
static const struct field predicate = {16, 24, 4}, short_predicate = {16, 26, 2}, condition = {24, 92, 4},
                          saturation = {31, 34, 1};
static const struct field source_modifiers[] = {{77, 44, 2}, {109, 120, 2}}, absolute[] = {{77, 44, 1}, {109, 120, 1}};

static const struct field ternary_modifiers[] = {{37, 44, 2}, {39, 86, 2}, {41, 84, 2}};

static bool is_set(const struct platform *platform, const uint8_t *code, const struct field *field)
{
    unsigned start = platform_has(platform, FEATURE_XE_ENCODING) ? field->start_12 : field->start;
    for (unsigned bit = start; bit < start + field->bits; bit++)
        if (code[bit / 8] >> bit % 8 & 1)
            return true;
    return false;
}

static const char *check_sources(const struct platform *platform, const uint8_t *code, const struct eu_instruction *in)
{
    const struct field *fields = in->op->sources == 3 ? ternary_modifiers : source_modifiers;
    for (unsigned s = 0; s < in->op->sources; s++) {
        if (in->src[s].place != EU_DIRECT && in->src[s].place != EU_INDIRECT)
            continue;
        bool holds_function = in->op == &eu_op_table[EU_OP_BFN];
        if (!(in->op->modifiers & EU_MODIFIER_SRCMOD) && !holds_function && is_set(platform, code, &fields[s]))
            return "source modifier that the instruction does not have";
        if (in->op->properties & EU_PROPERTY_LOGIC && is_set(platform, code, &absolute[s]))
            return "absolute source that the instruction does not have";
    }
    return NULL;
}

const char *eu_check_fields(const struct platform *platform, const uint8_t *code, const struct eu_instruction *in)
{
    enum { NATIVE = 16 };
    unsigned modifiers = eu_modifiers(in->op, platform);
    bool is_math = in->op == &eu_op_table[EU_OP_MATH]; /* its function is where others have the condition */
    bool has_wide_immediate = false;
    if (in->op->execute != EU_EXECUTE_alu)
        return NULL;
    if (in->size != NATIVE)
        return eu_check_compacted(platform, code, in);
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place == EU_IMMEDIATE && eu_type_table[in->src[s].type].bytes == 8)
            has_wide_immediate = true; /* lies where Gen12 has the condition */
    bool is_short = platform_has(platform, FEATURE_XE_ENCODING) && !platform_has(platform, FEATURE_NIBBLE_CONTROL);
    if (!(modifiers & EU_MODIFIER_PRED) && is_set(platform, code, is_short ? &short_predicate : &predicate))
        return "predicate that the instruction does not have";
    if (!(modifiers & EU_MODIFIER_COND) && !is_math && !has_wide_immediate && is_set(platform, code, &condition))
        return "condition modifier that the instruction does not have";
    if (!(modifiers & EU_MODIFIER_SAT) && is_set(platform, code, &saturation))
        return "saturation that the instruction does not have";
    return check_sources(platform, code, in);
}
