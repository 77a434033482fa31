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

bool visa_place_is_simple(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE ||
           (o->kind == VISA_OPERAND_GENERAL && o->variable >= VISA_FIRST_VARIABLE);
}
