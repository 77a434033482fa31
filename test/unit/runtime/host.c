/* Checks libcmrt on the CPU with the kernels of host_kernels.c. usage: runtime_host LIBRARY */
#include "runtime/cmrt.h"
#include "test/unit/sim_kernel/check.h"

#include <string.h>

struct world {
    cmrt_device *device;
    cmrt_program *program;
    cmrt_queue *queue;
};

static cmrt_kernel *kernel(struct world *world, const char *name)
{
    cmrt_kernel *found;
    CHECK_EQUAL(cmrt_kernel_open(world->program, name, &found), CMRT_OK);
    return found;
}

static cmrt_buffer *buffer(struct world *world, size_t bytes)
{
    cmrt_buffer *made;
    CHECK_EQUAL(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, bytes, &made), CMRT_OK);
    memset(cmrt_buffer_pointer(made), 0, bytes);
    return made;
}

static void runs_every_thread_once(struct world *world)
{
    enum { THREADS = 3 * 2 * 2 * 2 * 2 * 1 };
    const uint32_t groups[3] = {3, 2, 2}, local[3] = {2, 2, 1}, scale = 7;
    cmrt_kernel *number = kernel(world, "number");
    cmrt_buffer *out = buffer(world, THREADS * 4);
    uint64_t nanoseconds;
    CHECK_EQUAL(cmrt_elapsed(world->queue, &nanoseconds), CMRT_BAD_ARGUMENT);
    CHECK_EQUAL(cmrt_launch(world->queue, number, groups, local), CMRT_BAD_ARGUMENT); /* nothing is set */
    CHECK_EQUAL(cmrt_kernel_set_buffer(number, 0, out), CMRT_OK);
    CHECK_EQUAL(cmrt_kernel_set_buffer(number, 1, out), CMRT_BAD_ARGUMENT);
    CHECK_EQUAL(cmrt_kernel_set_value(number, 1, &scale, 2), CMRT_BAD_ARGUMENT);
    CHECK_EQUAL(cmrt_kernel_set_value(number, 2, &scale, 4), CMRT_BAD_ARGUMENT);
    CHECK_EQUAL(cmrt_kernel_set_value(number, 1, &scale, 4), CMRT_OK);
    CHECK_EQUAL(cmrt_launch(world->queue, number, groups, local), CMRT_OK);
    CHECK_EQUAL(cmrt_wait(world->queue), CMRT_OK);
    for (uint32_t i = 0; i < THREADS; i++)
        CHECK_EQUAL(((uint32_t *)cmrt_buffer_pointer(out))[i], 7 * i);
    CHECK_EQUAL(cmrt_elapsed(world->queue, &nanoseconds), CMRT_OK);
    const uint32_t none[3] = {1, 0, 1}, many[3] = {257, 1, 1};
    CHECK_EQUAL(cmrt_launch(world->queue, number, none, local), CMRT_BAD_ARGUMENT);
    CHECK_EQUAL(cmrt_launch(world->queue, number, groups, many), CMRT_BAD_ARGUMENT);
    cmrt_buffer_close(out);
    cmrt_kernel_close(number);
}

static void threads_meet_at_barriers(struct world *world)
{
    enum { GROUPS = 5, LOCAL = 16 };
    const uint32_t groups[3] = {GROUPS, 1, 1}, local[3] = {LOCAL, 1, 1};
    cmrt_kernel *neighbours = kernel(world, "neighbours");
    cmrt_buffer *shared = buffer(world, GROUPS * LOCAL * 4), *out = buffer(world, GROUPS * LOCAL * 4);
    CHECK_EQUAL(cmrt_kernel_set_buffer(neighbours, 0, shared), CMRT_OK);
    CHECK_EQUAL(cmrt_kernel_set_buffer(neighbours, 1, out), CMRT_OK);
    CHECK_EQUAL(cmrt_launch(world->queue, neighbours, groups, local), CMRT_OK);
    for (uint32_t i = 0; i < GROUPS * LOCAL; i++)
        CHECK_EQUAL(((uint32_t *)cmrt_buffer_pointer(out))[i], 300 + 2 * ((i % LOCAL + 1) % LOCAL));
    cmrt_buffer_close(out);
    cmrt_buffer_close(shared);
    cmrt_kernel_close(neighbours);
}

static void images_are_rows(struct world *world)
{
    enum { WIDTH = 6, HEIGHT = 4, BYTES = WIDTH * HEIGHT * 4 };
    const uint32_t groups[3] = {HEIGHT, 1, 1}, local[3] = {1, 1, 1};
    unsigned char samples[BYTES], back[BYTES];
    cmrt_kernel *copy = kernel(world, "copy");
    cmrt_image *images[2];
    for (int i = 0; i < BYTES; i++)
        samples[i] = (unsigned char)(i * 5);
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(cmrt_image_open(world->device, WIDTH, HEIGHT, CMRT_FORMAT_RGBA8, CMRT_READ_WRITE, &images[i]),
                    CMRT_OK);
        CHECK_EQUAL(cmrt_kernel_set_image(copy, (size_t)i, images[i]), CMRT_OK);
    }
    CHECK_EQUAL(cmrt_image_write(world->queue, images[0], samples), CMRT_OK);
    CHECK_EQUAL(cmrt_launch(world->queue, copy, groups, local), CMRT_OK);
    CHECK_EQUAL(cmrt_image_read(world->queue, images[1], back), CMRT_OK);
    CHECK(memcmp(samples, back, BYTES) == 0);
    cmrt_image *narrow;
    CHECK_EQUAL(cmrt_image_open(world->device, 5, 5, CMRT_FORMAT_R8U, CMRT_READ, &narrow), CMRT_OK);
    CHECK_EQUAL(cmrt_kernel_set_image(copy, 0, narrow), CMRT_BAD_ARGUMENT);
    CHECK(strstr(cmrt_message(), "multiple of 4 bytes, these have 5"));
    CHECK_EQUAL(cmrt_image_open(world->device, 0, 5, CMRT_FORMAT_R8U, CMRT_READ, &narrow), CMRT_BAD_ARGUMENT);
    cmrt_image_close(narrow);
    for (int i = 0; i < 2; i++)
        cmrt_image_close(images[i]);
    cmrt_kernel_close(copy);
}

