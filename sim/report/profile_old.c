/* Reads the kernels of an earlier profile. It reads the lines that profile_json.c writes, and no other JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sim/report/profile_internal.h"

static const char kernel_start[] = "    {\"kernel\": \"";

/* The number after "KEY": in either of the kernel's lines. 0: there is none. */
static int read_number(const char *text, const char *key, double *number)
{
    char quoted[64], *end;
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    if (!at)
        return 0;
    *number = strtod(at + strlen(quoted), &end);
    return end != at + strlen(quoted);
}

static int read_kernel(const char *head, const char *timing, struct profile_old *old)
{
    const char *name = head + sizeof kernel_start - 1, *end = strchr(name, '"');
    double written = 0;
    const char *dram = strstr(timing, "\"DramRead\": "), *write = strstr(timing, "\"DramWrite\": ");
    if (!end)
        return 0;
    snprintf(old->name, sizeof old->name, "%.*s", (int)(end - name), name);
    if (!dram || !write || !read_number(dram, "bytes", &old->dram) || !read_number(write, "bytes", &written))
        return 0;
    old->dram += written;
    return read_number(timing, "GpuCoreClocks", &old->clocks) &&
           read_number(timing, "instructions", &old->instructions) && read_number(timing, "EuActive", &old->active) &&
           read_number(timing, "EuStall", &old->stalled) && read_number(timing, "EuIdle", &old->idle);
}

/* 1: all of its kernels were read. */
static int read_kernels(struct profile *profile, FILE *file)
{
    char *head = NULL, *timing = NULL;
    size_t head_size = 0, timing_size = 0;
    int good = getline(&head, &head_size, file) > 0 && strncmp(head, "{\"gensim_profile\": 1,", 21) == 0;
    while (good && getline(&head, &head_size, file) > 0) {
        if (strncmp(head, kernel_start, sizeof kernel_start - 1) != 0)
            continue;
        struct profile_old *grown = realloc(profile->old, (profile->olds + 1) * sizeof *grown);
        if (grown)
            profile->old = grown;
        good = grown && getline(&timing, &timing_size, file) > 0 && read_kernel(head, timing, &grown[profile->olds]);
        profile->olds += (size_t)good;
    }
    free(head);
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
