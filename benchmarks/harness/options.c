/* Reads the command line of cmbench. */
#include "benchmarks/harness/suite.h"
#include "benchmarks/harness/worker.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: cmbench [OPTION...] [WORKLOAD...]\n"
    "       cmbench compare OLD.json NEW.json [--gate METRIC=N%,...] (cmbench compare --help)\n"
    "       cmbench tune WORKLOAD -d MACHINE [OPTION...] (cmbench tune --help)\n"
    "       cmbench merge OUT IN... (cmbench merge --help)\n"
    "Runs workloads in CM and in OpenCL on the same inputs, checks every result, and compares. No names: all "
    "workloads.\n"
    "\n"
    "  -d, --device LIST     gpu (the machine's; the default), or simulated ones (gensim --list-devices); several with "
    "commas\n"
    "  -s, --size SIZE       inputs of a class: tiny, small (the default), full; or the numbers of one input for "
    "every\n"
    "                        workload that takes any: 1000x700 (--list shows what they mean)\n"
    "  -i, --input NAME      only this input, of whatever class\n"
    "      --variant NAME    only this variant: cm, or an OpenCL kernel's name\n"
    "  -r, --repeat N        runs of each variant; the best time counts (default 10 on a GPU, 1 on a simulated one)\n"
    "      --json FILE       write the results as JSON\n"
    "      --html FILE       write a page with charts\n"
    "      --programs DIR    take compiled programs from DIR where they are there, and leave new ones in it\n"
    "      --threads N       host threads of a simulated GPU (default: all processors)\n"
    "      --timing          time simulated GPUs by gensim's model, and compare times with their range\n"
    "      --draws N         times with constants drawn from their ranges, 1 to 128 (default 16); with it comes "
    "--timing\n"
    "      --profile DIR     leave a page of each variant in DIR, made by gensim --profile; with it comes --timing\n"
    "      --shard I/N       only every Nth input, beginning with the Ith: for N processes or machines; cmbench merge "
    "puts\n"
    "                        their reports together\n"
    "  -l, --list            list workloads, inputs and variants\n"
    "  -h, --help            print this\n"
    "      --version         print the version\n"
    "\n"
    "On a simulated GPU Gen instructions, messages and bytes are counted; with --timing there are times by a model.\n"
    "Exit status: 0 all results are right; 1 a result is wrong or a run failed; 2 the command line is wrong; 3 none "
    "failed,\n"
    "but some were skipped (each says why).\n"
    "Environment: CMKIT_OCLOC names another ocloc, CMKIT_CACHE the folder for inputs that take long to make,\n"
    "CMKIT_TOOLS the folder of cmc and gensim where they are not beside cmbench.\n";

void options_wrong(int *exit_status, const char *format, ...)
{
    va_list list;
    if (*exit_status >= 0)
        return; /* only one line */
    fputs("cmbench: error: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    *exit_status = 2;
}

static void read_devices(struct options *options, const char *list)
{
    char copy[256], why[512];
    options->device_count = 0;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *name = strtok(copy, ","); name && options->exit_status < 0; name = strtok(NULL, ",")) {
        if (options->device_count == MAXIMUM_DEVICES) {
            options_wrong(&options->exit_status, "--device: at most %d devices", MAXIMUM_DEVICES);
            return;
        }
        if (device_choose(name, &options->devices[options->device_count++], why))
            options_wrong(&options->exit_status, "%s", why);
    }
    if (!options->device_count)
        options_wrong(&options->exit_status, "--device: no device");
}

/* tiny, small, full, or 100x50 */
static void read_size(struct options *options, const char *text)
{
    static const char *const classes[] = {"tiny", "small", "full"};
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(text, classes[i]) == 0) {
            options->sizes = 1u << i;
            return;
        }
    options->size_text = text;
    for (const char *at = text;;) {
        char *end;
        errno = 0;
        unsigned long long number = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || errno || number > UINT32_MAX || options->n_count == 4) {
            options_wrong(&options->exit_status,
                          "--size: '%s' is none of tiny, small, full, and no numbers like 1000x700", text);
            return;
        }
        options->n[options->n_count++] = number;
        if (!*end)
            return;
        if (*end != 'x') {
            options_wrong(&options->exit_status,
                          "--size: '%s' is none of tiny, small, full, and no numbers like 1000x700", text);
            return;
        }
        at = end + 1;
    }
}

static unsigned read_count(struct options *options, const char *name, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '1' || *text > '9' || *end || number > 1000000)
        options_wrong(&options->exit_status, "%s: '%s' is no number from 1 to 1000000", name, text);
    return (unsigned)number;
}

static size_t count_names(const char *names)
{
    size_t count = 1;
    for (const char *at = names; (at = strstr(at, " x ")); at += 3)
        count++;
    return count;
}

static void read_names(const struct bench_table *table, struct options *options, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        const struct workload *workload = table_find(table, words[i]);
        if (!workload)
            options_wrong(&options->exit_status, "no workload '%s'; --list shows all", words[i]);
        else if (options->n_count && !workload->size_names)
            options_wrong(&options->exit_status, "%s takes no numbers for --size; its inputs are in --list", words[i]);
        else if (options->n_count && count_names(workload->size_names) != options->n_count)
            options_wrong(&options->exit_status, "%s: --size %s: the numbers are %s", words[i], options->size_text,
                          workload->size_names);
        else if (options->name_count < MAXIMUM_NAMES)
            options->names[options->name_count++] = words[i];
    }
}

