/* Computes in scalar C what the kernel of mask_shuffles.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

REFERENCE(mask_shuffles)
