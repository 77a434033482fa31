/* Checks messages of the load/store cache to images: random quads and blocks against plain loops over bytes, the lanes
 * of Xe2's sampler, and the forms that the platform lacks. */
#include "world.h"

enum {
    SAMPLER = 2,
    TGM = 18,
    LOAD_QUAD = 2,
    LOAD_BLOCK = 3,
    STORE_QUAD = 6,
    STORE_BLOCK = 7,
    A32 = 2 << 7,
    D32 = 2 << 9,
    TABLE = 3 << 29,
    INDEX = 24
};
enum { R8G8B8A8_UINT = 0xcb, TILE_4 = 3, IMAGE = 1, WIDTH = 24, HEIGHT = 20, PITCH = 128, BYTES = 4, ROUNDS = 20000 };

static uint64_t random_state = 4711;

static unsigned random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 16);
}

/* Offset of a byte in tiles of 4 KiB (Tile4): of the bits of an address, from the highest on, these are y, y, x, y, x,
 * x, y, y and four of x. */
static unsigned tile_4(unsigned x, unsigned y)
{
    unsigned in_tile =
        (x & 15) | (y & 3) << 4 | (x >> 4 & 3) << 6 | (y >> 2 & 1) << 8 | (x >> 6 & 1) << 9 | (y >> 3 & 3) << 10;
    return (x / 128 + y / 32 * (PITCH / 128)) * 4096 + in_tile;
}

static unsigned place_of(bool tiled, unsigned x, unsigned y)
{
    return tiled ? tile_4(x, y) : y * PITCH + x;
}

static void bind(struct world *world, bool tiled)
{
    struct image_shape shape = {.type = 1,
                                .format = R8G8B8A8_UINT,
                                .tiling = tiled ? TILE_4 : 0,
                                .width = WIDTH,
                                .height = HEIGHT,
                                .pitch = PITCH};
    world_bind_image(world, IMAGE, 0, &shape);
    world->message.extended = (uint32_t)IMAGE << INDEX;
}

static void fill(struct world *world)
{
    for (unsigned i = 0; i < 64; i++)
        world->data[random_bits() % 8192] = (uint8_t)random_bits();
    for (unsigned i = 0; i < sizeof world->send1 / 4; i++)
        ((uint32_t *)world->send1)[i] = random_bits() % 300;
}

/* Moves texels as the message must: `registers` are the components, each of `lanes` dwords. */
static void expect_quad(bool tiled, bool store, unsigned mask, unsigned components, unsigned lanes, const uint32_t *u,
                        const uint32_t *v, uint8_t *data, uint32_t *registers)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned row = 0;
        bool inside = u[lane] < WIDTH && v[lane] < HEIGHT;
        for (unsigned c = 0; c < 4 && mask >> lane & 1; c++) {
            if (!(components >> c & 1))
                continue;
            uint32_t *element = registers + row++ * lanes + lane;
            uint8_t *memory = data + (inside ? place_of(tiled, u[lane] * BYTES + c, v[lane]) : 0);
            if (!store)
                *element = inside ? *memory : 0;
            else if (inside)
                *memory = (uint8_t)(*element > 255 ? 255 : *element);
        }
    }
}

