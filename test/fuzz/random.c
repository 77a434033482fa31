/* Makes random numbers that depend on the seed alone, and text from them. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "generator.h"

static uint64_t state;
static enum kinds drawn;

void random_start(unsigned long long seed, enum kinds kinds)
{
    state = seed;
    drawn = kinds;
}

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

int random_below(int below)
{
    return below > 1 ? (int)((next() >> 33) % (unsigned)below) : 0;
}

bool chance(int percent)
{
    return random_below(100) < percent;
}

bool rich_chance(int percent)
{
    return drawn >= RICH_KINDS && chance(percent);
}

bool wide_chance(int percent)
{
    return drawn >= WIDE_KINDS && chance(percent);
}

bool full_chance(int percent)
{
    return drawn >= FULL_KINDS && chance(percent);
}

const char *text(const char *format, ...)
{
    /* All text is kept: a program takes a few hundred kilobytes. */
    static struct kept {
        struct kept *next;
        char text[];
    } *all;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    struct kept *kept = length < 0 ? NULL : malloc(sizeof *kept + (size_t)length + 1);
    if (!kept) {
        fputs("generate: error: out of memory\n", stderr);
        exit(1);
    }
    va_start(arguments, format);
    vsnprintf(kept->text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    kept->next = all;
    all = kept;
    return kept->text;
}
