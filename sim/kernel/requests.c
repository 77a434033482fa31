/* Implements what all kernel interfaces share of their requests. */
#include "sim/kernel/requests.h"

#include <assert.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/base/process.h"

/* mmap offsets of objects: far above any real offset; handles are enough to tell them apart. */
static const uint64_t MAP_BASE = UINT64_C(1) << 60;
enum { MAP_HANDLE_SHIFT = 28 };

static const struct kernel_request *find_request(const struct kernel_request *requests, size_t count, unsigned number)
{
    for (size_t i = 0; i < count; i++)
        if (requests[i].number == number)
            return &requests[i];
    return NULL;
}

int kernel_request_run(struct kernel_file *file, const struct kernel_request *requests, size_t count,
                       unsigned long number, void *argument)
{
    assert(requests && count);
    const struct kernel_request *request = find_request(requests, count, _IOC_NR(number));
    const char *interface = file->device->interface->name;
    if (!request)
        sim_process_stop("%s: ioctl 0x%02lx (structure of %lu bytes) is not implemented", interface, _IOC_NR(number),
                         _IOC_SIZE(number));
    if (!request->handler)
        sim_process_stop("%s: ioctl %s (0x%02x) is not implemented", interface, request->name, request->number);

    /* As in the kernel, callers built with an older or newer structure pass fewer or more bytes; missing bytes are
     * zero. */
    union {
        uint64_t align;
        uint8_t bytes[KERNEL_REQUEST_BYTES];
    } structure = {.bytes = {0}};
    size_t given = _IOC_SIZE(number), size = given < request->size ? given : request->size;
    if (kernel_read_user(&structure, (uintptr_t)argument, size))
        return -EFAULT;
    int result = request->handler(file, &structure);
    if (_IOC_DIR(number) & _IOC_READ && kernel_write_user((uintptr_t)argument, &structure, size))
        return -EFAULT;
    return result;
}

int kernel_get_version(struct kernel_file *file, void *argument)
{
    const struct kernel_interface *interface = file->device->interface;
    struct drm_version *version = argument;
    const struct {
        char *to;
        __kernel_size_t *room;
        const char *text;
    } strings[] = {{version->name, &version->name_len, interface->name},
                   {version->date, &version->date_len, "20201103"},
                   {version->desc, &version->desc_len, "Intel Graphics (gensim)"}};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        size_t length = strlen(strings[i].text), size = *strings[i].room < length ? *strings[i].room : length;
        if (strings[i].to && kernel_write_user((uintptr_t)strings[i].to, strings[i].text, size))
            return -EFAULT;
        *strings[i].room = length;
    }
    version->version_major = interface->version[0];
    version->version_minor = interface->version[1];
    version->version_patchlevel = 0;
    return 0;
}

int kernel_close_handle(struct kernel_file *file, void *argument)
{
    const struct drm_gem_close *close_request = argument;
    return close_request->pad ? -EINVAL : object_handle_close(&file->objects, close_request->handle);
}

int kernel_export_handle(struct kernel_file *file, void *argument)
{
    struct drm_prime_handle *prime = argument;
    if (prime->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
        return -EINVAL;
    struct object *object = object_find(&file->objects, prime->handle);
    if (!object)
        return -ENOENT;
    int error = 0;
    if (object->memory_file < 0)
        error = -ENODEV; /* memory of the program cannot be given away */
    else if ((prime->fd = fcntl(object->memory_file, prime->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0)) < 0)
        error = -errno;
    object_release(object);
    return error;
}

int kernel_import_handle(struct kernel_file *file, void *argument)
{
    struct drm_prime_handle *prime = argument;
    struct object *object = object_import(prime->fd);
    return object ? kernel_publish(file, object, &prime->handle) : -EINVAL;
}

int kernel_publish(struct kernel_file *file, struct object *object, uint32_t *handle)
{
    assert(handle);
    if (!object)
        return -ENOMEM;
    *handle = object_handle_create(&file->objects, object);
    if (*handle)
        return 0;
    object_release(object);
    return -ENOMEM;
}

uint64_t kernel_map_offset(uint32_t handle)
{
    assert(handle);
    return MAP_BASE | (uint64_t)handle << MAP_HANDLE_SHIFT;
}

struct object *kernel_find_mapping(struct kernel_file *file, uint64_t offset, uint64_t length, uint64_t *inside)
{
    assert(inside);
    if (offset < MAP_BASE || (offset - MAP_BASE) >> MAP_HANDLE_SHIFT > UINT32_MAX)
        return NULL;
    uint32_t handle = (uint32_t)((offset - MAP_BASE) >> MAP_HANDLE_SHIFT);
    *inside = offset & ((UINT64_C(1) << MAP_HANDLE_SHIFT) - 1);
    struct object *object = object_find(&file->objects, handle);
    if (object && (object->memory_file < 0 || *inside > object->size || length > object->size - *inside)) {
        object_release(object);
        return NULL;
    }
    return object;
}

int kernel_strip_canonical(uint64_t address, uint64_t *stripped)
{
    assert(stripped);
    uint64_t top = address >> 47;
    *stripped = address & ((UINT64_C(1) << 48) - 1);
    return top == 0 || top == 0x1ffff;
}

/* (That call does not change the memory.) */
int kernel_user_is_mapped(const void *address, uint64_t size)
{
    return msync((void *)address, size, MS_ASYNC) == 0 || errno != ENOMEM;
}
