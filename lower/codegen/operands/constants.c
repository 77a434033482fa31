/* Builds constants: an immediate if all lanes are equal, otherwise a variable filled in few instructions, once per
 * block. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/operands/operands.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/ir/fault.h"

/* ---- lanes that differ ---- */

struct fill {
    LLVMTypeRef element;
    unsigned variable, bytes;
    bool steps; /* lanes can be computed from others: integers of 16 or 32 bits */
    const int64_t *lanes;
};

enum { PACKED_LANES = 8, MOST_LANES = 32 /* of an instruction */ };

/* lane = base + step * a small number, for each of n lanes: one packed immediate, one product and one sum. */
struct ramp {
    int64_t base, step;
    bool is_signed; /* small numbers: -8..7, otherwise 0..15 */
    uint32_t packed;
};

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static bool ramp_with(const struct fill *f, unsigned first, unsigned n, int64_t base, int64_t step, struct ramp *out)
{
    int64_t least = 0, most = 0;
    *out = (struct ramp){.base = base, .step = step};
    for (unsigned i = 0; i < n; i++) {
        int64_t q = (f->lanes[first + i] - base) / step;
        least = q < least ? q : least;
        most = q > most ? q : most;
        out->packed |= (uint32_t)(q & 15) << (4 * i);
    }
    out->is_signed = least < 0;
    return out->is_signed ? least >= -8 && most <= 7 : most <= 15;
}

static bool ramp_from(const struct fill *f, unsigned first, unsigned n, int64_t base, struct ramp *out)
{
    int64_t step = 0;
    for (unsigned i = 0; i < n; i++)
        step = common_divisor(step, f->lanes[first + i] - base);
    return ramp_with(f, first, n, base, 1, out) || ramp_with(f, first, n, base, step ? step : 1, out);
}

static unsigned ramp_cost(const struct ramp *r)
{
    return 1 + (r->step != 1) + (r->base != 0);
}

static bool find_ramp(const struct fill *f, unsigned first, unsigned n, struct ramp *out)
{
    struct ramp from_first;
    bool whole = (n & (n - 1)) == 0; /* one instruction: pieces would each begin with the packed lanes */
    bool small = f->steps && whole && n <= PACKED_LANES && n > 1, zero = small && ramp_from(f, first, n, 0, out);
    bool other = small && ramp_from(f, first, n, f->lanes[first], &from_first);
    if (other && (!zero || ramp_cost(&from_first) < ramp_cost(out)))
        *out = from_first;
    return zero || other;
}

static bool is_uniform(const struct fill *f, unsigned first, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (f->lanes[first + i] != f->lanes[first])
            return false;
    return true;
}

/* True if the second half is the first plus a constant. */
static bool half_steps(const struct fill *f, unsigned first, unsigned half, int64_t *step)
{
    *step = f->lanes[first + half] - f->lanes[first];
    for (unsigned i = 0; i < half; i++)
        if (f->lanes[first + half + i] - f->lanes[first + i] != *step)
            return false;
    return f->steps || *step == 0;
}

/* True if these lanes form one dword. */
static bool is_dword(const struct fill *f, unsigned first, unsigned n)
{
    return f->bytes < 4 && n * f->bytes == 4 && first * f->bytes % 4 == 0;
}

/* The largest power of two below n, for n > 1. */
static unsigned lower_half(unsigned n)
{
    unsigned half = 1;
    while (2 * half < n)
        half *= 2;
    return half;
}

static unsigned fill_cost(const struct fill *f, unsigned first, unsigned n)
{
    struct ramp ramp;
    int64_t step;
    if (n == 1 || is_uniform(f, first, n) || is_dword(f, first, n))
        return 1;
    unsigned half = lower_half(n), best = find_ramp(f, first, n, &ramp) ? ramp_cost(&ramp) : ~0u, low, halves;
    if (best <= 2)
        return best;
    low = fill_cost(f, first, half);
    halves = 2 * half == n && half_steps(f, first, half, &step) ? low + 1 : low + fill_cost(f, first + half, n - half);
    return halves < best ? halves : best;
}

static struct macro_operand part(const struct fill *f, unsigned first, unsigned n)
{
    return macro_region(f->variable, cg_visa_type(f->element, 'S'), (int)(first * f->bytes), n);
}

static void compute(struct selection *s, const struct fill *f, enum visa_opcode op, unsigned first, unsigned from,
                    unsigned n, int64_t number)
{
    struct macro w = {.op = op, .lanes = n, .dst = part(f, first, n), .sources = 2};
    w.src[0] = part(f, from, n);
    w.src[1] = macro_immediate_of(f->element, (uint64_t)number, 'S');
    legalize_macro(s, &w);
}

