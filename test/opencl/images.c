/* Checks images: filled and read by the driver's own copy kernels, and through a sampler by ours. */
#include "open_cl.h"

enum { WIDTH = 61, HEIGHT = 33 /* no multiples of a tile */ };

typedef unsigned char pixels[HEIGHT][WIDTH][4];

static cl_mem make_image(const struct open_cl *c)
{
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    cl_int error;
    cl_mem image = clCreateImage(c->context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
    CL(error);
    return image;
}

static void fill(pixels image, int seed)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int channel = 0; channel < 4; channel++)
                image[y][x][channel] = (unsigned char)(x * 7 + y * 13 + channel * 61 + seed);
}

int main(int count, char **arguments)
{
    static pixels in, out;
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
    REQUIRE(count == 2, "usage: images PROGRAM");
    struct open_cl c = open_cl_open();
    cl_program program = open_cl_load(&c, arguments[1]);
    cl_kernel kernel = open_cl_kernel(program, "shift_invert");
    cl_mem source = make_image(&c), copy = make_image(&c), result = make_image(&c);

    for (int seed = 0; seed < 2; seed++) {
        fill(in, seed);
        CL(clEnqueueWriteImage(c.queue, source, CL_TRUE, origin, region, 0, 0, in, 0, NULL, NULL));
        CL(clEnqueueCopyImage(c.queue, source, copy, origin, origin, region, 0, NULL, NULL));
        memset(out, 0, sizeof out);
        CL(clEnqueueReadImage(c.queue, copy, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
        REQUIRE(memcmp(in, out, sizeof in) == 0, "the copy of an image differs");

        CL(clSetKernelArg(kernel, 0, sizeof copy, &copy));
        CL(clSetKernelArg(kernel, 1, sizeof result, &result));
        CL(clEnqueueNDRangeKernel(c.queue, kernel, 2, NULL, region, NULL, 0, NULL, NULL));
        CL(clEnqueueReadImage(c.queue, result, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                for (int channel = 0; channel < 4; channel++)
                    REQUIRE(out[y][x][channel] == 255 - in[y][x ? x - 1 : 0][channel], "pixel %d,%d channel %d is %d",
                            x, y, channel, out[y][x][channel]);
    }
    CL(clReleaseMemObject(source));
    CL(clReleaseMemObject(copy));
    CL(clReleaseMemObject(result));
    CL(clReleaseKernel(kernel));
    CL(clReleaseProgram(program));
    open_cl_close(&c);
    return 0;
}
