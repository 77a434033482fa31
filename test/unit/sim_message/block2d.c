/* 2D blocks of the load/store cache: random matrices, places over all edges and shapes against plain loops over bytes,
 * the rules that matrix and block must obey, and hostile payloads. */
#include "world.h"

enum {
    UGM = 15,
    LOAD = 3,
    STORE = 7,
    VNNI = 1 << 7,
    TRANSPOSED = 1 << 15,
    ADDRESS = 1 << 25,
    ROUNDS = 40000,
    HOSTILE_ROUNDS = 200000,
    REGISTER = 64,
    ROOM = sizeof((struct world *)0)->back
};
enum kind { PLAIN, WITH_VNNI, TURNED, STORED, PREFETCHED, KINDS };

static uint64_t random_state = 2026;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static unsigned between(unsigned low, unsigned high)
{
    return low + random_bits() % (high - low + 1);
}

struct shape {
    enum kind kind;
    unsigned bytes, width, height, blocks;       /* of an element; elements, rows */
    unsigned matrix_width, matrix_height, pitch; /* bytes, rows, bytes */
    unsigned offset;                             /* of the matrix in the data */
    int x, y;
};

static unsigned power_of_two(unsigned n)
{
    unsigned power = 1;
    while (power < n)
        power <<= 1;
    return power;
}

/* Elements of a block in registers, with its padding. */
static unsigned block_elements(const struct shape *s)
{
    unsigned row = power_of_two(s->kind == TURNED ? s->height : s->width);
    unsigned rows = s->kind == TURNED ? s->width : s->height, whole = REGISTER / s->bytes;
    return (row * rows + whole - 1) / whole * whole;
}

static unsigned registers_of(const struct shape *s)
{
    return s->blocks * block_elements(s) * s->bytes / REGISTER;
}

static bool choose_block(struct shape *s)
{
    static const unsigned counts[] = {1, 2, 4};
    s->kind = random_bits() % KINDS;
    s->bytes = 1u << (s->kind == WITH_VNNI ? between(0, 1) : s->kind == TURNED ? between(2, 3) : between(0, 3));
    unsigned most = s->kind == STORED || s->kind == TURNED ? 1 : s->bytes == 8 ? 1 : s->bytes == 4 ? 2 : 4;
    s->blocks = counts[random_bits() % 3];
    s->width = between(1, 64 / s->bytes);
    s->height = between(1, s->kind == STORED ? 8 : 32);
    if (s->kind == WITH_VNNI)
        s->height &= ~(4 / s->bytes - 1);
    if (s->kind == TURNED && s->bytes == 8) {
        s->height = 8;
        s->width = 1u << between(0, 2);
    }
    return s->blocks <= most && s->height > 0 && s->width * s->bytes % 4 == 0 &&
           s->width * s->bytes * s->blocks <= 64 && !(s->kind == TURNED && s->width > 8) &&
           registers_of(s) * REGISTER <= ROOM;
}

/* The matrix lies somewhere in the data; the block somewhere around its edges. */
static void choose_matrix(struct shape *s)
{
    unsigned step = s->bytes < 4 ? 4 : s->bytes;
    s->matrix_width = between(64, 320) / step * step;
    s->matrix_width += s->matrix_width < 64 ? step : 0;
    s->matrix_height = between(1, 40);
    s->pitch = (s->matrix_width + 7) / 8 * 8 + 8 * between(0, 4);
    s->offset = 64 * between(1, 8);
    int columns = (int)(s->matrix_width / s->bytes), aligned = s->bytes < 4 ? 4 / (int)s->bytes : 1;
    s->x = ((int)between(0, (unsigned)columns + 160) - 80) / aligned * aligned;
    s->y = (int)between(0, s->matrix_height + 80) - 40;
}

static uint32_t descriptor_of(const struct shape *s)
{
    static const unsigned codes[] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
    uint32_t form = s->kind == WITH_VNNI ? VNNI : s->kind == TURNED ? TRANSPOSED : 0;
    unsigned returned = s->kind == STORED || s->kind == PREFETCHED ? 0 : registers_of(s);
    return (s->kind == STORED ? STORE : LOAD) | form | codes[s->bytes] << 9 | returned << 20 | ADDRESS;
}

static void put_payload(struct world *world, const struct shape *s)
{
    uint32_t *to = (uint32_t *)world->send;
    for (unsigned i = 0; i < 16; i++)
        to[i] = random_bits();
    to[0] = DATA_AT + s->offset;
    to[1] = 0;
    to[2] = s->matrix_width - 1;
    to[3] = s->matrix_height - 1;
    to[4] = s->pitch - 1;
    to[5] = (uint32_t)s->x;
    to[6] = (uint32_t)s->y;
    to[7] = (to[7] & 0xfff00000u) | (s->blocks - 1) << 16 | (s->height - 1) << 8 | (s->width - 1);
}

