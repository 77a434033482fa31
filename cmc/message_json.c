/* Writes messages for programs: GCC's JSON, and SARIF 2.1.0. */
#include <assert.h>
#include <string.h>
#include "cmc/message.h"
#include "text/json.h"

/* The warning option that a text ends in, [-WNAME]: its name without the brackets. False: none. */
static bool option_of(const char *text, char *name, size_t size)
{
    const char *open = strrchr(text, '[');
    size_t length = open ? strlen(open) : 0;
    if (!open || strncmp(open, "[-W", 3) != 0 || open[length - 1] != ']' || length - 1 > size)
        return false;
    memcpy(name, open + 1, length - 2);
    name[length - 2] = 0;
    return true;
}

static void print_point(const char *name, const struct cmc_message *m, unsigned column, FILE *out)
{
    fprintf(out, "\"%s\": {\"file\": ", name);
    json_string(m->place, out);
    fprintf(out, ", \"line\": %u, \"column\": %u, \"byte-column\": %u}", m->line, column, column);
}

static void print_gcc_locations(const struct cmc_message *m, FILE *out)
{
    fputs("\"locations\": [", out);
    if (m->line) {
        fputc('{', out);
        print_point("caret", m, m->column, out);
        fputc('}', out);
    }
    for (unsigned i = 0; m->line && i < m->range_count; i++) {
        fputs(", {", out);
        print_point("caret", m, m->ranges[i].first, out);
        fputs(", ", out);
        print_point("finish", m, m->ranges[i].last, out);
        fputc('}', out);
    }
    fputs("]", out);
}

static void print_gcc_message(const struct cmc_message *m, FILE *out)
{
    char option[128];
    fprintf(out, "{\"kind\": \"%s\", \"message\": ", cmc_severity_names[m->severity]);
    json_string(m->text, out);
    if (option_of(m->text, option, sizeof option)) {
        fputs(", \"option\": ", out);
        json_string(option, out);
    }
    fputs(", ", out);
    print_gcc_locations(m, out);
}

/* Number of notes that follow message `i`. */
static size_t notes_behind(const struct cmc_message *messages, size_t count, size_t i)
{
    size_t notes = 0;
    while (i + 1 + notes < count && messages[i + 1 + notes].severity == CMC_NOTE)
        notes++;
    return notes;
}

void cmc_messages_json(const struct cmc_message *messages, size_t count, FILE *out)
{
    assert((messages || !count) && out);
    fputc('[', out);
    for (size_t i = 0, notes; i < count; i += 1 + notes) {
        notes = notes_behind(messages, count, i);
        fputs(i ? ",\n " : "", out);
        print_gcc_message(&messages[i], out);
        fputs(", \"children\": [", out);
        for (size_t k = 1; k <= notes; k++) {
            fputs(k > 1 ? ", " : "", out);
            print_gcc_message(&messages[i + k], out);
            fputc('}', out);
        }
        fputs("]}", out);
    }
    fputs("]\n", out);
}

static bool needs_escape(unsigned char c)
{
    return c <= ' ' || c >= 0x7f || strchr("%\"<>\\^`{|}?#", c);
}

/* Writes a path as a URI: file:// for absolute ones, else relative to the folder of the run. */
static void print_uri(const char *path, FILE *out)
{
    fputs(*path == '/' ? "\"file://" : "\"", out);
    for (; *path; path++) {
        if (needs_escape((unsigned char)*path))
            fprintf(out, "%%%02X", (unsigned char)*path);
        else
            fputc(*path, out);
    }
    fputc('"', out);
}

static void print_sarif_location(const struct cmc_message *m, FILE *out)
{
    fputs("\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", out);
    print_uri(m->place, out);
    fprintf(out, "}, \"region\": {\"startLine\": %u", m->line);
    if (m->column)
        fprintf(out, ", \"startColumn\": %u", m->column);
    fputs("}}", out);
}

static void print_sarif_text(const struct cmc_message *m, FILE *out)
{
    fputs("\"message\": {\"text\": ", out);
    json_string(m->text, out);
    fputc('}', out);
}

static void print_sarif_notes(const struct cmc_message *notes, size_t count, FILE *out)
{
    fputs(", \"relatedLocations\": [", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{", i ? ", " : "");
        print_sarif_text(&notes[i], out);
        if (notes[i].line) {
            fputs(", ", out);
            print_sarif_location(&notes[i], out);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_sarif_result(const struct cmc_message *m, size_t notes, FILE *out)
{
    char option[128];
    fprintf(out, "{\"level\": \"%s\", ", cmc_severity_names[m->severity]);
    if (option_of(m->text, option, sizeof option)) {
        fputs("\"ruleId\": ", out);
        json_string(option, out);
        fputs(", ", out);
    }
    print_sarif_text(m, out);
    if (m->line) {
        fputs(", \"locations\": [{", out);
        print_sarif_location(m, out);
        fputs("}]", out);
    }
    if (notes)
        print_sarif_notes(m + 1, notes, out);
    fputc('}', out);
}

void cmc_messages_sarif(const struct cmc_message *messages, size_t count, FILE *out)
{
    assert((messages || !count) && out);
    fputs("{\"$schema\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/cos02/schemas/sarif-schema-2.1.0.json\",\n"
          " \"version\": \"2.1.0\",\n"
          " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"cmc\", \"fullName\": \"cmc (cmkit)\", \"version\": "
          "\"" CMKIT_VERSION "\"}},\n  \"columnKind\": \"unicodeCodePoints\",\n  \"results\": [",
          out);
    for (size_t i = 0, notes; i < count; i += 1 + notes) {
        notes = notes_behind(messages, count, i);
        fputs(i ? ",\n   " : "\n   ", out);
        print_sarif_result(&messages[i], notes, out);
    }
    fputs("]}]}\n", out);
}
