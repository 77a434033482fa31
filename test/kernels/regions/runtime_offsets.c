/* Computes in scalar C what the kernel of runtime_offsets.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void runtime_offsets(const void *in, void *out, unsigned thread)
{
    IN(u32, m, 64, thread * 256);
    IN(u32, index, 16, 1024 + thread * 64);
    u32 copy[64];
    EACH(k, 16) index[k] &= 3;
    int i = (int)index[0], j = (int)index[1];

    memcpy(copy, m, sizeof copy);
    EACH(k, 4) m[i * 8 + (j & 1) + 2 * k] = copy[(i + 4) * 8 + j + k];
    memcpy(copy, m, sizeof copy);
    EACH(r, 4) EACH(c, 2) m[(i + r) * 8 + j + 2 * c] += copy[(j + r) * 8 + i + c];
    m[(i + 2) * 8 + j + 3] = 77;
    m[j * 8 + i + j] = 78;

    /* weigh() sees rows 0, 2, 4, 6 and columns 2 to 5 */
    int a = (int)index[2], b = (int)index[3];
#define PART(R, C) m[2 * (R) * 8 + 2 + (C)]
    EACH(k, 4) PART(a, k) += 1;
    EACH(k, 4) PART(k, b) -= 2;
    EACH(r, 2) EACH(c, 2) PART((a & 1) + r, (b & 1) + 2 * c) = 50;
    m[63] = PART(a, b) * 3 + PART(b, a);
#undef PART

    u16 v[32] = {0};
    EACH(k, 12)
    {
        v[k + i] += k * j;
        EACH(l, 4) v[k * 2 + 2 * l] += 1;
    }
    EACH(k, 32) m[16 + k] += (u32)(i32)(i16)v[k];
    OUT(thread * 256, m);

    u8 bytes[256], differences[64];
    memcpy(bytes, m, sizeof bytes);
    EACH(k, 64) differences[k] = bytes[k / 8 * 16 + k % 8 + i] ^ bytes[62 + k];
    OUT(1024 + thread * 64, differences);
}

REFERENCE(runtime_offsets)
