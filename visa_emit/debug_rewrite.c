/* Changes marks and values of optimized code: see debug_rewrite.h. */
#include "visa_emit/debug_rewrite.h"

#include <stdbool.h>
#include <string.h>

/* Returns a list with room for one more: itself, or a larger copy. */
static void *with_room(struct visa_program *program, void *list, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return list;
    *capacity = 2 * count + 8;
    void *larger = visa_alloc(program, *capacity * element);
    return count ? memcpy(larger, list, count * element) : larger;
}

void debug_rewrite_begin(struct visa_program *program, struct visa_kernel *kernel)
{
    if (!kernel->debug)
        return;
    struct debug_unit *own = visa_alloc(program, sizeof *own);
    *own = *kernel->debug;
    own->value_capacity = own->assignment_capacity = own->mark_capacity = 0; /* the lists are copied */
    own->values = with_room(program, own->values, own->value_count, &own->value_capacity, sizeof *own->values);
    own->assignments = with_room(program, own->assignments, own->assignment_count, &own->assignment_capacity,
                                 sizeof *own->assignments);
    own->marks = with_room(program, own->marks, own->mark_count, &own->mark_capacity, sizeof *own->marks);
    kernel->debug = own;
}

/* ---- instructions that move ---- */

static bool is_about(const struct debug_unit *debug, const struct debug_mark *mark, unsigned variable)
{
    unsigned value = mark->kind == DEBUG_MARK_VALUE ? mark->number : debug->assignments[mark->number - 1].value;
    return value && debug->values[value - 1].variable == variable;
}

/* Moves the marks in list `from` that are about a variable, or those that are not, to the end of list `to`. */
static void move_marks(struct debug_unit *debug, unsigned *from, unsigned variable, bool about, unsigned *to)
{
    while (*to)
        to = &debug->marks[*to - 1].next;
    while (*from) {
        struct debug_mark *mark = &debug->marks[*from - 1];
        if (is_about(debug, mark, variable) != about) {
            from = &mark->next;
            continue;
        }
        *to = *from;
        *from = mark->next;
        mark->next = 0;
        to = &mark->next;
    }
}

void debug_rewrite_moved(struct visa_kernel *kernel, unsigned variable, size_t from, size_t to)
{
    unsigned dropped = 0, *before = from ? &kernel->instructions[from - 1].mark : &dropped;
    if (!kernel->debug)
        return;
    move_marks(kernel->debug, &kernel->instructions[to].mark, variable, false, before);
    for (size_t k = from; k < to; k++)
        move_marks(kernel->debug, &kernel->instructions[k].mark, variable, true, &kernel->instructions[to].mark);
}

/* ---- variables that are split ---- */

static unsigned add_value(struct visa_program *program, struct debug_unit *debug, struct debug_value value)
{
    debug->values =
        with_room(program, debug->values, debug->value_count, &debug->value_capacity, sizeof *debug->values);
    debug->values[debug->value_count++] = value;
    return (unsigned)debug->value_count;
}

static unsigned add_assignment(struct visa_program *program, struct debug_unit *debug, struct debug_assignment a)
{
    debug->assignments = with_room(program, debug->assignments, debug->assignment_count, &debug->assignment_capacity,
                                   sizeof *debug->assignments);
    debug->assignments[debug->assignment_count++] = a;
    return (unsigned)debug->assignment_count;
}

/* Puts the marks of further numbers behind those of a number: they are true in the same places. */
static void repeat_marks(struct visa_program *program, struct debug_unit *debug, int kind, unsigned number,
                         unsigned first, unsigned end)
{
    size_t count = debug->mark_count;
    for (size_t k = 0; k < count; k++) {
        if ((int)debug->marks[k].kind != kind || debug->marks[k].number != number)
            continue;
        for (unsigned other = end; other-- > first;) {
            debug->marks =
                with_room(program, debug->marks, debug->mark_count, &debug->mark_capacity, sizeof *debug->marks);
            struct debug_mark mark = debug->marks[k];
            mark.number = other;
            debug->marks[debug->mark_count++] = mark;
            debug->marks[k].next = (unsigned)debug->mark_count;
        }
    }
}

/* The parts that a value of the variable's first bytes has. */
static size_t parts_of(const struct debug_value *value, const struct debug_part_of_value *parts, size_t count)
{
    size_t used = 0;
    while (used < count && parts[used].at < value->bytes)
        used++;
    return used;
}

static unsigned bytes_of(const struct debug_value *whole, const struct debug_part_of_value *part)
{
    return whole->bytes - part->at < part->bytes ? whole->bytes - part->at : part->bytes;
}

/* Splits an assignment of a value, whose parts are the value `number` and those from `first` on. */
static void split_assignment(struct visa_program *program, struct debug_unit *debug, unsigned assignment,
                             const struct debug_value *whole, const struct debug_part_of_value *parts, size_t count,
                             unsigned first)
{
    struct debug_assignment all = debug->assignments[assignment - 1];
    unsigned others = (unsigned)debug->assignment_count + 1;
    debug->assignments[assignment - 1].bytes = bytes_of(whole, &parts[0]);
    for (size_t k = 1; k < count; k++) {
        struct debug_assignment a = all;
        a.at = all.at + parts[k].at;
        a.bytes = bytes_of(whole, &parts[k]);
        a.value = first + (unsigned)k - 1;
        add_assignment(program, debug, a);
    }
    repeat_marks(program, debug, DEBUG_MARK_ASSIGNMENT, assignment, others, others + (unsigned)count - 1);
}

void debug_rewrite_split(struct visa_program *program, struct visa_kernel *kernel, unsigned variable,
                         const struct debug_part_of_value *parts, size_t count)
{
    struct debug_unit *debug = kernel->debug;
    size_t values = debug ? debug->value_count : 0;
    for (unsigned number = 1; number <= values; number++) {
        struct debug_value whole = debug->values[number - 1];
        size_t used = parts_of(&whole, parts, count);
        if (whole.variable != variable || !used)
            continue;
        unsigned first = (unsigned)debug->value_count + 1;
        debug->values[number - 1] = (struct debug_value){parts[0].variable, bytes_of(&whole, &parts[0])};
        for (size_t k = 1; k < used; k++)
            add_value(program, debug, (struct debug_value){parts[k].variable, bytes_of(&whole, &parts[k])});
        repeat_marks(program, debug, DEBUG_MARK_VALUE, number, first, first + (unsigned)used - 1);
        size_t assignments = debug->assignment_count;
        for (unsigned a = 1; a <= assignments; a++)
            if (debug->assignments[a - 1].value == number)
                split_assignment(program, debug, a, &whole, parts, used, first);
    }
}
