/* Writes compile_commands.json. */
#include "cmc/compile_commands.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmc/message.h"
#include "cmc/output.h"
#include "cmc/phases.h"
#include "text/json.h"

struct words {
    FILE *out;
    bool has_one;
};

static void print_word(void *user, const char *word)
{
    struct words *words = user;
    fputs(words->has_one ? ", " : "", words->out);
    words->has_one = true;
    json_string(word, words->out);
}

static void print_entry(const struct cmc_options *options, const char *folder, FILE *out)
{
    struct words words = {.out = out};
    fputs(" {\"directory\": ", out);
    json_string(folder, out);
    fputs(", \"file\": ", out);
    json_string(options->input, out);
    fputs(",\n  \"arguments\": [", out);
    cmc_editor_command(options, print_word, &words);
    fputs("]}", out);
}

static bool check_input(const struct cmc_input *input)
{
    if (strcmp(input->path, "-") == 0)
        cmc_error("--compile-commands is about files, not standard input");
    else if (!cmc_is_source(cmc_language_of(input)))
        cmc_error("--compile-commands is about sources, and '%s' is none", input->path);
    else if (access(input->path, R_OK) != 0)
        cmc_error("cannot read %s: %s", input->path, strerror(errno));
    else
        return true;
    return false;
}

static bool print_entries(const struct cmc_options *given, const char *folder, FILE *out)
{
    struct cmc_options options = *given;
    fputs("[\n", out);
    for (size_t i = 0; i < given->input_count; i++) {
        if (!check_input(&given->inputs[i]))
            return false;
        options.input = given->inputs[i].path;
        if (!options.host && !cmc_set_product(&options, &options.products[0]))
            return false;
        print_entry(&options, folder, out);
        fputs(i + 1 < given->input_count ? ",\n" : "\n", out);
    }
    fputs("]\n", out);
    return true;
}

bool cmc_write_compile_commands(const struct cmc_options *options)
{
    assert(options->output_kind == CMC_COMPILE_COMMANDS && options->input_count);
    char *folder = getcwd(NULL, 0), *text = NULL;
    size_t size = 0;
    if (!folder) {
        cmc_error("the current folder has no name: %s", strerror(errno));
        return false;
    }
    FILE *out = cmc_checked(open_memstream(&text, &size));
    bool good = print_entries(options, folder, out);
    cmc_checked(fclose(out) == 0 ? text : NULL);
    good = good && cmc_write(options->output_name ? options->output_name : "-", text, size);
    free(text);
    free(folder);
    return good;
}
