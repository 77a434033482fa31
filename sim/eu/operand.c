/* Accesses operands at run time: converts registers to lanes, lanes to registers, and between types. */
#include "sim/eu/operand.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool wants_half_denormals(const struct eu_thread *thread)
{
    return eu_control(thread) & EU_CR0_HALF_DENORMALS;
}

static enum eu_rounding rounding(const struct eu_thread *thread)
{
    return (enum eu_rounding)(eu_control(thread) >> EU_CR0_ROUNDING_SHIFT & 3);
}

/* Reads a packed integer immediate: a register of eight words, read at the destination's stride. A lane of a dword
 * destination takes every second nibble (check.c admits strides of a word and a dword only). */
static int64_t packed_integer(const struct eu_alu *alu, const struct eu_operand *operand, unsigned lane)
{
    unsigned word = lane * alu->in->dst.step / 2 % 8;
    int64_t nibble = operand->immediate >> 4 * word & 0xf;
    return operand->type == EU_V && nibble >= 8 ? nibble - 16 : nibble;
}

static void read_immediate(struct eu_alu *alu, const struct eu_operand *operand, union eu_lanes *out)
{
    if (operand->type == EU_V || operand->type == EU_UV || operand->type == EU_VF) {
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            if (operand->type == EU_VF)
                out->f[lane] = eu_restricted_float((uint8_t)(operand->immediate >> 8 * (lane % 4)));
            else if (alu->domain == EU_SINGLE)
                out->f[lane] = (float)packed_integer(alu, operand, lane);
            else
                out->i[lane] = packed_integer(alu, operand, lane);
        return;
    }
    struct eu_operand scalar = {.place = EU_DIRECT, .type = operand->type, .linear = true};
    uint8_t bytes[8];
    memcpy(bytes, &operand->immediate, sizeof bytes);
    eu_read_lanes(alu->thread, &scalar, bytes, alu->lanes, alu->domain, out);
}

/* Denormal sources count as zeros unless the mode keeps them; the host's own mode does that for floats and doubles. */
static inline float half_source(uint16_t half, bool keep)
{
    return eu_half_to_float(keep || (half & 0x7c00) != 0 ? half : half & 0x8000);
}

#define READ_AS(CTYPE, MEMBER, VALUE)                                                                                  \
    for (unsigned lane = 0; lane < lanes; lane++) {                                                                    \
        CTYPE element;                                                                                                 \
        memcpy(&element, base + OFFSET, sizeof element);                                                               \
        out->MEMBER[lane] = VALUE;                                                                                     \
    }                                                                                                                  \
    break;

/* One switch per domain; integer sources of a real domain are converted. */
#define READ_ALL                                                                                                       \
    if (domain == EU_INTEGER) {                                                                                        \
        switch (operand->type) {                                                                                       \
        case EU_UB: READ_AS(uint8_t, i, element)                                                                       \
        case EU_B: READ_AS(int8_t, i, element)                                                                         \
        case EU_UW: READ_AS(uint16_t, i, element)                                                                      \
        case EU_W: READ_AS(int16_t, i, element)                                                                        \
        case EU_UD: READ_AS(uint32_t, i, element)                                                                      \
        case EU_D: READ_AS(int32_t, i, element)                                                                        \
        default: READ_AS(int64_t, i, element)                                                                          \
        }                                                                                                              \
    } else if (domain == EU_SINGLE) {                                                                                  \
        switch (operand->type) {                                                                                       \
        case EU_F: READ_AS(float, f, element)                                                                          \
        case EU_HF: READ_AS(uint16_t, f, half_source(element, keep))                                                   \
        case EU_BF: READ_AS(uint16_t, f, eu_bfloat_to_float(element))                                                  \
        case EU_UB: READ_AS(uint8_t, f, element)                                                                       \
        case EU_B: READ_AS(int8_t, f, element)                                                                         \
        case EU_UW: READ_AS(uint16_t, f, element)                                                                      \
        case EU_W: READ_AS(int16_t, f, element)                                                                        \
        case EU_UD: READ_AS(uint32_t, f, (float)element)                                                               \
        default: READ_AS(int32_t, f, (float)element)                                                                   \
        }                                                                                                              \
    } else {                                                                                                           \
        switch (operand->type) {                                                                                       \
        case EU_DF: READ_AS(double, d, element)                                                                        \
        case EU_F: READ_AS(float, d, element)                                                                          \
        case EU_HF: READ_AS(uint16_t, d, half_source(element, keep))                                                   \
        case EU_UD: READ_AS(uint32_t, d, element)                                                                      \
        case EU_UQ: READ_AS(uint64_t, d, (double)element)                                                              \
        case EU_Q: READ_AS(int64_t, d, (double)element)                                                                \
        case EU_UW: READ_AS(uint16_t, d, element)                                                                      \
        case EU_W: READ_AS(int16_t, d, element)                                                                        \
        default: READ_AS(int32_t, d, element)                                                                          \
        }                                                                                                              \
    }

