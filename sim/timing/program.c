/* Finds what each instruction of a program costs the EU, by the constants of tables/timing.def. */
#include "sim/timing/program.h"

#include <stdlib.h>
#include <string.h>
#include "sim/eu/operand.h"

struct translation {
    const struct platform *platform;
    const double *k; /* constants */
};

enum { FULL_TOKENS = 0xffff };

static bool is_op(const struct eu_instruction *in, enum eu_opcode opcode)
{
    return in->op == &eu_op_table[opcode];
}

static unsigned bytes_of(const struct eu_operand *x)
{
    return x->place == EU_NOWHERE ? 0 : eu_type_table[x->type].bytes;
}

static unsigned widest(const struct eu_instruction *in)
{
    unsigned most = bytes_of(&in->dst);
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place != EU_IMMEDIATE && bytes_of(&in->src[s]) > most)
            most = bytes_of(&in->src[s]);
    return most;
}

/* Words side by side in all operands, the same number or scalars. */
static bool is_packed_words(const struct eu_instruction *in)
{
    if (in->exec_size < 16 || bytes_of(&in->dst) != 2 || in->dst.step != 2)
        return false;
    for (unsigned s = 0; s < in->op->sources; s++) {
        const struct eu_operand *x = &in->src[s];
        if (x->place == EU_IMMEDIATE || x->place == EU_NOWHERE)
            continue;
        if (bytes_of(x) != 2 || !x->linear || (x->step != 2 && x->step != 0))
            return false;
    }
    return true;
}

static bool is_float(const struct eu_instruction *in)
{
    return in->domain != EU_INTEGER;
}

/* A product of two dwords: its low half takes more than one pass. */
static bool multiplies_dwords(const struct eu_instruction *in)
{
    unsigned first = is_op(in, EU_OP_MAD) ? 1 : 0;
    bool multiplies = is_op(in, EU_OP_MUL) || is_op(in, EU_OP_MAD) || is_op(in, EU_OP_MACH);
    return multiplies && !is_float(in) && bytes_of(&in->src[first]) == 4 && bytes_of(&in->src[first + 1]) == 4;
}

static bool is_heavy(const struct eu_instruction *in)
{
    switch ((enum eu_opcode)(in->op - eu_op_table)) {
    case EU_OP_BFREV:
    case EU_OP_BFE:
    case EU_OP_BFI1:
    case EU_OP_BFI2:
    case EU_OP_CBIT:
    case EU_OP_FBH:
    case EU_OP_FBL:
    case EU_OP_LZD:
    case EU_OP_LRP:
    case EU_OP_MAC:
    case EU_OP_MACH:
    case EU_OP_PLN:
    case EU_OP_DP2:
    case EU_OP_DP3:
    case EU_OP_DP4:
    case EU_OP_DPH: return true;
    default: return false;
    }
}

static double math_busy(const struct translation *t, const struct eu_instruction *in)
{
    double lanes = in->exec_size < 8 ? 8 : in->exec_size;
    switch (in->function) {
    case EU_MATH_IDIV:
    case EU_MATH_IQOT:
    case EU_MATH_IREM: return lanes / 8 * t->k[TIMING_integer_divide];
    case EU_MATH_FDIV:
    case EU_MATH_POW: return lanes / t->k[TIMING_math_lanes] * t->k[TIMING_divide_factor];
    default: return lanes / t->k[TIMING_math_lanes];
    }
}

/* Clocks for which the instruction takes a port. */
static double busy_of(const struct translation *t, const struct eu_instruction *in)
{
    double lanes = in->exec_size < 8 ? 8 : in->exec_size, rate = t->k[TIMING_port_lanes], extra = 0;
    if (is_op(in, EU_OP_MATH))
        return math_busy(t, in);
    if (widest(in) == 8) {
        lanes = in->exec_size < 4 ? 4 : in->exec_size;
        rate = t->k[is_float(in) ? TIMING_double_lanes : TIMING_long_lanes];
    } else if (is_packed_words(in)) {
        rate *= t->k[is_float(in) ? TIMING_half_rate : TIMING_word_rate];
    }
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place == EU_INDIRECT && in->src[s].row_addresses)
            extra = in->exec_size * t->k[TIMING_indirect_lane];
    if (multiplies_dwords(in))
        rate /= t->k[TIMING_multiply_factor];
    else if (is_heavy(in))
        rate /= t->k[TIMING_heavy_factor];
    return lanes / rate > extra ? lanes / rate : extra;
}

