/* Inlines everything into the kernels and the functions that stay functions (functions.c): CM functions take references
 * to registers, which cannot be passed in memory. Mutable globals are private to a thread (CM specification,
 * "file-scope variables"), so each kernel and function gets a copy of its own. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include "lower/analysis/global_uses.h"
#include "lower/cm/shared_memory.h"
#include "lower/functions/function_pointers.h"
#include "lower/functions/functions.h"
#include "lower/functions/inliner.h"
#include "lower/functions/parameters.h"
#include "lower/functions/pointer_globals.h"
#include "lower/ir/assembly_info.h"
#include "lower/ir/fault.h"
#include "lower/ir/ir.h"
#include "lower/ir/watch.h"
#include "lower/passes.h"

static bool localize_globals(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef kernel)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!function_is_private_global(g) || !global_used_in(kernel, g))
            continue;
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
        LLVMValueRef variable = LLVMBuildAlloca(builder, LLVMGlobalGetValueType(g), LLVMGetValueName2(g, &(size_t){0}));
        LLVMValueRef initial = function_is_kernel(kernel) ? LLVMGetInitializer(g) : NULL;
        if (initial && !LLVMIsUndef(initial))
            LLVMBuildStore(builder, initial, variable);
        if (!global_replace_in(builder, kernel, g, variable))
            return false;
    }
    return true;
}

/* Gives the builder a position in the kernel's first line: what is inlined into a function with debug information needs
 * the place of its call. */
static void set_first_line(LLVMBuilderRef builder, LLVMValueRef kernel)
{
    LLVMMetadataRef program = LLVMGetSubprogram(kernel);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
    if (program)
        LLVMSetCurrentDebugLocation2(
            builder, LLVMDIBuilderCreateDebugLocation(context, LLVMDISubprogramGetLine(program), 0, program, NULL));
}

/* Calls constructors of globals at the start of each kernel. */
static void call_constructors(LLVMModuleRef module, LLVMBuilderRef builder)
{
    LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global_ctors");
    LLVMValueRef array = list ? LLVMGetInitializer(list) : NULL;
    if (!array)
        return;
    unsigned count = LLVMIsAConstantArray(array) ? (unsigned)LLVMGetNumOperands(array) : 0;
    FOR_EACH_FUNCTION(kernel, module)
    {
        if (!function_is_kernel(kernel))
            continue;
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
        set_first_line(builder, kernel);
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef function = LLVMGetOperand(LLVMGetOperand(array, i), 1);
            LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
        }
    }
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMDeleteGlobal(list);
}

static void set_attribute(LLVMValueRef function, const char *name, bool on)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    if (on)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
    else
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static void prepare_inlining(LLVMValueRef function)
{
    set_attribute(function, "optnone", false);
    set_attribute(function, "noinline", function_call_kind(function) != CALL_INLINED);
    if (!function_is_lowered(function))
        LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* Inlines what inline_module_calls() left. */
static bool inline_by_llvm(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f) && !function_is_lowered(f))
        set_attribute(f, "alwaysinline", true);
    return ir_run_llvm_passes(module, "always-inline,globaldce");
}

/* Excludes a function from LLVM's passes (optnone requires noinline). */
static void keep_as_it_is(LLVMValueRef function)
{
    set_attribute(function, "alwaysinline", false);
    set_attribute(function, "noinline", true);
    set_attribute(function, "optnone", true);
}

/* Excludes the direct and indirect callers of `function`. */
static void keep_callers(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user))
            continue;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
        if (LLVMGetEnumAttributeAtIndex(caller, LLVMAttributeFunctionIndex, kind))
            continue;
        keep_as_it_is(caller);
        keep_callers(caller);
    }
}

static bool is_divergent(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    if (builtin_of_function(f) == BUILTIN_simdcf_any)
        return true;
    return false;
}

/* Functions with SIMD control flow must not be simplified before it is lowered; they are inlined unchanged afterwards.
 * The same holds for the user's own functions, which may be called inside it. */
