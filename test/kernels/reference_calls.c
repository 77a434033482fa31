/* What the kernels must compute that call functions. */
#include "elements.h"
#include "reference.h"

static i32 clamp_to(i32 x, int low, i16 bound)
{
    if (low)
        return x < bound ? bound : x;
    return x > bound ? bound : x;
}

static void functions(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    i32 history[16] = {0}, square[16], rest[8], last[8], calls = 0;

    v[0] = clamp_to(v[0] >> 16, v[1] > 0, (i16)v[2]);
    v[1] = (i32)((float)(v[1] & 0xffff) * 0.5f + 3.0f);
    EACH(k, 8) v[8 + k] = (i32)((u32)v[k] + (u32)(i16)w[k] - (u32)(i16)w[8 + k]);
    i32 by = w[3];
    EACH(i, 3)
    {
        i32 shifted[8];
        EACH(k, 8) shifted[k] = (i32)((u32)v[i + k] << (by & 7));
        EACH(k, 8) v[2 * k] = shifted[k];
        by = (i32)((u32)by + 3);
        calls++;
    }
    memcpy(square, w, sizeof square);
    EACH(k, 4) square[4 + k] = w[4 + k];
    EACH(k, 4) square[12 + k] = (i32)((u32)w[4 + k] * (u32)by);
    i16 first = (i16)w[0];
    EACH(i, 3)
    {
        i32 x = v[i] & 0x3fff;
        history[calls++ & 15] = x;
        history[calls++ & 15] = 2 * x;
        v[i + 1] ^= clamp_to(2 * x, 0, 9000);
    }
    i32 a[8], counts[4] = {1, 1, 1, 1}, n = 7 + (w[0] & 1);
    EACH(k, 8) a[k] = w[8 + k];
    EACH(k, n) if (k < n) a[k] = w[8 + n - 1 - k];
    EACH(i, 5) counts[w[i] & 3] += i;
    memcpy(last, history, sizeof last);
    last[7] = counts[0] + counts[1] + counts[2] + counts[3] + first + (i16)w[1] + (u8)(w[2] + 2) + calls;
    EACH(i, 4) last[3 + i] = (i32)((u32)last[3 + i] + (u32)a[2 * i] - (u32)a[2 * i + 1]);
    EACH(r, 4) EACH(c, 2) rest[2 * r + c] = square[4 * r + 1 + c];
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, rest);
    OUT(thread * 128 + 96, last);
}

static i32 bump_lane(i32 v, i32 by, int *toggled)
{
    v = (i32)((u32)v + (u32)by);
    *toggled |= (v & 4) != 0;
    return v & 4 ? (v - 50) ^ 5 : (i32)((u32)v * 3);
}

