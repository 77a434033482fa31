/* Reports a launch that is given memory which the program has freed: --check=memory. */
#ifndef CMKIT_SIM_GENSIM_FREED_ARGUMENT_H
#define CMKIT_SIM_GENSIM_FREED_ARGUMENT_H

#include <stdint.h>

/* `address`: where the argument points to; 0: it is a buffer or image that is released. */
void freed_argument_report(const char *kernel, unsigned index, uint64_t address);

#endif
