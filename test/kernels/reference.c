/* Scalar references of the kernels in this folder: no vectors, no code of the compiler. Each function says in plain
 * loops what its kernel says in CM. Arithmetic is unsigned so that it wraps as the hardware does. */
#include "elements.h"
#include "reference.h"

#include <stdlib.h>

static void vadd(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    IN(u32, b, 16, 512 + thread * 64);
    EACH(k, 16) a[k] += b[k];
    OUT(thread * 64, a);
}

static void vadd_buffer(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 32, thread * 128);
    IN(u32, b, 32, 512 + thread * 128);
    EACH(k, 32) a[k] += b[k];
    OUT(thread * 128, a);
}

static void partly_initialised(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u32 w[16];
    EACH(k, 8) w[k] = 14; /* the odd lanes of v + v */
    EACH(k, 8) w[8 + k] = 3;
    if (thread == 0)
        EACH(k, 4) w[8 + 2 * k] = v[2 + 4 * k];
    EACH(k, 4) w[9 + 2 * k] += 24; /* (7 + 5) * 2 */
    OUT(thread * 64, w);
}

static void overlapping_references(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 old[16], w[16];
    memcpy(old, v, sizeof old);
    EACH(k, 8) v[k] = old[k] + old[4 + k];
    memcpy(old, v, sizeof old);
    EACH(k, 8) v[4 + k] = old[4 + k] - old[k];
    memcpy(old, v, sizeof old);
    EACH(k, 8) v[2 * k] = old[k] ^ old[4 + k];
    v[3] = v[4] + 1;
    OUT(0, v);
    EACH(k, 8) w[k] = v[k];
    EACH(k, 8) w[8 + k] = v[2 * k];
    OUT(64, w);
}

static void overlapping_copies(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, w, 16, 64);
    IN(u16, m, 32, 128);
    u32 old[16];
    u16 before[32];
    memcpy(old, v, sizeof old);
    EACH(k, 12) v[4 + k] = old[k];
    memcpy(old, w, sizeof old);
    EACH(k, 12) w[k] = old[3 + k];
    memcpy(old, w, sizeof old);
    EACH(k, 5) w[3 * k] = old[1 + 2 * k];
    memcpy(before, m, sizeof before);
    EACH(r, 3) EACH(c, 6) m[(1 + r) * 8 + 2 + c] = before[r * 8 + 1 + c];
    memcpy(before, m, sizeof before);
    EACH(r, 2) EACH(c, 4) m[2 * r * 8 + 2 * c] = (u16)(before[(1 + 2 * r) * 8 + 1 + 2 * c] + before[r * 8 + 3 + c]);
    OUT(0, v);
    OUT(64, w);
    OUT(128, m);
}

/* Moves eight elements, `step` apart, down by one; the first goes to the end. */
static void rotate8(u32 *v, int step)
{
    u32 first = v[0];
    EACH(k, 7) v[k * step] = v[(k + 1) * step];
    v[7 * step] = first;
}

static void reference_parameters(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, m, 16, 64);
    rotate8(v + 2, 1);
    rotate8(v + 1, 2);
    EACH(k, 4)
    {
        u32 low = v[8 + k];
        v[8 + k] = v[12 + k];
        v[12 + k] = low;
    }
    /* rows 0 and 2 are added into row 3; row 2 then is row 0 less 1 */
    EACH(k, 4) m[12 + k] = m[k] + m[8 + k];
    EACH(k, 4) m[8 + k] = m[k] - 1;
    m[15] = m[12] + m[15];
    OUT(0, v);
    OUT(64, m);
}

static void cxx_references(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    u32 sum[16];
    EACH(k, 16) sum[k] = (1 + a[k] + 2 * b[k]) * 2 + 3;
    OUT(0, sum);
    EACH(r, 2) EACH(c, 2) b[r * 4 + c] = 0;
    OUT(64, b);
}

static void globals(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u16 m[16];
    EACH(k, 16) v[k] &= 0xffff;
    EACH(k, 16) m[k] = (u16)v[k];
    static const int added[5] = {3, 0, 1, 2, 3};
    u32 total = 5;
    EACH(i, 5) EACH(k, 16) v[k] += added[i];
    EACH(i, 5) EACH(k, 8) m[8 + k] += added[i];
    EACH(k, 16) total += v[k];
    v[0] = total;
    EACH(k, 8) v[1 + 2 * k] = (u32)(i32)(i16)m[8 + k];
    v[2] = 5;
    OUT(thread * 64, v);
}

static void globals_initial(const void *in, void *out, unsigned thread)
{
    (void)in;
    u32 row[8]; /* started is 7, times is 3 */
    EACH(k, 8) row[k] = 3 + (k == 7) + 7 * 3;
    OUT(thread * 32, row);
}

static void static_locals(const void *in, void *out, unsigned thread)
{
    (void)in;
    u32 terms[8] = {0}, power = 2;
    for (u32 i = 0; i < 3 + (thread & 1); i++) {
        power *= 3;
        terms[i] = thread + 1 + i + power;
    }
    OUT(thread * 32, terms);
}

static void nested_selects(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, m, 64, 0);
    u32 copy[64];
    /* rows 1, 3, 5, 7; of these the second and third; columns 1, 3, 5, 7 */
    EACH(r, 2) EACH(c, 4) m[(3 + 2 * r) * 8 + 1 + 2 * c] = 1000;
    /* from (1, 1): rows 0, 2, 4 and columns 1, 3, 5; of these the last two of each */
    EACH(r, 2) EACH(c, 2) m[(1 + 2 * (1 + r)) * 8 + 1 + 1 + 2 * (1 + c)] += 7;
    memcpy(copy, m, sizeof copy);
    EACH(k, 4) m[2 * 8 + 1 + 2 * k] = copy[2 * k * 8 + 3];
    memcpy(copy, m, sizeof copy);
    EACH(k, 2) m[5 * 8 + 4 + 1 + k] = copy[k * 8 + 6];
    /* columns 2 and 6; column 6, rows 1, 3, 5, 7 */
    EACH(k, 4) m[(1 + 2 * k) * 8 + 6] -= 5;
    OUT(0, m);
}

