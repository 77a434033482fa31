/* Notes for debuggers what the code that is selected belongs to: scopes of instructions, variables and their homes. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_DEBUG_INFO_H
#define CMKIT_LOWER_CODEGEN_EMIT_DEBUG_INFO_H

#include "lower/codegen/emit/selection.h"

/* Returns the number of the scope of a debug location in s->out->debug; 0: debug information is not asked for. */
unsigned cg_debug_scope(struct selection *s, LLVMMetadataRef location);

/* Returns what debuggers are told of s->out. */
struct debug_unit *cg_debug_unit(struct selection *s);

/* Returns the number of a variable, in one copy of its function, in s->out->debug; 0: it is not known. */
unsigned cg_debug_variable(struct selection *s, LLVMMetadataRef variable, LLVMMetadataRef inlined_at);

/* Returns the home of the variable that a watch (lower/ir/watch.h) is about: a vISA variable that is larger than the
 * source's, so that no instruction writes all of it. The finalizer takes a variable for dead before a write of all of
 * it. 0: the variable is not known. */
unsigned cg_debug_home(struct selection *s, LLVMValueRef watch);

/* Notes that the part of a home that begins at a byte gets a value. False: it has it already, since the block began. */
bool cg_debug_writes(struct selection *s, unsigned home, int offset, LLVMValueRef value);

/* Keeps the homes that are used from instruction `first` on alive until the function returns: reads them there. */
void cg_debug_keep_homes(struct selection *s, size_t first);

/* Frees what is known of s->out. */
void cg_debug_free(struct selection *s);

#endif
