/* Defines watches: calls of WATCH_PREFIX functions that carry the value which a source variable, or a part of it, has
 * from there on. Code generation copies it to the variable's home (codegen/select/select_watch.c).
 *
 * Operands: the variable's number in the named metadata WATCH_LIST, the part's first byte in the variable, what else is
 * known (enum watch_fact), and the value. */
#ifndef CMKIT_LOWER_IR_WATCH_H
#define CMKIT_LOWER_IR_WATCH_H

#include "lower/ir/ir.h"
#include "visa_emit/debug_info.h"

#define WATCH_PREFIX "cm.watch."
#define WATCH_LIST   "cm.watched"

/* Of optimized code, watches become LLVM's debug records (lower/debug/watch_values.c): each has a number of its own, in
 * place of its source line. This named metadata has a node for each line of a function, or of one inlined copy of it:
 * the function, where it is inlined, the line, then the numbers of the records that say what variables hold where the
 * line begins. A line that begins in several places, such as that of a `for`, has a node for each column, too: they
 * tell its places apart. Column 0 is the line as a whole. */
#define WATCH_STATES "cm.states"
enum { STATE_FUNCTION, STATE_INLINED_AT, STATE_LINE, STATE_COLUMN, STATE_NUMBERS };

/* Metadata of a watch of a pointer into a private variable: this variable, and the place of a watch of it in the same
 * copy of its function. The value is where in it the pointer points, in bytes, + the bias; 0: it is null. */
#define WATCH_TARGET "cm.target"
/* The targets: named metadata, as the verifier lets no other node have locations. */
#define WATCH_TARGETS "cm.targets"
enum { WATCH_TARGET_BIAS = DEBUG_TARGET_BIAS };

enum { WATCH_VARIABLE, WATCH_OFFSET, WATCH_FACTS, WATCH_VALUE, WATCH_OPERANDS };

enum watch_fact {
    WATCH_IS_SHARED = 1, /* a function of the source that is given its address may change the variable */
    WATCH_IS_PASSED = 2, /* it is the value that a parameter has from its function's start */
    WATCH_IS_CHANGED = 4 /* shared, and that function is called, not inlined */
};

/* The largest variable that gets a home: as large as they can be. In optimized code, the largest that is followed. */
enum { WATCH_MOST_BYTES = 16384, WATCH_MOST_TRACKED = 1024 };

/* The key, in a pointer_map, of a column of a line of a function, or of one inlined copy of it. Lines may share it. */
static inline const void *watch_line_hash(LLVMMetadataRef function, LLVMMetadataRef inlined_at, unsigned line,
                                          unsigned column)
{
    enum { GRAIN = 16, COLUMNS = 512 };
    return (const void *)(((uintptr_t)function ^ (uintptr_t)inlined_at * 3) +
                          (uintptr_t)GRAIN * (COLUMNS * (uintptr_t)line + column) + GRAIN);
}

static inline bool ir_is_watch(LLVMValueRef i)
{
    return genx_call_id(i) == GENX_NONE && ir_calls_named(i, WATCH_PREFIX);
}

#endif
