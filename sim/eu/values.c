/* Keeps the shadow of a thread's registers and moves it with each instruction. Most instructions read only what was
 * written: they take the short way. */
#include "sim/eu/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/dpas.h"
#include "sim/eu/pair.h"
#include "sim/eu/operand.h"

static bool follows;

void eu_check_values(void)
{
    follows = true;
    check_init_start();
}

struct eu_values *eu_values_create(uint32_t file_bytes)
{
    if (!follows)
        return NULL;
    size_t bits = (file_bytes + EU_SLACK_BYTES + 63) / 64 * 64;
    struct eu_values *values = calloc(1, sizeof *values + bits + bits * sizeof(check_origin) + 64);
    if (!values)
        return NULL;
    values->file_bytes = file_bytes;
    values->origins = (check_origin *)(void *)(values->bits + bits + (8 - (uintptr_t)(values->bits + bits) % 8));
    return values;
}

void eu_values_start(struct eu_thread *thread, size_t payload_bytes)
{
    struct eu_values *values = thread->values;
    assert(payload_bytes <= thread->general_bytes);
    memset(values->bits, 0, values->file_bytes);
    memset(values->origins, 0, values->file_bytes * sizeof(check_origin));
    memset(values->bits + EU_FILE_GENERAL + payload_bytes, 0xff, thread->general_bytes - payload_bytes);
    memset(values->bits + EU_FILE_ADDRESS, 0xff, EU_FILE_CHANNEL_ENABLE - EU_FILE_ADDRESS);
}

/* --- origins ------------------------------------------------------------------------------------------------------ */

static struct check_group *group_of(const struct eu_thread *thread)
{
    return thread->state->check;
}

/* Returns the number of the register at a byte of the register file, as check_origin_at() takes it. */
static uint64_t register_at(const struct eu_thread *thread, uint32_t byte)
{
    if (byte >= EU_FILE_GENERAL)
        return (byte - EU_FILE_GENERAL) / thread->platform->grf_bytes;
    return byte >= EU_FILE_FLAG ? CHECK_FLAGS : byte >= EU_FILE_ACCUMULATOR ? CHECK_ACCUMULATORS : CHECK_ADDRESSES;
}

/* Returns the origin of an unknown byte of the register file. */
static check_origin origin_of(struct eu_thread *thread, uint32_t byte)
{
    check_origin origin = thread->values->origins[byte];
    return origin ? origin : check_origin_at(group_of(thread), CHECK_STORE_REGISTER, register_at(thread, byte));
}

/* Reports `bytes` bytes at `byte` of the register file if an unknown bit is among them, and takes them for known. */
static void need(struct eu_thread *thread, uint32_t byte, unsigned bytes, const char *what)
{
    struct eu_values *values = thread->values;
    for (unsigned i = 0; i < bytes; i++)
        if (values->bits[byte + i]) {
            check_value_used(group_of(thread), what, 0, origin_of(thread, byte + i));
            memset(values->bits + byte, 0, bytes);
            return;
        }
}

/* --- flags -------------------------------------------------------------------------------------------------------- */

static uint32_t flag_unknown(const struct eu_thread *thread, unsigned reg)
{
    uint32_t bits;
    memcpy(&bits, thread->values->bits + EU_FILE_FLAG + 4 * reg, sizeof bits);
    return bits;
}

/* Marks lanes' bits of the instruction's flag register. */
static void mark_flags(struct eu_thread *thread, const struct eu_instruction *in, uint32_t lanes, uint32_t unknown,
                       check_origin origin)
{
    unsigned shift = (16u * in->flag_subregister + in->channel_offset) % 32;
    uint32_t bits = (flag_unknown(thread, in->flag_register) & ~(lanes << shift)) | (unknown & lanes) << shift;
    unsigned at = EU_FILE_FLAG + 4u * in->flag_register;
    memcpy(thread->values->bits + at, &bits, sizeof bits);
    for (unsigned byte = 0; origin && byte < 4; byte++)
        if ((unknown & lanes) << shift >> 8 * byte & 0xff)
            thread->values->origins[at + byte] = origin;
}