static void shapes_are_checked(struct world *world)
{
    static const struct cmrt_image_shape wrong[] = {{0, 4, 1, 1}, {4, 4, 1, 1}, {1, 4, 2, 1},
                                                    {2, 4, 4, 2}, {3, 4, 4, 0}, {3, 1u << 31, 1u << 31, 1u << 31}};
    const struct cmrt_image_shape volume = {3, 4, 2, 3};
    unsigned char bytes[24], back[24];
    cmrt_kernel *copy = kernel(world, "copy");
    cmrt_image *image;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_EQUAL(cmrt_image_open_shape(world->device, &wrong[i], CMRT_FORMAT_R8U, CMRT_READ, &image),
                    CMRT_BAD_ARGUMENT);
    CHECK_EQUAL(cmrt_image_open_shape(world->device, &volume, CMRT_FORMAT_NV12, CMRT_READ, &image), CMRT_BAD_ARGUMENT);
    CHECK(strstr(cmrt_message(), "nv12, whose planes have 2"));
    CHECK_EQUAL(cmrt_image_open_shape(world->device, &volume, CMRT_FORMAT_R8U, CMRT_READ, &image), CMRT_OK);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7);
    CHECK_EQUAL(cmrt_image_write(world->queue, image, bytes), CMRT_OK);
    CHECK_EQUAL(cmrt_image_read(world->queue, image, back), CMRT_OK);
    CHECK(memcmp(bytes, back, sizeof bytes) == 0);
    CHECK_EQUAL(cmrt_kernel_set_image(copy, 0, image), CMRT_BAD_ARGUMENT);
    CHECK(strstr(cmrt_message(), "is an image of 2 dimensions, not of 3"));
    cmrt_image_close(image);
    cmrt_kernel_close(copy);
}

static void sizes_are_suggested(struct world *world)
{
    const uint32_t total[3] = {64, 2, 1}, none[3] = {64, 0, 1};
    uint32_t local[3] = {9, 9, 9};
    cmrt_kernel *number = kernel(world, "number");
    CHECK_EQUAL(cmrt_kernel_suggest_local(number, total, local), CMRT_OK);
    CHECK(local[0] == 1 && local[1] == 1 && local[2] == 1);
    CHECK_EQUAL(cmrt_kernel_suggest_local(number, none, local), CMRT_BAD_ARGUMENT);
    cmrt_kernel_close(number);
}

static void failing_kernels_end(struct world *world)
{
    const uint32_t groups[3] = {3, 1, 1}, local[3] = {4, 1, 1}, value = 0;
    cmrt_kernel *give_up = kernel(world, "give_up");
    CHECK_EQUAL(cmrt_kernel_set_value(give_up, 0, &value, 4), CMRT_OK);
    CHECK_EQUAL(cmrt_launch(world->queue, give_up, groups, local), CMRT_BAD_ARGUMENT);
    CHECK(strcmp(cmrt_message(), "kernel give_up: gave up") == 0);
    cmrt_kernel_close(give_up);
}

int main(int count, char **words)
{
    struct world world;
    enum cmrt_target target;
    cmrt_kernel *none;
    CHECK(count == 2);
    CHECK_EQUAL(cmrt_file_target(words[1], &target), CMRT_OK);
    CHECK_EQUAL(target, CMRT_TARGET_CPU);
    CHECK_EQUAL(cmrt_device_open(target, &world.device), CMRT_OK);
    CHECK_EQUAL(cmrt_program_load(world.device, words[1], &world.program), CMRT_OK);
    CHECK_EQUAL(cmrt_program_kernel_count(world.program), 4);
    CHECK_EQUAL(cmrt_queue_open(world.device, &world.queue), CMRT_OK);
    CHECK_EQUAL(cmrt_kernel_open(world.program, "none", &none), CMRT_NO_KERNEL);
    CHECK(strcmp(cmrt_message(), "no kernel 'none'; there are: number, neighbours, copy, give_up") == 0);
    runs_every_thread_once(&world);
    threads_meet_at_barriers(&world);
    images_are_rows(&world);
    shapes_are_checked(&world);
    sizes_are_suggested(&world);
    failing_kernels_end(&world);
    threads_meet_at_barriers(&world);
    CHECK_EQUAL(cmrt_program_load(world.device, "/nowhere", &world.program), CMRT_BAD_FILE);
    cmrt_queue_close(world.queue);
    cmrt_program_close(world.program);
    cmrt_device_close(world.device);
    return 0;
}
