/* Solves the data-flow equations for live variables. See live_variables.h. A subroutine call has edges to the
 * subroutine, and a subroutine's end has edges to all its return points. An access through an address register counts
 * as an access to the variable whose address the register was made from. */
#include "visa_emit/live_variables.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/place.h"

static void put(uint64_t *set, size_t n)
{
    set[n / 64] |= 1ull << (n % 64);
}
static void drop(uint64_t *set, size_t n)
{
    set[n / 64] &= ~(1ull << (n % 64));
}

/* Adds the general variable that an operand reads or writes, if there is one. */
static unsigned add_access(struct live_variables *f, const struct visa_operand *o, size_t at)
{
    if (o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE)
        return 0;
    unsigned number = o->variable;
    if (o->kind == VISA_OPERAND_INDIRECT)
        number = number >= VISA_FIRST_VARIABLE ? f->base[number - VISA_FIRST_VARIABLE] : 0;
    else if (o->kind != VISA_OPERAND_GENERAL && o->kind != VISA_OPERAND_RAW && o->kind != VISA_OPERAND_NAME)
        return 0;
    if (number < VISA_FIRST_VARIABLE || number - VISA_FIRST_VARIABLE >= f->kernel->variable_count ||
        f->kernel->variables[number - VISA_FIRST_VARIABLE].class != VISA_CLASS_GENERAL)
        return 0;
    f->accessed[at] = number - VISA_FIRST_VARIABLE;
    return 1;
}

static bool is_written(const struct visa_instruction *i, unsigned parameter)
{
    return i->op == VISA_OP_ASSEMBLY && (int)parameter < i->attr[0];
}

/* Adds what an instruction writes, or what it reads, from accessed[at] on. */
static unsigned add_accesses(struct live_variables *f, const struct visa_instruction *i, bool writes, size_t at)
{
    unsigned count = 0;
    bool carry = visa_has_carry(i);
    if (writes && !carry && i->op != VISA_OP_ASSEMBLY)
        return 0;
    for (unsigned k = 0; k < VISA_MAX_SOURCES && (carry || !writes); k++)
        if ((carry && k == 0) == writes)
            count += add_access(f, &i->src[k], at + count);
    for (unsigned k = 0; k < i->parameter_count && i->op != VISA_OP_SWITCHJMP; k++)
        if (is_written(i, k) == writes)
            count += add_access(f, &i->parameters[k], at + count);
    return count;
}

static bool find_accesses(struct live_variables *f)
{
    const struct visa_kernel *k = f->kernel;
    size_t most = 1, at = 0;
    for (size_t n = 0; n < k->instruction_count; n++)
        most += 1 + VISA_MAX_SOURCES + k->instructions[n].parameter_count;
    f->accesses = malloc((k->instruction_count + 1) * sizeof *f->accesses);
    f->accessed = malloc(most * sizeof *f->accessed);
    if (!f->accesses || !f->accessed)
        return false;
    for (size_t n = 0; n < k->instruction_count; n++) {
        const struct visa_instruction *i = &k->instructions[n];
        unsigned result = add_access(f, &i->dst, at);
        struct live_accesses a = {.first = at, .has_result = result};
        a.writes = result + add_accesses(f, i, true, at + result);
        a.reads = add_accesses(f, i, false, at + a.writes);
        at += a.writes + a.reads;
        f->accesses[n] = a;
    }
    return true;
}

unsigned live_variables_reply(const struct visa_instruction *i)
{
    enum { OWORD = 16 };
    switch (i->op) {
    case VISA_OP_SVM_BLOCK_LD:
    case VISA_OP_OWORD_LD:
    case VISA_OP_OWORD_LD_UNALIGNED: return (unsigned)i->attr[0] * OWORD;
    case VISA_OP_MEDIA_LD: return (unsigned)(i->attr[0] * i->attr[1]);
    default: return 0;
    }
}

/* Finds the bytes of the destination, of `all`, that an instruction always writes. */
static bool written_bytes(const struct visa_instruction *i, unsigned all, struct live_cover *out)
{
    const struct visa_operand *d = &i->dst;
    if (i->predicate.variable != VISA_NULL)
        return false;
    out->low = (unsigned)d->offset;
    if (d->kind == VISA_OPERAND_RAW)
        out->high = out->low + (live_variables_reply(i) ? live_variables_reply(i) : all);
    else if (d->kind == VISA_OPERAND_GENERAL)
        out->high = out->low + i->exec_size * visa_type_bytes(d->type) * (d->region.hstride ? d->region.hstride : 1);
    return d->kind != VISA_OPERAND_INDIRECT;
}

/* Two sets that a walk changes in the same way. */
struct live_sets {
    uint64_t *live, *kept;
};

/* Adds a range of bytes to those that are written from here on before they are read. True: they are now the whole
 * variable. */
