/* Writes types, scopes and variables: see dwarf_variables.h. */
#include "visa_emit/dwarf_variables.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/debug_reuse.h"
#include "visa_emit/dwarf_locations.h"

enum { OFFSET_BYTES = 4, ADDRESS_BYTES = 8 };

/* ---- types ---- */

static size_t *type_places(struct dwarf_variables *v, const struct visa_kernel *unit)
{
    for (size_t k = 0; k < v->type_units; k++)
        if (v->types[k].unit == unit)
            return v->types[k].places;
    return NULL;
}

/* A reference to a type that is written, or will be: patch_types() fills it in. */
static void put_type(struct dwarf_variables *v, unsigned type)
{
    dwarf_put(v->info, type, OFFSET_BYTES);
}

/* Writes the reference at `place`, which has the type's number, as the type's place. */
struct patch {
    size_t place;
    unsigned type;
};

struct patches {
    struct patch *list;
    size_t count, capacity;
};

static void refer(struct dwarf_variables *v, struct patches *p, unsigned type)
{
    if (p->count == p->capacity) {
        size_t capacity = 2 * p->capacity + 32;
        struct patch *larger = realloc(p->list, capacity * sizeof *larger);
        v->info->failed |= !larger;
        if (!larger)
            return;
        p->list = larger;
        p->capacity = capacity;
    }
    p->list[p->count++] = (struct patch){dwarf_position(v->info), type};
    put_type(v, 0);
}

static void put_enumeration(struct dwarf_variables *v, const struct debug_type *t)
{
    dwarf_put_unsigned(v->info, DWARF_ENUMERATION);
    dwarf_put_string(v->info, t->name ? t->name : "");
    dwarf_put_unsigned(v->info, t->bytes);
    for (size_t k = 0; k < t->member_count; k++) {
        dwarf_put_unsigned(v->info, DWARF_ENUMERATOR);
        dwarf_put_string(v->info, t->members[k].name);
        dwarf_put_signed(v->info, (int64_t)t->members[k].at);
    }
    dwarf_put_unsigned(v->info, 0);
}

static void put_struct(struct dwarf_variables *v, struct patches *p, const struct debug_type *t)
{
    if (t->is_union)
        dwarf_put_unsigned(v->info, t->name ? DWARF_UNION : DWARF_UNION_WITHOUT_NAME);
    else
        dwarf_put_unsigned(v->info, t->name ? DWARF_STRUCT : DWARF_STRUCT_WITHOUT_NAME);
    if (t->name)
        dwarf_put_string(v->info, t->name);
    dwarf_put_unsigned(v->info, t->bytes);
    for (size_t k = 0; k < t->member_count; k++) {
        const struct debug_member *m = &t->members[k];
        dwarf_put_unsigned(v->info, m->is_base ? DWARF_BASE : m->bits ? DWARF_BIT_FIELD : DWARF_MEMBER);
        if (!m->is_base)
            dwarf_put_string(v->info, m->name ? m->name : "");
        refer(v, p, m->type);
        if (m->bits)
            dwarf_put_unsigned(v->info, m->bits);
        dwarf_put_unsigned(v->info, m->at);
    }
    dwarf_put_unsigned(v->info, 0);
}

static void put_one_type(struct dwarf_variables *v, struct patches *p, const struct debug_type *t)
{
    switch (t->kind) {
    case DEBUG_TYPE_NUMBER:
        dwarf_put_unsigned(v->info, DWARF_NUMBER);
        dwarf_put_string(v->info, t->name ? t->name : "");
        dwarf_put_unsigned(v->info, t->bytes);
        dwarf_put(v->info, t->encoding, 1);
        break;
    case DEBUG_TYPE_ENUMERATION: put_enumeration(v, t); break;
    case DEBUG_TYPE_ARRAY:
        dwarf_put_unsigned(v->info, DWARF_ARRAY);
        refer(v, p, t->of);
        dwarf_put_unsigned(v->info, DWARF_DIMENSION);
        dwarf_put_unsigned(v->info, t->count);
        dwarf_put_unsigned(v->info, 0);
        break;
    case DEBUG_TYPE_STRUCT: put_struct(v, p, t); break;
    case DEBUG_TYPE_NAME:
        dwarf_put_unsigned(v->info, DWARF_NAME_OF_TYPE);
        dwarf_put_string(v->info, t->name ? t->name : "");
        refer(v, p, t->of);
        break;
    case DEBUG_TYPE_POINTER:
        dwarf_put_unsigned(v->info, !t->of ? DWARF_POINTER : t->is_reference ? DWARF_REFERENCE_TO : DWARF_POINTER_TO);
        if (t->of)
            refer(v, p, t->of);
        dwarf_put_unsigned(v->info, t->bytes);
        break;
    }
}

