/* Checks sampler messages on a small image whose texel (x, y) holds 10 * y + x. */
#include "world.h"

enum {
    SAMPLER = 2,
    R32_FLOAT = 0xd8,
    R16_FLOAT = 0x10e,
    R8_UINT = 0x143,
    R8G8B8A8_UNORM = 0xc7,
    R8G8B8A8_SRGB = 0xc8,
    A8_UNORM = 0x144
};
enum { SAMPLE = 0, SAMPLE_L = 2, LD = 7, GATHER4 = 8, RESINFO = 10, SAMPLEINFO = 11, SAMPLE_LZ = 0x18, LD_LZ = 0x1a };
enum { WRAP = 0, MIRROR = 1, CLAMP = 2, BORDER = 4, MIRROR_ONCE = 5 };
enum { BORDER_AT = 0x3800, WIDTH = 4, HEIGHT = 3 };

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static float returned(const struct world *world, unsigned reg, unsigned channel)
{
    float value;
    memcpy(&value, &world->back[reg][channel], 4);
    return value;
}

static void bind_image(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R32_FLOAT, .width = WIDTH, .height = HEIGHT, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            set_data_dword(world, y * 64 + x * 4, float_bits((float)(10 * y + x)));
}

/* Sampler state 2. Border colour: red 99, alpha 1. */
static void set_sampler(struct world *world, bool linear, bool unnormalized, unsigned mode)
{
    uint32_t *state = (uint32_t *)(void *)(world->heap + SAMPLERS_AT + 32);
    float border[4] = {99, 98, 97, 1};
    memcpy(world->heap + BORDER_AT, border, sizeof border);
    state[0] = linear ? 1u << 14 | 1u << 17 : 0;
    state[1] = 0;
    state[2] = BORDER_AT;
    state[3] = mode | mode << 3 | mode << 6 | (unnormalized ? 1u << 10 : 0);
    if (linear)
        state[3] |= 0x3fu << 13; /* rounding of all coordinates */
}

/* SIMD8 message with sampler 2, surface 1. */
static enum message_effect sampler(struct world *world, unsigned type, unsigned parameters, unsigned returned_registers)
{
    return world_send(world, SAMPLER, parameters << 25 | returned_registers << 20 | 1u << 17 | type << 12 | 2u << 8 | 1,
                      0, 8, 0xff);
}

static void set_coordinates(struct world *world, unsigned reg, const float values[8])
{
    for (unsigned i = 0; i < 8; i++)
        world->send[reg][i] = float_bits(values[i]);
}

static void load_by_integer(struct world *world)
{
    bind_image(world);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 8; i++) {
        world->send[0][i] = i - 1; /* U: the first and those from 4 on are outside */
        world->send[1][i] = 2;
    }
    CHECK_EQUAL(sampler(world, LD_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0);
    CHECK_EQUAL(returned(world, 0, 1), 20);
    CHECK_EQUAL(returned(world, 0, 4), 23);
    CHECK_EQUAL(world->back[0][5], 0);
    CHECK_EQUAL(world->back[1][1], 0);                /* no green */
    CHECK_EQUAL(world->back[3][1], float_bits(1.0f)); /* alpha */
    /* ld has the LOD between V and R */
    world->send[2][3] = 1;
    CHECK_EQUAL(sampler(world, LD, 3, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][3], 0); /* there is no level 1 */
    CHECK_EQUAL(returned(world, 0, 4), 23);
    world->send[2][3] = 0;
    CHECK_EQUAL(sampler(world, LD, 3, 1), MESSAGE_DONE); /* a short answer: red only */
    CHECK_EQUAL(returned(world, 0, 2), 21);
    sampler(world, LD, 3, 5);
    CHECK_FAULT(world, "returns 5 registers");
}

