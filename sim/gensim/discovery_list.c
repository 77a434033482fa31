/* Implements calls that list directories. The offset of a directory's descriptor is the listing's position: 0 is ".", 1
 * "..", then nodes. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/gensim/discovery.h"
#include "sim/gensim/real.h"

/* A listing of one of our directories, in place of the C library's DIR. */
struct listing {
    struct listing *next;
    const struct discovery_node *directory;
    int descriptor;
    struct dirent entry;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct listing *listings;

/* Resets the lock in a forked child: its owner may not exist there. */
static void unlock_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, unlock_in_child);
}

static struct listing *find_listing(const DIR *directory)
{
    if (!__atomic_load_n(&listings, __ATOMIC_ACQUIRE))
        return NULL;
    pthread_mutex_lock(&lock);
    struct listing *listing = listings;
    while (listing && (const void *)listing != (const void *)directory)
        listing = listing->next;
    pthread_mutex_unlock(&lock);
    return listing;
}

/* Creates a listing that owns the directory's descriptor. */
static DIR *new_listing(const struct discovery_node *directory, int descriptor)
{
    struct listing *listing = calloc(1, sizeof *listing);
    if (!listing)
        return NULL;
    listing->directory = directory;
    listing->descriptor = descriptor;
    pthread_mutex_lock(&lock);
    listing->next = listings;
    __atomic_store_n(&listings, listing, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return (DIR *)(void *)listing;
}

static DIR *open_listing(const struct discovery_node *directory)
{
    int descriptor = discovery_open(directory, O_CLOEXEC);
    DIR *listing = descriptor < 0 ? NULL : new_listing(directory, descriptor);
    if (descriptor < 0)
        errno = -descriptor;
    else if (!listing)
        close(descriptor);
    return listing;
}

EXPORT DIR *opendir(const char *path)
{
    const struct discovery_node *node;
    enum discovery_kind kind = discovery_find(AT_FDCWD, path, 1, &node);
    if (kind == DISCOVERY_OTHER)
        return REAL(opendir)(path);
    if (kind == DISCOVERY_DIRECTORY)
        return open_listing(node);
    errno = kind == DISCOVERY_HIDDEN ? ENOENT : ENOTDIR;
    return NULL;
}

EXPORT DIR *fdopendir(int descriptor)
{
    const struct discovery_node *node = discovery_at(descriptor);
    if (!node)
        return REAL(fdopendir)(descriptor);
    if (node->kind == DISCOVERY_DIRECTORY)
        return new_listing(node, descriptor);
    errno = ENOTDIR;
    return NULL;
}

/* Returns the name of a node directly below the directory, NULL for other nodes. */
static const char *name_below(const struct discovery_node *directory, const struct discovery_node *node)
{
    size_t length = strlen(directory->path);
    if (strncmp(node->path, directory->path, length) != 0 || node->path[length] != '/')
        return NULL;
    const char *name = node->path + length + 1;
    return strchr(name, '/') ? NULL : name;
}

/* Returns the next entry of the directory. 0 at the end; -1 with errno set if the offset cannot be read. */
static int next_entry(const struct discovery_node *directory, int descriptor, struct dirent *entry)
{
    static const unsigned char types[] = {[DISCOVERY_DIRECTORY] = DT_DIR,
                                          [DISCOVERY_DEVICE] = DT_CHR,
                                          [DISCOVERY_TEXT] = DT_REG,
                                          [DISCOVERY_LINK] = DT_LNK};
    off_t at = lseek(descriptor, 0, SEEK_CUR);
    for (; at >= 0 && (size_t)at < 2 + discovery_count(); at++) {
        const struct discovery_node *node = at < 2 ? directory : discovery_node((size_t)at - 2);
        const char *name = at == 0 ? "." : at == 1 ? ".." : name_below(directory, node);
        if (!name)
            continue;
        struct stat status;
        discovery_status(node, &status);
        *entry = (struct dirent){
            .d_ino = status.st_ino, .d_off = at + 1, .d_reclen = sizeof *entry, .d_type = types[node->kind]};
        strcpy(entry->d_name, name);
        return lseek(descriptor, at + 1, SEEK_SET) < 0 ? -1 : 1;
    }
    return at < 0 ? -1 : 0;
}

EXPORT struct dirent *readdir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    if (!listing)
        return REAL(readdir)(directory);
    return next_entry(listing->directory, listing->descriptor, &listing->entry) > 0 ? &listing->entry : NULL;
}

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "struct dirent has 64-bit fields");

EXPORT struct dirent64 *readdir64(DIR *directory)
{
    return (struct dirent64 *)(void *)readdir(directory);
}

EXPORT void rewinddir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    if (listing)
        lseek(listing->descriptor, 0, SEEK_SET);
    else
        REAL(rewinddir)(directory);
}

EXPORT long telldir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    return listing ? (long)lseek(listing->descriptor, 0, SEEK_CUR) : REAL(telldir)(directory);
}

EXPORT void seekdir(DIR *directory, long place)
{
    struct listing *listing = find_listing(directory);
    if (listing)
        lseek(listing->descriptor, place, SEEK_SET);
    else
        REAL(seekdir)(directory, place);
}

