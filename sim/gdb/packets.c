/* Answers gdb's packets (GDB manual, appendix "Remote Protocol"). */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/process.h"
#include "sim/gdb/session.h"
#include "sim/gdb/watch.h"

enum { MEMORY_PART = GDB_PACKET / 4 };

/* What a packet's handler says: the reply is sent; threads go on. */
enum verdict { STAY, GO };

static void reply(const char *text)
{
    gdb_channel_text(&gdb.channel, text);
}

static void reply_hex(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(2 * size + 1);
    if (!text) {
        reply("E12");
        return;
    }
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    gdb_channel_write(&gdb.channel, text, 2 * size);
    free(text);
}

/* Reads a hexadecimal number, and moves behind it. */
static uint64_t take_number(const char **at)
{
    char *end;
    uint64_t value = strtoull(*at, &end, 16);
    *at = end;
    return value;
}

/* The same, followed by a character that is skipped. */
static uint64_t take_field(const char **at, char behind)
{
    uint64_t value = take_number(at);
    *at += **at == behind;
    return value;
}

static size_t take_hex(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = 0;
    unsigned value;
    for (; size < room && sscanf(text, "%2x", &value) == 1 && text[0] && text[1]; text += 2)
        bytes[size++] = (uint8_t)value;
    return size;
}

static bool is_alive(uint32_t index)
{
    return index < gdb.group.count && gdb.group.stops[index] != EU_END;
}

/* The thread with gdb's number; GDB_NO_THREAD if it is not alive. */
static uint32_t find_thread(uint64_t number)
{
    uint64_t index = number - gdb.first_thread;
    return number >= gdb.first_thread && index < gdb.group.count && is_alive((uint32_t)index) ? (uint32_t)index
                                                                                              : GDB_NO_THREAD;
}

void gdb_stop_reply(char *text, size_t room)
{
    static const char *const watches[] = {
        [GDB_WATCH_WRITE] = "watch", [GDB_WATCH_READ] = "rwatch", [GDB_WATCH_ACCESS] = "awatch"};
    int signal = gdb.reason == GDB_AT_FAULT       ? SIGSEGV
                 : gdb.reason == GDB_AT_INTERRUPT ? SIGINT
                 : gdb.reason == GDB_AT_REPORT    ? SIGUSR1
                                                  : SIGTRAP;
    int used = snprintf(text, room, "T%02xthread:%" PRIx32 ";", signal == SIGUSR1 ? 30 : (unsigned)signal,
                        gdb.first_thread + gdb.running);
    text += used;
    room -= (size_t)used;
    if (gdb.reason == GDB_AT_WATCH)
        snprintf(text, room, "%s:%" PRIx64 ";", watches[gdb.watch_kind], gdb.watched);
    else if (gdb.reason == GDB_AT_LIBRARY)
        snprintf(text, room, "library:;");
    else if (gdb.reason == GDB_AT_BREAK)
        snprintf(text, room, "swbreak:;");
    else if (gdb.reason == GDB_AT_HARDWARE_BREAK)
        snprintf(text, room, "hwbreak:;");
}

/* --- registers and memory --- */

static void read_registers(void)
{
    struct gdb_registers registers = gdb_thread_registers(gdb.shown);
    unsigned count = gdb_registers_count(gdb.platform);
    char *text = malloc(GDB_PACKET), *at = text;
    if (!text) {
        reply("E12");
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint8_t value[64];
        size_t bytes = gdb_register_bytes(gdb.platform, i);
        bool has = gdb_register_read(&registers, i, value);
        for (size_t b = 0; b < bytes; b++, at += 2)
            snprintf(at, 3, has ? "%02x" : "xx", value[b]);
    }
    gdb_channel_write(&gdb.channel, text, (size_t)(at - text));
    free(text);
}

