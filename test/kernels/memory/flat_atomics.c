/* Computes in scalar C what the kernels of flat_atomics.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

typedef uint64_t u64;

typedef int64_t i64;

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

REFERENCE(flat_atomics)
REFERENCE(flat_sums)
REFERENCE(masked_atomics)
REFERENCE(float_atomics)