static void check_quad(struct world *world)
{
    static uint8_t data[DATA_BYTES];
    uint32_t wanted[sizeof world->back / 4], *coordinates = (uint32_t *)world->send;
    bool store = random_bits() & 1, tiled = random_bits() & 1;
    unsigned lanes = 1u << random_bits() % 6, sent = lanes < 16 ? 16 : lanes, each = sent / 16;
    unsigned components = 1 + random_bits() % 15, mask = random_bits();
    unsigned data_registers = each * (unsigned)__builtin_popcount(components);
    bind(world, tiled);
    fill(world);
    for (unsigned lane = 0; lane < sent; lane++) {
        coordinates[lane] = random_bits() % (WIDTH + 8);
        coordinates[sent + lane] = random_bits() % (HEIGHT + 8);
    }
    for (unsigned i = 0; i < sizeof wanted / 4; i++)
        wanted[i] = FILLER;
    memcpy(data, world->data, sizeof data);
    if (lanes < 32)
        mask &= (1u << lanes) - 1;
    expect_quad(tiled, store, mask, components, sent, coordinates, coordinates + sent, data,
                store ? (uint32_t *)world->send1 : wanted);
    uint32_t descriptor = TABLE | A32 | D32 | components << 12 | (2 * each) << 25 |
                          (store ? STORE_QUAD : LOAD_QUAD | data_registers << 20);
    CHECK_EQUAL(world_send(world, TGM, descriptor, store ? data_registers : 0, lanes, mask), MESSAGE_DONE);
    CHECK_EQUAL(memcmp(data, world->data, sizeof data), 0);
    CHECK_EQUAL(memcmp(wanted, world->back, sizeof wanted), 0);
}

