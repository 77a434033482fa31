/* Defines the table of workloads of cmbench from workloads.def. */
#include "benchmarks/harness/workload.h"

#define WORKLOAD(NAME) extern const struct workload workload_##NAME;
#include "benchmarks/workloads.def"
#undef WORKLOAD

static const struct workload *const workloads[] = {
#define WORKLOAD(NAME) &workload_##NAME,
#include "benchmarks/workloads.def"
#undef WORKLOAD
};

int main(int count, char **words)
{
    const struct bench_table table = {workloads, sizeof workloads / sizeof *workloads, CMKIT_BENCHMARKS};
    return bench_main(&table, count, words);
}
