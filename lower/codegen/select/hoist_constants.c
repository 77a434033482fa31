/* Builds constants before loops, and once for several blocks, if registers allow. Selection builds a constant that is
 * no immediate in each block that uses it. Here the instructions that build one move to the end of a block that
 * dominates its users and runs less often. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lower/analysis/loops.h"
#include "lower/codegen/select/select.h"
#include "visa_emit/pressure.h"

enum {
    MOST_DEPTH = 3, /* of loops that count */
    ROUNDS = 8      /* of a loop, for what is not known */
};

/* One constant of the function, built at several places. */
struct shared_constant {
    LLVMValueRef constant;
    size_t first;        /* build that stays, in built[] */
    unsigned place;      /* block that it is built in */
    unsigned gain, size; /* instructions that are saved; bytes in registers */
    bool taken;
};

struct hoist {
    struct selection *s;
    const size_t *starts; /* of blocks, in instructions */
    struct loops loops;
    unsigned *weights;           /* per block */
    size_t *first_use, *end_use; /* per variable: the first instruction that names it, the one behind the last */
    size_t *of_build;            /* per build: index in list, or `count` */
    struct shared_constant *list;
    size_t count, capacity;
    unsigned *renamed; /* per variable: its name from now on */
    bool *dropped;     /* per instruction */
};

static unsigned weight_of(const struct loops *loops, unsigned block)
{
    unsigned depth = 0, weight = 1;
    for (size_t i = 0; i < loops->count; i++)
        depth += loops->list[i].members[block];
    for (unsigned k = 0; k < depth && k < MOST_DEPTH; k++)
        weight *= ROUNDS;
    return weight;
}

static void note_use(struct hoist *h, unsigned variable, size_t at)
{
    if (variable < VISA_FIRST_VARIABLE)
        return;
    size_t v = variable - VISA_FIRST_VARIABLE;
    if (h->end_use[v] == 0)
        h->first_use[v] = at;
    h->end_use[v] = at + 1;
}

static void note_operand(struct hoist *h, const struct visa_operand *o, size_t at)
{
    if (o->kind != VISA_OPERAND_NONE && o->kind != VISA_OPERAND_IMMEDIATE)
        note_use(h, o->variable, at);
}

static void note_uses(struct hoist *h)
{
    const struct visa_kernel *out = h->s->out;
    for (size_t i = 0; i < out->instruction_count; i++) {
        const struct visa_instruction *at = &out->instructions[i];
        note_use(h, at->predicate.variable, i);
        note_operand(h, &at->dst, i);
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            note_operand(h, &at->src[k], i);
        for (unsigned k = 0; k < at->parameter_count && at->parameters; k++)
            note_operand(h, &at->parameters[k], i);
    }
}

/* True if an operand in the build is a number, or a variable that is used there only, or is what is built. */
static bool is_own(const struct hoist *h, const struct cg_built_constant *b, const struct visa_operand *o)
{
    if (o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE)
        return true;
    if (o->kind != VISA_OPERAND_GENERAL || o->variable < VISA_FIRST_VARIABLE)
        return false;
    size_t v = o->variable - VISA_FIRST_VARIABLE;
    return h->first_use[v] >= b->first && (o->variable == b->variable || h->end_use[v] <= b->end);
}

/* True if the build depends on nothing, and nothing but the constant is left of it. */
static bool may_move(const struct hoist *h, const struct cg_built_constant *b)
{
    const struct visa_kernel *out = h->s->out;
    for (size_t i = b->first; i < b->end; i++) {
        const struct visa_instruction *at = &out->instructions[i];
        if (at->op > VISA_OP_DP4A || at->predicate.variable != VISA_NULL || at->by_channel || !is_own(h, b, &at->dst))
            return false;
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            if (!is_own(h, b, &at->src[k]))
                return false;
    }
    return b->end > b->first;
}

/* Returns the block to build in, which dominates `block`: no loop has it, and it has instructions. */
static unsigned place_before_loops(const struct hoist *h, unsigned block)
{
    const struct cfg *cfg = &h->s->cfg;
    for (size_t i = 0; i < h->loops.count; i++)
        if (h->loops.list[i].members[block] && h->loops.list[i].header != 0) {
            block = cfg->dominator[h->loops.list[i].header];
            i = (size_t)-1;
        }
    while (h->s->jump_target[block] != block)
        block = cfg->dominator[block];
    return block;
}

