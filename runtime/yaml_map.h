/* Reads YAML mappings from libyaml's document tree. */
#ifndef CMKIT_RUNTIME_YAML_MAP_H
#define CMKIT_RUNTIME_YAML_MAP_H

#include <yaml.h>

/* Returns the text of a scalar; "" for any other node and for NULL. */
const char *yaml_text(const yaml_node_t *node);

/* Returns the value of `key` in `map`. NULL: it is missing, or `map` is not a mapping. */
yaml_node_t *yaml_find(yaml_document_t *document, const yaml_node_t *map, const char *key);

#endif
