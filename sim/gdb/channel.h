/* Carries packets of gdb's remote protocol over a socket or a pipe: "$DATA#CHECKSUM". */
#ifndef CMKIT_SIM_GDB_CHANNEL_H
#define CMKIT_SIM_GDB_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest packet in either direction, checksum and escapes included; gdb gets this limit. */
enum { GDB_PACKET = 1 << 16 };

struct gdb_channel {
    int in, out;       /* descriptors; -1: closed */
    bool may_repeat;   /* the first packet may be there several times: gdb has waited long */
    bool acknowledges; /* until QStartNoAckMode */
    uint8_t buffer[4096];
    size_t filled, taken;
};

/* Reads a packet: its length, with the data in `packet` (GDB_PACKET bytes, 0 behind it, escapes resolved). -1: the
 * connection has ended, and is closed. ^C is skipped. */
long gdb_channel_read(struct gdb_channel *channel, char *packet);

/* Sends a packet. `size` bytes of any values; they are escaped. */
void gdb_channel_write(struct gdb_channel *channel, const void *data, size_t size);
void gdb_channel_text(struct gdb_channel *channel, const char *text);

/* True once after gdb has sent ^C. Does not wait. If gdb has gone away, the channel is closed. */
bool gdb_channel_poll(struct gdb_channel *channel);

void gdb_channel_close(struct gdb_channel *channel);

#endif
