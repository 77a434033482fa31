/* Baling: decides which LLVM instructions become part of one vISA instruction (see bale.c), and answers questions about bales. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_BALE_H
#define CMKIT_LOWER_CODEGEN_BALE_BALE_H

#include "lower/codegen/emit/selection.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"

/* Numbers the values and decides what is inlined. */
void bale_kernel(struct selection *s);
struct value *value_of(struct selection *s, LLVMValueRef llvm); /* NULL: a constant or no value */
struct value *value_root(struct selection *s, LLVMValueRef llvm); /* the value whose bits it has */

/* Values that are read where `user` is emitted: its operands, those of inlined operands, and so on; with the instruction
 * whose operand each is. */
void for_each_source(struct selection *s, LLVMValueRef user,
                     void (*visit)(struct selection *, struct value *, LLVMValueRef, void *), void *context);

bool is_emitted(struct selection *s, LLVMValueRef instruction); /* it becomes instructions of its own */

/* The lanes of a shufflevector as a region of its first operand; false if they are none. */
bool shuffle_region(LLVMValueRef shuffle, struct region *out);

/* A mask that predicates can say by another one: the lanes from `first` on of a wider one, or those that one has not.
 */
struct said_mask {
    LLVMValueRef by;
    unsigned first;
    bool inverse;
};
bool say_mask(LLVMValueRef mask, struct said_mask *out);

/* The operand of a sum of floats that is a product which a mad computes together with it; -1: none. */
int fused_product(LLVMValueRef sum);

/* The arithmetic that a saturating conversion does itself, with the result's type as destination; NULL: none. */
LLVMValueRef saturated_operation(LLVMValueRef conversion);

/* True if `read` reads whole registers in order: a message can take them as payload. *out: which. */
bool payload_region(const struct selection *s, LLVMValueRef read, struct region *out);

/* The value to which dpas `i` may be added in place: its sum operand, if no other operand overlaps it. NULL: there is none. */
struct value *matrix_sum(struct selection *s, LLVMValueRef i);

/* True if dpas `product` reads bytes [from, to) of `vector`, other than exactly these as its sum. dpas writes rows of the result
 * while it still has to read later rows. */
bool product_reads(struct selection *s, LLVMValueRef product, struct value *vector, int from, int to);

/* Whether bale.c decided that arithmetic `value` writes its region itself. */
bool is_writer(struct selection *s, LLVMValueRef value);
bool is_landing(struct selection *s, LLVMValueRef value); /* a message whose reply arrives where a region write puts it */

#endif
