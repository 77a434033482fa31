#include "sim/base/path.h"

#include <stdio.h>
#include <unistd.h>

char *sim_expand_path(const char *path)
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
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
