/* freed KERNEL_SOURCE: launches a kernel that writes to unified memory by way of a pointer in a buffer, then once more
 * after the program has freed that memory. */
#include "../opencl/open_cl.h"

#include <CL/cl_ext.h>

static cl_kernel build(const struct open_cl *c, const char *path)
{
    static char text[4096];
    char options[1024];
    const char *source = text;
    cl_int error;
    FILE *file = fopen(path, "r");
    REQUIRE(file && fread(text, 1, sizeof text - 1, file) > 0, "%s", path);
    fclose(file);
    cl_program program = clCreateProgramWithSource(c->context, 1, &source, NULL, &error);
    CL(error);
    snprintf(options, sizeof options, "-g -s %s", path);
    CL(clBuildProgram(program, 1, &c->device, options, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "far", &error);
    CL(error);
    CL(clReleaseProgram(program));
    return kernel;
}

static void launch(const struct open_cl *c, cl_kernel kernel)
{
    size_t items = 64, group = 32;
    CL(clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CL(clFinish(c->queue));
}

int main(int argc, char **argv)
{
    enum { BYTES = 1 << 20 };
    REQUIRE(argc == 2, "usage: freed KERNEL_SOURCE");
    struct open_cl c = open_cl_open_type(CL_DEVICE_TYPE_GPU);
    cl_platform_id platform;
    cl_bool yes = CL_TRUE;
    cl_int error;
    CL(clGetDeviceInfo(c.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    clDeviceMemAllocINTEL_fn allocate =
        (clDeviceMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(platform, "clDeviceMemAllocINTEL");
    clMemBlockingFreeINTEL_fn release =
        (clMemBlockingFreeINTEL_fn)clGetExtensionFunctionAddressForPlatform(platform, "clMemBlockingFreeINTEL");
    REQUIRE(allocate && release, "the driver has no unified memory");
    cl_kernel kernel = build(&c, argv[1]);
    void *memory = allocate(c.context, c.device, NULL, BYTES, 0, &error);
    CL(error);
    cl_ulong address = (cl_ulong)(uintptr_t)memory;
    cl_mem table =
        clCreateBuffer(c.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof address, &address, &error);
    CL(error);
    CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes));
    CL(clSetKernelArg(kernel, 0, sizeof table, &table));
    launch(&c, kernel);
    puts("first launch done");
    fflush(stdout);
    CL(release(c.context, memory));
    launch(&c, kernel);
    puts("second launch done");
    return 0;
}
