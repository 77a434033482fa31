/* Counts calls of libcmrt that do not do what is expected, and prints each with the library's message. */
#ifndef CMKIT_TEST_RUN_EXPECT_H
#define CMKIT_TEST_RUN_EXPECT_H

#include <stdio.h>
#include "runtime/cmrt.h"

static int failures;

static inline void expect(int good, const char *what)
{
    if (good)
        return;
    printf("FAIL %s (%s)\n", what, cmrt_message());
    failures++;
}

#define OK(CALL) expect((CALL) == CMRT_OK, #CALL)

#endif