static void put_types(struct dwarf_variables *v, const struct visa_kernel *unit)
{
    const struct debug_unit *debug = unit->debug;
    struct patches patches = {0};
    size_t *places = debug ? calloc(debug->type_count + 1, sizeof *places) : NULL;
    if (!places)
        return;
    for (size_t k = 0; k < debug->type_count; k++) {
        places[k] = dwarf_position(v->info) - v->unit_start;
        put_one_type(v, &patches, &debug->types[k]);
    }
    for (size_t k = 0; k < patches.count; k++)
        dwarf_patch(v->info, patches.list[k].place, places[patches.list[k].type - 1]);
    free(patches.list);
    if (!debug_values_find(&v->values[v->type_units], &v->code, v->kernel, unit, v->program))
        v->info->failed = true;
    v->types[v->type_units++] = (struct dwarf_type_place){unit, places};
}

/* ---- functions that are inlined ---- */

static bool is_same(const struct debug_scope *a, const struct debug_scope *b)
{
    return a->file == b->file && a->line == b->line && strcmp(a->name, b->name) == 0;
}

static size_t origin_place(const struct dwarf_variables *v, const struct debug_scope *scope)
{
    for (size_t k = 0; k < v->origin_count; k++)
        if (is_same(v->origins[k].scope, scope))
            return v->origins[k].place;
    return 0;
}

static void put_origins(struct dwarf_variables *v, const struct visa_kernel *unit)
{
    for (size_t k = 0; unit->debug && k < unit->debug->scope_count; k++) {
        const struct debug_scope *scope = &unit->debug->scopes[k];
        if (!scope->name || !scope->parent || origin_place(v, scope))
            continue;
        struct dwarf_origin_place *larger = realloc(v->origins, (v->origin_count + 1) * sizeof *larger);
        v->info->failed |= !larger;
        if (!larger)
            return;
        v->origins = larger;
        v->origins[v->origin_count++] = (struct dwarf_origin_place){scope, dwarf_position(v->info) - v->unit_start};
        dwarf_put_unsigned(v->info, DWARF_ORIGIN);
        dwarf_put_string(v->info, scope->name);
        dwarf_put_unsigned(v->info, scope->file);
        dwarf_put_unsigned(v->info, scope->line);
        dwarf_put(v->info, 1, 1); /* DW_INL_inlined */
    }
}

bool dwarf_variables_begin(struct dwarf_variables *v, const struct visa_program *program,
                           const struct visa_kernel *kernel, const struct gen_code *code, size_t unit_start)
{
    bool any = kernel->debug != NULL;
    v->program = program;
    v->kernel = kernel;
    v->unit_start = unit_start;
    for (size_t k = 0; k < kernel->function_count; k++)
        any |= kernel->functions[k]->debug != NULL;
    if (!any || !debug_code_read(&v->code, program, kernel, code))
        return false;
    v->types = calloc(kernel->function_count + 1, sizeof *v->types);
    v->values = calloc(kernel->function_count + 1, sizeof *v->values);
    if (!v->types || !v->values) {
        dwarf_variables_end(v);
        return false;
    }
    put_types(v, kernel);
    put_origins(v, kernel);
    for (size_t k = 0; k < kernel->function_count; k++) {
        put_types(v, kernel->functions[k]);
        put_origins(v, kernel->functions[k]);
    }
    return true;
}

void dwarf_variables_end(struct dwarf_variables *v)
{
    debug_code_free(&v->code);
    for (size_t k = 0; k < v->type_units; k++) {
        free(v->types[k].places);
        debug_values_free(&v->values[k]);
    }
    free(v->types);
    free(v->values);
    free(v->origins);
    free(v->entries);
    free(v->needed);
    v->entries = v->needed = NULL;
    v->entry_count = v->entry_capacity = v->needed_count = v->needed_capacity = 0;
    v->types = NULL;
    v->values = NULL;
    v->origins = NULL;
    v->type_units = v->origin_count = 0;
}

