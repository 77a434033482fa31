/* Checks messages of the load/store cache: random shapes, addresses and lanes against plain loops over bytes, every
 * atomic operation against the host's arithmetic, and the forms that the platform lacks. */
#include <math.h>
#include "world.h"

#define CHECK(CONDITION) CHECK_EQUAL(!!(CONDITION), 1)

enum {
    SLM = 14,
    DATA0 = 10,
    UGM = 15,
    TGM = 18,
    FLAT = 0,
    BINDLESS = 1 << 29,
    STATE = 2 << 29,
    TABLE = 3 << 29,
    A16 = 1 << 7,
    A32 = 2 << 7,
    A64 = 3 << 7
};
enum { TRANSPOSED = 1 << 15, ROUNDS = 40000, BUFFER = 2, BUFFER_BYTES = 1000, BUFFER_OFFSET = 256, REGISTER = 32 };

static uint64_t random_state = 99;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static const struct {
    unsigned code, memory, registers, shift;
} sizes[] = {{2, 4, 4, 0}, {3, 8, 8, 0}, {4, 1, 4, 0}, {5, 2, 4, 0}, {6, 2, 4, 16}};
static const unsigned vectors[8] = {1, 2, 3, 4, 8, 16, 32, 64};

/* One message, as a test chooses it. */
struct shape {
    uint32_t sfid, base, address_code;
    unsigned size, vector, lanes; /* size: index of sizes[] */
    bool stores, transposed, is_quad;
    uint32_t components, mask;
};

static unsigned round_up(unsigned bytes)
{
    return (bytes + REGISTER - 1) / REGISTER;
}

static unsigned elements_of(const struct shape *s)
{
    return s->is_quad ? (unsigned)__builtin_popcount(s->components) : vectors[s->vector];
}

static unsigned lanes_of(const struct shape *s)
{
    return s->lanes < 8 ? 8 : s->lanes;
}

static unsigned address_bytes(const struct shape *s)
{
    return 1u << s->address_code;
}

/* Registers of addresses and of data. */
static void lengths_of(const struct shape *s, unsigned *addresses, unsigned *data)
{
    unsigned registers = sizes[s->size].registers;
    *addresses = round_up((s->transposed ? 1 : lanes_of(s)) * address_bytes(s));
    *data = s->transposed ? round_up(elements_of(s) * registers) : elements_of(s) * round_up(lanes_of(s) * registers);
}

static bool choose(struct shape *s)
{
    memset(s, 0, sizeof *s);
    s->sfid = random_bits() % 3 ? UGM : SLM;
    s->base = s->sfid == SLM ? FLAT : (random_bits() % 4) << 29;
    s->address_code = s->sfid == SLM ? 1 + random_bits() % 2 : s->base == FLAT ? 3 : 2 + random_bits() % 2;
    s->size = random_bits() % 5;
    s->vector = random_bits() % 8;
    s->stores = random_bits() % 2;
    s->transposed = random_bits() % 4 == 0;
    s->is_quad = !s->transposed && random_bits() % 4 == 0;
    s->lanes = s->transposed ? 1 : 1u << random_bits() % 5;
    s->components = 1 + random_bits() % 15;
    s->mask = random_bits() & ((1u << s->lanes) - 1);
    if (s->is_quad)
        s->size = 0;
    if (s->transposed)
        s->size = random_bits() % 2;
    unsigned addresses, data;
    lengths_of(s, &addresses, &data);
    return (s->transposed || vectors[s->vector] <= 8) && addresses < 16 && data < 32;
}

static uint32_t descriptor_of(const struct shape *s)
{
    unsigned addresses, data;
    lengths_of(s, &addresses, &data);
    uint32_t operation = (s->stores ? 4 : 0) + (s->is_quad ? 2 : 0);
    uint32_t vector = s->is_quad ? s->components << 12 : s->vector << 12 | (s->transposed ? TRANSPOSED : 0);
    return operation | s->address_code << 7 | sizes[s->size].code << 9 | vector | addresses << 25 |
           (s->stores ? 0 : data) << 20 | s->base;
}

