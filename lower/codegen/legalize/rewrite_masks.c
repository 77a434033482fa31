/* Rewrites macro instructions under predicates, and on masks with lanes that no vISA instruction can select (see
 * rewrites.h). */
#include <stdlib.h>
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/legalize/pieces.h"
#include "lower/codegen/legalize/region_fit.h"
#include "lower/codegen/legalize/rewrites.h"

/* Widens a compare to `lanes`, the next size of one instruction, if the sources' variables have these lanes. */
static struct macro widened(const struct selection *s, const struct macro *wide, unsigned lanes)
{
    struct macro w = *wide;
    w.lanes = lanes;
    for (unsigned k = 0; k < w.sources; k++) {
        struct macro_operand *o = &w.src[k];
        if (o->kind == MACRO_ADDRESS) /* spare lanes have no address */
            return *wide;
        if (o->kind != MACRO_REGION)
            continue;
        if (o->region.width == wide->lanes)
            o->region.width = w.lanes;
        int last = region_lane(&o->region, w.lanes - 1);
        if (last < 0 || last + (int)visa_type_bytes(o->type) > legalize_variable_bytes(s, o->variable))
            return *wide;
    }
    return legalize_fits(s, &w, legalize_widest_type(&w), 0, w.lanes) ? w : *wide;
}

/* True if the finalizer loses the predicate: of min and max, which are selections themselves; on Gen9 of an operation
 * on three sources with one lane; of two lanes that it would have to spread, which it computes one by one, both under
 * the first one's predicate. */
static bool loses_predicate(struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                            size_t count)
{
    if (w->predicate.kind == MACRO_NONE || w->predicate.variable == VISA_NULL)
        return false;
    bool one_lane = false, two_lanes = false;
    for (size_t i = 0; i < count; i++) {
        one_lane = one_lane || pieces[i].lanes == 1;
        two_lanes = two_lanes || (pieces[i].lanes == 2 && legalize_spread(s, w, pieces[i].first, 2));
    }
    return w->op == VISA_OP_MIN || w->op == VISA_OP_MAX || (one_lane && legalize_has_three_sources(s, w)) ||
           (two_lanes && !w->predicate.channels);
}

/* Turns a move to words into an operation: the finalizer would make one instruction of a move and its user. */
static void keep_apart(struct macro *w)
{
    bool integers = visa_type_class(w->src[0].type) != 'F' && visa_type_class(w->dst.type) != 'F';
    if (w->op != VISA_OP_MOV || w->saturate || w->src[0].modifier || visa_type_bytes(w->dst.type) != 2 ||
        visa_type_bytes(w->src[0].type) > 4 || (!integers && w->src[0].type != w->dst.type))
        return;
    w->op = VISA_OP_OR;
    w->sources = 2;
    w->dst.type = VISA_TYPE_UW;
    w->src[0].type = integers ? w->src[0].type : VISA_TYPE_UW;
    w->src[1] = macro_immediate(VISA_TYPE_UW, 0);
}

/* Selects between packed copies of what a selection reads; false: all of it is packed. */
static bool select_packed(struct selection *s, const struct macro *w)
{
    struct macro packed = *w;
    bool any = false;
    for (unsigned k = 0; k < w->sources; k++) {
        const struct macro_operand *from = &w->src[k];
        struct macro copy = {.op = VISA_OP_MOV, .lanes = w->lanes, .dst = w->dst, .src = {*from}, .sources = 1};
        bool wide = visa_type_bytes(from->type) > visa_type_bytes(w->dst.type);
        if ((from->kind != MACRO_REGION && from->kind != MACRO_ADDRESS) || (legalize_is_plain(from, w->lanes) && !wide))
            continue;
        copy.dst.type = wide ? w->dst.type : from->type;
        copy.dst = packed.src[k] = legalize_side_by_side(s, &copy.dst, w->lanes);
        keep_apart(&copy);
        legalize_macro(s, &copy);
        any = true;
    }
    if (any)
        legalize_macro(s, &packed);
    return any;
}

/* Extends packed bytes to words by an operation. */
static struct macro_operand read_words(struct selection *s, const struct macro_operand *bytes, unsigned lanes)
{
    struct macro_operand words = *bytes;
    words.type = VISA_TYPE_UW;
    words = legalize_side_by_side(s, &words, lanes);
    enum visa_opcode op =
        bytes->modifier ? VISA_OP_ADD : VISA_OP_OR; /* logic reads a negated source as its complement */
    struct macro w = {.op = op, .lanes = lanes, .dst = words, .src = {*bytes}, .sources = 2};
    w.src[0].type = VISA_TYPE_UB;
    w.src[1] = macro_immediate(VISA_TYPE_UW, 0);
    legalize_macro(s, &w);
    return words;
}