/* ---- variables ---- */

/* Marks the bytes of numbers and pointers in a type. */
static void mark_values(const struct debug_unit *debug, unsigned number, uint64_t at, bool *marks);

static void mark_member(const struct debug_unit *debug, const struct debug_member *m, uint64_t at, bool *marks)
{
    enum { BITS = 8 };
    if (!m->bits) {
        mark_values(debug, m->type, at + m->at, marks);
        return;
    }
    uint64_t first = m->at / BITS, last = (m->at + m->bits - 1) / BITS;
    memset(marks + at + first, true, last - first + 1);
}

static void mark_values(const struct debug_unit *debug, unsigned number, uint64_t at, bool *marks)
{
    const struct debug_type *t = &debug->types[number - 1];
    switch (t->kind) {
    case DEBUG_TYPE_NUMBER:
    case DEBUG_TYPE_ENUMERATION:
    case DEBUG_TYPE_POINTER: memset(marks + at, true, t->bytes); break;
    case DEBUG_TYPE_NAME: mark_values(debug, t->of, at, marks); break;
    case DEBUG_TYPE_ARRAY:
        for (uint64_t k = 0; k < t->count; k++)
            mark_values(debug, t->of, at + k * debug->types[t->of - 1].bytes, marks);
        break;
    case DEBUG_TYPE_STRUCT:
        for (size_t k = 0; k < t->member_count; k++)
            mark_member(debug, &t->members[k], at, marks);
        break;
    }
}

/* Returns which bytes of a variable the home lacks: those of members that nothing writes there, such as some pointers.
 * NULL: none. */
static bool *missing_bytes(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_variable *d)
{
    unsigned bytes = unit->debug->types[d->type - 1].bytes;
    bool *missing = calloc(bytes + 1, sizeof *missing);
    v->info->failed |= !missing;
    if (!missing)
        return NULL;
    mark_values(unit->debug, d->type, 0, missing);
    debug_home_written(unit, d->home, missing, bytes);
    if (memchr(missing, true, bytes))
        return missing;
    free(missing);
    return NULL;
}

/* Writes where some bytes of a value are, of which there are `bytes` from `at` on. */
static void put_part(const struct dwarf_variables *v, const struct debug_place *place, unsigned at, unsigned bytes)
{
    if (place->is_in_scratch) {
        dwarf_put_memory(v->locations, place, at);
        dwarf_put_gap(v->locations, bytes);
        return;
    }
    dwarf_put_room(v->locations);
    dwarf_put_registers(v->locations, v->program->platform->grf_bytes, place->byte + at, bytes);
}

static void put_whole(const struct dwarf_variables *v, const struct debug_place *place, unsigned bytes)
{
    if (place->is_in_scratch)
        dwarf_put_memory(v->locations, place, 0);
    else
        dwarf_put_registers(v->locations, v->program->platform->grf_bytes, place->byte, bytes);
}

/* ---- places of entries ---- */

static void add_place(struct dwarf_variables *v, struct dwarf_entry_place **list, size_t *count, size_t *capacity,
                      struct dwarf_entry_place place)
{
    if (*count == *capacity) {
        size_t room = 2 * *capacity + 16;
        struct dwarf_entry_place *larger = realloc(*list, room * sizeof *larger);
        v->info->failed |= !larger;
        if (!larger)
            return;
        *list = larger;
        *capacity = room;
    }
    (*list)[(*count)++] = place;
}

static void patch_needed(struct dwarf_variables *v)
{
    for (size_t k = 0; k < v->needed_count; k++)
        for (size_t n = 0; n < v->entry_count; n++)
            if (v->entries[n].unit == v->needed[k].unit && v->entries[n].variable == v->needed[k].variable)
                dwarf_patch(v->locations, v->needed[k].place, v->entries[n].place);
    v->entry_count = v->needed_count = 0;
}

/* ---- pointers whose target has no memory that a debugger could read ---- */

/* Finds the byte of its target that a pointer points to all the time, from the writes of the dword at byte `at` of its
 * home. False: it changes, or is null. */
