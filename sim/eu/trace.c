/* Prints one instruction and its registers before and after, for `gensim --trace`.
 *
 *     group 0,0,0 thread 3 0x0040: add (16|M0)  r10.0<1>:d  r8.0<8;8,1>:d  r5.2<0;1,0>:d
 *         channels 0xffff
 *         source 0 :d  0 1 2 3 ...           lane by lane, before modifiers
 *         before :d  ...                     the destination, lane by lane
 *         after :d  ...
 *         f0.0 0x00000000 -> 0x0000ffff      flags, where the instruction reads or writes them
 *
 * Payloads of messages are whole registers in hexadecimal: sent before, returned after. */
#include <math.h>
#include <string.h>
#include "sim/eu/operand.h"

/* The bytes of a lane in the register file, NULL if an indirect address leaves it. */
static const uint8_t *lane_at(const struct eu_thread *thread, const struct eu_operand *operand, unsigned lane,
                              uint32_t offset)
{
    if (operand->place == EU_DIRECT)
        return thread->file + operand->base + offset;
    uint16_t address;
    unsigned row = operand->row_addresses ? lane >> operand->width_log2 : 0;
    memcpy(&address, thread->file + EU_FILE_ADDRESS + 2 * ((operand->address + row) % 16), sizeof address);
    int64_t at = (int64_t)address + operand->base + offset;
    if (at < 0 || at + 8 > thread->general_bytes)
        return NULL;
    return thread->file + EU_FILE_GENERAL + at;
}

static void print_real(FILE *out, double value)
{
    if (isnan(value))
        fputs(" nan", out);
    else
        fprintf(out, " %.9g", value);
}

static void print_value(FILE *out, enum eu_type type, const uint8_t *bytes)
{
    uint64_t bits = 0;
    float single;
    double real;
    memcpy(&bits, bytes, eu_type_table[type].bytes);
    switch (type) {
    case EU_B: fprintf(out, " %d", (int8_t)bits); break;
    case EU_W: fprintf(out, " %d", (int16_t)bits); break;
    case EU_D: fprintf(out, " %d", (int32_t)bits); break;
    case EU_Q: fprintf(out, " %lld", (long long)bits); break;
    case EU_HF: fprintf(out, " 0x%04llx", (unsigned long long)bits); break;
    case EU_F: memcpy(&single, bytes, sizeof single), print_real(out, (double)single); break;
    case EU_DF: memcpy(&real, bytes, sizeof real), print_real(out, real); break;
    default: fprintf(out, " %llu", (unsigned long long)bits); break;
    }
}

static void print_lanes(const struct eu_thread *thread, const struct eu_instruction *in,
                        const struct eu_operand *operand, bool is_destination)
{
    FILE *out = thread->trace->out;
    enum eu_type type = (enum eu_type)operand->type;
    unsigned lanes = operand->linear && operand->step == 0 ? 1 : in->exec_size;
    fprintf(out, " :%s ", eu_type_table[type].name);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t offset = operand->row_addresses ? (lane & ((1u << operand->width_log2) - 1)) * operand->hstride
                          : is_destination       ? lane * operand->step
                                                 : eu_region_offset(operand, lane);
        const uint8_t *at = lane_at(thread, operand, lane, offset);
        if (at)
            print_value(out, type, at);
        else
            fputs(" outside", out);
    }
    fputc('\n', out);
}

/* `count` registers of a payload, one a line. */
static void print_registers(const struct eu_thread *thread, const char *what, const struct eu_operand *operand,
                            uint32_t count)
{
    uint32_t bytes = thread->platform->grf_bytes, dword;
    for (uint32_t i = 0; i < count; i++) {
        int64_t at = operand->base + (int64_t)i * bytes;
        if (operand->place != EU_DIRECT || operand->base < EU_FILE_GENERAL || at + bytes > thread->file_bytes)
            return;
        fprintf(thread->trace->out, "    %s r%u ", what, (unsigned)((at - EU_FILE_GENERAL) / bytes));
        for (uint32_t byte = 0; byte < bytes; byte += sizeof dword) {
            memcpy(&dword, thread->file + at + byte, sizeof dword);
            fprintf(thread->trace->out, " %08x", dword);
        }
        fputc('\n', thread->trace->out);
    }
}

static uint32_t descriptor_of(const struct eu_thread *thread, uint32_t immediate, uint8_t from)
{
    if (from != EU_DESCRIPTOR_IMMEDIATE)
        memcpy(&immediate, thread->file + EU_FILE_ADDRESS + 4 * (from % 8), sizeof immediate);
    return immediate;
}

static bool is_message(const struct eu_instruction *in)
{
    return in->op->execute == EU_EXECUTE_send;
}

static bool uses_flags(const struct eu_instruction *in)
{
    return in->predicate != EU_NO_PREDICATE ||
           (in->condition != EU_ALWAYS && !(in->op->properties & EU_PROPERTY_SELECT));
}

static void print_payload(struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t descriptor = descriptor_of(thread, in->descriptor, in->descriptor_register);
    uint32_t extended = descriptor_of(thread, in->extended, in->extended_register);
    uint32_t sfid = platform_has(thread->platform, FEATURE_XE_ENCODING) ? in->sfid : extended & 0xf;
    fprintf(thread->trace->out, "    %s, descriptor 0x%08x\n", message_name(thread->platform, sfid, descriptor),
            descriptor);
    struct eu_lengths lengths = eu_message_lengths(thread->platform, in, descriptor, extended);
    print_registers(thread, "sent", &in->src[0], lengths.src0);
    if (in->src[1].place != EU_NOWHERE)
        print_registers(thread, "sent", &in->src[1], lengths.src1);
}

void eu_trace_before(struct eu_thread *thread, const struct eu_instruction *in)
{
    const struct eu_program *program = thread->program;
    FILE *out = thread->trace->out;
    char text[256];
    flockfile(out); /* until eu_trace_after(): instructions of other host threads come before or after */
    eu_disassemble(program->platform, program->code + in->offset, program->extent - in->offset, text, sizeof text);
    fprintf(out, "%s 0x%04x: %s\n    channels 0x%x\n", thread->trace->label, eu_kernel_offset(thread, in), text,
            eu_enabled_lanes(thread, in));
    if (is_message(in)) {
        print_payload(thread, in);
        return;
    }
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].place == EU_DIRECT || in->src[s].place == EU_INDIRECT) {
            fprintf(out, "    source %u", s);
            print_lanes(thread, in, &in->src[s], false);
        }
    if (in->dst.place != EU_NOWHERE) {
        fputs("    before", out);
        print_lanes(thread, in, &in->dst, true);
    }
    if (uses_flags(in))
        fprintf(out, "    f%u 0x%08x\n", in->flag_register, eu_flags(thread, in->flag_register));
}

void eu_trace_after(struct eu_thread *thread, const struct eu_instruction *in)
{
    FILE *out = thread->trace->out;
    if (is_message(in)) {
        if (in->dst.place != EU_NOWHERE)
            print_registers(thread, "returned", &in->dst,
                            descriptor_of(thread, in->descriptor, in->descriptor_register) >> 20 & 0x1f);
    } else if (in->dst.place != EU_NOWHERE) {
        fputs("    after ", out);
        print_lanes(thread, in, &in->dst, true);
    }
    if (uses_flags(in) && in->condition != EU_ALWAYS)
        fprintf(out, "    f%u -> 0x%08x\n", in->flag_register, eu_flags(thread, in->flag_register));
    fflush(out); /* the program may end at any instruction */
    funlockfile(out);
}
