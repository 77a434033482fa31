/* Selects calls of functions.
 *
 * A subroutine is part of its caller's vISA text and shares its variables: vISA's call and ret, and a variable for each
 * argument and each result that belongs to the subroutine. A stack function comes after the kernel's text with
 * variables and labels of its own: vISA's fcall and fret, arguments side by side in %arg and results in %retval. The
 * finalizer saves the registers that are live across such a call, so it may be recursive. Arguments are copied to their
 * places before a call, results from their places after it. */
#include <assert.h>
#include <stdlib.h>
#include "lower/codegen/select/select.h"
#include "lower/functions/functions.h"
#include "lower/ir/assembly_info.h"

/* Allocates a place in %arg or %retval, of which `*end` bytes are used. */
static struct cg_location place_on_stack(struct selection *s, unsigned variable, LLVMTypeRef type, unsigned *end)
{
    unsigned at = cg_next_offset(s, *end, cg_value_bytes(type), type_element_bytes(type));
    *end = at + cg_value_bytes(type);
    return (struct cg_location){variable, (int)at};
}

/* Parameters of a subroutine that are globals are in the globals' variables, and return there. */
static void place_globals(struct selection *s, struct cg_callee *c)
{
    for (unsigned i = 0; i < c->parameter_count; i++) {
        int global = function_global_of_parameter(c->function, i), result = function_global_result(c->function, i);
        if (global < 0)
            continue;
        unsigned variable = cg_global_variable(s, (unsigned)global, LLVMTypeOf(LLVMGetParam(c->function, i)));
        c->parameters[i] = (struct cg_location){variable, 0};
        if (result >= 0)
            c->results[result] = c->parameters[i];
    }
}

/* Returns the parameter of which a result is a later version: lanes of it have been written, if any; NULL: none. */
static LLVMValueRef original_of(LLVMValueRef result)
{
    enum { MOST_VERSIONS = 64 };
    for (unsigned n = 0; result && n < MOST_VERSIONS; n++) {
        if (LLVMIsAArgument(result))
            return result;
        if (LLVMIsABitCastInst(result))
            result = LLVMGetOperand(result, 0);
        else if (LLVMIsAPHINode(result))
            result = LLVMGetIncomingValue(result, 0); /* of a loop: what it begins with, or another version */
        else
            result = LLVMIsAInstruction(result) ? ir_partly_overwritten(result) : NULL;
    }
    return NULL;
}

static LLVMValueRef return_marker(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        FOR_EACH_INSTRUCTION(i, b)
        {
            if (function_is_return_marker(i))
                return i;
        }
    return NULL;
}

/* A result that is a later version of a parameter, as of an object behind a reference, is where this is: the function
 * changes it in place. The copies at its end are made in any case if the versions have variables of their own. */
static void place_versions(struct cg_callee *c)
{
    LLVMValueRef marker = return_marker(c->function);
    for (unsigned r = 0; marker && r < c->result_count; r++) {
        LLVMValueRef original = c->results[r].variable ? NULL : original_of(LLVMGetOperand(marker, r));
        bool taken = false;
        for (unsigned p = 0; original && p < c->parameter_count; p++) {
            if (LLVMGetParam(c->function, p) != original || !c->parameters[p].variable ||
                cg_value_bytes(LLVMTypeOf(original)) != cg_value_bytes(LLVMTypeOf(LLVMGetOperand(marker, r))))
                continue;
            for (unsigned k = 0; k < c->result_count; k++)
                taken = taken || c->results[k].variable == c->parameters[p].variable;
            if (!taken)
                c->results[r] = c->parameters[p];
        }
    }
}

static void place_values(struct selection *s, struct cg_callee *c)
{
    bool on_stack = c->out != NULL;
    if (!on_stack)
        place_globals(s, c);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(c->function));
    for (unsigned i = 0; i < c->parameter_count; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(c->function, i));
        if (on_stack)
            c->parameters[i] = place_on_stack(s, VISA_ARG, type, &c->parameter_bytes);
        else if (!c->parameters[i].variable)
            c->parameters[i] = cg_new_location(s, type);
    }
    if (!on_stack)
        place_versions(c);
    for (unsigned i = 0; i < c->result_count; i++) {
        LLVMTypeRef type = LLVMStructGetTypeAtIndex(result, i);
        if (on_stack)
            c->results[i] = place_on_stack(s, VISA_RETVAL, type, &c->result_bytes);
        else if (!c->results[i].variable)
            c->results[i] = cg_new_location(s, type);
    }
}

