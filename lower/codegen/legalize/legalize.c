/* Legalization: a wide instruction (any number of lanes, any regions) to vISA instructions that the platform has.
 *
 * A piece is a power of two of lanes, at most 32, whose operands each are one encodable region inside two registers
 * (vISA, "operands": region rules; PRM volume 7, "register region restrictions"). Lanes that a predicate or a compare
 * counts must start at a channel that the instruction can name. */
#include <stdlib.h>
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/known_addresses.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/ir/operation_info.h"

struct piece {
    unsigned first, lanes;
};

static bool one_of(int n, const int *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == n)
            return true;
    return false;
}

static bool is_vstride(int n)
{
    return one_of(n, (const int[]){0, 1, 2, 4, 8, 16, 32}, 7);
}
static bool is_hstride(int n)
{
    return one_of(n, (const int[]){0, 1, 2, 4}, 4);
}
static bool is_width(unsigned n)
{
    return one_of((int)n, (const int[]){1, 2, 4, 8, 16}, 5);
}

static bool find_region(const struct wide_operand *o, unsigned first, unsigned n, struct region *out)
{
    int offsets[32];
    for (unsigned i = 0; i < n; i++)
        offsets[i] = region_lane(&o->region, first + i);
    return region_from_offsets(offsets, n, out);
}

/* Lanes [first, first + n) of a region, as the hardware's <v;w,h> in elements from byte *offset on; false if not
 * encodable. A run of one stride is written <stride;1,0>, which may cross registers. */
static bool piece_region(const struct wide_operand *o, unsigned first, unsigned n, int *offset, struct visa_region *out)
{
    int bytes = (int)visa_type_bytes(o->type);
    struct region r = {0, n, 0, o->region.hstride};
    *offset = region_lane(&o->region, first);
    *out = (struct visa_region){0, 1, 0};
    if (n == 1)
        return true;
    bool found = first % o->region.width + n <= o->region.width || find_region(o, first, n, &r); /* in one row */
    if (!found || r.hstride % bytes || r.vstride % bytes)
        return false;
    int h = r.hstride / bytes, v = r.vstride / bytes;
    if (r.width == n) {
        out->vstride = (uint16_t)h;
        return h >= 0 && is_vstride(h);
    }
    *out = (struct visa_region){(uint16_t)v, (uint16_t)r.width, (uint16_t)h};
    return v >= 0 && h >= 0 && is_vstride(v) && is_hstride(h) && is_width(r.width);
}

static int variable_bytes(const struct selection *s, unsigned variable)
{
    if (variable == VISA_ARG || variable == VISA_RETVAL)
        return (int)s->platform->grf_bytes * (variable == VISA_ARG ? VISA_ARG_REGISTERS : VISA_RETVAL_REGISTERS);
    if (variable < VISA_FIRST_VARIABLE)
        return (int)s->platform->grf_bytes;
    const struct visa_variable *v = visa_variable(s->out, variable);
    return (int)(v->elements * visa_type_bytes(v->type));
}

/* Whether lanes that are reached through an address register lie in registers as the region's own offset says. */
static bool starts_at_register(const struct selection *s, const struct wide_operand *o)
{
    return o->multiple >= s->platform->grf_bytes && o->address >= VISA_FIRST_VARIABLE &&
           visa_variable(s->out, o->address)->align >= s->platform->grf_bytes;
}

/* Every byte in two neighbouring registers; no row of a two-dimensional region across a register's end. */
static bool fits_registers(const struct selection *s, const struct wide_operand *o, unsigned first, unsigned n,
                           const struct visa_region *hw)
{
    enum { BEFORE = 1 << 20 }; /* bytes, of whole registers: an offset at run time makes up for what is negative */
    int grf = (int)s->platform->grf_bytes, bytes = (int)visa_type_bytes(o->type), low = 1 << 30, high = 0;
    /* where in a register it starts is known at run time only */
    bool unknown = o->kind == WIDE_ADDRESS && !starts_at_register(s, o);
    if (o->kind == WIDE_REGION && variable_bytes(s, o->variable) <= grf)
        grf = 1 << 16; /* lies inside one register wherever it is put */
    unsigned step = hw->width > 1 || n == 1 ? 1 : n - 1; /* of lanes at one distance, the first and the last */
    for (unsigned i = 0; i < n; i += step) {
        int at = BEFORE + region_lane(&o->region, first + i),
            row_start = BEFORE + region_lane(&o->region, first + i / hw->width * hw->width);
        low = at < low ? at : low;
        high = at + bytes > high ? at + bytes : high;
        if (!unknown && hw->width > 1 && (at + bytes - 1) / grf != row_start / grf)
            return false;
    }
    if (unknown) /* elements lie at multiples of their size */
        return high - low <= (int)s->platform->grf_bytes + (o->multiple >= (unsigned)bytes ? bytes : 0);
    return low % grf + (high - low) <= 2 * grf;
}

static bool source_fits(const struct selection *s, const struct wide_operand *o, unsigned first, unsigned n)
{
    struct visa_region hw;
    int offset;
    if (o->kind == WIDE_ADDRESS && o->per_lane)
        return n <= 8;
    if (o->kind != WIDE_REGION && o->kind != WIDE_ADDRESS)
        return true;
    return piece_region(o, first, n, &offset, &hw) && fits_registers(s, o, first, n, &hw);
}

static bool destination_fits(const struct selection *s, const struct wide_operand *o, unsigned first, unsigned n)
{
    struct visa_region hw;
    int offset;
    if (o->kind != WIDE_REGION && o->kind != WIDE_ADDRESS)
        return true;
    if (!piece_region(o, first, n, &offset, &hw) || !fits_registers(s, o, first, n, &hw))
        return false;
    return n == 1 || (hw.width == 1 && (hw.vstride == 1 || hw.vstride == 2 || hw.vstride == 4));
}

