/* gensim-replay: runs one recorded launch again, without the program and its driver. `gensim replay` starts it, with
 * its options in the environment, as it starts programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/base/crash.h"
#include "sim/base/process.h"
#include "sim/check/allocations.h"
#include "sim/gensim/observers.h"
#include "sim/kernel/kernel.h"
#include "sim/stream/replay.h"

static const char *path; /* of the trace */

static _Noreturn void fail(const char *wrong)
{
    fprintf(stderr, "gensim: error: cannot replay %s: %s\n", path, wrong);
    exit(SIM_EXIT_USAGE);
}

/* Gives each range memory of its own. It is shared, so that the search for binaries passes it over. */
static struct sim_space *make_space(struct trace_launch *launch)
{
    for (size_t i = 0; i < launch->range_count; i++) {
        struct sim_range *range = &launch->ranges[i];
        if (range->size == 0 || range->size >> 48)
            fail("it is damaged: a part of its address space has no size");
        void *memory =
            mmap(NULL, range->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            fail("there is not enough memory for its address space");
        range->host = memory;
    }
    struct sim_space *space = sim_space_create(launch->ranges, launch->range_count);
    if (!space)
        fail("it is damaged: parts of its address space overlap");
    return space;
}

/* Returns the memory at `*at`, of the bytes up to `end`, and moves `*at` behind it; NULL: nothing is there. */
static uint8_t *next_piece(const struct sim_space *space, uint64_t *at, uint64_t end, size_t *size)
{
    const struct sim_range *range = sim_space_find(space, *at);
    uint64_t inside = range ? (*at & ((UINT64_C(1) << 48) - 1)) - range->gpu : 0;
    *size = (size_t)(range && range->size - inside < end - *at ? range->size - inside : end - *at);
    if (!range && *size > 64)
        *size = 64; /* objects begin at multiples of it */
    *at += *size;
    return range ? range->host + inside : NULL;
}

static void load_pages(const struct sim_space *space, const struct trace_launch *launch)
{
    for (size_t i = 0; i < launch->page_count; i++) {
        const struct trace_page *page = &launch->pages[i];
        int is_mapped = 0;
        for (uint64_t at = page->gpu, end = page->gpu + TRACE_PAGE; at < end;) {
            size_t size, from = (size_t)(at - page->gpu);
            uint8_t *host = next_piece(space, &at, end, &size);
            if (host)
                memcpy(host, page->before + from, size);
            is_mapped |= host != NULL;
        }
        if (!is_mapped)
            fail("it is damaged: it has memory outside of its address space");
    }
}

static void restore_allocations(const struct trace_launch *launch)
{
    for (size_t i = 0; i < launch->allocation_count; i++) {
        const struct trace_allocation *from = &launch->allocations[i];
        check_allocation_restore(&(struct check_allocation_kept){.address = from->address,
                                                                 .bytes = from->bytes,
                                                                 .object = from->object,
                                                                 .object_end = from->object_end,
                                                                 .function = from->function,
                                                                 .properties = from->properties,
                                                                 .is_free = from->is_free != 0});
    }
}

/* Loads the binaries to where names are searched for: the process's memory. They stay there. */
static void load_binaries(const struct trace_launch *launch)
{
    static void *kept[TRACE_MOST_BINARIES];
    char folder[TRACE_PATH];
    size_t size;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    for (size_t i = 0; i < launch->binary_count; i++)
        if (!(kept[i] = trace_binary_read(slash ? folder : ".", launch->binaries[i], &size)))
            fprintf(stderr, "gensim: replay: a binary of the trace is missing or damaged: names may be unknown\n");
}

/* What the replay left in memory and what the recorded launch did. */
struct comparison {
    int is_partial; /* only the program's allocations are compared */
    size_t pages;   /* that differ */
    uint64_t address;
    uint8_t recorded, found; /* at `address`, the first that differs */
};

static void compare_page(const struct sim_space *space, const struct trace_page *page, struct comparison *comparison)
{
    const uint8_t *wanted = page->after ? page->after : page->before;
    struct check_allocation allocation;
    for (uint64_t at = page->gpu, end = page->gpu + TRACE_PAGE; at < end;) {
        size_t size;
        uint64_t first = at;
        const uint8_t *host = next_piece(space, &at, end, &size);
        for (size_t i = 0; host && i < size; i++) {
            uint64_t address = first + i;
            if (host[i] == wanted[address - page->gpu] ||
                (comparison->is_partial && !check_allocation_find(address, 1, &allocation)))
                continue;
            if (!comparison->pages++) {
                comparison->address = address;
                comparison->recorded = wanted[address - page->gpu];
                comparison->found = host[i];
            }
            return;
        }
    }
}

/* Says whether the replay did what the recorded launch did. Returns the exit status. */
static int compare(const struct sim_space *space, const struct trace_launch *launch, const struct sim_options *options)
{
    struct comparison comparison = {.is_partial =
                                        !launch->head.is_ordered || options->threads > 1 || options->checks != 0};
    const char *name = launch->head.kernel[0] ? launch->head.kernel : "the kernel";
    if (launch->head.has_fault) {
        fprintf(stderr, "gensim: replay: %s ended without the fault of the recorded launch: %s\n", name, launch->fault);
        return 1;
    }
    for (size_t i = 0; i < launch->page_count; i++)
        compare_page(space, &launch->pages[i], &comparison);
    if (comparison.pages == 0) {
        fprintf(stderr, "gensim: replay: %s left the same memory as when it was recorded%s\n", name,
                comparison.is_partial ? " (the program's allocations)" : "");
        return 0;
    }
    char where[256];
    check_allocation_describe(comparison.address, where, sizeof where);
    fprintf(stderr,
            "gensim: replay: %s left %zu of %zu pages different from when it was recorded: first at 0x%llx%s%s, "
            "recorded 0x%02x, now 0x%02x\n",
            name, comparison.pages, launch->page_count, (unsigned long long)comparison.address, where[0] ? ", " : "",
            where, comparison.recorded, comparison.found);
    return 1;
}

static void run(struct kernel_device *device, const struct trace_launch *launch, const struct sim_space *space)
{
    struct stream *stream = stream_create(device->platform, device->dispatcher, launch->context);
    const char *wrong = stream ? launch_restore(stream, launch) : "there is no memory";
    if (wrong)
        fail(wrong);
    load_binaries(launch);
    struct sim_fault fault = {0};
    if (!launch_replay(stream, space, launch, &fault)) {
        char where[448];
        snprintf(where, sizeof where, "context %u: %s", launch->context, stream_position(stream));
        sim_process_fault(&fault, where);
    }
    stream_destroy(stream);
}

int main(int count, char **arguments)
{
    struct sim_options options;
    struct trace_launch launch;
    struct kernel_device device;
    if (count != 2) {
        fprintf(stderr, "gensim-replay: error: `gensim replay` starts this program\n");
        return SIM_EXIT_USAGE;
    }
    path = arguments[1];
    const char *wrong = sim_options_read(&options);
    if (!wrong)
        wrong = trace_launch_read(path, &launch);
    if (!wrong && strcmp(launch.head.device, options.platform->ocloc) != 0)
        wrong = "it is of another device";
    if (wrong)
        fail(wrong);
    sim_crash_watch();
    struct sim_space *space = make_space(&launch);
    load_pages(space, &launch);
    restore_allocations(&launch);
    observers_read(&options);
    if (kernel_device_create(&device, &options, kernel_interface_find(options.interface)) != 0)
        fail("the device cannot be made");
    observers_begin(&options);
    run(&device, &launch, space);
    int status = compare(space, &launch, &options);
    observers_finish();
    kernel_device_destroy(&device);
    sim_space_destroy(space);
    trace_launch_free(&launch);
    return status;
}
