/* Converts what a zebin says of itself to JSON. */
#ifndef CMKIT_RUNTIME_DESCRIBE_H
#define CMKIT_RUNTIME_DESCRIBE_H

#include <stdio.h>
#include "runtime/cmrt.h"

/* Prints an object: product, sections, relocations, whether there is debug information, and .ze_info as JSON. `bytes`
 * are untrusted: CMRT_BAD_FILE with a message if they are not a zebin. */
enum cmrt_status describe_zebin(const void *bytes, size_t size, FILE *out);

#endif
