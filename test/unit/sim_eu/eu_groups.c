/* eu_groups IGA64   checks instructions whose lanes depend on each other, or on a vector operand: dot products, planes,
 * sums of differences, interpolation by three Align16 sources. Each runs on random mixtures of corner values and
 * ordinary ones and is compared with the host's arithmetic in double; similar undefined forms must be refused. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"

enum { LANES = 16, ROUNDS = 300, BUDGET = 100, SOURCE_REGISTER = 10, SOURCE_STRIDE = 4, RESULT_REGISTER = 40 };

struct inputs {
    float real[3][2 * LANES];
    uint8_t bytes[2][2 * LANES];
    bool is_signed;
    int accumulator;
};

/* The exact result of a lane, and the sum of the magnitudes of its finite terms. */
struct exact {
    double value, magnitude;
};

static struct exact sum_of(const double *terms, unsigned count)
{
    struct exact sum = {0, 0};
    for (unsigned i = 0; i < count; i++) {
        sum.value += terms[i];
        sum.magnitude += isfinite(terms[i]) ? fabs(terms[i]) : 0;
    }
    return sum;
}

static struct exact dot(const struct inputs *in, unsigned lane, unsigned terms, bool is_homogeneous)
{
    double products[4];
    for (unsigned k = 0; k < terms; k++) {
        unsigned at = lane / 4 * 4 + k;
        products[k] = (is_homogeneous && k == 3 ? 1.0 : (double)in->real[0][at]) * (double)in->real[1][at];
    }
    return sum_of(products, terms);
}

static struct exact dp2(const struct inputs *in, unsigned lane)
{
    return dot(in, lane, 2, false);
}
static struct exact dp3(const struct inputs *in, unsigned lane)
{
    return dot(in, lane, 3, false);
}
static struct exact dp4(const struct inputs *in, unsigned lane)
{
    return dot(in, lane, 4, false);
}
static struct exact dph(const struct inputs *in, unsigned lane)
{
    return dot(in, lane, 4, true);
}

static struct exact line(const struct inputs *in, unsigned lane)
{
    const float *p = in->real[0];
    return sum_of((double[]){(double)p[0] * (double)in->real[1][lane], (double)p[3]}, 2);
}

static struct exact line_of_negated(const struct inputs *in, unsigned lane)
{
    struct exact result = line(in, lane);
    result.value = -result.value;
    return result;
}

static struct exact pln(const struct inputs *in, unsigned lane)
{
    const float *p = in->real[0], *u = in->real[1] + lane / 8 * 16 + lane % 8;
    return sum_of((double[]){(double)p[0] * (double)u[0], (double)p[1] * (double)u[8], (double)p[3]}, 3);
}

static struct exact lrp(const struct inputs *in, unsigned lane)
{
    double a = (double)in->real[0][lane], b = (double)in->real[1][lane], c = (double)in->real[2][lane];
    struct exact result = sum_of((double[]){a * b, (1 - a) * c}, 2);
    result.magnitude += isfinite(c + a * c) ? fabs(c) + fabs(a * c) : 0;
    return result;
}

static int byte_of(const struct inputs *in, unsigned source, unsigned lane)
{
    return in->is_signed ? (int8_t)in->bytes[source][lane] : in->bytes[source][lane];
}

static struct exact sad2(const struct inputs *in, unsigned lane)
{
    int sum =
        abs(byte_of(in, 0, lane) - byte_of(in, 1, lane)) + abs(byte_of(in, 0, lane + 1) - byte_of(in, 1, lane + 1));
    return (struct exact){sum, 0};
}
static struct exact sada2(const struct inputs *in, unsigned lane)
{
    struct exact result = sad2(in, lane);
    result.value += in->accumulator;
    return result;
}

