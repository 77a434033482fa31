/* Interposes the functions of Level Zero around arguments of kernels: see level_zero_arguments.h. A command list keeps
 * the arguments that its launches had when they were appended; they are looked at when it is executed, and a launch
 * that is appended with freed memory is reported there. */
#include "sim/gensim/level_zero_arguments.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <level_zero/ze_api.h>
#include "sim/check/allocations.h"
#include "sim/gensim/freed_argument.h"
#include "sim/gensim/real.h"

#define LOADER(NAME) REAL_IN("libze_loader.so.1", NAME)

enum { BUCKETS = 256, NAME_BYTES = 128 };

/* An argument of a kernel, or of a launch in a list; an empty one of each list that is executed later. */
struct argument {
    struct argument *next;
    const void *owner; /* the kernel or the list */
    char *kernel;      /* its name, in a list */
    uint32_t index;
    uint64_t value;    /* its eight bytes: an address, an image, or a number */
    bool is_destroyed; /* the image */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct argument *arguments[BUCKETS];
static atomic_bool follows;

void level_zero_arguments_follow(void)
{
    atomic_store(&follows, true);
}

static struct argument **bucket_of(const void *owner)
{
    return &arguments[(uintptr_t)owner / 64 % BUCKETS];
}

static void forget(const void *owner)
{
    if (!owner || !atomic_load(&follows))
        return;
    pthread_mutex_lock(&lock);
    for (struct argument **each = bucket_of(owner); *each;) {
        struct argument *gone = *each;
        if (gone->owner != owner) {
            each = &gone->next;
            continue;
        }
        *each = gone->next;
        free(gone->kernel);
        free(gone);
    }
    pthread_mutex_unlock(&lock);
}

/* Puts an argument in front of its bucket's. Without memory it is not followed. */
static void add(struct argument argument)
{
    struct argument **bucket = bucket_of(argument.owner), *made = malloc(sizeof *made);
    if (!made) {
        free(argument.kernel);
        return;
    }
    *made = argument;
    made->next = *bucket;
    *bucket = made;
}

static void set(ze_kernel_handle_t kernel, uint32_t index, uint64_t value)
{
    pthread_mutex_lock(&lock);
    struct argument *each = *bucket_of(kernel);
    while (each && (each->owner != kernel || each->index != index))
        each = each->next;
    if (each) {
        each->value = value;
        each->is_destroyed = false;
    } else if (value) {
        add((struct argument){.owner = kernel, .index = index, .value = value});
    }
    pthread_mutex_unlock(&lock);
}

static void mark_destroyed(ze_image_handle_t image)
{
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < BUCKETS; k++)
        for (struct argument *each = arguments[k]; each; each = each->next)
            each->is_destroyed |= each->value == (uintptr_t)image;
    pthread_mutex_unlock(&lock);
}

static void check(const struct argument *argument, const char *kernel)
{
    uint64_t address = argument->value & ((UINT64_C(1) << 48) - 1);
    if (argument->is_destroyed || check_allocation_is_freed(address))
        freed_argument_report(kernel, argument->index, argument->is_destroyed ? 0 : address);
}

/* A list is new, or empty again. */
static void begin(ze_command_list_handle_t list)
{
    forget(list);
    if (!atomic_load(&follows))
        return;
    pthread_mutex_lock(&lock);
    add((struct argument){.owner = list});
    pthread_mutex_unlock(&lock);
}

static bool is_executed_later(ze_command_list_handle_t list)
{
    const struct argument *each = *bucket_of(list);
    while (each && each->owner != list)
        each = each->next;
    return each != NULL;
}

/* A launch is appended to a list: it has what the kernel has now. */
static void append(ze_command_list_handle_t list, ze_kernel_handle_t kernel)
{
    char name[NAME_BYTES] = "";
    size_t bytes = sizeof name;
    if (!atomic_load(&follows))
        return;
    if (LOADER(zeKernelGetName)(kernel, &bytes, name) != ZE_RESULT_SUCCESS)
        name[0] = 0;
    pthread_mutex_lock(&lock);
    bool keeps = is_executed_later(list);
    for (const struct argument *each = *bucket_of(kernel); each; each = each->next) {
        if (each->owner != kernel)
            continue;
        struct argument copy = *each;
        check(each, name);
        copy.owner = list;
        copy.kernel = keeps ? strdup(name) : NULL;
        if (copy.kernel)
            add(copy);
    }
    pthread_mutex_unlock(&lock);
}

static void check_lists(uint32_t count, const ze_command_list_handle_t *lists)
{
    if (!atomic_load(&follows) || !lists)
        return;
    pthread_mutex_lock(&lock);
    for (uint32_t k = 0; k < count; k++)
        for (const struct argument *each = *bucket_of(lists[k]); each; each = each->next)
            if (each->owner == lists[k] && each->kernel)
                check(each, each->kernel);
    pthread_mutex_unlock(&lock);
}

/* ---- Level Zero's functions ---- */

EXPORT ze_result_t zeKernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel)
{
    ze_result_t result = LOADER(zeKernelCreate)(module, desc, kernel);
    if (result == ZE_RESULT_SUCCESS)
        forget(*kernel);
    return result;
}

EXPORT ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value)
{
    ze_result_t result = LOADER(zeKernelSetArgumentValue)(kernel, index, size, value);
    if (result == ZE_RESULT_SUCCESS && atomic_load(&follows)) {
        uint64_t bits = 0;
        if (size == sizeof bits && value)
            memcpy(&bits, value, sizeof bits);
        set(kernel, index, bits);
    }
    return result;
}

EXPORT ze_result_t zeImageDestroy(ze_image_handle_t image)
{
    if (atomic_load(&follows) && image)
        mark_destroyed(image);
    return LOADER(zeImageDestroy)(image);
}

EXPORT ze_result_t zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                       const ze_command_list_desc_t *desc, ze_command_list_handle_t *list)
{
    ze_result_t result = LOADER(zeCommandListCreate)(context, device, desc, list);
    if (result == ZE_RESULT_SUCCESS)
        begin(*list);
    return result;
}

EXPORT ze_result_t zeCommandListReset(ze_command_list_handle_t list)
{
    begin(list);
    return LOADER(zeCommandListReset)(list);
}

EXPORT ze_result_t zeCommandListDestroy(ze_command_list_handle_t list)
{
    forget(list);
    return LOADER(zeCommandListDestroy)(list);
}

EXPORT ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                   const ze_group_count_t *groups, ze_event_handle_t signal,
                                                   uint32_t count, ze_event_handle_t *waits)
{
    append(list, kernel);
    return LOADER(zeCommandListAppendLaunchKernel)(list, kernel, groups, signal, count, waits);
}

EXPORT ze_result_t zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                              const ze_group_count_t *groups, ze_event_handle_t signal,
                                                              uint32_t count, ze_event_handle_t *waits)
{
    append(list, kernel);
    return LOADER(zeCommandListAppendLaunchCooperativeKernel)(list, kernel, groups, signal, count, waits);
}

EXPORT ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                           const ze_group_count_t *groups, ze_event_handle_t signal,
                                                           uint32_t count, ze_event_handle_t *waits)
{
    append(list, kernel);
    return LOADER(zeCommandListAppendLaunchKernelIndirect)(list, kernel, groups, signal, count, waits);
}

EXPORT ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
                                                     ze_command_list_handle_t *lists, ze_fence_handle_t fence)
{
    check_lists(count, lists);
    return LOADER(zeCommandQueueExecuteCommandLists)(queue, count, lists, fence);
}