static struct shared_constant *shared_of(struct hoist *h, size_t build)
{
    const struct cg_built_constant *b = &h->s->built[build];
    for (size_t i = 0; i < h->count; i++)
        if (h->list[i].constant == b->constant)
            return &h->list[i];
    struct shared_constant new = {.constant = b->constant, .first = build, .place = b->block};
    new.size = cg_value_bytes(LLVMTypeOf(b->constant));
    ARRAY_PUSH(h->list, h->count, h->capacity, new);
    return &h->list[h->count - 1];
}

static void find_constants(struct hoist *h)
{
    for (size_t i = 0; i < h->s->built_count; i++) {
        h->of_build[i] = SIZE_MAX;
        if (!may_move(h, &h->s->built[i]))
            continue;
        struct shared_constant *c = shared_of(h, i);
        c->place = cfg_common_dominator(&h->s->cfg, c->place, h->s->built[i].block);
        h->of_build[i] = (size_t)(c - h->list);
    }
    for (size_t i = 0; i < h->count; i++)
        h->list[i].place = place_before_loops(h, h->list[i].place);
}

static void count_gains(struct hoist *h)
{
    for (size_t i = 0; i < h->s->built_count; i++)
        if (h->of_build[i] != SIZE_MAX) {
            const struct cg_built_constant *b = &h->s->built[i];
            h->list[h->of_build[i]].gain += h->weights[b->block] * (unsigned)(b->end - b->first);
        }
    for (size_t i = 0; i < h->count; i++) {
        const struct cg_built_constant *b = &h->s->built[h->list[i].first];
        unsigned cost = h->weights[h->list[i].place] * (unsigned)(b->end - b->first);
        h->list[i].gain -= cost < h->list[i].gain ? cost : h->list[i].gain;
    }
}

/* Returns the constant that saves most for each register; NULL: none saves anything, or fits. */
static struct shared_constant *best_constant(struct hoist *h, unsigned room)
{
    struct shared_constant *best = NULL;
    for (size_t i = 0; i < h->count; i++) {
        struct shared_constant *c = &h->list[i];
        if (!c->taken && c->gain && c->size <= room &&
            (!best || (uint64_t)c->gain * best->size > (uint64_t)best->gain * c->size))
            best = c;
    }
    return best;
}

/* Leaves a quarter of the registers to what the finalizer needs. */
static unsigned free_bytes(const struct hoist *h)
{
    unsigned bytes, most = h->s->platform->grf_count * h->s->platform->grf_bytes / 4 * 3;
    return pressure_find_bytes(h->s->program, h->s->out, &bytes) && bytes < most ? most - bytes : 0;
}

static bool choose(struct hoist *h)
{
    bool any = false;
    if (!best_constant(h, ~0u))
        return false;
    unsigned room = free_bytes(h), grf = h->s->platform->grf_bytes;
    for (struct shared_constant *c; (c = best_constant(h, room)); any = true) {
        unsigned whole = (c->size + grf - 1) / grf * grf;
        c->taken = true;
        room -= whole < room ? whole : room;
    }
    return any;
}

static bool stays(const struct hoist *h, size_t build)
{
    const struct shared_constant *c = &h->list[h->of_build[build]];
    return build == c->first && h->s->built[build].block == c->place;
}

/* Notes what is dropped and renamed. */
static void plan(struct hoist *h)
{
    for (size_t i = 0; i < h->s->built_count; i++) {
        const struct cg_built_constant *b = &h->s->built[i];
        if (h->of_build[i] == SIZE_MAX || !h->list[h->of_build[i]].taken)
            continue;
        h->renamed[b->variable - VISA_FIRST_VARIABLE] = h->s->built[h->list[h->of_build[i]].first].variable;
        memset(h->dropped + b->first, !stays(h, i), b->end - b->first);
    }
}

static void rename_operand(const struct hoist *h, struct visa_operand *o)
{
    bool named = o->kind == VISA_OPERAND_GENERAL || o->kind == VISA_OPERAND_RAW || o->kind == VISA_OPERAND_ADDRESS_OF ||
                 o->kind == VISA_OPERAND_NAME;
    if (named && o->variable >= VISA_FIRST_VARIABLE)
        o->variable = h->renamed[o->variable - VISA_FIRST_VARIABLE];
}

