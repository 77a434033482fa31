/* The command streamer's MI commands and PIPE_CONTROL, executed from batches written here by hand. */
#include <string.h>
#include "check.h"
#include "sim/clock.h"
#include "sim/stream/stream.h"

enum { BASE = 0x100000, DATA = BASE + 0x1000, SECOND = BASE + 0x2000, SIZE = 0x3000, GPR = 0x2600 };

static union {
    uint32_t words[SIZE / 4];
    uint64_t quads[SIZE / 8];
} memory;
static uint32_t *const data = memory.words + (DATA - BASE) / 4;
static struct stream *stream;
static struct sim_space *space;

/* Runs the commands with MI_BATCH_BUFFER_END behind them. */
static void run(const uint32_t *words, size_t count)
{
    struct sim_fault fault = {0};
    memcpy(memory.words, words, count * sizeof *words);
    memory.words[count] = 0x05000000;
    if (!stream_execute(stream, space, BASE, &fault)) {
        sim_fault_print(&fault, stream_position(stream), stderr);
        exit(1);
    }
}

#define RUN(...)                  run((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define LOAD_IMM(REGISTER, VALUE) 0x11000001, REGISTER, VALUE
#define LOAD_MEM(REGISTER, AT)    0x14800002, REGISTER, AT, 0
#define STORE_MEM(REGISTER, AT)   0x12000002, REGISTER, AT, 0

static void moves_registers_and_memory(void)
{
    memset(data, 0, 64);
    data[4] = 0xcafe;
    RUN(LOAD_IMM(GPR, 7), 0x15000001, GPR, GPR + 8, LOAD_MEM(GPR + 4, DATA + 16), STORE_MEM(GPR, DATA), /**/
        STORE_MEM(GPR + 4, DATA + 4), STORE_MEM(GPR + 8, DATA + 8), 0x17000003, DATA + 12, 0, DATA + 16, 0);
    CHECK_EQUAL(data[0], 7);
    CHECK_EQUAL(data[1], 0xcafe);
    CHECK_EQUAL(data[2], 7);
    CHECK_EQUAL(data[3], 0xcafe);
    RUN(0x10000002, DATA, 0, 0x11111111, 0x10200003, DATA + 8, 0, 0x22222222, 0x33333333);
    CHECK_EQUAL(data[0], 0x11111111);
    CHECK_EQUAL(data[1], 0xcafe);
    CHECK_EQUAL(data[2], 0x22222222);
    CHECK_EQUAL(data[3], 0x33333333);
}

static void load(unsigned gpr, uint64_t value)
{
    RUN(LOAD_IMM(GPR + 8 * gpr, (uint32_t)value), LOAD_IMM(GPR + 8 * gpr + 4, (uint32_t)(value >> 32)));
}

/* R2 = R0 operation R1, or the flag that the operation leaves. */
static uint64_t calculate(uint32_t operation, uint64_t a, uint64_t b, uint32_t result)
{
    load(0, a);
    load(1, b);
    RUN(0x0d000003, 0x080u << 20 | 0x20u << 10 | 0, 0x080u << 20 | 0x21u << 10 | 1, operation << 20,
        0x180u << 20 | 2u << 10 | result, STORE_MEM(GPR + 16, DATA), STORE_MEM(GPR + 20, DATA + 4));
    return memory.quads[(DATA - BASE) / 8];
}

static void calculates(void)
{
    enum { ADD = 0x100, SUB, AND, OR, XOR, RESULT = 0x31, ZERO, CARRY };
    const uint64_t a = UINT64_C(0xfedcba9876543210), b = UINT64_C(0x1234567890abcdef);
    CHECK(calculate(ADD, a, b, RESULT) == a + b);
    CHECK(calculate(SUB, a, b, RESULT) == a - b);
    CHECK(calculate(AND, a, b, RESULT) == (a & b));
    CHECK(calculate(OR, a, b, RESULT) == (a | b));
    CHECK(calculate(XOR, a, b, RESULT) == (a ^ b));
    CHECK(calculate(SUB, 3, 4, CARRY) == UINT64_MAX);
    CHECK(calculate(SUB, 4, 3, CARRY) == 0);
    CHECK(calculate(SUB, 4, 4, ZERO) == UINT64_MAX);
    CHECK(calculate(ADD, UINT64_MAX, 1, CARRY) == UINT64_MAX);
    CHECK(calculate(ADD, UINT64_MAX, 1, ZERO) == UINT64_MAX);
}

