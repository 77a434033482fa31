/* Finds which private variable a watched pointer points into, and where in it (cmc -O0 -g). */
#ifndef CMKIT_LOWER_DEBUG_WATCH_PRIVATE_H
#define CMKIT_LOWER_DEBUG_WATCH_PRIVATE_H

#include "lower/ir/ir.h"

/* A source variable in one copy of its function: the place is that of a watch of it. NULL: none is found yet. */
struct watch_target {
    LLVMMetadataRef variable, place;
};

/* A pointer in a private variable, and the variable that has its offset. */
struct watch_shadow {
    LLVMValueRef slot, offset;
    int64_t at;
};

struct watch_private {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMMetadataRef *variables; /* the module's watched ones */
    struct pointer_map offsets; /* pointers to their offsets */
    struct watch_shadow *shadows;
    size_t shadow_count, shadow_capacity;
};

void watch_private_open(struct watch_private *p, LLVMModuleRef module, LLVMBuilderRef builder);
void watch_private_close(struct watch_private *p);

/* True if a watch is of a pointer that points into the target, or is null: a variable, a member of a structure or an
 * element of an array. A target without a variable becomes the one that is found. */
bool watch_private_find(const struct watch_private *p, LLVMValueRef watch, struct watch_target *target);

/* Returns the byte of the variable that such a pointer points to, + WATCH_TARGET_BIAS; 0: it is null. */
LLVMValueRef watch_private_offset(struct watch_private *p, LLVMValueRef watch);

/* Notes, at a watch of this number, what it is an offset in. */
void watch_private_note(const struct watch_private *p, LLVMValueRef watch, const struct watch_target *target);

#endif
