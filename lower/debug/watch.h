/* Defines watches: calls of WATCH_PREFIX functions that carry the value which a source variable, or a part of it, has
 * from there on. Code generation copies it to the variable's home (codegen/select/select_watch.c).
 *
 * Operands: the variable's number in the named metadata WATCH_LIST, the part's first byte in the variable, what else is
 * known (enum watch_fact), and the value. */
#ifndef CMKIT_LOWER_DEBUG_WATCH_H
#define CMKIT_LOWER_DEBUG_WATCH_H

#define WATCH_PREFIX "cm.watch."
#define WATCH_LIST   "cm.watched"

enum { WATCH_VARIABLE, WATCH_OFFSET, WATCH_FACTS, WATCH_VALUE, WATCH_OPERANDS };

enum watch_fact {
    WATCH_IS_SHARED = 1, /* a function that is called may change the variable */
    WATCH_IS_PASSED = 2  /* it is the value that a parameter has from its function's start */
};

/* The largest variable that gets a home. */
enum { WATCH_MOST_BYTES = 1024 };

#endif
