/* Writes launch statistics as JSON. */
#include "sim/report/stats.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/base/path.h"
#include "sim/base/process.h"
#include "sim/report/timing_stats.h"

/* All launches of one kernel with one SIMD width. */
struct kernel {
    struct kernel *next;
    const char *name;
    uint64_t hash, launches, threads, instructions;
    uint32_t simd;
    struct sim_kernel_counts counts;
    uint64_t timed; /* launches */
    struct timing_counts timing;
    const struct timing_machine *machine;
    uint64_t drawn[GENSIM_MAX_DRAWS]; /* clocks, of `draws` draws */
    unsigned draws;
};

static struct {
    pthread_mutex_t lock;
    const struct platform *platform;
    char *path;
    pid_t process;
    struct sim_launch *launches;
    size_t count, room;
    uint64_t lost; /* launches that no memory was left for */
    struct kernel *kernels, **last_kernel;
} stats = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Resets the statistics in a forked child: it counts from zero, and the lock's owner may not exist there. */
static void forget(void)
{
    memset(&stats, 0, sizeof stats);
    pthread_mutex_init(&stats.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

int sim_stats_wanted(void)
{
    pthread_mutex_lock(&stats.lock);
    int wanted = stats.path != NULL;
    pthread_mutex_unlock(&stats.lock);
    return wanted;
}

/* Adds each row of `from` to the row with the same name. New names are appended while there is room. */
static void add_rows(struct sim_count *to, size_t *used, size_t room, const struct sim_count *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t row = 0;
        while (row < *used && strcmp(to[row].name, from[i].name) != 0)
            row++;
        if (row == room)
            continue;
        if (row == *used) {
            to[row] = from[i];
            ++*used;
            continue;
        }
        to[row].values[0] += from[i].values[0];
        to[row].values[1] += from[i].values[1];
    }
}

/* Call it with the lock held. */
static struct kernel *find_kernel(const struct sim_launch *launch)
{
    for (struct kernel *kernel = stats.kernels; kernel; kernel = kernel->next)
        if (kernel->hash == launch->kernel_hash && kernel->simd == launch->simd)
            return kernel;
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->name = launch->name;
    kernel->hash = launch->kernel_hash;
    kernel->simd = launch->simd;
    *stats.last_kernel = kernel;
    stats.last_kernel = &kernel->next;
    return kernel;
}

static void add_to_kernel(const struct sim_launch *launch, const struct sim_kernel_counts *from)
{
    struct kernel *kernel = find_kernel(launch);
    if (!kernel)
        return;
    struct sim_kernel_counts *to = &kernel->counts;
    kernel->launches++;
    kernel->threads += launch->threads;
    kernel->instructions += launch->instructions;
    if (launch->timing && launch->timing->is_timed) {
        kernel->timed++;
        kernel->machine = launch->timing->machine;
        sim_stats_add_timing(&kernel->timing, &launch->timing->counts);
        kernel->draws = launch->timing->draws;
        for (unsigned i = 0; i < kernel->draws; i++)
            kernel->drawn[i] += launch->timing->drawn_clocks[i];
    }
    if (!from)
        return;
    add_rows(to->by_class, &to->classes, sizeof to->by_class / sizeof *to->by_class, from->by_class, from->classes);
    add_rows(to->by_message, &to->messages, SIM_MOST_COUNTS, from->by_message, from->messages);
    add_rows(to->by_surface, &to->surfaces, SIM_MOST_COUNTS, from->by_surface, from->surfaces);
}

/* What is kept of a launch's timing. */
static void keep_timing(struct sim_launch *launch)
{
    const struct timing_result *timing = launch->timing;
    launch->timing = NULL;
    if (!timing || !timing->is_timed)
        return;
    launch->clocks = timing->clocks;
    launch->mhz = timing->machine->mhz;
    launch->drawn = malloc(timing->draws * sizeof *launch->drawn);
    if (launch->drawn && timing->draws)
        memcpy(launch->drawn, timing->drawn_clocks, timing->draws * sizeof *launch->drawn);
    launch->draws = launch->drawn ? timing->draws : 0;
}

void sim_stats_record(const struct sim_launch *launch, const struct sim_kernel_counts *counts)
{
    pthread_mutex_lock(&stats.lock);
    if (stats.path)
        add_to_kernel(launch, counts);
    if (stats.path && stats.count == stats.room) {
        size_t room = stats.room ? 2 * stats.room : 64;
        struct sim_launch *grown = realloc(stats.launches, room * sizeof *grown);
        if (grown) {
            stats.launches = grown;
            stats.room = room;
        }
    }
    if (stats.path && stats.count < stats.room) {
        stats.launches[stats.count] = *launch;
        keep_timing(&stats.launches[stats.count++]);
    } else if (stats.path) {
        stats.lost++;
    }
    pthread_mutex_unlock(&stats.lock);
}

/* `"title": {"name": {"first": 1, "second": 2}, ...}`; with one value only, `"name": 1`. */
static void write_rows(FILE *out, const char *title, const struct sim_count *rows, size_t count, const char *first,
                       const char *second)
{
    fprintf(out, ",\n     \"%s\": {", title);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "", rows[i].name);
        if (second)
            fprintf(out, "{\"%s\": %" PRIu64 ", \"%s\": %" PRIu64 "}", first, rows[i].values[0], second,
                    rows[i].values[1]);
        else
            fprintf(out, "%" PRIu64, rows[i].values[0]);
    }
    fputc('}', out);
}

