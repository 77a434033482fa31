/* Two sums, or several logic operations, that one instruction with three sources computes: add3 and bfn. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_FUSED_TERMS_H
#define CMKIT_LOWER_CODEGEN_BALE_FUSED_TERMS_H

#include "lower/codegen/emit/selection.h"

enum { MOST_TERMS = 3, MOST_FUSED = 8 };

struct bale_terms {
    LLVMValueRef term[MOST_TERMS];
    bool negated[MOST_TERMS];  /* of sums */
    bool inverted[MOST_TERMS]; /* of logic: the constant in `term` is read as its complement */
    unsigned terms;
    unsigned table;                 /* of logic: the result for each combination of the terms' bits (vISA, BFN) */
    LLVMValueRef fused[MOST_FUSED]; /* the operations behind the root that become part of it */
    unsigned count;
};

/* Returns what the platform computes by one instruction at `root`; false: no more than the operation itself. */
bool bale_fused_sum(const struct selection *s, LLVMValueRef root, struct bale_terms *out);
bool bale_fused_logic(const struct selection *s, LLVMValueRef root, struct bale_terms *out);

/* Marks the operations that become part of others. */
void bale_fuse_terms(struct selection *s);

#endif