/* Writes bytes under a predicate: selects between them and the old ones as words, and moves all. Only moves write
 * packed bytes, and the finalizer would move the predicate to what computes the bytes. */
static void merge_bytes(struct selection *s, const struct macro *w, const struct macro_operand *computed)
{
    struct macro sel = {.op = VISA_OP_SEL, .lanes = w->lanes, .sources = 2, .inverse = w->inverse};
    struct macro_operand bytes = w->dst;
    sel.predicate = w->predicate;
    sel.src[0] = read_words(s, computed, w->lanes);
    sel.src[1] = read_words(s, &w->dst, w->lanes);
    sel.dst = legalize_side_by_side(s, &sel.src[0], w->lanes);
    legalize_macro(s, &sel);
    struct macro_operand chosen = sel.dst;
    chosen.type = bytes.type = VISA_TYPE_UB;
    legalize_move(s, w->lanes, bytes, chosen);
}

/* Selects between bytes as words. */
static bool select_bytes(struct selection *s, const struct macro *w)
{
    struct macro sel = *w;
    struct macro_operand bytes = w->dst, chosen;
    for (unsigned k = 0; k < 2; k++)
        if (w->src[k].kind != MACRO_IMMEDIATE)
            sel.src[k] = read_words(s, &w->src[k], w->lanes);
    sel.dst.type = VISA_TYPE_UW;
    sel.dst = chosen = legalize_side_by_side(s, &sel.dst, w->lanes);
    legalize_macro(s, &sel);
    chosen.type = bytes.type = VISA_TYPE_UB;
    legalize_move(s, w->lanes, bytes, chosen);
    return true;
}

/* Computes a copy without predicate, and moves it under the predicate. */
bool legalize_without_predicate(struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                                size_t count)
{
    if (!loses_predicate(s, w, pieces, count))
        return false;
    if (w->op == VISA_OP_SEL)
        return visa_type_bytes(w->dst.type) == 1 ? select_bytes(s, w) : select_packed(s, w);
    struct macro whole = *w, masked = {.op = VISA_OP_MOV, .lanes = w->lanes, .dst = w->dst, .sources = 1};
    masked.predicate = w->predicate;
    masked.inverse = w->inverse;
    whole.predicate = macro_nothing();
    whole.dst = legalize_side_by_side(s, &w->dst, w->lanes);
    masked.src[0] = whole.dst;
    bool few = w->op != VISA_OP_MIN && w->op != VISA_OP_MAX && !legalize_has_three_sources(s, w);
    if (few)
        keep_apart(&whole);
    legalize_macro(s, &whole);
    if (few && visa_type_bytes(w->dst.type) == 1) {
        merge_bytes(s, w, &whole.dst);
        return true;
    }
    if (few)
        keep_apart(&masked);
    legalize_macro(s, &masked);
    return true;
}

/* Computes inactive lanes as well. */
static bool emit_for_all_lanes(struct selection *s, const struct macro *w)
{
    struct macro all = *w;
    all.predicate.channels = false;
    if (all.predicate.variable == VISA_NULL)
        all.predicate.kind = MACRO_NONE;
    bool before = s->for_all_lanes;
    s->for_all_lanes = true;
    legalize_macro(s, &all);
    s->for_all_lanes = before;
    return true;
}

/* Handles lanes under the channel enables. Pieces start at channel 0, 8 and so on, because this mask cannot be shifted.
 * If the destination needs smaller pieces, its lanes are copied to contiguous ones, changed there and copied back. */
bool legalize_through_channels(struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                               size_t count)
{
    bool shifted = false;
    for (size_t i = 0; i < count; i++)
        shifted = shifted || pieces[i].first % legalize_first_channels(s) != 0;
    if (!shifted || !w->predicate.channels)
        return false;
    if (goto_loops_counts(&s->channels, s->current))
        return emit_for_all_lanes(s, w);
    struct macro_operand apart[2];
    for (unsigned k = 0; k < 2; k++)
        apart[k] = legalize_side_by_side(s, &w->dst, w->lanes);
    struct macro all = *w,
                 some = {.op = VISA_OP_MOV, .lanes = w->lanes, .dst = apart[1], .sources = 1, .src = {apart[0]}};
    all.predicate = macro_nothing();
    all.dst = apart[0];
    some.predicate = w->predicate;
    some.inverse = w->inverse;
    legalize_macro(s, &all);
    legalize_move(s, w->lanes, apart[1], w->dst);
    legalize_macro(s, &some);
    legalize_move(s, w->lanes, w->dst, apart[1]);
    return true;
}

