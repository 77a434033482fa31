/* The interface of libcmrt on one device: what it refuses, all formats of images, group sizes, memory that is found by
 * its address, queues that wait for each other, threads. usage: api PROGRAM gpu|cpu, where PROGRAM is api.cm. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/cmrt.h"
#include "test/run/api_formats.h"
#include "test/run/expect.h"

#define REFUSED(CALL) expect((CALL) == CMRT_BAD_ARGUMENT, #CALL)
/* The message names the function and the parameter. */
#define IS_NULL(CALL, NAME) expect((CALL) == CMRT_BAD_ARGUMENT && strstr(cmrt_message(), ": " NAME " is NULL"), #CALL)

struct world {
    cmrt_device *device;
    cmrt_program *program;
    cmrt_queue *queue;
    const char *path;
    enum cmrt_target target;
};

static const uint32_t one[3] = {1, 1, 1};

static void *const some = (void *)1; /* where an out parameter must be cleared */

static void needs_objects(struct world *world)
{
    cmrt_device *device = some;
    cmrt_program *program = some;
    cmrt_buffer *buffer = some, *real = NULL;
    cmrt_image *image = some;
    cmrt_sampler *sampler = some;
    cmrt_kernel *kernel = some;
    cmrt_queue *queue = some;
    cmrt_event *event = some;
    const struct cmrt_level_zero no_handles = {0};
    char byte, *json = some;
    IS_NULL(cmrt_device_open(world->target, NULL), "device");
    REFUSED(cmrt_device_open((enum cmrt_target)7, &device));
    expect(!device, "no device after an error");
    REFUSED(cmrt_device_open_level_zero(&no_handles, &device));
    IS_NULL(cmrt_device_open_level_zero(NULL, &device), "handles");
    IS_NULL(cmrt_program_load(NULL, world->path, &program), "device");
    expect(!program, "no program after an error");
    IS_NULL(cmrt_program_load(world->device, NULL, &program), "path");
    IS_NULL(cmrt_program_load_memory(world->device, NULL, 1, &program), "bytes");
    IS_NULL(cmrt_program_inspect(NULL, &program), "path");
    IS_NULL(cmrt_program_describe(NULL, &json), "path");
    expect(!json, "no description after an error");
    IS_NULL(cmrt_buffer_open(NULL, CMRT_MEMORY_SHARED, 64, &buffer), "device");
    expect(!buffer, "no buffer after an error");
    REFUSED(cmrt_buffer_open(world->device, (enum cmrt_memory)9, 64, &buffer));
    REFUSED(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 0, &buffer));
    IS_NULL(cmrt_buffer_part(NULL, 0, 1, &buffer), "buffer");
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 64, &real));
    IS_NULL(cmrt_buffer_write(NULL, real, 0, &byte, 1), "queue");
    IS_NULL(cmrt_buffer_read(world->queue, NULL, 0, &byte, 1), "buffer");
    REFUSED(cmrt_buffer_read(world->queue, real, 0, NULL, 1));
    OK(cmrt_buffer_read(world->queue, real, 64, NULL, 0));
    REFUSED(cmrt_buffer_read(world->queue, real, 64, &byte, 1));
    REFUSED(cmrt_image_open(world->device, 4, 4, CMRT_FORMAT_NONE, CMRT_READ, &image));
    expect(!image, "no image after an error");
    REFUSED(cmrt_image_open(world->device, 4, 4, (enum cmrt_format)1000, CMRT_READ, &image));
    REFUSED(cmrt_image_open(world->device, 4, 4, CMRT_FORMAT_R8, (enum cmrt_access)0, &image));
    REFUSED(cmrt_image_open(world->device, 0, 4, CMRT_FORMAT_R8, CMRT_READ, &image));
    IS_NULL(cmrt_image_write(world->queue, NULL, &byte), "image");
    REFUSED(cmrt_sampler_open(world->device, (enum cmrt_sampler_address) - 1, CMRT_FILTER_LINEAR, 0, &sampler));
    expect(!sampler, "no sampler after an error");
    REFUSED(cmrt_sampler_open(world->device, CMRT_ADDRESS_CLAMP, (enum cmrt_sampler_filter)2, 0, &sampler));
    IS_NULL(cmrt_kernel_open(NULL, "sizes", &kernel), "program");
    IS_NULL(cmrt_kernel_open(world->program, NULL, &kernel), "name");
    expect(cmrt_kernel_open(world->program, "size", &kernel) == CMRT_NO_KERNEL && !kernel, "no kernel");
    expect(strstr(cmrt_message(), "sizes") && strstr(cmrt_message(), "texels"), "the kernels that there are");
    IS_NULL(cmrt_kernel_set_value(NULL, 0, &byte, 1), "kernel");
    IS_NULL(cmrt_kernel_set_indirect(NULL, 1), "kernel");
    IS_NULL(cmrt_queue_open(NULL, &queue), "device");
    IS_NULL(cmrt_launch(world->queue, NULL, one, one), "kernel");
    IS_NULL(cmrt_wait(NULL), "queue");
    IS_NULL(cmrt_elapsed(world->queue, NULL), "nanoseconds");
    IS_NULL(cmrt_event_open(NULL, &event), "queue");
    IS_NULL(cmrt_queue_after(world->queue, NULL), "event");
    expect(!queue && !event, "neither queue nor event after an error");
    expect(!cmrt_device_name(NULL) && !cmrt_program_kernel(NULL, 0) && !cmrt_kernel_info(NULL) &&
               !cmrt_buffer_pointer(NULL) && !cmrt_buffer_bytes(NULL) && !cmrt_buffer_address(NULL) &&
               !cmrt_device_has(NULL, CMRT_FEATURE_DOUBLE) && !cmrt_program_kernel_count(NULL) &&
               !cmrt_program_platform(NULL),
           "nothing of nothing");
    cmrt_buffer_close(real);
}