/* A group of channels decides "any" by a known one, "all" by a known zero. */
static uint32_t spread(uint32_t bits, uint32_t unknown, unsigned group, bool all)
{
    uint32_t result = 0, ones = group == 32 ? UINT32_MAX : (1u << group) - 1;
    for (unsigned first = 0; first < 32; first += group) {
        uint32_t doubt = unknown >> first & ones, known = (all ? ~bits : bits) >> first & ones & ~doubt;
        result |= doubt && !known ? ones << first : 0;
    }
    return result;
}

/* Returns the lanes of `in` whose predicate is unknown, and its origin. */
static uint32_t predicate_unknown(struct eu_thread *thread, const struct eu_instruction *in, check_origin *origin)
{
    if (in->predicate == EU_NO_PREDICATE)
        return 0;
    unsigned shift = 16u * in->flag_subregister, at = EU_FILE_FLAG + 4u * in->flag_register;
    uint32_t unknown = flag_unknown(thread, in->flag_register) >> shift;
    uint32_t bits = eu_flags(thread, in->flag_register) >> shift;
    if (in->predicate == EU_ANYV || in->predicate == EU_ALLV)
        unknown |= flag_unknown(thread, 1) >> shift;
    unsigned group = in->predicate >= EU_ANY2H ? eu_predicate_group(in) : 1;
    unknown &= eu_spread_groups(in->lanes_mask << in->channel_offset, group, false);
    if (unknown == 0)
        return 0;
    uint32_t doubt = unknown << shift;
    if (in->predicate >= EU_ANY2H)
        unknown = spread(bits, unknown, group, (in->predicate - EU_ANY2H) & 1);
    unknown = unknown >> in->channel_offset & in->lanes_mask;
    for (unsigned byte = 0; unknown && byte < 4; byte++)
        if (doubt >> 8 * byte & 0xff)
            *origin = origin_of(thread, at + byte) | CHECK_COMPUTED;
    return unknown;
}

