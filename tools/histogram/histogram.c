/* gen-histogram [-o FILE.md] [-c TEXT] DEVICE=SET:FILE...: counts the instructions, types, regions and messages of the
 * kernels in binaries, per device.
 *
 * DEVICE is one that gensim simulates, SET a name for the report, FILE a zebin (every .text.KERNEL section is a kernel)
 * or, if it is no ELF file, one kernel's bytes as `gensim --save-kernels` writes them. Arguments may come from standard
 * input, one a line, with `-`. Kernels go through the simulator's own decoder with all its rules: refused kernels are
 * listed with the reason and make the exit status 1. -c is the command to name in the report. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/thread.h"
#include "sim/message/message.h"
#include "tools/histogram/tally.h"

enum { LABEL = 200 };

struct histogram {
    struct tally *tallies[TALLY_SECTIONS];
    struct tally *kernels; /* by set */
    struct tally *refused; /* reason and instruction */
};

static uint8_t *read_file(const char *path, size_t *size)
{
    uint8_t *data = NULL;
    FILE *stream = fopen(path, "rb");
    if (stream != NULL && fseek(stream, 0, SEEK_END) == 0) {
        long length = ftell(stream);
        data = length > 0 && fseek(stream, 0, SEEK_SET) == 0 ? malloc((size_t)length) : NULL;
        *size = data != NULL ? fread(data, 1, (size_t)length, stream) : 0;
    }
    if (stream != NULL)
        fclose(stream);
    if (data == NULL)
        fprintf(stderr, "gen-histogram: error: cannot read %s: %s\n", path, strerror(errno));
    return data;
}

/* Returns the region in assembly syntax. */
static void region_text(const struct eu_operand *x, bool is_destination, char *text, size_t size)
{
    unsigned bytes = eu_type_table[x->type].bytes;
    const char *where = x->place == EU_INDIRECT ? "r[a0]" : x->base >= EU_FILE_GENERAL ? "r" : "architecture";
    if (x->special == EU_ACCUMULATOR)
        where = "acc";
    if (is_destination)
        snprintf(text, size, "destination %s<%u>, %u-byte", where, x->hstride / bytes, bytes);
    else if (x->row_addresses)
        snprintf(text, size, "source %s<%s>, %u-byte", where, x->width_log2 == 0 ? "1,0 (Vx1)" : "W,H (VxH)", bytes);
    else
        snprintf(text, size, "source %s<%u;%u,%u>, %u-byte", where, x->vstride / bytes, 1u << x->width_log2,
                 x->hstride / bytes, bytes);
}

static void count_regions(struct histogram *h, unsigned device, const struct eu_instruction *in)
{
    char text[LABEL];
    for (unsigned o = 0; o <= EU_MAX_SOURCES; o++) {
        const struct eu_operand *x = o == 0 ? &in->dst : &in->src[o - 1];
        if (x->place != EU_DIRECT && x->place != EU_INDIRECT)
            continue;
        region_text(x, o == 0, text, sizeof text);
        tally_add(h->tallies[TALLY_REGIONS], text, "yes", device, 1);
    }
}

static void count_types(struct histogram *h, unsigned device, const struct eu_instruction *in, const char *name,
                        const char *fidelity)
{
    char types[LABEL / 2], text[LABEL];
    snprintf(text, sizeof text, "%s%s", name, eu_describe_types(in, types, sizeof types));
    tally_add(h->tallies[TALLY_TYPES], text, fidelity, device, 1);
}

static void count_modifiers(struct histogram *h, unsigned device, const struct eu_instruction *in)
{
    static const char *const conditions[] = {"",    ".eq (z)", ".ne (nz)", ".gt", ".ge", ".lt",
                                             ".le", "?",       ".ov",      ".un", ".eo"};
    static const char *const predicates[] = {"",      "sequential", "anyv",  "allv",   "any2h",  "all2h",  "any4h",
                                             "all4h", "any8h",      "all8h", "any16h", "all16h", "any32h", "all32h"};
    struct tally *tally = h->tallies[TALLY_MODIFIERS];
    char text[LABEL];
    if (in->condition != EU_ALWAYS) {
        snprintf(text, sizeof text, "condition %s", conditions[in->condition % 11]);
        tally_add(tally, text, "yes", device, 1);
    }
    if (in->predicate != EU_NO_PREDICATE) {
        snprintf(text, sizeof text, "predicate %s%s", in->inverse ? "~" : "", predicates[in->predicate % 14]);
        tally_add(tally, text, "yes", device, 1);
    }
    if (in->saturate)
        tally_add(tally, "saturation", "yes", device, 1);
    if (in->write_accumulator)
        tally_add(tally, "accumulator write (AccWrEn)", "yes", device, 1);
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].negate || in->src[s].absolute) {
            snprintf(text, sizeof text, "source %s%s", in->src[s].negate ? "-" : "",
                     in->src[s].absolute ? "(abs)" : "");
            tally_add(tally, text, "yes", device, 1);
        }
}

static void count_message(struct histogram *h, unsigned device, const struct eu_instruction *in)
{
    const struct platform *platform = &platform_table[device];
    char text[LABEL];
    if (in->descriptor_register != EU_DESCRIPTOR_IMMEDIATE || in->sfid == 0x100) {
        tally_add(h->tallies[TALLY_MESSAGES], "(descriptor or function from a0)", "at run time", device, 1);
        return;
    }
    bool known = message_is_known(platform, in->sfid, in->descriptor);
    snprintf(text, sizeof text, "%s", message_name(platform, in->sfid, in->descriptor));
    if (!known)
        snprintf(text + strlen(text), sizeof text - strlen(text), " type %u", in->descriptor >> 14 & 31);
    tally_add(h->tallies[TALLY_MESSAGES], text, known ? "yes" : "no", device, 1);
}

