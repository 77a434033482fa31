/* Ends the simulated program with a report: a program cannot handle a fault of its GPU. */
#ifndef CMKIT_SIM_PROCESS_H
#define CMKIT_SIM_PROCESS_H

#include "sim/base/fault.h"

enum {
    SIM_EXIT_USAGE = 125, /* gensim's own errors */
    SIM_EXIT_FAULT = 126, /* a simulation fault; also a program that is no program, as env(1) has it */
};

/* Prints the report once, however many threads find a fault at the same time, and ends the process with
 * SIM_EXIT_FAULT. `where` says which layer was at work, "" if that adds nothing. */
_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where);

/* Calls `run` when a fault ends the process, after the report, before exit: reports that must not be lost. Functions
 * run in the order in which they are first registered. To be called before the first batch. */
typedef void sim_process_last(const struct sim_fault *fault);
void sim_process_at_fault(sim_process_last *run);

/* --on-fault=continue: bad accesses of threads are left out from now on. To be called before the first batch. */
void sim_process_continue_on_faults(void);
int sim_process_continues(void);

/* Counts an access that was left out. 1 if it is the first of this kernel (GPU address) at this instruction, which is
 * to be reported with sim_fault_print(). */
int sim_process_count_dropped(const struct sim_fault *fault, uint64_t kernel);

/* One line with the number of accesses that were left out, if there were any: at the end of the process. */
void sim_process_report_dropped(void);

/* As sim_process_fault(), with the sentence given. */
_Noreturn void sim_process_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
