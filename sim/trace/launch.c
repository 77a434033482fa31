#include "sim/trace/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any launch has: counts above are damage. */
enum { MOST_STATES = 4096, MOST_CURBE = 1 << 22, MOST_RANGES = 1 << 22, MOST_ALLOCATIONS = 1 << 24 };
static const uint64_t MOST_PAGES = UINT64_C(1) << 32, MOST_BINARY = UINT64_C(1) << 30;
static const uint64_t END = UINT64_C(0x646e6520656874); /* stands at the end */

static void put_pages(struct trace_out *out, const struct trace_launch *launch)
{
    trace_put_number(out, launch->page_count);
    for (size_t i = 0; i < launch->page_count; i++) {
        const struct trace_page *page = &launch->pages[i];
        trace_put_number(out, page->gpu);
        trace_put_number(out, page->after != NULL);
        trace_put(out, page->before, TRACE_PAGE);
        if (page->after)
            trace_put(out, page->after, TRACE_PAGE);
    }
}

static void put_launch(struct trace_out *out, const struct trace_launch *launch)
{
    trace_put_number(out, launch->context);
    trace_put_number(out, launch->engine);
    trace_put_number(out, launch->clock);
    trace_put_number(out, launch->command);
    trace_put(out, launch->fault, sizeof launch->fault);
    trace_put_number(out, launch->states);
    trace_put(out, launch->state, launch->states * sizeof *launch->state);
    trace_put_number(out, launch->curbe_bytes);
    trace_put(out, launch->curbe, launch->curbe_bytes);
    trace_put_number(out, launch->range_count);
    for (size_t i = 0; i < launch->range_count; i++) {
        trace_put_number(out, launch->ranges[i].gpu);
        trace_put_number(out, launch->ranges[i].size);
    }
    put_pages(out, launch);
    trace_put_number(out, launch->allocation_count);
    trace_put(out, launch->allocations, launch->allocation_count * sizeof *launch->allocations);
    trace_put_number(out, launch->binary_count);
    trace_put(out, launch->binaries, launch->binary_count * sizeof *launch->binaries);
    trace_put_number(out, END);
}

/* Reserves the next number: several processes may write into one folder. 0 with errno set. */
static uint64_t reserve(const char *folder, char *path, size_t size)
{
    static atomic_uint_fast64_t next = 1;
    for (;;) {
        uint64_t number = atomic_fetch_add(&next, 1);
        if (!trace_path(folder, number, path, size)) {
            errno = ENAMETOOLONG;
            return 0;
        }
        FILE *file = fopen(path, "wbxe");
        if (file)
            fclose(file);
        if (file || errno != EEXIST)
            return file ? number : 0;
    }
}

int trace_launch_write(const char *folder, struct trace_launch *launch, uint64_t *number)
{
    char path[TRACE_PATH], beside[TRACE_PATH + 16];
    *number = reserve(folder, path, sizeof path);
    if (!*number)
        return 0;
    snprintf(beside, sizeof beside, "%s.part", path);
    struct trace_out *out = trace_out_open(beside);
    launch->head.pages = launch->page_count;
    if (out)
        put_launch(out, launch);
    int good = out && trace_out_close(out, &launch->head) && rename(beside, path) == 0;
    if (!good) {
        int error = errno;
        unlink(path);
        errno = error;
    }
    return good;
}

/* Reads a count, not above `most`. */
static int get_count(struct trace_in *in, uint64_t most, size_t *count)
{
    uint64_t number;
    if (!trace_get_number(in, &number) || number > most)
        return 0;
    *count = (size_t)number;
    return 1;
}

/* Reads an array of `count` elements in pieces, so that memory grows with what the file has. NULL: damaged. */
static void *get_array(struct trace_in *in, size_t count, size_t size)
{
    size_t room = 0, done = 0;
    uint8_t *array = calloc(1, size);
    while (array && done < count) {
        size_t piece = count - done < 4096 ? count - done : 4096;
        if (done + piece > room) {
            room = done + piece > 2 * room ? done + piece : 2 * room;
            uint8_t *more = realloc(array, room * size);
            if (!more)
                break;
            array = more;
        }
        if (!trace_get(in, array + done * size, piece * size))
            break;
        done += piece;
    }
    if (array && done == count)
        return array;
    free(array);
    return NULL;
}

static int get_ranges(struct trace_in *in, struct trace_launch *launch)
{
    uint64_t(*pairs)[2] = get_array(in, launch->range_count, sizeof *pairs);
    launch->ranges = pairs ? calloc(launch->range_count + 1, sizeof *launch->ranges) : NULL;
    for (size_t i = 0; launch->ranges && i < launch->range_count; i++)
        launch->ranges[i] = (struct sim_range){.gpu = pairs[i][0], .size = pairs[i][1]};
    free(pairs);
    return launch->ranges != NULL;
}

static uint8_t *get_page(struct trace_in *in)
{
    uint8_t *bytes = malloc(TRACE_PAGE);
    if (bytes && trace_get(in, bytes, TRACE_PAGE))
        return bytes;
    free(bytes);
    return NULL;
}

