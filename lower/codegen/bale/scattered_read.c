/* Decides which region reads are copied side by side instead of becoming operands of their users.
 *
 * Lanes that no instruction reads together, such as a column of a large matrix or neighbours in exchanged order, split
 * each user into as many instructions as there are pieces. A copy takes that number of moves once; each user is whole
 * then. */
#include "lower/codegen/bale/scattered_read.h"

#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/columns.h"
#include "lower/codegen/legalize/region_fit.h"
#include "lower/ir/region.h"

/* Whether one instruction reads lanes [first, first + n). */
static bool is_read_at_once(const struct selection *s, const struct macro_operand *o, unsigned first, unsigned n,
                            unsigned vector_bytes)
{
    struct visa_region hw;
    int offset, grf = (int)s->platform->grf_bytes, bytes = (int)visa_type_bytes(o->type), low = 1 << 30, high = 0;
    if (n * (unsigned)bytes > INSTRUCTION_BYTES || !legalize_piece_region(o, first, n, &offset, &hw))
        return false;
    for (unsigned k = first; k < first + n; k++) {
        int at = region_lane(&o->region, k);
        low = at < low ? at : low;
        high = at + bytes > high ? at + bytes : high;
    }
    return vector_bytes <= (unsigned)grf || low % grf + (high - low) <= 2 * grf;
}

/* Counts the pieces of lanes that lie side by side from a register's start on. */
static unsigned pieces_of_row(unsigned lanes, unsigned bytes)
{
    enum { MOST_LANES = 32 };
    unsigned most = INSTRUCTION_BYTES / bytes < MOST_LANES ? INSTRUCTION_BYTES / bytes : MOST_LANES;
    return lanes / most + (unsigned)__builtin_popcount(lanes % most);
}

static unsigned pieces_of(const struct selection *s, const struct macro_operand *o, unsigned lanes,
                          unsigned vector_bytes)
{
    unsigned pieces = 0;
    for (unsigned first = 0; first < lanes; pieces++) {
        unsigned n = 32;
        while (n > 1 && (n > lanes - first || !is_read_at_once(s, o, first, n, vector_bytes)))
            n /= 2;
        first += n;
    }
    return pieces;
}

/* The lanes of a region read, or of a truncation, which reads the low part of each lane, in their vector. */
static LLVMValueRef vector_and_region(LLVMValueRef read, struct region *region)
{
    LLVMValueRef from = LLVMIsAInstruction(read) ? LLVMGetOperand(read, 0) : NULL;
    if (from && region_is_read(read))
        return region_of_call(read, region) ? from : NULL;
    if (!from || !LLVMIsATruncInst(read) || type_is_mask(LLVMTypeOf(read)))
        return NULL;
    *region = (struct region){0, type_lanes(LLVMTypeOf(read)), 0, (int)type_element_bytes(LLVMTypeOf(from))};
    return from;
}

/* What a region read costs. */
struct read_cost {
    unsigned pieces; /* that it splits its user into; 0: it is none */
    unsigned whole;  /* that it would, if its lanes lay side by side */
    unsigned moves;  /* that copy it side by side */
};

static struct read_cost cost_of(const struct selection *s, LLVMValueRef read)
{
    struct region region;
    LLVMValueRef from = vector_and_region(read, &region);
    if (!from)
        return (struct read_cost){0};
    LLVMTypeRef type = LLVMTypeOf(read), vector = LLVMTypeOf(from);
    unsigned lanes = type_lanes(type);
    struct macro_operand o = macro_region(0, cg_visa_type(type_element(type), 'U'), 0, lanes);
    struct read_cost cost = {.whole = pieces_of_row(lanes, visa_type_bytes(o.type))};
    cost.pieces = cost.moves = cost.whole;
    o.region = region;
    if (region.offset % (int)s->platform->grf_bytes == 0 && legalize_is_plain(&o, lanes))
        return cost;
    cost.pieces = pieces_of(s, &o, lanes, type_lanes(vector) * type_element_bytes(vector));
    unsigned columns = legalize_columns(&o, lanes);
    cost.moves = columns && columns < cost.pieces ? columns : cost.pieces;
    return cost;
}

/* The pieces that the other operands split `user` into. */
static unsigned pieces_of_others(const struct selection *s, LLVMValueRef user, LLVMValueRef read)
{
    unsigned most = 1;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++) {
        LLVMValueRef other = LLVMGetOperand(user, k);
        unsigned pieces = other == read ? 0 : cost_of(s, other).pieces;
        most = pieces > most ? pieces : most;
    }
    return most;
}

bool bale_pays_as_copy(const struct selection *s, LLVMValueRef read)
{
    struct read_cost cost = {0};
    unsigned saved = 0;
    if (type_lanes(LLVMTypeOf(read)) >= 4)
        cost = cost_of(s, read);
    if (cost.pieces <= cost.whole)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(read); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(read) || region_is_write(user))
            return false;
        unsigned others = pieces_of_others(s, user, read), whole = others > cost.whole ? others : cost.whole;
        saved += cost.pieces > whole ? cost.pieces - whole : 0;
    }
    return saved > cost.moves;
}
