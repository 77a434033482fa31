/* Scalar references of the kernels that ask for what a thread and its part are, and of messages and instructions that
 * are spelt out. */
#include "elements.h"
#include "reference.h"
#include <stdbool.h>

#include <math.h>
#include <stdlib.h>

static void raw_messages(const void *in, void *out, unsigned thread)
{
    IN(u32, block, 16, thread * 64 + 4);
    IN(u32, from, 16, 256 + thread * 64);
    u32 result[32];
    EACH(k, 16) result[k] = block[k];
    EACH(k, 8)
    {
        result[16 + k] = from[7 - k];
        result[24 + k] = block[k] & 1 ? from[7 - k] : 77;
    }
    OUT(thread * 128, result);
}

static void thread_registers(const void *in, void *out, unsigned thread)
{
    u32 result[8] = {thread / 4, 0, 1};
    (void)in;
    OUT(thread * 32, result);
}

/* Threads of a group come one after the other, dimension 0 first; groups likewise. */
static void thread_numbers(const void *in, void *out, unsigned thread)
{
    enum { GX = 3, GY = 2, GZ = 2, LX = 2, LY = 3, LZ = 1, LOCAL = LX * LY * LZ, GROUPS = GX * GY * GZ };
    unsigned group = thread / LOCAL, local = thread % LOCAL;
    unsigned g[3] = {group % GX, group / GX % GY, group / GX / GY},
             l[3] = {local % LX, local / LX % LY, local / LX / LY};
    u32 v[16] = {thread, group * 256 + local, GROUPS * 256 + LOCAL, GROUPS * LOCAL};
    (void)in;
    v[4] = (g[0] * LX + l[0]) + (g[1] * LY + l[1]) * 256 + (g[2] * LZ + l[2]) * 65536;
    v[5] = g[0] + g[1] * 256 + g[2] * 65536;
    v[6] = l[0] + l[1] * 256 + l[2] * 65536;
    v[7] = GX + GY * 256 + GZ * 65536;
    v[8] = LX + LY * 256 + LZ * 65536;
    v[9] = g[0] + g[1] * 256;
    OUT(thread * 64, v);
}

static void clocks(const void *in, void *out, unsigned thread)
{
    u32 result[8] = {1, 1, 8};
    (void)in;
    OUT(thread * 32, result);
}

static void state_register(const void *in, void *out, unsigned thread)
{
    u32 result[2] = {1, 1};
    (void)in;
    OUT(thread * 8, result);
}

static void chosen_surfaces(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 8, thread * 64);
    u32 w[16];
    EACH(k, 8) w[k] = v[k] + 1;
    EACH(k, 8) w[8 + k] = thread & 1 ? v[k] : w[k];
    w[15] = thread & 1 ? 5 : thread == 0 ? 7 : 6;
    OUT(thread * 64, w);
}

/* Buffers behind `out`, each as large as `in`. */
static void surface_vector(const void *in, void *out, unsigned thread)
{
    enum { BYTES = 512, IN = 4 };
    unsigned char *more = (unsigned char *)out + BYTES;
    unsigned place = thread * 64, now[] = {0, 1, 2, 3};
    u32 amount, v[16], w[16], product[16];
    memcpy(&amount, in, sizeof amount);
    memcpy(v, more + (thread & 3) * BYTES + place, sizeof v);
    memcpy(w, more + 2 * BYTES + place, sizeof w);
    EACH(k, 16) product[k] = v[k] * w[k];
    OUT(place, product);
    if (thread == 5) {
        now[0] = IN;
        now[3] = 1;
    }
    unsigned from = now[thread * 3 & 3];
    memcpy(w, from == IN ? (const unsigned char *)in + place : more + from * BYTES + place, sizeof w);
    EACH(k, 16) v[k] += w[k] + amount;
    memcpy(more + now[thread / 2] * BYTES + place, v, sizeof v);
}

