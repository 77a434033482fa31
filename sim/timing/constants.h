/* Has the constants of the timing model and the machines that they describe: rows of tables/timing*.def. */
#ifndef CMKIT_SIM_TIMING_CONSTANTS_H
#define CMKIT_SIM_TIMING_CONSTANTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tables/platforms.h"

enum timing_constant {
#define TIMING_CONSTANT(NAME, ...) TIMING_##NAME,
#include "tables/timing.def"
#undef TIMING_CONSTANT
    TIMING_CONSTANTS
};

enum timing_class {
    TIMING_CLASS_ISSUE,
    TIMING_CLASS_CACHE,
    TIMING_CLASS_SLM,
    TIMING_CLASS_DRAM,
    TIMING_CLASS_LAUNCH,
    TIMING_CLASSES
};

struct timing_constants {
    double value[TIMING_CONSTANTS];
};

struct timing_machine {
    const char *name;
    enum platform_id platform;
    unsigned slices, subslices, eus, off; /* off: EUs that the platform has not */
    unsigned mhz;
    unsigned dram; /* MB/s */
    unsigned llc;  /* KB */
    const char *label;
};

/* The machine of that name; NULL: the platform's first. NULL if there is none, or it is another platform's. */
const struct timing_machine *timing_machine_find(const struct platform *platform, const char *name);

/* The platform's first machine with this topology. NULL: none has it. */
const struct timing_machine *timing_machine_with(const struct platform *platform, unsigned slices, unsigned subslices,
                                                 unsigned eus);

/* Copies the platform's values. 0: it has none. */
int timing_constants_of(const struct platform *platform, struct timing_constants *constants);

/* Applies NAME=VALUE,NAME=VALUE... NULL, or a static sentence that says what is wrong. */
const char *timing_constants_set(struct timing_constants *constants, const char *settings);

/* Draws the platform's constants of low and medium confidence from their ranges: draw `draw` of `count`, a Latin
 * hypercube in the logarithm, the same for a seed. Other constants stay as they are, and so do those in `settings`
 * (NULL: none). */
void timing_constants_draw(const struct platform *platform, struct timing_constants *constants, const char *settings,
                           unsigned draw, unsigned count, uint64_t seed);

/* Writes the platform's constants and machines as a table. */
void timing_constants_print(FILE *out, const struct platform *platform, const struct timing_constants *constants);

const char *timing_class_name(enum timing_class class);

/* The model's error by published measurements: the 80th percentile of |ln(model / published)| of their test set. */
double timing_class_error(const struct timing_machine *machine, enum timing_class class);

#endif
