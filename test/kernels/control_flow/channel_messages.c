/* Computes in scalar C what the kernel of channel_messages.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void channel_messages(const void *in, void *out, unsigned thread)
{
    IN(u32, all, 256, 0);
    u32 mine[256] = {0};
    EACH(k, 16)
    {
        u32 at = all[thread * 16 + (u32)k] & 255, steps = 0, last = 7;
        do {
            u32 next = all[at];
            if ((next & 7) == 5) {
                last = at;
                break;
            }
            mine[64 + k] = next;
            at = (next + steps) & 255;
        } while (++steps < 20);
        mine[k] = at;
        mine[16 + k] = steps;
        mine[32 + k] = last;
    }
    EACH(k, 8)
    {
        u32 place = all[thread * 8 + (u32)k] & 31, turns = 0;
        do {
            turns++;
            mine[128 + (place & 7)] += place & 1;
            place = (place * 5 + 3) & 31;
        } while (turns < (place & 15));
        mine[48 + k] = turns;
    }
    OUT(thread * 1024, mine);
}

REFERENCE(channel_messages)
