/* eu_dpas IGA64   checks matrix products of every pair of types and every number of rows, with random operands:
 * integers against plain arithmetic on whole matrices, floats within the error bound of single-precision sums in any
 * order; and forms that the platform lacks. dpasw: two threads with weights and sums of their own, each of which has
 * every second half of the other source's registers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"

enum { N = 8, DEPTH = 8, MOST_ROWS = 8, MOST_K = 64, ROUNDS = 20, DST = 20, SUM = 30, WEIGHTS = 40, ACTIVATIONS = 60 };

static const struct type {
    const char *name;
    unsigned bits;
    bool is_signed, is_float;
} types[] = {{"u2", 2, false, false}, {"s2", 2, true, false}, {"u4", 4, false, false}, {"s4", 4, true, false},
             {"ub", 8, false, false}, {"b", 8, true, false},  {"hf", 16, true, true},  {"bf", 16, true, true}};
enum { TYPES = sizeof types / sizeof types[0] };

static uint64_t random_state = 4711;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* K of a product: the elements in a row of a and in a column of b. */
static unsigned inner(const struct type *weights, const struct type *activations)
{
    unsigned each = weights->bits == 16 ? 2 : weights->bits == 8 || activations->bits == 8 ? 4 : 8;
    return DEPTH * each;
}

static double value_of(const struct type *type, uint32_t bits)
{
    if (strcmp(type->name, "bf") == 0) {
        float value;
        bits <<= 16;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    if (type->is_float) {
        _Float16 half;
        uint16_t word = (uint16_t)bits;
        memcpy(&half, &word, sizeof half);
        return (double)half;
    }
    return type->is_signed && bits >> (type->bits - 1) ? (double)bits - (double)(1u << type->bits) : (double)bits;
}

/* An element whose float has an exponent near zero. */
static uint32_t random_element(const struct type *type)
{
    uint32_t bits = random_bits() & ((1u << type->bits) - 1);
    if (strcmp(type->name, "hf") == 0)
        bits = (bits & 0x83ff) | (12 + random_bits() % 6) << 10;
    if (strcmp(type->name, "bf") == 0)
        bits = (bits & 0x807f) | (123 + random_bits() % 8) << 7;
    return bits;
}

static void put(uint8_t *from, unsigned bit, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++)
        if (value >> i & 1)
            from[(bit + i) / 8] |= (uint8_t)(1 << (bit + i) % 8);
}

struct matrices {
    uint32_t a[MOST_ROWS][MOST_K], b[MOST_K][N], c[MOST_ROWS][N];
};

/* Fills the rows of a, for one thread or two that share them. */
static void fill_rows(struct eu_thread *const thread[2], const struct type *weights, const struct type *activations,
                      unsigned rows, struct matrices m[2])
{
    unsigned k = inner(weights, activations), bytes = (rows * k * activations->bits + 7) / 8;
    uint8_t all[MOST_ROWS * MOST_K] = {0};
    for (unsigned r = 0; r < rows; r++)
        for (unsigned i = 0; i < k; i++) {
            m[0].a[r][i] = m[1].a[r][i] = random_element(activations);
            put(all, (r * k + i) * activations->bits, activations->bits, m->a[r][i]);
        }
    unsigned registers = (bytes + 31) / 32, first = thread[1] ? registers - registers / 2 : registers;
    memcpy(eu_thread_grf(thread[0], ACTIVATIONS), all, (size_t)first * 32);
    if (thread[1])
        memcpy(eu_thread_grf(thread[1], ACTIVATIONS), all + (size_t)first * 32, (size_t)(registers - first) * 32);
}

/* Fills the other registers: b with one column in each lane, c by rows. */
static void fill(struct eu_thread *thread, const struct type *weights, const struct type *activations, unsigned rows,
                 struct matrices *m)
{
    unsigned k = inner(weights, activations);
    memset(eu_thread_grf(thread, WEIGHTS), 0, 8 * 32);
    for (unsigned i = 0; i < k; i++) {
        unsigned bit = i * weights->bits;
        for (unsigned n = 0; n < N; n++) {
            m->b[i][n] = random_element(weights);
            put(eu_thread_grf(thread, WEIGHTS + bit / 32), n * 32 + bit % 32, weights->bits, m->b[i][n]);
        }
    }
    for (unsigned r = 0; r < rows; r++)
        for (unsigned n = 0; n < N; n++) {
            float real = (float)(random_bits() % 1000) / 7 - 60;
            m->c[r][n] = random_bits();
            if (weights->is_float)
                memcpy(&m->c[r][n], &real, sizeof real);
            memcpy(eu_thread_grf(thread, SUM + r) + 4 * n, &m->c[r][n], 4);
        }
}