static void format_destination(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, v, 64, 0);
    IN(u8, m, 64, 64);
    u8 copy[64];
    EACH(k, 16) v[1 + 4 * k] = 0xab;
    EACH(k, 8) put16(v + 32 + 2 * k, get16(v + 32 + 2 * k) + 1);
    memcpy(copy, v, sizeof copy);
    EACH(r, 2) EACH(c, 4) v[(2 + r) * 16 + 3 + 4 * c] = copy[2 * (r * 4 + c)];
    EACH(k, 4) put32(m + 16 + 4 * k, 0x01020304);
    /* rows 2 and 3, bytes 4 to 11, as two rows of four words: the second word of each */
    EACH(r, 2) put16(m + (2 + r) * 16 + 4 + 2, 0xbeef);
    put32(m + 8, get32(v + 20));
    memcpy(copy, v, sizeof copy);
    EACH(k, 4) v[32 + 4 * k] = copy[3 + 4 * k];
    OUT(0, v);
    OUT(64, m);
}

static void format_rows(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, loaded, 64, 0);
    IN(u8, n, 128, 128);
    u8 m[128] = {0};
    u32 words[8];
    EACH(r, 4) EACH(w, 2) put32(m + (1 + 2 * r) * 16 + 4 + 4 * w, 0x11223344);
    EACH(r, 4) memcpy(m + 2 * r * 16, loaded + r * 16, 16);
    EACH(r, 4) EACH(w, 2) words[r * 2 + w] = get32(m + r * 16 + 8 + 4 * w);
    EACH(r, 4) EACH(w, 2)
    {
        u8 *at = m + (4 + r) * 16 + 4 * w;
        put32(at, get32(at) + words[r * 2 + w]);
    }
    /* rows 1 and 5 as sixteen words: every other one */
    EACH(k, 8) put16(m + (k < 4 ? 1 : 5) * 16 + k % 4 * 4, 0x5a5a);
    OUT(0, m);

    /* n: rows of 32 bytes; rows 1 and 3, bytes 8 to 23, together 32 bytes; as four rows of eight bytes: the third */
    EACH(k, 8) n[3 * 32 + 8 + k] = 9;
    /* as sixteen words: numbers 1, 5, 9, 13 */
    EACH(k, 4)
    {
        int word = 1 + 4 * k;
        put16(n + (word < 8 ? 1 : 3) * 32 + 8 + word % 8 * 2, 0x7777);
    }
    OUT(128, n);
}

static void runtime_words(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(uint64_t, one, 1, 0);
    IN(uint64_t, eight, 8, 64);
    IN(u8, sixteen, 64, 128);
    IN(u32, offsets, 16, 192);
    u32 at = offsets[0];
    u8 words[4];
    one[0] &= 0xfffffffffffll;
    memcpy(words, (u8 *)one + 2 * (at % 3), sizeof words);
    EACH(k, 2)
    {
        u8 *word = (u8 *)one + 2 * (at / 4 % 3 + (unsigned)k);
        put16(word, (u16)(get16(word) | (get16(words + 2 * k) + 3)));
    }
    OUT(0, one);
    EACH(k, 4)
    {
        u8 *word = (u8 *)eight + 2 * (at % 23 + 3 * (unsigned)k);
        put16(word, get16(word) ^ get16(words + 2));
    }
    EACH(k, 16) sixteen[at % 17 + 3 * (unsigned)k] += 99;
    EACH(k, 8) memcpy((u8 *)out + 120 - 8 * k, &eight[k], 8);
    EACH(k, 16) memcpy((u8 *)out + 128 + 4 * (k ^ 5), sixteen + 4 * k, 4);
    EACH(k, 8) eight[k] += one[0];
    OUT(192, eight);
}

static void runtime_offsets(const void *in, void *out, unsigned thread)
{
    IN(u32, m, 64, thread * 256);
    IN(u32, index, 16, 1024 + thread * 64);
    u32 copy[64];
    EACH(k, 16) index[k] &= 3;
    int i = (int)index[0], j = (int)index[1];

    memcpy(copy, m, sizeof copy);
    EACH(k, 4) m[i * 8 + (j & 1) + 2 * k] = copy[(i + 4) * 8 + j + k];
    memcpy(copy, m, sizeof copy);
    EACH(r, 4) EACH(c, 2) m[(i + r) * 8 + j + 2 * c] += copy[(j + r) * 8 + i + c];
    m[(i + 2) * 8 + j + 3] = 77;
    m[j * 8 + i + j] = 78;

    /* weigh() sees rows 0, 2, 4, 6 and columns 2 to 5 */
    int a = (int)index[2], b = (int)index[3];
#define PART(R, C) m[2 * (R) * 8 + 2 + (C)]
    EACH(k, 4) PART(a, k) += 1;
    EACH(k, 4) PART(k, b) -= 2;
    EACH(r, 2) EACH(c, 2) PART((a & 1) + r, (b & 1) + 2 * c) = 50;
    m[63] = PART(a, b) * 3 + PART(b, a);
#undef PART

    u16 v[32] = {0};
    EACH(k, 12)
    {
        v[k + i] += k * j;
        EACH(l, 4) v[k * 2 + 2 * l] += 1;
    }
    EACH(k, 32) m[16 + k] += (u32)(i32)(i16)v[k];
    OUT(thread * 256, m);

    u8 bytes[256], differences[64];
    memcpy(bytes, m, sizeof bytes);
    EACH(k, 64) differences[k] = bytes[k / 8 * 16 + k % 8 + i] ^ bytes[62 + k];
    OUT(1024 + thread * 64, differences);
}

