/* Executes products of matrices: dst = src0 + src2 * src1, row by row of dst. Of dpasw, each thread of a pair has a
 * half of src2 (pair.h). Integers are exact. Sums of floats are rounded once; in which order the platform sums and
 * where it rounds, no public source says. Source: vISA's specification, DPAS and DPASW. */
#include "sim/eu/dpas.h"

#include <assert.h>
#include <string.h>
#include "sim/eu/iga_c.h"
#include "sim/eu/operand.h"
#include "sim/eu/pair.h"

enum { MOST_LANES = 16, DEPTH = 8, MOST_ROWS = 8, DWORD = 4, WEIGHTS = 1, ACTIVATIONS = 2 };

/* A register of dwords. */
static unsigned lanes_of(const struct platform *platform)
{
    return platform->grf_bytes / DWORD;
}

/* The decoder's types of elements. */
static const struct element {
    uint8_t iga, bits;
    bool is_signed, is_float;
} elements[] = {
    {IGA_TYPE_U2, 2, false, false}, {IGA_TYPE_S2, 2, true, false},  {IGA_TYPE_U4, 4, false, false},
    {IGA_TYPE_S4, 4, true, false},  {IGA_TYPE_UB, 8, false, false}, {IGA_TYPE_B, 8, true, false},
    {IGA_TYPE_HF, 16, true, true},  {IGA_TYPE_BF, 16, true, true},  {IGA_TYPE_TF32, 32, true, true},
};

static const struct element *element_of(const struct eu_instruction *in, unsigned source)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].iga == in->precision[source - WEIGHTS])
            return &elements[i];
    return NULL;
}

/* The function's number has the depth above the number of rows. */
static unsigned rows_of(const struct eu_instruction *in)
{
    return in->function & 0xff;
}

/* True if there is a matrix to add to; null stands for zeros. */
static bool has_sum(const struct eu_instruction *in)
{
    return in->src[0].place != EU_NOWHERE && (in->src[0].place != EU_DIRECT || in->src[0].base != EU_FILE_NULL);
}

/* Products that each step adds to a lane. */
static unsigned products(const struct element *weights, const struct element *activations)
{
    if (weights->is_float)
        return 32 / weights->bits;
    return weights->bits == 8 || activations->bits == 8 ? 4 : 8;
}

/* Bytes of source 2: of all rows. */
static unsigned activation_bytes(const struct eu_instruction *in)
{
    const struct element *weights = element_of(in, WEIGHTS), *activations = element_of(in, ACTIVATIONS);
    return (DEPTH * products(weights, activations) * activations->bits * rows_of(in) + 7) / 8;
}

/* Of a product that is shared, the first thread of a pair has as many whole registers as the second or one more. */
static unsigned first_half(const struct platform *platform, unsigned bytes)
{
    unsigned registers = (bytes + platform->grf_bytes - 1) / platform->grf_bytes;
    return (registers + 1) / 2 * platform->grf_bytes;
}

unsigned eu_dpas_bytes(const struct platform *platform, const struct eu_instruction *in, int source)
{
    assert(source >= -1 && source < EU_MAX_SOURCES);
    const struct element *weights = element_of(in, WEIGHTS), *activations = element_of(in, ACTIVATIONS);
    unsigned count = products(weights, activations);
    if (source == WEIGHTS)
        return (DEPTH * count * weights->bits * lanes_of(platform) / 8 + platform->grf_bytes - 1) /
               platform->grf_bytes * platform->grf_bytes;
    if (source == ACTIVATIONS)
        return eu_is_shared(in) ? first_half(platform, activation_bytes(in)) : activation_bytes(in);
    unsigned type = source == 0 ? in->src[0].type : in->dst.type;
    return rows_of(in) * lanes_of(platform) * eu_type_table[type].bytes;
}

static bool is_whole_registers(const struct platform *platform, const struct eu_instruction *in,
                               const struct eu_operand *x, int source)
{
    unsigned end = EU_FILE_GENERAL + platform->grf_bytes * platform->grf_count;
    if (x->place != EU_DIRECT || x->base < EU_FILE_GENERAL ||
        (unsigned)x->base + eu_dpas_bytes(platform, in, source) > end)
        return false;
    unsigned step = eu_type_table[x->type].bytes * lanes_of(platform); /* results of halves fill half a register */
    if (source == ACTIVATIONS)
        return !eu_is_shared(in) || ((unsigned)x->base - EU_FILE_GENERAL) % platform->grf_bytes == 0;
    return ((unsigned)x->base - EU_FILE_GENERAL) % step == 0;
}

