#include "sim/check/document.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/path.h"
#include "text/json.h"

/* A place: its part of the JSON document but for the count, and its suppression. */
struct entry {
    char *json;
    uint64_t count;
    char suppression[384];
};

static struct {
    char *report, *suppressions; /* files, NULL: not wanted */
    struct entry *entries;
    unsigned count;
} all;

const char *check_document_start(const char *report, const char *suppressions)
{
    all.report = report ? sim_expand_path(report) : NULL;
    all.suppressions = suppressions ? sim_expand_path(suppressions) : NULL;
    return (report && !all.report) || (suppressions && !all.suppressions) ? "no memory for the names of reports" : NULL;
}

void check_document_forget(void)
{
    all.count = 0; /* the parent writes them; the memory is small */
}

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, ", \"%s\": ", name);
    json_string(text, out);
}

/* "scale.cl:7" as a file and a number. */
static void put_source(FILE *out, const char *source)
{
    const char *colon = strrchr(source, ':');
    char file[192];
    if (!colon)
        return;
    snprintf(file, sizeof file, "%.*s", (int)(colon - source), source);
    put_member(out, "file", file);
    fprintf(out, ", \"line\": %ld", strtol(colon + 1, NULL, 10));
}

static void put_site(FILE *out, const char *did, const struct check_site *site, const struct check_location *place)
{
    fputs("{\"did\": ", out);
    json_string(did, out);
    put_member(out, "kernel", place->kernel);
    if (site->ip == CHECK_NO_CODE) {
        fputc('}', out);
        return;
    }
    fprintf(out, ", \"group\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "], \"thread\": %" PRIu32 ", \"offset\": %" PRIu32,
            place->group[0], place->group[1], place->group[2], site->thread, site->ip);
    if (site->lane != CHECK_NO_LANE)
        fprintf(out, ", \"lane\": %d", site->lane);
    put_member(out, "instruction", place->instruction);
    put_source(out, place->source);
    fputc('}', out);
}

static char *make_json(const struct check_finding *f, const struct check_location *place,
                       const struct check_location *other)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("{\"check\": ", out);
    json_string(sim_check_name(f->kind), out);
    put_member(out, "what", f->what);
    if (f->address[0])
        put_member(out, "address", f->address);
    fputs(",\n     \"sites\": [", out);
    put_site(out, f->did, &f->site, place);
    if (other) {
        fputs(",\n               ", out);
        put_site(out, f->other_did, &f->other, other);
    }
    fputs("]", out);
    return fclose(out) == 0 ? text : NULL;
}

void check_document_add(const struct check_finding *finding, const struct check_location *place,
                        const struct check_location *other)
{
    struct entry *entries = realloc(all.entries, (all.count + 1) * sizeof *entries);
    if (!entries)
        return;
    all.entries = entries;
    struct entry *entry = &entries[all.count++];
    *entry = (struct entry){.json = make_json(finding, place, other), .count = 1};
    check_suppression_line(finding->kind, place, entry->suppression, sizeof entry->suppression);
}

void check_document_count(unsigned number)
{
    if (number < all.count)
        all.entries[number].count++;
}

static void put_places(FILE *out, uint64_t findings)
{
    fprintf(out, "{\"version\": 1, \"findings\": %" PRIu64 ",\n \"places\": [", findings);
    for (unsigned i = 0; i < all.count; i++) {
        const struct entry *entry = &all.entries[i];
        fprintf(out, "%s\n    %s,\n     \"count\": %" PRIu64, i ? "," : "", entry->json ? entry->json : "{",
                entry->count);
        put_member(out, "suppression", entry->suppression);
        fputc('}', out);
    }
    fputs("]}\n", out);
}

/* Writes each line once: several places in the code may be at one line of the source. */
static void put_suppressions(FILE *out, uint64_t findings)
{
    (void)findings;
    for (unsigned i = 0; i < all.count; i++) {
        unsigned same = 0;
        while (strcmp(all.entries[same].suppression, all.entries[i].suppression) != 0)
            same++;
        if (same == i)
            fprintf(out, "%s\n", all.entries[i].suppression);
    }
}

/* The program's own result stands: a file that cannot be written is a line, no more. */
static void write_file(const char *path, void (*put)(FILE *, uint64_t), uint64_t findings)
{
    FILE *out = path ? fopen(path, "we") : NULL;
    if (!path)
        return;
    if (out)
        put(out, findings);
    if (!out || fclose(out) != 0)
        fprintf(stderr, "gensim: check: cannot write %s: %s\n", path, strerror(errno));
}

void check_document_write(uint64_t findings)
{
    write_file(all.report, put_places, findings);
    write_file(all.suppressions, put_suppressions, findings);
}
