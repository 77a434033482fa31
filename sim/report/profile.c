/* Collects profiles and writes their files. */
#include "sim/report/profile.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/base/fault.h"
#include "sim/base/path.h"
#include "sim/base/process.h"
#include "sim/report/profile_internal.h"
#include "sim/report/timing_stats.h"

static struct {
    pthread_mutex_t lock;
    char *path;
    pid_t process;
    struct profile all;
} profiles = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Resets the profiles in a forked child: it counts from zero, and the lock's owner may not exist there. */
static void forget(void)
{
    memset(&profiles, 0, sizeof profiles);
    pthread_mutex_init(&profiles.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

void sim_profile_start(const struct platform *platform, const char *path, const char *against, const char *sources)
{
    pthread_mutex_lock(&profiles.lock);
    if (!profiles.path) {
        profiles.all.platform = platform;
        profiles.path = sim_expand_path(path);
        profiles.process = getpid();
        snprintf(profiles.all.sources, sizeof profiles.all.sources, "%s", sources ? sources : "");
        if (against && profile_read_old(&profiles.all, against))
            _exit(SIM_EXIT_USAGE);
    }
    pthread_mutex_unlock(&profiles.lock);
}

int sim_profile_wanted(void)
{
    pthread_mutex_lock(&profiles.lock);
    int wanted = profiles.path != NULL;
    pthread_mutex_unlock(&profiles.lock);
    return wanted;
}

uint64_t profile_cost(const struct profile_line *line)
{
    uint64_t ticks = line->sum.active;
    for (int i = 1; i < TIMING_CAUSES; i++)
        ticks += line->sum.stalled[i];
    return profile_clocks(ticks);
}

static size_t count_lines(const struct timing_profile *profile)
{
    size_t count = 0;
    for (const struct timing_code *code = profile->code; code; code = code->next)
        count += code->count;
    return count;
}

/* Room for `count` lines; those that are new get their text. 0: no memory. */
static int make_lines(struct profile_kernel *kernel, const struct timing_profile *profile, size_t count,
                      sim_profile_describe *describe, const void *context)
{
    struct profile_line *line = kernel->lines < count ? realloc(kernel->line, count * sizeof *line) : kernel->line;
    struct sim_profile_text *texts = kernel->lines < count ? calloc(count, sizeof *texts) : NULL;
    if (line)
        kernel->line = line;
    if (kernel->lines >= count)
        return 1;
    if (line && texts) {
        describe(context, profile, texts);
        for (; kernel->lines < count; kernel->lines++)
            line[kernel->lines] = (struct profile_line){.text = texts[kernel->lines]};
    }
    free(texts);
    return kernel->lines == count;
}

static void add_lines(struct profile_kernel *kernel, const struct timing_profile *profile)
{
    struct profile_line *line = kernel->line;
    for (const struct timing_code *code = profile->code; code; code = code->next)
        for (size_t i = 0; i < code->count; i++, line++) {
            line->sum.executed += code->line[i].executed;
            line->sum.active += code->line[i].active;
            for (int k = 0; k < TIMING_CAUSES; k++)
                line->sum.stalled[k] += code->line[i].stalled[k];
            kernel->flops += code->line[i].executed * code->flops[i];
        }
}

/* Call it with the lock held. NULL: no memory. */
static struct profile_kernel *find_kernel(const struct sim_launch *launch)
{
    struct profile_kernel **link = &profiles.all.kernels;
    while (*link && ((*link)->hash != launch->kernel_hash || (*link)->simd != launch->simd))
        link = &(*link)->next;
    if (*link || !(*link = calloc(1, sizeof **link)))
        return *link;
    (*link)->hash = launch->kernel_hash;
    (*link)->simd = launch->simd;
    snprintf((*link)->name, sizeof(*link)->name, "%s", launch->name[0] ? launch->name : "?");
    return *link;
}

static void add_launch(struct profile_kernel *kernel, const struct timing_result *timed)
{
    kernel->launches++;
    sim_stats_add_timing(&kernel->counts, &timed->counts);
    add_lines(kernel, timed->profile);
    if (timed->counts.elapsed <= kernel->longest)
        return;
    kernel->longest = timed->counts.elapsed;
    kernel->each = timed->profile->each;
    memcpy(kernel->series, timed->profile->bucket, sizeof kernel->series);
}

void sim_profile_record(const struct sim_launch *launch, const struct timing_result *timed,
                        sim_profile_describe *describe, const void *context)
{
    pthread_mutex_lock(&profiles.lock);
    if (profiles.path && timed->is_timed && timed->profile) {
        struct profile_kernel *kernel = find_kernel(launch);
        profiles.all.machine = timed->machine;
        profiles.all.peaks = timed->peaks;
        if (kernel && make_lines(kernel, timed->profile, count_lines(timed->profile), describe, context))
            add_launch(kernel, timed);
    }
    pthread_mutex_unlock(&profiles.lock);
    timing_profile_destroy(timed->profile);
}

/* Writes beside the file and renames it. */
static void write_file(const char *path, void (*write)(FILE *out, const struct profile *profile))
{
    char *beside;
    if (asprintf(&beside, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return;
    FILE *out = fopen(beside, "we");
    int good = out != NULL;
    if (out) {
        write(out, &profiles.all);
        good = !ferror(out);
        good = fclose(out) == 0 && good && rename(beside, path) == 0;
    }
    if (!good) {
        fprintf(stderr, "gensim: error: cannot write %s: %s\n", path, strerror(errno));
        unlink(beside);
    }
    free(beside);
}

/* PAGE.html has PAGE.json beside it. */
static char *json_path(const char *page)
{
    char *path;
    size_t length = strlen(page);
    if (length > 5 && strcmp(page + length - 5, ".html") == 0)
        length -= 5;
    return asprintf(&path, "%.*s.json", (int)length, page) < 0 ? NULL : path;
}

void sim_profile_write(void)
{
    pthread_mutex_lock(&profiles.lock);
    if (profiles.path && profiles.process == getpid() && profiles.all.kernels) {
        char *json = json_path(profiles.path);
        if (json)
            write_file(json, profile_write_json);
        write_file(profiles.path, profile_write_page);
        free(json);
    } else if (profiles.path && profiles.process == getpid()) {
        fprintf(stderr, "gensim: error: --profile: no kernel was timed, so %s is not written\n", profiles.path);
    }
    free(profiles.path);
    profiles.path = NULL;
    pthread_mutex_unlock(&profiles.lock);
}
