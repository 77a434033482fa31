/* Notes states of lines: see watch_lines.h. */
#include "lower/debug/watch_lines.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/debug_metadata.h"
#include "lower/ir/watch.h"

void watch_lines_open(struct watch_lines *s, LLVMContextRef context, size_t parts)
{
    *s = (struct watch_lines){.context = context, .parts = parts};
    s->begun = ir_calloc(parts, sizeof *s->begun);
}

void watch_lines_close(struct watch_lines *s)
{
    for (size_t k = 0; k < s->count; k++)
        free(s->list[k].states);
    free(s->list);
    free(s->begun);
    pointer_map_free(&s->first);
    *s = (struct watch_lines){0};
}

void watch_lines_begin_block(struct watch_lines *s)
{
    s->current = 0;
}

static LLVMMetadataRef function_of(struct watch_lines *s, LLVMMetadataRef scope)
{
    if (scope != s->scope) {
        s->scope = scope;
        s->function = debug_function_of(s->context, scope);
    }
    return s->function;
}

/* Returns the index of a line, plus 1. *is_new: it was not known. */
static size_t find_line(struct watch_lines *s, struct watch_line wanted, bool *is_new)
{
    const void *hash = watch_line_hash(wanted.function, wanted.inlined_at, wanted.line, wanted.column);
    *is_new = false;
    pointer_map_get(&s->first, hash, &wanted.next);
    for (size_t k = wanted.next; k; k = s->list[k - 1].next) {
        const struct watch_line *l = &s->list[k - 1];
        if (l->function == wanted.function && l->inlined_at == wanted.inlined_at && l->line == wanted.line &&
            l->column == wanted.column)
            return k;
    }
    *is_new = true;
    wanted.states = ir_calloc(s->parts, sizeof *wanted.states);
    ARRAY_PUSH(s->list, s->count, s->capacity, wanted);
    pointer_map_set(&s->first, hash, s->count);
    return s->count;
}

/* Adds the states of one more place to those of a line or column: parts of which they differ have many. */
static void add_states(struct watch_lines *s, size_t line, bool is_new, const unsigned *states)
{
    unsigned *known = s->list[line - 1].states;
    if (is_new)
        memcpy(known, states, s->parts * sizeof *known);
    for (size_t p = 0; p < s->parts; p++)
        known[p] = known[p] == states[p] ? known[p] : STATE_MANY;
}

void watch_lines_note(struct watch_lines *s, LLVMMetadataRef place, const unsigned *states)
{
    struct watch_line wanted = {0};
    bool is_new;
    if (!place || !LLVMDILocationGetLine(place))
        return;
    wanted.function = function_of(s, LLVMDILocationGetScope(place));
    wanted.inlined_at = LLVMDILocationGetInlinedAt(place);
    wanted.line = LLVMDILocationGetLine(place);
    size_t line = find_line(s, wanted, &is_new);
    if (line != s->current) {
        s->current = line;
        memcpy(s->begun, states, s->parts * sizeof *states);
        add_states(s, line, is_new, states);
    }
    wanted.column = LLVMDILocationGetColumn(place);
    if (!wanted.column)
        return;
    line = find_line(s, wanted, &is_new);
    add_states(s, line, is_new, s->begun);
}

void watch_lines_hide(struct watch_lines *s, size_t part, unsigned record)
{
    for (size_t k = 0; k < s->count; k++)
        if (s->list[k].states[part] == record)
            s->list[k].states[part] = STATE_NONE;
}

static LLVMMetadataRef number(const struct watch_lines *s, unsigned value)
{
    return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(s->context), value, false));
}

void watch_lines_write(const struct watch_lines *s, LLVMModuleRef module)
{
    LLVMMetadataRef *node = ir_calloc(STATE_NUMBERS + s->parts, sizeof *node);
    for (size_t k = 0; k < s->count; k++) {
        size_t count = STATE_NUMBERS;
        const struct watch_line *l = &s->list[k];
        node[STATE_FUNCTION] = l->function;
        node[STATE_INLINED_AT] = l->inlined_at;
        node[STATE_LINE] = number(s, l->line);
        node[STATE_COLUMN] = number(s, l->column);
        for (size_t p = 0; p < s->parts; p++)
            if (l->states[p] != STATE_NONE && l->states[p] != STATE_MANY && l->states[p] != STATE_OPEN)
                node[count++] = number(s, l->states[p]);
        if (count == STATE_NUMBERS || !l->function)
            continue;
        LLVMMetadataRef made = LLVMMDNodeInContext2(s->context, node, count);
        LLVMAddNamedMetadataOperand(module, WATCH_STATES, LLVMMetadataAsValue(s->context, made));
    }
    free(node);
}
