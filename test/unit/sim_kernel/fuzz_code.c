/* fuzz_code ROUNDS IGA64 FILE.case...: executes kernels with changed bits. The cases of test/unit/sim_eu are assembled
 * for each simulated generation. Then random bits of random instructions change, and what the decoder accepts runs with
 * random registers and real messages on a small address space. Nothing may be read or written outside of the thread's
 * data and that space: the program is built with sanitizers, and a pattern after the registers must stay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/thread.h"
#include "sim/message/message.h"
#include "sim/base/space.h"
#include "test/unit/sim_eu/case_file.h"
#include "test/unit/shard.h"

enum {
    MOST_KERNELS = 512,
    CODE_BYTES = 4096,
    BUDGET = 300,
    SPACE_AT = 0x10000,
    SPACE_BYTES = 0x4000,
    SLM_BYTES = 1024,
    CANARY = 0x5a
};

struct kernel {
    const struct platform *platform;
    uint8_t code[CODE_BYTES];
    size_t bytes;
};

static struct kernel kernels[MOST_KERNELS];
static size_t kernel_count;

static uint64_t state;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static void assemble(const char *iga64, const struct test_case *test)
{
    for (size_t p = 0; p < platform_count && kernel_count < MOST_KERNELS; p++) {
        struct kernel *kernel = &kernels[kernel_count];
        if (!platform_table[p].simulated || platform_table[p].needs_current || !test->on[platform_table[p].generation])
            continue;
        kernel->platform = &platform_table[p];
        kernel->bytes = case_assemble(iga64, kernel->platform->generation, test->assembly, kernel->code, CODE_BYTES);
        kernel_count += kernel->bytes > 0;
    }
}

static void read_cases(const char *iga64, const char *path)
{
    static struct test_case test;
    unsigned line = 0;
    char *text = case_read(path), *position = text;
    while (case_next(path, &position, &line, &test))
        assemble(iga64, &test);
    free(text);
}

/* One to four bits, mostly of one instruction. */
static void spoil(uint8_t *code, size_t bytes)
{
    size_t instruction = next() % (bytes / 8) * 8;
    for (unsigned changes = 1 + next() % 4; changes > 0; changes--) {
        size_t bit = next() % 8 == 0 ? next() % (bytes * 8) : instruction * 8 + next() % 128;
        if (bit < bytes * 8)
            code[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

/* Registers hold small numbers, addresses inside the space, or anything; so does a0. */
static void fill_registers(struct eu_thread *thread)
{
    for (size_t at = 0; at < thread->general_bytes; at += 4) {
        uint32_t pick = next() % 4;
        uint32_t value = pick == 0 ? next() : pick == 1 ? SPACE_AT + next() % SPACE_BYTES : pick == 2 ? next() % 64 : 0;
        memcpy(eu_thread_grf(thread, 0) + at, &value, sizeof value);
    }
    for (unsigned word = 0; word < 16; word++) {
        uint16_t value = (uint16_t)(next() % 3 == 0 ? next() : next() % 4096);
        memcpy(thread->file + EU_FILE_ADDRESS + sizeof value * word, &value, sizeof value);
    }
}

static bool run(const struct eu_program *program, const struct message_state *messages, struct eu_thread *thread)
{
    struct sim_fault fault = {0};
    uint64_t executed = 0;
    uint8_t *behind = thread->file + thread->file_bytes;
    memset(behind, CANARY, EU_SLACK_BYTES);
    eu_thread_start(thread, program, messages, NULL, 0, next() % 2 ? UINT32_MAX : next(), next() % 64);
    fill_registers(thread);
    for (unsigned turns = 0; turns < 4 && eu_thread_run(thread, BUDGET, &executed, &fault) == EU_BARRIER; turns++)
        continue;
    for (unsigned i = 0; i < EU_SLACK_BYTES; i++)
        if (behind[i] != CANARY) {
            printf("written behind the registers: byte %u\n", i);
            return false;
        }
    return true;
}

static bool run_round(const struct message_state *shared, unsigned *accepted)
{
    const struct kernel *kernel = &kernels[next() % kernel_count];
    struct message_state messages = *shared;
    struct sim_fault fault = {0};
    uint8_t *code = malloc(kernel->bytes); /* as long as it is: reading beyond shows */
    bool is_right = true;
    messages.platform = kernel->platform;
    memcpy(code, kernel->code, kernel->bytes);
    spoil(code, kernel->bytes);
    struct eu_program *program = eu_program_decode(kernel->platform, code, kernel->bytes, &fault);
    if (program != NULL) {
        struct eu_thread *thread = eu_thread_create(kernel->platform);
        ++*accepted;
        is_right = run(program, &messages, thread);
        eu_program_avoid_fast(program);
        is_right = is_right && run(program, &messages, thread);
        eu_thread_destroy(thread);
    }
    eu_program_destroy(program);
    if (!is_right)
        for (size_t i = 0; i < kernel->bytes; i++)
            printf("%02x%s", code[i], i % 16 == 15 ? "\n" : " ");
    free(code);
    return is_right;
}

int main(int argc, char **argv)
{
    static uint8_t memory[SPACE_BYTES] __attribute__((aligned(64))), slm[SLM_BYTES] __attribute__((aligned(64)));
    unsigned accepted = 0;
    const struct shard shard = shard_take(&argc, argv);
    if (argc < 4) {
        fprintf(stderr, "usage: fuzz_code [--shard I/N] ROUNDS IGA64 FILE.case...\n");
        return 2;
    }
    unsigned long rounds = strtoul(argv[1], NULL, 10);
    for (int i = 3; i < argc; i++)
        read_cases(argv[2], argv[i]);
    struct sim_range range = {SPACE_AT, SPACE_BYTES, memory};
    struct sim_space *space = sim_space_create(&range, 1);
    struct message_state messages = {.space = space,
                                     .surface_base = SPACE_AT,
                                     .dynamic_base = SPACE_AT,
                                     .bindless_base = SPACE_AT,
                                     .slm = slm,
                                     .slm_bytes = SLM_BYTES};
    for (unsigned long round = 0; round < rounds && kernel_count > 0; round++)
        if (shard_plays(&shard, round, 1, &state) && !run_round(&messages, &accepted)) {
            printf("round %lu\n", round);
            return 1;
        }
    sim_space_destroy(space);
    printf("%zu kernels, %lu rounds, %u accepted\n", kernel_count, rounds, accepted);
    return kernel_count == 0 || accepted == 0;
}
