/* Declares what select_mask.c and select_mask_lanes.c share. */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_SELECT_MASK_H
#define CMKIT_LOWER_CODEGEN_SELECT_SELECT_MASK_H

#include "lower/codegen/select/select.h"

/* `mask` = a compared with b, in `lanes` lanes. An immediate may be either operand, or both. */
void select_compare_to_mask(struct selection *s, enum visa_condition c, unsigned lanes, unsigned mask,
                            struct macro_operand a, struct macro_operand b);

/* Writes `value`, of 16 bits, to the lanes of the region `words` that are set in the mask, or (`inverse`) not set. */
void select_set_words(struct selection *s, struct macro_operand words, unsigned lanes, unsigned mask, bool inverse,
                      unsigned value);

/* dst = op a[, b], on all parts of the masks. */
void select_mask_logic(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b);

/* Returns the bits of the lanes in predicate number `part` of a mask of `lanes` lanes. */
uint32_t select_mask_part_bits(unsigned lanes, unsigned part);

/* ---- select_mask_lanes.c ---- */

/* A shufflevector of masks. */
bool select_mask_shuffle(struct selection *s, LLVMValueRef i);

/* One lane of a mask, and a mask with one lane changed. The lane may be chosen at run time. */
bool select_mask_extract(struct selection *s, LLVMValueRef i);
bool select_mask_insert(struct selection *s, LLVMValueRef i);

/* A bitcast between masks and integers: lane k is bit k. */
bool select_mask_bitcast(struct selection *s, LLVMValueRef i);

#endif
