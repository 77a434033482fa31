/* Places of vISA variables that instructions read and write. */
#ifndef CMKIT_LOWER_CODEGEN_REPAIR_PLACE_H
#define CMKIT_LOWER_CODEGEN_REPAIR_PLACE_H

#include <stdbool.h>
#include "visa_emit/visa.h"

/* Bytes [from, to) of a variable; none for immediates. */
struct place {
    unsigned variable;
    int from, to;
};

/* What the instruction writes, if it is a general variable. */
struct place place_of_result(const struct visa_instruction *i);

/* True if a source of the instruction has bytes of the place. */
bool place_is_read(const struct visa_instruction *i, struct place place);

/* True if `later` must stay behind `earlier`, by what they read and write of general variables. */
bool place_depends(const struct visa_instruction *later, const struct visa_instruction *earlier);

/* True for no operand, an immediate, and one of the kernel's own general variables. */
bool place_is_simple(const struct visa_operand *o);

#endif
