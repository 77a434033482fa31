/* xe: queues of batches. A queue is a context with a space that may change while its batches run. */
#include <errno.h>
#include <stdlib.h>
#include "sim/base/poll.h"
#include "sim/base/process.h"
#include "sim/kernel/requests.h"
#include "sim/kernel/xe/xe.h"

enum { MOST_PRIORITY = 2, MOST_PLACEMENTS = 16 };

static enum stream_engine engine_of_class(uint16_t class)
{
    return class == XE_CLASS_COPY ? STREAM_COPY : class == XE_CLASS_COMPUTE ? STREAM_COMPUTE : STREAM_RENDER;
}

/* Priorities and slices of time change nothing: queues run side by side. */
static int check_extensions(uint64_t address)
{
    for (int depth = 0; address; depth++) {
        struct xe_set_property property;
        if (depth == 16)
            return -E2BIG;
        if (kernel_read_user(&property, address, sizeof property))
            return -EFAULT;
        if (property.base.name != XE_EXTENSION_SET_PROPERTY || property.base.pad || property.pad ||
            !XE_IS_ZERO(property.reserved))
            return -EINVAL;
        if (property.property != XE_QUEUE_TIMESLICE &&
            (property.property != XE_QUEUE_PRIORITY || property.value > MOST_PRIORITY))
            return -EINVAL;
        address = property.base.next;
    }
    return 0;
}

/* Reads where the queue may run, all of which the platform has; its batches run on the first. */
static int read_engine(struct kernel_file *file, const struct xe_queue_create *create, struct xe_engine_name *first)
{
    struct xe_engine_name names[MOST_PLACEMENTS];
    if (create->width == 0 || create->placements == 0 || create->placements > MOST_PLACEMENTS)
        return -EINVAL;
    if (create->width > 1)
        sim_process_stop("xe: EXEC_QUEUE_CREATE: a queue over %u engines is not implemented", create->width);
    if (kernel_read_user(names, create->instances, create->placements * sizeof names[0]))
        return -EFAULT;
    for (unsigned i = 0; i < create->placements; i++)
        if (!xe_has_engine(file->device->platform, &names[i]))
            return -EINVAL;
    *first = names[0];
    return 0;
}

static int add_queue(struct xe_file *own, uint32_t context, uint32_t space)
{
    pthread_mutex_lock(&own->lock);
    struct xe_queue *grown = realloc(own->queues, (own->queue_count + 1) * sizeof *grown);
    if (grown) {
        own->queues = grown;
        grown[own->queue_count++] = (struct xe_queue){context, space};
    }
    pthread_mutex_unlock(&own->lock);
    return grown ? 0 : -ENOMEM;
}

/* The id of the queue's space; 0: there is no such queue. `remove` takes the queue out. */
static uint32_t find_queue(struct xe_file *own, uint32_t context, bool remove)
{
    uint32_t space = 0;
    pthread_mutex_lock(&own->lock);
    for (uint32_t i = 0; i < own->queue_count && !space; i++)
        if (own->queues[i].context == context) {
            space = own->queues[i].space;
            if (remove)
                own->queues[i] = own->queues[--own->queue_count];
        }
    pthread_mutex_unlock(&own->lock);
    return space;
}

int xe_create_queue(struct kernel_file *file, void *argument)
{
    struct xe_queue_create *create = argument;
    struct xe_engine_name engine;
    if (create->flags || !XE_IS_ZERO(create->reserved))
        return -EINVAL;
    int error = check_extensions(create->extensions);
    if (!error)
        error = read_engine(file, create, &engine);
    if (error)
        return error;
    struct xe_space *space = xe_find_space(xe_file_of(file), create->vm);
    if (!space)
        return -ENOENT;
    xe_space_release(space);
    uint32_t context;
    error = context_create(&file->contexts, 0, &context);
    if (error)
        return error;
    context_set_engine(&file->contexts, context, engine_of_class(engine.engine_class));
    error = add_queue(xe_file_of(file), context, create->vm);
    if (error)
        context_destroy(&file->contexts, context);
    create->queue = context;
    return error;
}

/* Ends the batch that runs in the queue at its next wait, as real xe does. */
int xe_destroy_queue(struct kernel_file *file, void *argument)
{
    const struct xe_queue_destroy *destroy = argument;
    if (destroy->pad || !XE_IS_ZERO(destroy->reserved))
        return -EINVAL;
    if (!find_queue(xe_file_of(file), destroy->queue, true))
        return -ENOENT;
    context_cancel(&file->contexts, destroy->queue);
    return context_destroy(&file->contexts, destroy->queue);
}

