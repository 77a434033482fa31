/* Checks atomic operations: every operation's result by hand, and exact sums when host threads collide. */
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

/* Every atomic message that there is, below with every operation. */
static const struct form {
    const char *name;
    unsigned type, control; /* of the descriptor, SIMD8 with a returned value */
    enum { BUFFER, LOCAL, FLAT, IMAGE } place;
    unsigned bytes; /* that an operation changes */
    bool is_float;
    bool is_of_12; /* Gen12LP only */
} forms[] = {
    {"untyped dword", 0x02, 0x30, BUFFER, 4, false, false}, {"local dword", 0x02, 0x30, LOCAL, 4, false, false},
    {"a64 dword", 0x12, 0x20, FLAT, 4, false, false},       {"a64 qword", 0x12, 0x30, FLAT, 8, false, false},
    {"typed dword", 0x06, 0x20, IMAGE, 4, false, false},    {"untyped float", 0x1b, 0x30, BUFFER, 4, true, false},
    {"local float", 0x1b, 0x30, LOCAL, 4, true, false},     {"a64 float", 0x1d, 0x20, FLAT, 4, true, false},
    {"untyped word", 0x03, 0x30, BUFFER, 2, false, true},   {"local word", 0x03, 0x30, LOCAL, 2, false, true},
    {"a64 word", 0x13, 0x20, FLAT, 2, false, true},         {"typed word", 0x07, 0x20, IMAGE, 2, false, true},
    {"untyped half", 0x1c, 0x30, BUFFER, 2, true, true},    {"local half", 0x1c, 0x30, LOCAL, 2, true, true},
    {"a64 half", 0x1e, 0x20, FLAT, 2, true, true},
};

