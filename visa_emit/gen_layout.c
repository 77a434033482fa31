/* Finds instruction boundaries and the local id load in Gen code. See gen_layout.h. The code reads these lines of the
 * finalizer's listing:
 *
 *   per_thread_prolog:                 the block that loads the local ids; code begins with it
 *   (W)     mov (8|M0)  ...            its instructions: lines that begin with a blank or a predicate
 *   // B001: Preds:{B000}, ...         any other line ends it */
#include "visa_emit/gen_layout.h"

#include <string.h>

/* Bit 29 of the first dword marks compacted instructions on every generation. */
static size_t instruction_bytes(const uint8_t *instruction)
{
    return instruction[3] & 0x20 ? 8 : 16;
}

unsigned gen_instruction_count(const uint8_t *code, size_t size)
{
    unsigned count = 0;
    size_t at = 0;
    for (; at + 8 <= size; count++)
        at += instruction_bytes(code + at);
    return at == size ? count : 0;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

unsigned gen_local_id_load_bytes(const char *listing, const uint8_t *code, size_t size)
{
    size_t at = 0;
    const char *block = strstr(listing, "\nper_thread_prolog:");
    if (!block)
        return 0;
    for (const char *line = next_line(block + 1); *line == ' ' || *line == '('; line = next_line(line))
        if (at + 8 <= size)
            at += instruction_bytes(code + at);
    return (unsigned)at;
}
