/* Fat binaries: the zebins of several platforms in one file, in the format that `ocloc compile` and `ocloc concat`
 * write for several devices. Intel's drivers and libcmrt take from it the one for their GPU. */
#ifndef CMKIT_CMC_FAT_H
#define CMKIT_CMC_FAT_H

#include <stdbool.h>
#include <stdint.h>
#include "tables/products.h"

/* Zero before the first call of cmc_fat_add(). */
struct cmc_fat {
    uint8_t *data;
    size_t size;
    unsigned paddings;
};

/* Appends a zebin. False: out of memory, or it is too large for the format (ten decimal digits). */
bool cmc_fat_add(struct cmc_fat *fat, const struct product *product, const void *zebin, size_t size);
void cmc_fat_free(struct cmc_fat *fat);

#endif
