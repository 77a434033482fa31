/* Computes in scalar C what the kernels of raw_messages.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void raw_messages(const void *in, void *out, unsigned thread)
{
    IN(u32, block, 16, thread * 64 + 4);
    IN(u32, from, 16, 256 + thread * 64);
    u32 result[32];
    EACH(k, 16) result[k] = block[k];
    EACH(k, 8)
    {
        result[16 + k] = from[7 - k];
        result[24 + k] = block[k] & 1 ? from[7 - k] : 77;
    }
    OUT(thread * 128, result);
}

static void state_register(const void *in, void *out, unsigned thread)
{
    u32 result[2] = {1, 1};
    (void)in;
    OUT(thread * 8, result);
}

REFERENCE(raw_messages)
REFERENCE(state_register)