/* The byte of the data at byte `column` of row `row` of the matrix; NULL outside of it. */
static uint8_t *byte_at(uint8_t *data, const struct shape *s, int column, int row)
{
    bool inside = column >= 0 && row >= 0 && column < (int)s->matrix_width && row < (int)s->matrix_height;
    return inside ? data + s->offset + (unsigned)row * s->pitch + (unsigned)column : NULL;
}

/* Returns the position of byte `byte` of element (x, y) of a block in the registers. */
static unsigned place_of(const struct shape *s, unsigned block, unsigned x, unsigned y, unsigned byte)
{
    unsigned first = block * block_elements(s) * s->bytes;
    unsigned row = power_of_two(s->kind == TURNED ? s->height : s->width) * s->bytes;
    switch (s->kind) {
    case TURNED: return first + x * row + y * s->bytes + byte;
    case WITH_VNNI: { /* a dword for each column, with 4 / bytes rows in it */
        unsigned in_dword = 4 / s->bytes;
        return first + y / in_dword * in_dword * row + x * 4 + y % in_dword * s->bytes + byte;
    }
    default: return first + y * row + x * s->bytes + byte;
    }
}

/* Transfers the block by plain loops: to the data, or to the registers. */
static void expect(const struct shape *s, uint8_t *data, uint8_t *registers)
{
    if (s->kind != STORED)
        memset(registers, 0, registers_of(s) * REGISTER);
    for (unsigned block = 0; block < s->blocks; block++)
        for (unsigned y = 0; y < s->height; y++)
            for (unsigned x = 0; x < s->width; x++)
                for (unsigned byte = 0; byte < s->bytes; byte++) {
                    int column = (s->x + (int)(block * s->width + x)) * (int)s->bytes + (int)byte;
                    uint8_t *memory = byte_at(data, s, column, s->y + (int)y);
                    uint8_t *place = registers + place_of(s, block, x, y, byte);
                    if (memory)
                        *(s->kind == STORED ? memory : place) = *(s->kind == STORED ? place : memory);
                }
}

static void check_round(struct world *world)
{
    static uint8_t data[DATA_BYTES], registers[ROOM];
    struct shape s;
    while (!choose_block(&s))
        ;
    choose_matrix(&s);
    for (unsigned i = 0; i < 64; i++)
        world->data[random_bits() % 16384] = (uint8_t)random_bits();
    for (unsigned i = 0; i < sizeof world->send1 / 4; i++)
        ((uint32_t *)world->send1)[i] = random_bits();
    put_payload(world, &s);
    memcpy(data, world->data, sizeof data);
    memcpy(registers, world->send1, sizeof registers);
    expect(&s, data, registers);
    enum message_effect effect =
        world_send(world, UGM, descriptor_of(&s), s.kind == STORED ? registers_of(&s) : 0, 1, 1);
    CHECK_EQUAL(effect, MESSAGE_DONE);
    CHECK_EQUAL(memcmp(data, world->data, sizeof data), 0);
    if (s.kind != STORED && s.kind != PREFETCHED)
        CHECK_EQUAL(memcmp(registers, world->back, registers_of(&s) * REGISTER), 0);
    if (failures)
        fprintf(stderr, "kind %d, %u blocks of %u x %u of %u bytes at %d, %d: %s\n", s.kind, s.blocks, s.width,
                s.height, s.bytes, s.x, s.y, world->fault.what);
}

/* One matrix and block that are right but for a dword of the payload or bits of the descriptor. */
static void check_refused(struct world *world)
{
    static const struct {
        uint32_t flip; /* of the descriptor of a load of 8 rows of 8 dwords */
        unsigned dword;
        uint32_t value;
        const char *text;
    } rows[] = {
        {0, 0, DATA_AT + 32, "does not start at a multiple of 64 bytes"},
        {0, 2, 27, "a matrix 28 bytes wide; it has "},
        {0, 2, 64, "a matrix 65 bytes wide"},
        {0, 2, 1 << 24, "a matrix 16777217 bytes wide"},
        {0, 3, 1 << 24, "a matrix of 16777217 rows"},
        {0, 4, 125, "rows that are 126 bytes apart"},
        {0, 4, 63, "rows that are 64 bytes apart in a matrix 128 bytes wide"},
        {0, 4, 1 << 24, "rows that are 16777217 bytes apart"},
        {0, 7, 2 << 16 | 7 << 8 | 3, "3 blocks of elements of 32 bits"},
        {0, 7, 3 << 16 | 7 << 8 | 3, "4 blocks of elements of 32 bits; there are 1, 2 or 4, here at most 2"},
        {0, 7, 1 << 16 | 7 << 8 | 15, "2 blocks of 64 bytes a row"},
        {0, 7, 32 << 8 | 7, "a block of 33 rows"},
        {0, 7, 7 << 8 | 15, "destination has 4 registers where the block needs 8"},
        {2 << 9 | 1 << 9, 5, 1, "a block from element 1 of 16 bits on"},
        {2 << 9 | 1 << 9 | VNNI, 7, 6 << 8 | 7, "a VNNI block of 7 rows"},
        {VNNI, 7, 7 << 8 | 7, "VNNI of elements of 32 bits"},
        {2 << 9 | 1 << 9 | TRANSPOSED, 7, 7 << 8 | 7, "transposed elements of 16 bits"},
        {VNNI | TRANSPOSED, 7, 7 << 8 | 7, "both transposed and transformed"},
        {TRANSPOSED, 7, 7 << 8 | 9, "a transposed block of 10 columns"},
        {1 << 9 | TRANSPOSED, 7, 3 << 8 | 3, "a transposed block of 4 rows and 4 columns of 64 bits"},
        {1 << 8, 7, 7 << 8 | 7, "has bits that are reserved"},
        {1 << 12, 7, 7 << 8 | 7, "has bits that are reserved"},
        {4 << 9, 7, 7 << 8 | 7, "data size 6 is not for 2D blocks"},
        {3u << 29, 7, 7 << 8 | 7, "a 2D block of a surface"},
        {3 << 25, 7, 7 << 8 | 7, "sends 1 register of addresses, not 2"},
        {(LOAD ^ STORE) | TRANSPOSED, 7, 7 << 8 | 7, "a transposed or transformed block is not stored"},
        {LOAD ^ STORE, 7, 8 << 8 | 7, "a block of 9 rows; it has at most 8"},
        {LOAD ^ STORE, 7, 7 << 8 | 7, "data has 0 registers where the block needs 4"},
        {31 << 20 ^ 4 << 20, 7, 31 << 8 | 15, "the block needs 32 registers, behind its destination are 0"},
    };
    world->once = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shape s = {PLAIN, 4, 8, 8, 1, 128, 16, 128, 64, 0, 0};
        put_payload(world, &s);
        world->send[0][rows[i].dword] = rows[i].value;
        world_send(world, UGM, descriptor_of(&s) ^ rows[i].flip, 0, 1, 1);
        CHECK_FAULT(world, rows[i].text);
    }
    world->once = false;
}

