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

const struct reference registers_table[] = {ROW(shortest_ways), ROW(older_ways), ROW(changed_rows), {NULL, NULL}};
