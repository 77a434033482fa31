/* What programs see of the GPU in /dev and /sys: a few paths that are answered here, and all others of GPUs, which the
 * host's may not show through. discovery.c knows what there is, discovery_status.c answers what it is, and
 * discovery_list.c lists directories. */
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
    const char *content; /* target of a link; what a text says, with places for discovery_open() to fill */
};

/* What `path` is, seen from the directory with descriptor `directory` (or AT_FDCWD); links are followed, the last one
 * if `follow`. DISCOVERY_OTHER is none of ours; `*node` is there for all kinds but OTHER and HIDDEN. */
enum discovery_kind discovery_find(int directory, const char *path, int follow, const struct discovery_node **node);

/* The nodes, and the place of one among them. */
size_t discovery_count(void);
const struct discovery_node *discovery_node(size_t place);
size_t discovery_place(const struct discovery_node *node);

/* A descriptor for reading a text or a directory, or a negative errno value. `flags` as for open(). */
int discovery_open(const struct discovery_node *node, int flags);

/* The node behind a descriptor of discovery_open() for a directory, of the device file too; NULL for others. errno
 * stays as it is. */
const struct discovery_node *discovery_at(int descriptor);

/* discovery_status.c: what stat() says of a node */
void discovery_status(const struct discovery_node *node, struct stat *status);

#endif