/* All 32 registers, which a descriptor calls 31, if they are behind the destination. */
static void check_all_registers(struct world *world)
{
    static uint8_t back[32 * REGISTER];
    struct shape s = {PLAIN, 4, 16, 32, 1, 128, 40, 128, 64, 0, 0};
    put_payload(world, &s);
    struct message message = {.state = &world->state,
                              .sfid = UGM,
                              .descriptor = LOAD | 2 << 9 | 31 << 20 | ADDRESS,
                              .exec_size = 1,
                              .exec_mask = 1,
                              .src0 = (const uint8_t *)world->send,
                              .src0_regs = 1,
                              .dst_regs = 31,
                              .dst_room = 32,
                              .dst = back};
    world->data[64 + 31 * 128] = 77;
    CHECK_EQUAL(message_send(&message, &world->fault), MESSAGE_DONE);
    CHECK_EQUAL(back[31 * REGISTER], 77);
}

/* Any descriptor and payload end in a result or a fault, and write nothing beyond the reply. */
static void check_hostile(struct world *world)
{
    world->once = true;
    for (unsigned round = 0; round < HOSTILE_ROUNDS && failures == 0; round++) {
        struct shape s;
        while (!choose_block(&s))
            ;
        choose_matrix(&s);
        put_payload(world, &s);
        uint32_t *payload = (uint32_t *)world->send;
        unsigned wrong = random_bits() % 8;
        payload[wrong] = random_bits() % 2 ? random_bits() : payload[wrong] ^ 1u << random_bits() % 32;
        uint32_t descriptor = descriptor_of(&s) ^ (random_bits() % 4 ? 0 : 1u << random_bits() % 32);
        unsigned returned = (descriptor >> 20 & 31) * REGISTER;
        if (returned > ROOM)
            continue;
        world_send(world, UGM, descriptor, s.kind == STORED ? registers_of(&s) : 0, 1, 1);
        for (unsigned at = returned / 4; at < ROOM / 4; at++)
            CHECK_EQUAL(((uint32_t *)world->back)[at], FILLER);
        CHECK_EQUAL(world->effect == MESSAGE_FAULT, world->fault.raised != 0);
    }
}

static void check_platform(const char *name)
{
    struct world *world = world_create(name);
    for (unsigned round = 0; round < ROUNDS && failures == 0; round++)
        check_round(world);
    check_refused(world);
    check_all_registers(world);
    check_hostile(world);
    world_destroy(world);
}

int main(void)
{
    check_platform("PVC");
    check_platform("LNL");
    struct world *world = world_create("DG2");
    world_send(world, UGM, LOAD | 2 << 9 | 4 << 20 | ADDRESS, 0, 1, 1);
    CHECK_FAULT(world, "has no message");
    world_destroy(world);
    world = world_create("PVC"); /* Xe2 has narrower matrices */
    struct shape s = {PLAIN, 4, 8, 8, 1, 60, 16, 128, 64, 0, 0};
    put_payload(world, &s);
    world_send(world, UGM, descriptor_of(&s), 0, 1, 1);
    CHECK_FAULT(world, "a matrix 60 bytes wide; it has 64 to 16777216, a multiple of 4");
    world_destroy(world);
    return failures != 0;
}
