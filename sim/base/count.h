/* Defines a row of statistics: a name and two numbers. */
#ifndef CMKIT_SIM_BASE_COUNT_H
#define CMKIT_SIM_BASE_COUNT_H

#include <stdint.h>

struct sim_count {
    char name[48];
    uint64_t values[2];
};

#endif
