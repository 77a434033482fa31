/* Marks where the values of large variables begin, for the finalizer.
 *
 *     loop:                           loop:
 *                                     lifetime.start V1
 *     mov (8) V1.0 = V2.0             mov (8) V1.0 = V2.0
 *     mov (8) V1.64 = V2.32           mov (8) V1.64 = V2.32
 *
 * No single write above is of the whole variable. The finalizer takes such a write to keep the rest of V1, which is
 * then live around the whole loop. Here the bytes of a variable are followed one by one: where a write finds none of
 * them live, the value begins. Variables that are live at no block's start need no mark. */
#include <stdlib.h>
#include <string.h>
#include "visa_emit/live_variables.h"
#include "visa_emit/place.h"

enum { MOST_SET_BYTES = 64 << 20 };

struct lifetimes {
    struct live_variables live;
    const struct visa_kernel *kernel;
    unsigned grf;   /* bytes of a register */
    size_t *first;  /* per variable, 1 + the number of its first byte in a set; 0: it is not followed */
    size_t words;   /* of a set */
    uint64_t *sets; /* of each block: bytes that are read later at its start, those at its end */
    uint64_t *walk; /* the set before an instruction */
    bool changed;
};

static uint64_t *set_of(struct lifetimes *l, size_t block, unsigned which)
{
    return l->sets + (2 * block + which) * l->words;
}

enum { AT_START, AT_END };

static void change_bytes(uint64_t *set, size_t from, size_t to, bool put)
{
    for (size_t n = from; n < to; n++)
        set[n / 64] = (set[n / 64] & ~(1ull << n % 64)) | (uint64_t)put << n % 64;
}

static size_t first_of(const struct lifetimes *l, unsigned variable)
{
    return variable >= VISA_FIRST_VARIABLE && variable - VISA_FIRST_VARIABLE < l->kernel->variable_count
               ? l->first[variable - VISA_FIRST_VARIABLE]
               : 0;
}

static unsigned size_of(const struct lifetimes *l, unsigned variable)
{
    return l->live.sizes[variable - VISA_FIRST_VARIABLE];
}

static bool any_bit(const uint64_t *set, size_t from, size_t to)
{
    for (size_t n = from; n < to; n++)
        if (set[n / 64] >> n % 64 & 1)
            return true;
    return false;
}

static bool any_byte(const struct lifetimes *l, const uint64_t *set, unsigned variable)
{
    size_t from = first_of(l, variable) - 1;
    return any_bit(set, from, from + size_of(l, variable));
}

/* An instruction reads or writes the bytes of a followed variable that the place has. */
static void note_place(const struct lifetimes *l, struct visa_place place, bool is_read, uint64_t *live)
{
    int size = (int)size_of(l, place.variable);
    int from = place.from < 0 ? 0 : place.from > size ? size : place.from;
    int to = place.to > size ? size : place.to < from ? from : place.to;
    size_t first = first_of(l, place.variable) - 1;
    change_bytes(live, first + (size_t)from, first + (size_t)to, is_read);
}

/* The general variable that an operand names, or that its address is in; 0: there is none. */
static unsigned accessed_variable(const struct lifetimes *l, const struct visa_operand *o)
{
    if (o->kind == VISA_OPERAND_INDIRECT && o->variable >= VISA_FIRST_VARIABLE)
        return l->live.base[o->variable - VISA_FIRST_VARIABLE];
    return o->kind == VISA_OPERAND_GENERAL || o->kind == VISA_OPERAND_RAW ? o->variable : 0;
}

/* Bytes that a message reads of its source `k`, if its form says so; else all. */
static int payload_bytes(const struct lifetimes *l, const struct visa_instruction *i, unsigned k)
{
    enum { DWORD = 4, OWORD = 16 };
    int width = 4;
    switch (i->op) {
    case VISA_OP_OWORD_ST:
    case VISA_OP_SVM_BLOCK_ST: return i->attr[0] * OWORD;
    case VISA_OP_GATHER_SCALED:
    case VISA_OP_SCATTER_SCALED: return i->exec_size * DWORD; /* offsets and data: a dword for each lane */
    case VISA_OP_MEDIA_ST:
        while (width < i->attr[0])
            width *= 2;
        return width * i->attr[1];
    case VISA_OP_RAW_SEND:
    case VISA_OP_RAW_SENDS: return k < 2 ? i->attr[1 + k] * (int)l->grf : INT32_MAX / 2;
    default: return INT32_MAX / 2;
    }
}

/* Bytes of the result that a message always writes; 0: not known. */
static unsigned reply_bytes(const struct lifetimes *l, const struct visa_instruction *i)
{
    switch (i->op) {
    case VISA_OP_RAW_SEND: return (unsigned)i->attr[2] * l->grf;
    case VISA_OP_RAW_SENDS: return (unsigned)i->attr[3] * l->grf;
    default: return live_variables_reply(i);
    }
}

