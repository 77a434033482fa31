/* Builds CM in eight threads at once, half of them with a wrong source; each must get its own result and its own log.
 */
#include <pthread.h>
#include <stdbool.h>
#include "test/opencl/open_cl.h"

enum { THREADS = 8, ROUNDS = 2 };

static struct open_cl c;

static void build(int number)
{
    char text[600], log[4096] = "", expected[64];
    bool good = number % 2 == 0;
    snprintf(text, sizeof text,
             "#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void k%d(SurfaceIndex s) {\n"
             "vector<int, 8> x = %d;\n%s;\nwrite(s, 0, x); }\n",
             number, number, good ? "x *= 3" : "x = absent");
    const char *given = text;
    cl_int error;
    cl_program program = clCreateProgramWithSource(c.context, 1, &given, NULL, &error);
    CL(error);
    snprintf(expected, sizeof expected, "-cmc -cm-src=thread%d.cm", number);
    cl_int built = clBuildProgram(program, 1, &c.device, expected, NULL, NULL);
    CL(clGetProgramBuildInfo(program, c.device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL));
    REQUIRE(built == (good ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE), "thread %d: %d: %s", number, built, log);
    snprintf(expected, sizeof expected, "thread%d.cm:4:5: error:", number);
    REQUIRE(good || strstr(log, expected), "thread %d: %s", number, log);
    if (good) {
        snprintf(expected, sizeof expected, "k%d", number);
        CL(clReleaseKernel(open_cl_kernel(program, expected)));
    }
    CL(clReleaseProgram(program));
}

static void *run(void *number)
{
    for (int round = 0; round < ROUNDS; round++)
        build((int)(size_t)number);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    c = open_cl_open();
    for (size_t n = 0; n < THREADS; n++)
        REQUIRE(pthread_create(&threads[n], NULL, run, (void *)n) == 0, "no thread %zu", n);
    for (size_t n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    open_cl_close(&c);
    puts("eight threads built");
    return 0;
}
