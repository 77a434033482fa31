#include "sim/base/process.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Functions that run in this order when a fault ends the process. They are registered before the first batch, so there
 * is no lock. */
static struct {
    sim_process_last *run[8];
    size_t count;
} at_fault;

void sim_process_at_fault(sim_process_last *run)
{
    for (size_t i = 0; i < at_fault.count; i++)
        if (at_fault.run[i] == run)
            return;
    assert(at_fault.count < sizeof at_fault.run / sizeof at_fault.run[0]);
    at_fault.run[at_fault.count++] = run;
}

_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&reported))
        for (;;)
            pause(); /* another thread is ending the process */
    sim_fault_print(fault, where, stderr);
    for (size_t i = 0; i < at_fault.count; i++)
        at_fault.run[i](fault);
    /* Not exit(): the program's own handlers would run on a thread of the simulator while the program still runs. */
    _exit(SIM_EXIT_FAULT);
}

_Noreturn void sim_process_stop(const char *format, ...)
{
    struct sim_fault fault = {.raised = 1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault.what, sizeof fault.what, format, arguments);
    va_end(arguments);
    sim_process_fault(&fault, "");
}

/* Skipped accesses that are reported separately: more places than a user would read. */
enum { MOST_PLACES = 100 };

static struct {
    pthread_mutex_t lock;
    int continues;
    uint64_t count;
    unsigned places;
    struct {
        uint64_t kernel;
        uint32_t ip;
    } place[MOST_PLACES];
} dropped = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Resets the state in a forked child: it reports its own faults, and the lock's owner may not exist there. */
static void forget(void)
{
    pthread_mutex_init(&dropped.lock, NULL);
    dropped.count = 0;
    dropped.places = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

void sim_process_continue_on_faults(void)
{
    dropped.continues = 1;
}

int sim_process_continues(void)
{
    return dropped.continues;
}

int sim_process_count_dropped(const struct sim_fault *fault, uint64_t kernel)
{
    pthread_mutex_lock(&dropped.lock);
    unsigned i = 0;
    while (i < dropped.places && (dropped.place[i].kernel != kernel || dropped.place[i].ip != fault->ip))
        i++;
    int is_new = i == dropped.places && i < MOST_PLACES;
    if (is_new) {
        dropped.place[i].kernel = kernel;
        dropped.place[i].ip = fault->ip;
        dropped.places++;
    }
    dropped.count++;
    pthread_mutex_unlock(&dropped.lock);
    return is_new;
}

void sim_process_report_dropped(void)
{
    pthread_mutex_lock(&dropped.lock);
    if (dropped.count)
        fprintf(stderr,
                "gensim: %" PRIu64 " faults at %u instructions were reported and left out (--on-fault=continue)\n",
                dropped.count, dropped.places);
    dropped.count = 0;
    pthread_mutex_unlock(&dropped.lock);
}
