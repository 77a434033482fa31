/* Translates locations of variables.
 *
 * Intel's numbers of registers are not those of x86: general register N is 16 + N. Here a variable becomes memory in
 * the window that rbx points to (registers.h). Five forms are known, which IGC and cmc write:
 *
 *     DW_OP_reg R, DW_OP_bit_piece SIZE OFFSET      a part of a register, the same for all lanes
 *     DW_OP_reg R, DW_OP_piece SIZE, ...            registers one after the other
 *     DW_OP_breg4 OFFSET                            scratch memory, of cmc: 4 is the register of its base
 *     pieces of such registers, of DW_OP_implicit_value, of nothing; DW_OP_nop between them is room for addresses
 *     lane, lit S, shr, plus_uconst R, DW_OP_INTEL_regs, lane, lit M, and, const1u BITS, mul, const1u BITS,
 *     DW_OP_INTEL_push_bit_piece_stack, stack_value a value for each lane, in registers from R on
 *
 * The lane is in rcx. */
#include "sim/gdb/locations.h"
#include "sim/gdb/registers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    OP_CONST1U = 0x08,
    OP_CONST8U = 0x0e,
    OP_AND = 0x1a,
    OP_MUL = 0x1e,
    OP_PLUS = 0x22,
    OP_PLUS_CONSTANT = 0x23,
    OP_SHR = 0x25,
    OP_LIT0 = 0x30,
    OP_REG0 = 0x50,
    OP_BREG0 = 0x70,
    OP_REGX = 0x90,
    OP_PIECE = 0x93,
    OP_NOP = 0x96,
    OP_BIT_PIECE = 0x9d,
    OP_IMPLICIT_VALUE = 0x9e,
    OP_STACK_VALUE = 0x9f,
    OP_INTEL_REGISTER = 0xeb,
    OP_INTEL_PIECE = 0xec,
    OP_INTEL_LANE = 0xed
};

enum { SCRATCH_BASE = 4, FIRST_GENERAL = 16, RCX = 2, RBX = 3 }; /* numbers of registers in DWARF: Intel's, x86's */

struct reader {
    const uint8_t *at, *end;
    bool failed;
};

static unsigned take(struct reader *r)
{
    if (r->at == r->end) {
        r->failed = true;
        return 0;
    }
    return *r->at++;
}

static uint64_t take_unsigned(struct reader *r)
{
    uint64_t value = 0;
    unsigned shift = 0, byte;
    do {
        byte = take(r);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !r->failed);
    return value;
}

static void expect(struct reader *r, unsigned byte)
{
    if (take(r) != byte)
        r->failed = true;
}

/* The general register of DW_OP_regN or DW_OP_regx. */
static uint64_t take_register(struct reader *r)
{
    unsigned op = take(r);
    uint64_t number = op == OP_REGX ? take_unsigned(r) : op - OP_REG0;
    if ((op != OP_REGX && (op < OP_REG0 || op >= OP_BREG0)) || number < FIRST_GENERAL)
        r->failed = true;
    return number - FIRST_GENERAL;
}

/* Reads one register and the bytes of it: all of them if the expression ends there. */
static bool read_part(struct reader *r, unsigned register_bytes, uint64_t *start, uint64_t *bytes)
{
    uint64_t offset = 0;
    *start = register_bytes * take_register(r);
    *bytes = register_bytes;
    if (r->at < r->end) {
        unsigned op = take(r);
        *bytes = take_unsigned(r);
        if (op == OP_BIT_PIECE) {
            offset = take_unsigned(r);
            r->failed |= *bytes % 8 || offset % 8;
            *bytes /= 8;
            offset /= 8;
        } else if (op != OP_PIECE) {
            r->failed = true;
        }
    }
    *start += offset;
    return !r->failed && offset + *bytes <= register_bytes;
}

