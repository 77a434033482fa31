#include "runtime/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Opens a file and reports errors that stdio would report only at the first read. */
static FILE *open_file(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (file && fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(file);
        errno = EISDIR;
        return NULL;
    }
    return file;
}

int file_read(const char *path, void **bytes, size_t *size)
{
    FILE *file = open_file(path);
    if (!file)
        return -1;
    char *data = NULL;
    size_t used = 0, room = 0, got = 1;
    int failed = 0;
    while (got && !failed) {
        if (used + 1 >= room) {
            char *more = realloc(data, room = room ? 2 * room : 65536);
            failed = more ? 0 : ENOMEM;
            data = more ? more : data;
        }
        got = failed ? 0 : fread(data + used, 1, room - used - 1, file);
        used += got;
        if (!failed && ferror(file))
            failed = errno;
    }
    fclose(file);
    if (failed) {
        free(data);
        errno = failed;
        return -1;
    }
    data[used] = 0;
    *bytes = data;
    *size = used;
    return 0;
}
