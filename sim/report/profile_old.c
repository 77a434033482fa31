/* Reads the kernels of an earlier profile. It reads the lines that profile_json.c writes, and no other JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sim/report/profile_internal.h"
#include "sim/report/timing_stats.h"

static const char kernel_start[] = "    {\"kernel\": \"", line_start[] = "      {\"offset\": ";

/* What follows "KEY": in a line. NULL: there is no such key. */
static const char *find(const char *text, const char *key)
{
    char quoted[64];
    int length = snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    return at ? at + length : NULL;
}

static int read_number(const char *text, const char *key, double *number)
{
    char *end;
    const char *at = find(text, key);
    if (!at)
        return 0;
    *number = strtod(at, &end);
    return end != at;
}

/* The string after "KEY":, which has no escapes. */
static int read_text(const char *text, const char *key, char *value, size_t size)
{
    const char *at = find(text, key), *end = at && *at == '"' ? strchr(at + 1, '"') : NULL;
    if (!end)
        return 0;
    snprintf(value, size, "%.*s", (int)(end - at - 1), at + 1);
    return 1;
}

/* The figures that the line of a kernel's timing has. Those of a path are behind its name. */
static int read_figures(const char *timing, struct profile_old *old)
{
    static const struct {
        enum profile_figure figure;
        const char *path, *key;
    } rows[] = {{FIGURE_LAUNCHES, "timing", "launches"},    {FIGURE_CLOCKS, "timing", "GpuCoreClocks"},
                {FIGURE_NS, "timing", "GpuTime"},           {FIGURE_INSTRUCTIONS, "timing", "instructions"},
                {FIGURE_ACTIVE, "timing", "EuActive"},      {FIGURE_STALLED, "timing", "EuStall"},
                {FIGURE_IDLE, "timing", "EuIdle"},          {FIGURE_OCCUPANCY, "timing", "EuThreadOccupancy"},
                {FIGURE_L3, "L3ShaderThroughput", "bytes"}, {FIGURE_LOCAL, "SlmThroughput", "bytes"},
                {FIGURE_DRAM_READ, "DramRead", "bytes"},    {FIGURE_DRAM_WRITTEN, "DramWrite", "bytes"}};
    const char *stalls = find(timing, "stalls");
    int good = stalls != NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && good; i++) {
        const char *at = find(timing, rows[i].path);
        good = at && read_number(at, rows[i].key, &old->figure[rows[i].figure]);
    }
    for (int i = 1; i < TIMING_CAUSES && good; i++)
        good = read_number(stalls, sim_stats_cause_name((enum timing_cause)i), &old->stalled[i]);
    old->stalled[TIMING_CAUSE_NO_THREAD] = old->figure[FIGURE_IDLE];
    return good;
}

static int read_kernel(struct profile *profile, const char *head, const char *timing)
{
    struct profile_old *grown = realloc(profile->old, (profile->olds + 1) * sizeof *grown);
    if (!grown)
        return 0;
    profile->old = grown;
    grown[profile->olds] = (struct profile_old){.name = ""};
    struct profile_old *old = &grown[profile->olds++];
    return read_text(head, "kernel", old->name, sizeof old->name) && read_figures(timing, old);
}

/* The line with this source, or where a new one belongs. */
static size_t line_at(const struct profile_old *old, const char *source)
{
    size_t at = old->lines;
    if (at && strcmp(old->line[at - 1].source, source) == 0) /* most often it is the last one's */
        return at - 1;
    for (at = 0; at < old->lines && strcmp(old->line[at].source, source) != 0;)
        at++;
    return at;
}

/* Adds an instruction to its source line. */
static int read_line(const char *text, struct profile_old *old)
{
    struct profile_old_line line;
    if (!read_text(text, "source", line.source, sizeof line.source) || !read_number(text, "cycles", &line.cycles))
        return 0;
    size_t at = line_at(old, line.source);
    if (!line.source[0])
        return 1;
    if (at < old->lines) {
        old->line[at].cycles += line.cycles;
        return 1;
    }
    struct profile_old_line *grown = realloc(old->line, (old->lines + 1) * sizeof *grown);
    if (!grown)
        return 0;
    old->line = grown;
    grown[old->lines++] = line;
    return 1;
}

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* 1: all of its kernels were read. */
static int read_kernels(struct profile *profile, FILE *file)
{
    char *text = NULL, *timing = NULL;
    size_t size = 0, timing_size = 0;
    int good = getline(&text, &size, file) > 0 && starts(text, "{\"gensim_profile\": 1,") &&
               read_text(text, "machine", profile->old_machine, sizeof profile->old_machine);
    while (good && getline(&text, &size, file) > 0) {
        if (starts(text, kernel_start))
            good = getline(&timing, &timing_size, file) > 0 && read_kernel(profile, text, timing);
        else if (starts(text, line_start))
            good = profile->olds && read_line(text, &profile->old[profile->olds - 1]);
    }
    free(text);
    free(timing);
    return good && profile->olds > 0;
}

int profile_read_old(struct profile *profile, const char *path)
{
    FILE *file = fopen(path, "re");
    int good = file && read_kernels(profile, file);
    if (!file)
        fprintf(stderr, "gensim: error: --profile-against: %s: %s\n", path, strerror(errno));
    else if (!good)
        fprintf(stderr, "gensim: error: --profile-against: %s is no JSON of gensim --profile, version 1\n", path);
    if (file)
        fclose(file);
    snprintf(profile->old_path, sizeof profile->old_path, "%s", path);
    return good ? 0 : -1;
}

const struct profile_old *profile_find_old(const struct profile *profile, const char *name)
{
    for (size_t i = 0; i < profile->olds; i++)
        if (strcmp(profile->old[i].name, name) == 0)
            return &profile->old[i];
    return NULL;
}

double profile_old_cycles(const struct profile_old *old, const char *source)
{
    size_t at = old->lines ? line_at(old, source) : 0;
    return at < old->lines ? old->line[at].cycles : 0;
}
