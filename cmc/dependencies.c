/* Writes which files a compilation read, for Make and Ninja. */
#include "cmc/dependencies.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/output.h"

enum { LINE_WIDTH = 100 };

void cmc_depends(void *user, const char *path, bool is_system)
{
    assert(user && path);
    struct cmc_dependencies *d = user;
    if (is_system && d->no_system)
        return;
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->paths[i], path) == 0)
            return;
    char *copy = cmc_checked(strdup(path));
    CMC_APPEND(d->paths, d->count, copy);
}

void cmc_dependencies_free(struct cmc_dependencies *dependencies)
{
    for (size_t i = 0; i < dependencies->count; i++)
        free(dependencies->paths[i]);
    free(dependencies->paths);
}

/* Writes a name as Make reads it: a blank and # have a backslash in front, and so have backslashes before them; $ is
 * doubled. */
static void print_name(const char *name, FILE *out)
{
    for (const char *at = name; *at; at++) {
        if (*at == ' ' || *at == '#') {
            for (const char *before = at; before > name && before[-1] == '\\'; before--)
                fputc('\\', out);
            fputc('\\', out);
        } else if (*at == '$') {
            fputc('$', out);
        }
        fputc(*at, out);
    }
}

/* The targets of -MT as they are, those of -MQ for Make to read; else the output. */
static size_t print_targets(const struct cmc_options *options, FILE *out)
{
    char *binary = cmc_with_suffix(cmc_file_name(options->input), options->host ? ".so" : ".bin");
    size_t width = 0;
    for (size_t i = 0; i < options->target_count; i++) {
        fputs(i ? " " : "", out);
        if (options->quoted_targets[i])
            print_name(options->targets[i], out);
        else
            fputs(options->targets[i], out);
        width += strlen(options->targets[i]) + 1;
    }
    if (!options->target_count)
        print_name(cmc_is_source_output(options->output_kind) ? binary : options->output, out);
    fputc(':', out);
    free(binary);
    return width + 1;
}

static void print_rule(const struct cmc_options *options, const struct cmc_dependencies *dependencies, FILE *out)
{
    size_t width = print_targets(options, out);
    for (size_t i = 0; i < dependencies->count; i++) {
        size_t length = strlen(dependencies->paths[i]) + 1;
        bool breaks = width + length > LINE_WIDTH;
        fputs(breaks ? " \\\n  " : " ", out);
        width = (breaks ? 2 : width) + length;
        print_name(dependencies->paths[i], out);
    }
    fputc('\n', out);
    for (size_t i = 1; options->phony_targets && i < dependencies->count; i++) { /* the first is the source */
        print_name(dependencies->paths[i], out);
        fputs(":\n", out);
    }
}

/* Where the rule goes: -MF, for -M also -o or standard output; beside the output otherwise. The caller frees it. */
static char *rule_path(const struct cmc_options *options)
{
    if (options->dependency_file)
        return strdup(options->dependency_file);
    if (options->output_kind == CMC_DEPENDENCIES)
        return strdup(options->output);
    bool named = options->output && strcmp(options->output, "-") != 0;
    return cmc_with_suffix(named ? options->output : cmc_file_name(options->input), ".d");
}

bool cmc_write_dependencies(const struct cmc_options *options, const struct cmc_dependencies *dependencies)
{
    assert(options->output && dependencies);
    char *text = NULL, *path = cmc_checked(rule_path(options));
    size_t size = 0;
    FILE *out = cmc_checked(open_memstream(&text, &size));
    print_rule(options, dependencies, out);
    bool good = fclose(out) == 0 && cmc_write(path, text, size);
    free(text);
    free(path);
    return good;
}
