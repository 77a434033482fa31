/* Finds the relocations of string addresses in Gen code. */
#ifndef CMKIT_VISA_EMIT_STRING_RELOCATIONS_H
#define CMKIT_VISA_EMIT_STRING_RELOCATIONS_H

#include "visa_emit/finalize.h"

struct string_relocation {
    size_t offset;         /* bytes from the code's start: the four bytes there are replaced */
    unsigned string, half; /* 0: low dword of the address, 1: high */
};

/* Finds every number from `base` on, two for each of `strings`. The caller frees *places. 0 and NULL: none, or out of
 * memory. */
size_t string_relocations_find(const struct gen_code *code, uint32_t base, size_t strings,
                               struct string_relocation **places);

#endif
