/* Writes one section of debug information. */
#ifndef CMKIT_VISA_EMIT_DWARF_WRITER_H
#define CMKIT_VISA_EMIT_DWARF_WRITER_H

#include "visa_emit/dwarf.h"

/* A section under construction. */
struct dwarf_writer {
    struct dwarf_section *section;
    FILE *out;
    bool failed;
};

bool dwarf_open(struct dwarf_writer *w, struct dwarf_section *section);
bool dwarf_close(struct dwarf_writer *w); /* false: out of memory */

void dwarf_put(struct dwarf_writer *w, uint64_t value, unsigned bytes);
void dwarf_put_unsigned(struct dwarf_writer *w, uint64_t value); /* LEB128 */
void dwarf_put_signed(struct dwarf_writer *w, int64_t value);
void dwarf_put_string(struct dwarf_writer *w, const char *text);
size_t dwarf_position(const struct dwarf_writer *w);

/* Writes four bytes over those at an earlier position. */
void dwarf_patch(struct dwarf_writer *w, size_t place, uint64_t value);

/* Reserves room for a length that dwarf_end_length() fills in; returns its offset. */
size_t dwarf_begin_length(struct dwarf_writer *w);
void dwarf_end_length(struct dwarf_writer *w, size_t place);

/* Appends the address of byte `offset` of a kernel's code, which the loader fills in. */
void dwarf_put_address(struct dwarf_writer *w, size_t kernel, uint64_t offset);

#endif
