/* Lists how closely the simulator follows real hardware for the executed instructions and messages: `gensim
 * --fidelity`. */
#ifndef CMKIT_SIM_FIDELITY_H
#define CMKIT_SIM_FIDELITY_H

#include "sim/eu/eu.h"

/* Starts the list. A fault adds what it refused and prints it. Without this call the functions below do nothing. */
void sim_fidelity_start(void);

/* True if a list was started: counting executed instructions costs time. */
int sim_fidelity_wanted(void);

/* Adds the issued instructions of `program` with their types; `counts` has the count of each. */
void sim_fidelity_add(const struct eu_program *program, const struct eu_count *counts);

/* Adds the messages that were sent. */
struct message_tally;
void sim_fidelity_add_messages(const struct message_tally *tally);

/* Prints the list, once, to standard error: "exact", "approximate" or "unsupported", the instruction or message, and
 * how often it was executed. Does nothing in a process that did not start it (a fork). */
void sim_fidelity_print(void);

#endif
