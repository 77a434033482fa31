/* Emits instructions on whole predicate variables: see mask_emit.h. */
#include "lower/codegen/emit/mask_emit.h"

#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/macro.h"
#include "lower/ir/ir.h"

struct visa_operand cg_scalar_operand(unsigned variable)
{
    return (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = variable, .region = {0, 1, 0}};
}

struct visa_operand cg_scalar_destination(unsigned variable)
{
    return (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = variable, .region = {0, 0, 1}};
}

void cg_mask_to_operand(struct selection *s, unsigned predicate, struct visa_operand dst)
{
    struct visa_instruction i = {.op = VISA_OP_MOV, .exec_size = 1, .dst = dst};
    i.src[0] = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = predicate};
    cg_emit(s, &i);
}

unsigned cg_mask_to_bits(struct selection *s, unsigned predicate)
{
    unsigned bits = cg_new_variable(s, VISA_TYPE_UD, 1, 0, NULL);
    cg_mask_to_operand(s, predicate, cg_scalar_destination(bits));
    return bits;
}

void cg_bits_to_mask(struct selection *s, unsigned predicate, struct visa_operand bits)
{
    unsigned lanes = visa_variable(s->out, predicate)->elements;
    struct visa_instruction i = {.op = VISA_OP_SETP, .exec_size = (uint8_t)(lanes < 8 && lanes != 1 ? 8 : lanes)};
    i.dst = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = predicate};
    i.src[0] = bits;
    cg_emit(s, &i);
}

void cg_set_constant_mask(struct selection *s, unsigned first, LLVMValueRef mask, unsigned lanes)
{
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        uint64_t bits = 0, lane;
        bool undefined;
        for (unsigned i = part * MASK_PART_LANES; i < lanes && i < (part + 1) * MASK_PART_LANES; i++)
            if (constant_lane(mask, i, &lane, &undefined))
                bits |= (lane & 1) << (i % MASK_PART_LANES);
        cg_bits_to_mask(s, first + part,
                        (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits});
    }
}

/* One flag register operation per 32 lanes, if all lanes count. For some lanes the finalizer would convert the masks to
 * numbers. */
void cg_logic_of_parts(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b)
{
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        struct visa_instruction i = {.op = op, .exec_size = (uint8_t)visa_variable(s->out, dst + part)->elements};
        i.no_mask = !s->by_channel;
        i.dst = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = dst + part};
        i.src[0] = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = a + part};
        if (op != VISA_OP_NOT)
            i.src[1] = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = b + part};
        cg_emit(s, &i);
    }
}

void cg_channel_logic(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b)
{
    s->by_channel = s->unmasked_is_slow;
    cg_logic_of_parts(s, op, lanes, dst, a, b);
    s->by_channel = false;
}