static int get_pages(struct trace_in *in, uint64_t count, struct trace_launch *launch)
{
    size_t room = 0;
    for (; launch->page_count < count; launch->page_count++) {
        uint64_t has_after;
        if (launch->page_count == room) {
            room = room ? 2 * room : 64;
            struct trace_page *more = realloc(launch->pages, room * sizeof *more);
            if (!more)
                return 0;
            launch->pages = more;
        }
        struct trace_page *page = &launch->pages[launch->page_count];
        *page = (struct trace_page){.gpu = 0};
        if (!trace_get_number(in, &page->gpu) || page->gpu % TRACE_PAGE || !trace_get_number(in, &has_after) ||
            !(page->before = get_page(in)))
            return 0;
        if (has_after && !(page->after = get_page(in))) {
            free(page->before);
            return 0;
        }
    }
    return 1;
}

static int get_launch(struct trace_in *in, struct trace_launch *launch)
{
    uint64_t context, engine;
    size_t pages;
    if (!trace_get_number(in, &context) || context > UINT32_MAX || !trace_get_number(in, &engine) ||
        engine > UINT32_MAX || !trace_get_number(in, &launch->clock) || !trace_get_number(in, &launch->command) ||
        !trace_get(in, launch->fault, sizeof launch->fault) || !memchr(launch->fault, 0, sizeof launch->fault) ||
        !get_count(in, MOST_STATES, &launch->states) ||
        !(launch->state = get_array(in, launch->states, sizeof *launch->state)) ||
        !get_count(in, MOST_CURBE, &launch->curbe_bytes) ||
        !(launch->curbe = get_array(in, launch->curbe_bytes, sizeof *launch->curbe)) ||
        !get_count(in, MOST_RANGES, &launch->range_count) || !get_ranges(in, launch) ||
        !get_count(in, MOST_PAGES, &pages) || !get_pages(in, pages, launch) ||
        !get_count(in, MOST_ALLOCATIONS, &launch->allocation_count) ||
        !(launch->allocations = get_array(in, launch->allocation_count, sizeof *launch->allocations)) ||
        !get_count(in, TRACE_MOST_BINARIES, &launch->binary_count) ||
        !(launch->binaries = get_array(in, launch->binary_count, sizeof *launch->binaries)))
        return 0;
    launch->context = (uint32_t)context;
    launch->engine = (uint32_t)engine;
    uint64_t end;
    return trace_get_number(in, &end) && end == END && trace_at_end(in);
}

static int texts_end(const struct trace_launch *launch)
{
    for (size_t i = 0; i < launch->allocation_count; i++)
        if (!memchr(launch->allocations[i].function, 0, sizeof launch->allocations[i].function))
            return 0;
    return 1;
}

const char *trace_launch_read(const char *path, struct trace_launch *launch)
{
    const char *wrong;
    *launch = (struct trace_launch){.states = 0};
    struct trace_in *in = trace_in_open(path, &launch->head, &wrong);
    if (in && (!get_launch(in, launch) || !texts_end(launch))) {
        wrong = "it is damaged, or a part of it is missing";
        trace_launch_free(launch);
    }
    trace_in_close(in);
    return wrong;
}

void trace_launch_free(struct trace_launch *launch)
{
    for (size_t i = 0; i < launch->page_count; i++) {
        free(launch->pages[i].before);
        free(launch->pages[i].after);
    }
    free(launch->state);
    free(launch->curbe);
    free(launch->ranges);
    free(launch->pages);
    free(launch->allocations);
    free(launch->binaries);
    *launch = (struct trace_launch){.states = 0};
}

/* FNV-1a. */
static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int binary_path(const char *folder, uint64_t hash, char *path, size_t size)
{
    int length = snprintf(path, size, "%s/binary-%016" PRIx64 ".trace", folder, hash);
    return length > 0 && (size_t)length < size;
}

int trace_binary_write(const char *folder, const void *bytes, size_t size, uint64_t *hash)
{
    char path[TRACE_PATH], beside[TRACE_PATH + 48];
    struct trace_head head = {.pages = 0};
    *hash = hash_of(bytes, size);
    if (!binary_path(folder, *hash, path, sizeof path)) {
        errno = ENAMETOOLONG;
        return 0;
    }
    if (access(path, F_OK) == 0)
        return 1;
    snprintf(beside, sizeof beside, "%s.%ld.part", path, (long)getpid());
    struct trace_out *out = trace_out_open(beside);
    if (out)
        trace_put(out, bytes, size);
    return out && trace_out_close(out, &head) && rename(beside, path) == 0;
}

void *trace_binary_read(const char *folder, uint64_t hash, size_t *size)
{
    char path[TRACE_PATH];
    struct trace_head head;
    const char *wrong;
    if (!binary_path(folder, hash, path, sizeof path))
        return NULL;
    struct trace_in *in = trace_in_open(path, &head, &wrong);
    void *bytes = in && head.content_bytes <= MOST_BINARY ? get_array(in, (size_t)head.content_bytes, 1) : NULL;
    if (bytes && (!trace_at_end(in) || hash_of(bytes, (size_t)head.content_bytes) != hash)) {
        free(bytes);
        bytes = NULL;
    }
    *size = bytes ? (size_t)head.content_bytes : 0;
    trace_in_close(in);
    return bytes;
}
