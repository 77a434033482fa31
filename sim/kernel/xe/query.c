/* xe: queries about the device. One row each in `queries`; each comes twice, for the size of the answer and for it.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include "sim/base/clock.h"
#include "sim/kernel/hardware_config.h"
#include "sim/kernel/xe/xe.h"
#include "tables/products.h"

static const struct region {
    enum platform_id platform;
    uint16_t class;
    uint64_t bytes;
    uint32_t page;
} regions[] = {
#define SYSTEM                                          XE_REGION_SYSTEM
#define DEVICE                                          XE_REGION_VRAM
#define MEMORY_REGION(PLATFORM, CLASS, MEGABYTES, PAGE) {PLATFORM_##PLATFORM, CLASS, UINT64_C(MEGABYTES) << 20, PAGE},
#include "tables/kernel_devices.def"
#undef SYSTEM
#undef DEVICE
};

static const struct engine {
    enum platform_id platform;
    uint16_t class;
} engines[] = {
#define RENDER                         XE_CLASS_RENDER
#define COPY                           XE_CLASS_COPY
#define COMPUTE                        XE_CLASS_COMPUTE
#define DEVICE_ENGINE(PLATFORM, CLASS) {PLATFORM_##PLATFORM, CLASS},
#include "tables/kernel_devices.def"
#undef RENDER
#undef COPY
#undef COMPUTE
};

/* What parts without rows have. */
static const struct region only_region = {.class = XE_REGION_SYSTEM, .bytes = UINT64_C(16) << 30, .page = 4096};
static const struct engine only_engine = {.class = XE_CLASS_RENDER};

/* The part's region `index`, or NULL. */
static const struct region *find_region(const struct platform *platform, unsigned index)
{
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++)
        if (regions[i].platform == platform->id && seen++ == index)
            return &regions[i];
    return seen == 0 && index == 0 ? &only_region : NULL;
}

static const struct engine *find_engine(const struct platform *platform, unsigned index)
{
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (engines[i].platform == platform->id && seen++ == index)
            return &engines[i];
    return seen == 0 && index == 0 ? &only_engine : NULL;
}

bool xe_has_engine(const struct platform *platform, const struct xe_engine_name *name)
{
    const struct engine *engine;
    for (unsigned i = 0; (engine = find_engine(platform, i)) != NULL; i++)
        if (engine->class == name->engine_class)
            return name->engine_instance == 0 && name->gt == 0 && name->pad == 0;
    return false;
}

uint32_t xe_find_regions(const struct platform *platform, uint32_t mask, uint64_t *page)
{
    const struct region *region;
    for (unsigned i = 0; (region = find_region(platform, i)) != NULL; i++) {
        if (mask >> i & 1 && region->page > *page)
            *page = region->page;
        mask &= ~(UINT32_C(1) << i);
    }
    return mask;
}

enum { MOST_ROWS = 8, MASK_BYTES = 8, MASKS = 4 };

union answer {
    struct {
        struct xe_engines info;
        struct xe_engine rows[MOST_ROWS];
    } engines;
    struct {
        struct xe_regions info;
        struct xe_region rows[MOST_ROWS];
    } regions;
    struct xe_config config;
    struct {
        struct xe_gt_list info;
        struct xe_gt rows[1];
    } gts;
    struct topology {
        struct xe_topology info;
        uint8_t mask[MASK_BYTES];
    } topology[MASKS];
    uint32_t hardware_config[HARDWARE_CONFIG_WORDS];
    struct xe_engine_cycles cycles;
};

static int answer_engines(const struct platform *platform, union answer *answer)
{
    const struct engine *engine;
    unsigned count = 0;
    for (; count < MOST_ROWS && (engine = find_engine(platform, count)) != NULL; count++)
        answer->engines.rows[count].name.engine_class = engine->class;
    answer->engines.info.count = count;
    return (int)(sizeof(struct xe_engines) + count * sizeof(struct xe_engine));
}

static int answer_regions(const struct platform *platform, union answer *answer)
{
    const struct region *region;
    unsigned count = 0;
    for (; count < MOST_ROWS && (region = find_region(platform, count)) != NULL; count++)
        answer->regions.rows[count] = (struct xe_region){.region_class = region->class,
                                                         .instance = (uint16_t)count,
                                                         .page = region->page,
                                                         .bytes = region->bytes,
                                                         .visible_bytes = region->bytes};
    answer->regions.info.count = count;
    return (int)(sizeof(struct xe_regions) + count * sizeof(struct xe_region));
}

static bool has_vram(const struct platform *platform)
{
    const struct region *region;
    for (unsigned i = 0; (region = find_region(platform, i)) != NULL; i++)
        if (region->class == XE_REGION_VRAM)
            return true;
    return false;
}