/* Multiplies by `step`: by a shift if it is a power of two. */
static void step_lanes(struct selection *s, const struct fill *f, unsigned first, unsigned n, int64_t step)
{
    bool power = (step & (step - 1)) == 0;
    compute(s, f, power ? VISA_OP_SHL : VISA_OP_MUL, first, first, n, power ? __builtin_ctzll((uint64_t)step) : step);
}

static void fill_ramp(struct selection *s, const struct fill *f, unsigned first, unsigned n, const struct ramp *r)
{
    legalize_move(s, n, part(f, first, n), macro_immediate(r->is_signed ? VISA_TYPE_V : VISA_TYPE_UV, r->packed));
    if (r->step != 1)
        step_lanes(s, f, first, n, r->step);
    if (r->base != 0)
        compute(s, f, VISA_OP_ADD, first, first, n, r->base);
}

static void fill(struct selection *s, const struct fill *f, unsigned first, unsigned n)
{
    struct ramp ramp;
    int64_t step;
    if (n == 1 || is_uniform(f, first, n)) {
        legalize_move(s, n, part(f, first, n), macro_immediate_of(f->element, (uint64_t)f->lanes[first], 'S'));
        return;
    }
    if (is_dword(f, first, n)) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < n; i++)
            bits |= (uint32_t)(f->lanes[first + i] & ((1 << 8 * f->bytes) - 1)) << (8 * f->bytes * i);
        legalize_move(s, 1, macro_scalar(f->variable, VISA_TYPE_UD, (int)(first * f->bytes)),
                      macro_immediate(VISA_TYPE_UD, bits));
        return;
    }
    unsigned half = lower_half(n), low = fill_cost(f, first, half);
    bool stepped = 2 * half == n && half_steps(f, first, half, &step);
    unsigned halves = stepped ? low + 1 : low + fill_cost(f, first + half, n - half);
    if (find_ramp(f, first, n, &ramp) && ramp_cost(&ramp) <= halves) {
        fill_ramp(s, f, first, n, &ramp);
        return;
    }
    fill(s, f, first, half);
    if (!stepped)
        fill(s, f, first + half, n - half);
    else if (step)
        compute(s, f, VISA_OP_ADD, first + half, first, half, step);
    else
        legalize_move(s, half, part(f, first + half, half), part(f, first, half));
}

/* Ways to build 64-bit lanes from one dword each. */
enum widening {
    WIDEN_NOT,
    WIDEN_CONVERT, /* a signed dword each, and the platform converts them */
    WIDEN_JOIN,    /* all upper halves are equal: placed beside the lower ones */
    WIDEN_SIGN,    /* a signed dword each: the upper halves are shifted out of the lower ones */
};

static enum widening how_to_widen(const struct selection *s, const struct fill *wide, unsigned lanes)
{
    bool small = true, equal = true;
    for (unsigned i = 0; i < lanes; i++) {
        small = small && wide->lanes[i] == (int32_t)wide->lanes[i];
        equal = equal && wide->lanes[i] >> 32 == wide->lanes[0] >> 32;
    }
    if (lanes <= 2)
        return WIDEN_NOT;
    if (small && platform_has(s->platform, FEATURE_NATIVE_INT64))
        return WIDEN_CONVERT;
    return equal ? WIDEN_JOIN : small ? WIDEN_SIGN : WIDEN_NOT;
}

/* Writes the upper halves of lanes whose lower halves are in `low`. */
static void fill_signs(struct selection *s, struct macro_operand upper, struct macro_operand low, unsigned lanes)
{
    struct macro shift = {.op = VISA_OP_ASR, .lanes = lanes, .dst = upper, .sources = 2, .src = {low}};
    shift.src[1] = macro_immediate(VISA_TYPE_UW, 31);
    legalize_macro(s, &shift);
}

