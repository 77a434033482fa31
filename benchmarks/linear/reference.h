/* Computes on the host what the linear filter's two versions must write. */
#ifndef CMKIT_BENCHMARKS_LINEAR_REFERENCE_H
#define CMKIT_BENCHMARKS_LINEAR_REFERENCE_H

#include <stddef.h>
#include "runtime/cmrun/pixels.h"

enum { BLOCK_PIXELS = 8, BLOCK_ROWS = 6 }; /* what a thread of linear.cm writes */

/* Groups that cover `pixels`: columns of blocks for linear.cm. */
size_t linear_columns(const struct pixels *pixels);
size_t linear_rows(const struct pixels *pixels);

/* The sum of the nine bytes of `channel` around (x, y), the edge of the picture repeated beyond it. */
unsigned linear_sum(const struct pixels *pixels, size_t x, size_t y, size_t channel);

/* The mean that each version computes from such a sum (0 ... 2295). Both multiply by the float 0.1111f. No product is
 * closer than 1/10000 to a rounding boundary, and float arithmetic in any order is more precise, so that integers give
 * the exact result (README.md has the proof). */
unsigned linear_mean_cm(unsigned sum); /* conversion to an integer: toward zero */
unsigned linear_mean_cl(unsigned sum); /* write to an image of normalised bytes: to nearest */

/* Makes the input of linear.cm: the picture with its edge repeated once to the left and above, and to the right and
 * below until whole blocks fit, and one more pixel to each side and two to the right (a read of 32 bytes). RGB. */
int linear_pad(const struct pixels *pixels, struct pixels *out);

#endif