/* Operand `k` of the sources or the parameters. */
static void read_operand(struct lifetimes *l, const struct visa_instruction *i, const struct visa_operand *o,
                         unsigned k, uint64_t *live)
{
    unsigned variable = accessed_variable(l, o);
    if (!first_of(l, variable))
        return;
    struct visa_place place = {variable, 0, INT32_MAX};
    if (o->kind == VISA_OPERAND_RAW)
        place = (struct visa_place){variable, o->offset, o->offset + payload_bytes(l, i, k)};
    if (o->kind == VISA_OPERAND_GENERAL && !visa_has_hidden_operands(i))
        place = visa_place_of(o, i->exec_size, false);
    note_place(l, place, true, live);
}

/* The bytes of the result are not read before: those of each lane, if all lanes are written. */
static void write_result(struct lifetimes *l, const struct visa_instruction *i, uint64_t *live)
{
    const struct visa_operand *d = &i->dst;
    bool named = d->kind == VISA_OPERAND_GENERAL || d->kind == VISA_OPERAND_RAW;
    if (!named || !first_of(l, d->variable) || i->predicate.variable != VISA_NULL || i->by_channel)
        return;
    int bytes = (int)visa_type_bytes(d->type), step = bytes * (d->region.hstride ? d->region.hstride : 1);
    int lanes = i->exec_size;
    if (d->kind == VISA_OPERAND_RAW) {
        bytes = (int)reply_bytes(l, i);
        lanes = 1;
    } else if (visa_has_hidden_operands(i)) {
        return;
    }
    for (int lane = 0; lane < lanes; lane++) {
        int from = d->offset + lane * step;
        note_place(l, (struct visa_place){d->variable, from, from + bytes}, false, live);
    }
}

static bool is_contiguous(const struct visa_instruction *i, const struct visa_operand *o, bool source)
{
    const struct visa_region *r = &o->region;
    bool rows =
        r->width == 1 ? r->vstride == 1 : r->hstride == 1 && (r->vstride == r->width || r->width == i->exec_size);
    return o->kind == VISA_OPERAND_GENERAL && !o->modifier && (source ? rows : r->hstride == 1);
}

/* True for a move of consecutive lanes between two followed variables. It reads those that are read later of its result
 * alone: copies of whole variables have lanes that nothing wrote, nor reads. */
static bool copies_lanes(const struct lifetimes *l, const struct visa_instruction *i)
{
    const struct visa_operand *from = &i->src[0], *to = &i->dst;
    if (i->op != VISA_OP_MOV || i->saturate || i->by_channel || i->predicate.variable != VISA_NULL ||
        to->type != from->type || !is_contiguous(i, to, false) || !is_contiguous(i, from, true) ||
        to->variable == from->variable || !first_of(l, to->variable) || !first_of(l, from->variable))
        return false;
    int bytes = i->exec_size * (int)visa_type_bytes(to->type);
    return to->offset + bytes <= (int)size_of(l, to->variable) &&
           from->offset + bytes <= (int)size_of(l, from->variable);
}

static void step_back_over_copy(struct lifetimes *l, const struct visa_instruction *i, uint64_t *live)
{
    size_t lane = visa_type_bytes(i->dst.type), to = first_of(l, i->dst.variable) - 1 + (size_t)i->dst.offset,
           from = first_of(l, i->src[0].variable) - 1 + (size_t)i->src[0].offset;
    for (unsigned k = 0; k < i->exec_size; k++, to += lane, from += lane)
        if (any_bit(live, to, to + lane)) {
            change_bytes(live, to, to + lane, false);
            change_bytes(live, from, from + lane, true);
        }
}

/* Updates the set from after the instruction to before it. */
static void step_back(struct lifetimes *l, const struct visa_instruction *i, uint64_t *live)
{
    if (copies_lanes(l, i)) {
        step_back_over_copy(l, i, live);
        return;
    }
    write_result(l, i, live);
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        read_operand(l, i, &i->src[k], k, live);
    for (unsigned k = 0; k < i->parameter_count; k++)
        read_operand(l, i, &i->parameters[k], k, live);
}

static void flow_back(struct live_variables *f, void *user, size_t from, size_t to)
{
    (void)f;
    struct lifetimes *l = user;
    uint64_t *end = set_of(l, from, AT_END);
    const uint64_t *start = set_of(l, to, AT_START);
    for (size_t w = 0; w < l->words; w++) {
        l->changed |= (start[w] & ~end[w]) != 0;
        end[w] |= start[w];
    }
}

static void solve(struct lifetimes *l)
{
    do {
        l->changed = false;
        for (size_t b = l->live.count; b-- > 0;) {
            live_variables_successors(&l->live, b, flow_back, l);
            uint64_t *start = set_of(l, b, AT_START);
            memcpy(start, set_of(l, b, AT_END), l->words * sizeof *start);
            for (size_t n = l->live.blocks[b].end; n-- > l->live.blocks[b].first;)
                step_back(l, &l->kernel->instructions[n], start);
        }
    } while (l->changed);
}

