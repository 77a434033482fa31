/* fat PROGRAM WORD: runs kernel `scale` of a binary through OpenCL on eight words of 1 with a factor of 0, and checks
 * that each is WORD: the value of CM_GENX in the code that the driver has taken. */
#include "test/opencl/open_cl.h"

#include <stdint.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    REQUIRE(count == 3, "usage: fat PROGRAM WORD");
    struct open_cl c = open_cl_open();
    cl_program program = open_cl_load(&c, arguments[1]);
    cl_kernel kernel = open_cl_kernel(program, "scale");
    uint32_t words[8] = {1, 1, 1, 1, 1, 1, 1, 1}, expected = (uint32_t)strtoul(arguments[2], NULL, 10);
    cl_mem buffer = open_cl_buffer(&c, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof words, words);
    cl_uint factor = 0;
    size_t items = 1;
    CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CL(clSetKernelArg(kernel, 1, sizeof factor, &factor));
    CL(clEnqueueNDRangeKernel(c.queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(c.queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (int i = 0; i < 8; i++)
        REQUIRE(words[i] == expected, "word %d is %u", i, words[i]);
    CL(clReleaseMemObject(buffer));
    CL(clReleaseKernel(kernel));
    CL(clReleaseProgram(program));
    open_cl_close(&c);
    return 0;
}
