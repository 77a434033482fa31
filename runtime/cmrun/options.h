/* Parses cmrun's command line. */
#ifndef CMKIT_CMRUN_OPTIONS_H
#define CMKIT_CMRUN_OPTIONS_H

#include "runtime/cmrun/argument.h"

struct options {
    const char *program, *kernel;
    uint32_t groups[3], local[3];
    uint32_t repeat, queues;
    int time, list, json;
    char **arguments; /* the kernel's, as text */
    size_t argument_count;
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_WRONG };

/* Parses the command line. OPTIONS_DONE: --help or --version was printed. OPTIONS_WRONG: the reason is in `why`. */
enum options_result options_parse(int count, char **words, struct options *out, char why[REASON_BYTES]);

#endif
