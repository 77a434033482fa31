/* Makes LLVM debug records of the watches while LLVM's instcombine or loop unroller runs, and watches of the records
 * behind it: a call with a value would be a use, and work, and code would be another one with -g than without. A value
 * that LLVM removes on the way is forgotten. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/debug/watch_loads.h"
#include "lower/debug/watch_parts.h"
#include "lower/ir/debug_form.h"
#include "lower/ir/cfg.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/watch.h"
#include "lower/passes.h"

/* Erases a load, and the computation of its address, if nothing uses them. */
static void erase_unused(LLVMValueRef i)
{
    while (i && !LLVMGetFirstUse(i) && (LLVMIsALoadInst(i) || LLVMIsAGetElementPtrInst(i))) {
        LLVMValueRef address = LLVMGetOperand(i, 0);
        LLVMInstructionEraseFromParent(i);
        i = address;
    }
}

/* What is hidden, and how. */
struct hiding {
    struct watch_parts parts;
    LLVMMetadataRef *variables;
    LLVMDIBuilderRef records_builder;
    struct watch_loads loads; /* of the function */
    bool forgets_loads;       /* the records of what is read from variables in memory say that it is not known */
};

/* Returns the value of the record for a watch, and its expression. */
static LLVMValueRef recorded(struct hiding *h, LLVMValueRef watch, LLVMMetadataRef *expression)
{
    LLVMValueRef value = LLVMGetOperand(watch, WATCH_VALUE);
    LLVMMetadataRef variable = h->variables[constant_of(watch, WATCH_VARIABLE)];
    unsigned offset = (unsigned)constant_of(watch, WATCH_OFFSET);
    bool is_last_use = LLVMIsALoadInst(value) && !LLVMGetNextUse(LLVMGetFirstUse(value));
    LLVMValueRef address =
        is_last_use && !h->forgets_loads
            ? watch_loads_expression(&h->loads, h->records_builder, value, variable, offset, expression)
            : NULL;
    if (address)
        return address;
    *expression = watch_expression(h->parts.context, h->records_builder, variable, offset, watch_value_bytes(value));
    return value;
}

static void hide_watch(struct hiding *h, LLVMValueRef watch)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(watch), expression;
    LLVMValueRef value = LLVMGetOperand(watch, WATCH_VALUE);
    if (!place)
        return;
    LLVMValueRef hidden = recorded(h, watch, &expression);
    LLVMDIBuilderInsertDbgValueRecordBefore(h->records_builder, hidden,
                                            h->variables[constant_of(watch, WATCH_VARIABLE)], expression, place, watch);
    LLVMInstructionEraseFromParent(watch);
    if (LLVMIsALoadInst(value))
        erase_unused(value);
}

static void hide(LLVMModuleRef module, bool forgets_loads)
{
    unsigned count;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct hiding h = {.parts = {.module = module, .context = context, .builder = LLVMCreateBuilderInContext(context)},
                       .forgets_loads = forgets_loads};
    h.variables = watch_variables_of(module, &count);
    h.records_builder = LLVMCreateDIBuilderDisallowUnresolved(module);
    FOR_EACH_FUNCTION(f, module)
    {
        watch_loads_begin(&h.loads, &h.parts, f, !forgets_loads);
        FOR_EACH_BLOCK(block, f)
        FOR_EACH_REMOVABLE(i, block)
        {
            watch_loads_visit(&h.loads, i);
            if (ir_is_watch(i))
                hide_watch(&h, i);
        }
        watch_loads_end(&h.loads, false);
    }
    LLVMDisposeDIBuilder(h.records_builder);
    LLVMDisposeBuilder(h.parts.builder);
    free(h.variables);
}

/* What is loaded from variables that are in memory yet is read again afterwards. */
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
    struct watch_loads loads;   /* of the function */
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
static LLVMValueRef recorded_value(struct showing *s, LLVMValueRef record, unsigned *offset)
{
    LLVMContextRef context = s->parts.context;
    unsigned bytes;
    bool plain = debug_read_fragment(LLVMGetOperand(record, 2), offset, &bytes);
    if (!bytes)
        bytes = watch_variable_bytes(context, LLVMValueAsMetadata(LLVMGetOperand(record, 1)));
    LLVMValueRef value = NULL, operand = LLVMGetOperand(record, 0);
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    bool is_load = watch_loads_is_one(LLVMGetOperand(record, 2));
    if ((plain || is_load) && (kind == LLVMLocalAsMetadataMetadataKind || kind == LLVMConstantAsMetadataMetadataKind))
        LLVMGetMDNodeOperands(operand, &value);
    if (value && is_load)
        value = watch_loads_build(&s->loads, value, LLVMGetOperand(record, 2));
    if (value && is_load)
        return value;
    if (value && watch_value_bytes(value) == bytes && is_computed(s, value, LLVMGetInstructionParent(record)))
        return value;
    return bytes ? LLVMGetPoison(LLVMVectorType(LLVMInt8TypeInContext(context), bytes)) : NULL;
}

static void show_record(struct showing *s, LLVMValueRef record)
{
    size_t number;
    unsigned offset;
    LLVMPositionBuilderBefore(s->parts.builder, record);
    LLVMSetCurrentDebugLocation2(s->parts.builder, LLVMInstructionGetDebugLoc(record));
    LLVMValueRef value = ir_calls_named(record, "llvm.dbg.value") ? recorded_value(s, record, &offset) : NULL;
    if (value && pointer_map_get(&s->numbers, LLVMValueAsMetadata(LLVMGetOperand(record, 1)), &number)) {
        s->parts.number = (unsigned)number;
        watch_build(&s->parts, value, offset);
    }
    LLVMInstructionEraseFromParent(record);
}

static void show_function(struct showing *s, LLVMValueRef function)
{
    cfg_build(&s->cfg, function);
    watch_loads_begin(&s->loads, &s->parts, function, false);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        watch_loads_visit(&s->loads, i);
        if (ir_calls_named(i, "llvm.dbg."))
            show_record(s, i);
        else
            pointer_map_set(&s->seen, i, 1);
    }
    watch_loads_end(&s->loads, true);
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
    ir_debug_as_calls(module); /* records are calls then */
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        show_function(&s, f);
    ir_debug_as_records(module);
    ir_forget_functions();
    LLVMDisposeBuilder(s.parts.builder);
    pointer_map_free(&s.numbers);
    free(variables);
    return true;
}
