/* Tells the kinds of inputs by their suffixes, from languages.def. */
#include <assert.h>
#include <string.h>
#include "cmc/options.h"

const char *cmc_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

enum cmc_language cmc_language_of(const struct cmc_input *input)
{
    static const char *const suffixes[] = {
        "",
#define CMC_LANGUAGE(ID, NAME, SUFFIXES, HELP) SUFFIXES,
#include "cmc/languages.def"
#undef CMC_LANGUAGE
    };
    assert(input->path);
    if (input->language)
        return input->language;
    const char *dot = strrchr(cmc_file_name(input->path), '.');
    size_t length = dot ? strlen(dot) : 0;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *found = strstr(suffixes[i], dot);
        if (found && found[length] == ' ')
            return (enum cmc_language)i;
    }
    return CMC_LANGUAGE_SOURCE;
}