struct cg_callee *select_find_callee(struct selection *s, LLVMValueRef function)
{
    assert(LLVMIsAFunction(function) && !LLVMIsDeclaration(function));
    bool on_stack = function_call_kind(function) == CALL_STACK;
    struct cg_callees *all = on_stack ? s->on_stack : &s->inputs->callees;
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i]->function == function)
            return all->list[i];
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    struct cg_callee *c = ir_calloc(1, sizeof *c);
    *c = (struct cg_callee){.function = function, .number = (unsigned)all->count + 1};
    if (on_stack)
        c->out = visa_add_function(s->program, s->kernel_out, LLVMGetValueName2(function, &(size_t){0}));
    c->parameter_count = LLVMCountParams(function);
    c->result_count = LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMCountStructElementTypes(result) : 0;
    c->parameters = ir_calloc(c->parameter_count, sizeof *c->parameters);
    c->results = ir_calloc(c->result_count, sizeof *c->results);
    place_values(s, c);
    ARRAY_PUSH(all->list, all->count, all->capacity, c);
    return c;
}

void select_free_callees(struct cg_callees *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i]->parameters);
        free(all->list[i]->results);
        free(all->list[i]);
    }
    free(all->list);
}

/* Returns the kernel's surface with that binding table index. */
static const struct visa_argument *kernel_surface(const struct selection *s, LLVMValueRef value)
{
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding >= 0 && a->index >= 0 && LLVMGetParam(s->kernel, (unsigned)a->index) == value)
            return a;
    }
    return NULL;
}

/* True if the variables have equal contents: a global, or the value that the last call left there. */
static bool is_same(const struct selection *s, unsigned a, unsigned b)
{
    return (s->same[0] == a && s->same[1] == b) || (s->same[0] == b && s->same[1] == a);
}

/* `from`: the variable with the saved value; variable 0: it is in its own place. */
static void copy_to_place(struct selection *s, struct cg_location place, LLVMValueRef value, struct cg_location from)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    const struct visa_argument *surface = kernel_surface(s, value);
    if (LLVMIsUndef(value) || LLVMIsPoison(value))
        return;
    if (surface) {
        legalize_move(s, 1, macro_scalar(place.variable, VISA_TYPE_UD, place.offset),
                      macro_immediate(VISA_TYPE_UD, (uint64_t)surface->binding));
        return;
    }
    if (!bale_value_root(s, value)) {
        struct macro_operand src = operand_source(s, value, 'U');
        if (src.kind == MACRO_IMMEDIATE && visa_type_bytes(src.type) < 8) {
            legalize_move(
                s, type_lanes(type),
                macro_region(place.variable, cg_visa_type(type_element(type), 'U'), place.offset, type_lanes(type)),
                src);
            return;
        }
    }
    if (!from.variable)
        from.variable = operand_value_variable(s, value);
    if (from.variable != place.variable && !is_same(s, from.variable, place.variable))
        select_move_lanes(s, type, place, from);
}

/* Copies the operands of a call, or of a function's return, to their places in parallel: a value in the variable of a
 * global that an earlier copy overwrites is saved first. */
static void copy_to_places(struct selection *s, const struct cg_location *places, LLVMValueRef user, unsigned count)
{
    struct cg_location *saved = ir_calloc(count, sizeof *saved);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef value = LLVMGetOperand(user, k);
        if (!bale_value_root(s, value) || kernel_surface(s, value))
            continue;
        struct cg_location from = {operand_value_variable(s, value), 0};
        for (unsigned j = 0; j < k && !saved[k].variable && from.variable != places[k].variable; j++)
            if (places[j].variable == from.variable) {
                saved[k] = cg_new_location(s, LLVMTypeOf(value));
                select_move_lanes(s, LLVMTypeOf(value), saved[k], from);
            }
    }
    for (unsigned k = 0; k < count; k++)
        copy_to_place(s, places[k], LLVMGetOperand(user, k), saved[k]);
    free(saved);
}

static unsigned registers_of(const struct selection *s, unsigned bytes)
{
    return cg_align_up(bytes, s->platform->grf_bytes) / s->platform->grf_bytes;
}

/* Checks that %arg and %retval have room for the operands of the call. */
static bool fits_stack(struct selection *s, LLVMValueRef call, const struct cg_callee *callee)
{
    unsigned grf = s->platform->grf_bytes, most[2] = {VISA_ARG_REGISTERS * grf, VISA_RETVAL_REGISTERS * grf};
    if (callee->parameter_bytes > most[0])
        cg_fail(s, call,
                "a function on the stack (_GENX_STACKCALL_) takes at most %u bytes, and this one %u: parameters, "
                "what references among them name, and the global variables that it uses",
                most[0], callee->parameter_bytes);
    else if (callee->result_bytes > most[1])
        cg_fail(s, call,
                "a function on the stack (_GENX_STACKCALL_) gives back at most %u bytes, and this one %u: its "
                "result, and what it writes through references and to global variables",
                most[1], callee->result_bytes);
    return !s->failed;
}

static bool select_function_call(struct selection *s, LLVMValueRef call, struct cg_callee *callee)
{
    struct visa_instruction i = {.op = VISA_OP_CALL, .exec_size = 1, .no_mask = true, .attr = {(int)callee->number}};
    if (callee->out && !fits_stack(s, call, callee))
        return true;
    copy_to_places(s, callee->parameters, call, callee->parameter_count);
    if (callee->out) { /* the finalizer drops no_mask here: a call with fewer lanes would lose the others */
        i.op = VISA_OP_FCALL;
        i.exec_size = 32;
        i.no_mask = false;
        i.attr[1] = (int)registers_of(s, callee->parameter_bytes);
        i.attr[2] = (int)registers_of(s, callee->result_bytes);
    }
    cg_emit(s, &i);
    cg_forget_addresses(s);
    cg_forget_same(s);
    return true;
}

