/* Reads the command line of `cmbench tune`. */
#include "benchmarks/harness/tune.h"
#include "benchmarks/harness/worker.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: cmbench tune WORKLOAD -d MACHINE [OPTION...]\n"
    "Searches the parameters that a workload declares for its CM and OpenCL kernels. Points whose kernels spill are "
    "left\n"
    "out before they run; the others run in the order of an estimate, which learns from those that have run. What was\n"
    "measured is kept in a database and never measured again.\n"
    "\n"
    "  -d, --device MACHINE  gpu (the machine's), a simulated device (gensim --list-devices), or a machine of its "
    "timing\n"
    "                        model (gensim -d DEVICE --show-timing)\n"
    "  -i, --input NAME      an input of the workload (default: the one that its table names)\n"
    "  -s, --size NUMBERS    an input of these numbers: 1024x1024x1024\n"
    "      --family NAME     only this family of kernels\n"
    "      --budget MINUTES  begin no point after so many minutes; 0: print the reports only\n"
    "      --evaluations N   measure at most N points\n"
    "      --shard I/N       only every Nth point, beginning with the Ith; cmbench merge puts the databases together\n"
    "      --database FILE   JSON lines, made or gone on with (default WORKLOAD.MACHINE.jsonl, with --shard\n"
    "                        WORKLOAD.MACHINE.IofN.jsonl)\n"
    "      --html FILE       write a page with a heat map for each family\n"
    "      --programs DIR    take compiled programs from DIR where they are there, and leave new ones in it\n"
    "      --threads N       host threads of a simulated GPU (default: all processors)\n"
    "  -l, --list            list the points with their estimates; nothing runs\n"
    "  -h, --help            print this\n"
    "\n"
    "Exit status: 0 at least one point is measured; 1 a result is wrong or none (without --shard) is measured; 2 the "
    "command line or "
    "the\n"
    "database is wrong; 130 interrupted: the database has all that was measured.\n";

/* Machines of the timing model. */

struct machine {
    const char *name;
    enum platform_id platform;
    double subslices, eus;
};

static const struct machine machines[] = {
#define TIMING_MACHINE(NAME, PLATFORM, SLICES, SUBSLICES, EUS, OFF, ...)                                               \
    {#NAME, PLATFORM_##PLATFORM, (SLICES) * (SUBSLICES), (SLICES) * (SUBSLICES) * (EUS) - (OFF)},
#include "tables/timing_machines.def"
#undef TIMING_MACHINE
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void take_machine(struct tune_options *options, const struct machine *machine)
{
    options->eus = machine->eus;
    options->subslices = machine->subslices;
}

/* The platform's first machine: the one that gensim takes. */
static void take_platform(struct tune_options *options, const char *word)
{
    char why[512];
    if (device_choose(word, &options->device, why)) {
        options_wrong(&options->exit_status, "%s; or a machine of gensim -d DEVICE --show-timing", why);
        return;
    }
    take_machine(options, &machines[0]);
    for (size_t i = 0; i < MACHINES && options->device.simulated; i++)
        if (machines[i].platform == options->device.platform->id) {
            take_machine(options, &machines[i]);
            return;
        }
    if (options->device.simulated)
        options_wrong(&options->exit_status, "-d %s: gensim has no timing data for %s; a point of it has no time", word,
                      options->device.platform->label);
}

static void choose_machine(struct tune_options *options)
{
    if (!options->machine_word) {
        options_wrong(&options->exit_status, "tune needs a machine: cmbench tune %s -d hd530-24eu",
                      options->workload->name);
        return;
    }
    for (size_t i = 0; i < MACHINES; i++)
        if (strcmp(machines[i].name, options->machine_word) == 0) {
            options->device = (struct bench_device_choice){&platform_table[machines[i].platform], 1};
            options->machine = machines[i].name;
            take_machine(options, &machines[i]);
            return;
        }
    take_platform(options, options->machine_word);
}

/* Inputs. */

static void choose_named(struct tune_options *options, const char *name)
{
    const struct workload *workload = options->workload;
    for (size_t i = 0; i < workload->input_count; i++)
        if (strcmp(workload->inputs[i].name, name) == 0) {
            options->input = workload->inputs[i];
            return;
        }
    options_wrong(&options->exit_status, "--input: %s has no input '%s'; cmbench --list %s shows them", workload->name,
                  name, workload->name);
}

static void choose_numbers(struct tune_options *options, const char *text)
{
    size_t count = 0;
    options->input = options->workload->inputs[0];
    options->input.name = text;
    options->input.text = "numbers from the command line";
    memset(options->input.n, 0, sizeof options->input.n);
    for (const char *at = text; options->workload->size_names; at++) {
        char *end;
        errno = 0;
        unsigned long long number = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || errno || number > UINT32_MAX || count == 4)
            break;
        options->input.n[count++] = number;
        if (!*end)
            return;
        at = end;
        if (*end != 'x')
            break;
    }
    if (options->workload->size_names)
        options_wrong(&options->exit_status, "--size: '%s' is not %s", text, options->workload->size_names);
    else
        options_wrong(&options->exit_status, "--size: %s takes no numbers", options->workload->name);
}

static void choose_input(struct tune_options *options, const char *input, const char *size)
{
    if (input && size)
        options_wrong(&options->exit_status, "--input and --size cannot both be given");
    else if (size)
        choose_numbers(options, size);
    else
        choose_named(options, input ? input : options->workload->tuned_input);
}

/* Words. */

static void choose_workload(const struct bench_table *table, struct tune_options *options, int count, char **names)
{
    if (count != 1) {
        options_wrong(&options->exit_status, "tune needs one workload: cmbench tune WORKLOAD -d MACHINE");
        return;
    }
    options->workload = table_find(table, names[0]);
    if (!options->workload)
        options_wrong(&options->exit_status, "no workload '%s'; cmbench --list shows all", names[0]);
    else if (!options->workload->family_count)
        options_wrong(&options->exit_status, "%s declares no parameters to tune", names[0]);
}

static void check_family(struct tune_options *options)
{
    for (size_t i = 0; i < options->workload->family_count; i++)
        if (!options->family || strcmp(options->workload->families[i].name, options->family) == 0)
            return;
    options_wrong(&options->exit_status, "--family: %s has no family '%s'", options->workload->name, options->family);
}

static unsigned long read_count(struct tune_options *options, const char *name, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '1' || *text > '9' || *end || number > 1000000)
        options_wrong(&options->exit_status, "%s: '%s' is no number from 1 to 1000000", name, text);
    return number;
}