static unsigned widest_type(const struct wide *w)
{
    unsigned bytes = w->dst.kind == WIDE_REGION || w->dst.kind == WIDE_ADDRESS ? visa_type_bytes(w->dst.type) : 1;
    for (unsigned i = 0; i < w->sources; i++)
        if (w->src[i].kind != WIDE_NONE && visa_type_bytes(w->src[i].type) > bytes)
            bytes = visa_type_bytes(w->src[i].type);
    return bytes;
}

/* Whether lanes lie in one register, or half of them in each of two. */
static bool lies_evenly(const struct selection *s, const struct wide_operand *o, unsigned first, unsigned n)
{
    int grf = (int)s->platform->grf_bytes;
    if (o->kind != WIDE_REGION || variable_bytes(s, o->variable) <= grf)
        return true;
    int start = region_lane(&o->region, first) / grf, middle = region_lane(&o->region, first + n / 2) / grf;
    for (unsigned i = 0; i < n; i++)
        if (region_lane(&o->region, first + i) / grf != (i < n / 2 ? start : middle))
            return false;
    return true;
}

/* Whether lanes that are reached through an address register are several rows. */
static bool reads_rows(const struct wide_operand *o, unsigned first, unsigned n)
{
    struct visa_region hw;
    int offset;
    return o->kind == WIDE_ADDRESS && !o->per_lane && piece_region(o, first, n, &offset, &hw) && hw.width > 1;
}

/* An operation on rows behind an address: where another operand does not lie evenly, the finalizer splits it, and reads the rows'
 * lanes as if they followed each other. */
static bool splits_rows(const struct selection *s, const struct wide *w, unsigned first, unsigned n)
{
    bool rows = false;
    for (unsigned i = 0; i < w->sources && !rows; i++)
        rows = reads_rows(&w->src[i], first, n);
    bool evenly = !rows || lies_evenly(s, &w->dst, first, n);
    for (unsigned i = 0; i < w->sources && rows; i++)
        evenly = evenly && lies_evenly(s, &w->src[i], first, n);
    return !evenly;
}

/* Gen9 has such operations with an encoding of their own. */
static bool has_three_sources(const struct selection *s, enum visa_opcode op)
{
    return s->platform->generation == 9 &&
           (op == VISA_OP_MAD || op == VISA_OP_LRP || op == VISA_OP_BFE || op == VISA_OP_BFI);
}

/* Gen9 encodes an operation on three sources with one lane, or with quarters of a register; what the finalizer makes of two lanes
 * is no code. */
static bool has_no_code(const struct selection *s, enum visa_opcode op, unsigned lanes)
{
    return lanes == 2 && has_three_sources(s, op);
}

/* `widest`: bytes of the widest type. */
static bool fits(const struct selection *s, const struct wide *w, unsigned widest, unsigned first, unsigned n)
{
    if (has_no_code(s, w->op, n))
        return false;
    bool masked = w->predicate.kind == WIDE_MASK || w->dst.kind == WIDE_MASK;
    unsigned lane = first + w->predicate.lane;
    if (masked && (lane % n != 0 || lane / MASK_PART_LANES != (lane + n - 1) / MASK_PART_LANES))
        return false;
    if (n * widest > 2 * s->platform->grf_bytes || (n > 16 && widest > 2))
        return false;
    if (!destination_fits(s, &w->dst, first, n))
        return false;
    for (unsigned i = 0; i < w->sources; i++)
        if (!source_fits(s, &w->src[i], first, n))
            return false;
    return n == 1 || !splits_rows(s, w, first, n);
}

static struct piece *split(const struct selection *s, const struct wide *w, size_t *count)
{
    struct piece *pieces = NULL;
    size_t capacity = 0;
    unsigned widest = widest_type(w);
    *count = 0;
    for (unsigned first = 0; first < w->lanes;) {
        unsigned n = 32;
        while (n > 1 && (n > w->lanes - first || !fits(s, w, widest, first, n)))
            n /= 2;
        ARRAY_PUSH(pieces, *count, capacity, ((struct piece){first, n}));
        first += n;
    }
    return pieces;
}

/* Whether a piece would read bytes of its destination's variable that an earlier piece has written. */
static bool overwrites_source(const struct wide *w, const struct wide_operand *o, const struct piece *pieces,
                              size_t count)
{
    if (w->dst.kind == WIDE_ADDRESS || o->kind == WIDE_ADDRESS)
        return o->kind != WIDE_NONE && count > 1 && (o->kind == WIDE_REGION || o->kind == WIDE_ADDRESS);
    int dst_bytes = (int)visa_type_bytes(w->dst.type), src_bytes = (int)visa_type_bytes(o->type);
    for (size_t i = 0; i < count; i++)
        for (unsigned a = pieces[i].first; a < pieces[i].first + pieces[i].lanes; a++) {
            int from = region_lane(&w->dst.region, a);
            for (unsigned b = pieces[i].first + pieces[i].lanes; b < w->lanes; b++) {
                int at = region_lane(&o->region, b);
                if (at < from + dst_bytes && from < at + src_bytes)
                    return true;
            }
        }
    return false;
}

static bool same_variable(const struct wide *w, const struct wide_operand *o)
{
    unsigned from = o->kind == WIDE_REGION ? o->variable : o->kind == WIDE_ADDRESS ? o->address : 0;
    unsigned to = w->dst.kind == WIDE_REGION ? w->dst.variable : w->dst.kind == WIDE_ADDRESS ? w->dst.address : 0;
    return from && from == to;
}

