/* Notes which records of source variables (lower/debug/watch_values.c) hold where each source line begins. */
#ifndef CMKIT_LOWER_DEBUG_WATCH_LINES_H
#define CMKIT_LOWER_DEBUG_WATCH_LINES_H

#include "lower/ir/ir.h"

/* The state of a part of a variable: the number of a record, or one of these. */
#define STATE_NONE 0u         /* no value yet */
#define STATE_OPEN (~0u)      /* not known yet */
#define STATE_MANY (~0u - 1u) /* several, by the path */

/* A column of a line of a function, or of one inlined copy of it; column 0: the line. */
struct watch_line {
    LLVMMetadataRef function, inlined_at;
    unsigned line, column;
    unsigned *states; /* per part */
    size_t next;      /* of the same hash; index + 1 */
};

struct watch_lines {
    LLVMContextRef context;
    size_t parts;
    struct watch_line *list;
    size_t count, capacity;
    struct pointer_map first;        /* hash to index + 1 */
    size_t current;                  /* the line of the last instruction of the block, index + 1; 0: none */
    unsigned *begun;                 /* per part: the state where that line began */
    LLVMMetadataRef scope, function; /* the last scope that was asked for, and its function */
};

void watch_lines_open(struct watch_lines *s, LLVMContextRef context, size_t parts);
void watch_lines_close(struct watch_lines *s);
void watch_lines_begin_block(struct watch_lines *s);

/* Notes the states of all parts before an instruction at `place`; NULL: it has none. Those of its line and column are
 * the states where the line begins: the instruction before that, in its block, is of another line. */
void watch_lines_note(struct watch_lines *s, LLVMMetadataRef place, const unsigned *states);

/* A record that says that a value is not known does not hold anywhere. */
void watch_lines_hide(struct watch_lines *s, size_t part, unsigned record);

/* Appends them to the module's named metadata WATCH_STATES (lower/ir/watch.h). */
void watch_lines_write(const struct watch_lines *s, LLVMModuleRef module);

#endif
