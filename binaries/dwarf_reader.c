/* Reads numbers and strings of DWARF sections (dwarf_reader.h). */
#include "binaries/dwarf_reader.h"

#include <assert.h>
#include <string.h>

const uint8_t *dwarf_skip(struct dwarf_reader *r, uint64_t bytes)
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

uint64_t dwarf_take(struct dwarf_reader *r, unsigned bytes)
{
    uint64_t value = 0;
    assert(bytes <= sizeof value);
    const uint8_t *from = dwarf_skip(r, bytes);
    if (from)
        memcpy(&value, from, bytes);
    return value;
}

/* Returns the number's low 64 bits; *top: the number of bits that its bytes hold. */
static uint64_t take_variable(struct dwarf_reader *r, unsigned *top, bool *negative)
{
    uint64_t value = 0, byte;
    *top = 0;
    do {
        byte = dwarf_take(r, 1);
        if (*top < 64)
            value |= (byte & 0x7f) << *top;
        *top += 7;
    } while (byte & 0x80 && !r->failed);
    *negative = byte & 0x40;
    return value;
}

uint64_t dwarf_unsigned(struct dwarf_reader *r)
{
    unsigned top;
    bool negative;
    return take_variable(r, &top, &negative);
}

int64_t dwarf_signed(struct dwarf_reader *r)
{
    unsigned top;
    bool negative;
    uint64_t value = take_variable(r, &top, &negative);
    return (int64_t)(negative && top < 64 ? value | ~UINT64_C(0) << top : value);
}

const char *dwarf_string(struct dwarf_reader *r)
{
    const uint8_t *zero = memchr(r->at, 0, (size_t)(r->end - r->at));
    const char *text = (const char *)r->at;
    if (!zero) {
        r->failed = true;
        r->at = r->end;
        return NULL;
    }
    r->at = zero + 1;
    return text;
}