static void count_instruction(struct histogram *h, unsigned device, const struct eu_instruction *in)
{
    char name[32], text[LABEL];
    const char *fidelity = eu_instruction_fidelity(in) == EU_EXACT ? "exact" : "approximate";
    eu_instruction_name(in, name, sizeof name);
    tally_add(h->tallies[TALLY_OPCODES], name, fidelity, device, 1);
    if (in->op == &eu_op_table[EU_OP_NOP] || in->op == &eu_op_table[EU_OP_ILLEGAL] ||
        in->op == &eu_op_table[EU_OP_SYNC])
        return;
    snprintf(text, sizeof text, "%u lanes from channel %u%s", in->exec_size, in->channel_offset,
             in->no_mask ? ", NoMask" : "");
    tally_add(h->tallies[TALLY_SIZES], text, "yes", device, 1);
    count_modifiers(h, device, in);
    if (in->op->execute == EU_EXECUTE_send) {
        count_message(h, device, in);
    } else if (!(in->op->properties & EU_PROPERTY_BRANCH)) {
        count_types(h, device, in, name, fidelity);
        count_regions(h, device, in);
    }
}

static int count_kernel(struct histogram *h, unsigned device, const char *set, const char *path, const uint8_t *code,
                        size_t size)
{
    struct sim_fault fault = {0};
    struct eu_program *program = eu_program_decode(&platform_table[device], code, size, &fault);
    tally_add(h->kernels, set, "", device, 1);
    if (program == NULL) {
        char text[2 * LABEL + 100];
        snprintf(text, sizeof text, "%s: %s", fault.what, fault.instruction);
        tally_add(h->refused, text, "no", device, 1);
        fprintf(stderr, "%s: %s\n", path, text);
        return 1;
    }
    for (size_t i = 0; i < program->count; i++)
        count_instruction(h, device, &program->instructions[i]);
    eu_program_destroy(program);
    return 0;
}

static bool within(uint64_t offset, uint64_t bytes, size_t size)
{
    return offset <= size && bytes <= size - offset;
}

/* Counts every .text.KERNEL section; returns the number of refused kernels. */
static int count_elf(struct histogram *h, unsigned device, const char *set, const char *path, const uint8_t *data,
                     size_t size)
{
    Elf64_Ehdr header;
    Elf64_Shdr section, names;
    int refused = 0;
    if (size < sizeof header)
        return 0;
    memcpy(&header, data, sizeof header);
    uint64_t table = (uint64_t)header.e_shnum * sizeof section;
    if (!within(header.e_shoff, table, size) || header.e_shstrndx >= header.e_shnum)
        return 0;
    memcpy(&names, data + header.e_shoff + header.e_shstrndx * sizeof section, sizeof names);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        memcpy(&section, data + header.e_shoff + i * sizeof section, sizeof section);
        if (!within(names.sh_offset + section.sh_name, 7, size) || !within(section.sh_offset, section.sh_size, size) ||
            memcmp(data + names.sh_offset + section.sh_name, ".text.", 6) != 0 || section.sh_size == 0)
            continue;
        refused += count_kernel(h, device, set, path, data + section.sh_offset, section.sh_size);
    }
    return refused;
}

/* Counts "DEVICE=SET:FILE"; returns the number of refused kernels, -1 for a bad argument. */
static int count_argument(struct histogram *h, char *argument)
{
    char *set = strchr(argument, '='), *path = set != NULL ? strchr(set, ':') : NULL;
    size_t size;
    if (path == NULL) {
        fprintf(stderr, "gen-histogram: error: '%s' is not DEVICE=SET:FILE\n", argument);
        return -1;
    }
    *set++ = 0;
    *path++ = 0;
    const struct platform *platform = platform_find(argument);
    if (platform == NULL) {
        fprintf(stderr, "gen-histogram: error: unknown device '%s'\n", argument);
        return -1;
    }
    unsigned device = (unsigned)(platform - platform_table);
    uint8_t *data = read_file(path, &size);
    if (data == NULL)
        return -1;
    bool is_elf = size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
    int refused = is_elf ? count_elf(h, device, set, path, data, size) : count_kernel(h, device, set, path, data, size);
    free(data);
    return refused;
}

static int count_lines(struct histogram *h, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    int refused = 0, one = 0;
    while (one >= 0 && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        one = count_argument(h, line);
        refused += one;
    }
    free(line);
    return one < 0 ? -1 : refused;
}

int main(int count, char **arguments)
{
    struct histogram h = {.kernels = tally_create(), .refused = tally_create()};
    const char *output = NULL, *command = "gen-histogram";
    int refused = 0, first = 1;
    for (unsigned i = 0; i < TALLY_SECTIONS; i++)
        h.tallies[i] = tally_create();
    for (; first + 1 < count && arguments[first][0] == '-' && arguments[first][1] != 0; first += 2)
        if (strcmp(arguments[first], "-o") == 0)
            output = arguments[first + 1];
        else if (strcmp(arguments[first], "-c") == 0)
            command = arguments[first + 1];
        else
            break;
    if (first >= count) {
        fprintf(stderr, "usage: gen-histogram [-o FILE.md] [-c TEXT] DEVICE=SET:FILE... | -\n");
        return 2;
    }
    for (int i = first; i < count; i++) {
        int one = strcmp(arguments[i], "-") == 0 ? count_lines(&h, stdin) : count_argument(&h, arguments[i]);
        if (one < 0)
            return 2;
        refused += one;
    }
    if (!tally_report(output, command, h.kernels, h.refused, h.tallies))
        return 2;
    return refused > 0;
}
