/* Checks the zebin reader with ocloc's descriptions of known kernels, and with damaged files. usage: runtime_zebin
 * KERNELS.bin PLATFORM, where KERNELS.bin is test/run/kernels.cl compiled for PLATFORM. */
#include "runtime/fat.h"
#include "runtime/file.h"
#include "runtime/zebin.h"
#include "test/unit/sim_kernel/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmrt_kernel_info *kernel(const struct zebin *zebin, const char *name)
{
    for (size_t i = 0; i < zebin->kernel_count; i++)
        if (strcmp(zebin->kernels[i].name, name) == 0)
            return &zebin->kernels[i];
    CHECK(!"kernel found");
    return NULL;
}

static void describes_arguments(const void *bytes, size_t size, const char *platform)
{
    struct zebin zebin;
    CHECK_EQUAL(zebin_read(bytes, size, &zebin), CMRT_OK);
    CHECK_EQUAL(zebin.kernel_count, 3);
    CHECK(zebin.product && strcmp(zebin.product, platform) == 0);

    const struct cmrt_kernel_info *kinds = kernel(&zebin, "kinds");
    static const enum cmrt_argument_kind wanted[] = {CMRT_ARGUMENT_BUFFER, CMRT_ARGUMENT_VALUE, CMRT_ARGUMENT_VALUE,
                                                     CMRT_ARGUMENT_VALUE,  CMRT_ARGUMENT_LOCAL, CMRT_ARGUMENT_VALUE};
    static const uint32_t sizes[] = {0, 4, 4, 8, 0, 4};
    CHECK_EQUAL(kinds->argument_count, 6);
    CHECK_EQUAL(kinds->barriers, 1);
    for (int i = 0; i < 6; i++) {
        CHECK_EQUAL(kinds->arguments[i].kind, wanted[i]);
        CHECK_EQUAL(kinds->arguments[i].bytes, sizes[i]);
    }
    CHECK(strcmp(kinds->arguments[2].name, "vector") == 0);
    CHECK(strcmp(kinds->arguments[2].type, "uchar4") == 0);

    const struct cmrt_kernel_info *flip = kernel(&zebin, "flip");
    CHECK_EQUAL(flip->arguments[0].kind, CMRT_ARGUMENT_IMAGE);
    CHECK_EQUAL(flip->arguments[0].access, CMRT_READ);
    CHECK_EQUAL(flip->arguments[0].media_block, 0);
    CHECK_EQUAL(flip->arguments[1].access, CMRT_WRITE);
    CHECK_EQUAL(flip->arguments[2].kind, CMRT_ARGUMENT_SAMPLER);
    zebin_free(&zebin);
}

/* A program that names only its core family, as the vector back end writes them. */
static void fits_its_family(const void *bytes, size_t size, const char *platform)
{
    struct zebin zebin;
    CHECK_EQUAL(zebin_read(bytes, size, &zebin), CMRT_OK);
    CHECK(zebin_fits(&zebin, platform));
    CHECK(!zebin_fits(&zebin, "bdw") && !zebin_fits(&zebin, "adlp"));
    zebin_free(&zebin);

    zebin = (struct zebin){.product = "tgllp", .core = 18};
    CHECK(zebin_fits(&zebin, "tgllp") && zebin_fits(&zebin, "adlp") && !zebin_fits(&zebin, "icllp"));
    zebin = (struct zebin){.core = 0};
    CHECK(zebin_fits(&zebin, "skl")); /* nothing is known: the driver decides */
}

/* The vector back end's text for an image that is accessed in blocks; ocloc makes no such kernel from OpenCL C. */
static void describes_block_images(void)
{
    static const char text[] =
        "version: '1.15'\n"
        "kernels:\n"
        "  - name: linear\n"
        "    execution_env: {grf_count: 128, simd_size: 1, slm_size: 4096, required_work_group_size: [16, 2, 1]}\n"
        "    payload_arguments:\n"
        "      - {arg_type: arg_bypointer, offset: 0, size: 0, arg_index: 0, addrmode: stateful,\n"
        "         addrspace: image, access_type: readonly, image_type: image_2d_media_block}\n"
        "      - {arg_type: arg_byvalue, offset: 8, size: 4, arg_index: 2, source_offset: 0}\n"
        "      - {arg_type: arg_byvalue, offset: 12, size: 8, arg_index: 2, source_offset: 4}\n"
        "      - {arg_type: group_count, offset: 0, size: 12}\n"
        "    per_thread_memory_buffers: [{type: scratch, usage: spill_fill_space, size: 2048}]\n"
        "...\n";
    struct zebin zebin;
    memset(&zebin, 0, sizeof zebin);
    CHECK_EQUAL(ze_info_read(text, sizeof text, &zebin), CMRT_OK);
    CHECK_EQUAL(zebin.kernel_count, 1);
    const struct cmrt_kernel_info *info = &zebin.kernels[0];
    CHECK_EQUAL(info->simd_size, 1);
    CHECK_EQUAL(info->slm_bytes, 4096);
    CHECK_EQUAL(info->scratch_bytes, 2048);
    CHECK(info->required_local[0] == 16 && info->required_local[1] == 2 && info->required_local[2] == 1);
    CHECK_EQUAL(info->argument_count, 3);
    CHECK_EQUAL(info->arguments[0].media_block, 1);
    CHECK_EQUAL(info->arguments[1].kind, CMRT_ARGUMENT_UNKNOWN);
    CHECK_EQUAL(info->arguments[2].bytes, 12); /* a struct of two pieces */
    zebin_free(&zebin);
}

