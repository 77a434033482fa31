#include "sim/kernel/objects.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "sim/check/allocations.h"
#include "sim/check/buffers.h"

/* One condition variable for all objects: objects become idle rarely compared with how often they are used. */
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

/* Objects over the program's memory (userptr). */
static pthread_mutex_t wrapped_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *wrapped;

static void lock_wrapped(void)
{
    pthread_mutex_lock(&wrapped_lock);
}

static void unlock_wrapped(void)
{
    pthread_mutex_unlock(&wrapped_lock);
}

/* Resets a lock in a forked child: batches run in the parent only. */
static void unlock_wrapped_in_child(void)
{
    for (struct object *object = wrapped; object; object = object->next)
        atomic_store(&object->busy, 0);
    unlock_wrapped();
}

/* Resets locks in a forked child, where their owners and waiters may not exist. */
__attribute__((constructor)) static void watch_forks(void)
{
    init_idle();
    pthread_atfork(NULL, NULL, init_idle);
    pthread_atfork(lock_wrapped, unlock_wrapped, unlock_wrapped_in_child);
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
            atomic_store(&table->slots[i]->busy, 0); /* batches run in the parent only */
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
    object->buffer = check_buffer_take(host, size);
    return object;
}

/* Takes ownership of `memory_file`, even if it fails. */
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

/* Seals an object's file: its size cannot change, and the seals identify it as an object. */
enum { OBJECT_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

struct object *object_create(uint64_t size)
{
    assert(size);
    int file = memfd_create("gensim-object", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return NULL;
    if (size > INT64_MAX || ftruncate(file, (off_t)size) != 0 || fcntl(file, F_ADD_SEALS, OBJECT_SEALS) != 0) {
        close(file);
        return NULL;
    }
    return map_memory_file(file, size);
}

struct object *object_wrap(void *memory, uint64_t size)
{
    assert(memory && size);
    struct object *object = new_object(memory, size, -1);
    if (!object)
        return NULL;
    lock_wrapped();
    object->next = wrapped;
    __atomic_store_n(&wrapped, object, __ATOMIC_RELEASE);
    unlock_wrapped();
    return object;
}

static void forget_wrapped(const struct object *object)
{
    lock_wrapped();
    struct object **link = &wrapped;
    while (*link != object)
        link = &(*link)->next;
    __atomic_store_n(link, object->next, __ATOMIC_RELEASE);
    unlock_wrapped();
}

struct object *object_import(int memory_file)
{
    struct stat status;
    if (fcntl(memory_file, F_GET_SEALS) != OBJECT_SEALS || fstat(memory_file, &status) != 0 || status.st_size <= 0)
        return NULL;
    int own = fcntl(memory_file, F_DUPFD_CLOEXEC, 0);
    return own < 0 ? NULL : map_memory_file(own, (uint64_t)status.st_size);
}

struct object *object_reference(struct object *object)
{
    assert(atomic_load(&object->references));
    atomic_fetch_add(&object->references, 1);
    return object;
}

void object_bound(struct object *object, uint64_t gpu)
{
    if (atomic_exchange(&object->bound, gpu) == gpu)
        return;
    check_allocation_reused(gpu, gpu + object->size);
    if (object->buffer)
        check_buffer_bind(object->buffer, gpu);
}

void object_release(struct object *object)
{
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    if (object->memory_file >= 0) {
        munmap(object->host, object->size);
        close(object->memory_file);
    } else {
        forget_wrapped(object);
    }
    if (object->buffer)
        check_buffer_free(object->buffer);
    check_buffer_release(object->buffer);
    free(object);
}

/* Returns a free slot's index; table->room: out of memory. Call it with the lock held. The lowest free handle is used
 * first, as in the kernel. */
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
    assert(object);
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
    assert(atomic_load(&object->references));
    atomic_fetch_add(&object->busy, 1);
}

void object_busy_end(struct object *object)
{
    assert(atomic_load(&object->busy));
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
    assert(remaining_ns);
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

/* Finds an object in the range that a batch uses, and adds a reference. NULL: there is none. */
static struct object *find_busy(uintptr_t start, uintptr_t end)
{
    lock_wrapped();
    struct object *object = wrapped;
    for (; object; object = object->next) {
        uintptr_t host = (uintptr_t)object->host;
        unsigned references = atomic_load(&object->references);
        if (host >= end || host + object->size <= start || !atomic_load(&object->busy))
            continue;
        while (references && !atomic_compare_exchange_weak(&object->references, &references, references + 1))
            ;
        if (references) /* else its last one has just gone */
            break;
    }
    unlock_wrapped();
    return object;
}

void object_wait_range(const void *start, size_t length)
{
    int64_t remaining;
    if (!__atomic_load_n(&wrapped, __ATOMIC_ACQUIRE))
        return;
    for (struct object *object; (object = find_busy((uintptr_t)start, (uintptr_t)start + length));) {
        object_wait(object, -1, &remaining);
        object_release(object);
    }
}
