#include "sim/base/crash.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/base/process.h"

static const int watched[] = {SIGSEGV, SIGBUS};
static int watching;
static _Thread_local int is_own_thread;

static void report(int number, siginfo_t *information, void *context)
{
    (void)context;
    if (is_own_thread)
        sim_process_stop(
            "a batch uses memory of the program at 0x%llx that is not there any more: it was freed or unmapped "
            "before the batch ended (or the simulator is at fault)",
            (unsigned long long)(uintptr_t)information->si_addr);
    /* The program's own: the access, or whoever sent the signal, does it again without us. */
    signal(number, SIG_DFL);
    if (information->si_code <= 0)
        raise(number);
}

void sim_crash_watch(void)
{
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++) {
        struct sigaction old, own = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_NODEFER};
        if (sigaction(watched[i], NULL, &old) != 0 || old.sa_flags & SA_SIGINFO || old.sa_handler != SIG_DFL)
            return;
        sigaction(watched[i], &own, NULL);
    }
    watching = 1;
}

void sim_crash_unblock(sigset_t *mask)
{
    for (size_t i = 0; watching && i < sizeof watched / sizeof watched[0]; i++)
        sigdelset(mask, watched[i]);
}

void sim_crash_own_thread(void)
{
    is_own_thread = 1;
    pthread_setname_np(pthread_self(), "gensim"); /* for profilers and debuggers */
}
