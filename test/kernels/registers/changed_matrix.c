/* Computes in scalar C what the kernel of changed_matrix.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"
#include "test/kernels/registers.h"

/* Shortest ways between 32 places, a place more to go through in each round (Floyd and Warshall). */
static void changed_matrix(const void *in, void *out, unsigned thread)
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

REFERENCE(changed_matrix)