/* Reports a predicate that decides where channels go, or whether they access memory. */
static void need_predicate(struct eu_thread *thread, const struct eu_instruction *in, const char *what)
{
    check_origin origin = 0;
    uint32_t on = in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    uint32_t unknown = predicate_unknown(thread, in, &origin) & on;
    if (unknown && origin) {
        check_value_used(group_of(thread), what, unknown, origin);
        mark_flags(thread, in, in->lanes_mask, 0, 0);
    }
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* Returns the byte of the register file where lane `lane` of an operand lies; false for none. */
static bool locate(const struct eu_thread *thread, const struct eu_operand *x, unsigned lane, bool is_destination,
                   uint32_t *byte)
{
    int64_t at = x->base;
    unsigned width = is_destination ? EU_MAX_LANES : 1u << x->width_log2;
    if (x->place != EU_DIRECT && x->place != EU_INDIRECT)
        return false;
    if (x->place == EU_INDIRECT) {
        unsigned word = x->address + (x->row_addresses ? lane / width : 0);
        uint16_t address;
        memcpy(&address, thread->file + EU_FILE_ADDRESS + 2 * (word % 16), sizeof address);
        at += address + EU_FILE_GENERAL;
    }
    if (is_destination || x->linear)
        at += lane * x->step;
    else
        at += x->row_addresses ? lane % width * x->hstride : eu_region_offset(x, lane);
    *byte = (uint32_t)at;
    return at >= 0 && at + 8 <= thread->file_bytes + EU_SLACK_BYTES;
}

static bool any_set(const uint8_t *bits, uint32_t count)
{
    uint64_t all = 0, eight;
    for (; count >= 8; count -= 8, bits += 8) {
        memcpy(&eight, bits, sizeof eight);
        all |= eight;
    }
    while (count--)
        all |= *bits++;
    return all != 0;
}

/* True if the registers between the first and the last lane of a source may hold something unknown. */
static bool may_be_unknown(const struct eu_thread *thread, const struct eu_instruction *in, const struct eu_operand *x)
{
    unsigned lanes = in->exec_size, bytes = eu_type_table[x->type].bytes;
    if (x->place != EU_DIRECT)
        return x->place == EU_INDIRECT;
    uint32_t extent = x->linear ? x->step * (lanes - 1) : eu_region_offset(x, lanes - 1);
    if (in->op->properties & EU_PROPERTY_VECTOR)
        extent += 2u * thread->platform->grf_bytes;
    if (!x->linear)
        extent += x->vstride + (x->hstride << x->width_log2); /* regions may go back */
    uint32_t end = (uint32_t)x->base + extent + bytes, most = thread->file_bytes + EU_SLACK_BYTES;
    return any_set(thread->values->bits + x->base, (end < most ? end : most) - (uint32_t)x->base);
}

/* The unknown bits of a lane, extended as the value is. */
static void read_lane(struct eu_thread *thread, const struct eu_operand *x, unsigned lane, struct eu_value *v)
{
    unsigned bytes = eu_type_table[x->type].bytes;
    uint32_t at;
    v->unknown = 0;
    v->origin = 0;
    if (!locate(thread, x, lane, false, &at))
        return;
    memcpy(&v->unknown, thread->values->bits + at, bytes);
    if (v->unknown == 0)
        return;
    v->origin = origin_of(thread, at + (unsigned)__builtin_ctzll(v->unknown) / 8);
    if (eu_type_table[x->type].domain != EU_INTEGER)
        return;
    if (eu_type_is_signed((enum eu_type)x->type) && v->unknown >> (8 * bytes - 1) & 1 && bytes < 8)
        v->unknown |= UINT64_MAX << 8 * bytes;
}

/* Writes the shadow of a lane's result. */
static void write_lane(struct eu_thread *thread, const struct eu_operand *dst, unsigned lane, uint64_t unknown,
                       check_origin origin)
{
    unsigned bytes = eu_type_table[dst->type].bytes;
    uint32_t at;
    if (!locate(thread, dst, lane, true, &at))
        return;
    memcpy(thread->values->bits + at, &unknown, bytes);
    for (unsigned i = 0; unknown && i < bytes; i++)
        thread->values->origins[at + i] = origin;
}

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

static bool reads_accumulator(const struct eu_instruction *in)
{
    return in->op->properties & EU_PROPERTY_ACC_IN;
}

static bool writes_accumulator(const struct eu_instruction *in)
{
    return (in->op->properties & EU_PROPERTY_CARRY) || (in->write_accumulator && in->dst.special != EU_ACCUMULATOR);
}

static struct eu_operand accumulator_of(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct eu_alu alu;
    alu.thread = thread;
    alu.in = in;
    alu.domain = (enum eu_domain)in->domain;
    return eu_implicit_accumulator(&alu);
}

static bool accumulator_unknown(struct eu_thread *thread, const struct eu_instruction *in, uint32_t lanes,
                                check_origin *origin)
{
    struct eu_operand x = accumulator_of(thread, in);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (unsigned i = 0; i < x.step; i++) {
            uint32_t at = (uint32_t)x.base + (unsigned)__builtin_ctz(rest) * x.step + i;
            if (at >= EU_FILE_FLAG || !thread->values->bits[at])
                continue;
            *origin = origin_of(thread, at);
            return true;
        }
    return false;
}

static void mark_accumulator(struct eu_thread *thread, const struct eu_instruction *in, unsigned lane, bool unknown,
                             check_origin origin)
{
    struct eu_operand x = accumulator_of(thread, in);
    uint32_t at = (uint32_t)x.base + lane * x.step;
    if (at + x.step > EU_FILE_FLAG)
        return;
    memset(thread->values->bits + at, unknown ? 0xff : 0, x.step);
    for (unsigned i = 0; unknown && i < x.step; i++)
        thread->values->origins[at + i] = origin;
}

static bool sets_flags(const struct eu_instruction *in)
{
    return in->condition != EU_ALWAYS && !(in->op->properties & EU_PROPERTY_SELECT);
}

/* The short way: all sources have values, so all results have. */
static void write_known(struct eu_thread *thread, const struct eu_instruction *in, uint32_t lanes)
{
    const struct eu_operand *dst = &in->dst;
    unsigned bytes = eu_type_table[dst->type].bytes;
    if (sets_flags(in))
        mark_flags(thread, in, lanes, 0, 0);
    if (dst->place == EU_DIRECT && dst->step == bytes && lanes == in->lanes_mask) {
        memset(thread->values->bits + dst->base, 0, (size_t)bytes * in->exec_size);
    } else if (dst->place != EU_NOWHERE) {
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            write_lane(thread, dst, (unsigned)__builtin_ctz(rest), 0, 0);
    }
    for (uint32_t rest = writes_accumulator(in) ? lanes : 0; rest; rest &= rest - 1)
        mark_accumulator(thread, in, (unsigned)__builtin_ctz(rest), false, 0);
}

/* The unknown bits of a result when it is converted to the destination's type. */
static uint64_t converted(const struct eu_instruction *in, uint64_t unknown, bool is_copy)
{
    bool is_mask = in->op->properties & EU_PROPERTY_COMPARE;
    bool stays = in->domain == EU_INTEGER && eu_type_table[in->dst.type].domain == EU_INTEGER && !in->saturate;
    return is_mask || stays || is_copy ? unknown : unknown ? UINT64_MAX : 0;
}

/* An instruction under way. */
struct step {
    struct eu_thread *thread;
    const struct eu_instruction *in;
    struct eu_alu alu;  /* values of the sources; its result for conditions */
    uint32_t lanes;     /* that execute, by what is known */
    uint32_t doubtful;  /* lanes whose predicate is unknown */
    check_origin doubt; /* of the predicate */
    bool accumulator;   /* it is unknown and read */
    check_origin accumulated;
};

/* Returns the source that sel or csel selects in a lane. EU_MAX_SOURCES - 1: the result depends on both. */
static unsigned chosen_source(const struct step *step, const struct eu_value *s, unsigned lane)
{
    enum eu_opcode op = (enum eu_opcode)(step->in->op - eu_op_table);
    if (op == EU_OP_SEL && step->in->condition == EU_ALWAYS)
        return step->alu.conditions >> lane & 1 ? 0 : 1;
    if (op == EU_OP_CSEL && s[2].unknown == 0) {
        union eu_lanes zero;
        memset(&zero, 0, sizeof zero);
        return eu_compare_lanes((enum eu_condition)step->in->condition, step->alu.domain, false, &step->alu.src[2],
                                &zero, step->alu.lanes) >>
                           lane &
                       1
                   ? 0
                   : 1;
    }
    return op == EU_OP_SEL || op == EU_OP_CSEL ? EU_MAX_SOURCES - 1 : 0;
}

/* Reads a lane's sources; lanes that an instruction computes together are one. */
static void read_sources(struct step *step, unsigned lane, struct eu_value *s)
{
    const struct eu_instruction *in = step->in;
    unsigned group = eu_lane_group(in->op), first = lane / group * group;
    memset(s, 0, EU_MAX_SOURCES * sizeof *s);
    for (unsigned i = 0; i < in->op->sources && i < EU_MAX_SOURCES; i++) {
        if (in->src[i].place == EU_NOWHERE)
            continue;
        for (unsigned each = first; each < first + group; each++) {
            struct eu_value one = {0};
            if (in->src[i].place != EU_IMMEDIATE)
                read_lane(step->thread, &in->src[i], each, &one);
            s[i].unknown |= group > 1 && one.unknown ? UINT64_MAX : one.unknown;
            s[i].origin = s[i].origin ? s[i].origin : one.origin;
        }
        s[i].value = (uint64_t)step->alu.src[i].i[lane];
    }
}

static void step_lane(struct step *step, unsigned lane, uint32_t *flags, check_origin *flag_origin)
{
    const struct eu_instruction *in = step->in;
    struct eu_value s[EU_MAX_SOURCES];
    read_sources(step, lane, s);
    unsigned chosen = chosen_source(step, s, lane);
    bool is_copy = chosen < in->op->sources && eu_values_is_copy(in, chosen);
    uint64_t unknown = eu_values_result(in, s, chosen);
    check_origin origin = is_copy        ? s[chosen].origin
                          : s[0].unknown ? s[0].origin
                          : s[1].unknown ? s[1].origin
                                         : s[2].origin;
    if (step->accumulator) {
        unknown = UINT64_MAX;
        origin = step->accumulated;
    }
    if (step->doubtful >> lane & 1) {
        unknown = UINT64_MAX;
        origin = step->doubt;
    }
    unknown = converted(in, unknown, is_copy);
    origin = is_copy ? origin : origin | CHECK_COMPUTED;
    bool is_test = in->condition == EU_EQUAL || in->condition == EU_NOT_EQUAL;
    bool decided = is_test && !(in->op->properties & EU_PROPERTY_COMPARE) && in->domain == EU_INTEGER &&
                   ((uint64_t)step->alu.out.i[lane] & ~unknown);
    if (unknown && !decided) {
        *flags |= 1u << lane;
        *flag_origin = origin | CHECK_COMPUTED;
    }
    if (in->dst.place != EU_NOWHERE)
        write_lane(step->thread, &in->dst, lane, unknown, origin);
    if (writes_accumulator(in))
        mark_accumulator(step->thread, in, lane, unknown != 0, origin);
}

/* The vector of line and pln is not read by lane. */
static bool vector_unknown(struct step *step)
{
    const struct eu_instruction *in = step->in;
    if (!(in->op->properties & EU_PROPERTY_VECTOR))
        return false;
    for (unsigned i = 0; i < 16; i++)
        if (step->thread->values->bits[in->src[0].base + (int32_t)i]) {
            step->accumulated = origin_of(step->thread, (uint32_t)in->src[0].base + i);
            return true;
        }
    return false;
}

static void step_slowly(struct step *step)
{
    const struct eu_instruction *in = step->in;
    struct eu_alu *alu = &step->alu;
    uint32_t flags = 0;
    check_origin flag_origin = 0;
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place != EU_NOWHERE)
            eu_read_source(alu, s);
    if (reads_accumulator(in)) {
        eu_read_accumulator(alu);
        step->accumulator = accumulator_unknown(step->thread, in, step->lanes, &step->accumulated);
    }
    step->accumulator |= vector_unknown(step);
    in->semantics(alu);
    if (step->thread->stop)
        return;
    for (uint32_t rest = step->lanes | step->doubtful; rest; rest &= rest - 1)
        step_lane(step, (unsigned)__builtin_ctz(rest), &flags, &flag_origin);
    if (sets_flags(in))
        mark_flags(step->thread, in, step->lanes | step->doubtful, flags, flag_origin);
}