static void read_register(const char *at)
{
    struct gdb_registers registers = gdb_thread_registers(gdb.shown);
    uint64_t number = take_number(&at);
    uint8_t value[64];
    if (number >= gdb_registers_count(gdb.platform))
        reply("E01");
    else if (gdb_register_read(&registers, (unsigned)number, value))
        reply_hex(value, gdb_register_bytes(gdb.platform, (unsigned)number));
    else {
        char absent[129];
        size_t digits = 2 * gdb_register_bytes(gdb.platform, (unsigned)number);
        memset(absent, 'x', digits);
        absent[digits] = 0;
        reply(absent);
    }
}

static void write_register(const char *at)
{
    struct gdb_registers registers = gdb_thread_registers(gdb.shown);
    uint64_t number = take_field(&at, '=');
    uint8_t value[64];
    bool good = number < gdb_registers_count(gdb.platform) &&
                take_hex(at, value, sizeof value) == gdb_register_bytes(gdb.platform, (unsigned)number) &&
                gdb_register_write(&registers, (unsigned)number, value);
    reply(good ? "OK" : "E01");
}

static void read_memory(const char *at)
{
    static uint8_t bytes[MEMORY_PART];
    uint64_t address = take_field(&at, ','), size = take_number(&at);
    size_t got = gdb_memory_read(address, bytes, size < sizeof bytes ? size : sizeof bytes);
    if (got == 0 && size > 0)
        reply("E0e");
    else
        reply_hex(bytes, got);
}

static void write_memory(const char *at, bool is_binary, const char *end)
{
    static uint8_t bytes[MEMORY_PART];
    uint64_t address = take_field(&at, ','), size = take_field(&at, ':');
    const void *from = at;
    size_t got = (size_t)(end - at);
    if (!is_binary) {
        got = take_hex(at, bytes, sizeof bytes);
        from = bytes;
    }
    reply(got == size && gdb_memory_write(address, from, got) ? "OK" : "E0e");
}

/* --- breakpoints --- */

/* GPU addresses have 48 bits; gdb may extend them by their sign. */
static uint64_t without_sign(uint64_t address)
{
    return (address & GDB_WINDOW_MASK) == GDB_WINDOW_LOCAL ? address : address & UINT64_C(0xffffffffffff);
}

static void insert_point(const char *at)
{
    struct gdb_point point = {.kind = (uint8_t)take_field(&at, ',')};
    point.address = take_field(&at, ',');
    point.size = take_number(&at);
    if (point.kind > GDB_WATCH_ACCESS) {
        reply("");
        return;
    }
    if (gdb.point_count == GDB_MOST_POINTS) {
        reply("E0c");
        return;
    }
    bool in_registers = gdb_watches_registers(&point);
    if (in_registers && (point.kind != GDB_WATCH_WRITE || !gdb_watch_begin(&point))) {
        reply("E01"); /* reads of registers are not watched */
        return;
    }
    if (!in_registers)
        point.address = without_sign(point.address);
    gdb.points[gdb.point_count++] = point;
    reply("OK");
}

static void remove_point(const char *at)
{
    uint8_t kind = (uint8_t)take_field(&at, ',');
    uint64_t address = take_field(&at, ','), size = take_number(&at);
    for (unsigned i = 0; i < gdb.point_count; i++) {
        struct gdb_point *point = &gdb.points[i];
        if (point->kind == kind && point->address == (point->bytes ? address : without_sign(address)) &&
            point->size == size) {
            gdb_point_end(point);
            gdb.points[i] = gdb.points[--gdb.point_count];
            break;
        }
    }
    reply("OK");
}

/* --- threads --- */

static void list_threads(void)
{
    char *text = malloc(12 * (size_t)gdb.group.count + 8), *at = text;
    if (!text) {
        reply("E12");
        return;
    }
    *at++ = 'm';
    for (uint32_t i = 0; i < gdb.group.count; i++)
        if (is_alive(i))
            at += sprintf(at, "%s%" PRIx32, at == text + 1 ? "" : ",", gdb.first_thread + i);
    reply(at == text + 1 ? "l" : text);
    free(text);
}

