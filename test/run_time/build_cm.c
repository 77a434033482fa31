/* build_cm SOURCE.cm OPTIONS [BINARY]: builds the file with OpenCL and writes the program's binary, which Level Zero
 * loads too. Prints the build log. Status 1 if the build failed as a build does, with a log, and the context is good
 * for more; 2 otherwise. */
#include "test/opencl/open_cl.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    fseek(file, 0, SEEK_SET);
    char *text = calloc(1, size + 1);
    REQUIRE(text && fread(text, 1, size, file) == size, "cannot read %s", path);
    fclose(file);
    return text;
}

static void write_binary(cl_program program, const char *path)
{
    size_t size = 0;
    CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    FILE *file = fopen(path, "wb");
    REQUIRE(bytes && size && file, "no binary for %s", path);
    CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    REQUIRE(fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "cannot write %s", path);
    free(bytes);
}

/* Builds another program, in OpenCL C: the failure before must not affect it. */
static void build_another(const struct open_cl *c)
{
    const char *text = "__kernel void k(__global int *p) { p[0] = 1; }";
    cl_int error;
    cl_program program = clCreateProgramWithSource(c->context, 1, &text, NULL, &error);
    CL(error);
    CL(clBuildProgram(program, 1, &c->device, "", NULL, NULL));
    CL(clReleaseProgram(program));
}

int main(int count, char **words)
{
    REQUIRE(count >= 3, "usage: build_cm SOURCE.cm OPTIONS [BINARY]");
    struct open_cl c = open_cl_open();
    char *text = read_text(words[1]);
    const char *given = text;
    size_t length = 0;
    cl_int error;
    cl_program program = clCreateProgramWithSource(c.context, 1, &given, NULL, &error);
    CL(error);
    cl_int built = clBuildProgram(program, 1, &c.device, words[2], NULL, NULL);
    CL(clGetProgramBuildInfo(program, c.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length));
    char *log = calloc(1, length + 1);
    CL(clGetProgramBuildInfo(program, c.device, CL_PROGRAM_BUILD_LOG, length, log, NULL));
    fputs(log, stdout);
    if (built == CL_SUCCESS && count > 3)
        write_binary(program, words[3]);
    if (built != CL_SUCCESS) {
        build_another(&c);
        puts("\nthe program goes on");
    }
    REQUIRE(built == CL_SUCCESS || *log, "%d without a log", built);
    CL(clReleaseProgram(program));
    open_cl_close(&c);
    free(text);
    free(log);
    return built == CL_SUCCESS ? 0 : built == CL_BUILD_PROGRAM_FAILURE ? 1 : 2;
}
