/* Collects what a compilation says on standard error, and writes it as text, JSON or SARIF. */
#ifndef CMKIT_CMC_MESSAGES_H
#define CMKIT_CMC_MESSAGES_H

#include "cmc/options.h"

/* From here on standard error is kept. If the program crashes, it comes out as it is. */
void cmc_messages_begin(const struct cmc_options *options);

/* Writes what one file's compilation said; in JSON and SARIF it waits for the end. `options` are those of the file. */
void cmc_messages_flush(const struct cmc_options *options);

/* Standard error is what it was. Writes the document of JSON and SARIF. */
void cmc_messages_end(void);

#endif
