/* Reads a report with libyaml, since JSON is YAML too. */
#include "benchmarks/harness/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "benchmarks/harness/node.h"
#include "runtime/yaml_map.h"

static const char *const names[] = {"workload", "input", "device", "variant"};
enum { NAMES = sizeof names / sizeof *names };

static yaml_node_t *node_of(struct rows *rows, size_t row)
{
    yaml_node_t *list = yaml_document_get_root_node(&rows->document);
    return yaml_document_get_node(&rows->document, list->data.sequence.items.start[row]);
}

const char *rows_text(struct rows *rows, size_t row, const char *key)
{
    return yaml_text(yaml_find(&rows->document, node_of(rows, row), key));
}

int rows_number(struct rows *rows, size_t row, const char *key, double *number)
{
    const char *text = rows_text(rows, row, key);
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= 0;
}

int rows_print(FILE *out, struct rows *rows, size_t row)
{
    return node_print(out, &rows->document, node_of(rows, row));
}

size_t rows_find(struct rows *rows, struct rows *of, size_t row)
{
    for (size_t i = 0; i < rows->count; i++) {
        size_t same = 0;
        while (same < NAMES && strcmp(rows_text(rows, i, names[same]), rows_text(of, row, names[same])) == 0)
            same++;
        if (same == NAMES)
            return i;
    }
    return rows->count;
}

/* Every row has its names, and no other row has the same. */
static int check(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t k = 0; k < NAMES; k++)
            if (!*rows_text(rows, i, names[k])) {
                fprintf(stderr, "cmbench: error: %s: row %zu has no %s: not a report of cmbench\n", rows->path, i + 1,
                        names[k]);
                return -1;
            }
        if (rows_find(rows, rows, i) != i) {
            fprintf(stderr, "cmbench: error: %s: row %zu has the names of an earlier one\n", rows->path, i + 1);
            return -1;
        }
    }
    return 0;
}

static int load(struct rows *rows, FILE *file)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        fprintf(stderr, "cmbench: error: %s: out of memory\n", rows->path);
        return -1;
    }
    yaml_parser_set_input_file(&parser, file);
    int loaded = yaml_parser_load(&parser, &rows->document);
    if (!loaded)
        fprintf(stderr, "cmbench: error: %s:%zu: not JSON: %s\n", rows->path, parser.problem_mark.line + 1,
                parser.problem ? parser.problem : "it cannot be read");
    yaml_parser_delete(&parser);
    return loaded ? 0 : -1;
}

int rows_open(struct rows *rows, const char *path)
{
    *rows = (struct rows){.path = path};
    FILE *file = fopen(path, "re");
    if (!file) {
        fprintf(stderr, "cmbench: error: %s: %s\n", path, strerror(errno));
        return -1;
    }
    int status = load(rows, file);
    fclose(file);
    if (status)
        return -1;
    const yaml_node_t *list = yaml_document_get_root_node(&rows->document);
    if (!list || list->type != YAML_SEQUENCE_NODE) {
        fprintf(stderr, "cmbench: error: %s: not a list: not a report of cmbench\n", path);
        rows_close(rows);
        return -1;
    }
    rows->count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    if (check(rows) == 0)
        return 0;
    rows_close(rows);
    return -1;
}

void rows_close(struct rows *rows)
{
    yaml_document_delete(&rows->document);
    rows->count = 0;
}
