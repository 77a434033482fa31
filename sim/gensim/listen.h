/* Opens the connection on which `gensim --gdb` waits for gdb, before the program starts: mistakes are gensim's then. */
#ifndef CMKIT_SIM_GENSIM_LISTEN_H
#define CMKIT_SIM_GENSIM_LISTEN_H

#include <stddef.h>

/* Opens what `text` names: "PORT" of the loopback interface, "" for a free one, "unix:PATH", or "pipe" for standard
 * input and output, which become null and standard error. Writes the value of GENSIM_GDB. 0: `problem` says why not. */
int listen_open(const char *text, char *connection, size_t room, char *problem, size_t problem_room);

#endif