static int clamped(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* Beyond an edge, loads repeat the pixel at that edge. */
static unsigned edge_byte(int x)
{
    int pixel = clamped(x < 0 ? -1 : x / BYTES, WIDTH - 1);
    return (unsigned)(pixel * BYTES + ((x % BYTES) + BYTES) % BYTES);
}

static void check_block(struct world *world)
{
    static uint8_t data[DATA_BYTES];
    uint8_t wanted[sizeof world->back];
    bool store = random_bits() & 1, tiled = random_bits() & 1;
    unsigned width = 1 + random_bits() % 64, rows = 1 + random_bits() % 64, pitch = 4;
    int x = (int)(random_bits() % 160) - 32, y = (int)(random_bits() % 60) - 20;
    if (store)
        x &= ~3, width = (width + 3) & ~3u;
    while (pitch < width)
        pitch *= 2;
    rows = rows * pitch > 256 ? 256 / pitch : rows;
    unsigned registers = (rows * pitch + 63) / 64;
    bind(world, tiled);
    fill(world);
    uint32_t header[16] = {[5] = (uint32_t)x, [6] = (uint32_t)y, [7] = (width - 1) | (rows - 1) << 8};
    memcpy(world->send, header, sizeof header);
    for (unsigned i = 0; i < sizeof wanted / 4; i++)
        memcpy(wanted + 4 * i, &(uint32_t){FILLER}, 4);
    memcpy(data, world->data, sizeof data);
    for (int row = 0; row < (int)rows; row++)
        for (int column = 0; column < (int)width; column++) {
            bool inside = x + column >= 0 && x + column < WIDTH * BYTES && y + row >= 0 && y + row < HEIGHT;
            unsigned at = (unsigned)row * pitch + (unsigned)column;
            if (!store)
                wanted[at] = data[place_of(tiled, edge_byte(x + column), (unsigned)clamped(y + row, HEIGHT - 1))];
            else if (inside)
                data[place_of(tiled, (unsigned)(x + column), (unsigned)(y + row))] = ((uint8_t *)world->send1)[at];
        }
    uint32_t descriptor = TABLE | 1 << 25 | (store ? STORE_BLOCK : LOAD_BLOCK | registers << 20);
    CHECK_EQUAL(world_send(world, TGM, descriptor, store ? registers : 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(memcmp(data, world->data, sizeof data), 0);
    CHECK_EQUAL(memcmp(wanted, world->back, sizeof wanted), 0);
}

/* Sixteen and thirty-two lanes; the level of detail comes last in ld_l. */
static void check_sampler(struct world *world)
{
    enum { LD_LZ = 0x1a, LD_L = 0x1b, LANES = 16 };
    uint32_t *parameters = (uint32_t *)world->send, *back = (uint32_t *)world->back;
    bind(world, false);
    for (unsigned mode = 1; mode <= 2; mode++) {
        unsigned lanes = LANES * mode;
        memset(world->send, 0, sizeof world->send);
        for (unsigned lane = 0; lane < lanes; lane++) {
            parameters[lane] = lane;
            parameters[lanes + lane] = 3;
        }
        for (unsigned i = 0; i < WIDTH; i++)
            world->data[3 * PITCH + i * BYTES] = (uint8_t)(40 + i);
        for (unsigned type = LD_LZ; type <= LD_L; type++) {
            unsigned count = type == LD_L ? 4 : 2;
            CHECK_EQUAL(world_send(world, SAMPLER,
                                   (count * mode) << 25 | (4 * mode) << 20 | mode << 17 | type << 12 | IMAGE, 0, lanes,
                                   UINT32_MAX),
                        MESSAGE_DONE);
            for (unsigned lane = 0; lane < lanes; lane++)
                CHECK_EQUAL(back[lane], lane < WIDTH ? 40 + lane : 0);
        }
    }
}

static void check_refused(struct world *world)
{
    static const struct {
        uint32_t descriptor;
        unsigned second, lanes;
        const char *text;
    } rows[] = {
        {LOAD_QUAD | A32 | D32 | 0xf << 12 | 2 << 25 | 4 << 20, 0, 16, "texels of flat memory"},
        {TABLE | LOAD_QUAD | 3 << 7 | D32 | 0xf << 12 | 2 << 25 | 4 << 20, 0, 16, "address size 3"},
        {TABLE | LOAD_QUAD | A32 | 3 << 9 | 0xf << 12 | 2 << 25 | 4 << 20, 0, 16, "data size 3"},
        {TABLE | LOAD_QUAD | A32 | D32 | 2 << 25 | 4 << 20, 0, 16, "no component is on"},
        {TABLE | LOAD_QUAD | A32 | D32 | 0xf << 12 | 5 << 25 | 4 << 20, 0, 16, "5 registers of coordinates"},
        {TABLE | LOAD_QUAD | A32 | D32 | 0xf << 12 | 3 << 25 | 8 << 20, 0, 32, "3 registers of coordinates"},
        {TABLE | LOAD_QUAD | A32 | D32 | 0xf << 12 | 2 << 25 | 3 << 20, 0, 16, "needs 4"},
        {TABLE | STORE_QUAD | A32 | D32 | 0x3 << 12 | 2 << 25, 3, 16, "needs 2"},
        {TABLE | LOAD_BLOCK | 2 << 25 | 1 << 20, 0, 1, "needs 1"},
        {TABLE | LOAD_BLOCK | 1 << 25 | 2 << 20, 0, 1, "takes 1 registers, not 2"},
        {TABLE | 0x0c | A32 | D32 | 2 << 25, 1, 16, "typed surfaces"},
    };
    bind(world, false);
    world->once = true;
    memset(world->send, 0, sizeof world->send);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        world_send(world, TGM, rows[i].descriptor, rows[i].second, rows[i].lanes, 1);
        CHECK_FAULT(world, rows[i].text);
    }
    ((uint32_t *)world->send)[7] = 63 | 63 << 8;
    world_send(world, TGM, TABLE | LOAD_BLOCK | 1 << 25 | 4 << 20, 0, 1, 1);
    CHECK_FAULT(world, "a block of 64 bytes by 64 rows does not exist");
    world->once = false;
}

int main(void)
{
    struct world *world = world_create("LNL");
    for (unsigned round = 0; round < ROUNDS && !failures; round++) {
        check_quad(world);
        check_block(world);
    }
    check_sampler(world);
    check_refused(world);
    world_destroy(world);
    world = world_create("PVC"); /* no images, no sampler */
    world_send(world, TGM, TABLE | LOAD_QUAD | A32 | D32 | 0xf << 12 | 2 << 25 | 4 << 20, 0, 16, 1);
    CHECK_FAULT(world, "is not implemented on PVC");
    world_send(world, SAMPLER, 2 << 25 | 4 << 20 | 1 << 17 | 0x1a << 12 | IMAGE, 0, 16, 1);
    CHECK_FAULT(world, "has no message");
    world_destroy(world);
    return failures != 0;
}
