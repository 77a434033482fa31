/* The passes of the first half, each in the file of its name; pipeline.c runs them in order. Every pass takes the whole
 * module and returns false after printing an error. */
#ifndef CMKIT_LOWER_PASSES_H
#define CMKIT_LOWER_PASSES_H

#include <llvm-c/Core.h>
#include "lower/ir/options.h"

/* Questions about the part (__cm_has) to constants. */
bool pass_platform(LLVMModuleRef module, const struct lower_options *options);

/* Everything is inlined into the kernels; mutable globals become the kernels' own variables. */
bool pass_inline(LLVMModuleRef module, const struct lower_options *options);

/* Constraints of asm checked; its operands in predicates are masks. */
bool pass_assembly(LLVMModuleRef module, const struct lower_options *options);

/* SIMD_IF, SIMD_DO_WHILE ... to explicit lane masks, on memory, before any pass may think the branches scalar.
 * needs: everything inlined; breaks: block order, dominance of values (all are in memory while it runs) */
bool pass_simd_control_flow(LLVMModuleRef module, const struct lower_options *options);

/* Private structs, above all references, to one variable per field. */
bool pass_split(LLVMModuleRef module, const struct lower_options *options);

/* Variables that are only loaded and stored as a whole to values. */
bool pass_promote(LLVMModuleRef module, const struct lower_options *options);

/* References to SSA values, loads from constant tables to constants. */
bool pass_references(LLVMModuleRef module, const struct lower_options *options);

/* cm.part and cm.distance, the lanes of parts of references: to constants, or moves of single offsets.
 * needs: references are values (LLVM's sroa) */
bool pass_parts(LLVMModuleRef module, const struct lower_options *options);

/* References to one address and constant lane offsets. */
bool pass_fold_references(LLVMModuleRef module, const struct lower_options *options);

/* What LLVM's instcombine folds, where there may be any of it. */
bool pass_scalar(LLVMModuleRef module, const struct lower_options *options);

/* Loops of constant length to a copy of the body for each round.
 * needs: counters are values */
bool pass_unroll(LLVMModuleRef module, const struct lower_options *options);

/* The others, by LLVM's unroller, where there are any. */
bool pass_unroll_rest(LLVMModuleRef module, const struct lower_options *options);

/* Integers of sizes that no part has, which LLVM's loop passes make: to the next size. */
bool pass_odd_integers(LLVMModuleRef module, const struct lower_options *options);

/* Private arrays and structs to LLVM vectors; references to region reads and writes of them.
 * needs: references folded to an address in one variable and constant offsets (LLVM's sroa, instcombine) */
bool pass_variables(LLVMModuleRef module, const struct lower_options *options);

/* The same of variables that are only accessed at constant places: most temporaries. They need not be copied with the
 * loops that are unrolled, and what is left after unrolling is a third. */
bool pass_early_variables(LLVMModuleRef module, const struct lower_options *options);

/* The other builtins to llvm.genx.* and plain LLVM. */
bool pass_builtins(LLVMModuleRef module, const struct lower_options *options);

/* Quotients of integers to floats' reciprocals, where the part has no division of integers. */
bool pass_divisions(LLVMModuleRef module, const struct lower_options *options);

/* Conversions between 64-bit integers and floats to those of dwords, where the part has no such integers. */
bool pass_long_floats(LLVMModuleRef module, const struct lower_options *options);

/* What variables are left to values; of equal values, one; what nobody uses goes. */
bool pass_values(LLVMModuleRef module, const struct lower_options *options);

/* Values that LLVM's scalar passes made equal. */
bool pass_equal(LLVMModuleRef module, const struct lower_options *options);

/* Dead-code elimination, including cycles of phis that only use each other. */
bool pass_dead_values(LLVMModuleRef module, const struct lower_options *options);

/* Branches whose way an earlier branch has decided. */
bool pass_jumps(LLVMModuleRef module, const struct lower_options *options);

/* Addresses in global memory to sums of integers.
 * needs: private variables are values (pass "values") */
bool pass_pointers(LLVMModuleRef module, const struct lower_options *options);

