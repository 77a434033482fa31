/* Checks media blocks and typed messages on images: tiling, edges, formats. */
#include <math.h>
#include "sim/message/tally.h"
#include "world.h"

enum { DATA1 = 12, LINEAR = 0, TILE_X = 2, TILE_Y = 3 };
enum {
    R32_UINT = 0xd7,
    R8_UNORM = 0x140,
    R11G11B10_FLOAT = 0xd3,
    R8G8B8A8_UNORM = 0xc7,
    R8G8B8A8_UINT = 0xcb,
    B8G8R8A8_UNORM = 0xc0,
    R16_UINT = 0x10d,
    R16G16B16A16_FLOAT = 0x84,
    R32G32B32A32_UINT = 2,
    R8_SINT = 0x142,
    YCRCB_NORMAL = 0x182
};

/* Offset of byte x, row y in a Y-tiled surface, from the definition as an interleaving of address bits: within a 4 KiB
 * tile bits 3:0 are x3..x0, bits 8:4 are y4..y0, bits 11:9 are x6..x4. */
static uint32_t y_tiled(uint32_t x, uint32_t y, uint32_t pitch)
{
    uint32_t offset = 0;
    for (unsigned bit = 0; bit < 4; bit++)
        offset |= (x >> bit & 1) << bit;
    for (unsigned bit = 0; bit < 5; bit++)
        offset |= (y >> bit & 1) << (bit + 4);
    for (unsigned bit = 4; bit < 7; bit++)
        offset |= (x >> bit & 1) << (bit + 5);
    return offset + (x >> 7) * 4096 + (y >> 5) * (pitch >> 7) * 4096;
}

/* The same for X tiles: bits 8:0 are x8..x0, bits 11:9 are y2..y0. */
static uint32_t x_tiled(uint32_t x, uint32_t y, uint32_t pitch)
{
    uint32_t offset = 0;
    for (unsigned bit = 0; bit < 9; bit++)
        offset |= (x >> bit & 1) << bit;
    for (unsigned bit = 0; bit < 3; bit++)
        offset |= (y >> bit & 1) << (bit + 9);
    return offset + (x >> 9) * 4096 + (y >> 3) * (pitch >> 9) * 4096;
}

/* Reads (type 4) or writes (type 10) a block; data of a write is in send[1..]. */
static enum message_effect media(struct world *world, unsigned type, unsigned index, int x, int y, unsigned width,
                                 unsigned rows)
{
    unsigned pitch = 4;
    while (pitch < width)
        pitch *= 2;
    unsigned registers = (pitch * rows + 31) / 32;
    memset(world->send[0], 0, 32);
    world->send[0][0] = (uint32_t)x;
    world->send[0][1] = (uint32_t)y;
    world->send[0][2] = (width - 1) | (rows - 1) << 16;
    uint32_t descriptor =
        type == 4 ? data_port(4, 0, index, 1, registers, true) : data_port(10, 0, index, 1 + registers, 0, true);
    return world_send(world, DATA1, descriptor, 0, 1, 1);
}

static uint8_t returned_byte(const struct world *world, unsigned at)
{
    return ((const uint8_t *)world->back)[at];
}