static int answer_config(const struct platform *platform, union answer *answer)
{
    uint64_t *values = answer->config.values, page = 0;
    xe_find_regions(platform, UINT32_MAX, &page);
    answer->config.count = XE_CONFIG_COUNT;
    values[XE_CONFIG_REVISION_AND_DEVICE] = platform->pci_id | (uint64_t)platform->revision << 16;
    values[XE_CONFIG_FLAGS] = has_vram(platform) ? XE_CONFIG_HAS_VRAM : 0;
    values[XE_CONFIG_ALIGNMENT] = page;
    values[XE_CONFIG_ADDRESS_BITS] = 48;
    values[XE_CONFIG_MOST_PRIORITY] = 2;
    return sizeof answer->config;
}

/* One GT; its version decides which kernels the driver takes. */
static int answer_gts(const struct platform *platform, union answer *answer)
{
    const struct product *product = product_of_platform(platform);
    answer->gts.info.count = 1;
    answer->gts.rows[0] = (struct xe_gt){.reference_clock = (uint32_t)platform->timestamp_hz,
                                         .near_regions = has_vram(platform) ? 2 : 1,
                                         .far_regions = has_vram(platform) ? 1 : 0,
                                         .version_major = (uint16_t)product->major,
                                         .version_minor = (uint16_t)product->minor,
                                         .version_revision = (uint16_t)product->revision};
    return sizeof answer->gts;
}

static int answer_hardware_config(const struct platform *platform, union answer *answer)
{
    return (int)hardware_config_fill(platform, answer->hardware_config);
}

static void set_bits(uint8_t *mask, unsigned count)
{
    for (unsigned bit = 0; bit < count && bit < 8 * MASK_BYTES; bit++)
        mask[bit / 8] |= (uint8_t)(1u << bit % 8);
}

static int answer_topology(const struct platform *p, union answer *answer)
{
    enum { UNKNOWN_L3_BANKS = 8 }; /* the driver wants some */
    const unsigned subslices = p->slices * p->subslices, l3_banks = hardware_config_l3_banks(p);
    const struct {
        uint16_t type;
        unsigned count;
    } masks[MASKS] = {{XE_TOPOLOGY_DSS_GEOMETRY, subslices},
                      {XE_TOPOLOGY_DSS_COMPUTE, subslices},
                      {XE_TOPOLOGY_L3_BANKS, l3_banks ? l3_banks : UNKNOWN_L3_BANKS},
                      {XE_TOPOLOGY_EUS_PER_DSS, p->eus}};
    for (unsigned i = 0; i < MASKS; i++) {
        answer->topology[i].info = (struct xe_topology){.type = masks[i].type, .bytes = MASK_BYTES};
        set_bits(answer->topology[i].mask, masks[i].count);
    }
    return sizeof answer->topology;
}

/* The clocks of GPU and host at one time. The engine and the host's clock are part of the query. */
static int answer_cycles(const struct platform *platform, union answer *answer)
{
    struct xe_engine_cycles *cycles = &answer->cycles;
    struct timespec time;
    if (!xe_has_engine(platform, &cycles->engine) || clock_gettime(cycles->clock, &time) != 0)
        return -EINVAL;
    cycles->width = 36;
    cycles->cycles = sim_clock_read(platform->timestamp_hz) & ((UINT64_C(1) << 36) - 1);
    cycles->host_time = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    cycles->host_delta = 0;
    return sizeof *cycles;
}

/* ANSWER fills the structure and returns its size, or a negative errno value. INPUT: size of the structure that
 * the program passes; 0: none. */
static const struct {
    uint32_t id, input;
    int (*answer)(const struct platform *platform, union answer *answer);
} queries[] = {
    {XE_QUERY_ENGINES, 0, answer_engines},
    {XE_QUERY_MEM_REGIONS, 0, answer_regions},
    {XE_QUERY_CONFIG, 0, answer_config},
    {XE_QUERY_GT_LIST, 0, answer_gts},
    {XE_QUERY_HWCONFIG, 0, answer_hardware_config},
    {XE_QUERY_GT_TOPOLOGY, 0, answer_topology},
    {XE_QUERY_ENGINE_CYCLES, sizeof(struct xe_engine_cycles), answer_cycles},
};

int xe_query(struct kernel_file *file, void *argument)
{
    struct xe_device_query *query = argument;
    union answer answer;
    size_t i = 0;
    memset(&answer, 0, sizeof answer);
    if (query->extensions || !XE_IS_ZERO(query->reserved))
        return -EINVAL;
    while (i < sizeof queries / sizeof queries[0] && queries[i].id != query->query)
        i++;
    if (i == sizeof queries / sizeof queries[0])
        return -EINVAL; /* as a kernel without the query */
    if (queries[i].input && query->size == queries[i].input && kernel_read_user(&answer, query->data, query->size))
        return -EFAULT;
    int size = queries[i].input && query->size == 0 ? (int)queries[i].input
                                                    : queries[i].answer(file->device->platform, &answer);
    if (size < 0)
        return size;
    if (query->size == 0) {
        query->size = (uint32_t)size;
        return 0;
    }
    if (query->size != (uint32_t)size)
        return -EINVAL;
    return kernel_write_user(query->data, &answer, (size_t)size);
}
