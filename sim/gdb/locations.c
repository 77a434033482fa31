/* Translates locations of variables.
 *
 * Intel's numbers of registers are not those of x86: general register N is 16 + N. Here a variable becomes memory in
 * the window that rbx points to (registers.h). Ten forms are known, which IGC and cmc write:
 *
 *     DW_OP_reg R, DW_OP_bit_piece SIZE OFFSET      a part of a register, the same for all lanes
 *     DW_OP_reg R, DW_OP_piece SIZE, ...            registers one after the other
 *     DW_OP_breg4 OFFSET                            scratch memory, of cmc: 4 is the register of its base
 *     DW_OP_breg3 OFFSET, deref_size, const1u UNIT, mul, DW_OP_breg4 OFFSET, plus
 *                                                   the same, counted from where a frame starts, as a register says
 *     DW_OP_breg3 or 4 OFFSET, deref_size, dup, bra, skip, DW_OP_breg3 or 4 OFFSET, plus, const4u, minus, stack_value
 *                                                   of cmc: a pointer into a variable in registers (3 is their base)
 *                                                   or scratch memory (also in a frame): the first is where it
 *                                                   points, or 0
 *     pieces of such registers, of scratch memory, of such pointers, of DW_OP_implicit_value, of
 *     DW_OP_GNU_implicit_pointer, of nothing; DW_OP_nop
 *                                                   between them is room for addresses
 *     lane, lit S, shr, plus_uconst R, DW_OP_INTEL_regs, lane, lit M, and, const1u BITS, mul, const1u BITS,
 *     DW_OP_INTEL_push_bit_piece_stack, stack_value a value for each lane, in registers from R on. Behind the first
 *                                                   lane may be lit16, minus: from the register of lane 16 on
 *     lane, lit16, ge, bra, the form above, skip, the form above: lanes 0 to 15, and 16 to 31
 *     a register, constant OFFSET, constant BITS, DW_OP_INTEL_push_bit_piece_stack, then plus, plus_uconst, mul,
 *     constants, lanes and further such registers   private memory: an address in registers, the frame's or the
 *                                                   thread's, to which offsets and the lane's place are added
 *
 *     constant R, constant OFFSET, DW_OP_INTEL_regval_bits BITS, stack_value
 *                                                   a part of a register, of IGC 2
 *
 * IGC 2 has the last operation for any part of a register, instead of DW_OP_INTEL_regs and
 * DW_OP_INTEL_push_bit_piece_stack. The lane is in rcx. */
#include "sim/gdb/locations.h"
#include "sim/gdb/registers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    OP_CONST1U = 0x08,
    OP_CONST2U = 0x0a,
    OP_CONST4U = 0x0c,
    OP_CONST8U = 0x0e,
    OP_CONSTU = 0x10,
    OP_DUP = 0x12,
    OP_AND = 0x1a,
    OP_MINUS = 0x1c,
    OP_MUL = 0x1e,
    OP_PLUS = 0x22,
    OP_PLUS_CONSTANT = 0x23,
    OP_SHR = 0x25,
    OP_BRA = 0x28,
    OP_GE = 0x2a,
    OP_SKIP = 0x2f,
    OP_LIT0 = 0x30,
    OP_REG0 = 0x50,
    OP_BREG0 = 0x70,
    OP_REGX = 0x90,
    OP_PIECE = 0x93,
    OP_DEREF_SIZE = 0x94,
    OP_NOP = 0x96,
    OP_BIT_PIECE = 0x9d,
    OP_IMPLICIT_VALUE = 0x9e,
    OP_STACK_VALUE = 0x9f,
    OP_IMPLICIT_POINTER = 0xf2, /* GNU's */
    OP_GNU_ENTRY_VALUE = 0xf3,
    OP_INTEL_REGISTER = 0xeb,
    OP_INTEL_PIECE = 0xec,
    OP_INTEL_LANE = 0xed,
    OP_INTEL_REGISTER_BITS = 0xfe
};

enum {
    FILE_BASE = 3,
    SCRATCH_BASE = 4,
    FIRST_GENERAL = 16,
    RCX = 2,
    RBX = 3
}; /* numbers of registers in DWARF: Intel's, x86's */

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

/* Copies an address in the register file or scratch memory, of four bytes, as one in the window. */
static void copy_address(struct reader *r, struct made *m)
{
    enum { BYTES = 4, BITS = 7, MORE = 1 << BITS };
    unsigned base = take(r);
    const uint8_t *from = r->at;
    uint64_t offset = take_unsigned(r) + (base == OP_BREG0 + SCRATCH_BASE ? GDB_WINDOW_SCRATCH : 0);
    r->failed |= (base != OP_BREG0 + FILE_BASE && base != OP_BREG0 + SCRATCH_BASE) || r->at - from != BYTES ||
                 offset >= GDB_WINDOW_BYTES;
    put(m, OP_BREG0 + RBX);
    for (unsigned k = 0; k < BYTES; k++)
        put(m, (unsigned)(offset >> (BITS * k) & (MORE - 1)) | (k + 1 < BYTES ? MORE : 0));
}