static void replicate(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 r[8][16];
    EACH(k, 16)
    {
        int group8 = k / 8, group4 = k / 4, in4 = k % 4;
        r[0][k] = v[2 + in4];
        r[1][k] = v[3 + k % 2];
        r[2][k] = v[1 + 3 * group4 + in4];
        r[3][k] = v[4 + 8 * group8];
        r[4][k] = v[1 + 4 * group4];
        r[5][k] = v[2 + 4 * in4];
        /* rows 1 and 3 of the 4x4 matrix are the eight elements; group 0 repeats the first, group 1 the fifth */
        r[6][k] = v[group8 == 0 ? 4 : 12] + v[1 + 4 * in4];
        r[7][k] = v[(v[0] & 3) + k / 2 + 2 * (k % 2)];
    }
    memcpy(out, r, sizeof r);
}

static void widened_longs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, w, 32, 0);
    IN(u8, b, 64, 64);
    IN(uint64_t, a, 16, 128);
    uint64_t wide[4], bytes[4], r[4][4];
    int i = w[0] & 15, j = b[1] & 31;
    EACH(k, 4) wide[k] = w[i + k];
    EACH(k, 4) bytes[k] = b[j + 2 * k];
    EACH(k, 16) w[(j & 7) + k] += 3;
    EACH(k, 16) b[i + k] ^= 0x5a;
    u16 first = (u16)(w[i] * 3), second = (u16)(w[j] + b[i]), third = w[7] ^ b[9];
    u32 numbers[16];
    EACH(k, 4)
    {
        r[0][k] = w[2 + k] > w[6 + k] ? wide[k] : a[k];
        r[1][k] = a[4 + k] + wide[k];
        r[2][k] = w[9 + k] > w[16 + k] ? wide[k] : a[8 + k];
        r[3][k] = (b[3 + k] < b[8 + k] ? bytes[k] : a[8 + k]) + bytes[k] * first;
    }
    EACH(k, 16) numbers[k] = k >= 4 && k < 8 ? second : k >= 8 && k < 12 ? third : first;
    OUT(0, r);
    OUT(128, numbers);
}

static void kept_rows(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, w, 64, 0);
    IN(int, d, 32, 128);
    IN(u8, b, 64, 256);
    IN(int, n, 16, 320);
    int i = w[0] & 3, j = w[1] & 7, dwords[16], rows[16], wide[16];
    u16 words[16];
    u8 bytes[16], narrow[16];
    float floats[8], lanes[8];
    EACH(k, 16)
    {
        int row = k / 4, column = k % 4;
        words[k] = (u16)(w[39 + k] - (n[(i & 1) + row + column] & 511));
        rows[k] = d[i + 2 * row + column];
        dwords[k] = (int)((u32)d[3 + k] - (u32)rows[k]);
        narrow[k] = b[j + 2 * row + 2 * column];
        bytes[k] = (u8)(b[23 + k] - narrow[k]);
        wide[k] = (int)((u32)d[5 + k] - w[j + 8 * row + 2 * column]);
    }
    EACH(k, 8) lanes[k] = -(float)(n[i + k / 4 * 2 + k % 4] >> 8);
    EACH(k, 8) floats[k] = (float)(n[3 + k] >> 8) + lanes[k];
    OUT(0, words);
    OUT(32, dwords);
    OUT(96, rows);
    OUT(160, wide);
    OUT(224, floats);
    OUT(256, bytes);
    OUT(272, narrow);
    OUT(288, lanes);
}

static void replicate_longs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, wide, 32, 64);
    IN(int64_t, whole, 16, 64);
    u32 r[16], shifted[8];
    EACH(k, 16) r[k] = wide[2 * ((v[0] & 3) + k / 2 + 2 * (k % 2))];
    EACH(k, 8) shifted[k] = (u32)(whole[2 * k] >> (whole[6 + k] & 63)) & 31;
    OUT(0, r);
    OUT(64, shifted);
}

static void iselect(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, raw, 16, 64);
    u32 a[16], b[16], c[16] = {0};
    EACH(k, 16) a[k] = v[raw[k] & 15];
    EACH(k, 16) b[k] = v[(raw[k] & 3) * 4 + (raw[k] >> 4 & 3)];
    EACH(k, 8)
    {
        u32 small = raw[2 * k] >> 8 & 7;
        c[1 + 2 * k] = v[1 + 2 * small];
        c[2 * k] = small < 4 ? v[small] : v[12 + small - 4]; /* rows 0 and 3 */
    }
    const u8 *bytes = in;
    u16 d[24];
    EACH(k, 24) d[k] = (u16)(get16(bytes + 100 + 2 * (bytes[40 + k] & 31)) ^ bytes[6 + k / 12 * 96 + k % 12]);
    OUT(0, a);
    OUT(64, b);
    OUT(128, c);
    OUT(192, d);
}

