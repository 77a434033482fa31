/* Runs the kernels of test/kernels through libcmrt and compares every byte that they write with their references.
 *
 *   kernel_test PROGRAM KERNEL.cm
 *
 * PROGRAM is what cmc made of KERNEL.cm: a zebin or SPIR-V (then under gensim), or a host library. kernel_plan.h says
 * how KERNEL.cm describes launches. */
#include "runtime/file.h"
#include "test/run/kernel_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    cmrt_program *program;
    cmrt_device *device;
    cmrt_queue *queue;
    unsigned failures, runs;
};

static void fail(struct session *session, const char *kernel, const char *what)
{
    printf("FAIL %s: %s\n", kernel, what);
    session->failures++;
}

/* What a kernel is given. */
struct arguments {
    cmrt_buffer *in, *out;
    cmrt_image *image;     /* or NULL */
    cmrt_sampler *sampler; /* or NULL */
    cmrt_buffer *more[MAXIMUM_BUFFERS];
};

/* Values are set for each input. */
static enum cmrt_status set_values(const struct plan *plan, cmrt_kernel *kernel, const unsigned char *input)
{
    const struct cmrt_kernel_info *info = cmrt_kernel_info(kernel);
    enum cmrt_status status = CMRT_OK;
    size_t at = 0;
    for (size_t i = 2; i < info->argument_count && !status; i++) {
        if (info->arguments[i].kind != CMRT_ARGUMENT_VALUE)
            continue;
        if (at + info->arguments[i].bytes > plan->in_bytes)
            return CMRT_BAD_ARGUMENT;
        status = cmrt_kernel_set_value(kernel, i, input + at, info->arguments[i].bytes);
        at += info->arguments[i].bytes;
    }
    return status;
}

/* Fills the arguments, launches, and reads what the kernel left to `got`. */
static enum cmrt_status launch(struct session *session, const struct plan *plan, cmrt_kernel *kernel,
                               const struct arguments *arguments, const unsigned char *input,
                               const unsigned char *before, unsigned char *got)
{
    enum cmrt_status status = set_values(plan, kernel, input);
    if (!status)
        status = cmrt_buffer_write(session->queue, arguments->in, 0, input, plan->in_bytes);
    if (!status)
        status = cmrt_buffer_write(session->queue, arguments->out, 0, before, plan->out_bytes);
    for (unsigned k = 0; k < plan->buffers && !status; k++)
        status =
            cmrt_buffer_write(session->queue, arguments->more[k], 0, before + buffer_offset(plan, k), plan->in_bytes);
    if (!status && arguments->image)
        status = cmrt_image_write(session->queue, arguments->image, input);
    if (!status)
        status = cmrt_launch(session->queue, kernel, plan->groups, plan->local);
    if (!status)
        status = cmrt_wait(session->queue);
    if (!status)
        status = cmrt_buffer_read(session->queue, arguments->out, 0, got, plan->out_bytes);
    if (!status && arguments->image)
        status = cmrt_image_read(session->queue, arguments->image, got + plan->out_bytes);
    for (unsigned k = 0; k < plan->buffers && !status; k++)
        status = cmrt_buffer_read(session->queue, arguments->more[k], 0, got + buffer_offset(plan, k), plan->in_bytes);
    return status;
}

/* Launches the kernel with one input and compares. */
static enum cmrt_status run_input(struct session *session, const struct plan *plan, cmrt_kernel *kernel,
                                  const struct arguments *arguments, unsigned seed)
{
    unsigned char *input = malloc(plan->in_bytes), *want = malloc(result_bytes(plan)),
                  *got = malloc(result_bytes(plan));
    enum cmrt_status status = CMRT_NO_MEMORY;
    if (input && want && got) {
        plan_inputs(plan, seed, input, want);
        status = launch(session, plan, kernel, arguments, input, want, got);
        plan_reference(plan, input, want);
        if (!status && !plan_compare(plan, seed, got, want))
            session->failures++;
        session->runs++;
    }
    free(input);
    free(want);
    free(got);
    return status;
}

/* Opens a buffer of whole pages of zeros: drivers map whole pages of an allocation to the GPU, and kernels read beyond
 * the buffer's end on purpose. */
