/* Lowers pointers to stack functions. Every kernel has its own copy of the functions' code, so the address of a
 * function is its number in the module, from 1. A call through a pointer becomes a switch over direct calls of the
 * functions whose address is taken and whose type is that of the call.
 *
 *   call %p(%a)  ->  switch (%p) { case 1: call @f(%a); ... }
 */
#include "lower/functions/function_pointers.h"

#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/functions/functions.h"
#include "lower/functions/parameters.h"
#include "lower/ir/ir.h"

struct pointed {
    LLVMValueRef *functions; /* number n is functions[n - 1] */
    size_t count, capacity;
};

static bool is_callee(LLVMValueRef user, LLVMValueRef function)
{
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
        return false;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
        if (LLVMGetOperand(user, k) == function)
            return false;
    return true;
}

static LLVMValueRef taker_of_address(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!is_callee(LLVMGetUser(use), function))
            return LLVMGetUser(use);
    return NULL;
}

/* Replaces every use of the function's address, except direct calls, by its number. */
static void replace_address(LLVMModuleRef module, LLVMValueRef function, size_t number)
{
    LLVMValueRef *calls = NULL;
    size_t count = 0, capacity = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (LLVMIsACallInst(LLVMGetUser(use)) && LLVMGetCalledValue(LLVMGetUser(use)) == function)
            ARRAY_PUSH(calls, count, capacity, LLVMGetUser(use));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    LLVMReplaceAllUsesWith(function, LLVMConstIntToPtr(LLVMConstInt(i64, number, false), LLVMTypeOf(function)));
    for (size_t i = 0; i < count; i++)
        LLVMSetOperand(calls[i], (unsigned)LLVMGetNumOperands(calls[i]) - 1, function);
    free(calls);
}

/* True if the call may call the function: equal types, and variables of the types of its references. */
static bool may_mean(LLVMValueRef call, LLVMValueRef function)
{
    if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function))
        return false;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef argument = LLVMGetOperand(call, k);
        LLVMTypeRef object = ir_attribute_type(function, k, "byref");
        if (!object)
            object = ir_attribute_type(function, k, "sret");
        if (object && LLVMIsAAllocaInst(argument) && LLVMGetAllocatedType(argument) != object)
            return false;
    }
    return true;
}

static LLVMValueRef direct_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef function)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *arguments = ir_calloc(count + 1, sizeof *arguments);
    for (unsigned k = 0; k < count; k++)
        arguments[k] = LLVMGetOperand(call, k);
    LLVMValueRef direct = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
    free(arguments);
    return direct;
}

/* Moves the instructions after `call` to a new block, which replaces the old one in the successors' phis. There are no
 * other phis, because all values are in memory. */
static LLVMBasicBlockRef split_behind(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call), next = LLVMGetNextBasicBlock(block);
    LLVMBasicBlockRef rest = next ? LLVMInsertBasicBlockInContext(context, next, "called")
                                  : LLVMAppendBasicBlockInContext(context, LLVMGetBasicBlockParent(block), "called");
    LLVMPositionBuilderAtEnd(builder, rest);
    for (LLVMValueRef i; (i = LLVMGetNextInstruction(call));) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
    }
    return rest;
}

/* Builds the chain of compares and calls; results are stored in `result` (NULL: none). A pointer with another number is
 * undefined behaviour: it calls the last function. */
static void build_choice(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef call, const struct pointed *meant,
                         const size_t *numbers, LLVMValueRef result)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMBasicBlockRef rest = split_behind(context, builder, call);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef pointer = LLVMBuildPtrToInt(builder, LLVMGetCalledValue(call), i32, "");
    for (size_t k = 0; k < meant->count; k++) {
        LLVMBasicBlockRef yes = LLVMInsertBasicBlockInContext(context, rest, "call"), no = NULL;
        if (k + 1 < meant->count) {
            no = LLVMInsertBasicBlockInContext(context, rest, "next");
            LLVMValueRef number = LLVMConstInt(i32, numbers[k], false);
            LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, pointer, number, ""), yes, no);
        } else {
            LLVMBuildBr(builder, yes);
        }
        LLVMPositionBuilderAtEnd(builder, yes);
        LLVMValueRef direct = direct_call(builder, call, meant->functions[k]);
        if (result)
            LLVMBuildStore(builder, direct, result);
        LLVMBuildBr(builder, rest);
        if (no)
            LLVMPositionBuilderAtEnd(builder, no);
    }
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(rest));
}

