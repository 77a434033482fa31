/* Translates locations of variables from Intel's DWARF to DWARF that gdb understands. */
#ifndef CMKIT_SIM_GDB_LOCATIONS_H
#define CMKIT_SIM_GDB_LOCATIONS_H

#include <stddef.h>
#include <stdint.h>

/* Translates a location list section (.debug_loc, DWARF 4) in place, list by list: expressions keep their lengths.
 * Registers have `register_bytes`. What has no translation becomes "optimized out". */
void gdb_locations_translate(uint8_t *section, size_t size, unsigned register_bytes);

/* Translates the expressions in .debug_info in place, and adds `shift` to all addresses. */
void gdb_units_translate(uint8_t *info, size_t size, const uint8_t *abbreviations, size_t abbreviation_bytes,
                         unsigned register_bytes, uint64_t shift);

/* Hides the types of what functions return, in .debug_abbrev: gdb's `finish` would print a value from registers of x86,
 * which are not there. */
void gdb_units_hide_returns(uint8_t *abbreviations, size_t size);

/* Translates one expression in place. */
void gdb_location_translate(uint8_t *expression, size_t size, unsigned register_bytes);

#endif
