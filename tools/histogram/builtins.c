/* gen-builtins: makes Intel's OpenCL driver launch its built-in kernels: copies and fills of buffers, rectangles and
 * images of every shape, aligned and not. Run under `gensim --save-kernels` their code can be counted. Status 1 when a
 * call fails. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 16, LAYERS = 4, BUFFER_BYTES = 1 << 16 };

static cl_context context;
static cl_command_queue queue;
static int failures;

static void expect(cl_int status, const char *call)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "gen-builtins: error: %s: OpenCL status %d\n", call, status);
    failures++;
}

static void start(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status = clGetPlatformIDs(1, &platform, NULL);
    if (status == CL_SUCCESS)
        status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    if (status == CL_SUCCESS)
        context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status == CL_SUCCESS)
        queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    expect(status, "opening the device");
    if (failures > 0)
        exit(1);
}

static cl_mem create_buffer(void)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &status);
    expect(status, "clCreateBuffer");
    return buffer;
}

/* Aligned and odd offsets and sizes use different kernels. */
static void use_buffers(cl_mem a, cl_mem b)
{
    static const size_t ranges[][3] = {{0, 0, 4096}, {4, 8, 1024}, {1, 3, 777}, {5, 0, 64}, {0, 7, 3}};
    static const size_t patterns[] = {1, 2, 4, 8, 16, 32, 64, 128};
    static const unsigned char pattern[128] = {1, 2, 3, 4, 5};
    static unsigned char host[BUFFER_BYTES];
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++)
        expect(clEnqueueCopyBuffer(queue, a, b, ranges[i][0], ranges[i][1], ranges[i][2], 0, NULL, NULL),
               "clEnqueueCopyBuffer");
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        expect(clEnqueueFillBuffer(queue, a, pattern, patterns[i], patterns[i], 5 * patterns[i], 0, NULL, NULL),
               "clEnqueueFillBuffer");
        expect(clEnqueueFillBuffer(queue, a, pattern, patterns[i], 0, 4096, 0, NULL, NULL), "clEnqueueFillBuffer");
    }
    for (size_t depth = 1; depth <= 3; depth += 2)
        for (size_t odd = 0; odd < 2; odd++) {
            const size_t from[3] = {odd, 1, 0}, to[3] = {16, 0, 1}, region[3] = {32 + odd, 8, depth};
            expect(clEnqueueCopyBufferRect(queue, a, b, from, to, region, 64, 1024, 128, 2048, 0, NULL, NULL),
                   "clEnqueueCopyBufferRect");
            expect(
                clEnqueueWriteBufferRect(queue, b, CL_TRUE, from, to, region, 64, 1024, 128, 2048, host, 0, NULL, NULL),
                "clEnqueueWriteBufferRect");
            expect(
                clEnqueueReadBufferRect(queue, b, CL_TRUE, from, to, region, 64, 1024, 128, 2048, host, 0, NULL, NULL),
                "clEnqueueReadBufferRect");
        }
    expect(clEnqueueWriteBuffer(queue, a, CL_TRUE, 3, 1001, host, 0, NULL, NULL), "clEnqueueWriteBuffer");
    expect(clEnqueueReadBuffer(queue, a, CL_TRUE, 3, 1001, host, 0, NULL, NULL), "clEnqueueReadBuffer");
}

struct shape {
    cl_mem_object_type type;
    size_t width, height, depth, layers;
};

static void use_images(const struct shape *shape, cl_image_format format, cl_mem buffer)
{
    static unsigned char host[1 << 16];
    const cl_image_desc description = {.image_type = shape->type,
                                       .image_width = shape->width,
                                       .image_height = shape->height,
                                       .image_depth = shape->depth,
                                       .image_array_size = shape->layers};
    bool one_line = shape->type == CL_MEM_OBJECT_IMAGE1D || shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t layers = shape->layers > 0 ? shape->layers : shape->depth;
    const size_t origin[3] = {0, 0, 0};
    const size_t region[3] = {shape->width,
                              shape->layers > 0 && one_line ? shape->layers
                              : shape->height > 0           ? shape->height
                                                            : 1,
                              layers > 0 && !one_line ? layers : 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    cl_int status;
    cl_mem a = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &status);
    expect(status, "clCreateImage");
    cl_mem b = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &status);
    expect(status, "clCreateImage");
    expect(clEnqueueFillImage(queue, a, color, origin, region, 0, NULL, NULL), "clEnqueueFillImage");
    expect(clEnqueueCopyImage(queue, a, b, origin, origin, region, 0, NULL, NULL), "clEnqueueCopyImage");
    expect(clEnqueueCopyBufferToImage(queue, buffer, a, 0, origin, region, 0, NULL, NULL),
           "clEnqueueCopyBufferToImage");
    expect(clEnqueueCopyImageToBuffer(queue, a, buffer, origin, region, 0, 0, NULL, NULL),
           "clEnqueueCopyImageToBuffer");
    expect(clEnqueueWriteImage(queue, a, CL_TRUE, origin, region, 0, 0, host, 0, NULL, NULL), "clEnqueueWriteImage");
    expect(clEnqueueReadImage(queue, a, CL_TRUE, origin, region, 0, 0, host, 0, NULL, NULL), "clEnqueueReadImage");
    expect(clFinish(queue), "clFinish");
    clReleaseMemObject(a);
    clReleaseMemObject(b);
}

int main(void)
{
    static const struct shape shapes[] = {{CL_MEM_OBJECT_IMAGE1D, EDGE, 0, 0, 0},
                                          {CL_MEM_OBJECT_IMAGE1D_ARRAY, EDGE, 0, 0, LAYERS},
                                          {CL_MEM_OBJECT_IMAGE2D, EDGE, EDGE, 0, 0},
                                          {CL_MEM_OBJECT_IMAGE2D_ARRAY, EDGE, EDGE, 0, LAYERS},
                                          {CL_MEM_OBJECT_IMAGE3D, EDGE, EDGE, LAYERS, 0}};
    static const cl_image_format formats[] = {{CL_R, CL_UNSIGNED_INT8},    {CL_R, CL_UNSIGNED_INT16},
                                              {CL_R, CL_UNSIGNED_INT32},   {CL_RG, CL_UNSIGNED_INT32},
                                              {CL_RGBA, CL_UNSIGNED_INT8}, {CL_RGBA, CL_UNSIGNED_INT32}};
    start();
    cl_mem a = create_buffer(), b = create_buffer();
    use_buffers(a, b);
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
            use_images(&shapes[s], formats[f], a);
    expect(clFinish(queue), "clFinish");
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return failures > 0;
}