static uint64_t cut(uint64_t value, unsigned bytes)
{
    return bytes == 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static int64_t with_sign(uint64_t value, unsigned bytes)
{
    return (int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

/* Returns the value that the operation stores, by the manual's names of operations. `operands`: their number. */
static uint64_t integer_result(unsigned operation, unsigned bytes, uint64_t old, uint64_t a, uint64_t b,
                               unsigned *operands)
{
    bool is_less = with_sign(old, bytes) < with_sign(a, bytes);
    *operands = operation == 5 || operation == 6 || operation == 15 ? 0 : operation == 14 ? 2 : 1;
    switch (operation) {
    case 1: return old & a;
    case 2: return old | a;
    case 3: return old ^ a;
    case 4: return a;
    case 5: return cut(old + 1, bytes);
    case 6: return cut(old - 1, bytes);
    case 7: return cut(old + a, bytes);
    case 8: return cut(old - a, bytes);
    case 9: return cut(a - old, bytes);
    case 10: return is_less ? a : old;
    case 11: return is_less ? old : a;
    case 12: return old < a ? a : old;
    case 13: return old < a ? old : a;
    case 14: return old == a ? b : old;
    default: return cut(old - 1, bytes);
    }
}

static double real_of(uint64_t bits, unsigned bytes)
{
    float single;
    _Float16 half;
    memcpy(&single, &bits, sizeof single);
    memcpy(&half, &bits, sizeof half);
    return bytes == 4 ? (double)single : (double)half;
}

/* 1 maximum, 2 minimum, where a number wins over a NaN; 3 compare and write. */
static uint64_t real_result(unsigned operation, unsigned bytes, uint64_t old, uint64_t a, uint64_t b,
                            unsigned *operands)
{
    double x = real_of(old, bytes), y = real_of(a, bytes);
    *operands = operation == 3 ? 2 : 1;
    if (operation == 3)
        return x == y ? b : old;
    if (x != x || y != y)
        return x != x ? a : old;
    return (operation == 1) == (x > y) ? old : a;
}

static unsigned put_address(struct world *world, const struct form *form)
{
    uint64_t address = DATA_AT;
    if (form->place == FLAT)
        memcpy(world->send[0], &address, sizeof address);
    return form->place == FLAT || form->place == IMAGE ? 2 : 1; /* 64 bits, or u and v; all zero but that */
}

static void run_form(struct world *world, const struct form *form, unsigned operation, uint64_t old, uint64_t a,
                     uint64_t b)
{
    unsigned operands, rows = form->bytes == 8 ? 2 : 1,
                       index = form->place == LOCAL   ? 254
                               : form->place == FLAT  ? 255
                               : form->place == IMAGE ? 3
                                                      : 2;
    uint8_t *memory = form->place == LOCAL ? world->slm : world->data;
    uint64_t wanted = (form->is_float ? real_result : integer_result)(operation, form->bytes, old, a, b, &operands);
    uint64_t stored = 0, returned = 0, beside = 0x1122334455667788;
    memcpy(memory, &old, form->bytes);
    memcpy(memory + form->bytes, &beside, sizeof beside);
    memset(world->send, 0, sizeof world->send);
    unsigned at = put_address(world, form);
    memcpy(world->send[at], &a, form->bytes);
    memcpy(world->send[at + rows], &b, form->bytes);
    uint32_t descriptor = data_port(form->type, form->control | operation, index, at + rows * operands, rows, false);
    if (world_send(world, DATA1, descriptor, 0, 8, 1) != MESSAGE_DONE)
        printf("%s, operation %u: %s\n", form->name, operation, world->fault.what);
    CHECK_EQUAL(world->effect, MESSAGE_DONE);
    memcpy(&stored, memory, form->bytes);
    memcpy(&returned, world->back[0], form->bytes);
    if (stored != wanted)
        printf("%s, operation %u of 0x%llx, 0x%llx, 0x%llx\n", form->name, operation, (unsigned long long)old,
               (unsigned long long)a, (unsigned long long)b);
    CHECK_EQUAL(stored, wanted);
    CHECK_EQUAL(returned, operation == 15 && !form->is_float ? wanted : old);
    CHECK_EQUAL(memcmp(memory + form->bytes, &beside, sizeof beside), 0);
}

static void every_operation(struct world *world, const struct form *form)
{
    static const uint64_t integers[] = {0,         1, 7, UINT64_C(0x7fffffff7fff7fff), UINT64_C(0x8000000080008000),
                                        UINT64_MAX};
    static const uint64_t floats[] = {0x3f800000, 0xc0000000, 0x7f800000, 0x7fc00000, 0x00000001};
    static const uint64_t halves[] = {0x3c00, 0xc000, 0x7c00, 0x7e00, 0x0001};
    const uint64_t *values = !form->is_float ? integers : form->bytes == 4 ? floats : halves;
    unsigned count = form->is_float ? 5 : 6, last = form->is_float ? 3 : 15;
    for (unsigned operation = 1; operation <= last; operation++)
        for (unsigned i = 0; i < count; i++)
            for (unsigned j = 0; j < count; j++)
                run_form(world, form, operation, cut(values[i], form->bytes), cut(values[j], form->bytes),
                         cut(values[(i + j) % count], form->bytes));
    /* those that there are not */
    uint32_t sent = (form->place == FLAT || form->place == IMAGE ? 2 : 1) + (form->bytes == 8 ? 2 : 1);
    unsigned index = form->place == LOCAL ? 254 : form->place == FLAT ? 255 : form->place == IMAGE ? 3 : 2;
    world_send(world, DATA1, data_port(form->type, form->control, index, sent, form->bytes == 8 ? 2 : 1, false), 0, 8,
               1);
    CHECK_FAULT(world, "atomic operation 0");
}

static void every_message(struct world *world)
{
    bool is_12 = strcmp(world->state.platform->name, "TGLLP") == 0;
    for (unsigned f = 0; f < sizeof forms / sizeof *forms; f++) {
        struct image_shape shape = {.type = 1, .format = forms[f].bytes == 4 ? 0xd7 : 0x10d};
        shape.width = 8, shape.height = 4, shape.pitch = 128;
        world_bind_buffer(world, 2, 0, 64);
        world_bind_image(world, 3, 0, &shape);
        if (is_12 || !forms[f].is_of_12)
            every_operation(world, &forms[f]);
    }
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
    static world_test *const tests[] = {
        integer_operations, float_operations,     channels_are_ordered, a64_qwords, typed_pixels, words,
        every_message,      host_threads_collide,
    };
    return world_run(tests, sizeof tests / sizeof tests[0]);
}
