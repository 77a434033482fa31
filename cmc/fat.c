/* Writes fat binaries: archives as ar(1) reads them. A file is named 64.MAJOR.MINOR.REVISION by the version of its
 * GPU's graphics and starts at a multiple of 8 bytes, with padding files of spaces named pad_N between them. Source:
 * what ocloc writes, and the driver's decoder (compute-runtime, device_binary_format_ar.cpp). */
#include "cmc/fat.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "!<arch>\n"
enum { MAGIC_SIZE = 8, HEADER_SIZE = 60, ALIGNMENT = 8 };
static const uint64_t LARGEST_FILE = 9999999999;

static bool append(struct cmc_fat *fat, const void *data, size_t size)
{
    uint8_t *grown = realloc(fat->data, fat->size + size);
    if (!grown)
        return false;
    fat->data = grown;
    memcpy(fat->data + fat->size, data, size);
    fat->size += size;
    return true;
}

/* Files begin at even bytes. */
static bool append_file(struct cmc_fat *fat, const char *name, const void *data, size_t size)
{
    char header[HEADER_SIZE + 1];
    snprintf(header, sizeof header, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", size);
    return append(fat, header, HEADER_SIZE) && append(fat, data, size) && (size % 2 == 0 || append(fat, "\n", 1));
}

/* A file of blanks, so that the contents of the next one are aligned. */
static bool append_padding(struct cmc_fat *fat)
{
    static const char blanks[ALIGNMENT + 1] = "        ";
    size_t start = fat->size + 2 * HEADER_SIZE, blank = (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT;
    char name[16];
    if ((fat->size + HEADER_SIZE) % ALIGNMENT == 0)
        return true;
    snprintf(name, sizeof name, "pad_%u/", fat->paddings++);
    return append_file(fat, name, blanks, blank ? blank : ALIGNMENT);
}

bool cmc_fat_add(struct cmc_fat *fat, const struct product *product, const void *zebin, size_t size)
{
    assert(product && (zebin || !size));
    char name[17];
    if (size > LARGEST_FILE || (!fat->size && !append(fat, MAGIC, MAGIC_SIZE)))
        return false;
    snprintf(name, sizeof name, "64.%u.%u.%u/", product->major, product->minor, product->revision);
    return append_padding(fat) && append_file(fat, name, zebin, size);
}

void cmc_fat_free(struct cmc_fat *fat)
{
    free(fat->data);
}
