/* Places of vISA variables that instructions read and write. */
#ifndef CMKIT_VISA_EMIT_PLACE_H
#define CMKIT_VISA_EMIT_PLACE_H

#include <stdbool.h>
#include "visa_emit/visa.h"

/* Bytes [from, to) of a variable; none for immediates. */
struct visa_place {
    unsigned variable;
    int from, to;
};

/* The bytes between the first and the last lane of an operand; strides of destinations are not multiplied by rows. */
struct visa_place visa_place_of(const struct visa_operand *o, unsigned lanes, bool is_destination);

/* What the instruction writes, if it is a general variable. */
struct visa_place visa_place_of_result(const struct visa_instruction *i);

/* True if a source of the instruction has bytes of the place. */
bool visa_place_is_read(const struct visa_instruction *i, struct visa_place place);

/* True if `later` must stay behind `earlier`, by what they read and write of general variables. */
bool visa_place_depends(const struct visa_instruction *later, const struct visa_instruction *earlier);

/* True for no operand, an immediate, and one of the kernel's own general variables. */
bool visa_place_is_simple(const struct visa_operand *o);

#endif
