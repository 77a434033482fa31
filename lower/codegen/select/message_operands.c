/* Builds operands of messages: see message_operands.h. */
#include "lower/codegen/select/message_operands.h"

#include <assert.h>

#include "lower/codegen/select/select.h"

struct visa_operand select_payload_value(struct selection *s, LLVMValueRef value)
{
    assert(!type_is_mask(LLVMTypeOf(value)));
    struct cg_value *v = bale_value(s, value);
    struct region r = {0, 1, 0, 0};
    if (!v || !v->inlined)
        return cg_raw_operand(s, operand_value_variable(s, value), 0);
    if (bale_is_in_place_reply(s, value))
        return cg_raw_operand(s, s->reply_target.variable, s->reply_target.offset);
    bale_payload_region(s, value, &r);
    return cg_raw_operand(s, operand_value_variable(s, LLVMGetOperand(value, 0)), r.offset);
}

struct visa_operand select_payload_from(struct selection *s, LLVMValueRef value, unsigned bytes)
{
    struct visa_operand o = select_payload_value(s, value);
    o.offset += (int)bytes;
    return o;
}

void select_emit_masked(struct selection *s, const struct visa_instruction *message, LLVMValueRef mask)
{
    struct visa_instruction m = *message;
    if (!constant_mask_is_full(mask)) {
        struct macro_operand p = operand_mask(s, mask, type_lanes(LLVMTypeOf(mask)));
        m.predicate.variable = p.variable;
        m.predicate.inverse = p.inverse;
        m.channel = (uint8_t)(m.channel + p.lane);
        s->by_channel = p.channels;
    }
    cg_emit(s, &m);
    s->by_channel = false;
}

struct visa_operand select_message_scalar(struct selection *s, LLVMValueRef value)
{
    assert(type_lanes(LLVMTypeOf(value)) == 1);
    struct macro_operand o = operand_source(s, value, 'U');
    return macro_general_operand(&o);
}

/* The binding table index of a kernel's argument, as operand; of no kind: it is another surface. */
static struct visa_operand known_index(const struct selection *s, LLVMValueRef handle)
{
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding >= 0 && a->index >= 0 && LLVMGetParam(s->kernel, (unsigned)a->index) == handle)
            return (struct visa_operand){
                .kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = (uint64_t)a->binding};
    }
    return (struct visa_operand){.kind = VISA_OPERAND_NONE};
}

struct visa_operand select_message_surface(struct selection *s, LLVMValueRef handle)
{
    struct visa_variable v = {.class = VISA_CLASS_SURFACE, .elements = 1, .input_offset = -1};
    int64_t number;
    if (constant_int(handle, &number) && number == SHARED_LOCAL_MEMORY)
        return (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = VISA_SLM};
    if (!s->inputs->surface)
        s->inputs->surface = visa_add_variable(s->program, s->out, &v);
    struct visa_instruction i = {.op = VISA_OP_MOVS, .exec_size = 1, .no_mask = true};
    i.dst = (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = s->inputs->surface};
    i.src[0] = known_index(s, handle);
    if (i.src[0].kind == VISA_OPERAND_NONE)
        i.src[0] = select_message_scalar(s, handle);
    cg_emit(s, &i);
    return (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = s->inputs->surface};
}

void select_message_surface_again(struct selection *s, LLVMValueRef handle)
{
    if (handle && known_index(s, handle).kind != VISA_OPERAND_NONE)
        select_message_surface(s, handle);
}

/* Copies the old value to the reply before the message, because a gather leaves inactive lanes unchanged. */
void select_keep_old_lanes(struct selection *s, LLVMValueRef i, LLVMValueRef mask)
{
    assert(cg_value_bytes(LLVMTypeOf(i)) % 4 == 0 && (!mask || type_is_mask(LLVMTypeOf(mask))));
    LLVMValueRef old = ir_partly_overwritten(i);
    if (!old || (mask && constant_mask_is_full(mask)))
        return;
    unsigned to = operand_value_variable(s, i), words = cg_value_bytes(LLVMTypeOf(i)) / 4;
    struct macro_operand from = operand_source(s, old, 'U');
    if (from.kind == MACRO_REGION && from.variable != to)
        legalize_move(s, words, macro_region(to, VISA_TYPE_UD, 0, words),
                      macro_region(from.variable, VISA_TYPE_UD, 0, words));
    else if (from.kind == MACRO_IMMEDIATE)
        legalize_move(s, type_lanes(LLVMTypeOf(i)), operand_destination(s, i, 'U'), from);
}
