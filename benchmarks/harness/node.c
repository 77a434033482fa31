/* Writes documents that libyaml has read as JSON. */
#include "benchmarks/harness/node.h"

#include <stdlib.h>
#include <string.h>
#include "text/json.h"

enum { DEEPEST = 4 };

/* Numbers, true, false and null have no quotes. */
static void print_scalar(FILE *out, const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    char *end;
    (void)strtod(text, &end);
    int word = strcmp(text, "true") == 0 || strcmp(text, "false") == 0 || strcmp(text, "null") == 0;
    if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && (word || (*text && !*end)))
        fputs(text, out);
    else
        json_string(text, out);
}

static int print(FILE *out, yaml_document_t *document, const yaml_node_t *node, int depth);

static int print_number(FILE *out, yaml_document_t *document, int node, int depth)
{
    return print(out, document, yaml_document_get_node(document, node), depth + 1);
}

static int print_map(FILE *out, yaml_document_t *document, const yaml_node_t *node, int depth)
{
    int status = 0;
    fputc('{', out);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        fputs(pair == node->data.mapping.pairs.start ? "" : ", ", out);
        status |= print_number(out, document, pair->key, depth);
        fputs(": ", out);
        status |= print_number(out, document, pair->value, depth);
    }
    fputc('}', out);
    return status;
}

static int print_list(FILE *out, yaml_document_t *document, const yaml_node_t *node, int depth)
{
    const yaml_node_item_t *first = node->data.sequence.items.start, *end = node->data.sequence.items.top;
    int status = 0;
    fputc('[', out);
    for (const yaml_node_item_t *item = first; item < end; item++) {
        fputs(item == first ? "" : ", ", out);
        status |= print_number(out, document, *item, depth);
    }
    fputc(']', out);
    return status;
}

static int print(FILE *out, yaml_document_t *document, const yaml_node_t *node, int depth)
{
    if (!node || depth > DEEPEST)
        return -1;
    if (node->type == YAML_MAPPING_NODE)
        return print_map(out, document, node, depth);
    if (node->type == YAML_SEQUENCE_NODE)
        return print_list(out, document, node, depth);
    print_scalar(out, node);
    return 0;
}

int node_print(FILE *out, yaml_document_t *document, const yaml_node_t *node)
{
    return print(out, document, node, 0);
}
