/* Makes every value of the source's variables visible to debuggers (cmc -O0 -g), or notes them for optimized code (cmc
 * -O2 -g: watch_values.c).
 *
 * While variables are in memory, a watch follows each instruction that may write one: a load of its value, and a call
 * that carries it. The variables become values later, and so do the loads; a watch then says which value the variable
 * has from there on. Nothing is known yet about which variable a reference names, so a write through one is taken for a
 * write of every variable whose address was passed on, and of every reference: the value tells if it was one. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/debug_form.h"
#include "lower/ir/watch.h"
#include "lower/debug/watch_parts.h"
#include "lower/ir/cfg.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/function_info.h"
#include "lower/passes.h"

struct watched {
    LLVMMetadataRef variable, scope, type; /* the type without typedef and const, behind a reference */
    LLVMValueRef address;                  /* of the variable, or of the pointer that a C++ reference is */
    LLVMValueRef declared, start;          /* watched behind `start`: where it gets its first value; NULL: not found */
    bool is_parameter;
    bool is_behind;  /* a C++ reference */
    bool is_named;   /* it has no memory of its own: a C++ reference, vector_ref, matrix_ref */
    bool is_escaped; /* its address is passed to a function */
    bool is_shared;  /* a function of the source may change it while it is on the stack */
    bool is_changed; /* the same of one that is called, not inlined */
};

/* An instruction that may write variables. */
struct event {
    LLVMValueRef at;
    bool unknown;     /* it may write any variable whose address is known elsewhere */
    bool calls;       /* a function of the source */
    bool stays;       /* that is not inlined */
    unsigned *direct; /* variables that it is given the address of */
    size_t direct_count, direct_capacity;
};

struct watching {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    struct cfg cfg;
    struct watched *list;
    size_t count, capacity;
    struct event *events;
    size_t event_count, event_capacity;
    struct pointer_map order; /* instruction to its number in the function, from 1 */
    bool all; /* references, too: reading what they name is work that an optimized program must not have */
};

/* ---- the variables ---- */

static bool is_declaration(LLVMValueRef i)
{
    return ir_calls_named(i, "llvm.dbg.declare");
}

/* Returns the value that metadata operand `k` of a call names. */
static LLVMValueRef named_value(LLVMValueRef call, unsigned k)
{
    LLVMValueRef operand = LLVMGetOperand(call, k), value = NULL;
    if (LLVMGetMetadataKind(LLVMValueAsMetadata(operand)) == LLVMLocalAsMetadataMetadataKind)
        LLVMGetMDNodeOperands(operand, &value);
    return value;
}

/* Returns the pointer that is stored in a slot, once; NULL: there is none. */
static LLVMValueRef pointer_in(LLVMValueRef slot)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot)
            return LLVMGetOperand(user, 0);
    }
    return NULL;
}

static bool text_has(LLVMValueRef metadata, const char *what)
{
    char *text = LLVMPrintValueToString(metadata);
    bool found = strstr(text, what) != NULL;
    LLVMDisposeMessage(text);
    return found;
}

/* Adds the variable of a declaration, if it is one of a type that can be watched. */
static void add_variable(struct watching *w, LLVMValueRef call)
{
    char argument[16];
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
    struct watched v = {.variable = variable, .declared = call, .address = named_value(call, 0)};
    if (v.address && text_has(LLVMGetOperand(call, 2), ", DW_OP_deref"))
        v.address = pointer_in(v.address);
    v.scope = debug_operand(w->context, variable, DEBUG_VARIABLE_SCOPE);
    v.type = debug_plain_type(w->context, debug_operand(w->context, variable, DEBUG_VARIABLE_TYPE));
    if (!v.address || !v.type || !v.scope || LLVMIsUndef(v.address) || LLVMIsAConstant(v.address))
        return;
    unsigned tag = LLVMGetDINodeTag(v.type);
    v.is_behind = tag == DEBUG_REFERENCE || tag == DEBUG_MOVED_REFERENCE;
    if (v.is_behind)
        v.type = debug_plain_type(w->context, debug_operand(w->context, v.type, DEBUG_BASE_TYPE));
    uint64_t bits = v.type ? LLVMDITypeGetSizeInBits(v.type) : 0;
    if (bits == 0 || bits > 8 * (w->all ? WATCH_MOST_BYTES : WATCH_MOST_TRACKED))
        return;
    v.is_named = v.is_behind || debug_is_reference_class(v.type);
    if (v.is_named && !w->all)
        return;
    v.is_parameter = debug_field(w->context, variable, "arg", argument, sizeof argument);
    v.start = v.is_parameter || !v.is_named ? call : NULL;
    ARRAY_PUSH(w->list, w->count, w->capacity, v);
}

