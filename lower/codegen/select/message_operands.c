/* Builds operands of messages: see message_operands.h. */
#include "lower/codegen/select/message_operands.h"

#include "lower/codegen/select/select.h"

struct visa_operand payload_value(struct selection *s, LLVMValueRef value)
{
    struct value *v = value_of(s, value);
    struct region r = {0, 1, 0, 0};
    if (!v || !v->inlined)
        return raw_operand(s, value_variable(s, value), 0);
    if (is_landing(s, value))
        return raw_operand(s, s->landing.variable, s->landing.offset);
    payload_region(s, value, &r);
    return raw_operand(s, value_variable(s, LLVMGetOperand(value, 0)), r.offset);
}

struct visa_operand message_scalar(struct selection *s, LLVMValueRef value)
{
    struct wide_operand o = source(s, value, 'U');
    return general_operand(&o);
}

struct visa_operand message_surface(struct selection *s, LLVMValueRef handle)
{
    struct visa_variable v = {.class = VISA_CLASS_SURFACE, .elements = 1, .input_offset = -1};
    int64_t number;
    if (constant_int(handle, &number) && number == SHARED_LOCAL_MEMORY)
        return (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = VISA_SLM};
    if (!s->inputs->surface)
        s->inputs->surface = visa_add_variable(s->program, s->out, &v);
    struct visa_instruction i = {.op = VISA_OP_MOVS, .exec_size = 1, .no_mask = true};
    i.dst = (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = s->inputs->surface};
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding >= 0 && a->index >= 0 && LLVMGetParam(s->kernel, (unsigned)a->index) == handle)
            i.src[0] = (struct visa_operand){
                .kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = (uint64_t)a->binding};
    }
    if (i.src[0].kind == VISA_OPERAND_NONE)
        i.src[0] = message_scalar(s, handle);
    emit(s, &i);
    return (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = s->inputs->surface};
}

/* Copies the old value to the reply before the message, because a gather leaves inactive lanes unchanged. */
void keep_old_lanes(struct selection *s, LLVMValueRef i, LLVMValueRef mask)
{
    LLVMValueRef old = partly_overwritten(i);
    if (!old || (mask && mask_is_full(mask)))
        return;
    unsigned to = value_variable(s, i), words = value_bytes(LLVMTypeOf(i)) / 4;
    struct wide_operand from = source(s, old, 'U');
    if (from.kind == WIDE_REGION && from.variable != to)
        wide_move(s, words, wide_region(to, VISA_TYPE_UD, 0, words),
                  wide_region(from.variable, VISA_TYPE_UD, 0, words));
    else if (from.kind == WIDE_IMMEDIATE)
        wide_move(s, type_lanes(LLVMTypeOf(i)), destination(s, i, 'U'), from);
}
