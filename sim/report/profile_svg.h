/* Draws the charts of a profile's page. */
#ifndef CMKIT_SIM_REPORT_PROFILE_SVG_H
#define CMKIT_SIM_REPORT_PROFILE_SVG_H

#include <stddef.h>
#include <stdio.h>

struct svg_part {
    size_t colour; /* the same number is the same colour in all bars */
    const char *name;
    double percent;
};

/* One bar of parts that make up the whole, with a legend. */
void svg_bar(FILE *out, const struct svg_part *parts, size_t count);

struct svg_line {
    const char *name;
    const double *values;
};

/* `count` values of each line from time 0 to `end` microseconds. */
void svg_chart(FILE *out, const struct svg_line *lines, size_t line_count, size_t count, double end, const char *unit);

struct svg_roof {
    const char *name;
    double peak, bytes; /* bytes a second; bytes that the kernel moved there */
};

/* The machine's ceilings and the kernel's point under each of them. */
void svg_roofline(FILE *out, const struct svg_roof *roofs, size_t count, double peak, double flops, double seconds);

#endif