static struct macro_operand all_channels(void)
{
    return (struct macro_operand){.kind = MACRO_MASK, .channels = true, .variable = VISA_NULL};
}

/* True if a piece starts at a channel that no instruction can select. */
static bool has_odd_channel(const struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                            size_t count)
{
    bool masked = legalize_is_masked(w) && (w->dst.kind == MACRO_MASK || w->predicate.variable != VISA_NULL);
    for (size_t i = 0; masked && i < count; i++)
        if (pieces[i].first % legalize_first_channels(s) != 0)
            return true;
    return false;
}

/* True for lanes of an operand that are not contiguous, and can be copied to contiguous ones. */
static bool has_gaps(const struct macro_operand *o, unsigned lanes)
{
    bool region = o->kind == MACRO_REGION || (o->kind == MACRO_ADDRESS && !o->per_lane);
    return region && o->region.width > 1 && !(o->kind == MACRO_REGION && legalize_is_plain(o, lanes));
}

/* Copies lanes of sources, and of the result of a select, to contiguous ones first if they are too far apart for pieces
 * of eight. This costs a move per piece; a part of the mask per piece would cost five operations. */
bool legalize_with_near_lanes(struct selection *s, const struct macro *wide, const struct legalize_piece *pieces,
                              size_t count)
{
    if (!has_odd_channel(s, wide, pieces, count) || wide->predicate.channels)
        return false;
    struct macro near = *wide;
    bool apart[sizeof near.src / sizeof *near.src] = {0},
                                        result_apart = near.op == VISA_OP_SEL && has_gaps(&near.dst, near.lanes);
    for (unsigned k = 0; k < near.sources; k++)
        if ((apart[k] = has_gaps(&near.src[k], near.lanes))) {
            unsigned modifier = near.src[k].modifier;
            near.src[k] = legalize_side_by_side(s, &near.src[k], near.lanes);
            near.src[k].modifier = modifier;
        }
    if (result_apart)
        near.dst = legalize_side_by_side(s, &near.dst, near.lanes);
    size_t near_count;
    struct legalize_piece *near_pieces = legalize_split(s, &near, &near_count);
    bool better = !has_odd_channel(s, &near, near_pieces, near_count);
    free(near_pieces);
    if (!better)
        return false;
    for (unsigned k = 0; k < near.sources; k++) {
        struct macro_operand from = wide->src[k], to = near.src[k];
        if (!apart[k])
            continue;
        from.modifier = to.modifier = VISA_MODIFIER_NONE;
        struct macro copy = {.op = VISA_OP_MOV, .lanes = near.lanes, .dst = to, .src = {from}, .sources = 1};
        if (legalize_spread(s, &copy, 0, near.lanes))
            keep_apart(&copy);
        legalize_macro(s, &copy);
    }
    legalize_macro(s, &near);
    if (result_apart)
        legalize_move(s, near.lanes, wide->dst, near.dst);
    return true;
}

/* Inverts the operation instead of a predicate on the channel enables. If instructions without execution mask are slow,
 * results with irrelevant inactive lanes use the execution mask. */
bool legalize_by_channels(struct selection *s, struct macro *w)
{
    LLVMValueRef live = s->channels.any ? s->channels.live[s->block] : NULL;
    w->inverse = w->inverse != w->predicate.inverse;
    w->predicate.inverse = false;
    if (!live || !s->unmasked_is_slow || s->for_all_lanes || w->lanes != type_lanes(LLVMTypeOf(live)) ||
        !goto_loops_counts(&s->channels, s->current))
        return false;
    if (w->predicate.kind == MACRO_NONE)
        w->predicate = all_channels();
    w->predicate.channels = true;
    return false;
}

/* Widens a compare of 3, 5 ... lanes. Predicate lanes after the mask's last are ignored. Assembling a mask from pieces
 * would take five more operations. */
bool legalize_with_spare_lanes(struct selection *s, struct macro *w)
{
    unsigned lanes = 1;
    while (lanes < w->lanes)
        lanes *= 2;
    if (w->dst.kind == MACRO_MASK && lanes != w->lanes)
        *w = widened(s, w, lanes);
    return false;
}
