/* Caches words of the address register a0 that the block has computed.
 *
 * An operand with run-time lanes is read through a word of a0: a variable's address plus an offset. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_KNOWN_ADDRESSES_H
#define CMKIT_LOWER_CODEGEN_EMIT_KNOWN_ADDRESSES_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

/* Completes *out as an indirect operand: lanes [first, first + n) of `o`. */
void cg_use_address(struct selection *s, const struct macro_operand *o, unsigned first, unsigned n, int displacement,
                    struct visa_operand *out);

/* Empties the cache; drops the addresses computed from `variable`, which is about to be written. */
void cg_forget_addresses(struct selection *s);
void cg_forget_addresses_of(struct selection *s, unsigned variable);

#endif
