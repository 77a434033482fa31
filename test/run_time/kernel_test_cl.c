/* Runs the kernels of test/kernels through OpenCL and compares every byte that they write with their references.
 *
 *   kernel_test_cl PROGRAM OPTIONS KERNEL.cm DESCRIBED
 *
 * PROGRAM is CM source, which the driver builds (OPTIONS have -cmc), or SPIR-V, which clCreateProgramWithIL takes
 * (OPTIONS have -vc-codegen). DESCRIBED is a zebin of the same kernels: OpenCL does not say how large values are.
 * test/run/kernel_plan.h says how KERNEL.cm describes launches. Status 3: the driver does not build PROGRAM; its log is
 * on standard output. */
#include "runtime/file.h"
#include "test/opencl/open_cl.h"
#include "test/run/kernel_plan.h"

enum { NOT_BUILT = 3 };

struct session {
    struct open_cl cl;
    cl_program program;
    cmrt_program *described;
    unsigned failures, runs;
};

/* What a kernel is given. */
struct arguments {
    cl_mem in, out, image, more[MAXIMUM_BUFFERS];
    cl_sampler sampler;
};

static void build(struct session *session, const char *path, const char *options)
{
    static const char spirv[] = {3, 2, 0x23, 7};
    void *bytes;
    size_t size, length = 0;
    cl_int error;
    REQUIRE(file_read(path, &bytes, &size) == 0, "cannot read %s", path);
    bool binary = size > sizeof spirv && memcmp(bytes, spirv, sizeof spirv) == 0;
    const char *text = bytes;
    session->program = binary ? clCreateProgramWithIL(session->cl.context, bytes, size, &error)
                              : clCreateProgramWithSource(session->cl.context, 1, &text, &size, &error);
    CL(error);
    cl_int built = clBuildProgram(session->program, 1, &session->cl.device, options, NULL, NULL);
    free(bytes);
    if (built == CL_SUCCESS)
        return;
    CL(clGetProgramBuildInfo(session->program, session->cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length));
    char *log = calloc(1, length + 1);
    CL(clGetProgramBuildInfo(session->program, session->cl.device, CL_PROGRAM_BUILD_LOG, length, log, NULL));
    puts(log);
    exit(NOT_BUILT);
}

static const struct cmrt_kernel_info *find_info(const struct session *session, const char *kernel)
{
    size_t n = 0;
    const struct cmrt_kernel_info *info;
    while ((info = cmrt_program_kernel(session->described, n)) && strcmp(info->name, kernel) != 0)
        n++;
    REQUIRE(info, "no kernel %s", kernel);
    return info;
}

/* A buffer of whole pages of zeros, as in test/run/kernel_test.c. */
static cl_mem open_buffer(struct session *session, size_t bytes)
{
    enum { PAGE = 4096 };
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    cl_mem buffer = open_cl_buffer(&session->cl, CL_MEM_READ_WRITE, bytes, NULL);
    CL(clEnqueueFillBuffer(session->cl.queue, buffer, "", 1, 0, bytes, 0, NULL, NULL));
    return buffer;
}

static cl_mem open_image(struct session *session, const struct plan *plan)
{
    static const struct {
        const char *name;
        cl_image_format format;
    } formats[] = {{"r8u", {CL_R, CL_UNSIGNED_INT8}},
                   {"r32u", {CL_R, CL_UNSIGNED_INT32}},
                   {"rgba8", {CL_RGBA, CL_UNORM_INT8}},
                   {"rgba8u", {CL_RGBA, CL_UNSIGNED_INT8}}};
    static const cl_mem_object_type types[] = {
        [1] = CL_MEM_OBJECT_IMAGE1D, [2] = CL_MEM_OBJECT_IMAGE2D, [3] = CL_MEM_OBJECT_IMAGE3D};
    cl_image_desc shape = {.image_type = types[plan->shape.dimensions],
                           .image_width = plan->shape.width,
                           .image_height = plan->shape.height,
                           .image_depth = plan->shape.depth};
    const char *name = cmrt_format_name(plan->format);
    for (size_t n = 0; n < sizeof formats / sizeof *formats; n++)
        if (strcmp(formats[n].name, name) == 0) {
            cl_int error;
            cl_mem image =
                clCreateImage(session->cl.context, CL_MEM_READ_WRITE, &formats[n].format, &shape, NULL, &error);
            CL(error);
            return image;
        }
    REQUIRE(false, "no image of format %s here", name);
    return NULL;
}

