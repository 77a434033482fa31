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

/* True for labels, branches, calls, and assembly that nothing is known of. */
bool visa_ends_block(const struct visa_instruction *i);

/* True if the instruction may read or write bytes of the place: a payload reaches to the end of its variable. Accesses
 * through addresses do not count. */
bool visa_place_may_be_read(const struct visa_instruction *i, struct visa_place place);
bool visa_place_may_be_written(const struct visa_instruction *i, struct visa_place place);

/* True for instructions that do nothing but compute one result from general variables and immediates, perhaps under a
 * predicate. */
bool visa_computes(const struct visa_instruction *i);

/* True if an instruction that computes must stay on its side of `other`, in a basic block. */
bool visa_must_stay(const struct visa_instruction *computes, const struct visa_instruction *other);

/* True for operations whose operands are more than their regions tell. */
bool visa_has_hidden_operands(const struct visa_instruction *i);

/* True for one of the kernel's own general variables. */
bool visa_place_is_variable(const struct visa_operand *o);

/* True for addc and subb: source 0 is a second result, the carry or borrow. */
bool visa_has_carry(const struct visa_instruction *i);

/* True for no operand, an immediate, and one of the kernel's own general variables. */
bool visa_place_is_simple(const struct visa_operand *o);

#endif
