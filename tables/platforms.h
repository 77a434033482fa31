/* Converts the rows of platforms.def and features.def to C tables, and finds a platform by name. The fields and their
 * sources are in platforms.def. */
#ifndef CMKIT_TABLES_PLATFORMS_H
#define CMKIT_TABLES_PLATFORMS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of platforms.def. A program that is linked with more rows has more platforms than enumerators: loops run to
 * platform_count. */
enum platform_id {
#define PLATFORM(ID, ...) PLATFORM_##ID,
#include "platforms.def"
#undef PLATFORM
    PLATFORM_NEXT /* no platform: the number of the first row that a test adds */
};

/* Features that only some platforms have: rows of features.def, those with a macro for kernels first. FEATURE_ALL:
 * every platform has it. */
enum feature_id {
    FEATURE_ALL,
#define FEATURE(ID, MEANING, SOURCE) FEATURE_##ID,
#define TRAIT(ID, MEANING, SOURCE)
#include "features.def"
#undef FEATURE
#undef TRAIT
    FEATURES_WITH_MACRO,
    FEATURE_BEFORE_TRAITS = FEATURES_WITH_MACRO - 1,
#define FEATURE(ID, MEANING, SOURCE)
#define TRAIT(ID, MEANING, SOURCE) FEATURE_##ID,
#include "features.def"
#undef FEATURE
#undef TRAIT
    FEATURE_COUNT
};

struct platform {
    enum platform_id id;
    const char *name;      /* cmc -march= */
    const char *ocloc;     /* ocloc -device, gensim -d */
    const char *finalizer; /* GenX_IR -platform, "" without */
    const char *label;
    unsigned core; /* graphics core family in zebins; 0: not known */
    unsigned grf_bytes, grf_count;
    unsigned slm_kilobytes; /* of a group */
    enum platform_id like;
    signed char features[FEATURE_COUNT]; /* 1: has it, -1: lacks it, 0: as the platform `like` */

    unsigned generation; /* 9, 11, 12, ...: which rows of the simulator's tables it has */
    int simulated, needs_current, newest_finalizer;
    unsigned decoder;      /* libiga64's number */
    const char *assembler; /* iga64 -p */
    unsigned pci_id, revision;
    unsigned slices, subslices, eus, threads;
    uint64_t timestamp_hz;
    unsigned max_mhz;
};

struct feature {
    const char *name; /* the macro without CM_HAS_ */
    const char *meaning;
};

extern const struct platform platform_table[];
extern const size_t platform_count;
extern const struct feature feature_table[FEATURE_COUNT];

/* Returns the row of `name`, in cmc's or ocloc's spelling and any case. NULL: no such platform. */
const struct platform *platform_find(const char *name);

/* Returns 1 if the platform has the feature, else 0. */
int platform_has(const struct platform *platform, enum feature_id feature);

/* Returns 1 if the platform is of the generations first to last, which a row of the simulator's tables names, else 0.
 */
static inline int platform_between(const struct platform *platform, unsigned first, unsigned last)
{
    return first <= platform->generation && platform->generation <= last;
}

/* Returns the first platform with the feature, by its name for `cmc -march=`, for messages about missing features. */
const char *feature_first(enum feature_id feature);

#ifdef __cplusplus
}
#endif
#endif