static void inline_headers(LLVMModuleRef module, bool traced)
{
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    FOR_EACH_FUNCTION(f, module)
    {
        if (LLVMIsDeclaration(f))
            continue;
        bool of_headers = LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, always) != NULL;
        prepare_inlining(f);
        if (!of_headers)
            keep_as_it_is(f);
    }
    FOR_EACH_FUNCTION(f, module)
    if (builtin_of_function(f) == BUILTIN_simdcf_any)
        keep_callers(f);
    inline_module_calls(module, true, true, traced);
}

/* Inlines from the innermost call outwards and simplifies in between: the headers' operators, several calls deep, are a
 * few instructions by the time they reach the kernel, however often it uses them. */
static bool inline_calls(LLVMModuleRef module, bool traced)
{
    enum { ROUNDS = 16 }; /* of functions that functions get: each makes calls of pointers calls of functions */
    bool divergent = is_divergent(module), again = true;
    if (!ir_run_llvm_passes(module, "globaldce"))
        return false;
    if (divergent)
        inline_headers(module, traced);
    for (int round = 0; again && round < ROUNDS; round++) {
        FOR_EACH_FUNCTION(f, module)
        if (!LLVMIsDeclaration(f))
            prepare_inlining(f);
        if (!inline_module_calls(module, !divergent, divergent, traced) && !inline_by_llvm(module))
            return false;
        again = functions_drop_unsuitable(module);
        again |= functions_forward(module);
    }
    return true;
}

/* True if `function` calls itself and has no SIMD control flow, whose values must stay in memory until it is lowered.
 */
static bool is_loop_by_recursion(LLVMValueRef function)
{
    bool recursive = false;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    {
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
        recursive |= callee == function;
        if (callee && builtin_of_function(callee) == BUILTIN_simdcf_any)
            return false;
    }
    return recursive;
}

/* LLVM would not see a tail call in front of a watch, and code would be another one with -g than without. */
static void forget_watches(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef value = ir_is_watch(i) ? LLVMGetOperand(i, WATCH_VALUE) : NULL;
        if (value)
            LLVMInstructionEraseFromParent(i);
        if (value && LLVMIsALoadInst(value) && !LLVMGetFirstUse(value))
            LLVMInstructionEraseFromParent(value);
    }
}

/* Turns self tail calls into loops, while results are still results of the function. */
static bool tail_calls_to_loops(LLVMModuleRef module)
{
    bool any = false, ok = true;
    FOR_EACH_FUNCTION(f, module)
    if (LLVMIsDeclaration(f))
        continue;
    else if (is_loop_by_recursion(f)) {
        forget_watches(f);
        any = true;
    } else
        keep_as_it_is(f);
    if (any)
        ok = ir_run_llvm_passes(module, "function(sroa,early-cse,simplifycfg,tailcallelim)");
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        prepare_inlining(f);
    return ok;
}

/* Checks that the remaining calls are of builtins, and of functions that stay functions. */
static bool check_all_inlined(LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (!LLVMIsACallInst(i) || assembly_is(i))
            continue;
        LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(i));
        if (!LLVMIsDeclaration(function) && function_call_kind(function) == CALL_INLINED)
            return lower_error(i, LOWER_FAULT("a call that was not inlined"));
    }
    return true;
}

bool pass_inline(LLVMModuleRef module, const struct lower_options *options)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    call_constructors(module, builder);
    bool traced = options->debug_info || options->names;
    FOR_EACH_FUNCTION(f, module)
    if (!traced && !LLVMIsDeclaration(f))
        function_untrace(f);
    bool ok = inline_calls(module, traced) && (options->optimization == 0 || tail_calls_to_loops(module)) &&
              functions_by_number(module);
    if (ok)
        pointer_globals_by_number(module);
    ok = ok && functions_by_value(module) && shared_memory_by_kernel(module, builder);
    FOR_EACH_FUNCTION(f, module)
    if (ok && function_is_lowered(f))
        ok = check_all_inlined(f) && localize_globals(module, builder, f);
    LLVMDisposeBuilder(builder);
    return ok;
}
