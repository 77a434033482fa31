/* Writes .debug_abbrev: what the entries of .debug_info consist of. */
#ifndef CMKIT_VISA_EMIT_DWARF_ABBREVIATIONS_H
#define CMKIT_VISA_EMIT_DWARF_ABBREVIATIONS_H

#include "visa_emit/dwarf_writer.h"

void dwarf_put_abbreviations(struct dwarf_writer *w);

#endif
