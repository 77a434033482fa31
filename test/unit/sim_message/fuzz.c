/* Sends hostile messages: random descriptors, payloads and surface states must end in a result or a fault, never in a
 * memory error (the sanitizers' build detects those), and must not write outside of dst. */
#include "world.h"
#include "test/unit/shard.h"

enum { ROUNDS = 250000 };

/* The rows of the message table: most descriptors are made from one. */
enum {
    FUNCTION_FIRST = 0,
#define SHARED_FUNCTION(ID, NUMBER, NAME, HEADER_BIT) FUNCTION_##ID = NUMBER,
#include "tables/messages.def"
};
static struct {
    unsigned from, to;
    uint32_t sfid, mask, value;
    char header; /* R required, F forbidden, O optional, I ignored */
    const char *name;
    unsigned performed;
} rows[] = {
#define MESSAGE(FROM, TO, FUNCTION, MASK, VALUE, HEADER, CHANNELS, ADDRESS, DATA, DIRECTION, HANDLER, NAME)            \
    {FROM, TO, FUNCTION_##FUNCTION, MASK, VALUE, #HEADER[0], NAME, 0},
#include "tables/messages.def"
#define LSC_ROWS(NUMBER, NAME)                                                                                         \
    {127, 128, FUNCTION_UGM, 0x3f, NUMBER, 'I', "ugm " NAME, 0},                                                       \
        {127, 128, FUNCTION_SLM, 0x3f, NUMBER, 'I', "slm " NAME, 0},
#define LSC_MESSAGE(NUMBER, DIRECTION, HANDLER, NAME) LSC_ROWS(NUMBER, NAME)
#define LSC_INTEGER(NUMBER, OPERANDS, NAME, NEW)      LSC_ROWS(NUMBER, NAME)
#define LSC_REAL(NUMBER, OPERANDS, NAME, NEW)         LSC_ROWS(NUMBER, NAME)
#include "tables/lsc.def"
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static uint64_t random_state;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Every fourth bit on average. */
static uint32_t few_bits(void)
{
    uint32_t bits = random_bits();
    return bits & random_bits();
}

/* Payloads of three kinds: 64-bit addresses inside an object, small offsets, anything. */
static uint32_t random_value(unsigned kind, unsigned dword)
{
    switch (kind) {
    case 0: return dword % 2 ? 0 : (DATA_AT + random_bits() % DATA_BYTES) & ~15u;
    case 1: return random_bits() % 64 * 4;
    default: return random_bits() >> random_bits() % 32;
    }
}

static void random_surface(struct world *world, unsigned index)
{
    uint32_t *state = world_surface_state(world, index);
    static const uint32_t formats[] = {0xd8, 0xc7, 0x140, 0x1ff, 0x84, 0x182, 0, 0xd7};
    struct image_shape shape;
    shape.type = random_bits() % 4 ? 1 : random_bits() % 3;
    shape.format = formats[random_bits() % 8];
    shape.tiling = random_bits() % 4;
    shape.width = 1 + random_bits() % 64;
    shape.height = 1 + random_bits() % 64;
    shape.depth = 1 + random_bits() % 4;
    shape.pitch = 512 * (1 + random_bits() % 4);
    shape.slice_pitch = 4 * (random_bits() % 16);
    shape.is_array = random_bits() % 2;
    if (random_bits() % 3 == 0)
        world_bind_typed_buffer(world, index, shape.format, 1024, 1 + random_bits() % 4096);
    else
        world_bind_image(world, index, random_bits() % 4096, &shape);
    unsigned spoiled = random_bits() % 64; /* one state in four has a wrong bit */
    if (spoiled < 16)
        state[spoiled] ^= 1u << random_bits() % 32;
}

static void send_and_check(struct world *world, uint32_t sfid, uint32_t descriptor, unsigned second, unsigned exec_size,
                           uint32_t mask)
{
    world_send(world, sfid, descriptor, second, exec_size, mask);
    for (unsigned i = descriptor >> 20 & 31; i < 32; i++)
        for (unsigned j = 0; j < 8; j++)
            CHECK_EQUAL(world->back[i][j], FILLER);
    CHECK_EQUAL(world->effect == MESSAGE_FAULT, world->fault.raised != 0);
}

/* Wrong lengths are faults that say which would be right. */
static void correct_lengths(const struct world *world, unsigned *sent, unsigned *returned, unsigned *second_source)
{
    unsigned second = *second_source;
    const char *needs = strstr(world->fault.what, "needs ");
    if (world->effect != MESSAGE_FAULT || !needs)
        return;
    unsigned right = (unsigned)atoi(needs + 6);
    if (strstr(world->fault.what, ": returns") || strstr(world->fault.what, "destination has") ||
        strstr(world->fault.what, "a fence returns"))
        *returned = right & 31;
    else if (strstr(world->fault.what, "data has"))
        *second_source = right & 31;
    else if (strstr(world->fault.what, "addresses have"))
        *sent = right & 15;
    else if (right >= second)
        *sent = (right - second) & 15;
}

/* One random descriptor and payload. */
static void random_message(struct world *world)
{
    uint32_t index = random_bits() % 2 ? random_bits() % 8 : 252 + random_bits() % 4;
    uint32_t descriptor = (random_bits() & 0x600fff00) | index;
    if (random_bits() % 2)
        descriptor &= ~0x00000f00u;
    unsigned row = random_bits() % ROW_COUNT, kind = random_bits() % 3;
    while (world->state.platform->generation < rows[row].from || world->state.platform->generation > rows[row].to)
        row = random_bits() % ROW_COUNT;
    uint32_t sfid = rows[row].sfid, mask = few_bits();
    bool from_row = random_bits() % 4 != 0;
    if (!from_row)
        sfid = random_bits() % 19;
    bool is_lsc = rows[row].sfid >= FUNCTION_SLM;
    if (is_lsc &&
        random_bits() % 4) /* mostly a plausible shape: addresses, one element, flat or of the binding table */
        descriptor = (rows[row].sfid == FUNCTION_SLM ? 2
                      : kind == 0                    ? 3
                                                     : 2)
                         << 7 |
                     (random_bits() % 4 ? 2 : random_bits() % 8) << 9 |
                     (random_bits() % 4 ? 0 : random_bits() % 16) << 12 |
                     (rows[row].sfid == FUNCTION_SLM ? 0u
                      : kind == 0                    ? 0u
                                                     : 3u)
                         << 29;
    if (rows[row].header == 'R')
        descriptor |= 1u << 19;
    if (rows[row].header == 'F')
        descriptor &= ~(1u << 19);
    if (from_row)
        descriptor = (descriptor & ~rows[row].mask) | rows[row].value;
    unsigned second = random_bits() % 4 ? 0 : random_bits() % 8, exec_size = 1u << random_bits() % 6;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < 8; j++) {
            world->send[i][j] = random_value(kind, j);
            world->send1[i][j] = random_value(kind, j);
        }
    if (random_bits() % 2)
        world->send[0][2] = random_bits() & 0x0007003f; /* a media block */
    world->message.extended = is_lsc ? index << 24 : random_bits();
    world->message.wide_offset = random_bits() % 2;
    world->message.end_of_thread = random_bits() % 8 == 0;
    unsigned sent = random_bits() % 12, returned = random_bits() % 9;
    for (unsigned try = 0; try < 5; try++) {
        send_and_check(world, sfid, descriptor | sent << 25 | returned << 20, second, exec_size, mask);
        correct_lengths(world, &sent, &returned, &second);
    }
    rows[row].performed += from_row && (mask & 1) && world->effect != MESSAGE_FAULT;
}

/* Operations of the load/store cache on platforms with registers of 64 bytes: with 2D blocks and texels. */
static const struct {
    uint32_t sfid, operation;
} cached[] = {
#define LSC_BOTH(NUMBER)                         {FUNCTION_UGM, NUMBER}, {FUNCTION_SLM, NUMBER},
#define LSC_MESSAGE(NUMBER, DIRECTION, ...)      LSC_BOTH(NUMBER)
#define LSC_INTEGER(NUMBER, OPERANDS, NAME, NEW) LSC_BOTH(NUMBER)
#define LSC_REAL(NUMBER, OPERANDS, NAME, NEW)    LSC_BOTH(NUMBER)
#define LSC_BLOCK(NUMBER, DIRECTION, ...)        {FUNCTION_UGM, NUMBER},
#define LSC_TYPED(NUMBER, DIRECTION, ...)        {FUNCTION_TGM, NUMBER},
#include "tables/lsc.def"
};

/* Fills a payload: addresses, or a 2D block with one or two wrong dwords. */
static void fill_cached(struct world *world, unsigned kind)
{
    uint32_t *payload = (uint32_t *)world->send;
    for (unsigned i = 0; i < sizeof world->send / 4; i++) {
        payload[i] = random_value(kind, i);
        ((uint32_t *)world->send1)[i] = random_value(kind, i);
    }
    if (random_bits() % 2)
        return;
    const uint32_t block[] = {DATA_AT, 0, 127, 15, 127, random_bits() % 32, random_bits() % 16, 7 << 8 | 7};
    memcpy(payload, block, sizeof block);
    payload[random_bits() % 8] ^= 1u << random_bits() % 32;
}

/* One random message to the load/store cache: a result or a fault, and nothing is written beyond the reply. */
static void cached_message(struct world *world)
{
    enum { REGISTER = 64, ROOM = sizeof world->back };
    unsigned row = random_bits() % (sizeof cached / sizeof *cached), kind = random_bits() % 3;
    uint32_t descriptor = cached[row].operation | (random_bits() % 4 ? 3u : random_bits() % 4) << 7 |
                          (random_bits() % 4 ? 2 : random_bits() % 8) << 9 |
                          (random_bits() % 4 ? 0 : random_bits() % 16) << 12 |
                          (random_bits() % 2 ? 0u : random_bits() % 4) << 29;
    if (random_bits() % 4 == 0)
        descriptor ^= 1u << random_bits() % 20;
    fill_cached(world, kind);
    world->message.extended = (random_bits() % 8) << 24 | (random_bits() % 4 ? 0 : random_bits());
    world->message.end_of_thread = false;
    unsigned sent = random_bits() % 8, returned = random_bits() % 9, second = random_bits() % 4;
    for (unsigned try = 0; try < 5 && returned <= ROOM / REGISTER && second <= ROOM / REGISTER; try++) {
        world_send(world, cached[row].sfid, descriptor | sent << 25 | returned << 20, second, 1u << random_bits() % 6,
                   few_bits());
        for (unsigned at = returned * REGISTER; at < ROOM; at += 4)
            CHECK_EQUAL(((uint32_t *)world->back)[at / 4], FILLER);
        CHECK_EQUAL(world->effect == MESSAGE_FAULT, world->fault.raised != 0);
        correct_lengths(world, &sent, &returned, &second);
    }
}

static void fuzz_cached(const struct shard *shard, const char *platform)
{
    enum { CACHED_ROUNDS = 40000 };
    struct world *world = world_create(platform);
    for (unsigned round = 0; round < CACHED_ROUNDS && failures < 10; round++) {
        if (!shard_plays(shard, round, 16, &random_state))
            continue;
        for (unsigned index = 0; index < 8 && round % 16 == 0; index++)
            random_surface(world, index);
        world->once = round % 8 != 0;
        cached_message(world);
    }
    world_destroy(world);
}

int main(int count, char **arguments)
{
    const struct shard shard = shard_take(&count, arguments);
    static const char *const platforms[] = {"SKL", "ICLLP", "TGLLP", "DG2"};
    struct world *world = world_create(platforms[0]);
    world->state.scratch_bytes = 1024;
    for (unsigned round = 0; round < ROUNDS && failures < 10; round++) {
        if (!shard_plays(&shard, round, 16, &random_state))
            continue;
        world->state.platform = platform_find(platforms[round % 4]);
        world->state.general_base = round % 2 ? DATA_AT : 0;
        if (round % 16 == 0)
            for (unsigned index = 0; index < 8; index++)
                random_surface(world, index);
        for (unsigned i = 0; i < 64; i++) /* sampler states */
            if (round % 16 == 0)
                world->heap[SAMPLERS_AT + i] = (uint8_t)(random_bits() % 4 ? 0 : few_bits());
        world->once = round % 8 != 0;
        random_message(world);
    }
    world_destroy(world);
    fuzz_cached(&shard, "PVC");
    fuzz_cached(&shard, "LNL");
    /* Every kind of message must have been performed at least once, or the loop tests little. */
    for (unsigned row = 0; row < ROW_COUNT && shard.parts == 1; row++)
        if (rows[row].performed == 0) {
            failures++;
            fprintf(stderr, "%s was never performed\n", rows[row].name);
        }
    return failures != 0;
}
