#include "runtime/yaml_map.h"

#include <string.h>

const char *yaml_text(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

yaml_node_t *yaml_find(yaml_document_t *document, const yaml_node_t *map, const char *key)
{
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++)
        if (strcmp(yaml_text(yaml_document_get_node(document, pair->key)), key) == 0)
            return yaml_document_get_node(document, pair->value);
    return NULL;
}
