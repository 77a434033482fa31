/* The options of the middle end: target platform, optimization level, what is printed and checked. */
#ifndef CMKIT_LOWER_IR_OPTIONS_H
#define CMKIT_LOWER_IR_OPTIONS_H

#include <stdbool.h>
#include "tables/platforms.h"

struct lower_options {
    const struct platform *platform;
    unsigned optimization;      /* 0: only what lowering needs; 2: LLVM's scalar passes too */
    bool debug_info;            /* the vISA program is marked so: its text says where each instruction comes from */
    bool names;                 /* values keep their names, for a text of the module */
    bool verify_each;           /* the module is verified after every pass */
    const char *print_after;    /* name of a pass after which the module is printed to standard error, or NULL */
    void (*pass_done)(const char *name); /* called after each pass of the first half, or NULL */
};

#endif
