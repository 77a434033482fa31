/* Simulates the GPU's files in /dev and /sys: answers a few paths itself and hides all other GPU paths, so that the
 * host's GPUs are not visible. discovery.c has the list of nodes, discovery_status.c answers stat() and its relatives,
 * and discovery_list.c lists directories. */
#ifndef CMKIT_SIM_GENSIM_DISCOVERY_H
#define CMKIT_SIM_GENSIM_DISCOVERY_H

#include <stddef.h>
#include <sys/stat.h>

enum discovery_kind {
    DISCOVERY_OTHER,
    DISCOVERY_HIDDEN,
    DISCOVERY_DIRECTORY,
    DISCOVERY_DEVICE,
    DISCOVERY_TEXT,
    DISCOVERY_LINK
};

struct discovery_node {
    const char *path; /* without links, `.` and `..` */
    enum discovery_kind kind;
    const char *content; /* target of a link; text of a file, with placeholders that discovery_open() fills */
};

/* Classifies `path`, relative to the directory with descriptor `directory` (or AT_FDCWD). Links are followed, the last
 * one if `follow`. DISCOVERY_OTHER is not simulated; `*node` is set for all kinds but OTHER and HIDDEN. */
enum discovery_kind discovery_find(int directory, const char *path, int follow, const struct discovery_node **node);

/* The number of nodes, and the index of one. */
size_t discovery_count(void);
const struct discovery_node *discovery_node(size_t place);
size_t discovery_place(const struct discovery_node *node);

/* Returns a descriptor for reading a text or a directory, or a negative errno value. `flags` as for open(). */
int discovery_open(const struct discovery_node *node, int flags);

/* Returns the node of a descriptor that discovery_open() made for a directory, or of a device file's directory; NULL
 * for others. errno is preserved. */
const struct discovery_node *discovery_at(int descriptor);

/* discovery_status.c: the result of stat() for a node */
void discovery_status(const struct discovery_node *node, struct stat *status);

#endif
