/* Passes a kernel's inputs (thread ids, sizes and the like) to stack functions. These cannot read the registers that a
 * thread starts with, so each input becomes one more parameter of the functions that read it, or that call one that
 * does. Subroutines of such functions are treated alike, whoever else calls them. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/functions/functions.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"

static const enum genx_id inputs[] = {GENX_LOCAL_ID, GENX_LOCAL_SIZE, GENX_GROUP_COUNT, GENX_PRINT_BUFFER};
enum { INPUTS = sizeof inputs / sizeof *inputs };

/* Marks `function` and its callees. */
static void follow_calls(LLVMValueRef function, struct pointer_map *reached)
{
    size_t ignored;
    if (pointer_map_get(reached, function, &ignored))
        return;
    pointer_map_set(reached, function, 1);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (function_called(i))
        follow_calls(function_called(i), reached);
}

static LLVMValueRef call_of(LLVMValueRef function, enum genx_id input)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (genx_call_id(i) == input)
        return i;
    return NULL;
}

static bool calls_one_of(LLVMValueRef function, const struct pointer_map *asking)
{
    size_t ignored;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (function_called(i) && pointer_map_get(asking, function_called(i), &ignored))
        return true;
    return false;
}

/* Finds the functions in `reached` that need the input, and its type; NULL: none does. */
static LLVMTypeRef find_functions_with_inputs(LLVMModuleRef module, enum genx_id input,
                                              const struct pointer_map *reached, struct pointer_map *asking)
{
    LLVMTypeRef type = NULL;
    size_t ignored;
    for (bool changed = true; changed;) {
        changed = false;
        FOR_EACH_FUNCTION(f, module)
        {
            if (!pointer_map_get(reached, f, &ignored) || pointer_map_get(asking, f, &ignored))
                continue;
            LLVMValueRef call = call_of(f, input);
            type = call ? LLVMTypeOf(call) : type;
            if (!call && !calls_one_of(f, asking))
                continue;
            pointer_map_set(asking, f, 1);
            changed = true;
        }
    }
    return type;
}

static LLVMValueRef read_input(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef type, const void *input)
{
    return genx_build(builder, module, *(const enum genx_id *)input, type, NULL, 0);
}

/* Replaces the input in the body by the last parameter. */
static void use_parameter(LLVMValueRef function, enum genx_id input)
{
    for (LLVMValueRef call; (call = call_of(function, input));) {
        LLVMReplaceAllUsesWith(call, LLVMGetLastParam(function));
        LLVMInstructionEraseFromParent(call);
    }
}

/* Adds the input to all calls. Functions that need it too replace it by their parameter later. */
static void pass_on(LLVMModuleRef module, LLVMBuilderRef builder, enum genx_id input, const struct pointer_map *reached)
{
    struct pointer_map asking = {0};
    LLVMTypeRef type = find_functions_with_inputs(module, input, reached, &asking);
    LLVMValueRef *functions = NULL; /* collected first, because the module also has the functions that replace them */
    size_t count = 0, capacity = 0, ignored;
    FOR_EACH_FUNCTION(f, module)
    if (type && pointer_map_get(&asking, f, &ignored))
        ARRAY_PUSH(functions, count, capacity, f);
    for (size_t i = 0; i < count; i++)
        functions[i] = functions_add_parameter(module, builder, functions[i], type, read_input, &input);
    for (size_t i = 0; i < count; i++)
        use_parameter(functions[i], input);
    free(functions);
    pointer_map_free(&asking);
}

bool pass_stack_inputs(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (unsigned k = 0; k < INPUTS; k++) {
        struct pointer_map reached = {0}; /* anew: functions that got a parameter are others */
        FOR_EACH_FUNCTION(f, module)
        if (function_call_kind(f) == CALL_STACK)
            follow_calls(f, &reached);
        pass_on(module, builder, inputs[k], &reached);
        pointer_map_free(&reached);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