static struct visa_operand immediate_operand(const struct wide_operand *o)
{
    return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = o->type, .bits = o->bits};
}

static struct visa_operand lower_operand(struct selection *s, const struct wide_operand *o, unsigned first, unsigned n,
                                         bool is_destination)
{
    if (o->kind == WIDE_IMMEDIATE)
        return immediate_operand(o);
    struct visa_operand out = {
        .kind = VISA_OPERAND_GENERAL, .type = o->type, .modifier = o->modifier, .variable = o->variable};
    if (o->kind == WIDE_NONE) {
        out.kind = VISA_OPERAND_NONE;
        return out;
    }
    if (o->kind == WIDE_ADDRESS && o->per_lane) {
        out.region = (struct visa_region){1, 1, 0};
        use_address(s, o, first, n, o->region.offset, &out);
        return out;
    }
    int offset;
    piece_region(o, first, n, &offset, &out.region);
    if (is_destination)
        out.region = (struct visa_region){0, 0, n == 1 ? 1 : out.region.vstride};
    if (o->kind == WIDE_ADDRESS)
        use_address(s, o, first, n, offset, &out);
    else
        out.offset = offset;
    return out;
}

/* ---- masks at channels that no instruction can name: through a general register ---- */

static struct visa_operand number(uint64_t bits)
{
    return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits};
}

static void scalar_op(struct selection *s, enum visa_opcode op, unsigned dst, struct visa_operand a,
                      struct visa_operand b)
{
    struct visa_instruction i = {.op = op, .exec_size = 1, .dst = scalar_destination(dst), .src = {a, b}};
    emit(s, &i);
}

/* A predicate whose lane 0 is lane `channel` of `predicate`. */
static unsigned shifted_mask(struct selection *s, unsigned predicate, unsigned channel)
{
    unsigned bits = mask_to_bits(s, predicate), out = new_predicate(s, 8);
    scalar_op(s, VISA_OP_SHR, bits, scalar_operand(bits), number(channel));
    bits_to_mask(s, out, scalar_operand(bits));
    return out;
}

static void insert_mask(struct selection *s, unsigned into, unsigned from, unsigned channel, unsigned lanes)
{
    uint64_t mask = (1ull << lanes) - 1;
    unsigned bits = mask_to_bits(s, from), rest = mask_to_bits(s, into);
    scalar_op(s, VISA_OP_AND, bits, scalar_operand(bits), number(mask));
    scalar_op(s, VISA_OP_SHL, bits, scalar_operand(bits), number(channel));
    scalar_op(s, VISA_OP_AND, rest, scalar_operand(rest), number(~(mask << channel) & 0xffffffffu));
    scalar_op(s, VISA_OP_OR, bits, scalar_operand(bits), scalar_operand(rest));
    bits_to_mask(s, into, scalar_operand(bits));
}

/* The channels that an instruction may start at are multiples of this. Gen9 and Gen11 name every fourth one, but Intel's
 * finalizer forgets the bit for the odd fours when it compacts the instruction. */
static unsigned first_channels(const struct selection *s)
{
    return s->platform->generation < 12 ? 8 : 4;
}

static bool is_plain(const struct wide_operand *o, unsigned lanes)
{
    return o->kind == WIDE_REGION &&
           (lanes == 1 || (o->region.width >= lanes && o->region.hstride == (int)visa_type_bytes(o->type)));
}

/* The lane of the source is what the destination holds already. */
static bool is_in_place(const struct wide *w, const struct wide_operand *o, unsigned lane)
{
    return w->dst.kind == WIDE_REGION && o->kind == WIDE_REGION && o->variable == w->dst.variable && o->type == w->dst.type &&
           !o->modifier && !w->saturate && region_lane(&o->region, lane) == region_lane(&w->dst.region, lane);
}

static void emit_piece(struct selection *s, const struct wide *w, unsigned first, unsigned n);

/* One lane of a choice. Where the finalizer lets that be written elsewhere first, it forgets the channel, and takes the mask's
 * first one; of a move it masks the second one. False: the lane is at the first channel. */
static bool choose_by_moves(struct selection *s, const struct wide *w, unsigned lane)
{
    unsigned channel = (lane + w->predicate.lane) % MASK_PART_LANES;
    if (w->op != VISA_OP_SEL || w->predicate.kind != WIDE_MASK || channel == 0 || channel % first_channels(s) != 0)
        return false;
    struct wide other = *w;
    other.op = VISA_OP_MOV;
    other.sources = 1;
    for (unsigned k = 0; k < 2; k++)
        if (is_in_place(w, &w->src[k], lane)) {
            other.src[0] = w->src[1 - k];
            other.inverse = w->inverse != (k == 0);
            emit_piece(s, &other, lane, 1);
            return true;
        }
    struct wide one = other, back = other;
    one.src[0] = w->src[1];
    one.predicate = back.predicate = wide_nothing();
    bool beside = w->dst.kind == WIDE_REGION && w->src[0].kind != WIDE_ADDRESS && w->src[0].variable != w->dst.variable;
    if (!beside)
        one.dst = other.dst = back.src[0] = wide_region(new_variable(s, w->dst.type, w->lanes, 0, NULL), w->dst.type, 0, w->lanes);
    emit_piece(s, &one, lane, 1);
    emit_piece(s, &other, lane, 1);
    if (!beside) {
        back.saturate = false;
        emit_piece(s, &back, lane, 1);
    }
    return true;
}

