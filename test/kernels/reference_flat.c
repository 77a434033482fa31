/* References of the kernels that test flat memory, images, and what kernels print and pass. */
#include "elements.h"
#include "reference.h"

#include <math.h>

#include <stdlib.h>

typedef uint64_t u64;
typedef int64_t i64;

static void flat_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 512, 0);
    EACH(k, 32) EACH(c, 4)
    {
        put32((u8 *)out + 16 * k + 4 * c, c == 2 ? a[4 * k + 2] + a[4 * k + 3] : a[4 * k + c]);
    }
    EACH(k, 8)
    {
        unsigned from = 128 + ((unsigned)(k + 3) * 5 & 31) * 4, to = 128 + ((unsigned)k * 5 & 31) * 4;
        put32((u8 *)out + 4 * to, a[from + 1] ^ 1);
        put32((u8 *)out + 4 * to + 12, a[from + 2] ^ 1);
    }
    EACH(k, 16) put32((u8 *)out + 1536 + (k - 8) * 16 + 256 + 4, a[384 + (k - 8) * 4 + 2]);
}

static void flat_pointers(const void *in, void *out, unsigned thread)
{
    u8 *to = (u8 *)out + 256 * thread;
    const u8 *from = (const u8 *)in + 256 * thread;
    EACH(k, 16) put32(to + 4 * k, get32(from + 4 * k) + (k < 8 ? (u32)(i16)get16(from + 68 + 16 + 2 * k) : 0));
    EACH(k, 16)
    {
        put16(to + 64 + 6 * k, get16(from + 6 * k));
        to[64 + 6 * k + 3] = from[6 * k + 1];
    }
    EACH(k, 8)
    {
        put32(to + 192 + 8 * k, get32(from + 128 + 8 * k));
        put32(to + 196 + 8 * k, get32(from + 132 + 8 * k));
    }
}

static u64 higher(u64 a, u64 b)
{
    return a > b ? a : b;
}

static void flat_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    IN(u64, q, 128, 0);
    u32 r[256];
    u64 wide[64];
    memcpy(r, a, sizeof r);
    EACH(k, 16)
    {
        u32 x = a[240 + k], same = k % 2 ? a[48 + k] : 1;
        r[k] += x;
        r[16 + k] = a[16 + k] < 0x80000000 ? a[16 + k] : 0x80000000;
        r[32 + k] = x;
        r[48 + k] = a[48 + k] == same ? x : a[48 + k];
        r[64 + k] += 1;
        r[80 + k] -= 1;
        r[240 + k] = ((((a[k] ^ a[16 + k]) + a[32 + k]) ^ a[48 + k]) + a[64 + k]) ^ (a[80 + k] - 1);
        if (k < 4) {
            r[96 + k] = (i32)a[96 + k] > (i32)x ? a[96 + k] : x;
            r[100 + k] = (i32)a[100 + k] < (i32)x ? a[100 + k] : x;
            r[240 + k] += a[100 + k];
        }
    }
    memcpy(wide, r + 128, sizeof wide);
    EACH(k, 8)
    {
        u64 y = q[120 + k];
        wide[k] = q[64 + k] + y;
        y += q[64 + k];
        wide[8 + k] = q[72 + k] ^ y;
        wide[16 + k] = higher(q[80 + k], y);
        wide[24 + k] = (i64)q[88 + k] < (i64)y ? q[88 + k] : y;
        wide[48 + k] = q[88 + k] ^ q[80 + k];
    }
    memcpy(r + 128, wide, 56 * sizeof *wide);
    OUT(0, r);
}

static void flat_sums(const void *in, void *out, unsigned thread)
{
    IN(u32, what, 8, 0);
    EACH(k, 8)
    {
        u8 *at = (u8 *)out + 4 * (((unsigned)k + thread % 4) & 7);
        put32(at, get32(at) + what[k]);
    }
    put32((u8 *)out + 60, get32((u8 *)out + 60) + 1);
}

