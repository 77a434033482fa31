/* Rewrites macro instructions on types that the platform or the finalizer cannot handle directly (see rewrites.h). */
#include <stdlib.h>
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/columns.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/legalize/pieces.h"
#include "lower/codegen/legalize/region_fit.h"
#include "lower/codegen/legalize/rewrites.h"
#include "lower/ir/operation_info.h"

/* Creates a variable for these lanes, contiguous. */
struct macro_operand legalize_side_by_side(struct selection *s, const struct macro_operand *o, unsigned lanes)
{
    return macro_region(cg_new_variable(s, o->type, lanes, s->platform->grf_bytes, NULL), o->type, 0, lanes);
}

/* Returns the low (0) or high (1) dwords of 64-bit lanes. */
static struct macro_operand dword_half(const struct macro_operand *o, unsigned high)
{
    struct macro_operand out = *o;
    out.type = VISA_TYPE_UD;
    if (o->kind == MACRO_IMMEDIATE)
        out.bits = high ? o->bits >> 32 : o->bits & 0xffffffff;
    else
        out.region.offset += high ? 4 : 0;
    return out;
}

/* Returns lanes of an operand starting at `first`, all in its row. */
static struct macro_operand lanes_of_row(const struct macro_operand *o, unsigned first, unsigned lanes)
{
    struct macro_operand part = *o;
    part.region = (struct region){region_lane(&o->region, first), lanes, 0,
                                  o->region.width > 1 ? o->region.hstride : o->region.vstride};
    return part;
}

/* Moves 64-bit lanes to contiguous ones, low and high dwords at once: as pairs, row by row. (If only the low dwords
 * were written in pieces and read as a whole, the finalizer would write them to the reader's register, but with their
 * old stride.) Returns false if this is impossible, for example if a pair might cross a register's end. */
static bool move_pairs(struct selection *s, const struct macro *w)
{
    const struct macro_operand *from = &w->src[0];
    bool aligned =
        from->kind == MACRO_REGION || (from->kind == MACRO_ADDRESS && !from->per_lane && from->multiple % 8 == 0);
    if (!aligned || (from->region.offset % 8 && !legalize_is_plain(from, w->lanes)) ||
        w->predicate.kind != MACRO_NONE || !legalize_is_plain(&w->dst, w->lanes) ||
        (legalize_same_variable(w, from) && !legalize_is_plain(from, w->lanes)))
        return false;
    unsigned row = from->region.width > 1 && from->region.width < w->lanes ? from->region.width : w->lanes;
    for (unsigned first = 0; first < w->lanes; first += row) {
        unsigned lanes = w->lanes - first < row ? w->lanes - first : row;
        struct macro_operand pairs = lanes_of_row(from, first, lanes);
        int step = pairs.region.hstride;
        pairs.type = VISA_TYPE_UD;
        pairs.region = step == 8 || lanes == 1 ? (struct region){pairs.region.offset, 2 * lanes, 0, 4}
                                               : (struct region){pairs.region.offset, 2, step, 4};
        legalize_move(s, 2 * lanes,
                      macro_region(w->dst.variable, VISA_TYPE_UD, w->dst.region.offset + 8 * (int)first, 2 * lanes),
                      pairs);
    }
    return true;
}

/* Moves 64-bit lanes as dwords, on a platform without 64-bit types. */
static void move_dwords(struct selection *s, const struct macro *w)
{
    if (move_pairs(s, w))
        return;
    struct macro half = *w;
    if (legalize_same_variable(w,
                               &w->src[0])) { /* the write of the first half must not change the source of the second */
        unsigned copy = cg_new_variable(s, VISA_TYPE_UD, 2 * w->lanes, 0, NULL);
        half.dst = macro_region(copy, w->dst.type, 0, w->lanes);
        half.predicate = macro_nothing();
        move_dwords(s, &half);
        half = *w;
        half.src[0] = macro_region(copy, w->src[0].type, 0, w->lanes);
    }
    const struct macro_operand dst = half.dst, src = half.src[0];
    for (unsigned high = 0; high < 2; high++) {
        half.dst = dword_half(&dst, high);
        half.src[0] = dword_half(&src, high);
        legalize_macro(s, &half);
    }
}

