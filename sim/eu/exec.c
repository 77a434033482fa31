/* The pipeline of an ordinary instruction: mask, sources, compute, condition, destination. */
#include <string.h>
#include "sim/eu/operand.h"

/* Bits of the flag register by channel, with any/all over groups of channels, inverted last. */
static uint32_t spread_groups(uint32_t bits, unsigned group, bool all)
{
    uint32_t result = 0;
    uint32_t ones = group == 32 ? UINT32_MAX : (1u << group) - 1;
    for (unsigned first = 0; first < 32; first += group) {
        uint32_t part = bits >> first & ones;
        if (all ? part == ones : part != 0)
            result |= ones << first;
    }
    return result;
}

uint32_t eu_predicate_lanes(const struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t bits = eu_flags(thread, in->flag_register) >> 16 * in->flag_subregister;
    uint32_t other = eu_flags(thread, 1) >> 16 * in->flag_subregister; /* anyv, allv: f0 and f1 on the same channel */
    if (in->predicate == EU_ANYV)
        bits |= other;
    else if (in->predicate == EU_ALLV)
        bits &= other;
    else if (in->predicate >= EU_ANY2H) {
        unsigned pair = in->predicate - EU_ANY2H;
        bits = spread_groups(bits, 2u << pair / 2, pair & 1);
    }
    if (in->inverse)
        bits = ~bits;
    return bits >> in->channel_offset & in->lanes_mask;
}

/* Whether an integer result does not fit the destination: the .o condition. */
static uint32_t overflow_lanes(const struct eu_alu *alu)
{
    unsigned bits = 8 * eu_type_table[alu->in->dst.type].bytes;
    bool is_signed = eu_type_is_signed((enum eu_type)alu->in->dst.type);
    uint32_t lanes = 0;
    if (alu->domain != EU_INTEGER || bits == 64)
        return 0;
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        int64_t value = alu->out.i[lane];
        bool fits =
            is_signed ? value >= -(1ll << (bits - 1)) && value < 1ll << (bits - 1) : value >= 0 && value < 1ll << bits;
        lanes |= (uint32_t)!fits << lane;
    }
    return lanes;
}

/* The result against zero. Integer results are seen as the destination will hold them, unless they saturate. */
static void derive_conditions(struct eu_alu *alu)
{
    union eu_lanes zero, seen = alu->out;
    memset(&zero, 0, sizeof zero);
    if (alu->in->condition == EU_OVERFLOW) {
        alu->conditions = alu->in->op->properties & EU_PROPERTY_CARRY
                              ? eu_compare_lanes(EU_NOT_EQUAL, EU_INTEGER, false, &alu->accumulator, &zero, alu->lanes)
                              : overflow_lanes(alu);
        return;
    }
    unsigned bits = 8 * eu_type_table[alu->in->dst.type].bytes;
    if (alu->domain == EU_INTEGER && eu_type_table[alu->in->dst.type].domain == EU_INTEGER && bits < 64 &&
        !alu->in->saturate)
        for (unsigned lane = 0; lane < alu->lanes; lane++) {
            uint64_t value = (uint64_t)seen.i[lane] << (64 - bits);
            seen.i[lane] = eu_type_is_signed((enum eu_type)alu->in->dst.type) ? (int64_t)value >> (64 - bits)
                                                                              : (int64_t)(value >> (64 - bits));
        }
    alu->conditions =
        eu_compare_lanes((enum eu_condition)alu->in->condition, alu->domain, false, &seen, &zero, alu->lanes);
}

static void execute(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct eu_alu alu;
    alu.thread = thread;
    alu.in = in;
    alu.lanes = in->exec_size;
    alu.domain = (enum eu_domain)in->domain;
    alu.has_conditions = false;
    alu.is_saturated = false;
    alu.enabled = eu_enabled_lanes(thread, in);
    if ((in->op->properties & EU_PROPERTY_SELECT) && in->condition == EU_ALWAYS) {
        alu.conditions = alu.enabled; /* sel: the predicate chooses, it does not mask */
        alu.enabled = in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    }
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place != EU_NOWHERE)
            eu_read_source(&alu, s);
    if (in->op->properties & EU_PROPERTY_ACC_IN)
        eu_read_accumulator(&alu);
    in->semantics(&alu);
    if (thread->stop)
        return;
    if (in->condition != EU_ALWAYS && !(in->op->properties & EU_PROPERTY_SELECT)) {
        if (!alu.has_conditions)
            derive_conditions(&alu);
        eu_write_flags(thread, in, alu.enabled, alu.conditions);
    }
    if (in->op->properties & EU_PROPERTY_CARRY || (in->semantics == eu_alu_mach && in->write_accumulator))
        eu_write_accumulator(&alu, &alu.accumulator);
    else if (in->write_accumulator && in->dst.special != EU_ACCUMULATOR) {
        union eu_lanes kept = alu.out;
        eu_write_accumulator(&alu, &kept);
    }
    eu_write_destination(&alu);
}

void eu_execute_alu(struct eu_thread *thread, const struct eu_instruction *in)
{
    bool of_doubles = (in->domain == EU_DOUBLE || in->dst.type == EU_DF) && eu_double_mode_differs(thread);
    if (of_doubles)
        eu_host_control_set_doubles(thread);
    execute(thread, in);
    if (of_doubles)
        eu_host_control_set(thread);
}
