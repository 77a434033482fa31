/* How closely the simulator follows a real part for what was run: `gensim --fidelity`. */
#ifndef CMKIT_SIM_FIDELITY_H
#define CMKIT_SIM_FIDELITY_H

#include "sim/eu/eu.h"

/* Begins the list; a fault adds what it refused and prints it. Without this call the functions below do nothing. */
void sim_fidelity_start(void);

/* Whether there is a list: counting what is executed costs time. */
int sim_fidelity_wanted(void);

/* Adds what was executed: the instructions of `program` that were issued, `counts` of each, with their types. */
void sim_fidelity_add(const struct eu_program *program, const struct eu_count *counts);

/* Adds the messages that were sent. */
struct message_tally;
void sim_fidelity_add_messages(const struct message_tally *tally);

/* Prints the list, once, to standard error: "exact", "approximate" or "unsupported", instruction or message, how
 * often it was executed. Does nothing in a process that did not start it (a fork). */
void sim_fidelity_print(void);

#endif
