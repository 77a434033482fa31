/* Splats of conditions: see splat_condition.c. */
#ifndef CMKIT_LOWER_REGIONS_SPLAT_CONDITION_H
#define CMKIT_LOWER_REGIONS_SPLAT_CONDITION_H

#include <stdbool.h>
#include <llvm-c/Core.h>

/* True if all users of scalar `number` put it into all lanes of a vector. */
bool regions_is_only_splatted(LLVMValueRef number);

/* The mask whose lanes are all `condition`, an i1, computed by a comparison in all lanes. */
LLVMValueRef regions_condition_in_all_lanes(LLVMBuilderRef builder, LLVMValueRef condition, unsigned lanes);

/* Replaces and erases `splat` if it is a scalar condition in all lanes: a comparison in all lanes takes its place. */
bool regions_replace_splat_of_condition(LLVMBuilderRef builder, LLVMValueRef splat);

#endif
