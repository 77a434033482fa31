#include "sim/check/suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/options.h"
#include "sim/check/report.h"

struct suppression {
    char kind[16], kernel[160], source[224];
};

static struct {
    struct suppression *list;
    size_t count;
} all;

/* True for the name of one check, not for a list of them. */
static bool is_check(const char *name)
{
    unsigned kinds;
    return sim_options_check(name, &kinds) && (kinds & (kinds - 1)) == 0;
}

/* Reads the line to `s`. 1, 0 for an empty line, or -1 for a mistake. */
static int read_line(char *line, struct suppression *s)
{
    char rest[2];
    line[strcspn(line, "#\n")] = 0;
    int words = sscanf(line, "%15s %159s %223s %1s", s->kind, s->kernel, s->source, rest);
    if (words <= 0)
        return 0;
    return words == 3 && is_check(s->kind) ? 1 : -1;
}

/* Replaces bytes that a terminal would act on, of a file that is none of text. */
static const char *printable(char *text)
{
    for (char *at = text; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    return text;
}

static const char *read_lines(FILE *file, const char *path)
{
    static char mistake[512];
    char line[1024];
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        struct suppression s = {.kind = ""};
        int read = read_line(line, &s);
        if (read < 0) {
            if (*s.source && !is_check(s.kind))
                snprintf(mistake, sizeof mistake, "%s:%u: there is no check '%s'", path, number, printable(s.kind));
            else
                snprintf(mistake, sizeof mistake, "%s:%u: not 'CHECK KERNEL SOURCE', such as 'race scale *.cl:7'", path,
                         number);
            return mistake;
        }
        struct suppression *list = read ? realloc(all.list, (all.count + 1) * sizeof *list) : NULL;
        if (!list)
            continue;
        all.list = list;
        all.list[all.count++] = s;
    }
    return NULL;
}

const char *check_suppressions_read(const char *path)
{
    static char problem[512];
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!path)
        return NULL;
    if (!file) {
        snprintf(problem, sizeof problem, "cannot read the suppressions in '%s': %s", path, strerror(errno));
        return problem;
    }
    const char *mistake = read_lines(file, path);
    if (!mistake && ferror(file)) { /* a folder, for example */
        snprintf(problem, sizeof problem, "cannot read the suppressions in '%s': %s", path, strerror(errno));
        mistake = problem;
    }
    fclose(file);
    return mistake;
}

bool check_is_suppressed(const char *kind, const char *kernel, const char *source)
{
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].kind, kind) == 0 && fnmatch(all.list[i].kernel, kernel, 0) == 0 &&
            fnmatch(all.list[i].source, source, 0) == 0)
            return true;
    return false;
}
