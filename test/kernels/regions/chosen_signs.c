/* Computes in scalar C what the kernel of chosen_signs.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void chosen_signs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, d, 32, 0);
    IN(u16, w, 64, 128);
    IN(uint64_t, q, 16, 256);
    IN(u16, n, 32, 384);
    const u8 *c = in;
    u32 least[4], high[4], low[4], most[4] = {7, 7, 7, 7}, middle[4], sums[4], fields[4], below[4], bits[4],
                                   products[4], narrow[4], wide[4];
    u16 words[8];
    EACH(k, 4)
    {
        unsigned i = n[k] & 15, j = n[4 + k] & 15, both = (unsigned)w[i] + w[j];
        uint64_t sum = (uint64_t)d[i] + d[j], product = (uint64_t)d[i] * d[j];
        least[k] = d[i] < d[j] ? d[i] : d[j];
        bits[k] = d[i] < d[j] ? d[j] : d[i];
        high[k] = (u32)(product >> 32);
        low[k] = (u32)product;
        words[k] = w[i] < w[j] ? w[j] : w[i];
        words[4 + k] = both > 0xffff ? 0xffff : (u16)both;
        middle[k] = (u32)((sum + 1) >> 1);
        sums[k] = sum > 0xffffffff ? 0xffffffff : (u32)sum;
        fields[k] = d[j] >> 27;
        below[k] = (d[i] < d[j]) | (u32)(w[i] < w[j]) << 1 | (u32)(q[i] < q[j]) << 2;
        products[k] = (u32)w[i] * w[j];
        narrow[k] = (u32)w[i] * c[j];
        wide[k] = (u32)w[i] * c[i] + w[j];
    }
    EACH(k, 3)
    {
        u32 a = d[n[8 + k] & 15], b = d[n[11 + k] & 15];
        most[k] = a < b ? b : a;
    }
    OUT(0, least);
    OUT(16, high);
    OUT(32, low);
    OUT(48, most);
    OUT(64, words);
    OUT(80, middle);
    OUT(96, sums);
    OUT(112, fields);
    OUT(128, below);
    OUT(144, bits);
    OUT(160, products);
    OUT(176, narrow);
    OUT(192, wide);
}

REFERENCE(chosen_signs)
