/* Splits a macro instruction into pieces and emits a piece as one vISA instruction: see pieces.h. */
#include "lower/codegen/legalize/pieces.h"

#include <assert.h>

#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/known_addresses.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/codegen/legalize/region_fit.h"

struct legalize_piece *legalize_split(const struct selection *s, const struct macro *w, size_t *count)
{
    assert(w->lanes >= 1);
    struct legalize_piece *pieces = NULL;
    size_t capacity = 0;
    unsigned widest = legalize_widest_type(w);
    *count = 0;
    for (unsigned first = 0; first < w->lanes;) {
        unsigned n = 32;
        while (n > 1 && (n > w->lanes - first || !legalize_fits(s, w, widest, first, n)))
            n /= 2;
        ARRAY_PUSH(pieces, *count, capacity, ((struct legalize_piece){first, n}));
        first += n;
    }
    return pieces;
}

static struct visa_operand immediate_operand(const struct macro_operand *o)
{
    return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = o->type, .bits = o->bits};
}

static struct visa_operand lower_operand(struct selection *s, const struct macro_operand *o, unsigned first, unsigned n,
                                         bool is_destination)
{
    if (o->kind == MACRO_IMMEDIATE)
        return immediate_operand(o);
    struct visa_operand out = {
        .kind = VISA_OPERAND_GENERAL, .type = o->type, .modifier = o->modifier, .variable = o->variable};
    if (o->kind == MACRO_NONE) {
        out.kind = VISA_OPERAND_NONE;
        return out;
    }
    if (o->kind == MACRO_ADDRESS && o->per_lane) {
        out.region = (struct visa_region){1, 1, 0};
        cg_use_address(s, o, first, n, o->region.offset, &out);
        return out;
    }
    int offset;
    legalize_piece_region(o, first, n, &offset, &out.region);
    if (is_destination)
        out.region = (struct visa_region){0, 0, n == 1 ? 1 : out.region.vstride};
    if (o->kind == MACRO_ADDRESS)
        cg_use_address(s, o, first, n, offset, &out);
    else
        out.offset = offset;
    return out;
}

static struct visa_operand number(uint64_t bits)
{
    return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits};
}

static void scalar_op(struct selection *s, enum visa_opcode op, unsigned dst, struct visa_operand a,
                      struct visa_operand b)
{
    struct visa_instruction i = {.op = op, .exec_size = 1, .dst = cg_scalar_destination(dst), .src = {a, b}};
    cg_emit(s, &i);
}

/* Returns a predicate whose lane 0 is lane `channel` of `predicate`. */
static unsigned shifted_mask(struct selection *s, unsigned predicate, unsigned channel)
{
    unsigned bits = cg_mask_to_bits(s, predicate), out = cg_new_predicate(s, 8);
    scalar_op(s, VISA_OP_SHR, bits, cg_scalar_operand(bits), number(channel));
    cg_bits_to_mask(s, out, cg_scalar_operand(bits));
    return out;
}

static void insert_mask(struct selection *s, unsigned into, unsigned from, unsigned channel, unsigned lanes)
{
    uint64_t mask = (1ull << lanes) - 1;
    unsigned bits = cg_mask_to_bits(s, from), rest = cg_mask_to_bits(s, into);
    scalar_op(s, VISA_OP_AND, bits, cg_scalar_operand(bits), number(mask));
    scalar_op(s, VISA_OP_SHL, bits, cg_scalar_operand(bits), number(channel));
    scalar_op(s, VISA_OP_AND, rest, cg_scalar_operand(rest), number(~(mask << channel) & 0xffffffffu));
    scalar_op(s, VISA_OP_OR, bits, cg_scalar_operand(bits), cg_scalar_operand(rest));
    cg_bits_to_mask(s, into, cg_scalar_operand(bits));
}

/* The channels at which an instruction may start are multiples of this. Gen9 and Gen11 can start at every fourth one,
 * but Intel's finalizer drops the bit of the odd fours when it compacts the instruction. */
unsigned legalize_first_channels(const struct selection *s)
{
    return platform_has(s->platform, FEATURE_NIBBLE_CONTROL) ? 4 : 8;
}

