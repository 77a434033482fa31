/* Writes output files, and reports what fails. */
#include "cmc/output.h"

#include <assert.h>

#include "cmc/fat.h"
#include "visa_emit/finalize.h"

enum { ERROR_SIZE = 1024 };

bool cmc_write(const char *path, const void *data, size_t size)
{
    assert(path && (data || !size));
    char error[ERROR_SIZE];
    if (output_write(path, data, size, error, sizeof error))
        return true;
    cmc_error("%s", error);
    return false;
}

bool cmc_write_binary(const struct cmc_options *options, const void *data, size_t size)
{
    assert(options->output && (data || !size));
    if (!options->fat)
        return cmc_write(options->output, data, size);
    if (cmc_fat_add(options->fat, &options->product, data, size))
        return true;
    cmc_error("the binaries do not fit into one file, or into memory");
    return false;
}