/* A bound for the error of K + 1 sums in any order, each rounded once to single precision. */
static bool is_close(const struct type *weights, const struct type *activations, const struct matrices *m, unsigned r,
                     unsigned n, float got)
{
    unsigned k = inner(weights, activations);
    float start;
    memcpy(&start, &m->c[r][n], sizeof start);
    double sum = (double)start, size = fabs((double)start);
    for (unsigned i = 0; i < k; i++) {
        double product = value_of(activations, m->a[r][i]) * value_of(weights, m->b[i][n]);
        sum += product;
        size += fabs(product);
    }
    return fabs((double)got - sum) <= size * (k + 1) * 0x1p-24;
}

static bool is_right(const struct type *weights, const struct type *activations, const struct matrices *m, unsigned r,
                     unsigned n, uint32_t bits)
{
    float got;
    memcpy(&got, &bits, sizeof got);
    if (weights->is_float)
        return is_close(weights, activations, m, r, n, got);
    int64_t sum = m->c[r][n];
    for (unsigned i = 0; i < inner(weights, activations); i++)
        sum += (int64_t)(value_of(activations, m->a[r][i]) * value_of(weights, m->b[i][n]));
    return (uint32_t)sum == bits;
}

/* Runs the product; of two threads, the first waits for the second, or the other way around. */
static bool run(struct eu_thread *const thread[2], bool second_first)
{
    struct sim_fault fault = {0};
    uint64_t executed = 0;
    if (thread[1] == NULL)
        return eu_thread_run(thread[0], 10, &executed, &fault) == EU_END;
    eu_thread_pair(thread[0], thread[1]);
    struct eu_thread *early = thread[second_first], *late = thread[!second_first];
    return eu_thread_run(early, 10, &executed, &fault) == EU_PAIR && !eu_thread_can_run(early) && executed == 0 &&
           eu_thread_run(late, 10, &executed, &fault) == EU_END && eu_thread_can_run(early) &&
           eu_thread_run(early, 10, &executed, &fault) == EU_END && executed == 4;
}

static unsigned check_result(struct eu_thread *thread, const struct type *weights, const struct type *activations,
                             unsigned rows, const struct matrices *m)
{
    unsigned failed = 0;
    uint32_t bits, behind;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned n = 0; n < N; n++) {
            memcpy(&bits, eu_thread_grf(thread, DST + r) + 4 * n, sizeof bits);
            failed += !is_right(weights, activations, m, r, n, bits);
        }
    memcpy(&behind, eu_thread_grf(thread, DST + rows), sizeof behind);
    return failed + (behind != 0xcdcdcdcd);
}

static unsigned check_values(const struct platform *platform, const struct eu_program *program,
                             const struct type *weights, const struct type *activations, unsigned rows, bool is_shared)
{
    struct eu_thread *thread[2] = {eu_thread_create(platform), is_shared ? eu_thread_create(platform) : NULL};
    unsigned failed = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct matrices m[2];
        for (unsigned t = 0; t < 1u + is_shared; t++)
            eu_thread_start(thread[t], program, NULL, NULL, 0, UINT32_MAX, t);
        fill_rows(thread, weights, activations, rows, m);
        for (unsigned t = 0; t < 1u + is_shared; t++)
            fill(thread[t], weights, activations, rows, &m[t]);
        failed += !run(thread, round % 2);
        for (unsigned t = 0; t < 1u + is_shared; t++)
            failed += check_result(thread[t], weights, activations, rows, &m[t]);
    }
    eu_thread_destroy(thread[0]);
    eu_thread_destroy(thread[1]);
    return failed;
}

static unsigned check_form(const char *iga64, const struct platform *platform, const struct type *weights,
                           const struct type *activations, unsigned rows, bool is_shared, unsigned *refused)
{
    const char *sum = weights->is_float ? "f" : "d";
    bool wanted = weights->is_float == activations->is_float && (!weights->is_float || weights == activations);
    char line[1][CASE_LINE_TEXT];
    uint8_t code[1][CASE_LINE_CODE];
    size_t size;
    struct sim_fault fault = {0};
    snprintf(line[0], sizeof line[0], "dpas%s.8x%u (8|M0) r%u:%s r%u:%s r%u:%s r%u.0:%s", is_shared ? "w" : "", rows,
             DST, sum, SUM, sum, WEIGHTS, weights->name, ACTIVATIONS, activations->name);
    case_assemble_lines(iga64, platform->generation, line, 1, code, &size);
    struct eu_program *program = size > 0 ? eu_program_decode(platform, code[0], size, &fault) : NULL;
    unsigned failed = (program != NULL) != wanted;
    if (program != NULL && wanted)
        failed += check_values(platform, program, weights, activations, rows, is_shared);
    *refused += program == NULL;
    if (failed)
        printf("%s: %u wrong: %s\n", line[0], failed, fault.what);
    eu_program_destroy(program);
    return failed;
}