static void masked_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, x, 32, 0);
    IN(u64, wide, 16, 128);
    u32 memory[32], old[32];
    u64 before[16];
    memcpy(memory, x, sizeof memory);
    EACH(k, 32) old[k] = x[k] & 1 ? x[31 - k] : x[k];
    EACH(k, 32) memory[31 - k] += x[k] & 1 ? x[k] : 0;
    EACH(k, 16)
    {
        int on = (x[k] & 3) == 3; /* the others are 5 by then */
        before[k] = on ? wide[k] : 3;
        wide[k] += (u64)(on && wide[k] != UINT64_MAX);
    }
    OUT(0, memory);
    OUT(128, old);
    OUT(256, wide);
    OUT(384, before);
}

static void masked_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, memory, 128, 0);
    u32 x[32], v[64], to[64] = {0}, w[32], shared[64] = {0}, read[64];
    memcpy(x, memory, sizeof x);
    EACH(k, 32) EACH(c, 2)
    {
        v[32 * c + k] = x[k] & 1 ? memory[(k * 5 & 31) * 2 + c] : 9;
        if (x[k] & 1)
            to[2 * k + c] = v[32 * c + k];
    }
    EACH(k, 32) x[k] += x[k] & 1 ? 0 : 2;
    EACH(k, 32) w[k] = x[k] & 2 ? memory[k * 5 & 31] : 3;
    EACH(k, 32) EACH(c, 2) shared[2 * k + c] = x[k] & 4 ? v[32 * c + k] + 1 : 0;
    EACH(k, 32) EACH(c, 2) read[32 * c + k] = x[k] & 2 ? shared[2 * k + c] : 7;
    OUT(0, v);
    OUT(256, to);
    OUT(512, w);
    OUT(640, read);
    EACH(k, 32) w[k] = x[k] > 0x80000000 ? x[k] : w[k];
    OUT(896, w);
}

static void float_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    float x[64], r[128];
    EACH(k, 64) r[k] = r[64 + k] = x[k] = (int8_t)a[k];
    EACH(k, 16)
    {
        r[k] = x[k] > 3.5f ? x[k] : 3.5f;
        r[64 + k] = x[k];
        r[16 + k] = x[16 + k] < 3.5f ? x[16 + k] : 3.5f;
        r[80 + k] = x[16 + k];
        r[32 + k] = k % 2 ? 3.5f : x[32 + k];
        r[96 + k] = x[32 + k];
    }
    OUT(0, r);
}

static void lsc_pointers(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u8 *to = out;
    EACH(k, 32) put32(to + 16 * k, get32(from + 16 * k));
    EACH(k, 32) put32(to + 16 * k + 4, get32(from + 16 * k + 4) + 3);
    for (int k = 1; k < 20; k += 2)
        put16(to + (29 - k) * 16 + 8, get16(from + (29 - k) * 16 + 8));
    EACH(k, 8)
    {
        to[(31 - k) * 16 + 12] = from[(31 - k) * 16 + 13];
        put32(to + (31 - k) * 4 + 640, from[(31 - k) * 16 + 15]);
    }
    memcpy(to + 512, from + 512, 128);
    memcpy(to + 1024, from + 1024, 256);
    EACH(k, 3) put32(to + 1024 + 4 * k, get32(from + 1024 + 4 * k) ^ 0xff);
    memcpy(to + 1280, from + 1024 + 20, 12);
    EACH(k, 40)
    {
        put32(to + 1536 + 8 * k, get32(from + 8 * k));
        put32(to + 1540 + 8 * k, get32(from + 8 * k + 4) + 7);
    }
}

static void lsc_surfaces(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *from = in;
    u8 *to = out;
    EACH(k, 16) memcpy(to + (15 - k) * 32, from + k * 32, 16);
    memcpy(to + 512, from + 512, 128);
    EACH(k, 16) put16(to + 512 + 8 * k, (u16)(get16(from + 512 + 8 * k + 2) + 1));
}

static double half_of(u16 bits)
{
    int exponent = bits >> 10 & 31;
    double size =
        exponent ? (1024 + (bits & 1023)) * __builtin_ldexp(1, exponent - 25) : (bits & 1023) * __builtin_ldexp(1, -24);
    return bits >> 15 ? -size : size;
}

