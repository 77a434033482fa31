/* Atomic operations: every operation's result by hand, and exact sums when host threads collide. */
#include <pthread.h>
#include "world.h"

enum { DATA1 = 12 };

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

/* Operation on the dword at 0 of surface 2 with returned value; SIMD8 (bit 12), return (bit 13). */
static void one_operation(struct world *world, unsigned type, unsigned operation, unsigned operands, uint32_t old,
                          uint32_t a, uint32_t b, uint32_t stored, uint32_t returned)
{
    set_data_dword(world, 0, old);
    memset(world->send, 0, sizeof world->send);
    world->send[1][0] = a;
    world->send[2][0] = b;
    CHECK_EQUAL(world_send(world, DATA1, data_port(type, 0x30 | operation, 2, 1 + operands, 1, false), 0, 8, 1),
                MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), stored);
    CHECK_EQUAL(world->back[0][0], returned);
    CHECK_EQUAL(world->back[0][1], FILLER);
}

static void integer_operations(struct world *world)
{
    static const struct {
        unsigned operation, operands;
        uint32_t old, a, b, stored, returned;
    } cases[] = {
        {1, 1, 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00, 0xff00ff00},
        {2, 1, 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0, 0xff00ff00},
        {3, 1, 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0, 0xff00ff00},
        {4, 1, 5, 6, 0, 6, 5},
        {5, 0, 0xffffffff, 0, 0, 0, 0xffffffff},
        {6, 0, 0, 0, 0, 0xffffffff, 0},
        {7, 1, 40, 2, 0, 42, 40},
        {8, 1, 40, 2, 0, 38, 40},
        {9, 1, 40, 2, 0, 0xffffffda, 40}, /* 2 - 40 = -38 */
        {10, 1, 0xffffffff, 1, 0, 1, 0xffffffff},
        {11, 1, 0xffffffff, 1, 0, 0xffffffff, 0xffffffff},
        {12, 1, 0xffffffff, 1, 0, 0xffffffff, 0xffffffff},
        {13, 1, 0xffffffff, 1, 0, 1, 0xffffffff},
        {14, 2, 7, 7, 9, 9, 7},
        {14, 2, 8, 7, 9, 8, 8},
        {15, 0, 10, 0, 0, 9, 9}, /* predecrement returns the new value */
    };
    world_bind_buffer(world, 2, 0, 64);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        one_operation(world, 2, cases[i].operation, cases[i].operands, cases[i].old, cases[i].a, cases[i].b,
                      cases[i].stored, cases[i].returned);
    world_send(world, DATA1, data_port(2, 0x30, 2, 2, 1, false), 0, 8, 1);
    CHECK_FAULT(world, "atomic operation 0");
}

static void float_operations(struct world *world)
{
    world_bind_buffer(world, 2, 0, 64);
    uint32_t one = float_bits(1.0f), minus = float_bits(-2.0f), nan = 0x7fc00000, negative_zero = 0x80000000;
    one_operation(world, 0x1b, 1, 1, minus, one, 0, one, minus);
    one_operation(world, 0x1b, 2, 1, minus, one, 0, minus, minus);
    one_operation(world, 0x1b, 1, 1, nan, one, 0, one, nan);
    one_operation(world, 0x1b, 3, 2, negative_zero, 0, one, one, negative_zero); /* -0 equals 0 */
    world_send(world, DATA1, data_port(0x1b, 0x34, 2, 2, 1, false), 0, 8, 1);
    CHECK_FAULT(world, "atomic operation 4");
}

/* Channels of one message see each other: 16 additions to one counter return 0, 2, 4, ... */
static void channels_are_ordered(struct world *world)
{
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 16; i++)
        world->send[2 + i / 8][i % 8] = 2;
    /* SIMD16 on shared local memory, with return */
    CHECK_EQUAL(world_send(world, DATA1, data_port(2, 0x27, 254, 4, 2, false), 0, 16, 0xffff), MESSAGE_DONE);
    for (unsigned i = 0; i < 16; i++)
        CHECK_EQUAL(world->back[i / 8][i % 8], 2 * i);
    uint32_t sum;
    memcpy(&sum, world->slm, 4);
    CHECK_EQUAL(sum, 32);
    /* beyond the end: nothing stored, 0 returned */
    world->send[0][0] = 1024;
    CHECK_EQUAL(world_send(world, DATA1, data_port(2, 0x27, 254, 4, 2, false), 0, 16, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0);
    world->send[0][0] = 2;
    world_send(world, DATA1, data_port(2, 0x27, 254, 4, 2, false), 0, 16, 1);
    CHECK_FAULT(world, "not aligned to 4");
}

static void a64_qwords(struct world *world)
{
    uint64_t address = DATA_AT + 8, operand = UINT64_C(0x200000001), old = UINT64_C(0xffffffff), value;
    memcpy(world->data + 8, &old, 8);
    memset(world->send, 0, sizeof world->send);
    memcpy(world->send[0], &address, 8);
    memcpy(world->send1[0], &operand, 8);
    /* type 18, bit 12: qword, bit 13: return */
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x12, 0x37, 255, 2, 2, false), 2, 8, 1), MESSAGE_DONE);
    memcpy(&value, world->data + 8, 8);
    CHECK_EQUAL(value, UINT64_C(0x300000000));
    memcpy(&value, world->back, 8);
    CHECK_EQUAL(value, old);
    /* the same operation on a dword, no value back */
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x12, 0x07, 255, 2, 0, false), 1, 8, 1), MESSAGE_DONE);
    memcpy(&value, world->data + 8, 8);
    CHECK_EQUAL(value, UINT64_C(0x300000001));
}

