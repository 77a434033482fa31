/* How a kernel uses a surface: what the driver and the dialect of IGC's back end must know of it. */
#ifndef CMKIT_LOWER_SURFACES_H
#define CMKIT_LOWER_SURFACES_H

#include "lower/ir.h"
#include "visa_emit/visa.h"

enum {
    READS_BLOCKS = 1,
    WRITES_BLOCKS = 2,
    READS_TEXELS = 4,
    WRITES_TEXELS = 8,
    BLOCKS = READS_BLOCKS | WRITES_BLOCKS,
    TEXELS = READS_TEXELS | WRITES_TEXELS,
    READS = READS_BLOCKS | READS_TEXELS,
    WRITES = WRITES_BLOCKS | WRITES_TEXELS
};

/* By the messages that take the handle, in functions that it is passed to as well. 0: as a buffer, or not at all. */
unsigned uses_of_surface(LLVMValueRef handle);

/* The first message, in functions that the handle is passed to as well, that takes it for an image where
 * [[type("...")]] says that it is a buffer, or the other way round. NULL: none does, or the type is empty. */
LLVMValueRef misuse_of_surface(LLVMValueRef handle, const char *type);

/* What [[type("...")]] says of an image's accesses, else what the kernel does. */
enum visa_access image_access(const char *type, unsigned uses);

#endif
