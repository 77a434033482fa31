/* Builds CM from a string with -cmc by Intel's unmodified OpenCL driver, launches it, and compares with plain C, like a
 * user's program. Then it builds a source with an error, whose log must have line and text, and the first program
 * again: the process must continue. */
#include "test/opencl/open_cl.h"

enum { GROUPS = 6, LANES = 16, COUNT = GROUPS * LANES };

static const char source[] = "#include <cm/cm.h>\n"
                             "extern \"C\" _GENX_MAIN_ void scale(SurfaceIndex in [[type(\"buffer_t\")]],\n"
                             "    SurfaceIndex out [[type(\"buffer_t\")]], float factor, uint shift)\n"
                             "{\n"
                             "    uint at = cm_group_id(0) * 64;\n"
                             "    vector<float, 16> x;\n"
                             "    read(in, at, x);\n"
                             "    x = x * FACTOR_OF_TWO * factor + shift;\n"
                             "    write(out, at, x);\n"
                             "}\n";
static const char wrong[] = "#include <cm/cm.h>\n"
                            "extern \"C\" _GENX_MAIN_ void k(SurfaceIndex s)\n"
                            "{\n"
                            "    vector<float, 16> x = nothing_of_that_name;\n"
                            "}\n";

static cl_program create(const struct open_cl *c, const char *text)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(c->context, 1, &text, NULL, &error);
    CL(error);
    return program;
}

static void get_log(const struct open_cl *c, cl_program program, char *log, size_t size)
{
    CL(clGetProgramBuildInfo(program, c->device, CL_PROGRAM_BUILD_LOG, size - 1, log, NULL));
}

static void run(const struct open_cl *c, const char *options)
{
    float in[COUNT], out[COUNT], factor = 1.5f;
    cl_uint shift = 7;
    size_t groups = GROUPS, one = 1;
    char log[4096] = "";
    cl_program program = create(c, source);
    cl_int built = clBuildProgram(program, 1, &c->device, options, NULL, NULL);
    get_log(c, program, log, sizeof log);
    REQUIRE(built == CL_SUCCESS, "build: %d: %s", built, log);
    cl_kernel kernel = open_cl_kernel(program, "scale");
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)(i * 3 - 50);
    cl_mem from = open_cl_buffer(c, CL_MEM_COPY_HOST_PTR, sizeof in, in), to = open_cl_buffer(c, 0, sizeof out, NULL);
    CL(clSetKernelArg(kernel, 0, sizeof from, &from));
    CL(clSetKernelArg(kernel, 1, sizeof to, &to));
    CL(clSetKernelArg(kernel, 2, sizeof factor, &factor));
    CL(clSetKernelArg(kernel, 3, sizeof shift, &shift));
    CL(clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &groups, &one, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(c->queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        REQUIRE(out[i] == in[i] * 2 * factor + (float)shift, "lane %d: %g of %g", i, (double)out[i], (double)in[i]);
    CL(clReleaseMemObject(from));
    CL(clReleaseMemObject(to));
    CL(clReleaseKernel(kernel));
    CL(clReleaseProgram(program));
}

static void refuse(const struct open_cl *c)
{
    char log[4096] = "";
    cl_program program = create(c, wrong);
    cl_int built = clBuildProgram(program, 1, &c->device, "-cmc", NULL, NULL);
    REQUIRE(built == CL_BUILD_PROGRAM_FAILURE, "%d", built);
    get_log(c, program, log, sizeof log);
    REQUIRE(strstr(log, "src.cm:4:27: error:") && strstr(log, "nothing_of_that_name"), "log: %s", log);
    CL(clReleaseProgram(program));
}

int main(void)
{
    struct open_cl c = open_cl_open();
    run(&c, "-cmc -DFACTOR_OF_TWO=2");
    refuse(&c);
    run(&c,
        "-cmc -DFACTOR_OF_TWO=2 -Qxcm_jit_option=\"-abortonspill -noschedule\" -mCM_printregusage -mdump_asm -g2 -I.");
    run(&c, "-cmc -D FACTOR_OF_TWO=2 -cm-src=memory.cm /Qxcm_jit_option=-enableBCR -fcmocl -mCM_translate_legacy");
    open_cl_close(&c);
    puts("computed");
    return 0;
}
