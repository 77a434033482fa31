/* Writes the operations of locations and of location lists. gensim translates them for gdb (sim/gdb/locations.c). */
#ifndef CMKIT_VISA_EMIT_DWARF_LOCATIONS_H
#define CMKIT_VISA_EMIT_DWARF_LOCATIONS_H

#include "visa_emit/debug_places.h"
#include "visa_emit/dwarf_writer.h"

/* Writes the registers from a byte of the register file on, one after the other. */
void dwarf_put_registers(struct dwarf_writer *w, unsigned register_bytes, unsigned place, unsigned bytes);

/* A debugger may overwrite a location by one of its own, which takes more bytes for a part in registers. */
void dwarf_put_room(struct dwarf_writer *w);

/* Writes that bytes are nowhere. */
void dwarf_put_gap(struct dwarf_writer *w, unsigned bytes);

void dwarf_put_constant(struct dwarf_writer *w, const uint8_t *bytes, unsigned count);

/* Writes the address of byte `at` of a place in scratch memory. Its numbers are signed LEB128 numbers of four bytes,
 * which a debugger may overwrite. */
void dwarf_put_memory(struct dwarf_writer *w, const struct debug_place *place, unsigned at);

/* Writes the value of a pointer into a variable in registers or scratch memory. */
void dwarf_put_pointer(struct dwarf_writer *w, const struct debug_place *home, const struct debug_place *target);

/* A pointer to byte `offset` of the variable whose entry in .debug_info is at a place. Returns the position of that
 * place, which dwarf_patch() writes. */
size_t dwarf_put_implicit_pointer(struct dwarf_writer *w, int64_t offset);

/* Begins an entry of a location list; returns the place of its length. */
size_t dwarf_begin_location(struct dwarf_writer *w, size_t start, size_t end);
void dwarf_end_location(struct dwarf_writer *w, size_t size);
void dwarf_end_locations(struct dwarf_writer *w);

#endif
