/* Computes in scalar C what the kernels of merge.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

REFERENCE(merge)
REFERENCE(merge_uniform)