static unsigned check_refused(const char *iga64, const struct platform *platform)
{
    static const char *const lines[] = {
        "dpas.4x8 (8|M0) r20:d r30:d r40:b r60.0:b",   "dpas.8x8 (8|M0) r20:bf r30:bf r40:bf r60.0:bf",
        "dpas.8x8 (8|M0) r20:d r30:d r124:b r60.0:b",  "dpas.8x8 (8|M0) r122:d r30:d r40:b r60.0:b",
        "dpas.8x8 (8|M0) r20:f r30:d r40:hf r60.0:hf", "dpasw.8x4 (8|M0) r20:d r30:d r40:b r60.16:s4",
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[1][CASE_LINE_TEXT];
        uint8_t code[1][CASE_LINE_CODE];
        size_t size;
        struct sim_fault fault = {0};
        snprintf(line[0], sizeof line[0], "%s", lines[i]);
        case_assemble_lines(iga64, platform->generation, line, 1, code, &size);
        struct eu_program *program = size > 0 ? eu_program_decode(platform, code[0], size, &fault) : NULL;
        if (program != NULL)
            printf("%s is accepted\n", lines[i]);
        failed += program != NULL;
        eu_program_destroy(program);
    }
    return failed;
}

/* A thread without a pair, and a pair at different products, must fault. */
static unsigned check_partings(const char *iga64, const struct platform *platform)
{
    uint8_t code[512];
    static const char text[] = "(W&f0.0) jmpi (1|M0) other\n"
                               "dpasw.8x8 (8|M0) r20:d r30:d r40:b r60.0:b\n"
                               "other:\n"
                               "dpasw.8x8 (8|M0) r20:d r30:d r40:b r60.0:b\n";
    size_t size = case_assemble(iga64, platform->generation, text, code, sizeof code);
    struct sim_fault fault = {0}, alone = {0};
    struct eu_program *program = size > 0 ? eu_program_decode(platform, code, size, &fault) : NULL;
    if (program == NULL)
        return printf("no program: %s\n", fault.what), 1;
    struct eu_thread *thread[2] = {eu_thread_create(platform), eu_thread_create(platform)};
    uint64_t executed = 0;
    uint32_t one = 1;
    for (unsigned t = 0; t < 2; t++)
        eu_thread_start(thread[t], program, NULL, NULL, 0, UINT32_MAX, t);
    bool right = eu_thread_run(thread[0], 10, &executed, &alone) == EU_FAULT && strstr(alone.what, "without a pair");
    for (unsigned t = 0; t < 2; t++)
        eu_thread_start(thread[t], program, NULL, NULL, 0, UINT32_MAX, t);
    memcpy(thread[1]->file + EU_FILE_FLAG, &one, sizeof one);
    eu_thread_pair(thread[0], thread[1]);
    right = right && eu_thread_run(thread[0], 10, &executed, &fault) == EU_PAIR &&
            eu_thread_run(thread[1], 10, &executed, &fault) == EU_FAULT && strstr(fault.what, "a branch has parted");
    if (!right)
        printf("threads without a pair or apart: %s, %s\n", alone.what, fault.what);
    eu_thread_destroy(thread[0]);
    eu_thread_destroy(thread[1]);
    eu_program_destroy(program);
    return !right;
}

int main(int argc, char **argv)
{
    unsigned failed = 0, refused = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: eu_dpas IGA64\n");
        return 2;
    }
    const struct platform *platform = platform_find("dg2");
    for (unsigned weights = 0; weights < TYPES; weights++)
        for (unsigned activations = 0; activations < TYPES; activations++)
            for (unsigned rows = 1; rows <= MOST_ROWS; rows += weights == activations ? 1 : 7)
                for (unsigned shared = 0; shared < 2; shared++)
                    failed +=
                        check_form(argv[1], platform, &types[weights], &types[activations], rows, shared, &refused);
    failed += check_partings(argv[1], platform);
    failed += check_refused(argv[1], platform);
    printf("%u pairs of types refused, %u failed\n", refused, failed);
    return failed > 0 || refused == 0;
}
