#include "sim/gdb/channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INTERRUPT = 3, ESCAPE = '}', ESCAPED = 0x20 };

void gdb_channel_close(struct gdb_channel *channel)
{
    if (channel->in >= 0)
        close(channel->in);
    if (channel->out >= 0 && channel->out != channel->in)
        close(channel->out);
    channel->in = channel->out = -1;
}

static bool fill(struct gdb_channel *channel)
{
    ssize_t got;
    do
        got = channel->in < 0 ? 0 : read(channel->in, channel->buffer, sizeof channel->buffer);
    while (got < 0 && errno == EINTR);
    channel->taken = 0;
    channel->filled = got < 0 ? 0 : (size_t)got;
    if (channel->filled == 0)
        gdb_channel_close(channel);
    return channel->filled != 0;
}

/* Returns the next byte, -1 at the end of the connection. */
static int next(struct gdb_channel *channel)
{
    if (channel->taken == channel->filled && !fill(channel))
        return -1;
    return channel->buffer[channel->taken++];
}

/* Sends bytes as they are. A debugger that does not read them is gone: the program must not end with SIGPIPE. */
static void send_raw(struct gdb_channel *channel, const char *bytes, size_t size)
{
    while (size > 0 && channel->out >= 0) {
        ssize_t sent = send(channel->out, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == ENOTSOCK)
            sent = write(channel->out, bytes, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            gdb_channel_close(channel);
            return;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

static int digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads what follows the "$" of a packet. -1: the connection has ended; -2: the packet is damaged or too long. */
static long read_body(struct gdb_channel *channel, char *packet)
{
    size_t length = 0;
    unsigned sum = 0;
    bool is_escaped = false;
    for (int c; (c = next(channel)) != '#';) {
        if (c < 0)
            return -1;
        sum += (unsigned)c;
        if (c == ESCAPE && !is_escaped) {
            is_escaped = true;
            continue;
        }
        if (length < GDB_PACKET - 1)
            packet[length++] = (char)(is_escaped ? c ^ ESCAPED : c);
        is_escaped = false;
    }
    int high = digit(next(channel)), low = digit(next(channel));
    packet[length] = 0;
    if (channel->in < 0)
        return -1;
    return (sum & 0xff) == (unsigned)(high << 4 | low) && length < GDB_PACKET - 1 ? (long)length : -2;
}

static bool has_more(const struct gdb_channel *channel)
{
    struct pollfd ready = {.fd = channel->in, .events = POLLIN};
    return channel->taken < channel->filled || (channel->in >= 0 && poll(&ready, 1, 0) > 0);
}

long gdb_channel_read(struct gdb_channel *channel, char *packet)
{
    for (int c; (c = next(channel)) >= 0;) {
        if (c != '$')
            continue; /* acknowledgements; ^C, which says nothing while the threads stand */
        long length = read_body(channel, packet);
        if (length == -1)
            return -1;
        if (channel->may_repeat && has_more(channel))
            continue;
        channel->may_repeat = false;
        if (channel->acknowledges)
            send_raw(channel, length < 0 ? "-" : "+", 1);
        if (length >= 0)
            return length;
    }
    return -1;
}

void gdb_channel_write(struct gdb_channel *channel, const void *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = data;
    char *text = malloc(2 * size + 4);
    size_t length = 0;
    unsigned sum = 0;
    if (!text) {
        gdb_channel_close(channel);
        return;
    }
    text[length++] = '$';
    for (size_t i = 0; i < size; i++) {
        bool escapes = bytes[i] && strchr("$#}*", bytes[i]);
        if (escapes)
            text[length++] = ESCAPE;
        text[length++] = (char)(escapes ? bytes[i] ^ ESCAPED : bytes[i]);
    }
    for (size_t i = 1; i < length; i++)
        sum += (uint8_t)text[i];
    text[length++] = '#';
    text[length++] = digits[sum >> 4 & 15];
    text[length++] = digits[sum & 15];
    send_raw(channel, text, length);
    free(text);
}

void gdb_channel_text(struct gdb_channel *channel, const char *text)
{
    gdb_channel_write(channel, text, strlen(text));
}

bool gdb_channel_poll(struct gdb_channel *channel)
{
    while (has_more(channel)) {
        int c = next(channel);
        if (c == INTERRUPT)
            return true;
        if (c == '$') { /* a packet while threads run: leave it for the next stop */
            channel->taken--;
            return false;
        }
    }
    return false;
}
