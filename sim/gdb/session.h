/* Holds the state of the one debugging session of a process, for the files of sim/gdb/. */
#ifndef CMKIT_SIM_GDB_SESSION_H
#define CMKIT_SIM_GDB_SESSION_H

#include <sys/types.h>
#include "sim/gdb/channel.h"
#include "sim/gdb/gdb.h"
#include "sim/gdb/registers.h"

enum { GDB_MOST_POINTS = 1024, GDB_NO_THREAD = UINT32_MAX };

/* A breakpoint or watchpoint; its numbers are those of packet Z. */
enum gdb_point_kind { GDB_BREAK, GDB_HARDWARE_BREAK, GDB_WATCH_WRITE, GDB_WATCH_READ, GDB_WATCH_ACCESS };

struct gdb_point {
    uint8_t kind;
    uint64_t address, size;
    uint8_t *bytes; /* of a watchpoint on registers (watch.h): what they had; NULL: it is none */
    unsigned level; /* whose they are: the number of calls around that function */
};

/* Why threads stand. */
enum gdb_reason {
    GDB_AT_START,
    GDB_AT_STEP,
    GDB_AT_BREAK,
    GDB_AT_HARDWARE_BREAK,
    GDB_AT_WATCH,
    GDB_AT_LIBRARY,
    GDB_AT_INTERRUPT,
    GDB_AT_FAULT,
    GDB_AT_REPORT
};

struct gdb_session {
    const struct platform *platform;
    pid_t process;     /* that has the session; 0: none */
    int listener;      /* descriptor; -1: none, or gdb has come */
    char address[108]; /* where it listens: localhost:PORT, or the path of a Unix socket */
    struct gdb_channel channel;
    bool is_open;      /* gdb is connected */
    bool has_attached; /* has been connected before */
    char *packet;      /* GDB_PACKET bytes: the packet at hand */

    struct gdb_symbols *symbols; /* newest first */
    bool has_new_symbols;        /* since gdb has read the list */

    struct gdb_group group; /* count 0: none */
    uint32_t first_thread;  /* gdb's number of its first thread */
    uint32_t running;       /* index of the thread at hand */

    enum gdb_reason reason; /* of the stop at hand */
    uint64_t watched;       /* GDB_AT_WATCH: the address */
    uint8_t watch_kind;
    unsigned lane;    /* whose values of variables gdb shows */
    uint32_t shown;   /* index of the thread whose registers gdb reads */
    uint32_t last_ip; /* of the instruction that the running thread executed last */

    uint32_t stepping;               /* index of the thread that steps, or GDB_NO_THREAD */
    uint64_t step_issued;            /* what it had issued then */
    uint64_t range_start, range_end; /* addresses that it steps through without a stop */
    uint32_t only;                   /* index of the only thread that goes on, or GDB_NO_THREAD */
    bool is_pending;                 /* stop before the next instruction, for `pending` */
    enum gdb_reason pending;
    bool stops_at_launches; /* monitor stop-at-launch */
    bool is_new_launch;
    uint64_t since_poll; /* instructions */

    struct gdb_point points[GDB_MOST_POINTS];
    unsigned point_count;
};

extern struct gdb_session gdb;

/* Registers of thread `index` of the group. */
struct gdb_registers gdb_thread_registers(uint32_t index);

/* Talks to gdb until it lets the threads go on, or has gone away. */
void gdb_talk(void);

/* Writes "T05thread:1;..." for the stop at hand. */
void gdb_stop_reply(char *text, size_t room);

/* Frees what the point keeps. */
void gdb_point_end(struct gdb_point *point);

/* Removes all breakpoints and watchpoints. */
void gdb_remove_points(void);

/* Gives up the session, with one line to the user if `why` is not NULL. */
void gdb_leave(const char *why);

/* Text for gdb's console. */
void gdb_console(const char *text);

/* Executes a command of gdb's `monitor`, and prints to the console. False: it is not known. */
bool gdb_monitor(const char *command);

/* Copies memory as gdb addresses it. Returns the bytes that there are at the beginning. */
size_t gdb_memory_read(uint64_t address, void *to, size_t size);
bool gdb_memory_write(uint64_t address, const void *from, size_t size);

/* Returns the index of the thread that an address in the window of registers belongs to; GDB_NO_THREAD: of none. */
uint32_t gdb_memory_thread(uint64_t address);

#endif
