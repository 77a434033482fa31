/* Bad accesses of the simulator's own threads: a program can take away memory while a batch uses it (what munmap() does
 * waits, but the C library has ways of its own), and is told so instead of just dying. */
#ifndef CMKIT_SIM_CRASH_H
#define CMKIT_SIM_CRASH_H

#include <signal.h>

/* From now on such accesses stop the program with a report. To be called before threads are started; does nothing where
 * the program handles these signals itself. Accesses of the program's own threads end it as without us. */
void sim_crash_watch(void);

/* Takes the signals that are watched out of a mask for threads of the simulator. */
void sim_crash_unblock(sigset_t *mask);

/* The calling thread is one of the simulator's. */
void sim_crash_own_thread(void);

#endif
