/* Moves what a loop computes anew in each round, from values that it does not change, in front of the loop, if
 * registers allow. Selection computes a value where LLVM has its instruction; LLVM's own pass (LICM) would not know
 * what costs an instruction and what is a free operand, nor how many registers there are.
 *
 * A variable moves with all instructions that write it. These are in one block of the loop and read only what the loop
 * does not write, or other variables that move. Some variables move only with all their readers: addresses and
 * predicates, because there are few, and what the finalizer makes part of a reader: copies, and what it puts into the
 * header of a message. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lower/analysis/loops.h"
#include "lower/codegen/select/select.h"
#include "visa_emit/place.h"
#include "visa_emit/pressure.h"

enum { NOTHING = VISA_NULL };

/* What is known of a variable. */
struct value {
    size_t first, last; /* instructions that write it */
    unsigned writes;    /* how many do */
    unsigned block;     /* of all of them */
    unsigned base;      /* of an address variable: the variable that it points into */
    bool fixed;         /* written in several blocks, or by something else than a computation */
    bool copied;        /* every write is a copy of a number or of another variable */
    bool changes;       /* the loop writes it */
    bool moves;
};

struct hoist {
    struct selection *s;
    struct visa_kernel *out;
    struct loops loops;
    const struct loop *loop; /* that is looked at */
    unsigned place;          /* block in front of it */
    unsigned *block_of;      /* per instruction */
    struct value *values;    /* per variable */
};

static struct value *value_of(const struct hoist *h, unsigned variable)
{
    return variable >= VISA_FIRST_VARIABLE ? &h->values[variable - VISA_FIRST_VARIABLE] : NULL;
}

/* ---- what instructions read and write ---- */

typedef void on_variable(struct hoist *h, unsigned variable, size_t at, void *user);

static bool names_variable(const struct visa_operand *o)
{
    return o->kind != VISA_OPERAND_NONE && o->kind != VISA_OPERAND_IMMEDIATE && o->kind != VISA_OPERAND_NUMBER &&
           o->kind != VISA_OPERAND_STRING;
}

static unsigned base_of(const struct hoist *h, const struct visa_operand *address)
{
    const struct value *v = value_of(h, address->variable);
    return v ? v->base : NOTHING;
}

static void each_written(struct hoist *h, size_t at, on_variable *visit, void *user)
{
    const struct visa_instruction *i = &h->out->instructions[at];
    if (i->dst.kind == VISA_OPERAND_INDIRECT)
        visit(h, base_of(h, &i->dst), at, user);
    else if (names_variable(&i->dst))
        visit(h, i->dst.variable, at, user);
    if (visa_has_carry(i))
        visit(h, i->src[0].variable, at, user);
    for (unsigned k = 0; k < i->parameter_count; k++) /* of assembly; of others it is too much */
        if (names_variable(&i->parameters[k]))
            visit(h, i->parameters[k].variable, at, user);
}

static void each_of_operand(struct hoist *h, const struct visa_operand *o, size_t at, on_variable *visit, void *user)
{
    if (!names_variable(o) || o->kind == VISA_OPERAND_ADDRESS_OF)
        return;
    visit(h, o->variable, at, user);
    if (o->kind == VISA_OPERAND_INDIRECT)
        visit(h, base_of(h, o), at, user);
}

static void each_read(struct hoist *h, size_t at, on_variable *visit, void *user)
{
    const struct visa_instruction *i = &h->out->instructions[at];
    if (i->predicate.variable != VISA_NULL)
        visit(h, i->predicate.variable, at, user);
    if (i->dst.kind == VISA_OPERAND_INDIRECT)
        visit(h, i->dst.variable, at, user);
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        each_of_operand(h, &i->src[k], at, visit, user);
    for (unsigned k = 0; k < i->parameter_count; k++)
        each_of_operand(h, &i->parameters[k], at, visit, user);
}

static bool in_loop(const struct hoist *h, size_t at)
{
    return h->loop->members[h->block_of[at]];
}

