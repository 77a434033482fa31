/* Reads fat binaries. Their format is that of ar(1): a line of 60 bytes before each file has its name and its size. */
#include "runtime/fat.h"
#include "runtime/status.h"
#include "runtime/zebin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "!<arch>\n"
enum { MAGIC_SIZE = 8, HEADER_SIZE = 60, SIZE_AT = 48, SIZE_DIGITS = 10, END_AT = 58 };

int fat_recognise(const void *bytes, size_t size)
{
    return size >= MAGIC_SIZE && memcmp(bytes, MAGIC, MAGIC_SIZE) == 0;
}

/* Reads the size in a header: decimal digits, then blanks. -1: it is none. */
static long long size_in(const char *header)
{
    long long value = 0;
    int i = 0;
    for (; i < SIZE_DIGITS && header[SIZE_AT + i] >= '0' && header[SIZE_AT + i] <= '9'; i++)
        value = 10 * value + header[SIZE_AT + i] - '0';
    for (int k = i; k < SIZE_DIGITS; k++)
        if (header[SIZE_AT + k] != ' ')
            return -1;
    return i && memcmp(header + END_AT, "`\n", 2) == 0 ? value : -1;
}

/* Moves *at to the file after it, whose contents are in *file and *file_size. False at the end; *at is after the end
 * of a damaged archive. */
static int next_file(const char *bytes, size_t size, size_t *at, const char **file, size_t *file_size)
{
    if (*at >= size)
        return 0;
    long long length = size - *at < HEADER_SIZE ? -1 : size_in(bytes + *at);
    if (length < 0 || (unsigned long long)length > size - *at - HEADER_SIZE) {
        *at = size + 1;
        return 0;
    }
    *file = bytes + *at + HEADER_SIZE;
    *file_size = (size_t)length;
    *at += HEADER_SIZE + *file_size;
    *at += *at % 2 && *at < size;
    return 1;
}

enum cmrt_status fat_zebin(const void *bytes, size_t size, size_t index, void **zebin, size_t *zebin_size)
{
    const char *file;
    size_t at = MAGIC_SIZE;
    while (next_file(bytes, size, &at, &file, zebin_size)) {
        if (!zebin_recognise(file, *zebin_size) || index--)
            continue;
        *zebin = malloc(*zebin_size);
        if (!*zebin)
            return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
        memcpy(*zebin, file, *zebin_size);
        return CMRT_OK;
    }
    return at > size ? cmrt_fail(CMRT_BAD_FILE, "damaged fat binary: a file in it reaches beyond the end")
                     : cmrt_fail(CMRT_NO_KERNEL, "no zebin in the fat binary");
}

/* Appends the name of a zebin's GPU to the list. */
static void add_name(char *names, size_t size, const struct zebin *zebin)
{
    size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%s", used ? ", " : "", zebin->product ? zebin->product : "another GPU");
}

/* Sets *fits if `platform` can run the zebin, and appends the name of the zebin's GPU to `names` otherwise. */
static enum cmrt_status judge(const void *zebin, size_t size, const char *platform, char *names, size_t names_size,
                              int *fits)
{
    struct zebin contents;
    enum cmrt_status status = zebin_read(zebin, size, &contents);
    if (status)
        return status;
    *fits = !platform || zebin_fits(&contents, platform);
    if (!*fits)
        add_name(names, names_size, &contents);
    zebin_free(&contents);
    return CMRT_OK;
}

enum cmrt_status fat_select(const void *bytes, size_t size, const char *platform, void **zebin, size_t *zebin_size)
{
    char names[256] = "";
    for (size_t i = 0;; i++) {
        int fits = 0;
        enum cmrt_status status = fat_zebin(bytes, size, i, zebin, zebin_size);
        if (status == CMRT_NO_KERNEL && *names)
            return cmrt_fail(CMRT_WRONG_PLATFORM, "the program was compiled for %s, the device is %s", names, platform);
        if (status)
            return status == CMRT_NO_KERNEL ? cmrt_fail(CMRT_BAD_FILE, "no zebin in the fat binary") : status;
        status = judge(*zebin, *zebin_size, platform, names, sizeof names, &fits);
        if (fits)
            return CMRT_OK;
        free(*zebin);
        if (status)
            return status;
    }
}