/* Lanes that do not execute may have addresses without values. */
static void need_addresses(struct eu_thread *thread, const struct eu_instruction *in, const struct eu_operand *x,
                           uint32_t lanes)
{
    static const char what[] = "the address of a register depends on an uninitialized value";
    unsigned width = x->row_addresses ? 1u << x->width_log2 : EU_MAX_LANES;
    if (x->place != EU_INDIRECT)
        return;
    for (unsigned first = 0; first < in->exec_size; first += width) {
        uint32_t row = (width == EU_MAX_LANES ? UINT32_MAX : (1u << width) - 1) << first;
        if (lanes & row)
            need(thread, EU_FILE_ADDRESS + 2u * ((x->address + first / width) % 16), 2, what);
    }
}

static void step_alu(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct step step = {.thread = thread, .in = in};
    bool selects = (in->op->properties & EU_PROPERTY_SELECT) && in->condition == EU_ALWAYS;
    bool may = reads_accumulator(in) || (in->op->properties & EU_PROPERTY_VECTOR);
    uint32_t on = in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    for (unsigned s = 0; s < in->op->sources; s++) {
        may = may || may_be_unknown(thread, in, &in->src[s]);
    }
    if (in->op == &eu_op_table[EU_OP_SMOV]) /* source 1 has a bit for each lane */
        on &= (uint32_t)in->src[1].immediate;
    step.lanes = on & (selects ? on : eu_enabled_lanes(thread, in));
    step.doubtful = in->predicate == EU_NO_PREDICATE ? 0 : predicate_unknown(thread, in, &step.doubt) & on;
    need_addresses(thread, in, &in->dst, step.lanes | step.doubtful);
    for (unsigned s = 0; s < in->op->sources; s++)
        need_addresses(thread, in, &in->src[s], step.lanes | step.doubtful);
    if (!may && !step.doubtful) {
        write_known(thread, in, step.lanes);
        return;
    }
    step.alu.thread = thread;
    step.alu.in = in;
    step.alu.lanes = in->exec_size;
    step.alu.domain = (enum eu_domain)in->domain;
    step.alu.has_conditions = step.alu.is_saturated = step.alu.keeps_denormals = false;
    step.alu.enabled = selects ? on : eu_enabled_lanes(thread, in);
    step.alu.conditions = selects ? eu_enabled_lanes(thread, in) : 0;
    step_slowly(&step);
}