/* The memory of the target, and how many bytes of it there are. */
static uint8_t *memory_of(struct world *world, const struct shape *s, unsigned *bytes)
{
    *bytes = s->sfid == SLM ? sizeof world->slm : s->base == FLAT ? 2048 : BUFFER_BYTES;
    return s->sfid == SLM ? world->slm : world->data + (s->base == FLAT ? 0 : BUFFER_OFFSET);
}

/* A plain loop with the message's semantics: `registers` are the data as bytes. */
static void expect(const struct shape *s, uint8_t *memory, unsigned bytes, const uint64_t *addresses,
                   uint8_t *registers)
{
    unsigned in_memory = sizes[s->size].memory, in_registers = sizes[s->size].registers, shift = sizes[s->size].shift;
    for (unsigned lane = 0; lane < s->lanes; lane++)
        for (unsigned element = 0, place = 0; element < elements_of(s) && s->mask >> lane & 1; element++, place++) {
            while (s->is_quad && !(s->components >> place & 1))
                place++;
            uint64_t value = 0, at = addresses[lane] + place * in_memory;
            unsigned pitch = round_up(lanes_of(s) * in_registers) * REGISTER;
            uint8_t *data =
                registers + (s->transposed ? element * in_registers : element * pitch + lane * in_registers);
            bool inside = at + in_memory <= bytes;
            if (s->stores) {
                memcpy(&value, data, in_registers);
                value >>= shift;
                if (inside)
                    memcpy(memory + at, &value, in_memory);
                continue;
            }
            if (inside)
                memcpy(&value, memory + at, in_memory);
            value <<= shift;
            memcpy(data, &value, in_registers);
        }
}

static void put_address(struct world *world, const struct shape *s, unsigned lane, uint64_t address)
{
    memcpy((uint8_t *)world->send + lane * address_bytes(s), &address, address_bytes(s));
}

static void check_round(struct world *world)
{
    static uint8_t memory[4096], registers[32 * REGISTER];
    uint64_t addresses[16];
    struct shape s;
    unsigned bytes, address_registers, data_registers;
    while (!choose(&s))
        ;
    lengths_of(&s, &address_registers, &data_registers);
    uint8_t *target = memory_of(world, &s, &bytes);
    for (unsigned i = 0; i < 64; i++)
        target[random_bits() % bytes] = (uint8_t)random_bits();
    unsigned step = s.transposed ? sizes[s.size].registers : random_bits() % 2 ? 1 : 4;
    for (unsigned lane = 0; lane < 16; lane++) {
        unsigned most =
            s.base == FLAT && s.sfid == UGM ? bytes - 512 : bytes + 64; /* flat accesses have no end to go beyond */
        addresses[lane] = random_bits() % most / step * step;
        put_address(world, &s, lane, addresses[lane] + (s.base == FLAT && s.sfid == UGM ? DATA_AT : 0));
    }
    for (unsigned i = 0; i < sizeof world->send1 / 4; i++)
        ((uint32_t *)world->send1)[i] = random_bits();
    memcpy(memory, target, bytes);
    if (s.stores)
        memcpy(registers, world->send1, sizeof registers);
    else
        memset(registers, 0, sizeof registers);
    for (unsigned i = 0; !s.stores && i < sizeof registers / 4; i++)
        memcpy(registers + 4 * i, &(uint32_t){FILLER}, 4);
    expect(&s, memory, bytes, addresses, registers);
    world->message.wide_offset = s.base == BINDLESS || s.base == (uint32_t)STATE;
    world->message.extended = s.base == (uint32_t)TABLE   ? BUFFER << 24
                              : s.base == (uint32_t)STATE ? STATES_AT + 64 * BUFFER
                                                          : 64 * BUFFER;
    world->is_gathered = address_registers + data_registers <= WORLD_REGISTERS && random_bits() % 4 == 0;
    enum message_effect effect =
        world_send(world, s.sfid, descriptor_of(&s), s.stores ? data_registers : 0, s.lanes, s.mask);
    CHECK_EQUAL(effect, MESSAGE_DONE);
    CHECK(memcmp(memory, target, bytes) == 0);
    if (!s.stores)
        CHECK(memcmp(registers, world->back, data_registers * REGISTER) == 0);
    if (failures)
        fprintf(stderr, "descriptor 0x%08x, %u lanes, mask 0x%x: %s\n", descriptor_of(&s), s.lanes, s.mask,
                world->fault.what);
}