static double brain_of(u16 bits)
{
    u32 wide = (u32)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static void dpas(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, b, 256, 0); /* dword k holds four rows of column k % 8 */
    IN(u8, a, 256, 256);
    IN(i32, sum, 64, 512);
    IN(u16, hb, 128, 0);
    IN(u16, ha, 64, 256 + 32);
    IN(u16, ba, 32, 256);
    IN(u8, nb, 256, 0);
    IN(u8, na, 32, 256 + 20);
    float halves[32], brains[16];
    i32 nibbles[8];
    EACH(r, 8) EACH(c, 8) EACH(k, 32) sum[8 * r + c] += b[(k / 4 * 8 + c) * 4 + k % 4] * a[32 * r + k];
    EACH(r, 4) EACH(c, 8)
    {
        double total = 0;
        EACH(k, 16) total += half_of(hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3bff) * half_of(ha[16 * r + k] & 0xbbff);
        halves[8 * r + c] = (float)total;
    }
    EACH(r, 2) EACH(c, 8)
    {
        double total = 0.5;
        EACH(k, 16)
        total += brain_of((hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3fff) | 0x3800) *
                 brain_of((ba[16 * r + k] & (k % 2 ? 0x3f7f : 0xbf7f)) | 0x3800);
        brains[8 * r + c] = (float)total;
    }
    EACH(c, 8)
    {
        nibbles[c] = 0;
        EACH(k, 64)
        {
            int x = nb[(k / 8 * 8 + c) * 4 + k % 8 / 2] >> 4 * (k % 2) & 15, y = na[k / 2] >> 4 * (k % 2) & 15;
            nibbles[c] += x * (y > 7 ? y - 16 : y);
        }
    }
    OUT(0, sum);
    OUT(256, halves);
    OUT(384, brains);
    OUT(448, nibbles);
}

/* Bits of a number that fits; bf16: of what it is when rounded to eight binary digits, ties to even. */
static u16 half_bits(double x)
{
    int exponent;
    double size = frexp(fabs(x), &exponent);
    return (u16)((x < 0) << 15 | (size ? (exponent + 14) << 10 | ((int)ldexp(size, 11) & 1023) : 0));
}
static u16 brain_bits(double x)
{
    enum { DIGITS = 8 };
    int exponent;
    double size = frexp(x, &exponent);
    float value = (float)ldexp(nearbyint(ldexp(size, DIGITS)), exponent - DIGITS);
    u32 bits;
    memcpy(&bits, &value, sizeof bits);
    return (u16)(bits >> 16);
}

static void dpas_short_sums(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, b, 128, 0);
    IN(u16, a, 128, 256);
    u16 halves[64], brains[64];
    float wide[64], wider[64];
    EACH(r, 8) EACH(c, 8)
    {
        double half_sum = 0.125, brain_sum = 0.125;
        EACH(k, 16)
        {
            u16 x = b[(k / 2 * 8 + c) * 2 + k % 2], y = a[16 * r + k];
            half_sum += half_of((x & 0x8300) | 0x3800) * half_of((y & 0x8300) | 0x3800);
            brain_sum += brain_of((x & 0x8060) | 0x3f00) * brain_of((y & 0x8060) | 0x3f00);
        }
        halves[8 * r + c] = half_bits(half_sum);
        brains[8 * r + c] = brain_bits(brain_sum);
        wide[8 * r + c] = (float)half_sum;
        wider[8 * r + c] = (float)brain_sum;
    }
    OUT(0, halves);
    OUT(128, brains);
    OUT(256, wide);
    OUT(512, brains);
    memcpy((u8 *)out + 640, wider, 192);
}

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

