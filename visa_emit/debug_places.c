/* Finds homes and scopes in Gen code: see debug_places.h. */
#include "visa_emit/debug_places.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/gen_writes.h"
#include "visa_emit/source_lines.h"
#include "visa_emit/stack_depth.h"

/* ---- the code ---- */

static void add_point(struct debug_code *code, struct debug_point point)
{
    if (code->count == code->capacity) {
        size_t capacity = 2 * code->capacity + 64;
        struct debug_point *larger = realloc(code->points, capacity * sizeof *larger);
        code->failed |= !larger;
        if (!larger)
            return;
        code->points = larger;
        code->capacity = capacity;
    }
    code->points[code->count++] = point;
}

static void add_line(void *user, const struct gen_line *line)
{
    struct debug_code *code = user;
    struct debug_point point = {line->offset, line->unit, line->subroutine, 0, line->from, line->text};
    const struct debug_point *before = code->count ? &code->points[code->count - 1] : NULL;
    if (line->from)
        point.scope = line->from->scope;
    if (!point.scope && before && before->unit == point.unit && before->subroutine == point.subroutine)
        point.scope = before->scope;
    add_point(code, point);
}

bool debug_code_read(struct debug_code *code, const struct visa_program *program, const struct visa_kernel *kernel,
                     const struct gen_code *gen)
{
    *code = (struct debug_code){.listing = gen->assembly};
    bool read = gen_lines_visit(program, kernel, gen, add_line, code);
    add_point(code, (struct debug_point){.offset = gen->size});
    if (read && !code->failed)
        return true;
    debug_code_free(code);
    return false;
}

void debug_code_free(struct debug_code *code)
{
    free(code->points);
    *code = (struct debug_code){0};
}

/* ---- scopes ---- */

static const struct debug_scope *scope_at(const struct visa_kernel *unit, unsigned number)
{
    return &unit->debug->scopes[number - 1];
}

static bool is_inside(const struct visa_kernel *unit, unsigned scope, unsigned outer)
{
    while (scope && scope != outer)
        scope = scope_at(unit, scope)->parent;
    return scope != 0;
}

/* Returns the copy of a function that a scope belongs to. */
static unsigned function_of(const struct visa_kernel *unit, unsigned scope)
{
    while (scope && !scope_at(unit, scope)->name)
        scope = scope_at(unit, scope)->parent;
    return scope;
}

const struct visa_kernel *debug_unit_at(const struct debug_code *code, size_t offset)
{
    for (size_t k = 0; k + 1 < code->count; k++)
        if (code->points[k].offset == offset)
            return code->points[k].unit;
    return NULL;
}

unsigned debug_function_scope(const struct debug_code *code, size_t offset)
{
    const struct visa_kernel *unit = NULL;
    unsigned subroutine = 0;
    for (size_t k = 0; k + 1 < code->count; k++) {
        const struct debug_point *p = &code->points[k];
        if (p->offset == offset) {
            unit = p->unit;
            subroutine = p->subroutine;
        }
        if (!unit)
            continue;
        if (p->unit != unit || p->subroutine != subroutine)
            return 0;
        unsigned scope = p->unit->debug ? p->scope : 0;
        while (scope && scope_at(unit, scope)->parent)
            scope = scope_at(unit, scope)->parent;
        if (scope)
            return scope;
    }
    return 0;
}

/* A list of ranges under construction. */
struct ranges {
    struct debug_range *list;
    size_t count;
};

static bool ranges_open(struct ranges *r, const struct debug_code *code)
{
    *r = (struct ranges){calloc(code->count + 1, sizeof *r->list), 0};
    return r->list != NULL;
}

/* Adds the code of one instruction. */
static void ranges_add(struct ranges *r, const struct debug_point *point)
{
    size_t end = point[1].offset;
    if (r->count && r->list[r->count - 1].end == point->offset)
        r->list[r->count - 1].end = end;
    else
        r->list[r->count++] = (struct debug_range){point->offset, end};
}

static size_t ranges_take(struct ranges *r, struct debug_range **list)
{
    *list = r->list;
    if (r->count)
        return r->count;
    free(r->list);
    *list = NULL;
    return 0;
}

size_t debug_scope_ranges(const struct debug_code *code, const struct visa_kernel *unit, unsigned scope, size_t from,
                          size_t to, struct debug_range **list)
{
    struct ranges r;
    *list = NULL;
    if (!ranges_open(&r, code))
        return 0;
    for (size_t k = 0; k + 1 < code->count; k++) {
        const struct debug_point *p = &code->points[k];
        if (p->offset >= from && p->offset < to && p->unit == unit && is_inside(unit, p->scope, scope))
            ranges_add(&r, p);
    }
    return ranges_take(&r, list);
}

/* ---- homes ---- */

static bool writes(const struct visa_instruction *i, unsigned home)
{
    return i && i->dst.kind == VISA_OPERAND_GENERAL && i->dst.variable == home;
}

