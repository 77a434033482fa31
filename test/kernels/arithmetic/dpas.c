/* Computes in scalar C what the kernel of dpas.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/flat.h"
#include "test/kernels/reference.h"

static void dpas(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int8_t, b, 256, 0); /* dword k holds four rows of column k % 8 */
    IN(u8, a, 256, 256);
    IN(i32, sum, 64, 512);
    IN(u16, hb, 128, 0);
    IN(u16, ha, 64, 256 + 32);
    IN(u16, ba, 32, 256);
    IN(u8, nb, 256, 0);
    IN(u8, na, 32, 256 + 20);
    float halves[32], brains[16];
    i32 nibbles[8];
    EACH(r, 8) EACH(c, 8) EACH(k, 32) sum[8 * r + c] += b[(k / 4 * 8 + c) * 4 + k % 4] * a[32 * r + k];
    EACH(r, 4) EACH(c, 8)
    {
        double total = 0;
        EACH(k, 16) total += half_of(hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3bff) * half_of(ha[16 * r + k] & 0xbbff);
        halves[8 * r + c] = (float)total;
    }
    EACH(r, 2) EACH(c, 8)
    {
        double total = 0.5;
        EACH(k, 16)
        total += brain_of((hb[(k / 2 * 8 + c) * 2 + k % 2] & 0x3fff) | 0x3800) *
                 brain_of((ba[16 * r + k] & (k % 2 ? 0x3f7f : 0xbf7f)) | 0x3800);
        brains[8 * r + c] = (float)total;
    }
    EACH(c, 8)
    {
        nibbles[c] = 0;
        EACH(k, 64)
        {
            int x = nb[(k / 8 * 8 + c) * 4 + k % 8 / 2] >> 4 * (k % 2) & 15, y = na[k / 2] >> 4 * (k % 2) & 15;
            nibbles[c] += x * (y > 7 ? y - 16 : y);
        }
    }
    OUT(0, sum);
    OUT(256, halves);
    OUT(384, brains);
    OUT(448, nibbles);
}

REFERENCE(dpas)
