/* Legalizes a macro instruction: rewrites it by a list of strategies, then splits it into vISA instructions.
 *
 * Example: add of 48 floats becomes three instructions of 16 lanes. A piece is a power of two of lanes, at most 32.
 * Each of its operands is one encodable region inside two registers (region_fit.c). If it has a predicate or is a
 * compare, it starts at a channel that an instruction can select. */
#include "lower/codegen/legalize/legalize.h"

#include <limits.h>
#include <stdlib.h>
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/pieces.h"
#include "lower/codegen/legalize/region_fit.h"
#include "lower/codegen/legalize/rewrites.h"

/* The order matters: a strategy may rely on what those above it have excluded. */
static const struct {
    const char *name;
    bool (*rewrite)(struct selection *s, struct macro *w); /* true: it has emitted the instruction */
    const char *reason;
} strategies[] = {
    {"by-channels", legalize_by_channels,
     "an inverse predicate of channel enables is that of an inverse operation; unmasked code may be slow"},
    {"read-addressed", legalize_read_addressed,
     "the finalizer misreads some per-lane indirect sources, and negated narrow ones that it copies"},
    {"gather-sources", legalize_gather_sources,
     "on Gen9 the finalizer computes ternary operations with strided sources lane by lane"},
    {"pack-halves", legalize_pack_halves,
     "the finalizer merges the move that packs dword halves into their writers, with the wrong stride"},
    {"spread-widened", legalize_spread_widened,
     "the finalizer narrows the destination of a widening move with a stride"},
    {"without-qwords", legalize_without_qwords,
     "the platform has no 64-bit types: moves become moves of dwords, the rest is refused"},
    {"keep-rows", legalize_keep_rows,
     "the finalizer folds a move of indirect rows into operations that it then splits wrongly"},
    {"as-dwords", legalize_as_dwords, "moves and logic on packed bytes take a quarter of the instructions on dwords"},
    {"through-words", legalize_through_words,
     "arithmetic cannot write packed bytes: it writes words, and a move packs them"},
    {"move-halves", legalize_move_halves, "the finalizer misplaces half results with an indirect destination"},
    {"with-spare-lanes", legalize_with_spare_lanes,
     "a compare of 3, 5 ... lanes takes one instruction if it may compute more lanes"},
};

/* These depend on how the instruction would be split. */
static const struct {
    const char *name;
    bool (*rewrite)(struct selection *s, const struct macro *w, const struct legalize_piece *pieces, size_t count);
    const char *reason;
} split_strategies[] = {
    {"without-predicate", legalize_without_predicate,
     "the finalizer loses predicates of min, max and single lanes of ternary operations"},
    {"by-columns", legalize_by_columns, "rows of two or four lanes in reverse order would be moved lane by lane"},
    {"through-channels", legalize_through_channels, "lanes under channel enables must start at channel 0, 8 ..."},
    {"with-near-lanes", legalize_with_near_lanes,
     "pieces under a mask at a channel that no instruction can name cost five instructions each"},
};

struct byte_range {
    int low, end;
};

/* The bytes from the first to the last one of lanes [first, end), each of `bytes`. */
static struct byte_range lanes_extent(const struct region *region, unsigned first, unsigned end, int bytes)
{
    struct byte_range range = {INT_MAX, INT_MIN};
    for (unsigned k = first; k < end; k++) {
        int at = region_lane(region, k);
        range.low = at < range.low ? at : range.low;
        range.end = at + bytes > range.end ? at + bytes : range.end;
    }
    return range;
}

/* True if lanes of a destination, those of `piece`, have bytes of lanes [low, high) of a source. */
static bool lanes_overlap(const struct macro_operand *dst, const struct macro_operand *src,
                          const struct legalize_piece *piece, unsigned low, unsigned high)
{
    if (low == high)
        return false;
    unsigned first = piece->first, end = piece->first + piece->lanes;
    int dst_bytes = (int)visa_type_bytes(dst->type), src_bytes = (int)visa_type_bytes(src->type);
    struct byte_range written = lanes_extent(&dst->region, first, end, dst_bytes);
    struct byte_range read = lanes_extent(&src->region, low, high, src_bytes);
    if (read.low >= written.end || written.low >= read.end)
        return false;
    for (unsigned a = first; a < end; a++) {
        int from = region_lane(&dst->region, a);
        for (unsigned b = low; b < high; b++) {
            int at = region_lane(&src->region, b);
            if (at < from + dst_bytes && from < at + src_bytes)
                return true;
        }
    }
    return false;
}

/* True if both operands are lanes of one variable from the same run-time offset on: where they overlap is known. */
static bool share_address(const struct macro_operand *a, const struct macro_operand *b)
{
    return a->kind == MACRO_ADDRESS && b->kind == MACRO_ADDRESS && !a->per_lane && !b->per_lane &&
           a->address == b->address && a->offset == b->offset && a->offset_at == b->offset_at;
}

/* True if a piece would read bytes of its destination's variable that another piece has written: an earlier one, or
 * (`backwards`) a later one. */
