/* Launches ahead, events, parts of buffers, and a program that uses Level Zero beside libcmrt: interop PROGRAM. */
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/cmrt.h"
#include "test/run/expect.h"

enum { COUNT = 32, BYTES = COUNT * sizeof(unsigned), PART = 64 };

struct run {
    cmrt_device *device;
    cmrt_program *program;
    cmrt_kernel *kernel;
    cmrt_queue *queue;
};

static void begin(struct run *run, const char *path)
{
    OK(cmrt_program_load(run->device, path, &run->program));
    OK(cmrt_kernel_open(run->program, "scale", &run->kernel));
    OK(cmrt_queue_open(run->device, &run->queue));
}

static void end(struct run *run)
{
    cmrt_queue_close(run->queue);
    cmrt_kernel_close(run->kernel);
    cmrt_program_close(run->program);
    cmrt_device_close(run->device);
}

static void scale(struct run *run, cmrt_buffer *from, cmrt_buffer *to, unsigned factor)
{
    const uint32_t one[3] = {1, 1, 1};
    OK(cmrt_kernel_set_buffer(run->kernel, 0, from));
    OK(cmrt_kernel_set_buffer(run->kernel, 1, to));
    OK(cmrt_kernel_set_value(run->kernel, 2, &factor, sizeof factor));
    OK(cmrt_launch(run->queue, run->kernel, one, one));
}

/* Each launch doubles eight numbers in place: more launches than the queue keeps, and an event behind them. */
static void launches_ahead(struct run *run, cmrt_buffer *buffer)
{
    cmrt_event *event = NULL;
    int done = 0;
    uint64_t time = 0;
    unsigned *numbers = cmrt_buffer_pointer(buffer);
    for (unsigned i = 0; i < COUNT; i++)
        numbers[i] = i;
    for (int i = 0; i < 3 * CMRT_LAUNCHES_AHEAD; i++)
        scale(run, buffer, buffer, 2);
    OK(cmrt_event_open(run->queue, &event));
    OK(cmrt_event_wait(event, UINT64_MAX));
    OK(cmrt_event_done(event, &done));
    expect(done, "an event that was waited for");
    OK(cmrt_elapsed(run->queue, &time));
    expect(time > 0, "the time of the last launch");
    for (unsigned i = 0; i < 8; i++)
        expect(numbers[i] == i << (3 * CMRT_LAUNCHES_AHEAD), "launches one after the other");
    cmrt_event_close(event);
}

static void parts(struct run *run, cmrt_buffer *buffer)
{
    cmrt_buffer *first = NULL, *second = NULL, *wrong = NULL;
    unsigned *numbers = cmrt_buffer_pointer(buffer), read[8];
    for (unsigned i = 0; i < COUNT; i++)
        numbers[i] = i;
    OK(cmrt_buffer_part(buffer, 0, PART, &first));
    OK(cmrt_buffer_part(buffer, PART, BYTES - PART, &second));
    expect(cmrt_buffer_bytes(second) == BYTES - PART, "the size of a part");
    scale(run, first, second, 10);
    OK(cmrt_buffer_read(run->queue, second, 0, read, sizeof read));
    for (unsigned i = 0; i < 8; i++)
        expect(read[i] == 10 * i && numbers[16 + i] == 10 * i && numbers[i] == i, "a part");
    expect(cmrt_buffer_part(buffer, 4, 8, &wrong) == CMRT_BAD_ARGUMENT, "a part at 4 bytes");
    expect(cmrt_buffer_part(buffer, PART, BYTES, &wrong) == CMRT_BAD_ARGUMENT, "a part beyond the end");
    expect(cmrt_buffer_part(buffer, 0, 0, &wrong) == CMRT_BAD_ARGUMENT && !wrong, "a part of nothing");
    cmrt_buffer_close(first);
    cmrt_buffer_close(second);
}

/* Memory that Level Zero gave this program itself. */
static void memory_of_others(struct run *run)
{
    struct cmrt_level_zero handles;
    ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    static unsigned mine[COUNT] __attribute__((aligned(64)));
    cmrt_buffer *buffer = NULL, *wrong = NULL;
    OK(cmrt_device_level_zero(run->device, &handles));
    expect(zeMemAllocShared(handles.context, &on_device, &on_host, BYTES, 64, handles.device, &memory) == 0, "memory");
    OK(cmrt_buffer_wrap(run->device, memory, BYTES, &buffer));
    unsigned *numbers = memory;
    for (unsigned i = 0; i < COUNT; i++)
        numbers[i] = i;
    scale(run, buffer, buffer, 3);
    OK(cmrt_wait(run->queue));
    for (unsigned i = 0; i < 8; i++)
        expect(numbers[i] == 3 * i, "memory of others");
    cmrt_buffer_close(buffer); /* the memory stays */
    expect(numbers[1] == 3, "memory that was wrapped");
    expect(cmrt_buffer_wrap(run->device, mine, sizeof mine, &wrong) == CMRT_BAD_ARGUMENT, "memory that is none of USM");
    expect(cmrt_buffer_wrap(run->device, memory, 1 << 30, &wrong) == CMRT_BAD_ARGUMENT && !wrong, "more than there is");
    zeMemFree(handles.context, memory);
}

/* The same on a context of the program's own. */
static void context_of_others(const struct cmrt_level_zero *first, const char *path)
{
    ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    struct cmrt_level_zero handles = *first, seen = {0}, none = {0};
    struct run run = {0};
    expect(zeContextCreate(first->driver, &description, &context) == 0, "a context");
    handles.context = context;
    expect(cmrt_device_open_level_zero(&none, &run.device) == CMRT_BAD_ARGUMENT, "no handles");
    OK(cmrt_device_open_level_zero(&handles, &run.device));
    OK(cmrt_device_level_zero(run.device, &seen));
    expect(memcmp(&seen, &handles, sizeof seen) == 0, "the handles");
    begin(&run, path);
    memory_of_others(&run);
    end(&run);
    expect(zeContextDestroy(context) == 0, "the context is still the program's");
}

int main(int count, char **words)
{
    struct run run = {0};
    cmrt_buffer *buffer = NULL;
    struct cmrt_level_zero handles;
    if (count != 2 || cmrt_device_open(CMRT_TARGET_GPU, &run.device) != CMRT_OK)
        return 2;
    begin(&run, words[1]);
    OK(cmrt_buffer_open(run.device, CMRT_MEMORY_SHARED, BYTES, &buffer));
    launches_ahead(&run, buffer);
    parts(&run, buffer);
    memory_of_others(&run);
    OK(cmrt_device_level_zero(run.device, &handles));
    context_of_others(&handles, words[1]);
    cmrt_buffer_close(buffer);
    end(&run);
    puts(failures ? "FAILED" : "passed");
    return failures != 0;
}
