/* Checks an instruction against the rules of the generation's encoding. Each rule is one function; all run in order. */
#include "sim/eu/dpas.h"
#include "sim/eu/operand.h"

typedef const char *rule(const struct platform *platform, const struct eu_instruction *in);

static const char *exec_size_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    unsigned size = in->exec_size;
    if (size == 0 || size > EU_MAX_LANES || (size & (size - 1)) != 0)
        return "execution size that does not exist";
    if (in->channel_offset + size > EU_MAX_LANES)
        return "channels beyond 31";
    if (size < eu_lane_group(in->op))
        return "execution size smaller than the lanes that are computed together";
    return NULL;
}

/* True if the instruction reads the operand in its own way, which plane_rule() checks. */
static bool is_plane_operand(const struct eu_instruction *in, unsigned operand)
{
    if (!(in->op->properties & EU_PROPERTY_VECTOR))
        return false;
    return operand == 1 || (operand == 2 && in->op == &eu_op_table[EU_OP_PLN]);
}

/* The last byte an operand touches must be a register's; a destination spans at most two registers, as must a source.
 */
static const char *extent_rule(const struct platform *platform, const struct eu_instruction *in)
{
    unsigned end_of_file = EU_FILE_GENERAL + platform->grf_bytes * platform->grf_count;
    for (unsigned o = 0; o <= EU_MAX_SOURCES; o++) {
        const struct eu_operand *x = o == 0 ? &in->dst : &in->src[o - 1];
        if (x->place != EU_DIRECT || x->base < EU_FILE_GENERAL || is_plane_operand(in, o))
            continue;
        unsigned bytes = eu_type_table[x->type].bytes, last = 0;
        for (unsigned lane = 0; lane < in->exec_size; lane++) {
            unsigned at = o == 0 ? lane * x->step : eu_region_offset(x, lane);
            last = at > last ? at : last;
        }
        unsigned start = (unsigned)x->base - EU_FILE_GENERAL;
        if (x->base + last + bytes > end_of_file)
            return "operand beyond the last register";
        if ((start + last + bytes - 1) / platform->grf_bytes > start / platform->grf_bytes + 1)
            return "operand that spans more than two registers";
    }
    return NULL;
}

/* Intel PRM, "Region restrictions": a row is not wider than the instruction; one row must end where the next would
 * begin. Rows of one element are to have no horizontal stride; Intel's finalizer writes r22.1<2;1,2>, so it does not
 * matter. */
static const char *region_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    if (in->op->sources == 3) /* these formats have regions of their own, valid as encoded */
        return NULL;
    for (unsigned s = 0; s < in->op->sources; s++) {
        const struct eu_operand *x = &in->src[s];
        unsigned width = 1u << x->width_log2;
        if ((x->place != EU_DIRECT && x->place != EU_INDIRECT) || x->row_addresses || x->base < EU_FILE_GENERAL)
            continue;
        if (width > in->exec_size)
            return "source region wider than the execution size";
        if (width == in->exec_size && x->hstride != 0 && x->vstride != width * x->hstride)
            return "source region of one row whose vertical stride is not its width times its horizontal stride";
        if (x->vstride == 0 && x->hstride == 0 && width != 1)
            return "source region without strides but wider than 1";
    }
    return NULL;
}

/* Results narrower than the execution type (the widest source) take one element in each lane of that type, unless they
 * are real: mixed float and half results may be packed, bfloat16 as well. */
static const char *stride_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    unsigned execution = 2;
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place != EU_NOWHERE && in->src[s].place != EU_IMMEDIATE &&
            eu_type_table[in->src[s].type].bytes > execution)
            execution = eu_type_table[in->src[s].type].bytes;
    if (in->dst.place == EU_NOWHERE || in->exec_size == 1 || in->dst.type == EU_HF || in->dst.type == EU_BF ||
        execution < 4)
        return NULL;
    return in->dst.step < execution ? "destination stride smaller than the execution type" : NULL;
}

/* Intel PRM, "Immediates": a vector immediate needs an aligned destination, lane by lane at the distance of a word
 * (integers) or a dword (floats). Intel's finalizer also takes integers a dword apart where the eight words suffice,
 * and kernels of oneMKL do so on Gen12 with 16 lanes (ctrsm_batch_ll_nn_16x8_8x2). */