static void lsc_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    u32 r[160], *x = a + 128, *y = a + 144, sum[16] = {0};
    memcpy(r, a, 512);
    EACH(k, 16)
    {
        int at = 15 - k;
        u32 old = k & 1 ? r[32 + at] : 7, wanted = k & 1 ? y[k] : r[48 + at];
        sum[k] += r[at];
        r[at] += x[k];
        sum[k] ^= r[16 + at]++;
        r[32 + at] = k & 1 && x[k] > r[32 + at] ? x[k] : r[32 + at];
        sum[k] += old;
        sum[k] ^= r[48 + at];
        r[48 + at] = r[48 + at] == wanted ? x[k] : r[48 + at];
        if (k >= 2 && k < 14) {
            sum[k] += r[64 + at];
            r[64 + at] = (i32)x[k] < (i32)r[64 + at] ? x[k] : r[64 + at];
        }
        r[80 + at] ^= x[k];
    }
    memcpy(r + 128, sum, sizeof sum);
    EACH(k, 8)
    {
        u8 *at = (u8 *)r + (15 - 2 * k) * 8 - 8 + 384;
        uint64_t old, add;
        memcpy(&old, at, 8);
        memcpy(&add, x + 2 * k, 8);
        memcpy(r + 144 + 2 * k, &old, 8);
        old += add;
        memcpy(at, &old, 8);
    }
    OUT(0, r);
}

static void lsc_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    u32 *to = out;
    EACH(k, 16)
    {
        int at = (15 - k) * 4;
        to[at] = a[at] + 1;
        to[at + 1] = a[at + 2] + 1;
        to[at + 2] = a[at + 3] + 1;
        if (k & 1)
            to[at + 3] = a[at + 3] + 1;
        EACH(c, 4) to[64 + at + c] = a[64 + at + (c & 1 ? 3 : 1)];
    }
}

/* An element of a matrix of 30 rows of 100 bytes that are 128 bytes apart; 0 outside. */
static u32 element_of(const void *in, int bytes, int x, int y)
{
    u32 value = 0;
    if (x >= 0 && y >= 0 && y < 30 && (x + 1) * bytes <= 100)
        memcpy(&value, (const u8 *)in + y * 128 + x * bytes, (size_t)bytes);
    return value;
}

static void blocks_2d(const void *in, void *out, unsigned thread)
{
    u8 *to = out;
    (void)thread;
    memset(to + 256, 0, 256);
    memset(to + 1024, 0, 192);
    memset(to + 2048, 0, 512);
    memset(to + 3072, 0, 128);
    EACH(r, 8) EACH(c, 12)
    {
        put16(to + (r * 12 + c) * 2, (u16)element_of(in, 2, 3 + c, 5 + r));
        put16(to + 256 + (r * 16 + c) * 2, (u16)element_of(in, 2, 44 + c, r - 2));
    }
    EACH(b, 2)
    EACH(r, 4) EACH(c, 8) put32(to + 512 + (b * 32 + r * 8 + c) * 4, element_of(in, 4, 2 + b * 8 + c, 27 + r));
    EACH(r, 6) EACH(c, 5) put32(to + 1024 + (c * 8 + r) * 4, element_of(in, 4, 1 + c, 3 + r));
    EACH(b, 2)
    EACH(r, 7)
    EACH(c, 16)
    put16(to + 2048 + (b * 128 + r / 2 * 32 + c * 2 + r % 2) * 2, (u16)element_of(in, 2, 5 + b * 16 + c, 8 + r));
    EACH(r, 3) EACH(c, 20) to[3072 + r * 32 + c] = (u8)element_of(in, 1, 90 + c, 1 + r);
    EACH(r, 4)
    EACH(c, 6)
    if (10 + c < 15 && 17 + r < 20)
        put32(to + 4096 + (17 + r) * 64 + (10 + c) * 4, (u32)(r * 8 + c) * 3 + 1);
    EACH(r, 2) EACH(c, 4) put32(to + 4096 + (1 + r) * 64 + (1 + c) * 4, (u32)(r * 4 + c) * 3 + 1);
}

