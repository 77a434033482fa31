/* Computes in scalar C what the kernel of functions_stack.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

REFERENCE(functions_stack)
