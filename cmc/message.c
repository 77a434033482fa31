/* Takes message lines apart, and finds the source lines that they are about. */
#include "cmc/message.h"
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/frontend.h"
#include "runtime/file.h"

const char *const cmc_severity_names[] = {[CMC_ERROR] = "error", [CMC_WARNING] = "warning", [CMC_NOTE] = "note"};

/* Finds the first `: SEVERITY: ` of the line. NULL: there is none. */
static const char *find_severity(const char *line, struct cmc_message *out, const char **text)
{
    const char *first = NULL;
    for (unsigned i = 0; i < sizeof cmc_severity_names / sizeof *cmc_severity_names; i++) {
        char mark[16];
        int length = snprintf(mark, sizeof mark, ": %s: ", cmc_severity_names[i]);
        const char *found = strstr(line, mark);
        if (found && (!first || found < first)) {
            first = found;
            *text = found + length;
            out->severity = (enum cmc_severity)i;
        }
    }
    return first;
}

/* Takes a number after the last colon off the end of `place`. 0: there is none. */
static unsigned take_number(char *place)
{
    char *colon = strrchr(place, ':');
    if (!colon || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return 0;
    *colon = 0;
    return (unsigned)strtoul(colon + 1, NULL, 10);
}

static void parse_ranges(const char *at, struct cmc_message *out)
{
    while (out->range_count < CMC_MOST_RANGES) {
        char *middle, *end;
        unsigned long first = strtoul(at, &middle, 10);
        if (middle == at || *middle != '-')
            return;
        unsigned long last = strtoul(middle + 1, &end, 10);
        if (end == middle + 1)
            return;
        out->ranges[out->range_count++] = (struct cmc_range){(unsigned)first, (unsigned)last};
        at = end + (*end == ',');
    }
}

bool cmc_message_parse(const char *line, struct cmc_message *out)
{
    assert(line && out);
    const char *text;
    *out = (struct cmc_message){0};
    const char *end = find_severity(line, out, &text);
    if (!end)
        return false;
    out->place = cmc_checked(strndup(line, (size_t)(end - line)));
    out->line = take_number(out->place);
    unsigned before = out->line ? take_number(out->place) : 0;
    if (before) {
        out->column = out->line;
        out->line = before;
    }
    const char *ranges = strchr(text, FRONTEND_RANGES);
    out->text = cmc_checked(ranges ? strndup(text, (size_t)(ranges - text)) : strdup(text));
    if (ranges)
        parse_ranges(ranges + 1, out);
    return true;
}

void cmc_message_free(struct cmc_message *message)
{
    free(message->place);
    free(message->text);
}

static const char *text_of(struct cmc_sources *sources, const char *path, size_t *size)
{
    if (sources->standard_name && strcmp(path, sources->standard_name) == 0) {
        *size = sources->standard_size;
        return sources->standard_text;
    }
    if (!sources->path || strcmp(sources->path, path) != 0) {
        void *text = NULL;
        cmc_sources_free(sources);
        sources->path = cmc_checked(strdup(path));
        if (file_read(path, &text, &sources->size) == 0)
            sources->text = text;
    }
    *size = sources->size;
    return sources->text;
}

const char *cmc_source_line(struct cmc_sources *sources, const char *path, unsigned number, size_t *length)
{
    assert(number >= 1 && length);
    size_t size;
    const char *text = text_of(sources, path, &size), *end = text + size;
    for (; text && --number; text += text != NULL)
        text = memchr(text, '\n', (size_t)(end - text));
    if (!text || text == end)
        return NULL;
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    *length = (size_t)((newline ? newline : end) - text);
    *length -= *length && text[*length - 1] == '\r';
    return text;
}

void cmc_sources_free(struct cmc_sources *sources)
{
    free(sources->path);
    free(sources->text);
    sources->path = sources->text = NULL;
    sources->size = 0;
}