/* True if the EU has the operation on 64-bit integers, with direct operands: legalize_keep_rows() has no other move of
 * them. */
static bool has_qwords(const struct selection *s, const struct macro *w)
{
    if (platform_has(s->platform, FEATURE_NATIVE_INT64))
        return true;
    bool addressed = w->dst.kind == MACRO_ADDRESS;
    for (unsigned k = 0; k < w->sources; k++)
        addressed = addressed || w->src[k].kind == MACRO_ADDRESS;
    bool sum = w->op == VISA_OP_ADD || w->op == VISA_OP_SHL || w->op == VISA_OP_SHR || w->op == VISA_OP_ASR;
    return platform_has(s->platform, FEATURE_INT64_ADD) && (sum || (w->op == VISA_OP_MOV && !addressed));
}

/* Rewrites 64-bit types on platforms whose EU has none; false: the instruction has none or may keep them. */
bool legalize_without_qwords(struct selection *s, struct macro *w)
{
    bool any = (w->dst.kind == MACRO_REGION || w->dst.kind == MACRO_ADDRESS) && visa_type_bytes(w->dst.type) == 8;
    bool all = any, integer = any && visa_type_class(w->dst.type) != 'F';
    for (unsigned k = 0; k < w->sources; k++) {
        bool qword = visa_type_bytes(w->src[k].type) == 8;
        any = any || qword;
        all = all && qword;
        integer = integer || (qword && visa_type_class(w->src[k].type) != 'F');
    }
    if (!any || has_qwords(s, w) || (!integer && platform_has(s->platform, FEATURE_DOUBLE)))
        return false;
    if (w->op == VISA_OP_MOV && all && !w->saturate && !w->src[0].modifier)
        move_dwords(s, w);
    else if (integer)
        cg_fail(s, s->current, "this operation on 64-bit integers is not available on %s (%s has it)",
                s->platform->name, feature_first(FEATURE_NATIVE_INT64));
    else
        cg_refuse_doubles(s, s->current);
    return true;
}

/* True if an operation reads the variable into which its bytes are packed. */
static bool packs_into_source(const struct macro *spread, const struct macro *pack)
{
    bool same = false;
    for (unsigned k = 0; k < spread->sources; k++)
        same = same || legalize_same_variable(pack, &spread->src[k]);
    return same;
}

/* Packs bytes in the pieces in which they were written. If one move read several pieces, the finalizer would let each
 * piece write to the move's destination, but with the old stride. If the operation reads the packed variable, it packs
 * half pieces: otherwise one move would write even bytes before odd ones are read. */
static void pack_pieces(struct selection *s, const struct macro *spread, const struct macro *pack)
{
    if (pack->predicate.channels) { /* pieces may start at other channels than the writers */
        struct macro all = *pack, some = *pack;
        all.predicate = macro_nothing();
        all.dst = some.src[0] = legalize_side_by_side(s, &pack->dst, pack->lanes);
        pack_pieces(s, spread, &all);
        legalize_macro(s, &some);
        return;
    }
    size_t count;
    unsigned widest = legalize_widest_type(pack);
    struct legalize_piece *pieces = legalize_split(s, spread, &count);
    bool halves = packs_into_source(spread, pack);
    for (size_t i = 0; i < count; i++)
        for (unsigned first = pieces[i].first, end = first + pieces[i].lanes, n; first < end; first += n) {
            n = halves && pieces[i].lanes > 1 ? pieces[i].lanes / 2 : pieces[i].lanes;
            while (n > 1 && (n > end - first || !legalize_fits(s, pack, widest, first, n)))
                n /= 2;
            legalize_emit_piece(s, pack, first, n);
        }
    free(pieces);
}

/* Computes words and packs their low bytes by a move, because arithmetic does not write packed bytes (PRM, "byte
 * destinations"). If the finalizer did this, it would split even and odd lanes, and the odd lanes would read what the
 * even ones have written. Saturation uses the byte's range, so saturating operations write bytes with the stride of
 * their sources; the finalizer packs bytes with a smaller stride itself, also if they are packed already. */
