/* Divides debug records: see watch_records.h. */
#include "lower/debug/watch_records.h"

#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/debug/watch_parts.h"
#include "lower/ir/debug_form.h"
#include "lower/ir/debug_metadata.h"

static LLVMValueRef named_value(LLVMValueRef call)
{
    LLVMValueRef operand = LLVMGetOperand(call, 0), value = NULL;
    if (LLVMGetMetadataKind(LLVMValueAsMetadata(operand)) == LLVMLocalAsMetadataMetadataKind)
        LLVMGetMDNodeOperands(operand, &value);
    return value;
}

static void add(struct watch_records *r, LLVMValueRef call)
{
    LLVMValueRef value = named_value(call);
    struct watch_record record = {call, 0, false};
    if (!value || !LLVMInstructionGetDebugLoc(call))
        return;
    pointer_map_get(&r->first, value, &record.next);
    ARRAY_PUSH(r->list, r->count, r->capacity, record);
    pointer_map_set(&r->first, value, r->count);
}

void watch_records_open(struct watch_records *r, LLVMModuleRef module, bool exist)
{
    *r = (struct watch_records){.module = module};
    if (!exist)
        return;
    ir_debug_as_calls(module);
    ir_forget_functions();
    r->builder = LLVMCreateDIBuilderDisallowUnresolved(module);
    r->calls = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (ir_calls_named(i, "llvm.dbg.value"))
        add(r, i);
}

size_t watch_records_first(const struct watch_records *r, LLVMValueRef value)
{
    size_t number = 0;
    if (r->count)
        pointer_map_get(&r->first, value, &number);
    return number;
}

size_t watch_records_next(const struct watch_records *r, size_t record)
{
    return r->list[record - 1].next;
}

void watch_records_add_part(struct watch_records *r, size_t record, LLVMValueRef part, unsigned first, unsigned bytes)
{
    LLVMValueRef call = r->list[record - 1].call;
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
    unsigned offset, whole;
    r->list[record - 1].is_divided = true;
    if (!debug_read_fragment(LLVMGetOperand(call, 2), &offset, &whole))
        return;
    LLVMMetadataRef expression =
        watch_expression(LLVMGetModuleContext(r->module), r->builder, variable, offset + first, bytes);
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    LLVMValueRef function = LLVMGetCalledValue(call);
    LLVMValueRef operands[] = {LLVMMetadataAsValue(context, LLVMValueAsMetadata(part)), LLVMGetOperand(call, 1),
                               LLVMMetadataAsValue(context, expression)};
    LLVMPositionBuilderBefore(r->calls, call);
    LLVMSetCurrentDebugLocation2(r->calls, LLVMInstructionGetDebugLoc(call));
    LLVMBuildCall2(r->calls, LLVMGlobalGetValueType(function), function, operands, 3, "");
}

void watch_records_close(struct watch_records *r)
{
    for (size_t k = 0; k < r->count; k++)
        if (r->list[k].is_divided)
            LLVMInstructionEraseFromParent(r->list[k].call);
    if (r->builder) {
        LLVMDisposeDIBuilder(r->builder);
        LLVMDisposeBuilder(r->calls);
        ir_debug_as_records(r->module);
        ir_forget_functions();
    }
    free(r->list);
    pointer_map_free(&r->first);
    *r = (struct watch_records){0};
}
