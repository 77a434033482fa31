/* Splits a macro instruction into pieces, powers of two of lanes, and emits a piece as one vISA instruction. */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_PIECES_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_PIECES_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

struct legalize_piece {
    unsigned first, lanes;
};

/* Returns the pieces of a macro instruction, each as large as fits; the caller frees them. */
struct legalize_piece *legalize_split(const struct selection *s, const struct macro *w, size_t *count);

void legalize_emit_piece(struct selection *s, const struct macro *w, unsigned first, unsigned n);

/* Lanes under a predicate must start at channels that are multiples of this. */
unsigned legalize_first_channels(const struct selection *s);

#endif
