/* Keeps what callers had in their registers: see frames.h. */
#include "sim/gdb/frames.h"

#include <stdlib.h>
#include <string.h>
#include "sim/gdb/session.h"

/* Of one thread: its general registers as they were at each call that has not returned, outermost first. */
struct calls {
    unsigned depth, room;
    uint8_t *registers;
};

static struct calls *threads;
static uint32_t thread_count;

static size_t file_bytes(void)
{
    return (size_t)gdb.platform->grf_bytes * gdb.platform->grf_count;
}

void gdb_frames_begin(uint32_t count)
{
    threads = calloc(count, sizeof *threads);
    thread_count = threads ? count : 0;
}

void gdb_frames_end(void)
{
    for (uint32_t k = 0; k < thread_count; k++)
        free(threads[k].registers);
    free(threads);
    threads = NULL;
    thread_count = 0;
}

/* Makes room for one call more. */
static bool grow(struct calls *c)
{
    unsigned room = c->room ? 2 * c->room : 4;
    uint8_t *larger = c->depth < c->room ? c->registers : realloc(c->registers, room * file_bytes());
    if (!larger)
        return false;
    c->room = c->depth < c->room ? c->room : room;
    c->registers = larger;
    return true;
}

void gdb_frames_follow(uint32_t index, struct eu_thread *thread)
{
    uint32_t returns[EU_MOST_CALLS];
    unsigned depth = eu_thread_calls(thread, returns, EU_MOST_CALLS);
    if (index >= thread_count)
        return;
    struct calls *c = &threads[index];
    if (c->depth > depth)
        c->depth = depth;
    while (c->depth < depth && grow(c)) {
        memcpy(c->registers + c->depth * file_bytes(), eu_thread_bank(thread, EU_BANK_GENERAL), file_bytes());
        c->depth++;
    }
}

uint8_t *gdb_frames_registers(uint32_t index, unsigned frame)
{
    if (frame == 0)
        return eu_thread_bank(gdb.group.threads[index], EU_BANK_GENERAL);
    if (index >= thread_count || frame > threads[index].depth)
        return NULL;
    return threads[index].registers + (threads[index].depth - frame) * file_bytes();
}
