/* Calls of subroutines: vISA's call and ret, with a variable for each argument and each result that belong to the
 * function.
 *
 * A kernel's subroutines are part of its vISA text and share its variables and inputs. Before a call the arguments are
 * copied to the function's variables, behind it the results from there. */
#include <stdlib.h>
#include "lower/functions.h"
#include "lower/select.h"

static unsigned new_slot(struct selection *s, LLVMTypeRef type)
{
    unsigned bytes = type_lanes(type) * type_element_bytes(type);
    enum visa_type t = visa_type_of(type_element(type), 'S');
    return new_variable(s, t, bytes / visa_type_bytes(t), 0, NULL);
}

struct callee *find_callee(struct selection *s, LLVMValueRef function)
{
    struct callees *all = &s->inputs->callees;
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i]->function == function)
            return all->list[i];
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    struct callee *c = checked_calloc(1, sizeof *c);
    *c = (struct callee){.function = function, .number = (unsigned)all->count + 1};
    c->parameter_count = LLVMCountParams(function);
    c->result_count = LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMCountStructElementTypes(result) : 0;
    c->parameters = checked_calloc(c->parameter_count, sizeof *c->parameters);
    c->results = checked_calloc(c->result_count, sizeof *c->results);
    for (unsigned i = 0; i < c->parameter_count; i++)
        c->parameters[i] = new_slot(s, LLVMTypeOf(LLVMGetParam(function, i)));
    for (unsigned i = 0; i < c->result_count; i++)
        c->results[i] = new_slot(s, LLVMStructGetTypeAtIndex(result, i));
    ARRAY_PUSH(all->list, all->count, all->capacity, c);
    return c;
}

void free_callees(struct callees *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i]->parameters);
        free(all->list[i]->results);
        free(all->list[i]);
    }
    free(all->list);
}

/* A surface of the kernel's is the number of its entry in the binding table. */
static const struct visa_argument *kernel_surface(const struct selection *s, LLVMValueRef value)
{
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding >= 0 && a->index >= 0 && LLVMGetParam(s->kernel, (unsigned)a->index) == value)
            return a;
    }
    return NULL;
}

static void copy_to_slot(struct selection *s, unsigned slot, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    const struct visa_argument *surface = kernel_surface(s, value);
    if (LLVMIsUndef(value) || LLVMIsPoison(value))
        return;
    if (surface) {
        wide_move(s, 1, wide_scalar(slot, VISA_TYPE_UD, 0), wide_immediate(VISA_TYPE_UD, (uint64_t)surface->binding));
        return;
    }
    if (!value_root(s, value)) {
        struct wide_operand src = source(s, value, 'U');
        if (src.kind == WIDE_IMMEDIATE && visa_type_bytes(src.type) < 8) {
            wide_move(s, type_lanes(type),
                      wide_region(slot, visa_type_of(type_element(type), 'U'), 0, type_lanes(type)), src);
            return;
        }
    }
    unsigned from = value_variable(s, value);
    if (from != slot)
        move_value(s, value, slot, from);
}

static bool select_subroutine_call(struct selection *s, LLVMValueRef call, struct callee *callee)
{
    for (unsigned i = 0; i < callee->parameter_count; i++)
        copy_to_slot(s, callee->parameters[i], LLVMGetOperand(call, i));
    struct visa_instruction i = {.op = VISA_OP_CALL, .exec_size = 1, .no_mask = true, .attr = {(int)callee->number}};
    emit(s, &i);
    forget_addresses(s);
    return true;
}

static bool select_result(struct selection *s, LLVMValueRef value)
{
    LLVMValueRef call = LLVMGetOperand(value, 0), function = called_function(call);
    if (!function)
        return false;
    unsigned from = find_callee(s, function)->results[LLVMGetIndices(value)[0]], to = value_variable(s, value);
    if (from != to)
        move_value(s, value, to, from);
    return true;
}

static bool select_leave(struct selection *s, LLVMValueRef call)
{
    struct callee *self = find_callee(s, s->function);
    for (unsigned i = 0; i < self->result_count; i++)
        copy_to_slot(s, self->results[i], LLVMGetOperand(call, i));
    return true;
}

bool select_call(struct selection *s, LLVMValueRef i)
{
    if (LLVMIsAExtractValueInst(i))
        return select_result(s, i);
    if (is_leave(i))
        return select_leave(s, i);
    LLVMValueRef function = called_function(i);
    return function && select_subroutine_call(s, i, find_callee(s, function));
}

void gather_results(LLVMModuleRef module, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (!called_function(i))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(i), next; use; use = next) {
            LLVMValueRef result = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            LLVMInstructionRemoveFromParent(result);
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(i));
            LLVMInsertIntoBuilder(builder, result);
        }
    }
    LLVMDisposeBuilder(builder);
}

void bind_parameters(struct selection *s, struct callee *callee)
{
    for (unsigned i = 0; i < callee->parameter_count; i++)
        value_class(s, value_of(s, LLVMGetParam(s->function, i)))->variable = callee->parameters[i];
}
