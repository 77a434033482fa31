/* The strategies of legalization: see legalize.c, which lists them in order with their reasons.
 *
 * Each returns true when it has emitted the whole instruction, through simpler macro instructions. Otherwise it has
 * changed `w` to an instruction with the same result, or left it alone where it does not apply. */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_REWRITES_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_REWRITES_H

#include "lower/codegen/legalize/pieces.h"

/* rewrite_types.c */
bool read_addressed(struct selection *s, struct wide *w);
bool gather_sources(struct selection *s, struct wide *w);
bool pack_halves(struct selection *s, struct wide *w);
bool spread_widened(struct selection *s, struct wide *w);
bool without_qwords(struct selection *s, struct wide *w);
bool keep_rows(struct selection *s, struct wide *w);
bool as_dwords(struct selection *s, struct wide *w);
bool through_words(struct selection *s, struct wide *w);
bool move_halves(struct selection *s, struct wide *w);

/* A new variable for these lanes, side by side. */
struct wide_operand side_by_side(struct selection *s, const struct wide_operand *o, unsigned lanes);

/* rewrite_masks.c */
bool by_channels(struct selection *s, struct wide *w);
bool with_spare_lanes(struct selection *s, struct wide *w);

/* Those that look at the pieces that the instruction would be split into. */
bool without_predicate(struct selection *s, const struct wide *w, const struct piece *pieces, size_t count);
bool through_channels(struct selection *s, const struct wide *w, const struct piece *pieces, size_t count);
bool with_near_lanes(struct selection *s, const struct wide *w, const struct piece *pieces, size_t count);

#endif