static cl_sampler open_sampler(struct session *session, const struct plan *plan)
{
    static const cl_addressing_mode modes[] = {[CMRT_ADDRESS_NONE] = CL_ADDRESS_NONE,
                                               [CMRT_ADDRESS_CLAMP] = CL_ADDRESS_CLAMP_TO_EDGE,
                                               [CMRT_ADDRESS_BORDER] = CL_ADDRESS_CLAMP,
                                               [CMRT_ADDRESS_REPEAT] = CL_ADDRESS_REPEAT,
                                               [CMRT_ADDRESS_MIRROR] = CL_ADDRESS_MIRRORED_REPEAT};
    cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          plan->normalized,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          modes[plan->address],
                                          CL_SAMPLER_FILTER_MODE,
                                          plan->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
                                          0};
    cl_int error;
    cl_sampler sampler = clCreateSamplerWithProperties(session->cl.context, properties, &error);
    CL(error);
    return sampler;
}

static struct arguments open_arguments(struct session *session, const struct plan *plan, cl_kernel kernel)
{
    struct arguments a = {.in = open_buffer(session, plan->in_bytes), .out = open_buffer(session, plan->out_bytes)};
    cl_uint next = 2;
    CL(clSetKernelArg(kernel, 0, sizeof a.in, &a.in));
    CL(clSetKernelArg(kernel, 1, sizeof a.out, &a.out));
    if (plan->image_bytes) {
        a.image = open_image(session, plan);
        CL(clSetKernelArg(kernel, next++, sizeof a.image, &a.image));
    }
    if (plan->has_sampler) {
        a.sampler = open_sampler(session, plan);
        CL(clSetKernelArg(kernel, next++, sizeof a.sampler, &a.sampler));
    }
    for (unsigned k = 0; k < plan->buffers; k++) {
        a.more[k] = open_buffer(session, plan->in_bytes);
        CL(clSetKernelArg(kernel, next++, sizeof a.more[k], &a.more[k]));
    }
    return a;
}

static void close_arguments(const struct plan *plan, struct arguments *a)
{
    CL(clReleaseMemObject(a->in));
    CL(clReleaseMemObject(a->out));
    if (a->image)
        CL(clReleaseMemObject(a->image));
    if (a->sampler)
        CL(clReleaseSampler(a->sampler));
    for (unsigned k = 0; k < plan->buffers; k++)
        CL(clReleaseMemObject(a->more[k]));
}

/* Values are set for each input. */
static void set_values(const struct cmrt_kernel_info *info, const struct plan *plan, cl_kernel kernel,
                       const unsigned char *input)
{
    size_t at = 0;
    for (cl_uint i = 2; i < info->argument_count; i++) {
        if (info->arguments[i].kind != CMRT_ARGUMENT_VALUE)
            continue;
        REQUIRE(at + info->arguments[i].bytes <= plan->in_bytes, "%s: more values than input", plan->kernel);
        CL(clSetKernelArg(kernel, i, info->arguments[i].bytes, input + at));
        at += info->arguments[i].bytes;
    }
}

/* Writes or reads the image's pixels. */
static void copy_image(struct session *session, const struct plan *plan, cl_mem image, bool write, void *pixels)
{
    size_t origin[3] = {0}, size[3] = {plan->shape.width, plan->shape.height, plan->shape.depth};
    CL(write ? clEnqueueWriteImage(session->cl.queue, image, CL_TRUE, origin, size, 0, 0, pixels, 0, NULL, NULL)
             : clEnqueueReadImage(session->cl.queue, image, CL_TRUE, origin, size, 0, 0, pixels, 0, NULL, NULL));
}

