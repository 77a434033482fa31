/* Response files: words of the command line from a file. */
#ifndef CMKIT_CMC_RESPONSE_H
#define CMKIT_CMC_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

struct cmc_words {
    char **words; /* each in memory of its own */
    size_t count;
};

/* Copies the words after the program's name. A word @FILE is replaced by the words in that file, which are separated
 * by space; quotes ('...', "...") and backslashes keep space as in GCC's response files. Files may name files. False
 * after an error: a file that cannot be read, a quote without end, files inside each other without end. */
bool cmc_expand_words(int count, char **words, struct cmc_words *out);
void cmc_words_free(struct cmc_words *words);

#endif
