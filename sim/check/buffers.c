#include "sim/check/buffers.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include "sim/check/allocations.h"
#include "sim/check/init.h"

struct check_buffer {
    atomic_uint references;
    uint64_t bytes;
    uint64_t size;   /* of the object */
    uint64_t inside; /* bytes from the object's start */
    const char *function;
    int is_private, is_read_only;
    atomic_int has_values;
    atomic_uint_fast64_t gpu; /* 0: not bound */
};

/* The drivers round a buffer's size up to a page of 64 KiB, and add one. */
enum { MOST_EXTRA = 3 << 16 };

static _Thread_local struct {
    int is_under_way;
    uint64_t bytes;
    const char *host, *function;
    int is_private, is_read_only;
    struct check_buffer *found;
} call;

void check_buffer_begin(uint64_t bytes, const void *host, const char *function, int is_private, int is_read_only)
{
    call.is_under_way = 1;
    call.bytes = bytes;
    call.host = host;
    call.function = function;
    call.is_private = is_private;
    call.is_read_only = is_read_only;
    call.found = NULL;
}

struct check_buffer *check_buffer_end(void)
{
    call.is_under_way = 0;
    if (!call.found)
        check_allocation_has_unknown();
    return call.found;
}

/* Returns where the buffer starts in an object; UINT64_MAX: it is not in it. */
static uint64_t place(const char *host, uint64_t size)
{
    uint64_t inside = 0;
    if (call.host && host <= call.host)
        inside = (uint64_t)(call.host - host);
    int fits = inside < size && call.bytes <= size - inside && size - inside - call.bytes <= MOST_EXTRA;
    return fits ? inside : UINT64_MAX;
}

struct check_buffer *check_buffer_take(const void *host, uint64_t size)
{
    uint64_t inside = call.is_under_way && !call.found ? place(host, size) : UINT64_MAX;
    struct check_buffer *buffer = inside == UINT64_MAX ? NULL : calloc(1, sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->references = 2;
    buffer->bytes = call.bytes;
    buffer->size = size;
    buffer->inside = inside;
    buffer->function = call.function;
    buffer->is_private = call.is_private;
    buffer->is_read_only = call.is_read_only;
    return call.found = buffer;
}

void check_buffer_bind(struct check_buffer *buffer, uint64_t gpu)
{
    uint_fast64_t none = 0;
    if (!atomic_compare_exchange_strong(&buffer->gpu, &none, gpu + buffer->inside))
        return;
    check_allocation_add(gpu + buffer->inside, buffer->bytes, buffer->function,
                         (buffer->is_private ? CHECK_PRIVATE : 0) | (buffer->is_read_only ? CHECK_READ_ONLY : 0),
                         buffer);
    check_allocation_bound(gpu + buffer->inside, gpu, gpu + buffer->size);
    if (buffer->is_private && !atomic_load(&buffer->has_values))
        check_memory_is_fresh(gpu + buffer->inside, buffer->bytes);
}

void check_buffer_has_values(struct check_buffer *buffer)
{
    uint64_t gpu = atomic_load(&buffer->gpu);
    atomic_store(&buffer->has_values, 1);
    if (gpu)
        check_memory_has_values(gpu, buffer->bytes);
}

void check_buffer_free(struct check_buffer *buffer)
{
    uint64_t gpu = atomic_load(&buffer->gpu);
    if (gpu)
        check_allocation_forget(gpu, buffer);
}

void check_buffer_release(struct check_buffer *buffer)
{
    if (buffer && atomic_fetch_sub(&buffer->references, 1) == 1)
        free(buffer);
}
