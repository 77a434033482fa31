/* Computes in scalar C what the kernels of lsc_atomics.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/flat.h"
#include "test/kernels/reference.h"

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

REFERENCE(lsc_atomics)
REFERENCE(lsc_channels)
REFERENCE(lsc_shared)
REFERENCE(lsc_words)
