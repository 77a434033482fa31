/* Watches variables in registers and scratch memory: see watch.h. */
#include "sim/gdb/watch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = GDB_WINDOW_REGISTERS_END };

/* The bits of an address that say which frame's registers it is for. */
#define FRAME_BITS (~GDB_WINDOW_MASK & (UINT64_MAX << GDB_WINDOW_FRAME_SHIFT))

bool gdb_watches_registers(const struct gdb_point *point)
{
    return point->kind >= GDB_WATCH_WRITE && (point->address & GDB_WINDOW_MASK) == GDB_WINDOW_REGISTERS;
}

static unsigned depth_of(uint32_t thread)
{
    uint32_t returns[EU_MOST_CALLS];
    return eu_thread_calls(gdb.group.threads[thread], returns, EU_MOST_CALLS);
}

/* Reads what a point watches: of the same call as when it began, whose number of the frame changes with calls and
 * returns. */
static bool read_bytes(const struct gdb_point *point, unsigned depth, uint8_t *to)
{
    if (depth < point->level)
        return false; /* it has returned */
    uint64_t frame = (uint64_t)(depth - point->level) << GDB_WINDOW_FRAME_SHIFT;
    return gdb_memory_read((point->address & ~FRAME_BITS) | frame, to, point->size) == point->size;
}

bool gdb_watch_begin(struct gdb_point *point)
{
    uint32_t thread = gdb.group.count ? gdb_memory_thread(point->address) : GDB_NO_THREAD;
    unsigned frame = (unsigned)((point->address & FRAME_BITS) >> GDB_WINDOW_FRAME_SHIFT);
    if (thread == GDB_NO_THREAD || point->size == 0 || point->size > MOST_BYTES || frame > depth_of(thread))
        return false;
    unsigned depth = depth_of(thread);
    point->level = depth - frame;
    point->bytes = malloc(2 * point->size); /* the old ones, then room for the new ones */
    if (point->bytes && read_bytes(point, depth, point->bytes))
        return true;
    gdb_point_end(point);
    return false;
}

static bool has_changed(const struct gdb_point *point, unsigned depth)
{
    uint8_t *now = point->bytes + point->size;
    if (!read_bytes(point, depth, now) || memcmp(now, point->bytes, point->size) == 0)
        return false;
    memcpy(point->bytes, now, point->size);
    return true;
}

const struct gdb_point *gdb_watch_changed(void)
{
    for (unsigned i = 0; i < gdb.point_count; i++) {
        const struct gdb_point *point = &gdb.points[i];
        if (point->bytes && gdb_memory_thread(point->address) == gdb.running &&
            has_changed(point, depth_of(gdb.running)))
            return point;
    }
    return NULL;
}