void eu_read_lanes(struct eu_thread *thread, const struct eu_operand *operand, const uint8_t *base, unsigned lanes,
                   enum eu_domain domain, union eu_lanes *out)
{
    assert(base && lanes <= EU_MAX_LANES && operand->type < EU_TYPES);
    const bool keep = operand->type == EU_HF && wants_half_denormals(thread);
    if (operand->linear) {
        const uint32_t step = operand->step;
#define OFFSET lane *step
        READ_ALL
#undef OFFSET
    } else {
#define OFFSET eu_region_offset(operand, lane)
        READ_ALL
#undef OFFSET
    }
}

/* Returns the byte offset in the register file that a0's word `word` plus the operand's offset addresses; all `bytes`
 * must be in general registers. */
static const uint8_t *indirect_base(struct eu_alu *alu, const struct eu_operand *operand, unsigned word, uint32_t bytes)
{
    struct eu_thread *thread = alu->thread;
    uint16_t address;
    memcpy(&address, thread->file + EU_FILE_ADDRESS + 2 * (word % 16), sizeof address);
    int64_t offset = (int64_t)address + operand->base;
    if (offset < 0 || offset + bytes > thread->general_bytes) {
        eu_thread_fault(thread, alu->in, "indirect register address 0x%x%+d is outside the register file", address,
                        operand->base);
        return NULL;
    }
    return thread->file + EU_FILE_GENERAL + offset;
}

static void read_indirect(struct eu_alu *alu, const struct eu_operand *operand, union eu_lanes *out)
{
    unsigned bytes = eu_type_table[operand->type].bytes;
    memset(out, 0, sizeof *out);
    if (alu->enabled == 0)
        return;
    if (!operand->row_addresses) {
        unsigned extent = eu_region_offset(operand, alu->lanes - 1);
        if (operand->linear)
            extent = operand->step * (alu->lanes - 1);
        const uint8_t *base = indirect_base(alu, operand, operand->address, extent + bytes);
        if (base != NULL)
            eu_read_lanes(alu->thread, operand, base, alu->lanes, alu->domain, out);
        return;
    }
    struct eu_operand element = {.place = EU_DIRECT, .type = operand->type, .linear = true};
    unsigned width = 1u << operand->width_log2;
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        if (!(alu->enabled >> lane & 1)) /* the address of an inactive channel may be undefined */
            continue;
        const uint8_t *row =
            indirect_base(alu, operand, operand->address + lane / width, lane % width * operand->hstride + bytes);
        if (row == NULL)
            return;
        union eu_lanes one;
        eu_read_lanes(alu->thread, &element, row + lane % width * operand->hstride, 1, alu->domain, &one);
        if (alu->domain == EU_SINGLE)
            out->f[lane] = one.f[0];
        else
            out->i[lane] = one.i[0]; /* doubles too: the same 64 bits */
    }
}

