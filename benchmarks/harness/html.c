#include "benchmarks/harness/suite.h"

int report_html(const char *path, const struct options *options, const struct results *results)
{
    (void)options;
    (void)results;
    fprintf(stderr, "cmbench: error: %s: no pages yet\n", path);
    return -1;
}