/* Copies bytes that must be these. */
static void copy_exactly(struct reader *r, struct made *m, const uint8_t *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        expect(r, bytes[k]);
        put(m, bytes[k]);
    }
}

static void copy_bytes(struct reader *r, struct made *m, size_t count)
{
    for (size_t k = 0; k < count; k++)
        put(m, take(r));
}

/* Copies such an address, or one that is counted from where a frame starts. */
static void copy_place(struct reader *r, struct made *m)
{
    static const uint8_t start[] = {OP_DEREF_SIZE, 4, OP_CONST1U}, multiply = OP_MUL, plus = OP_PLUS;
    copy_address(r, m);
    if ((size_t)(r->end - r->at) < sizeof start || memcmp(r->at, start, sizeof start) != 0)
        return;
    copy_bytes(r, m, sizeof start + 1);
    copy_exactly(r, m, &multiply, 1);
    copy_address(r, m);
    copy_exactly(r, m, &plus, 1);
}

/* Copies a pointer into a variable, up to the value that it computes. Null skips the sum. */
static void copy_pointer(struct reader *r, struct made *m)
{
    static const uint8_t read[] = {OP_DEREF_SIZE, 4, OP_DUP, OP_BRA, 3, 0, OP_SKIP}, sum[] = {OP_PLUS, OP_CONST4U},
                         minus = OP_MINUS, value = OP_STACK_VALUE;
    copy_place(r, m);
    copy_exactly(r, m, read, sizeof read);
    unsigned distance = r->end - r->at > 1 ? r->at[0] | r->at[1] << 8 : 0;
    copy_bytes(r, m, 2);
    const uint8_t *from = r->at;
    copy_place(r, m);
    copy_exactly(r, m, sum, sizeof sum);
    copy_bytes(r, m, 4);
    copy_exactly(r, m, &minus, 1);
    r->failed |= (size_t)(r->at - from) != distance;
    copy_exactly(r, m, &value, 1);
}

/* True if a pointer into a variable follows, and not an address alone. */
static bool is_pointer(struct reader r)
{
    struct made none = {NULL, 0, 0};
    copy_pointer(&r, &none);
    return !r.failed;
}

static void copy_constant(struct reader *r, struct made *m)
{
    uint64_t count = take_unsigned(r);
    put(m, OP_IMPLICIT_VALUE);
    put_number(m, count);
    for (uint64_t k = 0; k < count && !r->failed; k++)
        put(m, take(r));
    if (r->at == r->end)
        return; /* of the whole variable */
    expect(r, OP_PIECE);
    put(m, OP_PIECE);
    put_number(m, take_unsigned(r));
}

/* Copies a pointer to an entry of .debug_info, and the offset there. */
static void copy_implicit_pointer(struct reader *r, struct made *m)
{
    enum { PLACE_BYTES = 4, MORE = 0x80 };
    put(m, take(r));
    for (unsigned k = 0; k < PLACE_BYTES; k++)
        put(m, take(r));
    for (unsigned byte = MORE; byte & MORE && !r->failed;) {
        byte = take(r);
        put(m, byte);
    }
}