/* True if the result is only passed to the function again, where it is: by the next call of any function. */
static bool is_passed_on(const struct cg_callee *callee, LLVMValueRef value, struct cg_location place)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL, next = LLVMGetNextInstruction(value);
    while (next && !function_called(next))
        next = LLVMGetNextInstruction(next);
    if (!user || user != next || function_called(user) != callee->function)
        return false;
    for (unsigned k = 0; k < callee->parameter_count; k++)
        if (LLVMGetOperand(user, k) == value)
            return callee->parameters[k].variable == place.variable;
    return false;
}

/* Leaves a value where it is, if no other one shares its variable. */
static bool stays_in_place(struct selection *s, LLVMValueRef value, struct cg_location place)
{
    struct cg_value *class = interference_value_class(s, bale_value_root(s, value));
    unsigned members = 0;
    for (size_t k = 0; k < s->value_count; k++)
        members += interference_value_class(s, &s->values[k]) == class;
    if (members > 1 || class->variable)
        return false;
    class->variable = place.variable;
    return true;
}

/* Moves a value from or to the stack in all lanes, enabled or not: for the finalizer nothing is left of what was there
 * before. Otherwise the variable would be live across calls before the move, and be saved by each function. */
static void move_from_stack(struct selection *s, LLVMTypeRef type, struct cg_location to, struct cg_location from)
{
    size_t first = s->out->instruction_count;
    select_move_lanes(s, type, to, from);
    for (size_t k = first; k < s->out->instruction_count && !s->unmasked_is_slow; k++)
        s->out->instructions[k].no_mask = true;
}

static bool select_result(struct selection *s, LLVMValueRef value)
{
    LLVMValueRef call = LLVMGetOperand(value, 0), function = function_called(call);
    if (!function)
        return false;
    struct cg_callee *callee = select_find_callee(s, function);
    struct cg_location from = callee->results[LLVMGetIndices(value)[0]];
    if (!callee->out && is_passed_on(callee, value, from) && stays_in_place(s, value, from))
        return true;
    struct cg_location to = {operand_value_variable(s, value), 0};
    if (from.variable == to.variable)
        return true;
    if (callee->out) {
        move_from_stack(s, LLVMTypeOf(value), to, from);
        return true;
    }
    select_move_lanes(s, LLVMTypeOf(value), to, from);
    s->same[0] = from.variable;
    s->same[1] = to.variable;
    return true;
}

static bool select_return_marker(struct selection *s, LLVMValueRef call)
{
    struct cg_callee *self = select_find_callee(s, s->function);
    copy_to_places(s, self->results, call, self->result_count);
    return true;
}

bool select_call(struct selection *s, LLVMValueRef i)
{
    if (LLVMIsAExtractValueInst(i))
        return select_result(s, i) || select_assembly_output(s, i);
    if (function_is_return_marker(i))
        return select_return_marker(s, i);
    LLVMValueRef function = function_called(i);
    return function && select_function_call(s, i, select_find_callee(s, function));
}

void select_bind_parameters(struct selection *s, struct cg_callee *callee)
{
    assert(callee->function == s->function && !callee->out);
    for (unsigned i = 0; i < callee->parameter_count; i++)
        if (function_global_of_parameter(s->function, i) < 0)
            interference_value_class(s, bale_value(s, LLVMGetParam(s->function, i)))->variable =
                callee->parameters[i].variable;
}

void select_copy_globals(struct selection *s, struct cg_callee *callee)
{
    assert(callee->function == s->function);
    for (unsigned i = 0; i < callee->parameter_count; i++) {
        LLVMValueRef parameter = LLVMGetParam(s->function, i);
        if (function_global_of_parameter(s->function, i) < 0 || !LLVMGetFirstUse(parameter))
            continue;
        struct cg_location own = {operand_value_variable(s, parameter), 0};
        if (own.variable != callee->parameters[i].variable)
            select_move_lanes(s, LLVMTypeOf(parameter), own, callee->parameters[i]);
    }
}

void select_take_parameters(struct selection *s, struct cg_callee *callee)
{
    assert(callee->function == s->function && callee->out);
    callee->out->argument_registers = registers_of(s, callee->parameter_bytes);
    callee->out->result_registers = registers_of(s, callee->result_bytes);
    for (unsigned i = 0; i < callee->parameter_count; i++) {
        LLVMValueRef parameter = LLVMGetParam(s->function, i);
        if (LLVMGetFirstUse(parameter))
            move_from_stack(s, LLVMTypeOf(parameter), (struct cg_location){operand_value_variable(s, parameter), 0},
                            callee->parameters[i]);
    }
}
