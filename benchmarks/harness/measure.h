/* Declares how the parent process measures one variant on one input: it compiles it and runs a worker. */
#ifndef CMKIT_BENCHMARKS_HARNESS_MEASURE_H
#define CMKIT_BENCHMARKS_HARNESS_MEASURE_H

#include "benchmarks/harness/suite.h"

struct measure {
    const struct programs *programs;
    int simulated;       /* under gensim, or on the machine's GPU */
    const char *threads; /* host threads of gensim; NULL: all */
    unsigned repeat;     /* 0: as is usual for the device */
    int timing;          /* by gensim's model */
    const char *machine; /* of the model; NULL: the platform's first */
    const char *draws;   /* of its constants: a number; NULL: none */
    const char *profile; /* folder for a page of each variant; NULL: none */
};

/* Measures result->variant of result->workload for result->platform, and fills the rest of `result`. `kept`: compare
 * with what the workload's first variant left; that one leaves its own. */
void measure_variant(const struct measure *measure, const struct bench_input *input, int kept, struct result *result);

/* Removes what was left for comparisons. */
void measure_forget(const struct measure *measure);

#endif
