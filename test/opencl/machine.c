/* Opens devices, builds and runs kernels for the differential tests. */
#include "machine.h"

#include <errno.h>

struct machine machine_open(cl_device_type type)
{
    struct machine machine = {.name = type == CL_DEVICE_TYPE_GPU ? "GPU" : "CPU"};
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error;
    CL(clGetPlatformIDs(16, platforms, &count));
    for (cl_uint i = 0; i < count && i < 16 && !machine.device; i++)
        if (clGetDeviceIDs(platforms[i], type, 1, &machine.device, NULL) != CL_SUCCESS)
            machine.device = NULL;
    REQUIRE(machine.device, "no platform has a %s", type == CL_DEVICE_TYPE_GPU ? "GPU" : "CPU (PoCL)");
    machine.context = clCreateContext(NULL, 1, &machine.device, NULL, NULL, &error);
    CL(error);
    machine.queue = clCreateCommandQueueWithProperties(machine.context, machine.device, NULL, &error);
    CL(error);
    return machine;
}

void machine_close(struct machine *machine)
{
    CL(clReleaseCommandQueue(machine->queue));
    CL(clReleaseContext(machine->context));
}

bool machine_has(const struct machine *machine, const char *extension)
{
    static char names[16384];
    CL(clGetDeviceInfo(machine->device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    size_t length = strlen(extension);
    for (const char *at = names; (at = strstr(at, extension)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

cl_program machine_build(const struct machine *machine, const char *source, const char *options)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(machine->context, 1, &source, NULL, &error);
    CL(error);
    if (clBuildProgram(program, 1, &machine->device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[1 << 20];
        CL(clGetProgramBuildInfo(program, machine->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        REQUIRE(0, "%s: %.20000s", machine->name, log);
    }
    return program;
}

void machine_run(const struct machine *machine, cl_program program, const char *name, const struct launch *launch)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    REQUIRE(error == CL_SUCCESS, "%s has no kernel %s: %d", machine->name, name, error);
    cl_mem in =
        clCreateBuffer(machine->context, CL_MEM_COPY_HOST_PTR, launch->in_bytes, (void *)(uintptr_t)launch->in, &error);
    CL(error);
    cl_mem out = clCreateBuffer(machine->context, CL_MEM_COPY_HOST_PTR, launch->out_bytes, launch->out, &error);
    CL(error);
    const size_t *group = launch->group ? &launch->group : NULL;
    CL(clSetKernelArg(kernel, 0, sizeof in, &in));
    CL(clSetKernelArg(kernel, 1, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(machine->queue, kernel, 1, NULL, &launch->items, group, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(machine->queue, out, CL_TRUE, 0, launch->out_bytes, launch->out, 0, NULL, NULL));
    CL(clReleaseMemObject(in));
    CL(clReleaseMemObject(out));
    CL(clReleaseKernel(kernel));
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    REQUIRE(fseek(file, 0, SEEK_END) == 0, "cannot seek in %s", path);
    long size = ftell(file);
    REQUIRE(size > 0, "%s is empty", path);
    fseek(file, 0, SEEK_SET);
    char *text = malloc((size_t)size + 1);
    REQUIRE(text && fread(text, 1, (size_t)size, file) == (size_t)size, "cannot read %s", path);
    text[size] = 0;
    fclose(file);
    return text;
}

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled". */
uint32_t random_bits(struct random *random)
{
    uint64_t state = random->state ? random->state : 0x9e3779b97f4a7c15;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    random->state = state;
    return (uint32_t)(state * 0x2545f4914f6cdd1d >> 32);
}

uint32_t random_below(struct random *random, uint32_t limit)
{
    return (uint32_t)((uint64_t)random_bits(random) * limit >> 32);
}

static uint32_t parse_number(const char *name, const char *text)
{
    char *end;
    REQUIRE(text, "%s needs a number", name);
    errno = 0;
    unsigned long value = strtoul(text, &end, 0);
    REQUIRE(errno == 0 && *text && !*end && value <= UINT32_MAX, "%s: %s is no number", name, text);
    return (uint32_t)value;
}

struct suite suite_parse(int count, char **arguments, uint32_t items)
{
    struct suite suite = {.seed = 1, .items = items};
    size_t rest = 0;
    for (int i = 1; i < count; i++) {
        const char *next = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(arguments[i], "--seed") == 0)
            suite.seed = parse_number(arguments[i++], next);
        else if (strcmp(arguments[i], "--items") == 0)
            suite.items = parse_number(arguments[i++], next);
        else if (strcmp(arguments[i], "--only") == 0)
            suite.only = next, i++;
        else {
            REQUIRE(rest < sizeof suite.rest / sizeof suite.rest[0], "too many arguments");
            suite.rest[rest++] = arguments[i];
        }
    }
    REQUIRE(suite.items > 0, "--items must not be 0");
    printf("seed %u, %u items\n", suite.seed, suite.items);
    return suite;
}

bool suite_wants(const struct suite *suite, const char *row)
{
    return !suite->only || strstr(row, suite->only);
}