static void chosen_signs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, d, 32, 0);
    IN(u16, w, 64, 128);
    IN(uint64_t, q, 16, 256);
    IN(u16, n, 32, 384);
    const u8 *c = in;
    u32 least[4], high[4], low[4], most[4] = {7, 7, 7, 7}, middle[4], sums[4], fields[4], below[4], bits[4], products[4], narrow[4], wide[4];
    u16 words[8];
    EACH(k, 4)
    {
        unsigned i = n[k] & 15, j = n[4 + k] & 15, both = (unsigned)w[i] + w[j];
        uint64_t sum = (uint64_t)d[i] + d[j], product = (uint64_t)d[i] * d[j];
        least[k] = d[i] < d[j] ? d[i] : d[j];
        bits[k] = d[i] < d[j] ? d[j] : d[i];
        high[k] = (u32)(product >> 32);
        low[k] = (u32)product;
        words[k] = w[i] < w[j] ? w[j] : w[i];
        words[4 + k] = both > 0xffff ? 0xffff : (u16)both;
        middle[k] = (u32)((sum + 1) >> 1);
        sums[k] = sum > 0xffffffff ? 0xffffffff : (u32)sum;
        fields[k] = d[j] >> 27;
        below[k] = (d[i] < d[j]) | (u32)(w[i] < w[j]) << 1 | (u32)(q[i] < q[j]) << 2;
        products[k] = (u32)w[i] * w[j];
        narrow[k] = (u32)w[i] * c[j];
        wide[k] = (u32)w[i] * c[i] + w[j];
    }
    EACH(k, 3)
    {
        u32 a = d[n[8 + k] & 15], b = d[n[11 + k] & 15];
        most[k] = a < b ? b : a;
    }
    OUT(0, least);
    OUT(16, high);
    OUT(32, low);
    OUT(48, most);
    OUT(64, words);
    OUT(80, middle);
    OUT(96, sums);
    OUT(112, fields);
    OUT(128, below);
    OUT(144, bits);
    OUT(160, products);
    OUT(176, narrow);
    OUT(192, wide);
}

static void half_places(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i16, n, 64, 0);
    EACH(k, 64) n[k] &= 63;
    const i16 *a = n, *b = n + 32;
    i16 r[32], t[32];
    int i = n[0] & 7, j = n[1] & 3;
    memcpy(r, a, sizeof r);
    memcpy(t, b, sizeof t);
    EACH(k, 8) r[i + k] = (i16)(r[i + k] + b[1 + k]);
    EACH(k, 4) r[i + 12 + k] = (i16)(r[i + 12 + k] - b[j + 2 * k]);
    EACH(k, 2) r[i + 20 + k] = (i16)(a[j + k] * b[i + k]); /* below 4096: exact */
    EACH(k, 16) t[j + k] = a[j + k] < b[5 + k] ? a[j + k] : b[5 + k];
    EACH(k, 4) t[j + 20 + 2 * k] = (i16)-a[i + k];
    OUT(0, r);
    OUT(64, t);
}

static void chosen_references(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 32, 0);
    IN(u32, w, 16, 128);
    const i32 n = (i32)w[3];
    u32 at = n & 1 ? 0 : (u32)n & 14, i = w[4] & 15, from = n & 2 ? i : 3, turn = 0;
    int on[8], all[8], any = 0;
    EACH(k, 8) v[at + 2 * (u32)k] += 7;
    EACH(k, 8) v[from + (u32)k] *= 5;
    EACH(k, 8) on[k] = all[k] = (i32)v[24 + k] > 0;
    EACH(k, 8) any = any || on[k];
    const int entered = any;
    while (any) {
        u32 sum[8];
        turn++;
        EACH(k, 8) sum[k] = w[(i & 7) + (u32)k] + v[16 + k];
        EACH(k, 8) if (on[k]) w[(i & 7) + (u32)k] = sum[k];
        EACH(k, 8) if (on[k]) w[8 + k] ^= 3;
        i = (u32)(n >> 5);
        any = 0;
        EACH(k, 8) on[k] = on[k] && turn < (v[24 + k] & 3);
        EACH(k, 8) any = any || on[k];
    }
    EACH(k, 8) if (entered && all[k]) w[8 + k] += v[(i & 15) + (u32)k];
    OUT(0, v);
    OUT(128, w);
}

static void merge_apart(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, m, 128, 0);
    IN(i32, n, 16, 128);
    int i = n[0] & 1, j = n[1] & 1;
    u16 from[12], other[12];
    EACH(k, 12) from[k] = get16(m + 16 * (i + k / 3 * 2) + 4 * (j + k % 3));
    EACH(k, 12) if (n[2] >> k & 1) put16(m + 2 * (7 + 5 * k), from[k]);
    EACH(k, 10) from[k] = get16(m + 16 * j + 4 * (i + k % 2 * 2));
    EACH(k, 10) other[k] = get16(m + 4 * (i + 3 * k));
    EACH(k, 10) put16(m + 2 * (2 + 6 * k), n[3] >> k & 1 ? from[k] : other[k]);
    OUT(0, m);
    u8 bytes[9];
    u8 chosen[9];
    EACH(k, 9) bytes[k] = (u8)n[i + 4 + k];
    EACH(k, 9) chosen[k] = n[7 + k] > n[4];
    EACH(k, 9) if (chosen[k]) memcpy((u8 *)n + 4 * k + 2, &bytes[k], 1);
    OUT(128, n);
}

static void merge(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(i32, raw, 16, 128);
    i32 v[16];
    EACH(k, 16) v[k] = raw[k] & 1 ? b[k] : a[k];
    OUT(0, v);
    EACH(k, 16) v[k] = a[k] < b[k] ? a[k] : -1;
    OUT(64, v);
    EACH(k, 16) v[k] = 0x5a3c >> k & 1 ? b[k] : a[k];
    OUT(128, v);
    EACH(k, 8) v[1 + 2 * k] = raw[4 + k] & 1 ? 100 : v[1 + 2 * k];
    OUT(192, v);
    EACH(k, 4) a[(1 + 2 * (k / 2)) * 4 + 1 + 2 * (k % 2)] = raw[0] >> k & 1 ? b[3 + k] : 7;
    EACH(k, 4) a[k] = raw[k] & 1 ? a[k] : a[4 + k];
    OUT(256, a);
}