/* ---- which variables may move ---- */

static bool is_plain_source(const struct visa_operand *o)
{
    switch (o->kind) {
    case VISA_OPERAND_NONE:
    case VISA_OPERAND_IMMEDIATE:
    case VISA_OPERAND_INDIRECT:
    case VISA_OPERAND_ADDRESS_OF: return true;
    case VISA_OPERAND_GENERAL: return o->variable >= VISA_FIRST_VARIABLE || o->variable <= VISA_GROUP_ID_Z;
    default: return false;
    }
}

/* True if the instruction does nothing but compute its result, in all lanes or under a predicate. */
static bool computes(const struct visa_instruction *i)
{
    bool address = i->op == VISA_OP_ADDR_ADD && i->dst.kind == VISA_OPERAND_ADDRESS,
         compare = i->op == VISA_OP_CMP && i->dst.kind == VISA_OPERAND_PREDICATE;
    bool general = (i->op <= VISA_OP_DP4A || i->op == VISA_OP_SEL) && i->dst.kind == VISA_OPERAND_GENERAL &&
                   i->condition == VISA_COND_NONE && !visa_has_hidden_operands(i);
    if ((!address && !compare && !general) || i->by_channel || i->dst.variable < VISA_FIRST_VARIABLE)
        return false;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (!is_plain_source(&i->src[k]))
            return false;
    return i->parameter_count == 0;
}

static bool is_copy(const struct visa_instruction *i)
{
    const struct visa_operand *from = &i->src[0];
    bool whole = from->kind == VISA_OPERAND_IMMEDIATE ||
                 (from->kind == VISA_OPERAND_GENERAL && !from->modifier &&
                  visa_type_bytes(from->type) == visa_type_bytes(i->dst.type) &&
                  (visa_type_class(from->type) == 'F') == (visa_type_class(i->dst.type) == 'F'));
    return i->op == VISA_OP_MOV && !i->saturate && i->dst.kind == VISA_OPERAND_GENERAL && whole;
}

static void note_write(struct hoist *h, unsigned variable, size_t at, void *user)
{
    (void)user;
    struct value *v = value_of(h, variable);
    if (!v)
        return;
    v->fixed = v->fixed || (v->writes && v->block != h->block_of[at]) || !computes(&h->out->instructions[at]) ||
               h->out->instructions[at].dst.variable != variable;
    v->copied = (v->copied || !v->writes) && is_copy(&h->out->instructions[at]);
    v->first = v->writes ? v->first : at;
    v->last = at;
    v->writes++;
    v->block = h->block_of[at];
    v->changes = v->changes || in_loop(h, at);
}

/* A reader in front of the writes, or between them, sees what an earlier round has left, or a part. */
static void note_read(struct hoist *h, unsigned variable, size_t at, void *user)
{
    (void)user;
    struct value *v = value_of(h, variable);
    if (!v || !v->writes || v->fixed)
        return;
    bool own = h->out->instructions[at].dst.variable == variable && at > v->first && at <= v->last;
    bool behind = h->block_of[at] == v->block ? at > v->last : cfg_dominates(&h->s->cfg, v->block, h->block_of[at]);
    v->fixed = !own && !behind;
}

/* Marks in `written` the bytes of a variable that an operand's lanes have; of a source, false if one is not written. */
static bool mark_lanes(const struct visa_operand *o, unsigned lanes, bool is_destination, bool *written, unsigned bytes)
{
    unsigned size = visa_type_bytes(o->type), width = o->region.width ? o->region.width : 1;
    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned place = is_destination ? lane * o->region.hstride
                                        : lane / width * o->region.vstride + lane % width * o->region.hstride;
        for (unsigned n = 0; n < size; n++) {
            size_t at = (size_t)o->offset + (size_t)place * size + n;
            if (at >= bytes || (!is_destination && !written[at]))
                return false;
            written[at] = true;
        }
    }
    return true;
}

