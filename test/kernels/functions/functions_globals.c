/* Computes in scalar C what the kernel of functions_globals.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* State that the functions of functions_globals share. */
struct globals {
    i32 g[16], h[16], count;
};

static void exchange(struct globals *s)
{
    EACH(k, 16)
    {
        i32 kept = s->g[k];
        s->g[k] = s->h[k];
        s->h[k] = kept;
    }
}

static void grow(struct globals *s, i32 by)
{
    EACH(k, 16) s->g[k] = (i32)((u32)s->g[k] + (by & 1 ? (u32)by : 0));
    s->count++;
}

static i32 rotated_sum(const struct globals *s, i32 by)
{
    u32 copy[16], sum = 0;
    memcpy(copy, s->g, sizeof copy);
    copy[by & 15] = (u32)by;
    EACH(i, 3) EACH(k, 8) copy[2 * k] += copy[2 * k + 1];
    EACH(k, 16) sum += copy[k] + (u32)s->g[k];
    return (i32)sum;
}

static i32 given(struct globals *s, const i32 *value, i32 other)
{
    i32 before[16];
    u32 sum = (u32)other;
    memcpy(before, value, sizeof before);
    exchange(s);
    sum += (u32)rotated_sum(s, other);
    grow(s, other | 1);
    EACH(k, 16) sum += (u32)(before[k] ^ s->g[k]);
    return (i32)sum;
}

static void turn(struct globals *s, i32 way)
{
    i32 kept[16];
    memcpy(kept, s->g, sizeof kept);
    if (way > 1) {
        exchange(s);
        EACH(k, 16) s->g[k] ^= kept[k];
    } else if (way > 0) {
        EACH(k, 16) s->g[k] = (i32)((u32)kept[k] * 3);
        grow(s, 7);
        EACH(k, 16) s->h[k] = (i32)((u32)kept[k] - (u32)s->g[k]);
    }
    s->count += way;
}

static void functions_globals(const void *in, void *out, unsigned thread)
{
    IN(i32, g, 16, thread * 128);
    IN(i32, h, 16, thread * 128 + 64);
    struct globals s = {.count = 0};
    i32 second[16], w[16] = {0}, way = h[3] & 3;
    memcpy(s.g, g, sizeof g);
    memcpy(s.h, h, sizeof h);
    grow(&s, 3);
    memcpy(second, s.g, sizeof second);
    grow(&s, way);
    exchange(&s);
    w[0] = given(&s, s.g, 5);
    w[1] = given(&s, g, s.count);
    w[2] = rotated_sum(&s, s.h[0]);
    EACH(i, 4)
    {
        turn(&s, (way + i) & 3);
        w[3 + i] = s.g[i] ^ s.h[15 - i];
        if (i == 2)
            memcpy(s.h, second, sizeof second);
    }
    memcpy(s.g, s.h, sizeof s.g);
    grow(&s, way + 1);
    w[7] = s.count;
    EACH(k, 8) w[8 + k] = (i32)((u32)g[4 + k] + (u32)second[2 + k]);
    EACH(k, 16) g[k] = s.g[k], h[k] = g[k] ^ w[k];
    OUT(thread * 256, g);
    OUT(thread * 256 + 64, s.h);
    OUT(thread * 256 + 128, w);
    OUT(thread * 256 + 192, h);
}

REFERENCE(functions_globals)
