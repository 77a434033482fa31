/* A kernel as vISA text: header, declarations, attributes, instructions. */
#include <stdlib.h>
#include "visa_emit/print.h"

/* A string literal of vISA's grammar. */
static void print_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
    fputc('"', out);
}

static void print_attributes(const struct visa_printer *printer)
{
    FILE *out = printer->out;
    fprintf(out, ".kernel_attr Target=\"cm\"\n.kernel_attr SLMSize=%u\n", (printer->kernel->slm_bytes + 1023) / 1024);
    if (!printer->kernel->has_barrier)
        fputs(".kernel_attr NoBarrier\n", out);
}

/* Source positions, which the finalizer's listing repeats. They change no code. */
static void print_position(const struct visa_printer *printer, unsigned line, unsigned *current)
{
    if (printer->kernel->source_file && line && line != *current) {
        fprintf(printer->out, "    .loc %u\n", line);
        *current = line;
    }
}

void visa_print(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out)
{
    struct visa_printer printer = {
        .program = program, .kernel = kernel, .out = out, .string_base = visa_string_base(program, kernel)};
    unsigned line = 0;
    visa_collect_uses(&printer);
    fputs(".version 4.1\n.kernel ", out);
    print_quoted(out, kernel->name);
    fputs("\n\n", out);
    visa_print_declarations(&printer);
    fputc('\n', out);
    print_attributes(&printer);
    fputs(".function ", out);
    print_quoted(out, kernel->name);
    fputs("\n\n", out);
    if (kernel->source_file) {
        fputs("    .file ", out);
        print_quoted(out, kernel->source_file);
        fputc('\n', out);
    }
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        if (kernel->instructions[i].op != VISA_OP_LABEL)
            print_position(&printer, kernel->instructions[i].line, &line);
        visa_print_instruction(&printer, &kernel->instructions[i]);
        fputc('\n', out);
    }
    free(printer.uses);
}
