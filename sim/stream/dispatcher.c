/* Distributes the groups of a dispatch over host threads. A dispatch is put into a list; the thread that submitted it
 * and idle threads of the pool take groups from it, one at a time. Which thread runs a group makes no difference that a
 * race-free kernel can observe: groups share memory only. */
#include "sim/stream/dispatcher.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/crash.h"
#include "sim/base/options.h"
#include "sim/check/report.h"
#include "sim/gdb/gdb.h"
#include "sim/plugin/plugin.h"
#include "sim/stream/check_location.h"
#include "sim/stream/group.h"
#include "sim/stream/position.h"
#include "sim/stream/programs.h"

enum { MOST_SLOTS = 512, /* the slot field of r0.5 has 9 bits */ MOST_GROUP_THREADS = 1024 };

/* Threads have 32 to 256 registers, in steps of 32. */
enum { REGISTER_STEP = 32, REGISTER_MODES = DISPATCHER_MOST_REGISTERS / REGISTER_STEP };

/* A dispatch while it runs. Lives on the stack of dispatcher_run(). */
struct job {
    struct job *next;
    const struct dispatch *dispatch;
    uint64_t groups, taken, finished; /* under the dispatcher's lock */
    unsigned helpers;                 /* pool threads at work on it */
    uint64_t instructions;
    struct observation *observation; /* sums of the threads that have finished; NULL: not wanted */
    int failed;
    struct sim_fault *fault;
    struct dispatch_position *position;
};

struct dispatcher {
    const struct platform *platform;
    struct platform modes[REGISTER_MODES]; /* the same with other numbers of registers in a thread */
    struct program_cache *programs;
    uint64_t max_instructions;
    struct timing *timing;       /* NULL: nothing is timed */
    atomic_uint_fast64_t issued; /* instructions, all dispatches */

    pthread_mutex_t lock;
    pthread_cond_t work, progress;
    struct job *jobs;
    int ending;
    uint8_t slot_used[MOST_SLOTS];
    unsigned slots, slots_free;
    unsigned next_slot;                            /* --check: the slot that was taken last */
    struct group_runner *idle[GENSIM_MAX_THREADS]; /* runners for threads that call dispatcher_run() */
    unsigned idle_count;

    unsigned helpers;
    pthread_t helper[GENSIM_MAX_THREADS];
};

static void *help(void *argument);