static void apply_modifiers(const struct eu_alu *alu, const struct eu_operand *operand, union eu_lanes *x)
{
    if (alu->in->op->properties & EU_PROPERTY_LOGIC) {
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            x->i[lane] = ~x->i[lane];
        return;
    }
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        if (alu->domain == EU_SINGLE) {
            float value = operand->absolute ? fabsf(x->f[lane]) : x->f[lane];
            x->f[lane] = operand->negate ? -value : value;
        } else if (alu->domain == EU_DOUBLE) {
            double value = operand->absolute ? fabs(x->d[lane]) : x->d[lane];
            x->d[lane] = operand->negate ? -value : value;
        } else {
            uint64_t value = (uint64_t)x->i[lane];
            if (operand->absolute && x->i[lane] < 0 && operand->type != EU_UQ)
                value = -value;
            x->i[lane] = (int64_t)(operand->negate ? -value : value);
        }
    }
}

/* One tick per instruction, or the values that were given: one per instruction, which may read it twice. */
static uint64_t read_clock(struct eu_thread *thread)
{
    if (!thread->clock)
        return thread->issued;
    uint64_t since = thread->issued - thread->clock_read_at;
    if (since == 0)
        return thread->clock_read;
    thread->clock_read = thread->clock < thread->clock_end ? *thread->clock++ : thread->clock_read + since;
    thread->clock_read_at = thread->issued;
    return thread->clock_read;
}

/* Updates registers whose contents depend on the time of reading. */
static void refresh_special(struct eu_alu *alu, const struct eu_operand *operand)
{
    struct eu_thread *thread = alu->thread;
    if (operand->special == EU_CHANNEL_ENABLE) {
        memcpy(thread->file + EU_FILE_CHANNEL_ENABLE, &thread->active, sizeof thread->active);
    } else if (operand->special == EU_POINTER) {
        uint32_t pointer = eu_pointer(thread, alu->in);
        memcpy(thread->file + EU_FILE_POINTER, &pointer, sizeof pointer);
    } else if (operand->special == EU_TIMESTAMP) {
        uint64_t now = read_clock(thread);
        memcpy(thread->file + EU_FILE_TIMESTAMP, &now, sizeof now);
    }
}

/* Dword accumulator lanes carry 64 bits: the high halves are kept beside the register. */
static void widen_accumulator(const struct eu_alu *alu, const struct eu_operand *operand, union eu_lanes *x)
{
    unsigned first = (unsigned)(operand->base - EU_FILE_ACCUMULATOR) / 4;
    if (alu->domain != EU_INTEGER || (operand->type != EU_D && operand->type != EU_UD) || operand->step > 4)
        return;
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        unsigned slot = (first + lane * operand->step / 4) % (EU_ACCUMULATOR_DWORDS);
        x->i[lane] = (int64_t)((uint64_t)alu->thread->accumulator_high[slot] << 32 | (uint32_t)x->i[lane]);
    }
}

void eu_read_source(struct eu_alu *alu, unsigned s)
{
    assert(s < EU_MAX_SOURCES && alu->lanes <= EU_MAX_LANES);
    const struct eu_operand *operand = &alu->in->src[s];
    union eu_lanes *out = &alu->src[s];
    if (operand->place == EU_DIRECT) {
        if (operand->special > EU_ACCUMULATOR)
            refresh_special(alu, operand);
        eu_read_lanes(alu->thread, operand, alu->thread->file + operand->base, alu->lanes, alu->domain, out);
        if (operand->special == EU_ACCUMULATOR)
            widen_accumulator(alu, operand, out);
    } else if (operand->place == EU_IMMEDIATE) {
        read_immediate(alu, operand, out);
    } else if (operand->place == EU_INDIRECT) {
        read_indirect(alu, operand, out);
    }
    if (operand->negate || operand->absolute)
        apply_modifiers(alu, operand, out);
}

/* --- destinations ------------------------------------------------------------------------------------------------- */

struct integer_range {
    int64_t low, high;
};

static struct integer_range type_range(enum eu_type type)
{
    unsigned bits = 8 * eu_type_table[type].bytes;
    if (bits == 64)
        return (struct integer_range){type == EU_UQ ? 0 : INT64_MIN, INT64_MAX};
    if (eu_type_is_signed(type))
        return (struct integer_range){-(1ll << (bits - 1)), (1ll << (bits - 1)) - 1};
    return (struct integer_range){0, (1ll << bits) - 1};
}