/* True if the source lane is the destination's own lane. */
static bool is_in_place(const struct macro *w, const struct macro_operand *o, unsigned lane)
{
    return w->dst.kind == MACRO_REGION && o->kind == MACRO_REGION && o->variable == w->dst.variable &&
           o->type == w->dst.type && !o->modifier && !w->saturate &&
           region_lane(&o->region, lane) == region_lane(&w->dst.region, lane);
}

/* Handles one lane of a select. If the finalizer can write the result to another register first, it loses the channel
 * and uses the mask's first one; of a move it masks the second instruction. Returns false if the lane is at the first
 * channel. */
static bool choose_by_moves(struct selection *s, const struct macro *w, unsigned lane)
{
    unsigned channel = (lane + w->predicate.lane) % MASK_PART_LANES;
    if (w->op != VISA_OP_SEL || w->predicate.kind != MACRO_MASK || w->predicate.uniform || channel == 0 ||
        channel % legalize_first_channels(s) != 0)
        return false;
    struct macro other = *w;
    other.op = VISA_OP_MOV;
    other.sources = 1;
    for (unsigned k = 0; k < 2; k++)
        if (is_in_place(w, &w->src[k], lane)) {
            other.src[0] = w->src[1 - k];
            other.inverse = w->inverse != (k == 0);
            legalize_emit_piece(s, &other, lane, 1);
            return true;
        }
    struct macro one = other, back = other;
    one.src[0] = w->src[1];
    one.predicate = back.predicate = macro_nothing();
    bool beside =
        w->dst.kind == MACRO_REGION && w->src[0].kind != MACRO_ADDRESS && w->src[0].variable != w->dst.variable;
    if (!beside)
        one.dst = other.dst = back.src[0] =
            macro_region(cg_new_variable(s, w->dst.type, w->lanes, 0, NULL), w->dst.type, 0, w->lanes);
    legalize_emit_piece(s, &one, lane, 1);
    legalize_emit_piece(s, &other, lane, 1);
    if (!beside) {
        back.saturate = false;
        legalize_emit_piece(s, &back, lane, 1);
    }
    return true;
}

void legalize_emit_piece(struct selection *s, const struct macro *w, unsigned first, unsigned n)
{
    if (n == 1 && choose_by_moves(s, w, first))
        return;
    unsigned lane = first + w->predicate.lane, part = lane / MASK_PART_LANES, channel = lane % MASK_PART_LANES,
             odd_channel = 0, into = 0;
    struct visa_instruction i = {
        .op = w->op, .exec_size = (uint8_t)n, .saturate = w->saturate, .condition = w->condition};
    i.attr[0] = (int)w->table;
    if (w->predicate.kind == MACRO_MASK) {
        i.predicate.variable = w->predicate.variable;
        i.predicate.inverse = w->inverse;
        i.predicate.control = w->predicate.control;
        if (!w->predicate.uniform) {
            i.predicate.variable += i.predicate.variable == VISA_NULL ? 0 : part;
            i.channel = (uint8_t)channel;
        }
    }
    if (w->dst.kind == MACRO_MASK) {
        into = w->dst.variable + part;
        i.dst = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = into};
        i.channel = (uint8_t)channel;
    }
    if (i.channel % legalize_first_channels(s) != 0) {
        odd_channel = i.channel;
        i.channel = 0;
        if (w->predicate.kind == MACRO_MASK && !w->predicate.uniform)
            i.predicate.variable = shifted_mask(s, i.predicate.variable, odd_channel);
        if (w->dst.kind == MACRO_MASK)
            i.dst.variable = cg_new_predicate(s, 8);
    }
    if (w->dst.kind != MACRO_MASK)
        i.dst = lower_operand(s, &w->dst, first, n, true);
    for (unsigned k = 0; k < w->sources; k++)
        i.src[k] = lower_operand(s, &w->src[k], first, n, false);
    s->by_channel = w->predicate.channels;
    cg_emit(s, &i);
    s->by_channel = false;
    if (w->dst.kind == MACRO_ADDRESS)
        cg_forget_addresses_of(s, w->dst.address);
    if (odd_channel && w->dst.kind == MACRO_MASK)
        insert_mask(s, into, i.dst.variable, odd_channel, n);
}
