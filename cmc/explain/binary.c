/* Collects what a binary of any compiler says of a kernel: Gen instructions, their source lines, and arguments. */
#include <stdlib.h>
#include <string.h>
#include "cmc/explain/explain.h"
#include "cmc/options.h"

const char *explain_argument_kind(const struct cmrt_argument *argument)
{
    static const char *const names[] = {"unknown", "value", "buffer", "image", "sampler", "local memory"};
    return names[argument->kind];
}

/* Sets the file and the line of the instruction, where the binary says them. */
static void find_source(const struct explain_binary *binary, struct visa_program *program, struct explain_line *line)
{
    char source[192];
    zebin_source(binary->bytes, binary->size, &binary->code, (uint32_t)line->offset, source, sizeof source);
    char *colon = strrchr(source, ':');
    if (!colon)
        return;
    *colon = 0;
    line->file = visa_add_file(program, source, "");
    line->line = (unsigned)strtoul(colon + 1, NULL, 10);
}

/* Appends a line of iga64's listing: a comment with its offset in hexadecimal digits and an
 * instruction, or a label. */
static void add_line(struct explain_kernel *e, const struct explain_binary *binary, struct visa_program *program,
                     const char *text, size_t length)
{
    static const char start[] = "/* [", end[] = "*/ ";
    const char *code = memmem(text, length, end, sizeof end - 1);
    bool is_instruction = code && strncmp(text, start, sizeof start - 1) == 0;
    struct explain_line line = {.text = NULL};
    if (is_instruction) {
        line.offset = strtoul(text + sizeof start - 1, NULL, 16);
        length -= (size_t)(code + sizeof end - 1 - text);
        text = code + sizeof end - 1;
        line.class = gen_class_of(text, length);
        find_source(binary, program, &line);
    }
    while (length && text[length - 1] == ' ')
        length--;
    line.text = cmc_checked(strndup(text, length));
    e->classes[line.class] += is_instruction;
    e->waits += is_instruction && explain_waits(line.text);
    explain_add(&e->forms[EXPLAIN_GEN], line);
}

/* True if the rest of the listing is the filling behind a kernel: `illegal` in each line. */
static bool is_filling(const char *text)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        if (length && text[0] == '/' && !memmem(text, length, " illegal ", 9))
            return false;
    }
    return true;
}

void explain_binary_collect(struct explain_kernel *out, const struct explain_binary *binary,
                            struct visa_program *program, struct visa_kernel *kernel, struct gen_code *code)
{
    static const struct cmc_remarks none = {.count = 0};
    static const struct explain_input no_input = {.name = NULL};
    *code = (struct gen_code){.registers = binary->info->grf_count, .spill_bytes = binary->info->scratch_bytes};
    *out = (struct explain_kernel){
        .program = program, .kernel = kernel, .code = code, .remarks = &none, .info = binary->info};
    for (const char *text = binary->listing; *text && !is_filling(text);) {
        size_t length = strcspn(text, "\n");
        if (length)
            add_line(out, binary, program, text, length);
        text += length + (text[length] != 0);
    }
    for (unsigned k = 0; k < GEN_CLASSES; k++)
        code->instructions += out->classes[k];
    for (size_t i = 0; i < out->forms[EXPLAIN_GEN].count && !kernel->file; i++)
        kernel->file = out->forms[EXPLAIN_GEN].lines[i].file;
    explain_add_sources(out, &no_input);
}
