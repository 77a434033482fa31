#include "sim/kernel/hardware_config.h"
#include <assert.h>

static const struct row {
    enum platform_id platform;
    uint32_t xe_cores, l3_banks, l3_bank_kilobytes, slm_kilobytes;
} rows[] = {
#define HARDWARE_CONFIG(PLATFORM, ...) {PLATFORM_##PLATFORM, __VA_ARGS__},
#include "tables/kernel_devices.def"
};

static const struct row *find_row(const struct platform *platform)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].platform == platform->id)
            return &rows[i];
    return NULL;
}

/* Keys of intel_hwconfig_types.h. "DSS" is an Xe core there. */
enum { SLICES = 1, DSS = 2, EUS_OF_DSS = 3, THREADS_OF_EU = 15, L3_BANK_KILOBYTES = 64, SLM_KILOBYTES_OF_DSS = 65 };

size_t hardware_config_fill(const struct platform *platform, uint32_t words[HARDWARE_CONFIG_WORDS])
{
    const struct row *row = find_row(platform);
    if (!row)
        return 0;
    const struct {
        uint32_t key, value;
    } entries[] = {{SLICES, platform->slices},
                   {DSS, row->xe_cores},
                   {EUS_OF_DSS, platform->eus},
                   {THREADS_OF_EU, platform->threads},
                   {L3_BANK_KILOBYTES, row->l3_bank_kilobytes},
                   {SLM_KILOBYTES_OF_DSS, row->slm_kilobytes}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (entries[i].value == 0)
            continue;
        assert(count + 3 <= HARDWARE_CONFIG_WORDS);
        words[count++] = entries[i].key;
        words[count++] = 1;
        words[count++] = entries[i].value;
    }
    return count * sizeof words[0];
}

unsigned hardware_config_l3_banks(const struct platform *platform)
{
    const struct row *row = find_row(platform);
    return row ? row->l3_banks : 0;
}
