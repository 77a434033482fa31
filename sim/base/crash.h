/* Reports bad memory accesses of the simulator's own threads. A program can free memory while a batch uses it: munmap()
 * waits for the batch, but the C library has other ways. The program then gets a report instead of a bare crash. */
#ifndef CMKIT_SIM_CRASH_H
#define CMKIT_SIM_CRASH_H

#include <signal.h>

/* Installs handlers that stop the program with a report. Call it before threads are started. It does nothing if the
 * program handles these signals itself. Bad accesses of the program's own threads end it as without gensim. */
void sim_crash_watch(void);

/* Unblocks the watched signals in a mask for threads of the simulator. */
void sim_crash_unblock(sigset_t *mask);

/* Marks the calling thread as one of the simulator's. */
void sim_crash_own_thread(void);

#endif
