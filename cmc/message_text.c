/* Writes messages for people: as Clang does, with the source line and a caret below it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/message.h"

enum { TAB_STOP = 8, LONGEST_LINE = 1000 };

#define PLAIN "\33[0m"
#define BOLD  "\33[1m"
#define CARET "\33[0;1;32m"
static const char *const severity_colours[] = {
    [CMC_ERROR] = "\33[0;1;31m", [CMC_WARNING] = "\33[0;1;35m", [CMC_NOTE] = "\33[0;1;36m"};

static void print_head(const struct cmc_message *m, bool colours, FILE *out)
{
    fprintf(out, "%s%s", colours ? BOLD : "", m->place);
    if (m->line)
        fprintf(out, ":%u", m->line);
    if (m->column)
        fprintf(out, ":%u", m->column);
    fprintf(out, ": %s%s: ", colours ? severity_colours[m->severity] : "", cmc_severity_names[m->severity]);
    const char *text_colour = !colours ? "" : m->severity == CMC_NOTE ? PLAIN : PLAIN BOLD;
    fprintf(out, "%s%s%s\n", text_colour, m->text, colours ? PLAIN : "");
}

/* The marks below a line: blanks, ~ below ranges, ^ below the column. `column` counts bytes from 1. */
static char mark_of(const struct cmc_message *m, unsigned column)
{
    if (column == m->column)
        return '^';
    for (unsigned i = 0; i < m->range_count; i++)
        if (column >= m->ranges[i].first && column <= m->ranges[i].last)
            return '~';
    return ' ';
}

/* Writes one byte as it is shown, and how wide that is: tabs are blanks, and terminals must not obey what the source
 * holds. */
static unsigned show_byte(unsigned char byte, unsigned at, FILE *out)
{
    unsigned width = 1;
    if (byte == '\t') {
        width = TAB_STOP - at % TAB_STOP;
        fprintf(out, "%*s", (int)width, "");
    } else if (byte < ' ' || byte == 0x7f) {
        width = (unsigned)fprintf(out, "<U+%04X>", byte);
    } else {
        fputc(byte, out);
        width = (byte & 0xc0) != 0x80; /* a character of several bytes is one wide */
    }
    return width;
}

static void print_line(const struct cmc_message *m, const char *line, size_t length, bool colours, FILE *out)
{
    char *marks = NULL;
    size_t size = 0;
    FILE *below = cmc_checked(open_memstream(&marks, &size));
    fprintf(out, " %4u | ", m->line);
    unsigned at = 0;
    for (size_t i = 0; i <= length; i++) {
        unsigned width = i < length ? show_byte((unsigned char)line[i], at, out) : 1;
        char mark = mark_of(m, (unsigned)i + 1);
        for (unsigned k = 0; k < width; k++)
            fputc(mark == '^' && k ? ' ' : mark, below);
        at += width;
    }
    fclose(below);
    while (size && marks[size - 1] == ' ')
        marks[--size] = 0;
    if (size && m->column)
        fprintf(out, "\n      | %s%s%s", colours ? CARET : "", marks, colours ? PLAIN : "");
    fputc('\n', out);
    free(marks);
}

void cmc_message_print(const struct cmc_message *message, bool colours, struct cmc_sources *sources, FILE *out)
{
    assert(message->severity <= CMC_NOTE && message->range_count <= CMC_MOST_RANGES);
    size_t length;
    print_head(message, colours, out);
    const char *line =
        sources && message->line ? cmc_source_line(sources, message->place, message->line, &length) : NULL;
    if (line && length <= LONGEST_LINE)
        print_line(message, line, length, colours, out);
}
