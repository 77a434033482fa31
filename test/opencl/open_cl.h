/* Declares the steps that every OpenCL test has in common. Each ends the test with a message if the driver fails. */
#ifndef CMKIT_TEST_OPEN_CL_H
#define CMKIT_TEST_OPEN_CL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(CONDITION, ...)                                                                                        \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #CONDITION);                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define CL(CALL)                                                                                                       \
    do {                                                                                                               \
        cl_int result_ = (CALL);                                                                                       \
        REQUIRE(result_ == CL_SUCCESS, "%d", result_);                                                                 \
    } while (0)

struct open_cl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* The first device of that type of any platform, with an in-order queue that keeps times. */
static inline struct open_cl open_cl_open_type(cl_device_type type)
{
    struct open_cl c = {0};
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error;
    CL(clGetPlatformIDs(16, platforms, &count));
    for (cl_uint i = 0; i < count && i < 16 && !c.device; i++)
        if (clGetDeviceIDs(platforms[i], type, 1, &c.device, NULL) != CL_SUCCESS)
            c.device = NULL;
    REQUIRE(c.device, "no platform has such a device");
    c.context = clCreateContext(NULL, 1, &c.device, NULL, NULL, &error);
    CL(error);
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    c.queue = clCreateCommandQueueWithProperties(c.context, c.device, properties, &error);
    CL(error);
    return c;
}

static inline struct open_cl open_cl_open(void)
{
    return open_cl_open_type(CL_DEVICE_TYPE_GPU);
}

static inline void open_cl_close(struct open_cl *c)
{
    CL(clReleaseCommandQueue(c->queue));
    CL(clReleaseContext(c->context));
}

/* The program in the binary file `path`. */
static inline cl_program open_cl_load(const struct open_cl *c, const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    fseek(file, 0, SEEK_SET);
    unsigned char *bytes = malloc(size);
    REQUIRE(bytes && fread(bytes, 1, size, file) == size, "cannot read %s", path);
    fclose(file);
    cl_int status, error;
    cl_program program =
        clCreateProgramWithBinary(c->context, 1, &c->device, &size, (const unsigned char **)&bytes, &status, &error);
    CL(error);
    CL(clBuildProgram(program, 1, &c->device, "", NULL, NULL));
    free(bytes);
    return program;
}

static inline cl_kernel open_cl_kernel(cl_program program, const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CL(error);
    return kernel;
}

static inline cl_mem open_cl_buffer(const struct open_cl *c, cl_mem_flags flags, size_t size, void *host)
{
    cl_int error;
    cl_mem buffer = clCreateBuffer(c->context, flags, size, host, &error);
    CL(error);
    return buffer;
}

#endif
