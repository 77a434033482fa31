/* Declares tilings (tables/tilings.def). */
#ifndef CMKIT_SIM_MESSAGE_TILING_H
#define CMKIT_SIM_MESSAGE_TILING_H

#include <stdbool.h>
#include <stdint.h>
#include "tables/platforms.h"

enum tiling_id {
    TILING_LINEAR,
#define TILING(FROM, TO, NUMBER, SHAPE, BYTES, ID, PATTERN) TILING_##ID,
#include "tables/tilings.def"
#undef TILING
    TILINGS
};

/* Returns the tiling of a surface state's number for pixels of `bytes` bytes; TILINGS: the platform has no such tiling.
 */
enum tiling_id tiling_find(const struct platform *platform, unsigned number, bool is_volume, unsigned bytes);

/* The bytes in a tile's row, its rows, its slices. */
struct tiling_extent {
    uint32_t width, rows, slices;
};
struct tiling_extent tiling_extent(enum tiling_id tiling);

/* Returns the bytes from the surface's start to byte `x` of row `row` of slice `slice`. `pitch`: bytes in a row;
 * `slice_rows`: rows from slice to slice of a tiling whose tiles have several slices. */
uint64_t tiling_offset(enum tiling_id tiling, uint64_t pitch, uint64_t slice_rows, uint64_t x, uint64_t row,
                       uint64_t slice);

/* Returns the number of contiguous bytes at every multiple of that number. */
uint32_t tiling_run(enum tiling_id tiling);

#endif