/* Writes the arguments' contents before the launch, or reads them after it. */
static void copy_arguments(struct session *session, const struct plan *plan, const struct arguments *a, bool write,
                           unsigned char *input, unsigned char *result)
{
    cl_command_queue queue = session->cl.queue;
    if (write)
        CL(clEnqueueWriteBuffer(queue, a->in, CL_TRUE, 0, plan->in_bytes, input, 0, NULL, NULL));
    CL(write ? clEnqueueWriteBuffer(queue, a->out, CL_TRUE, 0, plan->out_bytes, result, 0, NULL, NULL)
             : clEnqueueReadBuffer(queue, a->out, CL_TRUE, 0, plan->out_bytes, result, 0, NULL, NULL));
    for (unsigned k = 0; k < plan->buffers; k++) {
        unsigned char *at = result + buffer_offset(plan, k);
        CL(write ? clEnqueueWriteBuffer(queue, a->more[k], CL_TRUE, 0, plan->in_bytes, at, 0, NULL, NULL)
                 : clEnqueueReadBuffer(queue, a->more[k], CL_TRUE, 0, plan->in_bytes, at, 0, NULL, NULL));
    }
    if (a->image)
        copy_image(session, plan, a->image, write, write ? input : result + plan->out_bytes);
}

/* Launches the kernel with one input and compares. */
static void run_input(struct session *session, const struct plan *plan, cl_kernel kernel, const struct arguments *a,
                      unsigned seed)
{
    unsigned char *input = malloc(plan->in_bytes), *want = malloc(result_bytes(plan)),
                  *got = malloc(result_bytes(plan));
    size_t items[3], local[3];
    REQUIRE(input && want && got, "no memory");
    for (int n = 0; n < 3; n++) {
        local[n] = plan->local[n];
        items[n] = local[n] * plan->groups[n];
    }
    plan_inputs(plan, seed, input, want);
    copy_arguments(session, plan, a, true, input, want);
    set_values(find_info(session, plan->kernel), plan, kernel, input);
    CL(clEnqueueNDRangeKernel(session->cl.queue, kernel, 3, NULL, items, local, 0, NULL, NULL));
    copy_arguments(session, plan, a, false, input, got);
    plan_reference(plan, input, want);
    session->failures += !plan_compare(plan, seed, got, want);
    session->runs++;
    free(input);
    free(want);
    free(got);
}

static void run_plan(void *context, const struct plan *plan)
{
    struct session *session = context;
    REQUIRE(plan_has_reference(plan), "%s has no reference", plan->kernel);
    cl_kernel kernel = open_cl_kernel(session->program, plan->kernel);
    struct arguments arguments = open_arguments(session, plan, kernel);
    for (unsigned seed = 1; seed <= INPUTS; seed++)
        run_input(session, plan, kernel, &arguments, seed);
    close_arguments(plan, &arguments);
    CL(clReleaseKernel(kernel));
}

int main(int count, char **words)
{
    struct session session = {0};
    void *text;
    size_t size;
    REQUIRE(count == 5, "usage: kernel_test_cl PROGRAM OPTIONS KERNEL.cm DESCRIBED");
    REQUIRE(file_read(words[3], &text, &size) == 0, "cannot read %s", words[3]);
    REQUIRE(cmrt_program_inspect(words[4], &session.described) == CMRT_OK, "%s", cmrt_message());
    session.cl = open_cl_open();
    build(&session, words[1], words[2]);
    bool understood = plans_run(text, words[3], run_plan, &session);
    REQUIRE(session.runs, "%s: nothing was run", words[3]);
    CL(clReleaseProgram(session.program));
    open_cl_close(&session.cl);
    cmrt_program_close(session.described);
    free(text);
    return understood && !session.failures ? 0 : 1;
}