check_origin eu_values_origin(struct eu_thread *thread, uint32_t at, unsigned bytes)
{
    const struct eu_values *values = thread->values;
    for (uint32_t i = at; i < at + bytes; i++)
        if (values->bits[i])
            return origin_of(thread, i) | CHECK_COMPUTED;
    return 0;
}

/* Each row of the result depends on its row of the sum and of source 2, and on all of source 1. */
static void step_dpas(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct eu_values *values = thread->values;
    unsigned written = eu_dpas_bytes(thread->platform, in, -1);
    check_origin origin = 0;
    for (int source = 0; source < EU_MAX_SOURCES && !origin; source++) {
        const struct eu_operand *x = &in->src[source];
        if (x->place == EU_DIRECT && x->base >= EU_FILE_GENERAL)
            origin = eu_values_origin(thread, (uint32_t)x->base, eu_dpas_bytes(thread->platform, in, source));
    }
    if (!origin && eu_is_shared(in))
        origin = eu_pair_origin(thread);
    memset(values->bits + in->dst.base, origin ? 0xff : 0, written);
    for (unsigned i = 0; origin && i < written; i++)
        values->origins[(uint32_t)in->dst.base + i] = origin;
}

static void step_call(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (in->dst.place == EU_DIRECT)
        memset(thread->values->bits + in->dst.base, 0, 8);
}