bool legalize_through_words(struct selection *s, struct macro *wide)
{
    const struct macro_operand *dst = &wide->dst;
    bool bytes = (dst->kind == MACRO_REGION || dst->kind == MACRO_ADDRESS) && visa_type_bytes(dst->type) == 1;
    if (!bytes || wide->lanes == 1 || wide->op == VISA_OP_MOV ||
        (dst->region.width >= wide->lanes && dst->region.hstride > 1))
        return false;
    enum visa_type word = wide->saturate ? dst->type : visa_type_class(dst->type) == 'U' ? VISA_TYPE_UW : VISA_TYPE_W;
    struct macro spread = *wide, pack = {.op = VISA_OP_MOV, .lanes = wide->lanes, .dst = *dst, .sources = 1};
    unsigned apart = wide->saturate && legalize_widest_type(wide) > 2 ? 4 : 2;
    unsigned variable = cg_new_variable(s, dst->type, apart * wide->lanes, s->platform->grf_bytes, NULL);
    spread.dst = macro_region(variable, word, 0, wide->lanes);
    spread.dst.region.hstride = (int)apart;
    pack.src[0] = spread.dst;
    pack.src[0].type = dst->type;
    if (wide->op != VISA_OP_SEL) {
        pack.predicate = wide->predicate;
        pack.inverse = wide->inverse;
        spread.predicate = macro_nothing();
    }
    legalize_macro(s, &spread);
    if (wide->saturate)
        pack_pieces(s, &spread, &pack);
    else
        legalize_macro(s, &pack);
    return true;
}

/* True if packed bytes of `o` can be read as dwords. */
static bool is_dwords(const struct selection *s, const struct macro_operand *o, unsigned lanes)
{
    if (o->kind == MACRO_IMMEDIATE)
        return o->type == VISA_TYPE_UW || o->type == VISA_TYPE_W;
    return o->modifier == 0 && visa_type_bytes(o->type) == 1 && legalize_is_plain(o, lanes) &&
           o->region.offset % 4 == 0 && legalize_variable_bytes(s, o->variable) >= (int)s->platform->grf_bytes &&
           legalize_variable_bytes(s, o->variable) % 4 == 0;
}

/* Computes bitwise operations on bytes four bytes at a time. */
bool legalize_as_dwords(struct selection *s, struct macro *wide)
{
    bool logic = wide->op == VISA_OP_AND || wide->op == VISA_OP_OR || wide->op == VISA_OP_XOR;
    bool bits = wide->op == VISA_OP_MOV || (logic && wide->packed);
    if (!bits || wide->lanes % 4 != 0 || wide->predicate.kind != MACRO_NONE || wide->saturate ||
        wide->condition != VISA_COND_NONE || wide->dst.kind != MACRO_REGION || !is_dwords(s, &wide->dst, wide->lanes))
        return false;
    struct macro w = *wide;
    w.lanes /= 4;
    w.dst = macro_region(wide->dst.variable, VISA_TYPE_UD, wide->dst.region.offset, w.lanes);
    for (unsigned k = 0; k < w.sources; k++) {
        const struct macro_operand *o = &wide->src[k];
        if (!is_dwords(s, o, wide->lanes))
            return false;
        w.src[k] = o->kind == MACRO_IMMEDIATE ? macro_immediate(VISA_TYPE_UD, (o->bits & 0xff) * 0x01010101u)
                                              : macro_region(o->variable, VISA_TYPE_UD, o->region.offset, w.lanes);
    }
    legalize_macro(s, &w);
    return true;
}

/* Reads an operand's lanes first, and applies its modifier after that. */
static struct macro_operand read_plain(struct selection *s, unsigned lanes, const struct macro_operand *o)
{
    struct macro_operand from = *o, plain = legalize_side_by_side(s, o, lanes);
    from.modifier = VISA_MODIFIER_NONE;
    legalize_move(s, lanes, plain, from);
    plain.modifier = o->modifier;
    return plain;
}

/* Copies indirect bytes and words before they are negated: the finalizer reads them into a variable of their own type,
 * which cannot hold the negation. */
static bool has_narrow_opposite(const struct macro_operand *o)
{
    return o->kind == MACRO_ADDRESS && o->modifier && visa_type_bytes(o->type) <= 2 && visa_type_class(o->type) != 'F';
}