static void has_properties(struct world *world)
{
    uint64_t threads = cmrt_device_property(world->device, CMRT_PROPERTY_THREADS);
    uint64_t together = cmrt_device_property(world->device, CMRT_PROPERTY_GROUP_THREADS);
    uint64_t items = cmrt_device_property(world->device, CMRT_PROPERTY_GROUP_ITEMS);
    expect(threads > 0 && together > 0 && items >= together, "threads of the device and of a group");
    expect(world->target == CMRT_TARGET_CPU || threads % together == 0, "cores of equal size");
    expect(cmrt_device_property(world->device, CMRT_PROPERTY_GROUP_BYTES) >= 65536, "shared local memory");
    expect(!cmrt_device_property(world->device, (enum cmrt_property)99) &&
               !cmrt_device_property(NULL, CMRT_PROPERTY_THREADS),
           "no such number");
}

/* Objects of one device are refused by those of another one. */
static void keeps_devices_apart(struct world *world)
{
    cmrt_device *device = NULL;
    cmrt_buffer *buffer = NULL;
    cmrt_queue *queue = NULL;
    cmrt_kernel *kernel = NULL;
    char byte = 0;
    OK(cmrt_device_open(world->target, &device));
    OK(cmrt_buffer_open(device, CMRT_MEMORY_SHARED, 64, &buffer));
    OK(cmrt_queue_open(device, &queue));
    OK(cmrt_kernel_open(world->program, "sizes", &kernel));
    REFUSED(cmrt_kernel_set_buffer(kernel, 0, buffer));
    REFUSED(cmrt_launch(queue, kernel, one, one));
    expect(strstr(cmrt_message(), "two devices") != NULL, "words about two devices");
    REFUSED(cmrt_buffer_write(world->queue, buffer, 0, &byte, 1));
    cmrt_kernel_close(kernel);
    cmrt_queue_close(queue);
    cmrt_buffer_close(buffer);
    cmrt_device_close(device);
}

/* A refused value does not count as set. */
static void wants_every_argument(struct world *world)
{
    cmrt_kernel *kernel = NULL;
    cmrt_buffer *buffer = NULL;
    uint64_t wide = 0;
    const uint32_t none[3] = {1, 0, 1};
    uint32_t local[3];
    OK(cmrt_kernel_open(world->program, "sizes", &kernel));
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 64, &buffer));
    OK(cmrt_kernel_set_buffer(kernel, 0, buffer));
    REFUSED(cmrt_kernel_set_value(kernel, 1, &wide, sizeof wide));
    REFUSED(cmrt_launch(world->queue, kernel, one, one));
    expect(strstr(cmrt_message(), "argument 1") != NULL, "which argument is missing");
    REFUSED(cmrt_kernel_set_value(kernel, 0, &wide, sizeof wide));
    REFUSED(cmrt_kernel_set_buffer(kernel, 2, buffer));
    OK(cmrt_kernel_set_value(kernel, 1, &wide, 4));
    REFUSED(cmrt_launch(world->queue, kernel, none, one));
    REFUSED(cmrt_kernel_suggest_local(kernel, none, local));
    cmrt_kernel_close(kernel);
    cmrt_buffer_close(buffer);
}

