/* Prints what checks find, each place in the code once, and counts the rest. */
#ifndef CMKIT_SIM_CHECK_REPORT_H
#define CMKIT_SIM_CHECK_REPORT_H

#include "sim/check/check.h"

/* One finding. */
struct check_finding {
    enum sim_check kind;
    uint64_t hash;               /* of the kernel's code */
    const char *what;            /* one sentence without a full stop */
    const char *address;         /* a line about the address, "" for none */
    const char *did, *other_did; /* "written", "read": what happened at the two sites; other_did NULL: one site only */
    struct check_site site, other;
};

/* Reads the file of suppressions, one a line: KIND KERNEL SOURCE, where KERNEL and SOURCE are shell patterns and '#'
 * starts a comment. NULL: there is no file. Returns NULL, or a sentence about the file's mistake (static). */
const char *check_suppressions_read(const char *path);

/* Prints the finding to standard error if it is the first at its sites and not suppressed. */
void check_report(const struct check_finding *finding, check_describe *describe, const void *context);

/* Prints how much was found, if anything was, and returns the number of places. */
unsigned check_report_end(void);

#endif
