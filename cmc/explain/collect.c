/* Collects the forms of a kernel: the source lines, the LLVM IR, the vISA text and the finalizer's listing, each line
 * with the source line and the vISA instruction that it belongs to. */
#include <stdlib.h>
#include <string.h>
#include "cmc/explain/explain.h"
#include "cmc/options.h"
#include "runtime/file.h"
#include "visa_emit/print.h"
#include "visa_emit/source_lines.h"

void explain_add(struct explain_listing *listing, struct explain_line line)
{
    cmc_checked(line.text);
    CMC_APPEND(listing->lines, listing->count, line);
}

const char *explain_form_name(enum explain_form form)
{
    static const char *const names[] = {"Source", "LLVM IR", "vISA", "Gen"};
    return names[form];
}

struct explain_memory_kind explain_memory_kind(const struct explain_kernel *explain)
{
    static const struct explain_memory_kind scratch = {"of scratch memory", "scratchBytes"},
                                            stack = {"of stack", "stackBytes"}, spilled = {"spilled", "spilledBytes"};
    return explain->info ? scratch : explain->kernel->function_count ? stack : spilled;
}

/* Adds a source variable's name to a list, once, as long as there is room. */
static void add_name(const char *name, char *list, size_t size)
{
    size_t length = strlen(list), more = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[more] == 0 || at[more] == ','))
            return;
    if (length + more + 3 <= size)
        snprintf(list + length, size - length, "%s%s", length ? ", " : "", name);
}

/* Lists the source variables that debug information says a vISA variable has the values of, whole or in part. */
static void names_of(const struct debug_unit *debug, unsigned number, char *list, size_t size)
{
    list[0] = 0;
    for (size_t k = 0; debug && k < debug->variable_count; k++)
        if (debug->variables[k].home == number)
            add_name(debug->variables[k].name, list, size);
    for (size_t k = 0; debug && k < debug->assignment_count; k++) {
        const struct debug_assignment *a = &debug->assignments[k];
        if (a->value && debug->values[a->value - 1].variable == number)
            add_name(debug->variables[a->variable - 1].name, list, size);
    }
}

void explain_variable_name(const struct explain_kernel *explain, const struct pressure_variable *variable, char *text,
                           size_t size)
{
    char names[128];
    const char *value = visa_variable(explain->kernel, variable->number)->comment;
    int length = value ? (int)strcspn(value, ".") : 0; /* LLVM's suffixes follow */
    names_of(explain->kernel->debug, variable->number, names, sizeof names);
    if (names[0])
        snprintf(text, size, "V%u (%s)", variable->number, names);
    else if (length)
        snprintf(text, size, "V%u (%.*s)", variable->number, length, value);
    else if (variable->first)
        snprintf(text, size, "V%u: result of %s", variable->number, visa_operation_text(variable->first->op));
    else
        snprintf(text, size, "V%u: input of the thread", variable->number);
}

/* Numbers the instructions of the kernel and of its stack functions from 1, in the order of the vISA text. 0: it is
 * none of them. */
static size_t visa_number_of(const struct visa_kernel *kernel, const struct visa_kernel *unit,
                             const struct visa_instruction *i)
{
    size_t base = kernel->instruction_count;
    if (!i)
        return 0;
    if (unit == kernel)
        return (size_t)(i - kernel->instructions) + 1;
    for (size_t f = 0; f < kernel->function_count && kernel->functions[f] != unit; f++)
        base += kernel->functions[f]->instruction_count;
    return base + (size_t)(i - unit->instructions) + 1;
}

/* ---- vISA ---- */

struct visa_lines {
    const struct explain_kernel *explain;
    char *text;
    size_t size, seen;
    struct explain_listing *out;
};

/* Appends the lines that were printed since the last call. All but those of the instruction itself, the last one, stand
 * between instructions. */
static void take_visa(void *user, const struct visa_kernel *unit, size_t instruction)
{
    struct visa_lines *v = user;
    const struct visa_instruction *i = &unit->instructions[instruction];
    while (v->seen < v->size) {
        size_t length = strcspn(v->text + v->seen, "\n");
        struct explain_line line = {.text = strndup(v->text + v->seen, length)};
        v->seen += length + 1;
        if (v->seen >= v->size) {
            line.file = i->file;
            line.line = i->line;
            line.visa = visa_number_of(v->explain->kernel, unit, i);
        }
        explain_add(v->out, line);
    }
}

static void collect_visa(struct explain_kernel *e)
{
    struct visa_lines v = {.explain = e, .out = &e->forms[EXPLAIN_VISA]};
    FILE *out = open_memstream(&v.text, &v.size);
    visa_print_each(e->program, e->kernel, cmc_checked(out), take_visa, &v);
    fclose(out);
    free(v.text);
}

/* ---- Gen ---- */

/* Counts the Gen line for the vISA line that it comes from. */
static void count_for_visa(struct explain_kernel *e, size_t visa)
{
    struct explain_listing *list = &e->forms[EXPLAIN_VISA];
    for (size_t i = 0; visa && i < list->count; i++)
        if (list->lines[i].visa == visa)
            list->lines[i].gen++;
}

/* Cuts the comment with the vISA instruction's number, `// $12`, and the blanks in front of it; keeps other comments.
 */