/* True if sums of such products may have the type: dwords, floats, or short floats of the elements' own type. */
static bool has_result(const struct platform *platform, const struct element *factors, unsigned type)
{
    if (!factors->is_float)
        return type == EU_D || type == EU_UD;
    if (type == EU_HF)
        return factors->iga == IGA_TYPE_HF && platform_has(platform, FEATURE_DPAS_ACC_HALF);
    if (type == EU_BF)
        return factors->iga == IGA_TYPE_BF && platform_has(platform, FEATURE_DPAS_ACC_BF16);
    return type == EU_F;
}

const char *eu_check_dpas(const struct platform *platform, const struct eu_instruction *in)
{
    assert(in->op->execute == EU_EXECUTE_dpas);
    const struct element *weights = element_of(in, WEIGHTS), *activations = element_of(in, ACTIVATIONS);
    if (eu_is_shared(in) && !platform_has(platform, FEATURE_DPASW))
        return "product of matrices that two threads share, which the platform does not have";
    if (in->exec_size != lanes_of(platform))
        return "product of matrices whose lanes do not fill a register";
    if (in->function >> 8 != DEPTH || rows_of(in) == 0 || rows_of(in) > MOST_ROWS)
        return "product of matrices of a depth or number of rows that the platform does not have";
    if (weights == NULL || activations == NULL || weights->is_float != activations->is_float ||
        (weights->is_float && weights != activations))
        return "product of matrices of types that do not go together";
    if (weights->iga == IGA_TYPE_TF32 && !platform_has(platform, FEATURE_TF32))
        return "product of matrices of tf32, which the platform does not have";
    if (!has_result(platform, weights, in->dst.type))
        return "product of matrices whose result the platform does not have";
    if (has_sum(in) && !has_result(platform, weights, in->src[0].type))
        return "product of matrices and a sum of another kind";
    if (in->predicate != EU_NO_PREDICATE || in->saturate || in->condition != EU_ALWAYS)
        return "product of matrices with a modifier";
    if (!is_whole_registers(platform, in, &in->dst, -1) ||
        (has_sum(in) && !is_whole_registers(platform, in, &in->src[0], 0)) ||
        !is_whole_registers(platform, in, &in->src[1], WEIGHTS) ||
        !is_whole_registers(platform, in, &in->src[2], ACTIVATIONS))
        return "product of matrices whose operands are no whole registers";
    return NULL;
}

/* Element `index` after `from`. */
static int32_t integer_at(const struct element *type, const uint8_t *from, unsigned index)
{
    unsigned bit = index * type->bits;
    uint32_t value = (uint32_t)from[bit / 8] >> bit % 8 & ((1u << type->bits) - 1);
    return type->is_signed && value >> (type->bits - 1) ? (int32_t)value - (1 << type->bits) : (int32_t)value;
}

static double real_at(const struct element *type, const uint8_t *from, unsigned index)
{
    uint16_t bits;
    float wide;
    if (type->bits == 32) { /* tf32: what is below its ten bits of fraction is not looked at */
        uint32_t all;
        memcpy(&all, from + index * sizeof all, sizeof all);
        all &= ~0x1fffu;
        memcpy(&wide, &all, sizeof wide);
        return (double)wide;
    }
    memcpy(&bits, from + index * sizeof bits, sizeof bits);
    return (double)(type->iga == IGA_TYPE_HF ? eu_half_to_float(bits) : eu_bfloat_to_float(bits));
}

/* A product while it is computed. */
struct product {
    const struct element *weights, *activations;
    const uint8_t *weight_bytes, *activation_bytes; /* of the whole instruction */
    unsigned count, grf, lanes;
};

/* Returns the dword with a lane's weights for step `depth`; *first: the index of the first of them. */
static const uint8_t *weights_of(const struct product *p, unsigned depth, unsigned lane, unsigned *first)
{
    unsigned steps = 8 * DWORD / (p->count * p->weights->bits); /* that a dword has weights for */
    *first = depth % steps * p->count;
    return p->weight_bytes + depth / steps * p->grf + lane * DWORD;
}

static uint32_t integer_lane(const struct product *p, uint32_t sum, unsigned row, unsigned lane)
{
    for (unsigned depth = 0; depth < DEPTH; depth++) {
        unsigned first, other = (row * DEPTH + depth) * p->count;
        const uint8_t *weights = weights_of(p, depth, lane, &first);
        for (unsigned i = 0; i < p->count; i++)
            sum += (uint32_t)(integer_at(p->weights, weights, first + i) *
                              integer_at(p->activations, p->activation_bytes, other + i));
    }
    return sum;
}