static void surface_matrix(const void *in, void *out, unsigned thread)
{
    enum { BYTES = 384, ENDS = 6 };
    (void)in;
    unsigned char *more = (unsigned char *)out + BYTES;
    unsigned place = thread * 64, row = thread / 3, column = thread % 3;
    u32 v[8], w[8];
    memcpy((unsigned char *)out + place, more + thread * BYTES + place, 32);
    memcpy((unsigned char *)out + place + 32, more + (3 + column) * BYTES + place + 32, 32);
    for (unsigned i = 0; i < 2; i++) {
        memcpy(v, more + (ENDS + i) * BYTES + place + i * 32, sizeof v);
        EACH(k, 8) v[k] += thread;
        memcpy(more + (ENDS + 1 - i) * BYTES + place + i * 32, v, sizeof v);
    }
    memcpy(v, more + (row * 3 + column) * BYTES + place, sizeof v);
    memcpy(w, more + ((1 - column % 2) * 3 + column) * BYTES + place + 32, sizeof w);
    EACH(k, 8) v[k] ^= w[k];
    memcpy(more + (column % 2 * 3 + 2 - column) * BYTES + place + 32, v, sizeof v);
}

static void spellings(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 32, 0);
    u32 row[8][16];
    EACH(k, 16)
    {
        u32 x = a[k], y = a[16 + k], bytes = (x & 255) + (y & 255);
        int64_t sum = (int64_t)(int32_t)x * (int32_t)y + (int32_t)x;
        uint64_t total = (uint64_t)x * y + y;
        row[0][k] = (u32)sum;
        row[1][k] = (u32)(sum >> 32);
        row[2][k] = (u32)total;
        row[3][k] = (u32)(total >> 32);
        row[4][k] = (bytes > 255 ? 255 : bytes) * 256 + (bytes & 255);
        row[5][k] = a[31 - k] + 5;
        row[6][k] = a[0] & 1 ? row[0][k] : x;
        row[7][k] = k < 8 ? a[1 + k] : a[15 - k];
    }
    OUT(0, row);
}

static int to_range(int64_t x, int64_t low, int64_t high)
{
    return (int)(x < low ? low : x > high ? high : x);
}

/* A half that is not subnormal. */
static float of_half(u16 bits)
{
    return ldexpf((bits & 0x3ff) | 0x400, (bits >> 10 & 31) - 25);
}

static void spelt(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int32_t, a, 32, 0);
    const int32_t *b = a + 16;
    int32_t row[16][16];
    int sum = 0;
    EACH(k, 16) sum += a[k] >> 5;
    EACH(k, 16)
    {
        u32 x = (u32)a[k], y = (u32)b[k], four = (unsigned)k % 4;
        uint64_t wide = ((uint64_t)x << 32 | y) >> (k * 4);
        row[0][k] = k == 7 || wide == 0 ? 64 : __builtin_clzll(wide);
        int v = k == 3 ? 0 : k == 5 ? -1 : a[k] >> 24, none = v == 0 || v == -1;
        row[1][k] = none ? 99 : __builtin_clz((u32)(v < 0 ? ~v : v));
        int16_t s = k ? (int16_t)a[k] : -32768, t = k ? (int16_t)(b[k] | 1) : -1;
        row[2][k] = (int16_t)(s / t) * 3 + (int16_t)(s % t);
        u32 p = (u32)a[8 + four], q = (u32)b[8 + four], one = (u32)a[4 * four + 1];
        u32 rows[4] = {p + q, p + q < p, one - 12345, one < 12345};
        row[3][k] = (int32_t)rows[k / 4];
        int even = k & ~1;
        u32 alone = 0, both = 0;
        for (int lane = even; lane < even + 2 && k % 2 == 0; lane++) {
            alone += (u32)abs((a[lane] & 255) - 44);
            both += (u32)abs((b[lane] & 255) - (a[lane] & 255));
        }
        row[4][k] = (int32_t)(alone + both * 65536);
        row[5][k] = (int)both + 7;
        float small = (float)(a[k] & 255), weight = (float)(b[k] & 3) * 0.25f;
        float line = small * 2 + 3, mix = small * 0.015625f * weight + 0.5f * (1 - weight);
        memcpy(&row[6][k], &line, 4);
        mix = mix > 1 ? 1 : mix;
        memcpy(&row[7][k], &mix, 4);
        row[8][k] = (int32_t)((y & 255) + (x & 255) * 256 + ((u16)s | (u32)(u16)t << 16));
        float half_value = of_half((u16)((a[k] & 0x3bff) | 0x400));
        memcpy(&row[9][k], &half_value, 4);
        float rest = k / 4 == 2 ? fmodf((float)a[4 + four], (float)b[4 + four]) : fmodf((float)a[k], 7.25f);
        memcpy(&row[10][k], &rest, 4);
        int most = a[k] > b[k] ? a[k] : b[k];
        row[11][k] = to_range((int64_t)a[k] + b[k], -32768, 32767) * 3 + to_range(most, 0, 255);
        int64_t product = (int64_t)a[k] * b[k];
        row[12][k] = (int32_t)((u32)(product >> 32) ^ (u32)product);
        row[13][k] = (int32_t)((u32)abs(a[k] >> 3) + (u32)__builtin_popcount(y));
        row[14][k] = (int32_t)(y + (u32)k);
        row[15][k] = b[k];
    }
    EACH(k, 4)
    {
        u32 n = a[4 * k + 3] & 255, top = n ? 32 - (u32)__builtin_clz(n) : 0;
        row[9][4 + k] = n ? (int32_t)((14 + top) << 10 | ((n << (11 - top)) & 0x3ff)) : 0;
    }
    row[13][0] = sum;
    row[13][1] = b[3] != 0;
    row[13][2] = 5 + ((int32_t)((u32)a[4] << 24) >> 27);
    OUT(0, row);
}