static bool constant_target(const struct visa_kernel *unit, unsigned home, unsigned at, int64_t *offset)
{
    bool any = false;
    for (size_t k = 0; k < unit->instruction_count; k++) {
        const struct visa_instruction *i = &unit->instructions[k];
        if (i->dst.kind != VISA_OPERAND_GENERAL || i->dst.variable != home || (unsigned)i->dst.offset != at)
            continue;
        int64_t value = (int32_t)(uint32_t)i->src[0].bits;
        if (i->op != VISA_OP_MOV || i->src[0].kind != VISA_OPERAND_IMMEDIATE || i->exec_size != 1 || value == 0 ||
            (any && value - DEBUG_TARGET_BIAS != *offset))
            return false;
        *offset = value - DEBUG_TARGET_BIAS;
        any = true;
    }
    return any;
}

/* True if a pointer is to a certain byte of a variable that has an entry in the function between two offsets. */
static bool is_implicit(const struct dwarf_variables *v, const struct visa_kernel *unit, unsigned home, unsigned at,
                        unsigned target, size_t from, size_t to, int64_t *offset)
{
    struct debug_range *ranges = NULL;
    const struct debug_variable *t = &unit->debug->variables[target - 1];
    if (!t->type || !constant_target(unit, home, at, offset))
        return false;
    size_t count = debug_scope_ranges(&v->code, unit, t->scope, from, to, &ranges);
    free(ranges);
    return count > 0;
}

static void put_implicit(struct dwarf_variables *v, const struct visa_kernel *unit, unsigned target, int64_t offset)
{
    struct dwarf_entry_place needed = {unit, target, dwarf_put_implicit_pointer(v->locations, offset)};
    add_place(v, &v->needed, &v->needed_count, &v->needed_capacity, needed);
}

/* A pointer in a variable, where it can be shown: where its target is, and has its value. */
struct shown_pointer {
    unsigned at;
    unsigned target; /* of an implicit one; 0: none */
    int64_t offset;
    struct debug_place place; /* of the target */
    struct debug_range *ranges;
    size_t count;
    bool is_valid; /* in the location at hand */
};

enum { POINTER_BYTES = 8 };

static const struct shown_pointer *pointer_at(const struct shown_pointer *pointers, size_t count, unsigned at)
{
    for (size_t k = 0; k < count; k++)
        if (pointers[k].at == at && pointers[k].is_valid)
            return &pointers[k];
    return NULL;
}

/* Writes where a home is, without the bytes that it lacks, and what its pointers are. */
static void put_rest(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_place *place,
                     const bool *missing, unsigned bytes, const struct shown_pointer *pointers, size_t count)
{
    for (unsigned at = 0, end; at < bytes; at = end) {
        const struct shown_pointer *pointer = pointer_at(pointers, count, at);
        if (pointer) {
            struct debug_place home = *place;
            home.byte += at;
            if (pointer->target)
                put_implicit(v, unit, pointer->target, pointer->offset);
            else
                dwarf_put_pointer(v->locations, &home, &pointer->place);
            dwarf_put_gap(v->locations, POINTER_BYTES);
            end = at + POINTER_BYTES;
            continue;
        }
        for (end = at; end < bytes && missing[end] == missing[at] && (end == at || !pointer_at(pointers, count, end));)
            end++;
        if (missing[at])
            dwarf_put_gap(v->locations, end - at);
        else
            put_part(v, place, at, end - at);
    }
}

/* Notes which pointers are valid at an offset of the code. Returns the offset up to which that holds, at most `end`. */
static size_t note_valid(struct shown_pointer *pointers, size_t count, size_t start, size_t end)
{
    for (size_t k = 0; k < count; k++) {
        pointers[k].is_valid = false;
        for (size_t n = 0; n < pointers[k].count; n++) {
            const struct debug_range *r = &pointers[k].ranges[n];
            if (r->start > start && r->start < end)
                end = r->start;
            if (r->start <= start && r->end > start) {
                pointers[k].is_valid = true;
                end = r->end < end ? r->end : end;
            }
        }
    }
    return end;
}