static void functions_masked(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    int less[16], some = 0, others = 0, toggled = 0, count = 0, calls = 0, live[16];
    EACH(k, 16) v[k] &= 0xffff, w[k] &= 0xffff;
    EACH(k, 16) less[k] = v[k] < w[k], some |= less[k], others |= !less[k];
    EACH(k, 16) if (less[k]) v[k] = bump_lane(v[k], 7, &toggled) >> 1;
    count += some, calls += toggled, toggled = 0;
    EACH(k, 16) if (!less[k]) w[k] = bump_lane(w[k], 3, &toggled), v[k] ^= 5;
    count += others, calls += toggled + others, toggled = 0;
    EACH(k, 16) w[k] = bump_lane(w[k], count, &toggled);
    count++, calls += toggled;
    EACH(k, 16) live[k] = 1;
    for (int left = 1; left;) {
        left = toggled = 0;
        EACH(k, 16) if (live[k])
        {
            v[k] >>= 1;
            toggled |= v[k] & 1;
            w[k] ^= v[k] & 1 ? 5 : 0;
            live[k] = v[k] > 300;
            left |= live[k];
        }
        calls += toggled;
    }
    EACH(k, 16) w[k] = (i32)((u32)w[k] + (u32)(count * 16 + calls));
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

static i32 ackermann(i32 m, i32 n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

/* The deepest call counts the outermost as 1; an empty or single range is a call too. */
static i32 sort_range(i32 *v, i32 low, i32 high, i32 depth)
{
    i32 at = low, left, right;
    if (low >= high)
        return depth;
    for (i32 i = low; i < high; i++)
        if (v[i] < v[high]) {
            i32 x = v[i];
            v[i] = v[at];
            v[at++] = x;
        }
    i32 pivot = v[high];
    v[high] = v[at];
    v[at] = pivot;
    left = sort_range(v, low, at - 1, depth + 1);
    right = sort_range(v, at + 1, high, depth + 1);
    return left > right ? left : right;
}

static i32 steps_down(i32 n, int even, u32 *calls, i32 *seen)
{
    *calls += even ? 16 : 1;
    if (!even)
        seen[n & 3] += n;
    if (n == 0)
        return even;
    i32 rest = steps_down(n - 1, !even, calls, seen);
    return even ? rest * 2 : rest + n;
}

static void functions_stack(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    i32 deepest = sort_range(v, 0, 15, 1), seen[4] = {0}, last[8] = {0};
    EACH(k, 8)
    {
        u32 rows[4] = {(u32)w[k], (u32)w[8 + k], (u32)v[2 * k], 1};
        EACH(r, 4)
        {
            u32 before[5] = {rows[r]}, x;
            EACH(n, 4) before[n + 1] = before[n] * 3 + 4 - (u32)n;
            x = before[4];
            EACH(n, 4) x += before[3 - n];
            last[k] ^= (i32)x;
        }
        last[k] += (i32)(thread % 2 + 16 * (thread / 2) + 256 * 2 + 4096 * 2);
    }
    u32 calls = 0;
    w[0] = ackermann(2, w[0] & 3);
    w[1] = steps_down(w[1] & 15, 1, &calls, seen);
    w[2] = (i32)calls;
    w[3] = deepest;
    memcpy(w + 4, seen, sizeof seen);
    memcpy(w + 8, last, sizeof last);
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

static i32 operate(int which, i32 a, i32 b)
{
    return (i32)(which == 1 ? (u32)a - (u32)b : which == 2 ? (u32)(a ^ b) * 3 : (u32)a + (u32)b);
}

static void functions_given(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    v[0] *= v[0];
    v[1] = (v[1] * 2 + 1) * 2 + 1;
    v[2] = v[2] * v[2] - 1;
    v[4] *= v[4];
    v[5] = v[5] * v[5] * v[5] * v[5] - 1;
    OUT(thread * 64, v);
}

static void functions_pointers(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i32, w, 16, thread * 128 + 64);
    int chosen = v[0] & 1 ? 0 : 2, second = w[1] & 3, doubles;
    i32 folded = v[0], other = w[0];
    EACH(k, 15) folded = operate(chosen, folded, v[k + 1]), other = operate(second, other, w[k + 1]);
    EACH(k, 4) w[k] = operate(k, w[k], v[k]);
    doubles = !(w[5] & 1);
    EACH(k, 16)
    {
        i32 x = (v[k] & 31) + 1, steps = 0;
        if (w[k] & 3 && doubles)
            x *= 2, steps = 1;
        else
            for (; x > 1; steps++)
                x = x & 1 ? 3 * x + 1 : x >> 1;
        v[k] = x + 64 * steps;
    }
    w[8] = operate(2, w[8], w[9]);
    w[9] = operate(chosen, w[9], w[10]);
    w[10] = operate(w[10] & 1 ? 2 : chosen, w[10], w[11]);
    w[12] = chosen == 0;
    w[13] = folded;
    w[14] = other;
    w[15] = 2 * doubles;
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

/* What the functions of functions_globals have in common. */
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

static u32 inserted(u32 width, u32 offset, u32 field, u32 base)
{
    u32 mask = ((1u << width) - 1) << offset;
    return (field << offset & mask) | (base & ~mask);
}

static void choices(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(u32, u, 16, thread * 128 + 64);
    u32 numbers[8], fields[16];
    i16 counted[8];
    EACH(k, 8) numbers[k] = (u32)v[k];
    memcpy(fields, u, sizeof fields);
    int at = v[2] & 7;
    if (v[0] < v[1])
        EACH(k, 4) v[at + k] = (i32)((u32)v[at + k] * 3);
    else
        EACH(k, 16) v[k] = (i32)((u32)v[k] + 5);
    numbers[v[3] & 7] += 7;
    EACH(k, 8) v[4 + k] = (i32)((u32)v[4 + k] + numbers[2]), counted[k] = (i16)numbers[2];
    EACH(k, 4)
    {
        if (numbers[3] & 1)
            v[k] = (i32)((u32)v[k] + 1);
        else if (v[8 + k] > 0)
            v[12 + k] = 77;
    }
    fields[0] = u[2] >> 3 & ((1u << (u[1] & 15)) - 1);
    EACH(k, 2) fields[1 + k] = u[5 + k] >> 4 & ((1u << (u[3 + k] & 15)) - 1);
    EACH(k, 2) fields[3 + k] = inserted(5, u[6 + k] & 15, u[8 + k], u[10 + k]);
    EACH(k, 7) fields[5 + k] = inserted(u[2 + k] & 15, 9, u[k], u[8 + k]);
    OUT(thread * 256, v);
    OUT(thread * 256 + 64, numbers);
    OUT(thread * 256 + 96, counted);
    OUT(thread * 256 + 128, fields);
}

const struct reference calls_table[] = {ROW(functions),       ROW(functions_masked),   ROW(functions_globals),
                                        ROW(functions_stack), ROW(functions_pointers), ROW(functions_given), ROW(choices), {NULL, NULL}};
