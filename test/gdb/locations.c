/* Tests the translation of locations in pieces for gdb: registers become memory behind rbx, at 32 bytes a
 * register. The expected bytes are written by hand from DWARF 4, sections 2.5, 2.6 and 7.7. */
#include "sim/gdb/locations.h"

#include <stdio.h>
#include <string.h>

enum { NOP = 0x96, REGX = 0x90, PIECE = 0x93, BIT_PIECE = 0x9d, CONSTANT = 0x9e, RBX = 0x73 };

static int failed;

static void expect(const char *what, const uint8_t *from, const uint8_t *to, size_t size)
{
    enum { MOST = 64, REGISTER_BYTES = 32 };
    uint8_t bytes[MOST];
    memcpy(bytes, from, size);
    gdb_location_translate(bytes, size, REGISTER_BYTES);
    if (memcmp(bytes, to, size) == 0)
        return;
    failed = 1;
    fprintf(stderr, "%s:", what);
    for (size_t k = 0; k < size; k++)
        fprintf(stderr, " %02x", bytes[k]);
    fputc('\n', stderr);
}

int main(void)
{
    static const uint8_t pieces[] = {PIECE, 4, NOP, NOP, NOP, NOP, REGX, 16 + 5, PIECE, 8, CONSTANT, 2, 7, 9, PIECE, 2};
    static const uint8_t pieces_made[] = {NOP,   NOP, NOP,      PIECE, 4, RBX, 0xa0,  0x01,
                                          PIECE, 8,   CONSTANT, 2,     7, 9,   PIECE, 2};
    expect("nothing, r5, a constant", pieces, pieces_made, sizeof pieces);

    static const uint8_t part[] = {NOP, NOP, NOP, NOP, REGX, 0x8f, 1, BIT_PIECE, 32, 0x80, 1, PIECE, 12};
    static const uint8_t part_made[] = {NOP, NOP, NOP, NOP, NOP, NOP, RBX, 0xf0, 0x1f, PIECE, 4, PIECE, 12};
    expect("4 bytes of r127 from byte 16 on, then nothing", part, part_made, sizeof part);

    static const uint8_t constant[] = {CONSTANT, 4, 1, 2, 3, 4, PIECE, 4};
    expect("a constant", constant, constant, sizeof constant);

    static const uint8_t cut[] = {CONSTANT, 9, 1, 2};
    static const uint8_t nothing[] = {PIECE, 0x81, 0x80, 0};
    expect("a constant that is cut off", cut, nothing, sizeof cut);
    return failed;
}
