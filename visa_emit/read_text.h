/* Reads back what a kernel's text says of its launch: lines `//.thread` and `//.arg`, which visa_print() writes into
 * vISA text and cmc into Gen assembly, else the `.input` lines of vISA. */
#ifndef CMKIT_VISA_EMIT_READ_TEXT_H
#define CMKIT_VISA_EMIT_READ_TEXT_H

#include "visa_emit/visa.h"

/* Prints these lines for one kernel:
 *   //.thread slm=BYTES barrier=0|1 strings=COUNT
 *   //.arg INDEX KIND ACCESS offset=N size=N binding=N dimensions=N block=NxN NAME TYPE */
void visa_print_launch(const struct visa_program *program, const struct visa_kernel *kernel, FILE *out);

/* One kernel of a file: where its text is. */
struct visa_part {
    const char *text;
    size_t size;
    unsigned line; /* number of its first line in the file, from 1 */
};

/* Adds to `program` a kernel, without instructions, for each kernel of `text`, and its part of the text to parts[] (at
 * most `most`). Gen assembly (`assembly`) without a line `//.kernel` is one kernel of the name `otherwise`. False:
 * `error` has the reason, behind `*error_line` (0: no line). */
bool visa_read_text(struct visa_program *program, const char *text, bool assembly, const char *otherwise,
                    struct visa_part *parts, size_t most, unsigned *error_line, char *error, size_t error_size);

#endif
