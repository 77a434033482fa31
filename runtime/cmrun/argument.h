/* Kernel arguments as cmrun's command line spells them: text to structure, no files touched. docs/guide/cmrun.md has the
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

    size_t width, height; /* images by size: in pixels or elements */
    const char
        *format;      /* images: format name, "raw", "raw1".."raw4", or NULL for what the kernel's argument suggests */
    const char *file; /* buffers and images: what to read, or NULL */
    const char *output;    /* buffers and images: where to write the result, or NULL */
    const char *pattern;   /* how memory starts, or NULL for zeros */
    int like_first;        /* image: size and format of the first image to the left */
    enum cmrt_access bare; /* attributes @r @w @rw without a file: they are about the file before '@' */
    enum cmrt_memory memory;
    enum scalar_type print; /* what to print the result as, or SCALAR_COUNT */

    enum cmrt_sampler_address address;
    enum cmrt_sampler_filter filter;
    int normalized;
};

/* Reads one argument. Returns 0, or -1 with the reason in `why`. Either way argument_free may be called. */
int argument_parse(const char *text, struct argument *out, char why[REASON_BYTES]);
void argument_free(struct argument *argument);

/* Reads "8", "4k" (1024), "2M"; 0 if it is no positive size. */
size_t size_parse(const char *text);

/* Reads "640x480" or "640x480x2" into counts that start as 1; returns how many there were, 0 if it is no such text. */
int counts_parse(const char *text, uint32_t counts[3]);

#endif