void eu_values_step(struct eu_thread *thread, const struct eu_instruction *in)
{
    assert(thread->values);
    if (!thread->state || !group_of(thread) || !check_follows_values(group_of(thread)))
        return;
    check_group_instruction(group_of(thread), eu_kernel_offset(thread, in));
    switch (in->op->execute) {
    case EU_EXECUTE_alu: step_alu(thread, in); break;
    case EU_EXECUTE_dpas: step_dpas(thread, in); break;
    case EU_EXECUTE_send:
        need_predicate(thread, in, "an uninitialized value decides which channels access memory");
        break;
    case EU_EXECUTE_call: step_call(thread, in); /* fall through */
    default: need_predicate(thread, in, "a branch depends on an uninitialized value");
    }
}

void eu_values_copy(struct eu_thread *thread, uint32_t to, uint32_t from, uint32_t bytes)
{
    struct eu_values *own = thread->values;
    memcpy(own->bits + to, own->bits + from, bytes);
    memcpy(own->origins + to, own->origins + from, bytes * sizeof(check_origin));
}

void eu_values_message(struct eu_thread *thread, const struct eu_instruction *in, struct message *message,
                       struct message_values *values)
{
    struct eu_values *own = thread->values;
    const char *what = "the descriptor of a message depends on an uninitialized value";
    if (!group_of(thread) || !check_follows_values(group_of(thread)))
        return;
    if (in->descriptor_register != EU_DESCRIPTOR_IMMEDIATE)
        need(thread, EU_FILE_ADDRESS + 4u * (in->descriptor_register % 8), 4, what);
    if (in->extended_register != EU_DESCRIPTOR_IMMEDIATE)
        need(thread, EU_FILE_ADDRESS + 4u * (in->extended_register % 8), 4, what);
    *values = (struct message_values){.bits = own->bits, .origins = own->origins, .file = thread->file};
    values->first_register = EU_FILE_GENERAL;
    message->values = values;
}
