/* References of kernels that choose lanes: shuffles of masks, numbers far from where a vector begins. */
#include "elements.h"
#include "reference.h"

#include <stdbool.h>

static void test_step(u32 *out, int lanes, const i32 *a, const i32 *b)
{
    EACH(k, 32)
    {
        bool takes = k < lanes && (k & 1 ? a[k] < b[k] : a[k] > b[k]);
        out[k] = k >= lanes ? 5 : (u32)(takes ? b[k] : a[k]);
    }
}

static void mask_shuffles(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 64, 0);
    IN(i32, b, 64, 256);
    u32 steps[7][32], v[64], r[10][16], w[16];
    bool less[64], more[64];
    static const int lanes[7] = {2, 4, 7, 8, 16, 24, 32};
    EACH(k, 7) test_step(steps[k], lanes[k], a, b);
    EACH(k, 64)
    {
        less[k] = a[k] < b[k];
        more[k] = a[k] > 5;
        v[k] = (u32)((k & 1 ? a[k] < b[k] : a[k] > b[k]) ? b[k] : a[k]);
    }
    EACH(k, 16) w[k] = (u32)((k & 1 ? less[48 + k] : more[24 + k]) ? b[k] : a[k]);
    memcpy(r[0], w, sizeof w);
    EACH(k, 16) w[k] = (k < 8 ? less[k] : less[16 + k]) ? ~0u : w[k];
    memcpy(r[1], w, sizeof w);
    EACH(k, 16) w[k] = (k & 1 ? more[k % 8 * 2] : less[4 + k % 4]) ? -2u : w[k];
    memcpy(r[2], w, sizeof w);
    EACH(k, 16)
    {
        bool is_low = (i32)w[k] < 1000 || !(k & 1);
        w[k] = is_low && (k < 8 || less[30 + k]) ? 77 : w[k];
    }
    memcpy(r[3], w, sizeof w);
    EACH(k, 16) w[k] = (k & 1 ? more[16 + k] : k < 8 ? less[3 + k] : more[k]) ? (u32)b[40 + k] : w[k];
    memcpy(r[4], w, sizeof w);
    EACH(k, 16) w[k] = (k < 8) == more[7 + k] ? (u32)b[20 + k] : w[k];
    memcpy(r[5], w, sizeof w);
    EACH(k, 16) w[k] = (k < 8 && k & 1 ? true : k & 1 ? more[k] : less[k]) ? (u32)a[33 + k] : w[k];
    memcpy(r[6], w, sizeof w);
    EACH(k, 16) w[k] = (k & 1 ? less[15 - k] : more[k]) ? (u32)b[k] : w[k];
    memcpy(r[7], w, sizeof w);
    EACH(k, 16) w[k] = (k >= 8 ? less[3] : k & 1 ? more[40 + k / 2] : less[8 + k / 2]) ? (u32)b[16 + k] : w[k];
    memcpy(r[8], w, sizeof w);
    u32 bits = 0;
    EACH(k, 32) bits |= (u32)(less[k] != more[32 + k]) << k;
    EACH(k, 16) w[k] = bits >> (9 + k) & 1 ? (u32)b[48 + k] : w[k];
    w[3] += bits;
    memcpy(r[9], w, sizeof w);
    OUT(0, steps);
    OUT(896, v);
    OUT(1152, r);
}

/* Copies with a step and a copy between, as values are: all is read before anything is written. */
#define FROM(TYPE, NAME, COUNT, FIRST, STEP, OF)                                                                       \
    TYPE NAME[COUNT];                                                                                                  \
    EACH(k, COUNT) NAME[k] = (OF)[(FIRST) + (STEP) * k]

