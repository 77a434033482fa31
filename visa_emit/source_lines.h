/* Finds the source line of each Gen instruction. */
#ifndef CMKIT_VISA_EMIT_SOURCE_LINES_H
#define CMKIT_VISA_EMIT_SOURCE_LINES_H

#include "visa_emit/finalize.h"

/* The source line of the code from `offset` bytes after the kernel's start to the next entry. File and line as in
 * struct visa_instruction: 0 if not known. */
struct source_line {
    size_t offset;
    unsigned file, line;
};

/* Returns the listing's next instruction line (neither comment nor label) and its length, and moves *rest past it.
 * NULL at the end. */
const char *listing_instruction(const char **rest, size_t *length);

/* Counts the instructions between two offsets at which instructions start. */
unsigned gen_instructions(const struct gen_code *code, size_t from, size_t to);

/* An instruction of the listing: its text (not NUL-terminated), its place in the code, and the vISA instruction that it
 * was made from, of the kernel or of one of its stack functions (`unit`). NULL: not known. */
struct gen_line {
    const char *text;
    size_t length, offset;
    const struct visa_kernel *unit;
    unsigned subroutine; /* of the unit, by its number; 0: in none */
    const struct visa_instruction *from;
};

/* Calls `visit` for each Gen instruction in the order of the code. False: the listing and the code differ in length, or
 * out of memory. */
typedef void gen_line_visitor(void *user, const struct gen_line *line);
bool gen_lines_visit(const struct visa_program *program, const struct visa_kernel *kernel, const struct gen_code *code,
                     gen_line_visitor *visit, void *user);

/* Returns the lines of a kernel's code in ascending order of offsets; adjacent entries differ. The caller frees *lines.
 * 0 and NULL: the finalizer's listing has no line numbers, or out of memory. */
size_t source_lines_find(const struct visa_program *program, const struct visa_kernel *kernel,
                         const struct gen_code *code, struct source_line **lines);

#endif
