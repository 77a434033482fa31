/* Checks the command streamer's MI commands and PIPE_CONTROL with batches written by hand. */
#include <string.h>
#include "check.h"
#include "sim/base/clock.h"
#include "sim/stream/stream.h"

enum { BASE = 0x100000, DATA = BASE + 0x1000, SECOND = BASE + 0x2000, SIZE = 0x4000, GPR = 0x2600 };

static union {
    uint32_t words[SIZE / 4];
    uint64_t quads[SIZE / 8];
} memory;
static uint32_t *const data = memory.words + (DATA - BASE) / 4;
static struct stream *stream;
static struct sim_space *space;

/* Runs the commands followed by MI_BATCH_BUFFER_END. */
static void run(const uint32_t *words, size_t count)
{
    struct sim_fault fault = {0};
    memcpy(memory.words, words, count * sizeof *words);
    memory.words[count] = 0x05000000;
    if (!stream_execute(stream, STREAM_RENDER, &(struct stream_source){.space = space}, BASE, &fault)) {
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

/* MI_ATOMIC with both operands in the command. */
static uint64_t atomic(uint32_t operation, int wide, uint64_t old, uint64_t a, uint64_t b)
{
    memory.quads[(DATA - BASE) / 8] = old;
    RUN(0x17800000 | 1u << 18 | (uint32_t)wide << 19 | (uint32_t)(operation | (uint32_t)wide << 5) << 8 | 9, DATA, 0,
        (uint32_t)a, (uint32_t)b, (uint32_t)(a >> 32), (uint32_t)(b >> 32), 0, 0, 0, 0);
    return memory.quads[(DATA - BASE) / 8];
}

static void performs_all_atomic_operations(void)
{
    static const struct {
        uint32_t operation;
        uint64_t old, a, b, dword, qword;
    } cases[] = {
        {1, 0xf0, 0x3c, 0, 0x30, 0x30},
        {2, 0xf0, 0x0f, 0, 0xff, 0xff},
        {3, 0xf0, 0x3c, 0, 0xcc, 0xcc},
        {4, 5, 7, 0, 7, 7},
        {7, UINT32_MAX, 2, 0, 1, UINT64_C(0x100000001)},
        {8, 5, 7, 0, 0xfffffffe, UINT64_MAX - 1},
        {9, 5, 7, 0, 2, 2},
        {10, 0x80000000, 1, 0, 1, 0x80000000},
        {11, 0x80000000, 1, 0, 0x80000000, 1},
        {12, 0x80000000, 1, 0, 0x80000000, 0x80000000},
        {13, 0x80000000, 1, 0, 1, 1},
        {14, 5, 5, 9, 9, 9},
        {14, 5, 6, 9, 5, 5},
        {15, 5, 0, 0, 4, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQUAL((uint32_t)atomic(cases[i].operation, 0, cases[i].old, cases[i].a, cases[i].b), cases[i].dword);
        CHECK_EQUAL(atomic(cases[i].operation, 1, cases[i].old, cases[i].a, cases[i].b), cases[i].qword);
    }
}

/* Operands in R0 and R2 in place of the command's, and what comes back in R4, whose upper half a dword leaves alone. */
static void returns_what_it_found(void)
{
    const uint64_t old = UINT64_C(0x1122334455667788), a = UINT64_C(0x0000000100000001),
                   kept = UINT64_C(0xaaaaaaaabbbbbbbb);
    for (int wide = 0; wide < 2; wide++)
        for (int returns = 0; returns < 2; returns++) {
            uint32_t dword_0 =
                0x17800001 | (uint32_t)returns << 16 | (uint32_t)wide << 19 | (7u | (uint32_t)wide << 5) << 8;
            load(0, a);
            load(2, 0);
            load(4, kept);
            memory.quads[(DATA - BASE) / 8] = old;
            RUN(dword_0, DATA, 0, STORE_MEM(GPR + 32, DATA + 8), STORE_MEM(GPR + 36, DATA + 12));
            uint64_t sum = wide ? old + a : (old & ~UINT64_C(0xffffffff)) | (uint32_t)(old + a);
            uint64_t back = wide ? old : (kept & ~UINT64_C(0xffffffff)) | (uint32_t)old;
            CHECK(memory.quads[(DATA - BASE) / 8] == sum);
            CHECK(memory.quads[(DATA - BASE) / 8 + 1] == (returns ? back : kept));
        }
    load(0, 5); /* compare and write: the second operand is R2 */
    load(2, 9);
    data[0] = 5;
    RUN(0x17810e01, DATA, 0, 0x17810f01, DATA, 0,
        STORE_MEM(GPR + 32, DATA + 4)); /* predecrement returns the new value */
    CHECK_EQUAL(data[0], 8);
    CHECK_EQUAL(data[1], 8);
}

/* The result of MI_PREDICATE with the predicate `old` before, and what a predicated store and jump do then. */
static uint32_t predicate(uint32_t command, uint64_t source_0, uint64_t source_1, uint64_t delta, uint32_t old)
{
    uint32_t *second = memory.words + (SECOND - BASE) / 4;
    memset(data, 0, 64);
    second[0] = 0x05000000;
    RUN(LOAD_IMM(0x2400, (uint32_t)source_0), LOAD_IMM(0x2404, (uint32_t)(source_0 >> 32)),
        LOAD_IMM(0x2408, (uint32_t)source_1), LOAD_IMM(0x240c, (uint32_t)(source_1 >> 32)),
        LOAD_IMM(0x2410, (uint32_t)delta), LOAD_IMM(0x2414, (uint32_t)(delta >> 32)), LOAD_IMM(0x2418, old),
        0x06000000 | command, LOAD_IMM(GPR, 77), STORE_MEM(0x2418, DATA), 0x12200002, GPR, DATA + 4, 0, /**/
        0x18808001, SECOND, 0, 0x10000002, DATA + 8, 0, 1);
    CHECK_EQUAL(data[1], data[0] ? 77 : 0);
    CHECK_EQUAL(data[2], data[0] ? 0 : 1);
    return data[0];
}

static void predicates(void)
{
    enum { KEEP = 0, LOAD = 2 << 6, INVERT = 3 << 6, AND = 1 << 3, OR = 2 << 3, XOR = 3 << 3 };
    enum { ALWAYS, NEVER, EQUAL, DELTA };
    const uint64_t large = UINT64_C(0x700000000);
    CHECK_EQUAL(predicate(LOAD | ALWAYS, 0, 0, 0, 0), 1);
    CHECK_EQUAL(predicate(LOAD | NEVER, 0, 0, 0, 1), 0);
    CHECK_EQUAL(predicate(LOAD | EQUAL, large, large, 0, 0), 1);
    CHECK_EQUAL(predicate(LOAD | EQUAL, large, 0, 0, 1), 0);
    CHECK_EQUAL(predicate(INVERT | EQUAL, large, 0, 0, 0), 1);
    CHECK_EQUAL(predicate(LOAD | DELTA, large + 5, large, 5, 0), 1);
    CHECK_EQUAL(predicate(LOAD | DELTA, large + 5, large, 6, 1), 0);
    CHECK_EQUAL(predicate(KEEP | ALWAYS, 0, 0, 0, 0), 0);
    for (uint32_t old = 0; old < 2; old++)
        for (uint32_t now = 0; now < 2; now++) {
            uint32_t compare = now ? ALWAYS : NEVER;
            CHECK_EQUAL(predicate(LOAD | AND | compare, 0, 0, 0, old), old & now);
            CHECK_EQUAL(predicate(LOAD | OR | compare, 0, 0, 0, old), old | now);
            CHECK_EQUAL(predicate(LOAD | XOR | compare, 0, 0, 0, old), old ^ now);
        }
}

/* True if the commands after MI_SET_PREDICATE are skipped: a store, a jump, and a semaphore wait that never ends. */
static int skips(uint32_t condition, uint32_t result, uint32_t result_2)
{
    uint32_t *second = memory.words + (SECOND - BASE) / 4;
    memset(data, 0, 64);
    second[0] = 0x05000000;
    RUN(LOAD_IMM(0x2418, result), LOAD_IMM(0x23bc, result_2), 0x00800000 | condition, 0x10000002, DATA, 0, 1,    /**/
        LOAD_IMM(GPR, 9), 0x00800000, 0x10000002, DATA + 4, 0, 2, 0x00800000 | condition, 0x18c00001, SECOND, 0, /**/
        0x00800000, STORE_MEM(GPR, DATA + 8));
    CHECK_EQUAL(data[1], 2);
    CHECK_EQUAL(data[2], data[0] ? 9 : 5);
    return data[0] == 0;
}

static void leaves_commands_out(void)
{
    enum { NEVER, RESULT_2_CLEAR, RESULT_2_SET, RESULT_CLEAR, RESULT_SET, RENDER = 11, POSITION, ALWAYS = 15 };
    for (uint32_t result = 0; result < 2; result++)
        for (uint32_t result_2 = 0; result_2 < 2; result_2++) {
            const int expected[16] = {[RESULT_2_CLEAR] = !result_2,
                                      [RESULT_2_SET] = (int)result_2,
                                      [RESULT_CLEAR] = !result,
                                      [RESULT_SET] = (int)result,
                                      [RENDER] = 1,
                                      [ALWAYS] = 1};
            for (uint32_t condition = NEVER; condition <= ALWAYS; condition++) {
                if (condition > RESULT_SET && condition < RENDER)
                    continue; /* by slices: refused */
                if (condition > POSITION && condition < ALWAYS)
                    continue; /* these do not exist */
                RUN(LOAD_IMM(GPR, 5));
                CHECK_EQUAL(skips(condition, result, result_2), expected[condition]);
            }
        }
    memset(data, 0, 64); /* a wait that would never end, and an unknown command */
    RUN(0x0080000f, 0x0e008002 | 4u << 12, 1, DATA, 0, 0x03800000, 0x00800000, 0x10000002, DATA, 0, 3);
    CHECK_EQUAL(data[0], 3);
}

/* Runs batches that end with a fault whose message contains `text`. */
static void is_refused(const char *text, const uint32_t *words, size_t count)
{
    struct sim_fault fault = {0};
    memcpy(memory.words, words, count * sizeof *words);
    memory.words[count] = 0x05000000;
    CHECK_EQUAL(stream_execute(stream, STREAM_RENDER, &(struct stream_source){.space = space}, BASE, &fault), 0);
    if (!strstr(fault.what, text))
        fprintf(stderr, "'%s' is not in '%s'\n", text, fault.what);
    CHECK(strstr(fault.what, text));
}
#define REFUSED(TEXT, ...)                                                                                             \
    is_refused(TEXT, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void refuses_by_name(void)
{
    REFUSED("MI_SET_PREDICATE: condition 5", 0x00800005);
    REFUSED("MI_SET_PREDICATE: condition 14", 0x0080000e);
    REFUSED("MI_ATOMIC: the global address space", 0x17c00501, DATA, 0);
    REFUSED("MI_ATOMIC: operation 0x4e", 0x17904e01, DATA, 0);
    REFUSED("MI_ATOMIC: operation 0x27 on data of size 0", 0x17802701, DATA, 0);
    REFUSED("MI_ATOMIC: operation 0x10", 0x17801001, DATA, 0);
    REFUSED("MI_ATOMIC: 3 dwords with operands", 0x17840501, DATA, 0);
    REFUSED("MI_ATOMIC: 11 dwords without operands", 0x17800509, DATA, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* The value stored after MI_CONDITIONAL_BATCH_BUFFER_END, in its batch (1) and in the batch that called it (2). */
static uint32_t end_early(uint32_t bits, uint32_t value, uint32_t given)
{
    uint32_t *second = memory.words + (SECOND - BASE) / 4;
    const uint32_t words[] = {0x1b000002 | 1u << 21 | bits, given, DATA + 8, 0, 0x10000002, DATA, 0, 1, 0x05000000};
    memset(data, 0, 64);
    data[2] = value;
    memcpy(second, words, sizeof words);
    RUN(0x18c00001, SECOND, 0, 0x10000002, DATA + 4, 0, 2);
    return data[0] + data[1];
}

static void ends_on_a_condition(void)
{
    enum { GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, EQUAL, NOT_EQUAL };
    const uint32_t this_level = 1u << 18;
    for (uint32_t operation = GREATER; operation <= NOT_EQUAL; operation++)
        for (uint32_t value = 4; value <= 6; value++) {
            int holds = operation == GREATER         ? value > 5
                        : operation == GREATER_EQUAL ? value >= 5
                        : operation == LESS          ? value < 5
                        : operation == LESS_EQUAL    ? value <= 5
                        : operation == EQUAL         ? value == 5
                                                     : value != 5;
            CHECK_EQUAL(end_early(operation << 12, value, 5), holds ? 3 : 0);
            CHECK_EQUAL(end_early(operation << 12 | this_level, value, 5), holds ? 3 : 2);
        }
}

static void waits_for_registers(void)
{
    memset(data, 0, 64);
    RUN(LOAD_IMM(GPR, 5), 0x0e018002 | 4u << 12, 5, GPR, 0, 0x10000002, DATA, 0, 1);
    CHECK_EQUAL(data[0], 1);
}

/* Two groups of two threads, whose payload was loaded before: each thread writes what all threads get to the place that
 * is its own; and a walker that the predicate turns off. */
static void launches_with_loaded_payload(void)
{
    enum { KERNEL = BASE + 0x3000, DESCRIPTOR = BASE + 0x3100, PAYLOAD = BASE + 0x3200 };
    static const uint32_t kernel[] = {
        /* mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:ud; sends (8|M0) null:ud r10 r2 0x4C 0x020D40FF: a64 oword block write;
         * mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud; send (8|M0) null r127:ud 0x27 0x02000010 {EOT} */
        0x00600001, 0x2140020c, 0x008d0020, 0x00000000, 0x0c600033, 0x00002014, 0x00000141, 0x020d40ff,
        0x00600001, 0x2fe0020c, 0x008d0000, 0x00000000, 0x07600031, 0x20000204, 0x06000fe0, 0x82000010};
    const uint32_t descriptor[8] = {KERNEL, 0, 0, 0, 0, 1 << 16, 2, 1};
    const uint32_t payload[24] = {11, 22, 33, 44, [8] = DATA, [16] = DATA + 32};
    memcpy(memory.words + (KERNEL - BASE) / 4, kernel, sizeof kernel);
    memcpy(memory.words + (DESCRIPTOR - BASE) / 4, descriptor, sizeof descriptor);
    memcpy(memory.words + (PAYLOAD - BASE) / 4, payload, sizeof payload);
    for (uint32_t enabled = 0; enabled < 2; enabled++) {
        memset(data, 0, 64);
        RUN(0x69040302, 0x70000007, 0, 0, 0, 0, 3, 0, 0, 0, 0x70010002, 0, sizeof payload, PAYLOAD, /**/
            0x70020002, 0, sizeof descriptor, DESCRIPTOR, LOAD_IMM(0x2418, enabled), 0x7105010d, 0, 0, 0, 0x40000001, 0,
            0, 2, 0, 0, 1, 0, 1, 0xffff, UINT32_MAX);
        for (uint32_t i = 0; i < 16; i++)
            CHECK_EQUAL(data[i], enabled && i % 8 < 4 ? payload[i % 8] : 0);
    }
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
    performs_all_atomic_operations();
    returns_what_it_found();
    predicates();
    leaves_commands_out();
    refuses_by_name();
    ends_on_a_condition();
    waits_for_registers();
    launches_with_loaded_payload();
    follows_batch_levels();
    writes_after_a_pipe_control();
    compares_semaphores();
    stream_destroy(stream);
    sim_space_destroy(space);
    dispatcher_destroy(dispatcher);
    return 0;
}
