/* Finds the highest register pressure from the live variables (live_variables.h) in front of each instruction, counted
 * in whole registers. See pressure.h. */
#include "visa_emit/pressure.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/live_variables.h"

/* Sets are of variables, as those of live_variables.h. */
struct peak {
    struct live_variables f;
    unsigned grf;
    uint64_t *live;                 /* after the instruction that is looked at */
    unsigned *writes;               /* per variable: of the block that is walked, in front of there */
    uint64_t *there;                /* live where most are, as far as is known; or NULL: not wanted */
    unsigned *bytes;                /* per instruction, or NULL: not wanted */
    const struct live_block *block; /* that is walked */
    unsigned *sizes;                /* per variable */
    uint64_t *counted;              /* whose size is in `total` */
    unsigned total;                 /* of the live variables after the instruction that is looked at */
};

/* Returns a variable's size, rounded up to whole registers if it is one or larger. */
static unsigned bytes_of(const struct peak *p, size_t variable)
{
    const struct visa_variable *v = &p->f.kernel->variables[variable];
    unsigned bytes = v->class == VISA_CLASS_GENERAL ? v->elements * visa_type_bytes(v->type) : 0;
    return bytes < p->grf ? bytes : (bytes + p->grf - 1) / p->grf * p->grf;
}

/* Adds the sizes of variables in a word of a set that is counted from now on, and takes away those of the others. */
static void count_word(struct peak *p, size_t word, uint64_t live)
{
    for (uint64_t changed = p->counted[word] ^ live; changed; changed &= changed - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(changed), size = p->sizes[word * 64 + bit];
        p->total += live >> bit & 1 ? size : 0 - size;
    }
    p->counted[word] = live;
}

/* Counts the variable's size if it is read later and may have been written before. */
static inline void count_live(struct peak *p, size_t variable)
{
    bool is_live =
        variable_in(p->live, variable) && (variable_in(p->block->before, variable) || p->writes[variable] > 0);
    if (is_live == variable_in(p->counted, variable))
        return;
    p->total += is_live ? p->sizes[variable] : 0 - p->sizes[variable];
    p->counted[variable / 64] ^= 1ull << (variable % 64);
}

static void note_peak(struct peak *p, struct pressure *out, const struct visa_instruction *at, unsigned bytes)
{
    *out = (struct pressure){.at = at, .bytes = bytes};
    if (p->there)
        memcpy(p->there, p->counted, p->f.words * sizeof *p->there);
}

/* Goes from after instruction `n` to before it. */
static void step_back(struct peak *p, size_t n)
{
    const struct live_accesses *a = &p->f.accesses[n];
    const unsigned *variables = &p->f.accessed[a->first];
    live_variables_step(&p->f, n, p->live);
    for (unsigned k = 0; k < a->writes; k++)
        p->writes[variables[k]]--;
    for (unsigned k = 0; k < a->writes + a->reads; k++)
        count_live(p, variables[k]);
}

static void start_at_end(struct peak *p, const struct live_block *block)
{
    memcpy(p->live, block->out, p->f.words * sizeof *p->live);
    live_variables_start(&p->f);
    p->block = block;
    for (size_t w = 0; w < p->f.words; w++)
        count_word(p, w, p->live[w] & block->before[w]);
    for (size_t n = block->first; n < block->end; n++)
        for (unsigned k = 0; k < p->f.accesses[n].writes; k++) {
            unsigned written = p->f.accessed[p->f.accesses[n].first + k];
            p->writes[written]++;
            count_live(p, written);
        }
}

static void walk_block(struct peak *p, struct pressure *out, const struct live_block *block)
{
    const struct visa_instruction *all = p->f.kernel->instructions;
    start_at_end(p, block);
    for (size_t n = block->end; n-- > block->first;) {
        const struct live_accesses *a = &p->f.accesses[n];
        unsigned bytes = p->total;
        if (a->has_result && !variable_in(p->live, p->f.accessed[a->first]))
            bytes += p->sizes[p->f.accessed[a->first]];
        if (p->bytes)
            p->bytes[n] = bytes;
        if (all[n].file && all[n].line && bytes > out->bytes)
            note_peak(p, out, &all[n], bytes);
        step_back(p, n);
    }
}

