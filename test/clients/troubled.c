/* A client in trouble, for troubled.sh: troubled WHAT [LIBRARY]. It finds OpenCL by dlopen(), as wheels do.
 *
 *   find            ends with 1 and a line if there is no GPU
 *   use             builds a kernel with the driver's compiler, runs it and checks the result
 *   workers COUNT   the same in COUNT children, then in itself; a last child is killed at work, and is told of
 *   memory          asks for a buffer larger than the device's memory, and then for one that fits
 *   time            divides by the time of a kernel with one work-item that does nothing
 *
 * LIBRARY is the OpenCL loader (default libOpenCL.so.1). LLVM=LIBRARY in the environment is loaded before it, with all
 * its symbols for everybody. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *library;

/* Calls FUNCTION of the library. */
#define CALL(FUNCTION, ...) ((__typeof__(&FUNCTION))find(#FUNCTION))(__VA_ARGS__)

static _Noreturn void fail(const char *what, int error)
{
    fprintf(stderr, "troubled: %s (%d)\n", what, error);
    exit(1);
}

static void *find(const char *name)
{
    void *function = dlsym(library, name);
    if (!function)
        fail(name, 0);
    return function;
}

static void require(const char *what, cl_int error)
{
    if (error)
        fail(what, error);
}

static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_device_id device = NULL;
    cl_int error = CALL(clGetPlatformIDs, 16, platforms, &count);
    for (cl_uint i = 0; !error && i < count && i < 16 && !device; i++)
        if (CALL(clGetDeviceIDs, platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL))
            device = NULL;
    if (!device) {
        dlclose(library); /* some programs do so before they end */
        fail("no GPU", error);
    }
    return device;
}

static struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} gpu;

static void open_gpu(void)
{
    cl_int error;
    cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    gpu.device = find_device();
    gpu.context = CALL(clCreateContext, NULL, 1, &gpu.device, NULL, NULL, &error);
    require("clCreateContext", error);
    gpu.queue = CALL(clCreateCommandQueueWithProperties, gpu.context, gpu.device, timed, &error);
    require("clCreateCommandQueueWithProperties", error);
}

static cl_kernel build(const char *source)
{
    cl_int error;
    cl_program program = CALL(clCreateProgramWithSource, gpu.context, 1, &source, NULL, &error);
    require("clCreateProgramWithSource", error);
    require("clBuildProgram", CALL(clBuildProgram, program, 1, &gpu.device, "", NULL, NULL));
    cl_kernel kernel = CALL(clCreateKernel, program, "k", &error);
    require("clCreateKernel", error);
    return kernel;
}

/* Runs a kernel with one argument; the event is the caller's. */
static cl_event launch(cl_kernel kernel, cl_mem buffer, size_t count)
{
    cl_event event;
    require("clSetKernelArg", CALL(clSetKernelArg, kernel, 0, sizeof buffer, &buffer));
    require("clEnqueueNDRangeKernel",
            CALL(clEnqueueNDRangeKernel, gpu.queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event));
    return event;
}

static void use(void)
{
    enum { COUNT = 1000 };
    uint32_t result[COUNT];
    cl_int error;
    open_gpu();
    cl_kernel kernel = build("kernel void k(global uint *out) { uint i = get_global_id(0); out[i] = i * i + 7; }");
    cl_mem buffer = CALL(clCreateBuffer, gpu.context, CL_MEM_READ_WRITE, sizeof result, NULL, &error);
    require("clCreateBuffer", error);
    launch(kernel, buffer, COUNT);
    require("clEnqueueReadBuffer",
            CALL(clEnqueueReadBuffer, gpu.queue, buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    for (uint32_t i = 0; i < COUNT; i++)
        if (result[i] != i * i + 7)
            fail("a wrong element", (int)i);
}

static void use_in_workers(int count)
{
    int status;
    use(); /* a server that opens the device before it forks */
    for (int i = 0; i < count; i++)
        if (fork() == 0) {
            use();
            exit(0);
        }
    while (count-- > 0)
        if (wait(&status) < 0 || status != 0)
            fail("a worker failed", status);
    pid_t child = fork();
    if (child == 0) {
        for (;;)
            use();
    }
    usleep(300000);
    kill(child, SIGKILL);
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
        fail("the killed worker is not gone", status);
    fprintf(stderr, "troubled: a worker was killed by signal %d\n", WTERMSIG(status));
    use();
}

static void ask_for_memory(void)
{
    cl_ulong bytes;
    cl_int error;
    open_gpu();
    require("clGetDeviceInfo",
            CALL(clGetDeviceInfo, gpu.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    cl_mem large = CALL(clCreateBuffer, gpu.context, CL_MEM_READ_WRITE, bytes + 4096, NULL, &error);
    if (large)
        fail("a buffer that is larger than the device's memory", error);
    fprintf(stderr, "troubled: %llu MB of memory, and no buffer of that size (%d)\n", (unsigned long long)bytes >> 20,
            error);
    use();
}

static void divide_by_time(void)
{
    cl_ulong start, end;
    cl_int error;
    open_gpu();
    cl_kernel kernel = build("kernel void k(global uint *out) {}");
    cl_mem buffer = CALL(clCreateBuffer, gpu.context, CL_MEM_READ_WRITE, 4, NULL, &error);
    require("clCreateBuffer", error);
    cl_event event = launch(kernel, buffer, 1);
    require("clFinish", CALL(clFinish, gpu.queue));
    require("start", CALL(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    require("end", CALL(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    printf("%llu launches a second\n", 1000000000ULL / (end - start));
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "", *llvm = getenv("LLVM");
    if (llvm && !dlopen(llvm, RTLD_NOW | RTLD_GLOBAL))
        fail(dlerror(), 0);
    library = dlopen(count > 2 && strchr(arguments[2], '/') ? arguments[2] : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(dlerror(), 0);
    if (strcmp(what, "find") == 0)
        find_device();
    else if (strcmp(what, "use") == 0)
        use();
    else if (strcmp(what, "workers") == 0)
        use_in_workers(count > 2 ? atoi(arguments[2]) : 1);
    else if (strcmp(what, "memory") == 0)
        ask_for_memory();
    else if (strcmp(what, "time") == 0)
        divide_by_time();
    else
        fail("usage: troubled find|use|workers|memory|time", 0);
    return 0;
}
