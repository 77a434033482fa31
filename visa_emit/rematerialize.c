/* Computes small numbers of a kernel that spills again where they are used, such as the addresses of blocks that are
 * read at the beginning and written at the end. Between their uses they need no register then.
 *
 *     add (1) V2:q = V1:q 0x80            add (1) V2:q = V1:q 0x80
 *     load V3 = [V2]                      load V3 = [V2]
 *     ..                                  ..
 *                                         add (1) V4:q = V1:q 0x80
 *     store [V2] = V3                     store [V4] = V3
 *
 * A number is a variable of at most eight bytes. The instructions that write it, and the carries that these read, are
 * its steps: a few scalar instructions of one block. They compute the same again if their other operands are immediates
 * and variables that keep their values: those that are never written, such as arguments, those that are written before
 * in the entry block, and, for uses in the block of the steps, those that are written before in this block. */
#include <stdlib.h>
#include <string.h>
#include "visa_emit/place.h"
#include "visa_emit/visa.h"

enum { MOST_BYTES = 8, MOST_STEPS = 4, MOST_RESULTS = 3, ENTRY_BLOCK = 1, NEAR = 24 };

/* Where a variable is written and read. */
struct accesses {
    size_t writes, last_write, last_read; /* numbers of instructions */
    size_t block;                         /* of the writes */
    bool shared;                          /* several blocks write it */
    bool fixed;                           /* its address is taken, or an operand is neither general nor a payload */
};

/* How a number is computed. */
struct recipe {
    size_t steps[MOST_STEPS], step_count;         /* in the order of the kernel */
    unsigned results[MOST_RESULTS], result_count; /* the variable itself and its carries */
    size_t block;
    bool global; /* it computes the same in all blocks */
};

/* The variable that has the number now, and the last instruction, in the new kernel, that used it. */
struct current {
    unsigned variable;
    size_t block, used;
};

struct state {
    struct visa_program *program;
    struct visa_kernel *kernel;
    const struct visa_instruction *old;
    size_t old_count;
    unsigned variable_count; /* of the kernel as it was */
    struct accesses *accesses;
    struct recipe *recipes; /* step_count 0: there is none */
    struct current *current;
    bool changed;
};

static bool is_own(const struct state *s, const struct visa_operand *o)
{
    return o->kind != VISA_OPERAND_NONE && o->kind != VISA_OPERAND_IMMEDIATE && o->variable >= VISA_FIRST_VARIABLE &&
           o->variable - VISA_FIRST_VARIABLE < s->variable_count;
}

static struct accesses *accesses_of(const struct state *s, unsigned variable)
{
    return &s->accesses[variable - VISA_FIRST_VARIABLE];
}

static bool is_second_result(const struct visa_instruction *i, unsigned source)
{
    return source == 0 && visa_has_carry(i);
}

static bool is_plain(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_GENERAL || o->kind == VISA_OPERAND_RAW;
}

static void note_write(struct state *s, const struct visa_operand *o, size_t at, size_t block)
{
    if (!is_own(s, o))
        return;
    struct accesses *a = accesses_of(s, o->variable);
    a->fixed |= !is_plain(o);
    a->shared |= a->writes && a->block != block;
    a->block = block;
    a->last_write = at;
    a->writes++;
}

static void note_read(struct state *s, const struct visa_operand *o, size_t at)
{
    if (!is_own(s, o))
        return;
    struct accesses *a = accesses_of(s, o->variable);
    a->fixed |= !is_plain(o);
    a->last_read = at;
}

/* Returns the block of instruction `at`, in the order of the kernel, after `block`. The label in front of the entry
 * block begins none: no branch goes there. */
static size_t block_at(const struct state *s, size_t at, size_t block)
{
    return block + (at > 0 && visa_ends_block(&s->old[at]));
}

static void note_accesses(struct state *s)
{
    for (size_t at = 0, block = ENTRY_BLOCK; at < s->old_count; at++) {
        const struct visa_instruction *i = &s->old[at];
        block = block_at(s, at, block);
        note_write(s, &i->dst, at, block);
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            if (is_second_result(i, k))
                note_write(s, &i->src[k], at, block);
            else
                note_read(s, &i->src[k], at);
        for (unsigned k = 0; k < i->parameter_count; k++)
            note_read(s, &i->parameters[k], at);
    }
}

