#include "sim/trace/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

static const char MAGIC[] = "gensimtr";
enum { LEVEL = 3, CHUNK = 1 << 17 };

struct trace_out {
    FILE *file;
    ZSTD_CCtx *context;
    uint64_t content;
    int error; /* errno of the first failure */
    char path[TRACE_PATH];
    uint8_t chunk[CHUNK];
};

struct trace_in {
    FILE *file;
    ZSTD_DCtx *context;
    uint64_t left; /* of the content */
    ZSTD_inBuffer input;
    size_t state; /* what ZSTD_decompressStream() returned last: 0 at the frame's end */
    uint8_t chunk[CHUNK];
};

static int ends(const char *text, size_t size)
{
    return memchr(text, 0, size) != NULL;
}

static const char *read_head(FILE *file, struct trace_head *head)
{
    if (fread(head, 1, sizeof *head, file) != sizeof *head)
        return "it is too short for a trace";
    if (memcmp(head->magic, MAGIC, sizeof head->magic) != 0)
        return "it is no trace of gensim";
    if (head->version != TRACE_VERSION)
        return "it is a trace of another version of gensim";
    if (!ends(head->device, sizeof head->device) || !ends(head->kernel, sizeof head->kernel))
        return "it is damaged: a name has no end";
    return NULL;
}

const char *trace_head_read(const char *path, struct trace_head *head)
{
    FILE *file = fopen(path, "rbe");
    const char *wrong = file ? read_head(file, head) : strerror(errno);
    if (file)
        fclose(file);
    return wrong;
}

int trace_path(const char *folder, uint64_t number, char *path, size_t size)
{
    int length = snprintf(path, size, "%s/launch-%06" PRIu64 ".trace", folder, number);
    return length > 0 && (size_t)length < size;
}

uint64_t trace_last(const char *folder)
{
    uint64_t last = 0, number;
    DIR *directory = opendir(folder);
    int length;
    for (const struct dirent *each; directory && (each = readdir(directory));) {
        length = 0;
        if (sscanf(each->d_name, "launch-%" SCNu64 ".trace%n", &number, &length) == 1 && length &&
            !each->d_name[length] && number > last)
            last = number;
    }
    if (directory)
        closedir(directory);
    return last;
}

struct trace_out *trace_out_open(const char *path)
{
    struct trace_out *out = calloc(1, sizeof *out);
    struct trace_head empty = {.version = 0};
    if (!out)
        return NULL;
    snprintf(out->path, sizeof out->path, "%s", path);
    out->context = ZSTD_createCCtx();
    out->file = out->context ? fopen(path, "wbxe") : NULL;
    if (!out->context)
        errno = ENOMEM;
    if (!out->file) {
        ZSTD_freeCCtx(out->context);
        free(out);
        return NULL;
    }
    ZSTD_CCtx_setParameter(out->context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(out->context, ZSTD_c_checksumFlag, 1);
    if (fwrite(&empty, 1, sizeof empty, out->file) != sizeof empty)
        out->error = errno;
    return out;
}

/* Compresses the bytes, and writes what is ready. */
static void compress(struct trace_out *out, const void *bytes, size_t size, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer input = {bytes, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer output = {out->chunk, sizeof out->chunk, 0};
        left = ZSTD_compressStream2(out->context, &output, &input, directive);
        if (ZSTD_isError(left)) {
            out->error = out->error ? out->error : ENOMEM;
            return;
        }
        if (fwrite(out->chunk, 1, output.pos, out->file) != output.pos)
            out->error = out->error ? out->error : errno;
    } while (directive == ZSTD_e_end ? left != 0 : input.pos < input.size);
}

void trace_put(struct trace_out *out, const void *bytes, size_t size)
{
    out->content += size;
    compress(out, bytes, size, ZSTD_e_continue);
}

void trace_put_number(struct trace_out *out, uint64_t number)
{
    trace_put(out, &number, sizeof number);
}

int trace_out_close(struct trace_out *out, struct trace_head *head)
{
    compress(out, "", 0, ZSTD_e_end);
    memcpy(head->magic, MAGIC, sizeof head->magic);
    head->version = TRACE_VERSION;
    head->content_bytes = out->content;
    int error = out->error;
    if (fseek(out->file, 0, SEEK_SET) != 0 || fwrite(head, 1, sizeof *head, out->file) != sizeof *head)
        error = error ? error : errno;
    if (fclose(out->file) != 0)
        error = error ? error : errno;
    if (error)
        unlink(out->path);
    ZSTD_freeCCtx(out->context);
    free(out);
    errno = error;
    return !error;
}

struct trace_in *trace_in_open(const char *path, struct trace_head *head, const char **wrong)
{
    struct trace_in *in = calloc(1, sizeof *in);
    *wrong = in ? NULL : "there is no memory";
    if (!in)
        return NULL;
    in->file = fopen(path, "rbe");
    *wrong = in->file ? read_head(in->file, head) : strerror(errno);
    in->context = ZSTD_createDCtx();
    if (!*wrong && !in->context)
        *wrong = "there is no memory";
    if (*wrong) {
        trace_in_close(in);
        return NULL;
    }
    in->left = head->content_bytes;
    in->input.src = in->chunk;
    in->state = 1;
    return in;
}

/* Decompresses into the output until it is full, or the frame ends: 1, or 0 if the file is damaged. */
static int decompress(struct trace_in *in, ZSTD_outBuffer *output)
{
    while (in->state && output->pos < output->size) {
        size_t before = output->pos;
        if (in->input.pos == in->input.size) {
            in->input.size = fread(in->chunk, 1, sizeof in->chunk, in->file);
            in->input.pos = 0;
        }
        int is_last = in->input.size == 0;
        in->state = ZSTD_decompressStream(in->context, output, &in->input);
        if (ZSTD_isError(in->state) || (is_last && in->state && output->pos == before))
            return 0;
    }
    return 1;
}

int trace_get(struct trace_in *in, void *bytes, size_t size)
{
    ZSTD_outBuffer output = {bytes, size, 0};
    if (size > in->left || !decompress(in, &output) || output.pos != size)
        return 0;
    in->left -= size;
    return 1;
}

int trace_get_number(struct trace_in *in, uint64_t *number)
{
    return trace_get(in, number, sizeof *number);
}

int trace_at_end(struct trace_in *in)
{
    uint8_t more;
    ZSTD_outBuffer output = {&more, 1, 0};
    return in->left == 0 && decompress(in, &output) && output.pos == 0 && in->input.pos == in->input.size &&
           fgetc(in->file) == EOF;
}

void trace_in_close(struct trace_in *in)
{
    if (!in)
        return;
    if (in->file)
        fclose(in->file);
    ZSTD_freeDCtx(in->context);
    free(in);
}
