/* Finds the locations in .debug_info (DWARF 4, section 7.5), for their translation. */
#include "sim/gdb/locations.h"

#include <stdbool.h>
#include <string.h>

enum { AT_LOCATION = 0x02, AT_FRAME_BASE = 0x40, FORM_ADDRESS = 0x01, FORM_EXPRESSION = 0x18 };

/* A bounded reader: behind the end it returns zeros and sets `failed`. */
struct reader {
    const uint8_t *at, *end;
    bool failed;
};

static const uint8_t *skip(struct reader *r, uint64_t bytes)
{
    const uint8_t *from = r->at;
    if (bytes > (uint64_t)(r->end - r->at)) {
        r->failed = true;
        r->at = r->end;
        return NULL;
    }
    r->at += bytes;
    return from;
}

static uint64_t take(struct reader *r, unsigned bytes)
{
    uint64_t value = 0;
    const uint8_t *from = skip(r, bytes);
    if (from)
        memcpy(&value, from, bytes);
    return value;
}

static uint64_t take_variable(struct reader *r)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(r, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !r->failed);
    return value;
}

static void skip_string(struct reader *r)
{
    while (take(r, 1) != 0 && !r->failed)
        ;
}

/* Moves behind an attribute's value, and returns the bytes of an expression in it with their number. */
static const uint8_t *skip_value(struct reader *r, uint64_t form, uint64_t *size)
{
    /* Bytes of forms of a fixed size, by number: addresses, numbers, flags, references, offsets, signatures. */
    static const uint8_t fixed[] = {[0x01] = 8, [0x05] = 2, [0x06] = 4, [0x07] = 8, [0x0b] = 1, [0x0c] = 1, [0x0e] = 4,
                                    [0x10] = 4, [0x11] = 1, [0x12] = 2, [0x13] = 4, [0x14] = 8, [0x17] = 4, [0x20] = 8};
    enum { FORM_PRESENT = 0x19 };
    switch (form) {
    case 0x03: *size = take(r, 2); return skip(r, *size); /* blocks */
    case 0x04: *size = take(r, 4); return skip(r, *size);
    case 0x0a: *size = take(r, 1); return skip(r, *size);
    case 0x09:
    case FORM_EXPRESSION: *size = take_variable(r); return skip(r, *size);
    case 0x08: skip_string(r); return NULL;
    case 0x0d: /* signed and unsigned numbers, references */
    case 0x0f:
    case 0x15: take_variable(r); return NULL;
    case FORM_PRESENT: return NULL;
    default:
        if (form >= sizeof fixed || fixed[form] == 0)
            r->failed = true;
        else
            skip(r, fixed[form]);
        return NULL;
    }
}

/* Finds the attributes of an abbreviation: a reader at the first. */
static struct reader find_abbreviation(struct reader table, uint64_t wanted)
{
    for (uint64_t number; (number = take_variable(&table)) != 0 && !table.failed;) {
        take_variable(&table); /* tag */
        take(&table, 1);       /* whether there are children */
        if (number == wanted)
            return table;
        for (uint64_t name = 1, form = 1; (name || form) && !table.failed;) {
            name = take_variable(&table);
            form = take_variable(&table);
        }
    }
    table.failed = true;
    return table;
}

static void add_to_address(const struct reader *r, uint64_t shift)
{
    uint64_t address;
    if ((size_t)(r->end - r->at) < sizeof address)
        return;
    memcpy(&address, r->at, sizeof address);
    address += shift;
    memcpy((uint8_t *)r->at, &address, sizeof address);
}

static void translate_entry(struct reader *unit, struct reader attributes, unsigned register_bytes, uint64_t shift)
{
    while (!attributes.failed && !unit->failed) {
        uint64_t name = take_variable(&attributes), form = take_variable(&attributes), size = 0;
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
    struct reader all = {info, info + size, false};
    while (all.at < all.end && !all.failed) {
        uint64_t length = take(&all, 4);
        const uint8_t *start = skip(&all, length);
        struct reader unit = {start, start ? start + length : NULL, !start};
        take(&unit, 2);
        uint64_t table = take(&unit, 4);
        take(&unit, 1);
        if (table > abbreviation_bytes)
            return;
        const struct reader abbreviation = {abbreviations + table, abbreviations + abbreviation_bytes, false};
        while (unit.at < unit.end && !unit.failed) {
            uint64_t number = take_variable(&unit);
            if (number != 0)
                translate_entry(&unit, find_abbreviation(abbreviation, number), register_bytes, shift);
        }
    }
}