/* The nearest bf16 of any float: its bits, and as a float. */
static u16 bfloat_bits(float x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return (u16)((bits | 0x400000) >> 16);
    return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static float bfloat(float x)
{
    return (float)brain_of(bfloat_bits(x));
}
static u8 *put_bfloats(u8 *to, const float x[16])
{
    EACH(k, 16) put16(to + 2 * k, bfloat_bits(x[k]));
    return to + 32;
}

static void lsc_shared(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 64, 0);
    u8 *to = out;
    u32 shared[64], more[16];
    float floats[16];
    (void)thread;
    memcpy(shared, a, sizeof shared);
    EACH(k, 16)
    {
        u32 g = a[(15 - k) * 4 + 1], b = a[(15 - k) * 4 + 2];
        more[k] = a[4 * k] + a[4 * k + 1];
        shared[4 * k] += g;
        shared[4 * k + 1] += 1;
        floats[k] = k & 1 ? 2.5f + 3.0f : 0.5f + 2.5f;
        if (k & 1) {
            put32(to + 256 + 16 * k, g);
            put32(to + 256 + 16 * k + 12, b);
        }
        put32(to + 640 + 4 * k, (more[k] & shared[4 * k]) | shared[4 * k + 1]);
        put32(to + 704 + 4 * k, ~more[k] ^ shared[4 * k + 1]);
    }
    memcpy(to, shared, sizeof shared);
    memcpy(to + 512, more, sizeof more);
    memcpy(to + 576, floats, sizeof floats);
}

static void lsc_words(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i16, a, 64, 0);
    IN(i16, x, 16, 128);
    IN(i16, y, 16, 160);
    i16 r[176];
    memcpy(r, a, sizeof a);
    EACH(k, 16)
    {
        int at = (15 - k) * 2 + 1;
        u16 was = (u16)a[at];
        r[64 + k] = a[at];
        i16 sum = (i16)(a[at] + x[k]), least = k & 1 && y[k] < sum ? y[k] : sum;
        r[80 + k] = k & 1 ? sum : 7;
        r[96 + k] = least;
        r[at] = x[k];
        r[112 + k] = (i16)was;
        r[128 + k] = (i16)(was > (u16)y[k] ? was : (u16)y[k]);
        float h = (float)(x[k] >> 4) * 0.5f, other = (float)(y[k] >> 4), most = h > other ? h : other;
        r[144 + k] = (i16)half_bits(h);
        r[160 + k] = (i16)half_bits(most);
        r[32 + at] = (i16)half_bits(most == (k & 1 ? h : 100) ? 3 : most);
    }
    OUT(0, r);
}

static void bfloats(const void *in, void *out, unsigned thread)
{
    static const float table[4] = {1, -0.5f, 3.140625f, 1000};
    IN(i16, bits, 32, thread * 64);
    u8 *to = (u8 *)out + thread * 416;
    float a[16], b[16], r[16], v[8];
    EACH(k, 16)
    {
        a[k] = bfloat((float)(bits[k] >> 6)) * 0.125f;
        b[k] = bfloat((float)(bits[16 + k] >> 6)) * 0.125f;
    }
    EACH(k, 16) r[k] = a[k] + b[k];
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = bfloat(a[k] * b[k]) - a[k];
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = a[k] * 3.0f;
    memcpy(to, r, 64);
    to += 64;
    EACH(k, 16) r[k] = a[k] < b[k] ? b[k] : a[k];
    to = put_bfloats(to, r);
    EACH(k, 16) put16(to + 2 * k, (u16)((a[k] <= b[k]) + 2 + (-a[k] > b[k]) * 4));
    to += 32;
    EACH(k, 16) r[k] = fabsf(a[k] - b[k]);
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = fabsf(a[k]);
    to = put_bfloats(to, r);
    memset(r, 0, sizeof r);
    memcpy(r, table, sizeof table);
    EACH(k, 4)
    {
        r[4 + 2 * k] = b[2];
        r[5 + 2 * k] = 0.5f;
    }
    r[15] = 1 + 3.140625f * a[1];
    r[14] = (a[0] > b[0] ? a[3] : 7.0f) / 3.0f;
    to = put_bfloats(to, r);
    EACH(k, 8)
    {
        v[k] = bfloat((k ? a[8 + k] : 5.0f) + b[1]);
        r[k] = v[k] * 2;
        r[8 + k] = a[8 + k];
    }
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = bfloat(a[k] * b[k]) + bfloat(a[k] + 0.25f);
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = v[k % 8];
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = a[k] > b[k] ? b[k] * 0.5f : a[k];
    put_bfloats(to, r);
}