static bool is_last_read(const struct visa_instruction *i, unsigned home)
{
    return i && i->op == VISA_OP_MOV && i->dst.kind == VISA_OPERAND_GENERAL && i->dst.variable == VISA_NULL &&
           i->src[0].variable == home;
}

static bool is_return(const struct visa_instruction *i)
{
    return i && (i->op == VISA_OP_RET || i->op == VISA_OP_FRET);
}

static bool is_call(const struct visa_instruction *i)
{
    return i && (i->op == VISA_OP_CALL || i->op == VISA_OP_FCALL);
}

/* True at instructions of functions that the variable's function calls, and at the calls: a variable that they share is
 * out of date there. */
static bool is_out_of_date(const struct visa_kernel *unit, const struct debug_variable *v, const struct debug_point *p)
{
    if (is_call(p->from) && v->is_changed)
        return true;
    if (!v->is_shared)
        return false;
    unsigned of_variable = function_of(unit, v->scope), of_point = function_of(unit, p->scope);
    return of_point != of_variable && is_inside(unit, of_point, of_variable);
}

/* Returns the unit's first vISA instruction that writes a home. NULL: there is none. */
static const struct visa_instruction *first_write(const struct visa_kernel *unit, unsigned home)
{
    for (size_t k = 0; k < unit->instruction_count; k++)
        if (writes(&unit->instructions[k], home))
            return &unit->instructions[k];
    return NULL;
}

/* Returns the number of the instruction behind which the code of all vISA instructions before `visa` lies, if `visa`
 * itself has no code; else the number of all. */
static size_t behind_without_code(const struct debug_code *code, const struct visa_kernel *unit,
                                  const struct visa_instruction *visa)
{
    size_t last = 0;
    for (size_t k = 0; k + 1 < code->count; k++) {
        if (code->points[k].from == visa)
            return code->count;
        if (code->points[k].unit == unit && code->points[k].from && code->points[k].from < visa)
            last = k;
    }
    return last;
}

/* True for the call itself, not for the code around it that the finalizer adds. */
static bool is_stack_call(const struct debug_point *p)
{
    return p->from && p->from->op == VISA_OP_FCALL && gen_is_call(p->text);
}

/* Returns the number of the instruction behind which a home's registers have their values again after a call of a
 * function on the stack, instruction `call`: those that the callee may change are saved before the call and read back
 * behind it. */
static size_t back_behind(const struct debug_code *code, size_t call, const struct debug_place *place, unsigned bytes,
                          unsigned register_bytes)
{
    size_t back = call;
    for (size_t k = call + 1; k + 1 < code->count && (!code->points[k].from || is_call(code->points[k].from)); k++) {
        const struct debug_point *p = &code->points[k];
        struct gen_write w = gen_write_of(p->text, strcspn(p->text, "\n"), register_bytes);
        if (w.kind != GEN_WRITES_NOTHING &&
            !(w.kind == GEN_WRITES_BYTES && (w.low >= place->byte + bytes || w.high <= place->byte)))
            back = k;
    }
    return back;
}

/* A home has its value behind its first write, for which there may be no code: where the value is in its registers
 * already. Code has the order of vISA. It has it up to the read that keeps it alive until the function returns; not
 * while registers are elsewhere: behind a call of a function on the stack, until they are back. */
size_t debug_home_ranges(const struct debug_code *code, const struct visa_kernel *unit,
                         const struct debug_variable *variable, const struct debug_place *place, unsigned bytes,
                         unsigned register_bytes, size_t from, size_t to, struct debug_range **list)
{
    enum { BEFORE, WRITING, VALID, LEAVING } state = BEFORE;
    const struct visa_instruction *first = first_write(unit, variable->home);
    unsigned line = 0;
    struct ranges r;
    *list = NULL;
    if (!first || !ranges_open(&r, code))
        return 0;
    size_t start = behind_without_code(code, unit, first), elsewhere = 0; /* up to this instruction */
    for (size_t k = 0; k + 1 < code->count; k++) {
        const struct debug_point *p = &code->points[k];
        if (p->offset < from || p->offset >= to || p->unit != unit)
            continue;
        bool write = writes(p->from, variable->home);
        if (state == BEFORE && k > start && p->from) {
            state = p->from->line == first->line ? WRITING : VALID;
            line = first->line;
        } else if (state == BEFORE && write) {
            state = WRITING;
            line = p->from->line;
        } else if (state == WRITING && (!write || p->from->line != line))
            state = VALID;
        else if (state == LEAVING && p->from && !is_return(p->from) && p->from->dst.variable != VISA_NULL)
            state = VALID;
        if (state == VALID && k > elsewhere && !is_out_of_date(unit, variable, p))
            ranges_add(&r, p);
        if (state == VALID && is_stack_call(p) && !place->is_in_scratch)
            elsewhere = back_behind(code, k, place, bytes, register_bytes);
        if (state == VALID && is_last_read(p->from, variable->home))
            state = LEAVING;
    }
    return ranges_take(&r, list);
}

