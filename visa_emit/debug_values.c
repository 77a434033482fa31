/* Finds values of source variables in optimized code: see debug_values.h. */
#include "visa_emit/debug_values.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/gen_spills.h"
#include "visa_emit/gen_writes.h"
#include "visa_emit/live_variables.h"
#include "visa_emit/source_lines.h"

enum { MOST_STEPS = 1 << 27 }; /* assignments times instructions */
#define NOWHERE ((size_t)-1)

/* The code of one unit. */
struct finding {
    struct debug_values *result;
    const struct debug_code *code;
    const struct visa_kernel *unit;
    const struct debug_unit *debug;
    struct live_variables flow;
    unsigned register_bytes;
    size_t *block_of;         /* per vISA instruction */
    size_t *visa_of;          /* per Gen instruction: its vISA instruction; NOWHERE: of none, or of another unit */
    struct gen_write *writes; /* per Gen instruction */
    struct gen_spill *spills;
    bool *mixed;          /* per block: its code is not in one piece */
    unsigned char *kills; /* per vISA instruction: bits of what it does to the value at hand */
    unsigned char *in;    /* per block: what holds at its start, at least: enum */
    unsigned char *holds; /* per vISA instruction: the assignment at hand holds before it */
    size_t *touches;      /* Gen instructions that write the registers or the memory of the value at hand */
    bool *is_own;         /* the same: for a vISA instruction that writes the variable */
    size_t touch_count;
    size_t ready; /* the first Gen instruction behind those that load the variable at hand, if it is an argument */
};

enum { WRITES_VARIABLE = 1, WRITES_REGISTERS = 2 }; /* its own code; code for another variable, at any time */
enum { HAS_VALUE = 1, IS_ASSIGNED = 2, NOT_VISITED = 4 };

/* ---- the code ---- */

static void read_code(struct finding *f)
{
    for (size_t b = 0; b < f->flow.count; b++)
        for (size_t n = f->flow.blocks[b].first; n < f->flow.blocks[b].end; n++)
            f->block_of[n] = b;
    const char *rest = f->code->listing;
    for (size_t k = 0; k + 1 < f->code->count; k++) {
        const struct debug_point *p = &f->code->points[k];
        size_t length;
        const char *line = listing_instruction(&rest, &length);
        f->visa_of[k] = p->unit == f->unit && p->from ? (size_t)(p->from - f->unit->instructions) : NOWHERE;
        f->writes[k] =
            line ? gen_write_of(line, length, f->register_bytes) : (struct gen_write){GEN_WRITES_ANYTHING, 0, ~0u};
        f->spills[k] =
            line ? gen_spill_of(line, length, f->register_bytes) : (struct gen_spill){.kind = GEN_SPILL_NONE};
        if (f->spills[k].is_in_frame && p->unit != f->unit) /* each function on the stack has a frame of its own */
            f->spills[k].kind = GEN_SPILL_NONE;
    }
}

/* Blocks whose code is between that of another block, too, are not in the order of the text. */
static bool find_mixed_blocks(struct finding *f)
{
    size_t blocks = f->flow.count, *first = malloc((blocks + 1) * sizeof *first),
           *last = calloc(blocks + 1, sizeof *last);
    for (size_t b = 0; first && b < blocks; b++)
        first[b] = NOWHERE;
    for (size_t k = 0; first && last && k + 1 < f->code->count; k++) {
        size_t b = f->visa_of[k] == NOWHERE ? NOWHERE : f->block_of[f->visa_of[k]];
        if (b == NOWHERE)
            continue;
        first[b] = first[b] == NOWHERE ? k : first[b];
        last[b] = k;
    }
    size_t before = NOWHERE;
    for (size_t k = 0; first && last && k + 1 < f->code->count; k++) {
        size_t b = f->visa_of[k] == NOWHERE ? NOWHERE : f->block_of[f->visa_of[k]];
        if (b == NOWHERE || b == before)
            continue;
        f->mixed[b] |= first[b] < k;
        if (before != NOWHERE)
            f->mixed[before] |= last[before] > k;
        before = b;
    }
    bool good = first && last;
    free(first);
    free(last);
    return good;
}

/* ---- one value ---- */

