#include "visa_emit/place.h"

struct visa_place visa_place_of(const struct visa_operand *o, unsigned lanes, bool is_destination)
{
    if (o->kind != VISA_OPERAND_GENERAL)
        return (struct visa_place){0, 0, 0};
    const struct visa_region *r = &o->region;
    unsigned width = is_destination || !r->width || r->width > lanes ? lanes : r->width;
    unsigned last = (lanes / width - 1) * r->vstride + (width - 1) * r->hstride;
    return (struct visa_place){o->variable, o->offset, o->offset + (int)((last + 1) * visa_type_bytes(o->type))};
}

static bool overlap(struct visa_place a, struct visa_place b)
{
    return a.variable == b.variable && a.from < b.to && b.from < a.to;
}

struct visa_place visa_place_of_result(const struct visa_instruction *i)
{
    return visa_place_of(&i->dst, i->exec_size, true);
}

bool visa_place_is_read(const struct visa_instruction *i, struct visa_place place)
{
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (overlap(visa_place_of(&i->src[k], i->exec_size, false), place))
            return true;
    return false;
}

bool visa_place_depends(const struct visa_instruction *later, const struct visa_instruction *earlier)
{
    return visa_place_is_read(later, visa_place_of_result(earlier)) ||
           visa_place_is_read(earlier, visa_place_of_result(later)) ||
           overlap(visa_place_of_result(earlier), visa_place_of_result(later));
}

bool visa_place_is_variable(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_GENERAL && o->variable >= VISA_FIRST_VARIABLE;
}

bool visa_place_is_simple(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE || visa_place_is_variable(o);
}

bool visa_has_carry(const struct visa_instruction *i)
{
    return i->op == VISA_OP_ADDC || i->op == VISA_OP_SUBB;
}

bool visa_has_hidden_operands(const struct visa_instruction *i)
{
    return i->op > VISA_OP_SEL || i->op == VISA_OP_DPAS || visa_has_carry(i);
}

bool visa_ends_block(const struct visa_instruction *i)
{
    return i->op >= VISA_OP_LABEL && i->op <= VISA_OP_ASSEMBLY;
}

static bool may_touch(const struct visa_operand *o, unsigned lanes, bool is_destination, struct visa_place place)
{
    if (o->kind == VISA_OPERAND_RAW)
        return o->variable == place.variable && o->offset < place.to;
    return overlap(visa_place_of(o, lanes, is_destination), place);
}

bool visa_place_may_be_read(const struct visa_instruction *i, struct visa_place place)
{
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (may_touch(&i->src[k], i->exec_size, false, place))
            return true;
    for (unsigned k = 0; k < i->parameter_count; k++)
        if (may_touch(&i->parameters[k], i->exec_size, false, place))
            return true;
    return false;
}

bool visa_place_may_be_written(const struct visa_instruction *i, struct visa_place place)
{
    return may_touch(&i->dst, i->exec_size, true, place) ||
           (visa_has_carry(i) && may_touch(&i->src[0], i->exec_size, true, place));
}

bool visa_computes(const struct visa_instruction *i)
{
    bool plain = i->op == VISA_OP_SEL || (i->op <= VISA_OP_DP4A && !visa_has_carry(i));
    if (!plain || i->dst.kind != VISA_OPERAND_GENERAL || !visa_place_is_simple(&i->dst))
        return false;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (!visa_place_is_simple(&i->src[k]))
            return false;
    return true;
}

bool visa_must_stay(const struct visa_instruction *computes, const struct visa_instruction *other)
{
    bool sets_modes = other->dst.kind == VISA_OPERAND_GENERAL && other->dst.variable < VISA_FIRST_VARIABLE;
    struct visa_place result = visa_place_of_result(computes);
    if (sets_modes || visa_place_may_be_read(other, result) || visa_place_may_be_written(other, result))
        return true;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (computes->src[k].kind == VISA_OPERAND_GENERAL &&
            visa_place_may_be_written(other, visa_place_of(&computes->src[k], computes->exec_size, false)))
            return true;
    return false;
}
