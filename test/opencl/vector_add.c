/* Checks an OpenCL vector add with changing inputs, in buffers of every kind; its times; private memory. */
#include "open_cl.h"

#include <stdint.h>

enum { COUNT = 4096 };

static void check_times(cl_event event, cl_ulong *start, cl_ulong *end)
{
    cl_ulong queued, submitted;
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL));
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SUBMIT, sizeof submitted, &submitted, NULL));
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof *start, start, NULL));
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof *end, end, NULL));
    REQUIRE(queued <= submitted && submitted <= *start, "queued %llu, submitted %llu, started %llu",
            (unsigned long long)queued, (unsigned long long)submitted, (unsigned long long)*start);
    REQUIRE(*end > *start, "from %llu to %llu", (unsigned long long)*start, (unsigned long long)*end);
}

static void run_vector_add(const struct open_cl *c, cl_program program, cl_mem_flags flags)
{
    static float a[COUNT] __attribute__((aligned(4096))), b[COUNT] __attribute__((aligned(4096))), sum[COUNT];
    cl_kernel kernel = open_cl_kernel(program, "vector_add");
    int uses_host = (flags & CL_MEM_USE_HOST_PTR) != 0;
    cl_mem in_a = open_cl_buffer(c, flags, sizeof a, uses_host ? a : NULL);
    cl_mem in_b = open_cl_buffer(c, flags, sizeof b, uses_host ? b : NULL);
    cl_mem out = open_cl_buffer(c, CL_MEM_READ_WRITE, sizeof sum, NULL);
    size_t count = COUNT;
    for (int launch = 1; launch <= 3; launch++) {
        float factor = 0.5f * (float)launch;
        cl_event event;
        cl_ulong start, end;
        for (int i = 0; i < COUNT; i++) {
            a[i] = (float)(i * launch);
            b[i] = (float)(COUNT - i);
        }
        CL(clEnqueueWriteBuffer(c->queue, in_a, CL_FALSE, 0, sizeof a, a, 0, NULL, NULL));
        CL(clEnqueueWriteBuffer(c->queue, in_b, CL_FALSE, 0, sizeof b, b, 0, NULL, NULL));
        CL(clSetKernelArg(kernel, 0, sizeof in_a, &in_a));
        CL(clSetKernelArg(kernel, 1, sizeof in_b, &in_b));
        CL(clSetKernelArg(kernel, 2, sizeof out, &out));
        CL(clSetKernelArg(kernel, 3, sizeof factor, &factor));
        CL(clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event));
        CL(clEnqueueReadBuffer(c->queue, out, CL_TRUE, 0, sizeof sum, sum, 0, NULL, NULL));
        for (int i = 0; i < COUNT; i++) /* exact: all values are small multiples of a half */
            REQUIRE(sum[i] == a[i] + factor * b[i], "launch %d: element %d is %g", launch, i, sum[i]);
        check_times(event, &start, &end);
        CL(clReleaseEvent(event));
    }
    CL(clReleaseMemObject(in_a));
    CL(clReleaseMemObject(in_b));
    CL(clReleaseMemObject(out));
    CL(clReleaseKernel(kernel));
}

static uint32_t scrambled(const uint32_t order[64], uint32_t id, uint32_t rounds)
{
    uint32_t table[64], sum = 0;
    for (uint32_t i = 0; i < 64; i++)
        table[i] = i * 3 + id;
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t i = 0; i < 64; i++) {
            uint32_t to = order[i], t = table[i];
            table[i] = table[to] + r;
            table[to] = t;
        }
    for (uint32_t i = 0; i < 64; i++)
        sum = sum * 31 + table[i];
    return sum;
}

static void run_private_memory(const struct open_cl *c, cl_program program)
{
    enum { ITEMS = 256 };
    uint32_t order[64], out[ITEMS];
    cl_uint rounds = 3;
    size_t count = ITEMS;
    for (uint32_t i = 0; i < 64; i++)
        order[i] = (i * 37 + 11) % 64;
    cl_kernel kernel = open_cl_kernel(program, "scramble");
    cl_mem orders = open_cl_buffer(c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof order, order);
    cl_mem result = open_cl_buffer(c, CL_MEM_WRITE_ONLY, sizeof out, NULL);
    CL(clSetKernelArg(kernel, 0, sizeof orders, &orders));
    CL(clSetKernelArg(kernel, 1, sizeof result, &result));
    CL(clSetKernelArg(kernel, 2, sizeof rounds, &rounds));
    CL(clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(c->queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (uint32_t i = 0; i < ITEMS; i++)
        REQUIRE(out[i] == scrambled(order, i, rounds), "private memory of item %u gave %u", i, out[i]);
    CL(clReleaseMemObject(orders));
    CL(clReleaseMemObject(result));
    CL(clReleaseKernel(kernel));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: vector_add PROGRAM");
    struct open_cl c = open_cl_open();
    cl_program program = open_cl_load(&c, arguments[1]);
    run_vector_add(&c, program, CL_MEM_READ_WRITE);
    run_vector_add(&c, program, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
    run_vector_add(&c, program, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
    run_private_memory(&c, program);
    CL(clReleaseProgram(program));
    open_cl_close(&c);
    return 0;
}
