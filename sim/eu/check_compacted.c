/* Checks modifiers of compacted instructions. A compacted instruction refers to table rows that hold its modifiers,
 * regions and types, and the decoder hides modifiers that the instruction does not have. The check therefore decodes
 * the same bits with the opcode of an instruction that has all modifiers. */
#include <string.h>
#include "sim/eu/iga_c.h"
#include "sim/eu/operand_decode.h"
#include "sim/eu/thread.h"

enum { COMPACTED_BYTES = 8, OPCODE_MASK = 0x7f };

/* Returns the encoding of mov, add or mad: an instruction with as many sources and every modifier. */
static uint8_t stand_in(const struct platform *platform, const struct eu_instruction *in)
{
    enum { MOV = 0x01, MOV_12 = 0x61, ADD = 0x40, MAD = 0x5b };
    if (in->op->sources == 1)
        return platform_has(platform, FEATURE_XE_ENCODING) ? MOV_12 : MOV;
    return in->op->sources == 2 ? ADD : MAD;
}

static const char *check_sources(const kv_t *kv, const struct eu_instruction *in, unsigned modifiers)
{
    for (unsigned s = 0; s < in->op->sources; s++) {
        if (in->src[s].place != EU_DIRECT && in->src[s].place != EU_INDIRECT)
            continue;
        uint32_t modifier = kv_get_source_modifier(kv, 0, s);
        if (modifier != 0 && !(modifiers & EU_MODIFIER_SRCMOD))
            return "source modifier that the instruction does not have";
        if ((modifier & 1) && (in->op->properties & EU_PROPERTY_LOGIC))
            return "absolute source that the instruction does not have";
    }
    return NULL;
}

static const char *check_view(const kv_t *kv, const struct platform *platform, const struct eu_instruction *in)
{
    unsigned modifiers = eu_modifiers(in->op, platform);
    bool is_math = in->op == &eu_op_table[EU_OP_MATH]; /* its function is where others have the condition */
    if (!(modifiers & EU_MODIFIER_PRED) && kv_get_predicate(kv, 0) != 0)
        return "predicate that the instruction does not have";
    if (!(modifiers & EU_MODIFIER_COND) && !is_math && kv_get_flag_modifier(kv, 0) != 0)
        return "condition modifier that the instruction does not have";
    if (!(modifiers & EU_MODIFIER_SAT) && kv_get_destination_modifier(kv, 0) != 0)
        return "saturation that the instruction does not have";
    return check_sources(kv, in, modifiers);
}

const char *eu_check_compacted(const struct platform *platform, const uint8_t *code, const struct eu_instruction *in)
{
    const unsigned all = EU_MODIFIER_PRED | EU_MODIFIER_COND | EU_MODIFIER_SAT | EU_MODIFIER_SRCMOD;
    uint8_t changed[COMPACTED_BYTES];
    int status;
    if ((in->op->modifiers & all) == all && !(in->op->properties & EU_PROPERTY_LOGIC))
        return NULL;
    memcpy(changed, code, sizeof changed);
    changed[0] = (uint8_t)((changed[0] & ~OPCODE_MASK) | stand_in(platform, in));
    kv_t *kv = iga_view_create(platform, changed, sizeof changed, &status, NULL, 0);
    if (kv == NULL)
        return "compacted instruction whose modifiers cannot be told";
    const char *wrong = check_view(kv, platform, in);
    kv_delete(kv);
    return wrong;
}
