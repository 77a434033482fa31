/* Checks the parsing of kernel arguments, numbers and fill patterns. */
#include "runtime/cmrun/argument.h"
#include "test/unit/sim_kernel/check.h"

#include <math.h>
#include <string.h>

static char why[REASON_BYTES];

static struct argument parsed(const char *text)
{
    struct argument argument;
    if (argument_parse(text, &argument, why)) {
        fprintf(stderr, "%s: %s\n", text, why);
        exit(1);
    }
    return argument;
}

static void refused(const char *text)
{
    struct argument argument;
    *why = 0;
    if (!argument_parse(text, &argument, why) || !*why) {
        fprintf(stderr, "'%s' was taken\n", text);
        exit(1);
    }
    argument_free(&argument);
}

static void reads_values(void)
{
    struct argument argument = parsed("i16:-32768,0x7fff,010");
    const int16_t numbers[] = {-32768, 32767, 8};
    CHECK_EQUAL(argument.kind, CMRT_ARGUMENT_VALUE);
    CHECK_EQUAL(argument.bytes, sizeof numbers);
    CHECK(memcmp(argument.value, numbers, sizeof numbers) == 0);
    argument_free(&argument);

    argument = parsed("f16:0.5,-2,65504");
    const uint16_t halves[] = {0x3800, 0xc000, 0x7bff};
    CHECK(memcmp(argument.value, halves, sizeof halves) == 0);
    argument_free(&argument);

    argument = parsed("u64:18446744073709551615");
    CHECK(memcmp(argument.value, "\377\377\377\377\377\377\377\377", 8) == 0);
    argument_free(&argument);

    static const char *const wrong[] = {"i8:128",     "i8:-129", "u8:256",  "u8:-1", "u32:",  "u32:1,",
                                        "u32:,1",     "u32:1.5", "f32:abc", "f32:",  "i32: ", "i64:9223372036854775808",
                                        "u16:0x10000"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i]);
}

static void reads_memory(void)
{
    struct argument argument = parsed("buf:4k:random-u8=7@rw=dir/a\\@b.bin@device@print=f32");
    CHECK_EQUAL(argument.bytes, 4096);
    CHECK_EQUAL(argument.memory, CMRT_MEMORY_DEVICE);
    CHECK_EQUAL(argument.print, SCALAR_f32);
    CHECK(strcmp(argument.pattern, "random-u8=7") == 0);
    CHECK(strcmp(argument.file, "dir/a@b.bin") == 0 && strcmp(argument.output, "dir/a@b.bin") == 0);
    argument_free(&argument);

    argument = parsed("buf:in\\:1.bin@w=out.bin");
    CHECK(strcmp(argument.file, "in:1.bin") == 0 && strcmp(argument.output, "out.bin") == 0);
    refused("buf:in.bin@r=other.bin");
    refused("buf:out.bin@w=other.bin@w");
    refused("buf:8@w");
    refused("buf:out.bin@w");
    CHECK(strstr(why, "buf:BYTES@w=out.bin"));
    argument_free(&argument);

    argument = parsed("img:640x480:raw3@w=out.png");
    CHECK_EQUAL(argument.width, 640);
    CHECK_EQUAL(argument.height, 480);
    CHECK(strcmp(argument.format, "raw3") == 0 && strcmp(argument.output, "out.png") == 0 && !argument.file);
    argument_free(&argument);

    argument = parsed("img:out.png@w");
    CHECK(argument.like_first && strcmp(argument.output, "out.png") == 0 && !argument.file);
    argument_free(&argument);

    argument = parsed("img:photo.png:rgba8u@rw");
    CHECK(strcmp(argument.file, "photo.png") == 0 && strcmp(argument.output, "photo.png") == 0);
    argument_free(&argument);

    static const char *const wrong[] = {"",
                                        "buf",
                                        "buf:",
                                        "buf:0@w=x",
                                        "buf:8:a:b",
                                        "buf:8@x",
                                        "buf:8@w@",
                                        "buf:8@device=1",
                                        "img:5x5x5:raw",
                                        "img:5x5:zebra:zero:zero",
                                        "img:a.png:zebra",
                                        "slm:0",
                                        "slm:x",
                                        "sampler:soft",
                                        "what:7",
                                        "buf:99999999999999999999",
                                        "buf:8@print=u7",
                                        "buf:17179869184G"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i]);
}

static void fills(void)
{
    uint32_t words[5], again[5];
    float numbers[4];
    CHECK_EQUAL(values_fill_pattern("iota-u32", words, 20, why, sizeof why), 0);
    CHECK_EQUAL(words[4], 4);
    CHECK_EQUAL(values_fill_pattern("u16=1,2,3", words, 20, why, sizeof why), 0);
    CHECK_EQUAL(words[0], 0x20001);
    CHECK_EQUAL(words[1], 0x10003);
    CHECK_EQUAL(values_fill_pattern("random-u32=5", words, 20, why, sizeof why), 0);
    CHECK_EQUAL(values_fill_pattern("random-u32=5", again, 20, why, sizeof why), 0);
    CHECK(memcmp(words, again, 20) == 0);
    CHECK_EQUAL(values_fill_pattern("random-u32=6", again, 20, why, sizeof why), 0);
    CHECK(memcmp(words, again, 20) != 0);
    CHECK_EQUAL(values_fill_pattern("random-f32=5", numbers, 16, why, sizeof why), 0);
    for (int i = 0; i < 4; i++)
        CHECK(numbers[i] >= 0 && numbers[i] < 1);
    CHECK(numbers[0] != numbers[1]);
    CHECK_EQUAL(values_fill_pattern("iota", words, 20, why, sizeof why), -1);
    CHECK_EQUAL(values_fill_pattern("u8=", words, 20, why, sizeof why), -1);
    CHECK_EQUAL(values_fill_pattern("random-u8=x", words, 20, why, sizeof why), -1);
}

int main(void)
{
    reads_values();
    reads_memory();
    fills();
    struct argument sampler = parsed("sampler:linear,repeat,normalized");
    CHECK(sampler.filter == CMRT_FILTER_LINEAR && sampler.address == CMRT_ADDRESS_REPEAT && sampler.normalized);
    argument_free(&sampler);
    uint32_t counts[3];
    CHECK_EQUAL(argument_parse_counts("64x48", counts), 2);
    CHECK(counts[0] == 64 && counts[1] == 48 && counts[2] == 1);
    CHECK(!argument_parse_counts("64x", counts) && !argument_parse_counts("0", counts) &&
          !argument_parse_counts("1x2x3x4", counts) && !argument_parse_counts("-1", counts) &&
          !argument_parse_counts("4294967296", counts) && !argument_parse_counts("", counts));
    return 0;
}
