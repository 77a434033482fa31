/* Reads and writes the database of `cmbench tune` with libyaml, since a line of JSON is YAML too. */
#include "benchmarks/harness/tunings.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "runtime/yaml_map.h"
#include "text/json.h"

const char *const tuned_names[TUNED_COUNT] = {"open", "right", "spills", "unbuilt", "failed", "skipped"};

static const char *const head_keys[TUNINGS_WORDS] = {"workload", "input", "machine", "build", "with"};
static const char format_key[] = "cmbench tune", format_version[] = "1";

static int fail(const struct tunings *tunings, const char *what)
{
    fprintf(stderr, "cmbench: error: %s: %s\n", tunings->path, what);
    return -1;
}

static struct tuning *add_item(struct tunings *tunings)
{
    if (tunings->count == tunings->room) {
        size_t room = tunings->room ? 2 * tunings->room : 64;
        struct tuning *items = realloc(tunings->items, room * sizeof *items);
        if (!items) {
            fail(tunings, "out of memory");
            return NULL;
        }
        tunings->items = items;
        tunings->room = room;
    }
    return memset(&tunings->items[tunings->count++], 0, sizeof *tunings->items);
}

const struct tuning *tunings_find(const struct tunings *tunings, const char *point)
{
    for (size_t i = 0; i < tunings->count; i++)
        if (strcmp(tunings->items[i].point, point) == 0)
            return &tunings->items[i];
    return NULL;
}

/* Writing. */

static void print_head(FILE *out, const struct tunings_head *head)
{
    fprintf(out, "{\"%s\": %s", format_key, format_version);
    for (size_t i = 0; i < TUNINGS_WORDS; i++) {
        fprintf(out, ", \"%s\": ", head_keys[i]);
        json_string(head->word[i], out);
    }
    fputs("}\n", out);
}

static void print_tuning(FILE *out, const struct tuning *tuning)
{
    fprintf(out, "{\"point\": \"%s\", \"outcome\": \"%s\", \"registers\": %d, \"spills\": %d", tuning->point,
            tuned_names[tuning->outcome], tuning->registers, tuning->spills);
    if (tuning->outcome == TUNED_RIGHT)
        fprintf(out, ", \"time_ns\": %.0f, \"cycles\": %.0f, \"instructions\": %" PRIu64, tuning->time_ns,
                tuning->cycles, tuning->instructions);
    if (*tuning->reason) {
        fputs(", \"reason\": ", out);
        json_string(tuning->reason, out);
    }
    fputs("}\n", out);
}

/* Appends the line, or nothing. */
static int append(struct tunings *tunings, const char *text, size_t size)
{
    off_t before = lseek(tunings->file, 0, SEEK_END);
    size_t done = 0;
    ssize_t part = 0;
    while (before >= 0 && done < size && (part = write(tunings->file, text + done, size - done)) > 0)
        done += (size_t)part;
    if (done == size && fdatasync(tunings->file) == 0)
        return 0;
    int why = errno;
    if (before < 0 || ftruncate(tunings->file, before) != 0)
        return fail(tunings, strerror(why)); /* the next one cuts the half line off */
    return fail(tunings, strerror(why));
}

/* Prints the head, or a tuning unless it is NULL, and appends it. */
static int append_line(struct tunings *tunings, const struct tuning *tuning)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return fail(tunings, "out of memory");
    if (tuning)
        print_tuning(out, tuning);
    else
        print_head(out, &tunings->head);
    int status = fclose(out) ? fail(tunings, "out of memory") : append(tunings, text, size);
    free(text);
    return status;
}

int tunings_add(struct tunings *tunings, const struct tuning *tuning)
{
    assert(!tunings_find(tunings, tuning->point) && tuning->outcome != TUNED_OPEN);
    return append_line(tunings, tuning) ? -1 : tunings_keep(tunings, tuning);
}

int tunings_keep(struct tunings *tunings, const struct tuning *tuning)
{
    struct tuning *item = add_item(tunings);
    if (!item)
        return -1;
    *item = *tuning;
    return 0;
}

