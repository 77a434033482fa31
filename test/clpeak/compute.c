/* Measures chains of multiply-adds: x = y * x + y, y = x * y + x, repeated. A device may round the product of a mad or
 * not, but all results of a type must agree with one of the two. */
#include "peak.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { ROUNDS = 4, STEPS = ROUNDS * 16 };

enum format { INTEGER, INTEGER_24, HALF, FLOAT, DOUBLE };

struct type {
    const char *name, *extension;
    enum format format;
    size_t bytes;
};

static const struct type types[] = {{"char", "", INTEGER, 1}, {"short", "", INTEGER, 2},
                                    {"int", "", INTEGER, 4},  {"int24_", "", INTEGER_24, 4},
                                    {"long", "", INTEGER, 8}, {"half", "cl_khr_fp16", HALF, 2},
                                    {"float", "", FLOAT, 4},  {"double", "cl_khr_fp64", DOUBLE, 8}};

static const unsigned widths[] = {1, 2, 4, 8, 16};

/* Real numbers start as multiples of this: the chains neither leave the range nor become exact. */
static const double REAL_STEP = 1.0 / 8192;
static const uint64_t INTEGER_STEP = 3;

/* The nearest number of half precision, ties to even; |value| < 65504. */
static double round_half(double value)
{
    int exponent;
    frexp(value, &exponent);
    int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    return ldexp(nearbyint(ldexp(value, -unit)), unit);
}

static double read_half(const void *bytes)
{
    uint16_t bits;
    memcpy(&bits, bytes, sizeof bits);
    int exponent = bits >> 10 & 31;
    double fraction = bits & 1023;
    double value = exponent == 31 ? NAN : exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/* a * b + c in the format. Halves' products and sums in the chains' range are exact in a double. */
static double real_mad(enum format format, bool fused, double a, double b, double c)
{
    switch (format) {
    case HALF: return round_half((fused ? a * b : round_half(a * b)) + c);
    case FLOAT: return fused ? fmaf((float)a, (float)b, (float)c) : (float)((float)(a * b) + c);
    default: return fused ? fma(a, b, c) : a * b + c;
    }
}

static double real_chain(enum format format, bool fused, unsigned item, unsigned lane)
{
    double x = (lane + 1) * REAL_STEP, y = item * REAL_STEP;
    for (int step = 0; step < STEPS; step += 2) {
        x = real_mad(format, fused, y, x, y);
        y = real_mad(format, fused, x, y, x);
    }
    return y;
}

static uint64_t integer_chain(const struct type *type, unsigned item, unsigned lane)
{
    uint64_t mask = type->format == INTEGER_24 ? 0x7fffff : UINT64_MAX >> (64 - 8 * type->bytes);
    uint64_t x = (lane + 1) * INTEGER_STEP, y = item * INTEGER_STEP;
    for (int step = 0; step < STEPS; step += 2) {
        x = (y * x + y) & mask;
        y = (x * y + x) & mask;
    }
    return y & mask;
}

static double read_real(enum format format, const void *bytes)
{
    float single;
    double wide;
    switch (format) {
    case HALF: return read_half(bytes);
    case FLOAT: memcpy(&single, bytes, sizeof single); return (double)single;
    default: memcpy(&wide, bytes, sizeof wide); return wide;
    }
}

static void check_integers(const struct type *type, unsigned width, const unsigned char *results)
{
    for (unsigned i = 0; i < GLOBAL_SIZE * width; i++) {
        uint64_t got = 0, want = integer_chain(type, i / width % LOCAL_SIZE, i % width);
        memcpy(&got, results + i * type->bytes, type->bytes);
        REQUIRE(got == want, "%s%u: element %u is 0x%llx, not 0x%llx", type->name, width, i, (unsigned long long)got,
                (unsigned long long)want);
    }
}

/* `kinds`: bit 0 while all results of the type were those of rounded products, bit 1 of fused ones. */
static void check_reals(const struct type *type, unsigned width, const unsigned char *results, unsigned *kinds)
{
    for (unsigned i = 0; i < GLOBAL_SIZE * width; i++) {
        unsigned item = i / width % LOCAL_SIZE, lane = i % width;
        double got = read_real(type->format, results + i * type->bytes);
        double plain = real_chain(type->format, false, item, lane), fused = real_chain(type->format, true, item, lane);
        *kinds &= (got == plain) | (got == fused) << 1;
        REQUIRE(*kinds, "%s%u: element %u is %a, not %a (or, fused, %a)", type->name, width, i, got, plain, fused);
    }
}

static void set_step(cl_kernel kernel, const struct type *type)
{
    double wide = REAL_STEP;
    float single = (float)REAL_STEP;
    uint16_t half = 2 << 10; /* 2^-13 */
    const void *step = type->format == DOUBLE  ? (const void *)&wide
                       : type->format == FLOAT ? (const void *)&single
                       : type->format == HALF  ? (const void *)&half
                                               : (const void *)&INTEGER_STEP;
    CL(clSetKernelArg(kernel, 1, type->bytes, step));
}

static bool device_has(const struct open_cl *c, const char *extension)
{
    static char extensions[16384];
    CL(clGetDeviceInfo(c->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    return strstr(extensions, extension);
}

static void check_width(const struct open_cl *c, cl_program program, const struct type *type, unsigned width,
                        unsigned *kinds)
{
    char name[32];
    snprintf(name, sizeof name, "compute_%s%u", type->name, width);
    size_t size = GLOBAL_SIZE * width * type->bytes;
    cl_kernel kernel = open_cl_kernel(program, name);
    cl_mem out = open_cl_buffer(c, CL_MEM_WRITE_ONLY, size, NULL);
    cl_int rounds = ROUNDS;
    unsigned char *results = malloc(size);
    REQUIRE(results, "no memory");
    CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
    CL(clSetKernelArg(kernel, 2, sizeof rounds, &rounds));
    set_step(kernel, type);
    run_kernel(c, kernel, out, size, results);
    if (type->format == INTEGER || type->format == INTEGER_24)
        check_integers(type, width, results);
    else
        check_reals(type, width, results, kinds);
    free(results);
    CL(clReleaseMemObject(out));
    CL(clReleaseKernel(kernel));
}

void check_compute(const struct open_cl *c, cl_program program)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        unsigned kinds = 3;
        if (!device_has(c, types[t].extension)) {
            printf("%s: not on this device\n", types[t].name);
            continue;
        }
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            check_width(c, program, &types[t], widths[w], &kinds);
        printf("%s: right%s\n", types[t].name, types[t].format < HALF ? "" : kinds & 2 ? ", fused" : ", not fused");
    }
}