static void print_threads(FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n<threads>\n", out);
    for (uint32_t i = 0; i < gdb.group.count; i++) {
        if (!is_alive(i))
            continue;
        fprintf(out, "<thread id=\"%" PRIx32 "\" name=\"group %u,%u,%u thread %u\">channels 0x%x%s</thread>\n",
                gdb.first_thread + i, gdb.group.id[0], gdb.group.id[1], gdb.group.id[2], i,
                eu_thread_channels(gdb.group.threads[i]),
                gdb.group.stops[i] == EU_BARRIER ? ", waits at the barrier" : "");
    }
    fputs("</threads>\n", out);
}

static void select_thread(const char *at)
{
    uint32_t index = find_thread(strtoull(at + 1, NULL, 16));
    bool is_any = strcmp(at + 1, "0") == 0 || strcmp(at + 1, "-1") == 0;
    if (!is_any && index != GDB_NO_THREAD && at[0] == 'g')
        gdb.shown = index;
    reply(is_any || index != GDB_NO_THREAD ? "OK" : "E01");
}

/* --- going on --- */

static void step(uint32_t index)
{
    gdb.stepping = index;
    gdb.step_issued = eu_thread_issued(gdb.group.threads[index]);
}

/* vCont;ACTION[:THREAD];... : at most one thread steps, and the others go on or not. */
static enum verdict continue_threads(const char *at)
{
    bool others = false;
    uint32_t named = GDB_NO_THREAD;
    while (*at == ';') {
        char action = *++at;
        uint64_t start = 0, end = 0;
        at++;
        if (action == 'C' || action == 'S')
            take_number(&at); /* the signal; threads of a GPU take none */
        if (action == 'r') {
            start = take_field(&at, ',');
            end = take_number(&at);
        }
        bool has_thread = *at == ':';
        at += has_thread;
        uint32_t index = has_thread ? find_thread(take_number(&at)) : GDB_NO_THREAD;
        bool steps = strchr("sSr", action) != NULL;
        others |= !has_thread;
        if (has_thread)
            named = index;
        if (steps && gdb.stepping == GDB_NO_THREAD && (index != GDB_NO_THREAD || !has_thread)) {
            step(has_thread ? index : gdb.running);
            gdb.range_start = start;
            gdb.range_end = end;
        }
    }
    gdb.only = others ? GDB_NO_THREAD : named;
    return GO;
}

static enum verdict continue_old(const char *at)
{
    if (*at == 's' || *at == 'S')
        step(gdb.running);
    return GO;
}

/* --- files and lists --- */

/* Replies with the part of `text` that gdb asks for in "OFFSET,LENGTH". */
static void reply_part(const char *text, size_t size, const char *at)
{
    static char packet[GDB_PACKET];
    uint64_t offset = take_field(&at, ','), length = take_number(&at);
    if (length > MEMORY_PART)
        length = MEMORY_PART;
    if (offset > size)
        offset = size;
    size_t left = size - offset, part = left < length ? left : length;
    packet[0] = part < left ? 'm' : 'l';
    memcpy(packet + 1, text + offset, part);
    gdb_channel_write(&gdb.channel, packet, part + 1);
}

/* gdb reads symbols when it connects only if there is an executable file: the first kernel's. */
static void print_executable(FILE *out)
{
    const struct gdb_symbols *first = gdb.symbols;
    while (first && first->next)
        first = first->next;
    if (first)
        fputs(first->name, out);
}

/* The other kernels. */
static void print_libraries(FILE *out)
{
    fputs("<library-list>\n", out);
    for (const struct gdb_symbols *s = gdb.symbols; s && s->next; s = s->next)
        fprintf(out, "<library name=\"%s\"><section address=\"0x%" PRIx64 "\"/></library>\n", s->name, s->address);
    fputs("</library-list>\n", out);
}