static double rounded_to_integer(double value, enum eu_rounding mode)
{
    switch (mode) {
    case EU_ROUND_EVEN: return roundeven(value);
    case EU_ROUND_UP: return ceil(value);
    case EU_ROUND_DOWN: return floor(value);
    case EU_ROUND_ZERO: break;
    }
    return trunc(value);
}

/* Real to integer: rounds, clamps to the destination's range, NaN gives 0. */
static int64_t integer_of_real(double real, enum eu_type type, enum eu_rounding mode)
{
    struct integer_range range = type_range(type);
    if (isnan(real))
        return 0;
    double value = rounded_to_integer(real, mode);
    if (type == EU_UQ && value >= 0x1p63)
        return value >= 0x1p64 ? -1 : (int64_t)(uint64_t)value;
    if (value <= (double)range.low)
        return range.low;
    if (value >= (double)range.high)
        return range.high;
    return (int64_t)value;
}

/* Makes alu->out integers of the destination's range. */
static void to_integers(struct eu_alu *alu, enum eu_type type)
{
    struct integer_range range = type_range(type);
    bool rounds = eu_control(alu->thread) & EU_CR0_ROUNDS_TO_INTEGERS;
    enum eu_rounding mode = rounds ? rounding(alu->thread) : EU_ROUND_ZERO;
    if (alu->domain == EU_SINGLE) {
        float values[EU_MAX_LANES];
        memcpy(values, alu->out.f, sizeof values);
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.i[lane] = integer_of_real((double)values[lane], type, mode);
    } else if (alu->domain == EU_DOUBLE) {
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.i[lane] = integer_of_real(alu->out.d[lane], type, mode);
    } else if (alu->in->saturate && !alu->is_saturated && !(alu->in->op->properties & EU_PROPERTY_COMPARE)) {
        bool is_unsigned = alu->in->src[0].type == EU_UQ; /* then the lane is, too */
        for (unsigned lane = 0; lane < alu->lanes; lane++) {
            int64_t value = alu->out.i[lane];
            if (is_unsigned && value < 0) {
                alu->out.i[lane] = type == EU_UQ ? value : range.high;
                continue;
            }
            alu->out.i[lane] = value < range.low ? range.low : value > range.high ? range.high : value;
        }
    }
}

static double clamp_unit(double value)
{
    return value >= 1 ? 1 : value > 0 ? value : 0; /* NaN gives 0 */
}

static void to_singles(struct eu_alu *alu)
{
    if (alu->domain == EU_INTEGER) {
        int64_t values[EU_MAX_LANES];
        memcpy(values, alu->out.i, sizeof values);
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.f[lane] = alu->in->src[0].type == EU_UQ ? (float)(uint64_t)values[lane] : (float)values[lane];
    } else if (alu->domain == EU_DOUBLE) {
        double values[EU_MAX_LANES];
        memcpy(values, alu->out.d, sizeof values);
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.f[lane] = (float)values[lane];
    }
    if (alu->in->saturate)
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.f[lane] = (float)clamp_unit((double)alu->out.f[lane]);
}

static void to_doubles(struct eu_alu *alu)
{
    if (alu->domain == EU_INTEGER) {
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.d[lane] =
                alu->in->src[0].type == EU_UQ ? (double)(uint64_t)alu->out.i[lane] : (double)alu->out.i[lane];
    } else if (alu->domain == EU_SINGLE) {
        float values[EU_MAX_LANES];
        memcpy(values, alu->out.f, sizeof values);
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.d[lane] = (double)values[lane];
    }
    if (alu->in->saturate)
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.d[lane] = clamp_unit(alu->out.d[lane]);
}

/* Converts computed values to halves, rounded once, as integers for the store. */
static void to_halves(struct eu_alu *alu)
{
    enum eu_rounding mode = rounding(alu->thread);
    bool keep = alu->keeps_denormals || wants_half_denormals(alu->thread);
    if (alu->domain == EU_INTEGER || alu->domain == EU_SINGLE)
        to_doubles(alu);
    else if (alu->in->saturate)
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.d[lane] = clamp_unit(alu->out.d[lane]);
    for (unsigned lane = 0; lane < alu->lanes; lane++)
        alu->out.i[lane] = eu_half_from_double(alu->out.d[lane], mode, keep);
}