char *tunings_text(const struct tunings *tunings, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    print_head(out, &tunings->head);
    for (size_t i = 0; i < tunings->count; i++)
        print_tuning(out, &tunings->items[i]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Reading. */

const char *tunings_difference(const struct tunings_head *one, const struct tunings_head *other)
{
    static const char *const names[TUNINGS_WORDS] = {"another workload", "another input", "another machine",
                                                     "other compilers, kernels or constants of time",
                                                     "other compilers"};
    for (size_t i = 0; i < TUNINGS_WORDS; i++)
        if (strcmp(one->word[i], other->word[i]) != 0)
            return names[i];
    return NULL;
}

static int not_a_line(const struct tunings *tunings, size_t line)
{
    fprintf(stderr, "cmbench: error: %s:%zu: not a line of cmbench tune\n", tunings->path, line);
    return -1;
}

static int read_head(struct tunings *tunings, yaml_document_t *document, const yaml_node_t *map)
{
    const char *version = yaml_text(yaml_find(document, map, format_key));
    if (!*version)
        return not_a_line(tunings, 1);
    if (strcmp(version, format_version) != 0)
        return fail(tunings, "a database of another version of cmbench tune; name another file");
    for (size_t i = 0; i < TUNINGS_WORDS; i++) {
        const char *text = yaml_text(yaml_find(document, map, head_keys[i]));
        if (!*text || strlen(text) >= sizeof tunings->head.word[i])
            return not_a_line(tunings, 1);
        strcpy(tunings->head.word[i], text);
    }
    return 0;
}

static double number(yaml_document_t *document, const yaml_node_t *map, const char *key)
{
    const char *text = yaml_text(yaml_find(document, map, key));
    char *end;
    double value = strtod(text, &end);
    return end != text && !*end ? value : -1;
}

static enum tuned outcome_of(const char *name)
{
    for (size_t i = TUNED_OPEN + 1; i < TUNED_COUNT; i++)
        if (strcmp(tuned_names[i], name) == 0)
            return (enum tuned)i;
    return TUNED_OPEN;
}

static int read_tuning(struct tunings *tunings, yaml_document_t *document, const yaml_node_t *map, size_t line)
{
    const char *point = yaml_text(yaml_find(document, map, "point"));
    const enum tuned outcome = outcome_of(yaml_text(yaml_find(document, map, "outcome")));
    double registers = number(document, map, "registers"), spills = number(document, map, "spills");
    double time = number(document, map, "time_ns"), instructions = number(document, map, "instructions");
    if (!*point || strlen(point) >= sizeof tunings->items->point || outcome == TUNED_OPEN || registers > 4096 ||
        spills > 1e9 || (outcome == TUNED_RIGHT && (!(time > 0) || !(instructions >= 0 && instructions < 1e18))))
        return not_a_line(tunings, line);
    if (tunings_find(tunings, point)) {
        fprintf(stderr, "cmbench: error: %s:%zu: a second line of point %s\n", tunings->path, line, point);
        return -1;
    }
    struct tuning *item = add_item(tunings);
    if (!item)
        return -1;
    strcpy(item->point, point);
    item->outcome = outcome;
    item->registers = (int)registers;
    item->spills = (int)spills;
    item->time_ns = time > 0 ? time : 0;
    item->cycles = number(document, map, "cycles");
    item->instructions = instructions > 0 ? (uint64_t)instructions : 0;
    snprintf(item->reason, sizeof item->reason, "%s", yaml_text(yaml_find(document, map, "reason")));
    return 0;
}

static int read_line(struct tunings *tunings, const char *text, size_t size, size_t line)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        return fail(tunings, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    int loaded = yaml_parser_load(&parser, &document), status = -1;
    const yaml_node_t *map = loaded ? yaml_document_get_root_node(&document) : NULL;
    if (!map || map->type != YAML_MAPPING_NODE)
        not_a_line(tunings, line);
    else
        status = line == 1 ? read_head(tunings, &document, map) : read_tuning(tunings, &document, map, line);
    if (loaded)
        yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    return status;
}

/* Reads all complete lines; returns the bytes of these, -1 after a message. */
static ssize_t read_lines(struct tunings *tunings, const char *text, size_t size)
{
    size_t at = 0, line = 0;
    for (const char *end; at < size && (end = memchr(text + at, '\n', size - at)); at = (size_t)(end - text) + 1)
        if (read_line(tunings, text + at, (size_t)(end - text) - at, ++line))
            return -1;
    return (ssize_t)at;
}

/* Reads the whole file into memory; NULL after a message. */
static char *read_all(const struct tunings *tunings, size_t *size)
{
    off_t bytes = lseek(tunings->file, 0, SEEK_END);
    char *text = bytes >= 0 ? malloc((size_t)bytes + 1) : NULL;
    ssize_t part = 1;
    *size = 0;
    while (text && *size < (size_t)bytes && part > 0) {
        part = pread(tunings->file, text + *size, (size_t)bytes - *size, (off_t)*size);
        *size += part > 0 ? (size_t)part : 0;
    }
    if (text && part >= 0)
        return text;
    fail(tunings, bytes < 0 || part < 0 ? strerror(errno) : "out of memory");
    free(text);
    return NULL;
}

/* Reads the file; `cut`: an incomplete last line is cut off. */
static int load(struct tunings *tunings, int cut)
{
    size_t size;
    char *text = read_all(tunings, &size);
    ssize_t complete = text ? read_lines(tunings, text, size) : -1;
    free(text);
    if (complete < 0)
        return -1;
    if (cut && (size_t)complete < size && ftruncate(tunings->file, complete) != 0)
        return fail(tunings, strerror(errno));
    return complete ? 0 : 1;
}

static int check_head(const struct tunings *tunings, const struct tunings_head *head)
{
    const char *difference = tunings_difference(&tunings->head, head);
    if (!difference)
        return 0;
    fprintf(stderr, "cmbench: error: %s: measured with %s (%s, %s on %s; %s); name another file with --database\n",
            tunings->path, difference, tunings->head.word[TUNINGS_WORKLOAD], tunings->head.word[TUNINGS_INPUT],
            tunings->head.word[TUNINGS_MACHINE], tunings->head.word[TUNINGS_WITH]);
    return -1;
}

static int open_new(struct tunings *tunings, const struct tunings_head *head)
{
    tunings->head = *head;
    return append_line(tunings, NULL);
}

/* Locks the file. A file that is no database stays as it is. */
static int prepare(struct tunings *tunings, const struct tunings_head *head)
{
    if (flock(tunings->file, LOCK_EX | LOCK_NB) != 0)
        return fail(tunings, errno == EWOULDBLOCK ? "another cmbench tune uses it" : strerror(errno));
    int status = load(tunings, 0);
    if (status < 0 || (status == 0 && check_head(tunings, head)))
        return -1;
    tunings->count = 0;
    return load(tunings, 1) == 0 ? 0 : open_new(tunings, head);
}

int tunings_open(struct tunings *tunings, const char *path, const struct tunings_head *head)
{
    *tunings = (struct tunings){.path = path};
    tunings->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (tunings->file < 0)
        return fail(tunings, strerror(errno));
    if (prepare(tunings, head) == 0)
        return 0;
    tunings_close(tunings);
    return -1;
}

int tunings_read(struct tunings *tunings, const char *path)
{
    *tunings = (struct tunings){.path = path};
    tunings->file = open(path, O_RDONLY | O_CLOEXEC);
    if (tunings->file < 0)
        return fail(tunings, strerror(errno));
    int status = load(tunings, 0);
    if (status == 0)
        return 0;
    if (status > 0)
        fail(tunings, "no complete line: not a database of cmbench tune");
    tunings_close(tunings);
    return -1;
}

void tunings_close(struct tunings *tunings)
{
    if (tunings->file >= 0)
        close(tunings->file);
    free(tunings->items);
    *tunings = (struct tunings){.file = -1};
}