/* Reads registers that follow each other in the file: the byte where they begin. */
static bool read_uniform(struct reader r, unsigned register_bytes, uint64_t *start)
{
    uint64_t next = 0, at, bytes;
    for (uint64_t count = 0; r.at < r.end; count++) {
        if (!read_part(&r, register_bytes, &at, &bytes) || (count && at != next))
            return false;
        if (count == 0)
            *start = at;
        next = at + bytes;
    }
    return true;
}

/* A translated expression under construction. */
struct made {
    uint8_t *bytes;
    size_t size, room;
};

static void put(struct made *m, unsigned byte)
{
    if (m->size < m->room)
        m->bytes[m->size] = (uint8_t)byte;
    m->size++;
}

static void put_number(struct made *m, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        put(m, (value & 0x7f) | 0x80);
    put(m, (unsigned)value);
}

/* An address in the window, rbx + `start`, and that `bytes` are there; none: nothing is to be written yet. */
static void put_run(struct made *m, uint64_t start, uint64_t bytes)
{
    enum { SIGN = 0x40 };
    if (!bytes)
        return;
    put(m, OP_BREG0 + RBX);
    for (; start >= SIGN; start >>= 7)
        put(m, (start & 0x7f) | 0x80);
    put(m, (unsigned)start);
    put(m, OP_PIECE);
    put_number(m, bytes);
}

static void copy_constant(struct reader *r, struct made *m)
{
    uint64_t count = take_unsigned(r);
    put(m, OP_IMPLICIT_VALUE);
    put_number(m, count);
    for (uint64_t k = 0; k < count && !r->failed; k++)
        put(m, take(r));
    expect(r, OP_PIECE);
    put(m, OP_PIECE);
    put_number(m, take_unsigned(r));
}

/* Reads pieces, and makes memory of those in registers. False: there is another form, or no room. */
static bool translate_pieces(struct reader r, unsigned register_bytes, struct made *m)
{
    uint64_t start = 0, bytes = 0, at, more; /* a run of registers that is not written yet */
    while (r.at < r.end && !r.failed) {
        if (*r.at != OP_NOP && *r.at != OP_PIECE && *r.at != OP_IMPLICIT_VALUE) {
            if (!read_part(&r, register_bytes, &at, &more))
                return false;
            if (bytes && at != start + bytes) {
                put_run(m, start, bytes);
                bytes = 0;
            }
            start = bytes ? start : at;
            bytes += more;
            continue;
        }
        put_run(m, start, bytes);
        bytes = 0;
        unsigned op = take(&r);
        if (op == OP_PIECE) {
            put(m, OP_PIECE);
            put_number(m, take_unsigned(&r));
        } else if (op == OP_IMPLICIT_VALUE) {
            copy_constant(&r, m);
        }
    }
    put_run(m, start, bytes);
    return !r.failed && m->size <= m->room;
}

/* Reads the form for lanes: the byte where lane 0 begins, and the bytes of a lane. */
static bool read_lanes(struct reader r, unsigned register_bytes, uint64_t *start, unsigned *bytes)
{
    expect(&r, OP_INTEL_LANE);
    unsigned shift = take(&r) - OP_LIT0;
    expect(&r, OP_SHR);
    expect(&r, OP_PLUS_CONSTANT);
    uint64_t number = take_unsigned(&r);
    expect(&r, OP_INTEL_REGISTER);
    expect(&r, OP_INTEL_LANE);
    unsigned mask = take(&r) - OP_LIT0;
    expect(&r, OP_AND);
    expect(&r, OP_CONST1U);
    unsigned stride = take(&r);
    expect(&r, OP_MUL);
    expect(&r, OP_CONST1U);
    unsigned bits = take(&r);
    expect(&r, OP_INTEL_PIECE);
    expect(&r, OP_STACK_VALUE);
    if (r.failed || r.at != r.end || number < FIRST_GENERAL || shift > 5 || mask != (1u << shift) - 1 ||
        bits != stride || bits % 8 || bits << shift != 8 * register_bytes)
        return false;
    *start = register_bytes * (number - FIRST_GENERAL);
    *bytes = bits / 8;
    return true;
}