/* Refuses a name that no workload has: it would silently run nothing. */
static void check_only(const struct bench_table *table, struct options *options)
{
    int input = !options->input, variant = !options->variant;
    for (size_t i = 0; i < table->count; i++) {
        const struct workload *workload = table->workloads[i];
        for (size_t k = 0; k < workload->input_count && !input; k++)
            input = strcmp(workload->inputs[k].name, options->input) == 0;
        for (size_t k = 0; k < workload->variant_count && !variant; k++)
            variant = strcmp(workload->variants[k].name, options->variant) == 0;
    }
    if (!input)
        options_wrong(&options->exit_status, "--input: no workload has an input '%s'", options->input);
    if (!variant)
        options_wrong(&options->exit_status, "--variant: no workload has a variant '%s'", options->variant);
}

static void keep_command(struct options *options, int count, char **words)
{
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof options->command; i++) {
        const char *slash = i ? NULL : strrchr(words[0], '/');
        used += (size_t)snprintf(options->command + used, sizeof options->command - used, "%s%s", i ? " " : "",
                                 slash ? slash + 1 : words[i]);
    }
}

enum {
    OPTION_VARIANT = 256,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_PROGRAMS,
    OPTION_THREADS,
    OPTION_TIMING,
    OPTION_DRAWS,
    OPTION_PROFILE,
    OPTION_SHARD,
    OPTION_VERSION
};

static void read_option(struct options *options, int letter, const char **device)
{
    switch (letter) {
    case 'd': *device = optarg; break;
    case 's': read_size(options, optarg); break;
    case 'i': options->input = optarg; break;
    case 'r': options->repeat = read_count(options, "--repeat", optarg); break;
    case 'l': options->list = 1; break;
    case OPTION_VARIANT: options->variant = optarg; break;
    case OPTION_JSON: options->json = optarg; break;
    case OPTION_HTML: options->html = optarg; break;
    case OPTION_PROGRAMS: options->programs = optarg; break;
    case OPTION_TIMING: options->timing = 1; break;
    case OPTION_DRAWS:
        options->draws = read_count(options, "--draws", optarg);
        if (options->draws > BENCH_MOST_DRAWS)
            options_wrong(&options->exit_status, "--draws: '%s' is more than %d", optarg, BENCH_MOST_DRAWS);
        options->timing = 1;
        break;
    case OPTION_PROFILE:
        options->profile = optarg;
        options->timing = 1;
        break;
    case OPTION_SHARD:
        if (shard_read(optarg, &options->shard))
            options_wrong(&options->exit_status, "--shard: '%s' is no part like 2/8", optarg);
        break;
    case OPTION_THREADS:
        read_count(options, "--threads", optarg);
        options->threads = optarg;
        break;
    case 'h':
        fputs(usage, stdout);
        options->exit_status = 0;
        break;
    case OPTION_VERSION:
        puts("cmbench (cmkit) " CMKIT_VERSION);
        options->exit_status = 0;
        break;
    default: options->exit_status = 2; /* getopt has printed why */
    }
}

void options_read(const struct bench_table *table, int count, char **words, struct options *options)
{
    static const struct option names[] = {
        {"device", required_argument, NULL, 'd'},
        {"size", required_argument, NULL, 's'},
        {"input", required_argument, NULL, 'i'},
        {"variant", required_argument, NULL, OPTION_VARIANT},
        {"repeat", required_argument, NULL, 'r'},
        {"json", required_argument, NULL, OPTION_JSON},
        {"html", required_argument, NULL, OPTION_HTML},
        {"programs", required_argument, NULL, OPTION_PROGRAMS},
        {"threads", required_argument, NULL, OPTION_THREADS},
        {"timing", no_argument, NULL, OPTION_TIMING},
        {"draws", required_argument, NULL, OPTION_DRAWS},
        {"profile", required_argument, NULL, OPTION_PROFILE},
        {"shard", required_argument, NULL, OPTION_SHARD},
        {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, OPTION_VERSION},
        {NULL, 0, NULL, 0},
    };
    const char *device = "gpu";
    int letter;
    *options = (struct options){.exit_status = -1};
    keep_command(options, count, words);
    while (options->exit_status < 0 && (letter = getopt_long(count, words, "d:s:i:r:lh", names, NULL)) != -1)
        read_option(options, letter, &device);
    if (options->exit_status >= 0)
        return;
    if (!options->sizes && !options->n_count)
        options->sizes = BENCH_SMALL;
    read_names(table, options, count - optind, words + optind);
    check_only(table, options);
    if (options->exit_status < 0 && !options->list)
        read_devices(options, device);
    for (size_t i = 0; i < options->device_count && options->timing; i++)
        if (!options->devices[i].simulated)
            options_wrong(&options->exit_status, "%s is for simulated devices; --device icllp simulates one",
                          options->profile ? "--profile" : "--timing");
}
