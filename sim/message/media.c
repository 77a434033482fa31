/* Reads and writes blocks of images: a rectangle of bytes of a 2D surface for the whole thread.
 *
 * Header of a media block: dword 0 X in bytes, dword 1 Y in rows (both signed), dword 2 bits 5:0 width - 1 in bytes,
 * bits 21:16 rows - 1. The load/store cache has the same in dwords 5 and 6, and in dword 7 bits 7:0 and 15:8. In
 * registers each row starts at a multiple of its pitch: the width rounded up to a power of two, at least 4 bytes. Reads
 * beyond an edge repeat the pixel at that edge; what is written beyond an edge is dropped. */
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"
#include "sim/message/surface.h"

struct block {
    struct surface surface;
    int64_t x, y;
    int64_t width_bytes; /* of the surface */
    unsigned width, rows, pitch;
};

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Copies `count` bytes inside row `y` of the surface, tile column by tile column. */
static bool copy_inside(struct request *request, const struct surface *surface, uint32_t x, uint32_t y, uint8_t *bytes,
                        unsigned count)
{
    uint32_t run = surface_run(surface);
    uint32_t shift = surface->x_offset * surface->format->bytes % run;
    while (count != 0) {
        uint32_t left = run - (x + shift) % run;
        unsigned piece = left < count ? left : count;
        uint8_t *memory = request_memory(request, surface_address(surface, x, y, 0), piece);
        if (!memory)
            return false;
        if (request_writes(request))
            memcpy(memory, bytes, piece);
        else
            memcpy(bytes, memory, piece);
        x += piece;
        bytes += piece;
        count -= piece;
    }
    return true;
}

/* Returns the byte of the surface's row that is repeated for byte `x` beyond an edge: the same byte of the pixel at the
 * edge. Packed 4:2:2 keeps its U and V bytes and repeats the luma byte next to the edge. */
static int64_t edge_byte(const struct block *block, int64_t x)
{
    const struct surface_format *format = block->surface.format;
    if (format->kind == FORMAT_YUV) {
        bool luma_first = format->number == 0x182 || format->number == 0x18f;
        int64_t pair = clamp(x >= 0 ? x / 4 : -1, 0, block->width_bytes / 4 - 1);
        int64_t byte = x & 3;
        bool is_luma = (byte & 1) == (luma_first ? 0 : 1);
        if (is_luma)
            byte = (x < 0 ? 0 : 2) + (luma_first ? 0 : 1);
        return pair * 4 + byte;
    }
    int64_t size = format->bytes;
    int64_t within = ((x % size) + size) % size;
    return x < 0 ? within : block->width_bytes - size + within;
}

static bool read_edge(struct request *request, const struct block *block, int64_t x, uint32_t y, uint8_t *bytes,
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!copy_inside(request, &block->surface, (uint32_t)edge_byte(block, x + i), y, bytes + i, 1))
            return false;
    return true;
}

/* Splits row `row` of the block into the parts left of the surface, inside, and right of it. */
static bool read_row(struct request *request, const struct block *block, unsigned row, uint8_t *bytes)
{
    uint32_t y = (uint32_t)clamp(block->y + row, 0, (int64_t)block->surface.height - 1);
    unsigned left = (unsigned)clamp(-block->x, 0, block->width);
    unsigned end = (unsigned)clamp(block->width_bytes - block->x, left, block->width);
    if (!read_edge(request, block, block->x, y, bytes, left))
        return false;
    if (end > left && !copy_inside(request, &block->surface, (uint32_t)(block->x + left), y, bytes + left, end - left))
        return false;
    return read_edge(request, block, block->x + end, y, bytes + end, block->width - end);
}

static bool write_row(struct request *request, const struct block *block, unsigned row)
{
    int64_t y = block->y + row;
    if (y < 0 || y >= block->surface.height)
        return true;
    for (unsigned i = 0; i < block->width; i += 4) {
        int64_t x = block->x + i;
        if (x < 0 || x >= block->width_bytes)
            continue;
        uint8_t dword[4];
        unsigned count = (unsigned)clamp(block->width_bytes - x, 0, 4);
        memcpy(dword, request_payload(request, request->data_at + row * block->pitch + i), 4);
        if (!copy_inside(request, &block->surface, (uint32_t)x, (uint32_t)y, dword, count))
            return false;
    }
    return true;
}

