#include "sim/gdb/session.h"
#include "sim/gdb/frames.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "sim/base/options.h"
#include "sim/base/process.h"
#include "sim/gdb/watch.h"

/* Instructions between two looks for gdb's ^C. */
enum { POLL_PERIOD = 20000 };

static pthread_mutex_t launches = PTHREAD_MUTEX_INITIALIZER; /* one at a time */

bool gdb_is_wanted(void)
{
    return gdb.process != 0 && gdb.process == getpid() && (gdb.is_open || !gdb.has_attached);
}

/* The program's exit. */
static void say_exit(int status, void *unused)
{
    char text[8];
    (void)unused;
    if (gdb.address[0] == '/' && gdb.listener >= 0 && gdb.process == getpid())
        unlink(gdb.address);
    if (gdb.process == getpid() && !gdb.has_attached)
        fputs("gensim: gdb: the program has ended without a kernel\n", stderr);
    if (gdb.process != getpid() || !gdb.is_open)
        return;
    snprintf(text, sizeof text, "W%02x", (unsigned)status & 0xff);
    gdb_channel_text(&gdb.channel, text);
    gdb_leave(NULL);
}

static void say_fault(const struct sim_fault *fault)
{
    (void)fault;
    say_exit(SIM_EXIT_FAULT, NULL);
}

static void forget(void)
{
    pthread_mutex_init(&launches, NULL);
    if (gdb.process) /* the connection is the parent's */
        gdb_leave(NULL);
    gdb.process = 0;
}

const char *gdb_start(const struct platform *platform, const char *connection)
{
    int descriptor, second = -1, end = 0;
    if (sscanf(connection, "listen %d %n", &descriptor, &end) == 1 && end) {
        gdb.listener = descriptor;
        snprintf(gdb.address, sizeof gdb.address, "%s", connection + end);
    } else if (sscanf(connection, "pipe %d %d", &descriptor, &second) == 2) {
        gdb.channel.in = descriptor;
        gdb.channel.out = second;
    } else {
        return GENSIM_ENV_GDB " is neither a socket nor a pipe";
    }
    gdb.packet = malloc(GDB_PACKET);
    if (!gdb.packet)
        return "no memory for packets of gdb";
    gdb.platform = platform;
    gdb.process = getpid();
    gdb.stepping = gdb.only = GDB_NO_THREAD;
    gdb.is_pending = true; /* stop before the first instruction */
    gdb.pending = GDB_AT_START;
    on_exit(say_exit, NULL);
    sim_process_at_fault(say_fault);
    pthread_atfork(NULL, NULL, forget);
    return NULL;
}

/* Waits for gdb. False: there is nothing to wait for. */
static bool attach(void)
{
    if (gdb.listener >= 0) {
        int descriptor;
        fprintf(stderr, "gensim: gdb: the kernel waits for: gdb -ex 'target remote %s'\n", gdb.address);
        do
            descriptor = accept4(gdb.listener, NULL, NULL, SOCK_CLOEXEC);
        while (descriptor < 0 && errno == EINTR);
        int error = errno;
        close(gdb.listener);
        gdb.listener = -1;
        if (gdb.address[0] == '/')
            unlink(gdb.address);
        gdb.channel.in = gdb.channel.out = descriptor;
        if (descriptor < 0)
            fprintf(stderr, "gensim: gdb: no connection: %s\n", strerror(error));
    }
    gdb.has_attached = true;
    gdb.channel.acknowledges = gdb.channel.may_repeat = true;
    gdb.is_open = gdb.channel.in >= 0;
    return gdb.is_open;
}

void gdb_launch_begin(void)
{
    pthread_mutex_lock(&launches);
    gdb.is_new_launch = true;
}

void gdb_launch_end(void)
{
    pthread_mutex_unlock(&launches);
}

void gdb_announce(const struct gdb_code *code)
{
    for (struct gdb_symbols *known = gdb.symbols; known; known = known->next)
        if (code->address >= known->address && code->address < known->address + known->size)
            return;
    struct gdb_symbols *symbols = gdb_is_wanted() ? gdb_symbols_create(code) : NULL;
    if (!symbols)
        return;
    if (!symbols->has_debug)
        fprintf(stderr, "gensim: gdb: kernel %s has no debug information (compile it with -g)\n", symbols->kernel);
    symbols->next = gdb.symbols;
    gdb.symbols = symbols;
    gdb.has_new_symbols = true;
}

static void stop_at_watch(const struct gdb_point *point)
{
    gdb.is_pending = true;
    gdb.pending = GDB_AT_WATCH;
    gdb.watched = point->address;
    gdb.watch_kind = point->kind;
}

static void accessed(void *context, uint64_t address, uint64_t size, enum message_watched what, bool is_local)
{
    bool writes = what != MESSAGE_READS;
    (void)context;
    if (is_local)
        address += GDB_WINDOW_LOCAL;
    for (unsigned i = 0; i < gdb.point_count; i++) {
        const struct gdb_point *point = &gdb.points[i];
        bool fits = point->kind == GDB_WATCH_ACCESS ||
                    (writes ? point->kind == GDB_WATCH_WRITE : point->kind == GDB_WATCH_READ);
        if (!fits || address >= point->address + point->size || point->address >= address + size)
            continue;
        stop_at_watch(point);
        return;
    }
}

/* Returns the kind of the breakpoint at an address, -1: there is none. */
static int break_at(uint64_t pc)
{
    for (unsigned i = 0; i < gdb.point_count; i++)
        if (gdb.points[i].kind <= GDB_HARDWARE_BREAK && gdb.points[i].address == pc)
            return gdb.points[i].kind;
    return -1;
}

