/* Finds input files: pictures of Debian packages, and the cache of inputs that are slow to make. */
#include "benchmarks/harness/picture.h"
#include "benchmarks/harness/workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned char *bench_picture(const struct bench_input *input, unsigned eighths, size_t *width, size_t *height)
{
    char why[256];
    struct pixels pixels;
    if (access(input->file, R_OK) != 0)
        bench_skip("%s is missing; install the package %s", input->file, input->package);
    if (picture_load(input->file, eighths, &pixels, why, sizeof why))
        bench_fail("%s: %s", input->file, why);
    *width = pixels.width;
    *height = pixels.height;
    return pixels.samples;
}

/* Makes the folder and those above it. */
static void make_folders(char *path)
{
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0777);
            *at = '/';
        }
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        bench_fail("%s: %s", path, strerror(errno));
}

const char *bench_cache_folder(void)
{
    static char path[4096];
    const char *own = getenv("CMKIT_CACHE"), *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        snprintf(path, sizeof path, "%s", own);
    else if (shared && *shared)
        snprintf(path, sizeof path, "%s/cmkit", shared);
    else
        snprintf(path, sizeof path, "%s/.cache/cmkit", home && *home ? home : "/tmp");
    make_folders(path);
    return path;
}
