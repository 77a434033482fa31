/* Reads lanes that are far apart, or no region, through an address per lane.
 *
 * A column of a matrix that is chosen at run time is in as many registers as it has rows. One address reaches two
 * neighbouring registers, so that each lane would be an instruction. So would be every third word: no region has that
 * stride. With an address per lane, eight lanes are one instruction:
 *
 *     add (8) words, offset<0>, (0, 64, 128 ... 448)
 *     addr_add (8) a, &matrix, words
 *     mov (8) column, r[a, 0]<1,0>
 *     mov (8) column[8], r[a, 512]<1,0>
 *
 * This is for sources: a destination has one address only (PRM volume 7, "indirect addressing"). */
#include "lower/codegen/operands/scattered.h"

#include <assert.h>

#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/legalize/region_fit.h"
#include "lower/codegen/operands/operands.h"

/* The cost of the addresses: a constant of two instructions, two additions, and one more as the required gain. */
enum { COST_OF_ADDRESSES = 5, MOST_LANES = 32 };

/* Returns the lanes from `first` that are a region which one address reaches: in two neighbouring registers for any
 * alignment. */
static unsigned lanes_together(const struct selection *s, const struct macro_operand *o, unsigned first, unsigned lanes)
{
    int bytes = (int)visa_type_bytes(o->type), reach = (int)s->platform->grf_bytes + bytes;
    for (unsigned n = ADDRESS_GROUP; n > 1; n /= 2) {
        struct visa_region hardware;
        int offset;
        if (first + n > lanes || !legalize_piece_region(o, first, n, &offset, &hardware))
            continue;
        int low = 1 << 30, high = -(1 << 30);
        for (unsigned k = first; k < first + n; k++) {
            int at = region_lane(&o->region, k);
            low = at < low ? at : low;
            high = at + bytes > high ? at + bytes : high;
        }
        if (high - low <= reach)
            return n;
    }
    return 1;
}

static bool is_scattered(const struct selection *s, const struct macro_operand *o, unsigned lanes)
{
    unsigned pieces = 0;
    for (unsigned first = 0; first < lanes; first += lanes_together(s, o, first, lanes))
        pieces++;
    return pieces >= (lanes + ADDRESS_GROUP - 1) / ADDRESS_GROUP + COST_OF_ADDRESSES;
}

bool operand_is_read_in_place(const struct selection *s, LLVMValueRef read)
{
    enum { READ_OFFSET = 4, WRITE_OFFSET = 5 };
    struct region from, to;
    if (!region_is_write(s->current) || LLVMGetOperand(read, READ_OFFSET) != LLVMGetOperand(s->current, WRITE_OFFSET))
        return false;
    region_of_call(read, &from);
    region_of_call(s->current, &to);
    return from.width == to.width && from.hstride == to.hstride && from.vstride == to.vstride;
}

/* True if each group of eight has the offsets of the first one, *step bytes from the group before it. */
static bool groups_repeat(const struct region *r, unsigned lanes, int *step)
{
    *step = lanes > ADDRESS_GROUP ? region_lane(r, ADDRESS_GROUP) - region_lane(r, 0) : 0;
    for (unsigned k = ADDRESS_GROUP; k < lanes; k++)
        if (region_lane(r, k) - region_lane(r, k - ADDRESS_GROUP) != *step)
            return false;
    return true;
}

/* Returns the offset of each lane from the first one. */
static LLVMValueRef distances(const struct selection *s, const struct region *r, unsigned lanes)
{
    LLVMTypeRef word = LLVMInt16TypeInContext(LLVMGetModuleContext(s->module));
    LLVMValueRef all[MOST_LANES];
    for (unsigned k = 0; k < lanes; k++)
        all[k] = LLVMConstInt(word, (uint16_t)(region_lane(r, k) - region_lane(r, 0)), false);
    return LLVMConstVector(all, lanes);
}

void operand_address_scattered_lanes(struct selection *s, struct macro_operand *o, unsigned lanes)
{
    assert(o->kind == MACRO_ADDRESS && lanes >= 1);
    int step;
    if (lanes > MOST_LANES || visa_type_bytes(o->type) > 4 || !is_scattered(s, o, lanes))
        return;
    bool repeat = groups_repeat(&o->region, lanes, &step);
    unsigned count = repeat && lanes > ADDRESS_GROUP ? ADDRESS_GROUP : lanes;
    LLVMValueRef constant = distances(s, &o->region, count);
    unsigned words = cg_new_variable(s, VISA_TYPE_UW, count, 0, NULL);
    struct macro sum = {
        .op = VISA_OP_ADD, .lanes = count, .sources = 2, .dst = macro_region(words, VISA_TYPE_UW, 0, count)};
    sum.src[0] = macro_scalar(o->offset, VISA_TYPE_UW, o->offset_at);
    sum.src[1] = macro_region(operand_constant_variable(s, constant), VISA_TYPE_UW, 0, count);
    bool before = s->for_all_lanes; /* also of those that have left a loop, whose addresses are read */
    s->for_all_lanes = true;
    legalize_macro(s, &sum);
    s->for_all_lanes = before;
    o->offset = words;
    o->offset_at = 0;
    o->offsets = count;
    o->per_lane = true;
    o->group_step = repeat ? step : 0;
    o->group = 0;
    o->extent = repeat ? (int)((lanes - 1) / ADDRESS_GROUP) * step : 0;
    o->region = (struct region){o->region.offset, 1, 0, 0};
}
