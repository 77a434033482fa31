/* A line on the terminal while a kernel runs for long: how many of its groups are done, and how fast. */
#ifndef CMKIT_SIM_STREAM_PROGRESS_H
#define CMKIT_SIM_STREAM_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

struct dispatch;

struct progress {
    atomic_int wanted;                            /* standard error is a terminal */
    const char *(*name)(const struct dispatch *); /* of the kernel: asked when a line is to be written */
    const struct dispatch *dispatch;
    uint64_t hash, groups, started; /* nanoseconds */
    atomic_uint_fast64_t done, instructions, next;
    atomic_int shown;
};

/* Long is more than this: 2000 milliseconds. Tests wait less. */
void progress_set_patience(unsigned milliseconds);

/* A kernel of `groups` groups begins. `name` gives its name, for which its code's hash stands if that is "". */
void progress_start(struct progress *progress, const char *(*name)(const struct dispatch *),
                    const struct dispatch *dispatch, uint64_t hash, uint64_t groups);

/* `instructions` more were issued, `groups` more are done. Any thread may say so; now and then it writes the line. */
void progress_advance(struct progress *progress, uint64_t instructions, unsigned groups);

/* Erases the line. No thread may advance any more. */
void progress_end(struct progress *progress);

#endif