static enum cmrt_status open_buffer(struct session *session, size_t bytes, cmrt_buffer **buffer)
{
    enum { PAGE = 4096 };
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    enum cmrt_status status = cmrt_buffer_open(session->device, CMRT_MEMORY_SHARED, bytes, buffer);
    if (!status)
        memset(cmrt_buffer_pointer(*buffer), 0, bytes);
    return status;
}

static enum cmrt_status open_arguments(struct session *session, const struct plan *plan, cmrt_kernel *kernel,
                                       struct arguments *arguments)
{
    enum cmrt_status status = open_buffer(session, plan->in_bytes, &arguments->in);
    if (!status)
        status = open_buffer(session, plan->out_bytes, &arguments->out);
    if (!status && plan->image_bytes)
        status = cmrt_image_open_shape(session->device, &plan->shape, plan->format, CMRT_READ_WRITE, &arguments->image);
    if (!status && plan->has_sampler)
        status =
            cmrt_sampler_open(session->device, plan->address, plan->linear ? CMRT_FILTER_LINEAR : CMRT_FILTER_NEAREST,
                              plan->normalized, &arguments->sampler);
    if (!status)
        status = cmrt_kernel_set_buffer(kernel, 0, arguments->in);
    if (!status)
        status = cmrt_kernel_set_buffer(kernel, 1, arguments->out);
    if (!status && arguments->image)
        status = cmrt_kernel_set_image(kernel, 2, arguments->image);
    if (!status && arguments->sampler)
        status = cmrt_kernel_set_sampler(kernel, 3, arguments->sampler);
    size_t first = 2 + (arguments->image != NULL) + (arguments->sampler != NULL);
    for (unsigned k = 0; k < plan->buffers && !status; k++) {
        status = open_buffer(session, plan->in_bytes, &arguments->more[k]);
        if (!status)
            status = cmrt_kernel_set_buffer(kernel, first + k, arguments->more[k]);
    }
    return status;
}

static void run_plan(void *context, const struct plan *plan)
{
    struct session *session = context;
    cmrt_kernel *kernel = NULL;
    struct arguments arguments = {0};
    if (!plan_has_reference(plan)) {
        fail(session, plan->kernel, "no reference");
        return;
    }
    enum cmrt_status status = cmrt_kernel_open(session->program, plan->kernel, &kernel);
    if (!status)
        status = open_arguments(session, plan, kernel, &arguments);
    for (unsigned seed = 1; seed <= INPUTS && !status; seed++)
        status = run_input(session, plan, kernel, &arguments, seed);
    if (status)
        fail(session, plan->kernel, cmrt_message());
    for (unsigned k = 0; k < plan->buffers; k++)
        cmrt_buffer_close(arguments.more[k]);
    cmrt_sampler_close(arguments.sampler);
    cmrt_image_close(arguments.image);
    cmrt_buffer_close(arguments.out);
    cmrt_buffer_close(arguments.in);
    cmrt_kernel_close(kernel);
}

static int open_session(struct session *session, const char *program)
{
    enum cmrt_target target;
    enum cmrt_status status = cmrt_file_target(program, &target);
    if (!status)
        status = cmrt_device_open(target, &session->device);
    if (!status)
        status = cmrt_program_load(session->device, program, &session->program);
    if (!status)
        status = cmrt_queue_open(session->device, &session->queue);
    if (status)
        fprintf(stderr, "kernel_test: error: %s\n", cmrt_message());
    return status ? -1 : 0;
}

int main(int count, char **words)
{
    struct session session = {0};
    void *text;
    size_t size;
    if (count != 3 || file_read(words[2], &text, &size)) {
        fprintf(stderr, "usage: kernel_test PROGRAM KERNEL.cm\n");
        return 2;
    }
    if (open_session(&session, words[1])) {
        free(text);
        return 1;
    }
    if (!plans_run(text, words[2], run_plan, &session))
        session.failures++;
    if (!session.runs)
        fail(&session, words[2], "nothing was run");
    cmrt_queue_close(session.queue);
    cmrt_program_close(session.program);
    cmrt_device_close(session.device);
    free(text);
    return session.failures ? 1 : 0;
}
