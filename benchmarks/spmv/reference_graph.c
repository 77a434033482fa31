/* Parses package lists. */
#include "benchmarks/spmv/graph.h"

#include <stdlib.h>
#include <string.h>

struct names {
    size_t count, room;
    char **items;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_place(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* Makes space for one more element in an array that doubles. */
static void *grow(void *items, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return items;
    *room = *room ? *room * 2 : 1024;
    return realloc(items, *room * bytes);
}

/* Returns the line's value if its field is `field`, or NULL. */
static const char *value_of(const char *line, const char *field)
{
    size_t length = strlen(field);
    return strncmp(line, field, length) == 0 && line[length] == ':' ? line + length + 1 : NULL;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}

static int collect_names(const char *text, struct names *names)
{
    for (const char *line = text; line; line = next_line(line)) {
        const char *name = value_of(line, "Package");
        if (!name)
            continue;
        names->items = grow(names->items, names->count, &names->room, sizeof *names->items);
        if (!names->items)
            return -1;
        name += strspn(name, " ");
        char *copy = strndup(name, strcspn(name, "\n"));
        if (!copy)
            return -1;
        names->items[names->count++] = copy;
    }
    if (!names->count)
        return -1;
    qsort(names->items, names->count, sizeof *names->items, by_name);
    size_t kept = 1;
    for (size_t i = 1; i < names->count; i++) {
        if (strcmp(names->items[i], names->items[kept - 1]) == 0)
            free(names->items[i]);
        else
            names->items[kept++] = names->items[i];
    }
    names->count = kept;
    return 0;
}

/* Returns the number of the package whose name begins at the text and ends where a dependency's name ends; -1: none. */
static long find(const struct names *names, const char *name, size_t length)
{
    char key[256];
    const char *pointer = key;
    if (length >= sizeof key)
        return -1;
    memcpy(key, name, length);
    key[length] = 0;
    char **found = bsearch(&pointer, names->items, names->count, sizeof *names->items, by_name);
    return found ? found - names->items : -1;
}

/* Adds edges from all packages of a list such as "libc6 (>= 2.3), a | b:any". */
static int add_edges(const struct names *names, const char *list, uint32_t column, struct graph *graph, size_t *room)
{
    const char *end = list + strcspn(list, "\n");
    while (list < end) {
        list += strspn(list, " ,|");
        size_t length = strcspn(list, " ,|(:\n");
        long row = find(names, list, length);
        if (row >= 0) {
            graph->edges = grow(graph->edges, graph->count, room, sizeof *graph->edges);
            if (!graph->edges)
                return -1;
            graph->edges[graph->count++] = (struct edge){(uint32_t)row, column};
        }
        list += strcspn(list, ",|\n");
    }
    return 0;
}

static int collect_edges(const char *text, const struct names *names, struct graph *graph)
{
    static const char *const fields[] = {"Depends", "Pre-Depends", "Recommends"};
    size_t room = 0;
    uint32_t column = 0;
    for (const char *line = text; line; line = next_line(line)) {
        const char *name = value_of(line, "Package");
        if (name) {
            name += strspn(name, " ");
            column = (uint32_t)find(names, name, strcspn(name, "\n"));
        }
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            const char *list = value_of(line, fields[i]);
            if (list && add_edges(names, list, column, graph, &room))
                return -1;
        }
    }
    qsort(graph->edges, graph->count, sizeof *graph->edges, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < graph->count; i++)
        if (!kept || by_place(&graph->edges[kept - 1], &graph->edges[i]) != 0)
            graph->edges[kept++] = graph->edges[i];
    graph->count = kept;
    return 0;
}

int graph_read(const char *text, struct graph *graph)
{
    struct names names = {0};
    memset(graph, 0, sizeof *graph);
    int result = collect_names(text, &names) || collect_edges(text, &names, graph) || !graph->count ? -1 : 0;
    graph->nodes = names.count;
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    free(names.items);
    return result;
}
