/* Ends a worker with its outcome: the last line of its report. */
#include "benchmarks/harness/worker.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static FILE *report; /* of this process; the outcome ends it */

static _Noreturn void finish(const char *outcome, const char *format, va_list list)
{
    char text[1024] = "";
    if (format)
        vsnprintf(text, sizeof text, format, list);
    for (char *at = text; *at; at++) /* the report has lines */
        if ((unsigned char)*at < ' ')
            *at = ' ';
    FILE *to = report ? report : stderr;
    fprintf(to, "%s%s%s\n", outcome, *text ? " " : "", text);
    exit(fclose(to) != 0 || strcmp(outcome, "ok") != 0);
}

void bench_fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    finish("failed", format, list);
}

void bench_skip(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    finish("skipped", format, list);
}

static _Noreturn void finish_now(const char *outcome, ...)
{
    va_list none;
    va_start(none, outcome);
    finish(outcome, NULL, none);
}

_Noreturn void outcome_ok(void)
{
    finish_now("ok");
}

FILE *outcome_open(const char *path)
{
    report = fopen(path, "w");
    if (!report)
        bench_fail("%s: %s", path, strerror(errno));
    return report;
}
