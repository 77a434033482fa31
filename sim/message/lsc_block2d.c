/* Performs loads, prefetches and stores of 2D blocks through the load/store cache. The payload is one register: base of
 * the matrix (64 bits), its width, height and pitch in bytes less one, x and y of the block in elements, and in dword 7
 * the block's width and height less one (bits 7:0 and 15:8) and the number of blocks less one (19:16).
 *
 * Layout in registers: rows of a block are padded to a power of two of elements, blocks to whole registers. Transposed,
 * a row is a column of the matrix; with VNNI (bit 7 of the descriptor) a dword holds neighbours of a column. What lies
 * outside of the matrix reads as zero and is not written.
 *
 * Sources: vISA's specification, LSC_UNTYPED; IGC's lscBuildBlock2DPayload and lscBlock2dComputeDataRegs; limits of
 * surface and block: Khronos's SPV_INTEL_2d_block_io and the variants that IGC supports. */
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"

enum {
    VNNI_BIT = 7,
    RESERVED_BITS = 1 << 8 | 7 << 12,
    TRANSPOSED_BIT = 15,
    ALL_REGISTERS = 32,
    ALL_REGISTERS_CODE = 31,
    BASE_ALIGNMENT = 64,
    LEAST_BYTES = 64,
    LEAST_BYTES_NARROW = 32,
    MOST_BYTES = 1 << 24,
    PITCH_ALIGNMENT = 8,
    DWORD = 4
};

struct block2d {
    uint64_t base;
    uint32_t surface_width, surface_height, pitch; /* bytes, rows, bytes */
    int32_t x, y;                                  /* elements, rows */
    unsigned width, height, blocks;                /* elements, rows */
    unsigned bytes;                                /* of an element */
    bool transposed, vnni;
    unsigned row_pitch, block_pitch; /* elements, in registers */
};

