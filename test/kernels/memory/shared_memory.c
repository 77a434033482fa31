/* Computes in scalar C what the kernels of shared_memory.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void shared_memory(const void *in, void *out, unsigned thread)
{
    unsigned group = thread / 4, next = (thread + 1) % 4 + group * 4;
    IN(u32, all, 256, group * 1024); /* of the group */
    IN(u32, other, 64, next * 256);
    u32 r[64] = {0};
    EACH(k, 31) r[k] = all[(next % 4 * 64 + (unsigned)k + 1) % 256];
    EACH(k, 16) r[32 + k] = (other[k] & 255) + (other[16 + k] ^ other[32 + k]);
    EACH(k, 8)
    {
        r[48 + k] = other[16 + k];
        r[56 + k] = get16((const u8 *)all + 2 * (3 * (unsigned)k + thread % 4));
    }
    OUT(thread * 256, r);
}

static void shared_load(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 64, thread / 3 * 2048 + 16 + thread % 3 * 512 + 64);
    EACH(k, 64) v[k]++;
    OUT(thread * 256, v);
}

static void shared_sizes(const void *in, void *out, unsigned thread)
{
    unsigned group = thread / 3 * 3;
    IN(u32, own, 8, thread * 32);
    IN(u32, other, 8, (group + 2 - thread % 3) * 32);
    u32 r[8];
    EACH(k, 8) r[k] = other[k] + own[k] * 3;
    r[6] = 48;
    r[7] = 48 + 112; /* three rows of 36 bytes: 108 */
    OUT(thread * 32, r);
}

REFERENCE(shared_memory)
REFERENCE(shared_load)
REFERENCE(shared_sizes)
