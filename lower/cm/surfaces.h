/* How a kernel uses a surface: what the driver and the dialect of IGC's back end must know of it. */
#ifndef CMKIT_LOWER_CM_SURFACES_H
#define CMKIT_LOWER_CM_SURFACES_H

#include "lower/ir/ir.h"
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

/* What messages take a handle, also where it goes to a function, is chosen, or lies in an array in between. */
struct surface_uses {
    unsigned uses;                    /* 0: as a buffer, or not at all */
    unsigned block_width, block_rows; /* bytes, rows of the largest block in an image */
    LLVMValueRef on_image, on_buffer; /* the first message of each kind */
};
/* Of a kernel's parameter; a vector's elements are used like one another. */
struct surface_uses uses_of_surface(LLVMValueRef kernel, unsigned parameter);

/* The first message that takes the surface for an image where [[type("...")]], or without one another message, says
 * that it is a buffer, or the other way round. NULL: none does. */
LLVMValueRef misuse_of_surface(const struct surface_uses *uses, const char *type);

/* From one row of a block to the next in media messages: a power of two of bytes, at least 4. */
unsigned block_pitch(unsigned width);

/* What [[type("...")]] says of an image's accesses, else what the kernel does. */
enum visa_access image_access(const char *type, unsigned uses);

#endif
