/* Places of kernel arguments, of what crosses the calls of functions, and of globals (docs/compiler/abi.md). */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_ARGUMENT_LAYOUT_H
#define CMKIT_LOWER_CODEGEN_EMIT_ARGUMENT_LAYOUT_H

#include "lower/codegen/emit/selection.h"

unsigned align_up(unsigned n, unsigned to);

/* The next aligned place from byte `from` on. No argument crosses a register unless it fills whole ones. */
unsigned next_place(const struct selection *s, unsigned from, unsigned bytes, unsigned alignment);

unsigned value_bytes(LLVMTypeRef type); /* of a number or vector in registers */

/* A new variable for a value that crosses the calls of a subroutine. */
struct place new_slot(struct selection *s, LLVMTypeRef type);

/* The variable of global number `global`, which all subroutines of the kernel share. */
unsigned global_variable(struct selection *s, unsigned global, LLVMTypeRef type);

#endif