EXPORT int dirfd(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    return listing ? listing->descriptor : REAL(dirfd)(directory);
}

EXPORT int closedir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    if (!listing)
        return REAL(closedir)(directory);
    pthread_mutex_lock(&lock);
    struct listing **link = &listings;
    while (*link != listing)
        link = &(*link)->next;
    __atomic_store_n(link, listing->next, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    int result = close(listing->descriptor);
    free(listing);
    return result;
}

/* Packs entries as the kernel does: each takes its name's length, rounded up to eight bytes. */
EXPORT ssize_t getdents64(int descriptor, void *buffer, size_t size)
{
    const struct discovery_node *directory = discovery_at(descriptor);
    struct dirent entry;
    size_t used = 0;
    int more = 1;
    if (!directory || directory->kind != DISCOVERY_DIRECTORY)
        return REAL(getdents64)(descriptor, buffer, size);
    for (;;) {
        off_t before = lseek(descriptor, 0, SEEK_CUR);
        more = next_entry(directory, descriptor, &entry);
        if (more <= 0)
            break;
        size_t bytes = (offsetof(struct dirent, d_name) + strlen(entry.d_name) + 1 + 7) & ~(size_t)7;
        if (bytes > size - used) { /* it is the next call's */
            lseek(descriptor, before, SEEK_SET);
            break;
        }
        entry.d_reclen = (unsigned short)bytes;
        memcpy((char *)buffer + used, &entry, bytes);
        used += bytes;
    }
    if (more > 0 && used == 0)
        errno = EINVAL;
    return more < 0 || (more > 0 && used == 0) ? -1 : (ssize_t)used;
}

static void free_entries(struct dirent **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

/* Collects all entries that the filter accepts; -1 with errno set. The directory is closed. */
static int scan(DIR *directory, struct dirent ***list, int (*filter)(const struct dirent *),
                int (*compare)(const struct dirent **, const struct dirent **))
{
    struct dirent **found = NULL;
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (filter && !filter(entry))
            continue;
        struct dirent **larger = realloc(found, (count + 1) * sizeof *found);
        struct dirent *copy = larger ? malloc(sizeof *copy) : NULL;
        found = larger ? larger : found;
        if (!copy) {
            free_entries(found, count);
            closedir(directory);
            errno = ENOMEM;
            return -1;
        }
        *copy = *entry;
        found[count++] = copy;
    }
    closedir(directory);
    if (compare && count)
        qsort(found, count, sizeof *found, (int (*)(const void *, const void *))compare);
    *list = found;
    return (int)count;
}

EXPORT int scandirat(int from, const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
                     int (*compare)(const struct dirent **, const struct dirent **))
{
    const struct discovery_node *node;
    enum discovery_kind kind = discovery_find(from, path, 1, &node);
    if (kind == DISCOVERY_OTHER)
        return REAL(scandirat)(from, path, list, filter, compare);
    DIR *directory = kind == DISCOVERY_DIRECTORY ? open_listing(node) : NULL;
    if (kind != DISCOVERY_DIRECTORY)
        errno = kind == DISCOVERY_HIDDEN ? ENOENT : ENOTDIR;
    return directory ? scan(directory, list, filter, compare) : -1;
}

EXPORT int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **))
{
    return scandirat(AT_FDCWD, path, list, filter, compare);
}

typedef int filter64(const struct dirent64 *entry);
typedef int compare64(const struct dirent64 **a, const struct dirent64 **b);

EXPORT int scandir64(const char *path, struct dirent64 ***list, filter64 *filter, compare64 *compare)
{
    return scandirat(AT_FDCWD, path, (struct dirent ***)(void *)list, (int (*)(const struct dirent *))(void *)filter,
                     (int (*)(const struct dirent **, const struct dirent **))(void *)compare);
}

EXPORT int scandirat64(int from, const char *path, struct dirent64 ***list, filter64 *filter, compare64 *compare)
{
    return scandirat(from, path, (struct dirent ***)(void *)list, (int (*)(const struct dirent *))(void *)filter,
                     (int (*)(const struct dirent **, const struct dirent **))(void *)compare);
}

static void close_for_glob(void *directory)
{
    closedir(directory);
}

static struct dirent *read_for_glob(void *directory)
{
    return readdir(directory);
}

static void *open_for_glob(const char *path)
{
    return opendir(path);
}

/* The C library's glob() reads directories with internal functions; GLOB_ALTDIRFUNC makes it use ours. */
EXPORT int glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *result)
{
    if (!(flags & GLOB_ALTDIRFUNC)) {
        flags |= GLOB_ALTDIRFUNC;
        result->gl_closedir = close_for_glob;
        result->gl_readdir = read_for_glob;
        result->gl_opendir = open_for_glob;
        result->gl_lstat = lstat;
        result->gl_stat = stat;
    }
    return REAL(glob)(pattern, flags, error, result);
}

EXPORT int glob64(const char *pattern, int flags, int (*error)(const char *, int), glob64_t *result)
{
    _Static_assert(sizeof(glob_t) == sizeof(glob64_t), "glob_t has 64-bit fields");
    return glob(pattern, flags, error, (glob_t *)(void *)result);
}