static void emit_piece(struct selection *s, const struct wide *w, unsigned first, unsigned n)
{
    if (n == 1 && choose_by_moves(s, w, first))
        return;
    unsigned lane = first + w->predicate.lane, part = lane / MASK_PART_LANES, channel = lane % MASK_PART_LANES,
             odd_channel = 0, into = 0;
    struct visa_instruction i = {
        .op = w->op, .exec_size = (uint8_t)n, .saturate = w->saturate, .condition = w->condition};
    if (w->predicate.kind == WIDE_MASK) {
        i.predicate.variable = w->predicate.variable == VISA_NULL ? VISA_NULL : w->predicate.variable + part;
        i.predicate.inverse = w->inverse;
        i.predicate.control = w->predicate.control;
        i.channel = (uint8_t)channel;
    }
    if (w->dst.kind == WIDE_MASK) {
        into = w->dst.variable + part;
        i.dst = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = into};
        i.channel = (uint8_t)channel;
    }
    if (i.channel % first_channels(s) != 0) {
        odd_channel = i.channel;
        i.channel = 0;
        if (w->predicate.kind == WIDE_MASK)
            i.predicate.variable = shifted_mask(s, i.predicate.variable, odd_channel);
        if (w->dst.kind == WIDE_MASK)
            i.dst.variable = new_predicate(s, 8);
    }
    if (w->dst.kind != WIDE_MASK)
        i.dst = lower_operand(s, &w->dst, first, n, true);
    for (unsigned k = 0; k < w->sources; k++)
        i.src[k] = lower_operand(s, &w->src[k], first, n, false);
    s->by_channel = w->predicate.channels;
    emit(s, &i);
    s->by_channel = false;
    if (w->dst.kind == WIDE_ADDRESS)
        forget_addresses_of(s, w->dst.address);
    if (odd_channel && w->dst.kind == WIDE_MASK)
        insert_mask(s, into, i.dst.variable, odd_channel, n);
}

/* The low (0) or high (1) dwords of 64-bit lanes. */
static struct wide_operand dword_half(const struct wide_operand *o, unsigned high)
{
    struct wide_operand out = *o;
    out.type = VISA_TYPE_UD;
    if (o->kind == WIDE_IMMEDIATE)
        out.bits = high ? o->bits >> 32 : o->bits & 0xffffffff;
    else
        out.region.offset += high ? 4 : 0;
    return out;
}

/* Lanes from `first` on of an operand, all in its row. */
static struct wide_operand lanes_of_row(const struct wide_operand *o, unsigned first, unsigned lanes)
{
    struct wide_operand part = *o;
    part.region = (struct region){region_lane(&o->region, first), lanes, 0, o->region.width > 1 ? o->region.hstride : o->region.vstride};
    return part;
}

/* A move of 64-bit lanes to where they lie side by side, low and high dwords at once: pairs of them, row by row. (Low ones alone,
 * written in pieces and read as a whole, the finalizer writes where the reader puts them, but as far apart as they were.)
 * False: that cannot be, also because a pair might lie across a register's end. */
static bool move_pairs(struct selection *s, const struct wide *w)
{
    const struct wide_operand *from = &w->src[0];
    bool aligned = from->kind == WIDE_REGION || (from->kind == WIDE_ADDRESS && !from->per_lane && from->multiple % 8 == 0);
    if (!aligned || (from->region.offset % 8 && !is_plain(from, w->lanes)) || w->predicate.kind != WIDE_NONE || !is_plain(&w->dst, w->lanes) ||
        (same_variable(w, from) && !is_plain(from, w->lanes)))
        return false;
    unsigned row = from->region.width > 1 && from->region.width < w->lanes ? from->region.width : w->lanes;
    for (unsigned first = 0; first < w->lanes; first += row) {
        unsigned lanes = w->lanes - first < row ? w->lanes - first : row;
        struct wide_operand pairs = lanes_of_row(from, first, lanes);
        int step = pairs.region.hstride;
        pairs.type = VISA_TYPE_UD;
        pairs.region = step == 8 || lanes == 1 ? (struct region){pairs.region.offset, 2 * lanes, 0, 4}
                                               : (struct region){pairs.region.offset, 2, step, 4};
        wide_move(s, 2 * lanes, wide_region(w->dst.variable, VISA_TYPE_UD, w->dst.region.offset + 8 * (int)first, 2 * lanes), pairs);
    }
    return true;
}

/* A move of 64-bit lanes on a part without 64-bit types: as dwords. */
static void move_dwords(struct selection *s, const struct wide *w)
{
    if (move_pairs(s, w))
        return;
    struct wide half = *w;
    if (same_variable(w, &w->src[0])) { /* the first half's write must not reach the second half's source */
        unsigned copy = new_variable(s, VISA_TYPE_UD, 2 * w->lanes, 0, NULL);
        half.dst = wide_region(copy, w->dst.type, 0, w->lanes);
        half.predicate = wide_nothing();
        move_dwords(s, &half);
        half = *w;
        half.src[0] = wide_region(copy, w->src[0].type, 0, w->lanes);
    }
    const struct wide_operand dst = half.dst, src = half.src[0];
    for (unsigned high = 0; high < 2; high++) {
        half.dst = dword_half(&dst, high);
        half.src[0] = dword_half(&src, high);
        wide_emit(s, &half);
    }
}

/* Deals with 64-bit types on parts whose EU has none; false: the instruction has none or may keep them. */
static bool without_qwords(struct selection *s, const struct wide *w)
{
    bool any = (w->dst.kind == WIDE_REGION || w->dst.kind == WIDE_ADDRESS) && visa_type_bytes(w->dst.type) == 8;
    bool all = any, integer = any && visa_type_class(w->dst.type) != 'F';
    for (unsigned k = 0; k < w->sources; k++) {
        bool qword = visa_type_bytes(w->src[k].type) == 8;
        any = any || qword;
        all = all && qword;
        integer = integer || (qword && visa_type_class(w->src[k].type) != 'F');
    }
    if (!any || s->platform->generation == 9 || (!integer && platform_has(s->platform, FEATURE_DOUBLE)))
        return false;
    if (w->op == VISA_OP_MOV && all && !w->saturate && !w->src[0].modifier)
        move_dwords(s, w);
    else if (integer)
        select_fail(s, s->current, "this operation on 64-bit integers is not available on %s (SKL has it)", s->platform->name);
    else
        refuse_doubles(s, s->current);
    return true;
}