static void counts_atomically(void)
{
    data[0] = 10, data[1] = 0, data[2] = UINT32_MAX, data[3] = 0;
    RUN(0x17800501, DATA, 0); /* dword increment */
    CHECK_EQUAL(data[0], 11);
    RUN(0x17800601, DATA, 0); /* dword decrement */
    CHECK_EQUAL(data[0], 10);
    RUN(0x17882501, DATA + 8, 0); /* quadword increment carries */
    CHECK_EQUAL(data[2], 0);
    CHECK_EQUAL(data[3], 1);
}

static void follows_batch_levels(void)
{
    uint32_t *second = memory.words + (SECOND - BASE) / 4;
    const uint32_t words[] = {0x10000002, DATA + 4, 0, 2, 0x05000000};
    memset(data, 0, 64);
    memcpy(second, words, sizeof words);
    RUN(0x10000002, DATA, 0, 1, 0x18c00001, SECOND, 0, 0x10000002, DATA + 8, 0, 3); /* comes back */
    CHECK_EQUAL(data[0], 1);
    CHECK_EQUAL(data[1], 2);
    CHECK_EQUAL(data[2], 3);
    memset(data, 0, 64);
    RUN(0x18800001, SECOND, 0, 0x10000002, DATA + 8, 0, 3); /* does not come back */
    CHECK_EQUAL(data[1], 2);
    CHECK_EQUAL(data[2], 0);
}

static void writes_after_a_pipe_control(void)
{
    memset(data, 0, 64);
    RUN(0x7a000004, 1u << 14 | 1u << 20, DATA, 0, 0x89abcdef, 0x01234567);
    CHECK_EQUAL(data[0], 0x89abcdef);
    CHECK_EQUAL(data[1], 0x01234567);
    RUN(0x7a000004, 3u << 14 | 1u << 20, DATA + 8, 0, 0, 0, STORE_MEM(0x2358, DATA + 16), STORE_MEM(0x235c, DATA + 20));
    uint64_t first = memory.quads[(DATA - BASE) / 8 + 1], later = memory.quads[(DATA - BASE) / 8 + 2];
    CHECK(first > 0 && later > first && later <= sim_clock_advance(0));
}

static void compares_semaphores(void)
{
    static const struct {
        uint32_t operation, value, given;
    } holds[] = {{0, 6, 5}, {1, 5, 5}, {2, 4, 5}, {3, 5, 5}, {4, 5, 5}, {5, 4, 5}};
    for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++) {
        data[0] = holds[i].value;
        RUN(0x0e008002 | holds[i].operation << 12, holds[i].given, DATA,
            0); /* would wait for ever if it did not hold */
    }
}

int main(void)
{
    const struct sim_range range = {BASE, SIZE, (uint8_t *)memory.words};
    struct dispatcher *dispatcher = dispatcher_create(&platform_table[PLATFORM_ICLLP], 1, 0);
    space = sim_space_create(&range, 1);
    stream = stream_create(&platform_table[PLATFORM_ICLLP], dispatcher, 0);
    CHECK(dispatcher && space && stream);
    moves_registers_and_memory();
    calculates();
    counts_atomically();
    follows_batch_levels();
    writes_after_a_pipe_control();
    compares_semaphores();
    stream_destroy(stream);
    sim_space_destroy(space);
    dispatcher_destroy(dispatcher);
    return 0;
}