static bool is_small(const struct state *s, unsigned variable)
{
    const struct visa_variable *v = visa_variable(s->kernel, variable);
    return v->class == VISA_CLASS_GENERAL && v->elements * visa_type_bytes(v->type) <= MOST_BYTES;
}

static bool can_repeat(const struct visa_instruction *i)
{
    bool carries = visa_has_carry(i) && i->dst.kind == VISA_OPERAND_GENERAL && visa_place_is_simple(&i->src[1]) &&
                   visa_place_is_simple(&i->src[2]);
    return (visa_computes(i) || carries) && i->exec_size == 1 && i->predicate.variable == VISA_NULL && !i->by_channel &&
           i->op != VISA_OP_DPAS;
}

static bool is_result(const struct recipe *r, unsigned variable)
{
    for (unsigned k = 0; k < r->result_count; k++)
        if (r->results[k] == variable)
            return true;
    return false;
}

/* True if the variable has at each use of the recipe's result the value that it has at the first step. */
static bool keeps_value(const struct state *s, struct recipe *r, unsigned variable)
{
    const struct accesses *a = accesses_of(s, variable);
    if (a->fixed || a->shared || (a->writes && a->last_write >= r->steps[0]))
        return false;
    if (a->writes && a->block != ENTRY_BLOCK) {
        r->global = false;
        return a->block == r->block;
    }
    return true;
}

/* Puts the writes of a result into the recipe, in order. False: they are not such steps. */
static bool add_result(const struct state *s, struct recipe *r, unsigned variable)
{
    const struct accesses *a = accesses_of(s, variable);
    bool input = visa_variable(s->kernel, variable)->input_offset >= 0;
    if (a->fixed || a->shared || !a->writes || a->writes > MOST_STEPS || input || !is_small(s, variable) ||
        r->result_count == MOST_RESULTS || (r->block && r->block != a->block))
        return false;
    r->block = a->block;
    r->results[r->result_count++] = variable;
    size_t left = a->writes;
    for (size_t at = a->last_write; left > 0; at--) {
        const struct visa_instruction *i = &s->old[at];
        bool second = is_second_result(i, 0) && i->src[0].variable == variable;
        if ((is_own(s, &i->dst) && i->dst.variable == variable) || second) {
            size_t n = r->step_count;
            while (n > 0 && r->steps[n - 1] > at)
                n--;
            bool known = n > 0 && r->steps[n - 1] == at;
            if (!can_repeat(i) || (!known && r->step_count == MOST_STEPS))
                return false;
            if (!known) {
                memmove(&r->steps[n + 1], &r->steps[n], (r->step_count - n) * sizeof *r->steps);
                r->steps[n] = at;
                r->step_count++;
            }
            left--;
        }
        if (at == 0)
            break;
    }
    return left == 0;
}

/* The first variable that a step has and that is neither a result nor keeps its value; 0: there is none. */
static unsigned missing_variable(const struct state *s, struct recipe *r)
{
    for (size_t n = 0; n < r->step_count; n++) {
        const struct visa_instruction *i = &s->old[r->steps[n]];
        if (!is_result(r, i->dst.variable))
            return i->dst.variable;
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            if (is_own(s, &i->src[k]) && !is_result(r, i->src[k].variable) &&
                (is_second_result(i, k) || !keeps_value(s, r, i->src[k].variable)))
                return i->src[k].variable;
    }
    return 0;
}

static bool find_recipe(const struct state *s, unsigned variable, struct recipe *r)
{
    *r = (struct recipe){.global = true};
    for (unsigned missing = variable; missing; missing = missing_variable(s, r)) {
        r->global = true;
        if (!add_result(s, r, missing))
            return false;
    }
    return true;
}

/* The variable's number in the copies of its steps. */
static unsigned renamed(const struct recipe *r, const unsigned *names, unsigned variable)
{
    for (unsigned k = 0; k < r->result_count; k++)
        if (r->results[k] == variable)
            return names[k];
    return variable;
}