/* True if the variable's writers read only bytes of it that they have written before. */
static bool begins_anew(const struct hoist *h, unsigned variable)
{
    const struct value *v = value_of(h, variable);
    const struct visa_variable *declared = visa_variable(h->out, variable);
    unsigned bytes = declared->class == VISA_CLASS_GENERAL ? declared->elements * visa_type_bytes(declared->type) : 0;
    bool *written = ir_calloc(bytes + 1, sizeof *written), anew = true;
    for (size_t at = v->first; at <= v->last; at++) {
        const struct visa_instruction *i = &h->out->instructions[at];
        if (!names_variable(&i->dst) || i->dst.variable != variable)
            continue;
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++) {
            bool same = names_variable(&i->src[k]) && i->src[k].variable == variable;
            bool through = i->src[k].kind == VISA_OPERAND_INDIRECT && base_of(h, &i->src[k]) == variable;
            anew =
                anew && !through && (!same || (bytes && mark_lanes(&i->src[k], i->exec_size, false, written, bytes)));
        }
        if (i->predicate.variable != VISA_NULL && i->op != VISA_OP_SEL)
            anew = false; /* other lanes keep what they were */
        anew = anew && (!bytes || mark_lanes(&i->dst, i->exec_size, true, written, bytes));
    }
    free(written);
    return anew;
}

/* `user`: becomes false if a value that is read may be another one in front of the loop. */
static void check_source(struct hoist *h, unsigned variable, size_t at, void *user)
{
    bool *known = user;
    const struct value *v = value_of(h, variable);
    if (!v || !v->changes || h->out->instructions[at].dst.variable == variable)
        return;
    bool before = v->last < at && cfg_dominates(&h->s->cfg, v->block, h->block_of[at]);
    *known = *known && v->moves && before;
}

static bool is_known_in_front(struct hoist *h, const struct value *v, unsigned variable)
{
    bool known = true;
    for (size_t at = v->first; at <= v->last && known; at++)
        if (names_variable(&h->out->instructions[at].dst) && h->out->instructions[at].dst.variable == variable)
            each_read(h, at, check_source, &known);
    return known;
}

/* True if the instruction writes a variable that moves. */
static bool moves_at(const struct hoist *h, size_t at)
{
    const struct visa_operand *to = &h->out->instructions[at].dst;
    return names_variable(to) && to->kind != VISA_OPERAND_INDIRECT && value_of(h, to->variable) &&
           value_of(h, to->variable)->moves;
}

static bool is_payload(const struct visa_instruction *i, unsigned variable)
{
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (i->src[k].kind == VISA_OPERAND_RAW && i->src[k].variable == variable)
            return true;
    return false;
}

/* True if an instruction that stays in the loop takes no fewer instructions because the variable is computed before. */
static bool gains_nothing(const struct hoist *h, unsigned variable, const struct visa_instruction *reader)
{
    bool is_message = reader->op > VISA_OP_ASSEMBLY;
    if (visa_variable(h->out, variable)->class != VISA_CLASS_GENERAL)
        return true;
    return !is_payload(reader, variable) && (is_message || value_of(h, variable)->copied);
}

/* `user`: becomes true if the variable has to stay. */
static void check_reader(struct hoist *h, unsigned variable, size_t at, void *user)
{
    bool *changed = user;
    struct value *v = value_of(h, variable);
    if (!v || !v->moves || moves_at(h, at) || !gains_nothing(h, variable, &h->out->instructions[at]))
        return;
    v->moves = false;
    *changed = true;
}

/* Takes back what cannot move, because of other things that do not. False: nothing moves. */
static bool settle(struct hoist *h)
{
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < h->out->variable_count; k++) {
            struct value *v = &h->values[k];
            if (v->moves && !is_known_in_front(h, v, (unsigned)k + VISA_FIRST_VARIABLE))
                v->moves = false, changed = true;
        }
        for (size_t at = 0; at < h->out->instruction_count; at++)
            each_read(h, at, check_reader, &changed);
    }
    for (size_t k = 0; k < h->out->variable_count; k++)
        any = any || h->values[k].moves;
    return any;
}

