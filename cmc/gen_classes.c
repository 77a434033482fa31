/* Finds the class of a Gen instruction from its line in the finalizer's listing. */
#include "cmc/gen_classes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "visa_emit/source_lines.h"

static const struct {
    const char *name, *instructions;
} classes[] = {
#define GEN_CLASS(ID, NAME, INSTRUCTIONS) {NAME, INSTRUCTIONS},
#include "cmc/gen_classes.def"
#undef GEN_CLASS
};

const char *gen_class_name(enum gen_class class)
{
    return classes[class].name;
}

enum gen_class gen_class_of(const char *line, size_t length)
{
    char name[16] = "";
    size_t at = 0, end;
    while (at < length && line[at] == ' ')
        at++;
    if (at < length && line[at] == '(') {
        const char *close = memchr(line + at, ')', length - at);
        at = close ? (size_t)(close + 1 - line) : length;
    }
    while (at < length && line[at] == ' ')
        at++;
    for (end = at; end < length && (isalnum((unsigned char)line[end])); end++)
        ;
    snprintf(name, sizeof name, "%.*s ", (int)(end - at < 14 ? end - at : 14), line + at);
    for (unsigned k = 0; k < GEN_CLASSES; k++) {
        const char *found = strstr(classes[k].instructions, name);
        if (found && (found == classes[k].instructions || found[-1] == ' '))
            return (enum gen_class)k;
    }
    return GEN_CLASS_ARITHMETIC;
}

void gen_class_count(const char *listing, unsigned counts[static GEN_CLASSES])
{
    const char *rest = listing ? listing : "", *line;
    size_t length;
    memset(counts, 0, GEN_CLASSES * sizeof *counts);
    while ((line = listing_instruction(&rest, &length)))
        counts[gen_class_of(line, length)]++;
}
