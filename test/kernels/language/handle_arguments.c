/* Computes in scalar C what the kernels of handle_arguments.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The buffers follow `out`; each is as large as `in`. */
static void surface_vector(const void *in, void *out, unsigned thread)
{
    enum { BYTES = 512, IN = 4 };
    unsigned char *more = (unsigned char *)out + BYTES;
    unsigned place = thread * 64, now[] = {0, 1, 2, 3};
    u32 amount, v[16], w[16], product[16];
    memcpy(&amount, in, sizeof amount);
    memcpy(v, more + (thread & 3) * BYTES + place, sizeof v);
    memcpy(w, more + 2 * BYTES + place, sizeof w);
    EACH(k, 16) product[k] = v[k] * w[k];
    OUT(place, product);
    if (thread == 5) {
        now[0] = IN;
        now[3] = 1;
    }
    unsigned from = now[thread * 3 & 3];
    memcpy(w, from == IN ? (const unsigned char *)in + place : more + from * BYTES + place, sizeof w);
    EACH(k, 16) v[k] += w[k] + amount;
    memcpy(more + now[thread / 2] * BYTES + place, v, sizeof v);
}

static void surface_matrix(const void *in, void *out, unsigned thread)
{
    enum { BYTES = 384, ENDS = 6 };
    (void)in;
    unsigned char *more = (unsigned char *)out + BYTES;
    unsigned place = thread * 64, row = thread / 3, column = thread % 3;
    u32 v[8], w[8];
    memcpy((unsigned char *)out + place, more + thread * BYTES + place, 32);
    memcpy((unsigned char *)out + place + 32, more + (3 + column) * BYTES + place + 32, 32);
    for (unsigned i = 0; i < 2; i++) {
        memcpy(v, more + (ENDS + i) * BYTES + place + i * 32, sizeof v);
        EACH(k, 8) v[k] += thread;
        memcpy(more + (ENDS + 1 - i) * BYTES + place + i * 32, v, sizeof v);
    }
    memcpy(v, more + (row * 3 + column) * BYTES + place, sizeof v);
    memcpy(w, more + ((1 - column % 2) * 3 + column) * BYTES + place + 32, sizeof w);
    EACH(k, 8) v[k] ^= w[k];
    memcpy(more + (column % 2 * 3 + 2 - column) * BYTES + place + 32, v, sizeof v);
}

REFERENCE(surface_vector)
REFERENCE(surface_matrix)
