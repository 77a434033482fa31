/* Finds the versions of interposed functions that the program would call without gensim. */
#ifndef CMKIT_SIM_GENSIM_REAL_H
#define CMKIT_SIM_GENSIM_REAL_H

/* Returns the function `name` of a library that is loaded already; NULL: it has none. */
void *real_look(const char *library, const char *name);

/* The same; ends the program if it is missing. */
void *real_find(const char *library, const char *name);

/* The same as a function pointer of the right type, looked up once per call site: REAL() for the C library's. */
#define REAL_IN(LIBRARY, NAME)                                                                                         \
    ({                                                                                                                 \
        static __typeof__(&NAME) real_;                                                                                \
        if (!__atomic_load_n(&real_, __ATOMIC_RELAXED))                                                                \
            __atomic_store_n(&real_, (__typeof__(&NAME))real_find(LIBRARY, #NAME), __ATOMIC_RELAXED);                  \
        __atomic_load_n(&real_, __ATOMIC_RELAXED);                                                                     \
    })

#define REAL(NAME) REAL_IN("libc.so.6", NAME)

#define EXPORT __attribute__((visibility("default")))

#endif