/* Returns what a Gen instruction writes of the registers or of scratch memory. */
static struct gen_write write_at(const struct finding *f, size_t k, bool in_scratch)
{
    const struct gen_spill *spill = &f->spills[k];
    if (!in_scratch || f->writes[k].kind == GEN_WRITES_ANYTHING)
        return f->writes[k];
    return spill->kind == GEN_SPILL_WRITE ? (struct gen_write){GEN_WRITES_BYTES, spill->low, spill->high}
                                          : (struct gen_write){GEN_WRITES_NOTHING, 0, 0};
}

static bool overlaps(const struct gen_write *w, unsigned low, unsigned high)
{
    return w->kind == GEN_WRITES_ANYTHING || (w->kind == GEN_WRITES_BYTES && w->low < high && low < w->high);
}

static bool writes_variable(const struct finding *f, size_t n, size_t variable)
{
    const struct live_accesses *a = &f->flow.accesses[n];
    if (f->unit->instructions[n].op == VISA_OP_LIFETIME_START) /* a mark: it has no code */
        return false;
    for (unsigned k = 0; k < a->writes; k++)
        if (f->flow.accessed[a->first + k] == variable)
            return true;
    return false;
}

static bool leaves_function(const struct visa_instruction *i)
{
    switch (i->op) {
    case VISA_OP_CALL:
    case VISA_OP_FCALL:
    case VISA_OP_FUNCTION:
    case VISA_OP_ASSEMBLY: return true;
    default: return false;
    }
}

/* Bytes of registers or of scratch memory. */
struct extent {
    unsigned low, high;
};

/* Finds the bytes that a vISA instruction writes of a variable at `place`. The end of a message's reply is not known:
 * it is `found`'s. False: it writes by address. */
static bool extent_of(const struct visa_instruction *i, unsigned place, struct extent found, struct extent *all)
{
    const struct visa_operand *d = &i->dst;
    unsigned size = visa_type_bytes(d->type), stride = d->region.hstride ? d->region.hstride : 1;
    *all = (struct extent){place + (unsigned)d->offset, found.high};
    if (d->kind == VISA_OPERAND_GENERAL)
        all->high = all->low + ((i->exec_size - 1u) * stride + 1) * size;
    return d->kind == VISA_OPERAND_GENERAL || d->kind == VISA_OPERAND_RAW;
}

/* Finds the bytes that the code of a vISA instruction writes of the value at hand, whose bytes are `bounds`. False: it
 * writes others beside them. */
static bool find_written(const struct finding *f, size_t n, const struct debug_place *place, struct extent bounds,
                         struct extent *found, bool *indirect)
{
    *found = (struct extent){~0u, 0};
    *indirect = false;
    for (size_t k = 0; k < f->touch_count; k++) {
        const struct gen_write w = write_at(f, f->touches[k], place->is_in_scratch);
        if (f->visa_of[f->touches[k]] != n)
            continue;
        if (w.kind == GEN_WRITES_INDIRECT)
            *indirect = true;
        else if (w.low < bounds.low || w.high > bounds.high)
            return false;
        found->low = w.kind == GEN_WRITES_BYTES && w.low < found->low ? w.low : found->low;
        found->high = w.kind == GEN_WRITES_BYTES && w.high > found->high ? w.high : found->high;
    }
    return true;
}

static bool is_written_in_registers(const struct finding *f, size_t n, const struct debug_place *place, unsigned bytes)
{
    const struct visa_instruction *i = &f->unit->instructions[n];
    struct extent found, all;
    bool indirect;
    if (!find_written(f, n, place, (struct extent){place->byte, place->byte + bytes}, &found, &indirect))
        return false;
    if (!extent_of(i, place->byte, found, &all))
        return i->dst.kind == VISA_OPERAND_INDIRECT && indirect;
    return found.low < found.high && found.low == all.low && found.high == all.high;
}

/* True if the code of vISA instruction `n` reads the bytes of scratch memory that it then writes again. */
static bool is_read_before(const struct finding *f, size_t n, const struct gen_write *w)
{
    for (size_t k = 0; k + 1 < f->code->count; k++)
        if (f->visa_of[k] == n && f->spills[k].kind == GEN_SPILL_READ && f->spills[k].low <= w->low &&
            f->spills[k].high >= w->high)
            return true;
    return false;
}

