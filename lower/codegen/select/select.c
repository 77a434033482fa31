/* Instruction selection: walks the blocks of a function and passes each instruction to the selectors of select.h. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/select/select.h"
#include "lower/ir/fault.h"

static void set_position(struct selection *s, LLVMValueRef i)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i),
                    scope = location ? LLVMDILocationGetScope(location) : NULL;
    s->line = location ? LLVMDILocationGetLine(location) : 0;
    s->column = location ? LLVMDILocationGetColumn(location) : 0;
    if (scope != s->scope)
        s->file = file_of_scope(s->program, scope);
    s->scope = scope;
}

static void select_instruction(struct selection *s, LLVMValueRef i, unsigned block)
{
    s->current = i;
    set_position(s, i);
    if (LLVMIsAPHINode(i) || !is_emitted(s, i))
        return;
    struct wide_operand none = {.kind = WIDE_NONE};
    if (LLVMIsATerminatorInst(i)
            ? select_control(s, i, block)
            : select_mask(s, i) || select_region(s, i) || select_message(s, i) || select_image(s, i) ||
                  select_matrix(s, i) || select_group(s, i) || select_lsc(s, i) || select_send(s, i) || select_call(s, i) ||
                  select_assembly(s, i) || select_wide_integer(s, i) || select_arithmetic(s, i, none, none))
        return;
    select_fail(s, i, LOWER_FAULT("an operation that selection does not know"));
}

static void emit_label(struct selection *s, unsigned block)
{
    struct visa_instruction label = {.op = VISA_OP_LABEL, .exec_size = 1, .attr = {(int)(s->label_base + block)}};
    emit(s, &label);
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
    emit(s, &i);
}

/* Sets rounding to nearest even, denormals and exceptions as Intel's vector back end does at a kernel's start; then the
 * kernel's own modes (CmFloatControl has the register's bits). */
static void emit_float_control(struct selection *s)
{
    enum { CLEARED = 0x4f1 };
    char text[16];
    change_control(s, VISA_OP_AND, ~(uint32_t)CLEARED);
    const char *asked = string_attribute(s->kernel, LLVMAttributeFunctionIndex, "cm-float-control", text, sizeof text);
    uint32_t modes = asked ? (uint32_t)strtoul(asked, NULL, 10) : 0;
    if (modes & ~(uint32_t)CLEARED)
        select_fail(s, NULL, "kernel '%s': there is no float control 0x%x", s->out->name, modes);
    if (modes)
        change_control(s, VISA_OP_OR, modes);
}

static void select_blocks(struct selection *s)
{
    for (unsigned b = 0; b < s->cfg.count && !s->failed; b++) {
        if (s->leads_to[b] != b)
            continue;
        if (b)
            emit_label(s, b);
        forget_addresses(s);
        forget_same(s);
        forget_constants(s);
        s->block = b;
        s->told_count = 0;
        s->unmasked_is_slow = platform_has(s->platform, FEATURE_FUSED_EU_NOMASK) &&
                              (s->function != s->kernel || !cfg_runs_once(&s->cfg, b));
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        if (!s->failed)
            select_instruction(s, i, b);
    }
    s->out->label_count = s->label_base + s->cfg.count;
    free(s->leads_to);
}

void select_kernel_body(struct selection *s)
{
    find_empty_blocks(s);
    emit_label(s, 0);
    emit_float_control(s);
    select_blocks(s);
}

void select_subroutine_body(struct selection *s, struct callee *callee)
{
    struct visa_instruction start = {.op = VISA_OP_FUNCTION, .exec_size = 1, .attr = {(int)callee->number}};
    emit(s, &start);
    find_empty_blocks(s);
    emit_label(s, 0);
    copy_globals(s, callee);
    select_blocks(s);
}

void select_stack_body(struct selection *s, struct callee *callee)
{
    find_empty_blocks(s);
    emit_label(s, 0);
    take_parameters(s, callee);
    select_blocks(s);
}
