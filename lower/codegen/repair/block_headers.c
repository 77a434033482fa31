/* Lets block messages through addresses of 64 bits have the sum that is their address as their header. The finalizer
 * copies an address into a header of its own. Where two instructions add the halves of an address, it cannot leave this
 * copy out: the first one has two results.
 *
 *     addc V1.0 V2.0 V0.0 640          lifetime.start V1
 *     add V1.4 V2.0 V0.4               addc V1.0 V2.0 V0.0 640
 *     svm_block_ld (8) V1 V3           add V1.4 V2.0 V0.4
 *                                      raw_send 0xc 1 4 0x24d04ff V1 V3
 *
 * Without the start of its lifetime, the unwritten bytes of the header would be live before it. */
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "visa_emit/place.h"

enum { ADDRESS_BYTES = 8, OWORD_BYTES = 16, FARTHEST = 64, MOST_OWORDS = 8 };

/* A64 block read and write (PRM volume 7, data port messages): dword 0 and 1 of the header are the address. Four bits
 * from 8 on count owords: 2, 3 and 4 stand for two, four and eight. */
enum {
    DATA_PORT_1 = 0xc,
    WITH_HEADER = 1 << 19,
    STATELESS = 0xff,
    READ = 0x14 << 14 | WITH_HEADER | STATELESS,
    WRITE = 0x15 << 14 | WITH_HEADER | STATELESS,
    ONE_SENT = 1 << 25,
    REPLY = 20,
    OWORDS = 8,
    SECOND_SENT = 6 /* of the extended descriptor */
};

/* What is known of a variable that may be an address. */
struct sum {
    size_t low, high; /* 1 + the numbers of the only instructions that write its halves */
    size_t last;      /* 1 + the number of the last instruction that reads it */
    bool other;       /* it is something else, too */
    bool header;      /* a message has it as its header */
};

static struct sum *sum_of(const struct visa_kernel *kernel, struct sum *sums, const struct visa_operand *o)
{
    bool named = o->kind != VISA_OPERAND_NONE && o->kind != VISA_OPERAND_IMMEDIATE;
    size_t number = (size_t)o->variable - VISA_FIRST_VARIABLE;
    return named && o->variable >= VISA_FIRST_VARIABLE && number < kernel->variable_count ? &sums[number] : NULL;
}

/* True if the instruction writes the dword at `offset` of its result, on all lanes. */
static bool writes_half(const struct visa_instruction *i, int offset)
{
    return i->exec_size == 1 && i->dst.kind == VISA_OPERAND_GENERAL && i->dst.offset == offset &&
           visa_type_bytes(i->dst.type) == ADDRESS_BYTES / 2 && i->predicate.variable == VISA_NULL;
}

static void note_result(const struct visa_instruction *i, size_t number, struct sum *sum)
{
    size_t *half = i->op == VISA_OP_ADDC && writes_half(i, 0)                             ? &sum->low
                   : (i->op == VISA_OP_ADD || i->op == VISA_OP_ADD3) && writes_half(i, 4) ? &sum->high
                                                                                          : NULL;
    sum->other |= !half || *half || visa_place_is_read(i, (struct visa_place){i->dst.variable, 0, ADDRESS_BYTES});
    if (half)
        *half = number + 1;
}

static void note(const struct visa_kernel *kernel, struct sum *sums, size_t number)
{
    const struct visa_instruction *i = &kernel->instructions[number];
    struct sum *result = sum_of(kernel, sums, &i->dst);
    if (result)
        note_result(i, number, result);
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++) {
        struct sum *read = sum_of(kernel, sums, &i->src[k]);
        if (!read)
            continue;
        read->other |= i->src[k].kind != VISA_OPERAND_GENERAL || (k == 0 && i->op == VISA_OP_ADDC);
        read->last = number + 1;
    }
    for (unsigned k = 0; k < i->parameter_count; k++) {
        struct sum *parameter = sum_of(kernel, sums, &i->parameters[k]);
        if (parameter)
            parameter->other = true;
    }
}

