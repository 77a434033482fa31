/* peak KERNELS.cl [cpu]: runs clpeak's kernels on the first GPU (or the CPU). */
#include "peak.h"

enum { LAUNCHES = 200 };

void run_kernel(const struct open_cl *c, cl_kernel kernel, cl_mem out, size_t size, void *bytes)
{
    size_t global = GLOBAL_SIZE, local = LOCAL_SIZE;
    CL(clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(c->queue, out, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
}

static cl_ulong event_time(cl_event event, cl_profiling_info which)
{
    cl_ulong time;
    CL(clGetEventProfilingInfo(event, which, sizeof time, &time, NULL));
    return time;
}

void check_latency(const struct open_cl *c, cl_program program)
{
    static cl_uint counters[GLOBAL_SIZE];
    size_t global = GLOBAL_SIZE, local = LOCAL_SIZE;
    cl_kernel kernel = open_cl_kernel(program, "count");
    cl_mem buffer = open_cl_buffer(c, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof counters, counters);
    CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        cl_event event;
        CL(clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
        CL(clFinish(c->queue));
        cl_ulong queued = event_time(event, CL_PROFILING_COMMAND_QUEUED);
        cl_ulong submitted = event_time(event, CL_PROFILING_COMMAND_SUBMIT);
        cl_ulong start = event_time(event, CL_PROFILING_COMMAND_START);
        cl_ulong end = event_time(event, CL_PROFILING_COMMAND_END);
        REQUIRE(queued <= submitted && submitted <= start && start <= end, "launch %u: %llu %llu %llu %llu", launch,
                (unsigned long long)queued, (unsigned long long)submitted, (unsigned long long)start,
                (unsigned long long)end);
        CL(clReleaseEvent(event));
    }
    CL(clEnqueueReadBuffer(c->queue, buffer, CL_TRUE, 0, sizeof counters, counters, 0, NULL, NULL));
    for (unsigned i = 0; i < GLOBAL_SIZE; i++)
        REQUIRE(counters[i] == LAUNCHES * (i % LOCAL_SIZE + 1), "counter %u is %u", i, counters[i]);
    CL(clReleaseMemObject(buffer));
    CL(clReleaseKernel(kernel));
    printf("%d launches: right\n", LAUNCHES);
}

static cl_program build(const struct open_cl *c, const char *path)
{
    static char source[65536], log[65536];
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    size_t size = fread(source, 1, sizeof source, file);
    REQUIRE(size < sizeof source, "%s is too long", path);
    fclose(file);
    cl_int error;
    const char *text = source;
    cl_program program = clCreateProgramWithSource(c->context, 1, &text, &size, &error);
    CL(error);
    error = clBuildProgram(program, 1, &c->device, "-cl-mad-enable", NULL, NULL);
    if (error != CL_SUCCESS)
        clGetProgramBuildInfo(program, c->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    REQUIRE(error == CL_SUCCESS, "%d: %s", error, log);
    return program;
}

int main(int argc, char **argv)
{
    REQUIRE(argc == 2 || (argc == 3 && strcmp(argv[2], "cpu") == 0), "usage: peak KERNELS.cl [cpu]");
    struct open_cl c = open_cl_open_type(argc == 3 ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU);
    cl_program program = build(&c, argv[1]);
    check_compute(&c, program);
    check_bandwidth(&c, program);
    check_transfer(&c);
    check_latency(&c, program);
    CL(clReleaseProgram(program));
    open_cl_close(&c);
    return 0;
}