static void reply_list(void (*print)(FILE *), const char *at)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        reply("E12");
        return;
    }
    print(out);
    if (fclose(out) == 0)
        reply_part(text, size, at);
    else
        reply("E12");
    free(text);
}

/* Returns what follows `prefix` in the packet, NULL if it begins otherwise. */
static const char *behind(const char *packet, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(packet, prefix, length) == 0 ? packet + length : NULL;
}

static void transfer(const char *packet)
{
    const char *at;
    if ((at = behind(packet, "qXfer:features:read:target.xml:"))) {
        const char *text = gdb_registers_description(gdb.platform);
        reply_part(text ? text : "", text ? strlen(text) : 0, at);
    } else if ((at = behind(packet, "qXfer:libraries:read::"))) {
        reply_list(print_libraries, at);
    } else if ((at = behind(packet, "qXfer:threads:read::"))) {
        reply_list(print_threads, at);
    } else if ((at = behind(packet, "qXfer:exec-file:read:")) && (at = strchr(at, ':'))) {
        reply_list(print_executable, at + 1);
    } else {
        reply("E00");
    }
}

/* gdb reads the files of symbols: descriptor N is the Nth of the list, counted from its end, so that numbers stay. */
static const struct gdb_symbols *find_file(uint64_t descriptor)
{
    uint64_t count = 0;
    for (const struct gdb_symbols *s = gdb.symbols; s; s = s->next)
        count++;
    const struct gdb_symbols *found = gdb.symbols;
    for (uint64_t i = count; found && i != descriptor; i--)
        found = found->next;
    return found;
}

static void open_file(const char *at)
{
    char name[256], text[32];
    size_t length = take_hex(at, (uint8_t *)name, sizeof name - 1);
    uint64_t number = 0;
    name[length] = 0;
    for (const struct gdb_symbols *s = gdb.symbols; s; s = s->next)
        number += number > 0 || strcmp(s->name, name) == 0;
    snprintf(text, sizeof text, number ? "F%" PRIx64 : "F-1,2", number); /* 2: no such file */
    reply(text);
}

static void read_file(const char *at)
{
    static char packet[GDB_PACKET];
    const struct gdb_symbols *file = find_file(take_field(&at, ','));
    uint64_t count = take_field(&at, ','), offset = take_number(&at);
    if (!file) {
        reply("F-1,9");
        return;
    }
    uint64_t left = offset < file->bytes ? file->bytes - offset : 0;
    count = count < MEMORY_PART ? count : MEMORY_PART;
    count = count < left ? count : left;
    int used = snprintf(packet, sizeof packet, "F%" PRIx64 ";", count);
    memcpy(packet + used, file->file + (left ? offset : 0), count);
    gdb_channel_write(&gdb.channel, packet, (size_t)used + count);
}

/* A `struct stat` of the protocol: big-endian, with the mode at 8 and the size at 28. */
static void describe_file(const char *at)
{
    static const uint8_t kind[] = {0, 0, 0x81, 0x24}; /* a file that all may read */
    const struct gdb_symbols *file = find_file(take_number(&at));
    uint8_t packet[4 + 64] = "F40;";
    if (!file) {
        reply("F-1,9");
        return;
    }
    memcpy(packet + 4 + 8, kind, sizeof kind);
    for (int i = 0; i < 8; i++)
        packet[4 + 28 + i] = (uint8_t)((uint64_t)file->bytes >> (56 - 8 * i));
    gdb_channel_write(&gdb.channel, packet, sizeof packet);
}

static void do_file(const char *packet)
{
    const char *at;
    if (behind(packet, "vFile:setfs:") || behind(packet, "vFile:close:"))
        reply("F0");
    else if ((at = behind(packet, "vFile:open:")))
        open_file(at);
    else if ((at = behind(packet, "vFile:pread:")))
        read_file(at);
    else if ((at = behind(packet, "vFile:fstat:")))
        describe_file(at);
    else
        reply("");
}