/* Descriptor bits 10:8 select a field of a frame: 6 the even rows, 7 the odd ones; with 0, the surface decides. */
static bool choose_field(struct request *request, struct surface *surface)
{
    unsigned control = request->descriptor >> 8 & 7;
    if (control == 0)
        return true;
    if (control < 6)
        return request_refuse(request, "vertical line stride override %u is not implemented", control);
    surface->first_row = control & 1;
    if (!surface->every_second_row)
        surface->height = (surface->height + 1 - surface->first_row) / 2;
    surface->every_second_row = true;
    if (surface->height == 0)
        return request_refuse(request, "a frame of one row has no second field");
    return true;
}

static bool check_block(struct request *request, unsigned index, const struct block *block)
{
    if (block->surface.first_level != 0)
        return request_refuse(request, "surface %u: surface minimum LOD %u is not implemented", index,
                              block->surface.first_level);
    if (block->surface.type != SURFACE_2D || block->surface.depth != 1)
        return request_refuse(request, "surface %u is no plain 2D surface (surface type %u)", index,
                              block->surface.type);
    if (block->surface.format->kind == FORMAT_PLANAR)
        return request_refuse(request, "media blocks of the format %s are not implemented",
                              block->surface.format->name);
    if (request_writes(request) && (block->x % 4 != 0 || block->width % 4 != 0))
        return request_refuse(request, "X %lld and width %u are not dword aligned", (long long)block->x, block->width);
    return true;
}

static enum message_effect move_block(struct request *request, const struct block *block)
{
    for (unsigned row = 0; row < block->rows; row++) {
        bool done = request_writes(request) ? write_row(request, block, row)
                                            : read_row(request, block, row, request->message->dst + row * block->pitch);
        if (!done)
            return MESSAGE_FAULT;
    }
    return MESSAGE_DONE;
}

static enum message_effect read_nothing(struct request *request)
{
    if (!request_writes(request) && request->message->dst)
        memset(request->message->dst, 0, request->return_bytes);
    return MESSAGE_DONE;
}

enum message_effect message_media_block(struct request *request)
{
    struct block block = {.x = (int32_t)request_header(request, 0), .y = (int32_t)request_header(request, 1)};
    unsigned index = request->descriptor & 255;
    request_media_block(request, &block.width, &block.rows, &block.pitch);
    if (!surface_open(request, index, &block.surface))
        return MESSAGE_FAULT;
    if (block.surface.type == SURFACE_NULL)
        return read_nothing(request);
    if (!check_block(request, index, &block) || !choose_field(request, &block.surface))
        return MESSAGE_FAULT;
    /* These messages use the surface's width in dwords for every format: the driver's setWidthForMediaBlockSurfaceState
     * and CM's own runtime write it so. */
    block.width_bytes = (int64_t)block.surface.width * 4;
    return move_block(request, &block);
}

/* Reads the shape from the payload and compares it with the registers that the message has. */
static bool read_typed_shape(struct request *request, struct block *block)
{
    enum { MOST_WIDTH = 64, MOST_ROWS = 64, MOST_BYTES = 256 };
    uint32_t shape = request_header(request, 7);
    block->width = (shape & 255) + 1;
    block->rows = (shape >> 8 & 255) + 1;
    for (block->pitch = 4; block->pitch < block->width;)
        block->pitch *= 2;
    if (block->width > MOST_WIDTH || block->rows > MOST_ROWS || block->pitch * block->rows > MOST_BYTES)
        return request_refuse(request, "a block of %u bytes by %u rows does not exist", block->width, block->rows);
    unsigned data = (block->pitch * block->rows + request->register_bytes - 1) / request->register_bytes;
    unsigned have = request_writes(request) ? request->message->src1_regs : request->message->dst_regs;
    bool only_fetches = !request_writes(request) && have == 0;
    return have == data || only_fetches ||
           request_refuse(request, "a block of %u bytes by %u rows takes %u registers, not %u", block->width,
                          block->rows, data, have);
}

/* The surface's width is in pixels: drivers do not change it for these messages (supportsMediaBlock is false). */
enum message_effect message_lsc_typed_block(struct request *request)
{
    struct block block = {.x = (int32_t)request_header(request, 5), .y = (int32_t)request_header(request, 6)};
    unsigned index = lsc_surface_index(request);
    if (!read_typed_shape(request, &block) || !surface_open(request, index, &block.surface))
        return MESSAGE_FAULT;
    request->elements = block.width * block.rows; /* for the statistics */
    request->element_bytes = 1;
    if (block.surface.type == SURFACE_NULL)
        return read_nothing(request);
    if (!check_block(request, index, &block))
        return MESSAGE_FAULT;
    block.width_bytes = (int64_t)block.surface.width * block.surface.format->bytes;
    return request_writes(request) || request->message->dst ? move_block(request, &block) : MESSAGE_DONE;
}