/* Whether an operation reads the variable that its bytes are packed into. */
static bool packs_into_source(const struct wide *spread, const struct wide *pack)
{
    bool same = false;
    for (unsigned k = 0; k < spread->sources; k++)
        same = same || same_variable(pack, &spread->src[k]);
    return same;
}

/* A variable for these lanes, one after the other. */
static struct wide_operand side_by_side(struct selection *s, const struct wide_operand *o, unsigned lanes)
{
    return wide_region(new_variable(s, o->type, lanes, s->platform->grf_bytes, NULL), o->type, 0, lanes);
}

/* Packs bytes in the pieces in which they were written: of several that one move reads, the finalizer lets each write where the move
 * would put it, but as far apart as they were. Where the operation reads what it is packed into, in halves of these: one move's bytes
 * would be written there at once, even ones before odd ones are read. */
static void pack_pieces(struct selection *s, const struct wide *spread, const struct wide *pack)
{
    if (pack->predicate.channels) { /* pieces may start at other channels than those do */
        struct wide all = *pack, some = *pack;
        all.predicate = wide_nothing();
        all.dst = some.src[0] = side_by_side(s, &pack->dst, pack->lanes);
        pack_pieces(s, spread, &all);
        wide_emit(s, &some);
        return;
    }
    size_t count;
    unsigned widest = widest_type(pack);
    struct piece *pieces = split(s, spread, &count);
    bool halves = packs_into_source(spread, pack);
    for (size_t i = 0; i < count; i++)
        for (unsigned first = pieces[i].first, end = first + pieces[i].lanes, n; first < end; first += n) {
            n = halves && pieces[i].lanes > 1 ? pieces[i].lanes / 2 : pieces[i].lanes;
            while (n > 1 && (n > end - first || !fits(s, pack, widest, first, n)))
                n /= 2;
            emit_piece(s, pack, first, n);
        }
    free(pieces);
}

/* Arithmetic does not write packed bytes (PRM, "byte destinations"): it writes words, and a move packs their low bytes.
 * Left to the finalizer, it becomes even and odd lanes of which the second read what the first have written. Saturation
 * is to the byte's range, so those write bytes as far apart as their sources are wide; closer ones the finalizer packs itself,
 * and then packs what is packed. */
static bool through_words(struct selection *s, const struct wide *wide)
{
    const struct wide_operand *dst = &wide->dst;
    bool bytes = (dst->kind == WIDE_REGION || dst->kind == WIDE_ADDRESS) && visa_type_bytes(dst->type) == 1;
    if (!bytes || wide->lanes == 1 || wide->op == VISA_OP_MOV ||
        (dst->region.width >= wide->lanes && dst->region.hstride > 1))
        return false;
    enum visa_type word = wide->saturate ? dst->type : visa_type_class(dst->type) == 'U' ? VISA_TYPE_UW : VISA_TYPE_W;
    struct wide spread = *wide, pack = {.op = VISA_OP_MOV, .lanes = wide->lanes, .dst = *dst, .sources = 1};
    unsigned apart = wide->saturate && widest_type(wide) > 2 ? 4 : 2;
    unsigned variable = new_variable(s, dst->type, apart * wide->lanes, s->platform->grf_bytes, NULL);
    spread.dst = wide_region(variable, word, 0, wide->lanes);
    spread.dst.region.hstride = (int)apart;
    pack.src[0] = spread.dst;
    pack.src[0].type = dst->type;
    if (wide->op != VISA_OP_SEL) {
        pack.predicate = wide->predicate;
        pack.inverse = wide->inverse;
        spread.predicate = wide_nothing();
    }
    wide_emit(s, &spread);
    if (wide->saturate)
        pack_pieces(s, &spread, &pack);
    else
        wide_emit(s, &pack);
    return true;
}

/* Whether packed bytes of `o` can be taken for dwords. */
static bool is_dwords(const struct selection *s, const struct wide_operand *o, unsigned lanes)
{
    if (o->kind == WIDE_IMMEDIATE)
        return o->type == VISA_TYPE_UW || o->type == VISA_TYPE_W;
    return o->modifier == 0 && visa_type_bytes(o->type) == 1 && is_plain(o, lanes) && o->region.offset % 4 == 0 &&
           variable_bytes(s, o->variable) >= (int)s->platform->grf_bytes && variable_bytes(s, o->variable) % 4 == 0;
}

/* Bits do not care about lanes: four bytes at a time. */
static bool as_dwords(struct selection *s, const struct wide *wide)
{
    bool logic = wide->op == VISA_OP_AND || wide->op == VISA_OP_OR || wide->op == VISA_OP_XOR;
    bool bits = wide->op == VISA_OP_MOV || (logic && wide->packed);
    if (!bits || wide->lanes % 4 != 0 || wide->predicate.kind != WIDE_NONE || wide->saturate ||
        wide->condition != VISA_COND_NONE || wide->dst.kind != WIDE_REGION || !is_dwords(s, &wide->dst, wide->lanes))
        return false;
    struct wide w = *wide;
    w.lanes /= 4;
    w.dst = wide_region(wide->dst.variable, VISA_TYPE_UD, wide->dst.region.offset, w.lanes);
    for (unsigned k = 0; k < w.sources; k++) {
        const struct wide_operand *o = &wide->src[k];
        if (!is_dwords(s, o, wide->lanes))
            return false;
        w.src[k] = o->kind == WIDE_IMMEDIATE ? wide_immediate(VISA_TYPE_UD, (o->bits & 0xff) * 0x01010101u)
                                             : wide_region(o->variable, VISA_TYPE_UD, o->region.offset, w.lanes);
    }
    wide_emit(s, &w);
    return true;
}

