/* Launch statistics as JSON. */
#include "sim/stats.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    const struct platform *platform;
    char *path;
    pid_t process;
    struct sim_launch *launches;
    size_t count, room;
    uint64_t lost; /* launches that no memory was left for */
} stats = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* `path` with every %p replaced by the process id; NULL without memory. */
static char *expand_path(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (; *path; path++) {
        if (path[0] == '%' && path[1] == 'p') {
            fprintf(out, "%ld", (long)getpid());
            path++;
        } else {
            fputc(*path, out);
        }
    }
    fclose(out);
    return text;
}

void sim_stats_start(const struct platform *platform, const char *path)
{
    pthread_mutex_lock(&stats.lock);
    if (!stats.path) {
        stats.platform = platform;
        stats.path = expand_path(path);
        stats.process = getpid();
    }
    pthread_mutex_unlock(&stats.lock);
}

void sim_stats_record(const struct sim_launch *launch)
{
    pthread_mutex_lock(&stats.lock);
    if (stats.path && stats.count == stats.room) {
        size_t room = stats.room ? 2 * stats.room : 64;
        struct sim_launch *grown = realloc(stats.launches, room * sizeof *grown);
        if (grown) {
            stats.launches = grown;
            stats.room = room;
        }
    }
    if (stats.path && stats.count < stats.room)
        stats.launches[stats.count++] = *launch;
    else if (stats.path)
        stats.lost++;
    pthread_mutex_unlock(&stats.lock);
}

static void write_json(FILE *out)
{
    uint64_t groups = 0, threads = 0, instructions = 0;
    fprintf(out, "{\n  \"device\": \"%s\",\n  \"timing\": \"none\",\n  \"launches\": [", stats.platform->ocloc);
    for (size_t i = 0; i < stats.count; i++) {
        const struct sim_launch *l = &stats.launches[i];
        fprintf(out,
                "%s\n    {\"device\": \"%s\", \"context\": %" PRIu32 ", \"kernel_address\": \"0x%" PRIx64
                "\", \"kernel_hash\": \"%016" PRIx64 "\", \"kernel_bytes\": %" PRIu64 ", \"simd\": %" PRIu32
                ", \"groups\": %" PRIu64 ", \"threads\": %" PRIu64 ", \"instructions\": %" PRIu64
                ", \"timing\": \"none\"}",
                i ? "," : "", stats.platform->ocloc, l->context, l->kernel_address, l->kernel_hash, l->kernel_bytes,
                l->simd, l->groups, l->threads, l->instructions);
        groups += l->groups;
        threads += l->threads;
        instructions += l->instructions;
    }
    fprintf(out,
            "%s],\n  \"total\": {\"launches\": %zu, \"groups\": %" PRIu64 ", \"threads\": %" PRIu64
            ", \"instructions\": %" PRIu64 ", \"not_recorded\": %" PRIu64 "}\n}\n",
            stats.count ? "\n  " : "", stats.count, groups, threads, instructions, stats.lost);
}

void sim_stats_write(void)
{
    pthread_mutex_lock(&stats.lock);
    char *beside = NULL;
    if (stats.path && stats.process == getpid() && asprintf(&beside, "%s.%ld.tmp", stats.path, (long)getpid()) > 0) {
        FILE *out = fopen(beside, "w");
        int good = out != NULL;
        if (out) {
            write_json(out);
            good = !ferror(out);
            good = fclose(out) == 0 && good && rename(beside, stats.path) == 0;
        }
        if (!good) {
            fprintf(stderr, "gensim: error: cannot write %s: %s\n", stats.path, strerror(errno));
            if (out)
                unlink(beside);
        }
        free(beside);
        free(stats.path);
        stats.path = NULL;
    }
    pthread_mutex_unlock(&stats.lock);
}
