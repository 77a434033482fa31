/* Computes in scalar C what the kernel of saturated_wraps.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void saturated_wraps(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 32, thread * 256);
    IN(u32, u, 32, thread * 256 + 128);
    int8_t bytes[32];
    u8 unsigned_bytes[3][32];
    i16 words[32];
    u16 unsigned_words[32];
    i32 both[16];
    u8 grid[16];
    int8_t signed_grid[16];
    EACH(i, 16)
    {
        i32 number = (i32)(u[i / 4 * 8 + i % 4 + 1] & 127) * 3;
        grid[i] = (u8)clamp(number, 0, 255);
        signed_grid[i] = (int8_t)clamp(number - 200, -128, 127);
    }
    EACH(i, 32)
    {
        u32 shifted = a[i] << (a[i] & 31), wide = u[i] << (u[i] & 31), sum = u[i] + u[i];
        bytes[i] = (int8_t)clamp((i32)shifted, -128, 127);
        unsigned_bytes[0][i] = (u8)clamp(wide, 0, 255);
        unsigned_bytes[1][i] = (u8)clamp(sum, 0, 255);
        unsigned_bytes[2][i] = (u8)clamp((i32)shifted, 0, 255);
        words[i] = (i16)clamp(wide, -32768, 32767);
        unsigned_words[i] = (u16)clamp(sum, 0, 65535);
        if (i >= 8 && i < 24)
            both[i - 8] = (i32)shifted > 100 ? (i32)clamp((i32)shifted, -32768, 32767) : (i32)shifted;
    }
    OUT(0, bytes);
    OUT(32, unsigned_bytes[0]);
    OUT(64, unsigned_bytes[1]);
    OUT(96, words);
    OUT(160, unsigned_words);
    OUT(224, unsigned_bytes[2]);
    OUT(256, both);
    OUT(320, grid);
    OUT(336, signed_grid);
}

REFERENCE(saturated_wraps)
