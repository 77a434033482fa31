/* Computes in scalar C what the kernels of lsc_masked.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Changes a vector of `lanes` elements as the active lanes do. */
static void masked_lanes(const u32 *in, u32 *out, u32 *v, int lanes)
{
    EACH(k, lanes)
    {
        if ((i32)v[k] > 0) {
            u32 odd = v[k] & 1;
            v[k] = in[31 - k];
            if (odd)
                out[k] = v[k];
        } else {
            u32 old = out[32 + k];
            out[32 + k] += v[k];
            v[k] = old;
        }
    }
}

static void lsc_masked(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 32, 0);
    u32 result[128] = {0};
    memcpy(result + 64, v, sizeof v);
    memcpy(result + 96, v + 8, 32);
    masked_lanes(v, result, result + 96, 8);
    masked_lanes(v, result, result + 64, 32);
    OUT(0, result);
}

static void lsc_masked_pairs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 64, 0);
    i32 result[96] = {0};
    EACH(k, 16)
    {
        bool on = v[k] > 0;
        EACH(n, 2) result[2 * k + n] = on ? v[32 + 16 * n + k] ^ 1 : 0;
        result[32 + k] = on ? v[2 * k] : -1;
        result[48 + k] = on ? (i32)((u32)v[2 * k + 1] + 1) : -2;
    }
    OUT(0, result);
}

static void lsc_masked_wholes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 64, 0);
    i32 both[32], channels[32], quads[48];
    float floats[32];
    EACH(k, 48) quads[k] = -1;
    EACH(k, 16) EACH(n, 2)
    {
        bool on = v[k] > 0;
        both[16 * n + k] = on ? v[2 * k + n] : v[32 + 16 * n + k];
        floats[16 * n + k] = on ? (float)v[32 + 30 - 2 * k + n] : -1.0f;
        channels[16 * n + k] = on ? -1 : v[2 * k + n];
    }
    EACH(k, 8) EACH(n, 4) if (v[1 + 2 * k] > 0) quads[n / 2 * 32 + n % 2 * 8 + k] = v[4 * k + n];
    OUT(0, both);
    OUT(128, floats);
    OUT(256, channels);
    OUT(384, quads);
}

REFERENCE(lsc_masked)
REFERENCE(lsc_masked_pairs)
REFERENCE(lsc_masked_wholes)
