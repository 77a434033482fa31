/* Interposes the functions of Level Zero around arguments of kernels: see level_zero_arguments.h. A command list keeps
 * the arguments that its launches had when they were appended, or were given later; they are looked at when it is
 * executed, and a launch that is appended with freed memory is reported there. */
#include "sim/gensim/level_zero_arguments.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <level_zero/ze_api.h>
#include "sim/check/allocations.h"
#include "sim/check/locals.h"
#include "sim/gensim/freed_argument.h"
#include "sim/gensim/level_zero_mutable.h"
#include "sim/gensim/real.h"

#define LOADER(NAME) REAL_IN("libze_loader.so.1", NAME)

enum { BUCKETS = 256, NAME_BYTES = 128 };

/* An argument of a kernel, or of a launch in a list; an empty one of each list that is executed later, and of each
 * launch that can be changed. */
struct argument {
    struct argument *next;
    const void *owner; /* the kernel or the list */
    char *kernel;      /* its name, in a list */
    uint32_t index;
    uint64_t value;    /* its eight bytes: an address, an image, or a number */
    uint64_t command;  /* of a launch that can be changed: its number; of a list: that of its next launch; else 0 */
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

/* Returns the empty argument of a list that is executed later. NULL: it is executed at once. */
static struct argument *list_of(ze_command_list_handle_t list)
{
    struct argument *each = *bucket_of(list);
    while (each && (each->owner != list || each->kernel))
        each = each->next;
    return each;
}

/* Returns an argument of a launch that can be changed; NULL: it is not known. */
static struct argument *find_in_launch(ze_command_list_handle_t list, uint64_t command, uint32_t index)
{
    struct argument *each = *bucket_of(list);
    while (each && (each->owner != list || !each->kernel || each->command != command || each->index != index))
        each = each->next;
    return each;
}

static void read_name(ze_kernel_handle_t kernel, char *name)
{
    size_t bytes = NAME_BYTES;
    if (LOADER(zeKernelGetName)(kernel, &bytes, name) != ZE_RESULT_SUCCESS)
        name[0] = 0;
}

/* Adds the empty argument of a launch that can be changed, for its kernel's name. */
static void add_launch(ze_command_list_handle_t list, uint64_t command, const char *name)
{
    struct argument launch = {.owner = list, .index = UINT32_MAX, .command = command, .kernel = strdup(name)};
    if (launch.kernel)
        add(launch);
}

/* A launch is appended to a list: it has what the kernel has now. */
static void append(ze_command_list_handle_t list, ze_kernel_handle_t kernel)
{
    char name[NAME_BYTES] = "";
    if (!atomic_load(&follows))
        return;
    read_name(kernel, name);
    pthread_mutex_lock(&lock);
    struct argument *keeps = list_of(list);
    uint64_t command = keeps ? keeps->command : 0;
    if (keeps)
        keeps->command = 0;
    if (command)
        add_launch(list, command, name);
    for (const struct argument *each = *bucket_of(kernel); each; each = each->next) {
        if (each->owner != kernel)
            continue;
        struct argument copy = *each;
        check(each, name);
        copy.owner = list;
        copy.command = command;
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

/* The next launch of a list can be changed. */
static void note_command(ze_command_list_handle_t list, uint64_t command)
{
    if (!atomic_load(&follows))
        return;
    pthread_mutex_lock(&lock);
    struct argument *known = list_of(list);
    if (known)
        known->command = command;
    pthread_mutex_unlock(&lock);
}

/* A launch of a closed list gets another argument. */
static void change(ze_command_list_handle_t list, const struct level_zero_mutable_argument *to)
{
    uint64_t value = 0;
    if (to->size == sizeof value && to->value)
        memcpy(&value, to->value, sizeof value);
    if (to->size && !to->value)
        check_locals_lose();
    pthread_mutex_lock(&lock);
    struct argument *known = find_in_launch(list, to->command, to->index),
                    *launch = find_in_launch(list, to->command, UINT32_MAX);
    if (known) {
        known->value = value;
        known->is_destroyed = false;
    } else if (launch) {
        struct argument made = {.owner = list, .index = to->index, .value = value, .command = to->command};
        made.kernel = strdup(launch->kernel);
        if (made.kernel)
            add(made);
    }
    pthread_mutex_unlock(&lock);
}

/* It gets another kernel, whose arguments are not known yet. */
static void change_kernel(ze_command_list_handle_t list, uint64_t command, ze_kernel_handle_t kernel)
{
    char name[NAME_BYTES] = "";
    read_name(kernel, name);
    pthread_mutex_lock(&lock);
    for (struct argument *each = *bucket_of(list); each; each = each->next) {
        if (each->owner != list || !each->kernel || each->command != command)
            continue;
        char *renamed = strdup(name);
        if (renamed) {
            free(each->kernel);
            each->kernel = renamed;
        }
        each->value = 0;
        each->is_destroyed = false;
    }
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
        char name[NAME_BYTES] = "";
        if (size && !value)
            read_name(kernel, name);
        if (name[0])
            check_locals_set(name, index, size);
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

EXPORT ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t list, uint32_t count, ze_kernel_handle_t *kernels, const uint32_t *launched,
    const ze_group_count_t *groups, ze_event_handle_t signal, uint32_t waited, ze_event_handle_t *waits)
{
    for (uint32_t k = 0; kernels && k < count; k++)
        append(list, kernels[k]);
    return LOADER(zeCommandListAppendLaunchMultipleKernelsIndirect)(list, count, kernels, launched, groups, signal,
                                                                    waited, waits);
}

/* ---- launches that can be changed ---- */

/* A program calls these by way of the loader, or has asked the driver for them: `driver`. */
#define MUTABLE(FUNCTION, NAME, DRIVER)                                                                                \
    ((__typeof__(&FUNCTION))((DRIVER) ? (DRIVER) : real_look("libze_loader.so.1", NAME)))

static void *driver_id, *driver_id_with_kernels, *driver_update, *driver_update_kernels;

EXPORT ze_result_t level_zero_next_command(ze_command_list_handle_t list, const void *desc, uint64_t *command)
{
    __typeof__(&level_zero_next_command) real =
        MUTABLE(level_zero_next_command, "zeCommandListGetNextCommandIdExp", driver_id);
    ze_result_t result = real ? real(list, desc, command) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (result == ZE_RESULT_SUCCESS)
        note_command(list, *command);
    return result;
}

EXPORT ze_result_t level_zero_next_command_with_kernels(ze_command_list_handle_t list, const void *desc, uint32_t count,
                                                        ze_kernel_handle_t *kernels, uint64_t *command)
{
    __typeof__(&level_zero_next_command_with_kernels) real = MUTABLE(
        level_zero_next_command_with_kernels, "zeCommandListGetNextCommandIdWithKernelsExp", driver_id_with_kernels);
    ze_result_t result = real ? real(list, desc, count, kernels, command) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (result == ZE_RESULT_SUCCESS)
        note_command(list, *command);
    return result;
}

EXPORT ze_result_t level_zero_update_commands(ze_command_list_handle_t list, const struct level_zero_description *desc)
{
    __typeof__(&level_zero_update_commands) real =
        MUTABLE(level_zero_update_commands, "zeCommandListUpdateMutableCommandsExp", driver_update);
    ze_result_t result = real ? real(list, desc) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (result != ZE_RESULT_SUCCESS || !atomic_load(&follows))
        return result;
    for (const struct level_zero_description *each = desc->next; each; each = each->next)
        if (each->stype == LEVEL_ZERO_MUTABLE_ARGUMENT)
            change(list, (const void *)each);
    return result;
}

EXPORT ze_result_t level_zero_update_command_kernels(ze_command_list_handle_t list, uint32_t count, uint64_t *commands,
                                                     ze_kernel_handle_t *kernels)
{
    __typeof__(&level_zero_update_command_kernels) real = MUTABLE(
        level_zero_update_command_kernels, "zeCommandListUpdateMutableCommandKernelsExp", driver_update_kernels);
    ze_result_t result = real ? real(list, count, commands, kernels) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    for (uint32_t k = 0; result == ZE_RESULT_SUCCESS && atomic_load(&follows) && k < count; k++)
        change_kernel(list, commands[k], kernels[k]);
    return result;
}

EXPORT ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t driver, const char *name, void **function)
{
    static const struct {
        const char *name;
        void **driver, *own;
    } followed[] = {
        {"zeCommandListGetNextCommandIdExp", &driver_id, (void *)level_zero_next_command},
        {"zeCommandListGetNextCommandIdWithKernelsExp", &driver_id_with_kernels,
         (void *)level_zero_next_command_with_kernels},
        {"zeCommandListUpdateMutableCommandsExp", &driver_update, (void *)level_zero_update_commands},
        {"zeCommandListUpdateMutableCommandKernelsExp", &driver_update_kernels,
         (void *)level_zero_update_command_kernels},
    };
    ze_result_t result = LOADER(zeDriverGetExtensionFunctionAddress)(driver, name, function);
    for (size_t k = 0; result == ZE_RESULT_SUCCESS && name && k < sizeof followed / sizeof followed[0]; k++)
        if (strcmp(name, followed[k].name) == 0) {
            *followed[k].driver = *function;
            *function = followed[k].own;
        }
    return result;
}
