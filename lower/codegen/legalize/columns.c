/* Copies rows of two or four lanes column by column, where fewer moves do that than row by row.
 *
 * Exchanged neighbours are rows of two lanes with a step of -1, which no region has:
 *
 *     mov (8) copy<2>, v[1]<2;1,0>        lanes 0, 2, 4 ...
 *     mov (8) copy[1]<2>, v<2;1,0>        lanes 1, 3, 5 ...                                                      */
#include "lower/codegen/legalize/columns.h"

#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/legalize/region_fit.h"

unsigned legalize_columns(const struct macro_operand *o, unsigned lanes)
{
    unsigned width = o->region.width, bytes = visa_type_bytes(o->type);
    bool rows = o->kind == WIDE_REGION && (width == 2 || width == 4) && lanes % width == 0 && lanes > width;
    if (!rows || o->region.hstride >= 0 || o->region.vstride < 0 || o->region.vstride % (int)bytes)
        return 0;
    unsigned reach = lanes * bytes, read = (lanes / width) * (unsigned)o->region.vstride;
    return width * ir_instructions_for(reach > read ? reach : read);
}

static struct macro_operand column(const struct macro_operand *o, unsigned number, unsigned lanes, int step)
{
    struct macro_operand out = *o;
    out.region = (struct region){region_lane(&o->region, number), lanes, 0, step};
    return out;
}

bool legalize_by_columns(struct selection *s, const struct macro *w, const struct legalize_piece *pieces, size_t count)
{
    (void)pieces;
    unsigned columns = w->op == VISA_OP_MOV ? legalize_columns(&w->src[0], w->lanes) : 0;
    if (!columns || columns >= count || w->predicate.kind != WIDE_NONE || !legalize_is_plain(&w->dst, w->lanes) ||
        legalize_same_variable(w, &w->src[0]))
        return false;
    unsigned width = w->src[0].region.width, lanes = w->lanes / width;
    for (unsigned k = 0; k < width; k++) {
        struct macro part = *w;
        part.lanes = lanes;
        part.dst = column(&w->dst, k, lanes, (int)(width * visa_type_bytes(w->dst.type)));
        part.src[0] = column(&w->src[0], k, lanes, w->src[0].region.vstride);
        legalize_macro(s, &part);
    }
    return true;
}
