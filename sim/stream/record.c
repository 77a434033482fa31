#include "sim/stream/record.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/clock.h"
#include "sim/base/process.h"
#include "sim/check/allocations.h"
#include "sim/stream/position.h"
#include "sim/stream/state.h"
#include "sim/trace/launch.h"

enum { MOST_BINARIES = 8, CODE_BEHIND = 4096 /* what follows the last reachable instruction belongs to the kernel */ };

static struct {
    const char *folder; /* NULL: nothing is recorded */
    int is_ordered;
} recording;

/* The binaries of a kernel, kept because the search is slow. */
struct known_kernel {
    struct known_kernel *next;
    uint64_t hash, binaries[MOST_BINARIES];
    size_t count;
    int error; /* errno of a file that could not be written */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_kernel *known_kernels;

struct launch_record {
    struct trace_pages *pages;
    struct message_touch touch;
    struct trace_launch launch;
    struct known_kernel *kernel; /* NULL: none was launched, or there is no memory */
    int is_launched;
};

/* Resets the lock in a forked child: its owner may not exist there. */
static void forget(void)
{
    pthread_mutex_init(&lock, NULL);
}

void launch_record_start(const char *folder, int is_ordered)
{
    static int watches;
    if (folder && !watches)
        pthread_atfork(NULL, NULL, forget);
    watches = folder != NULL;
    recording.folder = folder;
    recording.is_ordered = is_ordered;
}

int launch_record_is_wanted(void)
{
    return recording.folder != NULL;
}

static void touched(void *context, uint64_t address, uint64_t size, bool writes)
{
    trace_pages_touch(context, address, size, writes);
}

struct message_touch launch_touch_of(struct trace_pages *pages)
{
    return (struct message_touch){touched, pages};
}

void launch_touched(struct stream *stream, uint64_t gpu, uint64_t size)
{
    trace_pages_touch(stream->record->pages, gpu, size, 0);
}

const struct message_touch *launch_record_touch(const struct stream *stream)
{
    return stream->record ? &stream->record->touch : NULL;
}

static void add_binary(void *context, const uint8_t *bytes, size_t size)
{
    struct known_kernel *kernel = context;
    uint64_t hash;
    if (kernel->count == MOST_BINARIES)
        return;
    if (!trace_binary_write(recording.folder, bytes, size, &hash)) {
        kernel->error = errno;
        return;
    }
    for (size_t i = 0; i < kernel->count; i++)
        if (kernel->binaries[i] == hash)
            return;
    kernel->binaries[kernel->count++] = hash;
}

static struct known_kernel *find_kernel(const struct dispatch *dispatch)
{
    pthread_mutex_lock(&lock);
    struct known_kernel *kernel = known_kernels;
    while (kernel && kernel->hash != dispatch->hash)
        kernel = kernel->next;
    if (!kernel && (kernel = calloc(1, sizeof *kernel))) {
        kernel->hash = dispatch->hash;
        dispatch_binaries(dispatch, add_binary, kernel);
        kernel->next = known_kernels;
        known_kernels = kernel;
    }
    pthread_mutex_unlock(&lock);
    return kernel;
}

void launch_record_kernel(struct stream *stream, const struct dispatch *dispatch)
{
    struct launch_record *record = stream->record;
    if (!record)
        return;
    const struct sim_range *range = sim_space_find(stream->space, dispatch->kernel);
    uint32_t back = dispatch_prolog_most(dispatch->kernel - range->gpu);
    trace_pages_touch(record->pages, dispatch->kernel - back, back + eu_program_bytes(dispatch->program) + CODE_BEHIND,
                      0);
    struct trace_head *head = &record->launch.head;
    snprintf(head->kernel, sizeof head->kernel, "%s", dispatch_name(dispatch));
    head->hash = dispatch->hash;
    for (int i = 0; i < 3; i++)
        head->groups[i] = dispatch->end[i] - dispatch->first[i];
    head->group_threads = dispatch_threads(dispatch);
    record->kernel = find_kernel(dispatch);
    record->is_launched = 1;
}

/* Sets what the program had allocated. 0: no memory. */
static int add_allocations(struct trace_launch *launch)
{
    struct check_allocation_kept *kept = check_allocation_all(&launch->allocation_count);
    launch->allocations = calloc(launch->allocation_count + 1, sizeof *launch->allocations);
    for (size_t i = 0; launch->allocations && i < launch->allocation_count; i++) {
        struct trace_allocation *to = &launch->allocations[i];
        *to = (struct trace_allocation){.address = kept[i].address,
                                        .bytes = kept[i].bytes,
                                        .object = kept[i].object,
                                        .object_end = kept[i].object_end,
                                        .properties = kept[i].properties,
                                        .is_free = (uint32_t)kept[i].is_free};
        snprintf(to->function, sizeof to->function, "%s", kept[i].function);
    }
    free(kept);
    return launch->allocations != NULL;
}

static void describe(const struct stream *stream, struct launch_record *record, int good)
{
    struct trace_launch *launch = &record->launch;
    const struct platform *platform = stream->platform;
    snprintf(launch->head.device, sizeof launch->head.device, "%s", platform->ocloc);
    launch->head.slices = platform->slices;
    launch->head.subslices = platform->subslices;
    launch->head.eus = platform->eus;
    launch->head.is_ordered = (uint32_t)recording.is_ordered;
    launch->head.has_fault = !good;
    launch->context = stream->context;
    launch->engine = stream->engine;
    launch->command = stream->command_address;
    if (!good)
        snprintf(launch->fault, sizeof launch->fault, "%s", stream->fault->what);
    launch->curbe = stream->curbe;
    launch->curbe_bytes = stream->curbe ? stream->curbe_bytes : 0;
    launch->ranges = (struct sim_range *)sim_space_ranges(stream->space, &launch->range_count);
    launch->binaries = record->kernel ? record->kernel->binaries : NULL;
    launch->binary_count = record->kernel ? record->kernel->count : 0;
}

/* Writes the record of a launch that has ended. */
static void write_record(const struct stream *stream, struct launch_record *record, int good)
{
    uint64_t state[STREAM_STATES], number;
    struct trace_launch *launch = &record->launch;
    describe(stream, record, good);
    stream_state_get(stream, state);
    launch->state = state;
    launch->states = STREAM_STATES;
    launch->pages = (struct trace_page *)trace_pages_finish(record->pages, &launch->page_count);
    errno = ENOMEM;
    int written = launch->pages && record->kernel && add_allocations(launch);
    if (written && record->kernel->error)
        errno = record->kernel->error;
    written = written && !record->kernel->error && trace_launch_write(recording.folder, launch, &number);
    if (!written) {
        fprintf(stderr, "gensim: error: --save-trace: cannot write a launch to %s: %s\n", recording.folder,
                strerror(errno));
        recording.folder = NULL; /* say it once */
    }
    free(launch->allocations);
}

int launch_record(struct stream *stream, stream_handler *handler, const uint32_t *words, uint32_t count)
{
    assert(!stream->record);
    struct launch_record *record = calloc(1, sizeof *record);
    struct trace_pages *pages = record ? trace_pages_create(stream->space) : NULL;
    if (!pages) {
        free(record);
        return sim_fault_raise(stream->fault, "no memory to record the launch (--save-trace)");
    }
    record->pages = pages;
    record->touch = launch_touch_of(pages);
    record->launch.clock = sim_clock_advance(0);
    stream->record = record;
    launch_touched(stream, stream->command_address, 4 * (uint64_t)count);
    int good = handler(stream, words, count);
    stream->record = NULL;
    if (record->is_launched)
        write_record(stream, record, good);
    trace_pages_destroy(pages);
    free(record);
    return good;
}
