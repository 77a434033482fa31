/* Reads numbers and strings of DWARF sections, which are not trusted (DWARF 4, section 7). After the end a reader
 * returns zeros and sets `failed`. */
#ifndef CMKIT_BINARIES_DWARF_READER_H
#define CMKIT_BINARIES_DWARF_READER_H

#include <stdbool.h>
#include <stdint.h>

struct dwarf_reader {
    const uint8_t *at, *end;
    bool failed;
};

/* Moves past `bytes` bytes and returns the first. NULL: there are not so many. */
const uint8_t *dwarf_skip(struct dwarf_reader *r, uint64_t bytes);

/* Returns a number of 1 to 8 bytes, the low byte first. */
uint64_t dwarf_take(struct dwarf_reader *r, unsigned bytes);

/* Returns a LEB128 number. */
uint64_t dwarf_unsigned(struct dwarf_reader *r);
int64_t dwarf_signed(struct dwarf_reader *r);

/* Returns the string at the reader and moves past it. NULL: it has no end. */
const char *dwarf_string(struct dwarf_reader *r);

#endif
