/* Shows a progress line on the terminal while a kernel runs for long: the groups that are done, and the speed. */
#ifndef CMKIT_SIM_STREAM_PROGRESS_H
#define CMKIT_SIM_STREAM_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

struct dispatch;

struct progress {
    atomic_int wanted;                            /* standard error is a terminal */
    const char *(*name)(const struct dispatch *); /* of the kernel; called when a line is written */
    const struct dispatch *dispatch;
    uint64_t hash, groups, started; /* nanoseconds */
    atomic_uint_fast64_t done, instructions, next;
    atomic_int shown;
};

/* Sets the time before the line is shown: 2000 milliseconds. Tests use less. */
void progress_set_patience(unsigned milliseconds);

/* Call it when a kernel of `groups` groups begins. `name` returns its name; if that is "", the hash of its code is
 * shown. */
void progress_start(struct progress *progress, const char *(*name)(const struct dispatch *),
                    const struct dispatch *dispatch, uint64_t hash, uint64_t groups);

/* Adds issued instructions and completed groups, and from time to time writes the line. Any thread may call it. */
void progress_advance(struct progress *progress, uint64_t instructions, unsigned groups);

/* Erases the line. No thread may call progress_advance() any more. */
void progress_end(struct progress *progress);

#endif