/* An operation in several pieces whose destination is one row that one move writes: the pieces write a copy, so that no
 * source changes meanwhile. False where a copy of the source takes no more. */
static bool through_row(struct selection *s, const struct wide *wide, const struct wide_operand *source)
{
    unsigned bytes = wide->lanes * visa_type_bytes(wide->dst.type);
    bool one_move = wide->dst.kind == WIDE_REGION && is_plain(&wide->dst, wide->lanes) && bytes <= INSTRUCTION_BYTES &&
                    (wide->lanes & (wide->lanes - 1)) == 0;
    if (!one_move || wide->predicate.kind != WIDE_NONE || visa_type_bytes(wide->dst.type) == 1 || is_plain(source, wide->lanes))
        return false;
    struct wide row = *wide;
    row.dst = side_by_side(s, &wide->dst, wide->lanes);
    wide_emit(s, &row);
    wide_move(s, wide->lanes, wide->dst, row.dst);
    return true;
}

/* A compare of 3, 5 ... lanes: of as many as one instruction takes, where the sources' variables have them. The lanes of a
 * predicate behind the mask's mean nothing. Put together from pieces, a mask takes five operations more. */
static struct wide with_spare_lanes(const struct selection *s, const struct wide *wide)
{
    struct wide w = *wide;
    for (w.lanes = 1; w.lanes < wide->lanes;)
        w.lanes *= 2;
    if (w.dst.kind != WIDE_MASK || w.lanes == wide->lanes)
        return *wide;
    for (unsigned k = 0; k < w.sources; k++) {
        struct wide_operand *o = &w.src[k];
        if (o->kind == WIDE_ADDRESS) /* there is no address for spare lanes */
            return *wide;
        if (o->kind != WIDE_REGION)
            continue;
        if (o->region.width == wide->lanes)
            o->region.width = w.lanes;
        int last = region_lane(&o->region, w.lanes - 1);
        if (last < 0 || last + (int)visa_type_bytes(o->type) > variable_bytes(s, o->variable))
            return *wide;
    }
    return fits(s, &w, widest_type(&w), 0, w.lanes) ? w : *wide;
}

/* The finalizer loses the predicate of min and max, which are selections already, and on Gen9 that of an operation on
 * three sources with one lane. */
static bool loses_predicate(struct selection *s, const struct wide *w, const struct piece *pieces, size_t count)
{
    if (w->predicate.kind == WIDE_NONE || w->predicate.variable == VISA_NULL)
        return false;
    bool one_lane = false;
    for (size_t i = 0; i < count; i++)
        one_lane = one_lane || pieces[i].lanes == 1;
    return w->op == VISA_OP_MIN || w->op == VISA_OP_MAX || (one_lane && has_three_sources(s, w->op));
}

/* Then a copy takes the result, and a move has the predicate. */
static bool without_predicate(struct selection *s, const struct wide *w, const struct piece *pieces, size_t count)
{
    if (!loses_predicate(s, w, pieces, count))
        return false;
    struct wide whole = *w, masked = {.op = VISA_OP_MOV, .lanes = w->lanes, .dst = w->dst, .sources = 1};
    masked.predicate = w->predicate;
    masked.inverse = w->inverse;
    whole.predicate = wide_nothing();
    whole.dst = side_by_side(s, &w->dst, w->lanes);
    masked.src[0] = whole.dst;
    wide_emit(s, &whole);
    wide_emit(s, &masked);
    return true;
}

/* The lanes that are off may be computed as well. */
static bool emit_for_all_lanes(struct selection *s, const struct wide *w)
{
    struct wide all = *w;
    all.predicate.channels = false;
    if (all.predicate.variable == VISA_NULL)
        all.predicate.kind = WIDE_NONE;
    bool before = s->for_all_lanes;
    s->for_all_lanes = true;
    wide_emit(s, &all);
    s->for_all_lanes = before;
    return true;
}

/* Lanes that obey the channels that are on start at channel 0, 8 and so on; there is no mask of theirs to shift. Where the
 * destination asks for smaller pieces, its lanes are put side by side, changed there and put back. */
static bool through_channels(struct selection *s, const struct wide *w, const struct piece *pieces, size_t count)
{
    bool shifted = false;
    for (size_t i = 0; i < count; i++)
        shifted = shifted || pieces[i].first % first_channels(s) != 0;
    if (!shifted || !w->predicate.channels)
        return false;
    if (counts_by_channel(&s->channels, s->current))
        return emit_for_all_lanes(s, w);
    struct wide_operand apart[2];
    for (unsigned k = 0; k < 2; k++)
        apart[k] = side_by_side(s, &w->dst, w->lanes);
    struct wide all = *w, some = {.op = VISA_OP_MOV, .lanes = w->lanes, .dst = apart[1], .sources = 1, .src = {apart[0]}};
    all.predicate = wide_nothing();
    all.dst = apart[0];
    some.predicate = w->predicate;
    some.inverse = w->inverse;
    wide_emit(s, &all);
    wide_move(s, w->lanes, apart[1], w->dst);
    wide_emit(s, &some);
    wide_move(s, w->lanes, w->dst, apart[1]);
    return true;
}

static struct wide_operand all_channels(void)
{
    return (struct wide_operand){.kind = WIDE_MASK, .channels = true, .variable = VISA_NULL};
}

