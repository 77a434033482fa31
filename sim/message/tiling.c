#include "sim/message/tiling.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum shape { ANY, FLAT, VOLUME };

static const struct tiling {
    unsigned first_generation, last_generation, number;
    enum shape shape;
    unsigned bytes;
    const char *pattern;
} tilings[TILINGS] = {
#define TILING(FROM, TO, NUMBER, SHAPE, BYTES, ID, PATTERN) [TILING_##ID] = {FROM, TO, NUMBER, SHAPE, BYTES, PATTERN},
#include "tables/tilings.def"
#undef TILING
};

enum tiling_id tiling_find(const struct platform *platform, unsigned number, bool is_volume, unsigned bytes)
{
    assert(platform && bytes);
    if (number == 0)
        return TILING_LINEAR;
    for (unsigned i = TILING_LINEAR + 1; i < TILINGS; i++) {
        const struct tiling *tiling = &tilings[i];
        if (tiling->number == number && platform_between(platform, tiling->first_generation, tiling->last_generation) &&
            (tiling->bytes == 0 || tiling->bytes == bytes) &&
            (tiling->shape == ANY || (tiling->shape == VOLUME) == is_volume))
            return (enum tiling_id)i;
    }
    return TILINGS;
}

struct tiling_extent tiling_extent(enum tiling_id tiling)
{
    assert(tiling < TILINGS);
    struct tiling_extent extent = {1, 1, 1};
    const char *pattern = tilings[tiling].pattern;
    for (size_t i = 0; pattern && pattern[i]; i++) {
        extent.width <<= pattern[i] == 'x';
        extent.rows <<= pattern[i] == 'y';
        extent.slices <<= pattern[i] == 'z';
    }
    return extent;
}

/* Removes the lowest bit of a coordinate; the remaining bits count tiles in the end. */
static uint64_t take_bit(uint64_t *coordinate)
{
    uint64_t bit = *coordinate & 1;
    *coordinate >>= 1;
    return bit;
}

static uint64_t pattern_offset(const char *pattern, uint64_t pitch, uint64_t slice_rows, uint64_t x, uint64_t row,
                               uint64_t slice)
{
    uint64_t offset = 0;
    size_t bits = strlen(pattern);
    for (size_t i = 0; i < bits; i++) {
        char letter = pattern[bits - 1 - i];
        uint64_t *coordinate = letter == 'x' ? &x : letter == 'y' ? &row : &slice;
        if (letter == 'x') {
            pitch = (pitch + 1) / 2;
        } else if (letter == 'y') {
            slice_rows = (slice_rows + 1) / 2;
        }
        offset |= take_bit(coordinate) << i;
    }
    return (((slice * slice_rows + row) * pitch + x) << bits) + offset;
}

uint64_t tiling_offset(enum tiling_id tiling, uint64_t pitch, uint64_t slice_rows, uint64_t x, uint64_t row,
                       uint64_t slice)
{
    assert(tiling < TILINGS);
    switch (tiling) {
    case TILING_LINEAR: return (slice * slice_rows + row) * pitch + x;
    case TILING_X: return (row / 8 * (pitch / 512) + x / 512) * 4096 + row % 8 * 512 + x % 512;
    case TILING_Y: return (row / 32 * (pitch / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + row % 32 * 16 + x % 16;
    default: return pattern_offset(tilings[tiling].pattern, pitch, slice_rows, x, row, slice);
    }
}

uint32_t tiling_run(enum tiling_id tiling)
{
    assert(tiling < TILINGS);
    const char *pattern = tilings[tiling].pattern;
    size_t bits = pattern ? strlen(pattern) : 0;
    uint32_t run = 1;
    for (size_t i = bits; i > 0 && pattern[i - 1] == 'x'; i--)
        run <<= 1;
    return pattern ? run : UINT32_MAX;
}
