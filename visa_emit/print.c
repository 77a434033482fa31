/* Prints a kernel as vISA text: header, declarations, attributes, instructions. */
#include <stdlib.h>
#include "visa_emit/print.h"
#include "visa_emit/read_text.h"

/* Prints a string literal of vISA's grammar. */
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

/* Prints the attribute that makes the finalizer load the local ids at the kernel's start, one register per thread. */
static void print_payload_attribute(const struct visa_printer *printer)
{
    const struct platform *platform = printer->program->platform;
    if (platform_has(platform, FEATURE_PAYLOAD_IN_MEMORY))
        fprintf(printer->out, ".kernel_attr PerThreadInputSize=%u\n", platform->grf_bytes);
}

/* Prints the kernel's attributes. With stack functions the finalizer names its files after OutputAsmPath; the attribute
 * has the same name as without them. */
static void print_attributes(const struct visa_printer *printer)
{
    FILE *out = printer->out;
    const struct visa_kernel *kernel = printer->kernel;
    fprintf(out, ".kernel_attr Target=\"cm\"\n.kernel_attr SLMSize=%u\n", (kernel->slm_bytes + 1023) / 1024);
    if (visa_barrier_count(kernel) == 0)
        fputs(".kernel_attr NoBarrier\n", out);
    if (kernel->named_barriers)
        fprintf(out, ".kernel_attr NBarrierCnt=%u\n", visa_barrier_count(kernel));
    if (kernel->function_count)
        fputs(".kernel_attr OutputAsmPath=\"kernel\"\n", out);
}

/* The last printed source position. */
struct position {
    unsigned file, line;
};

/* Decides whether `.file` and `.loc` are printed before the instruction, and updates `current`. They change no code. */
static void next_position(const struct visa_program *program, const struct visa_instruction *i,
                          struct position *current, bool *file, bool *line)
{
    bool known = program->debug_info && i->op != VISA_OP_LABEL && i->file && i->line;
    *file = known && i->file != current->file;
    *line = known && (*file || i->line != current->line);
    if (known)
        *current = (struct position){i->file, i->line};
}

static void print_position(const struct visa_printer *printer, const struct visa_instruction *i,
                           struct position *current)
{
    bool file, line;
    next_position(printer->program, i, current, &file, &line);
    if (file) {
        fputs("    .file ", printer->out);
        print_quoted(printer->out, printer->program->files[i->file - 1].name);
        fputc('\n', printer->out);
    }
    if (line)
        fprintf(printer->out, "    .loc %u\n", i->line);
}

void visa_number(const struct visa_program *program, const struct visa_kernel *kernel, unsigned *numbers)
{
    struct position current = {0};
    unsigned next = 1; /* 0 is the function's own label */
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        bool file, line;
        next_position(program, &kernel->instructions[i], &current, &file, &line);
        next += (unsigned)file + (unsigned)line;
        numbers[i] = next;
        next += visa_assembly_length(&kernel->instructions[i]);
    }
}

static void print_instructions(const struct visa_printer *printer)
{
    struct position position = {0};
    for (size_t i = 0; i < printer->kernel->instruction_count; i++) {
        print_position(printer, &printer->kernel->instructions[i], &position);
        visa_print_instruction(printer, &printer->kernel->instructions[i]);
        fputc('\n', printer->out);
        if (printer->printed) {
            fflush(printer->out);
            printer->printed(printer->user, printer->kernel, i);
        }
    }
}

/* Prints a stack function of the kernel. */
static void print_function(struct visa_printer printer, size_t number)
{
    printer.kernel = printer.kernel->functions[number];
    visa_collect_uses(&printer);
    fprintf(printer.out, "\n// %s\n.global_function \"S%zu\"\n\n", printer.kernel->name, number + 1);
    visa_print_declarations(&printer);
    fputc('\n', printer.out);
    print_attributes(&printer);
    fprintf(printer.out, ".kernel_attr ArgSize=%u\n.kernel_attr RetValSize=%u\n.function \"S%zu\"\n\n",
            printer.kernel->argument_registers, printer.kernel->result_registers, number + 1);
    print_instructions(&printer);
    free(printer.uses);
}

void visa_print_each(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out,
                     visa_printed *printed, void *user)
{
    struct visa_printer printer = {.program = program,
                                   .kernel = kernel,
                                   .out = out,
                                   .string_base = visa_string_base(program, kernel),
                                   .printed = printed,
                                   .user = user};
    visa_collect_uses(&printer);
    fputs(".version 4.1\n.kernel ", out);
    print_quoted(out, kernel->name);
    fputs("\n\n", out);
    visa_print_launch(program, kernel, out);
    visa_print_declarations(&printer);
    fputc('\n', out);
    print_attributes(&printer);
    print_payload_attribute(&printer);
    fputs(".function ", out);
    print_quoted(out, kernel->name);
    fputs("\n\n", out);
    print_instructions(&printer);
    free(printer.uses);
    for (size_t i = 0; i < kernel->function_count; i++)
        print_function(printer, i);
}

void visa_print(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out)
{
    visa_print_each(program, kernel, out, NULL, NULL);
}

/* Search for the instruction that wrote a line of the text. */
struct visa_search {
    char *text;
    size_t size, seen; /* bytes written; bytes already searched */
    unsigned lines, line;
    const struct visa_instruction *found;
};

/* Checks whether the wanted line is one of the instruction's. Lines before it are declarations. */
static void search_lines(void *user, const struct visa_kernel *kernel, size_t instruction)
{
    struct visa_search *search = user;
    for (; search->seen < search->size; search->seen++)
        search->lines += search->text[search->seen] == '\n';
    if (!search->found && search->lines >= search->line)
        search->found = &kernel->instructions[instruction];
}

const struct visa_instruction *visa_at_line(const struct visa_program *program, const struct visa_kernel *kernel,
                                            unsigned line)
{
    struct visa_search search = {.line = line};
    FILE *out = open_memstream(&search.text, &search.size);
    if (!out)
        return NULL;
    visa_print_each(program, kernel, out, search_lines, &search);
    fclose(out);
    free(search.text);
    return search.found;
}
