/* Which line of the source each Gen instruction comes from. */
#ifndef CMKIT_VISA_EMIT_SOURCE_LINES_H
#define CMKIT_VISA_EMIT_SOURCE_LINES_H

#include "visa_emit/finalize.h"

/* From `offset` bytes behind the kernel's start on, up to the next entry's. File and line as in struct
 * visa_instruction: 0 where no source is known. */
struct source_line {
    size_t offset;
    unsigned file, line;
};

/* The listing's next line that is an instruction, neither a comment nor a label, and its length; moves *rest behind it.
 * NULL at the end. */
const char *listing_instruction(const char **rest, size_t *length);

/* How many instructions lie between two places in the code where instructions start. */
unsigned gen_instructions(const struct gen_code *code, size_t from, size_t to);

/* The lines of a kernel's code, by rising offsets, no two neighbours alike; the caller frees *lines. 0 and NULL: the
 * finalizer's listing does not say, or out of memory. */
size_t source_lines_find(const struct visa_program *program, const struct visa_kernel *kernel,
                         const struct gen_code *code, struct source_line **lines);

#endif
