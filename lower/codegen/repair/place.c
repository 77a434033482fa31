#include "lower/codegen/repair/place.h"

static struct place place_of(const struct visa_operand *o, unsigned lanes, bool is_destination)
{
    if (o->kind != VISA_OPERAND_GENERAL)
        return (struct place){0, 0, 0};
    const struct visa_region *r = &o->region;
    unsigned width = is_destination || !r->width || r->width > lanes ? lanes : r->width;
    unsigned last = (lanes / width - 1) * r->vstride + (width - 1) * r->hstride;
    return (struct place){o->variable, o->offset, o->offset + (int)((last + 1) * visa_type_bytes(o->type))};
}

static bool overlap(struct place a, struct place b)
{
    return a.variable == b.variable && a.from < b.to && b.from < a.to;
}

struct place place_of_result(const struct visa_instruction *i)
{
    return place_of(&i->dst, i->exec_size, true);
}

bool place_is_read(const struct visa_instruction *i, struct place place)
{
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (overlap(place_of(&i->src[k], i->exec_size, false), place))
            return true;
    return false;
}

bool place_depends(const struct visa_instruction *later, const struct visa_instruction *earlier)
{
    return place_is_read(later, place_of_result(earlier)) || place_is_read(earlier, place_of_result(later)) ||
           overlap(place_of_result(earlier), place_of_result(later));
}

bool place_is_simple(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE ||
           (o->kind == VISA_OPERAND_GENERAL && o->variable >= VISA_FIRST_VARIABLE);
}
