/* Commands of the copy engine. Coordinates count pixels; compression is not visible in what is read, and is not looked
 * at. */
#include "sim/stream/internal.h"

#include <inttypes.h>
#include <string.h>
#include "sim/base/clock.h"
#include "sim/message/tiling.h"

/* Where a surface's fields lie in a command, in dwords. */
struct side {
    const char *name;
    unsigned pitch, base, offset, shape, levels, place;
};

static const struct side copy_destination = {"destination", 1, 4, 6, 16, 17, 18};
static const struct side copy_source = {"source", 8, 9, 11, 19, 20, 21};
static const struct side fill_destination = {"destination", 1, 4, 6, 13, 14, 15};

struct blit_surface {
    uint64_t base;
    enum tiling_id tiling;
    uint32_t pitch, x, y, pixel;
    uint32_t slice, slice_rows;
};

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

/* The tile mode of a surface state that the field means. */
static unsigned tile_mode(uint32_t field)
{
    enum { BLIT_TILE4 = 2, BLIT_TILE64 = 3, STATE_TILE4 = 3, STATE_TILE64 = 1 };
    return field == BLIT_TILE4 ? STATE_TILE4 : field == BLIT_TILE64 ? STATE_TILE64 : field;
}

static int read_surface(struct stream *stream, const uint32_t *words, const struct side *side, uint32_t corner,
                        uint32_t pixel, struct blit_surface *surface)
{
    enum { VOLUME = 2 };
    uint32_t tiling = bits(words[side->pitch], 30, 2), level = bits(words[side->levels], 0, 4);
    bool is_volume = bits(words[side->shape], 29, 3) == VOLUME;
    *surface = (struct blit_surface){
        .base = stream_address(words + side->base),
        .tiling = tiling == 1 ? TILINGS : tiling_find(stream->platform, tile_mode(tiling), is_volume, pixel),
        .pitch = (bits(words[side->pitch], 0, 18) + 1) * (tiling ? 4 : 1), /* of tiles in dwords */
        .x = bits(words[side->offset], 0, 14) + (corner & 0xffff),
        .y = bits(words[side->offset], 16, 14) + (corner >> 16),
        .pixel = pixel,
        .slice = tiling ? bits(words[side->place], 21, 11) : 0, /* of linear ones, the address has it */
        .slice_rows = bits(words[side->levels], 4, 15) * 4,
    };
    if (surface->tiling == TILINGS || level != 0)
        return sim_fault_raise(stream->fault, "%s: %s with tiling %" PRIu32 ", level %" PRIu32 " is not implemented",
                               stream->command, side->name, tiling, level);
    return 1;
}

/* Bytes of a pixel by the color depth; 0: there is none. */
static int read_depth(struct stream *stream, uint32_t word, uint32_t *bytes)
{
    static const uint32_t sizes[8] = {1, 2, 4, 8, 12, 16};
    *bytes = sizes[bits(word, 19, 3)];
    if (*bytes == 0)
        return sim_fault_raise(stream->fault, "%s: color depth %" PRIu32 " does not exist", stream->command,
                               bits(word, 19, 3));
    if (bits(word, 9, 3) || bits(word, 12, 2))
        return sim_fault_raise(stream->fault,
                               "%s: multisampling or a special mode (dword 0 is 0x%08" PRIx32 ") is not implemented",
                               stream->command, word);
    return 1;
}

/* Host memory of `count` pixels of the rectangle from (x, row) on, which follow each other in memory. */
static uint8_t *pixels_at(struct stream *stream, const struct blit_surface *surface, uint32_t x, uint32_t row,
                          uint32_t count)
{
    uint64_t byte = ((uint64_t)surface->x + x) * surface->pixel, line = (uint64_t)surface->y + row, deep = 0;
    if (tiling_extent(surface->tiling).slices > 1)
        deep = surface->slice;
    else
        line += (uint64_t)surface->slice * surface->slice_rows;
    uint64_t address =
        surface->base + tiling_offset(surface->tiling, surface->pitch, surface->slice_rows, byte, line, deep);
    uint64_t size = (uint64_t)count * surface->pixel;
    address &= UINT64_C(0xffffffffffff);
    uint8_t *memory = sim_space_map(stream->space, address, size);
    if (!memory)
        sim_fault_raise_address(stream->fault, address, size, stream->command);
    return memory;
}

/* The size of the rectangle whose corners are words[2] and words[3]. */
static int read_extent(struct stream *stream, const uint32_t *words, uint32_t *width, uint32_t *height)
{
    uint32_t left = words[2] & 0xffff, top = words[2] >> 16, right = words[3] & 0xffff, bottom = words[3] >> 16;
    if (right < left || bottom < top)
        return sim_fault_raise(stream->fault, "%s: a rectangle from %" PRIu32 ",%" PRIu32 " to %" PRIu32 ",%" PRIu32,
                               stream->command, left, top, right, bottom);
    *width = right - left;
    *height = bottom - top;
    return 1;
}

