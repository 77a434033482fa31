/* Notes scopes, variables and their homes: see debug_info.h. */
#include "lower/codegen/emit/debug_info.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/emit/debug_types.h"
#include "lower/codegen/emit/emit.h"
#include "lower/ir/watch.h"
#include "lower/ir/debug_metadata.h"

/* A scope or variable of the metadata, in one inlined copy of its function. */
struct copy {
    LLVMMetadataRef node, inlined_at;
};

/* What is known of one kernel or stack function. */
struct cg_debug {
    struct cg_types types;
    struct copy *scopes, *variables; /* of those in types.unit */
    size_t scope_count, scope_capacity, variable_count, variable_capacity;
    struct copy last; /* the scope that was asked for last, and its number */
    unsigned last_number;
    struct pointer_map written; /* in block `block` of `function`: parts of homes to the values that they have */
    LLVMValueRef function;
    unsigned block;
};

static struct cg_debug *debug_of(struct selection *s)
{
    if (s->inputs->debug)
        return s->inputs->debug;
    struct cg_debug *d = ir_calloc(1, sizeof *d);
    s->out->debug = visa_alloc(s->program, sizeof *s->out->debug);
    d->types = (struct cg_types){LLVMGetModuleContext(s->module), s->program, s->out->debug, {0}, {0}};
    return s->inputs->debug = d;
}

/* ---- scopes ---- */

static unsigned scope_number(struct selection *s, LLVMMetadataRef scope, LLVMMetadataRef inlined_at);

static const char *kept_text(struct selection *s, LLVMMetadataRef node, unsigned operand)
{
    unsigned length = 0;
    const char *text = debug_text(LLVMGetModuleContext(s->module), node, operand, &length);
    char *copy = text ? strndup(text, length) : NULL;
    const char *kept = copy ? visa_string(s->program, copy) : NULL;
    free(copy);
    return kept;
}

static void add_variable(struct selection *s, LLVMMetadataRef variable, LLVMMetadataRef inlined_at)
{
    struct cg_debug *d = s->inputs->debug;
    struct debug_unit *unit = s->out->debug;
    char argument[16];
    struct debug_variable v = {.name = kept_text(s, variable, DEBUG_VARIABLE_NAME)};
    LLVMMetadataRef scope = debug_operand(d->types.context, variable, DEBUG_VARIABLE_SCOPE);
    LLVMMetadataRef file = LLVMDIVariableGetFile(variable);
    if (!v.name || !*v.name || !scope)
        return;
    v.type = cg_debug_type(&d->types, debug_operand(d->types.context, variable, DEBUG_VARIABLE_TYPE));
    v.scope = scope_number(s, scope, inlined_at);
    v.file = file ? cg_file_of_scope(s->program, scope) : 0;
    v.line = LLVMDIVariableGetLine(variable);
    v.is_parameter = debug_field(d->types.context, variable, "arg", argument, sizeof argument);
    unit->variables = cg_debug_grown(s->program, unit->variables, unit->variable_count, &unit->variable_capacity,
                                     sizeof *unit->variables);
    unit->variables[unit->variable_count++] = v;
    ARRAY_PUSH(d->variables, d->variable_count, d->variable_capacity, ((struct copy){variable, inlined_at}));
}

/* Adds all variables of a function's copy, also those that no instruction mentions any more. */
static void add_variables(struct selection *s, LLVMMetadataRef function, LLVMMetadataRef inlined_at)
{
    LLVMContextRef context = LLVMGetModuleContext(s->module);
    LLVMMetadataRef list = debug_operand(context, function, DEBUG_RETAINED);
    for (unsigned k = 0; list && k < debug_operand_count(context, list); k++) {
        LLVMMetadataRef variable = debug_operand(context, list, k);
        if (LLVMGetMetadataKind(variable) == LLVMDILocalVariableMetadataKind)
            add_variable(s, variable, inlined_at);
    }
}

/* Describes a scope: a function's own copy has no parent, an inlined one that of its call. */
static struct debug_scope describe(struct selection *s, LLVMMetadataRef scope, LLVMMetadataRef inlined_at)
{
    struct debug_scope described = {0};
    if (LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        described.parent =
            scope_number(s, debug_operand(LLVMGetModuleContext(s->module), scope, DEBUG_SCOPE), inlined_at);
        return described;
    }
    described.name = kept_text(s, scope, DEBUG_NAME);
    described.file = cg_file_of_scope(s->program, scope);
    described.line = LLVMDISubprogramGetLine(scope);
    if (inlined_at) {
        LLVMMetadataRef caller = LLVMDILocationGetScope(inlined_at);
        described.parent = scope_number(s, caller, LLVMDILocationGetInlinedAt(inlined_at));
        described.call_file = cg_file_of_scope(s->program, caller);
        described.call_line = LLVMDILocationGetLine(inlined_at);
    }
    return described;
}

