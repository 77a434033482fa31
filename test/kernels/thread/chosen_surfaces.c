/* Computes in scalar C what the kernels of chosen_surfaces.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void chosen_surfaces(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 8, thread * 64);
    u32 w[16];
    EACH(k, 8) w[k] = v[k] + 1;
    EACH(k, 8) w[8 + k] = thread & 1 ? v[k] : w[k];
    w[15] = thread & 1 ? 5 : thread == 0 ? 7 : 6;
    OUT(thread * 64, w);
}

static void surfaces_in_array(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u32 all[16] = {0};
    unsigned turn = 0;
    EACH(k, 8) all[k] = thread & 1 ? 0 : v[k];
    for (unsigned i = 0; i < thread; i++) {
        EACH(k, 8) all[8 + k] = (turn ? all[8 + k] : v[8 + k]) + i;
        turn = (i & 1) ^ 1;
    }
    EACH(k, 8) all[8 + k] = (thread / 2 ? all[k] : v[k]) + 3;
    OUT(thread * 64, all);
}

REFERENCE(chosen_surfaces)
REFERENCE(surfaces_in_array)
