/* Keeps the remarks of the middle end, and writes them as LLVM's remark files are written. */
#ifndef CMKIT_CMC_REMARKS_H
#define CMKIT_CMC_REMARKS_H

#include <stdio.h>
#include "lower/ir/options.h"

/* A list of remarks; empty at {0}. */
struct cmc_remarks {
    struct lower_remark *list; /* the texts are the list's own */
    size_t count;
};

/* Adds a copy of a remark to the list that `remarks` points to; one that is there already is left out. The shape of
 * lower_options.remark. */
void cmc_remarks_add(void *remarks, const struct lower_remark *remark);
void cmc_remarks_free(struct cmc_remarks *remarks);

/* The word for a kind: Passed, Missed, Analysis. */
const char *cmc_remark_kind(enum lower_remark_kind kind);

/* Prints YAML as -fsave-optimization-record writes it (LLVM, docs/Remarks.rst): opt-viewer and llvm-remarkutil read it.
 */
void cmc_remarks_print(const struct cmc_remarks *remarks, FILE *out);

#endif