/* ---- registers ---- */

/* `user`: per variable: it moves, and something that stays reads it. */
static void note_live(struct hoist *h, unsigned variable, size_t at, void *user)
{
    bool *live = user;
    const struct value *v = value_of(h, variable);
    if (v && v->moves && !moves_at(h, at))
        live[variable - VISA_FIRST_VARIABLE] = true;
}

static unsigned whole_bytes(const struct hoist *h, size_t variable)
{
    const struct visa_variable *v = &h->out->variables[variable];
    unsigned grf = h->s->platform->grf_bytes, bytes = v->elements * visa_type_bytes(v->type);
    return bytes < grf ? bytes : (bytes + grf - 1) / grf * grf;
}

/* Leaves a quarter of the registers to what the finalizer needs. */
static unsigned free_bytes(const struct hoist *h)
{
    unsigned bytes, most = h->s->platform->grf_count * h->s->platform->grf_bytes / 4 * 3;
    return pressure_find_bytes(h->s->program, h->out, &bytes) && bytes < most ? most - bytes : 0;
}

/* Lets the largest variables stay until the others fit the registers that are free. False: nothing moves. */
static bool fit_registers(struct hoist *h)
{
    unsigned room = free_bytes(h);
    bool any = true;
    bool *live = ir_calloc(h->out->variable_count + 1, sizeof *live);
    while (any) {
        size_t largest = SIZE_MAX;
        unsigned bytes = 0;
        memset(live, 0, h->out->variable_count);
        for (size_t at = 0; at < h->out->instruction_count; at++)
            each_read(h, at, note_live, live);
        for (size_t k = 0; k < h->out->variable_count; k++) {
            if (!live[k])
                continue;
            bytes += whole_bytes(h, k);
            if (largest == SIZE_MAX || whole_bytes(h, k) > whole_bytes(h, largest))
                largest = k;
        }
        if (bytes <= room || largest == SIZE_MAX)
            break;
        h->values[largest].moves = false;
        any = settle(h);
    }
    free(live);
    return any;
}

/* ---- one loop ---- */

/* Finds the block in front of the loop: the only one that leads into it from outside. */
static bool find_place(struct hoist *h)
{
    const struct cfg *cfg = &h->s->cfg;
    unsigned header = h->loop->header, from = CFG_NONE;
    for (unsigned k = 0; k < cfg->predecessor_count[header]; k++) {
        if (h->loop->members[cfg->predecessors[header][k]])
            continue;
        if (from != CFG_NONE)
            return false;
        from = cfg->predecessors[header][k];
    }
    while (from != CFG_NONE && h->s->jump_target[from] != from)
        from = cfg->predecessor_count[from] == 1 ? cfg->predecessors[from][0] : CFG_NONE;
    h->place = from;
    return from != CFG_NONE;
}

/* True if the loop changes what no variable shows: modes of floats, or anything, by assembly. */
static bool is_opaque(const struct hoist *h)
{
    for (size_t at = 0; at < h->out->instruction_count; at++) {
        const struct visa_instruction *i = &h->out->instructions[at];
        bool modes = i->dst.kind == VISA_OPERAND_GENERAL && i->dst.variable == VISA_CR0;
        if (in_loop(h, at) && (modes || i->op == VISA_OP_ASSEMBLY || i->op == VISA_OP_CALL || i->op == VISA_OP_FCALL))
            return true;
    }
    return false;
}

