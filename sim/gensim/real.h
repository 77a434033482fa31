/* Finds the C library's versions of functions that the preloaded library interposes. */
#ifndef CMKIT_SIM_GENSIM_REAL_H
#define CMKIT_SIM_GENSIM_REAL_H

/* Returns the C library's function `name`; ends the program if it is missing. */
void *real_find(const char *name);

/* The same as a function pointer of the right type, looked up once per call site. */
#define REAL(NAME)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&NAME) real_;                                                                                \
        if (!__atomic_load_n(&real_, __ATOMIC_RELAXED))                                                                \
            __atomic_store_n(&real_, (__typeof__(&NAME))real_find(#NAME), __ATOMIC_RELAXED);                           \
        __atomic_load_n(&real_, __ATOMIC_RELAXED);                                                                     \
    })

#define EXPORT __attribute__((visibility("default")))

#endif
