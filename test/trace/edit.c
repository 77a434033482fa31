/* Edits a recorded launch as somebody might who wants to harm its reader: bytes of the file, or of the content, which
 * is compressed again, so that the checksum is right. `edit FROM TO SEED`; even seeds edit the content. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/trace/file.h"

enum { MOST = 64 << 20 };

static uint64_t state;

/* A random number below `end`. */
static uint64_t below(uint64_t end)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % end;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "edit: %s\n", what);
    exit(2);
}

/* Changes a few bytes or whole numbers. Most are at the start, where the counts and the state are. */
static void change(uint8_t *bytes, size_t size)
{
    static const uint64_t odd[] = {0, 1, 63, 0x7fffffff, 0xffffffff, UINT64_MAX, UINT64_C(1) << 47, 4096};
    for (uint64_t i = 1 + below(4); i > 0; i--) {
        size_t room = below(3) && size > 6000 ? 6000 : size, at = below(room);
        if (below(2) && room > 16) {
            uint64_t number = odd[below(sizeof odd / sizeof odd[0])];
            memcpy(bytes + at / 8 * 8 % (room - 8), &number, sizeof number);
        } else {
            bytes[at] = (uint8_t)(below(2) ? bytes[at] ^ 1u << below(8) : below(256));
        }
    }
}

static void edit_content(const char *from, const char *to)
{
    struct trace_head head;
    const char *wrong;
    struct trace_in *in = trace_in_open(from, &head, &wrong);
    if (!in || head.content_bytes > MOST)
        fail(in ? "too large" : wrong);
    uint8_t *bytes = malloc(head.content_bytes + 1);
    if (!bytes || !trace_get(in, bytes, head.content_bytes))
        fail("cannot read the content");
    trace_in_close(in);
    change(bytes, head.content_bytes);
    struct trace_out *out = trace_out_open(to);
    if (!out)
        fail(strerror(errno));
    size_t size = below(4) ? head.content_bytes : below(head.content_bytes);
    trace_put(out, bytes, size);
    if (!trace_out_close(out, &head))
        fail(strerror(errno));
    free(bytes);
}

static void edit_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    uint8_t *bytes = malloc(MOST);
    size_t size = in && bytes ? fread(bytes, 1, MOST, in) : 0;
    if (!out || size == 0)
        fail("cannot read or write");
    change(bytes, size);
    if (below(3) == 0)
        size = below(size);
    if (fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
        fail(strerror(errno));
    fclose(in);
    free(bytes);
}

int main(int count, char **arguments)
{
    if (count != 4)
        fail("edit FROM TO SEED");
    uint64_t seed = strtoull(arguments[3], NULL, 10);
    state = seed * 77 + 1;
    remove(arguments[2]);
    if (seed % 2)
        edit_file(arguments[1], arguments[2]);
    else
        edit_content(arguments[1], arguments[2]);
    return 0;
}
