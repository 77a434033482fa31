#include "visa_emit/code_functions.h"

#include <stdlib.h>
#include "visa_emit/source_lines.h"

/* What the visitor of the listing's lines collects. */
struct collector {
    struct code_function *functions;
    size_t count;
    const struct visa_kernel *unit; /* of the line before, with its subroutine */
    unsigned subroutine;
    bool failed;
};

/* Returns the instruction that begins a subroutine. NULL: none has the number. */
static const struct visa_instruction *find_subroutine(const struct visa_kernel *unit, unsigned number)
{
    for (size_t i = 0; i < unit->instruction_count && number; i++)
        if (unit->instructions[i].op == VISA_OP_FUNCTION && (unsigned)unit->instructions[i].attr[0] == number)
            return &unit->instructions[i];
    return NULL;
}

static void begin(struct collector *c, const struct gen_line *line)
{
    struct code_function *more = realloc(c->functions, (c->count + 1) * sizeof *more);
    const struct visa_instruction *beginning = find_subroutine(line->unit, line->subroutine);
    c->failed |= !more;
    if (!more)
        return;
    c->functions = more;
    struct code_function *function = &more[c->count++];
    *function = (struct code_function){line->unit->source_name, line->unit->file, line->unit->line, line->offset, 0};
    if (beginning) {
        function->name = beginning->text;
        function->file = (unsigned)beginning->attr[1];
        function->line = (unsigned)beginning->attr[2];
    }
    if (!function->name)
        function->name = "";
}

static void add_line(void *user, const struct gen_line *line)
{
    struct collector *c = user;
    if (c->count == 0 || line->unit != c->unit || line->subroutine != c->subroutine)
        begin(c, line);
    c->unit = line->unit;
    c->subroutine = line->subroutine;
}

size_t code_functions_find(const struct visa_program *program, const struct visa_kernel *kernel,
                           const struct gen_code *code, struct code_function **functions)
{
    struct collector c = {0};
    if (!gen_lines_visit(program, kernel, code, add_line, &c) || c.failed) {
        free(c.functions);
        c = (struct collector){0};
    }
    for (size_t i = 0; i < c.count; i++)
        c.functions[i].end = i + 1 < c.count ? c.functions[i + 1].start : code->size;
    *functions = c.functions;
    return c.count;
}
