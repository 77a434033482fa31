/* Declares the request handlers of the xe interface, and what an open file of it keeps. See sim/kernel/xe/xe.c. */
#ifndef CMKIT_SIM_KERNEL_XE_XE_H
#define CMKIT_SIM_KERNEL_XE_XE_H

#include <stdbool.h>
#include "sim/kernel/kernel.h"
#include "sim/kernel/xe/space.h"
#include "sim/kernel/xe/uapi.h"

/* kernel_file.own: address spaces by id from 1 on, and the space of each queue, whose id is that of its context. */
struct xe_file {
    pthread_mutex_t lock;
    struct xe_space **spaces;
    uint32_t space_count;
    struct xe_queue {
        uint32_t context, space;
    } *queues;
    uint32_t queue_count;
};

static inline struct xe_file *xe_file_of(struct kernel_file *file)
{
    return file->own;
}

/* True if all of the `size` bytes are zero, as reserved fields must be. */
static inline bool xe_is_zero(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        if (at[i])
            return false;
    return true;
}
#define XE_IS_ZERO(FIELD) xe_is_zero(&(FIELD), sizeof(FIELD))

/* query.c */
int xe_query(struct kernel_file *file, void *argument);
/* True if the platform lists an engine of that name. */
bool xe_has_engine(const struct platform *platform, const struct xe_engine_name *name);
/* The regions of `mask` that the platform lacks are in the result; `*page` is the largest of their smallest pages. */
uint32_t xe_find_regions(const struct platform *platform, uint32_t mask, uint64_t *page);

/* memory.c */
int xe_create_object(struct kernel_file *file, void *argument);
int xe_get_map_offset(struct kernel_file *file, void *argument);

/* bind.c */
int xe_create_space(struct kernel_file *file, void *argument);
int xe_destroy_space(struct kernel_file *file, void *argument);
int xe_bind(struct kernel_file *file, void *argument);
/* The space with a reference for the caller, or NULL. */
struct xe_space *xe_find_space(struct xe_file *own, uint32_t id);

/* fence.c */
enum { XE_MOST_SYNCS = 1024 };
/* Reads `count` user fences at `address` in the program into a new array. 0, or a negative errno value. */
int xe_read_fences(uint64_t address, uint32_t count, struct xe_sync **fences);
int xe_wait_for_fence(struct kernel_file *file, void *argument);

/* queue.c */
int xe_create_queue(struct kernel_file *file, void *argument);
int xe_destroy_queue(struct kernel_file *file, void *argument);
int xe_get_queue_property(struct kernel_file *file, void *argument);
int xe_execute(struct kernel_file *file, void *argument);

#endif
