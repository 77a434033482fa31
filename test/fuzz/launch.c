/* launch PROGRAM PREFIX KERNEL...: runs kernels of a random program, each on the same input, and writes what each
 * writes to PREFIX.KERNEL.out. All in one process: starting the driver takes longer than such a kernel. The first that
 * fails ends it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "runtime/cmrt.h"
#include "runtime/cmrun/values.h"

enum { INPUT_BYTES = 4096, OUTPUT_BYTES = 8192 };

struct launch {
    cmrt_program *program;
    cmrt_queue *queue;
    cmrt_buffer *in, *out;
    const char *prefix;
};

static bool good(enum cmrt_status status)
{
    if (status != CMRT_OK)
        fprintf(stderr, "launch: error: %s\n", cmrt_message());
    return status == CMRT_OK;
}

static bool write_result(const struct launch *l, const char *kernel, const void *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%s.out", l->prefix, kernel);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, OUTPUT_BYTES, file) == OUTPUT_BYTES;
    if ((file && fclose(file)) || !written) {
        perror(path);
        return false;
    }
    return true;
}

static bool run(const struct launch *l, const char *name)
{
    static unsigned char bytes[OUTPUT_BYTES];
    char why[256];
    const uint32_t one[3] = {1, 1, 1};
    cmrt_kernel *kernel = NULL;
    memset(bytes, 0, sizeof bytes);
    bool done = good(cmrt_buffer_write(l->queue, l->out, 0, bytes, OUTPUT_BYTES)) &&
                values_fill_pattern("random-u8=1", bytes, INPUT_BYTES, why, sizeof why) == 0 &&
                good(cmrt_buffer_write(l->queue, l->in, 0, bytes, INPUT_BYTES)) &&
                good(cmrt_kernel_open(l->program, name, &kernel)) && good(cmrt_kernel_set_buffer(kernel, 0, l->in)) &&
                good(cmrt_kernel_set_buffer(kernel, 1, l->out)) && good(cmrt_launch(l->queue, kernel, one, one)) &&
                good(cmrt_wait(l->queue)) && good(cmrt_buffer_read(l->queue, l->out, 0, bytes, OUTPUT_BYTES)) &&
                write_result(l, name, bytes);
    cmrt_kernel_close(kernel);
    return done;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: launch PROGRAM PREFIX KERNEL...\n", stderr);
        return 2;
    }
    struct launch l = {.prefix = argv[2]};
    cmrt_device *device = NULL;
    enum cmrt_target target;
    bool done = good(cmrt_file_target(argv[1], &target)) && good(cmrt_device_open(target, &device)) &&
                good(cmrt_program_load(device, argv[1], &l.program)) && good(cmrt_queue_open(device, &l.queue)) &&
                good(cmrt_buffer_open(device, CMRT_MEMORY_SHARED, INPUT_BYTES, &l.in)) &&
                good(cmrt_buffer_open(device, CMRT_MEMORY_SHARED, OUTPUT_BYTES, &l.out));
    for (int i = 3; i < argc && done; i++)
        done = run(&l, argv[i]);
    cmrt_buffer_close(l.out);
    cmrt_buffer_close(l.in);
    cmrt_queue_close(l.queue);
    cmrt_program_close(l.program);
    cmrt_device_close(device);
    return done ? 0 : 1;
}
