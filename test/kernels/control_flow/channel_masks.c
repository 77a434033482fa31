/* Computes in scalar C what the kernels of channel_masks.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* For each mask, sixteen pixels of four dwords; the message moves the channels of its mask. */
static void channel_masks(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    for (unsigned mask = 1; mask < 16; mask++)
        EACH(k, 64)
        {
            if (mask >> k % 4 & 1)
                put32((u8 *)out + (mask - 1) * 256 + 4 * k, a[k] + mask);
        }
}

static void shared_channel_masks(const void *in, void *out, unsigned thread)
{
    memset(out, 0xa5, 3840);
    channel_masks(in, out, thread);
}

REFERENCE(channel_masks)
REFERENCE(shared_channel_masks)