size_t debug_ranges_meet(struct debug_range **list, size_t count, const struct debug_range *others, size_t other_count)
{
    struct ranges met = {calloc(count + other_count + 1, sizeof *met.list), 0};
    for (size_t a = 0, b = 0; met.list && a < count && b < other_count;) {
        const struct debug_range *x = &(*list)[a], *y = &others[b];
        size_t start = x->start > y->start ? x->start : y->start, end = x->end < y->end ? x->end : y->end;
        if (start < end)
            met.list[met.count++] = (struct debug_range){start, end};
        if (x->end <= y->end)
            a++;
        else
            b++;
    }
    free(*list);
    return ranges_take(&met, list);
}

void debug_home_written_by(const struct visa_instruction *i, bool *marks, unsigned bytes)
{
    unsigned size = visa_type_bytes(i->dst.type), step = size * (i->dst.region.hstride ? i->dst.region.hstride : 1);
    for (unsigned lane = 0; lane < i->exec_size; lane++)
        for (unsigned n = 0; n < size; n++)
            if ((unsigned)i->dst.offset + lane * step + n < bytes)
                marks[(unsigned)i->dst.offset + lane * step + n] = false;
}

void debug_home_written(const struct visa_kernel *unit, unsigned home, bool *marks, unsigned bytes)
{
    for (size_t k = 0; k < unit->instruction_count; k++)
        if (writes(&unit->instructions[k], home))
            debug_home_written_by(&unit->instructions[k], marks, bytes);
}

#define SPILLED "(spilled -> Scratch"

/* Every list of declarations begins with this variable: the kernel's, then those of the functions S1, S2 ... */
#define FIRST_DECLARED "//.declare BuiltInR0 ("

/* Finds the part of the listing that declares a unit's variables, up to *end. NULL: there is none. */
static const char *declarations_of(const struct debug_code *code, const struct visa_kernel *kernel,
                                   const struct visa_kernel *unit, const char **end)
{
    const char *list = strstr(code->listing, FIRST_DECLARED);
    for (size_t n = 0; unit != kernel && list && n < kernel->function_count; n++) {
        list = strstr(list + 1, FIRST_DECLARED);
        if (kernel->functions[n] == unit)
            break;
    }
    const char *next = list ? strstr(list + 1, FIRST_DECLARED) : NULL;
    *end = next ? next : code->listing + strlen(code->listing);
    return list;
}

/* Returns the bytes of the type that a variable is declared with, in which its part of a register is counted; 0: not
 * known. */
static unsigned declared_bytes(const char *line)
{
    char name[8] = "";
    const char *found = strstr(line, " type=");
    if (!found || sscanf(found, " type=%7[a-z]", name) != 1)
        return 0;
    for (unsigned type = 0; type < VISA_TYPE_COUNT; type++)
        if (strcmp(visa_type_text((enum visa_type)type), name) == 0)
            return visa_type_bytes((enum visa_type)type);
    return 0;
}

/* Finds the register that says where the frame of a unit starts, in the unit's declarations. */
static bool find_frame(const char *declarations, const char *stop, const struct platform *platform,
                       struct debug_place *place)
{
    const char *line = strstr(declarations, "//.declare be_fp ("),
               *found = line && line < stop ? strstr(line, " type=ud ") : NULL;
    unsigned number, part;
    found = found && found < stop ? strstr(found, " (r") : NULL;
    if (!found || found > line + strcspn(line, "\n") || sscanf(found, " (r%u.%u)", &number, &part) != 2)
        return false;
    place->frame = number * platform->grf_bytes + part * (unsigned)sizeof(uint32_t);
    place->frame_unit = stack_depth_unit(platform);
    return true;
}

bool debug_home_place(const struct debug_code *code, const struct visa_kernel *kernel, const struct visa_kernel *unit,
                      unsigned home, const struct platform *platform, struct debug_place *place)
{
    char name[48];
    const char *stop, *text = declarations_of(code, kernel, unit, &stop);
    snprintf(name, sizeof name, "//.declare V%u (", home);
    const char *line = text ? strstr(text, name) : NULL;
    unsigned number, part;
    if (!line || line > stop)
        return false;
    const char *end = line + strcspn(line, "\n"), *found = strstr(line, " (r");
    if (found && found < end && sscanf(found, " (r%u.%u)", &number, &part) == 2) {
        *place = (struct debug_place){.byte = number * platform->grf_bytes + part * declared_bytes(line)};
        return declared_bytes(line) != 0;
    }
    found = strstr(line, SPILLED);
    if (!found || found > end || sscanf(found, SPILLED "[%ux%u])", &number, &part) != 2)
        return false;
    *place = (struct debug_place){.is_in_scratch = true, .byte = number * part};
    return !kernel->function_count || find_frame(text, stop, platform, place);
}
