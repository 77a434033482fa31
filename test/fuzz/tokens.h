/* Declares generators of almost valid CM: kernels with a few changed tokens, and streams of CM's tokens. */
#ifndef CMKIT_TEST_FUZZ_TOKENS_H
#define CMKIT_TEST_FUZZ_TOKENS_H

#include <stddef.h>

/* A file cut into tokens and white space; comments are left out. */
struct token_list {
    char **tokens;
    size_t count;
};

/* Cuts `text`; the tokens are copies. */
void tokens_cut(const char *text, struct token_list *list);
void tokens_free(struct token_list *list);

/* The source number `seed`: a function of the seed and the corpus alone. The caller frees it; NULL when out of memory.
 */
char *tokens_source(unsigned long long seed, const struct token_list *corpus, size_t corpus_count);

#endif
