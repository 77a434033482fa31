/* What programs see of the GPU in /dev and /sys: a few paths that are answered here, and all others of GPUs, which the
 * host's may not show through. */
#ifndef CMKIT_SIM_GENSIM_DISCOVERY_H
#define CMKIT_SIM_GENSIM_DISCOVERY_H

#include "tables/platforms.h"

enum discovery_kind {
    DISCOVERY_OTHER,
    DISCOVERY_HIDDEN,
    DISCOVERY_DIRECTORY,
    DISCOVERY_DEVICE,
    DISCOVERY_TEXT,
    DISCOVERY_LINK
};

/* What `path` is: DISCOVERY_OTHER is none of ours. */
enum discovery_kind discovery_find(const char *path);

/* A descriptor for reading the DISCOVERY_TEXT at `path`, or a negative errno value. */
int discovery_open_text(const char *path);

/* preload.c: whether the descriptor is one of the device file. */
int device_is_open_at(int descriptor);

/* The C library's function, which ours of the same name stands before; looked up once at each place. */
void *find_real(const char *name);
#define REAL(NAME)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&NAME) real_;                                                                                \
        if (!__atomic_load_n(&real_, __ATOMIC_RELAXED))                                                                \
            __atomic_store_n(&real_, (__typeof__(&NAME))find_real(#NAME), __ATOMIC_RELAXED);                           \
        __atomic_load_n(&real_, __ATOMIC_RELAXED);                                                                     \
    })

#define EXPORT __attribute__((visibility("default")))

#endif
