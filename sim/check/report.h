/* Prints what checks find, each place in the code once, and counts the rest. */
#ifndef CMKIT_SIM_CHECK_REPORT_H
#define CMKIT_SIM_CHECK_REPORT_H

#include "sim/check/check.h"

/* One finding. */
struct check_finding {
    enum sim_check kind;
    uint64_t hash;            /* of the kernel's code */
    const char *what;         /* one sentence without a full stop */
    const char *address;      /* a line about the address, "" for none */
    check_argument *argument; /* names the argument that points into [from, to), where the address `at` is or should be;
                                 from 0, to 0: it is not known */
    uint64_t at, from, to;
    const char *did, *other_did; /* "written", "read": what happened at the two sites; other_did NULL: one site only */
    struct check_site site, other;
};

/* Reads the file of suppressions, one a line: KIND KERNEL SOURCE, where KERNEL and SOURCE are shell patterns and '#'
 * starts a comment. NULL: there is no file. Returns NULL, or a sentence about the file's mistake (static). */
const char *check_suppressions_read(const char *path);

/* Says where check_report_end() writes the findings as JSON and the lines that suppress them; %p in a name is the
 * process's number. NULL: nowhere. Returns NULL, or what is wrong (static). */
const char *check_document_start(const char *report, const char *suppressions);

/* Writes "race scale scale.cl:7", the line that suppresses findings at a place. */
void check_suppression_line(enum sim_check kind, const struct check_location *place, char *text, size_t room);

/* Prints the finding to standard error if it is the first at its sites and not suppressed. */
void check_report(const struct check_finding *finding, check_describe *describe, const void *context);

/* Calls `watcher` with the text of each report from now on. */
void check_report_watch(void (*watcher)(const char *text));

/* Prints how much was found, if anything was, and returns the number of places. */
unsigned check_report_end(void);

#endif