/* Every atomic operation on one dword, with the value that the host's arithmetic gives. */
static void check_atomics(struct world *world)
{
    const uint32_t old = 0x80000005, a = 7, b = 99;
    const float real = 2.5f, other = -4;
    uint32_t real_bits, other_bits, sum, difference;
    memcpy(&real_bits, &real, 4), memcpy(&other_bits, &other, 4);
    memcpy(&sum, &(float){-1.5f}, 4), memcpy(&difference, &(float){6.5f}, 4);
    const struct {
        uint32_t operation, operands, before, a, b, after;
    } rows[] = {{0x08, 0, old, 0, 0, old + 1},
                {0x09, 0, old, 0, 0, old - 1},
                {0x0a, 0, old, 0, 0, old},
                {0x0b, 1, old, a, 0, a},
                {0x0c, 1, old, a, 0, old + a},
                {0x0d, 1, old, a, 0, old - a},
                {0x0e, 1, old, a, 0, old},
                {0x0f, 1, old, a, 0, a},
                {0x10, 1, old, a, 0, a},
                {0x11, 1, old, a, 0, old},
                {0x12, 2, old, old, b, b},
                {0x12, 2, old, a, b, old},
                {0x13, 1, real_bits, other_bits, 0, sum},
                {0x14, 1, real_bits, other_bits, 0, difference},
                {0x15, 1, real_bits, other_bits, 0, other_bits},
                {0x16, 1, real_bits, other_bits, 0, real_bits},
                {0x17, 2, real_bits, real_bits, b, b},
                {0x18, 1, old, a, 0, old & a},
                {0x19, 1, old, a, 0, old | a},
                {0x1a, 1, old, a, 0, old ^ a}};
    world->once = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned way = 0; way < 4; way++) {
            unsigned returns = way & 1;
            world->is_gathered = way >> 1;
            set_data_dword(world, 64, rows[i].before);
            memset(world->send, 0, sizeof world->send);
            world->send[0][4] = DATA_AT + 64; /* lane 2 of a64 */
            world->send1[0][2] = rows[i].a;
            world->send1[1][2] = rows[i].b;
            uint32_t descriptor = rows[i].operation | A64 | 2 << 9 | 2 << 25 | returns << 20;
            CHECK_EQUAL(world_send(world, UGM, descriptor, rows[i].operands, 8, 4), MESSAGE_DONE);
            CHECK_EQUAL(data_dword(world, 64), rows[i].after);
            CHECK_EQUAL(world->back[0][2], returns ? rows[i].before : FILLER);
        }
    world->is_gathered = false;
    /* 64 bits, and 16 in the low halves of dwords */
    set_data_dword(world, 64, UINT32_MAX), set_data_dword(world, 68, 1);
    world->send[0][0] = DATA_AT + 64, world->send[0][1] = 0;
    world->send1[0][0] = 2, world->send1[0][1] = 0;
    CHECK_EQUAL(world_send(world, UGM, 0x0c | A64 | 3 << 9 | 2 << 25 | 2 << 20, 2, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 64), 1);
    CHECK_EQUAL(data_dword(world, 68), 2);
    CHECK_EQUAL(world->back[0][1], 1);
    set_data_dword(world, 64, 0x1234ffff);
    CHECK_EQUAL(world_send(world, UGM, 0x0f | A64 | 5 << 9 | 2 << 25 | 1 << 20, 1, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 64), 0x12340002); /* -1 and 2 */
    CHECK_EQUAL(world->back[0][0], 0xffff);
}

