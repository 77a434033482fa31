/* Works around two faults of Intel's finalizer on registers of 64 bytes. It joins a move of words with the instruction
 * that writes its source, or with the one that reads its result, and spreads the words where that instruction's sources
 * are further apart. Of 32 spread words at an odd place it makes an operand of three registers. Two predicated lanes it
 * computes one by one, both under the first one's predicate. After this rewriting such moves are operations that change
 * nothing, which are not joined. Instructions that it would spread as they are: rewrite_masks.c, region_fit.c. */
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "lower/ir/ir.h"
#include "visa_emit/place.h"

enum { WORD = 2, SPREAD_WORD = 4 };

/* Notes the variables that two predicated lanes of words are computed of. */
static void note_sources(const struct visa_instruction *i, bool *noted)
{
    if (i->exec_size != 2 || i->predicate.variable == VISA_NULL || (i->op > VISA_OP_DP4A && i->op != VISA_OP_SEL) ||
        !visa_place_is_variable(&i->dst) || visa_type_bytes(i->dst.type) != WORD)
        return;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (visa_place_is_variable(&i->src[k]))
            noted[i->src[k].variable - VISA_FIRST_VARIABLE] = true;
}

/* True for a move of words that keeps their bits, or of the low words of dwords. */
static bool keeps_bits(const struct visa_instruction *i)
{
    const struct visa_operand *from = &i->src[0];
    bool integers = visa_type_class(i->dst.type) != 'F' && visa_type_class(from->type) != 'F';
    return i->op == VISA_OP_MOV && i->exec_size > 1 && !i->saturate && visa_place_is_variable(&i->dst) &&
           visa_place_is_variable(from) && !from->modifier && visa_type_bytes(i->dst.type) == WORD &&
           (integers ? visa_type_bytes(from->type) <= SPREAD_WORD : from->type == i->dst.type);
}

/* True if the spread words would not begin at a register. */
static bool is_odd_place(const struct visa_instruction *i)
{
    return i->exec_size * SPREAD_WORD > LARGE_REGISTER && i->dst.offset / WORD * SPREAD_WORD % LARGE_REGISTER != 0;
}

void fixup_packed_moves(const struct visa_program *program, struct visa_kernel *out)
{
    if (program->platform->grf_bytes != LARGE_REGISTER)
        return;
    bool *noted = ir_calloc(out->variable_count, sizeof *noted);
    for (size_t i = 0; i < out->instruction_count; i++)
        note_sources(&out->instructions[i], noted);
    for (size_t i = 0; i < out->instruction_count; i++) {
        struct visa_instruction *at = &out->instructions[i];
        if (!keeps_bits(at) || (!noted[at->dst.variable - VISA_FIRST_VARIABLE] && !is_odd_place(at)))
            continue;
        at->op = VISA_OP_OR;
        at->src[1] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UW};
        if (visa_type_class(at->dst.type) == 'F')
            at->dst.type = at->src[0].type = VISA_TYPE_UW;
    }
    free(noted);
}
