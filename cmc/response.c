/* Reads response files. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/options.h"
#include "cmc/response.h"
#include "runtime/file.h"

enum { MOST_FILES_INSIDE_EACH_OTHER = 16 };

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Copies the next word of `text` to `word`, which has room for all of it. *text moves past the word. False: a quote
 * has no end. */
static bool next_word(const char **text, const char *end, char *word)
{
    char quote = 0;
    const char *at = *text;
    for (; at < end && (quote || !is_space(*at)); at++) {
        if (*at == '\\' && at + 1 < end && quote != '\'')
            *word++ = *++at;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else
            *word++ = *at;
    }
    *word = 0;
    *text = at;
    return !quote;
}

static bool expand_word(const char *word, unsigned depth, struct cmc_words *out);

static bool expand_text(const char *name, const char *text, size_t size, unsigned depth, struct cmc_words *out)
{
    char *word = cmc_checked(malloc(size + 1));
    bool good = true;
    for (const char *end = text + size; good;) {
        while (text < end && is_space(*text))
            text++;
        if (text == end)
            break;
        good = next_word(&text, end, word);
        if (!good)
            cmc_error("response file '%s': a quote has no end", name);
        good = good && expand_word(word, depth, out);
    }
    free(word);
    return good;
}

static bool expand_file(const char *name, unsigned depth, struct cmc_words *out)
{
    void *text;
    size_t size;
    if (depth == MOST_FILES_INSIDE_EACH_OTHER) {
        cmc_error("response file '%s': %d files inside each other", name, MOST_FILES_INSIDE_EACH_OTHER);
        return false;
    }
    if (file_read(name, &text, &size) != 0) {
        cmc_error("cannot read the response file '%s': %s", name, strerror(errno));
        return false;
    }
    bool good = !memchr(text, 0, size);
    if (!good)
        cmc_error("response file '%s': not a text file", name);
    good = good && expand_text(name, text, size, depth + 1, out);
    free(text);
    return good;
}

static bool expand_word(const char *word, unsigned depth, struct cmc_words *out)
{
    if (word[0] == '@' && word[1])
        return expand_file(word + 1, depth, out);
    char *copy = cmc_checked(strdup(word));
    CMC_APPEND(out->words, out->count, copy);
    return true;
}

bool cmc_expand_words(int count, char **words, struct cmc_words *out)
{
    assert(count >= 1 && words && out);
    *out = (struct cmc_words){0};
    for (int i = 1; i < count; i++)
        if (!expand_word(words[i], 0, out))
            return false;
    return true;
}

void cmc_words_free(struct cmc_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->words[i]);
    free(words->words);
}
