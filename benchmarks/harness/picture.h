/* Reads pictures from files. */
#ifndef CMKIT_BENCHMARKS_HARNESS_PICTURE_H
#define CMKIT_BENCHMARKS_HARNESS_PICTURE_H

#include "runtime/cmrun/pixels.h"

/* A PPM (P6, 8 bits), PNG or JPEG file as RGB. A JPEG is scaled to `eighths` / 8 (1 to 16) by djpeg. On failure -1 and
 * a reason without the path; on success the caller frees out->samples. */
int picture_load(const char *path, unsigned eighths, struct pixels *out, char *why, size_t why_size);

#endif
