/* Computes in scalar C what the kernel of addressed_floats.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void addressed_floats(const void *in, void *out, unsigned thread)
{
    enum { TWO = 0, FOUR = 2, EIGHT = 6 };
    (void)thread;
    IN(u8, bytes, 32, 0);
    IN(int8_t, chars, 32, 32);
    IN(u16, places, 32, 64);
    float floats[32] = {0};
    u16 halves[32] = {0};
    EACH(k, 2)
    {
        floats[k] = bytes[places[TWO + k] & 31];
        floats[16 + k] = chars[places[TWO + k] & 31];
        to_half_and_back(bytes[places[TWO + k] & 31], &halves[k]);
    }
    EACH(k, 4)
    {
        floats[4 + k] = chars[places[FOUR + k] & 31];
        floats[20 + k] = bytes[places[FOUR + k] & 31];
        to_half_and_back(chars[places[FOUR + k] & 31], &halves[4 + k]);
    }
    EACH(k, 8)
    {
        floats[8 + k] = bytes[places[EIGHT + k] & 31];
        to_half_and_back(chars[places[EIGHT + k] & 31], &halves[8 + k]);
    }
    OUT(0, floats);
    OUT(128, halves);
}

REFERENCE(addressed_floats)
