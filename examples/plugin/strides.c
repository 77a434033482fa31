/* A plug-in of gensim that counts the strides of each memory instruction: the distance from one access of a thread to
 * its next one by the same instruction.
 *
 *     cc -shared -fPIC -I PREFIX/include strides.c -o strides.so
 *     gensim -d icllp --threads 1 --plugin ./strides.so -- PROGRAM
 */
#include <cmkit/gensim_plugin.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 8 };

/* One instruction, in all threads. */
struct counter {
    uint64_t strides[KINDS], counts[KINDS], others, accesses;
};

/* One launch. Groups are counted one after the other: run gensim with --threads 1. */
struct launch {
    struct counter *counters; /* of each instruction */
};

/* One group: where each of its threads accessed memory last. */
struct last {
    uint64_t address;
    uint32_t index;
    int is_known;
};

static const struct gensim_host *host;

static void start(const struct gensim_host *given, const char *options)
{
    (void)options;
    host = given;
}

static void *kernel_begin(const struct gensim_kernel *kernel)
{
    struct launch *launch = calloc(1, sizeof *launch);
    if (launch)
        launch->counters = calloc(kernel->instructions, sizeof *launch->counters);
    return launch;
}

static void *group_begin(const struct gensim_group *group)
{
    return calloc(group->kernel->group_threads, sizeof(struct last));
}

static void count(struct counter *counter, uint64_t stride)
{
    counter->accesses++;
    for (int i = 0; i < KINDS; i++)
        if (counter->counts[i] == 0 || counter->strides[i] == stride) {
            counter->strides[i] = stride;
            counter->counts[i]++;
            return;
        }
    counter->others++;
}

static void access_memory(const struct gensim_group *group, void *data, const struct gensim_instruction *instruction,
                          const struct gensim_access *access)
{
    struct launch *launch = group->kernel_data;
    struct last *last = data;
    if (!launch || !launch->counters || !last || instruction->index == UINT32_MAX)
        return;
    last += instruction->thread;
    if (last->is_known && last->index == instruction->index)
        count(&launch->counters[instruction->index], access->address - last->address);
    *last = (struct last){access->address, instruction->index, 1};
}

static void group_end(const struct gensim_group *group, void *data)
{
    (void)group;
    free(data);
}

static void kernel_end(const struct gensim_kernel *kernel, void *data)
{
    struct launch *launch = data;
    for (uint32_t i = 0; launch && launch->counters && i < kernel->instructions; i++) {
        const struct counter *counter = &launch->counters[i];
        if (counter->accesses == 0)
            continue;
        printf("%s: instruction %" PRIu32 ":", kernel->name, i);
        for (int k = 0; k < KINDS && counter->counts[k]; k++)
            printf(" %" PRId64 " (%" PRIu64 " times)", (int64_t)counter->strides[k], counter->counts[k]);
        printf(counter->others ? " and %" PRIu64 " others\n" : "\n", counter->others);
    }
    if (launch)
        free(launch->counters);
    free(launch);
}

static const struct gensim_plugin plugin = {.version = GENSIM_PLUGIN_VERSION,
                                            .name = "strides",
                                            .start = start,
                                            .kernel_begin = kernel_begin,
                                            .group_begin = group_begin,
                                            .access = access_memory,
                                            .group_end = group_end,
                                            .kernel_end = kernel_end};

const struct gensim_plugin *gensim_plugin(void)
{
    return &plugin;
}
