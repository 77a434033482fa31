/* Rows of parts.def as a C table. */
#ifndef CMKIT_TABLES_PARTS_H
#define CMKIT_TABLES_PARTS_H

#include <stdio.h>
#include "tables/platforms.h"

struct part {
    const char *name;
    enum platform_id platform;
    unsigned major, minor, revision; /* of its graphics */
    unsigned genx;                   /* CM_GENX */
    const char *macro;
};

static const struct part part_table[] = {
#define PART(NAME, PLATFORM, MAJOR, MINOR, REVISION, GENX, MACRO)                                                      \
    {NAME, PLATFORM_##PLATFORM, MAJOR, MINOR, REVISION, GENX, MACRO},
#include "parts.def"
#undef PART
};

enum { PART_COUNT = sizeof part_table / sizeof *part_table };

/* The part that `name` names: by its name, or by its version as drivers give it ("20.4.4"), which may be of a later
 * revision. False: there is none. */
static inline int part_find(const char *name, struct part *out)
{
    unsigned major, minor, revision;
    int used = 0, numbers = sscanf(name, "%u.%u.%u%n", &major, &minor, &revision, &used) == 3 && !name[used];
    for (size_t i = 0; i < PART_COUNT; i++) {
        const struct part *p = &part_table[i];
        if (numbers ? p->major == major && p->minor == minor : strcasecmp(name, p->name) == 0) {
            *out = *p;
            if (numbers)
                out->revision = revision;
            return 1;
        }
    }
    return 0;
}

/* The part that the platform's own name means. */
static inline const struct part *part_of_platform(const struct platform *platform)
{
    const struct part *p = part_table;
    while (p->platform != platform->id)
        p++;
    return p;
}

#endif
