/* Decides whether lanes of an operand fit one vISA instruction: an encodable region inside two registers.
 *
 * vISA, "operands": region rules; PRM volume 7, "register region restrictions". */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_REGION_FIT_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_REGION_FIT_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

/* True if lanes [first, first + n) of a macro instruction fit one vISA instruction. `widest`: bytes of its widest type.
 */
bool fits(const struct selection *s, const struct wide *w, unsigned widest, unsigned first, unsigned n);
unsigned widest_type(const struct wide *w);

/* Lanes [first, first + n) of an operand as the hardware's <v;w,h> in elements from byte *offset on; false if not
 * encodable. */
bool piece_region(const struct wide_operand *o, unsigned first, unsigned n, int *offset, struct visa_region *out);

/* True if the lanes lie side by side. */
bool is_plain(const struct wide_operand *o, unsigned lanes);

/* True if indirect lanes are several rows. */
bool reads_rows(const struct wide_operand *o, unsigned first, unsigned n);

/* True for operations on three sources where the platform has an encoding of their own for them (Align16). */
bool has_three_sources(const struct selection *s, enum visa_opcode op);

int variable_bytes(const struct selection *s, unsigned variable);
bool same_variable(const struct wide *w, const struct wide_operand *o); /* the destination's */

#endif
