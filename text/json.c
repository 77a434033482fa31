/* Prints strings of JSON. */
#include "text/json.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 character at `at`, of which `left` bytes are there; 0: it is none. */
static size_t character_bytes(const unsigned char *at, size_t left)
{
    size_t bytes = *at < 0x80                  ? 1
                   : *at >= 0xc2 && *at < 0xe0 ? 2
                   : *at >= 0xe0 && *at < 0xf0 ? 3
                   : *at >= 0xf0 && *at < 0xf5 ? 4
                                               : 0;
    if (bytes > left)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xf0 && at[1] < 0x90);
    bool outside = (*at == 0xed && at[1] > 0x9f) || (*at == 0xf4 && at[1] > 0x8f);
    return overlong || outside ? 0 : bytes;
}

void json_bytes(const char *text, size_t size, FILE *out)
{
    assert((text || !size) && out);
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    fputc('"', out);
    while (at < end) {
        size_t bytes = character_bytes(at, (size_t)(end - at));
        if (!bytes)
            fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < ' ')
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, bytes, out);
        at += bytes ? bytes : 1;
    }
    fputc('"', out);
}

void json_string(const char *text, FILE *out)
{
    assert(text);
    json_bytes(text, strlen(text), out);
}
