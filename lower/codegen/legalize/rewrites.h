/* Declares the strategies of legalization; legalize.c lists them in order with their reasons.
 *
 * Each returns true if it has emitted the whole instruction, through simpler macro instructions. Otherwise it has
 * changed `w` to an instruction with the same result, or left it alone if it does not apply. */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_REWRITES_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_REWRITES_H

#include "lower/codegen/legalize/pieces.h"

/* rewrite_types.c */
bool legalize_read_addressed(struct selection *s, struct macro *w);
bool legalize_gather_sources(struct selection *s, struct macro *w);
bool legalize_pack_halves(struct selection *s, struct macro *w);
bool legalize_spread_widened(struct selection *s, struct macro *w);
bool legalize_without_qwords(struct selection *s, struct macro *w);
bool legalize_keep_rows(struct selection *s, struct macro *w);
bool legalize_as_dwords(struct selection *s, struct macro *w);
bool legalize_through_words(struct selection *s, struct macro *w);
bool legalize_move_halves(struct selection *s, struct macro *w);

/* Creates a variable for these lanes, contiguous. */
struct macro_operand legalize_side_by_side(struct selection *s, const struct macro_operand *o, unsigned lanes);

/* Copies rows of two or four lanes column by column, if that takes fewer moves (columns.h). */
bool legalize_by_columns(struct selection *s, const struct macro *w, const struct legalize_piece *pieces, size_t count);

/* rewrite_masks.c */
bool legalize_by_channels(struct selection *s, struct macro *w);
bool legalize_with_spare_lanes(struct selection *s, struct macro *w);

/* These examine the pieces into which the instruction would be split. */
bool legalize_without_predicate(struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                                size_t count);
bool legalize_through_channels(struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                               size_t count);
bool legalize_with_near_lanes(struct selection *s, const struct macro *w, const struct legalize_piece *pieces,
                              size_t count);

#endif
