/* Finds the highest register pressure from the live variables (live_variables.h) in front of each instruction, counted
 * in whole registers. See pressure.h. */
#include "visa_emit/pressure.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/live_variables.h"

struct peak {
    struct live_variables f;
    unsigned grf;
    uint64_t *live;                 /* after the instruction that is looked at */
    unsigned *writes;               /* per variable: of the block that is walked, in front of there */
    bool *there;                    /* per variable: live where most are, as far as is known */
    unsigned *bytes;                /* per instruction, or NULL: not wanted */
    const struct live_block *block; /* that is walked */
    unsigned *sizes;                /* per variable */
    bool *counted;                  /* per variable: whether its size is in `total` */
    unsigned total;                 /* of the live variables after the instruction that is looked at */
};

/* Returns a variable's size, rounded up to whole registers if it is one or larger. */
static unsigned bytes_of(const struct peak *p, size_t variable)
{
    const struct visa_variable *v = &p->f.kernel->variables[variable];
    unsigned bytes = v->class == VISA_CLASS_GENERAL ? v->elements * visa_type_bytes(v->type) : 0;
    return bytes < p->grf ? bytes : (bytes + p->grf - 1) / p->grf * p->grf;
}

static void count_write(struct live_variables *f, size_t variable, void *writes)
{
    (void)f;
    ((unsigned *)writes)[variable]++;
}

/* Counts the variable's size if it is read later and may have been written before. */
static void count_live(struct live_variables *f, size_t variable, void *peak)
{
    (void)f;
    struct peak *p = peak;
    bool is_live =
        variable_in(p->live, variable) && (variable_in(p->block->before, variable) || p->writes[variable] > 0);
    if (is_live != p->counted[variable])
        p->total += is_live ? p->sizes[variable] : 0 - p->sizes[variable];
    p->counted[variable] = is_live;
}

static void note_peak(struct peak *p, struct pressure *out, const struct visa_instruction *at, unsigned bytes)
{
    *out = (struct pressure){.at = at, .bytes = bytes};
    memcpy(p->there, p->counted, p->f.kernel->variable_count * sizeof *p->there);
}

static void pass_write(struct live_variables *f, size_t variable, void *peak)
{
    ((struct peak *)peak)->writes[variable]--;
    count_live(f, variable, peak);
}

/* Goes from after an instruction to before it. */
static void step_back(struct peak *p, const struct visa_instruction *i)
{
    live_variables_step(&p->f, i, p->live);
    live_visit_variables(&p->f, i, true, pass_write, p);
    live_visit_variables(&p->f, i, false, count_live, p);
}

static void walk_block(struct peak *p, struct pressure *out, const struct live_block *block)
{
    const struct visa_instruction *all = p->f.kernel->instructions;
    memcpy(p->live, block->out, p->f.words * sizeof *p->live);
    live_variables_start(&p->f);
    for (size_t n = block->first; n < block->end; n++)
        live_visit_variables(&p->f, &all[n], true, count_write, p->writes);
    p->block = block;
    for (size_t v = 0; v < p->f.kernel->variable_count; v++)
        count_live(&p->f, v, p);
    for (size_t n = block->end; n-- > block->first;) {
        size_t written;
        unsigned bytes = p->total;
        if (live_operand_variable(&p->f, &all[n].dst, &written) && !variable_in(p->live, written))
            bytes += p->sizes[written];
        if (p->bytes)
            p->bytes[n] = bytes;
        if (all[n].file && all[n].line && bytes > out->bytes)
            note_peak(p, out, &all[n], bytes);
        step_back(p, &all[n]);
    }
}

/* Finds the first instruction in the text that writes each variable. NULL: it is an input of the thread. */
static void find_first_writes(const struct peak *p, const struct visa_instruction **first)
{
    const struct visa_kernel *k = p->f.kernel;
    for (size_t n = 0; n < k->instruction_count; n++) {
        size_t written;
        if (live_operand_variable(&p->f, &k->instructions[n].dst, &written) && !first[written])
            first[written] = &k->instructions[n];
    }
}

