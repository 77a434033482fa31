/* The table of hardware constants that a part's firmware holds: rows HARDWARE_CONFIG of tables/kernel_devices.def, as
 * the words that drivers read. Each entry is a key, the count of its values, and the values (Linux, uapi of i915: "GuC
 * HWCONFIG blob"). */
#ifndef CMKIT_SIM_KERNEL_HARDWARE_CONFIG_H
#define CMKIT_SIM_KERNEL_HARDWARE_CONFIG_H

#include <stddef.h>
#include <stdint.h>
#include "tables/platforms.h"

enum { HARDWARE_CONFIG_WORDS = 24 };

/* Writes the table of the platform. Returns its bytes; 0: the platform has none. */
size_t hardware_config_fill(const struct platform *platform, uint32_t words[HARDWARE_CONFIG_WORDS]);

/* Banks of the platform's L3; 0: not known. */
unsigned hardware_config_l3_banks(const struct platform *platform);

#endif