static bool fills_one_register(const struct selection *s, const struct macro *w)
{
    int bytes = (int)visa_type_bytes(w->dst.type), grf = (int)s->platform->grf_bytes;
    return w->dst.kind == MACRO_REGION &&
           region_lane(&w->dst.region, 0) / grf == (region_lane(&w->dst.region, w->lanes - 1) + bytes - 1) / grf;
}

/* True for negated bytes and words of the variable that the operation changes to wider numbers. Where they overlap
 * several registers of these, the finalizer copies them in the same way, and removes a move that would copy them
 * before. */
static bool is_copied_negated(const struct selection *s, const struct macro *w, const struct macro_operand *o)
{
    return o->kind == MACRO_REGION && o->modifier && visa_type_bytes(o->type) <= 2 && visa_type_class(o->type) != 'F' &&
           visa_type_bytes(o->type) < visa_type_bytes(w->dst.type) && legalize_same_variable(w, o) &&
           !fills_one_register(s, w);
}

/* Copies bytes or words as words, by an operation that changes nothing and is not a move. */
static struct macro_operand read_as_words(struct selection *s, unsigned lanes, const struct macro_operand *o)
{
    bool sign = visa_type_class(o->type) == 'S';
    enum visa_type type = sign ? VISA_TYPE_W : VISA_TYPE_UW;
    unsigned variable = cg_new_variable(s, type, lanes, s->platform->grf_bytes, "copied before it is negated");
    struct macro w = {.op = sign ? VISA_OP_MIN : VISA_OP_AND,
                      .lanes = lanes,
                      .dst = macro_region(variable, type, 0, lanes),
                      .src = {*o, macro_immediate(type, sign ? INT16_MAX : UINT16_MAX)},
                      .sources = 2};
    w.src[0].modifier = VISA_MODIFIER_NONE;
    legalize_macro(s, &w);
    struct macro_operand words = w.dst;
    words.modifier = o->modifier;
    return words;
}

/* Copies lanes with an address each for operations that cannot read them (see indirect_src_workaround.c, which checks
 * moves of up to four lanes). */
static bool is_chosen_later(const struct macro *w, unsigned k)
{
    bool chosen = w->src[k].kind == MACRO_ADDRESS && w->src[k].per_lane,
         first = w->src[0].kind == MACRO_ADDRESS && w->src[0].per_lane;
    return chosen && (w->sources > 2 || (k > 0 && (first || w->lanes % 8 != 0 || !ir_exchanges_sources(w->op))));
}

/* True for integers with an address each that become floats, which the finalizer misreads where floats have a pipe of
 * their own. It moves bytes as words first, and then reads these words as if they were packed bytes. Doubles it makes
 * lane by lane, all of them of the first lane. */
static bool is_misread_integer(const struct selection *s, const struct macro *w, const struct macro_operand *o)
{
    return platform_has(s->platform, FEATURE_SCOREBOARD_PIPES) && o->kind == MACRO_ADDRESS && o->per_lane &&
           visa_type_class(w->dst.type) == 'F' && visa_type_class(o->type) != 'F' && visa_type_bytes(o->type) <= 4 &&
           (visa_type_bytes(o->type) == 1 || visa_type_bytes(w->dst.type) == 8);
}

/* Extends integers to as many bits as the floats have that they become, but at most to dwords. */
static struct macro_operand read_extended(struct selection *s, const struct macro *w, const struct macro_operand *o)
{
    bool sign = visa_type_class(o->type) == 'S', half = visa_type_bytes(w->dst.type) == 2;
    enum visa_type type = half ? (sign ? VISA_TYPE_W : VISA_TYPE_UW) : (sign ? VISA_TYPE_D : VISA_TYPE_UD);
    unsigned variable = cg_new_variable(s, type, w->lanes, s->platform->grf_bytes, "extended");
    struct macro_operand extended = macro_region(variable, type, 0, w->lanes);
    legalize_move(s, w->lanes, extended, *o);
    return extended;
}

