/* Runs the kernels of agree.cl, compiled from source by each driver, on the GPU and on the host's CPU (PoCL): two
 * compilers and two machines that must agree on every bit. */
#include "open_cl.h"

#include <stdint.h>

enum { ITEMS = 1024, GROUP = 64, IN_WORDS = 4 * ITEMS, OUT_WORDS = 8 * ITEMS };

static const char *const kernels[] = {"integers",     "small_integers", "long_integers", "floats",  "halves",
                                      "control_flow", "scattered",      "local_memory",  "atomics", "private_arrays"};

struct machine {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    char *text = calloc(1, 1 << 20);
    REQUIRE(text && fread(text, 1, (1 << 20) - 1, file) > 0, "cannot read %s", path);
    fclose(file);
    return text;
}

static void open_machine(struct machine *machine, cl_device_type type, const char *source)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error;
    CL(clGetPlatformIDs(16, platforms, &count));
    for (cl_uint i = 0; i < count && i < 16 && !machine->device; i++)
        if (clGetDeviceIDs(platforms[i], type, 1, &machine->device, NULL) != CL_SUCCESS)
            machine->device = NULL;
    REQUIRE(machine->device, "no platform has a %s", type == CL_DEVICE_TYPE_GPU ? "GPU" : "CPU (PoCL)");
    machine->context = clCreateContext(NULL, 1, &machine->device, NULL, NULL, &error);
    CL(error);
    machine->queue = clCreateCommandQueueWithProperties(machine->context, machine->device, NULL, &error);
    CL(error);
    machine->program = clCreateProgramWithSource(machine->context, 1, &source, NULL, &error);
    CL(error);
    if (clBuildProgram(machine->program, 1, &machine->device, "", NULL, NULL) != CL_SUCCESS) {
        static char log[65536];
        CL(clGetProgramBuildInfo(machine->program, machine->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        REQUIRE(0, "%s", log);
    }
}

static void run(const struct machine *machine, const char *name, const uint32_t *in, uint32_t *out)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(machine->program, name, &error);
    CL(error);
    cl_mem in_buffer = clCreateBuffer(machine->context, CL_MEM_COPY_HOST_PTR, IN_WORDS * 4, (void *)in, &error);
    CL(error);
    cl_mem out_buffer = clCreateBuffer(machine->context, CL_MEM_COPY_HOST_PTR, OUT_WORDS * 4, out, &error);
    CL(error);
    size_t items = ITEMS, group = GROUP;
    CL(clSetKernelArg(kernel, 0, sizeof in_buffer, &in_buffer));
    CL(clSetKernelArg(kernel, 1, sizeof out_buffer, &out_buffer));
    CL(clEnqueueNDRangeKernel(machine->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(machine->queue, out_buffer, CL_TRUE, 0, OUT_WORDS * 4, out, 0, NULL, NULL));
    CL(clReleaseMemObject(in_buffer));
    CL(clReleaseMemObject(out_buffer));
    CL(clReleaseKernel(kernel));
}

/* Random words with the awkward values mixed in. */
static void fill(uint32_t *in, uint32_t seed)
{
    static const uint32_t awkward[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80, 0xff, 0x8000, 0xffff, 31, 32};
    for (int i = 0; i < IN_WORDS; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t choice = seed >> 24;
        seed = seed * 1664525 + 1013904223;
        in[i] = choice < 64 ? awkward[choice % (sizeof awkward / sizeof awkward[0])] : seed ^ seed >> 16;
    }
}

int main(int count, char **arguments)
{
    static uint32_t in[IN_WORDS], from_gpu[OUT_WORDS], from_cpu[OUT_WORDS];
    static struct machine gpu, cpu;
    int differences = 0;
    REQUIRE(count == 2 || count == 3, "usage: agree SOURCE [KERNEL]");
    char *source = read_text(arguments[1]);
    open_machine(&gpu, CL_DEVICE_TYPE_GPU, source);
    open_machine(&cpu, CL_DEVICE_TYPE_CPU, source);
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (count == 3 && strcmp(kernels[k], arguments[2]) != 0)
            continue;
        fill(in, (uint32_t)k + 1);
        memset(from_gpu, 0, sizeof from_gpu);
        memset(from_cpu, 0, sizeof from_cpu);
        run(&gpu, kernels[k], in, from_gpu);
        run(&cpu, kernels[k], in, from_cpu);
        int here = 0;
        for (int i = 0; i < OUT_WORDS; i++)
            if (from_gpu[i] != from_cpu[i] && here++ < 8)
                fprintf(stderr, "%s: item %d, word %d: GPU 0x%08x, CPU 0x%08x; input 0x%08x 0x%08x 0x%08x 0x%08x\n",
                        kernels[k], i / 8, i % 8, from_gpu[i], from_cpu[i], in[i / 8 * 4], in[i / 8 * 4 + 1],
                        in[i / 8 * 4 + 2], in[i / 8 * 4 + 3]);
        if (here)
            fprintf(stderr, "%s: %d words differ\n", kernels[k], here);
        differences += here;
    }
    free(source);
    return differences != 0;
}
