/* Writes events in Chrome's trace format: JSON with a list of slices, counters and names. */
#include "sim/report/events.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/base/path.h"
#include "sim/timing/program.h"

/* Numbers of processes in the trace: tracks are grouped by them. */
enum { QUEUES = 1, SUBSLICES = 10, TRACKS = 1024, SLOTS = 8 };

static struct {
    pthread_mutex_t lock;
    char *path;
    pid_t process;
    uint64_t window[2];
    FILE *out; /* of `text` */
    char *text;
    size_t size;
    uint64_t launches, events, lost;
    uint64_t late; /* launches in the window, when the file was full */
    double end;    /* microseconds */
    uint8_t is_named[SUBSLICES + 64][TRACKS];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Resets the events in a forked child: it starts from zero, and the lock's owner may not exist there. */
static void forget(void)
{
    memset(&all, 0, sizeof all);
    pthread_mutex_init(&all.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

void sim_events_start(const char *path, const uint64_t window[2])
{
    pthread_mutex_lock(&all.lock);
    if (!all.path) {
        all.path = sim_expand_path(path);
        all.process = getpid();
        memcpy(all.window, window, sizeof all.window);
        all.out = open_memstream(&all.text, &all.size);
    }
    pthread_mutex_unlock(&all.lock);
}

int sim_events_wanted(void)
{
    pthread_mutex_lock(&all.lock);
    int wanted = all.path != NULL;
    pthread_mutex_unlock(&all.lock);
    return wanted;
}

static void name_track(unsigned process, unsigned track, const char *of, const char *name)
{
    if (all.is_named[process][track % TRACKS]++)
        return;
    fprintf(all.out,
            "{\"ph\": \"M\", \"pid\": %u, \"tid\": %u, \"name\": \"process_name\", \"args\": {\"name\": \"%s\"}},\n"
            "{\"ph\": \"M\", \"pid\": %u, \"tid\": %u, \"name\": \"thread_name\", \"args\": {\"name\": \"%s\"}},\n",
            process, track, of, process, track, name);
    all.is_named[process][track % TRACKS] = 1;
}

/* A slice. Kernels' names are identifiers; any other character becomes a question mark. */
static void write_slice(unsigned process, unsigned track, const char *name, double from, double to)
{
    fputs("{\"ph\": \"X\", \"name\": \"", all.out);
    for (; *name; name++)
        fputc(*name >= ' ' && *name <= '~' && *name != '"' && *name != '\\' ? *name : '?', all.out);
    fprintf(all.out, "\", \"pid\": %u, \"tid\": %u, \"ts\": %.4f, \"dur\": %.4f},\n", process, track, from, to - from);
}

/* Messages of a thread overlap: each is a pair of asynchronous events. */
static void write_message(unsigned process, unsigned track, uint8_t path, double from, double to)
{
    static const char *const names[RECORD_PATHS] = {
        [RECORD_OTHER] = "other message", [RECORD_DATA] = "scattered message", [RECORD_BLOCK] = "block message",
        [RECORD_BYTE] = "byte message",   [RECORD_TYPED] = "typed message",    [RECORD_MEDIA] = "media block",
        [RECORD_SAMPLER] = "sampler",     [RECORD_LOCAL] = "local memory",     [RECORD_FENCE] = "fence",
        [RECORD_LOCAL_FENCE] = "fence",   [RECORD_BARRIER] = "barrier",        [RECORD_END] = "end"};
    for (int end = 0; end < 2; end++)
        fprintf(all.out,
                "{\"ph\": \"%c\", \"cat\": \"message\", \"id\": %" PRIu64
                ", \"name\": \"%s\", \"pid\": %u, \"tid\": %u, \"ts\": %.4f},\n",
                end ? 'e' : 'b', all.events, names[path], process, track, end ? to : from);
}

static void write_event(const struct timing_event *event, const char *kernel, double base, double tick)
{
    unsigned process = SUBSLICES + event->subslice, track = event->eu * SLOTS + event->slot;
    double from = base + (double)event->from * tick, to = base + (double)event->to * tick;
    char of[32], name[32];
    snprintf(of, sizeof of, "subslice %u", event->subslice);
    snprintf(name, sizeof name, "EU %u thread %u", event->eu, event->slot);
    name_track(process, track, of, name);
    all.events++;
    if (event->path == TIMING_EVENT_THREAD)
        write_slice(process, track, kernel, from, to);
    else
        write_message(process, track, event->path, from, to);
}

static void write_counters(const struct timing_result *timed, double base, double tick)
{
    const struct timing_profile *p = timed->profile;
    double each = (double)p->each;
    for (uint64_t i = 0; i < TIMING_BUCKETS && i * p->each < timed->counts.elapsed; i++) {
        double at = base + (double)(i * p->each) * tick;
        if (at < (double)all.window[0] || at >= (double)all.window[1])
            continue;
        fprintf(all.out,
                "{\"ph\": \"C\", \"name\": \"EUs %%\", \"pid\": %d, \"ts\": %.4f, \"args\": {\"active\": %.2f, "
                "\"stalled\": %.2f}},\n{\"ph\": \"C\", \"name\": \"GB/s\", \"pid\": %d, \"ts\": %.4f, \"args\": "
                "{\"L3\": %.3f, \"local memory\": %.3f, \"memory\": %.3f}},\n",
                QUEUES, at, 100 * (double)p->bucket[TIMING_SERIES_ACTIVE][i] / each / (double)timed->counts.eus,
                100 * (double)p->bucket[TIMING_SERIES_STALLED][i] / each / (double)timed->counts.eus, QUEUES, at,
                (double)p->bucket[TIMING_SERIES_L3][i] / (each * tick) / 1000,
                (double)p->bucket[TIMING_SERIES_LOCAL][i] / (each * tick) / 1000,
                (double)p->bucket[TIMING_SERIES_DRAM][i] / (each * tick) / 1000);
    }
}

/* Writes a launch that touches the window, or counts it if the file is full. */
static void take_launch(const struct sim_launch *launch, const struct timing_result *timed)
{
    double tick = 1.0 / TIMING_TICKS / timed->machine->mhz, base = (double)timed->before * tick;
    const char *kernel = launch->name[0] ? launch->name : "?";
    char name[32];
    all.end = base + (double)timed->counts.elapsed * tick;
    if (base >= (double)all.window[1] || all.end <= (double)all.window[0])
        return;
    if (all.events >= TIMING_MOST_EVENTS) {
        all.late++;
        return;
    }
    snprintf(name, sizeof name, "queue %" PRIu32, launch->context);
    name_track(QUEUES, launch->context, "queues", name);
    write_slice(QUEUES, launch->context, kernel, base, all.end);
    for (size_t i = 0; i < timed->profile->events; i++)
        write_event(&timed->profile->event[i], kernel, base, tick);
    write_counters(timed, base, tick);
    all.launches++;
    all.lost += timed->profile->lost;
}

void sim_events_record(const struct sim_launch *launch, const struct timing_result *timed)
{
    pthread_mutex_lock(&all.lock);
    if (all.path && all.out && timed->is_timed && timed->profile)
        take_launch(launch, timed);
    pthread_mutex_unlock(&all.lock);
}

/* Writes beside the file and renames it. */
static int write_file(void)
{
    char *beside;
    if (asprintf(&beside, "%s.%ld.tmp", all.path, (long)getpid()) < 0)
        return 0;
    FILE *out = fopen(beside, "we");
    int good = out != NULL;
    if (out) {
        fprintf(out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n%s", all.text);
        fprintf(out,
                "{\"ph\": \"M\", \"pid\": %d, \"tid\": 0, \"name\": \"process_sort_index\", \"args\": "
                "{\"sort_index\": 0}}\n]}\n",
                QUEUES);
        good = !ferror(out);
        good = fclose(out) == 0 && good && rename(beside, all.path) == 0;
    }
    int wrong = errno;
    if (!good)
        unlink(beside);
    free(beside);
    errno = wrong;
    return good;
}

void sim_events_write(void)
{
    pthread_mutex_lock(&all.lock);
    if (all.path && all.out && all.process == getpid()) {
        fclose(all.out);
        if (!all.launches)
            fprintf(stderr,
                    "gensim: error: --trace-window: no launch was between %" PRIu64 " and %" PRIu64
                    " us (the last one ended at %.1f us), so %s is not written\n",
                    all.window[0], all.window[1], all.end, all.path);
        else if (!write_file())
            fprintf(stderr, "gensim: error: cannot write %s: %s\n", all.path, strerror(errno));
        if (all.lost || all.late)
            fprintf(stderr,
                    "gensim: --trace-events: %" PRIu64 " events of %" PRIu64 " launches and %" PRIu64
                    " later launches are left out: a smaller --trace-window has all\n",
                    all.lost, all.launches, all.late);
        free(all.text);
        free(all.path);
        all.path = NULL;
    }
    pthread_mutex_unlock(&all.lock);
}