/* Reads pieces, and makes memory of those in registers. False: there is another form, or no room. */
static bool translate_pieces(struct reader r, unsigned register_bytes, struct made *m)
{
    uint64_t start = 0, bytes = 0, at, more; /* a run of registers that is not written yet */
    while (r.at < r.end && !r.failed) {
        if (*r.at == OP_BREG0 + SCRATCH_BASE || *r.at == OP_BREG0 + FILE_BASE) {
            put_run(m, start, bytes);
            bytes = 0;
            if (is_pointer(r))
                copy_pointer(&r, m);
            else
                copy_place(&r, m);
            continue; /* the piece follows */
        }
        if (*r.at == OP_IMPLICIT_POINTER) {
            put_run(m, start, bytes);
            bytes = 0;
            copy_implicit_pointer(&r, m);
            continue;
        }
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

/* A constant in any of its forms. */
static uint64_t take_constant(struct reader *r)
{
    unsigned op = take(r), bytes = 0;
    uint64_t value = 0;
    if (op >= OP_LIT0 && op < OP_REG0)
        return op - OP_LIT0;
    switch (op) {
    case OP_CONSTU: return take_unsigned(r);
    case OP_CONST1U: bytes = 1; break;
    case OP_CONST2U: bytes = 2; break;
    case OP_CONST4U: bytes = 4; break;
    case OP_CONST8U: bytes = 8; break;
    default: r->failed = true;
    }
    for (unsigned k = 0; k < bytes; k++)
        value |= (uint64_t)take(r) << 8 * k;
    return value;
}

/* A value for each lane, in registers: the byte where lane `first` is, and the bytes from one lane to the next. */
struct lanes {
    uint64_t start, first, stride;
};

/* Reads the end of a part of a register: its size in bits. */
static uint64_t take_bits(struct reader *r)
{
    if (r->at < r->end && *r->at == OP_INTEL_REGISTER_BITS) {
        take(r);
        return take(r);
    }
    uint64_t bits = take_constant(r);
    expect(r, OP_INTEL_PIECE);
    return bits;
}

static bool read_lanes(struct reader *r, unsigned register_bytes, struct lanes *l)
{
    expect(r, OP_INTEL_LANE);
    l->first = 0;
    if (r->end - r->at > 1 && r->at[1] == OP_MINUS) {
        l->first = take_constant(r);
        expect(r, OP_MINUS);
    }
    uint64_t shift = take_constant(r);
    expect(r, OP_SHR);
    expect(r, OP_PLUS_CONSTANT);
    uint64_t number = take_unsigned(r);
    if (r->at < r->end && *r->at == OP_INTEL_REGISTER)
        take(r);
    expect(r, OP_INTEL_LANE);
    uint64_t mask = take_constant(r);
    expect(r, OP_AND);
    uint64_t stride = take_constant(r);
    expect(r, OP_MUL);
    uint64_t bits = take_bits(r);
    if (r->failed || number < FIRST_GENERAL || shift > 5 || mask != (1u << shift) - 1 || l->first & mask ||
        bits > stride || stride % 8 || stride > 64 || stride << shift != 8 * register_bytes)
        return false;
    l->start = register_bytes * (number - FIRST_GENERAL);
    l->stride = stride / 8;
    return true;
}

/* A signed number of the byte code, from `value` of at most 62 bits. */
static void put_signed(struct made *m, int64_t value)
{
    enum { SIGN = 0x40 };
    for (; value >= SIGN || value < -SIGN; value >>= 7)
        put(m, ((unsigned)value & 0x7f) | 0x80);
    put(m, (unsigned)value & 0x7f);
}

static void put_base(struct made *m, unsigned base, int64_t offset)
{
    put(m, OP_BREG0 + base);
    put_signed(m, offset);
}

/* The address of the value of the lane in rcx. */
static void put_lanes(struct made *m, const struct lanes *l)
{
    put_base(m, RBX, (int64_t)l->start - (int64_t)(l->first * l->stride));
    put_base(m, RCX, 0);
    put(m, OP_LIT0 + (unsigned)l->stride);
    put(m, OP_MUL);
    put(m, OP_PLUS);
}

static bool translate_lanes(struct reader r, unsigned register_bytes, struct made *m)
{
    struct lanes l;
    if (!read_lanes(&r, register_bytes, &l) || take(&r) != OP_STACK_VALUE || r.at != r.end)
        return false;
    put_lanes(m, &l);
    return m->size <= m->room;
}

/* Skips a jump, whose target is what follows the next form. */
static void expect_jump(struct reader *r, unsigned op)
{
    expect(r, op);
    take(r);
    take(r);
}

static size_t put_jump(struct made *m, unsigned op)
{
    put(m, op);
    put(m, 0);
    put(m, 0);
    return m->size;
}

/* Sets the target of the jump that ends at `from` to the end of what is made. */
static void land(struct made *m, size_t from)
{
    if (m->size <= m->room)
        m->bytes[from - 2] = (uint8_t)(m->size - from);
}

static bool translate_halves(struct reader r, unsigned register_bytes, struct made *m)
{
    struct lanes low, high;
    expect(&r, OP_INTEL_LANE);
    expect(&r, OP_LIT0 + 16);
    expect(&r, OP_GE);
    expect_jump(&r, OP_BRA);
    bool good = read_lanes(&r, register_bytes, &low);
    expect(&r, OP_STACK_VALUE);
    expect_jump(&r, OP_SKIP);
    good = good && read_lanes(&r, register_bytes, &high);
    expect(&r, OP_STACK_VALUE);
    if (!good || r.failed || r.at != r.end)
        return false;
    put_base(m, RCX, 0);
    put(m, OP_LIT0 + 16);
    put(m, OP_GE);
    size_t second = put_jump(m, OP_BRA);
    put_lanes(m, &low);
    size_t end = put_jump(m, OP_SKIP);
    land(m, second);
    put_lanes(m, &high);
    land(m, end);
    return m->size <= m->room;
}

/* A part of a register: the byte where it begins, and its size. */
struct register_part {
    uint64_t start, bytes;
};

static struct register_part read_register(struct reader *r, unsigned register_bytes)
{
    unsigned op = r->at < r->end ? *r->at : 0;
    bool by_number = !((op >= OP_REG0 && op < OP_BREG0) || op == OP_REGX);
    uint64_t number = by_number ? take_constant(r) - FIRST_GENERAL : take_register(r);
    if (by_number && r->at < r->end && *r->at == OP_INTEL_REGISTER)
        take(r);
    uint64_t offset = take_constant(r), bits = take_bits(r);
    r->failed |= number > GDB_WINDOW_SCRATCH / register_bytes || offset % 8 || bits % 8 || bits > 64 ||
                 offset + bits > 8 * register_bytes;
    return (struct register_part){register_bytes * number + offset / 8, bits / 8};
}

/* The value of a part of a register: it is read from the window. */
static void translate_register(struct reader *r, unsigned register_bytes, struct made *m)
{
    struct register_part part = read_register(r, register_bytes);
    put_base(m, RBX, (int64_t)part.start);
    put(m, OP_DEREF_SIZE);
    put(m, (unsigned)part.bytes);
}

/* True if a part of a register follows, and not another constant. */
static bool is_register(struct reader r, unsigned register_bytes)
{
    read_register(&r, register_bytes);
    return !r.failed;
}

static bool translate_uniform_value(struct reader r, unsigned register_bytes, struct made *m)
{
    struct register_part part = read_register(&r, register_bytes);
    expect(&r, OP_STACK_VALUE);
    if (r.failed || r.at != r.end)
        return false;
    put_base(m, RBX, (int64_t)part.start);
    return m->size <= m->room;
}

/* An address that is computed from registers and the lane. */
static bool translate_address(struct reader r, unsigned register_bytes, struct made *m)
{
    translate_register(&r, register_bytes, m);
    while (r.at < r.end && !r.failed) {
        const uint8_t *from = r.at;
        unsigned op = *r.at;
        if (is_register(r, register_bytes)) {
            translate_register(&r, register_bytes, m);
        } else if (op == OP_INTEL_LANE) {
            take(&r);
            put_base(m, RCX, 0);
        } else {
            if (op == OP_PLUS_CONSTANT) {
                take(&r);
                take_unsigned(&r);
            } else if (op == OP_PLUS || op == OP_MUL) {
                take(&r);
            } else {
                take_constant(&r);
            }
            while (from < r.at)
                put(m, *from++);
        }
    }
    return !r.failed && m->size <= m->room;
}

static bool translate_pointer(struct reader r, unsigned register_bytes, struct made *m)
{
    (void)register_bytes;
    copy_pointer(&r, m);
    return !r.failed && r.at == r.end && m->size <= m->room;
}

static bool translate_memory(struct reader r, unsigned register_bytes, struct made *m)
{
    (void)register_bytes;
    copy_place(&r, m);
    return !r.failed && r.at == r.end && m->size <= m->room;
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

/* "Optimized out": what a register had when the function was called, which no caller describes. Two bytes cannot say
 * that; they become a piece that is larger than the variable, and a single one nothing: both are errors. */
static void write_nothing(uint8_t *to, size_t size)
{
    static const uint8_t unknown[] = {OP_GNU_ENTRY_VALUE, 1, OP_REG0};
    memset(to, OP_NOP, size);
    if (size >= sizeof unknown)
        memcpy(to, unknown, sizeof unknown);
    else if (size == 2)
        memcpy(to, (uint8_t[]){OP_PIECE, 0x7f}, 2);
}

typedef bool translation(struct reader r, unsigned register_bytes, struct made *m);

void gdb_location_translate(uint8_t *expression, size_t size, unsigned register_bytes)
{
    static translation *const known[] = {translate_lanes,  translate_halves,        translate_memory, translate_pointer,
                                         translate_pieces, translate_uniform_value, translate_address};
    const struct reader all = {expression, expression + size, false};
    uint8_t made[32];
    uint64_t start = 0;
    if (size == 0 || (expression[0] == OP_CONST8U && size == 9)) /* an address */
        return;
    if (read_uniform(all, register_bytes, &start)) {
        size_t used = write_uniform(made, start);
        if (used <= size) {
            memset(expression, OP_NOP, size);
            memcpy(expression, made, used);
            return;
        }
    }
    uint8_t *pieces = malloc(size);
    for (size_t k = 0; pieces && k < sizeof known / sizeof known[0]; k++) {
        struct made m = {pieces, 0, size};
        if (!known[k](all, register_bytes, &m))
            continue;
        memset(expression, OP_NOP, size - m.size);
        memcpy(expression + size - m.size, pieces, m.size);
        free(pieces);
        return;
    }
    free(pieces);
    write_nothing(expression, size);
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