static float real_lane(const struct product *p, float start, unsigned row, unsigned lane)
{
    double sum = (double)start;
    for (unsigned depth = 0; depth < DEPTH; depth++) {
        unsigned first, other = (row * DEPTH + depth) * p->count;
        const uint8_t *weights = weights_of(p, depth, lane, &first);
        for (unsigned i = 0; i < p->count; i++)
            sum += real_at(p->weights, weights, first + i) * real_at(p->activations, p->activation_bytes, other + i);
    }
    return (float)sum;
}

static float load_sum(unsigned type, const uint8_t *at)
{
    uint16_t bits;
    float value;
    if (type == EU_F)
        return memcpy(&value, at, sizeof value), value;
    memcpy(&bits, at, sizeof bits);
    return type == EU_HF ? eu_half_to_float(bits) : eu_bfloat_to_float(bits);
}

static void store_sum(unsigned type, uint8_t *at, float value)
{
    uint16_t bits =
        type == EU_HF ? eu_half_from_double((double)value, EU_ROUND_EVEN, true) : eu_bfloat_from_float(value);
    if (type == EU_F)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &bits, sizeof bits);
}

/* One element of the result. */
static void compute(const struct product *p, const struct eu_instruction *in, const uint8_t *sums, uint8_t *results,
                    unsigned row, unsigned lane)
{
    unsigned from = in->src[0].type, to = in->dst.type, index = row * p->lanes + lane;
    const uint8_t *sum = sums ? sums + index * eu_type_table[from].bytes : NULL;
    uint8_t *result = results + index * eu_type_table[to].bytes;
    if (p->weights->is_float) {
        store_sum(to, result, real_lane(p, sum ? load_sum(from, sum) : 0, row, lane));
        return;
    }
    uint32_t integer = 0;
    if (sum)
        memcpy(&integer, sum, sizeof integer);
    integer = integer_lane(p, integer, row, lane);
    memcpy(result, &integer, sizeof integer);
}

/* True if the result is unused: products that {Atomic} joins read their operands before the first of them writes, and
 * the next one writes the same registers. IGC puts such a product before another where pairs of units may have diverged
 * (createADummyDpasRSWAInst()). */
static bool is_overwritten(const struct eu_thread *thread, const struct eu_instruction *in)
{
    const struct eu_program *program = thread->program;
    const struct eu_instruction *next = in + 1;
    return in->is_atomic && next < program->instructions + program->count && next->op->execute == EU_EXECUTE_dpas &&
           next->dst.base == in->dst.base && next->no_mask == in->no_mask &&
           eu_dpas_bytes(thread->platform, next, -1) >= eu_dpas_bytes(thread->platform, in, -1);
}

void eu_execute_dpas(struct eu_thread *thread, const struct eu_instruction *in)
{
    _Alignas(4) uint8_t shared[DEPTH * MOST_ROWS * DWORD];
    if (eu_is_shared(in) && (!eu_pair_meets(thread, in) || !eu_pair_gather(thread, in, activation_bytes(in), shared)))
        return;
    if (is_overwritten(thread, in))
        return;
    uint8_t results[MOST_ROWS * MOST_LANES * DWORD];
    uint32_t enabled = eu_enabled_lanes(thread, in);
    unsigned bytes = eu_type_table[in->dst.type].bytes;
    const struct product p = {
        .weights = element_of(in, WEIGHTS),
        .activations = element_of(in, ACTIVATIONS),
        .weight_bytes = thread->file + in->src[1].base,
        .activation_bytes = eu_is_shared(in) ? shared : thread->file + in->src[2].base,
        .count = products(element_of(in, WEIGHTS), element_of(in, ACTIVATIONS)),
        .grf = thread->platform->grf_bytes,
        .lanes = lanes_of(thread->platform),
    };
    const uint8_t *sums = has_sum(in) ? thread->file + in->src[0].base : NULL;
    for (unsigned row = 0; row < rows_of(in); row++)
        for (unsigned lane = 0; lane < p.lanes; lane++)
            compute(&p, in, sums, results, row, lane);
    for (unsigned index = 0; index < rows_of(in) * p.lanes; index++)
        if (enabled >> index % p.lanes & 1)
            memcpy(thread->file + in->dst.base + index * bytes, results + index * bytes, bytes);
}
