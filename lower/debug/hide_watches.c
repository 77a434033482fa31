/* Makes LLVM debug records of the watches while LLVM's instcombine or loop unroller runs, and watches of the records
 * behind it: a call with a value would be a use, and work, and code would be another one with -g than without. A value
 * that LLVM removes on the way is forgotten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/debug/watch_parts.h"
#include "lower/ir/watch.h"
#include "lower/passes.h"

static LLVMMetadataRef *watched_variables(LLVMModuleRef module, unsigned *count)
{
    *count = LLVMGetNamedMetadataNumOperands(module, WATCH_LIST);
    LLVMValueRef *list = ir_calloc(*count, sizeof *list);
    LLVMMetadataRef *variables = ir_calloc(*count, sizeof *variables);
    LLVMGetNamedMetadataOperands(module, WATCH_LIST, list);
    for (unsigned k = 0; k < *count; k++)
        variables[k] = LLVMValueAsMetadata(list[k]);
    free(list);
    return variables;
}

static unsigned bytes_of(LLVMTypeRef type)
{
    return type_lanes(type) * type_element_bytes(type);
}

static void hide(LLVMModuleRef module, bool loads_too)
{
    unsigned count;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef *variables = watched_variables(module, &count);
    LLVMDIBuilderRef builder = LLVMCreateDIBuilderDisallowUnresolved(module);
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMMetadataRef place = ir_is_watch(i) ? LLVMInstructionGetDebugLoc(i) : NULL;
        if (!place)
            continue;
        LLVMValueRef value = LLVMGetOperand(i, WATCH_VALUE);
        if (LLVMIsALoadInst(value) && !loads_too)
            continue;
        LLVMMetadataRef variable = variables[constant_of(i, WATCH_VARIABLE)];
        LLVMMetadataRef expression = watch_expression(
            context, builder, variable, (unsigned)constant_of(i, WATCH_OFFSET), bytes_of(LLVMTypeOf(value)));
        LLVMDIBuilderInsertDbgValueRecordBefore(builder, value, variable, expression, place, i);
        LLVMInstructionEraseFromParent(i);
        if (LLVMIsALoadInst(value) && !LLVMGetFirstUse(value))
            LLVMInstructionEraseFromParent(value);
    }
    LLVMDisposeDIBuilder(builder);
    free(variables);
}

/* What is loaded from variables that are in memory yet has no record: the load would go. */
bool pass_hide_values(LLVMModuleRef module, const struct lower_options *options)
{
    if (options->track_values)
        hide(module, false);
    return true;
}

bool pass_hide_watches(LLVMModuleRef module, const struct lower_options *options)
{
    if (options->track_values)
        hide(module, true);
    return true;
}

/* Returns the value that a record names; undefined bytes if LLVM has forgotten it, or computes another one. */
static LLVMValueRef recorded_value(LLVMContextRef context, LLVMValueRef record, unsigned *offset)
{
    enum { BITS = 8 };
    char *text = LLVMPrintValueToString(LLVMGetOperand(record, 2));
    const char *part = strstr(text, "DW_OP_LLVM_fragment, ");
    unsigned from = 0, bits = BITS * watch_variable_bytes(context, LLVMValueAsMetadata(LLVMGetOperand(record, 1)));
    bool plain = strstr(text, "!DIExpression()") || strstr(text, "!DIExpression(DW_OP_LLVM_fragment, ");
    if (part)
        sscanf(part, "DW_OP_LLVM_fragment, %u, %u", &from, &bits);
    LLVMDisposeMessage(text);
    *offset = from / BITS;
    LLVMValueRef value = NULL, operand = LLVMGetOperand(record, 0);
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    if (plain && (kind == LLVMLocalAsMetadataMetadataKind || kind == LLVMConstantAsMetadataMetadataKind))
        LLVMGetMDNodeOperands(operand, &value);
    if (value && bytes_of(LLVMTypeOf(value)) == bits / BITS)
        return value;
    return bits ? LLVMGetPoison(LLVMVectorType(LLVMInt8TypeInContext(context), bits / BITS)) : NULL;
}

bool pass_show_watches(LLVMModuleRef module, const struct lower_options *options)
{
    unsigned count;
    if (!options->track_values)
        return true;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef *variables = watched_variables(module, &count);
    struct pointer_map numbers = {0};
    for (unsigned k = count; k-- > 0;)
        pointer_map_set(&numbers, variables[k], k);
    struct watch_parts w = {.module = module, .context = context, .builder = LLVMCreateBuilderInContext(context)};
    LLVMSetIsNewDbgInfoFormat(module, false); /* records are calls then */
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        size_t number;
        unsigned offset;
        if (!ir_calls_named(i, "llvm.dbg."))
            continue;
        LLVMValueRef value = ir_calls_named(i, "llvm.dbg.value") ? recorded_value(context, i, &offset) : NULL;
        if (value && pointer_map_get(&numbers, LLVMValueAsMetadata(LLVMGetOperand(i, 1)), &number)) {
            LLVMPositionBuilderBefore(w.builder, i);
            LLVMSetCurrentDebugLocation2(w.builder, LLVMInstructionGetDebugLoc(i));
            w.number = (unsigned)number;
            watch_build(&w, value, offset);
        }
        LLVMInstructionEraseFromParent(i);
    }
    LLVMSetIsNewDbgInfoFormat(module, true);
    ir_forget_functions();
    LLVMDisposeBuilder(w.builder);
    pointer_map_free(&numbers);
    free(variables);
    return true;
}
