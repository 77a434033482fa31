/* Creates temporary folders, reads their files, and removes them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "visa_emit/process.h"

void scratch_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGHUP);
}

bool scratch_create(struct scratch *scratch, char *error, size_t error_size)
{
    const char *base = getenv("TMPDIR");
    sigset_t held;
    if (!base || !*base)
        base = "/tmp";
    if (asprintf(&scratch->folder, "%s/cmkit-XXXXXX", base) < 0)
        scratch->folder = NULL;
    scratch_signals(&held);
    sigprocmask(SIG_BLOCK, &held, &scratch->before);
    if (scratch->folder && mkdtemp(scratch->folder))
        return true;
    snprintf(error, error_size, "cannot make a temporary folder in %s: %s", base, strerror(errno));
    free(scratch->folder);
    sigprocmask(SIG_SETMASK, &scratch->before, NULL);
    return false;
}

/* Programs that run in the folder make plain files only. A subfolder would remain, and the folder with it. */
void scratch_remove(struct scratch *scratch)
{
    DIR *listing = opendir(scratch->folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing)
        closedir(listing);
    rmdir(scratch->folder);
    free(scratch->folder);
    scratch->folder = NULL;
    sigprocmask(SIG_SETMASK, &scratch->before, NULL);
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return NULL;
    FILE *file = fopen(path, mode);
    free(path);
    return file;
}

char *scratch_read(const struct scratch *scratch, const char *name, size_t *size)
{
    enum { LIMIT = 1 << 30 };
    FILE *file = open_in(scratch->folder, name, "re");
    struct stat status;
    char *data = NULL;
    if (file && fstat(fileno(file), &status) == 0 && status.st_size >= 0 && status.st_size <= LIMIT)
        data = malloc((size_t)status.st_size + 1);
    if (data) {
        *size = fread(data, 1, (size_t)status.st_size, file);
        data[*size] = 0;
    }
    if (file)
        fclose(file);
    return data;
}

bool scratch_write_bytes(const struct scratch *scratch, const char *name, const void *bytes, size_t size, char *error,
                         size_t error_size)
{
    FILE *file = open_in(scratch->folder, name, "we");
    bool written = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        snprintf(error, error_size, "cannot write %s/%s: %s", scratch->folder, name, strerror(errno));
    return written;
}

bool scratch_write(const struct scratch *scratch, const char *name, const char *text, char *error, size_t error_size)
{
    return scratch_write_bytes(scratch, name, text, strlen(text), error, error_size);
}
