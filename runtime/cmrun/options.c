#include "runtime/cmrun/options.h"

#include <dlfcn.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: cmrun [OPTION]... PROGRAM [ARGUMENT]...\n"
    "Launch one kernel of PROGRAM: a zebin (from cmc or `ocloc --format zebin`) on the GPU, SPIR-V (from\n"
    "`cmc -emit-spirv`) that the GPU's driver compiles first, or a library that cmc made for the host (.so) on the\n"
    "CPU. Kernel arguments follow in order, one for each element of a vector or matrix of surfaces or samplers;\n"
    "results are written only on success.\n"
    "\n"
    "  -k, --kernel NAME     kernel to launch (default: the only one)\n"
    "  -g, --groups X[xY[xZ]]  number of groups (default 1)\n"
    "  -l, --local X[xY[xZ]]   threads of a group; work items for OpenCL C kernels (default 1)\n"
    "      --repeat N        launch N times\n"
    "      --queues N        spread the launches over N command queues\n"
    "      --time            print the time of each launch by the device's clock; with --repeat, minimum, median and\n"
    "                        maximum, too\n"
    "      --list            print PROGRAM's kernels and their arguments, launch nothing\n"
    "      --json            with --list: print all that the file says of them, as JSON\n"
    "  -h, --help, --version\n"
    "\n"
    "ARGUMENT is one of\n"
    "  TYPE:V[,V]...         scalar or vector; TYPE is u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64\n"
    "  buf:FILE              buffer or pointer, with the bytes of FILE\n"
    "  buf:BYTES[:FILL]      ... of that size; FILL is zero, f32=1.5, u8=1,2,3, iota-u32, random-u8=SEED,\n"
    "                        or none: not written at all\n"
    "  img:FILE.png[:FORMAT] 2D image; FORMAT is raw (the file's bytes: x counts bytes), rgba8, r32f, r8u ...;\n"
    "                        default: raw for kernels that access it in blocks, rgba8 for others\n"
    "  img:WxH[:FORMAT][:FILL]  ... of that size (raw3: rows of W RGB pixels of 3 bytes); img:W and img:WxHxD have "
    "one\n"
    "                        and three dimensions\n"
    "  img:FILE.png@w        result with the size and format of the first image to the left\n"
    "  sampler:nearest|linear[,none|clamp|border|repeat|mirror][,normalized]\n"
    "  slm:BYTES             shared local memory\n"
    "and buffers and images take any of\n"
    "  @w=FILE               write the result to FILE (.png, or plain bytes)\n"
    "  @r=FILE               read the contents from FILE;  @rw=FILE both;  @rw both with the file before '@'\n"
    "  @print=TYPE           print the result as numbers\n"
    "  @shared @host @device kind of memory of a buffer (default shared)\n"
    "A backslash before : or @ keeps it in a file name. Sizes take k, M, G (1024).\n"
    "\n"
    "example: cmrun linear.bin -k linear -g 64x48 img:in.png img:out.png@w u32:3\n";

enum { OPTION_REPEAT = 256, OPTION_QUEUES, OPTION_TIME, OPTION_LIST, OPTION_JSON, OPTION_VERSION };

static const struct option long_options[] = {
    {"kernel", required_argument, NULL, 'k'},
    {"groups", required_argument, NULL, 'g'},
    {"local", required_argument, NULL, 'l'},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"queues", required_argument, NULL, OPTION_QUEUES},
    {"time", no_argument, NULL, OPTION_TIME},
    {"list", no_argument, NULL, OPTION_LIST},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int parse_counts(const char *option, const char *text, uint32_t counts[3], char *why)
{
    if (argument_parse_counts(text, counts))
        return 0;
    snprintf(why, REASON_BYTES, "%s wants 1 to 3 positive numbers like 64x48, not '%s'", option, text);
    return -1;
}

static int parse_number(const char *option, const char *text, uint32_t maximum, uint32_t *number, char *why)
{
    uint32_t counts[3];
    if (argument_parse_counts(text, counts) == 1 && counts[0] <= maximum) {
        *number = counts[0];
        return 0;
    }
    snprintf(why, REASON_BYTES, "%s wants a number from 1 to %u, not '%s'", option, maximum, text);
    return -1;
}

static int parse_option(int option, struct options *out, char *why)
{
    switch (option) {
    case 'k': out->kernel = optarg; return 0;
    case 'g': return parse_counts("-g", optarg, out->groups, why);
    case 'l': return parse_counts("-l", optarg, out->local, why);
    case OPTION_REPEAT: return parse_number("--repeat", optarg, UINT32_MAX, &out->repeat, why);
    case OPTION_QUEUES: return parse_number("--queues", optarg, 64, &out->queues, why);
    case OPTION_TIME: out->time = 1; return 0;
    case OPTION_LIST: out->list = 1; return 0;
    case OPTION_JSON: out->json = 1; return 0;
    default: return -1;
    }
}

/* Several versions may be installed: which library is it? */
static void print_version(void)
{
    Dl_info library;
    unsigned version = cmrt_version();
    puts("cmrun (cmkit) " CMKIT_VERSION);
    printf("libcmrt %u.%u.%u", version / 10000, version / 100 % 100, version % 100);
    if (dladdr((const void *)(uintptr_t)cmrt_version, &library) && library.dli_fname)
        printf(" (%s)", library.dli_fname);
    putchar('\n');
}

enum options_result options_parse(int count, char **words, struct options *out, char why[REASON_BYTES])
{
    *out = (struct options){.groups = {1, 1, 1}, .local = {1, 1, 1}, .repeat = 1, .queues = 1};
    opterr = 0;
    for (int option; (option = getopt_long(count, words, "k:g:l:h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return OPTIONS_DONE;
        }
        if (option == OPTION_VERSION) {
            print_version();
            return OPTIONS_DONE;
        }
        if (option == '?') {
            const char *word = words[optind - 1];
            snprintf(why, REASON_BYTES, "option '%s' is unknown or lacks its value; see cmrun --help", word);
            return OPTIONS_WRONG;
        }
        if (parse_option(option, out, why))
            return OPTIONS_WRONG;
    }
    if (optind == count) {
        snprintf(why, REASON_BYTES, "no program given; see cmrun --help");
        return OPTIONS_WRONG;
    }
    if (out->json && !out->list) {
        snprintf(why, REASON_BYTES, "--json is a form of --list");
        return OPTIONS_WRONG;
    }
    out->program = words[optind];
    out->arguments = words + optind + 1;
    out->argument_count = (size_t)(count - optind - 1);
    return OPTIONS_RUN;
}
