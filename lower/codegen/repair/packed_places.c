/* Starts variables at a register where the finalizer would otherwise move their lanes twice, on registers of 64 bytes.
 *
 * There an instruction writes packed words or bytes from lanes that are further apart only if each lane is at the same
 * place among those of its register. Of a variable whose place is not known the finalizer writes the lanes apart, packs
 * them at a register's start, and moves them to the variable:
 *
 *     shr (16) a<2>:uw, dwords<2;1,0>:uw, 2
 *     mov (16) b<1>:uw, a<2;1,0>:uw
 *     mov (16) variable<1>:uw, b<1;1,0>:uw
 *
 * One instruction does this if both variables start at a register. */
#include "lower/codegen/repair/repair.h"
#include "visa_emit/place.h"

enum { PACKED = 2 };

/* Returns the bytes from one lane to the next. */
static unsigned step_of(const struct visa_operand *o)
{
    unsigned lanes = o->region.hstride || o->region.width > 1 ? o->region.hstride : o->region.vstride;
    return lanes * visa_type_bytes(o->type);
}

/* True for halves that are converted from or to integers, which the finalizer spreads to dwords. */
static bool converts_halves(const struct visa_operand *to, const struct visa_operand *from)
{
    bool half = to->type == VISA_TYPE_HF || from->type == VISA_TYPE_HF;
    return half && (visa_type_class(to->type) == 'F') != (visa_type_class(from->type) == 'F');
}

/* Returns whether the variable has become one that starts at a register. */
static bool start_at_register(struct visa_kernel *out, unsigned variable)
{
    struct visa_variable *v = visa_variable(out, variable);
    bool moves = v->input_offset < 0 && v->align < LARGE_REGISTER; /* the driver places inputs */
    if (moves)
        v->align = LARGE_REGISTER;
    return moves;
}

/* The finalizer lets an instruction write the copy of its result. */
static bool copies_packed(const struct visa_kernel *out, const struct visa_instruction *i)
{
    return i->op == VISA_OP_MOV && visa_place_is_variable(&i->src[0]) &&
           visa_variable(out, i->src[0].variable)->align >= LARGE_REGISTER;
}

static bool start_packed(struct visa_kernel *out, const struct visa_instruction *i)
{
    if (i->exec_size < 2 || !visa_place_is_variable(&i->dst) || step_of(&i->dst) > PACKED)
        return false;
    bool any = copies_packed(out, i) && start_at_register(out, i->dst.variable);
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++) {
        const struct visa_operand *from = &i->src[k];
        if (visa_place_is_variable(from) && (step_of(from) > step_of(&i->dst) || converts_halves(&i->dst, from))) {
            any |= start_at_register(out, i->dst.variable);
            any |= start_at_register(out, from->variable);
        }
    }
    return any;
}

void fixup_packed_places(const struct platform *platform, struct visa_kernel *out)
{
    enum { MOST_ROUNDS = 3 }; /* copies may be before what they copy */
    bool any = platform->grf_bytes == LARGE_REGISTER;
    for (unsigned round = 0; any && round < MOST_ROUNDS; round++) {
        any = false;
        for (size_t n = 0; n < out->instruction_count; n++)
            any |= start_packed(out, &out->instructions[n]);
    }
}