/* Whether the thread at hand has done its step. */
static bool has_stepped(const struct eu_thread *thread, uint64_t pc)
{
    return gdb.stepping == gdb.running && eu_thread_issued(thread) > gdb.step_issued &&
           !(pc >= gdb.range_start && pc < gdb.range_end);
}

/* Finds a reason to stop the thread before the instruction at `pc`. */
static bool must_stop(const struct eu_thread *thread, uint64_t pc, enum gdb_reason *reason)
{
    int point = gdb.point_count ? break_at(pc) : -1;
    bool polls = ++gdb.since_poll >= POLL_PERIOD;
    if (gdb.has_new_symbols && gdb.has_attached) {
        *reason = GDB_AT_LIBRARY;
        return true;
    }
    if (gdb.is_pending) {
        *reason = gdb.pending;
        return true;
    }
    if (point >= 0 || has_stepped(thread, pc)) {
        *reason = point < 0 ? GDB_AT_STEP : point == GDB_BREAK ? GDB_AT_BREAK : GDB_AT_HARDWARE_BREAK;
        return true;
    }
    if (polls)
        gdb.since_poll = 0;
    *reason = GDB_AT_INTERRUPT;
    return polls && gdb_channel_poll(&gdb.channel);
}

/* Tells gdb of a stop of the running thread, and talks until it may go on. */
static void stop(enum gdb_reason reason)
{
    char text[128];
    bool is_first = !gdb.has_attached;
    if (is_first && !attach())
        return;
    gdb.reason = reason;
    gdb.shown = gdb.running;
    gdb.is_pending = false;
    gdb.has_new_symbols = false;
    gdb.stepping = gdb.only = GDB_NO_THREAD;
    gdb.range_start = gdb.range_end = 0;
    gdb_stop_reply(text, sizeof text);
    if (!is_first) /* the first one is what gdb asks for */
        gdb_channel_text(&gdb.channel, text);
    gdb_talk();
}

static bool before_instruction(void *context, struct eu_thread *thread, uint32_t ip)
{
    enum gdb_reason reason;
    (void)context;
    if (gdb.has_attached && !gdb.is_open)
        return true;
    uint64_t pc = (gdb.group.instruction_base + ip) & UINT64_C(0xffffffffffff);
    gdb_frames_follow(gdb.running, thread);
    if (gdb.is_new_launch && gdb.stops_at_launches && !gdb.is_pending) {
        gdb.is_pending = true;
        gdb.pending = GDB_AT_START;
    }
    gdb.is_new_launch = false;
    const struct gdb_point *changed = gdb.point_count ? gdb_watch_changed() : NULL;
    if (changed && !gdb.is_pending)
        stop_at_watch(changed);
    if (must_stop(thread, pc, &reason))
        stop(reason);
    gdb.last_ip = eu_thread_pointer(thread);
    return gdb_may_run(gdb.running);
}

void gdb_group_begin(const struct gdb_group *group)
{
    static const struct message_watch watch = {.accessed = accessed};
    gdb.first_thread += gdb.group.count;
    if (gdb.first_thread == 0 || gdb.first_thread > INT32_MAX)
        gdb.first_thread = 1;
    gdb.group = *group;
    group->state->watch = &watch;
    gdb_frames_begin(group->count);
    for (uint32_t i = 0; i < group->count; i++)
        eu_thread_debug(group->threads[i], before_instruction, NULL);
}

void gdb_group_end(void)
{
    /* A step of a thread that has ended: gdb learns it from the next thread. */
    if (gdb.stepping != GDB_NO_THREAD) {
        gdb.is_pending = true;
        gdb.pending = GDB_AT_STEP;
    }
    gdb.stepping = gdb.only = GDB_NO_THREAD;
    gdb.first_thread += gdb.group.count;
    gdb.group.count = 0;
    gdb_frames_end();
}

/* Whether the thread that gdb wants to run alone can run: it may wait at the barrier for the others. */
static bool stands_alone(uint32_t index, uint32_t thread)
{
    return index == GDB_NO_THREAD || index == thread || gdb.group.stops[index] != EU_LIMIT;
}

bool gdb_may_run(uint32_t thread)
{
    return stands_alone(gdb.stepping, thread) && stands_alone(gdb.only, thread);
}

void gdb_turn_begin(uint32_t thread)
{
    gdb.running = thread;
}

void gdb_turn_end(uint32_t thread, enum eu_stop why)
{
    if (!gdb.is_open || gdb.stepping != thread)
        return;
    if (why == EU_BARRIER)
        stop(GDB_AT_STEP);
    if (why == EU_END) {
        gdb.stepping = GDB_NO_THREAD;
        gdb.is_pending = true;
        gdb.pending = GDB_AT_STEP;
    }
}

void gdb_report(const char *text)
{
    if (!gdb.is_open)
        return;
    gdb_console(text);
    gdb.is_pending = true;
    gdb.pending = GDB_AT_REPORT;
}

void gdb_fault(uint32_t thread, const struct sim_fault *fault)
{
    char text[512];
    if (!gdb.is_open)
        return;
    snprintf(text, sizeof text, "gensim: fault: %s\n    at kernel offset 0x%" PRIx32 ": %s\n", fault->what, fault->ip,
             fault->instruction);
    gdb_console(text);
    if (gdb.running == thread) /* show the instruction, not the one behind it */
        eu_thread_jump(gdb.group.threads[thread], gdb.last_ip);
    gdb.running = thread;
    stop(GDB_AT_FAULT);
}
