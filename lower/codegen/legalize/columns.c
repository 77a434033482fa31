/* Counts the moves of a copy of rows of two or four lanes, column by column, as legalize_by_columns() makes them.
 *
 * Example: exchanged neighbours are rows of two lanes with a step of -1, which no region can express:
 *
 *     mov (8) copy<2>, v[1]<2;1,0>        lanes 0, 2, 4 ...
 *     mov (8) copy[1]<2>, v<2;1,0>        lanes 1, 3, 5 ... */
#include "lower/codegen/legalize/columns.h"

#include "lower/codegen/legalize/region_fit.h"

unsigned legalize_columns(const struct macro_operand *o, unsigned lanes)
{
    unsigned width = o->region.width, bytes = visa_type_bytes(o->type);
    bool rows = o->kind == MACRO_REGION && (width == 2 || width == 4) && lanes % width == 0 && lanes > width;
    if (!rows || o->region.hstride >= 0 || o->region.vstride < 0 || o->region.vstride % (int)bytes)
        return 0;
    unsigned reach = lanes * bytes, read = (lanes / width) * (unsigned)o->region.vstride;
    return width * ir_instructions_for(reach > read ? reach : read);
}