static unsigned scope_number(struct selection *s, LLVMMetadataRef scope, LLVMMetadataRef inlined_at)
{
    struct cg_debug *d = debug_of(s);
    struct debug_unit *unit = s->out->debug;
    if (!scope)
        return 0;
    for (size_t k = d->scope_count; k-- > 0;)
        if (d->scopes[k].node == scope && d->scopes[k].inlined_at == inlined_at)
            return (unsigned)k + 1;
    struct debug_scope described = describe(s, scope, inlined_at);
    unit->scopes =
        cg_debug_grown(s->program, unit->scopes, unit->scope_count, &unit->scope_capacity, sizeof *unit->scopes);
    unit->scopes[unit->scope_count++] = described;
    ARRAY_PUSH(d->scopes, d->scope_count, d->scope_capacity, ((struct copy){scope, inlined_at}));
    unsigned number = (unsigned)unit->scope_count;
    if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind)
        add_variables(s, scope, inlined_at);
    return number;
}

unsigned cg_debug_scope(struct selection *s, LLVMMetadataRef location)
{
    if (!s->options->debug_info || !location)
        return 0;
    struct cg_debug *d = debug_of(s);
    struct copy wanted = {LLVMDILocationGetScope(location), LLVMDILocationGetInlinedAt(location)};
    if (!d->last_number || wanted.node != d->last.node || wanted.inlined_at != d->last.inlined_at) {
        d->last_number = scope_number(s, wanted.node, wanted.inlined_at);
        d->last = wanted;
    }
    return d->last_number;
}

/* ---- homes ---- */

struct debug_unit *cg_debug_unit(struct selection *s)
{
    debug_of(s);
    return s->out->debug;
}

static struct debug_variable *find_variable(struct selection *s, LLVMMetadataRef variable, LLVMMetadataRef inlined_at)
{
    struct cg_debug *d = s->inputs->debug;
    for (size_t k = d->variable_count; k-- > 0;)
        if (d->variables[k].node == variable && d->variables[k].inlined_at == inlined_at)
            return &s->out->debug->variables[k];
    return NULL;
}

unsigned cg_debug_variable(struct selection *s, LLVMMetadataRef variable, LLVMMetadataRef inlined_at)
{
    debug_of(s);
    scope_number(s, debug_operand(LLVMGetModuleContext(s->module), variable, DEBUG_VARIABLE_SCOPE), inlined_at);
    const struct debug_variable *v = find_variable(s, variable, inlined_at);
    return v ? (unsigned)(v - s->out->debug->variables) + 1 : 0;
}

/* Returns node `number` of named metadata; NULL: it has no such node. */
static LLVMMetadataRef listed_node(const struct selection *s, const char *name, unsigned number)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(s->module, name);
    if (number >= count)
        return NULL;
    LLVMValueRef *list = ir_calloc(count, sizeof *list);
    LLVMGetNamedMetadataOperands(s->module, name, list);
    LLVMMetadataRef node = LLVMValueAsMetadata(list[number]);
    free(list);
    return node;
}

/* Returns the variable that a watched pointer is into; 0: it is an address, or no pointer. */
static unsigned target_of(struct selection *s, LLVMValueRef watch)
{
    LLVMContextRef context = LLVMGetModuleContext(s->module);
    LLVMValueRef node =
        LLVMGetMetadata(watch, LLVMGetMDKindIDInContext(context, WATCH_TARGET, sizeof WATCH_TARGET - 1));
    if (!node)
        return 0;
    LLVMValueRef number;
    LLVMGetMDNodeOperands(node, &number);
    LLVMMetadataRef target = listed_node(s, WATCH_TARGETS, (unsigned)LLVMConstIntGetZExtValue(number)),
                    place = debug_operand(context, target, 1);
    return cg_debug_variable(s, debug_operand(context, target, 0), LLVMDILocationGetInlinedAt(place));
}

/* Notes that a part of a variable is a pointer into another one. */
static void add_pointer(struct selection *s, struct debug_variable *v, unsigned at, unsigned target)
{
    struct debug_pointer *each = v->pointers;
    while (each && each->at != at)
        each = each->next;
    if (each)
        return;
    struct debug_pointer *made = visa_alloc(s->program, sizeof *made);
    *made = (struct debug_pointer){at, target, v->pointers};
    v->pointers = made;
}

unsigned cg_debug_home(struct selection *s, LLVMValueRef watch)
{
    enum { DWORD = 4 };
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(watch);
    LLVMMetadataRef variable = listed_node(s, WATCH_LIST, (unsigned)constant_of(watch, WATCH_VARIABLE));
    if (!location || !variable || !cg_debug_scope(s, location))
        return 0;
    unsigned target = target_of(s, watch);
    struct debug_variable *v = find_variable(s, variable, LLVMDILocationGetInlinedAt(location));
    if (!v || !v->type)
        return 0;
    v->is_shared |= (constant_of(watch, WATCH_FACTS) & WATCH_IS_SHARED) != 0;
    v->is_changed |= (constant_of(watch, WATCH_FACTS) & WATCH_IS_CHANGED) != 0;
    if (target && s->out->debug->types[v->type - 1].kind == DEBUG_TYPE_POINTER)
        v->target = target;
    else if (target)
        add_pointer(s, v, (unsigned)constant_of(watch, WATCH_OFFSET), target);
    if (!v->home) {
        unsigned bytes = s->out->debug->types[v->type - 1].bytes;
        v->home = cg_new_variable(s, VISA_TYPE_UD, (bytes + DWORD - 1) / DWORD + 1, DWORD, v->name);
    }
    return v->home;
}

