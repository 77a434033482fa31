/* Computes in scalar C what the kernel of any_all.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void any_all(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 64);
    i32 r[16] = {0};
    int above60 = 0, below62 = 1, five = 0, turns = 0, loop;
    EACH(k, 16)
    {
        v[k] &= 63;
        above60 |= v[k] > 60;
        below62 &= v[k] < 62;
        five |= v[k] == 5;
    }
    r[0] = above60 ? 1 : 2;
    r[1] = below62 && !five ? 3 : 0;
    do {
        loop = 0;
        EACH(k, 16) loop |= v[k] > 3;
        if (loop && turns < 40) {
            EACH(k, 16) v[k] -= v[k] > 3 ? 7 : 0;
            turns++;
        }
    } while (loop && turns < 40);
    r[2] = turns;
    int any = 0, all = 1, small = 1, some = 0;
    EACH(k, 16)
    {
        any |= v[k] != 0;
        all &= v[k] != 0;
        small &= v[k] < 4;
        some |= k % 4 == 0 && (v[k] & 255) != 0;
    }
    r[3] = small ? 0 : 9;
    r[4] = any * 16 + all;
    r[5] = 2;
    EACH(k, 8) r[8 + k] = v[2 * k];
    r[6] = some;
    OUT(thread * 64, r);
}

REFERENCE(any_all)