/* Finds the first instruction in the text that writes each variable. NULL: it is an input of the thread. */
static void find_first_writes(const struct peak *p, const struct visa_instruction **first)
{
    const struct visa_kernel *k = p->f.kernel;
    for (size_t n = 0; n < k->instruction_count; n++) {
        const struct live_accesses *a = &p->f.accesses[n];
        if (a->has_result && !first[p->f.accessed[a->first]])
            first[p->f.accessed[a->first]] = &k->instructions[n];
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
        if (!variable_in(p->there, v))
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

static bool peak_make(struct peak *p, const struct visa_program *program, const struct visa_kernel *kernel,
                      bool with_variables)
{
    size_t room = kernel->variable_count + 1;
    p->grf = program->platform->grf_bytes;
    bool good = live_variables_find(&p->f, kernel);
    p->live = calloc(room / 64 + 1, sizeof *p->live);
    p->writes = calloc(room, sizeof *p->writes);
    p->there = with_variables ? calloc(room / 64 + 1, sizeof *p->there) : NULL;
    p->sizes = calloc(room, sizeof *p->sizes);
    p->counted = calloc(room / 64 + 1, sizeof *p->counted);
    for (size_t v = 0; p->sizes && v < kernel->variable_count; v++)
        p->sizes[v] = bytes_of(p, v);
    return good && p->live && p->writes && (p->there || !with_variables) && p->sizes && p->counted;
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

static bool find_lines(const struct peak *p, struct pressure *out)
{
    size_t room = p->f.kernel->variable_count + 1;
    const struct visa_instruction **first = calloc(room, sizeof *first);
    struct pressure_line *lines = calloc(room, sizeof *lines);
    bool good = first && lines;
    if (good) {
        find_first_writes(p, first);
        add_lines(p, first, lines, out);
    }
    free(first);
    free(lines);
    return good;
}

static bool find_in_text(const struct visa_program *program, const struct visa_kernel *kernel, bool with_lines,
                         struct pressure *out)
{
    struct peak p = {0};
    *out = (struct pressure){0};
    bool good = peak_make(&p, program, kernel, with_lines);
    for (size_t b = 0; good && b < p.f.count; b++)
        walk_block(&p, out, &p.f.blocks[b]);
    good = good && (!with_lines || find_lines(&p, out));
    peak_free(&p);
    return good;
}

static bool find_in_texts(const struct visa_program *program, const struct visa_kernel *kernel, bool with_lines,
                          struct pressure *out)
{
    bool good = find_in_text(program, kernel, with_lines, out);
    for (size_t n = 0; good && n < kernel->function_count; n++) {
        struct pressure other;
        good = find_in_text(program, kernel->functions[n], with_lines, &other);
        if (good && other.bytes > out->bytes)
            *out = other;
    }
    return good && out->at;
}

bool pressure_find(const struct visa_program *program, const struct visa_kernel *kernel, struct pressure *out)
{
    return find_in_texts(program, kernel, true, out);
}

bool pressure_find_bytes(const struct visa_program *program, const struct visa_kernel *kernel, unsigned *bytes)
{
    struct pressure peak;
    bool good = find_in_texts(program, kernel, false, &peak);
    *bytes = peak.bytes;
    return good;
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
        if (!variable_in(p->there, v) || !p->sizes[v])
            continue;
        bool known = first[v] && first[v]->file && first[v]->line;
        out->variables[out->count++] = (struct pressure_variable){
            .number = (unsigned)(v + VISA_FIRST_VARIABLE),
            .bytes = p->sizes[v],
            .file = known ? first[v]->file : kernel->file,
            .line = known ? first[v]->line : kernel->line,
            .first = first[v],
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
    bool good = peak_make(&p, program, kernel, true) && first && out->bytes && out->variables;
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
