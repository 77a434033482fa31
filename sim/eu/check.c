/* What the generation's encoding allows. Each rule is one function; all are run in order. */
#include "sim/eu/thread.h"

typedef const char *rule(const struct platform *platform, const struct eu_instruction *in);

static const char *exec_size_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    unsigned size = in->exec_size;
    if (size == 0 || size > EU_MAX_LANES || (size & (size - 1)) != 0)
        return "execution size that does not exist";
    if (in->channel_offset + size > EU_MAX_LANES)
        return "channels beyond 31";
    return NULL;
}

static const char *type_rule(const struct platform *platform, const struct eu_instruction *in)
{
    for (unsigned o = 0; o <= EU_MAX_SOURCES; o++) {
        const struct eu_operand *operand = o == 0 ? &in->dst : &in->src[o - 1];
        if (operand->place == EU_NOWHERE)
            continue;
        const struct eu_type_info *info = &eu_type_table[operand->type];
        if (platform->generation < info->first_generation || platform->generation > info->last_generation)
            return "operand type that the part does not have";
    }
    return NULL;
}

static const char *domain_rule(const struct platform *platform, const struct eu_instruction *in)
{
    (void)platform;
    if ((in->op->properties & EU_PROPERTY_REAL) && in->domain == EU_INTEGER)
        return "integer operands of a floating-point instruction";
    if ((in->op->properties & EU_PROPERTY_WHOLE) && in->domain != EU_INTEGER)
        return "floating-point operands of an integer instruction";
    return NULL;
}

/* The last byte an operand touches must be a register's; a destination spans at most two registers, as must a source.
 */
static const char *extent_rule(const struct platform *platform, const struct eu_instruction *in)
{
    unsigned end_of_file = EU_FILE_GENERAL + platform->grf_bytes * platform->grf_count;
    for (unsigned o = 0; o <= EU_MAX_SOURCES; o++) {
        const struct eu_operand *x = o == 0 ? &in->dst : &in->src[o - 1];
        if (x->place != EU_DIRECT || x->base < EU_FILE_GENERAL || (in->op->properties & EU_PROPERTY_WIDE))
            continue;
        unsigned bytes = eu_type_table[x->type].bytes, last = 0;
        for (unsigned lane = 0; lane < in->exec_size; lane++) {
            unsigned at =
                x->linear ? lane * x->step
                          : (lane >> x->width_log2) * x->vstride + (lane & ((1u << x->width_log2) - 1)) * x->hstride;
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

bool eu_check(const struct platform *platform, const struct eu_instruction *in, struct sim_fault *fault)
{
    static rule *const rules[] = {exec_size_rule, type_rule, domain_rule, extent_rule};
    if (in->op == &eu_op_table[EU_OP_NOP] || in->op == &eu_op_table[EU_OP_ILLEGAL] ||
        in->op->execute == eu_execute_send || in->op->execute == eu_execute_sync)
        return true;
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *broken = rules[i](platform, in);
        if (broken != NULL)
            return sim_fault_raise(fault, "decoding %s kernel: %s", platform->name, broken);
    }
    return true;
}
