/* Forwards in-place writes: predicts what write_through.c will do. */
#ifndef CMKIT_LOWER_REGIONS_WRITE_THROUGH_H
#define CMKIT_LOWER_REGIONS_WRITE_THROUGH_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* True if pass_write_through will make all other users of the written result read the vector: the write costs nothing.
 */
bool regions_is_computed_in_place(LLVMValueRef write);

#endif
