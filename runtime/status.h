/* Reports errors of libcmrt's calls. */
#ifndef CMKIT_RUNTIME_STATUS_H
#define CMKIT_RUNTIME_STATUS_H

#include "runtime/cmrt.h"

/* Stores the line that cmrt_message() returns, and returns `status`. */
__attribute__((format(printf, 2, 3))) enum cmrt_status cmrt_fail(enum cmrt_status status, const char *format, ...);

#endif