/* Writes a location list: where the home has the value. */
static void put_locations(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_range *ranges,
                          size_t count, const struct debug_place *place, const bool *missing, unsigned bytes,
                          struct shown_pointer *pointers, size_t pointer_count)
{
    struct dwarf_writer *w = v->locations;
    for (size_t k = 0; k < count; k++)
        for (size_t start = ranges[k].start, end; start < ranges[k].end; start = end) {
            end = note_valid(pointers, pointer_count, start, ranges[k].end);
            size_t size = dwarf_begin_location(w, start, end);
            if (missing)
                put_rest(v, unit, place, missing, bytes, pointers, pointer_count);
            else
                put_whole(v, place, bytes);
            dwarf_end_location(w, size);
        }
    dwarf_end_locations(w);
}

/* ---- variables of optimized code ---- */

/* The parts of one variable. */
struct parts {
    const struct debug_values *values;
    const struct debug_part *list;
    size_t count;
};

static struct parts parts_of(const struct dwarf_variables *v, const struct visa_kernel *unit, unsigned number)
{
    struct parts parts = {0};
    for (size_t k = 0; k < v->type_units; k++)
        if (v->types[k].unit == unit)
            parts.values = &v->values[k];
    for (size_t k = 0; parts.values && k < parts.values->count; k++) {
        if (parts.values->parts[k].variable != number)
            continue;
        parts.list = parts.count ? parts.list : &parts.values->parts[k];
        parts.count++;
    }
    return parts;
}

static bool is_shown(const struct parts *parts, size_t point)
{
    for (size_t k = 0; k < parts->count; k++)
        if (parts->list[k].shown[point])
            return true;
    return false;
}

static bool is_same_place(const struct parts *parts, size_t a, size_t b)
{
    for (size_t k = 0; k < parts->count; k++)
        if (parts->list[k].shown[a] != parts->list[k].shown[b])
            return false;
    return true;
}

/* Writes where a variable's parts are at one instruction, in pieces. */
static void put_pieces(const struct dwarf_variables *v, const struct parts *parts, size_t point, unsigned bytes)
{
    struct dwarf_writer *w = v->locations;
    const struct debug_unit *debug = parts->values->unit->debug;
    unsigned end = 0;
    for (size_t k = 0; k < parts->count; k++) {
        const struct debug_part *part = &parts->list[k];
        const struct debug_assignment *a = part->shown[point] ? &debug->assignments[part->shown[point] - 1] : NULL;
        if (!a)
            continue;
        unsigned size = part->bytes, inside = part->at - a->at;
        while (k + 1 < parts->count && parts->list[k + 1].shown[point] == part->shown[point] &&
               parts->list[k + 1].at == part->at + size)
            size += parts->list[++k].bytes;
        dwarf_put_gap(w, part->at - end);
        struct debug_place place = parts->values->places[a->value];
        place.byte += inside;
        if (a->constant)
            dwarf_put_constant(w, a->constant + inside, size);
        else if (part->at || size < bytes)
            put_part(v, &place, 0, size);
        else
            put_whole(v, &place, size);
        end = part->at + size;
    }
    dwarf_put_gap(w, bytes > end ? bytes - end : 0);
}

/* Writes the location list of a variable of optimized code, in the code between two offsets. False: it is nowhere. */
static bool put_values(struct dwarf_variables *v, const struct parts *parts, unsigned bytes, size_t from, size_t to)
{
    struct dwarf_writer *w = v->locations;
    bool any = false;
    for (size_t k = 0, next; k + 1 < v->code.count; k = next) {
        const struct debug_point *points = v->code.points;
        next = k + 1;
        if (points[k].offset < from || points[k].offset >= to || !is_shown(parts, k))
            continue;
        while (next + 1 < v->code.count && points[next].offset < to && is_same_place(parts, k, next))
            next++;
        size_t size = dwarf_begin_location(w, points[k].offset, points[next].offset);
        put_pieces(v, parts, k, bytes);
        dwarf_end_location(w, size);
        any = true;
    }
    if (any)
        dwarf_end_locations(w);
    return any;
}

static bool place_of(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_variable *d,
                     struct debug_place *place)
{
    const struct platform *platform = v->program->platform;
    unsigned bytes = unit->debug->types[d->type - 1].bytes;
    return d->home && debug_home_place(&v->code, v->kernel, unit, d->home, platform, place) &&
           !debug_home_is_shared(&v->code, unit, d->home, place, bytes, platform->grf_bytes);
}