static void merge_uniform(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(float, f, 16, 0);
    u16 c[32];
    int found = 0;
    for (int i = 0; i < 8; i++) {
        if (a[i] > b[i])
            EACH(k, 16) a[k] = (i32)((u32)b[k] + (u32)i);
        if (f[i] < f[i + 8])
            EACH(k, 16) b[k] ^= i;
        if ((u8)a[i] > 100 && f[i] != f[i])
            EACH(k, 16) a[k] = (i32)((u32)b[k] - (u32)i);
        if ((int64_t)a[i] * b[i] < 0)
            EACH(k, 16) a[k] = i;
    }
    for (int i = 0; i < (a[3] & 15); i++)
        found = found != (b[i] < 0);
    if (found)
        EACH(k, 16) a[k] = (i32)((u32)a[k] + 1);
    EACH(k, 32) c[k] = b[0] > 5 ? 2 : 1;
    OUT(0, a);
    OUT(64, b);
    OUT(128, c);
}

static void rows_columns(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, m, 64, 0);
    u32 t[64];
#define M(R, C) m[(R) * 8 + (C)]
#define T(R, C) t[(R) * 8 + (C)]
    EACH(r, 8) EACH(c, 8) T(c, r) = M(r, c);
    EACH(k, 8) T(0, k) += T(7, k);
    EACH(k, 8) T(k, 3) = T(k, 4) - T(k, 2);
    EACH(k, 8) T(5, k) = T(6, k) ^ M(5, k);
    T(1, 2) = M(2, 1) + M(3, 4);
    u32 column[8];
    EACH(k, 8) column[k] = T(k, 1);
    EACH(k, 8) T(2, k) = M(k, 2) + column[k];
    EACH(k, 8) T(k, k) = M(k, 7 - k);
#undef M
#undef T
    OUT(0, t);
}

static void simd_if(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 128);
    IN(u32, w, 16, thread * 128 + 64);
    int less = 0, rest = 0;
    EACH(k, 16)
    {
        if ((i32)v[k] < (i32)w[k]) {
            v[k] += 1;
            w[k] = v[k] * 2;
            less = 1;
        } else {
            v[k] *= 3;
            rest = 2;
        }
    }
    EACH(k, 16) w[k] -= (v[k] & 3) == 2 ? v[k] : 0;
    EACH(k, 16) w[k] += less + rest; /* a side that no lane takes does not run */
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

static void simd_if_nested(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    IN(i32, w, 16, 64);
    i32 m[32] = {0};
    int bits = w[0] & 1;
    EACH(k, 16)
    {
        int row = k / 4, column = k % 4;
        if (v[k] & 1) {
            if (v[k] & 2) {
                w[k] = 10;
                w[k] += bits ? 1 : 2;
            } else {
                w[k] = 20;
                m[row * 8 + 1 + 2 * column] = v[k];
            }
            w[k] += 100;
        } else if (v[k] & 4) {
            w[k] = 30;
        } else if (v[k] & 8) {
            if (v[k] > 0)
                w[k] = 40;
            w[k] = (i32)((u32)w[k] + 1);
        }
    }
    /* the last arm runs after the others */
    EACH(k, 16)
    if (!(v[k] & 13)) { /* no condition looks at bit 1 alone */
        w[k] = 50;
        m[k / 4 * 8 + 4 + k % 4] = 50;
    }
    OUT(0, w);
    OUT(64, m);
}

static void simd_loop(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 64);
    i32 count[16] = {0}, sum[16] = {0}, skipped[16] = {0};
    int turns = 0;
    EACH(k, 16)
    {
        v[k] &= 31;
        int own_turns = 0;
        do {
            count[k]++;
            own_turns++;
            if (count[k] == v[k]) {
                sum[k] += 1000;
                break;
            }
            if ((count[k] & 3) == (v[k] & 3)) {
                if (v[k] > 20) {
                    skipped[k] += 1;
                    continue;
                }
                skipped[k] += 100;
                sum[k] += 5;
            }
            sum[k] += count[k];
        } while (count[k] < 12);
        turns = own_turns > turns ? own_turns : turns; /* the scalar counts while any lane loops */
    }
    EACH(k, 16) sum[k] += turns;
    OUT(thread * 192, count);
    OUT(thread * 192 + 64, sum);
    OUT(thread * 192 + 128, skipped);
}

static void channel_parts(const void *in, void *out, unsigned thread)
{
    IN(u8, m, 128, thread * 128);
    IN(u32, n, 32, (thread ^ 1) * 128);
    i16 least[32];
    uint64_t wide[16];
    EACH(k, 32)
    {
        u8 *row = m + k / 4 * 16;
        i32 turns = (i32)n[k] >> 3 & 7;
        least[k] = 1000;
        do {
            n[k] = n[k] * 5 + 1;
            row[1 + k % 4 * 2] &= (u8)((row[8 + k % 4] - n[k]) | 0x11);
            u32 sum = row[12 + k % 4] + (n[k] & 31);
            row[12 + k % 4] = sum < 255 ? (u8)sum : 255;
            least[k] = (i32)n[k] >> 20 < least[k] ? (i16)((i32)n[k] >> 20) : least[k];
        } while (--turns > 0);
    }
    EACH(k, 16)
    {
        i32 rounds = (i32)(n[1 + 2 * k] & 7);
        wide[k] = 3;
        do
            wide[k] += wide[k] + (uint64_t)rounds;
        while (--rounds > 0);
    }
    OUT(thread * 256, m);
    OUT(thread * 256 + 128, least);
    memcpy((u8 *)out + thread * 256 + 192, wide + 7, 64);
}

