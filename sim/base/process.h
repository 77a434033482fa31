/* Ends the simulated program with a report: a program cannot handle a fault of its GPU. */
#ifndef CMKIT_SIM_PROCESS_H
#define CMKIT_SIM_PROCESS_H

#include "sim/base/fault.h"

enum {
    SIM_EXIT_USAGE = 125, /* gensim's own errors */
    SIM_EXIT_FAULT = 126, /* a simulation fault; also a program that is no program, as env(1) has it */
};

/* Prints the report once, even if several threads find a fault at the same time, and ends the process with
 * SIM_EXIT_FAULT. `where` names the layer that was at work; "" if that adds nothing. */
_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where);

/* Registers a function that runs after the report and before exit if a fault ends the process, for reports that must
 * not be lost. Functions run in the order of registration. Call it before the first batch. */
typedef void sim_process_last(const struct sim_fault *fault);
void sim_process_at_fault(sim_process_last *run);

/* --on-fault=continue: from now on bad accesses of threads are skipped. Call it before the first batch. */
void sim_process_continue_on_faults(void);
int sim_process_continues(void);

/* Counts a skipped access. 1: it is the first of this kernel (GPU address) at this instruction; report it with
 * sim_fault_print() then. */
int sim_process_count_dropped(const struct sim_fault *fault, uint64_t kernel);

/* Prints the number of skipped accesses, if there were any, in one line at the end of the process. */
void sim_process_report_dropped(void);

/* Like sim_process_fault(), with the given sentence. */
_Noreturn void sim_process_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
