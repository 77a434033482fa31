/* Computes in scalar C what the kernels of argument_values.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Values take the bytes of `in`, one after the other. */
static void argument_values(const void *in, void *out, unsigned thread)
{
    const u8 *bytes = in;
    IN(u32, v, 16, 0);
    IN(u32, m, 16, 71);
    u32 r[128];
    memcpy(r, v, sizeof v);
    EACH(k, 16) r[16 + k] = v[k] + (k % 2 == 0 ? thread + 1 : 0);
    memcpy(r + 32, m, sizeof m);
    m[0] = bytes[64];
    EACH(k, 3) m[1 + 2 * k] = get16(bytes + 65 + 2 * k);
    m[15] = (u32)(int)(signed char)bytes[135];
    EACH(k, 5) memcpy(r + 48 + 16 * k, m, sizeof m);
    OUT(thread * 512, r);
}

static void argument_bool(const void *in, void *out, unsigned thread)
{
    const u8 *bytes = in;
    u32 yes = bytes[0] != 0, also = bytes[3] != 0;
    u32 v[8];
    EACH(k, 8) v[k] = (u32)(int)(i16)get16(bytes + 1);
    v[0] = yes;
    v[1] = yes && !also ? 5 : 6;
    v[2] += also;
    OUT(thread * 32, v);
}

static void argument_bits(const void *in, void *out, unsigned thread)
{
    union word {
        u32 all;
        i16 halves[2];
        u8 bytes[4];
    } w;
    struct {
        u32 a : 3;
        i32 b : 5;
        u32 c : 20;
        u16 d : 9;
        uint64_t e : 40;
        union word last;
    } f;
    memcpy(&f, in, sizeof f);
    memcpy(&w, (const u8 *)in + sizeof f, sizeof w);
    u32 v[16] = {f.a, (u32)f.b, f.c, f.d, (u32)f.e, (u32)((uint64_t)f.e >> 32), (u32)f.last.halves[1]};
    u32 b = ((u32)f.b + 3 + thread) & 31;
    w.bytes[3] = (u8)f.c;
    v[7] = f.a;
    v[8] = b & 16 ? b - 32 : b;
    v[9] = f.c;
    v[10] = (u32)w.bytes[2] << 3 & 511;
    v[11] = w.all;
    v[12] = sizeof f;
    OUT(thread * 64, v);
}

static void argument_copies(const void *in, void *out, unsigned thread)
{
    enum { CORNER = 32, COLORS = 64, MIDDLE = 4 };
    const u8 *bytes = in;
    u8 *to = out, *second = to + (4 + thread) * CORNER;
    memcpy(to + thread * CORNER, bytes, CORNER);
    memcpy(to + COLORS + thread * 3, bytes + CORNER + 1, 3);
    memcpy(to + COLORS + (10 + thread) * 3, bytes + bytes[CORNER] % 16, 3);
    memcpy(second, bytes, CORNER);
    put16(second + MIDDLE, (u16)(get16(bytes + MIDDLE) + 7 * thread));
}

static void argument_structure(const void *in, void *out, unsigned thread)
{
    enum { LIMIT = 4, TABLE = 24, PAIRS = 30, TOTAL = 40, SCALE = 48, SIZE = 56 };
    const u8 *bytes = in;
    u32 r[64] = {0};
    (void)thread;
    r[0] = get16(bytes);
    EACH(k, 5) r[1 + k] = get32(bytes + LIMIT + 4 * k);
    EACH(k, 6) r[6 + k] = bytes[TABLE + k];
    EACH(k, 2)
    {
        r[12 + k] = (u32)(int)(i16)get16(bytes + PAIRS + 4 * k);
        r[14 + k] = (u32)(int)(i16)get16(bytes + PAIRS + 4 * k + 2);
        r[16 + k] = get32(bytes + TOTAL + 4 * k);
    }
    r[18] = (get16(bytes + SCALE) & 0x7fff) <= 0x7c00; /* no NaN */
    r[19] = get32(bytes + SIZE);
    OUT(0, r);
}

REFERENCE(argument_values)
REFERENCE(argument_structure)
REFERENCE(argument_bool)
REFERENCE(argument_bits)
REFERENCE(argument_copies)