static unsigned start_helpers(struct dispatcher *dispatcher, unsigned count)
{
    sigset_t all, old;
    unsigned started = 0;
    sigfillset(&all); /* signals are the program's business */
    sim_crash_unblock(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (started < count && pthread_create(&dispatcher->helper[started], NULL, help, dispatcher) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

struct dispatcher *dispatcher_create(const struct platform *platform, unsigned threads, uint64_t max_instructions)
{
    assert(platform && threads >= 1);
    struct dispatcher *dispatcher = calloc(1, sizeof *dispatcher);
    if (!dispatcher)
        return NULL;
    dispatcher->platform = platform;
    for (unsigned i = 0; i < REGISTER_MODES; i++) {
        dispatcher->modes[i] = *platform;
        dispatcher->modes[i].grf_count = (i + 1) * REGISTER_STEP;
    }
    dispatcher->programs = program_cache_create();
    dispatcher->max_instructions = max_instructions;
    unsigned hardware_threads = platform->slices * platform->subslices * platform->eus * platform->threads;
    dispatcher->slots = dispatcher->slots_free = hardware_threads < MOST_SLOTS ? hardware_threads : MOST_SLOTS;
    pthread_mutex_init(&dispatcher->lock, NULL);
    pthread_cond_init(&dispatcher->work, NULL);
    pthread_cond_init(&dispatcher->progress, NULL);
    if (!dispatcher->programs) {
        dispatcher_destroy(dispatcher);
        return NULL;
    }
    if (threads > GENSIM_MAX_THREADS)
        threads = GENSIM_MAX_THREADS;
    dispatcher->helpers = start_helpers(dispatcher, threads - 1);
    return dispatcher;
}

const struct platform *dispatcher_with_registers(const struct dispatcher *dispatcher, unsigned count)
{
    assert(count >= REGISTER_STEP && count <= DISPATCHER_MOST_REGISTERS && count % REGISTER_STEP == 0);
    return count == dispatcher->platform->grf_count ? dispatcher->platform
                                                    : &dispatcher->modes[count / REGISTER_STEP - 1];
}

const char *dispatcher_time(struct dispatcher *dispatcher, const struct sim_options *options)
{
    assert(!dispatcher->timing);
    const char *wrong;
    dispatcher->timing = timing_create(options, &wrong);
    return wrong;
}

void dispatcher_destroy(struct dispatcher *dispatcher)
{
    if (!dispatcher)
        return;
    pthread_mutex_lock(&dispatcher->lock);
    dispatcher->ending = 1;
    pthread_cond_broadcast(&dispatcher->work);
    pthread_mutex_unlock(&dispatcher->lock);
    for (unsigned i = 0; i < dispatcher->helpers; i++)
        pthread_join(dispatcher->helper[i], NULL);
    for (unsigned i = 0; i < dispatcher->idle_count; i++)
        group_runner_destroy(dispatcher->idle[i]);
    program_cache_destroy(dispatcher->programs);
    timing_destroy(dispatcher->timing);
    pthread_cond_destroy(&dispatcher->work);
    pthread_cond_destroy(&dispatcher->progress);
    pthread_mutex_destroy(&dispatcher->lock);
    free(dispatcher);
}

const struct eu_program *dispatcher_program(struct dispatcher *dispatcher, const struct platform *platform,
                                            uint64_t address, const uint8_t *code, size_t available, uint64_t *hash,
                                            struct sim_fault *fault)
{
    assert(code && hash && fault);
    return program_cache_get(dispatcher->programs, platform, address, code, available, hash, fault);
}

void dispatcher_release(struct dispatcher *dispatcher, const struct eu_program *program)
{
    program_cache_put(dispatcher->programs, program);
}

int dispatcher_count_command(struct dispatcher *dispatcher)
{
    if (!dispatcher->max_instructions)
        return 1;
    return atomic_fetch_add(&dispatcher->issued, 1) < dispatcher->max_instructions;
}

/* Takes `count` hardware thread slots of those that are the caller's by number, lowest first, so that one host thread
 * always gets the same slots. Call it with the lock held. */
static void choose_slots(struct dispatcher *dispatcher, uint16_t *slots, uint32_t count)
{
    for (unsigned i = 0, taken = 0; taken < count; i++)
        if (!dispatcher->slot_used[i]) {
            dispatcher->slot_used[i] = 1;
            slots[taken++] = (uint16_t)i;
        }
}

/* The same, and they become the caller's: there must be enough free slots. */
static void take_slots(struct dispatcher *dispatcher, uint16_t *slots, uint32_t count)
{
    choose_slots(dispatcher, slots, count);
    dispatcher->slots_free -= count;
}

static void unmark_slots(struct dispatcher *dispatcher, const uint16_t *slots, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        dispatcher->slot_used[slots[i]] = 0;
}

/* Lets others have the slots, but not their number: the caller takes as many again. Call it with the lock held. */
static void leave_slots(struct dispatcher *dispatcher, const uint16_t *slots, uint32_t count)
{
    unmark_slots(dispatcher, slots, count);
    pthread_cond_broadcast(&dispatcher->progress);
}

static void return_slots(struct dispatcher *dispatcher, const uint16_t *slots, uint32_t count)
{
    dispatcher->slots_free += count;
    leave_slots(dispatcher, slots, count);
    pthread_cond_broadcast(&dispatcher->work);
}

/* Exchanges the slots for those that follow in turn. The race check takes threads on one slot for ordered, because one
 * ends before the next starts: so groups that could run together must not share slots. Call it with the lock held. */
static void move_slots(struct dispatcher *dispatcher, uint16_t *slots, uint32_t count)
{
    unmark_slots(dispatcher, slots, count);
    for (uint32_t taken = 0; taken < count;) {
        dispatcher->next_slot = (dispatcher->next_slot + 1) % dispatcher->slots;
        if (!dispatcher->slot_used[dispatcher->next_slot]) {
            dispatcher->slot_used[dispatcher->next_slot] = 1;
            slots[taken++] = (uint16_t)dispatcher->next_slot;
        }
    }
}

static bool are_free(const struct dispatcher *dispatcher, unsigned first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (dispatcher->slot_used[first + i])
            return false;
    return true;
}

/* Takes the slots of a group's place in the dispatch, after leave_slots(). The timing model sees the addresses of
 * scratch memory: they must not depend on which host thread runs the group. Waits for an earlier group that has these
 * slots. Call it with the lock held. */
static void take_place(struct dispatcher *dispatcher, uint64_t index, uint16_t *slots, uint32_t count)
{
    unsigned first = (unsigned)(index % (dispatcher->slots / count)) * count;
    while (!are_free(dispatcher, first, count))
        pthread_cond_wait(&dispatcher->progress, &dispatcher->lock);
    for (uint32_t i = 0; i < count; i++) {
        dispatcher->slot_used[first + i] = 1;
        slots[i] = (uint16_t)(first + i);
    }
}

static void group_id(const struct dispatch *dispatch, uint64_t index, uint32_t id[3])
{
    uint64_t size_x = dispatch->end[0] - dispatch->first[0], size_y = dispatch->end[1] - dispatch->first[1];
    id[0] = dispatch->first[0] + (uint32_t)(index % size_x);
    id[1] = dispatch->first[1] + (uint32_t)(index / size_x % size_y);
    id[2] = dispatch->first[2] + (uint32_t)(index / size_x / size_y);
}

/* Records the fault of a group; the first one is kept. Call it with the lock held. */
static void fail(struct job *job, const struct sim_fault *fault, const uint32_t id[3], uint32_t thread)
{
    if (job->failed)
        return;
    job->failed = 1;
    *job->fault = *fault;
    memcpy(job->position->group, id, sizeof job->position->group);
    job->position->thread = thread;
}

/* Runs groups of the job until all are taken. Called and returns with the lock held; the caller owns the slots. A group
 * of a timed job has those of its place, and leaves them before the timing model gets it: that may take long, and the
 * group that needs them next may be run by another host thread. */
static void run_groups(struct dispatcher *dispatcher, struct job *job, struct group_runner *runner, uint16_t *slots)
{
    uint32_t threads = dispatch_threads(job->dispatch);
    bool has_place = job->dispatch->timing && !job->dispatch->check;
    if (has_place)
        leave_slots(dispatcher, slots, threads);
    while (job->taken < job->groups && !job->failed) {
        uint32_t id[3], thread = 0;
        uint64_t instructions = 0, limit = UINT64_MAX, issued = atomic_load(&dispatcher->issued);
        struct sim_fault fault = {0};
        if (dispatcher->max_instructions)
            limit = issued < dispatcher->max_instructions ? dispatcher->max_instructions - issued : 0;
        uint64_t index = job->taken++;
        group_id(job->dispatch, index, id);
        if (job->dispatch->check)
            move_slots(dispatcher, slots, threads);
        else if (has_place)
            take_place(dispatcher, index, slots, threads);
        pthread_mutex_unlock(&dispatcher->lock);
        int good = group_run(runner, job->dispatch, id, slots, limit, &instructions, &fault, &thread);
        atomic_fetch_add(&dispatcher->issued, instructions);
        pthread_mutex_lock(&dispatcher->lock);
        if (has_place)
            leave_slots(dispatcher, slots, threads);
        if (job->dispatch->timing) {
            pthread_mutex_unlock(&dispatcher->lock);
            group_runner_deliver(runner, job->dispatch, index, good);
            pthread_mutex_lock(&dispatcher->lock);
        }
        job->instructions += instructions;
        job->finished++;
        progress_advance(job->dispatch->progress, 0, 1);
        if (!good)
            fail(job, &fault, id, thread);
    }
    if (has_place)
        choose_slots(dispatcher, slots, threads);
}

/* Helps the timing model when all groups are taken. Called and returns with the lock held. */
static void help_timing(struct dispatcher *dispatcher, const struct job *job)
{
    if (!job->dispatch->timing || job->taken < job->groups)
        return;
    pthread_mutex_unlock(&dispatcher->lock);
    timing_help(job->dispatch->timing);
    pthread_mutex_lock(&dispatcher->lock);
}

/* Prepares a runner and runs groups. Called and returns with the lock held, with enough slots free. */
static void work_on(struct dispatcher *dispatcher, struct job *job, struct group_runner *runner)
{
    uint16_t slots[MOST_SLOTS];
    uint32_t count = dispatch_threads(job->dispatch);
    take_slots(dispatcher, slots, count);
    if (group_runner_prepare(runner, job->dispatch)) {
        run_groups(dispatcher, job, runner, slots);
        group_runner_report(runner, job->observation);
    } else {
        struct sim_fault fault = {0};
        sim_fault_raise(&fault, "no memory for the registers of a thread group");
        fail(job, &fault, job->dispatch->first, 0);
        if (job->dispatch->timing)
            timing_cancel(job->dispatch->timing);
    }
    return_slots(dispatcher, slots, count);
    help_timing(dispatcher, job);
}

/* Returns a job with groups left that fit the free slots, or NULL. Call it with the lock held. */
static struct job *find_work(struct dispatcher *dispatcher)
{
    for (struct job *job = dispatcher->jobs; job; job = job->next)
        if (job->taken < job->groups && !job->failed && dispatch_threads(job->dispatch) <= dispatcher->slots_free)
            return job;
    return NULL;
}

static void *help(void *argument)
{
    struct dispatcher *dispatcher = argument;
    struct group_runner *runner = group_runner_create(dispatcher->platform);
    sim_crash_own_thread();
    pthread_mutex_lock(&dispatcher->lock);
    while (runner && !dispatcher->ending) {
        struct job *job = find_work(dispatcher);
        if (!job) {
            pthread_cond_wait(&dispatcher->work, &dispatcher->lock);
            continue;
        }
        job->helpers++;
        work_on(dispatcher, job, runner);
        job->helpers--;
        pthread_cond_broadcast(&dispatcher->progress);
    }
    pthread_mutex_unlock(&dispatcher->lock);
    group_runner_destroy(runner);
    return NULL;
}

static struct group_runner *borrow_runner(struct dispatcher *dispatcher)
{
    pthread_mutex_lock(&dispatcher->lock);
    struct group_runner *runner = dispatcher->idle_count ? dispatcher->idle[--dispatcher->idle_count] : NULL;
    pthread_mutex_unlock(&dispatcher->lock);
    return runner ? runner : group_runner_create(dispatcher->platform);
}

/* With the lock held. */
static void give_back_runner(struct dispatcher *dispatcher, struct group_runner *runner)
{
    if (dispatcher->idle_count < GENSIM_MAX_THREADS)
        dispatcher->idle[dispatcher->idle_count++] = runner;
    else
        group_runner_destroy(runner);
}

static void remove_job(struct dispatcher *dispatcher, struct job *job)
{
    struct job **link = &dispatcher->jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
}

/* Runs the job with the available threads. */
static void run_job(struct dispatcher *dispatcher, struct job *job, struct group_runner *runner)
{
    uint32_t threads = dispatch_threads(job->dispatch);
    pthread_mutex_lock(&dispatcher->lock);
    job->next = dispatcher->jobs;
    dispatcher->jobs = job;
    pthread_cond_broadcast(&dispatcher->work);
    while (job->taken < job->groups && !job->failed) {
        if (threads <= dispatcher->slots_free)
            work_on(dispatcher, job, runner);
        else
            pthread_cond_wait(&dispatcher->progress, &dispatcher->lock);
    }
    while (job->helpers)
        pthread_cond_wait(&dispatcher->progress, &dispatcher->lock);
    remove_job(dispatcher, job);
    give_back_runner(dispatcher, runner);
    pthread_mutex_unlock(&dispatcher->lock);
}

static unsigned checks; /* sum of enum sim_check */

void dispatcher_check(unsigned wanted)
{
    checks = wanted & (SIM_CHECK_MEMORY | SIM_CHECK_RACE | SIM_CHECK_BARRIER | SIM_CHECK_INIT);
    if (wanted & SIM_CHECK_INIT)
        eu_check_values();
}

const char *dispatcher_debug(const struct platform *platform, const char *connection)
{
    check_report_watch(gdb_report);
    return gdb_start(platform, connection);
}

static const char *shown_device;

static void disassemble(const struct gensim_kernel *kernel, uint32_t offset, char *text, size_t room)
{
    const struct dispatch *dispatch = kernel->internal;
    text[0] = 0;
    eu_program_disassemble(dispatch->program, offset, text, room);
}

static void find_source(const struct gensim_kernel *kernel, uint32_t offset, char *text, size_t room)
{
    struct check_location place = {.kernel = ""};
    dispatch_check_location(kernel->internal, &(struct check_site){.ip = offset, .lane = CHECK_NO_LANE}, &place);
    snprintf(text, room, "%s", place.source);
}

const char *dispatcher_show(const struct platform *platform, const char *plugin)
{
    static const struct gensim_host host = {.disassemble = disassemble, .source = find_source};
    shown_device = platform->ocloc;
    return plugin_start(plugin, &host);
}

bool dispatcher_is_timed(const struct dispatcher *dispatcher)
{
    return dispatcher->timing != NULL;
}

bool dispatcher_is_watched(void)
{
    return checks || plugin_is_wanted() || gdb_is_wanted();
}

void dispatcher_finish(void)
{
    plugin_finish();
}

/* What plug-ins see of a dispatch. */
static struct gensim_kernel kernel_of(const struct dispatch *dispatch)
{
    const struct platform *platform = dispatch->state.platform;
    return (struct gensim_kernel){.device = shown_device,
                                  .name = dispatch_name(dispatch),
                                  .hash = dispatch->hash,
                                  .instructions = (uint32_t)eu_program_instructions(dispatch->program),
                                  .groups = {dispatch->end[0] - dispatch->first[0],
                                             dispatch->end[1] - dispatch->first[1],
                                             dispatch->end[2] - dispatch->first[2]},
                                  .group_threads = dispatch_threads(dispatch),
                                  .simd = dispatch->simd,
                                  .local_bytes = dispatch->state.slm_bytes,
                                  .register_bytes = platform->grf_bytes,
                                  .register_count = platform->grf_count,
                                  .internal = dispatch};
}

static struct check_launch *create_check(const struct dispatch *dispatch)
{
    return checks ? check_launch_create(checks, platform_has(dispatch->state.platform, FEATURE_SLM_FENCE),
                                        dispatch->hash, dispatch_check_location, dispatch_check_argument, dispatch)
                  : NULL;
}

/* Makes the kernel known to a debugger. Prologs: see find_name() of position.c. */
static void announce(const struct dispatch *dispatch)
{
    const struct sim_range *range = sim_space_find(dispatch->state.space, dispatch->kernel);
    uint64_t inside = range ? dispatch->kernel - range->gpu : 0;
    if (range)
        gdb_announce(&(struct gdb_code){.address = dispatch->kernel,
                                        .bytes = range->host + inside,
                                        .available = range->size - inside,
                                        .program = dispatch->program,
                                        .register_bytes = dispatch->state.platform->grf_bytes,
                                        .prolog_most = dispatch_prolog_most(inside)});
}

/* Runs the job while a debugger watches it. */
static void run_debugged(struct dispatcher *dispatcher, struct job *job, struct group_runner *runner)
{
    gdb_launch_begin();
    announce(job->dispatch);
    run_job(dispatcher, job, runner);
    gdb_launch_end();
}

static void start_timing(const struct dispatch *dispatch, uint64_t groups)
{
    uint32_t payload = dispatch->per_thread_bytes + dispatch->cross_thread_bytes;
    const struct timing_shape shape = {.program = dispatch->program,
                                       .groups = groups,
                                       .group_threads = dispatch_threads(dispatch),
                                       .local_bytes = dispatch->state.slm_bytes,
                                       .payload_registers = 1 + payload / dispatch->state.platform->grf_bytes,
                                       .readings = dispatch->clock};
    timing_begin(dispatch->timing, &shape);
}

int dispatcher_run(struct dispatcher *dispatcher, const struct dispatch *wanted, uint64_t *instructions,
                   struct sim_fault *fault, struct dispatch_position *position)
{
    assert(instructions && fault && position);
    assert(wanted->program && wanted->state.platform->id == dispatcher->platform->id && wanted->simd <= 32);
    struct progress progress;
    struct dispatch own = *wanted, *dispatch = &own;
    own.progress = &progress;
    own.dispatcher = dispatcher;
    own.timing = dispatch->reads_timed_clock ? NULL : dispatcher->timing;
    struct job job = {.dispatch = dispatch, .groups = dispatch_groups(dispatch), .fault = fault, .position = position};
    *position = (struct dispatch_position){.active = 1, .kernel = dispatch->kernel};
    uint32_t threads = dispatch_threads(dispatch);
    if (threads == 0 || threads > dispatcher->slots)
        return sim_fault_raise(fault, "a thread group of %u threads does not fit the GPU's %u", threads,
                               dispatcher->slots);
    struct group_runner *runner = borrow_runner(dispatcher);
    if (!runner)
        return sim_fault_raise(fault, "no memory to run thread groups");

    if (own.timing)
        start_timing(dispatch, job.groups);
    job.observation = dispatch->counts ? observation_create() : NULL;
    progress_start(&progress, dispatch_name, dispatch, dispatch->hash, job.groups);
    own.check = create_check(dispatch);
    if (own.check) {
        dispatch_check_private(&own);
        dispatch_check_local(&own);
    }
    struct gensim_kernel kernel;
    if (plugin_is_wanted()) {
        kernel = kernel_of(dispatch);
        plugin_kernel_begin(&kernel, &own.shown_data);
        own.shown = &kernel;
    }
    if (gdb_is_wanted())
        run_debugged(dispatcher, &job, runner);
    else
        run_job(dispatcher, &job, runner);
    if (own.shown)
        plugin_kernel_end(&kernel, own.shown_data);
    check_launch_destroy(own.check);
    progress_end(&progress);
    if (own.timing)
        timing_end(own.timing, own.timed);
    if (job.observation)
        observation_report(job.observation, dispatch->counts);
    observation_destroy(job.observation);
    *instructions = job.instructions;
    position->active = job.failed;
    return !job.failed;
}