/* Scratch memory is written by the register. Each one has all that the variable has there: the instruction writes all
 * of it, or the register was read from there before. */
static bool is_written_in_scratch(const struct finding *f, size_t n, const struct debug_place *place, unsigned bytes)
{
    const struct visa_instruction *i = &f->unit->instructions[n];
    unsigned end = place->byte + bytes, row = f->register_bytes;
    struct extent found, all;
    bool indirect;
    if (!find_written(f, n, place, (struct extent){place->byte, (end + row - 1) / row * row}, &found, &indirect) ||
        !extent_of(i, place->byte, found, &all) || found.low > all.low || found.high < all.high || all.low >= all.high)
        return false;
    bool is_dense = i->dst.kind == VISA_OPERAND_RAW || i->exec_size == 1 || i->dst.region.hstride <= 1;
    for (size_t k = 0; k < f->touch_count; k++) {
        const struct gen_write w = write_at(f, f->touches[k], true);
        bool is_whole = is_dense && w.low >= all.low && (w.high < end ? w.high : end) <= all.high;
        if (f->visa_of[f->touches[k]] == n && !is_whole && !is_read_before(f, n, &w))
            return false;
    }
    return true;
}

/* Lists the instructions that write the registers or the memory of a variable, and what ends a value there. False: they
 * cannot be known to have the variable's values. A message's reply is there behind the message, also where code with a
 * software scoreboard waits for it later: nothing shows a thread's registers before what it has in flight is there. */
static bool read_variable(struct finding *f, size_t variable, const struct debug_place *place)
{
    unsigned bytes = f->flow.sizes[variable];
    bool begun = false;
    f->touch_count = f->ready = 0;
    for (size_t n = 0; n < f->unit->instruction_count; n++)
        f->kills[n] = leaves_function(&f->unit->instructions[n]) ? WRITES_REGISTERS
                      : writes_variable(f, n, variable)          ? WRITES_VARIABLE
                                                                 : 0;
    for (size_t k = 0; k + 1 < f->code->count; k++) {
        size_t n = f->visa_of[k];
        const struct gen_write w = write_at(f, k, place->is_in_scratch);
        bool own = n != NOWHERE && writes_variable(f, n, variable);
        begun |= n != NOWHERE;
        if (!overlaps(&w, place->byte, place->byte + bytes) && !(own && w.kind == GEN_WRITES_INDIRECT))
            continue;
        if (n == NOWHERE ? begun && f->code->points[k].unit == f->unit : f->mixed[f->block_of[n]])
            return false;
        if (n == NOWHERE) {
            f->ready = k + 1;
            continue;
        }
        f->kills[n] |= own ? WRITES_VARIABLE : WRITES_REGISTERS;
        f->is_own[f->touch_count] = own;
        f->touches[f->touch_count++] = k;
    }
    for (size_t n = 0; n < f->unit->instruction_count; n++)
        if (writes_variable(f, n, variable) && !(place->is_in_scratch ? is_written_in_scratch(f, n, place, bytes)
                                                                      : is_written_in_registers(f, n, place, bytes)))
            return false;
    return true;
}

/* ---- one assignment ---- */

static unsigned char step(const struct finding *f, const struct debug_assignment *a, unsigned number, size_t n,
                          unsigned char state)
{
    if (f->kills[n])
        state = 0;
    for (unsigned m = f->unit->instructions[n].mark; m; m = f->debug->marks[m - 1].next) {
        const struct debug_mark *mark = &f->debug->marks[m - 1];
        if (mark->kind == DEBUG_MARK_VALUE) {
            state |= mark->number == a->value ? HAS_VALUE : 0;
            continue;
        }
        const struct debug_assignment *other = &f->debug->assignments[mark->number - 1];
        if (other->variable != a->variable || other->at >= a->at + a->bytes || a->at >= other->at + other->bytes)
            continue;
        bool holds = mark->number == number && (a->constant || state & HAS_VALUE);
        state = (unsigned char)((state & HAS_VALUE) | (holds ? IS_ASSIGNED : 0));
    }
    return f->kills[n] & WRITES_REGISTERS ? 0 : state;
}

