/* Prints source positions in front of messages. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmc/phases.h"

static void print_file(const struct visa_program *program, unsigned file)
{
    const struct visa_file *f = &program->files[file - 1];
    char here[4096];
    bool as_named = *f->name == '/' || !*f->folder || (getcwd(here, sizeof here) && strcmp(here, f->folder) == 0);
    fprintf(stderr, "%s%s%s", as_named ? "" : f->folder, as_named ? "" : "/", f->name);
}

void cmc_print_location(const struct visa_program *program, struct cmc_location place, const char *severity)
{
    assert(severity);
    if (!place.file || !place.line) {
        fprintf(stderr, "cmc: %s: ", severity);
        return;
    }
    print_file(program, place.file);
    fprintf(stderr, ":%u", place.line);
    if (place.column)
        fprintf(stderr, ":%u", place.column);
    fprintf(stderr, ": %s: ", severity);
}
