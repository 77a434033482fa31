/* Places in Gen code that wait for addresses of strings. */
#ifndef CMKIT_VISA_EMIT_STRING_PLACES_H
#define CMKIT_VISA_EMIT_STRING_PLACES_H

#include "visa_emit/finalize.h"

struct string_place {
    size_t offset;         /* bytes from the code's start: four bytes there are replaced */
    unsigned string, half; /* 0: low dword of the address, 1: high */
};

/* Every place of a number from `base` on, two for each of `strings`; the caller frees *places. 0 and NULL: none, or out
 * of memory. */
size_t string_places_find(const struct gen_code *code, uint32_t base, size_t strings, struct string_place **places);

#endif