static void nearest_takes_the_texel_around(struct world *world)
{
    bind_image(world);
    set_sampler(world, false, true, CLAMP);
    set_coordinates(world, 0, (float[]){-5, 0, 0.99f, 1, 2.5f, 3.99f, 4, 100});
    set_coordinates(world, 1, (float[]){1, 1, 1, 1.5f, 0, -3, 2.99f, 3});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    static const float expected[8] = {10, 10, 10, 11, 2, 3, 23, 23};
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(returned(world, 0, i), expected[i]);
    /* normalized: 4 by 3 texels; with one level and one filter `sample` needs no level of detail */
    set_sampler(world, false, false, CLAMP);
    set_coordinates(world, 0, (float[]){0, 0.24f, 0.25f, 0.5f, 0.75f, 1, -1, 0});
    set_coordinates(world, 1, (float[]){0, 0, 0.5f, 0.34f, 0.99f, 0, 2, 0});
    static const float normalized[8] = {0, 0, 11, 12, 23, 3, 20, 0};
    CHECK_EQUAL(sampler(world, SAMPLE, 2, 4), MESSAGE_DONE);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(returned(world, 0, i), normalized[i]);
}

static void address_modes(struct world *world)
{
    static const float u[8] = {-4.5f, -1.5f, -0.5f, 0.5f, 3.5f, 4.5f, 7.5f, 8.5f};
    static const struct {
        unsigned mode;
        float expected[8];
    } cases[] = {
        /* texels -5 -2 -1 0 3 4 7 8 of a row 0 1 2 3 */
        {WRAP, {3, 2, 3, 0, 3, 0, 3, 0}},        {MIRROR, {3, 1, 0, 0, 3, 3, 0, 0}},
        {CLAMP, {0, 0, 0, 0, 3, 3, 3, 3}},       {BORDER, {99, 99, 99, 0, 3, 99, 99, 99}},
        {MIRROR_ONCE, {3, 1, 0, 0, 3, 3, 3, 3}},
    };
    bind_image(world);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_sampler(world, false, true, cases[i].mode);
        set_coordinates(world, 0, u);
        CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
        for (unsigned channel = 0; channel < 8; channel++)
            CHECK_EQUAL(returned(world, 0, channel), cases[i].expected[channel]);
    }
    set_sampler(world, false, true, 6);
    sampler(world, SAMPLE_LZ, 2, 4);
    CHECK_FAULT(world, "address mode 6");
}

static void linear_mixes_four_texels(struct world *world)
{
    bind_image(world);
    set_sampler(world, true, true, CLAMP);
    /* texel centres are at one half: 1.5, 1.5 is texel (1, 1); 2, 1 lies between (1..2, 0..1) */
    set_coordinates(world, 0, (float[]){1.5f, 2, 0, 1.75f, 4, 2.5f, 2.5f, 1});
    set_coordinates(world, 1, (float[]){1.5f, 1, 0, 1.5f, 3, 1.25f, 2, 2.5f});
    static const float expected[8] = {11, 6.5f, 0, 11.25f, 23, 9.5f, 17, 20.5f};
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL((uint64_t)(returned(world, 0, i) * 256), (uint64_t)(expected[i] * 256));
    /* at the border: half of texel 0 (10), half of the border's 99 */
    set_sampler(world, true, true, BORDER);
    set_coordinates(world, 0, (float[8]){0});
    set_coordinates(world, 1, (float[8]){1.5f});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL((uint64_t)(returned(world, 0, 0) * 256), (uint64_t)(54.5 * 256));
    /* sample_l: the LOD comes first */
    memset(world->send, 0, sizeof world->send);
    set_coordinates(world, 1, (float[8]){2.5f});
    set_coordinates(world, 2, (float[8]){0.5f});
    CHECK_EQUAL(sampler(world, SAMPLE_L, 3, 4), MESSAGE_DONE);
    CHECK_EQUAL(returned(world, 0, 0), 2);
}

/* Samples flush denormals to zeros of the same sign, both in texels and in results of a filter on normal texels; ld
 * returns the contents of memory. Integers and halves are not affected: the least half, 2^-24, is a normal float. */