/* Adds a copy of an instruction, for which rewrite() has made room, and returns it. */
static struct visa_instruction *add_renamed(struct hoist *h, const struct visa_instruction *old)
{
    struct visa_instruction *i = &h->s->out->instructions[h->s->out->instruction_count++];
    assert(h->s->out->instruction_count <= h->s->out->instruction_capacity);
    *i = *old;
    rename_operand(h, &i->dst);
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        rename_operand(h, &i->src[k]);
    if (!i->parameter_count)
        return i;
    struct visa_operand *parameters = visa_alloc(h->s->program, i->parameter_count * sizeof i->dst);
    for (unsigned k = 0; k < i->parameter_count; k++) {
        parameters[k] = old->parameters[k];
        rename_operand(h, &parameters[k]);
    }
    i->parameters = parameters;
    return i;
}

static bool ends_block(const struct visa_instruction *i)
{
    return i->op == VISA_OP_JMP || i->op == VISA_OP_GOTO || i->op == VISA_OP_SWITCHJMP || i->op == VISA_OP_RET ||
           i->op == VISA_OP_FRET;
}

static void add_builds(struct hoist *h, const struct visa_instruction *old, unsigned block)
{
    for (size_t i = 0; i < h->count; i++) {
        const struct shared_constant *c = &h->list[i];
        const struct cg_built_constant *b = &h->s->built[c->first];
        if (!c->taken || c->place != block || stays(h, c->first))
            continue;
        for (size_t k = b->first; k < b->end; k++) {
            struct visa_instruction *added = add_renamed(h, &old[k]);
            added->no_mask = added->no_mask || (h->s->channels.any && h->s->channels.live[block]);
        }
    }
}

static void rewrite(struct hoist *h)
{
    struct visa_kernel *out = h->s->out;
    const struct visa_instruction *old = out->instructions;
    size_t count = out->instruction_count, most = count, at = 0;
    for (size_t i = 0; i < h->count; i++) /* that move */
        most += h->s->built[h->list[i].first].end - h->s->built[h->list[i].first].first;
    visa_replace_instructions(h->s->program, out, most);
    for (unsigned b = 0; b < h->s->cfg.count; b++) {
        if (h->s->jump_target[b] != b)
            continue;
        unsigned next = b + 1;
        while (next < h->s->cfg.count && h->s->jump_target[next] != next)
            next++;
        size_t end = next < h->s->cfg.count ? h->starts[next] : count, behind = end;
        while (behind > at && ends_block(&old[behind - 1]))
            behind--;
        for (; at < behind; at++)
            if (!h->dropped[at])
                add_renamed(h, &old[at]);
        add_builds(h, old, b);
        for (; at < end; at++)
            add_renamed(h, &old[at]);
    }
}

void select_hoist_constants(struct selection *s, const size_t *starts)
{
    if (!s->built_count || s->failed)
        return;
    size_t variables = s->out->variable_count;
    struct hoist h = {.s = s, .starts = starts};
    loops_find_members(&h.loops, s->function);
    h.weights = ir_calloc(s->cfg.count, sizeof *h.weights);
    for (unsigned b = 0; b < s->cfg.count; b++)
        h.weights[b] = weight_of(&h.loops, b);
    h.first_use = ir_calloc(variables, sizeof *h.first_use);
    h.end_use = ir_calloc(variables, sizeof *h.end_use);
    h.renamed = ir_calloc(variables, sizeof *h.renamed);
    for (size_t v = 0; v < variables; v++)
        h.renamed[v] = (unsigned)v + VISA_FIRST_VARIABLE;
    h.of_build = ir_calloc(s->built_count, sizeof *h.of_build);
    h.dropped = ir_calloc(s->out->instruction_count, sizeof *h.dropped);
    note_uses(&h);
    find_constants(&h);
    count_gains(&h);
    if (choose(&h)) {
        plan(&h);
        rewrite(&h);
    }
    loops_free(&h.loops);
    free(h.weights);
    free(h.first_use);
    free(h.end_use);
    free(h.renamed);
    free(h.of_build);
    free(h.dropped);
    free(h.list);
}
