/* Computes in scalar C what the kernel of shared_messages.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void store(u32 *to, const u32 *numbers, u32 factor, u32 more)
{
    for (int i = 0; i < 16; i++)
        to[i] = numbers[i] * factor + more;
}

static void shared_messages(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    u32 to[48], w[16], sum[16];
    store(to, v, 1, 0);
    store(to + 16, v, 1, 1);
    store(to + 32, v, 3, 0);
    u32 kind = v[0] & 7;
    store(to, v, 1, 5);
    store(to + 16, v, 1, -5u);
    if (v[1] & 1) {
        memcpy(w, to + 32, sizeof w);
        EACH(i, 16)
        to[32 + i] = w[i] + v[i];
    } else {
        store(to + 32, v, 1, 0);
        memcpy(w, v, sizeof w);
    }
    EACH(i, 16)
    sum[i] = w[i] + v[i];
    if (kind <= 2 || kind == 4)
        store(to + 8, w, 1, 0);
    if (kind >= 1 && kind <= 3)
        store(to + 16, v, 1, 0);
    if (kind == 3)
        store(to + 8, w, 1, 0);
    if (kind == 4)
        store(to + 16, w, 1, 0);
    if (kind == 2 || kind > 4)
        store(to + 24, sum, 1, 0);
    OUT(thread * 192, to);
}

REFERENCE(shared_messages)