static bool is_general(const struct eu_operand *x)
{
    return x->place == EU_DIRECT && x->base >= EU_FILE_GENERAL;
}

static unsigned register_of(const struct translation *t, const struct eu_operand *x)
{
    return (unsigned)(x->base - EU_FILE_GENERAL) / t->platform->grf_bytes % TIMING_GENERAL;
}

/* Banks of Gen9: odd and even registers of the lower and the upper half. */
static unsigned bank_of(unsigned reg)
{
    return reg % 2 + reg / 64 * 2;
}

/* Xe: parity and eight bundles. */
static unsigned bundle_of(unsigned reg)
{
    return reg % 2 + (reg % 16 / 2) * 2;
}

static bool conflicts(const struct translation *t, const struct eu_instruction *in)
{
    unsigned r[EU_MAX_SOURCES];
    if (in->op->sources != 3)
        return false;
    for (unsigned s = 0; s < 3; s++) {
        if (!is_general(&in->src[s]))
            return false;
        r[s] = register_of(t, &in->src[s]);
    }
    switch ((int)t->k[TIMING_bank_rule]) {
    case 1: return bank_of(r[1]) == bank_of(r[2]) && r[1] != r[2] && r[0] != r[1] && r[0] != r[2];
    case 2:
        return bank_of(r[0]) == bank_of(r[1]) && bank_of(r[1]) == bank_of(r[2]) && r[0] != r[1] && r[1] != r[2] &&
               r[0] != r[2];
    case 3: /* the hardware swaps sources 0 and 1 when 1 and 2 clash */
        return bundle_of(r[1]) == bundle_of(r[2]) && bundle_of(r[0]) == bundle_of(r[2]) && r[1] != r[2] && r[0] != r[2];
    default: return false;
    }
}

static enum timing_port port_of(const struct translation *t, const struct eu_instruction *in)
{
    double ports = t->k[is_float(in) ? widest(in) == 8 ? TIMING_double_ports : TIMING_fpu_ports : TIMING_integer_ports];
    enum timing_port last = t->k[TIMING_fpu_ports] > 1 ? TIMING_PORT_FPU1 : TIMING_PORT_FPU0;
    if (is_op(in, EU_OP_MATH))
        return t->k[TIMING_math_own_port] > 0 ? TIMING_PORT_MATH : last;
    if (ports > 1)
        return TIMING_EITHER_FPU;
    return is_float(in) && widest(in) == 8 ? last : TIMING_PORT_FPU0;
}

/* Adds registers up to TIMING_REGISTERS to a set. */
static void add_registers(uint64_t *general, uint8_t *other, unsigned first, unsigned count)
{
    for (unsigned r = first; r < first + count && r < TIMING_REGISTERS; r++)
        if (r < TIMING_GENERAL)
            general[r / TIMING_SET_BITS] |= UINT64_C(1) << r % TIMING_SET_BITS;
        else
            *other |= (uint8_t)(1 << (r - TIMING_GENERAL));
}

static void add_source(struct timing_op *op, unsigned first, unsigned count)
{
    add_registers(op->reads, &op->reads_other, first, count);
}

/* The registers that a direct operand covers; count 0: none that is waited for. */
static struct timing_span span_of(const struct translation *t, const struct eu_instruction *in,
                                  const struct eu_operand *x, bool is_destination)
{
    if (x->place != EU_DIRECT)
        return (struct timing_span){0, 0};
    if (x->base >= EU_FILE_ADDRESS && x->base < EU_FILE_ACCUMULATOR)
        return (struct timing_span){TIMING_ADDRESS, 1};
    if (x->special == EU_ACCUMULATOR)
        return (struct timing_span){TIMING_ACCUMULATOR, 1};
    if (x->base >= EU_FILE_FLAG && x->base < EU_FILE_CHANNEL_ENABLE)
        return (struct timing_span){(uint8_t)(TIMING_FLAG + (x->base - EU_FILE_FLAG) / 4 % 2), 1};
    if (x->base < EU_FILE_GENERAL)
        return (struct timing_span){0, 0};
    unsigned most = 0, size = bytes_of(x), first = (unsigned)(x->base - EU_FILE_GENERAL);
    for (unsigned lane = 0; lane < in->exec_size; lane++) {
        unsigned at = is_destination ? lane * x->step : (unsigned)eu_region_offset(x, lane);
        most = at + size > most ? at + size : most;
    }
    unsigned grf = t->platform->grf_bytes, last = (first + (most ? most : 1) - 1) / grf;
    first /= grf;
    last = last < TIMING_GENERAL ? last : TIMING_GENERAL - 1;
    return (struct timing_span){(uint8_t)first, (uint8_t)(last >= first ? last - first + 1 : 0)};
}