/* Computes the number again, before instruction `use` of the old kernel. Returns its new variable. */
static unsigned compute_again(struct state *s, const struct recipe *r, const struct visa_instruction *use)
{
    unsigned names[MOST_RESULTS];
    for (unsigned k = 0; k < r->result_count; k++) {
        struct visa_variable copy = *visa_variable(s->kernel, r->results[k]);
        names[k] = visa_add_variable(s->program, s->kernel, &copy);
    }
    for (size_t n = 0; n < r->step_count; n++) {
        struct visa_instruction step = s->old[r->steps[n]];
        step.no_mask = true; /* also where lanes are off */
        step.file = use->file;
        step.line = use->line;
        step.column = use->column;
        step.scope = use->scope;
        step.mark = step.state = 0;
        step.dst.variable = renamed(r, names, step.dst.variable);
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            if (is_own(s, &step.src[k]))
                step.src[k].variable = renamed(r, names, step.src[k].variable);
        visa_add_instruction(s->program, s->kernel, &step);
    }
    s->changed = true;
    return names[0];
}

/* True if all other operands of the steps are small, or are read from here on, too: else they would live longer. */
static bool is_worth_it(const struct state *s, const struct recipe *r, size_t at)
{
    for (size_t n = 0; n < r->step_count; n++)
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++) {
            const struct visa_operand *o = &s->old[r->steps[n]].src[k];
            if (is_own(s, o) && !is_result(r, o->variable) && !is_small(s, o->variable) &&
                accesses_of(s, o->variable)->last_read < at)
                return false;
        }
    return true;
}

/* Source `o` of instruction `at`, in `block`: near the last use it has the variable of that one, else a new one. */
static void rewrite_source(struct state *s, struct visa_operand *o, size_t at, size_t block)
{
    if (!is_own(s, o) || !is_plain(o))
        return;
    const struct recipe *r = &s->recipes[o->variable - VISA_FIRST_VARIABLE];
    struct current *c = &s->current[o->variable - VISA_FIRST_VARIABLE];
    if (!r->step_count || at <= r->steps[r->step_count - 1] || (!r->global && block != r->block) ||
        !is_worth_it(s, r, at))
        return;
    size_t now = s->kernel->instruction_count;
    if (c->block != block || now - c->used > NEAR)
        *c = (struct current){.variable = compute_again(s, r, &s->old[at]), .block = block};
    c->used = s->kernel->instruction_count;
    o->variable = c->variable;
}

static void rewrite(struct state *s)
{
    visa_replace_instructions(s->program, s->kernel, s->old_count * 2);
    for (size_t at = 0, block = ENTRY_BLOCK; at < s->old_count; at++) {
        struct visa_instruction i = s->old[at];
        block = block_at(s, at, block);
        for (unsigned k = 0; k < VISA_MAX_SOURCES && !visa_ends_block(&i); k++)
            if (!is_second_result(&i, k))
                rewrite_source(s, &i.src[k], at, block);
        visa_add_instruction(s->program, s->kernel, &i);
        if (is_own(s, &i.dst))
            s->current[i.dst.variable - VISA_FIRST_VARIABLE] =
                (struct current){.variable = i.dst.variable, .block = block, .used = s->kernel->instruction_count};
    }
}

bool visa_rematerialize(struct visa_program *program, struct visa_kernel *kernel)
{
    if (program->watched || kernel->function_count > 0) /* as visa_split_variables() */
        return false;
    size_t count = kernel->variable_count;
    struct state s = {.program = program,
                      .kernel = kernel,
                      .old = kernel->instructions,
                      .old_count = kernel->instruction_count,
                      .variable_count = (unsigned)count,
                      .accesses = calloc(count + 1, sizeof *s.accesses),
                      .recipes = calloc(count + 1, sizeof *s.recipes),
                      .current = calloc(count + 1, sizeof *s.current)};
    if (s.accesses && s.recipes && s.current) {
        note_accesses(&s);
        for (unsigned v = 0; v < count; v++)
            if (!find_recipe(&s, v + VISA_FIRST_VARIABLE, &s.recipes[v]))
                s.recipes[v].step_count = 0;
        rewrite(&s);
    }
    free(s.accesses);
    free(s.recipes);
    free(s.current);
    return s.changed;
}