static bool cover_more(struct live_variables *f, size_t variable, struct live_cover piece)
{
    struct live_cover *c = &f->covers[variable];
    if (c->walk != f->walk || c->low == c->high || piece.high < c->low || piece.low > c->high)
        *c = (struct live_cover){piece.low, piece.high, f->walk};
    c->low = piece.low < c->low ? piece.low : c->low;
    c->high = piece.high > c->high ? piece.high : c->high;
    return c->low == 0 && c->high >= f->sizes[variable];
}

static void step_back(struct live_variables *f, size_t n, struct live_sets sets)
{
    const struct live_accesses *a = &f->accesses[n];
    const unsigned *variables = &f->accessed[a->first];
    struct live_cover piece = {0, 0, 0};
    if (a->has_result && written_bytes(&f->kernel->instructions[n], f->sizes[variables[0]], &piece) &&
        cover_more(f, variables[0], piece)) {
        drop(sets.live, variables[0]);
        drop(sets.kept, variables[0]);
    }
    for (unsigned k = a->writes; k < a->writes + a->reads; k++) {
        put(sets.live, variables[k]);
        put(sets.kept, variables[k]);
        f->covers[variables[k]].walk = 0;
    }
}

void live_variables_step(struct live_variables *f, size_t n, uint64_t *live)
{
    step_back(f, n, (struct live_sets){live, live});
}

/* ---- blocks ---- */

static bool ends_block(const struct visa_instruction *i)
{
    switch (i->op) {
    case VISA_OP_JMP:
    case VISA_OP_GOTO:
    case VISA_OP_SWITCHJMP:
    case VISA_OP_CALL:
    case VISA_OP_RET:
    case VISA_OP_FRET: return true;
    default: return false;
    }
}

static bool begins_block(const struct visa_kernel *k, size_t n)
{
    enum visa_opcode op = k->instructions[n].op;
    return n == 0 || op == VISA_OP_LABEL || op == VISA_OP_FUNCTION || ends_block(&k->instructions[n - 1]);
}

static void find_blocks(struct live_variables *f)
{
    const struct visa_kernel *k = f->kernel;
    unsigned function = 0;
    for (size_t n = 0; n < k->instruction_count; n++) {
        const struct visa_instruction *i = &k->instructions[n];
        if (begins_block(k, n)) {
            if (f->count)
                f->blocks[f->count - 1].end = n;
            function = i->op == VISA_OP_FUNCTION ? (unsigned)i->attr[0] : function;
            f->blocks[f->count++] = (struct live_block){.first = n, .function = function};
        }
        if (i->op == VISA_OP_LABEL)
            f->of_label[i->attr[0]] = f->count - 1;
        if (i->op == VISA_OP_FUNCTION)
            f->of_function[i->attr[0]] = f->count - 1;
    }
    f->blocks[f->count - 1].end = k->instruction_count;
}

void live_variables_successors(struct live_variables *f, size_t b, live_successor *visit, void *user)
{
    const struct live_block *block = &f->blocks[b];
    const struct visa_instruction *last = &f->kernel->instructions[block->end - 1];
    bool leaves = last->op == VISA_OP_RET || last->op == VISA_OP_FRET;
    bool jumps = last->op == VISA_OP_SWITCHJMP || (last->op == VISA_OP_JMP && last->predicate.variable == VISA_NULL);
    if (last->op == VISA_OP_JMP || last->op == VISA_OP_GOTO)
        visit(f, user, b, f->of_label[last->attr[0]]);
    for (unsigned k = 0; last->op == VISA_OP_SWITCHJMP && k < last->parameter_count; k++)
        visit(f, user, b, f->of_label[last->parameters[k].bits]);
    if (last->op == VISA_OP_CALL)
        visit(f, user, b, f->of_function[last->attr[0]]);
    if (!leaves && !jumps && b + 1 < f->count)
        visit(f, user, b, b + 1);
    for (size_t c = 0; leaves && block->function && c + 1 < f->count; c++) {
        const struct visa_instruction *call = &f->kernel->instructions[f->blocks[c].end - 1];
        if (call->op == VISA_OP_CALL && (unsigned)call->attr[0] == block->function)
            visit(f, user, b, c + 1);
    }
}

static bool add_all(uint64_t *to, const uint64_t *from, size_t words)
{
    uint64_t added = 0;
    for (size_t w = 0; w < words; w++) {
        added |= from[w] & ~to[w];
        to[w] |= from[w];
    }
    return added != 0;
}

static void flow_back(struct live_variables *f, void *user, size_t from, size_t to)
{
    (void)user;
    f->changed = add_all(f->blocks[from].out, f->blocks[to].in, f->words) || f->changed;
}

static void flow_forth(struct live_variables *f, void *user, size_t from, size_t to)
{
    (void)user;
    f->changed = add_all(f->blocks[to].before, f->blocks[from].after, f->words) || f->changed;
}

