/* Computes in scalar C what the kernel of masked_fields.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void masked_fields(const void *in, void *out, unsigned thread)
{
    static const struct {
        int lanes, at;
    } part[] = {{1, 0}, {2, 1}, {3, 4}, {7, 7}};
    (void)thread;
    IN(u32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(i32, m, 16, 128);
    IN(u32, put, 16, 192);
    IN(i32, got, 16, 192);
    EACH(n, 4) EACH(k, part[n].lanes)
    {
        int at = part[n].at + k, to = a[1 + k] & 15, from = a[k] & 15;
        if (m[at] < 0)
            put[at] = (a[at] & ~(31u << to)) | ((u32)b[k] & 31) << to;
        if (m[at] > 0)
            got[at] = ((b[at] >> from & 127) ^ 64) - 64;
    }
    OUT(0, put);
    OUT(64, got);
}

REFERENCE(masked_fields)
