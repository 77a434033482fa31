/* Parses kernel arguments of cmrun's command line into structures. It opens no files. docs/guide/cmrun.md has the
 * syntax. */
#ifndef CMKIT_CMRUN_ARGUMENT_H
#define CMKIT_CMRUN_ARGUMENT_H

#include "runtime/cmrt.h"
#include "runtime/cmrun/values.h"

enum { REASON_BYTES = 512 };

struct argument {
    const char *text; /* as given */
    enum cmrt_argument_kind kind;
    char *copy; /* owns the strings below */

    void *value;  /* values: their bytes, owned */
    size_t bytes; /* values, local memory and buffers: size; 0 for a buffer or image as large as its file */

    unsigned dimensions;         /* images by size: 1 to 3 */
    size_t width, height, depth; /* ... in pixels or elements; 1 for a dimension that is not there */
    const char *format;    /* images: format name, "raw", "raw1".."raw4"; NULL: the default for the kernel's argument */
    const char *file;      /* buffers and images: file to read, or NULL */
    const char *output;    /* buffers and images: where to write the result, or NULL */
    const char *pattern;   /* how memory starts, or NULL for zeros */
    int like_first;        /* image: size and format of the first image to the left */
    enum cmrt_access bare; /* attributes @r @w @rw without a file: they are about the file before '@' */
    enum cmrt_memory memory;
    enum scalar_type print; /* type in which the result is printed, or SCALAR_COUNT */

    enum cmrt_sampler_address address;
    enum cmrt_sampler_filter filter;
    int normalized;
};

/* Parses one argument. Returns 0, or -1 with the reason in `why`. Call argument_free in either case. */
int argument_parse(const char *text, struct argument *out, char why[REASON_BYTES]);
void argument_free(struct argument *argument);

/* Parses "8", "4k" (1024), "2M". 0: not a positive size. */
size_t argument_parse_size(const char *text);

/* Parses "640x480" or "640x480x2" into counts that start as 1. Returns how many there were; 0: not such a text. */
int argument_parse_counts(const char *text, uint32_t counts[3]);

#endif