static void refuses(const char *text)
{
    struct zebin zebin;
    memset(&zebin, 0, sizeof zebin);
    CHECK_EQUAL(ze_info_read(text, strlen(text), &zebin), CMRT_BAD_FILE);
    CHECK(*cmrt_message());
    zebin_free(&zebin);
}

/* The reader must return an error and not crash for each prefix and for random damage (sanitizer builds check
 * accesses). */
static void survives_damage(const unsigned char *bytes, size_t size)
{
    struct zebin zebin;
    unsigned char *copy = malloc(size);
    uint32_t state = 1;
    CHECK(copy);
    for (size_t length = 0; length < size; length += length < 128 ? 1 : 61) {
        unsigned char *prefix = malloc(length + 1); /* its end is watched too */
        CHECK(prefix);
        memcpy(prefix, bytes, length);
        CHECK_EQUAL(zebin_read(prefix, length, &zebin), CMRT_BAD_FILE); /* the section table is at the end */
        free(prefix);
    }
    for (int round = 0; round < 2000; round++) {
        memcpy(copy, bytes, size);
        for (int i = 0; i < 1 + round % 8; i++) {
            state = state * 1664525u + 1013904223u;
            size_t at = round % 2 ? state % size : state % 64 + (round % 4 ? size - 64 * 10 : 0);
            copy[at % size] = (unsigned char)(state >> 24);
        }
        if (zebin_read(copy, size, &zebin) == CMRT_OK)
            zebin_free(&zebin);
    }
    free(copy);
}

/* An archive with one file of this size; the caller frees it. */
static unsigned char *make_fat(const unsigned char *zebin, size_t size, size_t *fat_size)
{
    unsigned char *fat = malloc(8 + 60 + size + 1);
    CHECK(fat);
    sprintf((char *)fat, "!<arch>\n%-16s%-12s%-6s%-6s%-8s%-10zu`\n", "64.9.0.9/", "0", "0", "0", "644", size);
    memcpy(fat + 68, zebin, size);
    *fat_size = 68 + size;
    return fat;
}

/* The reader finds the GPU's zebin in a fat binary, and returns an error for truncated and changed ones. */
static void reads_fat_binaries(const unsigned char *zebin, size_t size, const char *platform)
{
    size_t fat_size, found_size;
    unsigned char *fat = make_fat(zebin, size, &fat_size);
    void *found;
    CHECK(fat_recognise(fat, fat_size) && !fat_recognise(zebin, size) && !fat_recognise("!<arch>", 7));
    CHECK_EQUAL(fat_select(fat, fat_size, platform, &found, &found_size), CMRT_OK);
    CHECK(found_size == size && memcmp(found, zebin, size) == 0);
    free(found);
    CHECK_EQUAL(fat_select(fat, fat_size, "dg2", &found, &found_size), CMRT_WRONG_PLATFORM);
    CHECK(strstr(cmrt_message(), "dg2"));
    for (size_t length = 8; length < fat_size; length += length < 80 ? 1 : 97) {
        unsigned char *prefix = malloc(length);
        CHECK(prefix);
        memcpy(prefix, fat, length);
        CHECK_EQUAL(fat_select(prefix, length, platform, &found, &found_size), CMRT_BAD_FILE);
        free(prefix);
    }
    static const char *const sizes[] = {"-1        ", "9999999999", "1 1       ", "          ", "0x10      "};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(fat + 8 + 48, sizes[i], 10);
        CHECK_EQUAL(fat_select(fat, fat_size, platform, &found, &found_size), CMRT_BAD_FILE);
    }
    free(fat);
}

int main(int count, char **words)
{
    void *bytes;
    size_t size;
    CHECK(count == 3 && file_read(words[1], &bytes, &size) == 0);
    describes_arguments(bytes, size, words[2]);
    fits_its_family(bytes, size, words[2]);
    describes_block_images();
    refuses("kernels: [{name: k, payload_arguments: [{arg_type: arg_byvalue, arg_index: 4000000, size: 4}]}]");
    refuses("kernels: [{execution_env: {simd_size: 8}}]");
    refuses("kernels: [");
    survives_damage(bytes, size);
    reads_fat_binaries(bytes, size, words[2]);
    free(bytes);
    return 0;
}