/* TEXT has `ub` in place of the types that are read as bytes. Results are floats, or words with a stride of 2. */
static const struct row {
    const char *text;
    unsigned lanes;
    bool of_bytes, is_signed;
    struct exact (*exact)(const struct inputs *in, unsigned lane);
} rows[] = {
    {"dp2 (16|M0) r40.0<1>:f r10.0<4;4,1>:f r14.0<4;4,1>:f", 16, false, false, dp2},
    {"dp3 (8|M0) r40.0<1>:f r10.0<4;4,1>:f r14.0<4;4,1>:f", 8, false, false, dp3},
    {"dp4 (4|M0) r40.0<1>:f r10.0<4;4,1>:f r14.0<4;4,1>:f", 4, false, false, dp4},
    {"dp4 (16|M0) r40.0<1>:f r10.0<4;4,1>:f r14.0<4;4,1>:f", 16, false, false, dp4},
    {"dph (16|M0) r40.0<1>:f r10.0<4;4,1>:f r14.0<4;4,1>:f", 16, false, false, dph},
    {"line (16|M0) r40.0<1>:f r10.0<0;1,0>:f r14.0<8;8,1>:f", 16, false, false, line},
    {"line (8|M0) r40.0<1>:f -r10.0<0;1,0>:f r14.0<8;8,1>:f", 8, false, false, line_of_negated},
    {"pln (8|M0) r40.0<1>:f r10.0<0;1,0>:f r14.0<8;8,1>:f", 8, false, false, pln},
    {"pln (16|M0) r40.0<1>:f r10.0<0;1,0>:f r14.0<8;8,1>:f", 16, false, false, pln},
    {"lrp (8|M0) r40.0<1>:f r10.0<2;1>:f r14.0<2;1>:f r18.0<1>:f", 8, false, false, lrp},
    {"lrp (16|M0) r40.0<1>:f r10.0<2;1>:f r14.0<2;1>:f r18.0<1>:f", 16, false, false, lrp},
    {"sad2 (16|M0) r40.0<1>:w r10.0<16;16,1>:ub r14.0<16;16,1>:ub", 16, true, false, sad2},
    {"sad2 (8|M0) r40.0<1>:uw r10.0<8;8,1>:b r14.0<8;8,1>:b", 8, true, true, sad2},
    {"sada2 (16|M0) r40.0<1>:w r10.0<16;16,1>:b r14.0<16;16,1>:b", 16, true, true, sada2},
};

static const char *const refused[] = {
    "dp2 (2|M0) r40.0<1>:f r10.0<2;2,1>:f r14.0<2;2,1>:f",
    "dp3 (1|M0) r40.0<1>:f r10.0<0;1,0>:f r14.0<0;1,0>:f",
    "dp4 (2|M0) r40.0<1>:f r10.0<2;2,1>:f r14.0<2;2,1>:f",
    "dp4 (8|M0) r40.0<1>:d r10.0<4;4,1>:d r14.0<4;4,1>:d",
    "dph (8|M0) r40.0<1>:hf r10.0<4;4,1>:hf r14.0<4;4,1>:hf",
    "line (8|M0) r40.0<1>:f r10.0<8;8,1>:f r14.0<8;8,1>:f",
    "line (8|M0) r40.0<1>:f r10.2<0;1,0>:f r14.0<8;8,1>:f",
    "line (8|M0) r40.0<1>:f r[a0.0]<0;1,0>:f r14.0<8;8,1>:f",
    "line (16|M0) r127.0<1>:f r10.0<0;1,0>:f r14.0<8;8,1>:f",
    "line (4|M0) r40.0<1>:df r10.0<0;1,0>:df r14.0<4;4,1>:df",
    "pln (4|M0) r40.0<1>:f r10.0<0;1,0>:f r14.0<4;4,1>:f",
    "pln (8|M0) r40.0<1>:f r10.0<8;8,1>:f r14.0<8;8,1>:f",
    "pln (8|M0) r40.0<1>:f r10.0<0;1,0>:f r14.4<8;8,1>:f",
    "pln (8|M0) r40.0<1>:f r10.0<0;1,0>:f r127.0<8;8,1>:f",
    "pln (16|M0) r40.0<1>:f r10.0<0;1,0>:f r125.0<8;8,1>:f",
    "pln (8|M0) r40.0<1>:f r10.0<0;1,0>:f r[a0.0]<8;8,1>:f",
    "lrp (4|M0) r40.0<1>:df r10.0<2;1>:df r14.0<2;1>:df r18.0<1>:df",
    "sad2 (1|M0) r40.0<1>:w r10.0<0;1,0>:ub r14.0<0;1,0>:ub",
    "sad2 (8|M0) r40.0<1>:d r10.0<8;8,1>:w r14.0<8;8,1>:w",
    "sada2 (1|M0) r40.0<1>:w r10.0<0;1,0>:ub r14.0<0;1,0>:ub",
};

enum { ROWS = sizeof rows / sizeof *rows, REFUSED = sizeof refused / sizeof *refused };