/* An inverse predicate of the channels is that of an inverse operation. Where instructions without execution mask are slow,
 * results of which no other lanes count have it. */
static struct wide by_channels(const struct selection *s, const struct wide *wide)
{
    struct wide w = *wide;
    LLVMValueRef live = s->channels.any ? s->channels.live[s->block] : NULL;
    w.inverse = w.inverse != w.predicate.inverse;
    w.predicate.inverse = false;
    if (!live || !s->unmasked_is_slow || s->for_all_lanes || w.lanes != type_lanes(LLVMTypeOf(live)) ||
        !counts_by_channel(&s->channels, s->current))
        return w;
    if (w.predicate.kind == WIDE_NONE)
        w.predicate = all_channels();
    w.predicate.channels = true;
    return w;
}

/* An operand whose lanes are read as they are first, its modifier after that. */
static struct wide_operand read_plain(struct selection *s, unsigned lanes, const struct wide_operand *o)
{
    struct wide_operand from = *o, plain = side_by_side(s, o, lanes);
    from.modifier = VISA_MODIFIER_NONE;
    wide_move(s, lanes, plain, from);
    plain.modifier = o->modifier;
    return plain;
}

/* The finalizer reads bytes and words that are reached through an address into a variable of their type, opposites and all,
 * which have no room there. */
static bool has_narrow_opposite(const struct wide_operand *o)
{
    return o->kind == WIDE_ADDRESS && o->modifier && visa_type_bytes(o->type) <= 2 && visa_type_class(o->type) != 'F';
}

/* Lanes with an address each that no operation has there: see indirect_src_workaround.c, which may want to know of moves of four and less. */
static bool is_chosen_later(const struct wide *w, unsigned k)
{
    bool chosen = w->src[k].kind == WIDE_ADDRESS && w->src[k].per_lane, first = w->src[0].kind == WIDE_ADDRESS && w->src[0].per_lane;
    return chosen && (w->sources > 2 || (k > 0 && (first || w->lanes % 8 != 0 || !exchanges_sources(w->op))));
}

static void read_addressed(struct selection *s, struct wide *w)
{
    for (unsigned k = w->sources; k-- > 0;)
        if (has_narrow_opposite(&w->src[k]) || is_chosen_later(w, k))
            w->src[k] = read_plain(s, w->lanes, &w->src[k]);
}

/* Makes a move of integers an operation that changes nothing. */
static void or_nothing(struct wide *w)
{
    w->op = VISA_OP_OR;
    w->src[1] = wide_immediate(visa_type_class(w->src[0].type) == 'U' ? VISA_TYPE_UW : VISA_TYPE_W, 0);
    w->sources = 2;
}

/* Low or high dwords of 64-bit lanes that are put side by side: where these were written in pieces, the finalizer lets each piece
 * write where the move would, but as far apart as it did. An operation that changes nothing is no move. */
static void pack_halves(const struct selection *s, struct wide *w)
{
    const struct wide_operand *from = &w->src[0];
    bool dwords = w->op == VISA_OP_MOV && w->dst.kind == WIDE_REGION && from->kind == WIDE_REGION && visa_type_bytes(w->dst.type) == 4 &&
                  visa_type_bytes(from->type) == 4 && visa_type_class(w->dst.type) != 'F' && visa_type_class(from->type) != 'F';
    if (!dwords || w->saturate || from->modifier || w->lanes < 2 || s->platform->generation == 9 || !is_plain(&w->dst, w->lanes) ||
        from->region.hstride != 8)
        return;
    or_nothing(w);
}

/* Narrower integers that are moved into lanes which do not lie side by side: the finalizer makes the destination as narrow as they
 * are, still as far apart, with room for as many that lie side by side; what it puts behind them overwrites the last ones. */
static void spread_widened(struct wide *w)
{
    const struct wide_operand *from = &w->src[0];
    const struct region *r = &w->dst.region;
    unsigned bytes = visa_type_bytes(w->dst.type);
    bool integers = visa_type_class(w->dst.type) != 'F' && visa_type_class(from->type) != 'F';
    bool spread = w->op == VISA_OP_MOV && w->dst.kind == WIDE_REGION && w->lanes > 1 && (r->width > 1 ? r->hstride : r->vstride) != (int)bytes;
    if (!spread || !integers || (from->kind != WIDE_REGION && from->kind != WIDE_ADDRESS) || visa_type_bytes(from->type) >= bytes ||
        w->saturate || from->modifier)
        return;
    or_nothing(w);
}

static bool has_rows(const struct selection *s, const struct wide *w)
{
    size_t count;
    struct piece *pieces = split(s, w, &count);
    bool rows = false;
    for (size_t i = 0; i < count; i++)
        rows = rows || reads_rows(&w->src[0], pieces[i].first, pieces[i].lanes);
    free(pieces);
    return rows;
}

/* The finalizer puts a move's rows behind an address into the operations that read its result, also ones that it splits, as in
 * splits_rows(). An operation that changes nothing is no move; doubles have one only where there are 64-bit integers. */
static void keep_rows(struct selection *s, struct wide *w)
{
    struct wide_operand *from = &w->src[0];
    bool move = w->op == VISA_OP_MOV && from->kind == WIDE_ADDRESS && (w->dst.kind == WIDE_REGION || w->dst.kind == WIDE_ADDRESS);
    if (!move || w->saturate || !has_rows(s, w))
        return;
    unsigned bytes = visa_type_bytes(from->type);
    bool floats = visa_type_class(w->dst.type) == 'F' || visa_type_class(from->type) == 'F';
    if (floats && (w->dst.type != from->type || (bytes == 8 && s->platform->generation != 9)))
        return;
    if (from->modifier) {
        *from = read_plain(s, w->lanes, from);
        return;
    }
    if (floats)
        w->dst.type = from->type = bytes == 2 ? VISA_TYPE_UW : bytes == 4 ? VISA_TYPE_UD : VISA_TYPE_UQ;
    or_nothing(w);
}

