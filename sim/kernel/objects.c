#include "sim/kernel/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Objects become idle rarely compared with how often they are used, so one condition serves all of them. */
static pthread_mutex_t idle_lock;
static pthread_cond_t idle_changed;

static void init_idle(void)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&idle_lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&idle_changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* In a forked process, who held the lock or waited is not there. */
__attribute__((constructor)) static void watch_forks(void)
{
    init_idle();
    pthread_atfork(NULL, NULL, init_idle);
}

void object_table_before_fork(struct object_table *table)
{
    pthread_mutex_lock(&table->lock);
}

void object_table_after_fork(struct object_table *table, int in_child)
{
    if (!in_child) {
        pthread_mutex_unlock(&table->lock);
        return;
    }
    pthread_mutex_init(&table->lock, NULL);
    for (uint32_t i = 0; i < table->count; i++)
        if (table->slots[i])
            atomic_store(&table->slots[i]->busy, 0); /* what runs, runs in the parent */
}

void object_table_init(struct object_table *table)
{
    *table = (struct object_table){.lock = PTHREAD_MUTEX_INITIALIZER};
}

void object_table_destroy(struct object_table *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        object_release(table->slots[i]);
    free(table->slots);
    pthread_mutex_destroy(&table->lock);
}

static struct object *new_object(uint8_t *host, uint64_t size, int memory_file)
{
    struct object *object = calloc(1, sizeof *object);
    if (!object)
        return NULL;
    object->references = 1;
    object->host = host;
    object->size = size;
    object->memory_file = memory_file;
    return object;
}

/* Takes over `memory_file`, also when it fails. */
static struct object *map_memory_file(int memory_file, uint64_t size)
{
    void *host = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file, 0);
    struct object *object = host == MAP_FAILED ? NULL : new_object(host, size, memory_file);
    if (!object) {
        if (host != MAP_FAILED)
            munmap(host, size);
        close(memory_file);
    }
    return object;
}

struct object *object_create(uint64_t size)
{
    int file = memfd_create("gensim-object", MFD_CLOEXEC);
    if (file < 0)
        return NULL;
    if (size > INT64_MAX || ftruncate(file, (off_t)size) != 0) {
        close(file);
        return NULL;
    }
    return map_memory_file(file, size);
}

struct object *object_wrap(void *memory, uint64_t size)
{
    return new_object(memory, size, -1);
}

struct object *object_import(int memory_file)
{
    struct stat status;
    if (fstat(memory_file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0)
        return NULL;
    int own = fcntl(memory_file, F_DUPFD_CLOEXEC, 0);
    return own < 0 ? NULL : map_memory_file(own, (uint64_t)status.st_size);
}

struct object *object_reference(struct object *object)
{
    atomic_fetch_add(&object->references, 1);
    return object;
}

void object_release(struct object *object)
{
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    if (object->memory_file >= 0) {
        munmap(object->host, object->size);
        close(object->memory_file);
    }
    free(object);
}

/* A free slot's index, with the lock held; table->room without memory. Handles start again from the lowest free one, as
 * the kernel's do. */
static uint32_t find_free_slot(struct object_table *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        if (!table->slots[i])
            return i;
    if (table->count == table->room) {
        uint32_t room = table->room ? 2 * table->room : 64;
        struct object **grown = room > table->room ? realloc(table->slots, room * sizeof *grown) : NULL;
        if (!grown)
            return table->room;
        table->slots = grown;
        table->room = room;
    }
    return table->count;
}

uint32_t object_handle_create(struct object_table *table, struct object *object)
{
    uint32_t handle = 0;
    pthread_mutex_lock(&table->lock);
    uint32_t slot = find_free_slot(table);
    if (slot < table->room) {
        table->slots[slot] = object;
        if (slot == table->count)
            table->count++;
        handle = slot + 1;
    }
    pthread_mutex_unlock(&table->lock);
    return handle;
}

struct object *object_find(struct object_table *table, uint32_t handle)
{
    struct object *object = NULL;
    pthread_mutex_lock(&table->lock);
    if (handle > 0 && handle <= table->count && table->slots[handle - 1])
        object = object_reference(table->slots[handle - 1]);
    pthread_mutex_unlock(&table->lock);
    return object;
}

int object_handle_close(struct object_table *table, uint32_t handle)
{
    struct object *object = NULL;
    pthread_mutex_lock(&table->lock);
    if (handle > 0 && handle <= table->count) {
        object = table->slots[handle - 1];
        table->slots[handle - 1] = NULL;
    }
    pthread_mutex_unlock(&table->lock);
    object_release(object);
    return object ? 0 : -EINVAL;
}

void object_busy_begin(struct object *object)
{
    atomic_fetch_add(&object->busy, 1);
}

void object_busy_end(struct object *object)
{
    if (atomic_fetch_sub(&object->busy, 1) == 1) {
        pthread_mutex_lock(&idle_lock);
        pthread_cond_broadcast(&idle_changed);
        pthread_mutex_unlock(&idle_lock);
    }
}

static const int64_t SECOND = 1000000000;

static int64_t monotonic_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

int object_wait(struct object *object, int64_t timeout_ns, int64_t *remaining_ns)
{
    int64_t now = monotonic_now(), deadline = timeout_ns > INT64_MAX - now ? INT64_MAX : now + timeout_ns;
    struct timespec until = {deadline / SECOND, deadline % SECOND};
    int result = 0;
    pthread_mutex_lock(&idle_lock);
    while (atomic_load(&object->busy) && result == 0) {
        if (timeout_ns < 0)
            pthread_cond_wait(&idle_changed, &idle_lock);
        else if (pthread_cond_timedwait(&idle_changed, &idle_lock, &until) == ETIMEDOUT)
            result = atomic_load(&object->busy) ? -ETIME : 0;
    }
    pthread_mutex_unlock(&idle_lock);
    *remaining_ns = timeout_ns;
    if (timeout_ns > 0) {
        now = monotonic_now();
        *remaining_ns = now < deadline ? deadline - now : 0;
    }
    return result;
}
