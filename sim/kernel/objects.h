/* Manages buffer objects: host memory that the GPU may access, named by handles of one open device file.
 *
 * An object lives as long as anything refers to it: its handle, a submitted batch, a mapping that is being created.
 * Closing a handle is therefore safe while batches still use the object. */
#ifndef CMKIT_SIM_KERNEL_OBJECTS_H
#define CMKIT_SIM_KERNEL_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct object {
    atomic_uint references;
    atomic_uint busy; /* submitted batches that have not finished */
    uint8_t *host;    /* its memory in this process */
    uint64_t size;    /* bytes, a multiple of the page size */
    int memory_file;  /* memfd behind it, -1 for memory that the program owns */
    uint32_t tiling;  /* bookkeeping for the driver: the interface's tiling mode and stride */
    uint32_t stride;
    atomic_uint_fast64_t bound;  /* GPU address that it has had last; 0: none */
    struct check_buffer *buffer; /* of the program that the object was made for; NULL: none is known */
    struct object *next;         /* link in the list of objects over the program's memory */
};

struct object_table {
    pthread_mutex_t lock;
    struct object **slots; /* slots[handle - 1] */
    uint32_t count;        /* slots in use or freed */
    uint32_t room;
};

/* Says for checks that the object is at a GPU address. */
void object_bound(struct object *object, uint64_t gpu);

void object_table_init(struct object_table *table);
void object_table_destroy(struct object_table *table); /* drops the handles' references */

/* Called around a fork: the table does not change while the process is copied; the child has no running batches. */
void object_table_before_fork(struct object_table *table);
void object_table_after_fork(struct object_table *table, int in_child);

/* Creates an object of `size` bytes (not 0) of zeroed memory; the caller has one reference. NULL: out of memory. */
struct object *object_create(uint64_t size);
/* Creates an object over `size` bytes (not 0) of memory that the program owns. */
struct object *object_wrap(void *memory, uint64_t size);
/* Creates an object over the (duplicated) memory file of another object, of this process or another. NULL: the file is
 * not an object's. */
struct object *object_import(int memory_file);

struct object *object_reference(struct object *object);
void object_release(struct object *object); /* NULL is allowed */

/* Creates a handle for the object and takes over the caller's reference: > 0, or 0 if out of memory (the reference is
 * still the caller's). */
uint32_t object_handle_create(struct object_table *table, struct object *object);
/* Returns the object with a reference for the caller; NULL if the handle is not open. */
struct object *object_find(struct object_table *table, uint32_t handle);
/* 0 or -EINVAL. */
int object_handle_close(struct object_table *table, uint32_t handle);

/* Mark the start and end of a batch that uses the object: an end for each start. */
void object_busy_begin(struct object *object);
void object_busy_end(struct object *object);
/* Waits until no batch uses the object: 0, or -ETIME after `timeout_ns` (negative: for ever). On success
 * `*remaining_ns` is the rest of the timeout. */
int object_wait(struct object *object, int64_t timeout_ns, int64_t *remaining_ns);
/* Waits until no batch uses the program's memory in [start, start + length), which is about to be unmapped. */
void object_wait_range(const void *start, size_t length);

#endif
