/* Holds the session, and what all files of sim/gdb/ do with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/gdb/session.h"

struct gdb_session gdb = {.listener = -1, .channel = {.in = -1, .out = -1}};

void gdb_console(const char *text)
{
    size_t length = strlen(text);
    char *packet = malloc(2 * length + 2);
    if (!packet || !gdb.is_open) {
        free(packet);
        return;
    }
    packet[0] = 'O';
    for (size_t i = 0; i < length; i++)
        snprintf(packet + 1 + 2 * i, 3, "%02x", (unsigned char)text[i]);
    gdb_channel_write(&gdb.channel, packet, 2 * length + 1);
    free(packet);
}

void gdb_point_end(struct gdb_point *point)
{
    free(point->bytes);
    point->bytes = NULL;
}

void gdb_remove_points(void)
{
    while (gdb.point_count > 0)
        gdb_point_end(&gdb.points[--gdb.point_count]);
}

void gdb_leave(const char *why)
{
    gdb_channel_close(&gdb.channel);
    gdb.is_open = false;
    gdb_remove_points();
    gdb.is_pending = false;
    gdb.stepping = gdb.only = GDB_NO_THREAD;
    if (why)
        fprintf(stderr, "gensim: gdb: %s\n", why);
}

struct gdb_registers gdb_thread_registers(uint32_t index)
{
    struct eu_thread *thread = gdb.group.threads[index];
    struct gdb_registers r = {.thread = thread, .platform = gdb.platform, .lane = &gdb.lane};
    uint32_t calls[EU_MOST_CALLS];
    r.depth = eu_thread_calls(thread, calls, EU_MOST_CALLS);
    r.ip = eu_thread_pointer(thread);
    r.pc = (gdb.group.instruction_base + r.ip) & UINT64_C(0xffffffffffff);
    r.window = gdb_window_of(gdb.first_thread + index);
    return r;
}
