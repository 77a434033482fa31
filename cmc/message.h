/* One message of a compilation, taken apart, and the ways to write it. */
#ifndef CMKIT_CMC_MESSAGE_H
#define CMKIT_CMC_MESSAGE_H

#include <stdio.h>
#include "cmc/options.h"

enum cmc_severity { CMC_ERROR, CMC_WARNING, CMC_NOTE };

struct cmc_range {
    unsigned first, last; /* bytes of the line, counted from 1 */
};

enum { CMC_MOST_RANGES = 8 };

struct cmc_message {
    enum cmc_severity severity;
    char *place;           /* the file, or what stands in its place ("cmc") */
    unsigned line, column; /* 0: not known */
    char *text;
    struct cmc_range ranges[CMC_MOST_RANGES];
    unsigned range_count;
};

extern const char *const cmc_severity_names[];

/* Takes a line `PLACE[:LINE[:COLUMN]]: error|warning|note: TEXT` apart. False: it is none. */
bool cmc_message_parse(const char *line, struct cmc_message *out);
void cmc_message_free(struct cmc_message *message);

/* Sources for the lines that messages show. Files are read when they are asked for; the last one is kept. */
struct cmc_sources {
    const char *standard_name, *standard_text; /* of standard input, NULL without */
    size_t standard_size;
    char *path, *text;
    size_t size;
};

/* Finds line `number`, from 1, of a file. NULL: there is none, or it cannot be read. */
const char *cmc_source_line(struct cmc_sources *sources, const char *path, unsigned number, size_t *length);
void cmc_sources_free(struct cmc_sources *sources);

/* Writes a message as Clang does: coloured or not, with the line that it is about below it if there are `sources`. */
void cmc_message_print(const struct cmc_message *message, bool colours, struct cmc_sources *sources, FILE *out);

/* Write all messages of a run as one document: GCC's array, and SARIF 2.1.0. A note belongs to the message before it.
 */
void cmc_messages_json(const struct cmc_message *messages, size_t count, FILE *out);
void cmc_messages_sarif(const struct cmc_message *messages, size_t count, FILE *out);

#endif