static void spelt_atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, x, 16, 0);
    IN(u16, padded, 32, 64);
    u32 memory[48];
    u16 dense[32] = {0};
    EACH(k, 16)
    {
        memory[k] = x[k] + x[15 - k] + 1;
        memory[16 + k] = x[15 - k];
        memory[32 + k] = x[15 - k] + x[k];
    }
    EACH(k, 18) dense[k] = padded[k / 6 * 8 + k % 6];
    OUT(0, memory);
    OUT(192, dense);
}

static void long_integers(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(uint64_t, x, 16, 0);
    uint64_t row[4][16];
    u32 both[16], first[32];
    memcpy(first, x, sizeof first);
    EACH(k, 16)
    {
        unsigned n = (k == 1 || k == 2 ? 0 : (unsigned)k * 9) % 64;
        row[0][k] = n ? x[k] << n | x[k] >> (64 - n) : x[k];
        row[1][k] = n ? x[k] >> n | x[k] << (64 - n) : x[k];
        row[2][k] = x[k] + ((uint64_t)1 << 63);
        row[3][k] = x[k] - row[2][k];
        both[k] = (row[2][k] < x[k]) + (x[k] < row[2][k]) * 2u;
    }
    OUT(0, row);
    OUT(512, both);
    u32 list[4] = {first[3], first[0], first[9], first[1]};
    OUT(576, list);
}

static void surfaces_in_array(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u32 all[16] = {0};
    unsigned turn = 0;
    EACH(k, 8) all[k] = thread & 1 ? 0 : v[k];
    for (unsigned i = 0; i < thread; i++) {
        EACH(k, 8) all[8 + k] = (turn ? all[8 + k] : v[8 + k]) + i;
        turn = (i & 1) ^ 1;
    }
    EACH(k, 8) all[8 + k] = (thread / 2 ? all[k] : v[k]) + 3;
    OUT(thread * 64, all);
}

/* A lane's stacks: one top for all of them. */
static void use_stacks(u32 data, int stacks, u32 result[4])
{
    u32 stack[2][64], sum = 0;
    int height = 0;
    for (u32 i = 0; i < 45; i++, height++)
        EACH(s, stacks) stack[s][height] = data * (u32)(s + 1) + i;
    EACH(i, 30)
    {
        sum = sum * 3 + stack[0][height - 1] + stack[stacks - 1][height - 1];
        height -= (int)(data & 1);
    }
    result[0] = stack[stacks - 1][height - 1];
    result[1] = sum;
    result[2] = height - 15 <= 0;
    result[3] = 1;
}

