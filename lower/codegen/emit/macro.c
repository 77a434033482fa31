/* Operands of macro instructions: see macro.h. */
#include "lower/codegen/emit/macro.h"

#include <assert.h>

#include "lower/codegen/emit/emit.h"

struct macro_operand macro_region(unsigned variable, enum visa_type type, int offset, unsigned lanes)
{
    assert(lanes >= 1);
    return (struct macro_operand){.kind = MACRO_REGION,
                                  .type = type,
                                  .variable = variable,
                                  .region = {offset, lanes, 0, (int)visa_type_bytes(type)}};
}

struct macro_operand macro_scalar(unsigned variable, enum visa_type type, int offset)
{
    return (struct macro_operand){
        .kind = MACRO_REGION, .type = type, .variable = variable, .region = {offset, 1, 0, 0}};
}

struct macro_operand macro_immediate(enum visa_type type, uint64_t bits)
{
    return (struct macro_operand){.kind = MACRO_IMMEDIATE, .type = type, .bits = bits};
}

/* Returns an immediate of an element's type. vISA has no byte immediates: they become words of the same value. */
struct macro_operand macro_immediate_of(LLVMTypeRef element, uint64_t bits, char sign)
{
    enum visa_type type = cg_visa_type(element, sign);
    if (type == VISA_TYPE_UB || type == VISA_TYPE_B) {
        bits = type == VISA_TYPE_UB ? bits & 0xff : (uint16_t)(int8_t)bits;
        type = type == VISA_TYPE_UB ? VISA_TYPE_UW : VISA_TYPE_W;
    } else if (type == VISA_TYPE_UW || type == VISA_TYPE_W || type == VISA_TYPE_HF) {
        bits &= 0xffff;
    } else if (visa_type_bytes(type) == 4) {
        bits &= 0xffffffff;
    }
    return macro_immediate(type, bits);
}

void macro_make_absolute(struct macro_operand *o)
{
    if (o->kind != MACRO_IMMEDIATE) {
        o->modifier = VISA_MODIFIER_ABSOLUTE;
        return;
    }
    unsigned bits = 8 * visa_type_bytes(o->type);
    uint64_t sign = 1ull << (bits - 1), mask = sign | (sign - 1);
    if (visa_type_class(o->type) == 'F')
        o->bits &= ~sign;
    else if (o->bits & sign)
        o->bits = (0 - o->bits) & mask;
}

struct visa_operand macro_general_operand(const struct macro_operand *o)
{
    if (o->kind == MACRO_IMMEDIATE)
        return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = o->type, .bits = o->bits};
    return (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                 .type = o->type,
                                 .modifier = o->modifier,
                                 .variable = o->variable,
                                 .offset = o->region.offset,
                                 .region = {0, 1, 0}};
}
