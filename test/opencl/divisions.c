/* Checks divisions and square roots of random doubles and floats, bit by bit against the host's, which are rounded
 * correctly. Intel's compilers make sequences of `math.invm`, `math.rsqtm` and `madm` of them on platforms with
 * doubles. The argument is the file divisions.cl. */
#include "open_cl.h"

#include <math.h>
#include <stdint.h>

enum { COUNT = 4096 };

static uint64_t random_state = 2026;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Half of the numbers have any bits; the others are of ordinary size, but for a few special ones. */
static double random_double(void)
{
    static const double special[] = {0.0, -0.0, 1.0, 3.0, INFINITY, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp+1023};
    uint64_t bits = random_bits();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (random_bits() % 2)
        return value;
    return random_bits() % 8 ? ldexp((double)(int64_t)bits, (int)(random_bits() % 128) - 127)
                             : special[random_bits() % (sizeof special / sizeof *special)];
}

static float random_float(void)
{
    uint32_t bits = (uint32_t)(random_bits() >> 20);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void require_equal(const char *what, int at, const void *got, const void *wanted, size_t bytes, int both_nan)
{
    REQUIRE(both_nan || memcmp(got, wanted, bytes) == 0, "%s: element %d is wrong", what, at);
}

static cl_program build(const struct open_cl *c, const char *path)
{
    static char text[4096];
    const char *source = text;
    cl_int error;
    FILE *file = fopen(path, "r");
    REQUIRE(file, "%s", path);
    size_t length = fread(text, 1, sizeof text - 1, file);
    REQUIRE(length > 0 && length < sizeof text - 1, "%s has %zu bytes", path, length);
    fclose(file);
    cl_program program = clCreateProgramWithSource(c->context, 1, &source, &length, &error);
    CL(error);
    CL(clBuildProgram(program, 1, &c->device, "-cl-fp32-correctly-rounded-divide-sqrt", NULL, NULL));
    return program;
}

int main(int count, char **arguments)
{
    static double a[COUNT], b[COUNT], quotient[COUNT], root[COUNT];
    static float c[COUNT], d[COUNT], short_quotient[COUNT], short_root[COUNT];
    REQUIRE(count == 2, "usage: divisions FILE.cl");
    struct open_cl cl = open_cl_open();
    cl_program program = build(&cl, arguments[1]);
    cl_kernel kernel = open_cl_kernel(program, "divisions");
    for (int i = 0; i < COUNT; i++) {
        a[i] = random_double();
        b[i] = random_double();
        c[i] = random_float();
        d[i] = random_float();
    }
    void *in[] = {a, b, c, d}, *out[] = {quotient, root, short_quotient, short_root};
    size_t bytes[] = {sizeof a, sizeof b, sizeof c, sizeof d}, items = COUNT;
    cl_mem buffers[8];
    for (unsigned i = 0; i < 8; i++) {
        buffers[i] = open_cl_buffer(&cl, CL_MEM_READ_WRITE, bytes[i % 4], NULL);
        if (i < 4)
            CL(clEnqueueWriteBuffer(cl.queue, buffers[i], CL_TRUE, 0, bytes[i], in[i], 0, NULL, NULL));
        CL(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
    }
    CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    for (unsigned i = 0; i < 4; i++)
        CL(clEnqueueReadBuffer(cl.queue, buffers[4 + i], CL_TRUE, 0, bytes[i], out[i], 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++) {
        double q = a[i] / b[i], r = sqrt(fabs(a[i]));
        float f = c[i] / d[i], g = sqrtf(fabsf(c[i]));
        require_equal("a / b", i, &quotient[i], &q, sizeof q, isnan(q) && isnan(quotient[i]));
        require_equal("sqrt(a)", i, &root[i], &r, sizeof r, isnan(r) && isnan(root[i]));
        require_equal("c / d", i, &short_quotient[i], &f, sizeof f, isnan(f) && isnan(short_quotient[i]));
        require_equal("sqrt(c)", i, &short_root[i], &g, sizeof g, isnan(g) && isnan(short_root[i]));
    }
    for (unsigned i = 0; i < 8; i++)
        CL(clReleaseMemObject(buffers[i]));
    CL(clReleaseKernel(kernel));
    CL(clReleaseProgram(program));
    open_cl_close(&cl);
    return 0;
}