/* A linear congruential generator: the same inputs on every host. */
static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static float next_real(uint32_t *state, bool flush)
{
    static const uint32_t corners[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f7fffff,
                                       0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                       0x807fffff, 0x00800000, 0x3effffff, 0x4b7fffff};
    uint32_t pick = next(state);
    float value = (float)((double)(int32_t)(next(state) << 8) / 0x1p24);
    if (pick % 4 == 0)
        memcpy(&value, &corners[pick / 4 % (sizeof corners / sizeof *corners)], sizeof value);
    return flush && fabsf(value) < FLT_MIN ? copysignf(0, value) : value;
}

/* Registers are flushed only in the reference model's input: the simulator does its own flushing. */
static void choose(struct inputs *in, const struct row *row, bool flush, uint32_t *state, struct eu_thread *thread)
{
    for (unsigned s = 0; s < 3; s++) {
        uint8_t *at = eu_thread_grf(thread, SOURCE_REGISTER + SOURCE_STRIDE * s);
        for (unsigned i = 0; i < 2 * LANES; i++) {
            uint32_t same = *state;
            float value = next_real(state, false);
            in->real[s][i] = next_real(&same, flush);
            memcpy(at + sizeof value * i, &value, sizeof value);
        }
    }
    in->is_signed = row->is_signed;
    in->accumulator = 0;
    if (!row->of_bytes)
        return;
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned i = 0; i < 2 * LANES; i++)
            in->bytes[s][i] = next(state) % 4 ? (uint8_t)next(state) : (uint8_t)(next(state) % 2 ? 0x80 : 0x7f);
        memcpy(eu_thread_grf(thread, SOURCE_REGISTER + SOURCE_STRIDE * s), in->bytes[s], sizeof in->bytes[s]);
    }
    in->accumulator = (int)(next(state) % 1000);
    for (unsigned i = 0; i < LANES; i++) {
        int16_t word = (int16_t)in->accumulator;
        memcpy(thread->file + EU_FILE_ACCUMULATOR + sizeof word * i, &word, sizeof word);
    }
}

/* True if `got` is the exact value within the rounding errors of the steps. */
static bool agrees(struct exact exact, double got, bool flush)
{
    bool overflows = exact.magnitude >= (double)FLT_MAX; /* then steps may, where the result does not */
    if (isnan(exact.value))
        return isnan(got);
    if (overflows)
        return !isfinite(got) || fabs(got) <= exact.magnitude;
    if (isinf(exact.value))
        return got == exact.value;
    double step = fmax(exact.magnitude, flush ? (double)FLT_MIN : 0);
    return fabs(got - exact.value) <= 4 * step * (double)FLT_EPSILON + (flush ? (double)FLT_MIN : 0x1p-148);
}

static double result_of(const struct row *row, struct eu_thread *thread, unsigned lane)
{
    const uint8_t *at = eu_thread_grf(thread, RESULT_REGISTER);
    float real;
    int16_t word;
    memcpy(&real, at + sizeof real * lane, sizeof real);
    memcpy(&word, at + sizeof word * lane, sizeof word);
    return row->of_bytes ? (double)word : (double)real;
}

static bool run_round(const struct row *row, const struct eu_program *program, bool flush, uint32_t *state,
                      struct eu_thread *thread)
{
    struct inputs in;
    struct sim_fault fault = {0};
    uint64_t executed = 0;
    eu_thread_start(thread, program, NULL, NULL, 0, UINT32_MAX, 0);
    choose(&in, row, flush, state, thread);
    uint32_t control = flush ? 0 : EU_CR0_SINGLE_DENORMALS;
    memcpy(thread->file + EU_FILE_CONTROL, &control, sizeof control);
    eu_thread_run(thread, BUDGET, &executed, &fault);
    if (fault.raised) {
        printf("%s: fault: %s\n", row->text, fault.what);
        return false;
    }
    for (unsigned lane = 0; lane < row->lanes; lane += row->of_bytes ? 2 : 1) {
        struct exact exact = row->exact(&in, lane);
        double got = result_of(row, thread, lane);
        if (row->of_bytes ? got != exact.value : !agrees(exact, got, flush)) {
            printf("%s: lane %u is %.9g, not %.9g (of magnitude %g)\n", row->text, lane, got, exact.value,
                   exact.magnitude);
            return false;
        }
    }
    return true;
}