/* True for the null pointer, or a variable that only ever holds it. */
static bool is_always_null(LLVMValueRef pointer)
{
    LLVMValueRef variable = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    if (!variable || !LLVMIsAAllocaInst(variable))
        return LLVMIsNull(pointer);
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsALoadInst(user) && !(LLVMIsAStoreInst(user) && LLVMIsNull(LLVMGetOperand(user, 0))))
            return false;
    }
    return true;
}

static bool choose(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef call, const struct pointed *all)
{
    if (is_always_null(LLVMGetCalledValue(call)))
        return lower_error(call, "a call through a null pointer to a function");
    struct pointed meant = {0};
    size_t *numbers = ir_calloc(all->count, sizeof *numbers);
    for (size_t k = 0; k < all->count; k++)
        if (may_mean(call, all->functions[k])) {
            numbers[meant.count] = k + 1;
            ARRAY_PUSH(meant.functions, meant.count, meant.capacity, all->functions[k]);
        }
    bool any = meant.count != 0;
    if (any) {
        LLVMTypeRef type = LLVMTypeOf(call);
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
        bool returns = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
        LLVMValueRef result = returns ? LLVMBuildAlloca(builder, type, "") : NULL;
        build_choice(module, builder, call, &meant, numbers, result);
        if (result)
            LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(builder, type, result, ""));
        LLVMInstructionEraseFromParent(call);
    }
    free(meant.functions);
    free(numbers);
    return any ||
           lower_error(call, "a call through a pointer of a type of which no function that is called on the stack "
                             "(_GENX_STACKCALL_) has its address taken");
}

/* Returns the only function that is ever stored in a variable; NULL: there are several, other values, or other uses. */
static LLVMValueRef only_function_in(LLVMValueRef variable)
{
    LLVMValueRef function = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), stored = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 0) : NULL;
        if (LLVMIsALoadInst(user) && LLVMTypeOf(user) == LLVMTypeOf(variable))
            continue;
        if (!stored || !LLVMIsAFunction(stored) || (function && stored != function))
            return NULL;
        function = stored;
    }
    return function;
}

static bool forward_function(LLVMValueRef variable)
{
    LLVMValueRef function = LLVMIsAAllocaInst(variable) ? only_function_in(variable) : NULL;
    for (LLVMUseRef use = function ? LLVMGetFirstUse(variable) : NULL; use; use = LLVMGetFirstUse(variable)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            LLVMReplaceAllUsesWith(user, function);
        LLVMInstructionEraseFromParent(user);
    }
    return function != NULL;
}

bool functions_forward(LLVMModuleRef module)
{
    bool any = false;
    FOR_EACH_FUNCTION(f, module)
    {
        FOR_EACH_BLOCK(block, f)
        FOR_EACH_INSTRUCTION(i, block)
        {
            LLVMValueRef callee = function_called(i);
            any |= forward_function(i) || (callee && function_call_kind(callee) == CALL_INLINED);
        }
    }
    return any;
}

static LLVMValueRef call_through_pointer(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMIsACallInst(i) && !LLVMIsAFunction(LLVMGetCalledValue(i)) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        return i;
    return NULL;
}

/* Reports a remaining address of a function that is not a stack function, after inlining. */
static bool check_unmarked(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    {
        bool may = LLVMIsDeclaration(f) || function_is_kernel(f) || function_call_kind(f) == CALL_STACK;
        LLVMValueRef taker = may ? NULL : taker_of_address(f);
        char name[256] = "a function";
        ir_string_attribute(f, LLVMAttributeFunctionIndex, "cm-name", name, sizeof name);
        if (taker)
            return lower_error(LLVMIsAInstruction(taker) ? taker : function_start(f),
                               "the address of %s: a function that is called through a pointer must be called on the "
                               "stack (_GENX_STACKCALL_)",
                               name);
    }
    return true;
}

bool functions_by_number(LLVMModuleRef module)
{
    struct pointed all = {0};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool ok = check_unmarked(module);
    FOR_EACH_FUNCTION(f, module)
    if (ok && function_call_kind(f) == CALL_STACK && taker_of_address(f))
        ARRAY_PUSH(all.functions, all.count, all.capacity, f);
    for (size_t k = 0; k < all.count; k++)
        replace_address(module, all.functions[k], k + 1);
    FOR_EACH_FUNCTION(f, module)
    for (LLVMValueRef call; ok && function_is_lowered(f) && (call = call_through_pointer(f));)
        ok = choose(module, builder, call, &all);
    free(all.functions);
    LLVMDisposeBuilder(builder);
    return ok;
}
