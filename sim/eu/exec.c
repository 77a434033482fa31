/* Executes an ordinary instruction in steps: mask, sources, computation, condition, destination. */
#include <assert.h>
#include <string.h>
#include "sim/eu/operand.h"

uint32_t eu_spread_groups(uint32_t bits, unsigned group, bool all)
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

unsigned eu_predicate_group(const struct eu_instruction *in)
{
    assert(in->predicate >= EU_ANY2H && in->predicate <= EU_ALL);
    return in->predicate >= EU_ANY ? in->exec_size : 2u << (in->predicate - EU_ANY2H) / 2;
}

uint32_t eu_predicate_lanes(const struct eu_thread *thread, const struct eu_instruction *in)
{
    assert(in->predicate != EU_NO_PREDICATE);
    uint32_t bits = eu_flags(thread, in->flag_register) >> 16 * in->flag_subregister;
    uint32_t other = eu_flags(thread, 1) >> 16 * in->flag_subregister; /* anyv, allv: f0 and f1 on the same channel */
    if (in->predicate == EU_ANYV)
        bits |= other;
    else if (in->predicate == EU_ALLV)
        bits &= other;
    else if (in->predicate >= EU_ANY2H) {
        bits = eu_spread_groups(bits, eu_predicate_group(in), (in->predicate - EU_ANY2H) & 1);
    }
    if (in->inverse)
        bits = ~bits;
    return bits >> in->channel_offset & in->lanes_mask;
}

/* The .o condition: true if an integer result does not fit the destination. */
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

/* True for .o and .u, which test the computed value. */
static bool looks_at_computed(enum eu_condition condition)
{
    return condition == EU_OVERFLOW || condition == EU_UNORDERED;
}

static void derive_from_computed(struct eu_alu *alu)
{
    union eu_lanes zero;
    memset(&zero, 0, sizeof zero);
    if (alu->in->condition == EU_UNORDERED)
        alu->conditions = eu_compare_lanes(EU_UNORDERED, alu->domain, false, &alu->out, &alu->out, alu->lanes);
    else if (alu->in->op->properties & EU_PROPERTY_CARRY)
        alu->conditions = eu_compare_lanes(EU_NOT_EQUAL, EU_INTEGER, false, &alu->accumulator, &zero, alu->lanes);
    else
        alu->conditions = overflow_lanes(alu);
}

/* Compares the result with zero after clamping, normalizing and conversion to the destination (Kaby Lake PRM 7,
 * "assigning conditional flags"). The same holds for its sign, according to Mesa's brw_fs_cmod_propagation. */
static void derive_from_written(struct eu_alu *alu)
{
    enum eu_type type = (enum eu_type)alu->in->dst.type;
    union eu_lanes zero, seen = alu->out;
    memset(&zero, 0, sizeof zero);
    unsigned bits = 8 * eu_type_table[type].bytes;
    if (type == EU_HF)
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            seen.f[lane] = eu_half_to_float((uint16_t)alu->out.i[lane]);
    else if (eu_type_table[type].domain == EU_INTEGER && bits < 64)
        for (unsigned lane = 0; lane < alu->lanes; lane++) {
            uint64_t value = (uint64_t)seen.i[lane] << (64 - bits);
            seen.i[lane] = eu_type_is_signed(type) ? (int64_t)value >> (64 - bits) : (int64_t)(value >> (64 - bits));
        }
    alu->conditions = eu_compare_lanes((enum eu_condition)alu->in->condition, eu_type_table[type].domain, type == EU_UQ,
                                       &seen, &zero, alu->lanes);
}

static void execute(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct eu_alu alu;
    alu.thread = thread;
    alu.in = in;
    alu.lanes = in->exec_size;
    alu.domain = (enum eu_domain)in->domain;
    alu.has_conditions = false;
    alu.is_saturated = alu.keeps_denormals = false;
    alu.enabled = eu_enabled_lanes(thread, in);
    if ((in->op->properties & EU_PROPERTY_SELECT) && in->condition == EU_ALWAYS) {
        alu.conditions = alu.enabled; /* sel: the predicate selects, it does not mask */
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
    bool conditional = in->condition != EU_ALWAYS && !(in->op->properties & EU_PROPERTY_SELECT);
    bool is_computed = looks_at_computed((enum eu_condition)in->condition);
    if (conditional && !alu.has_conditions && is_computed)
        derive_from_computed(&alu);
    if (in->op->properties & EU_PROPERTY_CARRY || (in->semantics == eu_alu_mach && in->write_accumulator))
        eu_write_accumulator(&alu, &alu.accumulator);
    else if (in->write_accumulator && in->dst.special != EU_ACCUMULATOR) {
        union eu_lanes kept = alu.out;
        eu_write_accumulator(&alu, &kept);
    }
    eu_convert_result(&alu);
    if (conditional && !alu.has_conditions && !is_computed)
        derive_from_written(&alu);
    if (conditional)
        eu_write_flags(thread, in, alu.enabled, alu.conditions);
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
