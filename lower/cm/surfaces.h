/* Describes how a kernel uses a surface, for the driver and for the dialect of IGC's back end. */
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

/* The messages that use a handle, also if it is passed to a function, selected, or kept in an array in between. */
struct surface_uses {
    unsigned uses;                    /* 0: as a buffer, or not at all */
    unsigned block_width, block_rows; /* bytes, rows of the largest block in an image */
    LLVMValueRef on_image, on_buffer; /* the first message of each kind */
};
/* Returns the uses of a kernel's parameter. All elements of a vector count as used alike. */
struct surface_uses surface_uses_of(LLVMValueRef kernel, unsigned parameter);

/* Returns the first message that uses the surface as an image although [[type("...")]], or without one another message,
 * says that it is a buffer, or the other way round. NULL: none does. */
LLVMValueRef surface_misuse(const struct surface_uses *uses, const char *type);

/* Returns the distance in bytes between rows of a block in media messages: a power of two, at least 4. */
unsigned surface_block_pitch(unsigned width);

/* Returns the access of an image as [[type("...")]] declares it, otherwise as the kernel uses it. */
enum visa_access surface_image_access(const char *type, unsigned uses);

#endif
