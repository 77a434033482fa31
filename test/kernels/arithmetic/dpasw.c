/* Computes in scalar C what the kernel of dpasw.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/flat.h"
#include "test/kernels/reference.h"

/* Byte `k` of row `row` of what the pair shares: its first thread has the first `first` registers from `skipped` on. */
static unsigned shared(const u8 a[2][128], unsigned skipped, unsigned first, unsigned at)
{
    unsigned second = at >= 32 * first;
    return a[second][skipped + at - (second ? 32 * first : 0)];
}

static void add_halves(const u8 a[2][128], const u16 hb[128], unsigned round, float halves[24])
{
    EACH(r, 3) EACH(c, 8)
    {
        double total = (double)halves[8 * r + c];
        EACH(k, 16)
        {
            unsigned at = 32 * (unsigned)r + 2 * (unsigned)k;
            unsigned x = shared(a, 64 * round, 2, at) | shared(a, 64 * round, 2, at + 1) << 8;
            total += half_of(hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3bff) * half_of((u16)(x & 0xbbff));
        }
        halves[8 * r + c] = (float)total;
    }
}

static void dpasw(const void *in, void *out, unsigned thread)
{
    IN(int8_t, b, 256, 256 * thread); /* dword k holds four rows of column k % 8 */
    IN(u32, ints, 64, 256 * thread);
    IN(u16, hb, 128, 256 * thread);
    IN(u8, lower, 128, 2048 + 256 * (thread / 2));
    IN(u8, upper, 128, 2048 + 256 * (thread / 2) + 128);
    IN(u32, begin, 32, 3072 + 128 * thread);
    u8 a[2][128];
    u32 sum[64], nibbles[32] = {0};
    float halves[24];
    memcpy(a[0], lower, 128);
    memcpy(a[1], upper, 128);
    EACH(k, 64) sum[k] = k < 32 ? begin[k] : begin[k - 32] ^ ints[8 + k - 32];
    memcpy((u8 *)out + 512 * thread + 480, sum + 40, 32);
    EACH(r, 8)
    EACH(c, 8)
    EACH(k, 32)
    sum[8 * r + c] += (u32)(b[(k / 4 * 8 + c) * 4 + k % 4] * (int)shared(a, 0, 4, 32 * (unsigned)r + (unsigned)k));
    EACH(r, 4) EACH(c, 8) EACH(k, 32)
    {
        int x = (int)(shared(a, 0, 1, 16 * (unsigned)r + (unsigned)k / 2) >> 4 * (k % 2) & 15);
        nibbles[8 * r + c] += (u32)(b[(k / 4 * 8 + c) * 4 + k % 4] * (x > 7 ? x - 16 : x));
    }
    EACH(k, 24) halves[k] = 0.25f;
    add_halves((const u8(*)[128])a, hb, 0, halves);
    add_halves((const u8(*)[128])a, hb, 1, halves);
    OUT(512 * thread, sum);
    OUT(512 * thread + 256, nibbles);
    OUT(512 * thread + 384, halves);
}

REFERENCE(dpasw)
