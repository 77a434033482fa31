/* Reports errors of libcmrt's calls. */
#ifndef CMKIT_RUNTIME_STATUS_H
#define CMKIT_RUNTIME_STATUS_H

#include "runtime/cmrt.h"

/* Stores the line that cmrt_message() returns, and returns `status`. */
__attribute__((format(printf, 2, 3))) enum cmrt_status cmrt_fail(enum cmrt_status status, const char *format, ...);

/* Returns from a public function that was given NULL where it needs something. */
#define CMRT_NEEDS(POINTER)                                                                                            \
    do {                                                                                                               \
        if (!(POINTER))                                                                                                \
            return cmrt_fail(CMRT_BAD_ARGUMENT, "%s: %s is NULL", __func__, #POINTER);                                 \
    } while (0)

/* The same where it stores what it makes: that is NULL until the function succeeds. */
#define CMRT_MAKES(OUT)                                                                                                \
    do {                                                                                                               \
        CMRT_NEEDS(OUT);                                                                                               \
        *(OUT) = NULL;                                                                                                 \
    } while (0)

/* Returns from a public function that was given objects of two devices. */
#define CMRT_NEEDS_SAME_DEVICE(ONE, OTHER)                                                                             \
    do {                                                                                                               \
        if ((ONE) != (OTHER))                                                                                          \
            return cmrt_fail(CMRT_BAD_ARGUMENT, "%s: objects of two devices", __func__);                               \
    } while (0)

#endif