static void describes(struct world *world)
{
    cmrt_program *seen = NULL;
    cmrt_kernel *kernel = NULL;
    OK(cmrt_program_inspect(world->path, &seen));
    expect(cmrt_program_kernel_count(seen) == 3 && !cmrt_program_kernel(seen, 3), "three kernels");
    REFUSED(cmrt_kernel_open(seen, "texels", &kernel));
    for (size_t i = 0; i < cmrt_program_kernel_count(seen); i++) {
        const struct cmrt_kernel_info *info = cmrt_program_kernel(seen, i);
        if (strcmp(info->name, "texels") != 0)
            continue;
        expect(info->argument_count == 3, "three arguments");
        expect(info->arguments[0].kind == CMRT_ARGUMENT_IMAGE && info->arguments[0].dimensions == 2, "an image");
        expect(info->arguments[1].kind == CMRT_ARGUMENT_SAMPLER, "a sampler");
        expect(strcmp(info->arguments[2].name, "a_name_that_is_longer_than_thirty_two_characters") == 0, "long names");
    }
    cmrt_program_close(seen);
}

static void runs_groups_of_any_size(struct world *world)
{
    cmrt_kernel *kernel = NULL;
    cmrt_buffer *buffer = NULL;
    uint32_t number = 77, total[3] = {12, 1, 1}, suggested[3], lines[4][4];
    OK(cmrt_kernel_open(world->program, "sizes", &kernel));
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_DEVICE, sizeof lines, &buffer));
    expect(!cmrt_buffer_pointer(buffer) && cmrt_buffer_address(buffer), "device memory has only an address");
    OK(cmrt_kernel_set_buffer(kernel, 0, buffer));
    OK(cmrt_kernel_set_value(kernel, 1, &number, sizeof number));
    for (uint32_t size = 1; size <= 4; size++) {
        const uint32_t groups[3] = {4, 1, 1}, local[3] = {size, 1, 1};
        memset(lines, 0, sizeof lines);
        OK(cmrt_launch(world->queue, kernel, groups, local));
        OK(cmrt_buffer_read(world->queue, buffer, 0, lines, sizeof lines));
        for (int i = 0; i < 4; i++)
            expect(lines[i][0] == size && lines[i][1] == 4 && lines[i][2] == 77, "the group's size");
    }
    OK(cmrt_kernel_suggest_local(kernel, total, suggested));
    expect(suggested[0] && 12 % suggested[0] == 0 && suggested[1] == 1 && suggested[2] == 1, "a suggestion");
    cmrt_kernel_close(kernel);
    cmrt_buffer_close(buffer);
}

static void follows_addresses(struct world *world)
{
    cmrt_kernel *kernel = NULL;
    cmrt_buffer *first = NULL, *second = NULL;
    const uint32_t numbers[4] = {5, 6, 7, 8};
    uint32_t back[4] = {0};
    OK(cmrt_kernel_open(world->program, "follow", &kernel));
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 64, &first));
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_DEVICE, 64, &second));
    OK(cmrt_buffer_write(world->queue, second, 0, numbers, sizeof numbers));
    uint64_t address = cmrt_buffer_address(second);
    OK(cmrt_buffer_write(world->queue, first, 0, &address, sizeof address));
    OK(cmrt_kernel_set_buffer(kernel, 0, first));
    OK(cmrt_kernel_set_indirect(kernel, 1));
    OK(cmrt_launch(world->queue, kernel, one, one));
    OK(cmrt_buffer_read(world->queue, first, 16, back, sizeof back));
    expect(memcmp(back, numbers, sizeof back) == 0, "memory that is no argument");
    cmrt_kernel_close(kernel);
    cmrt_buffer_close(first);
    cmrt_buffer_close(second);
}

