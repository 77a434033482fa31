/* Lets gdb debug the kernels that the simulated GPU runs: gensim --gdb (docs/simulator/gdb.md).
 *
 * One host thread runs EU threads while a debugger is wanted, and it is also the one that talks to gdb: before each
 * instruction a thread calls the debugger, which returns once the thread may go on. So all EU threads stand while gdb
 * has the word. gdb sees the threads of the group at hand. */
#ifndef CMKIT_SIM_GDB_GDB_H
#define CMKIT_SIM_GDB_GDB_H

#include "sim/eu/eu.h"
#include "sim/gdb/symbols.h"

/* Waits for gdb at the first kernel: `connection` is what gensim passes in GENSIM_GDB (sim/base/options.h). NULL, or a
 * static sentence that says what is wrong with it. */
const char *gdb_start(const struct platform *platform, const char *connection);

/* Whether a debugger is wanted in this process. */
bool gdb_is_wanted(void);

/* A dispatch is about to run, or has ended. Others wait meanwhile. */
void gdb_launch_begin(void);
void gdb_launch_end(void);

/* Announces code that threads are about to execute, a kernel or a function of another module. */
void gdb_announce(const struct gdb_code *code);

/* A thread group. The arrays have `count` entries and live as long as the group runs; so does the state. */
struct gdb_group {
    uint32_t id[3];
    uint32_t count;
    struct eu_thread *const *threads;
    const enum eu_stop *stops;
    struct message_state *state;
    uint64_t instruction_base;
    const uint16_t *slots; /* hardware slots of the threads */
    uint32_t scratch;      /* for surface_scratch_find() */
};

/* The group's threads have been started, and will be run. */
void gdb_group_begin(const struct gdb_group *group);
void gdb_group_end(void);

/* Whether the thread may run now: while gdb lets one thread step, the others stand. */
bool gdb_may_run(uint32_t thread);

/* Thread `thread` runs from now on; it has returned with `stop`. */
void gdb_turn_begin(uint32_t thread);
void gdb_turn_end(uint32_t thread, enum eu_stop stop);

/* A check has reported the instruction that is executed: threads stop behind it. */
void gdb_report(const char *text);

/* Thread `thread` has raised the fault: lets the user look before the program ends. */
void gdb_fault(uint32_t thread, const struct sim_fault *fault);

#endif
