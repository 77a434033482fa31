/* Changes the marks and values of optimized code, for debuggers, when a rewrite moves instructions or splits variables.
 */
#ifndef CMKIT_VISA_EMIT_DEBUG_REWRITE_H
#define CMKIT_VISA_EMIT_DEBUG_REWRITE_H

#include "visa_emit/visa.h"

/* Gives the kernel values, assignments and marks of its own, so that the rewrite can be taken back: kernel->debug as it
 * was has not changed. */
void debug_rewrite_begin(struct visa_program *program, struct visa_kernel *kernel);

/* An instruction that writes `variable` has moved from `from` down to `to`. What is said of the variable's value
 * between is true behind this one only. What was said at this one of others stays where it was. */
void debug_rewrite_moved(struct visa_kernel *kernel, unsigned variable, size_t from, size_t to);

/* A part of a variable that is split: a variable of its own, of which there are `bytes`. */
struct debug_part_of_value {
    unsigned variable, at, bytes;
};

/* The variable's parts are variables now. */
void debug_rewrite_split(struct visa_program *program, struct visa_kernel *kernel, unsigned variable,
                         const struct debug_part_of_value *parts, size_t count);

#endif