/* What holds at a block's start is what holds at the ends of all its predecessors. */
struct passing {
    struct finding *f;
    unsigned char state;
};

static void pass_on(struct live_variables *flow, void *user, size_t from, size_t to)
{
    struct passing *p = user;
    unsigned char before = p->f->in[to], after = before & NOT_VISITED ? p->state : before & p->state;
    (void)from;
    p->f->in[to] = after;
    flow->changed |= before != after;
}

static void solve(struct finding *f, const struct debug_assignment *a, unsigned number)
{
    memset(f->in, NOT_VISITED, f->flow.count * sizeof *f->in);
    f->in[0] = 0;
    do {
        f->flow.changed = false;
        for (size_t b = 0; b < f->flow.count; b++) {
            if (f->in[b] & NOT_VISITED)
                continue;
            struct passing p = {f, f->in[b]};
            for (size_t n = f->flow.blocks[b].first; n < f->flow.blocks[b].end; n++) {
                f->holds[n] = p.state;
                p.state = step(f, a, number, n, p.state);
            }
            live_variables_successors(&f->flow, b, pass_on, &p);
        }
    } while (f->flow.changed);
}

static bool is_in_state(const struct visa_program *program, const struct visa_instruction *i, unsigned record)
{
    const struct visa_line_state *state = i->state ? &program->states[i->state - 1] : NULL;
    for (size_t k = 0; state && k < state->count; k++)
        if (state->records[k] == record)
            return true;
    return false;
}

/* True if the writes of the registers in the block of vISA instruction `n` are in order around Gen instruction `at`,
 * and the last one before it is the variable's: the finalizer repeats an instruction elsewhere to have its result
 * twice. */
static bool is_in_order(const struct finding *f, size_t n, size_t at)
{
    bool own = true;
    for (size_t k = 0; k < f->touch_count; k++) {
        size_t other = f->visa_of[f->touches[k]];
        if (f->block_of[other] != f->block_of[n])
            continue;
        if ((other < n) != (f->touches[k] < at))
            return false;
        own = f->touches[k] < at ? f->is_own[k] : own;
    }
    return own;
}

static bool is_of(const struct debug_assignment *a, const struct debug_part *part)
{
    return part->variable == a->variable && part->at >= a->at && part->at + part->bytes <= a->at + a->bytes;
}

static void show(struct finding *f, const struct visa_program *program, unsigned number)
{
    const struct debug_assignment *a = &f->debug->assignments[number - 1];
    for (size_t n = 0; n < f->unit->instruction_count; n++)
        f->holds[n] = 0;
    solve(f, a, number);
    for (size_t k = 0; k + 1 < f->code->count; k++) {
        size_t n = f->visa_of[k];
        if (n == NOWHERE || !(f->holds[n] & IS_ASSIGNED) || f->mixed[f->block_of[n]] ||
            leaves_function(&f->unit->instructions[n]) || !is_in_state(program, &f->unit->instructions[n], a->record))
            continue;
        if (!a->constant && (k < f->ready || !is_in_order(f, n, k)))
            continue;
        for (size_t p = 0; p < f->result->count; p++)
            if (is_of(a, &f->result->parts[p]))
                f->result->parts[p].shown[k] = number;
    }
}

/* ---- all of them ---- */

/* A byte of a variable at which an assignment begins or ends. */
struct bound {
    unsigned variable, at;
};

