/* Computes in scalar C what the kernels of channel_loops.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void channel_parts(const void *in, void *out, unsigned thread)
{
    IN(u8, m, 128, thread * 128);
    IN(u32, n, 32, (thread ^ 1) * 128);
    i16 least[32];
    uint64_t wide[16];
    EACH(k, 32)
    {
        u8 *row = m + k / 4 * 16;
        i32 turns = (i32)n[k] >> 3 & 7;
        least[k] = 1000;
        do {
            n[k] = n[k] * 5 + 1;
            row[1 + k % 4 * 2] &= (u8)((row[8 + k % 4] - n[k]) | 0x11);
            u32 sum = row[12 + k % 4] + (n[k] & 31);
            row[12 + k % 4] = sum < 255 ? (u8)sum : 255;
            least[k] = (i32)n[k] >> 20 < least[k] ? (i16)((i32)n[k] >> 20) : least[k];
        } while (--turns > 0);
    }
    EACH(k, 16)
    {
        i32 rounds = (i32)(n[1 + 2 * k] & 7);
        wide[k] = 3;
        do
            wide[k] += wide[k] + (uint64_t)rounds;
        while (--rounds > 0);
    }
    OUT(thread * 256, m);
    OUT(thread * 256 + 128, least);
    memcpy((u8 *)out + thread * 256 + 192, wide + 7, 64);
}

static void channel_loops(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 32, thread * 128);
    i32 sum[16] = {0}, spread[16] = {0}, full[16], last[16], rows[4][4] = {{0}}, rounds = 0;
    u16 mixed[32];
    EACH(k, 16)
    {
        i32 n = (i32)(v[k] & 15), turns = 0;
        do {
            spread[k] += n;
            sum[k] += spread[k] & 255;
            full[k] = spread[k] + sum[k] < 255 ? spread[k] + sum[k] : 255;
            turns++;
        } while (--n > 0);
        rounds = turns > rounds ? turns : rounds;
    }
    EACH(k, 16) sum[k] += rounds + full[k] * 65536;
    EACH(k, 4) rows[k][1] = spread[3 + k];
    EACH(k, 32)
    {
        u32 w = v[k] & 31, steps = 1;
        float f = 1;
        do {
            if ((w & 3) != 2)
                w >>= 1;
            else if (steps > 5)
                break;
            else
                w += 5, f *= 0.5f;
        } while (++steps <= 12 && w != 0);
        mixed[k] = (u16)(steps + w * 64);
        if (k < 16)
            last[k] = (i32)(f * 1024);
    }
    EACH(k, 8)
    {
        i32 e = (i32)(v[8 + k] & 63), turns = 0;
        EACH(i, 3)
        {
            do {
                e -= 7 + i;
                e += ++turns % 2 == 0;
            } while (e > 0);
            e += 40;
        }
        last[8 + k] = turns + e * 256;
    }
    OUT(thread * 256, sum);
    OUT(thread * 256 + 64, mixed);
    OUT(thread * 256 + 128, last);
    OUT(thread * 256 + 192, rows);
}

REFERENCE(channel_loops)
REFERENCE(channel_parts)