static double read_minutes(struct tune_options *options, const char *text)
{
    char *end;
    double minutes = strtod(text, &end);
    if (*text < '0' || *text > '9' || *end || !isfinite(minutes))
        options_wrong(&options->exit_status, "--budget: '%s' is no number of minutes", text);
    return minutes;
}

static void read_shard(struct tune_options *options, const char *text)
{
    if (shard_read(text, &options->shard))
        options_wrong(&options->exit_status, "--shard: '%s' is no part like 2/8", text);
}

struct texts {
    const char *input, *size;
};

enum { BUDGET = 256, EVALUATIONS, SHARD, DATABASE, HTML, PROGRAMS, THREADS, FAMILY };

static void read_option(struct tune_options *options, int letter, struct texts *texts)
{
    switch (letter) {
    case 'd': options->machine_word = optarg; break;
    case 'i': texts->input = optarg; break;
    case 's': texts->size = optarg; break;
    case 'l': options->list = 1; break;
    case BUDGET: options->budget = read_minutes(options, optarg); break;
    case EVALUATIONS: options->most = read_count(options, "--evaluations", optarg); break;
    case SHARD: read_shard(options, optarg); break;
    case DATABASE: options->database = optarg; break;
    case HTML: options->html = optarg; break;
    case PROGRAMS: options->programs = optarg; break;
    case FAMILY: options->family = optarg; break;
    case THREADS:
        read_count(options, "--threads", optarg);
        options->threads = optarg;
        break;
    case 'h':
        fputs(usage, stdout);
        options->exit_status = 0;
        break;
    default: options->exit_status = 2; /* getopt has printed why */
    }
}

static void read_words(struct tune_options *options, int count, char **words, struct texts *texts)
{
    static const struct option names[] = {
        {"device", required_argument, NULL, 'd'},
        {"input", required_argument, NULL, 'i'},
        {"size", required_argument, NULL, 's'},
        {"budget", required_argument, NULL, BUDGET},
        {"evaluations", required_argument, NULL, EVALUATIONS},
        {"shard", required_argument, NULL, SHARD},
        {"database", required_argument, NULL, DATABASE},
        {"html", required_argument, NULL, HTML},
        {"programs", required_argument, NULL, PROGRAMS},
        {"threads", required_argument, NULL, THREADS},
        {"family", required_argument, NULL, FAMILY},
        {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int letter;
    while (options->exit_status < 0 && (letter = getopt_long(count, words, "d:i:s:lh", names, NULL)) != -1)
        read_option(options, letter, texts);
}

void tune_options_read(const struct bench_table *table, int count, char **words, struct tune_options *options)
{
    struct texts texts = {NULL, NULL};
    *options = (struct tune_options){.exit_status = -1, .budget = -1};
    read_words(options, count, words, &texts);
    if (options->exit_status < 0)
        choose_workload(table, options, count - optind, words + optind);
    if (options->exit_status < 0)
        check_family(options);
    if (options->exit_status < 0)
        choose_input(options, texts.input, texts.size);
    if (options->exit_status < 0)
        choose_machine(options);
}
