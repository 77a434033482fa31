/* Computes in scalar C what the kernel of ramps.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void ramps(const void *in, void *out, unsigned thread)
{
    IN(i32, x, 16, 0);
    static const float few[] = {0.5f, -1.5f, 2.75f, 300.f};
    i32 down[16], list[16], part[16];
    u16 grid[32];
    u8 bytes[32], none[16];
    i16 square[8];
    float floats[8];
    (void)thread;
    EACH(k, 32)
    {
        grid[k] = (u16)(10 + 3 * k);
        bytes[k] = (u8)(250 + k);
    }
    EACH(k, 16)
    {
        down[k] = (i32)((u32)x[k] + 100 - 7 * (u32)k);
        list[k] = k < 12 ? 1 << k : 11 - k;
        part[k] = k < 4 ? (i32)few[k] : 7;
        none[k] = (u8)(k + 2);
    }
    EACH(k, 8)
    {
        x[1 + 2 * k] = (i32)((u32)x[0] + 5 * (u32)k);
        square[k] = (i16)(k % 2 ? -k - 1 : k + 1);
        floats[k] = k < 7 ? (float)k + 1 : 8.5f;
    }
    u8 *to = out;
    memcpy(to, down, 64);
    memcpy(to + 64, grid, 64);
    memcpy(to + 128, bytes, 32);
    memcpy(to + 160, x, 64);
    memcpy(to + 224, list, 64);
    memcpy(to + 288, part, 64);
    memcpy(to + 352, none, 16);
    memcpy(to + 368, square, 16);
    memcpy(to + 384, floats, 32);
    EACH(k, 8) put32(to + 416 + 4 * k, 16 + 2 * 256 + 4 * 4096);
}

REFERENCE(ramps)
