/* Reads suppressions of findings. */
#ifndef CMKIT_SIM_CHECK_SUPPRESS_H
#define CMKIT_SIM_CHECK_SUPPRESS_H

#include <stdbool.h>

/* True if a line of the file that check_suppressions_read() has read matches. */
bool check_is_suppressed(const char *kind, const char *kernel, const char *source);

#endif
