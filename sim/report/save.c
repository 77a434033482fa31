#include "sim/report/save.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *save_folder;

void sim_save_start(const char *folder)
{
    save_folder = folder;
}

void sim_save_kernel(const struct platform *platform, uint64_t hash, const uint8_t *code, size_t bytes)
{
    char path[PATH_MAX], beside[PATH_MAX + 32];
    if (!save_folder)
        return;
    int length = snprintf(path, sizeof path, "%s/%s-%016" PRIx64 ".gen", save_folder, platform->ocloc, hash);
    if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) == 0)
        return;
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *out = fopen(beside, "wb");
    int good = out && fwrite(code, 1, bytes, out) == bytes;
    good = out && fclose(out) == 0 && good && rename(beside, path) == 0;
    if (!good) {
        fprintf(stderr, "gensim: error: cannot write %s: %s\n", path, strerror(errno));
        if (out)
            unlink(beside);
    }
}
