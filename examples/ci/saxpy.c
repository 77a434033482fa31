/* Computes y = a * x + y with OpenCL on the first GPU and compares each element with the CPU. `saxpy COUNT` takes COUNT
 * elements. Exit status: 0 right, 1 wrong numbers, 2 no GPU or an OpenCL error. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "kernel void saxpy(float a, global const float *x, global float *y, int count)\n"
                             "{\n"
                             "    int i = get_global_id(0);\n"
                             "    if (i < count)\n"
                             "        y[i] = a * x[i] + y[i];\n"
                             "}\n";

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "saxpy: %s: OpenCL error %d\n", what, status);
        exit(2);
    }
}

static cl_device_id first_gpu(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_device_id device;
    check(clGetPlatformIDs(8, platforms, &count), "no OpenCL platform");
    for (cl_uint i = 0; i < count && i < 8; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
            return device;
    fprintf(stderr, "saxpy: no GPU\n");
    exit(2);
}

int main(int argc, char **argv)
{
    enum { GROUP = 64 };
    int count = argc > 1 ? atoi(argv[1]) : 1000, wrong = 0;
    float a = 2.5f, *x = malloc(sizeof *x * (size_t)count), *y = malloc(sizeof *y * (size_t)count);
    cl_int status;
    cl_device_id device = first_gpu();
    if (count < 1 || !x || !y)
        return 2;
    for (int i = 0; i < count; i++) {
        x[i] = (float)i;
        y[i] = (float)(count - i);
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "saxpy", &status);
    check(status, "clCreateKernel");
    size_t bytes = sizeof *x * (size_t)count, local = GROUP, global = ((size_t)count + GROUP - 1) / GROUP * GROUP;
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, x, &status);
    check(status, "clCreateBuffer");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, y, &status);
    check(status, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof out, &out), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof count, &count), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, y, 0, NULL, NULL), "clEnqueueReadBuffer");
    for (int i = 0; i < count; i++)
        wrong += y[i] != a * (float)i + (float)(count - i); /* exact in float for these values */
    printf("saxpy: %d elements, %d wrong\n", count, wrong);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(x);
    free(y);
    return wrong != 0;
}
