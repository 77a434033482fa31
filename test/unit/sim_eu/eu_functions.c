/* eu_functions IGA64   checks the functions of math and the instructions of its macros (invm, rsqtm, madm): corner
 * values of every type against the host's library in double, exactly if the function is exact, and forms that must be
 * refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"
#include "reference_model.h"

enum { BUDGET = 100, RESULT_REGISTER = 20, SOURCE_REGISTER = 10 };

typedef double reference(double a, double b, double c);

static double inv(double a, double b, double c)
{
    return (void)b, (void)c, 1 / a;
}
static double log_2(double a, double b, double c)
{
    return (void)b, (void)c, log2(a);
}
static double exp_2(double a, double b, double c)
{
    return (void)b, (void)c, exp2(a);
}
static double root(double a, double b, double c)
{
    return (void)b, (void)c, sqrt(a);
}
static double inverse_root(double a, double b, double c)
{
    return (void)b, (void)c, 1 / sqrt(a);
}
static double sine(double a, double b, double c)
{
    return (void)b, (void)c, sin(a);
}
static double cosine(double a, double b, double c)
{
    return (void)b, (void)c, cos(a);
}
static double quotient(double a, double b, double c)
{
    return (void)c, a / b;
}
static double power(double a, double b, double c)
{
    return (void)c, pow(fabs(a), b);
}
static double fused(double a, double b, double c)
{
    return fma(b, c, a);
}

/* TEXT: %s is the type. EXACT: rounded once, by IEEE's rules; otherwise an error of a few units in the last place is
 * allowed. */
static const struct row {
    const char *text;
    reference *compute;
    unsigned sources, types, first, last;
    bool exact;
} rows[] = {
#define H 1 << EU_HF
#define F 1 << EU_F
#define D 1 << EU_DF
    {"math.inv (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", inv, 1, H | F, 9, 128, false},
    {"math.log (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", log_2, 1, H | F, 9, 128, false},
    {"math.exp (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", exp_2, 1, H | F, 9, 128, false},
    {"math.sqt (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", root, 1, H | F, 9, 128, false},
    {"math.rsqt (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", inverse_root, 1, H | F, 9, 128, false},
    {"math.sin (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", sine, 1, H | F, 9, 128, false},
    {"math.cos (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s", cosine, 1, H | F, 9, 128, false},
    {"math.fdiv (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s r11.0<0;1,0>:%s", quotient, 2, H | F, 9, 11, false},
    {"math.pow (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s r11.0<0;1,0>:%s", power, 2, H | F, 9, 11, false},
    {"math.invm (4|M0) (eo)f0.0 r20.mme0:%s r10.nomme:%s r11.nomme:%s", quotient, 2, F | D, 9, 9, true},
    {"math.invm (4|M0) (eo)f0.0 r20.mme0:%s r10.nomme:%s r11.nomme:%s", quotient, 2, F, 11, 11, true},
    {"math.rsqtm (4|M0) (eo)f0.0 r20.mme0:%s r10.nomme:%s", root, 1, F | D, 9, 9, true},
    {"math.rsqtm (4|M0) (eo)f0.0 r20.mme0:%s r10.nomme:%s", root, 1, F, 11, 11, true},
    {"madm (4|M0) r20.mme0:%s r10.nomme:%s r11.nomme:%s r12.nomme:%s", fused, 3, F | D, 9, 9, true},
    {"madm (4|M0) r20.mme0:%s r10.nomme:%s r11.nomme:%s r12.nomme:%s", fused, 3, F, 11, 11, true},
#undef H
#undef F
#undef D
};

/* Types and generations without the function. */
static const struct {
    const char *text;
    unsigned generation;
} refused[] = {
    {"math.invm (8|M0) (eo)f0.0 r20.mme0:hf r10.nomme:hf r11.nomme:hf", 9},
    {"math.invm (4|M0) (eo)f0.0 r20.mme0:df r10.nomme:df r11.nomme:df", 11},
    {"math.invm (8|M0) (eo)f0.0 r20.mme0:f r10.nomme:f r11.nomme:f", 12},
    {"math.rsqtm (8|M0) (eo)f0.0 r20.mme0:f r10.nomme:f", 12},
    {"math.rsqtm (8|M0) (eo)f0.0 r20.mme0:hf r10.nomme:hf", 9},
    {"madm (8|M0) r20.mme0:hf r10.nomme:hf r11.nomme:hf r12.nomme:hf", 9},
    {"madm (8|M0) r20.mme0:f r10.nomme:f r11.nomme:f r12.nomme:f", 12},
    {"math.sqt (4|M0) r20.0<1>:df r10.0<4;4,1>:df", 9},
    {"math.iqot (8|M0) r20.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f", 9},
    {"math.iqot (8|M0) r20.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d", 127},
    {"math.iqot (8|M0) r20.0<1>:w r10.0<8;8,1>:w r11.0<8;8,1>:w", 11},
};

