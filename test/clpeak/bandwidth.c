/* Measures reading a buffer from kernels, and copying between host and device. */
#include "peak.h"

#include <stdbool.h>
#include <stdint.h>

enum { READS = 16, TRANSFER = 1 << 20 };

/* Small integers: their sums are exact in any order. */
static float element(size_t index)
{
    return (float)((uint32_t)index * 2654435761u >> 22);
}

/* The sum that work item `item` has to find; elements of `width` floats. */
static float expected_sum(bool local, unsigned width, size_t item)
{
    size_t step = local ? LOCAL_SIZE : GLOBAL_SIZE;
    size_t at = local ? item / LOCAL_SIZE * LOCAL_SIZE * READS + item % LOCAL_SIZE : item;
    float sum = 0;
    for (unsigned read = 0; read < READS; read++, at += step)
        for (unsigned lane = 0; lane < width; lane++)
            sum += element(at * width + lane);
    return sum;
}

void check_bandwidth(const struct open_cl *c, cl_program program)
{
    static float in[GLOBAL_SIZE * READS * 16], out[GLOBAL_SIZE];
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        in[i] = element(i);
    for (unsigned width = 1; width <= 16; width *= 2)
        for (int local = 0; local < 2; local++) {
            char name[32];
            snprintf(name, sizeof name, "bandwidth_%s_%u", local ? "local" : "global", width);
            cl_kernel kernel = open_cl_kernel(program, name);
            cl_mem from = open_cl_buffer(c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                         sizeof(float) * GLOBAL_SIZE * READS * width, in);
            cl_mem to = open_cl_buffer(c, CL_MEM_WRITE_ONLY, sizeof out, NULL);
            CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
            CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
            run_kernel(c, kernel, to, sizeof out, out);
            for (size_t i = 0; i < GLOBAL_SIZE; i++) {
                float want = expected_sum(local, width, i);
                REQUIRE(out[i] == want, "%s: work item %zu has %g, not %g", name, i, (double)out[i], (double)want);
            }
            CL(clReleaseMemObject(to));
            CL(clReleaseMemObject(from));
            CL(clReleaseKernel(kernel));
        }
    printf("bandwidth: right\n");
}

static void fill(unsigned char *bytes, unsigned seed)
{
    for (size_t i = 0; i < TRANSFER; i++)
        bytes[i] = (unsigned char)((uint32_t)(i + seed) * 2654435761u >> 24);
}

static void require_equal(const void *got, const void *want, const char *what)
{
    REQUIRE(memcmp(got, want, TRANSFER) == 0, "%s", what);
}

/* Maps the buffer to read or write it, and moves its bytes with the processor. */
static void copy_mapped(const struct open_cl *c, cl_mem buffer, cl_map_flags flags, unsigned char *bytes)
{
    cl_int error;
    void *mapped = clEnqueueMapBuffer(c->queue, buffer, CL_TRUE, flags, 0, TRANSFER, 0, NULL, NULL, &error);
    CL(error);
    if (flags == CL_MAP_WRITE)
        memcpy(mapped, bytes, TRANSFER);
    else
        memcpy(bytes, mapped, TRANSFER);
    CL(clEnqueueUnmapMemObject(c->queue, buffer, mapped, 0, NULL, NULL));
    CL(clFinish(c->queue));
}

void check_transfer(const struct open_cl *c)
{
    static unsigned char sent[TRANSFER], back[TRANSFER];
    cl_mem buffer = open_cl_buffer(c, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, TRANSFER, NULL);
    for (unsigned round = 0; round < 3; round++) {
        fill(sent, 3 * round);
        CL(clEnqueueWriteBuffer(c->queue, buffer, CL_TRUE, 0, TRANSFER, sent, 0, NULL, NULL));
        copy_mapped(c, buffer, CL_MAP_READ, back);
        require_equal(back, sent, "written, then mapped");

        fill(sent, 3 * round + 1);
        copy_mapped(c, buffer, CL_MAP_WRITE, sent);
        CL(clEnqueueReadBuffer(c->queue, buffer, CL_TRUE, 0, TRANSFER, back, 0, NULL, NULL));
        require_equal(back, sent, "mapped, then read");

        fill(sent, 3 * round + 2);
        CL(clEnqueueWriteBuffer(c->queue, buffer, CL_FALSE, 0, TRANSFER, sent, 0, NULL, NULL));
        CL(clEnqueueReadBuffer(c->queue, buffer, CL_FALSE, 0, TRANSFER, back, 0, NULL, NULL));
        CL(clFinish(c->queue));
        require_equal(back, sent, "written and read without waiting");
    }
    CL(clReleaseMemObject(buffer));
    printf("transfer: right\n");
}