/* ---- the instructions that may write them ---- */

static bool holds_pointers(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind: return holds_pointers(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
            if (holds_pointers(LLVMStructGetTypeAtIndex(type, k)))
                return true;
        return false;
    default: return false;
    }
}

/* Notes what a write through `address` may write. */
static void add_target(struct watching *w, struct event *e, LLVMValueRef address)
{
    LLVMValueRef root = ir_address_root(address);
    bool found = false;
    for (unsigned k = 0; k < w->count; k++) {
        if (w->list[k].address != root)
            continue;
        ARRAY_PUSH(e->direct, e->direct_count, e->direct_capacity, k);
        found = true;
    }
    if (LLVMIsAAllocaInst(root) ? holds_pointers(LLVMGetAllocatedType(root)) : !found)
        e->unknown = true;
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* True if a function that is called, and not inlined, writes no variable by way of a parameter: of what its references
 * name it has a copy, and a pointer, which has no such attribute, is never one to a private variable. */
static bool is_only_read(LLVMValueRef callee, unsigned parameter)
{
    if (function_call_kind(callee) == CALL_INLINED || parameter >= LLVMCountParams(callee))
        return false;
    bool names_variable = ir_attribute_type(callee, parameter, "byref") || ir_attribute_type(callee, parameter, "sret");
    return !names_variable || LLVMGetStringAttributeAtIndex(callee, parameter + 1, "cm-in", 5);
}

static void add_call(struct watching *w, struct event *e, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    e->calls = !callee || (!LLVMIsDeclaration(callee) && function_definition(callee));
    e->stays = !callee || function_call_kind(callee) != CALL_INLINED;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef operand = LLVMGetOperand(call, k);
        if (!is_pointer(operand) || is_only_read(callee, k))
            continue;
        size_t before = e->direct_count;
        add_target(w, e, operand);
        for (size_t n = before; n < e->direct_count; n++)
            w->list[e->direct[n]].is_escaped = true;
    }
}

/* Notes that an address is stored, such as by a lambda that captures a variable. */
static void note_escape(struct watching *w, LLVMValueRef stored)
{
    LLVMValueRef root = is_pointer(stored) ? ir_address_root(stored) : NULL;
    for (size_t k = 0; k < w->count && root; k++)
        w->list[k].is_escaped |= w->list[k].address == root;
}

static void add_event(struct watching *w, LLVMValueRef i)
{
    struct event e = {.at = i};
    if (LLVMIsAStoreInst(i)) {
        add_target(w, &e, LLVMGetOperand(i, 1));
        note_escape(w, LLVMGetOperand(i, 0));
    } else if (LLVMIsACallInst(i) && !ir_calls_named(i, "llvm.dbg.") && !ir_calls_named(i, "llvm.lifetime."))
        add_call(w, &e, i);
    if (e.unknown || e.direct_count)
        ARRAY_PUSH(w->events, w->event_count, w->event_capacity, e);
}

static size_t order_of(const struct watching *w, LLVMValueRef i)
{
    size_t number = 0;
    pointer_map_get(&w->order, i, &number);
    return number;
}

/* True if `a` has run whenever `b` runs. */
static bool precedes(const struct watching *w, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBasicBlockRef of_a = LLVMGetInstructionParent(a), of_b = LLVMGetInstructionParent(b);
    if (of_a == of_b)
        return order_of(w, a) <= order_of(w, b);
    return cfg_dominates(&w->cfg, cfg_number(&w->cfg, of_a), cfg_number(&w->cfg, of_b));
}

static bool is_direct(const struct event *e, unsigned variable)
{
    for (size_t k = 0; k < e->direct_count; k++)
        if (e->direct[k] == variable)
            return true;
    return false;
}

/* A reference is watched from where it is bound on: the first instruction behind its declaration that is given its
 * memory. */
static void find_start(struct watching *w, unsigned variable)
{
    struct watched *v = &w->list[variable];
    for (size_t k = 0; k < w->event_count && !v->start; k++)
        if (is_direct(&w->events[k], variable) && precedes(w, v->declared, w->events[k].at))
            v->start = w->events[k].at;
}

static bool is_in_scope(const struct watching *w, const struct watched *v, LLVMValueRef at)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(at), scope = place ? LLVMDILocationGetScope(place) : NULL;
    while (scope && scope != v->scope) {
        if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind)
            return false;
        scope = debug_operand(w->context, scope, DEBUG_SCOPE);
    }
    return scope != NULL;
}

