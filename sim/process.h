/* Ends the simulated program: there is nobody to hand an error to when the GPU goes wrong. */
#ifndef CMKIT_SIM_PROCESS_H
#define CMKIT_SIM_PROCESS_H

#include "sim/fault.h"

enum {
    SIM_EXIT_USAGE = 125,    /* gensim's own errors */
    SIM_EXIT_FAULT = 126,    /* a simulation fault; also a program that is no program, as env(1) has it */
};

/* Prints the report once, however many threads find a fault at the same time, and ends the process with
 * SIM_EXIT_FAULT. `where` says which layer was at work, "" if that adds nothing. */
_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where);

/* As above, with the sentence given. */
_Noreturn void sim_process_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
