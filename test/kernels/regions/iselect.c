/* Computes in scalar C what the kernel of iselect.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void iselect(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, raw, 16, 64);
    u32 a[16], b[16], c[16] = {0};
    EACH(k, 16) a[k] = v[raw[k] & 15];
    EACH(k, 16) b[k] = v[(raw[k] & 3) * 4 + (raw[k] >> 4 & 3)];
    EACH(k, 8)
    {
        u32 small = raw[2 * k] >> 8 & 7;
        c[1 + 2 * k] = v[1 + 2 * small];
        c[2 * k] = small < 4 ? v[small] : v[12 + small - 4]; /* rows 0 and 3 */
    }
    const u8 *bytes = in;
    u16 d[24];
    EACH(k, 24) d[k] = (u16)(get16(bytes + 100 + 2 * (bytes[40 + k] & 31)) ^ bytes[6 + k / 12 * 96 + k % 12]);
    OUT(0, a);
    OUT(64, b);
    OUT(128, c);
    OUT(192, d);
}

REFERENCE(iselect)