static int largest_first(const void *a, const void *b)
{
    const struct pressure_line *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Sums the variables at the peak by the lines that write them first. `lines` has room for all. */
static void add_lines(const struct peak *p, const struct visa_instruction **first, struct pressure_line *lines,
                      struct pressure *out)
{
    const struct visa_kernel *kernel = p->f.kernel;
    size_t count = 0;
    for (size_t v = 0; v < kernel->variable_count; v++) {
        if (!p->there[v])
            continue;
        bool known = first[v] && first[v]->file && first[v]->line;
        struct pressure_line line = {known ? first[v]->file : kernel->file, known ? first[v]->line : kernel->line, 0};
        size_t k = 0;
        while (k < count && (lines[k].file != line.file || lines[k].line != line.line))
            k++;
        if (k == count)
            lines[count++] = line;
        lines[k].bytes += p->sizes[v];
    }
    qsort(lines, count, sizeof *lines, largest_first);
    for (; out->count < PRESSURE_LINES && out->count < count; out->count++)
        out->lines[out->count] = lines[out->count];
}

static bool peak_make(struct peak *p, const struct visa_program *program, const struct visa_kernel *kernel)
{
    size_t room = kernel->variable_count + 1;
    p->grf = program->platform->grf_bytes;
    bool good = live_variables_find(&p->f, kernel);
    p->live = calloc(room / 64 + 1, sizeof *p->live);
    p->writes = calloc(room, sizeof *p->writes);
    p->there = calloc(room, sizeof *p->there);
    p->sizes = calloc(room, sizeof *p->sizes);
    p->counted = calloc(room, sizeof *p->counted);
    for (size_t v = 0; p->sizes && v < kernel->variable_count; v++)
        p->sizes[v] = bytes_of(p, v);
    return good && p->live && p->writes && p->there && p->sizes && p->counted;
}

static void peak_free(struct peak *p)
{
    live_variables_free(&p->f);
    free(p->live);
    free(p->writes);
    free(p->there);
    free(p->sizes);
    free(p->counted);
}

static bool find_in_text(const struct visa_program *program, const struct visa_kernel *kernel, struct pressure *out)
{
    struct peak p = {0};
    size_t room = kernel->variable_count + 1;
    const struct visa_instruction **first = calloc(room, sizeof *first);
    struct pressure_line *lines = calloc(room, sizeof *lines);
    bool good = peak_make(&p, program, kernel) && first && lines;
    for (size_t b = 0; good && b < p.f.count; b++)
        walk_block(&p, out, &p.f.blocks[b]);
    if (good) {
        find_first_writes(&p, first);
        add_lines(&p, first, lines, out);
    }
    peak_free(&p);
    free(first);
    free(lines);
    return good;
}

bool pressure_find(const struct visa_program *program, const struct visa_kernel *kernel, struct pressure *out)
{
    *out = (struct pressure){0};
    bool good = find_in_text(program, kernel, out);
    for (size_t n = 0; good && n < kernel->function_count; n++) {
        struct pressure other = {0};
        good = find_in_text(program, kernel->functions[n], &other);
        if (good && other.bytes > out->bytes)
            *out = other;
    }
    return good && out->at;
}

static int largest_variable_first(const void *a, const void *b)
{
    const struct pressure_variable *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static void add_variables(const struct peak *p, const struct visa_instruction **first, struct pressure_profile *out)
{
    const struct visa_kernel *kernel = p->f.kernel;
    for (size_t v = 0; v < kernel->variable_count; v++) {
        if (!p->there[v] || !p->sizes[v])
            continue;
        bool known = first[v] && first[v]->file && first[v]->line;
        out->variables[out->count++] = (struct pressure_variable){
            .number = (unsigned)(v + VISA_FIRST_VARIABLE),
            .bytes = p->sizes[v],
            .file = known ? first[v]->file : kernel->file,
            .line = known ? first[v]->line : kernel->line,
        };
    }
    qsort(out->variables, out->count, sizeof *out->variables, largest_variable_first);
}

bool pressure_profile_find(const struct visa_program *program, const struct visa_kernel *kernel,
                           struct pressure_profile *out)
{
    struct peak p = {0};
    struct pressure most = {0};
    const struct visa_instruction **first = calloc(kernel->variable_count + 1, sizeof *first);
    *out = (struct pressure_profile){.bytes = calloc(kernel->instruction_count + 1, sizeof *out->bytes),
                                     .variables = calloc(kernel->variable_count + 1, sizeof *out->variables)};
    p.bytes = out->bytes;
    bool good = peak_make(&p, program, kernel) && first && out->bytes && out->variables;
    for (size_t b = 0; good && b < p.f.count; b++)
        walk_block(&p, &most, &p.f.blocks[b]);
    if (good && most.at) {
        find_first_writes(&p, first);
        add_variables(&p, first, out);
        out->peak = (size_t)(most.at - kernel->instructions);
    }
    peak_free(&p);
    free(first);
    return good;
}

void pressure_profile_free(struct pressure_profile *profile)
{
    free(profile->bytes);
    free(profile->variables);
}
