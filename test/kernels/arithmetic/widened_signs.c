/* Computes in scalar C what the kernel of widened_signs.cm must write. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void widened_signs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, u, 16, 0);
    IN(i16, w, 16, 32);
    IN(u8, b, 32, 64);
    IN(int8_t, c, 32, 96);
    i32 r[16], q[16];
    bool positive[8];
    const int at = u[0] & 7, of_u = u[3], of_w = w[4], of_b = b[5], of_c = c[6];
    EACH(k, 8)
    {
        q[k] = -u[2 + k] + abs(w[2 + k]);
        q[8 + k] = -w[2 + k] * 5 - b[2 + k] - abs(c[2 + k]);
    }
    EACH(k, 8) positive[k] = w[2 + k] > 0;
    EACH(k, 8) u[at + k] = (u16)(u[at + k] + 1000);
    EACH(k, 8) w[at + k] = (i16)(w[at + k] * 3);
    EACH(k, 16) b[at + k] ^= 0x55;
    EACH(k, 16) c[at + k] = (int8_t)(c[at + k] - 9);
    EACH(k, 16)
    {
        r[k] = 7 - (k < 8 ? of_u : of_b) - (k < 8 && k % 2 == 1 ? of_w : 0) - (k >= 8 && k % 2 == 0 ? of_c : 0);
        q[k] += k < 8 ? u[k] : w[k - 6] * 5;
    }
    EACH(k, 32) b[k] = (u8)(b[k] + c[k]);
    OUT(0, r);
    OUT(64, q);
    OUT(128, w);
    OUT(160, b);
    EACH(k, 8) w[at + k] = positive[k] ? c[at + 3 + k] : w[at + k];
    EACH(k, 16) w[k] = (i16)(w[k] - abs(w[k]));
    OUT(192, w);
}

REFERENCE(widened_signs)
