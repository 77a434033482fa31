/* freed KERNEL_SOURCE WHAT: launches a kernel that writes where a pointer in memory points, frees memory, and launches
 * it once more. WHAT is freed: `target`, where the pointer points; or the kernel's argument itself: `buffer`, `shared`
 * (unified memory), `svm`. With a freed argument the driver may crash, or wait forever, before the kernel runs. */
#include "../opencl/open_cl.h"

#include <CL/cl_ext.h>
#include <unistd.h>

enum { BYTES = 1 << 20, SECONDS = 3 };

static struct open_cl c;
static clDeviceMemAllocINTEL_fn allocate_device;
static clSharedMemAllocINTEL_fn allocate_shared;
static clMemBlockingFreeINTEL_fn release;
static clSetKernelArgMemPointerINTEL_fn set_pointer;

static void *function(const char *name)
{
    cl_platform_id platform;
    CL(clGetDeviceInfo(c.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    REQUIRE(found, "the driver has no %s", name);
    return found;
}

static cl_kernel build(const char *path)
{
    static char text[4096];
    char options[1024];
    const char *source = text;
    cl_int error;
    FILE *file = fopen(path, "r");
    REQUIRE(file && fread(text, 1, sizeof text - 1, file) > 0, "%s", path);
    fclose(file);
    cl_program program = clCreateProgramWithSource(c.context, 1, &source, NULL, &error);
    CL(error);
    snprintf(options, sizeof options, "-g -s %s", path);
    CL(clBuildProgram(program, 1, &c.device, options, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "far", &error);
    CL(error);
    CL(clReleaseProgram(program));
    return kernel;
}

static void launch(cl_kernel kernel)
{
    size_t items = 64, group = 32;
    CL(clEnqueueNDRangeKernel(c.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CL(clFinish(c.queue));
}

/* Sets the argument to memory that has the address; returns it. */
static void *set_table(cl_kernel kernel, const char *what, cl_ulong address)
{
    cl_int error = CL_SUCCESS;
    if (strcmp(what, "shared") == 0) {
        cl_ulong *table = allocate_shared(c.context, c.device, NULL, BYTES, 0, &error);
        CL(error);
        *table = address;
        CL(set_pointer(kernel, 0, table));
        return table;
    }
    if (strcmp(what, "svm") == 0) {
        cl_ulong *table = clSVMAlloc(c.context, CL_MEM_READ_WRITE, BYTES, 0);
        REQUIRE(table, "clSVMAlloc");
        CL(clEnqueueSVMMemcpy(c.queue, CL_TRUE, table, &address, sizeof address, 0, NULL, NULL));
        CL(clSetKernelArgSVMPointer(kernel, 0, table));
        return table;
    }
    cl_mem table =
        clCreateBuffer(c.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof address, &address, &error);
    CL(error);
    CL(clSetKernelArg(kernel, 0, sizeof table, &table));
    return table;
}

int main(int argc, char **argv)
{
    REQUIRE(argc == 3, "usage: freed KERNEL_SOURCE WHAT");
    const char *what = argv[2];
    cl_bool yes = CL_TRUE;
    cl_int error;
    c = open_cl_open_type(CL_DEVICE_TYPE_GPU);
    allocate_device = (clDeviceMemAllocINTEL_fn)function("clDeviceMemAllocINTEL");
    allocate_shared = (clSharedMemAllocINTEL_fn)function("clSharedMemAllocINTEL");
    release = (clMemBlockingFreeINTEL_fn)function("clMemBlockingFreeINTEL");
    set_pointer = (clSetKernelArgMemPointerINTEL_fn)function("clSetKernelArgMemPointerINTEL");
    cl_kernel kernel = build(argv[1]);
    void *target = allocate_device(c.context, c.device, NULL, BYTES, 0, &error);
    CL(error);
    CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes));
    void *table = set_table(kernel, what, (cl_ulong)(uintptr_t)target);
    launch(kernel);
    puts("first launch done");
    fflush(stdout);
    if (strcmp(what, "target") == 0)
        CL(release(c.context, target));
    else if (strcmp(what, "buffer") == 0)
        CL(clReleaseMemObject(table));
    else if (strcmp(what, "shared") == 0)
        CL(release(c.context, table));
    else
        clSVMFree(c.context, table);
    alarm(SECONDS);
    launch(kernel);
    puts("second launch done");
    return 0;
}
