#include "runtime/cmrun/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct staged {
    struct staged *next;
    char *path, *temporary;
};

struct output_set {
    struct staged *files;
};

struct output_set *outputs_new(void)
{
    return calloc(1, sizeof(struct output_set));
}

static int write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        bytes += done;
        size -= (size_t)done;
    }
    return 0;
}

/* Writes to a device or a pipe, which a rename cannot replace. */
static int write_through(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int result = write_all(file, bytes, size), failed = errno;
    if (close(file) && !result)
        return -1;
    errno = failed;
    return result;
}

static int write_temporary(char *temporary, const void *bytes, size_t size)
{
    int file = mkstemp(temporary);
    if (file < 0)
        return -1;
    mode_t mask = umask(0);
    umask(mask);
    int result = write_all(file, bytes, size);
    if (!result)
        result = fchmod(file, 0666 & ~mask);
    int failed = errno;
    if (close(file) && !result) {
        failed = errno;
        result = -1;
    }
    if (result)
        unlink(temporary);
    errno = failed;
    return result;
}

int outputs_add(struct output_set *set, const char *path, const void *bytes, size_t size, char *why, size_t why_size)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        if (write_through(path, bytes, size) == 0)
            return 0;
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
        return -1;
    }
    size_t room = strlen(path) + sizeof ".XXXXXX";
    struct staged *file = calloc(1, sizeof *file);
    if (file) {
        file->path = strdup(path);
        file->temporary = malloc(room);
    }
    if (!file || !file->path || !file->temporary) {
        snprintf(why, why_size, "%s: out of memory", path);
    } else {
        snprintf(file->temporary, room, "%s.XXXXXX", path);
        if (write_temporary(file->temporary, bytes, size) == 0) {
            file->next = set->files;
            set->files = file;
            return 0;
        }
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
    }
    if (file) {
        free(file->path);
        free(file->temporary);
    }
    free(file);
    return -1;
}

static void drop_first(struct output_set *set)
{
    struct staged *file = set->files;
    set->files = file->next;
    free(file->path);
    free(file->temporary);
    free(file);
}

int outputs_commit(struct output_set *set, char *why, size_t why_size)
{
    while (set->files) {
        if (rename(set->files->temporary, set->files->path)) {
            snprintf(why, why_size, "%s: %s", set->files->path, strerror(errno));
            return -1;
        }
        drop_first(set);
    }
    return 0;
}

void outputs_free(struct output_set *set)
{
    while (set && set->files) {
        unlink(set->files->temporary);
        drop_first(set);
    }
    free(set);
}
