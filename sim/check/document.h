/* Writes findings as JSON (gensim --report) and as suppressions (gensim --gen-suppressions). */
#ifndef CMKIT_SIM_CHECK_DOCUMENT_H
#define CMKIT_SIM_CHECK_DOCUMENT_H

#include "sim/check/report.h"

/* Adds a place in the code: the finding that was made there first. `other` NULL: it has one site only. */
void check_document_add(const struct check_finding *finding, const struct check_location *place,
                        const struct check_location *other);

/* Counts one more finding at place `number`, in the order of adding. */
void check_document_count(unsigned number);

/* Writes the files that check_document_start() has named. `findings`: all of them, those at other places too. */
void check_document_write(uint64_t findings);

/* Forgets all places, in a forked child. */
void check_document_forget(void);

#endif