static void monitor(const char *at)
{
    char command[256];
    size_t length = take_hex(at, (uint8_t *)command, sizeof command - 1);
    command[length] = 0;
    if (!gdb_monitor(command))
        gdb_console("gensim has no such command; monitor help lists them\n");
    reply("OK");
}

static void supported(void)
{
    char text[256];
    snprintf(text, sizeof text,
             "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:libraries:read+;qXfer:threads:read+;qXfer:exec-"
             "file:read+;"
             "swbreak+;hwbreak+;vContSupported+",
             GDB_PACKET - 16);
    reply(text);
}

static void query(const char *packet)
{
    char text[64];
    const char *at;
    if (behind(packet, "qSupported"))
        supported();
    else if (behind(packet, "qXfer:"))
        transfer(packet);
    else if ((at = behind(packet, "qRcmd,")))
        monitor(at);
    else if (behind(packet, "qfThreadInfo"))
        list_threads();
    else if (behind(packet, "qsThreadInfo"))
        reply("l");
    else if (behind(packet, "qAttached"))
        reply("1"); /* quitting gdb leaves the program running */
    else if (strcmp(packet, "qC") == 0) {
        snprintf(text, sizeof text, "QC%" PRIx32, gdb.first_thread + gdb.shown);
        reply(text);
    } else if (behind(packet, "qSymbol"))
        reply("OK");
    else
        reply("");
}

static enum verdict detach(void)
{
    reply("OK");
    gdb_leave(NULL);
    return GO;
}

static _Noreturn void kill_program(bool replies)
{
    if (replies)
        reply("OK");
    gdb_leave(NULL);
    sim_process_stop("gdb has ended the program");
}

static enum verdict handle_verbose(const char *packet)
{
    if (strcmp(packet, "vCont?") == 0)
        reply("vCont;c;C;s;S;r");
    else if (behind(packet, "vCont"))
        return continue_threads(packet + 5);
    else if (behind(packet, "vFile:"))
        do_file(packet);
    else if (behind(packet, "vKill"))
        kill_program(true);
    else
        reply("");
    return STAY;
}

static void set_mode(const char *packet)
{
    if (strcmp(packet, "QStartNoAckMode") == 0) {
        reply("OK");
        gdb.channel.acknowledges = false;
    } else {
        reply("");
    }
}

static enum verdict handle(const char *packet, size_t size)
{
    char text[128];
    switch (packet[0]) {
    case '?':
        gdb_stop_reply(text, sizeof text);
        reply(text);
        break;
    case 'g': read_registers(); break;
    case 'p': read_register(packet + 1); break;
    case 'P': write_register(packet + 1); break;
    case 'm': read_memory(packet + 1); break;
    case 'M': write_memory(packet + 1, false, packet + size); break;
    case 'X': write_memory(packet + 1, true, packet + size); break;
    case 'Z': insert_point(packet + 1); break;
    case 'z': remove_point(packet + 1); break;
    case 'H': select_thread(packet + 1); break;
    case 'T': reply(find_thread(strtoull(packet + 1, NULL, 16)) == GDB_NO_THREAD ? "E01" : "OK"); break;
    case 'q': query(packet); break;
    case 'Q': set_mode(packet); break;
    case 'v': return handle_verbose(packet);
    case 'c':
    case 'C':
    case 's':
    case 'S': return continue_old(packet);
    case 'D': return detach();
    case 'k': kill_program(false);
    default: reply("");
    }
    return STAY;
}

void gdb_talk(void)
{
    long size;
    while (gdb.is_open && (size = gdb_channel_read(&gdb.channel, gdb.packet)) >= 0)
        if (handle(gdb.packet, (size_t)size) == GO)
            return;
    if (gdb.is_open)
        gdb_leave("the debugger has gone away; the program goes on without it");
}
