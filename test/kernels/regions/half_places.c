/* Computes in scalar C what the kernel of half_places.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void half_places(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i16, n, 64, 0);
    EACH(k, 64) n[k] &= 63;
    const i16 *a = n, *b = n + 32;
    i16 r[32], t[32];
    int i = n[0] & 7, j = n[1] & 3;
    memcpy(r, a, sizeof r);
    memcpy(t, b, sizeof t);
    EACH(k, 8) r[i + k] = (i16)(r[i + k] + b[1 + k]);
    EACH(k, 4) r[i + 12 + k] = (i16)(r[i + 12 + k] - b[j + 2 * k]);
    EACH(k, 2) r[i + 20 + k] = (i16)(a[j + k] * b[i + k]); /* below 4096: exact */
    EACH(k, 16) t[j + k] = a[j + k] < b[5 + k] ? a[j + k] : b[5 + k];
    EACH(k, 4) t[j + 20 + 2 * k] = (i16)-a[i + k];
    OUT(0, r);
    OUT(64, t);
}

REFERENCE(half_places)