static unsigned check_values(const struct row *row, const struct eu_program *program, const struct platform *platform)
{
    uint32_t state = 1;
    unsigned failed = 0;
    struct eu_thread *thread = eu_thread_create(platform);
    for (unsigned round = 0; round < ROUNDS && failed == 0; round++)
        failed += !run_round(row, program, round & 1, &state, thread);
    eu_thread_destroy(thread);
    return failed;
}

static bool decodes(const struct platform *platform, const uint8_t *code, size_t size, struct sim_fault *fault,
                    struct eu_program **program)
{
    *program = size > 0 ? eu_program_decode(platform, code, size, fault) : NULL;
    return *program != NULL;
}

static unsigned check_row(unsigned row, const uint8_t *code, size_t size)
{
    unsigned failed = 0;
    for (size_t p = 0; p < platform_count; p++) {
        const struct platform *platform = &platform_table[p];
        struct sim_fault fault = {0};
        struct eu_program *program;
        if (!platform->simulated || platform->needs_current)
            continue;
        bool decoded = decodes(platform, code, size, &fault, &program), wanted = platform_has(platform, FEATURE_LINEAR);
        if (decoded != wanted) {
            printf("%s: %s is %s: %s\n", platform->name, rows[row].text, decoded ? "accepted" : "refused", fault.what);
            failed++;
        } else if (decoded) {
            failed += check_values(&rows[row], program, platform);
        }
        eu_program_destroy(program);
    }
    return failed;
}

/* Three Align16 sources: the assembler and compilers use only channels in order or one channel for all, and all
 * channels of the destination. Others are made by changing the encoding: source 0's channels and the destination's
 * mask. */
static unsigned check_align16(const uint8_t *lrp_code, size_t size)
{
    static const struct {
        unsigned bit, width;
        uint64_t value;
    } changes[] = {{65, 8, 0x00}, {65, 8, 0x44}, {65, 8, 0xee}, {65, 8, 0x1b}, {49, 4, 0x3}, {49, 4, 0x0}};
    unsigned failed = 0;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        uint8_t code[CASE_LINE_CODE];
        struct sim_fault fault = {0};
        struct eu_program *program;
        memcpy(code, lrp_code, size);
        for (unsigned i = 0; i < changes[c].width; i++) {
            unsigned bit = changes[c].bit + i;
            code[bit / 8] &= (uint8_t)~(1 << bit % 8);
            code[bit / 8] |= (uint8_t)((changes[c].value >> i & 1) << bit % 8);
        }
        if (decodes(&platform_table[0], code, size, &fault, &program)) {
            printf("lrp with 0x%x at bit %u is accepted\n", (unsigned)changes[c].value, changes[c].bit);
            failed++;
        }
        eu_program_destroy(program);
    }
    return failed;
}

int main(int argc, char **argv)
{
    static char texts[ROWS + REFUSED][CASE_LINE_TEXT];
    static uint8_t code[ROWS + REFUSED][CASE_LINE_CODE];
    static size_t sizes[ROWS + REFUSED];
    unsigned failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: eu_groups IGA64\n");
        return 2;
    }
    for (unsigned i = 0; i < ROWS + REFUSED; i++)
        snprintf(texts[i], sizeof texts[i], "%s", i < ROWS ? rows[i].text : refused[i - ROWS]);
    case_assemble_lines(argv[1], 9, texts, ROWS, code, sizes);
    case_assemble_lines(argv[1], 9, texts + ROWS, REFUSED, code + ROWS, sizes + ROWS);
    for (unsigned row = 0; row < ROWS; row++)
        failed += check_row(row, code[row], sizes[row]);
    for (unsigned row = 0; row < ROWS; row++)
        if (rows[row].exact == lrp)
            failed += check_align16(code[row], sizes[row]);
    for (unsigned i = ROWS; i < ROWS + REFUSED; i++) {
        struct sim_fault fault = {0};
        struct eu_program *program;
        if (decodes(&platform_table[0], code[i], sizes[i], &fault, &program)) {
            printf("%s is accepted\n", texts[i]);
            failed++;
        }
        eu_program_destroy(program);
    }
    printf("%u instructions on %u inputs each, %u neighbours, %u failed\n", (unsigned)ROWS, (unsigned)ROUNDS,
           (unsigned)REFUSED, failed);
    return failed > 0;
}
