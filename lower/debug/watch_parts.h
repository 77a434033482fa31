/* Builds watches of one variable's parts. */
#ifndef CMKIT_LOWER_DEBUG_WATCH_PARTS_H
#define CMKIT_LOWER_DEBUG_WATCH_PARTS_H

#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"

/* A variable at an address, and how it is watched. */
struct watch_parts {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    unsigned number;
    unsigned facts; /* enum watch_fact */
    bool all;       /* unions and pointer variables, too, which the program does not access as watches do */
};

/* Watches all numbers in a variable of `type` at `address`, before the builder's position. Of pointers, only variables
 * are watched (`all`), not members and elements. Of a reference, the elements that it names. */
void watch_parts_build(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address);

/* Watches one value, `offset` bytes into the variable. Returns the watch. */
LLVMValueRef watch_build(struct watch_parts *w, LLVMValueRef value, uint64_t offset);

/* Returns the address `offset` bytes behind another. */
LLVMValueRef watch_behind(struct watch_parts *w, LLVMValueRef address, uint64_t offset);

/* The bytes of a watched value. */
unsigned watch_value_bytes(LLVMValueRef value);

/* Forgets the values of parts of variables in memory that the program does not access as watches do. */
void watch_forget_parts(LLVMModuleRef module);

/* Returns the module's watched variables, by number; free() them. */
LLVMMetadataRef *watch_variables_of(LLVMModuleRef module, unsigned *count);

/* The bytes of a variable; 0: not known. */
unsigned watch_variable_bytes(LLVMContextRef context, LLVMMetadataRef variable);

/* Returns the expression of a debug record for a part of a variable. LLVM wants none for all of it. */
LLVMMetadataRef watch_expression(LLVMContextRef context, LLVMDIBuilderRef builder, LLVMMetadataRef variable,
                                 unsigned offset, unsigned bytes);

#endif