/* A gathered payload of a wrong length is refused as one in two parts is. */
static void check_gathered_lengths(struct world *world)
{
    world->is_gathered = true;
    CHECK_EQUAL(world_send(world, UGM, 0x04 | A64 | 2 << 9 | 2 << 25, 2, 8, 1), MESSAGE_FAULT);
    CHECK_FAULT(world, "data has 2 registers where the descriptor");
    CHECK_EQUAL(world_send(world, UGM, 0x04 | A64 | 2 << 9 | 2 << 25, 0, 8, 1), MESSAGE_FAULT);
    CHECK_FAULT(world, "data has 0 registers where the descriptor");
    CHECK_EQUAL(world_send(world, UGM, 0x00 | A64 | 2 << 9 | 2 << 25 | 1 << 20, 1, 8, 1), MESSAGE_FAULT);
    CHECK_FAULT(world, "addresses have 3 registers where the descriptor");
    world->is_gathered = false;
}

static void check_refused(struct world *world)
{
    static const struct {
        uint32_t sfid, descriptor;
        unsigned second, lanes;
        const char *text;
    } rows[] = {
        {UGM, 0x03 | A64 | 2 << 9 | 2 << 25, 0, 1, "has no message"},
        {UGM, 0x1b | A64 | 2 << 9 | 2 << 25, 0, 8, "ugm load status"},
        {TGM, 0x02 | A32 | 2 << 9 | 2 << 25, 0, 8, "typed surfaces"},
        {UGM, 0x3e | A64, 0, 8, "has no message"},
        {UGM, 0x00 | A64 | 0 << 9 | 2 << 25 | 1 << 20, 0, 8, "data size 0 (d8) is for 2D blocks only"},
        {UGM, 0x00 | A64 | 7 << 9 | 2 << 25 | 1 << 20, 0, 8, "data size 7 (reserved)"},
        {UGM, 0x00 | 0 << 7 | 2 << 9 | 2 << 25 | 1 << 20, 0, 8, "address size 0"},
        {UGM, 0x00 | A16 | 2 << 9 | 1 << 25 | 1 << 20, 0, 8, "are for shared local memory"},
        {SLM, 0x00 | A64 | 2 << 9 | 2 << 25 | 1 << 20, 0, 8, "16 or 32 bits"},
        {UGM, 0x00 | A64 | 2 << 9 | 2 << 25 | 1 << 20, 0, 32, "32 lanes"},
        {UGM, 0x00 | A64 | 2 << 9 | 5 << 12 | 2 << 25 | 16 << 20, 0, 8, "must be transposed"},
        {UGM, 0x00 | A64 | 2 << 9 | TRANSPOSED | 1 << 25 | 1 << 20, 0, 8, "a transposed message of 8 lanes"},
        {UGM, 0x00 | A64 | 4 << 9 | TRANSPOSED | 1 << 25 | 1 << 20, 0, 1, "transposed data of size d8u32"},
        {UGM, 0x0c | A64 | 2 << 9 | 1 << 12 | 2 << 25, 1, 8, "an atomic operation on 2 elements"},
        {UGM, 0x0c | A64 | 4 << 9 | 2 << 25, 1, 8, "an atomic operation on data of size d8u32"},
        {UGM, 0x13 | A64 | 3 << 9 | 2 << 25, 2, 8, "an atomic operation on data of size d64"},
        {UGM, 0x02 | A64 | 2 << 9 | 2 << 25, 0, 8, "no component is on"},
        {UGM, 0x00 | A64 | 2 << 9 | 3 << 25 | 1 << 20, 0, 8, "needs 2"},
        {UGM, 0x04 | A64 | 2 << 9 | 2 << 25, 2, 8, "needs 1"},
        {UGM, 0x00 | A64 | 2 << 9 | 2 << 25 | 2 << 20, 0, 8, "needs 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        world->once = true;
        CHECK_EQUAL(world_send(world, rows[i].sfid, rows[i].descriptor, rows[i].second, rows[i].lanes, 1),
                    MESSAGE_FAULT);
        CHECK(strstr(world->fault.what, rows[i].text) != NULL);
        if (failures)
            fprintf(stderr, "row %zu: %s\n", i, world->fault.what);
    }
}

/* Scratch memory: a surface with one range for each thread. */
static void check_scratch(struct world *world)
{
    uint32_t *state = world_surface_state(world, 5);
    memset(state, 0, 64);
    state[0] = 6u << 29 | 0x1ffu << 18;
    state[2] = 15;     /* 16 threads */
    state[3] = 64 - 1; /* of 64 bytes */
    state[8] = DATA_AT;
    world->once = true;
    world->message.wide_offset = true;
    world->message.extended = STATES_AT + 64 * 5;
    world->message.thread_slot = 3;
    memset(world->send, 0, sizeof world->send);
    world->send[0][0] = 8;
    world->send1[0][0] = 0xabcd;
    CHECK_EQUAL(world_send(world, UGM, 0x04 | A32 | 2 << 9 | TRANSPOSED | 1 << 25 | STATE, 1, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 3 * 64 + 8), 0xabcd);
    world->send[0][0] = 64; /* beyond the piece */
    CHECK_EQUAL(world_send(world, UGM, 0x00 | A32 | 2 << 9 | TRANSPOSED | 1 << 25 | 1 << 20 | STATE, 0, 1, 1),
                MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0);
    /* two registers at register 0 by a scratch block: header dword 5 bits 31:10 count states from the surface state
     * base */
    world->state.surface_base = HEAP_AT;
    world->send[0][5] = (STATES_AT / 64 + 5) << 10 | 3;
    world->send[1][7] = 0x1234;
    CHECK_EQUAL(world_send(world, DATA0, 3u << 25 | 1u << 19 | 1u << 18 | 1u << 17 | 1u << 12, 0, 8, 0xff),
                MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 3 * 64 + 28), 0x1234);
    world_send(world, DATA0, 3u << 25 | 1u << 19 | 1u << 18 | 1u << 17 | 1u << 12 | 1, 0, 8, 0xff);
    CHECK_FAULT(world, "exceeds the thread's 64 bytes");
    world->send[0][5] = (STATES_AT / 64 + 6) << 10;
    world_send(world, DATA0, 3u << 25 | 1u << 19 | 1u << 18 | 1u << 17 | 1u << 12, 0, 8, 0xff);
    CHECK_FAULT(world, "without scratch");
    world->send[0][5] = 0;
    world->message.thread_slot = 16;
    CHECK_EQUAL(world_send(world, UGM, 0x00 | A32 | 2 << 9 | TRANSPOSED | 1 << 25 | 1 << 20 | STATE, 0, 1, 1),
                MESSAGE_FAULT);
    CHECK(strstr(world->fault.what, "scratch memory of 16 threads") != NULL);
}

int main(void)
{
    struct world *world = world_create("DG2");
    world->state.bindless_base = HEAP_AT + STATES_AT;
    world_bind_buffer(world, BUFFER, BUFFER_OFFSET, BUFFER_BYTES);
    for (unsigned round = 0; round < ROUNDS && failures == 0; round++)
        check_round(world);
    world->is_gathered = false;
    check_atomics(world);
    check_gathered_lengths(world);
    check_refused(world);
    check_scratch(world);
    world_destroy(world);
    return failures != 0;
}