static double real_of(uint64_t bits, unsigned type)
{
    float single;
    double value;
    memcpy(&single, &bits, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return type == EU_HF ? (double)eu_half_to_float((uint16_t)bits) : type == EU_F ? (double)single : value;
}

/* The reference's value converted to the type with one rounding (fused() rounds a float result from the exact sum). */
static double rounded(double value, unsigned type)
{
    _Float16 half = (_Float16)value;
    return type == EU_HF ? (double)half : type == EU_F ? (double)(float)value : value;
}

static double wanted_of(const struct row *row, unsigned type, const double x[3])
{
    if (row->compute == fused && type == EU_F)
        return (double)fmaf((float)x[1], (float)x[2], (float)x[0]);
    return rounded(row->compute(x[0], x[1], x[2]), type);
}

static bool agrees(const struct row *row, unsigned type, double wanted, double got)
{
    double step = type == EU_HF ? 0x1p-10 : 0x1p-22, least = type == EU_HF ? 0x1p-24 : 0x1p-149;
    if (isnan(wanted) || isnan(got))
        return isnan(wanted) && isnan(got);
    if (wanted == got)
        return signbit(wanted) == signbit(got) || !row->exact;
    return !row->exact && isfinite(wanted) && isfinite(got) && fabs(got - wanted) <= fabs(wanted) * step + least;
}

static uint64_t run(struct eu_thread *thread, const struct eu_program *program, const uint64_t values[3])
{
    struct sim_fault fault = {0};
    uint64_t executed = 0, result;
    uint32_t control = EU_CR0_DOUBLE_DENORMALS | EU_CR0_SINGLE_DENORMALS | EU_CR0_HALF_DENORMALS;
    eu_thread_start(thread, program, NULL, NULL, 0, UINT32_MAX, 0);
    memcpy(thread->file + EU_FILE_CONTROL, &control, sizeof control);
    for (unsigned s = 0; s < 3; s++)
        memcpy(eu_thread_grf(thread, SOURCE_REGISTER + s), &values[s], sizeof values[s]);
    eu_thread_run(thread, BUDGET, &executed, &fault);
    memcpy(&result, eu_thread_grf(thread, RESULT_REGISTER), sizeof result);
    return fault.raised ? ~result : result;
}

static bool check_value(const struct row *row, unsigned type, const char *text, struct eu_thread *thread,
                        const struct eu_program *program, const uint64_t values[3])
{
    double x[3], wanted, got = real_of(run(thread, program, values), type);
    for (unsigned s = 0; s < 3; s++)
        x[s] = real_of(values[s], type);
    wanted = wanted_of(row, type, x);
    bool is_early = strstr(text, "(eo)") == NULL || (eu_flags(thread, 0) & 0xf) == 0xf;
    if (agrees(row, type, wanted, got) && is_early)
        return true;
    printf("%s: %s of %g %g %g is %.17g, not %.17g%s\n", thread->platform->name, text, x[0], x[1], x[2], got, wanted,
           is_early ? "" : ", and asks for refinement");
    return false;
}

/* Every combination of corner values; the number compared, 0 at the first difference. */
static unsigned check_values(const struct row *row, unsigned type, const char *text, const struct platform *platform,
                             const struct eu_program *program)
{
    struct eu_thread *thread = eu_thread_create(platform);
    unsigned compared = 0, count = 0;
    uint64_t values[3] = {0}, corner;
    while (model_corner((enum eu_type)type, count, &corner))
        count++;
    unsigned second = row->sources > 1 ? count : 1, third = row->sources > 2 ? count : 1;
    for (unsigned i = 0; i < count * second * third; i++, compared++) {
        model_corner((enum eu_type)type, i % count, &values[0]);
        model_corner((enum eu_type)type, i / count % second, &values[1]);
        model_corner((enum eu_type)type, i / count / second, &values[2]);
        if (!check_value(row, type, text, thread, program, values)) {
            compared = 0;
            break;
        }
    }
    eu_thread_destroy(thread);
    return compared;
}

static struct eu_program *decode(const char *iga64, unsigned generation, const char *text, struct sim_fault *fault)
{
    static char line[1][CASE_LINE_TEXT];
    static uint8_t code[1][CASE_LINE_CODE];
    size_t size;
    snprintf(line[0], sizeof line[0], "%s", text);
    case_assemble_lines(iga64, generation, line, 1, code, &size);
    return size > 0 ? eu_program_decode(case_platform(generation), code[0], size, fault) : NULL;
}

static unsigned check_row(const char *iga64, const struct row *row, unsigned generation, unsigned type)
{
    char text[CASE_LINE_TEXT];
    const char *name = eu_type_table[type].name;
    struct sim_fault fault = {0};
    if (row->sources == 1)
        snprintf(text, sizeof text, row->text, name, name);
    else if (row->sources == 2)
        snprintf(text, sizeof text, row->text, name, name, name);
    else
        snprintf(text, sizeof text, row->text, name, name, name, name);
    struct eu_program *program = decode(iga64, generation, text, &fault);
    unsigned compared = program != NULL ? check_values(row, type, text, case_platform(generation), program) : 0;
    if (program == NULL)
        printf("Gen%u: %s is refused: %s\n", generation, text, fault.what);
    eu_program_destroy(program);
    return compared;
}

/* Division: by zero all ones, or the largest number with the dividend's sign; the most negative number by -1 wraps. */
static int64_t divided(int64_t a, int64_t b, bool is_signed, bool is_remainder)
{
    if (b == 0)
        return !is_signed ? -1 : a < 0 ? INT32_MIN : INT32_MAX;
    return is_remainder ? a % b : a / b;
}

static unsigned check_division(const char *iga64, unsigned generation, unsigned type, bool is_remainder)
{
    char text[CASE_LINE_TEXT];
    const char *name = eu_type_table[type].name;
    struct sim_fault fault = {0};
    unsigned compared = 0;
    uint64_t values[3] = {0};
    snprintf(text, sizeof text, "math.%s (1|M0) r20.0<1>:%s r10.0<0;1,0>:%s r11.0<0;1,0>:%s",
             is_remainder ? "irem" : "iqot", name, name, name);
    struct eu_program *program = decode(iga64, generation, text, &fault);
    struct eu_thread *thread = eu_thread_create(case_platform(generation));
    for (unsigned a = 0; program != NULL && model_corner((enum eu_type)type, a, &values[0]); a++)
        for (unsigned b = 0; model_corner((enum eu_type)type, b, &values[1]); b++, compared++) {
            bool is_signed = type == EU_D;
            int64_t x = is_signed ? (int32_t)values[0] : (int64_t)(uint32_t)values[0];
            int64_t y = is_signed ? (int32_t)values[1] : (int64_t)(uint32_t)values[1];
            uint32_t wanted = (uint32_t)divided(x, y, is_signed, is_remainder);
            uint32_t got = (uint32_t)run(thread, program, values);
            if (got != wanted) {
                printf("Gen%u: %s of %lld and %lld is 0x%x, not 0x%x\n", generation, text, (long long)x, (long long)y,
                       got, wanted);
                eu_program_destroy(program);
                eu_thread_destroy(thread);
                return 0;
            }
        }
    eu_program_destroy(program);
    eu_thread_destroy(thread);
    return compared;
}

int main(int argc, char **argv)
{
    static const unsigned generations[] = {9, 11, 12, 127, 128}, types[] = {EU_HF, EU_F, EU_DF};
    unsigned compared = 0, failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: eu_functions IGA64\n");
        return 2;
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t g = 0; g < 4; g++)
            for (size_t t = 0; t < 3; t++)
                if ((rows[r].types >> types[t] & 1) && generations[g] >= rows[r].first &&
                    generations[g] <= rows[r].last) {
                    unsigned count = check_row(argv[1], &rows[r], generations[g], types[t]);
                    compared += count;
                    failed += count == 0;
                }
    for (size_t g = 0; g < 3; g++) /* later platforms have no division of integers */
        for (unsigned form = 0; form < 4; form++) {
            unsigned count = check_division(argv[1], generations[g], form & 1 ? EU_D : EU_UD, form & 2);
            compared += count;
            failed += count == 0;
        }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct sim_fault fault = {0};
        struct eu_program *program = decode(argv[1], refused[i].generation, refused[i].text, &fault);
        if (program != NULL) {
            printf("Gen%u: %s is accepted\n", refused[i].generation, refused[i].text);
            failed++;
        }
        eu_program_destroy(program);
    }
    printf("%u values compared, %u failed\n", compared, failed);
    return failed > 0;
}