/* 8-bit pixels, linear: pixel (x, y) holds 16 * y + x. Block messages count the surface's width in dwords. */
static void media_read_repeats_edge_pixels(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8_UNORM, .width = 12 / 4, .height = 4, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 64; x++)
            world->data[y * 64 + x] = (uint8_t)(x < 12 ? 16 * y + x : 0xee);
    /* 20 wide from x = -3, 6 rows from y = -1; the register's pitch is 32 */
    CHECK_EQUAL(media(world, 4, 1, -3, -1, 20, 6), MESSAGE_DONE);
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 20; column++) {
            int x = column - 3, y = row - 1;
            x = x < 0 ? 0 : x > 11 ? 11 : x;
            y = y < 0 ? 0 : y > 3 ? 3 : y;
            CHECK_EQUAL(returned_byte(world, (unsigned)(row * 32 + column)), 16 * y + x);
        }
    /* wholly beyond the corner */
    CHECK_EQUAL(media(world, 4, 1, 100, 100, 4, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0x3b3b3b3b);
    CHECK_EQUAL(media(world, 4, 1, -100, 1, 4, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0x10101010);
}

/* 32-bit pixels repeat whole; the X offset counts bytes. */
static void media_read_repeats_wide_pixels(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8G8B8A8_UNORM, .width = 3, .height = 2, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned x = 0; x < 3; x++)
        set_data_dword(world, x * 4, 0x03020100 + x * 0x10101010);
    CHECK_EQUAL(media(world, 4, 1, -8, 0, 24, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0x03020100);
    CHECK_EQUAL(world->back[0][1], 0x03020100);
    CHECK_EQUAL(world->back[0][3], 0x13121110);
    CHECK_EQUAL(world->back[0][5], 0x23222120);
    CHECK_EQUAL(media(world, 4, 1, 10, 0, 8, 1), MESSAGE_DONE); /* starts inside pixel 2 */
    CHECK_EQUAL(world->back[0][0], 0x21202322);
    CHECK_EQUAL(world->back[0][1], 0x21202322);
}

/* Y0 U Y1 V pairs: left of the surface Y0, right of it Y1 of the edge pair. */
static void media_read_repeats_luma(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = YCRCB_NORMAL, .width = 1, .height = 1, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    set_data_dword(world, 0, 0x56bb55aa); /* Y0 aa, U 55, Y1 bb, V 56 */
    CHECK_EQUAL(media(world, 4, 1, -4, 0, 12, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0x56aa55aa);
    CHECK_EQUAL(world->back[0][1], 0x56bb55aa);
    CHECK_EQUAL(world->back[0][2], 0x56bb55bb);
}

static void media_follows_tiles(struct world *world)
{
    static const uint32_t tilings[] = {TILE_X, TILE_Y};
    for (unsigned t = 0; t < 2; t++) {
        struct image_shape shape = {
            .type = 1, .format = R8_UNORM, .tiling = tilings[t], .width = 1000 / 4, .height = 30, .pitch = 1024};
        uint32_t (*offset)(uint32_t, uint32_t, uint32_t) = tilings[t] == TILE_X ? x_tiled : y_tiled;
        world_bind_image(world, 1, 0, &shape);
        for (unsigned i = 0; i < 32768; i++)
            world->data[i] = (uint8_t)(i * 7 + i / 256);
        CHECK_EQUAL(media(world, 4, 1, 501, 6, 29, 8), MESSAGE_DONE);
        for (unsigned row = 0; row < 8; row++)
            for (unsigned column = 0; column < 29; column++)
                CHECK_EQUAL(returned_byte(world, row * 32 + column), world->data[offset(501 + column, 6 + row, 1024)]);
        for (unsigned i = 0; i < 64; i++)
            world->send[1 + i / 8][i % 8] = 0x1000 + i;
        CHECK_EQUAL(media(world, 10, 1, 500, 6, 32, 8), MESSAGE_DONE);
        for (unsigned row = 0; row < 8; row++)
            for (unsigned dword = 0; dword < 8; dword++)
                CHECK_EQUAL(data_dword(world, offset(500 + dword * 4, 6 + row, 1024)), 0x1000 + row * 8 + dword);
    }
}

/* A frame of eight rows: control 6 takes rows 0, 2, 4, 6, control 7 the others. The surface state can select the same
 * rows. */
static void media_fields(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8_UNORM, .width = 4 / 4, .height = 8, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned y = 0; y < 8; y++)
        set_data_dword(world, y * 64, 100 + y);
    memset(world->send[0], 0, 32);
    world->send[0][1] = 1;             /* the field's row 1 */
    world->send[0][2] = 3u | 3u << 16; /* four bytes, four rows: one beyond the field's end */
    for (unsigned field = 0; field < 2; field++) {
        CHECK_EQUAL(world_send(world, DATA1, data_port(4, 6 + field, 1, 1, 1, true), 0, 1, 1), MESSAGE_DONE);
        for (unsigned row = 0; row < 4; row++)
            CHECK_EQUAL(world->back[0][row], 100 + 2 * (row < 3 ? row + 1 : 3) + field);
    }
    world_send(world, DATA1, data_port(4, 4, 1, 1, 1, true), 0, 1, 1);
    CHECK_FAULT(world, "vertical line stride override 4");
    shape.height = 4;
    world_bind_image(world, 1, 0, &shape);
    world_surface_state(world, 1)[0] |= 1u << 11 | 1u << 10;
    CHECK_EQUAL(world_send(world, DATA1, data_port(4, 0, 1, 1, 1, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 103);
    CHECK_EQUAL(world->back[0][3], 107);
}

/* Every width and number of rows: blocks of up to 256 bytes of registers are read, others are rejected (PRM volume 2d,
 * MDC_MB). */
static void media_shapes(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8_UNORM, .width = 128 / 4, .height = 70, .pitch = 128};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned i = 0; i < 128 * 70; i++)
        world->data[i] = (uint8_t)(i * 31 + i / 128);
    for (unsigned width = 1; width <= 64; width++) {
        unsigned most = width <= 4 ? 64 : width <= 8 ? 32 : width <= 16 ? 16 : width <= 32 ? 8 : 4;
        unsigned pitch = 256 / most;
        for (unsigned rows = 1; rows <= 64; rows++) {
            if (rows > most) {
                media(world, 4, 1, 3, 2, width, rows);
                CHECK_FAULT(world, "does not exist");
                continue;
            }
            CHECK_EQUAL(media(world, 4, 1, 3, 2, width, rows), MESSAGE_DONE);
            for (unsigned row = 0; row < rows; row++)
                for (unsigned column = 0; column < width; column++)
                    CHECK_EQUAL(returned_byte(world, row * pitch + column), world->data[(2 + row) * 128 + 3 + column]);
        }
    }
}

static void media_write_drops_what_is_outside(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8_UNORM, .width = 16 / 4, .height = 2, .pitch = 32};
    world_bind_image(world, 1, 0x100, &shape);
    memset(world->data, 0xee, 0x200);
    for (unsigned i = 0; i < 16; i++)
        world->send[1 + i / 8][i % 8] = 0x1000 + i;
    /* 16 bytes by 4 rows at (8, -1): rows 1 and 2 of the block, their left halves */
    CHECK_EQUAL(media(world, 10, 1, 8, -1, 16, 4), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x100 + 4), 0xeeeeeeee);
    CHECK_EQUAL(data_dword(world, 0x100 + 8), 0x1004);
    CHECK_EQUAL(data_dword(world, 0x100 + 12), 0x1005);
    CHECK_EQUAL(data_dword(world, 0x100 + 16), 0xeeeeeeee);
    CHECK_EQUAL(data_dword(world, 0x100 + 32 + 12), 0x1009);
    CHECK_EQUAL(data_dword(world, 0x100 - 32 + 8), 0xeeeeeeee);
    CHECK_EQUAL(data_dword(world, 0x100 + 64 + 8), 0xeeeeeeee);
    media(world, 10, 1, 6, 0, 16, 1);
    CHECK_FAULT(world, "not dword aligned");
    media(world, 4, 1, 0, 0, 64, 5);
    CHECK_FAULT(world, "64 bytes by 5 rows");
    world_bind_buffer(world, 2, 0, 64);
    media(world, 4, 2, 0, 0, 4, 1);
    CHECK_FAULT(world, "no plain 2D surface");
}

