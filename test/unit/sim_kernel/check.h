/* Declares checks: a failed one ends the test with its position and text. */
#ifndef CMKIT_TEST_UNIT_SIM_KERNEL_CHECK_H
#define CMKIT_TEST_UNIT_SIM_KERNEL_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(CONDITION)                                                                                               \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: %s does not hold\n", __FILE__, __LINE__, __func__, #CONDITION);                \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Both sides are evaluated once and shown when they differ. */
#define CHECK_EQUAL(LEFT, RIGHT)                                                                                       \
    do {                                                                                                               \
        long long left_ = (long long)(LEFT), right_ = (long long)(RIGHT);                                              \
        if (left_ != right_) {                                                                                         \
            fprintf(stderr, "%s:%d: %s: %s is %lld, expected %lld\n", __FILE__, __LINE__, __func__, #LEFT, left_,      \
                    right_);                                                                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
