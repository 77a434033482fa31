/* Debian's package dependencies as a graph: an edge from each package to each that needs it. */
#ifndef CMKIT_BENCHMARKS_SPMV_GRAPH_H
#define CMKIT_BENCHMARKS_SPMV_GRAPH_H

#include <stddef.h>
#include <stdint.h>

struct edge {
    uint32_t row, column; /* the package that is needed, the one that needs it */
};

struct graph {
    size_t nodes, count;
    struct edge *edges; /* count of them, sorted by row, then column, each once */
};

/* From the text of `dpkg`'s status file or `apt-cache dumpavail`: stanzas with Package, Depends, Pre-Depends and
 * Recommends. Names that no stanza has are left out. 0, or -1 if there is no memory or no stanza. */
int graph_read(const char *text, struct graph *graph);

#endif