static void channel_loops(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 32, thread * 128);
    i32 sum[16] = {0}, spread[16] = {0}, full[16], last[16], rows[4][4] = {{0}}, rounds = 0;
    u16 mixed[32];
    EACH(k, 16)
    {
        i32 n = (i32)(v[k] & 15), turns = 0;
        do {
            spread[k] += n;
            sum[k] += spread[k] & 255;
            full[k] = spread[k] + sum[k] < 255 ? spread[k] + sum[k] : 255;
            turns++;
        } while (--n > 0);
        rounds = turns > rounds ? turns : rounds;
    }
    EACH(k, 16) sum[k] += rounds + full[k] * 65536;
    EACH(k, 4) rows[k][1] = spread[3 + k];
    EACH(k, 32)
    {
        u32 w = v[k] & 31, steps = 1;
        float f = 1;
        do {
            if ((w & 3) != 2)
                w >>= 1;
            else if (steps > 5)
                break;
            else
                w += 5, f *= 0.5f;
        } while (++steps <= 12 && w != 0);
        mixed[k] = (u16)(steps + w * 64);
        if (k < 16)
            last[k] = (i32)(f * 1024);
    }
    EACH(k, 8)
    {
        i32 e = (i32)(v[8 + k] & 63), turns = 0;
        EACH(i, 3)
        {
            do {
                e -= 7 + i;
                e += ++turns % 2 == 0;
            } while (e > 0);
            e += 40;
        }
        last[8 + k] = turns + e * 256;
    }
    OUT(thread * 256, sum);
    OUT(thread * 256 + 64, mixed);
    OUT(thread * 256 + 128, last);
    OUT(thread * 256 + 192, rows);
}

static void channel_messages(const void *in, void *out, unsigned thread)
{
    IN(u32, all, 256, 0);
    u32 mine[256] = {0};
    EACH(k, 16)
    {
        u32 at = all[thread * 16 + (u32)k] & 255, steps = 0, last = 7;
        do {
            u32 next = all[at];
            if ((next & 7) == 5) {
                last = at;
                break;
            }
            mine[64 + k] = next;
            at = (next + steps) & 255;
        } while (++steps < 20);
        mine[k] = at;
        mine[16 + k] = steps;
        mine[32 + k] = last;
    }
    EACH(k, 8)
    {
        u32 place = all[thread * 8 + (u32)k] & 31, turns = 0;
        do {
            turns++;
            mine[128 + (place & 7)] += place & 1;
            place = (place * 5 + 3) & 31;
        } while (turns < (place & 15));
        mine[48 + k] = turns;
    }
    OUT(thread * 1024, mine);
}

static void simd_loop_nested(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    i32 steps[16] = {0}, last[16];
    EACH(k, 16)
    {
        int outer = 0, inner;
        v[k] &= 15;
        do {
            inner = 0;
            do {
                inner++;
                steps[k]++;
                if (inner > v[k])
                    break;
            } while (inner < 6);
            outer++;
            if (outer + inner > 8)
                break;
            do
                steps[k] += 16;
            while ((steps[k] & 16) == 0);
        } while (outer < 5);
        last[k] = outer + inner * 256;
    }
    OUT(0, steps);
    OUT(64, last);
}

static void simd_few_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, wide, 16, 0);
    IN(i32, two, 2, 64);
    IN(i32, four, 4, 80);
    (void)two; /* all lanes of two and four are at most 15: no lane goes the other way */
    i32 result[16] = {0, 1 + 16, 1, 0};
    EACH(k, 16) wide[k] += wide[k] != 12345;
    EACH(k, 8) result[8 + k] = wide[k] != 12345 ? wide[8 + k] : 0;
    EACH(k, 4)
    {
        four[k] &= 15;
        result[3] = 16 - four[k] > result[3] ? 16 - four[k] : result[3];
        result[4 + k] = 16;
    }
    OUT(0, result);
}

static void simd_iselect(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    IN(i32, raw, 16, 64);
    i32 old[16], found[16], steps[16] = {0};
    u16 place[16], next[16];
    EACH(k, 16)
    {
        place[k] = (u16)(raw[k] & 0x10000 ? raw[k] & 15 : raw[k]);
        next[k] = (u16)(v[k] & 0x70000 ? v[k] & 15 : v[k]);
        old[k] = v[k];
    }
    EACH(k, 16)
    {
        if (place[k] >= 16)
            continue;
        found[k] = (i32)((u32)old[place[k]] + 1);
        v[k] = old[place[k]];
    }
    memcpy(old, v, sizeof old);
    EACH(k, 16) if (place[k] >= 16) v[k] = old[place[k] & 7];
    EACH(k, 16) if (place[k] >= 16) found[k] = (v[place[k] & 7] < 5) * 3 + (place[k] & 7);
    EACH(k, 16)
    {
        u16 at = place[k] & 15;
        do {
            at = next[at];
            steps[k] += at < 16 && v[at] < 0 ? 101 : 1;
        } while (at < 16 && steps[k] < 2000);
    }
    OUT(0, v);
    OUT(64, found);
    OUT(128, steps);
}

static void any_all(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 64);
    i32 r[16] = {0};
    int above60 = 0, below62 = 1, five = 0, turns = 0, loop;
    EACH(k, 16)
    {
        v[k] &= 63;
        above60 |= v[k] > 60;
        below62 &= v[k] < 62;
        five |= v[k] == 5;
    }
    r[0] = above60 ? 1 : 2;
    r[1] = below62 && !five ? 3 : 0;
    do {
        loop = 0;
        EACH(k, 16) loop |= v[k] > 3;
        if (loop && turns < 40) {
            EACH(k, 16) v[k] -= v[k] > 3 ? 7 : 0;
            turns++;
        }
    } while (loop && turns < 40);
    r[2] = turns;
    int any = 0, all = 1, small = 1, some = 0;
    EACH(k, 16)
    {
        any |= v[k] != 0;
        all &= v[k] != 0;
        small &= v[k] < 4;
        some |= k % 4 == 0 && (v[k] & 255) != 0;
    }
    r[3] = small ? 0 : 9;
    r[4] = any * 16 + all;
    r[5] = 2;
    EACH(k, 8) r[8 + k] = v[2 * k];
    r[6] = some;
    OUT(thread * 64, r);
}

