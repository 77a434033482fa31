/* Notes where source variables get values: see debug_values.h. */
#include "lower/codegen/select/debug_values.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/interference.h"
#include "lower/codegen/emit/debug_info.h"
#include "lower/codegen/emit/debug_types.h"
#include "lower/codegen/select/select.h"
#include "lower/ir/debug_form.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/watch.h"

/* A debug record in front of an instruction. */
struct entry {
    size_t next; /* in front of the same instruction; index + 1 */
    LLVMMetadataRef variable, inlined_at;
    unsigned record, offset, bytes; /* bytes 0: the whole variable */
    LLVMValueRef value;             /* NULL: not known */
};

/* The key of a line state. */
struct line {
    LLVMMetadataRef function, inlined_at;
    unsigned line, column;
    size_t next; /* of the same hash; index + 1 */
};

struct select_debug {
    struct entry *entries;
    size_t count, capacity;
    struct pointer_map first, last; /* instruction to its entries: index + 1 */
    struct line *lines;             /* as program->states */
    size_t line_count, line_capacity;
    struct pointer_map of_hash; /* index + 1 */
    LLVMMetadataRef location;   /* that was asked for last, and its state */
    unsigned state;
    struct pointer_map numbers; /* of the function that is selected: values to their numbers in s->out->debug */
};

/* ---- the module's records ---- */

static LLVMValueRef named_value(LLVMValueRef operand)
{
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    LLVMValueRef value = NULL;
    if (kind == LLVMLocalAsMetadataMetadataKind || kind == LLVMConstantAsMetadataMetadataKind)
        LLVMGetMDNodeOperands(operand, &value);
    return value && !LLVMIsUndef(value) && !LLVMIsPoison(value) ? value : NULL;
}

static void take_record(struct select_debug *v, LLVMValueRef call, LLVMValueRef before)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(call);
    struct entry e = {.variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1)),
                      .value = named_value(LLVMGetOperand(call, 0))};
    if (!location)
        return;
    e.inlined_at = LLVMDILocationGetInlinedAt(location);
    e.record = LLVMDILocationGetLine(location);
    if (!debug_read_fragment(LLVMGetOperand(call, 2), &e.offset, &e.bytes)) {
        e.value = NULL; /* of the whole variable */
        e.offset = e.bytes = 0;
    }
    size_t last = 0;
    ARRAY_PUSH(v->entries, v->count, v->capacity, e);
    if (pointer_map_get(&v->last, before, &last))
        v->entries[last - 1].next = v->count;
    else
        pointer_map_set(&v->first, before, v->count);
    pointer_map_set(&v->last, before, v->count);
}

static void take_block(struct select_debug *v, LLVMBasicBlockRef block)
{
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!ir_calls_named(i, "llvm.dbg."))
            continue;
        LLVMValueRef before = i;
        while (before && ir_calls_named(before, "llvm.dbg."))
            before = LLVMGetNextInstruction(before);
        if (before && ir_calls_named(i, "llvm.dbg.value"))
            take_record(v, i, before);
        LLVMInstructionEraseFromParent(i);
    }
}

/* ---- states of lines ---- */

static unsigned number_operand(LLVMValueRef number)
{
    return (unsigned)LLVMConstIntGetZExtValue(number);
}

static void take_states(struct select_debug *v, LLVMModuleRef module, struct visa_program *program)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned count = LLVMGetNamedMetadataNumOperands(module, WATCH_STATES);
    LLVMValueRef *nodes = ir_calloc(count, sizeof *nodes);
    LLVMGetNamedMetadataOperands(module, WATCH_STATES, nodes);
    program->states = visa_alloc(program, (count + 1) * sizeof *program->states);
    for (unsigned k = 0; k < count; k++) {
        unsigned operands = (unsigned)LLVMGetMDNodeNumOperands(nodes[k]);
        LLVMValueRef *list = ir_calloc(operands, sizeof *list);
        LLVMMetadataRef node = LLVMValueAsMetadata(nodes[k]);
        LLVMGetMDNodeOperands(nodes[k], list);
        struct line l = {debug_operand(context, node, STATE_FUNCTION), debug_operand(context, node, STATE_INLINED_AT),
                         number_operand(list[STATE_LINE]), number_operand(list[STATE_COLUMN]), 0};
        struct visa_line_state *state = &program->states[program->state_count++];
        state->count = operands - STATE_NUMBERS;
        state->records = visa_alloc(program, state->count * sizeof *state->records);
        for (unsigned n = 0; n < state->count; n++)
            state->records[n] = number_operand(list[STATE_NUMBERS + n]);
        free(list);
        const void *hash = watch_line_hash(l.function, l.inlined_at, l.line, l.column);
        pointer_map_get(&v->of_hash, hash, &l.next);
        ARRAY_PUSH(v->lines, v->line_count, v->line_capacity, l);
        pointer_map_set(&v->of_hash, hash, v->line_count);
    }
    free(nodes);
}

