/* Holds the tables of platforms, features and products. CMKIT_MORE_PLATFORMS and CMKIT_MORE_PRODUCTS name files with
 * more rows: test/cmc/new_platform.sh tries what a new platform takes. */
#include "tables/platforms.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include "tables/products.h"

#ifdef CMKIT_MORE_PLATFORMS
enum more_platforms {
    PLATFORM_LAST = PLATFORM_NEXT - 1,
#define PLATFORM(ID, ...) PLATFORM_##ID,
#include CMKIT_MORE_PLATFORMS
#undef PLATFORM
};
#endif

const struct platform platform_table[] = {
#define HAS(ID)           [FEATURE_##ID] = 1
#define LACKS(ID)         [FEATURE_##ID] = -1
#define PLATFORM(ID, ...) {.id = (enum platform_id)PLATFORM_##ID, __VA_ARGS__},
#include "tables/platforms.def"
#ifdef CMKIT_MORE_PLATFORMS
#include CMKIT_MORE_PLATFORMS
#endif
#undef PLATFORM
#undef LACKS
#undef HAS
};

const size_t platform_count = sizeof platform_table / sizeof *platform_table;

const struct feature feature_table[FEATURE_COUNT] = {
    {"", ""},
#define FEATURE(ID, MEANING, SOURCE) [FEATURE_##ID] = {#ID, MEANING},
#define TRAIT                        FEATURE
#include "tables/features.def"
#undef FEATURE
#undef TRAIT
};

const struct product product_table[] = {
#define PRODUCT(NAME, PLATFORM, MAJOR, MINOR, REVISION, GENX, MACRO, FAMILY)                                           \
    {NAME, (enum platform_id)PLATFORM_##PLATFORM, MAJOR, MINOR, REVISION, GENX, MACRO, FAMILY},
#include "tables/products.def"
#ifdef CMKIT_MORE_PRODUCTS
#include CMKIT_MORE_PRODUCTS
#endif
#undef PRODUCT
};

const size_t product_count = sizeof product_table / sizeof *product_table;

const struct platform *platform_find(const char *name)
{
    for (size_t i = 0; i < platform_count; i++)
        if (strcasecmp(name, platform_table[i].name) == 0 || strcasecmp(name, platform_table[i].ocloc) == 0)
            return &platform_table[i];
    return NULL;
}

int platform_has(const struct platform *platform, enum feature_id feature)
{
    if (feature == FEATURE_ALL)
        return 1;
    while (!platform->features[feature] && platform->like != platform->id) {
        assert(platform->like < platform->id); /* so the walk ends */
        platform = &platform_table[platform->like];
    }
    return platform->features[feature] > 0;
}

const char *feature_first(enum feature_id feature)
{
    for (size_t i = 0; i < platform_count; i++)
        if (platform_has(&platform_table[i], feature))
            return platform_table[i].name;
    return "no platform";
}

/* Reads MAJOR.MINOR.REVISION. 0: the text is not of this form. */
static int read_version(const char *text, unsigned version[3])
{
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || number > UINT_MAX || *end != (i < 2 ? '.' : 0))
            return 0;
        version[i] = (unsigned)number;
        text = end + 1;
    }
    return 1;
}

int product_find(const char *name, struct product *out)
{
    unsigned version[3];
    int numbers = read_version(name, version);
    for (size_t i = 0; i < product_count; i++) {
        const struct product *p = &product_table[i];
        if (numbers ? p->major == version[0] && p->minor == version[1] : strcasecmp(name, p->name) == 0) {
            *out = *p;
            if (numbers)
                out->revision = version[2];
            return 1;
        }
    }
    return 0;
}

const struct product *product_of_platform(const struct platform *platform)
{
    const struct product *p = product_table;
    while (p->platform != platform->id) {
        p++;
        assert(p < product_table + product_count); /* each platform has a product */
    }
    return p;
}
