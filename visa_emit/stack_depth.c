/* Computes the depth of a kernel's stack. See stack_depth.h. The code reads these lines of the finalizer's listing:
 *
 *   L_f0_S1:                                                      start of function S1; the kernel comes first
 *       add (1|M0)  r127.2<1>:ud ... 0x8:ud  // vISA_SP += vISA_frameSize        its frame, in units of `unit` bytes
 *       mov (1|M0)  r127.2<1>:ud  0x4:ud                                         the kernel's frame
 *       call (32|M0)  r127.0:ud  L_f1_S2                                         a callee */
#include "visa_emit/stack_depth.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A message of the load/store cache takes bytes, one of the data ports before it owords. */
unsigned stack_depth_unit(const struct platform *platform)
{
    enum { BYTE = 1, OWORD = 16 };
    return platform_has(platform, FEATURE_LSC) ? BYTE : OWORD;
}

struct calls {
    const char *listing;
    unsigned unit;
    uint64_t *frame, *deepest; /* by function number, the kernel is 0; in bytes; `deepest` includes callees */
    bool *entered;             /* it is being followed */
    unsigned count;
};

/* Parses the number of the function in "L_f0_S1" and returns the text after it. NULL: `text` does not begin like that.
 */
static const char *function_number(const char *text, unsigned *number)
{
    char *end;
    if (strncmp(text, "L_f", 3) != 0)
        return NULL;
    strtoul(text + 3, &end, 10);
    if (strncmp(end, "_S", 2) != 0)
        return NULL;
    *number = (unsigned)strtoul(end + 2, &end, 10);
    return end;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Finds `word` in the line, or returns NULL. */
static const char *find_in_line(const char *line, const char *word)
{
    const char *found = strstr(line, word);
    return found && found < next_line(line) ? found : NULL;
}

static bool begins_function(const char *line, unsigned *number)
{
    const char *end = function_number(line, number);
    return end && *end == ':';
}

/* Returns the last hexadecimal number before `end` or the line's end. */
static uint64_t hexadecimal(const char *line, const char *end)
{
    uint64_t number = 0;
    for (const char *at = line; (at = find_in_line(at, "0x")) && (!end || at < end); at += 2)
        number = strtoull(at, NULL, 16);
    return number;
}

/* Returns the frame size in bytes if this line sets up or moves the stack pointer; else 0. */
static uint64_t frame_in_line(const char *line, bool kernel, unsigned unit)
{
    const char *moved = find_in_line(line, "vISA_SP += vISA_frameSize");
    if (moved)
        return unit * hexadecimal(line, moved);
    return kernel && find_in_line(line, " mov (1|M") && find_in_line(line, " r127.2<1>:")
               ? unit * hexadecimal(line, NULL)
               : 0;
}

/* Finds the start of function `number` in the listing. The kernel's own code is at its start. */
static const char *find_function(const struct calls *calls, unsigned number)
{
    unsigned found;
    const char *line = calls->listing;
    while (number && *line && !(begins_function(line, &found) && found == number))
        line = next_line(line);
    return number && *line ? next_line(line) : line;
}

/* Visits a function and its callees. False: the call graph has a cycle. */
static bool follow(struct calls *calls, unsigned number)
{
    unsigned other;
    uint64_t deepest = 0;
    if (calls->deepest[number])
        return true;
    if (calls->entered[number])
        return false;
    calls->entered[number] = true;
    for (const char *line = find_function(calls, number); *line && !begins_function(line, &other);
         line = next_line(line)) {
        const char *call = find_in_line(line, " call ("), *to = call ? find_in_line(call, "L_f") : NULL;
        if (!calls->frame[number])
            calls->frame[number] = frame_in_line(line, number == 0, calls->unit);
        if (!to || !function_number(to, &other) || other >= calls->count)
            continue;
        if (!follow(calls, other))
            return false;
        deepest = calls->deepest[other] > deepest ? calls->deepest[other] : deepest;
    }
    calls->entered[number] = false;
    calls->deepest[number] = calls->frame[number] + deepest;
    return true;
}

uint64_t stack_depth(const char *listing, unsigned unit)
{
    struct calls calls = {.listing = listing, .unit = unit, .count = 1};
    unsigned number;
    uint64_t bytes = 0;
    for (const char *line = listing; *line; line = next_line(line))
        if (begins_function(line, &number) && number >= calls.count && number < UINT16_MAX)
            calls.count = number + 1;
    calls.frame = calloc(calls.count, sizeof *calls.frame);
    calls.deepest = calloc(calls.count, sizeof *calls.deepest);
    calls.entered = calloc(calls.count, sizeof *calls.entered);
    if (calls.count > 1 && calls.frame && calls.deepest && calls.entered && follow(&calls, 0))
        bytes = calls.deepest[0];
    free(calls.frame);
    free(calls.deepest);
    free(calls.entered);
    return bytes;
}