struct select_debug *select_debug_take(LLVMModuleRef module, struct visa_program *program)
{
    if (!ir_context->options->track_values)
        return NULL;
    struct select_debug *v = ir_calloc(1, sizeof *v);
    ir_debug_as_calls(module); /* records are calls then */
    ir_forget_functions();
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    take_block(v, block);
    take_states(v, module, program);
    return v;
}

void select_debug_free(struct select_debug *v)
{
    if (!v)
        return;
    pointer_map_free(&v->first);
    pointer_map_free(&v->last);
    pointer_map_free(&v->of_hash);
    pointer_map_free(&v->numbers);
    free(v->entries);
    free(v->lines);
    free(v);
}

/* Returns the number of a line's state, or of that of a column of it; 0: there is none. */
static size_t find_state(const struct select_debug *v, const struct line *wanted)
{
    size_t k = 0;
    pointer_map_get(&v->of_hash, watch_line_hash(wanted->function, wanted->inlined_at, wanted->line, wanted->column),
                    &k);
    for (; k; k = v->lines[k - 1].next) {
        const struct line *l = &v->lines[k - 1];
        if (l->function == wanted->function && l->inlined_at == wanted->inlined_at && l->line == wanted->line &&
            l->column == wanted->column)
            break;
    }
    return k;
}

unsigned select_debug_state(struct selection *s, LLVMMetadataRef location)
{
    struct select_debug *v = s->debug_values;
    if (!v || !location)
        return 0;
    if (location == v->location)
        return v->state;
    struct line wanted = {debug_function_of(LLVMGetModuleContext(s->module), LLVMDILocationGetScope(location)),
                          LLVMDILocationGetInlinedAt(location), LLVMDILocationGetLine(location),
                          LLVMDILocationGetColumn(location), 0};
    size_t k = find_state(v, &wanted);
    if (!k) { /* of a column that no instruction had, or that has no state of its own */
        wanted.column = 0;
        k = find_state(v, &wanted);
    }
    v->location = location;
    return v->state = (unsigned)k;
}

/* ---- values of the function ---- */

/* Returns the instruction or argument that has the value's bits in a variable of its own; NULL: there is none. */
static struct cg_value *kept_value(struct selection *s, LLVMValueRef value)
{
    size_t number;
    if (!pointer_map_get(&s->numbers, value, &number))
        return NULL;
    struct cg_value *root = bale_value_root(s, value);
    return root && !root->inlined && !root->is_mask && !select_is_half(s, value) ? root : NULL;
}

void select_debug_number_values(struct selection *s)
{
    struct select_debug *v = s->debug_values;
    if (!v)
        return;
    struct debug_unit *unit = cg_debug_unit(s);
    pointer_map_free(&v->numbers);
    v->numbers = (struct pointer_map){0};
    for (unsigned b = 0; b < s->cfg.count; b++)
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        {
            size_t k = 0, number;
            pointer_map_get(&v->first, i, &k);
            for (; k; k = v->entries[k - 1].next) {
                LLVMValueRef value = v->entries[k - 1].value;
                const struct cg_value *kept = value && !LLVMIsConstant(value) ? kept_value(s, value) : NULL;
                if (!kept || pointer_map_get(&v->numbers, kept->llvm, &number))
                    continue;
                unit->values = cg_debug_grown(s->program, unit->values, unit->value_count, &unit->value_capacity,
                                              sizeof *unit->values);
                unit->values[unit->value_count++] = (struct debug_value){0};
                pointer_map_set(&v->numbers, kept->llvm, unit->value_count);
            }
        }
}

static void add_mark(struct selection *s, struct debug_mark mark)
{
    struct debug_unit *unit = s->out->debug;
    if (!s->out->instruction_count)
        return;
    unit->marks = cg_debug_grown(s->program, unit->marks, unit->mark_count, &unit->mark_capacity, sizeof *unit->marks);
    unit->marks[unit->mark_count++] = mark;
    unsigned *last = &s->out->instructions[s->out->instruction_count - 1].mark;
    while (*last)
        last = &unit->marks[*last - 1].next;
    *last = (unsigned)unit->mark_count;
}

