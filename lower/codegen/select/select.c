/* Instruction selection: walks the blocks of a function and passes each instruction to the selectors of select.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/emit/debug_info.h"
#include "lower/codegen/select/debug_values.h"
#include "lower/codegen/select/select.h"
#include "lower/ir/fault.h"
#include "lower/ir/function_info.h"

static void set_position(struct selection *s, LLVMValueRef i)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i),
                    scope = location ? LLVMDILocationGetScope(location) : NULL;
    s->line = location ? LLVMDILocationGetLine(location) : 0;
    s->column = location ? LLVMDILocationGetColumn(location) : 0;
    if (scope != s->scope)
        s->file = cg_file_of_scope(s->program, scope);
    s->scope = scope;
    s->debug_scope = cg_debug_scope(s, location);
    s->debug_state = select_debug_state(s, location);
}

static bool select_computation(struct selection *s, LLVMValueRef i)
{
    struct macro_operand none = macro_nothing();
    return select_wide_integer(s, i) || select_arithmetic(s, i, none, none);
}

/* The selectors of llvm.genx intrinsics, by their SELECT in genx_intrinsics.def. */
static bool (*const selectors[SELECT_COUNT])(struct selection *s, LLVMValueRef i) = {
    [SELECT_region] = select_region,     [SELECT_reduce] = select_mask,       [SELECT_convert] = select_computation,
    [SELECT_alu_s] = select_computation, [SELECT_alu_u] = select_computation, [SELECT_alu_f] = select_computation,
    [SELECT_dot] = select_computation,   [SELECT_group] = select_group,       [SELECT_matrix] = select_matrix,
    [SELECT_message] = select_message,   [SELECT_image] = select_image,       [SELECT_lsc] = select_lsc,
    [SELECT_send] = select_send,         [SELECT_thread] = select_message,    [SELECT_sync] = select_message,
};

static bool select_any(struct selection *s, LLVMValueRef i, unsigned block)
{
    enum genx_id id = genx_call_id(i);
    if (select_watch(s, i))
        return true;
    if (id != GENX_NONE)
        return selectors[genx_select_class(id)](s, i);
    if (LLVMIsATerminatorInst(i))
        return select_control(s, i, block);
    if (LLVMIsACallInst(i)) /* of a function, of assembly, or of one of LLVM's functions */
        return select_call(s, i) || select_assembly(s, i) || select_computation(s, i);
    return select_mask(s, i) || select_region(s, i) || select_message(s, i) || select_call(s, i) ||
           select_assembly(s, i) || select_computation(s, i);
}

static void select_instruction(struct selection *s, LLVMValueRef i, unsigned block)
{
    s->current = i;
    set_position(s, i);
    if (LLVMIsAPHINode(i) || !bale_is_emitted(s, i) || select_any(s, i, block))
        return;
    if (LLVMIsACallInst(i) && ir_is_named(LLVMGetCalledValue(i), "llvm."))
        cg_fail(s, i, "intrinsic %s: cmc does not know it", LLVMGetValueName(LLVMGetCalledValue(i)));
    else
        cg_fail(s, i, LOWER_FAULT("an operation that selection does not know"));
}

static void emit_label(struct selection *s, unsigned block)
{
    struct visa_instruction label = {.op = VISA_OP_LABEL, .exec_size = 1, .attr = {(int)(s->label_base + block)}};
    cg_emit(s, &label);
}

/* cr0 = cr0 OP bits */
static void change_control(struct selection *s, enum visa_opcode op, uint32_t bits)
{
    struct visa_instruction i = {.op = op, .exec_size = 1};
    i.dst = (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = VISA_CR0, .region = {0, 0, 1}};
    i.src[0] = (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = VISA_CR0, .region = {0, 1, 0}};
    i.src[1] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits};
    cg_emit(s, &i);
}

/* Sets rounding to nearest even, denormals and exceptions as Intel's vector back end does at a kernel's start; then the
 * kernel's own modes (CmFloatControl has the register's bits). */
static void emit_float_control(struct selection *s)
{
    enum { CLEARED = 0x4f1 };
    char text[16];
    change_control(s, VISA_OP_AND, ~(uint32_t)CLEARED);
    const char *asked =
        ir_string_attribute(s->kernel, LLVMAttributeFunctionIndex, "cm-float-control", text, sizeof text);
    uint32_t modes = asked ? (uint32_t)strtoul(asked, NULL, 10) : 0;
    if (modes & ~(uint32_t)CLEARED)
        cg_fail(s, NULL, "kernel '%s': there is no float control 0x%x", s->out->name, modes);
    if (modes)
        change_control(s, VISA_OP_OR, modes);
}

static void select_blocks(struct selection *s)
{
    size_t *starts = ir_calloc(s->cfg.count, sizeof *starts);
    for (unsigned b = 0; b < s->cfg.count && !s->failed; b++) {
        if (s->jump_target[b] != b)
            continue;
        starts[b] = b ? s->out->instruction_count : 0;
        if (b)
            emit_label(s, b);
        cg_forget_addresses(s);
        cg_forget_same(s);
        operand_forget_constants(s);
        s->block = b;
        s->channel_mask_count = 0;
        s->unmasked_is_slow = platform_has(s->platform, FEATURE_FUSED_EU_NOMASK) &&
                              (s->function != s->kernel || !cfg_runs_once(&s->cfg, b));
        if (b)
            select_debug_begin_block(s, b);
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        if (!s->failed) {
            select_debug_assign(s, i);
            select_instruction(s, i, b);
            select_debug_define(s, i);
        }
    }
    s->out->label_count = s->label_base + s->cfg.count;
    if (s->function == s->kernel && !s->inputs->callees.count && s->options->optimization > 0) {
        select_hoist_constants(s, starts);
        select_hoist_invariants(s);
    }
    if (s->options->bounds)
        select_count_bounds(s);
    free(starts);
}

void select_kernel_body(struct selection *s)
{
    select_debug_number_values(s);
    emit_label(s, 0);
    select_debug_begin_block(s, 0); /* parameters have their values here */
    emit_float_control(s);
    select_blocks(s);
}

void select_subroutine_body(struct selection *s, struct cg_callee *callee)
{
    assert(!callee->out && callee->number >= 1);
    struct visa_instruction start = {.op = VISA_OP_FUNCTION, .exec_size = 1, .attr = {(int)callee->number}};
    LLVMMetadataRef definition = function_definition(s->function);
    if (definition) {
        const char *name = function_definition_name(LLVMGetModuleContext(s->module), definition);
        start.text = name ? visa_string(s->program, name) : NULL;
        start.attr[1] = (int)cg_file_of_scope(s->program, definition);
        start.attr[2] = (int)LLVMDISubprogramGetLine(definition);
    }
    cg_emit(s, &start);
    select_debug_number_values(s);
    emit_label(s, 0);
    select_copy_globals(s, callee);
    select_blocks(s);
}

void select_stack_body(struct selection *s, struct cg_callee *callee)
{
    assert(callee->out);
    select_debug_number_values(s);
    emit_label(s, 0);
    select_take_parameters(s, callee);
    select_blocks(s);
}
