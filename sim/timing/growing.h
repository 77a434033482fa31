/* Makes room in arrays that grow. */
#ifndef CMKIT_SIM_TIMING_GROWING_H
#define CMKIT_SIM_TIMING_GROWING_H

#include <stdint.h>
#include <stdlib.h>

/* Room for one element more than the `count` that the array has, each of `bytes`: the array, perhaps at another place.
 * NULL: no memory, and the array is as before. */
static inline void *growing_array(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
    enum { FIRST_ROOM = 256 };
    if (count < *room)
        return array;
    uint32_t more = *room ? 2 * *room : FIRST_ROOM;
    void *grown = realloc(array, more * bytes);
    if (grown)
        *room = more;
    return grown;
}

#endif