bool cg_debug_writes(struct selection *s, unsigned home, int offset, LLVMValueRef value)
{
    enum { GRAIN = 16, PARTS = 2 * WATCH_MOST_BYTES };
    struct cg_debug *d = debug_of(s);
    const void *part = (const void *)(((uintptr_t)home * PARTS + (unsigned)offset) * GRAIN);
    size_t known;
    if (d->function != s->function || d->block != s->block) {
        pointer_map_free(&d->written);
        d->written = (struct pointer_map){0};
        d->function = s->function;
        d->block = s->block;
    }
    if (pointer_map_get(&d->written, part, &known) && (LLVMValueRef)known == value)
        return false;
    pointer_map_set(&d->written, part, (size_t)value);
    return true;
}

/* The home's last dword, which is no part of the variable. */
static struct visa_operand last_dword(const struct visa_kernel *out, unsigned home)
{
    enum { DWORD = 4 };
    unsigned dwords = out->variables[home - VISA_FIRST_VARIABLE].elements;
    return (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = home, .offset = (int)(DWORD * (dwords - 1))};
}

/* The home of a variable in one function, and what is added for it. */
struct kept_home {
    unsigned home;
    size_t first; /* instruction that writes it */
    bool again;   /* another one writes bytes of it that were written before */
};

/* Reads the home's last dword. */
static struct visa_instruction reading(const struct visa_kernel *out, unsigned home)
{
    struct visa_instruction i = {.op = VISA_OP_MOV, .exec_size = 1, .no_mask = true};
    i.dst = (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = VISA_NULL, .region = {0, 0, 1}};
    i.src[0] = last_dword(out, home);
    i.src[0].region = (struct visa_region){0, 1, 0};
    return i;
}

/* Writes it: else the finalizer takes the variable for dead before the other bytes are written again. */
static struct visa_instruction beginning(const struct visa_kernel *out, unsigned home)
{
    struct visa_instruction i = {.op = VISA_OP_MOV, .exec_size = 1, .no_mask = true};
    i.dst = last_dword(out, home);
    i.dst.region = (struct visa_region){0, 0, 1};
    i.src[0] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD};
    return i;
}

/* Finds the writes of a home from instruction `first` on. False: there are none. */
static bool find_writes(const struct visa_kernel *out, size_t first, struct kept_home *h)
{
    bool any = false;
    for (size_t k = first; k < out->instruction_count && !h->again; k++) {
        const struct visa_operand *d = &out->instructions[k].dst;
        if (d->kind != VISA_OPERAND_GENERAL || d->variable != h->home)
            continue;
        h->first = any ? h->first : k;
        h->again = any && d->offset <= out->instructions[h->first].dst.offset;
        any = true;
    }
    return any;
}

/* Adds an instruction for debuggers, at the place of another one. */
static void add_beside(struct selection *s, struct visa_instruction i, const struct visa_instruction *beside)
{
    i.file = beside->file;
    i.line = beside->line;
    i.column = beside->column;
    i.scope = beside->scope;
    visa_add_instruction(s->program, s->out, &i);
}

void cg_debug_keep_homes(struct selection *s, size_t first)
{
    struct debug_unit *unit = s->out->debug;
    struct kept_home *homes = unit ? ir_calloc(unit->variable_count, sizeof *homes) : NULL;
    size_t count = 0, moved = s->out->instruction_count - first;
    for (size_t k = 0; unit && k < unit->variable_count; k++) {
        struct kept_home h = {.home = unit->variables[k].home};
        if (h.home && find_writes(s->out, first, &h))
            homes[count++] = h;
    }
    struct visa_instruction *list = count ? ir_calloc(moved, sizeof *list) : NULL;
    if (list) {
        memcpy(list, s->out->instructions + first, moved * sizeof *list);
        s->out->instruction_count = first;
    }
    for (size_t at = 0; list && at < moved; at++) {
        bool leaves = list[at].op == VISA_OP_RET || list[at].op == VISA_OP_FRET;
        for (size_t k = 0; k < count; k++) {
            if (homes[k].again && homes[k].first == first + at)
                add_beside(s, beginning(s->out, homes[k].home), &list[at]);
            if (leaves)
                add_beside(s, reading(s->out, homes[k].home), &list[at]);
        }
        visa_add_instruction(s->program, s->out, &list[at]);
    }
    free(list);
    free(homes);
}

void cg_debug_free(struct selection *s)
{
    struct cg_debug *d = s->inputs->debug;
    if (!d)
        return;
    pointer_map_free(&d->types.numbers);
    pointer_map_free(&d->types.member_references);
    pointer_map_free(&d->written);
    free(d->scopes);
    free(d->variables);
    free(d);
    s->inputs->debug = NULL;
}
