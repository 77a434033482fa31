/* scale [PROGRAM]: runs the kernel `scale` of a file, or the one that is part of this program, and prints eight
 * numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <cmkit/cmrt.h>
#include "lanes.h"
#ifdef HAVE_EMBEDDED_KERNEL
#include "scale.h"
#endif

static void must(enum cmrt_status status)
{
    if (status == CMRT_OK)
        return;
    fprintf(stderr, "%s: %s\n", cmrt_status_name(status), cmrt_message());
    exit(1);
}

static cmrt_program *load(cmrt_device *device, const char *path)
{
    cmrt_program *program = NULL;
#ifdef HAVE_EMBEDDED_KERNEL
    if (!path)
        must(cmrt_program_load_memory(device, scale, (size_t)(scale_end - scale), &program));
#endif
    if (path)
        must(cmrt_program_load(device, path, &program));
    return program;
}

int main(int count, char **words)
{
    const uint32_t one[3] = {1, 1, 1}, factor = 3;
    cmrt_device *device;
    cmrt_kernel *kernel;
    cmrt_queue *queue;
    cmrt_buffer *in, *out;
    must(cmrt_device_open(CMRT_TARGET_GPU, &device));
    cmrt_program *program = load(device, count > 1 ? words[1] : NULL);
    if (!program)
        return 2;
    must(cmrt_kernel_open(program, "scale", &kernel));
    must(cmrt_queue_open(device, &queue));
    must(cmrt_buffer_open(device, CMRT_MEMORY_SHARED, LANES * sizeof(uint32_t), &in));
    must(cmrt_buffer_open(device, CMRT_MEMORY_SHARED, LANES * sizeof(uint32_t), &out));
    uint32_t *numbers = cmrt_buffer_pointer(in), *results = cmrt_buffer_pointer(out);
    for (uint32_t i = 0; i < LANES; i++)
        numbers[i] = i;
    must(cmrt_kernel_set_buffer(kernel, 0, in));
    must(cmrt_kernel_set_buffer(kernel, 1, out));
    must(cmrt_kernel_set_value(kernel, 2, &factor, sizeof factor));
    must(cmrt_launch(queue, kernel, one, one));
    must(cmrt_wait(queue));
    int wrong = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        printf("%u%c", results[i], i + 1 < LANES ? ' ' : '\n');
        wrong |= results[i] != i * factor;
    }
    cmrt_buffer_close(out);
    cmrt_buffer_close(in);
    cmrt_queue_close(queue);
    cmrt_kernel_close(kernel);
    cmrt_program_close(program);
    cmrt_device_close(device);
    return wrong;
}