static void cached_stacks(const void *in, void *out, unsigned thread)
{
    IN(u32, data, 8, 8192 + thread * 32);
    u32 result[64];
    EACH(k, 8) EACH(stacks, 2)
    {
        u32 lane[4];
        use_stacks(data[k], stacks + 1, lane);
        EACH(r, 4) result[32 * stacks + 8 * r + k] = lane[r];
    }
    OUT(thread * 256, result);
}

static void neighbourhoods(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, bytes, 128, 0);
    IN(u32, pixels, 64, 128);
    u16 all[9][16];
    u32 channels[64];
    EACH(n, 9) EACH(k, 16) all[n][k] = (u16)(bytes[n / 3 * 18 + n % 3 + k] + (n == 5));
    OUT(0, pixels);
    memcpy((u8 *)out + 256, all, 256);
    EACH(n, 2) EACH(k, 16) all[n][k] = bytes[60 + 2 * n + k];
    memcpy((u8 *)out + 512, all, 64);
    EACH(k, 64) channels[k] = pixels[k % 16 * 4 + k / 16];
    OUT(576, channels);
    OUT(832, pixels);
}

static void full_angles(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, y, 16, 0);
    IN(i32, x, 16, 64);
    float angle[16];
    EACH(k, 16)
    {
        double a = atan2(y[k] >> 16, x[k] >> 16);
        angle[k] = (float)(a < 0 ? a + 2 * acos(-1) : a);
    }
    OUT(0, angle);
}

/* What the vISA text does, instruction by instruction. */
static void assembly(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    u32 r[16] = {0}, chosen[16];
    float g[16];
    EACH(k, 16)
    {
        int difference = (i32)(a[k] - b[k]);
        chosen[k] = (i32)a[k] > (i32)b[k] ? (u32)difference : (u32)-5;
        g[k] = fmaf((float)difference, 1.5f, 0.25f);
    }
    EACH(turn, (int)thread + 1)
    {
        EACH(k, 8) r[k] += chosen[4 + k];
        EACH(k, 8) r[8 + k] += 1;
    }
    OUT(thread * 128, r);
    OUT(thread * 128 + 64, g);
}

static void assembly_signs(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, 0);
    u32 logical[16], arithmetic[16], x = thread + 0xf0000001, rotated = x << 5 | x >> 27;
    EACH(k, 16)
    {
        u32 signs = (a[k] >> 31) && thread ? ~(~0u >> thread) : 0;
        logical[k] = a[k] >> thread;
        arithmetic[k] = (logical[k] | signs) * rotated;
    }
    OUT(thread * 128, logical);
    OUT(thread * 128 + 64, arithmetic);
}

/* Parts are read before each text and written behind it. */
static void assembly_parts(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, 0);
    u32 m[32], sum[8], factor;
    u16 words[32];
    EACH(k, 32) m[k] = k < 8 && k % 2 == 0 ? 7 : ~0u;
    EACH(r, 2) EACH(c, 4) m[((thread >> 1) + r) * 8 + 1 + 2 * c] = v[1 + 2 * (4 * r + c)] + 5;
    factor = v[thread];
    EACH(k, 8) v[4 + k] *= factor;
    memcpy(words, v, sizeof words);
    EACH(k, 2) sum[k] = words[8 + k] + v[3];
    EACH(k, 2) words[2 * k] = (u16)sum[k];
    memcpy(v, words, sizeof words);
    v[15] += 1;
    EACH(k, 4) m[8 + k] = v[8 + k];
    EACH(r, 2) EACH(c, 4) m[(2 + r) * 8 + 4 + c] = v[8 + 4 * r + c];
    EACH(k, 8) v[k] += v[k];
    EACH(k, 8) m[k] += (i32)m[24 + k] > 0;
    EACH(k, 4)
    {
        u32 read = v[7 - k];
        v[15 - k] += read;
        if (k & 1)
            v[k + (int)thread] = read + 3;
    }
    OUT(thread * 192, m);
    OUT(thread * 192 + 128, v);
}

