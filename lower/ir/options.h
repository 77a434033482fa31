/* Defines the options of the middle end: target platform, optimization level, printing and checking. */
#ifndef CMKIT_LOWER_IR_OPTIONS_H
#define CMKIT_LOWER_IR_OPTIONS_H

#include <stdbool.h>
#include "tables/platforms.h"

enum lower_remark_kind { LOWER_REMARK_PASSED, LOWER_REMARK_MISSED, LOWER_REMARK_ANALYSIS };

/* What a pass did to the code of a source line, or why it could not: see lower/ir/remarks.def. The texts live until the
 * call returns. */
struct lower_remark {
    enum lower_remark_kind kind;
    const char *pass, *name, *text, *function;
    const char *file, *folder; /* file: NULL if the place is not known */
    unsigned line, column;
};

struct lower_options {
    const struct platform *platform;
    unsigned optimization;   /* 0: required lowering only; 2: also LLVM's scalar passes */
    bool debug_info;         /* sets the same flag of the vISA program, whose text then has source positions */
    bool watch_variables;    /* source variables have homes, which hold their values wherever a debugger looks */
    bool track_values;       /* debuggers are told where optimized code has the values of source variables */
    bool for_intel;          /* the module goes to Intel's vector back end, which translates old messages itself */
    bool names;              /* values keep their names, for a text of the module */
    bool bounds;             /* the vISA program says how many instructions each source line needs at least */
    bool verify_each;        /* the module is verified after every pass */
    const char *print_after; /* name of a pass after which the module is printed to standard error, or NULL */
    void (*remark)(void *user, const struct lower_remark *remark); /* called for each remark, or NULL */
    void *remark_user;
    void (*pass_done)(const char *name); /* called after each pass of the first half, or NULL */
};

#endif
