/* Checks copies and fills, for which the driver has kernels of its own, at sizes and alignments for its different
 * paths, through immediate command lists. */
#include "level_zero.h"

#include <string.h>

enum { SIZE = 300000 };

static uint8_t source[SIZE], result[SIZE];

static void copy_through_device(const struct level_zero *z, ze_command_list_handle_t list, size_t at, size_t size)
{
    uint8_t *device = level_zero_device(z, SIZE);
    memset(result, 0xee, sizeof result);
    ZE(zeCommandListAppendMemoryCopy(list, device + at, source + at, size, NULL, 0, NULL));
    ZE(zeCommandListAppendMemoryCopy(list, result + at, device + at, size, NULL, 0, NULL));
    REQUIRE(memcmp(result + at, source + at, size) == 0, "%zu bytes at %zu differ", size, at);
    REQUIRE(at == 0 || result[at - 1] == 0xee, "the byte before %zu was written", at);
    REQUIRE(at + size == SIZE || result[at + size] == 0xee, "the byte behind %zu was written", at + size);
    ZE(zeMemFree(z->context, device));
}

static void fill(const struct level_zero *z, ze_command_list_handle_t list, size_t pattern_size, size_t size)
{
    static const uint8_t pattern[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
                                      0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x01};
    uint8_t *shared = level_zero_shared(z, SIZE);
    memset(shared, 0, SIZE);
    ZE(zeCommandListAppendMemoryFill(list, shared, pattern, pattern_size, size, NULL, 0, NULL));
    for (size_t i = 0; i < size; i++)
        REQUIRE(shared[i] == pattern[i % pattern_size], "pattern of %zu bytes: byte %zu is 0x%02x", pattern_size, i,
                shared[i]);
    REQUIRE(shared[size] == 0, "pattern of %zu bytes: the byte behind was written", pattern_size);
    ZE(zeMemFree(z->context, shared));
}

/* A rectangle out of the middle of one buffer into the middle of another. */
static void copy_region(const struct level_zero *z, ze_command_list_handle_t list)
{
    enum { PITCH = 97, ROWS = 40, WIDTH = 31, HEIGHT = 17 };
    const ze_copy_region_t to = {5, 3, 0, WIDTH, HEIGHT, 1}, from = {11, 7, 0, WIDTH, HEIGHT, 1};
    uint8_t *a = level_zero_shared(z, PITCH * ROWS), *b = level_zero_shared(z, PITCH * ROWS);
    memcpy(a, source, PITCH * ROWS);
    memset(b, 0, PITCH * ROWS);
    ZE(zeCommandListAppendMemoryCopyRegion(list, b, &to, PITCH, 0, a, &from, PITCH, 0, NULL, 0, NULL));
    for (unsigned y = 0; y < ROWS; y++)
        for (unsigned x = 0; x < PITCH; x++) {
            int inside = x >= 5 && x < 5 + WIDTH && y >= 3 && y < 3 + HEIGHT;
            uint8_t expected = inside ? a[(y + 4) * PITCH + x + 6] : 0;
            REQUIRE(b[y * PITCH + x] == expected, "byte %u,%u is %u, expected %u", x, y, b[y * PITCH + x], expected);
        }
    ZE(zeMemFree(z->context, a));
    ZE(zeMemFree(z->context, b));
}

int main(void)
{
    static const size_t places[][2] = {{0, SIZE}, {0, 1}, {3, 5}, {64, 64}, {1, 4096}, {4095, 65537}, {7, 200001}};
    struct level_zero z = level_zero_open();
    ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    ze_command_list_handle_t list;
    ZE(zeCommandListCreateImmediate(z.context, z.device, &description, &list));
    for (size_t i = 0; i < SIZE; i++)
        source[i] = (uint8_t)(i * 31 + i / 251);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        copy_through_device(&z, list, places[i][0], places[i][1]);
    for (size_t pattern = 1; pattern <= 16; pattern *= 2)
        fill(&z, list, pattern, 16 * 1001);
    copy_region(&z, list);
    ZE(zeCommandListDestroy(list));
    return 0;
}