/* What the lanes that are on do with a vector of `lanes` elements. */
static void masked_lanes(const u32 *in, u32 *out, u32 *v, int lanes)
{
    EACH(k, lanes)
    {
        if ((i32)v[k] > 0) {
            u32 odd = v[k] & 1;
            v[k] = in[31 - k];
            if (odd)
                out[k] = v[k];
        } else {
            u32 old = out[32 + k];
            out[32 + k] += v[k];
            v[k] = old;
        }
    }
}

static void lsc_masked(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 32, 0);
    u32 result[128] = {0};
    memcpy(result + 64, v, sizeof v);
    memcpy(result + 96, v + 8, 32);
    masked_lanes(v, result, result + 96, 8);
    masked_lanes(v, result, result + 64, 32);
    OUT(0, result);
}

static void lsc_masked_pairs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 64, 0);
    i32 result[96] = {0};
    EACH(k, 16)
    {
        bool on = v[k] > 0;
        EACH(n, 2) result[2 * k + n] = on ? v[32 + 16 * n + k] ^ 1 : 0;
        result[32 + k] = on ? v[2 * k] : -1;
        result[48 + k] = on ? (i32)((u32)v[2 * k + 1] + 1) : -2;
    }
    OUT(0, result);
}

static void lsc_masked_wholes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 64, 0);
    i32 both[32], channels[32], quads[48];
    float floats[32];
    EACH(k, 48) quads[k] = -1;
    EACH(k, 16) EACH(n, 2)
    {
        bool on = v[k] > 0;
        both[16 * n + k] = on ? v[2 * k + n] : v[32 + 16 * n + k];
        floats[16 * n + k] = on ? (float)v[32 + 30 - 2 * k + n] : -1.0f;
        channels[16 * n + k] = on ? -1 : v[2 * k + n];
    }
    EACH(k, 8) EACH(n, 4) if (v[1 + 2 * k] > 0) quads[n / 2 * 32 + n % 2 * 8 + k] = v[4 * k + n];
    OUT(0, both);
    OUT(128, floats);
    OUT(256, channels);
    OUT(384, quads);
}

static void lsc_spellings(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, v, 16, 0);
    u32 upper[16];
    u16 stored[16];
    static const u32 payload[8] = {0x9abcdef0, 0x12345678, 63, 11, 127, 3, ~3u, 1 << 16 | 4 << 8 | 7};
    EACH(k, 16) upper[k] = (u32)v[k] << 16;
    EACH(k, 16) stored[k] = (u16)(v[k] + 1);
    OUT(0, upper);
    OUT(64, stored);
    OUT(96, payload);
}

static void lsc_older(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 32, 0);
    u32 result[80];
    EACH(k, 8) result[k] = v[16 + k % 4];
    EACH(k, 8) result[8 + k] = v[16 + k];
    EACH(k, 32) result[16 + k] = v[k] + 1;
    EACH(k, 32) result[48 + k] = v[k] - 1;
    OUT(0, result);
}

const struct reference thread_table[] = {
    ROW(thread_numbers), ROW(clocks),           ROW(raw_messages),      ROW(thread_registers),
    ROW(state_register), ROW(chosen_surfaces),  ROW(surfaces_in_array), ROW(spellings), ROW(spelt),
    ROW(spelt_atomics),  ROW(long_integers),    ROW(cached_stacks),     ROW(neighbourhoods),
    ROW(full_angles),    ROW(assembly),         ROW(assembly_signs),    ROW(assembly_parts),
    ROW(lsc_masked),     ROW(lsc_masked_pairs), ROW(lsc_masked_wholes), ROW(lsc_older),
    ROW(lsc_spellings),  ROW(surface_vector),   ROW(surface_matrix),    {NULL, NULL}};