bool legalize_read_addressed(struct selection *s, struct macro *w)
{
    for (unsigned k = w->sources; k-- > 0;)
        if (has_narrow_opposite(&w->src[k]) || is_chosen_later(w, k))
            w->src[k] = read_plain(s, w->lanes, &w->src[k]);
        else if (is_copied_negated(s, w, &w->src[k]))
            w->src[k] = read_as_words(s, w->lanes, &w->src[k]);
        else if (is_misread_integer(s, w, &w->src[k]))
            w->src[k] = read_extended(s, w, &w->src[k]);
    return false;
}

/* True if the lanes of a piece are contiguous, or are one lane. */
static bool is_row_or_lane(const struct macro_operand *o, const struct legalize_piece *piece)
{
    int bytes = (int)visa_type_bytes(o->type), first = region_lane(&o->region, piece->first), step = 0;
    if (o->region.width >= piece->first + piece->lanes) /* all in one row */
        return piece->lanes <= 1 || o->region.hstride == 0 || o->region.hstride == bytes;
    for (unsigned k = 1; k < piece->lanes; k++) {
        int distance = region_lane(&o->region, piece->first + k) - first;
        step = k == 1 ? distance : step;
        if ((step != 0 && step != bytes) || distance != step * (int)k)
            return false;
    }
    return true;
}

/* True if source `k` alone causes a piece with non-contiguous lanes, or pieces so small that copying for larger ones is
 * cheaper. */
static bool is_strided(const struct selection *s, const struct macro *w, unsigned k)
{
    enum { FEW_LANES = 8 };
    struct macro alone = *w;
    for (unsigned other = 0; other < w->sources; other++)
        if (other != k && w->src[other].kind == MACRO_REGION)
            alone.src[other] = macro_region(w->src[other].variable, w->src[other].type, 0, w->lanes);
    size_t count;
    struct legalize_piece *pieces = legalize_split(s, &alone, &count);
    bool strided = false;
    for (size_t i = 0; i < count; i++)
        strided = strided || !is_row_or_lane(&w->src[k], &pieces[i]) ||
                  (pieces[i].lanes < FEW_LANES && pieces[i].lanes < w->lanes);
    free(pieces);
    return strided;
}

/* True for a float factor whose lanes repeat, in rows or one by one: mac reads it, which the finalizer makes of chains
 * of mads (repair/mad_chains.c). */
static bool is_repeated_factor(const struct macro *w, unsigned k)
{
    const struct macro_operand *o = &w->src[k];
    return w->op == VISA_OP_MAD && k < 2 && o->type == VISA_TYPE_F && o->region.width > 1 &&
           o->region.width < w->lanes && (o->region.vstride == 0 || o->region.hstride == 0);
}

/* Copies sources for Gen9's operations on three sources: they read contiguous lanes, or one lane for all (PRM volume 7,
 * "Align16"). The finalizer would compute other lanes one by one. */
bool legalize_gather_sources(struct selection *s, struct macro *w)
{
    enum { LEAST_LANES = 4 };
    if (!legalize_has_three_sources(s, w) || w->lanes < LEAST_LANES)
        return false;
    for (unsigned k = 0; k < w->sources; k++) {
        const struct macro_operand *o = &w->src[k];
        if (o->kind == MACRO_REGION && !is_repeated_factor(w, k) &&
            !is_row_or_lane(o, &(struct legalize_piece){0, w->lanes}) && is_strided(s, w, k))
            w->src[k] = read_plain(s, w->lanes, o);
    }
    return false;
}

/* Turns a move of integers into an operation with the same result. */
static void or_nothing(struct macro *w)
{
    w->op = VISA_OP_OR;
    w->src[1] = macro_immediate(visa_type_class(w->src[0].type) == 'U' ? VISA_TYPE_UW : VISA_TYPE_W, 0);
    w->sources = 2;
}

/* Copies low or high dwords of 64-bit lanes to contiguous ones with an operation other than mov. If the dwords were
 * written in pieces, the finalizer would let each piece write to a mov's destination, but with the old stride. */