static void far_offsets(const void *in, void *out, unsigned thread)
{
    (void)thread;
    union {
        u32 v[512];
        u16 words[1024];
        u8 bytes[2048];
        uint64_t longs[256];
    } u;
    memcpy(&u, in, sizeof u);
    IN(u32, n, 32, 2048);
    EACH(k, 32) n[k] &= 31;

    FROM(u32, first, 8, n[0] + 126, 1, u.v);
    EACH(k, 8) u.v[n[3] + (u32)k] += first[k];
    FROM(u32, second, 8, n[0], 4, u.v);
    EACH(k, 8) u.v[n[1] + 56 + 2 * (u32)k] = second[k];
    u.v[n[1] + 117] += u.v[n[0] + 1] * u.v[n[2]];
    FROM(u32, third, 8, n[3] + 450, 1, u.v);
    EACH(k, 8) u.v[n[3] + 300 + (u32)k] ^= third[k];

    FROM(u16, fourth, 16, n[0] + 769, 1, u.words);
    EACH(k, 16) u.words[n[1] + 2 + (u32)k] += fourth[k];
    EACH(k, 16) u.words[n[0] + 3 * (u32)k] ^= 0x1234;
    u.words[n[2]] = u.words[n[1] + 856];

    FROM(u8, fifth, 32, n[4] + 1200, 1, u.bytes);
    EACH(k, 32) u.bytes[n[4] + (u32)k] ^= fifth[k];
    EACH(k, 16) u.bytes[n[5] + 486 + 2 * (u32)k] += 7;
    u.bytes[n[4] + 1287] = (u8)(u.bytes[n[4] + 775] + 1);

    FROM(uint64_t, sixth, 4, n[6] + 190, 1, u.longs);
    EACH(k, 4) u.longs[n[6] + (u32)k] ^= sixth[k];
    u.longs[n[0] + 5] = u.longs[n[1] + 156];

    u32 row = (n[7] & 3) + 10, left = n[9] & 15;
    FROM(u32, seventh, 32, (row - 5) * 32, 1, u.v);
    EACH(k, 32) u.v[(row - 9) * 32 + (u32)k] += seventh[k];
    FROM(u32, eighth, 16, n[0], 32, u.v);
    EACH(k, 16) u.v[n[8] + 32 * (u32)k] += eighth[k];
    EACH(r, 2) EACH(c, 4) u.v[(row - 8 + 2 * (u32)r) * 32 + left + 2 * (u32)c] = 77;
    memcpy(out, &u, sizeof u);
}

static void far_indices(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 256, 0);
    IN(u16, words, 512, 0);
    IN(u32, random, 32, 1024);
    u32 n[32], r[5][16], far = random[3] & 31;
    EACH(k, 32) n[k] = random[k] & 63;
    EACH(k, 16)
    {
        r[0][k] = v[n[k] + n[0]];
        r[1][k] = v[n[16 + k] + n[1] + 10];
        r[2][k] = v[far + 200 + (u32)k];
        r[3][k] = v[far + 2 * (u32)k] + (k < 8 ? words[far + 399 + (u32)k] : 0);
    }
    EACH(k, 8)
    {
        u32 at = n[8 + k];
        r[4][k] = v[at + 170] + v[at + 140];
        r[4][8 + k] = v[at + n[8] + 10] ^ v[at + n[8] + 120];
    }
    OUT(0, r);
}

static void simd_counted_loops(const void *in, void *out, unsigned thread)
{
    IN(i32, a, 16, thread * 128);
    IN(i32, b, 16, thread * 128 + 64);
    i32 v[5][16], s[16] = {0}, m[4][16], sum = 0;
    EACH(k, 16)
    {
        a[k] &= 15;
        b[k] &= 7;
        v[0][k] = a[k] > 3 ? a[k] + 6 * b[k] : a[k];
    }
    EACH(k, 16)
    {
        s[k] = a[k] > 7 ? a[0] + a[1] + a[2] + a[3] : 2 - 5 * b[k];
        v[1][k] = s[k];
        EACH(i, 4) m[i][k] = 1;
        for (int i = 3; i >= 0 && a[k] != b[k]; i--) {
            m[i][k] = a[k] + i;
            for (int j = i; j < 4; j++)
                if (a[k] > i + j) {
                    m[j][k] += b[k];
                    s[k] += 1 + 3;
                } else if (b[k] == j) {
                    s[k] -= 100;
                }
        }
        v[2][k] = s[k] + m[0][k] * 3 + m[1][k] * 5 + m[2][k] * 7 + m[3][k] * 11;
    }
    EACH(k, 16)
    {
        i32 x = a[k];
        do {
            EACH(i, 3) x += i + (b[k] > i);
            if (x > 60) {
                x += 2000;
                break;
            }
            if (x == 33) {
                x += 2;
                continue;
            }
            x += 1;
            x += b[k];
            x ^= 1;
            x += b[k];
        } while (x < 90);
        v[3][k] = x;
        sum += a[k] < 12 ? a[k] : 0;
    }
    EACH(k, 16)
    {
        i32 rounds = thread & 1 ? v[3][0] + v[3][2] + v[3][4] + 3 * sum : 0;
        v[4][k] = a[k] < 12 ? rounds + 1 : 0;
    }
    OUT(thread * 320, v);
}

const struct reference lanes_table[] = {
    ROW(mask_shuffles), ROW(far_offsets), ROW(far_indices), ROW(simd_counted_loops), {NULL, NULL}};