static bool overwrites_source(const struct macro *w, const struct macro_operand *o, const struct legalize_piece *pieces,
                              size_t count, bool backwards)
{
    if ((w->dst.kind == MACRO_ADDRESS || o->kind == MACRO_ADDRESS) && !share_address(&w->dst, o))
        return o->kind != MACRO_NONE && count > 1 && (o->kind == MACRO_REGION || o->kind == MACRO_ADDRESS);
    for (size_t i = 0; i < count; i++)
        if (lanes_overlap(&w->dst, o, &pieces[i], backwards ? 0 : pieces[i].first + pieces[i].lanes,
                          backwards ? pieces[i].first : w->lanes))
            return true;
    return false;
}

/* True if pieces in order (or `backwards`) overwrite a part of a source that a later one reads. */
static bool overwrites_any(const struct macro *w, const struct legalize_piece *pieces, size_t count, bool backwards)
{
    for (unsigned k = 0; k < w->sources; k++)
        if (legalize_same_variable(w, &w->src[k]) && overwrites_source(w, &w->src[k], pieces, count, backwards))
            return true;
    return false;
}

/* Handles an operation in several pieces whose destination one move can write: the pieces write a copy, so that no
 * source changes meanwhile. Returns false if a copy of the source is as cheap. */
static bool through_row(struct selection *s, const struct macro *wide, const struct macro_operand *source)
{
    unsigned bytes = wide->lanes * visa_type_bytes(wide->dst.type);
    bool one_move = wide->dst.kind == MACRO_REGION && legalize_is_plain(&wide->dst, wide->lanes) &&
                    bytes <= INSTRUCTION_BYTES && (wide->lanes & (wide->lanes - 1)) == 0;
    if (!one_move || wide->predicate.kind != MACRO_NONE || visa_type_bytes(wide->dst.type) == 1 ||
        legalize_is_plain(source, wide->lanes))
        return false;
    struct macro row = *wide;
    row.dst = legalize_side_by_side(s, &wide->dst, wide->lanes);
    legalize_macro(s, &row);
    legalize_move(s, wide->lanes, wide->dst, row.dst);
    return true;
}

static bool rewrite_split(struct selection *s, const struct macro *w, const struct legalize_piece *pieces, size_t count)
{
    for (size_t k = 0; k < sizeof split_strategies / sizeof *split_strategies; k++)
        if (split_strategies[k].rewrite(s, w, pieces, count))
            return true;
    return false;
}

/* Copies source `k` if earlier pieces would overwrite a part of it. */
static void copy_source(struct selection *s, struct macro *w, unsigned k)
{
    struct macro_operand *o = &w->src[k], plain = *o;
    unsigned modifier = o->modifier;
    unsigned copy = cg_new_variable(s, o->type, w->lanes, s->platform->grf_bytes, "copy of an overlapping source");
    plain.modifier = 0;
    legalize_move(s, w->lanes, macro_region(copy, o->type, 0, w->lanes), plain);
    *o = macro_region(copy, o->type, 0, w->lanes);
    o->modifier = modifier;
}

/* Emits the pieces, the last one first if only that order leaves the sources as they are; otherwise after copies of
 * sources that earlier pieces would overwrite. Takes `pieces`. */
static void emit_pieces(struct selection *s, struct macro *w, struct legalize_piece *pieces, size_t count)
{
    bool backwards = overwrites_any(w, pieces, count, false) && !overwrites_any(w, pieces, count, true);
    for (unsigned k = 0; k < w->sources; k++) /* addresses are computed in order */
        backwards = backwards && w->src[k].kind != MACRO_ADDRESS;
    for (unsigned k = 0; k < w->sources && !backwards; k++) {
        if (!legalize_same_variable(w, &w->src[k]) || !overwrites_source(w, &w->src[k], pieces, count, false))
            continue;
        free(pieces);
        if (through_row(s, w, &w->src[k]))
            return;
        copy_source(s, w, k);
        pieces = legalize_split(s, w, &count);
    }
    for (size_t i = 0; i < count; i++) {
        const struct legalize_piece *piece = &pieces[backwards ? count - 1 - i : i];
        legalize_emit_piece(s, w, piece->first, piece->lanes);
    }
    free(pieces);
}

void legalize_macro(struct selection *s, const struct macro *wide)
{
    struct macro w = *wide;
    for (size_t k = 0; k < sizeof strategies / sizeof *strategies; k++)
        if (strategies[k].rewrite(s, &w))
            return;
    size_t count;
    struct legalize_piece *pieces = legalize_split(s, &w, &count);
    if (rewrite_split(s, &w, pieces, count))
        free(pieces);
    else
        emit_pieces(s, &w, pieces, count);
}

void legalize_move(struct selection *s, unsigned lanes, struct macro_operand dst, struct macro_operand src)
{
    struct macro w = {.op = VISA_OP_MOV, .lanes = lanes, .dst = dst, .src = {src}, .sources = 1};
    legalize_macro(s, &w);
}