static void samples_have_no_denormals(struct world *world)
{
    static const uint32_t texels[4] = {1, 0x807fffff, 0x00800000, 0x80800001};
    struct image_shape shape = {.type = 1, .format = R32_FLOAT, .width = WIDTH, .height = 1, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned i = 0; i < 4; i++)
        set_data_dword(world, i * 4, texels[i]);
    memset(world->send, 0, sizeof world->send);
    set_sampler(world, false, true, CLAMP);
    set_coordinates(world, 0, (float[8]){0, 1, 2, 3});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    static const uint32_t flushed[4] = {0, 0x80000000, 0x00800000, 0x80800001};
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQUAL(world->back[0][i], flushed[i]);
    for (unsigned i = 0; i < 4; i++)
        world->send[0][i] = i;
    CHECK_EQUAL(sampler(world, LD_LZ, 2, 4), MESSAGE_DONE);
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQUAL(world->back[0][i], texels[i]);
    /* a quarter of -2^-126 and three quarters of 2^-126 are 2^-127 */
    set_data_dword(world, 12, 0x80800000);
    set_sampler(world, true, true, CLAMP);
    set_coordinates(world, 0, (float[8]){2.75f});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0);
    shape.format = R8_UINT;
    world_bind_image(world, 1, 0, &shape);
    set_sampler(world, false, true, CLAMP);
    set_data_dword(world, 0, 7);
    set_coordinates(world, 0, (float[8]){0});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 7);
    shape.format = R16_FLOAT;
    world_bind_image(world, 1, 0, &shape);
    set_data_dword(world, 0, 1);
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], float_bits(0x1p-24f));
}

static void gather_takes_one_component(struct world *world)
{
    bind_image(world);
    set_sampler(world, true, true, CLAMP);
    set_coordinates(world, 0, (float[8]){2});
    set_coordinates(world, 1, (float[8]){1});
    CHECK_EQUAL(sampler(world, GATHER4, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(returned(world, 0, 0), 11); /* (1, 1) */
    CHECK_EQUAL(returned(world, 1, 0), 12); /* (2, 1) */
    CHECK_EQUAL(returned(world, 2, 0), 2);  /* (2, 0) */
    CHECK_EQUAL(returned(world, 3, 0), 1);  /* (1, 0) */
}

/* A header disables components and has the address of the sampler states; SIMD16 takes two registers for each
 * parameter. */
static void header_and_simd16(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8G8B8A8_UNORM, .width = 16, .height = 1, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned i = 0; i < 16; i++)
        set_data_dword(world, i * 4, 0xff000000u | i << 16 | 51);
    memset(world->send, 0, sizeof world->send);
    world->send[0][2] = 0xa << 12; /* green and alpha off */
    world->send[0][3] = SAMPLERS_AT;
    for (unsigned i = 0; i < 16; i++)
        world->send[1 + i / 8][i % 8] = i;
    uint32_t descriptor = 5u << 25 | 4u << 20 | 1u << 19 | 2u << 17 | LD_LZ << 12 | 2u << 8 | 1;
    CHECK_EQUAL(world_send(world, SAMPLER, descriptor, 0, 16, 0xfffe), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], FILLER);
    CHECK_EQUAL(world->back[0][1], float_bits(0.2f)); /* 51 / 255 */
    CHECK_EQUAL(world->back[3][7], float_bits(15 / 255.0f));
    /* 16-bit results: 0.2 is half 0x3266 */
    descriptor = 5u << 25 | 2u << 20 | 1u << 30 | 1u << 19 | 2u << 17 | LD_LZ << 12 | 2u << 8 | 1;
    CHECK_EQUAL(world_send(world, SAMPLER, descriptor, 0, 16, 0xfffe), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0x32660000 | (FILLER & 0xffff));
    CHECK_EQUAL(world->back[1][0] & 0xffff, FILLER & 0xffff);
    /* offset in texels: U + 3, V - 1 */
    world->send[0][2] = 3u << 8 | 0xfu << 4;
    for (unsigned i = 0; i < 16; i++)
        world->send[3 + i / 8][i % 8] = 1;
    descriptor = 5u << 25 | 8u << 20 | 1u << 19 | 2u << 17 | LD_LZ << 12 | 2u << 8 | 1;
    CHECK_EQUAL(world_send(world, SAMPLER, descriptor, 0, 16, 0xfffe), MESSAGE_DONE);
    CHECK_EQUAL(world->back[4][1], float_bits(4 / 255.0f));
    CHECK_EQUAL(world->back[5][5], 0);
}

