/* Decides whether lanes of an operand fit one vISA instruction: an encodable region inside two registers.
 *
 * vISA, "operands": region rules; PRM volume 7, "register region restrictions". */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_REGION_FIT_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_REGION_FIT_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

/* True if each lane needs the channel of its own bit: of a predicate whose lanes may differ, or of a mask that is
 * written. */
bool legalize_is_masked(const struct macro *w);

/* True if lanes [first, first + n) of a macro instruction fit one vISA instruction. `widest`: bytes of its widest type.
 */
bool legalize_fits(const struct selection *s, const struct macro *w, unsigned widest, unsigned first, unsigned n);

/* Returns the stride in bytes to which the finalizer spreads lanes [first, first + n) of a destination of bytes or
 * words that are at most two bytes apart: on registers of 64 bytes, that of a source that is further apart. 0: it does
 * not. */
unsigned legalize_spread(const struct selection *s, const struct macro *w, unsigned first, unsigned n);
unsigned legalize_widest_type(const struct macro *w);

/* Returns lanes [first, first + n) of an operand as the hardware's <v;w,h> in elements, starting at byte *offset; false
 * if not encodable. */
bool legalize_piece_region(const struct macro_operand *o, unsigned first, unsigned n, int *offset,
                           struct visa_region *out);

/* True if the lanes are contiguous. */
bool legalize_is_plain(const struct macro_operand *o, unsigned lanes);

/* True if indirect lanes form several rows. */
bool legalize_reads_rows(const struct macro_operand *o, unsigned first, unsigned n);

/* True for operations on three sources where the platform has an encoding of their own for them (Align16). The
 * finalizer makes instructions with two sources of mads of integers there. */
bool legalize_has_three_sources(const struct selection *s, const struct macro *w);

int legalize_variable_bytes(const struct selection *s, unsigned variable);
bool legalize_same_variable(const struct macro *w, const struct macro_operand *o); /* the destination's */

#endif
