/* Turns results of Level Zero into statuses. */
#include "runtime/level_zero/level_zero.h"

#include <string.h>

const char *level_zero_result_name(ze_result_t result)
{
    static const struct {
        ze_result_t result;
        const char *name;
    } names[] = {
#define ZE_RESULT(NAME) {ZE_RESULT_##NAME, #NAME},
#include "runtime/ze_results.def"
#undef ZE_RESULT
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].result == result)
            return names[i].name;
    return "an unknown result";
}

enum cmrt_status level_zero_check(ze_result_t result, const char *call)
{
    if (result == ZE_RESULT_SUCCESS)
        return CMRT_OK;
    int memory = result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY || result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    return cmrt_fail(memory ? CMRT_NO_MEMORY : CMRT_DRIVER, "%.*s failed: %s (%#x)", (int)strcspn(call, "("), call,
                     level_zero_result_name(result), (unsigned)result);
}
