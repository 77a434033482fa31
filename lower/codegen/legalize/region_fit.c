/* Decides whether lanes of an operand fit one vISA instruction: see region_fit.h. */
#include "lower/codegen/legalize/region_fit.h"

#include <assert.h>

#include "lower/ir/region.h"

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

static bool find_region(const struct macro_operand *o, unsigned first, unsigned n, struct region *out)
{
    int offsets[32];
    for (unsigned i = 0; i < n; i++)
        offsets[i] = region_lane(&o->region, first + i);
    return region_from_offsets(offsets, n, out);
}

/* Returns lanes [first, first + n) of a region as the hardware's <v;w,h> in elements, starting at byte *offset; false
 * if not encodable. A run with one stride is written <stride;1,0>, which may cross registers. */
bool legalize_piece_region(const struct macro_operand *o, unsigned first, unsigned n, int *offset,
                           struct visa_region *out)
{
    assert(n >= 1);
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

int legalize_variable_bytes(const struct selection *s, unsigned variable)
{
    if (variable == VISA_ARG || variable == VISA_RETVAL)
        return (int)s->platform->grf_bytes * (variable == VISA_ARG ? VISA_ARG_REGISTERS : VISA_RETVAL_REGISTERS);
    if (variable < VISA_FIRST_VARIABLE)
        return (int)s->platform->grf_bytes;
    const struct visa_variable *v = visa_variable(s->out, variable);
    return (int)(v->elements * visa_type_bytes(v->type));
}

/* True if indirect lanes have the alignment in registers that the region's own offset says. */
static bool starts_at_register(const struct selection *s, const struct macro_operand *o)
{
    return o->multiple >= s->platform->grf_bytes && o->address >= VISA_FIRST_VARIABLE &&
           visa_variable(s->out, o->address)->align >= s->platform->grf_bytes;
}

/* True if bytes [low, high) behind an offset that is known to be small are in two neighbouring registers. */
static bool stays_in_two(const struct selection *s, const struct macro_operand *o, int low, int high)
{
    int grf = (int)s->platform->grf_bytes;
    return o->most && o->address >= VISA_FIRST_VARIABLE && low >= 0 &&
           visa_variable(s->out, o->address)->align >= s->platform->grf_bytes &&
           (high + (int)o->most - 1) / grf - low / grf <= 1;
}

/* Requires every byte to be in two neighbouring registers, and no row of a two-dimensional region to cross a register's
 * end. */
static bool fits_registers(const struct selection *s, const struct macro_operand *o, unsigned first, unsigned n,
                           const struct visa_region *hw)
{
    enum { BEFORE = 1 << 20 }; /* bytes, of whole registers: a run-time offset compensates a negative one */
    int grf = (int)s->platform->grf_bytes, bytes = (int)visa_type_bytes(o->type), low = 1 << 30, high = 0;
    /* the position in a register is known at run time only */
    bool unknown = o->kind == MACRO_ADDRESS && !starts_at_register(s, o);
    if (o->kind == MACRO_REGION && legalize_variable_bytes(s, o->variable) <= grf)
        grf = 1 << 16;                                   /* fits inside one register at any position */
    unsigned step = hw->width > 1 || n == 1 ? 1 : n - 1; /* of lanes at one distance, the first and the last */
    for (unsigned i = 0; i < n; i += step) {
        int at = BEFORE + region_lane(&o->region, first + i),
            row_start = BEFORE + region_lane(&o->region, first + i / hw->width * hw->width);
        low = at < low ? at : low;
        high = at + bytes > high ? at + bytes : high;
        if (!unknown && hw->width > 1 && (at + bytes - 1) / grf != row_start / grf)
            return false;
    }
    if (unknown && hw->width == 1 && stays_in_two(s, o, low - BEFORE, high - BEFORE))
        return true;
    if (unknown) /* elements are aligned to their size */
        return high - low <= (int)s->platform->grf_bytes + (o->multiple >= (unsigned)bytes ? bytes : 0);
    return low % grf + (high - low) <= 2 * grf;
}

static bool source_fits(const struct selection *s, const struct macro_operand *o, unsigned first, unsigned n)
{
    struct visa_region hw;
    int offset;
    if (o->kind == MACRO_ADDRESS && o->per_lane)
        return n <= ADDRESS_GROUP && (!o->group_step || first % ADDRESS_GROUP + n <= ADDRESS_GROUP);
    if (o->kind != MACRO_REGION && o->kind != MACRO_ADDRESS)
        return true;
    return legalize_piece_region(o, first, n, &offset, &hw) && fits_registers(s, o, first, n, &hw);
}

/* True for lanes of 64 bits that the finalizer may move as dwords: a stride of four qwords would be one of eight
 * dwords, which a destination cannot have. */
static bool moves_halves(const struct selection *s, const struct macro_operand *o)
{
    return visa_type_bytes(o->type) == 8 && visa_type_class(o->type) != 'F' &&
           !platform_has(s->platform, FEATURE_NATIVE_INT64);
}

static bool destination_fits(const struct selection *s, const struct macro_operand *o, unsigned first, unsigned n)
{
    struct visa_region hw;
    int offset;
    if (o->kind != MACRO_REGION && o->kind != MACRO_ADDRESS)
        return true;
    if (!legalize_piece_region(o, first, n, &offset, &hw) || !fits_registers(s, o, first, n, &hw))
        return false;
    return n == 1 ||
           (hw.width == 1 && (hw.vstride == 1 || hw.vstride == 2 || (hw.vstride == 4 && !moves_halves(s, o))));
}

unsigned legalize_widest_type(const struct macro *w)
{
    unsigned bytes = w->dst.kind == MACRO_REGION || w->dst.kind == MACRO_ADDRESS ? visa_type_bytes(w->dst.type) : 1;
    for (unsigned i = 0; i < w->sources; i++)
        if (w->src[i].kind != MACRO_NONE && visa_type_bytes(w->src[i].type) > bytes)
            bytes = visa_type_bytes(w->src[i].type);
    return bytes;
}

/* True if the lanes are in one register, or half of them in each of two. */
static bool has_even_rows(const struct selection *s, const struct macro_operand *o, unsigned first, unsigned n)
{
    int grf = (int)s->platform->grf_bytes;
    if (o->kind != MACRO_REGION || legalize_variable_bytes(s, o->variable) <= grf)
        return true;
    int start = region_lane(&o->region, first) / grf, middle = region_lane(&o->region, first + n / 2) / grf;
    for (unsigned i = 0; i < n; i++)
        if (region_lane(&o->region, first + i) / grf != (i < n / 2 ? start : middle))
            return false;
    return true;
}

/* True if indirect lanes form several rows. */
bool legalize_reads_rows(const struct macro_operand *o, unsigned first, unsigned n)
{
    struct visa_region hw;
    int offset;
    return o->kind == MACRO_ADDRESS && !o->per_lane && legalize_piece_region(o, first, n, &offset, &hw) && hw.width > 1;
}

/* True for an operation on indirect rows if another operand is not aligned with the registers: the finalizer splits it,
 * and reads the rows' lanes as if they were contiguous. */
static bool splits_rows(const struct selection *s, const struct macro *w, unsigned first, unsigned n)
{
    bool rows = false;
    for (unsigned i = 0; i < w->sources && !rows; i++)
        rows = legalize_reads_rows(&w->src[i], first, n);
    bool evenly = !rows || has_even_rows(s, &w->dst, first, n);
    for (unsigned i = 0; i < w->sources && rows; i++)
        evenly = evenly && has_even_rows(s, &w->src[i], first, n);
    return !evenly;
}

/* True for operations on three sources with an encoding of their own. */
bool legalize_has_three_sources(const struct selection *s, const struct macro *w)
{
    bool multiplies = w->op == VISA_OP_MAD && visa_type_class(w->dst.type) == 'F';
    return platform_has(s->platform, FEATURE_TERNARY_ALIGN16) &&
           (multiplies || w->op == VISA_OP_LRP || w->op == VISA_OP_BFE || w->op == VISA_OP_BFI);
}

/* Gen9 encodes an operation on three sources with one lane, or with quarters of a register; the finalizer fails for two
 * lanes. */
static bool has_no_code(const struct selection *s, const struct macro *w, unsigned lanes)
{
    return lanes == 2 && legalize_has_three_sources(s, w);
}

/* Returns the bytes between lanes [first, first + n) of a region; 0: it is none, or they are not evenly apart. */
static unsigned step_of(const struct macro_operand *o, unsigned first, unsigned n)
{
    if ((o->kind != MACRO_REGION && (o->kind != MACRO_ADDRESS || o->per_lane)) || n < 2)
        return 0;
    int start = region_lane(&o->region, first), step = region_lane(&o->region, first + 1) - start;
    return step > 0 && region_lane(&o->region, first + n - 1) == start + (int)(n - 1) * step ? (unsigned)step : 0;
}

unsigned legalize_spread(const struct selection *s, const struct macro *w, unsigned first, unsigned n)
{
    enum { LARGE = 64, WORD = 2, DWORD = 4 };
    unsigned step = step_of(&w->dst, first, n), widest = 0;
    if (s->platform->grf_bytes != LARGE || step == 0 || step > WORD)
        return 0;
    for (unsigned i = 0; i < w->sources; i++) {
        unsigned from = step_of(&w->src[i], first, n);
        if (from > step && from <= DWORD && from > widest)
            widest = from;
    }
    return widest;
}

/* True if lanes that the finalizer spreads fit two registers from the place on to which it spreads them: it does not
 * split the instruction. */
static bool spread_fits(const struct selection *s, const struct macro *w, unsigned first, unsigned n)
{
    unsigned apart = legalize_spread(s, w, first, n), grf = s->platform->grf_bytes;
    if (apart == 0 || w->dst.kind != MACRO_REGION)
        return true;
    unsigned place = (unsigned)region_lane(&w->dst.region, first) / step_of(&w->dst, first, n);
    return place * apart % grf + n * apart <= 2 * grf;
}

bool legalize_is_masked(const struct macro *w)
{
    return (w->predicate.kind == MACRO_MASK && !w->predicate.uniform) || w->dst.kind == MACRO_MASK;
}

/* `widest`: bytes of the widest type. */
bool legalize_fits(const struct selection *s, const struct macro *w, unsigned widest, unsigned first, unsigned n)
{
    assert(n >= 1 && first + n <= w->lanes);
    if (has_no_code(s, w, n))
        return false;
    bool masked = legalize_is_masked(w);
    unsigned lane = first + w->predicate.lane;
    if (masked && (lane % n != 0 || lane / MASK_PART_LANES != (lane + n - 1) / MASK_PART_LANES))
        return false;
    if (n * widest > 2 * s->platform->grf_bytes)
        return false;
    if (!destination_fits(s, &w->dst, first, n) || !spread_fits(s, w, first, n))
        return false;
    for (unsigned i = 0; i < w->sources; i++)
        if (!source_fits(s, &w->src[i], first, n))
            return false;
    return n == 1 || !splits_rows(s, w, first, n);
}

bool legalize_is_plain(const struct macro_operand *o, unsigned lanes)
{
    assert(lanes >= 1);
    return o->kind == MACRO_REGION &&
           (lanes == 1 || (o->region.width >= lanes && o->region.hstride == (int)visa_type_bytes(o->type)));
}

bool legalize_same_variable(const struct macro *w, const struct macro_operand *o)
{
    unsigned from = o->kind == MACRO_REGION ? o->variable : o->kind == MACRO_ADDRESS ? o->address : 0;
    unsigned to = w->dst.kind == MACRO_REGION ? w->dst.variable : w->dst.kind == MACRO_ADDRESS ? w->dst.address : 0;
    return from && from == to;
}
