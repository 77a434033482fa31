/* Runs the threads of a launch on host threads. A team is as many host threads as a group has threads, as a barrier
 * needs; teams take groups from a common counter. */
#include "runtime/host/host.h"

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct launch {
    struct host_kernel *kernel;
    const uint32_t *groups, *local;
    uint32_t team_threads;
    uint64_t group_count, next_group; /* next_group: atomic */
    size_t shared_bytes;              /* HOST_SHARED_BYTES, followed by the arguments in shared memory */
    pthread_mutex_t lock;             /* of the reason */
    int failed;                       /* atomic */
    char reason[256];
};

struct team {
    struct launch *launch;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t waiting;
    uint64_t round, group;
    void *shared; /* the launch's shared_bytes of local memory of the group that runs */
};

struct worker {
    struct team *team;
    uint32_t number; /* in the team */
    pthread_t thread;
    jmp_buf stop;
};

/* Waits until all threads of the team arrive. Returns 0, or -1 if a thread failed and the others will never arrive. */
static int team_meet(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    uint64_t round = team->round;
    if (++team->waiting == team->launch->team_threads) {
        team->waiting = 0;
        team->round++;
        pthread_cond_broadcast(&team->changed);
    }
    while (round == team->round && !__atomic_load_n(&team->launch->failed, __ATOMIC_ACQUIRE)) {
        struct timespec soon; /* a failure in another team is not signalled here */
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 50000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&team->changed, &team->lock, &soon);
    }
    int met = round != team->round;
    pthread_mutex_unlock(&team->lock);
    return met ? 0 : -1;
}

static void kernel_barrier(void *context)
{
    struct worker *worker = context;
    if (team_meet(worker->team))
        longjmp(worker->stop, 1);
}

static void kernel_fail(void *context, const char *reason)
{
    struct worker *worker = context;
    struct launch *launch = worker->team->launch;
    pthread_mutex_lock(&launch->lock);
    if (!launch->failed)
        snprintf(launch->reason, sizeof launch->reason, "%s", reason);
    __atomic_store_n(&launch->failed, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&launch->lock);
    longjmp(worker->stop, 1);
}

static void run_thread(struct worker *worker)
{
    const struct launch *launch = worker->team->launch;
    uint64_t group = worker->team->group;
    uint32_t number = worker->number;
    struct cm_host_thread thread = {.surfaces = launch->kernel->surfaces,
                                    .surface_count = launch->kernel->code->argument_count,
                                    .samplers = launch->kernel->samplers,
                                    .shared = {.base = worker->team->shared, .size = launch->shared_bytes},
                                    .serial = group,
                                    .barrier = kernel_barrier,
                                    .fail = kernel_fail,
                                    .context = worker};
    for (int i = 0; i < 3; i++) {
        thread.group_count[i] = launch->groups[i];
        thread.local_size[i] = launch->local[i];
        thread.group_id[i] = (uint32_t)(group % launch->groups[i]);
        group /= launch->groups[i];
        thread.local_id[i] = number % launch->local[i];
        number /= launch->local[i];
    }
    launch->kernel->code->entry(launch->kernel->values, &thread);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct team *team = worker->team;
    struct launch *launch = team->launch;
    if (setjmp(worker->stop))
        return NULL;
    for (;;) {
        if (worker->number == 0)
            team->group = __atomic_fetch_add(&launch->next_group, 1, __ATOMIC_RELAXED);
        if (team_meet(team)) /* everyone sees the new group, and has left the old one */
            return NULL;
        if (team->group >= launch->group_count || __atomic_load_n(&launch->failed, __ATOMIC_ACQUIRE))
            return NULL;
        run_thread(worker);
        if (team_meet(team))
            return NULL;
    }
}

/* Assigns offsets to arguments in shared memory. Returns the total memory of a group. */
static size_t place_local_arguments(const struct host_kernel *kernel)
{
    uint64_t next = HOST_SHARED_BYTES;
    for (uint32_t i = 0; i < kernel->code->argument_count; i++) {
        if (kernel->code->arguments[i].kind != CM_HOST_LOCAL)
            continue;
        memcpy(kernel->values[i], &next, sizeof next);
        next += (kernel->local_bytes[i] + 63) & ~(size_t)63;
    }
    return next;
}

static enum cmrt_status run_teams(struct launch *launch, uint32_t team_count)
{
    uint32_t count = team_count * launch->team_threads, started = 0;
    struct team *teams = calloc(team_count, sizeof *teams);
    struct worker *workers = calloc(count, sizeof *workers);
    launch->shared_bytes = place_local_arguments(launch->kernel);
    char *shared = aligned_alloc(64, team_count * launch->shared_bytes);
    if (!teams || !workers || !shared) {
        free(teams);
        free(workers);
        free(shared);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < team_count; i++) {
        teams[i].launch = launch;
        teams[i].shared = shared + i * launch->shared_bytes;
        pthread_mutex_init(&teams[i].lock, NULL);
        pthread_cond_init(&teams[i].changed, NULL);
    }
    for (; started < count; started++) {
        workers[started].team = &teams[started / launch->team_threads];
        workers[started].number = started % launch->team_threads;
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started])) {
            __atomic_store_n(&launch->failed, 1, __ATOMIC_RELEASE);
            break;
        }
    }
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (uint32_t i = 0; i < team_count; i++) {
        pthread_mutex_destroy(&teams[i].lock);
        pthread_cond_destroy(&teams[i].changed);
    }
    free(teams);
    free(workers);
    free(shared);
    if (started < count)
        return cmrt_fail(CMRT_NO_MEMORY, "cannot start %u host threads", count);
    return launch->failed ? cmrt_fail(CMRT_BAD_ARGUMENT, "kernel %s: %s", launch->kernel->code->name, launch->reason)
                          : CMRT_OK;
}

enum cmrt_status host_launch(struct host_kernel *kernel, const uint32_t groups[3], const uint32_t local[3])
{
    assert(groups[0] && groups[1] && groups[2] && local[0] && local[1] && local[2]);
    struct launch launch = {.kernel = kernel, .groups = groups, .local = local};
    launch.team_threads = local[0] * local[1] * local[2];
    if (__builtin_mul_overflow((uint64_t)groups[0] * groups[1], groups[2], &launch.group_count))
        return cmrt_fail(CMRT_BAD_ARGUMENT, "%ux%ux%u groups are too many", groups[0], groups[1], groups[2]);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t cores = processors < 1 ? 1 : (uint64_t)processors;
    uint64_t teams = (cores + launch.team_threads - 1) / launch.team_threads; /* all cores have a thread */
    pthread_mutex_init(&launch.lock, NULL);
    enum cmrt_status status = run_teams(&launch, (uint32_t)(teams < launch.group_count ? teams : launch.group_count));
    pthread_mutex_destroy(&launch.lock);
    return status;
}
