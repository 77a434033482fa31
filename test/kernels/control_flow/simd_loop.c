/* Computes in scalar C what the kernel of simd_loop.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_loop(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 64);
    i32 count[16] = {0}, sum[16] = {0}, skipped[16] = {0};
    int turns = 0;
    EACH(k, 16)
    {
        v[k] &= 31;
        int own_turns = 0;
        do {
            count[k]++;
            own_turns++;
            if (count[k] == v[k]) {
                sum[k] += 1000;
                break;
            }
            if ((count[k] & 3) == (v[k] & 3)) {
                if (v[k] > 20) {
                    skipped[k] += 1;
                    continue;
                }
                skipped[k] += 100;
                sum[k] += 5;
            }
            sum[k] += count[k];
        } while (count[k] < 12);
        turns = own_turns > turns ? own_turns : turns; /* the scalar counts while any lane loops */
    }
    EACH(k, 16) sum[k] += turns;
    OUT(thread * 192, count);
    OUT(thread * 192 + 64, sum);
    OUT(thread * 192 + 128, skipped);
}

REFERENCE(simd_loop)
