/* Writes output files atomically: the whole file or no change. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "visa_emit/finalize.h"

static bool write_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* Creates a temporary file in the folder of `path`, so that a rename is atomic. NULL: errno has the reason. */
static char *temporary_beside(const char *path, int *fd)
{
    char *name;
    if (asprintf(&name, "%s.XXXXXX", path) < 0)
        return NULL;
    *fd = mkstemp(name);
    if (*fd >= 0)
        return name;
    free(name);
    return NULL;
}

static bool replace(const char *path, const void *data, size_t size)
{
    int fd;
    char *temporary = temporary_beside(path, &fd);
    if (!temporary)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    bool done = write_all(fd, data, size) && fchmod(fd, 0666 & ~mask) == 0;
    int failure = errno;
    if (close(fd) != 0 && done) {
        done = false;
        failure = errno;
    }
    if (done && rename(temporary, path) != 0) {
        done = false;
        failure = errno;
    }
    if (!done)
        unlink(temporary);
    free(temporary);
    errno = failure;
    return done;
}

/* True for devices, pipes and the like. They cannot be replaced and are written directly. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool write_special(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "we");
    bool done = file && write_all(fileno(file), data, size);
    int failure = errno;
    if (file)
        fclose(file);
    errno = failure;
    return done;
}

bool output_write(const char *path, const void *data, size_t size, char *error, size_t error_size)
{
    bool done;
    if (strcmp(path, "-") == 0)
        done = write_all(STDOUT_FILENO, data, size);
    else if (is_special(path))
        done = write_special(path, data, size);
    else
        done = replace(path, data, size);
    if (!done)
        snprintf(error, error_size, "cannot write %s: %s", strcmp(path, "-") ? path : "standard output",
                 strerror(errno));
    return done;
}
