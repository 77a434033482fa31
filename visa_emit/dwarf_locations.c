/* Writes locations of variables: see dwarf_locations.h. */
#include "visa_emit/dwarf_locations.h"

/* Operations (section 7.7), and numbers of registers: those of Intel's DWARF, in which r0 is 16, and two that it does
 * not have. */
enum {
    OP_CONST1U = 0x08,
    OP_CONST4U = 0x0c,
    OP_DUP = 0x12,
    OP_MINUS = 0x1c,
    OP_MUL = 0x1e,
    OP_PLUS = 0x22,
    OP_BRA = 0x28,
    OP_SKIP = 0x2f,
    OP_BREG0 = 0x70,
    OP_REGX = 0x90,
    OP_PIECE = 0x93,
    OP_DEREF_SIZE = 0x94,
    OP_BIT_PIECE = 0x9d,
    OP_STACK_VALUE = 0x9f
};
enum { FILE_BASE = 3, SCRATCH_BASE = 4, FIRST_GENERAL = 16 };
enum { ADDRESS_BYTES = 8 };

void dwarf_put_registers(struct dwarf_writer *w, unsigned register_bytes, unsigned place, unsigned bytes)
{
    unsigned start = place % register_bytes;
    for (unsigned number = place / register_bytes; bytes; number++, start = 0) {
        unsigned part = register_bytes - start < bytes ? register_bytes - start : bytes;
        dwarf_put(w, OP_REGX, 1);
        dwarf_put_unsigned(w, FIRST_GENERAL + number);
        dwarf_put(w, start ? OP_BIT_PIECE : OP_PIECE, 1);
        dwarf_put_unsigned(w, start ? 8 * part : part);
        if (start)
            dwarf_put_unsigned(w, 8 * start);
        bytes -= part;
    }
}

void dwarf_put_room(struct dwarf_writer *w)
{
    enum { OP_NOP = 0x96, BYTES = 4 };
    for (unsigned k = 0; k < BYTES; k++)
        dwarf_put(w, OP_NOP, 1);
}

void dwarf_put_gap(struct dwarf_writer *w, unsigned bytes)
{
    if (!bytes)
        return;
    dwarf_put(w, OP_PIECE, 1);
    dwarf_put_unsigned(w, bytes);
}

static void put_address(struct dwarf_writer *w, unsigned base, unsigned offset)
{
    enum { BYTES = 4, BITS = 7, MORE = 1 << BITS };
    dwarf_put(w, OP_BREG0 + base, 1);
    for (unsigned k = 0; k < BYTES; k++)
        dwarf_put(w, (offset >> (BITS * k) & (MORE - 1)) | (k + 1 < BYTES ? MORE : 0), 1);
}

/* Where the frame starts is read from its register. */
void dwarf_put_memory(struct dwarf_writer *w, const struct debug_place *place, unsigned at)
{
    if (place->frame) {
        put_address(w, FILE_BASE, place->frame);
        dwarf_put(w, OP_DEREF_SIZE, 1);
        dwarf_put(w, sizeof(uint32_t), 1);
        dwarf_put(w, OP_CONST1U, 1);
        dwarf_put(w, place->frame_unit, 1);
        dwarf_put(w, OP_MUL, 1);
    }
    put_address(w, SCRATCH_BASE, place->byte + at);
    if (place->frame)
        dwarf_put(w, OP_PLUS, 1);
}

static void put_place(struct dwarf_writer *w, const struct debug_place *place)
{
    if (place->is_in_scratch)
        dwarf_put_memory(w, place, 0);
    else
        put_address(w, FILE_BASE, place->byte);
}

static unsigned place_bytes(const struct debug_place *place)
{
    enum { ADDRESS = 5, IN_FRAME = ADDRESS + 2 + 2 + 1 + ADDRESS + 1 };
    return place->is_in_scratch && place->frame ? IN_FRAME : ADDRESS;
}

static void put_jump(struct dwarf_writer *w, unsigned op, unsigned bytes)
{
    enum { TARGET_BYTES = 2 };
    dwarf_put(w, op, 1);
    dwarf_put(w, bytes, TARGET_BYTES);
}

void dwarf_put_pointer(struct dwarf_writer *w, const struct debug_place *home, const struct debug_place *target)
{
    enum { BYTES = 4, JUMP = 3, PLUS = 1, MINUS = 1 + BYTES + 1 };
    put_place(w, home);
    dwarf_put(w, OP_DEREF_SIZE, 1);
    dwarf_put(w, BYTES, 1);
    dwarf_put(w, OP_DUP, 1);
    put_jump(w, OP_BRA, JUMP);
    put_jump(w, OP_SKIP, place_bytes(target) + PLUS + MINUS);
    put_place(w, target);
    dwarf_put(w, OP_PLUS, 1);
    dwarf_put(w, OP_CONST4U, 1);
    dwarf_put(w, DEBUG_TARGET_BIAS, BYTES);
    dwarf_put(w, OP_MINUS, 1);
    dwarf_put(w, OP_STACK_VALUE, 1);
}

size_t dwarf_put_implicit_pointer(struct dwarf_writer *w, int64_t offset)
{
    enum { OP_IMPLICIT_POINTER = 0xf2, PLACE_BYTES = 4 }; /* GNU's, before DWARF 5 */
    dwarf_put(w, OP_IMPLICIT_POINTER, 1);
    size_t place = dwarf_position(w);
    dwarf_put(w, 0, PLACE_BYTES);
    dwarf_put_signed(w, offset);
    return place;
}

enum { SIZE_BYTES = 2 }; /* of the length of a location */

size_t dwarf_begin_location(struct dwarf_writer *w, size_t start, size_t end)
{
    dwarf_put(w, start, ADDRESS_BYTES);
    dwarf_put(w, end, ADDRESS_BYTES);
    size_t size = dwarf_position(w);
    dwarf_put(w, 0, SIZE_BYTES);
    return size;
}

void dwarf_end_location(struct dwarf_writer *w, size_t size)
{
    size_t end = dwarf_position(w);
    fseek(w->out, (long)size, SEEK_SET);
    dwarf_put(w, end - size - SIZE_BYTES, SIZE_BYTES);
    fseek(w->out, (long)end, SEEK_SET);
}

void dwarf_end_locations(struct dwarf_writer *w)
{
    dwarf_put(w, 0, ADDRESS_BYTES);
    dwarf_put(w, 0, ADDRESS_BYTES);
}

void dwarf_put_constant(struct dwarf_writer *w, const uint8_t *bytes, unsigned count)
{
    enum { OP_IMPLICIT_VALUE = 0x9e };
    dwarf_put(w, OP_IMPLICIT_VALUE, 1);
    dwarf_put_unsigned(w, count);
    for (unsigned k = 0; k < count; k++)
        dwarf_put(w, bytes[k], 1);
    dwarf_put_gap(w, count);
}