static void typed_pixels(struct world *world)
{
    struct image_shape shape = {.type = 1, .format = 0xd7, .width = 8, .height = 4, .pitch = 128};
    world_bind_image(world, 3, 0, &shape);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 8; i++) {
        world->send[0][i] = i / 2; /* two channels to each pixel */
        world->send[1][i] = 3;
        world->send[2][i] = 10;
    }
    CHECK_EQUAL(world_send(world, DATA1, data_port(6, 0x27, 3, 3, 1, false), 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 3 * 128 + 12), 20);
    CHECK_EQUAL(world->back[0][6], 0);
    CHECK_EQUAL(world->back[0][7], 10);
    shape.format = 0xc7;
    world_bind_image(world, 3, 0, &shape);
    world_send(world, DATA1, data_port(6, 0x27, 3, 3, 1, false), 0, 8, 0xff);
    CHECK_FAULT(world, "R8G8B8A8_UNORM has no atomic operations");
}

/* Words on Gen12LP: the lower halves of dwords in registers; no such message before. */
static void words(struct world *world)
{
    world_bind_buffer(world, 2, 0, 64);
    set_data_dword(world, 0, 0x7fff1234);
    memset(world->send, 0, sizeof world->send);
    world->send[0][0] = 2;
    world->send[1][0] = 0xaaaa0002;
    world_send(world, DATA1, data_port(3, 0x37, 2, 2, 1, false), 0, 8, 1);
    if (strcmp(world->state.platform->name, "TGLLP") != 0) {
        CHECK_FAULT(world, "has no message");
        return;
    }
    CHECK_EQUAL(world->effect, MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x80011234);
    CHECK_EQUAL(world->back[0][0], 0x7fff);
    CHECK_EQUAL(world_send(world, DATA1, data_port(3, 0x3a, 2, 2, 1, false), 0, 8, 1),
                MESSAGE_DONE); /* signed maximum */
    CHECK_EQUAL(data_dword(world, 0), 0x00021234);
    /* halves: 1.5 is 0x3e00, -2 is 0xc000 */
    set_data_dword(world, 0, 0xc0005555);
    world->send[1][0] = 0x3e00;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x1c, 0x31, 2, 2, 1, false), 0, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x3e005555);
    CHECK_EQUAL(world->back[0][0], 0xc000);
    uint64_t address = DATA_AT + 2;
    memset(world->send, 0, sizeof world->send);
    memcpy(world->send[0], &address, 8);
    world->send[2][0] = 1;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x13, 0x27, 255, 3, 1, false), 0, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x3e015555);
    world->send[2][0] = 0x7c00;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x1e, 0x22, 255, 3, 1, false), 0, 8, 1), MESSAGE_DONE); /* minimum */
    CHECK_EQUAL(data_dword(world, 0), 0x3e015555);
    address++;
    memcpy(world->send[0], &address, 8);
    world_send(world, DATA1, data_port(0x13, 0x27, 255, 3, 1, false), 0, 8, 1);
    CHECK_FAULT(world, "not aligned to 2");
    struct image_shape shape = {.type = 1, .format = 0x10d, .width = 8, .height = 4, .pitch = 128}; /* R16_UINT */
    world_bind_image(world, 3, 0, &shape);
    memset(world->send, 0, sizeof world->send);
    world->send[1][0] = 1;
    world->send[2][0] = 9;
    CHECK_EQUAL(world_send(world, DATA1, data_port(7, 0x27, 3, 3, 1, false), 0, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 128), 9);
}

enum { HOST_THREADS = 4, ROUNDS = 2000 };

static void *add_many(void *shared)
{
    const struct world *common = shared;
    struct world *world = aligned_alloc(64, sizeof *world);
    if (!world)
        abort();
    memcpy(world, common, sizeof *world);
    world->once = true;
    for (unsigned round = 0; round < ROUNDS; round++)
        world_send(world, DATA1, data_port(2, 0x07, 2, 4, 0, false), 0, 16, 0xffff);
    void *failed = world->effect == MESSAGE_DONE ? NULL : shared;
    free(world);
    return failed;
}

static void host_threads_collide(struct world *world)
{
    pthread_t threads[HOST_THREADS];
    world_bind_buffer(world, 2, 0, 64);
    memset(world->send, 0, sizeof world->send);
    for (unsigned i = 0; i < 16; i++)
        world->send[2 + i / 8][i % 8] = 1;
    for (unsigned i = 0; i < HOST_THREADS; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, add_many, world), 0);
    for (unsigned i = 0; i < HOST_THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        CHECK_EQUAL(failed == NULL, 1);
    }
    CHECK_EQUAL(data_dword(world, 0), HOST_THREADS * ROUNDS * 16);
}

int main(void)
{
    static const char *const platforms[] = {"SKL", "ICLLP", "TGLLP"};
    static void (*const tests[])(struct world *) = {
        integer_operations,   float_operations, channels_are_ordered, a64_qwords, typed_pixels, words,
        host_threads_collide,
    };
    for (unsigned p = 0; p < 3; p++)
        for (unsigned t = 0; t < sizeof tests / sizeof tests[0]; t++) {
            struct world *world = world_create(platforms[p]);
            tests[t](world);
            world_destroy(world);
        }
    return failures != 0;
}
