/* Declares writing of nodes that libyaml has read from JSON. */
#ifndef CMKIT_BENCHMARKS_HARNESS_NODE_H
#define CMKIT_BENCHMARKS_HARNESS_NODE_H

#include <stdio.h>
#include <yaml.h>

/* Writes a node as JSON on one line. Returns 0, or -1 if it is deeper than a report of cmbench is. */
int node_print(FILE *out, yaml_document_t *document, const yaml_node_t *node);

#endif