static unsigned power_of_two_at_least(unsigned n)
{
    unsigned power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static unsigned elements_in_dword(const struct block2d *b)
{
    return b->bytes < DWORD ? DWORD / b->bytes : 1;
}

/* Where element (x, y) of block `block` lies in the registers, in elements. */
static unsigned place_of(const struct block2d *b, unsigned block, unsigned x, unsigned y)
{
    unsigned first = block * b->block_pitch, packed = elements_in_dword(b);
    if (b->transposed)
        return first + x * b->row_pitch + y;
    if (b->vnni)
        return first + y / packed * packed * b->row_pitch + x * packed + y % packed;
    return first + y * b->row_pitch + x;
}

static bool check_descriptor(struct request *request, const struct block2d *b)
{
    if (request->descriptor & RESERVED_BITS)
        return request_refuse(request, "descriptor 0x%08x has bits that are reserved", request->descriptor);
    if (lsc_base(request) != LSC_FLAT)
        return request_refuse(request, "a 2D block of a surface: they are in flat memory only");
    if (request->descriptor >> 9 & 4)
        return request_refuse(request, "data size %u is not for 2D blocks", request->descriptor >> 9 & 7);
    if (b->transposed && b->vnni)
        return request_refuse(request, "a block that is both transposed and transformed (VNNI)");
    if (request_writes(request) && (b->transposed || b->vnni))
        return request_refuse(request, "a transposed or transformed block is not stored");
    if (b->vnni && b->bytes >= DWORD)
        return request_refuse(request, "VNNI of elements of %u bits; there is VNNI of 8 and 16", b->bytes * 8);
    if (b->transposed && b->bytes < DWORD)
        return request_refuse(request, "transposed elements of %u bits; there are some of 32 and 64", b->bytes * 8);
    return true;
}

bool lsc_block2d_decode(struct request *request)
{
    const struct message *message = request->message;
    struct block2d b = {.bytes = 1u << (request->descriptor >> 9 & 3),
                        .transposed = request->descriptor >> TRANSPOSED_BIT & 1,
                        .vnni = request->descriptor >> VNNI_BIT & 1};
    if (!check_descriptor(request, &b))
        return false;
    if (message->src0_regs != 1 || !message->src0)
        return request_refuse(request, "a 2D block sends 1 register of addresses, not %u", message->src0_regs);
    request->elements = 1;
    request->element_bytes = b.bytes;
    request->data_at = request->register_bytes;
    request->return_bytes = message->dst_regs * request->register_bytes;
    return true;
}

static int32_t sign_extended(uint32_t value, unsigned low, unsigned count)
{
    return (int32_t)(value << (32 - low - count)) >> (32 - count);
}

static struct block2d block_of(const struct request *request)
{
    enum { WIDTH = 2, HEIGHT, PITCH, X, Y, SHAPE };
    uint32_t shape = request_header(request, SHAPE), extended = request->message->extended;
    struct block2d b = {
        .base = request_header(request, 0) | (uint64_t)request_header(request, 1) << 32,
        .surface_width = request_header(request, WIDTH) + 1,
        .surface_height = request_header(request, HEIGHT) + 1,
        .pitch = request_header(request, PITCH) + 1,
        .x = (int32_t)request_header(request, X),
        .y = (int32_t)request_header(request, Y),
        .width = (shape & 255) + 1,
        .height = (shape >> 8 & 255) + 1,
        .blocks = (shape >> 16 & 15) + 1,
        .bytes = request->element_bytes,
        .transposed = request->descriptor >> TRANSPOSED_BIT & 1,
        .vnni = request->descriptor >> VNNI_BIT & 1,
    };
    if (platform_has(request->message->state->platform, FEATURE_LSC_OFFSETS)) {
        b.x = (int32_t)((uint32_t)b.x + (uint32_t)sign_extended(extended, 12, 10));
        b.y = (int32_t)((uint32_t)b.y + (uint32_t)sign_extended(extended, 22, 10));
    }
    unsigned in_register = request->register_bytes / b.bytes, packed = elements_in_dword(&b);
    unsigned rows = b.transposed ? b.width : b.vnni ? (b.height + packed - 1) / packed * packed : b.height;
    b.row_pitch = power_of_two_at_least(b.transposed ? b.height : b.width);
    b.block_pitch = (rows * b.row_pitch + in_register - 1) / in_register * in_register;
    return b;
}

static bool check_surface(struct request *request, const struct block2d *b)
{
    unsigned step = b->bytes < DWORD ? DWORD : b->bytes;
    bool is_narrow = platform_has(request->message->state->platform, FEATURE_NARROW_MATRICES);
    unsigned least = is_narrow ? LEAST_BYTES_NARROW : LEAST_BYTES;
    if (b->base % BASE_ALIGNMENT != 0)
        return request_refuse(request, "the matrix at 0x%llx does not start at a multiple of %u bytes",
                              (unsigned long long)b->base, BASE_ALIGNMENT);
    if (b->surface_width - 1 >= MOST_BYTES || b->surface_width < least || b->surface_width % step != 0)
        return request_refuse(request, "a matrix %u bytes wide; it has %u to %u, a multiple of %u", b->surface_width,
                              least, MOST_BYTES, step);
    if (b->surface_height - 1 >= MOST_BYTES)
        return request_refuse(request, "a matrix of %u rows; it has at most %u", b->surface_height, MOST_BYTES);
    if (b->pitch - 1 >= MOST_BYTES || b->pitch < b->surface_width || b->pitch % PITCH_ALIGNMENT != 0)
        return request_refuse(request,
                              "rows that are %u bytes apart in a matrix %u bytes wide; they are at least as far apart "
                              "as wide, a multiple of %u, at most %u",
                              b->pitch, b->surface_width, PITCH_ALIGNMENT, MOST_BYTES);
    if ((uint32_t)b->x * b->bytes % DWORD != 0)
        return request_refuse(request, "a block from element %d of %u bits on; it starts at a multiple of 32 bits",
                              b->x, b->bytes * 8);
    return true;
}

static bool check_shape(struct request *request, const struct block2d *b)
{
    enum { MOST_ROWS = 32, MOST_STORED = 8, MOST_WIDTH = 64, MOST_TRANSPOSED = 8 };
    unsigned most_blocks = request_writes(request) || b->transposed ? 1 : b->bytes == 8 ? 1 : b->bytes == 4 ? 2 : 4;
    unsigned most_rows = request_writes(request) ? MOST_STORED : MOST_ROWS;
    if (b->blocks > most_blocks || b->blocks == 3)
        return request_refuse(request, "%u blocks of elements of %u bits; there are 1, 2 or 4, here at most %u",
                              b->blocks, b->bytes * 8, most_blocks);
    if (b->width * b->bytes % DWORD != 0 || b->width * b->bytes * b->blocks > MOST_WIDTH)
        return request_refuse(request, "%u blocks of %u bytes a row; a row has a multiple of 4, all blocks at most %u",
                              b->blocks, b->width * b->bytes, MOST_WIDTH);
    if (b->height > most_rows)
        return request_refuse(request, "a block of %u rows; it has at most %u", b->height, most_rows);
    if (b->vnni && b->height % elements_in_dword(b) != 0)
        return request_refuse(request, "a VNNI block of %u rows; they fill whole dwords, %u each", b->height,
                              elements_in_dword(b));
    if (b->transposed && b->bytes == 4 && b->width > MOST_TRANSPOSED)
        return request_refuse(request, "a transposed block of %u columns; it has at most %u", b->width,
                              MOST_TRANSPOSED);
    if (b->transposed && b->bytes == 8 && (b->height != MOST_TRANSPOSED || b->width > 4 || b->width == 3))
        return request_refuse(request,
                              "a transposed block of %u rows and %u columns of 64 bits; it has 8 and 1, 2 or 4",
                              b->height, b->width);
    return true;
}

/* The registers that were sent or that the reply fills; all 32 are written as 31. */
static bool check_registers(struct request *request, const struct block2d *b)
{
    const struct message *message = request->message;
    unsigned want = b->blocks * b->block_pitch * b->bytes / request->register_bytes;
    if (request_writes(request))
        return (message->src1_regs == want && message->src1 && message->dst_regs == 0) ||
               request_refuse(request, "data has %u registers where the block needs %u", message->src1_regs, want);
    if (message->src1_regs != 0)
        return request_refuse(request, "data has %u registers where a load has none", message->src1_regs);
    if (message->dst_regs == ALL_REGISTERS_CODE && want == ALL_REGISTERS)
        return message->dst_room >= ALL_REGISTERS ||
               request_refuse(request, "the block needs %u registers, behind its destination are %u", want,
                              message->dst_room);
    return message->dst_regs == 0 || message->dst_regs == want ||
           request_refuse(request, "destination has %u registers where the block needs %u", message->dst_regs, want);
}

/* One element. Outside of the matrix nothing is accessed. */
static bool move_element(struct request *request, const struct target *target, const struct block2d *b, int64_t x,
                         int64_t y, unsigned place)
{
    uint8_t *memory = NULL;
    int64_t byte = x * b->bytes;
    if (x < 0 || y < 0 || y >= b->surface_height || byte + b->bytes > b->surface_width)
        return true;
    uint64_t address = b->base + (uint64_t)y * b->pitch + (uint64_t)byte;
    if (target_at(request, target, address, b->bytes, &memory) != REACH_INSIDE)
        return false;
    if (request_writes(request))
        memcpy(memory, request_payload(request, request->data_at + place * b->bytes), b->bytes);
    else if (request->message->dst_regs)
        memcpy(request->message->dst + place * b->bytes, memory, b->bytes);
    return true;
}

enum message_effect message_lsc_block2d(struct request *request)
{
    struct block2d b = block_of(request);
    struct target target = {.kind = TARGET_FLAT, .is_64_bit = true};
    if (!(request->mask & 1))
        return MESSAGE_DONE;
    if (!check_surface(request, &b) || !check_shape(request, &b) || !check_registers(request, &b))
        return MESSAGE_FAULT;
    request->elements = b.blocks * b.width * b.height; /* for the statistics */
    request->element_bytes = b.bytes;
    if (request->message->dst_regs)
        memset(request->message->dst, 0, (size_t)b.blocks * b.block_pitch * b.bytes);
    for (unsigned block = 0; block < b.blocks; block++)
        for (unsigned y = 0; y < b.height; y++)
            for (unsigned x = 0; x < b.width; x++)
                if (!move_element(request, &target, &b, (int64_t)b.x + block * b.width + x, (int64_t)b.y + y,
                                  place_of(&b, block, x, y)))
                    return MESSAGE_FAULT;
    return MESSAGE_DONE;
}