/* True if the variable is one sum that is needed soon, and in its block alone. */
static bool may_be_header(const struct visa_kernel *kernel, const struct sum *sum, const struct visa_variable *v)
{
    if (sum->other || !sum->low || sum->high <= sum->low || sum->last <= sum->high || v->input_offset >= 0 ||
        sum->last - sum->low > FARTHEST || v->elements * visa_type_bytes(v->type) != ADDRESS_BYTES)
        return false;
    for (size_t at = sum->low; at < sum->last; at++)
        if (visa_ends_block(&kernel->instructions[at]))
            return false;
    return true;
}

static bool is_block_message(const struct visa_instruction *i, unsigned grf)
{
    return (i->op == VISA_OP_SVM_BLOCK_LD || i->op == VISA_OP_SVM_BLOCK_ST) && i->predicate.variable == VISA_NULL &&
           (unsigned)i->attr[0] * OWORD_BYTES >= grf && i->attr[0] <= MOST_OWORDS;
}

static struct visa_operand payload(unsigned variable)
{
    return (struct visa_operand){.kind = VISA_OPERAND_RAW, .variable = variable};
}

static struct visa_operand number(uint32_t bits)
{
    return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits};
}

/* Makes a message with the header in its first source. */
static void send_header(struct visa_instruction *i, unsigned grf)
{
    bool store = i->op == VISA_OP_SVM_BLOCK_ST;
    uint32_t registers = (unsigned)i->attr[0] * OWORD_BYTES / grf, owords = 0;
    for (int n = i->attr[0]; n > 1; n /= 2)
        owords = owords ? owords + 1 : 2;
    uint32_t descriptor = (store ? WRITE : READ | registers << REPLY) | ONE_SENT | owords << OWORDS;
    struct visa_operand data = i->src[1];
    i->op = store ? VISA_OP_RAW_SENDS : VISA_OP_RAW_SEND;
    i->exec_size = 8;
    i->no_mask = true;
    i->src[0] = payload(i->src[0].variable);
    i->attr[0] = DATA_PORT_1;
    i->attr[1] = 1;
    i->attr[2] = (int)registers;
    i->attr[3] = store ? 0 : (int)descriptor;
    if (store) {
        i->src[1] = data;
        i->src[2] = number(DATA_PORT_1 | registers << SECOND_SENT);
        i->src[3] = number(descriptor);
        i->dst = payload(VISA_NULL);
    }
}

/* Makes headers of the variables that messages take as addresses. Returns how many there are. */
static size_t send_headers(struct visa_kernel *kernel, struct sum *sums, unsigned grf)
{
    size_t headers = 0;
    for (size_t at = 0; at < kernel->instruction_count; at++) {
        struct visa_instruction *i = &kernel->instructions[at];
        struct sum *sum = is_block_message(i, grf) ? sum_of(kernel, sums, &i->src[0]) : NULL;
        if (!sum || i->src[0].offset != 0 || i->src[0].kind != VISA_OPERAND_GENERAL)
            continue;
        struct visa_variable *v = visa_variable(kernel, i->src[0].variable);
        if (!sum->header && !may_be_header(kernel, sum, v))
            continue;
        headers += !sum->header;
        sum->header = true;
        v->elements = grf / visa_type_bytes(v->type);
        v->align = grf;
        send_header(i, grf);
    }
    return headers;
}

static void start_lifetimes(struct visa_program *program, struct visa_kernel *kernel, struct sum *sums, size_t headers)
{
    bool *begins = visa_alloc(program, kernel->instruction_count * sizeof *begins);
    for (size_t at = 0; at < kernel->instruction_count; at++) {
        const struct sum *sum = sum_of(kernel, sums, &kernel->instructions[at].dst);
        begins[at] = sum && sum->header && sum->low == at + 1;
    }
    visa_insert_lifetime_starts(program, kernel, begins, headers);
}

void fixup_block_headers(struct visa_program *program, struct visa_kernel *out)
{
    if (program->watched || platform_has(program->platform, FEATURE_INT64_ADD))
        return;
    struct sum *sums = calloc(out->variable_count + 1, sizeof *sums);
    if (!sums)
        return;
    for (size_t at = 0; at < out->instruction_count; at++)
        note(out, sums, at);
    size_t headers = send_headers(out, sums, program->platform->grf_bytes);
    if (headers)
        start_lifetimes(program, out, sums, headers);
    free(sums);
}
