/* Computes in scalar C what the kernel of rows_columns.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void rows_columns(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, m, 64, 0);
    u32 t[64];
#define M(R, C) m[(R) * 8 + (C)]
#define T(R, C) t[(R) * 8 + (C)]
    EACH(r, 8) EACH(c, 8) T(c, r) = M(r, c);
    EACH(k, 8) T(0, k) += T(7, k);
    EACH(k, 8) T(k, 3) = T(k, 4) - T(k, 2);
    EACH(k, 8) T(5, k) = T(6, k) ^ M(5, k);
    T(1, 2) = M(2, 1) + M(3, 4);
    u32 column[8];
    EACH(k, 8) column[k] = T(k, 1);
    EACH(k, 8) T(2, k) = M(k, 2) + column[k];
    EACH(k, 8) T(k, k) = M(k, 7 - k);
#undef M
#undef T
    OUT(0, t);
}

REFERENCE(rows_columns)
