/* Tilings: tables/tilings.def. */
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

/* The tiling that a surface state's number means for pixels of `bytes` bytes; TILINGS: the part has none. */
enum tiling_id tiling_find(const struct platform *platform, unsigned number, bool is_volume, unsigned bytes);

/* Bytes in a tile's row, its rows, its slices. */
struct tiling_extent {
    uint32_t width, rows, slices;
};
struct tiling_extent tiling_extent(enum tiling_id tiling);

/* Bytes from the surface's first to byte `x` of row `row` of slice `slice`. `pitch`: bytes in a row, `slice_rows`: rows
 * from slice to slice of a tiling whose tiles have several slices. */
uint64_t tiling_offset(enum tiling_id tiling, uint64_t pitch, uint64_t slice_rows, uint64_t x, uint64_t row,
                       uint64_t slice);

/* So many bytes follow each other in memory from every multiple of them on. */
uint32_t tiling_run(enum tiling_id tiling);

#endif