static void solve_forwards(struct live_variables *f)
{
    for (size_t v = 0; v < f->kernel->variable_count; v++)
        if (f->kernel->variables[v].input_offset >= 0)
            put(f->blocks[0].before, v);
    for (size_t b = 0; b < f->count; b++)
        for (size_t n = f->blocks[b].first; n < f->blocks[b].end; n++)
            for (unsigned k = 0; k < f->accesses[n].writes; k++)
                put(f->blocks[b].after, f->accessed[f->accesses[n].first + k]);
    do {
        f->changed = false;
        for (size_t b = 0; b < f->count; b++) {
            add_all(f->blocks[b].after, f->blocks[b].before, f->words);
            live_variables_successors(f, b, flow_forth, NULL);
        }
    } while (f->changed);
}

void live_variables_start(struct live_variables *f)
{
    f->walk++;
}

/* Walks a block backwards from the empty set, which becomes what it reads, and the full one: what it leaves live. */
static void walk_back(struct live_variables *f, const struct live_block *block)
{
    memset(block->kept, 0xff, f->words * sizeof *block->kept);
    live_variables_start(f);
    for (size_t n = block->end; n-- > block->first;)
        step_back(f, n, (struct live_sets){block->in, block->kept});
}

static void solve_backwards(struct live_variables *f)
{
    for (size_t b = 0; b < f->count; b++)
        walk_back(f, &f->blocks[b]);
    do {
        f->changed = false;
        for (size_t b = f->count; b-- > 0;) {
            struct live_block *block = &f->blocks[b];
            live_variables_successors(f, b, flow_back, NULL);
            for (size_t w = 0; w < f->words; w++)
                block->in[w] |= block->out[w] & block->kept[w];
        }
    } while (f->changed);
}

static void find_bases(struct live_variables *f)
{
    for (size_t n = 0; n < f->kernel->instruction_count; n++) {
        const struct visa_instruction *i = &f->kernel->instructions[n];
        if (i->op != VISA_OP_ADDR_ADD || i->dst.variable < VISA_FIRST_VARIABLE)
            continue;
        unsigned *base = &f->base[i->dst.variable - VISA_FIRST_VARIABLE];
        const struct visa_operand *from = &i->src[0];
        if (from->kind == VISA_OPERAND_ADDRESS_OF)
            *base = from->variable;
        else if (from->variable >= VISA_FIRST_VARIABLE)
            *base = f->base[from->variable - VISA_FIRST_VARIABLE];
    }
}

static bool allocate(struct live_variables *f)
{
    const struct visa_kernel *k = f->kernel;
    size_t blocks = 1;
    for (size_t n = 0; n < k->instruction_count; n++) {
        blocks += begins_block(k, n);
        if (k->instructions[n].op == VISA_OP_FUNCTION && (unsigned)k->instructions[n].attr[0] >= f->functions)
            f->functions = (unsigned)k->instructions[n].attr[0] + 1;
    }
    f->words = k->variable_count / 64 + 1;
    f->blocks = calloc(blocks, sizeof *f->blocks);
    f->of_label = calloc(k->label_count + 1, sizeof *f->of_label);
    f->of_function = calloc(f->functions + 1, sizeof *f->of_function);
    f->base = calloc(k->variable_count + 1, sizeof *f->base);
    f->covers = calloc(k->variable_count + 1, sizeof *f->covers);
    f->sizes = calloc(k->variable_count + 1, sizeof *f->sizes);
    for (size_t v = 0; f->sizes && v < k->variable_count; v++)
        f->sizes[v] = k->variables[v].elements * visa_type_bytes(k->variables[v].type);
    return f->blocks && f->of_label && f->of_function && f->base && f->covers && f->sizes;
}

/* Allocates five sets for each block. */
static bool allocate_sets(struct live_variables *f)
{
    f->sets = calloc(f->count * 5 * f->words, sizeof *f->sets);
    uint64_t *next = f->sets;
    for (size_t b = 0; next && b < f->count; b++, next += 5 * f->words) {
        f->blocks[b].in = next;
        f->blocks[b].out = next + f->words;
        f->blocks[b].before = next + 2 * f->words;
        f->blocks[b].after = next + 3 * f->words;
        f->blocks[b].kept = next + 4 * f->words;
    }
    return f->sets != NULL;
}

bool live_variables_find(struct live_variables *f, const struct visa_kernel *kernel)
{
    *f = (struct live_variables){.kernel = kernel};
    if (!allocate(f))
        return false;
    if (kernel->instruction_count)
        find_blocks(f);
    find_bases(f);
    if (!find_accesses(f) || !allocate_sets(f))
        return false;
    if (f->count)
        solve_forwards(f);
    solve_backwards(f);
    return true;
}

void live_variables_free(struct live_variables *f)
{
    free(f->sets);
    free(f->blocks);
    free(f->of_label);
    free(f->of_function);
    free(f->base);
    free(f->covers);
    free(f->accesses);
    free(f->accessed);
    free(f->sizes);
}
