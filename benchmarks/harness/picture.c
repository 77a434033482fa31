#include "benchmarks/harness/picture.h"

#include "runtime/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads the next number of a PPM header; comments run from # to the end of a line. */
static int header_number(const unsigned char **at, const unsigned char *end, size_t *number)
{
    while (*at < end && (strchr(" \t\r\n", **at) || **at == '#')) {
        if (**at == '#')
            while (*at < end && **at != '\n')
                ++*at;
        else
            ++*at;
    }
    size_t digits = 0;
    for (*number = 0; *at < end && **at >= '0' && **at <= '9' && digits < 7; ++*at, digits++)
        *number = *number * 10 + (size_t)(**at - '0');
    return digits ? 0 : -1;
}

static int load_ppm(const unsigned char *bytes, size_t size, struct pixels *out)
{
    const unsigned char *at = bytes + 2, *end = bytes + size;
    size_t maximum;
    if (header_number(&at, end, &out->width) || header_number(&at, end, &out->height) ||
        header_number(&at, end, &maximum))
        return -1;
    at++; /* one white space */
    if (maximum != 255 || !out->width || !out->height || at > end || (size_t)(end - at) / out->width / 3 < out->height)
        return -1;
    out->channels = 3;
    out->samples = malloc(out->width * out->height * 3);
    if (!out->samples)
        return -1;
    memcpy(out->samples, at, out->width * out->height * 3);
    return 0;
}

/* Reads all output of a pipe. */
static unsigned char *read_pipe(FILE *pipe, size_t *size)
{
    size_t room = 1 << 20;
    unsigned char *bytes = malloc(room);
    for (*size = 0; bytes;) {
        size_t got = fread(bytes + *size, 1, room - *size, pipe);
        if (!got)
            break;
        *size += got;
        if (*size == room) {
            unsigned char *more = realloc(bytes, room *= 2);
            if (!more)
                free(bytes);
            bytes = more;
        }
    }
    return bytes;
}

/* djpeg reads the file as its standard input: no path goes through a shell. */
static FILE *start_djpeg(const char *path, unsigned eighths, pid_t *child)
{
    char scale[16];
    int ends[2];
    snprintf(scale, sizeof scale, "%u/8", eighths);
    if (pipe(ends))
        return NULL;
    *child = fork();
    if (*child == 0) {
        if (!freopen(path, "rb", stdin) || dup2(ends[1], 1) < 0)
            _exit(127);
        close(ends[0]);
        close(ends[1]);
        execlp("djpeg", "djpeg", "-rgb", "-pnm", "-scale", scale, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    if (*child < 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "rb");
}

static int load_jpeg(const char *path, unsigned eighths, struct pixels *out, char *why, size_t why_size)
{
    pid_t child;
    int status = -1;
    size_t size = 0;
    FILE *pipe = start_djpeg(path, eighths, &child);
    unsigned char *bytes = pipe ? read_pipe(pipe, &size) : NULL;
    if (pipe) {
        fclose(pipe);
        waitpid(child, &status, 0);
    }
    int result = status == 0 && bytes && size > 2 && memcmp(bytes, "P6", 2) == 0 ? load_ppm(bytes, size, out) : -1;
    free(bytes);
    if (result)
        snprintf(why, why_size, "%s",
                 WIFEXITED(status) && WEXITSTATUS(status) == 127
                     ? "djpeg is missing; install the package libjpeg-turbo-progs"
                     : "djpeg cannot read it");
    return result;
}

int picture_load(const char *path, unsigned eighths, struct pixels *out, char *why, size_t why_size)
{
    void *bytes;
    size_t size;
    if (file_read(path, &bytes, &size)) {
        snprintf(why, why_size, "%s", strerror(errno));
        return -1;
    }
    const unsigned char *b = bytes;
    int ppm = size > 2 && memcmp(b, "P6", 2) == 0, jpeg = size > 2 && b[0] == 0xff && b[1] == 0xd8;
    int result = ppm ? load_ppm(b, size, out) : 0;
    free(bytes);
    if (result)
        snprintf(why, why_size, "not a PPM file with 8 bits a sample");
    if (jpeg)
        result = load_jpeg(path, eighths, out, why, why_size);
    else if (!ppm)
        result = png_load(path, out, why, why_size);
    if (!result && pixels_convert(out, 3)) {
        snprintf(why, why_size, "out of memory");
        result = -1;
    }
    return result;
}
