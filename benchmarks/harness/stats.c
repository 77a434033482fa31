/* Reads gensim's statistics with libyaml, since JSON is YAML too. */
#include "benchmarks/harness/suite.h"
#include "runtime/yaml_map.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number(yaml_document_t *document, const yaml_node_t *map, const char *key)
{
    return strtoull(yaml_text(yaml_find(document, map, key)), NULL, 10);
}

/* Sums the bytes of all surfaces except local memory, which is on the chip. */
static void add_bytes(yaml_document_t *document, const yaml_node_t *surfaces, struct result *result)
{
    if (!surfaces || surfaces->type != YAML_MAPPING_NODE)
        return;
    for (yaml_node_pair_t *pair = surfaces->data.mapping.pairs.start; pair < surfaces->data.mapping.pairs.top; pair++) {
        const yaml_node_t *surface = yaml_document_get_node(document, pair->value);
        if (strcmp(yaml_text(yaml_document_get_node(document, pair->key)), "slm") == 0)
            continue;
        result->bytes_read += number(document, surface, "read");
        result->bytes_written += number(document, surface, "written");
    }
}

static void add_messages(yaml_document_t *document, const yaml_node_t *messages, struct result *result)
{
    if (!messages || messages->type != YAML_MAPPING_NODE)
        return;
    for (yaml_node_pair_t *pair = messages->data.mapping.pairs.start; pair < messages->data.mapping.pairs.top; pair++)
        result->messages += strtoull(yaml_text(yaml_document_get_node(document, pair->value)), NULL, 10);
}

/* Reads the timing model's figures for the kernel's launches. The class is that of the kernel that takes longest. */
static void add_timing(yaml_document_t *document, const yaml_node_t *timing, struct result *result)
{
    if (!timing)
        return;
    const yaml_node_t *drawn = yaml_find(document, timing, "drawn_ns");
    double ns = strtod(yaml_text(yaml_find(document, timing, "GpuTime")), NULL);
    if (!result->timed || 2 * ns > result->time_ns) {
        snprintf(result->dominant, sizeof result->dominant, "%s", yaml_text(yaml_find(document, timing, "dominant")));
        result->error = strtod(yaml_text(yaml_find(document, timing, "error")), NULL);
    }
    result->timed = 1;
    result->time_ns += ns;
    result->cycles += strtod(yaml_text(yaml_find(document, timing, "GpuCoreClocks")), NULL);
    result->draws = 0;
    if (!drawn || drawn->type != YAML_SEQUENCE_NODE)
        return;
    for (yaml_node_item_t *item = drawn->data.sequence.items.start;
         item < drawn->data.sequence.items.top && result->draws < BENCH_MOST_DRAWS; item++)
        result->drawn_ns[result->draws++] += strtod(yaml_text(yaml_document_get_node(document, *item)), NULL);
}

static int add_kernels(yaml_document_t *document, const char *name, struct result *result)
{
    const yaml_node_t *list = yaml_find(document, yaml_document_get_root_node(document), "kernels");
    int found = 0;
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return -1;
    for (yaml_node_item_t *item = list->data.sequence.items.start; item < list->data.sequence.items.top; item++) {
        const yaml_node_t *kernel = yaml_document_get_node(document, *item);
        if (strcmp(yaml_text(yaml_find(document, kernel, "kernel")), name) != 0)
            continue;
        result->instructions += number(document, kernel, "instructions");
        add_bytes(document, yaml_find(document, kernel, "surfaces"), result);
        add_messages(document, yaml_find(document, kernel, "messages"), result);
        add_timing(document, yaml_find(document, kernel, "timing"), result);
        found++;
    }
    return found ? 0 : -1;
}

int stats_add(const char *path, const char *kernel, struct result *result)
{
    yaml_parser_t parser;
    yaml_document_t document;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    int status = -1;
    if (yaml_parser_initialize(&parser)) {
        yaml_parser_set_input_file(&parser, file);
        if (yaml_parser_load(&parser, &document)) {
            status = add_kernels(&document, kernel, result);
            yaml_document_delete(&document);
        }
        yaml_parser_delete(&parser);
    }
    fclose(file);
    return status;
}
