/* Checks atomics of many groups on the same few counters, from one queue and from several at once: sums, bits, extremes
 * and allocated slots must be exact. */
#include "level_zero.h"

#include <pthread.h>
#include <string.h>

enum { SIZE = 64, GROUPS = 40, ITEMS = SIZE * GROUPS, COUNTERS = 11, QUEUES = 4 };

struct memory {
    uint32_t *counter, *places;
};

/* After that many launches. */
static void check(const struct memory *m, uint32_t launches)
{
    uint32_t sum = 0, ors = 0, xors = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        sum += i;
        ors |= 1u << i % 32;
        xors ^= i;
    }
    sum *= launches;
    xors = launches % 2 ? xors : 0;
    for (uint32_t i = 0; i < launches * ITEMS; i++)
        REQUIRE(m->places[i] == 1, "place %u was given out %u times", i, m->places[i]);
    float half_steps = 0.5f * ITEMS * (float)launches;
    uint32_t float_sum;
    memcpy(&float_sum, &half_steps, sizeof float_sum);
    const uint32_t expected[COUNTERS] = {
        launches * ITEMS, sum, 0u - 3 * launches * ITEMS, 5, ITEMS - 1 + 5, ors, xors, sum,
        float_sum,        sum, launches * ITEMS};
    for (int i = 0; i < COUNTERS; i++)
        REQUIRE(m->counter[i] == expected[i], "counter %d is %u, expected %u", i, m->counter[i], expected[i]);
}

static void clear(const struct memory *m)
{
    memset(m->counter, 0, COUNTERS * sizeof *m->counter);
    memset(m->places, 0, QUEUES * ITEMS * sizeof *m->places);
    m->counter[3] = UINT32_MAX;
}

static ze_kernel_handle_t contender(ze_module_handle_t module, const struct memory *m)
{
    ze_kernel_handle_t kernel = level_zero_kernel(module, "contend");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof m->counter, &m->counter));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof m->places, &m->places));
    ZE(zeKernelSetArgumentValue(kernel, 2, sizeof(uint32_t), NULL));
    return kernel;
}

/* A queue that a thread of the program fills and waits for. Low priority is a context of its own in the driver. */
struct submitter {
    const struct level_zero *z;
    ze_kernel_handle_t kernel;
    ze_command_queue_priority_t priority;
    pthread_t thread;
};

static void *submit(void *argument)
{
    const struct submitter *s = argument;
    ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .priority = s->priority};
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list = level_zero_list(s->z);
    ze_group_count_t groups = {GROUPS, 1, 1};
    ZE(zeCommandQueueCreate(s->z->context, s->z->device, &description, &queue));
    ZE(zeKernelSetGroupSize(s->kernel, SIZE, 1, 1));
    ZE(zeCommandListAppendLaunchKernel(list, s->kernel, &groups, NULL, 0, NULL));
    level_zero_run(queue, list);
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    return NULL;
}

static void contend_from_queues(const struct level_zero *z, ze_module_handle_t module, const struct memory *m)
{
    struct submitter submitters[QUEUES];
    for (int i = 0; i < QUEUES; i++) {
        submitters[i] = (struct submitter){.z = z,
                                           .kernel = contender(module, m),
                                           .priority = i % 2 ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW
                                                             : ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
        REQUIRE(pthread_create(&submitters[i].thread, NULL, submit, &submitters[i]) == 0, "thread %d", i);
    }
    for (int i = 0; i < QUEUES; i++) {
        pthread_join(submitters[i].thread, NULL);
        ZE(zeKernelDestroy(submitters[i].kernel));
    }
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: atomics MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    const struct memory m = {level_zero_shared(&z, COUNTERS * sizeof(uint32_t)),
                             level_zero_shared(&z, QUEUES * ITEMS * sizeof(uint32_t))};
    ze_kernel_handle_t kernel = contender(module, &m);
    for (int round = 0; round < 3; round++) {
        clear(&m);
        level_zero_launch(&z, kernel, SIZE, GROUPS);
        check(&m, 1);
        clear(&m);
        contend_from_queues(&z, module, &m);
        check(&m, QUEUES);
    }
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    return 0;
}
