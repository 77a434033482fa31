/* How closely the simulator follows a real part for what was run: `gensim --fidelity`. */
#ifndef CMKIT_SIM_FIDELITY_H
#define CMKIT_SIM_FIDELITY_H

#include "sim/eu/eu.h"

/* Begins the list. Without this call the functions below do nothing. */
void sim_fidelity_start(void);

/* Adds what a kernel that is launched consists of: every instruction, with its types, and every message that control
 * can reach. */
void sim_fidelity_add(const struct eu_program *program);

/* Adds a kernel that was refused, or a message or instruction that stopped the run. */
void sim_fidelity_unsupported(const struct sim_fault *fault);

/* Prints the list, once, to standard error: "exact", "approximate" or "unsupported", instruction, times it stands in
 * the code. Does nothing in a process that did not start it (a fork). */
void sim_fidelity_print(void);

#endif
