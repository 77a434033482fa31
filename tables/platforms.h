/* Converts the rows of platforms.def to a C table, and finds a row by name. The columns and their sources are in
 * platforms.def. */
#ifndef CMKIT_TABLES_PLATFORMS_H
#define CMKIT_TABLES_PLATFORMS_H

#include <stddef.h>
#include <stdint.h>
#include <strings.h>

enum platform_id {
#define PLATFORM(ID, ...) PLATFORM_##ID,
#include "platforms.def"
#undef PLATFORM
    PLATFORM_COUNT
};

struct platform {
    enum platform_id id;
    const char *name;      /* cmc -march= */
    const char *ocloc;     /* ocloc -device, gensim -d */
    const char *finalizer; /* GenX_IR -platform, "" without */
    unsigned generation;   /* 9, 11, 12, ... */
    unsigned pci_id, revision;
    unsigned slices, subslices, eus, threads;
    unsigned grf_bytes, grf_count;
    unsigned slm_kilobytes; /* of a group */
    uint64_t timestamp_hz;
    unsigned max_mhz; /* 0: not simulated */
    int simulated;
    const char *label;
};

static const struct platform platform_table[] = {
#define PLATFORM(ID, NAME, OCLOC, FINALIZER, GEN, PCI, REV, SL, SS, EUS, THR, GRFB, GRFS, SLM, HZ, MHZ, SIM,       \
                 LABEL)                                                                                                \
    {PLATFORM_##ID, NAME, OCLOC, FINALIZER, GEN, PCI, REV, SL, SS, EUS, THR, GRFB, GRFS, SLM, HZ, MHZ, SIM, LABEL},
#include "platforms.def"
#undef PLATFORM
};

/* Returns the row of `name`, in cmc's or ocloc's spelling and any case. NULL: no such platform. */
static inline const struct platform *platform_find(const char *name)
{
    for (size_t i = 0; i < PLATFORM_COUNT; i++)
        if (strcasecmp(name, platform_table[i].name) == 0 || strcasecmp(name, platform_table[i].ocloc) == 0)
            return &platform_table[i];
    return NULL;
}

/* Features that only some platforms have: rows of features.def. FEATURE_ALL: every platform has it. */
enum feature_id {
    FEATURE_ALL,
#define FEATURE(ID, ...) FEATURE_##ID,
#include "features.def"
#undef FEATURE
    FEATURE_COUNT
};

static const struct feature {
    const char *name; /* the macro without CM_HAS_ */
    unsigned char has[PLATFORM_COUNT];
    const char *meaning;
} feature_table[] = {
    {"", {0}, ""},
#define FEATURE(ID, SKL, ICLLP, TGLLP, XEHP_SDV, DG2, MTL, PVC, BMG, LNL, PTL, MEANING)                                \
    {#ID, {SKL, ICLLP, TGLLP, XEHP_SDV, DG2, MTL, PVC, BMG, LNL, PTL}, MEANING},
#include "features.def"
#undef FEATURE
};

static inline int platform_has(const struct platform *platform, enum feature_id feature)
{
    return feature == FEATURE_ALL || feature_table[feature].has[platform->id];
}

/* Returns the first platform with the feature, by its name for `cmc -march=`, for messages about missing features. */
static inline const char *feature_first(enum feature_id feature)
{
    for (size_t i = 0; i < PLATFORM_COUNT; i++)
        if (platform_has(&platform_table[i], feature))
            return platform_table[i].name;
    return "no part";
}

#endif