static int compare_bounds(const void *left, const void *right)
{
    const struct bound *a = left, *b = right;
    if (a->variable != b->variable)
        return a->variable < b->variable ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static bool is_assigned(const struct debug_unit *unit, const struct debug_part *part)
{
    for (size_t k = 0; k < unit->assignment_count; k++)
        if (is_of(&unit->assignments[k], part))
            return true;
    return false;
}

/* Finds the parts of variables: the bytes between two bounds. A variable that is assigned as a whole in one place and
 * in pieces in another is shown in pieces. */
static bool find_parts(struct finding *f)
{
    struct debug_values *v = f->result;
    size_t count = 0, most = 2 * f->debug->assignment_count;
    struct bound *bounds = calloc(most + 1, sizeof *bounds);
    v->parts = calloc(most + 1, sizeof *v->parts);
    for (size_t k = 0; bounds && k < f->debug->assignment_count; k++) {
        const struct debug_assignment *a = &f->debug->assignments[k];
        if (!a->bytes)
            continue;
        bounds[count++] = (struct bound){a->variable, a->at};
        bounds[count++] = (struct bound){a->variable, a->at + a->bytes};
    }
    bool good = bounds && v->parts;
    if (good)
        qsort(bounds, count, sizeof *bounds, compare_bounds);
    for (size_t k = 0; good && k + 1 < count; k++) {
        const struct bound *from = &bounds[k], *to = &bounds[k + 1];
        struct debug_part part = {from->variable, from->at, to->at - from->at, NULL};
        if (from->variable != to->variable || from->at == to->at || !is_assigned(f->debug, &part))
            continue;
        part.shown = calloc(f->code->count, sizeof *part.shown);
        good = part.shown != NULL;
        if (good)
            v->parts[v->count++] = part;
    }
    free(bounds);
    return good;
}

static bool allocate(struct finding *f)
{
    size_t count = f->unit->instruction_count + 1, points = f->code->count + 1;
    f->block_of = calloc(count, sizeof *f->block_of);
    f->visa_of = calloc(points, sizeof *f->visa_of);
    f->writes = calloc(points, sizeof *f->writes);
    f->mixed = calloc(f->flow.count + 1, sizeof *f->mixed);
    f->kills = calloc(count, sizeof *f->kills);
    f->in = calloc(f->flow.count + 1, sizeof *f->in);
    f->holds = calloc(count, sizeof *f->holds);
    f->touches = calloc(points, sizeof *f->touches);
    f->is_own = calloc(points, sizeof *f->is_own);
    f->spills = calloc(points, sizeof *f->spills);
    f->result->places = calloc(f->debug->value_count + 1, sizeof *f->result->places);
    return f->block_of && f->visa_of && f->writes && f->mixed && f->kills && f->in && f->holds && f->touches &&
           f->is_own && f->spills && f->result->places;
}

static void show_all(struct finding *f, const struct visa_program *program, const struct visa_kernel *kernel)
{
    struct debug_place place = {0};
    for (unsigned value = 0; value <= f->debug->value_count; value++) { /* 0: constants */
        const struct debug_value *v = value ? &f->debug->values[value - 1] : NULL;
        bool usable = !v || (v->variable >= VISA_FIRST_VARIABLE &&
                             debug_home_place(f->code, kernel, f->unit, v->variable, program->platform, &place));
        memset(f->kills, 0, f->unit->instruction_count * sizeof *f->kills);
        f->touch_count = f->ready = 0;
        if (!usable || (v && !read_variable(f, v->variable - VISA_FIRST_VARIABLE, &place)))
            continue;
        f->result->places[value] = place;
        for (unsigned k = 1; k <= f->debug->assignment_count; k++) {
            const struct debug_assignment *a = &f->debug->assignments[k - 1];
            if (a->value == value && (value || a->constant))
                show(f, program, k);
        }
    }
}

bool debug_values_find(struct debug_values *v, const struct debug_code *code, const struct visa_kernel *kernel,
                       const struct visa_kernel *unit, const struct visa_program *program)
{
    *v = (struct debug_values){.unit = unit};
    struct finding f = {
        .result = v, .code = code, .unit = unit, .debug = unit->debug, .register_bytes = program->platform->grf_bytes};
    if (!f.debug || !f.debug->assignment_count ||
        f.debug->assignment_count * (unit->instruction_count + 1) > MOST_STEPS)
        return true;
    bool good = live_variables_find(&f.flow, unit) && f.flow.count && allocate(&f) && find_parts(&f);
    if (good) {
        read_code(&f);
        good = find_mixed_blocks(&f);
    }
    if (good)
        show_all(&f, program, kernel);
    free(f.block_of);
    free(f.visa_of);
    free(f.writes);
    free(f.mixed);
    free(f.kills);
    free(f.in);
    free(f.holds);
    free(f.touches);
    free(f.is_own);
    free(f.spills);
    live_variables_free(&f.flow);
    return good;
}

void debug_values_free(struct debug_values *v)
{
    for (size_t k = 0; k < v->count; k++)
        free(v->parts[k].shown);
    free(v->parts);
    free(v->places);
    *v = (struct debug_values){0};
}