static const char *packed_immediate_rule(const struct platform *platform, const struct eu_instruction *in)
{
    unsigned most_dwords = platform_has(platform, FEATURE_XE_ENCODING) ? 16 : 4;
    for (unsigned s = 0; s < in->op->sources; s++) {
        bool is_float = in->src[s].type == EU_VF;
        if (in->src[s].place != EU_IMMEDIATE || (!is_float && in->src[s].type != EU_V && in->src[s].type != EU_UV))
            continue;
        bool is_dword = in->dst.step == 4 && (is_float || in->exec_size <= most_dwords);
        if (in->exec_size > 1 && !is_dword && (is_float || in->dst.step != 2))
            return "packed immediate with this destination stride and execution size";
        if (in->dst.place == EU_DIRECT && in->dst.base % 16 != 0)
            return "packed immediate with a destination that is not aligned to 16 bytes";
    }
    return NULL;
}

/* line, pln: source 0 is four coefficients, a scalar region at half a register; pln's source 1 is two registers of
 * coordinates for each eight lanes. */
static const char *plane_rule(const struct platform *platform, const struct eu_instruction *in)
{
    enum { COEFFICIENTS_BYTES = 16, PAIR_BYTES = 8 };
    unsigned end_of_file = EU_FILE_GENERAL + platform->grf_bytes * platform->grf_count;
    const struct eu_operand *plane = &in->src[0], *pairs = &in->src[1];
    if (!(in->op->properties & EU_PROPERTY_VECTOR))
        return NULL;
    if (plane->place != EU_DIRECT || plane->base < EU_FILE_GENERAL || plane->vstride != 0 || plane->hstride != 0)
        return "coefficients of a plane that are not a scalar region of a register";
    if (plane->base % COEFFICIENTS_BYTES != 0)
        return "coefficients of a plane that do not begin at half a register";
    if (in->op != &eu_op_table[EU_OP_PLN])
        return NULL;
    if (in->exec_size != 8 && in->exec_size != 16)
        return "plane of neither 8 nor 16 lanes";
    if (pairs->place != EU_DIRECT || pairs->base < EU_FILE_GENERAL || pairs->base % platform->grf_bytes != 0)
        return "coordinates of a plane that do not begin a register";
    if ((unsigned)pairs->base + in->exec_size * PAIR_BYTES > end_of_file)
        return "operand beyond the last register";
    return NULL;
}

/* dp4a: four bytes each in sources 1 and 2; source 0 may be an immediate of 16 bits. */
static const char *packed_bytes_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    if (in->op != &eu_op_table[EU_OP_DP4A])
        return NULL;
    for (unsigned s = 0; s < EU_MAX_SOURCES; s++)
        if (eu_type_table[in->src[s].type].bytes != 4 && (s > 0 || in->src[s].place != EU_IMMEDIATE))
            return "sum of byte products whose sources are not dwords";
    return NULL;
}

/* Only the form that compilers emit: an immediate mask, an indirect destination, nothing else that masks. */
static const char *scattered_move_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    if (in->op != &eu_op_table[EU_OP_SMOV])
        return NULL;
    if (in->src[1].place != EU_IMMEDIATE || in->dst.place != EU_INDIRECT)
        return "scattered move without an immediate mask and an indirect destination";
    if (in->predicate != EU_NO_PREDICATE || in->condition != EU_ALWAYS || in->saturate || in->write_accumulator)
        return "scattered move with a modifier";
    return NULL;
}

bool eu_check(const struct platform *platform, const struct eu_instruction *in, struct sim_fault *fault)
{
    static rule *const rules[] = {exec_size_rule,     eu_check_types,    extent_rule, region_rule,
                                  plane_rule,         packed_bytes_rule, stride_rule, packed_immediate_rule,
                                  scattered_move_rule};
    if (in->op == &eu_op_table[EU_OP_NOP] || in->op == &eu_op_table[EU_OP_ILLEGAL] ||
        (in->op->properties & EU_PROPERTY_BRANCH) || in->op->execute == EU_EXECUTE_send ||
        in->op->execute == EU_EXECUTE_sync)
        return true;
    const char *wrong = in->op->execute == EU_EXECUTE_dpas ? eu_check_dpas(platform, in) : NULL;
    if (in->op->execute == EU_EXECUTE_dpas)
        return wrong == NULL || sim_fault_raise(fault, "decoding %s kernel: %s", platform->name, wrong);
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *broken = rules[i](platform, in);
        if (broken != NULL)
            return sim_fault_raise(fault, "decoding %s kernel: %s", platform->name, broken);
    }
    return true;
}