/* One queue writes 1, then 2; the other one, behind the event between the two and behind that after them, 3 and 4. */
static void queues_wait_for_each_other(struct world *world)
{
    cmrt_queue *other = NULL;
    cmrt_kernel *kernel = NULL;
    cmrt_buffer *buffer = NULL;
    cmrt_event *events[2] = {NULL, NULL};
    uint32_t line[4] = {0};
    OK(cmrt_queue_open(world->device, &other));
    OK(cmrt_kernel_open(world->program, "sizes", &kernel));
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 64, &buffer));
    OK(cmrt_kernel_set_buffer(kernel, 0, buffer));
    for (uint32_t round = 0; round < 2; round++) {
        uint32_t number = 2 * round + 1;
        OK(cmrt_kernel_set_value(kernel, 1, &number, sizeof number));
        OK(cmrt_launch(world->queue, kernel, one, one));
        OK(cmrt_event_open(world->queue, &events[round]));
        OK(cmrt_queue_after(other, events[round]));
        number++;
        OK(cmrt_kernel_set_value(kernel, 1, &number, sizeof number));
        OK(cmrt_launch(other, kernel, one, one));
        OK(cmrt_wait(other));
        int done = 0;
        OK(cmrt_event_done(events[round], &done));
        expect(done, "what was waited for");
        OK(cmrt_buffer_read(other, buffer, 0, line, sizeof line));
        expect(line[2] == number, "the later launch wrote last");
    }
    OK(cmrt_event_wait(events[1], 0));
    for (int i = 0; i < 2; i++)
        cmrt_event_close(events[i]);
    cmrt_kernel_close(kernel);
    cmrt_buffer_close(buffer);
    cmrt_queue_close(other);
}

/* An image of one row: its bytes come back, and a kernel reads its texels. */
static void reads_texels_of(struct world *world, enum cmrt_format format, cmrt_kernel *kernel, cmrt_buffer *out)
{
    enum { WIDTH = 16 };
    unsigned char bytes[WIDTH * 16], back[sizeof bytes] = {0};
    size_t element = cmrt_format_bytes(format);
    const char *name = cmrt_format_name(format);
    const struct api_format *known = api_format_find(name);
    uint32_t read[4][WIDTH];
    cmrt_image *image = NULL;
    char what[64];
    snprintf(what, sizeof what, "format %s", name);
    expect(known != NULL, what);
    if (!known)
        return;
    for (unsigned x = 0; x < WIDTH; x++)
        api_format_sample(known, x, bytes + x * element);
    enum cmrt_status status = cmrt_image_open(world->device, WIDTH, 1, format, CMRT_READ, &image);
    int packed = known->bits[0] % 8 != 0;
    if (packed && world->target == CMRT_TARGET_CPU) {
        expect(status == CMRT_BAD_ARGUMENT && !image, what);
        return;
    }
    expect(status == CMRT_OK, what);
    OK(cmrt_image_write(world->queue, image, bytes));
    OK(cmrt_image_read(world->queue, image, back));
    expect(memcmp(bytes, back, WIDTH * element) == 0, what);
    OK(cmrt_kernel_set_image(kernel, 0, image));
    OK(cmrt_launch(world->queue, kernel, one, one));
    OK(cmrt_buffer_read(world->queue, out, 0, read, sizeof read));
    for (unsigned x = 0; x < WIDTH; x++) {
        uint32_t wanted[4], got[4];
        api_format_decode(known, bytes + x * element, wanted);
        for (int c = 0; c < 4; c++)
            got[c] = read[c][x];
        if (api_format_same(known, wanted, got))
            continue;
        printf("FAIL %s: element %u is %08x %08x %08x %08x, not %08x %08x %08x %08x\n", name, x, got[0], got[1], got[2],
               got[3], wanted[0], wanted[1], wanted[2], wanted[3]);
        failures++;
        break;
    }
    cmrt_image_close(image);
}

