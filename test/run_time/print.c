/* run_time_print PROGRAM OPTIONS -k KERNEL -g GROUPS [ARGUMENT...]: launches a kernel that prints through OpenCL, whose
 * driver compiles it. PROGRAM is CM source (OPTIONS have -cmc) or SPIR-V (-vc-codegen). ARGUMENT is u32:N, f32:X, or a
 * buffer of dwords that count from 0: buf:BYTES:iota-u32. */
#include <stdbool.h>
#include "runtime/file.h"
#include "test/opencl/open_cl.h"

static cl_program build(const struct open_cl *c, const char *path, const char *options)
{
    static const char spirv[] = {3, 2, 0x23, 7};
    char log[4096] = "";
    void *bytes;
    size_t size;
    cl_int error;
    REQUIRE(file_read(path, &bytes, &size) == 0, "cannot read %s", path);
    bool binary = size > sizeof spirv && memcmp(bytes, spirv, sizeof spirv) == 0;
    const char *text = bytes;
    cl_program program = binary ? clCreateProgramWithIL(c->context, bytes, size, &error)
                                : clCreateProgramWithSource(c->context, 1, &text, &size, &error);
    CL(error);
    cl_int built = clBuildProgram(program, 1, &c->device, options, NULL, NULL);
    CL(clGetProgramBuildInfo(program, c->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL));
    REQUIRE(built == CL_SUCCESS, "%d: %s", built, log);
    free(bytes);
    return program;
}

static void set_argument(const struct open_cl *c, cl_kernel kernel, cl_uint index, const char *word)
{
    enum { MOST = 1024 };
    cl_uint number, counted[MOST];
    float real;
    if (sscanf(word, "u32:%u", &number) == 1) {
        CL(clSetKernelArg(kernel, index, sizeof number, &number));
        return;
    }
    if (sscanf(word, "f32:%f", &real) == 1) {
        CL(clSetKernelArg(kernel, index, sizeof real, &real));
        return;
    }
    REQUIRE(sscanf(word, "buf:%u:iota-u32", &number) == 1 && number <= sizeof counted, "argument %s", word);
    for (cl_uint n = 0; n < MOST; n++)
        counted[n] = n;
    cl_mem buffer = open_cl_buffer(c, CL_MEM_COPY_HOST_PTR, number, counted);
    CL(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

int main(int count, char **words)
{
    REQUIRE(count >= 7 && strcmp(words[3], "-k") == 0 && strcmp(words[5], "-g") == 0,
            "usage: run_time_print PROGRAM OPTIONS -k KERNEL -g GROUPS [ARGUMENT...]");
    struct open_cl c = open_cl_open();
    cl_program program = build(&c, words[1], words[2]);
    cl_kernel kernel = open_cl_kernel(program, words[4]);
    size_t groups = strtoul(words[6], NULL, 10), one = 1;
    for (int n = 7; n < count; n++)
        set_argument(&c, kernel, (cl_uint)(n - 7), words[n]);
    CL(clEnqueueNDRangeKernel(c.queue, kernel, 1, NULL, &groups, &one, 0, NULL, NULL));
    CL(clFinish(c.queue));
    CL(clReleaseKernel(kernel));
    CL(clReleaseProgram(program));
    open_cl_close(&c);
    return 0;
}
