/* Finds the largest magnitude of vectors of halves with CLBlast's iHAMAX, and with a loop, and prints how many indices
 * agree and differ: "vectors RIGHT WRONG". All magnitudes of a vector differ: of equal ones any may be the answer. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clblast_c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { VECTORS = 12, MOST = 2000, SMALLEST = 0x2400 /* 1/64 */, SIGN = 0x8000 };

static uint32_t next(void)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 16;
}

/* Halves of one sign are ordered as their bits are. Returns where the largest one is. */
static size_t fill(uint16_t *vector, size_t n)
{
    size_t largest = 0;
    for (size_t i = 0; i < n; i++)
        vector[i] = (uint16_t)(SMALLEST + i);
    for (size_t i = n - 1; i > 0; i--) {
        size_t other = next() % (i + 1);
        uint16_t kept = vector[i];
        vector[i] = vector[other];
        vector[other] = kept;
    }
    for (size_t i = 0; i < n; i++) {
        largest = vector[i] > (vector[largest] & ~SIGN) ? i : largest;
        vector[i] |= next() & 1 ? SIGN : 0;
    }
    return largest;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL))
        return fprintf(stderr, "no OpenCL device\n"), 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    static uint16_t vector[MOST];
    unsigned right = 0, wrong = 0;
    for (size_t i = 0; i < VECTORS; i++) {
        size_t n = 7 + i * i * 16, expected = fill(vector, n);
        cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof *vector, vector, NULL);
        cl_mem index = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(uint32_t), NULL, NULL);
        uint32_t found = UINT32_MAX;
        if (CLBlastiHamax(n, index, 0, x, 0, 1, &queue, NULL) != CLBlastSuccess ||
            clEnqueueReadBuffer(queue, index, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL))
            return fprintf(stderr, "iHAMAX failed\n"), 1;
        *(found == expected ? &right : &wrong) += 1;
        clReleaseMemObject(x);
        clReleaseMemObject(index);
    }
    printf("vectors %u %u\n", right, wrong);
    return 0;
}
