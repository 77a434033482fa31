/* Reads lanes that are far apart, or no region, at a run-time offset (see scattered.c). */
#ifndef CMKIT_LOWER_CODEGEN_OPERANDS_SCATTERED_H
#define CMKIT_LOWER_CODEGEN_OPERANDS_SCATTERED_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

/* Gives each of the `lanes` lanes that `o` reads an address of its own, if that takes fewer instructions than reading
 * them piece by piece. `o` is an operand through one address. */
void operand_address_scattered_lanes(struct selection *s, struct macro_operand *o, unsigned lanes);

/* True if the current instruction writes the lanes that `read` reads: an address per lane would save nothing. */
bool operand_is_read_in_place(const struct selection *s, LLVMValueRef read);

#endif