static void formats_and_channel_select(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = R8_UINT, .width = 4, .height = 1, .pitch = 64};
    memset(world->send, 0, sizeof world->send);
    set_data_dword(world, 0, 0x404040c8);
    world_bind_image(world, 1, 0, &shape);
    CHECK_EQUAL(sampler(world, LD_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0xc8);
    CHECK_EQUAL(world->back[3][0], 1);
    shape.format = A8_UNORM;
    world_bind_image(world, 1, 0, &shape);
    CHECK_EQUAL(sampler(world, LD_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0);
    CHECK_EQUAL(world->back[3][0], float_bits(200 / 255.0f));
    /* red from alpha, green 1, blue 0 */
    world_surface_state(world, 1)[7] = 7u << 25 | 1u << 22 | 0u << 19 | 7u << 16;
    CHECK_EQUAL(sampler(world, LD_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], float_bits(200 / 255.0f));
    CHECK_EQUAL(world->back[1][0], float_bits(1.0f));
    CHECK_EQUAL(world->back[2][0], 0);
    /* sRGB 0x40: ((64/255 + 0.055) / 1.055) ^ 2.4 = 0.0512695; alpha stays linear: 0x40 / 255 */
    shape.format = R8G8B8A8_SRGB;
    world_bind_image(world, 1, 0, &shape);
    CHECK_EQUAL(sampler(world, LD_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL((uint64_t)(returned(world, 1, 0) * 1e6f), 51269);
    CHECK_EQUAL(world->back[3][0], float_bits(64 / 255.0f));
}

static void sizes_of_an_image(struct world *world)
{
    struct image_shape shape = {.type = 1,
                                .format = R8_UINT,
                                .width = 40,
                                .height = 30,
                                .depth = 5,
                                .pitch = 64,
                                .slice_pitch = 32,
                                .is_array = true};
    world_bind_image(world, 1, 0, &shape);
    memset(world->send, 0, sizeof world->send);
    CHECK_EQUAL(sampler(world, RESINFO, 1, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][7], 40);
    CHECK_EQUAL(world->back[1][7], 30);
    CHECK_EQUAL(world->back[2][7], 5);
    CHECK_EQUAL(world->back[3][7], 1);
    CHECK_EQUAL(sampler(world, SAMPLEINFO, 1, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 1);
}

/* An array's element is rounded (a half to the even one) and clamped; coordinates: U, V, element. */
static void slices_of_an_array(struct world *world)
{
    struct image_shape shape = {.type = 1,
                                .format = R8_UINT,
                                .width = 4,
                                .height = 2,
                                .depth = 3,
                                .pitch = 64,
                                .slice_pitch = 4,
                                .is_array = true};
    world_bind_image(world, 1, 0, &shape);
    for (unsigned slice = 0; slice < 3; slice++)
        set_data_dword(world, (4 * slice + 1) * 64, 0x01010101 * (slice + 1));
    set_sampler(world, false, true, CLAMP);
    set_coordinates(world, 0, (float[8]){0});
    for (unsigned i = 0; i < 8; i++)
        world->send[1][i] = float_bits(1.5f);
    set_coordinates(world, 2, (float[]){-1, 0.4f, 0.5f, 1.4f, 1.5f, 2, 9, 1});
    static const unsigned expected[8] = {1, 1, 1, 2, 3, 3, 3, 2};
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 3, 4), MESSAGE_DONE);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], expected[i]);
    set_sampler(world, true, true, CLAMP); /* integers have no linear filter: the nearest texel */
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 3, 4), MESSAGE_DONE);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], expected[i]);
    sampler(world, 9, 2, 4);
    CHECK_FAULT(world, "sampler lod");
}

/* A surface of 16 by 8 texels with four levels; each texel of level l holds l + 1. Level 1 is 8 by 4 and lies below
 * level 0, level 2 right of level 1, level 3 below level 2 (PRM volume 5, "Memory Data Formats", 2D surfaces). */