static void has_all_formats(struct world *world)
{
    cmrt_kernel *kernel = NULL;
    cmrt_buffer *out = NULL;
    cmrt_sampler *sampler = NULL;
    int count = 0;
    OK(cmrt_kernel_open(world->program, "texels", &kernel));
    OK(cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 256, &out));
    OK(cmrt_sampler_open(world->device, CMRT_ADDRESS_CLAMP, CMRT_FILTER_NEAREST, 0, &sampler));
    OK(cmrt_kernel_set_sampler(kernel, 1, sampler));
    OK(cmrt_kernel_set_buffer(kernel, 2, out));
    for (int i = 0; cmrt_format_name((enum cmrt_format)i); i++) {
        enum cmrt_format format = (enum cmrt_format)i;
        expect(cmrt_format_find(cmrt_format_name(format)) == format, "a format by its name");
        if (cmrt_format_planes(format) > 1)
            continue;
        reads_texels_of(world, format, kernel, out);
        count++;
    }
    expect(count == api_format_count, "as many formats as the reference has");
    expect(cmrt_format_find("nothing") == CMRT_FORMAT_NONE && cmrt_format_find(NULL) == CMRT_FORMAT_NONE &&
               !cmrt_format_name(CMRT_FORMAT_NONE) && !cmrt_format_bytes((enum cmrt_format)1000) &&
               !cmrt_image_bytes(CMRT_FORMAT_NONE, 4, 4),
           "no format");
    cmrt_kernel_close(kernel);
    cmrt_sampler_close(sampler);
    cmrt_buffer_close(out);
}

/* Each thread has objects of its own, and they share the device and the program. */
static void *in_a_thread(void *argument)
{
    struct world *world = argument;
    enum cmrt_status status = CMRT_OK;
    for (uint32_t number = 1; !status && number <= 3; number++) {
        cmrt_queue *queue = NULL;
        cmrt_kernel *kernel = NULL;
        cmrt_buffer *buffer = NULL;
        uint32_t line[4] = {0};
        if (!(status = cmrt_queue_open(world->device, &queue)))
            status = cmrt_kernel_open(world->program, "sizes", &kernel);
        if (!status)
            status = cmrt_buffer_open(world->device, CMRT_MEMORY_SHARED, 64, &buffer);
        if (!status)
            status = cmrt_kernel_set_buffer(kernel, 0, buffer);
        if (!status)
            status = cmrt_kernel_set_value(kernel, 1, &number, sizeof number);
        if (!status)
            status = cmrt_launch(queue, kernel, one, one);
        if (!status)
            status = cmrt_buffer_read(queue, buffer, 0, line, sizeof line);
        if (!status && line[2] != number)
            status = CMRT_DRIVER;
        cmrt_buffer_close(buffer);
        cmrt_kernel_close(kernel);
        cmrt_queue_close(queue);
    }
    cmrt_program *none = NULL; /* the message is the thread's own */
    if (!status && (cmrt_program_inspect("/nowhere", &none) != CMRT_BAD_FILE || !strstr(cmrt_message(), "/nowhere")))
        status = CMRT_BAD_FILE;
    return status ? some : NULL;
}

static void works_in_threads(struct world *world)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    void *failed;
    for (int i = 0; i < THREADS; i++)
        expect(pthread_create(&threads[i], NULL, in_a_thread, world) == 0, "a thread");
    for (int i = 0; i < THREADS; i++)
        expect(pthread_join(threads[i], &failed) == 0 && !failed, "launches in threads");
}

int main(int count, char **words)
{
    struct world world = {0};
    if (count != 3)
        return 2;
    world.path = words[1];
    world.target = strcmp(words[2], "cpu") == 0 ? CMRT_TARGET_CPU : CMRT_TARGET_GPU;
    expect(cmrt_version() == CMRT_VERSION, "the library of this header");
    expect(*cmrt_message() == '\0', "no message at first");
    OK(cmrt_device_open(world.target, &world.device));
    OK(cmrt_program_load(world.device, world.path, &world.program));
    OK(cmrt_queue_open(world.device, &world.queue));
    if (failures)
        return 1;
    needs_objects(&world);
    has_properties(&world);
    keeps_devices_apart(&world);
    wants_every_argument(&world);
    describes(&world);
    runs_groups_of_any_size(&world);
    follows_addresses(&world);
    queues_wait_for_each_other(&world);
    has_all_formats(&world);
    works_in_threads(&world);
    cmrt_queue_close(world.queue);
    cmrt_program_close(world.program);
    cmrt_device_close(world.device);
    puts(failures ? "FAILED" : "passed");
    return failures != 0;
}
