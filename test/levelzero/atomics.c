/* Many groups at the same few counters: sums, bits, extremes and places given out must be exact. */
#include "level_zero.h"

#include <string.h>

enum { SIZE = 64, GROUPS = 40, ITEMS = SIZE * GROUPS, COUNTERS = 11 };

static void check(const uint32_t *counter, const uint32_t *places)
{
    uint32_t sum = 0, ors = 0, xors = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        sum += i;
        ors |= 1u << i % 32;
        xors ^= i;
        REQUIRE(places[i] == 1, "place %u was given out %u times", i, places[i]);
    }
    float half_steps = 0.5f * ITEMS;
    uint32_t float_sum;
    memcpy(&float_sum, &half_steps, sizeof float_sum);
    const uint32_t expected[COUNTERS] = {ITEMS, sum, 0u - 3 * ITEMS, 5,   ITEMS - 1 + 5, ors,
                                         xors,  sum, float_sum,      sum, ITEMS};
    for (int i = 0; i < COUNTERS; i++)
        REQUIRE(counter[i] == expected[i], "counter %d is %u, expected %u", i, counter[i], expected[i]);
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: atomics MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "contend");
    uint32_t *counter = level_zero_shared(&z, COUNTERS * sizeof *counter);
    uint32_t *places = level_zero_shared(&z, ITEMS * sizeof *places);
    for (int round = 0; round < 3; round++) {
        memset(counter, 0, COUNTERS * sizeof *counter);
        memset(places, 0, ITEMS * sizeof *places);
        counter[3] = UINT32_MAX;
        ZE(zeKernelSetArgumentValue(kernel, 0, sizeof counter, &counter));
        ZE(zeKernelSetArgumentValue(kernel, 1, sizeof places, &places));
        ZE(zeKernelSetArgumentValue(kernel, 2, sizeof(uint32_t), NULL));
        level_zero_launch(&z, kernel, SIZE, GROUPS);
        check(counter, places);
    }
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    return 0;
}
