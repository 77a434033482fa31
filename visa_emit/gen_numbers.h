/* Mends the numbers that the finalizer's listing gives to instructions: that of the second half of an integer
 * multiplication, and of a message that spills its result, may be the next vISA instruction's. */
#ifndef CMKIT_VISA_EMIT_GEN_NUMBERS_H
#define CMKIT_VISA_EMIT_GEN_NUMBERS_H

#include "visa_emit/visa.h"

enum { GEN_NUMBERS_REGISTERS = 256, GEN_NUMBERS_OPERAND = 40 };

/* What is known behind one instruction of the listing. Begins as zeros. */
struct gen_numbers {
    char lanes[GEN_NUMBERS_OPERAND], source[GEN_NUMBERS_OPERAND]; /* of the last product in an accumulator */
    const struct visa_instruction *product;                       /* that it was made from */
    struct gen_mended {
        const struct visa_instruction *listed, *made_from; /* NULL: the listing is right */
    } writers[GEN_NUMBERS_REGISTERS];                      /* of what wrote a register last */
};

/* Returns what the next instruction of the listing was made from; the listing says `listed`. */
const struct visa_instruction *gen_numbers_mend(struct gen_numbers *numbers, const char *line, size_t length,
                                                unsigned register_bytes, const struct visa_instruction *listed);

#endif