struct particle {
    u32 position[8];
    i16 speed[8];
    i32 age;
};

static void step_particle(struct particle *p, int n)
{
    EACH(k, 8) p->position[k] += (u32)(p->speed[k] * n);
    p->age += n;
}

static struct particle older(struct particle p)
{
    p.age++;
    p.position[0] = (u32)p.age;
    return p;
}

static void structures(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, raw, 16, 0);
    struct particle p, q;
    EACH(k, 8) p.position[k] = raw[k];
    EACH(k, 8) p.speed[k] = raw[8 + k] & 0xff;
    p.age = 1;
    step_particle(&p, 2);
    q = older(p);
    EACH(k, 4) q.speed[k] = (i16)(q.speed[4 + k] >> 1);
    step_particle(&q, 3);
    p = older(q);
    p.speed[0] = 3;
    i32 a[16], b[16];
    EACH(k, 8)
    {
        a[k] = (i32)p.position[k];
        a[8 + k] = p.speed[k];
        b[k] = (i32)q.position[k];
        b[8 + k] = q.speed[k];
    }
    a[15] = p.age;
    b[15] = q.age;
    OUT(0, a);
    OUT(64, b);
}

static void arrays(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    static const u32 table[8] = {1, 3, 5, 7, 2, 4, 6, 8};
    u32 local[8], parts[3][8], r[32];
    EACH(k, 16) v[k] += k;
    EACH(k, 8) v[2 * k] *= table[k];
    EACH(i, 8) local[i] = v[i] & 7;
    EACH(i, 8) local[local[i] & 7] += i;
    EACH(i, 3) EACH(k, 8) parts[i][k] = v[i * 4 + k];
    parts[1][2] = local[0] & 15;
    EACH(k, 8) parts[thread + 1][k] += parts[0][k];
    EACH(i, 3) EACH(k, 8) r[i * 8 + k] = parts[i][k];
    EACH(i, 8) r[24 + i] = local[i];
    OUT(thread * 128, r);
}

static i32 clamp(i32 x, i32 low, i32 high)
{
    return x < low ? low : x > high ? high : x;
}

static void conversions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, raw, 16, 0);
    IN(i32, other, 16, 64);
    i32 r[7][16];
    EACH(k, 16)
    {
        u8 a = (u8)raw[k], b = (u8)other[k];
        i16 s = (i16)raw[k];
        u32 u = (u32)other[k];
        r[0][k] = a + b;
        r[1][k] = a - b;
        r[2][k] = (u32)(i32)s < u;
        r[3][k] = (i32)((u32)(s >> 3) + (u >> 28));
        r[4][k] = clamp(a + b, 0, 255) * 1000 + clamp(a - b, 0, 255);
        r[5][k] = clamp(raw[k], -32768, 32767) - clamp(s + b, -32768, 32767);
        i32 least = s < a ? s : a, x = raw[k] >> 4, y = other[k] >> 4;
        r[6][k] = least + (x > y ? x : y) + (s == -32768 ? s : abs(s));
    }
    memcpy(out, r, sizeof r);
}

static void reductions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 48, 0);
    u32 r[16] = {0};
    i16 m[48];
    EACH(k, 48) m[k] = (i16)(v[k] >> 16);
    EACH(k, 48) r[0] += (u32)v[k];
    EACH(row, 3) EACH(c, 5) r[1] += (u32)(i32)m[2 * row * 8 + 1 + c];
    r[2] = 1;
    EACH(k, 7) r[2] *= (u32)v[2 + 3 * k] | 1;
    i32 least = v[0], greatest = m[16];
    EACH(k, 48) least = v[k] < least ? v[k] : least;
    EACH(k, 8) greatest = m[16 + k] > greatest ? m[16 + k] : greatest;
    r[3] = (u32)least;
    r[4] = (u32)greatest;
    const u8 *bytes = in;
    EACH(k, 11) r[5] = bytes[3 + 4 * k] > r[5] ? bytes[3 + 4 * k] : r[5];
    EACH(k, 16) r[6] |= (u32)(v[4 + k] > 0) << k;
    EACH(k, 32) r[7] += (u32)v[0] >> k & 1;
    u8 sum = 0;
    EACH(k, 16) sum = (u8)(sum + bytes[k]);
    r[8] = sum;
    OUT(0, r);
}

/* Word `number` of four rows of eight bytes, the first at (row, column), `pitch` rows apart, in a matrix of 16-byte
 * rows. */
static u8 *word_of_rows(u8 *m, int row, int column, int pitch, int words, int number)
{
    return m + (row + number / words * pitch) * 16 + column + number % words * 2;
}

static void irregular_references(const void *in, void *out, unsigned thread)
{
    IN(u8, m, 128, thread * 128);
    int i = (int)thread + 2;
    EACH(pass, 2)
    {
        /* first rows 1, 3, 5, 7, bytes 4 to 11; then the whole rows 0 and 1 */
#define WORD(N) (pass == 0 ? word_of_rows(m, 1, 4, 2, 4, N) : word_of_rows(m, 0, 0, 1, 8, N))
        EACH(k, 4) put16(WORD(i + 3 * k), get16(WORD(i + 3 * k)) + 1);
        put16(WORD(i + 9), 500);
#undef WORD
    }
    u16 rest[16];
    EACH(k, 16) rest[k] = get16(word_of_rows(m, 4, 8, 1, 4, k));
    EACH(k, 8) rest[k] = get16(word_of_rows(m, 4, 8, 1, 4, (i & 1) * 8 + k));
    rest[15] = get16(word_of_rows(m, 0, 0, 1, 4, i * 4 + i - 1));
    OUT(thread * 192, m);
    OUT(thread * 192 + 128, rest);
    OUT(thread * 192 + 160, rest);
}

