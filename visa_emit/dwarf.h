/* Builds the debug information of a zebin in DWARF 4: the source line of each instruction, and with cmc -g an entry for
 * each kernel and each function. */
#ifndef CMKIT_VISA_EMIT_DWARF_H
#define CMKIT_VISA_EMIT_DWARF_H

#include "visa_emit/finalize.h"

/* Eight bytes of a section that the loader replaces by an address: byte `inside` of a kernel's code. */
struct dwarf_address {
    size_t offset, kernel;
    uint64_t inside;
};

struct dwarf_section {
    char *data;
    size_t size;
    struct dwarf_address *addresses;
    size_t address_count;
};

/* The sections .debug_line, .debug_info, .debug_abbrev, .debug_loc and .debug_ranges. Without program->debug_info all
 * but the first are empty and .debug_line has file names without folders. All are empty if no line is known. */
struct dwarf {
    struct dwarf_section line, info, abbreviations, locations, ranges;
};

/* Builds the sections. False: out of memory. Call dwarf_free() in either case. */
bool dwarf_build(const struct visa_program *program, const struct gen_code *codes, struct dwarf *dwarf);
void dwarf_free(struct dwarf *dwarf);

#endif