static void find_registers(const struct translation *t, const struct eu_instruction *in, struct timing_op *op)
{
    bool is_carry = in->op->properties & (EU_PROPERTY_CARRY);
    for (unsigned s = 0; s < in->op->sources; s++) {
        struct timing_span span = span_of(t, in, &in->src[s], false);
        add_source(op, span.first, span.count);
        if (in->src[s].place == EU_INDIRECT)
            add_source(op, TIMING_ADDRESS, 1);
    }
    if (in->predicate != EU_NO_PREDICATE)
        add_source(op, TIMING_FLAG + in->flag_register, 1);
    if (in->op->properties & EU_PROPERTY_ACC_IN)
        add_source(op, TIMING_ACCUMULATOR, 1);
    op->destination = span_of(t, in, &in->dst, true);
    if (in->dst.place == EU_INDIRECT)
        add_source(op, TIMING_ADDRESS, 1);
    if (op->destination.count == 0 && (in->write_accumulator || is_carry))
        op->destination = (struct timing_span){TIMING_ACCUMULATOR, 1};
    op->writes_flag = in->condition != EU_ALWAYS && !(in->op->properties & EU_PROPERTY_SELECT);
    op->flag = (uint8_t)(TIMING_FLAG + in->flag_register);
}

static double latency_of(const struct translation *t, const struct eu_instruction *in, const struct timing_op *op)
{
    if (is_op(in, EU_OP_MATH))
        return t->k[TIMING_math_latency];
    if (op->destination.first == TIMING_ACCUMULATOR)
        return t->k[TIMING_accumulator_latency];
    if (op->destination.first == TIMING_ADDRESS)
        return t->k[TIMING_address_latency];
    if (op->destination.first >= TIMING_FLAG)
        return t->k[TIMING_flag_latency];
    return t->k[widest(in) == 8 ? TIMING_long_latency : TIMING_alu_latency];
}

/* Operations on floats of an instruction whose lanes are all enabled; a product that is added counts as two. */
static uint16_t flops_of(const struct eu_instruction *in)
{
    if (!is_float(in))
        return 0;
    if (is_op(in, EU_OP_MAD) || is_op(in, EU_OP_MADM) || is_op(in, EU_OP_MAC))
        return (uint16_t)(2 * in->exec_size);
    return is_op(in, EU_OP_ADD) || is_op(in, EU_OP_MUL) ? in->exec_size : 0;
}

static void translate_arithmetic(const struct translation *t, const struct eu_instruction *in, struct timing_op *op)
{
    double busy = busy_of(t, in);
    op->kind = TIMING_PLAIN;
    op->port = (uint8_t)port_of(t, in);
    op->flops = flops_of(in);
    find_registers(t, in, op);
    if (conflicts(t, in))
        busy += t->k[TIMING_bank_conflict] * op->destination.count;
    op->busy = (uint32_t)timing_ticks(busy);
    op->latency = (uint32_t)timing_ticks(latency_of(t, in, op));
    op->flag_latency = (uint32_t)timing_ticks(t->k[TIMING_flag_latency]);
}

