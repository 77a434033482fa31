/* Hides the loads of watches of variables in memory. LLVM's instcombine would take them for reads, and keep stores that
 * nothing else reads.
 *
 * A debug record remembers what was read, behind which write of the block, and how many writes of the variable, and of
 * memory that is not known, its function has. If a write has moved or gone meanwhile, the value is not known. */
#ifndef CMKIT_LOWER_DEBUG_WATCH_LOADS_H
#define CMKIT_LOWER_DEBUG_WATCH_LOADS_H

#include "lower/debug/watch_parts.h"

struct watch_loads {
    struct watch_parts *parts;
    LLVMValueRef function;
    struct pointer_map writes; /* of variables: how many */
    size_t other_writes;
    unsigned last; /* number of the last write in the block; 0: none */
};

/* Counts the writes of a function. `marks`: gives them numbers, which they keep until watch_loads_end(). */
void watch_loads_begin(struct watch_loads *h, struct watch_parts *parts, LLVMValueRef function, bool marks);
void watch_loads_end(struct watch_loads *h, bool unmarks);

/* Takes the next instruction of the function; LLVMGetFirstInstruction() of a block begins it. */
void watch_loads_visit(struct watch_loads *h, LLVMValueRef i);

/* Returns the address and the expression of a record for the load of a watch, which is the last use; NULL: the value is
 * not one that can be read again. */
LLVMValueRef watch_loads_expression(struct watch_loads *h, LLVMDIBuilderRef builder, LLVMValueRef load,
                                    LLVMMetadataRef variable, unsigned offset, LLVMMetadataRef *expression);

/* True if the expression is one of these. */
bool watch_loads_is_one(LLVMValueRef expression);

/* Loads a hidden value again, before the builder's position; NULL: it is not known. */
LLVMValueRef watch_loads_build(struct watch_loads *h, LLVMValueRef address, LLVMValueRef expression);

#endif