/* Converts results to bfloats, kept as integers that are stored later, like halves. */
static void to_bfloats(struct eu_alu *alu)
{
    float values[EU_MAX_LANES];
    to_singles(alu);
    memcpy(values, alu->out.f, sizeof values);
    for (unsigned lane = 0; lane < alu->lanes; lane++)
        alu->out.i[lane] = eu_bfloat_from_float(values[lane]);
}

#define STORE_AS(CTYPE, MEMBER)                                                                                        \
    for (unsigned lane = 0; lane < alu->lanes; lane++)                                                                 \
        if (enabled >> lane & 1) {                                                                                     \
            CTYPE element = (CTYPE)values->MEMBER[lane];                                                               \
            memcpy(base + lane * step, &element, sizeof element);                                                      \
        }                                                                                                              \
    break;

static void store(const struct eu_alu *alu, uint8_t *base, uint32_t step, uint32_t enabled, enum eu_type type,
                  const union eu_lanes *values)
{
    switch (type) {
    case EU_UB:
    case EU_B: STORE_AS(uint8_t, i)
    case EU_UW:
    case EU_W:
    case EU_BF:
    case EU_HF: STORE_AS(uint16_t, i)
    case EU_UD:
    case EU_D: STORE_AS(uint32_t, i)
    case EU_F: STORE_AS(float, f)
    case EU_DF: STORE_AS(double, d)
    default: STORE_AS(uint64_t, i)
    }
}

/* Comparisons give masks of the destination's width, for all types. */
static enum eu_type mask_type(enum eu_type type)
{
    switch (eu_type_table[type].bytes) {
    case 1: return EU_UB;
    case 2: return EU_UW;
    case 4: return EU_UD;
    default: return EU_UQ;
    }
}

static void convert(struct eu_alu *alu, enum eu_type type)
{
    if (type == EU_F)
        to_singles(alu);
    else if (type == EU_HF)
        to_halves(alu);
    else if (type == EU_BF)
        to_bfloats(alu);
    else if (type == EU_DF)
        to_doubles(alu);
    else
        to_integers(alu, type);
}

static void note_accumulator(struct eu_alu *alu, unsigned first, unsigned step, enum eu_type type,
                             const union eu_lanes *values)
{
    if (type != EU_D && type != EU_UD)
        return;
    for (unsigned lane = 0; lane < alu->lanes; lane++)
        if (alu->enabled >> lane & 1)
            alu->thread->accumulator_high[(first + lane * step / 4) % (EU_ACCUMULATOR_DWORDS)] =
                (int32_t)(values->i[lane] >> 32);
}

/* sr0.2: oneDNN's kernels enable all channels of their widest instructions there, whatever they were started with. */
static void written_state(struct eu_alu *alu)
{
    struct eu_thread *thread = alu->thread;
    uint32_t mask;
    memcpy(&mask, thread->file + EU_FILE_STATE + 2 * sizeof mask, sizeof mask);
    if (mask == thread->dispatch)
        return;
    if (thread->active == thread->dispatch)
        thread->dispatch = thread->active = mask;
    else
        eu_thread_fault(thread, alu->in, "changing the dispatch mask (sr0.2) while channels wait is not implemented");
}

static void written_special(struct eu_alu *alu, const struct eu_operand *dst)
{
    struct eu_thread *thread = alu->thread;
    if (dst->special == EU_CONTROL && (eu_control(thread) & EU_CR0_ALTERNATE))
        eu_thread_fault(thread, alu->in, "the alternate floating-point mode (cr0.0 bit 0) is not implemented");
    else if (dst->special == EU_CONTROL)
        eu_host_control_set(thread);
    else if (dst->special == EU_STATE)
        written_state(alu);
    else if (dst->special == EU_ACCUMULATOR && eu_type_table[dst->type].domain == EU_INTEGER)
        note_accumulator(alu, (unsigned)(dst->base - EU_FILE_ACCUMULATOR) / 4, dst->step, dst->type, &alu->out);
    else if (dst->special == EU_POINTER)
        eu_thread_fault(thread, alu->in, "writing ip is not implemented");
}

