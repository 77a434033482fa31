/* Platform rows as a C table. Facts only: see platforms.def for the columns and their sources. */
#ifndef CMKIT_TABLES_PLATFORMS_H
#define CMKIT_TABLES_PLATFORMS_H

#include <stddef.h>
#include <stdint.h>
#include <strings.h>

struct platform {
    const char *name;      /* cmc -march= */
    const char *ocloc;     /* ocloc -device, gensim -d */
    const char *finalizer; /* GenX_IR -platform */
    unsigned genx;         /* CM_GENX */
    unsigned generation;   /* 9, 11, 12, ... */
    unsigned pci_id, revision;
    unsigned slices, subslices, eus, threads;
    unsigned grf_bytes, grf_count;
    uint64_t timestamp_hz;
    unsigned max_mhz; /* 0: not simulated */
    int simulated;
    const char *label;
};

enum platform_id {
#define PLATFORM(ID, ...) PLATFORM_##ID,
#include "platforms.def"
#undef PLATFORM
    PLATFORM_COUNT
};

static const struct platform platform_table[] = {
#define PLATFORM(ID, NAME, OCLOC, FINALIZER, GENX, GEN, PCI, REV, SL, SS, EUS, THR, GRFB, GRFS, HZ, MHZ, SIM, LABEL)   \
    {NAME, OCLOC, FINALIZER, GENX, GEN, PCI, REV, SL, SS, EUS, THR, GRFB, GRFS, HZ, MHZ, SIM, LABEL},
#include "platforms.def"
#undef PLATFORM
};

/* The row that `name` names, by cmc's or ocloc's spelling in any case; NULL if there is none. */
static inline const struct platform *platform_find(const char *name)
{
    for (size_t i = 0; i < PLATFORM_COUNT; i++)
        if (strcasecmp(name, platform_table[i].name) == 0 || strcasecmp(name, platform_table[i].ocloc) == 0)
            return &platform_table[i];
    return NULL;
}

/* Arithmetic on 64-bit floats. */
static inline int platform_has_double(const struct platform *platform)
{
    return platform->generation == 9 || platform->generation == 125 || platform->generation == 128;
}

/* Systolic matrix products (dpas): Meteor Lake's generation has them, itself not. */
static inline int platform_has_dpas(const struct platform *platform)
{
    return platform->generation >= 125 && platform->genx != 1275;
}

/* The first part of a generation, by its name for `cmc -march=`: what messages about missing features name. */
static inline const char *generation_name(unsigned generation)
{
    static const struct {
        unsigned generation;
        const char *part;
    } first[] = {{9, "SKL"}, {11, "ICLLP"}, {12, "TGLLP"}, {125, "XEHP_SDV"}, {127, "DG2"}, {128, "PVC"}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i].generation == generation)
            return first[i].part;
    return "no part";
}

#endif
