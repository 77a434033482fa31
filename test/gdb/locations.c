/* Tests the translation of locations in pieces for gdb: registers become memory behind rbx, at 32 bytes a
 * register. The expected bytes are written by hand from DWARF 4, sections 2.5, 2.6 and 7.7. */
#include "sim/gdb/locations.h"

#include <stdio.h>
#include <string.h>

enum { NOP = 0x96, REGX = 0x90, PIECE = 0x93, BIT_PIECE = 0x9d, CONSTANT = 0x9e, RBX = 0x73, RCX = 0x72 };
enum { REGS = 0xeb, REGISTER_PART = 0xec, LANE = 0xed, STACK_VALUE = 0x9f, DEREF_SIZE = 0x94 };
enum {
    CONST4U = 0x0c,
    DUP = 0x12,
    AND = 0x1a,
    MINUS = 0x1c,
    MUL = 0x1e,
    PLUS = 0x22,
    PLUS_CONSTANT = 0x23,
    SHR = 0x25,
    BRA = 0x28,
    GE = 0x2a,
    SKIP = 0x2f
};
enum { CONST1U = 0x08, LIT = 0x30, REGISTER_BITS = 0xfe };

/* Behind the lane: its dword, eight in a register from R on. */
#define DWORDS_FROM(R)                                                                                                 \
    LIT + 3, SHR, PLUS_CONSTANT, 16 + (R), REGS, LANE, LIT + 7, AND, CONST1U, 32, MUL, CONST1U, 32, REGISTER_PART,     \
        STACK_VALUE

static int failed;

static void expect(const char *what, const uint8_t *from, const uint8_t *to, size_t size, size_t made)
{
    enum { MOST = 96, REGISTER_BYTES = 32 };
    uint8_t bytes[MOST];
    memcpy(bytes, from, size);
    gdb_location_translate(bytes, size, REGISTER_BYTES);
    size_t padding = size - made, k = 0;
    while (k < padding && bytes[k] == NOP)
        k++;
    if (k == padding && memcmp(bytes + padding, to, made) == 0)
        return;
    failed = 1;
    fprintf(stderr, "%s:", what);
    for (k = 0; k < size; k++)
        fprintf(stderr, " %02x", bytes[k]);
    fputc('\n', stderr);
}

