/* Splats of conditions: see splat_condition.c. */
#ifndef CMKIT_LOWER_REGIONS_SPLAT_CONDITION_H
#define CMKIT_LOWER_REGIONS_SPLAT_CONDITION_H

#include <stdbool.h>
#include <llvm-c/Core.h>

/* Replaces and erases `splat` if it is a scalar condition in all lanes: a comparison in all lanes takes its place. */
bool regions_replace_splat_of_condition(LLVMBuilderRef builder, LLVMValueRef splat);

#endif
