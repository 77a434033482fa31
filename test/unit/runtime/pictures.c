/* Checks reading and writing PNG files, conversions of channels, and result files that are written all or none. */
#include "runtime/cmrun/output.h"
#include "runtime/cmrun/pixels.h"
#include "runtime/file.h"
#include "test/unit/sim_kernel/check.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char why[512];

static void save(const char *path, const void *bytes, size_t size)
{
    struct output_set *set = outputs_new();
    CHECK(set);
    CHECK_EQUAL(outputs_add(set, path, bytes, size, why, sizeof why), 0);
    CHECK(access(path, F_OK) != 0); /* nothing there yet */
    CHECK_EQUAL(outputs_commit(set, why, sizeof why), 0);
    outputs_free(set);
}

static void png_keeps_samples(size_t channels)
{
    unsigned char samples[7 * 3 * 4], *bytes;
    size_t size;
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (unsigned char)(i * 37);
    struct pixels pixels = {7, 3, channels, samples}, back;
    CHECK_EQUAL(png_encode(&pixels, &bytes, &size, why, sizeof why), 0);
    save("test.png", bytes, size);
    CHECK_EQUAL(png_load("test.png", &back, why, sizeof why), 0);
    CHECK(back.width == 7 && back.height == 3 && back.channels == channels);
    CHECK(memcmp(back.samples, samples, 21 * channels) == 0);
    free(back.samples);

    for (size_t length = 0; length < size; length += 3) { /* cut short */
        unlink("test.png");
        save("test.png", bytes, length);
        *why = 0;
        if (png_load("test.png", &back, why, sizeof why) == 0)
            free(back.samples); /* only the end of the last chunk was missing */
        else
            CHECK(*why);
    }
    unlink("test.png");
    free(bytes);
}

static void converts_channels(void)
{
    struct pixels pixels = {1, 1, 3, malloc(3)};
    CHECK(pixels.samples);
    memcpy(pixels.samples, "\144\310\062", 3); /* 100 200 50 */
    CHECK_EQUAL(pixels_convert(&pixels, 4), 0);
    CHECK(memcmp(pixels.samples, "\144\310\062\377", 4) == 0);
    CHECK_EQUAL(pixels_convert(&pixels, 1), 0);
    CHECK_EQUAL(pixels.samples[0], 153); /* 29.9 + 117.4 + 5.7 */
    CHECK_EQUAL(pixels_convert(&pixels, 3), 0);
    CHECK(memcmp(pixels.samples, "\231\231\231", 3) == 0);
    free(pixels.samples);
}

static void outputs_are_all_or_none(void)
{
    struct output_set *set = outputs_new();
    void *bytes;
    size_t size;
    CHECK(set);
    CHECK_EQUAL(outputs_add(set, "first", "1", 1, why, sizeof why), 0);
    CHECK_EQUAL(outputs_add(set, "missing/second", "2", 1, why, sizeof why), -1);
    CHECK(strstr(why, "missing/second: No such file"));
    CHECK_EQUAL(outputs_add(set, "/dev/full", "3", 1, why, sizeof why), -1);
    outputs_free(set);
    CHECK(access("first", F_OK) != 0);

    save("first", "old", 3);
    set = outputs_new();
    CHECK_EQUAL(outputs_add(set, "first", "new!", 4, why, sizeof why), 0);
    CHECK(file_read("first", &bytes, &size) == 0 && size == 3);
    free(bytes);
    CHECK_EQUAL(outputs_commit(set, why, sizeof why), 0);
    outputs_free(set);
    CHECK(file_read("first", &bytes, &size) == 0 && size == 4 && memcmp(bytes, "new!", 4) == 0);
    free(bytes);
    unlink("first");
}

int main(void)
{
    char folder[] = "/tmp/runtime_pictures.XXXXXX";
    CHECK(mkdtemp(folder) && chdir(folder) == 0);
    for (size_t channels = 1; channels <= 4; channels++)
        png_keeps_samples(channels);
    converts_channels();
    outputs_are_all_or_none();
    CHECK(chdir("/") == 0);
    CHECK_EQUAL(rmdir(folder), 0); /* so no temporary file stayed */
    return 0;
}
