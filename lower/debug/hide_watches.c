/* Makes LLVM debug records of the watches while LLVM's instcombine or loop unroller runs, and watches of the records
 * behind it: a call with a value would be a use, and work, and code would be another one with -g than without. A value
 * that LLVM removes on the way is forgotten. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/debug/watch_parts.h"
#include "lower/ir/cfg.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/watch.h"
#include "lower/passes.h"

static void hide(LLVMModuleRef module, bool loads_too)
{
    unsigned count;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef *variables = watch_variables_of(module, &count);
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
        LLVMMetadataRef expression = watch_expression(context, builder, variable,
                                                      (unsigned)constant_of(i, WATCH_OFFSET), watch_value_bytes(value));
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

/* What records become watches of. */
struct showing {
    struct watch_parts parts;
    struct pointer_map numbers; /* of variables */
    struct cfg cfg;             /* of the function */
    struct pointer_map seen;    /* its instructions, those of a block in their order */
};

/* A record, unlike a use, may be where its value is not computed: LLVM's unroller leaves such ones. */
static bool is_computed(const struct showing *s, LLVMValueRef value, LLVMBasicBlockRef block)
{
    size_t seen;
    if (!LLVMIsAInstruction(value))
        return true;
    LLVMBasicBlockRef home = LLVMGetInstructionParent(value);
    if (home == block)
        return pointer_map_get(&s->seen, value, &seen);
    return cfg_dominates(&s->cfg, cfg_number(&s->cfg, home), cfg_number(&s->cfg, block));
}

/* Returns the value that a record names; undefined bytes if LLVM has forgotten it, or computes another one. */
static LLVMValueRef recorded_value(const struct showing *s, LLVMValueRef record, unsigned *offset)
{
    LLVMContextRef context = s->parts.context;
    unsigned bytes;
    bool plain = debug_read_fragment(LLVMGetOperand(record, 2), offset, &bytes);
    if (!bytes)
        bytes = watch_variable_bytes(context, LLVMValueAsMetadata(LLVMGetOperand(record, 1)));
    LLVMValueRef value = NULL, operand = LLVMGetOperand(record, 0);
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    if (plain && (kind == LLVMLocalAsMetadataMetadataKind || kind == LLVMConstantAsMetadataMetadataKind))
        LLVMGetMDNodeOperands(operand, &value);
    if (value && watch_value_bytes(value) == bytes && is_computed(s, value, LLVMGetInstructionParent(record)))
        return value;
    return bytes ? LLVMGetPoison(LLVMVectorType(LLVMInt8TypeInContext(context), bytes)) : NULL;
}

static void show_record(struct showing *s, LLVMValueRef record)
{
    size_t number;
    unsigned offset;
    LLVMValueRef value = ir_calls_named(record, "llvm.dbg.value") ? recorded_value(s, record, &offset) : NULL;
    if (value && pointer_map_get(&s->numbers, LLVMValueAsMetadata(LLVMGetOperand(record, 1)), &number)) {
        LLVMPositionBuilderBefore(s->parts.builder, record);
        LLVMSetCurrentDebugLocation2(s->parts.builder, LLVMInstructionGetDebugLoc(record));
        s->parts.number = (unsigned)number;
        watch_build(&s->parts, value, offset);
    }
    LLVMInstructionEraseFromParent(record);
}

static void show_function(struct showing *s, LLVMValueRef function)
{
    cfg_build(&s->cfg, function);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (ir_calls_named(i, "llvm.dbg."))
            show_record(s, i);
        else
            pointer_map_set(&s->seen, i, 1);
    }
    cfg_free(&s->cfg);
    pointer_map_free(&s->seen);
    s->seen = (struct pointer_map){0};
}

bool pass_show_watches(LLVMModuleRef module, const struct lower_options *options)
{
    unsigned count;
    if (!options->track_values)
        return true;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef *variables = watch_variables_of(module, &count);
    struct showing s = {
        .parts = {.module = module, .context = context, .builder = LLVMCreateBuilderInContext(context)}};
    for (unsigned k = count; k-- > 0;)
        pointer_map_set(&s.numbers, variables[k], k);
    LLVMSetIsNewDbgInfoFormat(module, false); /* records are calls then */
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        show_function(&s, f);
    LLVMSetIsNewDbgInfoFormat(module, true);
    ir_forget_functions();
    LLVMDisposeBuilder(s.parts.builder);
    pointer_map_free(&s.numbers);
    free(variables);
    return true;
}