static char *gen_text(const struct gen_line *gen)
{
    size_t length = gen->length;
    const char *dollar = memrchr(gen->text, '$', length);
    if (dollar && memmem(gen->text, length, "//", 2) && (size_t)(gen->text + length - dollar) <= 8)
        length = (size_t)(dollar - gen->text);
    while (length && strchr(" /;\t\r", gen->text[length - 1]))
        length--;
    return strndup(gen->text, length);
}

/* True if the instruction names a distance or a token of the scoreboard that it waits for: {@1}, {$3.dst}. */
bool explain_waits(const char *text)
{
    const char *brace = strrchr(text, '{');
    return brace && (strchr(brace, '@') || strstr(brace, ".dst") || strstr(brace, ".src"));
}

static void take_gen(void *user, const struct gen_line *gen)
{
    struct explain_kernel *e = user;
    struct explain_line line = {.text = cmc_checked(gen_text(gen)),
                                .file = gen->from ? gen->from->file : 0,
                                .line = gen->from ? gen->from->line : 0,
                                .visa = visa_number_of(e->kernel, gen->unit, gen->from),
                                .offset = gen->offset,
                                .class = gen_class_of(gen->text, gen->length)};
    e->waits += explain_waits(line.text);
    count_for_visa(e, line.visa);
    explain_add(&e->forms[EXPLAIN_GEN], line);
}

static unsigned number_behind(const char *text, const char *word)
{
    const char *at = text ? strstr(text, word) : NULL;
    return at ? (unsigned)strtoul(at + strlen(word), NULL, 10) : 0;
}

/* ---- source ---- */

static const char *path_of(const struct visa_file *f, char *path, size_t size)
{
    snprintf(path, size, "%s%s%s", *f->name == '/' ? "" : f->folder, *f->name == '/' || !*f->folder ? "" : "/",
             f->name);
    return path;
}

static unsigned gen_of_line(const struct explain_kernel *e, unsigned file, unsigned line)
{
    const struct explain_listing *gen = &e->forms[EXPLAIN_GEN];
    unsigned count = 0;
    for (size_t i = 0; i < gen->count; i++)
        count += gen->lines[i].file == file && gen->lines[i].line == line;
    return count;
}

static void add_text(struct explain_kernel *e, unsigned file, const char *text)
{
    for (unsigned number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        explain_add(&e->forms[EXPLAIN_SOURCE], (struct explain_line){.text = strndup(text, length),
                                                                     .file = file,
                                                                     .line = number,
                                                                     .gen = gen_of_line(e, file, number)});
        text += length + (text[length] != 0);
    }
}

static void add_file(struct explain_kernel *e, const struct explain_input *input, unsigned file, bool first)
{
    const struct visa_file *f = &e->program->files[file - 1];
    char path[4096], head[4200];
    void *text = NULL;
    size_t size = 0;
    bool given = input->name && input->text && strcmp(f->name, input->name) == 0;
    path_of(f, path, sizeof path);
    if (!first) {
        snprintf(head, sizeof head, "// ---- %s ----", path);
        explain_add(&e->forms[EXPLAIN_SOURCE], (struct explain_line){.text = strdup(head)});
    }
    if (given) {
        add_text(e, file, input->text);
    } else if (file_read(path, &text, &size) == 0) {
        add_text(e, file, text);
    } else {
        snprintf(head, sizeof head, "// cannot read %s", path);
        explain_add(&e->forms[EXPLAIN_SOURCE], (struct explain_line){.text = strdup(head)});
    }
    free(text);
}

void explain_add_sources(struct explain_kernel *e, const struct explain_input *input)
{
    bool *used = cmc_checked(calloc(e->program->file_count + 1, sizeof *used));
    for (size_t i = 0; i < e->forms[EXPLAIN_GEN].count; i++)
        used[e->forms[EXPLAIN_GEN].lines[i].file] = true;
    used[0] = false;
    if (e->kernel->file)
        add_file(e, input, e->kernel->file, true);
    for (unsigned file = 1; file <= e->program->file_count; file++)
        if (used[file] && file != e->kernel->file)
            add_file(e, input, file, false);
    free(used);
}

bool explain_kernel_collect(struct explain_kernel *out, const struct explain_input *input, struct visa_program *program,
                            const struct visa_kernel *kernel, const struct gen_code *code)
{
    *out = (struct explain_kernel){.program = program, .kernel = kernel, .code = code, .remarks = input->remarks};
    bool good = pressure_profile_find(program, kernel, &out->pressure);
    explain_ir_list(input->ir, program, kernel->name, &out->forms[EXPLAIN_LLVM]);
    collect_visa(out);
    good = gen_lines_visit(program, kernel, code, take_gen, out) && good;
    explain_add_sources(out, input);
    gen_class_count(code->assembly, out->classes);
    out->bank_conflicts = number_behind(code->assembly, "//.BankConflicts: ");
    return good;
}

void explain_kernel_free(struct explain_kernel *explain)
{
    for (unsigned form = 0; form < EXPLAIN_FORMS; form++) {
        for (size_t i = 0; i < explain->forms[form].count; i++)
            free(explain->forms[form].lines[i].text);
        free(explain->forms[form].lines);
    }
    pressure_profile_free(&explain->pressure);
}
