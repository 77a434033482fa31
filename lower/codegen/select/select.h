/* Instruction selection: turns LLVM instructions into macro instructions, one family per file. select.c walks the
 * blocks. */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_SELECT_H
#define CMKIT_LOWER_CODEGEN_SELECT_SELECT_H

#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/interference.h"
#include "lower/codegen/emit/argument_layout.h"
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/known_addresses.h"
#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/codegen/emit/selection.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/operands/operands.h"
#include "lower/codegen/select/message_operands.h"
#include "lower/codegen/select/moves.h"
#include "lower/ir/operation_info.h"

/* ---- select.c: the walk over the blocks ---- */

void select_kernel_body(struct selection *s);
void select_count_bounds(struct selection *s); /* adds what each line of the unit needs at least to its vISA */
void select_subroutine_body(struct selection *s, struct cg_callee *callee);
void select_stack_body(struct selection *s, struct cg_callee *callee);

/* ---- select_control.c ---- */

/* True if lanes leave a loop on channel enables over an edge on which phis copy values: nothing could execute the
 * copies. */
bool select_return_copies(struct selection *s);

/* ---- select_mask.c ---- */

void select_mask_copy(struct selection *s, unsigned lanes, unsigned dst, unsigned src);

/* ---- select_call.c ---- */
struct cg_callee *select_find_callee(struct selection *s,
                                     LLVMValueRef function); /* entered in its list when it is new */
void select_free_callees(struct cg_callees *all);
void select_bind_parameters(struct selection *s,
                            struct cg_callee *callee); /* a subroutine's live where callers put them */
void select_copy_globals(struct selection *s,
                         struct cg_callee *callee); /* except globals that may not be changed in place */
void select_take_parameters(struct selection *s,
                            struct cg_callee *callee); /* one on the stack copies them from there */

/* ---- select_assembly.c ---- */
bool select_assembly(struct selection *s, LLVMValueRef i);        /* vISA text of the user's */
bool select_assembly_output(struct selection *s, LLVMValueRef i); /* one of several outputs, right after it */

/* One selector per family; each returns false if the instruction is not its. */
bool select_arithmetic(struct selection *s, LLVMValueRef i, struct macro_operand dst, struct macro_operand predicate);
bool select_wide_integer(struct selection *s, LLVMValueRef i); /* 64-bit integers on platforms without them */
/* True for an extended dword all of whose users know the high half, which is not computed then. */
bool select_is_half(const struct selection *s, LLVMValueRef value);
/* mask: true where a lane equals the constant `number`; false: the platform compares such values itself */
bool select_equals_wide(struct selection *s, struct macro_operand mask, LLVMValueRef value, LLVMValueRef number);
bool select_mask(struct selection *s, LLVMValueRef i);    /* results in predicates */
bool select_region(struct selection *s, LLVMValueRef i);  /* rdregion, wrregion, extract, insert, shuffle */
bool select_image(struct selection *s, LLVMValueRef i);   /* texels: typed accesses, the sampler */
bool select_lsc(struct selection *s, LLVMValueRef i);     /* the load/store cache */
bool select_matrix(struct selection *s, LLVMValueRef i);  /* dpas */
bool select_group(struct selection *s, LLVMValueRef i);   /* dp4, sad2, line ... */
bool select_watch(struct selection *s, LLVMValueRef i);   /* homes of source variables, for debuggers */
bool select_send(struct selection *s, LLVMValueRef i);    /* messages by their descriptors */
bool select_message(struct selection *s, LLVMValueRef i); /* memory, barrier, fence, thread ids */
bool select_call(struct selection *s, LLVMValueRef i);    /* calls of functions, their results */
bool select_control(struct selection *s, LLVMValueRef i, unsigned block);
/* hoist_constants.c: builds constants once, before loops; `starts`: the first instruction of each block that has any.
 */
void select_hoist_constants(struct selection *s, const size_t *starts);
void select_hoist_invariants(struct selection *s); /* hoist_invariants.c: moves loop-invariant values before loops */
/* Fills jump_target. False: lanes that leave a goto loop have no block behind it to meet in. */
bool select_find_empty_blocks(struct selection *s);

unsigned select_local_ids_variable(struct selection *s); /* select_message.c */

/* ---- constant_rows.c ---- */

/* Returns the lanes of each row of `operation` that has a constant with one number in each, where row by row is less
 * work; 0: there are none. */
unsigned select_constant_rows(const struct selection *s, LLVMValueRef operation);

/* Lanes [first, first + lanes) of an operand; false: they are no region. */
bool select_lanes_from(const struct macro_operand *o, unsigned first, unsigned lanes, struct macro_operand *out);

#endif