static void bind_levels(struct world *world, unsigned mip_filter)
{
    static const struct {
        unsigned x, y, width, height;
    } levels[4] = {{0, 0, 16, 8}, {0, 8, 8, 4}, {8, 8, 4, 2}, {8, 12, 2, 1}};
    struct image_shape shape = {.type = 1, .format = R32_FLOAT, .width = 16, .height = 8, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    memset(world->data, 0xee, sizeof world->data);
    for (unsigned l = 0; l < 4; l++)
        for (unsigned y = 0; y < levels[l].height; y++)
            for (unsigned x = 0; x < levels[l].width; x++)
                set_data_dword(world, (levels[l].y + y) * 64 + (levels[l].x + x) * 4, float_bits((float)(l + 1)));
    world_surface_state(world, 1)[0] |= 1u << 14 | 1u << 16; /* levels aligned to four */
    world_surface_state(world, 1)[5] = 3;                    /* three levels more */
    set_sampler(world, true, false, CLAMP);
    uint32_t *state = (uint32_t *)(void *)(world->heap + SAMPLERS_AT + 32);
    state[0] |= mip_filter << 20;
    state[1] = 14u << 16; /* largest LOD: 14.0 */
}

static void levels_of_detail(struct world *world)
{
    uint32_t *state = (uint32_t *)(void *)(world->heap + SAMPLERS_AT + 32);
    memset(world->send, 0, sizeof world->send);
    bind_levels(world, 1);
    set_coordinates(world, 0, (float[]){0, 0.4f, 0.5f, 1.2f, 2, 3, 9, -2}); /* LOD */
    for (unsigned i = 0; i < 8; i++)
        world->send[1][i] = world->send[2][i] = float_bits(0.5f);
    CHECK_EQUAL(sampler(world, SAMPLE_L, 3, 4), MESSAGE_DONE);
    static const float nearest[8] = {1, 1, 2, 2, 3, 4, 4, 1};
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], float_bits(nearest[i]));
    bind_levels(world, 3);
    CHECK_EQUAL(sampler(world, SAMPLE_L, 3, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][2], float_bits(1.5f));
    CHECK_EQUAL(world->back[0][3], float_bits(2 + 51 / 256.0f)); /* 0.2 of 256 parts */
    CHECK_EQUAL(world->back[0][6], float_bits(4));
    state[0] |= 0x1f80u << 1; /* bias -0.5 */
    state[1] = 2u << 16 | 1u << 28;
    CHECK_EQUAL(sampler(world, SAMPLE_L, 3, 4), MESSAGE_DONE); /* LOD from 1 to 2 */
    CHECK_EQUAL(world->back[0][0], float_bits(2));
    CHECK_EQUAL(world->back[0][4], float_bits(2.5f));
    CHECK_EQUAL(world->back[0][6], float_bits(3));
    /* the surface's least level is 1: that is level 0 of the messages */
    bind_levels(world, 1);
    world_surface_state(world, 1)[5] = 1u << 4 | 2;
    CHECK_EQUAL(sampler(world, SAMPLE_L, 3, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], float_bits(2));
    CHECK_EQUAL(world->back[0][6], float_bits(4));
    memset(world->send, 0, sizeof world->send);
    world->send[0][1] = 1;
    world->send[0][2] = 5;
    CHECK_EQUAL(sampler(world, RESINFO, 1, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 8);
    CHECK_EQUAL(world->back[1][1], 2);
    CHECK_EQUAL(world->back[0][2], 0);
    CHECK_EQUAL(world->back[3][2], 3);
}

/* Derivatives of 4, 2 or 1 texels give level 2, 1 or 0; sample takes them from the square of four channels. */
static void derivatives(struct world *world)
{
    bind_levels(world, 1);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 8; i++)
        world->send[0][i] = world->send[3][i] = float_bits(0.5f);
    set_coordinates(world, 1, (float[]){4 / 16.0f, 0, 1 / 16.0f, -2 / 16.0f, 0, 0, 0, 0}); /* du/dx */
    set_coordinates(world, 5, (float[]){0, 2 / 8.0f, 0, 0, 0, -4 / 8.0f, 0, 8 / 8.0f});    /* dv/dy */
    CHECK_EQUAL(sampler(world, 4, 6, 4), MESSAGE_DONE);
    static const float expected[8] = {3, 2, 1, 2, 1, 3, 1, 4};
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], float_bits(expected[i]));
    memset(world->send, 0, sizeof world->send);
    set_coordinates(world, 0, (float[]){0, 4 / 16.0f, 0, 4 / 16.0f, 0, 1 / 16.0f, 0, 1 / 16.0f});
    set_coordinates(world, 1, (float[]){0, 0, 1 / 8.0f, 1 / 8.0f, 0, 0, 2 / 8.0f, 2 / 8.0f});
    CHECK_EQUAL(sampler(world, SAMPLE, 2, 4), MESSAGE_DONE);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], float_bits(i < 4 ? 3 : 2));
    memmove(world->send[1], world->send[0], 64);
    set_coordinates(world, 0, (float[]){1, -1, 0, -9, 0, 1, 2, -2}); /* bias */
    CHECK_EQUAL(sampler(world, 1, 3, 4), MESSAGE_DONE);
    static const float biased[8] = {4, 2, 3, 1, 2, 3, 4, 1};
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], float_bits(biased[i]));
}