static bool fill_wide(struct selection *s, const struct fill *wide, unsigned lanes)
{
    enum { MOST = 16 /* lanes of an instruction that writes halves */ };
    enum widening how = how_to_widen(s, wide, lanes);
    if (how == WIDEN_NOT)
        return false;
    int64_t *low = ir_calloc(lanes, sizeof *low);
    for (unsigned i = 0; i < lanes; i++)
        low[i] = (int32_t)wide->lanes[i];
    LLVMTypeRef element = LLVMInt32TypeInContext(LLVMGetTypeContext(wide->element));
    struct fill f = {.element = element, .bytes = 4, .steps = true, .lanes = low};
    if (how == WIDEN_SIGN && fill_cost(&f, 0, lanes) + 2 * ((lanes + MOST - 1) / MOST) >= lanes) {
        free(low);
        return false;
    }
    f.variable = cg_new_variable(s, VISA_TYPE_D, lanes, 0, "constant");
    fill(s, &f, 0, lanes);
    free(low);
    struct macro_operand from = macro_region(f.variable, VISA_TYPE_D, 0, lanes), to = part(wide, 0, lanes);
    if (how != WIDEN_CONVERT) {
        to.type = VISA_TYPE_D;
        legalize_move(s, lanes, to, from);
        to.region.offset += 4;
    }
    if (how == WIDEN_SIGN) {
        fill_signs(s, to, from, lanes);
        return true;
    }
    if (how == WIDEN_JOIN)
        from = macro_immediate(VISA_TYPE_D, (uint32_t)(wide->lanes[0] >> 32));
    legalize_move(s, lanes, to, from);
    return true;
}

/* Fills bytes and words four bytes at a time if that is cheaper. */
static bool fill_dwords(struct selection *s, const struct fill *narrow, unsigned lanes)
{
    unsigned each = 4 / narrow->bytes, count = lanes / each;
    if (narrow->bytes > 2 || lanes % each != 0 || count < 2)
        return false;
    int64_t *dwords = ir_calloc(count, sizeof *dwords);
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t lane = (uint32_t)narrow->lanes[i] & ((1u << 8 * narrow->bytes) - 1);
        dwords[i / each] = (int32_t)((uint32_t)dwords[i / each] | lane << (8 * narrow->bytes * (i % each)));
    }
    struct fill f = {.element = LLVMInt32TypeInContext(LLVMGetTypeContext(narrow->element)),
                     .bytes = 4,
                     .steps = true,
                     .variable = narrow->variable,
                     .lanes = dwords};
    bool cheaper = fill_cost(&f, 0, count) < fill_cost(narrow, 0, lanes);
    if (cheaper)
        fill(s, &f, 0, count);
    free(dwords);
    return cheaper;
}

/* Reads all lanes with their sign. False: one is only known to the driver. */
static bool read_lanes(LLVMValueRef constant, unsigned bits, int64_t *lanes)
{
    bool known = true, undefined;
    for (unsigned i = 0; i < type_lanes(LLVMTypeOf(constant)); i++) {
        uint64_t lane = 0;
        known = constant_lane(constant, i, &lane, &undefined) && known;
        lanes[i] = (int64_t)(lane << (64 - bits)) >> (64 - bits);
    }
    return known;
}

/* True if all lanes are those of `base` plus one number. */
static bool is_displaced(const struct fill *f, unsigned lanes, LLVMValueRef base, int64_t *number)
{
    int64_t *from = ir_calloc(lanes, sizeof *from);
    bool same = read_lanes(base, 8 * f->bytes, from);
    *number = f->lanes[0] - from[0];
    for (unsigned i = 1; same && i < lanes; i++)
        same = f->lanes[i] - from[i] == *number;
    free(from);
    return same;
}

/* Adds a number to a constant that the block has built, if that is cheaper: addresses of several messages are such
 * constants. Not in loops: select_hoist_constants() moves only what depends on nothing. */
static bool fill_from_known(struct selection *s, const struct fill *f, LLVMTypeRef type)
{
    unsigned lanes = type_lanes(type), most = INSTRUCTION_BYTES / f->bytes;
    int64_t number;
    most = most < MOST_LANES ? most : MOST_LANES;
    if (!f->steps || fill_cost(f, 0, lanes) <= (lanes + most - 1) / most || cfg_is_in_loop(&s->cfg, s->block))
        return false;
    for (unsigned i = 0; i < s->constant_count; i++) { /* the oldest first: sums do not wait for one another */
        LLVMValueRef base = s->constants[i].constant;
        if (LLVMTypeOf(base) != type || !is_displaced(f, lanes, base, &number))
            continue;
        struct macro w = {.op = VISA_OP_ADD, .lanes = lanes, .dst = part(f, 0, lanes), .sources = 2};
        w.src[0] = macro_region(s->constants[i].variable, cg_visa_type(f->element, 'S'), 0, lanes);
        w.src[1] = macro_immediate_of(f->element, (uint64_t)number, 'S');
        legalize_macro(s, &w);
        return true;
    }
    return false;
}

static LLVMTypeRef built_element(LLVMTypeRef type)
{
    LLVMTypeRef element = type_element(type);
    return LLVMGetTypeKind(element) == LLVMPointerTypeKind ? LLVMInt64TypeInContext(LLVMGetTypeContext(type)) : element;
}