int command_block_copy(struct stream *stream, const uint32_t *words, uint32_t count)
{
    struct blit_surface to, from;
    uint32_t pixel, width, height;
    (void)count;
    if (!read_depth(stream, words[0], &pixel) || !read_extent(stream, words, &width, &height) ||
        !read_surface(stream, words, &copy_destination, words[2], pixel, &to) ||
        !read_surface(stream, words, &copy_source, words[7], pixel, &from))
        return 0;
    uint32_t step = to.tiling == TILING_LINEAR && from.tiling == TILING_LINEAR ? width : 1;
    for (uint32_t row = 0; row < height; row++)
        for (uint32_t x = 0; x < width; x += step) {
            uint8_t *target = pixels_at(stream, &to, x, row, step);
            const uint8_t *source = target ? pixels_at(stream, &from, x, row, step) : NULL;
            if (!source)
                return 0;
            memmove(target, source, (size_t)step * pixel);
        }
    return 1;
}

int command_fast_color(struct stream *stream, const uint32_t *words, uint32_t count)
{
    struct blit_surface to;
    uint32_t pixel, width, height;
    (void)count;
    if (!read_depth(stream, words[0], &pixel) || !read_extent(stream, words, &width, &height) ||
        !read_surface(stream, words, &fill_destination, words[2], pixel, &to))
        return 0;
    for (uint32_t row = 0; row < height; row++)
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *target = pixels_at(stream, &to, x, row, 1);
            if (!target)
                return 0;
            memcpy(target, words + 7, pixel);
        }
    return 1;
}

/* Rows of bytes: words[1] and words[2] have their size less 1; a line is one row. */
struct byte_rows {
    uint32_t width, height;
};

static int read_rows(struct stream *stream, const uint32_t *words, struct byte_rows *rows)
{
    enum { LINE, MATRIX };
    uint32_t shape = bits(words[0], 17, 2);
    if (shape > MATRIX)
        return sim_fault_raise(stream->fault, "%s: type %" PRIu32 " does not exist", stream->command, shape);
    rows->width = bits(words[1], 0, 18) + 1;
    rows->height = shape == MATRIX ? bits(words[2], 0, 18) + 1 : 1;
    return 1;
}

int command_memory_copy(struct stream *stream, const uint32_t *words, uint32_t count)
{
    struct byte_rows rows;
    uint64_t from_pitch = bits(words[3], 0, 18) + UINT64_C(1), to_pitch = bits(words[4], 0, 18) + UINT64_C(1);
    (void)count;
    if (!read_rows(stream, words, &rows))
        return 0;
    for (uint32_t row = 0; row < rows.height; row++) {
        const uint8_t *from = stream_memory(stream, stream_address(words + 5) + row * from_pitch, rows.width);
        uint8_t *to = from ? stream_memory(stream, stream_address(words + 7) + row * to_pitch, rows.width) : NULL;
        if (!to)
            return 0;
        memmove(to, from, rows.width);
    }
    return 1;
}

int command_memory_set(struct stream *stream, const uint32_t *words, uint32_t count)
{
    struct byte_rows rows;
    uint64_t pitch = bits(words[3], 0, 18) + UINT64_C(1);
    (void)count;
    if (!read_rows(stream, words, &rows))
        return 0;
    for (uint32_t row = 0; row < rows.height; row++) {
        uint8_t *to = stream_memory(stream, stream_address(words + 4) + row * pitch, rows.width);
        if (!to)
            return 0;
        memset(to, (int)(words[6] >> 24), rows.width);
    }
    return 1;
}

/* Everything before has finished; what remains is the write. */
int command_flush_dw(struct stream *stream, const uint32_t *words, uint32_t count)
{
    enum { NO_WRITE, WRITE_IMMEDIATE, WRITE_TIMESTAMP = 3 };
    const uint32_t store_index = 1u << 21, global_gtt = 1u << 2;
    uint32_t operation = bits(words[0], 14, 2);
    if (operation == NO_WRITE)
        return 1;
    if (operation == 2 || words[0] & store_index || words[1] & global_gtt)
        return sim_fault_raise(stream->fault,
                               "%s: write with dwords 0x%08" PRIx32 ", 0x%08" PRIx32 " is not implemented",
                               stream->command, words[0], words[1]);
    uint64_t value = operation == WRITE_TIMESTAMP ? sim_clock_advance(0) : words[3];
    if (operation == WRITE_IMMEDIATE && count > 4)
        value |= (uint64_t)words[4] << 32;
    return stream_store(stream, stream_address(words + 1) & ~UINT64_C(7), value, 8);
}