/* "less or equal" gives 0 where the texel is less than the reference or equal, 1 where it is greater. */
static void comparisons(struct world *world)
{
    bind_image(world);
    set_sampler(world, false, true, CLAMP);
    uint32_t *state = (uint32_t *)(void *)(world->heap + SAMPLERS_AT + 32);
    state[1] = 4u << 1;
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 8; i++) {
        world->send[0][i] = float_bits(11.0f); /* reference */
        world->send[1][i] = float_bits((float)(i % 4) + 0.5f);
        world->send[2][i] = float_bits(1.5f); /* texels 10, 11, 12, 13 */
    }
    CHECK_EQUAL(sampler(world, 0x19, 3, 4), MESSAGE_DONE); /* sample_c_lz */
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQUAL(world->back[0][i], float_bits(i % 4 >= 2 ? 1.0f : 0));
    static const float table[8][3] = {{0, 0, 0}, {1, 1, 1}, {0, 1, 1}, {1, 0, 1},
                                      {0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}};
    for (unsigned function = 0; function < 8; function++) {
        state[1] = function << 1;
        CHECK_EQUAL(sampler(world, 3, 3, 4), MESSAGE_DONE); /* sample_c */
        for (unsigned i = 0; i < 3; i++)
            CHECK_EQUAL(world->back[0][i], float_bits(table[function][i]));
    }
    /* the filter mixes what the comparison gave: three quarters of texel 11 (0), one of texel 12 (1) */
    set_sampler(world, true, true, CLAMP);
    state[1] = 4u << 1;
    set_coordinates(world, 1, (float[8]){1.75f});
    CHECK_EQUAL(sampler(world, 0x19, 3, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], float_bits(0.25f));
    CHECK_EQUAL(sampler(world, 0x10, 3, 4), MESSAGE_DONE); /* gather4_c: 21, 22, 12 and 11 against 11 */
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQUAL(world->back[i][0], float_bits(i < 3 ? 1 : 0));
    /* gather4_po: offsets of one texel right and up for channel 0 */
    memset(world->send, 0, sizeof world->send);
    set_coordinates(world, 0, (float[8]){1});
    set_coordinates(world, 1, (float[8]){2});
    world->send[2][0] = 1;
    world->send[3][0] = (uint32_t)-1;
    CHECK_EQUAL(sampler(world, 0x11, 4, 4), MESSAGE_DONE);
    CHECK_EQUAL(returned(world, 0, 0), 11);
    CHECK_EQUAL(returned(world, 2, 0), 2);
    CHECK_EQUAL(returned(world, 3, 0), 1);
    struct image_shape shape = {.type = 1, .format = R8_UINT, .width = 4, .height = 2, .pitch = 64};
    world_bind_image(world, 1, 0, &shape);
    sampler(world, 3, 3, 4);
    CHECK_FAULT(world, "comparison on the integer format");
}

/* Reductions take the least or the greatest of the texels that a linear filter would mix. */
static void reductions(struct world *world)
{
    bind_image(world);
    set_sampler(world, true, true, CLAMP);
    uint32_t *state = (uint32_t *)(void *)(world->heap + SAMPLERS_AT + 32);
    memset(world->send, 0, sizeof world->send);
    set_coordinates(world, 0, (float[8]){2});
    set_coordinates(world, 1, (float[8]){1});
    state[3] |= 1u << 9 | 2u << 22;
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(returned(world, 0, 0), 1);
    state[3] |= 3u << 22;
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(returned(world, 0, 0), 12);
}

