/* Computes in scalar C what the kernels of lsc.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

REFERENCE(lsc_pointers)
REFERENCE(lsc_surfaces)