/* Reads an address in scratch memory: its byte in the window. */
static bool read_scratch(struct reader r, uint64_t *start)
{
    expect(&r, OP_BREG0 + SCRATCH_BASE);
    uint64_t offset = take_unsigned(&r);
    *start = GDB_WINDOW_SCRATCH + offset;
    return !r.failed && r.at == r.end && offset < GDB_WINDOW_BYTES - GDB_WINDOW_SCRATCH;
}

/* An address in the window: rbx + `start`. */
static size_t write_uniform(uint8_t *to, uint64_t start)
{
    size_t size = 0;
    to[size++] = OP_BREG0 + RBX;
    to[size++] = (uint8_t)((start & 0x7f) | 0x80); /* a signed number of two bytes, or of three */
    to[size++] = (uint8_t)(start >> 7 & 0x7f);
    if (start >= 1u << 13) {
        to[size - 1] |= 0x80;
        to[size++] = (uint8_t)(start >> 14 & 0x3f);
    }
    return size;
}

static size_t write_lanes(uint8_t *to, uint64_t start, unsigned bytes)
{
    size_t size = write_uniform(to, start);
    to[size++] = OP_BREG0 + RCX;
    to[size++] = 0;
    to[size++] = (uint8_t)(OP_LIT0 + bytes);
    to[size++] = OP_MUL;
    to[size++] = OP_PLUS;
    return size;
}

/* "Optimized out": a piece of no location. A single byte cannot say that; it becomes an error. */
static void write_nothing(uint8_t *to, size_t size)
{
    memset(to, 0x80, size);
    to[0] = size > 1 ? OP_PIECE : OP_NOP;
    if (size > 1) {
        to[1] = size > 2 ? 0x81 : 1;
        to[size - 1] = size > 2 ? 0 : 1;
    }
}

void gdb_location_translate(uint8_t *expression, size_t size, unsigned register_bytes)
{
    const struct reader all = {expression, expression + size, false};
    uint8_t made[32];
    uint64_t start = 0;
    unsigned bytes;
    size_t used = 0;
    if (size == 0 || (expression[0] == OP_CONST8U && size == 9)) /* an address */
        return;
    if (read_uniform(all, register_bytes, &start) || read_scratch(all, &start))
        used = write_uniform(made, start);
    else if (read_lanes(all, register_bytes, &start, &bytes))
        used = write_lanes(made, start, bytes);
    uint8_t *pieces = used ? NULL : malloc(size);
    struct made m = {pieces, 0, size};
    if (pieces && translate_pieces(all, register_bytes, &m)) {
        memset(expression, OP_NOP, size - m.size);
        memcpy(expression + size - m.size, pieces, m.size);
        free(pieces);
        return;
    }
    free(pieces);
    if (used == 0 || used > size) {
        write_nothing(expression, size);
        return;
    }
    memset(expression, OP_NOP, size);
    memcpy(expression, made, used);
}

void gdb_locations_translate(uint8_t *section, size_t size, unsigned register_bytes)
{
    for (size_t at = 0; size - at >= 16;) {
        uint8_t *begin = section + at;
        uint64_t range[2];
        uint16_t length;
        memcpy(range, section + at, sizeof range);
        at += sizeof range;
        if ((range[0] == 0 && range[1] == 0) || range[0] == UINT64_MAX)
            continue; /* the end of a list; a base address */
        if (size - at < sizeof length)
            return;
        memcpy(&length, section + at, sizeof length);
        at += sizeof length;
        if (length > size - at)
            return;
        gdb_location_translate(section + at, length, register_bytes);
        if (length == 1) /* a whole register: there is no room for its address. An empty range says "optimized out" */
            memcpy(begin, &range[1], sizeof range[1]);
        at += length;
    }
}