bool legalize_pack_halves(struct selection *s, struct macro *w)
{
    const struct macro_operand *from = &w->src[0];
    bool dwords = w->op == VISA_OP_MOV && w->dst.kind == MACRO_REGION && from->kind == MACRO_REGION &&
                  visa_type_bytes(w->dst.type) == 4 && visa_type_bytes(from->type) == 4 &&
                  visa_type_class(w->dst.type) != 'F' && visa_type_class(from->type) != 'F';
    if (!dwords || w->saturate || from->modifier || w->lanes < 2 || platform_has(s->platform, FEATURE_NATIVE_INT64) ||
        !legalize_is_plain(&w->dst, w->lanes) || from->region.hstride != 8)
        return false;
    or_nothing(w);
    return false;
}

/* Moves narrower integers to lanes that are not contiguous. The finalizer allocates the destination with the narrow
 * type and the old stride, but with the size of contiguous lanes; the next variable would overwrite the last lanes. */
bool legalize_spread_widened(struct selection *s, struct macro *w)
{
    (void)s;
    const struct macro_operand *from = &w->src[0];
    const struct region *r = &w->dst.region;
    unsigned bytes = visa_type_bytes(w->dst.type);
    bool integers = visa_type_class(w->dst.type) != 'F' && visa_type_class(from->type) != 'F';
    bool spread = w->op == VISA_OP_MOV && w->dst.kind == MACRO_REGION && w->lanes > 1 &&
                  (r->width > 1 ? r->hstride : r->vstride) != (int)bytes;
    if (!spread || !integers || (from->kind != MACRO_REGION && from->kind != MACRO_ADDRESS) ||
        visa_type_bytes(from->type) >= bytes || w->saturate || from->modifier)
        return false;
    or_nothing(w);
    return false;
}

static bool has_rows(const struct selection *s, const struct macro *w)
{
    size_t count;
    struct legalize_piece *pieces = legalize_split(s, w, &count);
    bool rows = false;
    for (size_t i = 0; i < count; i++)
        rows = rows || legalize_reads_rows(&w->src[0], pieces[i].first, pieces[i].lanes);
    free(pieces);
    return rows;
}

/* Prevents the finalizer from folding a move of indirect rows into the operations that read its result, also into those
 * that it splits, as in splits_rows(). It uses an operation other than mov; for doubles this needs 64-bit integers. */
bool legalize_keep_rows(struct selection *s, struct macro *w)
{
    struct macro_operand *from = &w->src[0];
    bool move = w->op == VISA_OP_MOV && from->kind == MACRO_ADDRESS &&
                (w->dst.kind == MACRO_REGION || w->dst.kind == MACRO_ADDRESS);
    if (!move || w->saturate || !has_rows(s, w))
        return false;
    unsigned bytes = visa_type_bytes(from->type);
    bool floats = visa_type_class(w->dst.type) == 'F' || visa_type_class(from->type) == 'F';
    if (floats && (w->dst.type != from->type || (bytes == 8 && !platform_has(s->platform, FEATURE_NATIVE_INT64))))
        return false;
    if (from->modifier) {
        *from = read_plain(s, w->lanes, from);
        return false;
    }
    if (floats)
        w->dst.type = from->type = bytes == 2 ? VISA_TYPE_UW : bytes == 4 ? VISA_TYPE_UD : VISA_TYPE_UQ;
    or_nothing(w);
    return false;
}

/* Computes halves in a copy and moves them as words to indirect lanes. The finalizer would split even and odd lanes,
 * and write the odd ones one byte further, as if they were bytes. */
bool legalize_move_halves(struct selection *s, struct macro *wide)
{
    bool halves = wide->dst.kind == MACRO_ADDRESS && wide->dst.type == VISA_TYPE_HF && wide->lanes > 1;
    bool plain_move =
        wide->op == VISA_OP_MOV && wide->src[0].type == VISA_TYPE_HF && !wide->src[0].modifier && !wide->saturate;
    if (!halves || plain_move || wide->predicate.kind != MACRO_NONE)
        return false;
    struct macro whole = *wide;
    whole.dst = legalize_side_by_side(s, &wide->dst, wide->lanes);
    struct macro_operand to = wide->dst, from = whole.dst;
    to.type = from.type = VISA_TYPE_UW;
    legalize_macro(s, &whole);
    legalize_move(s, wide->lanes, to, from);
    return true;
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
    if (!columns || columns >= count || w->predicate.kind != MACRO_NONE || !legalize_is_plain(&w->dst, w->lanes) ||
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