static enum eu_type written_type(const struct eu_alu *alu)
{
    enum eu_type type = (enum eu_type)alu->in->dst.type;
    return alu->in->op->properties & EU_PROPERTY_COMPARE ? mask_type(type) : type;
}

void eu_convert_result(struct eu_alu *alu)
{
    convert(alu, written_type(alu));
}

void eu_write_destination(struct eu_alu *alu)
{
    const struct eu_operand *dst = &alu->in->dst;
    if (dst->place == EU_NOWHERE)
        return;
    enum eu_type type = written_type(alu);
    if (dst->place == EU_DIRECT) {
        store(alu, alu->thread->file + dst->base, dst->step, alu->enabled, type, &alu->out);
        if (dst->special != EU_PLAIN)
            written_special(alu, dst);
    } else if (alu->enabled != 0) {
        unsigned last = 31 - (unsigned)__builtin_clz(alu->enabled);
        const uint8_t *base = indirect_base(alu, dst, dst->address, dst->step * last + eu_type_table[type].bytes);
        if (base != NULL)
            store(alu, (uint8_t *)base, dst->step, alu->enabled, type, &alu->out);
    }
}

/* --- the implicit accumulator ------------------------------------------------------------------------------------- */

/* Packed lanes of acc0, whatever the channel offset (compilers pair `mul (8|M8) acc0.0` with `mach (8|M8)`), from the
 * destination's place in its register on (libraries pair `mul (1) acc0.4` with `mach (1) r2.4`; IGC's verifier demands
 * it). Lanes of another size than the destination's begin at acc0's first byte: compilers give such instructions
 * aligned destinations. Halves of the upper sixteen channels are in acc1 where registers have 32 bytes. */
struct eu_operand eu_implicit_accumulator(const struct eu_alu *alu)
{
    enum eu_type type = (enum eu_type)alu->in->dst.type;
    unsigned bytes = eu_type_table[type].bytes;
    if (alu->domain == EU_INTEGER && bytes < 4) /* the accumulator's integer lanes are dwords or words; words here */
        type = eu_type_is_signed(type) ? EU_W : EU_UW, bytes = 2;
    if (alu->domain == EU_SINGLE && eu_type_table[type].domain != EU_SINGLE)
        type = EU_F, bytes = 4;
    unsigned grf = alu->thread->platform->grf_bytes;
    unsigned first = bytes == eu_type_table[alu->in->dst.type].bytes ? alu->in->accumulator_offset : 0;
    if (type == EU_HF && alu->in->channel_offset * 2u >= grf)
        first += grf;
    return (struct eu_operand){.place = EU_DIRECT,
                               .type = (uint8_t)type,
                               .special = EU_ACCUMULATOR,
                               .linear = true,
                               .step = (uint16_t)bytes,
                               .base = (uint16_t)(EU_FILE_ACCUMULATOR + first)};
}

void eu_read_accumulator(struct eu_alu *alu)
{
    struct eu_operand acc = eu_implicit_accumulator(alu);
    eu_read_lanes(alu->thread, &acc, alu->thread->file + acc.base, alu->lanes, alu->domain, &alu->accumulator);
    widen_accumulator(alu, &acc, &alu->accumulator);
}

void eu_write_accumulator(struct eu_alu *alu, const union eu_lanes *lanes)
{
    assert(lanes && alu->lanes <= EU_MAX_LANES);
    struct eu_operand acc = eu_implicit_accumulator(alu);
    if (acc.type == EU_HF) {
        eu_thread_fault(alu->thread, alu->in, "writing half results to the accumulator implicitly is not implemented");
        return;
    }
    store(alu, alu->thread->file + acc.base, acc.step, alu->enabled, (enum eu_type)acc.type, lanes);
    note_accumulator(alu, (unsigned)(acc.base - EU_FILE_ACCUMULATOR) / 4, acc.step, (enum eu_type)acc.type, lanes);
}
