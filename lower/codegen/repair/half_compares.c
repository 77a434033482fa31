/* Works around a fault of Intel's finalizer on registers of 64 bytes. It makes one instruction of a move from halves to
 * signed integers and a comparison of the integers with 0. The destination of that instruction is a null register of
 * floats, so the numbers are compared before they are rounded or saturated.
 *
 *     mov V1:d V2:hf                  mov V1:d V2:hf
 *     cmp.gt P1 V1:d 0       becomes  cmp.ge P1 V1:d 1
 *
 * The finalizer leaves comparisons with other numbers, and those of negated operands, as they are. */
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "lower/ir/ir.h"
#include "visa_emit/place.h"

static bool rounds_halves(const struct visa_instruction *i)
{
    return i->op == VISA_OP_MOV && visa_place_is_variable(&i->dst) && visa_place_is_variable(&i->src[0]) &&
           i->src[0].type == VISA_TYPE_HF && visa_type_class(i->dst.type) == 'S';
}

static bool compares_with_zero(const struct visa_instruction *i)
{
    return i->op == VISA_OP_CMP && visa_place_is_variable(&i->src[0]) && !i->src[0].modifier &&
           (visa_type_class(i->src[0].type) == 'S' || i->condition == VISA_EQ || i->condition == VISA_NE) &&
           i->src[1].kind == VISA_OPERAND_IMMEDIATE && i->src[1].bits == 0;
}

/* Gives the comparison another form with the same result. */
static void compare_otherwise(struct visa_instruction *i)
{
    struct visa_operand *zero = &i->src[1];
    uint64_t minus_one = UINT64_MAX >> (64 - 8 * visa_type_bytes(zero->type));
    switch (i->condition) {
    case VISA_GT: i->condition = VISA_GE, zero->bits = 1; break;
    case VISA_LE: i->condition = VISA_LT, zero->bits = 1; break;
    case VISA_GE: i->condition = VISA_GT, zero->bits = minus_one; break;
    case VISA_LT: i->condition = VISA_LE, zero->bits = minus_one; break;
    default: i->src[0].modifier = VISA_MODIFIER_NEGATE; break;
    }
}

void fixup_half_compares(const struct platform *platform, struct visa_kernel *out)
{
    if (platform->grf_bytes != LARGE_REGISTER)
        return;
    bool *rounded = ir_calloc(out->variable_count, sizeof *rounded);
    for (size_t i = 0; i < out->instruction_count; i++)
        if (rounds_halves(&out->instructions[i]))
            rounded[out->instructions[i].dst.variable - VISA_FIRST_VARIABLE] = true;
    for (size_t i = 0; i < out->instruction_count; i++) {
        struct visa_instruction *at = &out->instructions[i];
        if (compares_with_zero(at) && rounded[at->src[0].variable - VISA_FIRST_VARIABLE])
            compare_otherwise(at);
    }
    free(rounded);
}
