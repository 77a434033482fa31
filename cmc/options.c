/* Parses the command line. options.def is the table of options. */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/option_actions.h"

enum shape { EXACT, JOINED, EITHER, SEPARATE };

static const struct option {
    const char *text;
    enum shape shape;
    cmc_option_action *action;
    int number;
} table[] = {
#define PLACE(FIELD)                                       (int)offsetof(struct cmc_options, FIELD)
#define CMC_OPTION(TEXT, SHAPE, ACTION, VALUE, META, HELP) {TEXT, SHAPE, cmc_option_##ACTION, VALUE},
#include "cmc/options.def"
#undef CMC_OPTION
#undef PLACE
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

void cmc_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("cmc: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void *cmc_checked(void *memory)
{
    if (!memory) {
        cmc_error("out of memory");
        exit(1);
    }
    return memory;
}

void *cmc_grown(void *array, size_t count, size_t item_bytes)
{
    bool is_full = (count & (count - 1)) == 0; /* 0 or a power of two */
    return is_full ? cmc_checked(realloc(array, (count ? 2 * count : 1) * item_bytes)) : array;
}

bool cmc_no_platform(const char *name)
{
    if (name)
        fprintf(stderr, "cmc: error: unknown platform '%s'; -march= takes ", name);
    else
        fputs("cmc: error: no platform; -march= takes ", stderr);
    for (size_t i = 0; i < platform_count; i++)
        fprintf(stderr, "%s, ", platform_table[i].name);
    fputs("host\n", stderr);
    return false;
}

/* Finds the row of the option `word`: the longest match if several rows are prefixes of it. NULL: no row matches. */
static const struct option *find(const char *word)
{
    const struct option *best = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *row = &table[i];
        size_t length = strlen(row->text);
        bool whole = strcmp(word, row->text) == 0;
        bool fits = whole || ((row->shape == JOINED || row->shape == EITHER) && strncmp(word, row->text, length) == 0);
        if (fits && (!best || strlen(best->text) < length))
            best = row;
    }
    return best;
}

/* Parses one option and its value. *index moves to the last word used. */
static bool parse_option(struct cmc_options *options, int count, char **words, int *index)
{
    const char *word = words[*index];
    const struct option *row = find(word);
    if (!row) {
        cmc_error("unknown option '%s'; cmc --help lists them", word);
        return false;
    }
    const char *value = word + strlen(row->text);
    bool next = row->shape == SEPARATE || (row->shape == EITHER && !*value);
    if (next && ++*index >= count) {
        cmc_error("'%s' needs a value", word);
        return false;
    }
    if (next)
        value = words[*index];
    if (next && row->shape == EITHER && value[0] == '-' && value[1]) {
        cmc_error("'%s' needs a value, not the option '%s'", word, value);
        return false;
    }
    return row->action(options, row->number, word, value);
}

static void add_input(struct cmc_options *options, const char *path)
{
    struct cmc_input input = {path, options->language};
    CMC_APPEND(options->inputs, options->input_count, input);
}

bool cmc_options_parse(int count, char **words, struct cmc_options *options)
{
    assert(count >= 1 && words && words[0]);
    *options = (struct cmc_options){.optimization = 2};
    bool good = true, only_inputs = false;
    for (int i = 0; good && i < count; i++) {
        if (only_inputs || words[i][0] != '-' || !words[i][1])
            add_input(options, words[i]);
        else if (strcmp(words[i], "--") == 0)
            only_inputs = true;
        else
            good = parse_option(options, count, words, &i);
    }
    return good && cmc_options_check(options);
}

void cmc_options_free(struct cmc_options *options)
{
    for (size_t i = 0; i < options->owned_count; i++)
        free(options->owned[i]);
    free(options->owned);
    free(options->inputs);
    free(options->products);
    free(options->targets);
    free(options->quoted_targets);
    free(options->front_end);
}
