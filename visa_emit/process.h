/* Runs another program in a temporary folder. */
#ifndef CMKIT_VISA_EMIT_PROCESS_H
#define CMKIT_VISA_EMIT_PROCESS_H

#include <stdbool.h>
#include <signal.h>
#include <stddef.h>

struct process_result {
    int signal;     /* that ended it, 0: it exited */
    int status;     /* exit status */
    bool timed_out; /* it was killed after the time limit */
    bool starved;   /* it did not end well, after it had used most of the memory that it may have */
    char *output;   /* standard output and standard error, NUL-terminated; the caller frees it */
};

struct process_limits {
    unsigned seconds;
    size_t bytes; /* of address space */
};
#define PROCESS_MEMORY ((size_t)8 << 30) /* bytes: enough for every kernel that was seen to compile */

/* Returns limits of that time and PROCESS_MEMORY. */
static inline struct process_limits process_seconds(unsigned seconds)
{
    return (struct process_limits){seconds, PROCESS_MEMORY};
}

/* Runs argv[0] (found on the path) in `folder` without a shell and with an empty standard input. False: it could not be
 * started, and `error` has one line. */
bool process_run(const char *const *argv, const char *folder, struct process_limits limits,
                 struct process_result *result, char *error, size_t error_size);

/* Looks a program up on the path; a name with a slash is a file's. False: not found, and `path` has its name. */
bool process_find(const char *name, char *path, size_t size);

/* A new private folder in $TMPDIR (else /tmp). While it exists SIGINT, SIGTERM and SIGHUP are blocked, so that the
 * folder never outlives the process. Programs started by process_run() receive them. */
struct scratch {
    char *folder;
    sigset_t before; /* the signal mask to restore */
};

bool scratch_create(struct scratch *scratch, char *error, size_t error_size);
void scratch_remove(struct scratch *scratch); /* with its files */

/* Reads a whole file of the folder and appends a NUL. The caller frees it. NULL: no such file, or it is over 1 GiB. */
char *scratch_read(const struct scratch *scratch, const char *name, size_t *size);
bool scratch_write(const struct scratch *scratch, const char *name, const char *text, char *error, size_t error_size);
bool scratch_write_bytes(const struct scratch *scratch, const char *name, const void *bytes, size_t size, char *error,
                         size_t error_size);

/* Returns the set of blocked signals. */
void scratch_signals(sigset_t *signals);

#endif
