/* The zebin's .ze_info section: what the driver must know to launch a kernel. docs/compiler/abi.md explains it. */
#ifndef CMKIT_VISA_EMIT_ZE_INFO_H
#define CMKIT_VISA_EMIT_ZE_INFO_H

#include <stdio.h>
#include "visa_emit/finalize.h"

/* The version whose fields are written here: the newest that the oldest driver we support reads without a warning. */
#define ZE_INFO_VERSION "1.15"

/* The text of the whole section. */
void ze_info_print(const struct visa_program *program, const struct gen_code *codes, FILE *out);

#endif