static bool may_write(const struct event *e, const struct watched *v, unsigned number)
{
    if (is_direct(e, number))
        return true;
    return v->is_named ? e->unknown || e->direct_count : e->unknown && v->is_escaped;
}

static bool is_affected(const struct watching *w, const struct event *e, unsigned number)
{
    const struct watched *v = &w->list[number];
    return may_write(e, v, number) && v->start && precedes(w, v->start, e->at) && is_in_scope(w, v, e->at);
}

/* ---- the watches ---- */

/* Watches a variable before the builder's position. */
static void watch(struct watching *w, unsigned number, LLVMMetadataRef place, bool is_passed)
{
    const struct watched *v = &w->list[number];
    struct watch_parts parts = {w->module, w->context, w->builder, number, v->is_shared ? WATCH_IS_SHARED : 0, w->all};
    parts.facts |= (is_passed ? WATCH_IS_PASSED : 0) | (v->is_changed ? WATCH_IS_CHANGED : 0);
    parts.number = LLVMGetNamedMetadataNumOperands(w->module, WATCH_LIST) - (unsigned)w->count + number;
    LLVMSetCurrentDebugLocation2(w->builder, place);
    LLVMValueRef address = v->address;
    if (v->is_behind)
        address = LLVMBuildLoad2(w->builder, LLVMPointerTypeInContext(w->context, 0), address, "");
    watch_parts_build(&parts, v->type, address);
}

static void watch_event(struct watching *w, const struct event *e)
{
    LLVMPositionBuilderBefore(w->builder, LLVMGetNextInstruction(e->at));
    for (unsigned k = 0; k < w->count; k++)
        if (is_affected(w, e, k))
            watch(w, k, LLVMInstructionGetDebugLoc(e->at), false);
}

/* The location of the function's first line: debuggers put a breakpoint on a function behind all code of that line,
 * where the parameters have their values, also those that are declared on further lines. */
static LLVMMetadataRef at_first_line(struct watching *w, LLVMValueRef i)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i),
                    function = LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    if (!at || !function || LLVMDILocationGetInlinedAt(at))
        return at;
    return LLVMDIBuilderCreateDebugLocation(w->context, LLVMDISubprogramGetLine(function), LLVMDILocationGetColumn(at),
                                            LLVMDILocationGetScope(at), NULL);
}

static void watch_all(struct watching *w)
{
    for (unsigned k = 0; k < w->count; k++) {
        find_start(w, k);
        LLVMAddNamedMetadataOperand(w->module, WATCH_LIST, LLVMMetadataAsValue(w->context, w->list[k].variable));
    }
    for (size_t n = 0; n < w->event_count; n++)
        for (unsigned k = 0; k < w->count && w->events[n].calls; k++)
            if (is_affected(w, &w->events[n], k)) {
                w->list[k].is_shared = true;
                w->list[k].is_changed |= w->events[n].stays;
            }
    for (unsigned k = 0; k < w->count; k++) {
        if (!w->list[k].is_parameter)
            continue;
        LLVMPositionBuilderBefore(w->builder, LLVMGetNextInstruction(w->list[k].declared));
        watch(w, k, at_first_line(w, w->list[k].declared), true);
    }
    for (size_t n = 0; n < w->event_count; n++)
        watch_event(w, &w->events[n]);
}

static void watch_function(struct watching *w, LLVMValueRef function)
{
    size_t number = 0;
    cfg_build(&w->cfg, function);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    {
        pointer_map_set(&w->order, i, ++number);
        if (is_declaration(i))
            add_variable(w, i);
    }
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    add_event(w, i);
    watch_all(w);
    for (size_t n = 0; n < w->event_count; n++)
        free(w->events[n].direct);
    w->count = w->event_count = 0;
    pointer_map_free(&w->order);
    w->order = (struct pointer_map){0};
    cfg_free(&w->cfg);
}

static void erase_declarations(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (ir_calls_named(i, "llvm.dbg."))
            LLVMInstructionEraseFromParent(i);
    }
}

bool pass_watch_variables(LLVMModuleRef module, const struct lower_options *options)
{
    if (!options->watch_variables && !options->track_values)
        return true;
    ir_debug_as_calls(module); /* declarations are calls then */
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct watching w = {.module = module,
                         .context = context,
                         .builder = LLVMCreateBuilderInContext(context),
                         .all = options->watch_variables};
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f) && function_definition(f))
        watch_function(&w, f);
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        erase_declarations(f);
    ir_debug_as_records(module);
    ir_forget_functions();
    free(w.list);
    free(w.events);
    LLVMDisposeBuilder(w.builder);
    return true;
}