int xe_get_queue_property(struct kernel_file *file, void *argument)
{
    struct xe_queue_get_property *get = argument;
    if (get->extensions || !XE_IS_ZERO(get->reserved))
        return -EINVAL;
    if (!find_queue(xe_file_of(file), get->queue, false))
        return -ENOENT;
    if (get->property != XE_QUEUE_IS_BANNED)
        return -EINVAL;
    get->value = 0; /* a hang ends the program here */
    return 0;
}

/* Owned by a submission: its space, the current version of its batch, and the fences to write after it. */
struct batch {
    struct xe_space *space;
    struct xe_version *version;
    uint32_t fence_count;
    struct xe_sync *fences;
    bool fences_were_bound; /* when the batch was submitted: all of them */
};

static const struct sim_space *renew(void *owner)
{
    struct batch *batch = owner;
    struct xe_version *newest = xe_space_newest(batch->space);
    if (!newest)
        sim_process_stop("xe: no memory for an address space");
    xe_version_release(batch->version);
    batch->version = newest;
    return xe_version_space(newest);
}

static bool are_bound(const struct sim_space *space, const struct xe_sync *fences, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!sim_space_map(space, fences[i].address, sizeof(uint64_t)))
            return false;
    return true;
}

/* Intel's driver sees the end of a batch in the tag that the batch itself writes, and may then free the memory of the
 * user fence, which is written a little later. On a real GPU that write goes to the scratch page. */
static bool may_lose_fences(const struct batch *batch)
{
    return batch->fences_were_bound && xe_space_has_scratch_page(batch->space);
}

static int finish(void *owner, struct sim_fault *fault)
{
    struct batch *batch = owner;
    const struct sim_space *space = renew(owner);
    for (uint32_t i = 0; i < batch->fence_count; i++) {
        uint64_t *memory = sim_space_map(space, batch->fences[i].address, sizeof *memory);
        if (memory)
            __atomic_store_n(memory, batch->fences[i].value, __ATOMIC_SEQ_CST);
        else if (!may_lose_fences(batch))
            return sim_fault_raise_address(fault, batch->fences[i].address, sizeof *memory, "xe: user fence of EXEC");
    }
    sim_poll_written();
    return 1;
}

static void destroy(void *owner)
{
    struct batch *batch = owner;
    xe_version_release(batch->version);
    if (batch->space)
        xe_space_release(batch->space);
    free(batch->fences);
    free(batch);
}

/* Takes the fences and looks where they are. */
static int take_fences(struct batch *batch, const struct xe_exec *execute)
{
    int error = xe_read_fences(execute->syncs, execute->sync_count, &batch->fences);
    if (error)
        return error;
    batch->fence_count = execute->sync_count;
    struct xe_version *version = xe_space_newest(batch->space);
    if (!version)
        return -ENOMEM;
    batch->fences_were_bound = are_bound(xe_version_space(version), batch->fences, batch->fence_count);
    xe_version_release(version);
    return 0;
}

static const struct submission_hooks hooks = {renew, finish, destroy};

static struct submission *make_submission(void)
{
    struct submission *submission = submission_create(0);
    struct batch *batch = calloc(1, sizeof *batch);
    if (!submission || !batch) {
        free(submission);
        free(batch);
        return NULL;
    }
    submission->hooks = &hooks;
    submission->owner = batch;
    return submission;
}

int xe_execute(struct kernel_file *file, void *argument)
{
    const struct xe_exec *execute = argument;
    struct xe_file *own = xe_file_of(file);
    if (execute->extensions || !XE_IS_ZERO(execute->pad) || !XE_IS_ZERO(execute->reserved) || execute->batches > 1)
        return -EINVAL;
    uint64_t address = 0;
    if (execute->batches && (!kernel_strip_canonical(execute->address, &address) || address == 0))
        return -EINVAL;
    uint32_t space = find_queue(own, execute->queue, false);
    if (!space)
        return -ENOENT;
    struct submission *submission = make_submission();
    if (!submission)
        return -ENOMEM;
    struct batch *batch = submission->owner;
    batch->space = xe_find_space(own, space);
    int error = batch->space ? take_fences(batch, execute) : -ENOENT;
    submission->batch = address;
    if (!error)
        error = context_submit(&file->contexts, execute->queue, submission);
    if (error)
        submission_destroy(submission);
    return error;
}
