/* Emits instructions on whole predicate variables: moves to and from general registers, logic. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_MASK_EMIT_H
#define CMKIT_LOWER_CODEGEN_EMIT_MASK_EMIT_H

#include "lower/codegen/emit/selection.h"

/* One lane of a u32 variable as source and as destination. */
struct visa_operand cg_scalar_operand(unsigned variable);
struct visa_operand cg_scalar_destination(unsigned variable);

/* Writes the bits of one predicate variable to `dst`, one lane of as many bits. */
void cg_mask_to_operand(struct selection *s, unsigned predicate, struct visa_operand dst);

/* The bits of one predicate variable as a u32 variable, and back from a u32 operand. */
unsigned cg_mask_to_bits(struct selection *s, unsigned predicate);
void cg_bits_to_mask(struct selection *s, unsigned predicate, struct visa_operand bits);

/* The predicate variables of a constant mask, from `first` on. */
void cg_set_constant_mask(struct selection *s, unsigned first, LLVMValueRef mask, unsigned lanes);

/* dst = a op b, or op a, in each predicate variable of masks. */
void cg_logic_of_parts(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b);

/* The same in a loop on channel enables, where inactive lanes may be written or not. */
void cg_channel_logic(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned dst, unsigned a, unsigned b);

#endif
