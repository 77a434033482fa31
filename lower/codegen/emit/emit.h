/* Appends one vISA instruction or variable to the kernel that is being selected, and keeps the caches of struct
 * selection valid. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_EMIT_H
#define CMKIT_LOWER_CODEGEN_EMIT_EMIT_H

#include "lower/codegen/emit/selection.h"

struct visa_instruction *cg_emit(struct selection *s, const struct visa_instruction *instruction);

unsigned cg_new_variable(struct selection *s, enum visa_type type, unsigned elements, unsigned align,
                         const char *comment);
unsigned cg_new_predicate(struct selection *s, unsigned lanes);
unsigned cg_mask_parts(unsigned lanes);                    /* predicate variables of a mask */
unsigned cg_new_mask(struct selection *s, unsigned lanes); /* the first of its predicate variables */

/* A message payload: aligns the variable to a register. */
struct visa_operand cg_raw_operand(struct selection *s, unsigned variable, int offset);

/* The vISA type of an element; `sign`: 'S' or 'U' for integers. */
enum visa_type cg_visa_type(LLVMTypeRef element, char sign);

/* Clears s->same[]: no two variables are known to have equal contents any more. */
void cg_forget_same(struct selection *s);

/* The number of the source file of a debug scope; 0: it has none. */
unsigned cg_file_of_scope(struct visa_program *program, LLVMMetadataRef scope);

/* Prints the first error of the kernel. Returns true, because the instruction counts as handled. */
bool cg_fail(struct selection *s, LLVMValueRef at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void cg_refuse_doubles(struct selection *s,
                       LLVMValueRef at); /* the error of an operation on doubles where the platform has none */

#endif
