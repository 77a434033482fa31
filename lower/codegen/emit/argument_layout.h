/* Assigns places (variable and offset) to kernel arguments, to values that cross calls, and to globals
 * (docs/compiler/abi.md). */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_ARGUMENT_LAYOUT_H
#define CMKIT_LOWER_CODEGEN_EMIT_ARGUMENT_LAYOUT_H

#include "lower/codegen/emit/selection.h"

unsigned cg_align_up(unsigned n, unsigned to);

/* Returns the next aligned offset from byte `from` on. An argument crosses a register boundary only if it fills whole
 * registers. */
unsigned cg_next_offset(const struct selection *s, unsigned from, unsigned bytes, unsigned alignment);

unsigned cg_value_bytes(LLVMTypeRef type); /* of a number or vector in registers */

/* Creates a variable for a value that crosses the calls of a subroutine. */
struct cg_location cg_new_location(struct selection *s, LLVMTypeRef type);

/* Returns the variable of global number `global`, which all subroutines of the kernel share. */
unsigned cg_global_variable(struct selection *s, unsigned global, LLVMTypeRef type);

#endif