/* U, V for eight channels in send[0], send[1]; then data. Slot group 1. */
static enum message_effect typed(struct world *world, unsigned type, unsigned index, unsigned masked,
                                 unsigned coordinates, unsigned components, uint32_t mask)
{
    bool is_read = type == 5;
    unsigned sent = coordinates + (is_read ? 0 : components);
    return world_send(world, DATA1, data_port(type, 0x10 | masked, index, sent, is_read ? components : 0, false), 0, 8,
                      mask);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static void typed_write_converts(struct world *world)
{
    static const struct {
        uint32_t format, channels[4], memory[2];
        bool is_float;
        float values[4];
    } cases[] = {
        /* 0.5 * 255 = 127.5 rounds to even 128; 2 clamps to 255; -1 to 0; 0.2 * 255 = 51 */
        {R8G8B8A8_UNORM, {0}, {0x3300ff80, 0}, true, {0.5f, 2.0f, -1.0f, 0.2f}},
        {B8G8R8A8_UNORM, {0}, {0x3380ff00, 0}, true, {0.5f, 1.0f, 0.0f, 0.2f}},
        /* 1.5 = 0x3e00, -2 = 0xc000, 65536 overflows to infinity 0x7c00, 2^-24 = 1 */
        {R16G16B16A16_FLOAT, {0}, {0xc0003e00, 0x00017c00}, true, {1.5f, -2.0f, 65536.0f, 0x1p-24f}},
        /* between two halves: to the even one, 0x3c00 and 0x3c02; the largest half is 65504; NaN stays one */
        {R16G16B16A16_FLOAT, {0}, {0x3c023c00, 0x7e007bff}, true, {1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65519.0f, NAN}},
        {R16_UINT, {70000, 0, 0, 0}, {0xffff, 0}, false, {0}},
        {R8_SINT, {(uint32_t)-300, 0, 0, 0}, {0x80, 0}, false, {0}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image_shape shape = {.type = 1, .format = cases[i].format, .width = 8, .height = 4, .pitch = 128};
        world_bind_image(world, 1, 0, &shape);
        memset(world->data, 0, 1024);
        memset(world->send, 0, sizeof world->send);
        world->send[1][0] = 2; /* V */
        for (unsigned c = 0; c < 4; c++)
            world->send[2 + c][0] = cases[i].is_float ? float_bits(cases[i].values[c]) : cases[i].channels[c];
        CHECK_EQUAL(typed(world, 13, 1, 0, 2, 4, 1), MESSAGE_DONE);
        CHECK_EQUAL(data_dword(world, 256), cases[i].memory[0]);
        CHECK_EQUAL(data_dword(world, 260), cases[i].memory[1]);
    }
}

static unsigned exact_messages, approximate_messages;

static void count_messages(const char *name, bool is_exact, uint64_t count)
{
    (void)name;
    *(is_exact ? &exact_messages : &approximate_messages) += (unsigned)count;
}

/* Sends red, green and blue once, and returns whether the message was exact. */
static bool short_floats_are_exact(struct world *world, const uint32_t rgb[3])
{
    struct message_tally *tally = calloc(1, message_tally_bytes());
    memset(world->send, 0, sizeof world->send);
    for (unsigned c = 0; c < 3; c++)
        world->send[2 + c][0] = rgb[c];
    world->state.tally = tally;
    world->once = true;
    CHECK_EQUAL(typed(world, 13, 1, 0, 2, 4, 1), MESSAGE_DONE);
    world->once = false;
    world->state.tally = NULL;
    exact_messages = approximate_messages = 0;
    message_tally_each(tally, count_messages);
    CHECK_EQUAL(exact_messages + approximate_messages, 1);
    free(tally);
    return exact_messages;
}

/* Floats of 11, 11 and 10 bits: every pattern that was read is written back exactly, except that NaNs become one NaN.
 * Other values are rounded to the nearest, which a real platform is not required to do. */
static void typed_write_of_short_floats(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R11G11B10_FLOAT, .width = 8, .height = 1, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (uint32_t field = 0; field <= 31u << 6; field++) {
        uint32_t pixel = field | field << 11 | field >> 1 << 22, rgb[3];
        set_data_dword(world, 0, pixel);
        memset(world->send, 0, sizeof world->send);
        CHECK_EQUAL(typed(world, 5, 1, 0, 2, 4, 1), MESSAGE_DONE);
        for (unsigned c = 0; c < 3; c++)
            rgb[c] = world->back[c][0];
        set_data_dword(world, 0, 0);
        CHECK_EQUAL(short_floats_are_exact(world, rgb), true);
        CHECK_EQUAL(data_dword(world, 0), pixel);
    }
    static const struct {
        float rgb[3];
        uint32_t red, green, blue;
    } rounded[] = {
        /* 1 + 1/128 is halfway to 1 + 1/64, 1 + 3/128 halfway between 1 + 1/64 and 1 + 2/64; blue has 5 bits */
        {{1 + 1 / 128.0f, 1 + 3 / 128.0f, 1 + 3 / 64.0f}, 15 << 6, 15 << 6 | 2, 15 << 5 | 2},
        /* below zero; the largest is 65024 (63 + 64 times 512), which 65280 is half a step above */
        {{-1, 65279, 65536}, 0, 30 << 6 | 63, 31 << 5},
        /* the least denormal is 2^-20, or 2^-19 of blue; and the largest that becomes a normal number */
        {{0x1.2p-20f, 0x1.fep-15f, 0x1.2p-19f}, 1, 1 << 6, 1},
    };
    for (unsigned i = 0; i < sizeof rounded / sizeof rounded[0]; i++) {
        uint32_t rgb[3];
        memcpy(rgb, rounded[i].rgb, sizeof rgb);
        CHECK_EQUAL(short_floats_are_exact(world, rgb), false);
        CHECK_EQUAL(data_dword(world, 0), rounded[i].red | rounded[i].green << 11 | rounded[i].blue << 22);
    }
}

/* Channel selects map a shader channel to the surface channel that it reads or writes. */
static void typed_access_selects_channels(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8G8B8A8_UINT, .width = 8, .height = 1, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    memset(world->send, 0, sizeof world->send);
    for (unsigned c = 0; c < 4; c++)
        world->send[2 + c][0] = 0x11 * (c + 1); /* red 11 to alpha 44 */
    /* red to green, green to blue, blue to alpha, alpha to red */
    world_surface_state(world, 1)[7] = 5u << 25 | 6u << 22 | 7u << 19 | 4u << 16;
    CHECK_EQUAL(typed(world, 13, 1, 0, 2, 4, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x33221144);
    CHECK_EQUAL(typed(world, 5, 1, 0, 2, 4, 1), MESSAGE_DONE);
    for (unsigned c = 0; c < 4; c++)
        CHECK_EQUAL(world->back[c][0], 0x11 * (c + 1));
    /* red and alpha alone, as sent: the surface's green and red */
    set_data_dword(world, 0, 0);
    world->send[3][0] = 0x55;
    CHECK_EQUAL(typed(world, 13, 1, 0x6, 2, 2, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x00001155);
    /* luminance: red is read three times, and alpha as one; the first of the values sent for red is stored */
    shape.format = R8G8B8A8_UNORM;
    world_bind_image(world, 1, 0, &shape);
    world_surface_state(world, 1)[7] = 4u << 25 | 4u << 22 | 4u << 19 | 1u << 16;
    for (unsigned c = 0; c < 4; c++)
        world->send[2 + c][0] = float_bits((float)(51 * c) / 255);
    world->send[2][0] = float_bits(1);
    CHECK_EQUAL(typed(world, 13, 1, 0, 2, 4, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x996633ff);
    CHECK_EQUAL(typed(world, 5, 1, 0, 2, 4, 1), MESSAGE_DONE);
    for (unsigned c = 0; c < 4; c++)
        CHECK_EQUAL(world->back[c][0], float_bits(1));
}

static void typed_access_follows_tiles_and_bounds(struct world *world)
{
    struct image_shape shape = {
        .type = 1, .format = R32_UINT, .tiling = TILE_Y, .width = 60, .height = 40, .pitch = 256};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned i = 0; i < 8; i++) {
        world->send[0][i] = 40 + 3 * i; /* the last, 61, is outside */
        world->send[1][i] = 30 + i;
        world->send[2][i] = 900 + i;
    }
    CHECK_EQUAL(typed(world, 13, 1, 0xe, 2, 1, 0xfd), MESSAGE_DONE);
    for (unsigned i = 0; i < 7; i++)
        CHECK_EQUAL(data_dword(world, y_tiled((40 + 3 * i) * 4, 30 + i, 256)), i == 1 ? 0 : 900 + i);
    CHECK_EQUAL(data_dword(world, y_tiled(61 * 4, 37, 256)), 0);
    CHECK_EQUAL(typed(world, 5, 1, 0xe, 2, 1, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][6], 906);
    CHECK_EQUAL(world->back[0][1], 0);
    CHECK_EQUAL(world->back[0][7], 0);
}

/* 4 by 2 pixels by 3 slices that are 8 rows apart. */
static void typed_slices(struct world *world)
{
    static const struct image_shape shapes[] = {
        {.type = 2, .format = R32_UINT, .width = 4, .height = 2, .depth = 3, .pitch = 64, .slice_pitch = 8},
        {.type = 1,
         .format = R32_UINT,
         .width = 4,
         .height = 2,
         .depth = 3,
         .pitch = 64,
         .slice_pitch = 8,
         .is_array = true}};
    for (unsigned s = 0; s < 2; s++) {
        memset(world->data, 0, 4096);
        world_bind_image(world, 1, 0, &shapes[s]);
        memset(world->send, 0, sizeof world->send);
        for (unsigned i = 0; i < 4; i++) {
            world->send[0][i] = 1; /* U */
            world->send[1][i] = 1; /* V */
            world->send[2][i] = i; /* R: 3 is outside */
            world->send[3][i] = 70 + i;
        }
        CHECK_EQUAL(typed(world, 13, 1, 0xe, 3, 1, 0xf), MESSAGE_DONE);
        for (unsigned i = 0; i < 4; i++)
            CHECK_EQUAL(data_dword(world, (8 * i + 1) * 64 + 4), i < 3 ? 70 + i : 0);
    }
}

/* Level 1 of a surface with two, below level 0: by the LOD coordinate, and as the surface's least level. */
static void typed_levels(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R32_UINT, .width = 8, .height = 8, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    world_surface_state(world, 1)[0] |= 1u << 14 | 1u << 16;
    world_surface_state(world, 1)[5] = 1;
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 8; i++) {
        world->send[0][i] = i; /* U: 4 and more are outside of level 1 */
        world->send[3][i] = 1; /* LOD */
        world->send[4][i] = 50 + i;
    }
    CHECK_EQUAL(typed(world, 13, 1, 0xe, 4, 1, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 8 * 64 + 12), 53);
    CHECK_EQUAL(data_dword(world, 8 * 64 + 16), 0);
    CHECK_EQUAL(data_dword(world, 0), 0);
    world_surface_state(world, 1)[5] = 1u << 4;
    CHECK_EQUAL(typed(world, 5, 1, 0xe, 2, 1, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][3], 53);
    CHECK_EQUAL(world->back[0][4], 0);
}

/* The second half of a SIMD16 instruction: slot group 2 takes channels 8 to 15. */
static void typed_upper_slots(struct world *world)
{
    world_bind_typed_buffer(world, 1, R32_UINT, 0, 64);
    for (unsigned i = 0; i < 8; i++) {
        world->send[0][i] = i;
        world->send[1][i] = 30 + i;
    }
    CHECK_EQUAL(world_send(world, DATA1, data_port(13, 0x2e, 1, 2, 0, false), 0, 16, 0x01ff), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 30);
    CHECK_EQUAL(data_dword(world, 4), 0);
}

static void surfaces_not_implemented_are_faults(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R32_UINT, .width = 4, .height = 2, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    world_surface_state(world, 1)[0] = 1u << 29 | 0x150u << 18;
    typed(world, 5, 1, 0xe, 2, 1, 0xff);
    CHECK_FAULT(world, "format 0x150");
    world_surface_state(world, 1)[0] = 1u << 29 | 0x0d3u << 18;
    CHECK_EQUAL(typed(world, 5, 1, 0xe, 2, 1, 1), MESSAGE_DONE);
    world_bind_image(world, 1, 0, &shape);
    world_surface_state(world, 1)[6] = 5;
    typed(world, 5, 1, 0xe, 2, 1, 0xff);
    CHECK_FAULT(world, "auxiliary surface mode 5");
    shape.tiling = TILE_Y;
    world_bind_image(world, 1, 0, &shape);
    typed(world, 5, 1, 0xe, 2, 1, 0xff);
    CHECK_FAULT(world, "pitch 64");
    shape.tiling = LINEAR;
    world_bind_image(world, 1, DATA_BYTES - 64, &shape);
    world->send[0][0] = 0;
    world->send[1][0] = 1;
    typed(world, 5, 1, 0xe, 2, 1, 1);
    CHECK_FAULT(world, "typed surface read");
    CHECK_EQUAL(world->fault.address, DATA_AT + DATA_BYTES);
}

int main(void)
{
    static world_test *const tests[] = {
        media_read_repeats_edge_pixels,
        media_read_repeats_wide_pixels,
        media_read_repeats_luma,
        media_follows_tiles,
        media_fields,
        media_shapes,
        media_write_drops_what_is_outside,
        typed_write_converts,
        typed_write_of_short_floats,
        typed_access_selects_channels,
        typed_access_follows_tiles_and_bounds,
        typed_slices,
        typed_levels,
        typed_upper_slots,
        surfaces_not_implemented_are_faults,
    };
    return world_run(tests, sizeof tests / sizeof tests[0]);
}