static void translate_message(const struct translation *t, const struct eu_instruction *in, struct timing_op *op)
{
    op->kind = TIMING_MESSAGE;
    op->port = TIMING_PORT_SEND;
    op->is_end = in->end_of_thread;
    op->busy = (uint32_t)timing_ticks(t->k[TIMING_send_interval]);
    unsigned payload = is_general(&in->src[0]) ? register_of(t, &in->src[0]) : 0;
    unsigned extended = is_general(&in->src[1]) ? register_of(t, &in->src[1]) : 0;
    op->back = is_general(&in->dst) ? (uint8_t)register_of(t, &in->dst) : 0;
    struct eu_lengths lengths = eu_message_lengths(t->platform, in, in->descriptor, in->extended);
    bool is_fixed = in->descriptor_register == EU_DESCRIPTOR_IMMEDIATE;
    add_source(op, payload, is_fixed ? lengths.src0 : 1);
    add_source(op, extended, is_fixed && in->extended_register == EU_DESCRIPTOR_IMMEDIATE ? lengths.src1 : 0);
    if (!is_fixed || in->extended_register != EU_DESCRIPTOR_IMMEDIATE)
        add_source(op, TIMING_ADDRESS, 1);
    if (in->predicate != EU_NO_PREDICATE)
        add_source(op, TIMING_FLAG + in->flag_register, 1);
    if (is_fixed && lengths.dst)
        op->destination = (struct timing_span){op->back, (uint8_t)lengths.dst};
}

static void translate_branch(const struct translation *t, const struct eu_instruction *in, struct timing_op *op)
{
    op->kind = TIMING_BRANCH;
    op->port = TIMING_PORT_BRANCH;
    op->busy = (uint32_t)timing_ticks(t->k[TIMING_branch_interval]);
    if (in->predicate != EU_NO_PREDICATE)
        add_source(op, TIMING_FLAG + in->flag_register, 1);
}

/* Encodings as in sim/eu/scoreboard.c. */
static void translate_waits(const struct eu_instruction *in, struct timing_op *op)
{
    unsigned bits = in->scoreboard, token = bits & 0xf;
    bool out_of_order = in->op->execute == EU_EXECUTE_send || is_op(in, EU_OP_MATH);
    if (bits & 0x80) {
        op->distance = bits >> 4 & 7;
        *(out_of_order ? &op->takes : &op->wait_written) = (int8_t)token;
    } else if (bits < 0x10) {
        op->distance = (uint8_t)token;
    } else if (bits >> 4 == 2) {
        op->wait_written = (int8_t)token;
    } else if (bits >> 4 == 3) {
        op->wait_read = (int8_t)token;
    } else if (bits >> 4 == 4) {
        op->takes = (int8_t)token;
    }
    if (is_op(in, EU_OP_SYNC) && (in->function == EU_SYNC_ALLRD || in->function == EU_SYNC_ALLWR)) {
        uint16_t tokens = in->src[0].place == EU_IMMEDIATE ? (uint16_t)in->src[0].immediate : FULL_TOKENS;
        *(in->function == EU_SYNC_ALLRD ? &op->all_read : &op->all_written) = tokens;
    }
}

static void translate(const struct translation *t, const struct eu_instruction *in, struct timing_op *op)
{
    memset(op, 0, sizeof *op);
    op->port = TIMING_NO_PORT;
    op->wait_written = op->wait_read = op->takes = -1;
    if (in->op->execute == EU_EXECUTE_send)
        translate_message(t, in, op);
    else if (in->op->execute == EU_EXECUTE_alu)
        translate_arithmetic(t, in, op);
    else if (is_op(in, EU_OP_WAIT) || (is_op(in, EU_OP_SYNC) && in->function == EU_SYNC_BAR))
        op->kind = TIMING_WAIT;
    else if (in->op->properties & EU_PROPERTY_BRANCH)
        translate_branch(t, in, op);
    else
        op->kind = TIMING_NOTHING;
    if (platform_has(t->platform, FEATURE_SCOREBOARD))
        translate_waits(in, op);
    add_registers(op->writes, &op->writes_other, op->destination.first, op->destination.count);
}

struct timing_program *timing_program_create(const struct platform *platform, const struct eu_program *program,
                                             const struct timing_constants *constants)
{
    struct translation t = {platform, constants->value};
    size_t bytes = sizeof(struct timing_program) + program->count * sizeof(struct timing_op);
    struct timing_program *result = aligned_alloc(TIMING_OP_BYTES, bytes);
    if (!result)
        return NULL;
    memset(result, 0, sizeof *result);
    result->program = program;
    result->count = program->count;
    result->reads_clock = eu_program_reads_clock(program);
    for (size_t i = 0; i < program->count; i++) {
        translate(&t, &program->instructions[i], &result->op[i]);
        result->op[i].reads_clock = eu_reads_clock(&program->instructions[i]);
        result->has_barrier = result->has_barrier || result->op[i].kind == TIMING_WAIT;
    }
    return result;
}
