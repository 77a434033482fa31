/* Prints the zebin's .ze_info section, which the driver reads to launch a kernel. docs/compiler/abi.md explains it. */
#ifndef CMKIT_VISA_EMIT_ZE_INFO_H
#define CMKIT_VISA_EMIT_ZE_INFO_H

#include <stdio.h>
#include "visa_emit/finalize.h"

/* The format version of the printed fields: the newest that the oldest supported driver reads without a warning. */
#define ZE_INFO_VERSION "1.15"

/* Prints the whole section. */
void ze_info_print(const struct visa_program *program, const struct gen_code *codes, FILE *out);

#endif