static void bfloat_conversions(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(float, j, 16, thread * 128 + 64);
    u8 *to = (u8 *)out + thread * 384;
    float r[16];
    to = put_bfloats(to, j);
    EACH(k, 16) put32(to + 4 * k, (u32)bfloat_bits(j[k]) << 16);
    to += 64;
    EACH(k, 16) r[k] = (float)(i[k] >> 8);
    to = put_bfloats(to, r);
    EACH(k, 16) r[k] = (float)(u16)((u32)i[k] >> 16);
    to = put_bfloats(to, r);
    EACH(k, 16)
    {
        r[k] = bfloat((float)(i[k] >> 12));
        put32(to + 4 * k, (u32)(i32)r[k]);
        to[64 + k] = (u8)(r[k] < 0 ? 0 : r[k] > 255 ? 255 : r[k]);
        put16(to + 80 + 2 * k, (u16)(i16)(r[k] * 0.03125f));
        r[k] *= 0x1p-10f;
        put16(to + 112 + 2 * k, half_bits(r[k]));
        r[k] = bfloat((float)half_of(half_bits(r[k] * 0.5f)));
    }
    to = put_bfloats(to + 144, r);
    u8 *last = to + 32;
    EACH(k, 16) last[k] = (u8)(bfloat_bits(r[k]) >> 8);
    EACH(k, 16) r[k] = r[k] < 0 ? 0 : r[k] > 1 ? 1 : r[k];
    put_bfloats(to, r);
}

static void bfloat_argument(const void *in, void *out, unsigned thread)
{
    IN(u16, bits, 32, 0);
    (void)thread;
    EACH(k, 32) put16((u8 *)out + 2 * k, -brain_of(bits[k]) < brain_of(bits[0]) ? bits[k] : bits[0]);
}

static void pointer_vectors(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 128, thread * 512);
    u8 *to = (u8 *)out + thread * 512;
    int number[32];
    u32 v[32];
    EACH(k, 32)
    {
        number[k] = k * 7 % 32;
        v[k] = a[number[k]];
    }
    EACH(k, 32) put32(to + 4 * (31 - number[k]), v[k]);
    EACH(k, 13)
    {
        int word = k == 2 ? 110 : 64 + number[3 + k];
        u16 w = number[k] & 1 ? get16((u8 *)a + 2 * word) : 77;
        if (k % 3 != 1)
            put16(to + 2 * (64 + number[k]), w);
    }
    EACH(k, 8)
    {
        uint64_t l;
        memcpy(&l, v + 2 * k, 8);
        l++;
        memcpy(to + 8 * (24 - (number[k] & 7)), &l, 8);
    }
    put32(to + 4 * 127, a[127] + 1);
}

static void pointer_matrices(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 128, 0);
    u8 *to = out;
    static const int few[4] = {0, 5, 90, 2}, place[4] = {0, 3, 1, 2};
    u32 first = 0;
    (void)thread;
    EACH(k, 32)
    {
        int number = 31 - k, from = k == 10 ? 100 : number;
        u32 m = a[number] + (number & 1 ? a[from] : 1000);
        put32(to + 4 * k, m);
        if (number & 1)
            put32(to + 4 * (32 + k), m + 1);
        first = k ? first : m;
    }
    EACH(k, 4) put32(to + 4 * (64 + place[k]), 2 * a[few[k]]);
    put32(to + 4 * 70, first + 2);
}

const struct reference flat_table[] = {ROW(pointer_vectors),
                                       ROW(pointer_matrices),
                                       ROW(bfloats),
                                       ROW(bfloat_conversions),
                                       ROW(bfloat_argument),
                                       ROW(blocks_2d),
                                       ROW(lsc_shared),
                                       ROW(lsc_channels),
                                       ROW(lsc_atomics),
                                       ROW(lsc_words),
                                       ROW(argument_values),
                                       ROW(argument_structure),
                                       ROW(argument_bool),
                                       ROW(argument_copies),
                                       ROW(argument_bits),
                                       ROW(flat_channels),
                                       ROW(flat_pointers),
                                       ROW(flat_atomics),
                                       ROW(flat_sums),
                                       ROW(float_atomics),
                                       ROW(masked_atomics),
                                       ROW(masked_channels),
                                       ROW(lsc_pointers),
                                       ROW(lsc_surfaces),
                                       ROW(dpas),
                                       ROW(dpas_short_sums),
                                       {NULL, NULL}};