static void odd_sizes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    i32 r[16] = {0};
    EACH(k, 7) r[k] = a[2 * k] > b[3 + k] ? a[2 * k] : b[3 + k];
    EACH(k, 3) r[8 + k] = a[1 + k] > 0 ? b[2 + k] : a[1 + k];
    u32 sum = 0;
    EACH(k, 16) sum = a[k] & 1 ? sum + (u32)b[k] : sum ^ (u32)a[k];
    r[11] = (i32)sum;
    static const i32 chosen[] = {10, 20, 40, 40};
    r[12] = chosen[a[0] & 3];
    r[13] = a[b[1] & 15];
    i32 taken[4];
    EACH(k, 4) taken[k] = b[(a[3] & 7) + 2 * k];
    int at = b[2] & 7;
    EACH(k, 4) a[at + k] = taken[k];
    r[14] = (i32)((u32)a[3] + (u32)a[7]);
    OUT(0, r);
    OUT(64, a);
}

static void scalar_operands(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 4);
    IN(u32, b, 16, 20);
    IN(u8, u, 32, 92);
    i32 n = (i32)a[3] >> 20;
    EACH(k, 16) a[k] += (u32)n + 128 + u[1 + 2 * k];
    EACH(k, 16) b[k] *= (u32)(n * n - 3);
    EACH(k, 8) b[1 + 2 * k] -= (u32)(i32)(i16)(n + 1);
    OUT(0, a);
    OUT(64, b);
}

static void native_pointers(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, from, 32, 0);
    IN(i16, words, 8, 0);
    u32 to[40] = {0}, sum = 0;
    EACH(i, 20) sum += (u32)from[i] * (u32)(i + 1);
    EACH(i, 20) to[i] = (u32)from[19 - i];
    to[20] = sum;
    to[21] = (u32)(i32)words[3];
    to[22] = (u32)(u8)words[5] << 8;
    uint64_t x = (uint64_t)from[0] << 32 | (u32)from[1], y = x * 12345 + (x >> 7) - (x >> 40);
    to[23] = (u32)(y >> 32);
    to[24] = (u32)y;
    to[25] = x < y;
    to[26] = (int64_t)x < (int64_t)y;
    to[27] = (u32)(from[2] / (from[3] | 1));
    to[28] = (u32)from[2] % (u32)(from[3] | 1);
    to[29] = (u32)((int64_t)x >> 35);
    to[30] = x >= (y & x);
    to[32] = (u32)(~x ^ y);
    to[33] = (u32)((~x ^ y) >> 32);
    EACH(i, 6) to[34 + i] = to[i];
    uint64_t wide;
    memcpy(&wide, &from[14], 8);
    to[30] += (u32)(wide >> 9);
    to[31] = (u32)((from[4] >> 16) / ((from[5] >> 24) | 1));
    OUT(0, to);
}

static void bound_globals(const void *in, void *out, unsigned thread)
{
    IN(u32, table, 16, thread * 64);
    u32 r[16] = {5, 5, 5, 0};
    u32 count = 5;
    EACH(i, 3)
    {
        count += thread + (u32)i;
        EACH(k, 8)
        {
            u32 word = table[8 + k];
            table[8 + k] = (word & 0xffff0000) | ((word + thread + (u32)i) & 0xffff);
        }
    }
    r[2] = r[3] = count;
    EACH(k, 8) r[4 + k] = get16((const u8 *)(table + 8) + 2 * (8 + k));
    OUT(thread * 128, table);
    OUT(thread * 128 + 64, r);
}

const struct reference reference_table[] = {ROW(bound_globals),
                                            ROW(vadd),
                                            ROW(vadd_buffer),
                                            ROW(partly_initialised),
                                            ROW(overlapping_references),
                                            ROW(overlapping_copies),
                                            ROW(reference_parameters),
                                            ROW(cxx_references),
                                            ROW(globals),
                                            ROW(globals_initial),
                                            ROW(static_locals),
                                            ROW(nested_selects),
                                            ROW(format_destination),
                                            ROW(format_rows),
                                            ROW(runtime_offsets),
                                            ROW(runtime_words),
                                            ROW(replicate),
                                            ROW(replicate_longs),
                                            ROW(kept_rows),
                                            ROW(widened_longs),
                                            ROW(iselect),
                                            ROW(chosen_signs),
                                            ROW(half_places),
                                            ROW(chosen_references),
                                            ROW(merge),
                                            ROW(merge_apart),
                                            ROW(merge_uniform),
                                            ROW(rows_columns),
                                            ROW(simd_if),
                                            ROW(simd_if_nested),
                                            ROW(simd_loop),
                                            ROW(simd_loop_nested),
                                            ROW(channel_loops),
                                            ROW(channel_parts),
                                            ROW(channel_messages),
                                            ROW(simd_few_lanes),
                                            ROW(simd_iselect),
                                            ROW(any_all),
                                            ROW(structures),
                                            ROW(arrays),
                                            ROW(conversions),
                                            ROW(reductions),
                                            ROW(irregular_references),
                                            ROW(odd_sizes),
                                            ROW(scalar_operands),
                                            ROW(native_pointers),
                                            {NULL, NULL}};