/* Builds a constant that is not an immediate in a variable. */
static void build_in(struct selection *s, LLVMValueRef constant, unsigned variable)
{
    LLVMTypeRef type = LLVMTypeOf(constant), element = built_element(type);
    unsigned lanes = type_lanes(type), bits = type_element_bits(element);
    if (LLVMIsUndef(constant) || LLVMIsPoison(constant))
        return;
    int64_t *values = ir_calloc(lanes, sizeof *values);
    bool known = read_lanes(constant, bits, values);
    struct fill f = {.element = element, .variable = variable, .bytes = bits / 8, .lanes = values};
    f.steps = !type_is_float(element) && (bits == 16 || bits == 32);
    bool wide = known && bits == 64 && !type_is_float(element) && fill_wide(s, &f, lanes);
    if (known && !wide && !fill_from_known(s, &f, type) && !fill_dwords(s, &f, lanes))
        fill(s, &f, 0, lanes);
    if (!known)
        cg_fail(s, s->current, LOWER_FAULT("a constant that is known to the driver only"));
    free(values);
}

/* The same, in all lanes, whatever the execution mask is. */
static void build_all_lanes(struct selection *s, LLVMValueRef constant, unsigned variable)
{
    bool before = s->for_all_lanes;
    s->for_all_lanes = true;
    build_in(s, constant, variable);
    s->for_all_lanes = before;
}

/* ---- constants that the block has built ---- */

/* Makes constant `number` of the list the newest, and returns its variable: the oldest ones are forgotten first. */
static unsigned use_known(struct selection *s, unsigned number)
{
    unsigned variable = s->constants[number].variable;
    LLVMValueRef constant = s->constants[number].constant;
    memmove(s->constants + number, s->constants + number + 1, (s->constant_count - 1 - number) * sizeof *s->constants);
    s->constants[s->constant_count - 1].constant = constant;
    s->constants[s->constant_count - 1].variable = variable;
    return variable;
}

void operand_forget_constants(struct selection *s)
{
    s->constant_count = 0;
    s->last_mask.constant = NULL;
    s->last_broadcast.lane = NULL;
    s->broadcast_count = 0;
}

unsigned operand_constant_variable(struct selection *s, LLVMValueRef constant)
{
    assert(LLVMIsConstant(constant));
    for (unsigned i = 0; i < s->constant_count; i++)
        if (s->constants[i].constant == constant)
            return use_known(s, i);
    size_t first = s->out->instruction_count;
    LLVMTypeRef type = LLVMTypeOf(constant);
    unsigned variable = cg_new_variable(s, cg_visa_type(built_element(type), 'S'), type_lanes(type), 0, "constant");
    build_all_lanes(s, constant, variable);
    ARRAY_PUSH(s->built, s->built_count, s->built_capacity,
               ((struct cg_built_constant){constant, variable, s->block, first, s->out->instruction_count}));
    if (s->constant_count == KNOWN_CONSTANTS)
        memmove(s->constants, s->constants + 1, --s->constant_count * sizeof *s->constants);
    s->constants[s->constant_count].constant = constant;
    s->constants[s->constant_count++].variable = variable;
    return variable;
}

bool operand_build_constant(struct selection *s, LLVMValueRef constant, unsigned variable)
{
    uint64_t bits;
    if (!LLVMIsConstant(constant) || constant_splat_bits(constant, &bits) || cfg_is_in_loop(&s->cfg, s->block))
        return false;
    for (unsigned i = 0; i < s->constant_count; i++)
        if (s->constants[i].constant == constant)
            return false;
    build_all_lanes(s, constant, variable);
    return true;
}

struct macro_operand operand_scalar_constant(struct selection *s, struct macro_operand immediate)
{
    assert(immediate.kind == MACRO_IMMEDIATE);
    for (unsigned i = 0; i < s->scalar_count; i++)
        if (s->scalars[i].type == immediate.type && s->scalars[i].bits == immediate.bits &&
            cfg_dominates(&s->cfg, s->scalars[i].block, s->block))
            return macro_scalar(s->scalars[i].variable, immediate.type, 0);
    unsigned variable = cg_new_variable(s, immediate.type, 1, 0, NULL);
    struct macro_operand scalar = macro_scalar(variable, immediate.type, 0);
    legalize_move(s, 1, scalar, immediate);
    if (s->scalar_count == KNOWN_SCALARS)
        memmove(s->scalars, s->scalars + 1, --s->scalar_count * sizeof *s->scalars);
    s->scalars[s->scalar_count].type = immediate.type;
    s->scalars[s->scalar_count].bits = immediate.bits;
    s->scalars[s->scalar_count].block = s->block;
    s->scalars[s->scalar_count++].variable = variable;
    return scalar;
}