/* Some piece starts at a channel that no instruction can name. */
static bool has_odd_channel(const struct selection *s, const struct wide *w, const struct piece *pieces, size_t count)
{
    bool masked = w->dst.kind == WIDE_MASK || (w->predicate.kind == WIDE_MASK && w->predicate.variable != VISA_NULL);
    for (size_t i = 0; masked && i < count; i++)
        if (pieces[i].first % first_channels(s) != 0)
            return true;
    return false;
}

/* Lanes of an operand that lie apart, and could lie side by side elsewhere. */
static bool lies_apart(const struct wide_operand *o, unsigned lanes)
{
    bool region = o->kind == WIDE_REGION || (o->kind == WIDE_ADDRESS && !o->per_lane);
    return region && o->region.width > 1 && !(o->kind == WIDE_REGION && is_plain(o, lanes));
}

/* Lanes of sources, and of the result of a choice, that are too far apart for pieces of eight are put side by side first: a
 * move a piece, where its part of the mask would take five operations. */
static bool with_near_lanes(struct selection *s, const struct wide *wide, const struct piece *pieces, size_t count)
{
    if (!has_odd_channel(s, wide, pieces, count) || wide->predicate.channels)
        return false;
    struct wide near = *wide;
    bool apart[sizeof near.src / sizeof *near.src] = {0}, result_apart = near.op == VISA_OP_SEL && lies_apart(&near.dst, near.lanes);
    for (unsigned k = 0; k < near.sources; k++)
        if ((apart[k] = lies_apart(&near.src[k], near.lanes))) {
            unsigned modifier = near.src[k].modifier;
            near.src[k] = side_by_side(s, &near.src[k], near.lanes);
            near.src[k].modifier = modifier;
        }
    if (result_apart)
        near.dst = side_by_side(s, &near.dst, near.lanes);
    size_t near_count;
    struct piece *near_pieces = split(s, &near, &near_count);
    bool better = !has_odd_channel(s, &near, near_pieces, near_count);
    free(near_pieces);
    if (!better)
        return false;
    for (unsigned k = 0; k < near.sources; k++) {
        struct wide_operand from = wide->src[k], to = near.src[k];
        if (!apart[k])
            continue;
        from.modifier = to.modifier = VISA_MODIFIER_NONE;
        wide_move(s, near.lanes, to, from);
    }
    wide_emit(s, &near);
    if (result_apart)
        wide_move(s, near.lanes, wide->dst, near.dst);
    return true;
}

/* Halves that are computed into lanes behind an address: the finalizer takes even and odd ones apart, and writes the odd ones one byte
 * on, as if these were bytes. They are computed elsewhere and moved as words. */
static bool move_halves(struct selection *s, const struct wide *wide)
{
    bool halves = wide->dst.kind == WIDE_ADDRESS && wide->dst.type == VISA_TYPE_HF && wide->lanes > 1;
    bool plain_move = wide->op == VISA_OP_MOV && wide->src[0].type == VISA_TYPE_HF && !wide->src[0].modifier && !wide->saturate;
    if (!halves || plain_move || wide->predicate.kind != WIDE_NONE)
        return false;
    struct wide whole = *wide;
    whole.dst = side_by_side(s, &wide->dst, wide->lanes);
    struct wide_operand to = wide->dst, from = whole.dst;
    to.type = from.type = VISA_TYPE_UW;
    wide_emit(s, &whole);
    wide_move(s, wide->lanes, to, from);
    return true;
}

void wide_emit(struct selection *s, const struct wide *asked)
{
    struct wide normal = by_channels(s, asked), *wide = &normal;
    read_addressed(s, &normal);
    pack_halves(s, &normal);
    spread_widened(&normal);
    if (without_qwords(s, wide))
        return;
    keep_rows(s, &normal);
    if (as_dwords(s, wide) || through_words(s, wide) || move_halves(s, wide))
        return;
    struct wide w = with_spare_lanes(s, wide);
    size_t count;
    struct piece *pieces = split(s, &w, &count);
    if (without_predicate(s, &w, pieces, count) || through_channels(s, &w, pieces, count) ||
        with_near_lanes(s, &w, pieces, count)) {
        free(pieces);
        return;
    }
    for (unsigned k = 0; k < w.sources; k++) {
        struct wide_operand *o = &w.src[k];
        if (!same_variable(&w, o) || !overwrites_source(&w, o, pieces, count))
            continue;
        if (through_row(s, &w, o)) {
            free(pieces);
            return;
        }
        unsigned copy = new_variable(s, o->type, w.lanes, s->platform->grf_bytes, "copy of an overlapping source");
        struct wide_operand plain = *o;
        plain.modifier = 0;
        wide_move(s, w.lanes, wide_region(copy, o->type, 0, w.lanes), plain);
        *o = wide_region(copy, o->type, 0, w.lanes);
        o->modifier = wide->src[k].modifier;
        free(pieces);
        pieces = split(s, &w, &count);
    }
    for (size_t i = 0; i < count; i++)
        emit_piece(s, &w, pieces[i].first, pieces[i].lanes);
    free(pieces);
}

void wide_move(struct selection *s, unsigned lanes, struct wide_operand dst, struct wide_operand src)
{
    struct wide w = {.op = VISA_OP_MOV, .lanes = lanes, .dst = dst, .src = {src}, .sources = 1};
    wide_emit(s, &w);
}