/* The mean of four bytes as fractions of 255, each converted to float. */
static uint32_t mean(unsigned a, unsigned b, unsigned c, unsigned d)
{
    const unsigned bytes[4] = {a, b, c, d};
    double sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += (double)((float)bytes[i] / 255.0f) / 4;
    return float_bits((float)sum);
}

/* Packed 4:2:2 in its four orders: each pixel has its own luma, each pair one U and one V; red is V, green Y, blue U.
 */
static void packed_pixels(struct world *world)
{
    static const struct {
        uint32_t format, dword;
    } orders[] = {{0x182, 0x40302010}, {0x18f, 0x20304010}, {0x190, 0x30401020}, {0x183, 0x30201040}};
    struct image_shape shape = {.type = 1, .width = 4, .height = 1, .pitch = 64};
    set_sampler(world, false, true, CLAMP);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 4; i++) {
        shape.format = orders[i].format;
        world_bind_image(world, 1, 0, &shape);
        set_data_dword(world, 4, orders[i].dword); /* Y0 10, U 20, Y1 30, V 40 */
        set_coordinates(world, 0, (float[8]){2.5f, 3.5f});
        CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
        for (unsigned channel = 0; channel < 2; channel++) {
            CHECK_EQUAL(world->back[0][channel], float_bits(0x40 / 255.0f));
            CHECK_EQUAL(world->back[1][channel], float_bits((channel ? 0x30 : 0x10) / 255.0f));
            CHECK_EQUAL(world->back[2][channel], float_bits(0x20 / 255.0f));
            CHECK_EQUAL(world->back[3][channel], float_bits(1));
        }
    }
    /* Between the pixels 1 and 2: their pairs' chroma counts half each. The second pair is Y 50, U 60, Y 70, V 80. */
    shape.format = 0x182;
    world_bind_image(world, 1, 0, &shape);
    set_data_dword(world, 0, 0x40302010);
    set_data_dword(world, 4, 0x80706050);
    set_sampler(world, true, true, CLAMP);
    set_coordinates(world, 0, (float[8]){2, 1});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], mean(0x40, 0x40, 0x80, 0x80));
    CHECK_EQUAL(world->back[1][0], mean(0x30, 0x30, 0x50, 0x50));
    CHECK_EQUAL(world->back[2][0], mean(0x20, 0x20, 0x60, 0x60));
    CHECK_EQUAL(world->back[0][1], mean(0x40, 0x40, 0x40, 0x40));
    CHECK_EQUAL(world->back[1][1], mean(0x10, 0x10, 0x30, 0x30));
    CHECK_EQUAL(world->back[2][1], mean(0x20, 0x20, 0x20, 0x20));
}

/* Planar 4:2:0: two by two pixels share U and V of the second plane, whose first row the surface state names. */
static void planar_pixels(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = 0x1a5, .width = 4, .height = 4, .pitch = 64};
    uint32_t *state = world_surface_state(world, 1);
    set_sampler(world, false, true, CLAMP);
    world_bind_image(world, 1, 0, &shape);
    state[6] = 6; /* the second plane begins in row 6 */
    set_data_dword(world, 2 * 64, 0x40302010);
    set_data_dword(world, 3 * 64, 0x44332211);
    set_data_dword(world, (6 + 1) * 64, 0x80706050); /* U, V, U, V */
    memset(world->send, 0, sizeof world->send);
    set_coordinates(world, 0, (float[8]){1.5f, 2.5f});
    set_coordinates(world, 1, (float[8]){2.5f, 3.5f});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], float_bits(0x60 / 255.0f));
    CHECK_EQUAL(world->back[1][0], float_bits(0x20 / 255.0f));
    CHECK_EQUAL(world->back[2][0], float_bits(0x50 / 255.0f));
    CHECK_EQUAL(world->back[3][0], float_bits(1));
    CHECK_EQUAL(world->back[0][1], float_bits(0x80 / 255.0f));
    CHECK_EQUAL(world->back[1][1], float_bits(0x33 / 255.0f));
    CHECK_EQUAL(world->back[2][1], float_bits(0x70 / 255.0f));
    /* The corner where four squares meet: Y of the four pixels around it, and each square's chroma, count a quarter. */
    set_data_dword(world, 64, 0x08040201);
    set_data_dword(world, 6 * 64, 0x60305010);
    set_sampler(world, true, true, CLAMP);
    set_coordinates(world, 0, (float[8]){2, 2});
    set_coordinates(world, 1, (float[8]){2, 2});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], mean(0x50, 0x60, 0x60, 0x80));
    CHECK_EQUAL(world->back[1][0], mean(0x02, 0x04, 0x20, 0x30));
    CHECK_EQUAL(world->back[2][0], mean(0x10, 0x30, 0x50, 0x70));
    set_sampler(world, false, true, CLAMP);
    state[6] = 6 | 4 << 16;
    sampler(world, SAMPLE_LZ, 2, 4);
    CHECK_FAULT(world, "planes that are not below each other");
    state[6] = 6;
    state[0] = (state[0] & ~(7u << 29)) | 2u << 29;
    sampler(world, SAMPLE_LZ, 2, 4);
    CHECK_FAULT(world, "planar format, but surface type 2");
}

