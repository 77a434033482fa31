/* Baling: decides which LLVM instructions become part of one vISA instruction (see bale.c), and answers queries about
 * bales. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_BALE_H
#define CMKIT_LOWER_CODEGEN_BALE_BALE_H

#include "lower/codegen/emit/selection.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"

/* Numbers the values and decides which are baled into their users. */
void bale_kernel(struct selection *s);
struct cg_value *bale_value(struct selection *s, LLVMValueRef llvm);      /* NULL: a constant or no value */
struct cg_value *bale_value_root(struct selection *s, LLVMValueRef llvm); /* the value whose bits it has */

/* Visits values that are read where `user` is emitted: its operands, those of baled operands, and so on, each with the
 * instruction whose operand it is. */
void bale_for_each_source(struct selection *s, LLVMValueRef user,
                          void (*visit)(struct selection *, struct cg_value *, LLVMValueRef, void *), void *context);

bool bale_is_emitted(struct selection *s, LLVMValueRef instruction); /* it becomes instructions of its own */

/* Returns the lanes of a shufflevector as a region of its first operand; false: they are not a region. */
bool bale_shuffle_region(LLVMValueRef shuffle, struct region *out);

/* A mask that predicates derive from another one: its lanes from `first` on, or its complement. */
struct bale_derived_mask {
    LLVMValueRef by;
    unsigned first;
    bool inverse;
};
bool bale_derive_mask(LLVMValueRef mask, struct bale_derived_mask *out);

bool bale_becomes_source(const struct selection *s, LLVMValueRef value); /* an operand of its users */
bool bale_becomes_saturated(LLVMValueRef value); /* a part of the saturating conversion that uses it */

/* Returns the operand of a sum that is a product and is fused with it into a mad; -1: none. */
int bale_fused_product(const struct selection *s, LLVMValueRef sum);

/* True for a shift by a constant that is done as a product. */
bool bale_is_multiplied(const struct selection *s, LLVMValueRef shift);

/* Returns the power of two, up to 2^14, by which a shift multiplies; false: the instruction is no such shift. */
bool bale_shifted_factor(LLVMValueRef shift, int64_t *factor);

/* Returns the arithmetic that a saturating conversion performs itself, with the result's type as destination; NULL:
 * none. */
LLVMValueRef bale_saturated_operation(LLVMValueRef conversion);

/* True if `read` reads whole registers in order: a message can take them as payload. *out: which. */
bool bale_payload_region(const struct selection *s, LLVMValueRef read, struct region *out);

/* The value to which dpas `i` may be added in place: its sum operand, if no other operand overlaps it. NULL: there is
 * none. */
struct cg_value *bale_matrix_sum(struct selection *s, LLVMValueRef i);

/* True if dpas `product` reads bytes [from, to) of `vector`, other than exactly these as its sum. dpas writes rows of
 * the result while it still has to read later rows. */
bool bale_product_reads(struct selection *s, LLVMValueRef product, struct cg_value *vector, int from, int to);

/* True if bale.c decided that arithmetic `value` writes its region directly. */
bool bale_is_writer(struct selection *s, LLVMValueRef value);
/* True for a message whose reply arrives in the destination of a region write. */
bool bale_is_in_place_reply(struct selection *s, LLVMValueRef message);
/* Returns the value of which `value` is another type's name, or itself. */
LLVMValueRef bale_replied(LLVMValueRef value);

#endif