/* Finds the code at which a home has its value. */
static size_t ranges_of(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_variable *d,
                        const struct debug_place *place, size_t from, size_t to, struct debug_range **ranges)
{
    unsigned bytes = d->target ? (unsigned)sizeof(uint32_t) : unit->debug->types[d->type - 1].bytes;
    size_t count =
        debug_home_ranges(&v->code, unit, d, place, bytes, v->program->platform->grf_bytes, from, to, ranges);
    return debug_ranges_without_reuse(ranges, count, &v->code, unit, d, place, bytes, v->program->platform->grf_bytes);
}

/* Finds where a pointer's target has its value, so that what it points to is never another value than the variable's.
 * 0: nowhere, or gdb could not show all of it. The caller frees *ranges. */
static size_t target_ranges(struct dwarf_variables *v, const struct visa_kernel *unit, unsigned number, size_t from,
                            size_t to, struct debug_place *place, struct debug_range **ranges)
{
    const struct debug_variable *target = &unit->debug->variables[number - 1];
    *ranges = NULL;
    if (target->target || target->pointers || !place_of(v, unit, target, place))
        return 0;
    bool *missing = missing_bytes(v, unit, target);
    size_t count = missing ? 0 : ranges_of(v, unit, target, place, from, to, ranges);
    free(missing);
    return count;
}

/* Finds the pointers in a variable that can be shown somewhere, and takes all of them out of the bytes that its home
 * has. Returns NULL: there are none. */
static struct shown_pointer *find_pointers(struct dwarf_variables *v, const struct visa_kernel *unit,
                                           const struct debug_variable *d, size_t from, size_t to, bool *missing,
                                           size_t *count)
{
    size_t all = 0;
    for (const struct debug_pointer *p = d->pointers; p; p = p->next)
        all++;
    struct shown_pointer *pointers = all ? calloc(all, sizeof *pointers) : NULL;
    for (const struct debug_pointer *p = d->pointers; p; p = p->next) {
        struct shown_pointer shown = {.at = p->at};
        memset(missing + p->at, true, POINTER_BYTES);
        shown.count = pointers ? target_ranges(v, unit, p->target, from, to, &shown.place, &shown.ranges) : 0;
        if (!shown.count && pointers && is_implicit(v, unit, d->home, p->at, p->target, from, to, &shown.offset)) {
            shown.target = p->target;
            shown.ranges = calloc(1, sizeof *shown.ranges);
            shown.count = shown.ranges != NULL;
        }
        if (shown.target && shown.count)
            *shown.ranges = (struct debug_range){from, to};
        if (shown.count)
            pointers[(*count)++] = shown;
    }
    return pointers;
}

/* Writes the location list of a variable with a home. Returns the number of its entries. */
static size_t put_home(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_variable *d,
                       size_t from, size_t to)
{
    struct debug_range *ranges = NULL;
    struct debug_place place;
    size_t pointer_count = 0;
    if (!place_of(v, unit, d, &place))
        return 0;
    bool *missing = missing_bytes(v, unit, d);
    if (d->pointers && !missing) /* a pointer's home lacks bytes */
        return 0;
    struct shown_pointer *pointers = find_pointers(v, unit, d, from, to, missing, &pointer_count);
    size_t count = ranges_of(v, unit, d, &place, from, to, &ranges);
    if (count)
        put_locations(v, unit, ranges, count, &place, missing, unit->debug->types[d->type - 1].bytes, pointers,
                      pointer_count);
    for (size_t k = 0; k < pointer_count; k++)
        free(pointers[k].ranges);
    free(pointers);
    free(missing);
    free(ranges);
    return count;
}

/* The same of a pointer into a private variable: shown where both have their values. */
static size_t put_pointer(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_variable *d,
                          size_t from, size_t to)
{
    struct debug_range *ranges = NULL, *of_target;
    struct debug_place place, of_place;
    int64_t offset;
    size_t of_count = target_ranges(v, unit, d->target, from, to, &of_place, &of_target);
    bool implicit = !of_count && is_implicit(v, unit, d->home, 0, d->target, from, to, &offset);
    size_t count =
        (of_count || implicit) && place_of(v, unit, d, &place) ? ranges_of(v, unit, d, &place, from, to, &ranges) : 0;
    if (count && !implicit)
        count = debug_ranges_meet(&ranges, count, of_target, of_count);
    for (size_t k = 0; k < count; k++) {
        size_t size = dwarf_begin_location(v->locations, ranges[k].start, ranges[k].end);
        if (implicit)
            put_implicit(v, unit, d->target, offset);
        else
            dwarf_put_pointer(v->locations, &place, &of_place);
        dwarf_end_location(v->locations, size);
    }
    if (count)
        dwarf_end_locations(v->locations);
    free(ranges);
    free(of_target);
    return count;
}