static bool find_values(struct hoist *h)
{
    bool any = false;
    memset(h->values, 0, h->out->variable_count * sizeof *h->values);
    for (size_t at = 0; at < h->out->instruction_count; at++) {
        const struct visa_instruction *i = &h->out->instructions[at];
        if (i->op == VISA_OP_ADDR_ADD && value_of(h, i->dst.variable))
            value_of(h, i->dst.variable)->base = i->src[0].variable;
    }
    for (size_t at = 0; at < h->out->instruction_count; at++)
        each_written(h, at, note_write, NULL);
    for (size_t at = 0; at < h->out->instruction_count; at++)
        each_read(h, at, note_read, NULL);
    for (size_t k = 0; k < h->out->variable_count; k++) {
        struct value *v = &h->values[k];
        unsigned variable = (unsigned)k + VISA_FIRST_VARIABLE;
        bool input = h->out->variables[k].input_offset >= 0;
        v->moves = v->writes && !v->fixed && !input && h->loop->members[v->block] && begins_anew(h, variable);
        any = any || v->moves;
    }
    return any;
}

static bool ends_block(const struct visa_instruction *i)
{
    return i->op == VISA_OP_JMP || i->op == VISA_OP_GOTO || i->op == VISA_OP_SWITCHJMP || i->op == VISA_OP_RET ||
           i->op == VISA_OP_FRET;
}

/* Puts the marks for debuggers that follow an instruction which moves behind the one before it. */
static void keep_marks(struct hoist *h, unsigned marks)
{
    unsigned *last = &h->out->instructions[h->out->instruction_count - 1].mark;
    while (*last)
        last = &h->out->debug->marks[*last - 1].next;
    *last = marks;
}

static struct visa_instruction *add(struct hoist *h, const struct visa_instruction *i)
{
    struct visa_instruction *added = &h->out->instructions[h->out->instruction_count++];
    *added = *i;
    return added;
}

static void add_moved(struct hoist *h, const struct visa_instruction *old, const bool *moved, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (!moved[at])
            continue;
        struct visa_instruction *added = add(h, &old[at]);
        added->no_mask = added->no_mask || (h->s->channels.any && h->s->channels.live[h->place]);
        added->mark = 0;
    }
}

static void rewrite(struct hoist *h)
{
    const struct visa_instruction *old = h->out->instructions;
    size_t count = h->out->instruction_count, end = count;
    bool *moved = ir_calloc(count, sizeof *moved);
    for (size_t at = 0; at < count; at++)
        moved[at] = moves_at(h, at);
    for (size_t at = 0; at < count; at++)
        if (h->block_of[at] == h->place)
            end = at + 1;
    while (end > 0 && h->block_of[end - 1] == h->place && ends_block(&old[end - 1]))
        end--;
    visa_replace_instructions(h->s->program, h->out, count);
    for (size_t at = 0; at < count; at++) {
        if (at == end)
            add_moved(h, old, moved, count);
        if (!moved[at])
            add(h, &old[at]);
        else if (old[at].mark)
            keep_marks(h, old[at].mark);
    }
    free(moved);
}

static void number_blocks(struct hoist *h)
{
    unsigned block = 0;
    h->block_of = ir_calloc(h->out->instruction_count + 1, sizeof *h->block_of);
    for (size_t at = 0; at < h->out->instruction_count; at++) {
        const struct visa_instruction *i = &h->out->instructions[at];
        if (i->op == VISA_OP_LABEL)
            block = (unsigned)i->attr[0] - h->s->label_base;
        h->block_of[at] = block;
    }
}

static void hoist_from(struct hoist *h)
{
    number_blocks(h);
    if (find_place(h) && !is_opaque(h) && find_values(h) && settle(h) && fit_registers(h))
        rewrite(h);
    free(h->block_of);
}

void select_hoist_invariants(struct selection *s)
{
    struct hoist h = {.s = s, .out = s->out};
    if (s->failed)
        return;
    loops_find_members(&h.loops, s->function);
    h.values = ir_calloc(s->out->variable_count + 1, sizeof *h.values);
    for (size_t k = h.loops.count; k-- > 0;) { /* inner loops first */
        h.loop = &h.loops.list[k];
        hoist_from(&h);
    }
    loops_free(&h.loops);
    free(h.values);
}