/* Reads of reads, reads of writes, writes of everything: folded. */
bool pass_collapse(LLVMModuleRef module, const struct lower_options *options);

/* Writes under a mask that are read under the same mask only; any and all of what is known.
 * needs: values, not memory (pass "values") */
bool pass_masks(LLVMModuleRef module, const struct lower_options *options);

/* Short blocks under a mask lose the jump over them.
 * needs: pass_masks, for values that depend on nothing but the mask */
bool pass_flatten(LLVMModuleRef module, const struct lower_options *options);

/* Lanes that nobody reads: they are not written, and not computed where that saves instructions. */
bool pass_dead_lanes(LLVMModuleRef module, const struct lower_options *options);

/* Vectors whose accesses fall into disjoint parts to a vector each. */
bool pass_decompose(LLVMModuleRef module, const struct lower_options *options);

/* Dwords and floats to words where the bits are the same.
 * breaks: nothing, but LLVM's instcombine would widen again; it must not run after */
bool pass_narrow(LLVMModuleRef module, const struct lower_options *options);

/* Masks and shifts that take bytes or words out of numbers: region reads. */
bool pass_fields(LLVMModuleRef module, const struct lower_options *options);

/* One operation on many lanes, each by itself: on the vector. */
bool pass_lanes(LLVMModuleRef module, const struct lower_options *options);

/* Lanes that are copied one by one from vectors to another one: as regions. */
bool pass_copies(LLVMModuleRef module, const struct lower_options *options);

/* Choices between a result and an older value: the operation under a mask. */
bool pass_predicate(LLVMModuleRef module, const struct lower_options *options);

/* Compares whose result counts for the lanes of a mask: of these lanes.
 * breaks: what mask_analysis.h knows of masks */
bool pass_guards(LLVMModuleRef module, const struct lower_options *options);

/* Loop counters are advanced after their last use, masks of many lanes made right before they are wanted. */
bool pass_late(LLVMModuleRef module, const struct lower_options *options);

/* Operations on doubles that are rounded to halves or floats at once: on floats, where the bits are the same. */
bool pass_doubles(LLVMModuleRef module, const struct lower_options *options);

/* Comparisons of kernels' surfaces and samplers with one another: to what they are. */
bool pass_handles(LLVMModuleRef module, const struct lower_options *options);

/* Constants of sums added up; offsets that are chosen at run time to a multiple of one number plus a constant.
 * breaks: LLVM's instcombine shares parts of offsets again; it must not run after */
bool pass_sums(LLVMModuleRef module, const struct lower_options *options);

/* llvm.is.fpclass to comparisons of bits.
 * breaks: instcombine makes it again */
bool pass_float_classes(LLVMModuleRef module, const struct lower_options *options);

/* llvm.fshl and llvm.fshr to two shifts and their union.
 * breaks: instcombine makes them again */
bool pass_funnel_shifts(LLVMModuleRef module, const struct lower_options *options);

/* Functions of LLVM that vISA does not have, or not for numbers of that width: to operations that there are.
 * breaks: instcombine makes them again */
bool pass_llvm_functions(LLVMModuleRef module, const struct lower_options *options);

/* Results that are written into a vector and used besides are read from the vector.
 * breaks: what collapse does; it must not run after */
bool pass_write_through(LLVMModuleRef module, const struct lower_options *options);

/* Results of calls are taken right behind these.
 * breaks: LLVM's instcombine and simplifycfg move them; they must not run after */
bool pass_call_results(LLVMModuleRef module, const struct lower_options *options);

/* Switches to branches that halve their numbers, but those that a table of jumps serves better.
 * breaks: LLVM's simplifycfg makes switches again; it must not run after */
bool pass_switches(LLVMModuleRef module, const struct lower_options *options);

/* Blocks that only earlier ones lead to, to right behind these. */
bool pass_layout(LLVMModuleRef module, const struct lower_options *options);

/* Inputs of the thread that functions on the stack ask for, to their parameters. */
bool pass_stack_inputs(LLVMModuleRef module, const struct lower_options *options);

#endif
