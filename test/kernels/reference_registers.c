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

const struct reference registers_table[] = {ROW(shortest_ways), ROW(older_ways), {NULL, NULL}};
