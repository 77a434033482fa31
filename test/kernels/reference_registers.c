/* References of kernels that take as many registers as there are, and more. */
#include "elements.h"
#include "reference.h"

enum { PLACES = 32 };

/* Shortest ways between 32 places, a place more to go through in each round (Floyd and Warshall). */
static void shortest_ways(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, d, PLACES * PLACES, 0);
    EACH(k, PLACES)
    {
        u16 row[PLACES], column[PLACES];
        EACH(i, PLACES) row[i] = d[k * PLACES + i];
        EACH(i, PLACES) column[i] = d[i * PLACES + k];
        EACH(i, PLACES)
        EACH(j, PLACES)
        {
            int way = row[j] + column[i];
            d[i * PLACES + j] = (u16)(d[i * PLACES + j] < way ? d[i * PLACES + j] : way);
        }
    }
    OUT(0, d);
}

/* The same over an older matrix, of which each round takes the rows one further down. */
static void older_ways(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, d, PLACES * PLACES, 0);
    EACH(k, PLACES)
    {
        u16 old[PLACES * PLACES];
        memcpy(old, d, sizeof old);
        EACH(i, PLACES)
        EACH(j, PLACES)
        {
            int way = old[k * PLACES + j] + old[i * PLACES + k], kept = old[(i + k) % PLACES * PLACES + j];
            d[i * PLACES + j] = (u16)(kept < way ? kept : way);
        }
    }
    OUT(0, d);
}

/* Rows and numbers of a matrix that were read before it was written to, at places known at run time. */
static void changed_rows(const void *in, void *out, unsigned thread)
{
    enum { SIDE = 16 };
    (void)thread;
    IN(u32, m, SIDE * SIDE, 0);
    EACH(k, 24)
    {
        u32 row[SIDE], column[SIDE], a = m[3 * SIDE + 4], b = m[(k & 15) * SIDE + 5];
        EACH(i, SIDE) row[i] = m[(k & 7) * SIDE + i];
        EACH(i, SIDE) column[i] = m[i * SIDE + (5 * k & 15)];
        EACH(i, SIDE)
        {
            m[(k & 7) * SIDE + i] = m[15 * SIDE + i];
            m[15 * SIDE + i] = row[i];
            m[5 * SIDE + i] *= b;
            m[4 * SIDE + i] += a;
            m[(u16)column[2] % SIDE * SIDE + i] ^= column[i];
            m[9 * SIDE + i] -= column[i] >> 1;
        }
    }
    OUT(0, m);
}

/* Three rounds of an if for 16 lanes, and a loop that all leave together. */
static void split_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, a, 32, 0);
    IN(u8, b, 32, 64);
    IN(u8, c, 8 * 64, 96);
    IN(u8, d, 2 * 16, 608);
    IN(int, e, 32 * 16, 640);
    EACH(k, 32) b[k] &= 15;
    EACH(k, 8 * 64) c[k] &= 7;
    unsigned s0 = a[0], s1 = b[0], s2 = c[64 + 1], s3 = (u8)(s0 * 86), s4 = s1;
    EACH(round, 3)
    {
        u8 first[16], other[16];
        EACH(k, 16) first[k] = a[s0 % 9 + 2 + (unsigned)k] < d[k / 8 * 16 + (int)(s2 & 1) + 2 * (k % 8)];
        EACH(k, 16)
        if (first[k])
            d[k / 8 * 16 + 5 + k % 8] = (u8)(d[k / 8 * 16 + 5 + k % 8] * a[s4 % 32]);
        EACH(k, 16)
        other[k] = c[((int)(s3 % 7) + k / 8) * 64 + 13 + 2 * (k % 8)] | d[k / 8 * 16 + (int)(s4 % 6) + k % 8];
        EACH(k, 16)
        if (!first[k])
            d[(int)(s1 & 1) * 16 + k] |= other[k];
    }
    u8 factor[16];
    EACH(k, 16)
    {
        int i = e[(int)(s2 % 497) + k / 8 + 2 * (k % 8)], j = a[(int)(s1 % 4) + k];
        factor[k] = (u8)((u32)b[a[10 + k] & 31] >> ((i < j ? i : j) & 31));
    }
    EACH(k, 16) b[(int)(s4 % 11) + k] = (u8)(b[(int)(s4 % 11) + k] * factor[k]);
    EACH(k, 16) a[10 + k] = (u16)(a[10 + k] * b[9 + k]);
    OUT(0, a);
    OUT(64, d);
}

const struct reference registers_table[] = {
    ROW(shortest_ways), ROW(older_ways), ROW(changed_rows), ROW(split_lanes), {NULL, NULL}};