/* Writes a name as JSON text. Kernels' names are identifiers; any other character becomes a question mark. */
static void write_name(FILE *out, const char *name)
{
    fputc('"', out);
    for (; *name; name++)
        fputc(*name >= ' ' && *name <= '~' && *name != '"' && *name != '\\' ? *name : '?', out);
    fputc('"', out);
}

static void write_kernels(FILE *out)
{
    fputs("  \"kernels\": [", out);
    for (const struct kernel *k = stats.kernels; k; k = k->next) {
        uint64_t channels = 0;
        for (size_t i = 0; i < k->counts.classes; i++)
            channels += k->counts.by_class[i].values[1];
        fprintf(out, "%s\n    {\"kernel\": ", k == stats.kernels ? "" : ",");
        write_name(out, k->name);
        fprintf(out,
                ", \"kernel_hash\": \"%016" PRIx64 "\", \"simd\": %" PRIu32 ", \"launches\": %" PRIu64
                ", \"threads\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"channels\": %" PRIu64,
                k->hash, k->simd, k->launches, k->threads, k->instructions, channels);
        write_rows(out, "classes", k->counts.by_class, k->counts.classes, "instructions", "channels");
        write_rows(out, "messages", k->counts.by_message, k->counts.messages, "", NULL);
        write_rows(out, "surfaces", k->counts.by_surface, k->counts.surfaces, "read", "written");
        if (k->timed)
            sim_stats_write_timing(out, &k->timing, k->machine, k->timed, k->drawn, k->draws);
        fputc('}', out);
    }
    fprintf(out, "%s],\n", stats.kernels ? "\n  " : "");
}

static void write_clocks(FILE *out, const struct sim_launch *launch)
{
    if (!launch->mhz) {
        fputs("\"none\"", out);
        return;
    }
    fprintf(out, "{\"clocks\": %" PRIu64 ", \"mhz\": %" PRIu64 ", \"drawn_clocks\": [", launch->clocks, launch->mhz);
    for (unsigned i = 0; i < launch->draws; i++)
        fprintf(out, "%s%" PRIu64, i ? ", " : "", launch->drawn[i]);
    fputs("]}", out);
}

static void write_json(FILE *out)
{
    uint64_t groups = 0, threads = 0, instructions = 0;
    const struct timing_machine *machine = stats.kernels ? stats.kernels->machine : NULL;
    fprintf(out, "{\n  \"device\": \"%s\",\n  \"timing\": \"%s\",\n  \"launches\": [", stats.platform->ocloc,
            machine ? machine->name : "none");
    for (size_t i = 0; i < stats.count; i++) {
        const struct sim_launch *l = &stats.launches[i];
        fprintf(out,
                "%s\n    {\"device\": \"%s\", \"context\": %" PRIu32 ", \"kernel_address\": \"0x%" PRIx64
                "\", \"kernel_hash\": \"%016" PRIx64 "\", \"kernel_bytes\": %" PRIu64 ", \"simd\": %" PRIu32
                ", \"groups\": %" PRIu64 ", \"threads\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"timing\": ",
                i ? "," : "", stats.platform->ocloc, l->context, l->kernel_address, l->kernel_hash, l->kernel_bytes,
                l->simd, l->groups, l->threads, l->instructions);
        write_clocks(out, l);
        fputc('}', out);
        groups += l->groups;
        threads += l->threads;
        instructions += l->instructions;
    }
    fprintf(out, "%s],\n", stats.count ? "\n  " : "");
    write_kernels(out);
    fprintf(out,
            "  \"total\": {\"launches\": %zu, \"groups\": %" PRIu64 ", \"threads\": %" PRIu64
            ", \"instructions\": %" PRIu64 ", \"not_recorded\": %" PRIu64 "}\n}\n",
            stats.count, groups, threads, instructions, stats.lost);
}

/* Writes a terminal, pipe, link or the like directly; replaces a file by a rename, so that it is complete or unchanged.
 */
static int write_file(const char *path)
{
    struct stat status;
    char *beside = NULL;
    int is_special = lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (!is_special && asprintf(&beside, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return 0;
    /* appends to the program's output if /dev/stdout is a file */
    FILE *out = fopen(beside ? beside : path, strncmp(path, "/dev/", 5) == 0 ? "ae" : "we");
    int good = out != NULL;
    if (out) {
        write_json(out);
        good = !ferror(out);
        good = fclose(out) == 0 && good && (!beside || rename(beside, path) == 0);
    }
    if (!good && out && beside)
        unlink(beside);
    free(beside);
    return good;
}

void sim_stats_write(void)
{
    pthread_mutex_lock(&stats.lock);
    if (stats.path && stats.process == getpid()) {
        if (!write_file(stats.path))
            fprintf(stderr, "gensim: error: cannot write %s: %s\n", stats.path, strerror(errno));
        free(stats.path);
        stats.path = NULL;
    }
    pthread_mutex_unlock(&stats.lock);
}

static void write_at_fault(const struct sim_fault *fault)
{
    (void)fault;
    sim_stats_write();
}

void sim_stats_start(const struct platform *platform, const char *path)
{
    pthread_mutex_lock(&stats.lock);
    if (!stats.path) {
        stats.platform = platform;
        stats.path = sim_expand_path(path);
        stats.process = getpid();
        stats.last_kernel = &stats.kernels;
    }
    pthread_mutex_unlock(&stats.lock);
    sim_process_at_fault(write_at_fault);
}