static void put_variable(struct dwarf_variables *v, const struct visa_kernel *unit, const struct debug_variable *d,
                         size_t from, size_t to)
{
    size_t start = dwarf_position(v->locations);
    struct parts parts = parts_of(v, unit, (unsigned)(d - unit->debug->variables) + 1);
    size_t count = d->target ? put_pointer(v, unit, d, from, to) : put_home(v, unit, d, from, to);
    if (!count)
        count = put_values(v, &parts, unit->debug->types[d->type - 1].bytes, from, to);
    add_place(v, &v->entries, &v->entry_count, &v->entry_capacity,
              (struct dwarf_entry_place){unit, (unsigned)(d - unit->debug->variables) + 1, dwarf_position(v->info)});
    if (d->is_parameter)
        dwarf_put_unsigned(v->info, count ? DWARF_PARAMETER : DWARF_PARAMETER_ELSEWHERE);
    else
        dwarf_put_unsigned(v->info, count ? DWARF_VARIABLE : DWARF_VARIABLE_ELSEWHERE);
    dwarf_put_string(v->info, d->name);
    dwarf_put_unsigned(v->info, d->file);
    dwarf_put_unsigned(v->info, d->line);
    put_type(v, (unsigned)type_places(v, unit)[d->type - 1]);
    if (count)
        dwarf_put(v->info, start, OFFSET_BYTES);
}

/* ---- scopes ---- */

static void put_contents(struct dwarf_variables *v, const struct visa_kernel *unit, unsigned scope, size_t from,
                         size_t to);

/* Writes a block, or a copy of a function that is inlined. One that has no code is nowhere. */
static void put_scope(struct dwarf_variables *v, const struct visa_kernel *unit, unsigned number, size_t from,
                      size_t to)
{
    const struct debug_scope *scope = &unit->debug->scopes[number - 1];
    struct debug_range *ranges;
    size_t count = debug_scope_ranges(&v->code, unit, number, from, to, &ranges);
    if (!count)
        return;
    dwarf_put_unsigned(v->info, scope->name ? DWARF_INLINED : DWARF_BLOCK);
    if (scope->name)
        dwarf_put(v->info, origin_place(v, scope), OFFSET_BYTES);
    dwarf_put(v->info, dwarf_position(v->ranges), OFFSET_BYTES);
    if (scope->name) {
        dwarf_put_unsigned(v->info, scope->call_file);
        dwarf_put_unsigned(v->info, scope->call_line);
    }
    for (size_t k = 0; k < count; k++) {
        dwarf_put(v->ranges, ranges[k].start, ADDRESS_BYTES);
        dwarf_put(v->ranges, ranges[k].end, ADDRESS_BYTES);
    }
    dwarf_put(v->ranges, 0, ADDRESS_BYTES);
    dwarf_put(v->ranges, 0, ADDRESS_BYTES);
    free(ranges);
    put_contents(v, unit, number, from, to);
    dwarf_put_unsigned(v->info, 0);
}

static void put_contents(struct dwarf_variables *v, const struct visa_kernel *unit, unsigned scope, size_t from,
                         size_t to)
{
    const struct debug_unit *debug = unit->debug;
    for (size_t k = 0; k < debug->variable_count; k++)
        if (debug->variables[k].scope == scope && debug->variables[k].type)
            put_variable(v, unit, &debug->variables[k], from, to);
    for (unsigned k = 1; k <= debug->scope_count; k++)
        if (debug->scopes[k - 1].parent == scope)
            put_scope(v, unit, k, from, to);
}

void dwarf_variables_put(struct dwarf_variables *v, size_t from, size_t to)
{
    const struct visa_kernel *unit = debug_unit_at(&v->code, from);
    unsigned scope = debug_function_scope(&v->code, from);
    if (unit && unit->debug && scope)
        put_contents(v, unit, scope, from, to);
    patch_needed(v);
}
