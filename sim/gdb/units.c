/* Finds the locations in .debug_info (DWARF 4, section 7.5), for their translation. */
#include "sim/gdb/locations.h"

#include <stdbool.h>
#include <string.h>
#include "binaries/dwarf_reader.h"

enum { TAG_SUBPROGRAM = 0x2e };
enum {
    AT_LOCATION = 0x02,
    AT_FRAME_BASE = 0x40,
    AT_TYPE = 0x49,
    AT_UNUSED = 0x0e,
    FORM_ADDRESS = 0x01,
    FORM_EXPRESSION = 0x18
};

/* Moves behind an attribute's value, and returns the bytes of an expression in it with their number. */
static const uint8_t *skip_value(struct dwarf_reader *r, uint64_t form, uint64_t *size)
{
    /* Bytes of forms of a fixed size, by number: addresses, numbers, flags, references, offsets, signatures. */
    static const uint8_t fixed[] = {[0x01] = 8, [0x05] = 2, [0x06] = 4, [0x07] = 8, [0x0b] = 1, [0x0c] = 1, [0x0e] = 4,
                                    [0x10] = 4, [0x11] = 1, [0x12] = 2, [0x13] = 4, [0x14] = 8, [0x17] = 4, [0x20] = 8};
    enum { FORM_PRESENT = 0x19 };
    switch (form) {
    case 0x03: *size = dwarf_take(r, 2); return dwarf_skip(r, *size); /* blocks */
    case 0x04: *size = dwarf_take(r, 4); return dwarf_skip(r, *size);
    case 0x0a: *size = dwarf_take(r, 1); return dwarf_skip(r, *size);
    case 0x09:
    case FORM_EXPRESSION: *size = dwarf_unsigned(r); return dwarf_skip(r, *size);
    case 0x08: dwarf_string(r); return NULL;
    case 0x0d: /* signed and unsigned numbers, references */
    case 0x0f:
    case 0x15: dwarf_unsigned(r); return NULL;
    case FORM_PRESENT: return NULL;
    default:
        if (form >= sizeof fixed || fixed[form] == 0)
            r->failed = true;
        else
            dwarf_skip(r, fixed[form]);
        return NULL;
    }
}

/* Finds the attributes of an abbreviation: a reader at the first. */
static struct dwarf_reader find_abbreviation(struct dwarf_reader table, uint64_t wanted)
{
    for (uint64_t number; (number = dwarf_unsigned(&table)) != 0 && !table.failed;) {
        dwarf_unsigned(&table); /* tag */
        dwarf_take(&table, 1);  /* whether there are children */
        if (number == wanted)
            return table;
        for (uint64_t name = 1, form = 1; (name || form) && !table.failed;) {
            name = dwarf_unsigned(&table);
            form = dwarf_unsigned(&table);
        }
    }
    table.failed = true;
    return table;
}

static void add_to_address(const struct dwarf_reader *r, uint64_t shift)
{
    uint64_t address;
    if ((size_t)(r->end - r->at) < sizeof address)
        return;
    memcpy(&address, r->at, sizeof address);
    address += shift;
    memcpy((uint8_t *)r->at, &address, sizeof address);
}

static void translate_entry(struct dwarf_reader *unit, struct dwarf_reader attributes, unsigned register_bytes,
                            uint64_t shift)
{
    while (!attributes.failed && !unit->failed) {
        uint64_t name = dwarf_unsigned(&attributes), form = dwarf_unsigned(&attributes), size = 0;
        if (name == 0 && form == 0)
            return;
        if (form == FORM_ADDRESS && shift)
            add_to_address(unit, shift);
        const uint8_t *expression = skip_value(unit, form, &size);
        if (expression && (name == AT_LOCATION || name == AT_FRAME_BASE))
            gdb_location_translate((uint8_t *)expression, size, register_bytes);
    }
}

void gdb_units_translate(uint8_t *info, size_t size, const uint8_t *abbreviations, size_t abbreviation_bytes,
                         unsigned register_bytes, uint64_t shift)
{
    struct dwarf_reader all = {info, info + size, false};
    while (all.at < all.end && !all.failed) {
        uint64_t length = dwarf_take(&all, 4);
        const uint8_t *start = dwarf_skip(&all, length);
        struct dwarf_reader unit = {start, start ? start + length : NULL, !start};
        dwarf_take(&unit, 2);
        uint64_t table = dwarf_take(&unit, 4);
        dwarf_take(&unit, 1);
        if (table > abbreviation_bytes)
            return;
        const struct dwarf_reader abbreviation = {abbreviations + table, abbreviations + abbreviation_bytes, false};
        while (unit.at < unit.end && !unit.failed) {
            uint64_t number = dwarf_unsigned(&unit);
            if (number != 0)
                translate_entry(&unit, find_abbreviation(abbreviation, number), register_bytes, shift);
        }
    }
}

void gdb_units_hide_returns(uint8_t *abbreviations, size_t size)
{
    struct dwarf_reader r = {abbreviations, abbreviations + size, false};
    while (r.at < r.end && !r.failed) {
        if (dwarf_unsigned(&r) == 0) /* a table ends */
            continue;
        uint64_t tag = dwarf_unsigned(&r);
        dwarf_take(&r, 1); /* whether there are children */
        for (uint64_t name = 1, form = 1; (name || form) && !r.failed;) {
            uint8_t *place = (uint8_t *)r.at;
            name = dwarf_unsigned(&r);
            form = dwarf_unsigned(&r);
            if (tag == TAG_SUBPROGRAM && name == AT_TYPE && *place == AT_TYPE)
                *place = AT_UNUSED;
        }
    }
}