/* The same in words: P010, P012 and P016 have their bits at the top. */
static void planar_words(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = 0x1a6, .width = 4, .height = 4, .pitch = 64};
    uint32_t *state = world_surface_state(world, 1);
    set_sampler(world, false, true, CLAMP);
    world_bind_image(world, 1, 0, &shape);
    state[6] = 6;
    set_data_dword(world, 2 * 64, 0x40003000);
    set_data_dword(world, 2 * 64 + 4, 0x8000ffc0);
    set_data_dword(world, (6 + 1) * 64, 0x60005000); /* U, V of the first pair */
    set_data_dword(world, (6 + 1) * 64 + 4, 0xffff7040);
    memset(world->send, 0, sizeof world->send);
    set_coordinates(world, 0, (float[8]){1.5f, 2.5f});
    set_coordinates(world, 1, (float[8]){2.5f, 2.5f});
    CHECK_EQUAL(sampler(world, SAMPLE_LZ, 2, 4), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], float_bits(0x6000 / 65535.0f));
    CHECK_EQUAL(world->back[1][0], float_bits(0x4000 / 65535.0f));
    CHECK_EQUAL(world->back[2][0], float_bits(0x5000 / 65535.0f));
    CHECK_EQUAL(world->back[0][1], float_bits(1));
    CHECK_EQUAL(world->back[1][1], float_bits(0xffc0 / 65535.0f));
    CHECK_EQUAL(world->back[2][1], float_bits(0x7040 / 65535.0f));
}

/* Parameters of 16 bits: in SIMD16 one register each, in SIMD8 half of one. */
static void narrow_parameters(struct world *world)
{
    bind_image(world);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 16; i++) {
        uint16_t u = (uint16_t)(i % 4), v = (uint16_t)(i / 8);
        memcpy((uint8_t *)world->send[0] + 2 * i, &u, 2);
        memcpy((uint8_t *)world->send[1] + 2 * i, &v, 2);
    }
    uint32_t descriptor = 2u << 25 | 8u << 20 | 1u << 29 | 2u << 17 | LD_LZ << 12 | 2u << 8 | 1;
    CHECK_EQUAL(world_send(world, SAMPLER, descriptor, 0, 16, 0xffff), MESSAGE_DONE);
    for (unsigned i = 0; i < 16; i++)
        CHECK_EQUAL(returned(world, i / 8, i % 8), 10 * (i / 8) + i % 4);
    descriptor = 2u << 25 | 4u << 20 | 1u << 29 | 1u << 17 | LD_LZ << 12 | 2u << 8 | 1;
    CHECK_EQUAL(world_send(world, SAMPLER, descriptor, 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(returned(world, 0, 3), 3);
}

int main(void)
{
    static world_test *const tests[] = {
        load_by_integer,
        nearest_takes_the_texel_around,
        address_modes,
        linear_mixes_four_texels,
        samples_have_no_denormals,
        gather_takes_one_component,
        header_and_simd16,
        formats_and_channel_select,
        sizes_of_an_image,
        slices_of_an_array,
        levels_of_detail,
        derivatives,
        comparisons,
        reductions,
        narrow_parameters,
        packed_pixels,
        planar_pixels,
        planar_words,
    };
    return world_run(tests, sizeof tests / sizeof tests[0]);
}
