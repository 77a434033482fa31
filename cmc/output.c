/* Writes output files, and reports what fails. */
#include "cmc/output.h"

#include "cmc/options.h"
#include "visa_emit/finalize.h"

enum { ERROR_SIZE = 1024 };

bool cmc_write(const char *path, const void *data, size_t size)
{
    char error[ERROR_SIZE];
    if (output_write(path, data, size, error, sizeof error))
        return true;
    cmc_error("%s", error);
    return false;
}
