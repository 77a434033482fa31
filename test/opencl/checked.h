/* Declares the parts of `checked` that have a file of their own. Each prints wrong results, and returns 1 if there are
 * any. */
#ifndef CMKIT_TEST_CHECKED_H
#define CMKIT_TEST_CHECKED_H

#include "machine.h"

/* Images whose pixels share chroma, read pixel by pixel and through a linear filter: packed 4:2:2 in four orders, and
 * planar 4:2:0 with its planes. `program` is built of checked.cl. */
unsigned checked_packed_pixels(const struct machine *gpu, cl_program program, struct random *random);
unsigned checked_planar_pixels(const struct machine *gpu, cl_program program, struct random *random);

/* Every format of images that kernels read, pixel by pixel. */
unsigned checked_formats(const struct machine *gpu, cl_program program, struct random *random);

#endif