static void define(struct selection *s, LLVMValueRef value)
{
    size_t number;
    if (!pointer_map_get(&s->debug_values->numbers, value, &number))
        return;
    const struct cg_value *kept = kept_value(s, value);
    unsigned variable = kept ? interference_value_class(s, (struct cg_value *)kept)->variable : 0;
    struct debug_value *v = &s->out->debug->values[number - 1];
    if (!variable)
        return;
    v->variable = variable;
    v->bytes = kept->bytes;
    add_mark(s, (struct debug_mark){.kind = DEBUG_MARK_VALUE, .number = (unsigned)number});
}

void select_debug_begin_block(struct selection *s, unsigned block)
{
    if (!s->debug_values)
        return;
    for (unsigned k = 0; !block && s->function == s->kernel && k < LLVMCountParams(s->function); k++)
        define(s, LLVMGetParam(s->function, k));
    FOR_EACH_INSTRUCTION(phi, s->cfg.blocks[block])
    {
        if (!LLVMIsAPHINode(phi))
            break;
        define(s, phi);
    }
}

void select_debug_define(struct selection *s, LLVMValueRef instruction)
{
    if (s->debug_values && !LLVMIsAPHINode(instruction))
        define(s, instruction);
}

/* ---- what variables get ---- */

/* Returns the bits of a constant, an array of lanes; NULL: they are not known. */
static const uint8_t *constant_bytes(struct selection *s, LLVMValueRef constant, unsigned *bytes)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    unsigned lanes = type_lanes(type), size = type_element_bytes(type);
    if (type_is_mask(type) || !size || type_element_bits(type) % 8 || LLVMIsAConstantExpr(constant))
        return NULL;
    uint8_t *data = visa_alloc(s->program, (size_t)lanes * size);
    for (unsigned k = 0; k < lanes; k++) {
        uint64_t bits;
        bool undefined;
        if (!constant_lane(constant, k, &bits, &undefined) || undefined)
            return NULL;
        memcpy(data + (size_t)k * size, &bits, size);
    }
    *bytes = lanes * size;
    return data;
}

/* Returns the binding table index of a kernel's surface argument, which no register has; NULL: it is none. */
static const uint8_t *binding_bytes(struct selection *s, LLVMValueRef value)
{
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding < 0 || a->index < 0 || LLVMGetParam(s->kernel, (unsigned)a->index) != value)
            continue;
        uint32_t number = (uint32_t)a->binding;
        return memcpy(visa_alloc(s->program, sizeof number), &number, sizeof number);
    }
    return NULL;
}

static void assign(struct selection *s, const struct entry *e)
{
    struct debug_unit *unit = s->out->debug;
    struct debug_assignment a = {.record = e->record, .at = e->offset};
    size_t number = 0;
    a.variable = cg_debug_variable(s, e->variable, e->inlined_at);
    if (!a.variable)
        return;
    unsigned type = unit->variables[a.variable - 1].type;
    a.bytes = e->bytes ? e->bytes : type ? unit->types[type - 1].bytes : 0;
    const struct cg_value *kept = e->value && !LLVMIsConstant(e->value) ? kept_value(s, e->value) : NULL;
    if (e->value && LLVMIsAArgument(e->value) && s->function == s->kernel && a.bytes == sizeof(uint32_t))
        a.constant = binding_bytes(s, e->value);
    if (a.constant)
        ;
    else if (kept && pointer_map_get(&s->debug_values->numbers, kept->llvm, &number) && kept->bytes == a.bytes)
        a.value = (unsigned)number;
    else if (e->value && LLVMIsConstant(e->value)) {
        unsigned bytes = 0;
        a.constant = constant_bytes(s, e->value, &bytes);
        a.constant = bytes == a.bytes ? a.constant : NULL;
    }
    unit->assignments = cg_debug_grown(s->program, unit->assignments, unit->assignment_count,
                                       &unit->assignment_capacity, sizeof *unit->assignments);
    unit->assignments[unit->assignment_count++] = a;
    add_mark(s, (struct debug_mark){.kind = DEBUG_MARK_ASSIGNMENT, .number = (unsigned)unit->assignment_count});
}

void select_debug_assign(struct selection *s, LLVMValueRef instruction)
{
    size_t k = 0;
    if (!s->debug_values)
        return;
    pointer_map_get(&s->debug_values->first, instruction, &k);
    for (; k; k = s->debug_values->entries[k - 1].next)
        assign(s, &s->debug_values->entries[k - 1]);
}
