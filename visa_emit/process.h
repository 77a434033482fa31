/* Running another program, and the folder that it works in. */
#ifndef CMKIT_VISA_EMIT_PROCESS_H
#define CMKIT_VISA_EMIT_PROCESS_H

#include <stdbool.h>
#include <signal.h>
#include <stddef.h>

struct process_result {
    int signal;     /* that ended it, 0: it exited */
    int status;     /* exit status */
    bool timed_out; /* it was killed after the time limit */
    char *output;   /* standard output and standard error, NUL-terminated; the caller frees it */
};

/* Runs argv[0] (found on the path) in `folder` without a shell, standard input empty. False, with one line in `error`:
 * it could not be started. */
bool process_run(const char *const *argv, const char *folder, unsigned seconds, struct process_result *result,
                 char *error, size_t error_size);

/* A fresh private folder in $TMPDIR (else /tmp). While it exists SIGINT, SIGTERM and SIGHUP wait, so that it never
 * outlives the process; programs started by process_run() do get them. */
struct scratch {
    char *folder;
    sigset_t before; /* the signal mask to go back to */
};

bool scratch_create(struct scratch *scratch, char *error, size_t error_size);
void scratch_remove(struct scratch *scratch); /* with its files */

/* A file of the folder, whole, with a NUL behind it; the caller frees it. NULL: there is none, or it is over 1 GiB. */
char *scratch_read(const struct scratch *scratch, const char *name, size_t *size);
bool scratch_write(const struct scratch *scratch, const char *name, const char *text, char *error, size_t error_size);

/* The signals that wait. */
void scratch_signals(sigset_t *signals);

#endif