static void drop(struct lifetimes *l, const struct visa_operand *o)
{
    if (o->kind != VISA_OPERAND_NONE && o->kind != VISA_OPERAND_IMMEDIATE && first_of(l, o->variable))
        l->first[o->variable - VISA_FIRST_VARIABLE] = 0;
}

/* True if accesses to what the operand names are known. Code generation makes each address from a variable, none from
 * another address (codegen/emit/known_addresses.c). */
static bool is_known(const struct lifetimes *l, const struct visa_instruction *i, const struct visa_operand *o)
{
    bool address = i->op == VISA_OP_ADDR_ADD && o == &i->src[0] && o->kind == VISA_OPERAND_ADDRESS_OF &&
                   i->dst.variable >= VISA_FIRST_VARIABLE;
    return o->kind == VISA_OPERAND_GENERAL || o->kind == VISA_OPERAND_RAW || o->kind == VISA_OPERAND_INDIRECT ||
           (address && l->live.base[i->dst.variable - VISA_FIRST_VARIABLE] == o->variable);
}

/* Follows variables that are live at a block's start, if instructions name them only as what they read and write, or
 * take their addresses to do so. */
static void choose_variables(struct lifetimes *l)
{
    const struct visa_kernel *kernel = l->kernel;
    for (size_t b = 0; b < l->live.count; b++)
        for (size_t v = 0; v < kernel->variable_count; v++)
            if (variable_in(l->live.blocks[b].in, v) && variable_in(l->live.blocks[b].before, v) &&
                kernel->variables[v].class == VISA_CLASS_GENERAL && kernel->variables[v].input_offset < 0)
                l->first[v] = 1;
    for (size_t n = 0; n < kernel->instruction_count; n++) {
        const struct visa_instruction *i = &kernel->instructions[n];
        bool hides = i->op == VISA_OP_ASSEMBLY || visa_has_carry(i);
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            if (hides || !is_known(l, i, &i->src[k]))
                drop(l, &i->src[k]);
        for (unsigned k = 0; k < i->parameter_count; k++)
            if (hides || !is_known(l, i, &i->parameters[k]))
                drop(l, &i->parameters[k]);
        if (hides || i->op == VISA_OP_LIFETIME_START || !is_known(l, i, &i->dst))
            drop(l, &i->dst);
    }
}

static bool allocate_sets(struct lifetimes *l)
{
    size_t bytes = 0;
    for (size_t v = 0; v < l->kernel->variable_count; v++) {
        if (!l->first[v])
            continue;
        l->first[v] = 1 + bytes;
        bytes += l->live.sizes[v];
    }
    l->words = bytes / 64 + 1;
    size_t all = (2 * l->live.count + 1) * l->words;
    if (bytes == 0 || all > MOST_SET_BYTES / sizeof *l->sets)
        return false;
    l->sets = calloc(all, sizeof *l->sets);
    l->walk = l->sets + 2 * l->live.count * l->words;
    return l->sets != NULL;
}

/* True if the instruction writes a part of a followed variable, and no byte of it is read later from `before` on. */
static bool begins_value(const struct lifetimes *l, const struct visa_instruction *i, const uint64_t *before)
{
    const struct visa_operand *d = &i->dst;
    if ((d->kind != VISA_OPERAND_GENERAL && d->kind != VISA_OPERAND_RAW) || !first_of(l, d->variable))
        return false;
    unsigned bytes =
        d->kind == VISA_OPERAND_RAW ? reply_bytes(l, i) : (unsigned)i->exec_size * (unsigned)visa_type_bytes(d->type);
    return bytes < size_of(l, d->variable) && !any_byte(l, before, d->variable);
}

/* Sets begins[n] of each instruction that begins the value of a variable. Returns how many there are. */
static size_t find_begins(struct lifetimes *l, bool *begins)
{
    size_t found = 0;
    for (size_t b = 0; b < l->live.count; b++) {
        memcpy(l->walk, set_of(l, b, AT_END), l->words * sizeof *l->walk);
        for (size_t n = l->live.blocks[b].end; n-- > l->live.blocks[b].first;) {
            const struct visa_instruction *i = &l->kernel->instructions[n];
            step_back(l, i, l->walk);
            begins[n] = begins_value(l, i, l->walk);
            found += begins[n];
        }
    }
    return found;
}

bool visa_start_lifetimes(struct visa_program *program, struct visa_kernel *kernel)
{
    struct lifetimes l = {.kernel = kernel, .grf = program->platform->grf_bytes};
    bool *begins = calloc(kernel->instruction_count + 1, sizeof *begins);
    l.first = calloc(kernel->variable_count + 1, sizeof *l.first);
    size_t found = 0;
    bool may = !program->watched && kernel->function_count == 0; /* calls were not tried */
    if (may && begins && l.first && live_variables_find(&l.live, kernel)) {
        choose_variables(&l);
        if (allocate_sets(&l)) {
            solve(&l);
            found = find_begins(&l, begins);
        }
    }
    if (found)
        visa_insert_lifetime_starts(program, kernel, begins, found);
    live_variables_free(&l.live);
    free(l.sets);
    free(l.first);
    free(begins);
    return found > 0;
}
