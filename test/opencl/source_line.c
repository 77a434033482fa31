/* Builds an OpenCL C source file with the driver's own compiler and the given options, and runs its kernel
 * read_anywhere, which reads unmapped memory: the simulated GPU stops the program. */
#include "open_cl.h"

static char *read_text(const char *path)
{
    char *text = NULL;
    size_t size = 0, got;
    FILE *file = fopen(path, "rb"), *out = open_memstream(&text, &size);
    char part[4096];
    REQUIRE(file && out, "cannot open %s", path);
    while ((got = fread(part, 1, sizeof part, file)))
        fwrite(part, 1, got, out);
    fclose(file);
    fclose(out);
    return text;
}

int main(int count, char **arguments)
{
    REQUIRE(count == 3, "usage: source_line FILE OPTIONS");
    struct open_cl c = open_cl_open();
    char *text = read_text(arguments[1]);
    cl_int error;
    cl_program program = clCreateProgramWithSource(c.context, 1, (const char **)&text, NULL, &error);
    CL(error);
    CL(clBuildProgram(program, 1, &c.device, arguments[2], NULL, NULL));
    cl_kernel kernel = open_cl_kernel(program, "read_anywhere");
    cl_mem out = open_cl_buffer(&c, CL_MEM_READ_WRITE, 64, NULL);
    cl_ulong nowhere = 0x123456789000;
    size_t items = 1;
    CL(clSetKernelArg(kernel, 0, sizeof nowhere, &nowhere));
    CL(clSetKernelArg(kernel, 1, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(c.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CL(clFinish(c.queue));
    free(text);
    return 0;
}