int main(void)
{
    static const uint8_t pieces[] = {PIECE, 4, NOP, NOP, NOP, NOP, REGX, 16 + 5, PIECE, 8, CONSTANT, 2, 7, 9, PIECE, 2};
    static const uint8_t pieces_made[] = {NOP,   NOP, NOP,      PIECE, 4, RBX, 0xa0,  0x01,
                                          PIECE, 8,   CONSTANT, 2,     7, 9,   PIECE, 2};
    expect("nothing, r5, a constant", pieces, pieces_made, sizeof pieces, sizeof pieces_made);

    static const uint8_t part[] = {NOP, NOP, NOP, NOP, REGX, 0x8f, 1, BIT_PIECE, 32, 0x80, 1, PIECE, 12};
    static const uint8_t part_made[] = {NOP, NOP, NOP, NOP, NOP, NOP, RBX, 0xf0, 0x1f, PIECE, 4, PIECE, 12};
    expect("4 bytes of r127 from byte 16 on, then nothing", part, part_made, sizeof part, sizeof part_made);

    static const uint8_t memory[] = {0x74, 0xa0, 0x80, 0x80, 0, PIECE, 32, REGX, 16 + 9, PIECE, 32, NOP, NOP};
    static const uint8_t memory_made[] = {RBX, 0xa0, 0x80, 0xa4, 0, PIECE, 32, RBX, 0xa0, 0x02, PIECE, 32};
    expect("32 bytes of scratch memory from byte 32 on, then r9", memory, memory_made, sizeof memory,
           sizeof memory_made);

    static const uint8_t constant[] = {CONSTANT, 4, 1, 2, 3, 4, PIECE, 4};
    expect("a constant", constant, constant, sizeof constant, sizeof constant);
    expect("a constant of the whole variable", constant, constant, 6, 6);

    static const uint8_t cut[] = {CONSTANT, 9, 1, 2};
    static const uint8_t nothing[] = {0xf3, 1, 0x50, NOP}; /* DW_OP_GNU_entry_value of rax */
    expect("a constant that is cut off", cut, nothing, sizeof cut, sizeof nothing);

    static const uint8_t frame[] = {REGX,          0x8f,          1,  CONST1U, 0x80,    CONST1U, 0x40,
                                    REGISTER_PART, PLUS_CONSTANT, 16, LANE,    LIT + 8, MUL,     PLUS,
                                    PLUS_CONSTANT, 0x80,          7};
    static const uint8_t frame_made[] = {RBX, 0xf0, 0x1f,          DEREF_SIZE, 8, PLUS_CONSTANT, 16, RCX, 0, LIT + 8,
                                         MUL, PLUS, PLUS_CONSTANT, 0x80,       7};
    expect("8 bytes a lane behind the address in r127.2:uq", frame, frame_made, sizeof frame, sizeof frame_made);

    static const uint8_t newer_frame[] = {CONST1U,       0x8f, CONST1U, 0x80,    REGISTER_BITS, 0x40,
                                          PLUS_CONSTANT, 16,   LANE,    LIT + 8, MUL,           PLUS,
                                          PLUS_CONSTANT, 0x80, 7};
    expect("the same as IGC 2 writes it", newer_frame, frame_made, sizeof newer_frame, sizeof frame_made);

    static const uint8_t newer_scalar[] = {LIT + 25, LIT + 4, REGISTER_BITS, 32, STACK_VALUE};
    static const uint8_t no_place[] = {0xf3, 1, 0x50, NOP, NOP};
    expect("4 bytes that do not begin at a byte", newer_scalar, no_place, sizeof newer_scalar, sizeof no_place);
    static const uint8_t newer_part[] = {LIT + 25, LIT + 8, REGISTER_BITS, 32, STACK_VALUE};
    static const uint8_t newer_part_made[] = {RBX, 0xa1, 0x02};
    expect("4 bytes of r9 from byte 1 on", newer_part, newer_part_made, sizeof newer_part, sizeof newer_part_made);

    static const uint8_t newer_lanes[] = {LANE, LIT + 3, SHR, PLUS_CONSTANT, 16 + 5,        LANE, LIT + 7,
                                          AND,  CONST1U, 32,  MUL,           REGISTER_BITS, 32,   STACK_VALUE};
    static const uint8_t newer_lanes_made[] = {RBX, 0xa0, 0x01, RCX, 0, LIT + 4, MUL, PLUS};
    expect("a dword a lane from r5 on, of IGC 2", newer_lanes, newer_lanes_made, sizeof newer_lanes,
           sizeof newer_lanes_made);

    static const uint8_t halves[] = {LANE, LIT + 16, GE, BRA,  19,       0,     LANE,          DWORDS_FROM(3),
                                     SKIP, 18,       0,  LANE, LIT + 16, MINUS, DWORDS_FROM(9)};
    static const uint8_t halves_made[] = {RCX, 0,    LIT + 16, GE, BRA, 11,  0,    RBX, 0xe0, 0, RCX,     0,   LIT + 4,
                                          MUL, PLUS, SKIP,     8,  0,   RBX, 0xe0, 1,   RCX,  0, LIT + 4, MUL, PLUS};
    expect("lanes 0 to 15 in r3 and r4, 16 to 31 in r9 and r10", halves, halves_made, sizeof halves,
           sizeof halves_made);
    enum { BREG3 = 0x73, BREG4 = 0x74 };
#define WHERE                   DEREF_SIZE, 4, DUP, BRA, 3, 0, SKIP, 12, 0
#define SUM                     PLUS, CONST4U, 0, 0, 1, 0, MINUS, STACK_VALUE
#define BYTES(BASE, A, B, C, D) BASE, 0x80 | (A), 0x80 | (B), 0x80 | (C), D
    static const uint8_t pointer[] = {BYTES(BREG4, 8, 1, 0, 0), WHERE, BYTES(BREG3, 32, 2, 0, 0), SUM};
    static const uint8_t pointer_made[] = {BYTES(RBX, 8, 1, 0x24, 0), WHERE, BYTES(RBX, 32, 2, 0, 0), SUM};
    expect("a pointer at byte 136 of scratch memory, into r9", pointer, pointer_made, sizeof pointer,
           sizeof pointer_made);
    static const uint8_t member[] = {
        REGX, 16 + 5, PIECE, 32, BYTES(BREG3, 32, 2, 0, 0), WHERE, BYTES(BREG3, 64, 2, 0, 0), SUM, PIECE, 8,
        NOP,  NOP,    NOP,   NOP};
    static const uint8_t member_made[] = {
        RBX, 0xa0, 0x01, PIECE, 32, BYTES(RBX, 32, 2, 0, 0), WHERE, BYTES(RBX, 64, 2, 0, 0), SUM, PIECE, 8};
    expect("r5, then a pointer at byte 288, into byte 320", member, member_made, sizeof member, sizeof member_made);
#define FRAME_START(BASE) BYTES(BASE, 0x6c, 0x1f, 0, 0), DEREF_SIZE, 4, CONST1U, 16, MUL
    static const uint8_t spilled[] = {FRAME_START(BREG3), BYTES(BREG4, 0x20, 0xa, 0, 0), PLUS};
    static const uint8_t spilled_made[] = {FRAME_START(RBX), BYTES(RBX, 0x20, 0xa, 0x24, 0), PLUS};
    expect("byte 1312 of the frame that r127.3 names in owords", spilled, spilled_made, sizeof spilled,
           sizeof spilled_made);
    static const uint8_t spilled_part[] = {
        FRAME_START(BREG3), BYTES(BREG4, 0x20, 0xa, 0, 0), PLUS, PIECE, 12, PIECE, 4};
    static const uint8_t spilled_part_made[] = {
        FRAME_START(RBX), BYTES(RBX, 0x20, 0xa, 0x24, 0), PLUS, PIECE, 12, PIECE, 4};
    expect("12 bytes from there on, then nothing", spilled_part, spilled_part_made, sizeof spilled_part,
           sizeof spilled_part_made);
#define WHERE_IN_FRAME DEREF_SIZE, 4, DUP, BRA, 3, 0, SKIP, 23, 0
    static const uint8_t within[] = {FRAME_START(BREG3), BYTES(BREG4, 0x20, 0xa, 0, 0), PLUS, WHERE_IN_FRAME,
                                     FRAME_START(BREG3), BYTES(BREG4, 8, 1, 0, 0),      PLUS, SUM};
    static const uint8_t within_made[] = {FRAME_START(RBX), BYTES(RBX, 0x20, 0xa, 0x24, 0), PLUS, WHERE_IN_FRAME,
                                          FRAME_START(RBX), BYTES(RBX, 8, 1, 0x24, 0),      PLUS, SUM};
    expect("a pointer there, into byte 136 of the frame", within, within_made, sizeof within, sizeof within_made);
    static const uint8_t astray[] = {FRAME_START(BREG3), BYTES(BREG4, 0x20, 0xa, 0, 0), PLUS, WHERE,
                                     FRAME_START(BREG3), BYTES(BREG4, 8, 1, 0, 0),      PLUS, SUM};
    uint8_t no_pointer[sizeof astray] = {0xf3, 1, 0x50};
    memset(no_pointer + 3, NOP, sizeof no_pointer - 3);
    expect("a jump into the middle", astray, no_pointer, sizeof astray, sizeof astray);
    enum { IMPLICIT = 0xf2 };
    static const uint8_t implicit[] = {IMPLICIT, 0x34, 0x12, 0,   0,    0x80,   1,     PIECE, 8,
                                       NOP,      NOP,  NOP,  NOP, REGX, 16 + 5, PIECE, 32};
    static const uint8_t implicit_made[] = {IMPLICIT, 0x34, 0x12, 0, 0, 0x80, 1, PIECE, 8, RBX, 0xa0, 0x01, PIECE, 32};
    static const uint8_t alone[] = {IMPLICIT, 0x34, 0x12, 0, 0, 0x7f};
    expect("a pointer to byte -1 of the entry at 0x1234", alone, alone, sizeof alone, sizeof alone);
    expect("one to byte 128 of it, then r5", implicit, implicit_made, sizeof implicit, sizeof implicit_made);
    return failed;
}
