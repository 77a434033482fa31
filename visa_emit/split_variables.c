/* Splits the variables of a kernel that spills. An operation on many lanes becomes several instructions, each on the
 * same one or two registers of all its operands. As variables of their own, these registers are free as soon as the
 * next operation has read them, and need no run of many free registers.
 *
 *     add (16) V1.0 = ..    add (16) V1.64 = ..          add (16) V5 = ..    add (16) V6 = ..
 *     abs (16) V2.0 = V1.0  abs (16) V2.64 = V1.64       abs (16) V7 = V5    abs (16) V8 = V6 */
#include <stdlib.h>
#include "visa_emit/debug_rewrite.h"
#include "visa_emit/place.h"
#include "visa_emit/visa.h"

/* The registers of a variable. */
struct registers {
    bool whole; /* it must stay as it is */
    unsigned count;
    bool *joined;    /* [k]: an instruction reads or writes both register k - 1 and k */
    unsigned *parts; /* [k]: the new variable that register k belongs to; 0: the old one */
};

struct split {
    struct visa_program *program;
    struct visa_kernel *kernel;
    struct registers *variables;
    bool *joined; /* those of all variables */
    unsigned *parts;
};

static struct registers *registers_of(struct split *s, unsigned variable)
{
    return variable >= VISA_FIRST_VARIABLE ? &s->variables[variable - VISA_FIRST_VARIABLE] : NULL;
}

static unsigned bytes_of(const struct visa_variable *v)
{
    return v->elements * visa_type_bytes(v->type);
}

static void keep_whole(struct split *s, unsigned variable)
{
    struct registers *r = registers_of(s, variable);
    if (r)
        r->whole = true;
}

static void note(struct split *s, const struct visa_operand *o, unsigned lanes, bool is_destination)
{
    struct registers *r = registers_of(s, o->variable);
    if (o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE || !r)
        return;
    int grf = (int)s->program->platform->grf_bytes;
    struct visa_place place = visa_place_of(o, lanes, is_destination);
    if (o->kind != VISA_OPERAND_GENERAL || place.from < 0 || place.to > (int)r->count * grf) {
        r->whole = true;
        return;
    }
    for (int k = place.from / grf + 1; k <= (place.to - 1) / grf; k++)
        r->joined[k] = true;
}

static void note_instruction(struct split *s, const struct visa_instruction *i)
{
    if (i->op == VISA_OP_LIFETIME_START)
        return;
    bool hidden = visa_has_hidden_operands(i);
    note(s, &i->dst, i->exec_size, true);
    if (hidden)
        keep_whole(s, i->dst.variable);
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++) {
        note(s, &i->src[k], i->exec_size, false);
        if (hidden)
            keep_whole(s, i->src[k].variable);
    }
    for (unsigned k = 0; k < i->parameter_count; k++)
        keep_whole(s, i->parameters[k].variable);
}

/* Makes variables of the parts of variable `number`. False: it has one part, or must stay whole. */
static bool make_parts(struct split *s, unsigned number)
{
    struct registers *r = &s->variables[number];
    unsigned grf = s->program->platform->grf_bytes;
    bool splits = false;
    for (unsigned k = 1; k < r->count; k++)
        splits = splits || !r->joined[k];
    struct debug_part_of_value *parts = r->whole || !splits ? NULL : calloc(r->count, sizeof *parts);
    size_t count = 0;
    if (!parts)
        return false;
    for (unsigned first = 0, end; first < r->count; first = end) {
        struct visa_variable part = s->kernel->variables[number];
        for (end = first + 1; end < r->count && r->joined[end];)
            end++;
        part.elements = (end - first) * grf / visa_type_bytes(part.type);
        part.align = grf;
        unsigned variable = visa_add_variable(s->program, s->kernel, &part);
        for (unsigned k = first; k < end; k++)
            r->parts[k] = variable;
        parts[count++] = (struct debug_part_of_value){variable, first * grf, (end - first) * grf};
    }
    debug_rewrite_split(s->program, s->kernel, VISA_FIRST_VARIABLE + number, parts, count);
    free(parts);
    return true;
}

/* Lets an operand name the part that it is in; a start of a lifetime, the first part. */
static void rename_operand(struct split *s, struct visa_operand *o)
{
    bool named = o->kind == VISA_OPERAND_GENERAL || o->kind == VISA_OPERAND_RAW;
    struct registers *r = named ? registers_of(s, o->variable) : NULL;
    int grf = (int)s->program->platform->grf_bytes, k = o->offset / grf, first = k;
    if (!r || r->count == 0 || !r->parts[0])
        return;
    while (first > 0 && r->parts[first - 1] == r->parts[k])
        first--;
    o->variable = r->parts[k];
    o->offset -= first * grf;
}

static void rename_operands(struct split *s, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct visa_instruction *i = &s->kernel->instructions[k];
        rename_operand(s, &i->dst);
        for (unsigned n = 0; n < VISA_MAX_SOURCES; n++)
            rename_operand(s, &i->src[n]);
    }
}

/* Gives each variable its registers; those that are no run of whole registers, or that arrive in some, stay whole. */
static bool count_registers(struct split *s, size_t variables)
{
    unsigned grf = s->program->platform->grf_bytes;
    size_t all = 0;
    for (size_t k = 0; k < variables; k++) {
        const struct visa_variable *v = &s->kernel->variables[k];
        struct registers *r = &s->variables[k];
        bool is_general = v->class == VISA_CLASS_GENERAL && v->input_offset < 0;
        r->count = is_general ? bytes_of(v) / grf : 0;
        r->whole = r->count < 2 || bytes_of(v) % grf != 0;
        all += r->count;
    }
    s->joined = calloc(all + 1, sizeof *s->joined);
    s->parts = calloc(all + 1, sizeof *s->parts);
    if (!s->joined || !s->parts)
        return false;
    for (size_t k = 0, next = 0; k < variables; next += s->variables[k++].count) {
        s->variables[k].joined = s->joined + next;
        s->variables[k].parts = s->parts + next;
    }
    return true;
}

bool visa_split_variables(struct visa_program *program, struct visa_kernel *kernel)
{
    size_t variables = kernel->variable_count, instructions = kernel->instruction_count;
    struct split s = {.program = program, .kernel = kernel};
    bool splits = false;
    if (program->watched || kernel->function_count > 0) /* debuggers read homes whole; calls were not tried */
        return false;
    s.variables = calloc(variables + 1, sizeof *s.variables);
    if (s.variables && count_registers(&s, variables)) {
        for (size_t k = 0; k < instructions; k++)
            note_instruction(&s, &kernel->instructions[k]);
        debug_rewrite_begin(program, kernel);
        for (size_t k = 0; k < variables; k++)
            splits |= make_parts(&s, (unsigned)k);
        if (splits)
            rename_operands(&s, instructions);
        if (splits)
            visa_start_lifetimes(program, kernel);
    }
    free(s.variables);
    free(s.joined);
    free(s.parts);
    return splits;
}
