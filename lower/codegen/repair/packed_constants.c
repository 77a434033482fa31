/* Works around two faults of Intel's finalizer, which replaces a variable by the packed immediate that was moved to it.
 * A comparison of bytes, words or quadwords then gets a null destination of type `uv` or `v`, which no encoding has. A
 * logical right shift then reads a copy of the immediate's lanes as signed words, which the instruction does not take.
 * After this rewriting such moves saturate. This changes no value, since a signed destination holds every lane, and the
 * finalizer replaces no variable of a move that saturates. */
#include <assert.h>
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "lower/ir/ir.h"
#include "visa_emit/place.h"

enum { DWORD = 4 /* bytes of `uv` in the finalizer's table: it keeps a null destination of as many */ };

static bool is_integer(const struct visa_operand *o)
{
    return visa_place_is_variable(o) && visa_type_class(o->type) != 'F';
}

/* True if the finalizer would make wrong code if source k were a packed immediate. */
static bool is_at_risk(const struct visa_instruction *i, unsigned k)
{
    return is_integer(&i->src[k]) &&
           ((i->op == VISA_OP_CMP && visa_type_bytes(i->src[k].type) != DWORD) || (i->op == VISA_OP_SHR && k == 0));
}

static bool is_packed(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_IMMEDIATE && (o->type == VISA_TYPE_V || o->type == VISA_TYPE_UV);
}

void fixup_packed_constants(struct visa_kernel *out)
{
    bool *noted = ir_calloc(out->variable_count, sizeof *noted);
    for (size_t n = out->instruction_count; n-- > 0;) { /* uses first: the finalizer follows moves of moves */
        struct visa_instruction *at = &out->instructions[n];
        for (unsigned k = 0; k < 2; k++)
            if (is_at_risk(at, k))
                noted[at->src[k].variable - VISA_FIRST_VARIABLE] = true;
        if (at->op != VISA_OP_MOV || !is_integer(&at->dst) || !noted[at->dst.variable - VISA_FIRST_VARIABLE])
            continue;
        if (is_packed(&at->src[0])) {
            assert(visa_type_class(at->dst.type) == 'S'); /* operands/constants.c */
            at->saturate = true;
        } else if (is_integer(&at->src[0])) {
            noted[at->src[0].variable - VISA_FIRST_VARIABLE] = true;
        }
    }
    free(noted);
}
