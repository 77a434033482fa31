/* gensim: runs a program with a simulated Intel GPU. It sets the environment variables that preload libgensim.so into
 * the program, and then becomes the program by exec, so that the program's exit status is gensim's. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/base/options.h"
#include "sim/base/plugin_file.h"
#include "sim/base/process.h"
#include "sim/check/report.h"
#include "sim/gensim/driver.h"
#include "sim/gensim/listen.h"
#include "sim/gensim/traces.h"
#include "sim/timing/constants.h"

static const char usage[] =
    "usage: gensim -d DEVICE [OPTION...] -- PROGRAM [ARGUMENT...]\n"
    "       gensim replay [OPTION...] DIR [LAUNCH]\n"
    "Runs PROGRAM with a simulated Intel GPU underneath Intel's Level Zero and OpenCL drivers; or runs a launch that\n"
    "--save-trace has recorded in DIR again, without the program and the driver: the last one, or number LAUNCH.\n"
    "\n"
    "  -d, --device NAME         the GPU to simulate (see --list-devices)\n"
    "      --list-devices        list the simulated GPUs\n"
    "      --driver WHICH        installed (the default); current: the newest, which ./dev deps --current downloads, "
    "or\n"
    "                            the installed one if it is as new; or a folder of unpacked Debian packages\n"
    "      --interface i915|xe   the kernel interface, for devices with both (the first is\n"
    "                            the one that --list-devices shows)\n"
    "      --stats FILE          write statistics of all launches to FILE as JSON (%p in FILE: the process id; -: "
    "standard "
    "output)\n"
    "      --trace KERNEL[:GROUP[:THREAD]]\n"
    "                            write each instruction of these threads with its registers before and after. KERNEL:\n"
    "                            a name, the first digits of the hash in --stats, or * for all; GROUP: X[,Y[,Z]]\n"
    "      --trace-file FILE     write the trace to FILE instead of standard error (%p in FILE: the process id)\n"
    "      --threads N           host threads that run the GPU's threads (default: all processors)\n"
    "      --execute all|none    none: complete kernels without running them; measures the cost of all the rest\n"
    "      --topology SxUxE      S slices with U subslices of E EUs instead of the device's own\n"
    "      --on-fault HOW        stop (the default) the program at a fault, or continue: skip bad accesses and\n"
    "                            report each once per instruction\n"
    "      --fidelity            print at the end how exactly each executed instruction and message is simulated\n"
    "      --check[=LIST]        report errors of kernels that hardware does not: memory, init, race, barrier,\n"
    "                            scoreboard, with commas between (default: all of them)\n"
    "      --suppress FILE       do not report findings of --check that match a line CHECK KERNEL SOURCE of FILE\n"
    "      --report FILE         write what --check finds to FILE as JSON (%p in FILE: the process id)\n"
    "      --gen-suppressions FILE\n"
    "                            write lines for --suppress to FILE: one for each place in the code with a finding\n"
    "      --error-exit N        exit with status N if --check has reported anything\n"
    "      --gdb[=PORT|unix:PATH|pipe]\n"
    "                            wait at the first kernel for gdb (target remote :PORT), by default at a free port; "
    "pipe:\n"
    "                            for gdb's `target remote | gensim ...`, and the program writes to standard error\n"
    "      --check-scoreboard    Gen12: stop at a register access that the software scoreboard does not guard\n"
    "      --save-trace DIR      record every launch in DIR, for gensim replay\n"
    "      --list-launches       list the recorded launches of DIR (gensim replay)\n"
    "      --save-kernels DIR    write the code of every kernel that is launched to DIR/DEVICE-HASH.gen\n"
    "      --timing              compute durations of kernels by a model with a known error "
    "(docs/simulator/timing.md)\n"
    "      --timing-machine NAME the modelled chip and memory (--show-timing lists them); with --timing\n"
    "      --timing-set NAME=VALUE\n"
    "                            change a constant of the model; may be repeated\n"
    "      --timing-warm         keep the caches' contents between launches; otherwise each launch starts cold\n"
    "      --timing-draws N[:SEED]\n"
    "                            time each launch N more times with constants drawn from their ranges (for --stats)\n"
    "      --show-timing         print the device's constants and machines\n"
    "      --profile FILE.html   write a page with what each instruction, source line and kernel costs; its numbers\n"
    "                            go to FILE.json; with it comes --timing (%p in FILE: the process id)\n"
    "      --trace-events FILE   write what queues and EU threads do when, in Chrome's trace format (Perfetto reads "
    "it);\n"
    "                            with it comes --timing\n"
    "      --trace-window FROM:TO\n"
    "                            microseconds of the GPU's time that --trace-events is for (default 0:1000)\n"
    "      --profile-against OLD.json\n"
    "                            compare the page with the numbers of an earlier --profile\n"
    "      --profile-sources DIR look in DIR for source files that are not where the program's debug lines say\n"
    "      --plugin FILE.so[=OPTIONS]\n"
    "                            call a plug-in for kernels, groups, instructions and accesses; aiwc comes with "
    "gensim\n"
    "      --max-instructions N  stop the program once N Gen instructions were executed\n"
    "  -h, --help                print this\n"
    "  -V, --version             print the version\n"
    "\n"
    "Exit status: that of PROGRAM; 125 if gensim itself fails, 126 if PROGRAM cannot be run or the simulated GPU\n"
    "stops it with a fault (reported on standard error).\n"
    "Environment: GENSIM_LIBRARY names the library to load instead of ../lib/libgensim.so beside gensim.\n";

static _Noreturn void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

static _Noreturn void fail(int status, const char *format, ...)
{
    va_list arguments;
    fputs("gensim: error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

static _Noreturn void finish_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(SIM_EXIT_USAGE, "cannot write to standard output: %s", strerror(errno));
    exit(0);
}

/* Prints name, EUs, slices x subslices x EUs, kernel interface, and description. */
static void list_device(const struct platform *p)
{
    printf("%-8s %4u EUs (%ux%ux%u)  %-4s  %s\n", p->ocloc, p->slices * p->subslices * p->eus, p->slices, p->subslices,
           p->eus, sim_options_interface(p, NULL), p->label);
}

static _Noreturn void list_devices(void)
{
    for (size_t i = 0; i < platform_count; i++)
        if (platform_table[i].simulated)
            list_device(&platform_table[i]);
    finish_output();
}

static void set(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        fail(SIM_EXIT_USAGE, "cannot set %s: %s", name, strerror(errno));
}

static void set_number(const char *name, const char *option, const char *text, uint64_t high)
{
    uint64_t number;
    if (!sim_options_number(text, 1, high, &number))
        fail(SIM_EXIT_USAGE, "%s: '%s' is not a number from 1 to %llu", option, text, (unsigned long long)high);
    set(name, text);
}

/* Variables that Intel's driver needs for this device, unless the user has set them. */
static void set_driver_settings(const struct platform *platform)
{
    static const struct {
        enum platform_id platform;
        const char *name, *value;
    } settings[] = {
#define DRIVER_SETTING(PLATFORM, NAME, VALUE) {PLATFORM_##PLATFORM, NAME, VALUE},
#include "tables/kernel_devices.def"
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i].platform == platform->id && !getenv(settings[i].name))
            set(settings[i].name, settings[i].value);
}

static void set_device(const char *name)
{
    const struct platform *platform = platform_find(name);
    if (!platform || !platform->simulated)
        fail(SIM_EXIT_USAGE, "unknown device '%s' (gensim --list-devices lists them)", name);
    set(GENSIM_ENV_DEVICE, platform->ocloc);
    set_driver_settings(platform);
}

/* Checks the interface once both options are read. */
static void check_interface(const char *device, const char *interface)
{
    if (interface && !sim_options_interface(platform_find(device), interface))
        fail(SIM_EXIT_USAGE, "--interface: %s has no kernel interface '%s' (%s is its own)", device, interface,
             sim_options_interface(platform_find(device), NULL));
    if (interface)
        set(GENSIM_ENV_INTERFACE, interface);
}

static void set_topology(const char *text)
{
    struct platform platform = platform_table[0];
    if (!sim_options_topology(text, &platform))
        fail(SIM_EXIT_USAGE,
             "--topology: '%s' is not SLICESxSUBSLICESxEUS with 1 to %d slices, %d subslices in each, %d EUs in each",
             text, GENSIM_MAX_SLICES, GENSIM_MAX_SUBSLICES, GENSIM_MAX_EUS);
    set(GENSIM_ENV_TOPOLOGY, text);
}

/* What the options say about timing, until all of them are read. */
static struct {
    const char *wanted; /* the option that wants it, NULL: none does */
    int shown, warm;
    const char *machine, *topology, *draws, *execute;
    char settings[4096];
} timing;

static void add_setting(const char *text)
{
    struct timing_constants ignored;
    size_t used = strlen(timing.settings);
    const char *wrong = strchr(text, ',') || !*text ? "is not NAME=VALUE" : timing_constants_set(&ignored, text);
    if (wrong)
        fail(SIM_EXIT_USAGE, "--timing-set: '%s' %s", text, wrong);
    if (used + strlen(text) + 2 > sizeof timing.settings)
        fail(SIM_EXIT_USAGE, "--timing-set: more than %zu characters of settings", sizeof timing.settings);
    snprintf(timing.settings + used, sizeof timing.settings - used, "%s%s", used ? "," : "", text);
}

static const struct timing_machine *find_machine(const struct platform *platform)
{
    struct platform shape = *platform;
    const struct timing_machine *machine = timing_machine_find(platform, timing.machine);
    if (!machine)
        fail(SIM_EXIT_USAGE, "--timing-machine: %s has no machine '%s' (gensim -d %s --show-timing lists them)",
             platform->ocloc, timing.machine, platform->ocloc);
    if (!timing.topology || !sim_options_topology(timing.topology, &shape))
        return machine;
    if (timing.machine)
        fail(SIM_EXIT_USAGE, "--topology: the machine %s has a topology of its own", timing.machine);
    machine = timing_machine_with(platform, shape.slices, shape.subslices, shape.eus);
    if (!machine)
        fail(SIM_EXIT_USAGE, "--timing: there are no timing data for the topology %s of %s", timing.topology,
             platform->ocloc);
    return machine;
}

/* Checks the options for timing against each other and passes them on. */
static void set_timing(const char *device)
{
    const struct platform *platform = platform_find(device);
    struct timing_constants constants;
    if (!timing.wanted && !timing.shown) {
        if (timing.machine || timing.settings[0] || timing.warm || timing.draws)
            fail(SIM_EXIT_USAGE, "%s needs --timing",
                 timing.machine ? "--timing-machine"
                 : timing.warm  ? "--timing-warm"
                 : timing.draws ? "--timing-draws"
                                : "--timing-set");
        return;
    }
    if (!timing_constants_of(platform, &constants))
        fail(SIM_EXIT_USAGE, "%s: there are no timing data for %s", timing.wanted ? timing.wanted : "--show-timing",
             platform->ocloc);
    timing_constants_set(&constants, timing.settings);
    if (timing.shown) {
        timing_constants_print(stdout, platform, &constants);
        finish_output();
    }
    if (timing.execute && strcmp(timing.execute, "none") == 0)
        fail(SIM_EXIT_USAGE, "%s cannot time kernels that do not run (--execute none)", timing.wanted);
    const struct timing_machine *machine = find_machine(platform);
    char topology[64];
    snprintf(topology, sizeof topology, "%ux%ux%u", machine->slices, machine->subslices, machine->eus);
    set(GENSIM_ENV_TOPOLOGY, topology);
    set(GENSIM_ENV_TIMING, machine->name);
    if (timing.settings[0])
        set(GENSIM_ENV_TIMING_SET, timing.settings);
    if (timing.warm)
        set(GENSIM_ENV_TIMING_WARM, "1");
    if (timing.draws)
        set(GENSIM_ENV_TIMING_DRAWS, timing.draws);
}

static void set_draws(const char *text)
{
    unsigned count;
    uint64_t seed;
    if (!sim_options_draws(text, &count, &seed))
        fail(SIM_EXIT_USAGE, "--timing-draws: '%s' is not N or N:SEED, N from 1 to %d", text, GENSIM_MAX_DRAWS);
    timing.draws = text;
}

static void set_on_fault(const char *text)
{
    if (strcmp(text, "stop") != 0 && strcmp(text, "continue") != 0)
        fail(SIM_EXIT_USAGE, "--on-fault: '%s' is neither stop nor continue", text);
    set(GENSIM_ENV_ON_FAULT, text);
}

/* Checks the folder of an output file before the run, not after it. */
static void check_folder(const char *option, const char *path)
{
    struct stat status;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? path : ".");
    int exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        fail(SIM_EXIT_USAGE, "%s: '%s' is a folder", option, path);
    int is_special = lstat(path, &status) == 0 && !S_ISREG(status.st_mode); /* a terminal, a pipe, a link */
    if (!is_special && access(folder, W_OK | X_OK) != 0)
        fail(SIM_EXIT_USAGE, "%s: cannot write to the folder of '%s': %s", option, path, strerror(errno));
}

/* Makes the name of a file or folder absolute: the program may change its directory. */
static void set_path(const char *name, const char *option, const char *path)
{
    char directory[PATH_MAX], absolute[2 * PATH_MAX];
    if (!*path)
        fail(SIM_EXIT_USAGE, "%s: the name is empty", option);
    if (*path == '/') {
        set(name, path);
        return;
    }
    if (!getcwd(directory, sizeof directory))
        fail(SIM_EXIT_USAGE, "cannot find the current directory: %s", strerror(errno));
    snprintf(absolute, sizeof absolute, "%s/%s", directory, path);
    set(name, absolute);
}

static void set_file(const char *name, const char *option, const char *path)
{
    if (strcmp(path, "-") == 0)
        path = "/dev/stdout";
    if (*path)
        check_folder(option, path);
    set_path(name, option, path);
}

static void set_window(const char *text)
{
    uint64_t window[2];
    if (!sim_options_window(text, window))
        fail(SIM_EXIT_USAGE, "--trace-window: '%s' is not FROM:TO, whole microseconds with FROM before TO", text);
    set(GENSIM_ENV_WINDOW, text);
}

/* A profile is one of times. */
static void set_profile(const char *path)
{
    size_t length = strlen(path);
    if (length < 6 || strcmp(path + length - 5, ".html") != 0)
        fail(SIM_EXIT_USAGE, "--profile: '%s' does not end in .html (the data go to a file that ends in .json)", path);
    set_file(GENSIM_ENV_PROFILE, "--profile", path);
    timing.wanted = "--profile";
}

static void set_trace(const char *text)
{
    struct sim_options_trace trace;
    if (!sim_options_trace(text, &trace))
        fail(SIM_EXIT_USAGE, "--trace: '%s' is not KERNEL[:X[,Y[,Z]][:THREAD]]", text);
    set(GENSIM_ENV_TRACE, text);
}

static void set_checks(const char *text)
{
    unsigned checks;
    if (!sim_options_check(text, &checks))
        fail(SIM_EXIT_USAGE, "--check: '%s' is not a list of memory, init, race, barrier and scoreboard", text);
    set(GENSIM_ENV_CHECK, text);
}

static void set_input(const char *name, const char *option, const char *path)
{
    if (access(path, R_OK) != 0)
        fail(SIM_EXIT_USAGE, "%s: cannot read '%s': %s", option, path, strerror(errno));
    set_path(name, option, path);
}

/* A mistake in the file is told before the program starts. */
static void set_suppressions(const char *path)
{
    set_input(GENSIM_ENV_SUPPRESS, "--suppress", path);
    const char *mistake = check_suppressions_read(path);
    if (mistake)
        fail(SIM_EXIT_USAGE, "--suppress: %s", mistake);
}

static void set_folder(const char *name, const char *option, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        fail(SIM_EXIT_USAGE, "%s: '%s' is not a folder", option, path);
    set_path(name, option, path);
}

/* Writes the path of a library that is installed or built beside this program: 1, or 0. */
static int find_beside(const char *name, char *path, size_t size)
{
    char self[PATH_MAX], beside[PATH_MAX + 320];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        fail(SIM_EXIT_USAGE, "cannot find my own executable: %s", strerror(errno));
    self[length] = 0;
    for (int levels = 0; levels < 2; levels++) {
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
    }
    snprintf(beside, sizeof beside, "%s/lib/cmkit/%s", self, name); /* installed */
    if (access(beside, R_OK) != 0)
        snprintf(beside, sizeof beside, "%s/lib/%s", self, name);
    if (strlen(beside) >= size || access(beside, R_OK) != 0)
        return 0;
    strcpy(path, beside);
    return 1;
}

/* Finds the library to preload: from the environment, or ../lib/NAME relative to this program. */
static void find_library(const char *name, char *path, size_t size)
{
    const char *named = getenv(GENSIM_ENV_LIBRARY);
    if (named && *named) {
        if (!realpath(named, path))
            fail(SIM_EXIT_USAGE, "cannot find %s (from " GENSIM_ENV_LIBRARY "): %s", named, strerror(errno));
        return;
    }
    if (!find_beside(name, path, size))
        fail(SIM_EXIT_USAGE, "cannot find %s (" GENSIM_ENV_LIBRARY " can name another place)", name);
}

static void print_version(void)
{
    char path[PATH_MAX];
    const char *named = getenv(GENSIM_ENV_LIBRARY);
    puts("gensim (cmkit) " CMKIT_VERSION);
    if (named && *named)
        printf("library %s\n", named);
    else
        printf("library %s\n", find_beside("libgensim.so", path, sizeof path) ? path : "libgensim.so (not found)");
}

/* Prepends the library to LD_PRELOAD. */
static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    if (strpbrk(library, ": \t\n"))
        fail(SIM_EXIT_USAGE, "the dynamic loader cannot preload a path with spaces or colons: %s", library);
    if (!others || !*others) {
        set("LD_PRELOAD", library);
        return;
    }
    size_t size = strlen(library) + strlen(others) + 2;
    char *both = malloc(size);
    if (!both)
        fail(SIM_EXIT_USAGE, "no memory");
    snprintf(both, size, "%s:%s", library, others);
    set("LD_PRELOAD", both);
    free(both);
}

enum {
    OPTION_LIST = 256,
    OPTION_DRIVER,
    OPTION_INTERFACE,
    OPTION_STATS,
    OPTION_TRACE,
    OPTION_TRACE_FILE,
    OPTION_THREADS,
    OPTION_INSTRUCTIONS,
    OPTION_EXECUTE,
    OPTION_TOPOLOGY,
    OPTION_ON_FAULT,
    OPTION_SAVE,
    OPTION_FIDELITY,
    OPTION_SCOREBOARD,
    OPTION_CHECK,
    OPTION_SUPPRESS,
    OPTION_ERROR_EXIT,
    OPTION_GDB,
    OPTION_REPORT,
    OPTION_SUPPRESSIONS,
    OPTION_TIMING,
    OPTION_TIMING_MACHINE,
    OPTION_TIMING_SET,
    OPTION_TIMING_WARM,
    OPTION_TIMING_DRAWS,
    OPTION_SHOW_TIMING,
    OPTION_PROFILE,
    OPTION_EVENTS,
    OPTION_WINDOW,
    OPTION_AGAINST,
    OPTION_SOURCES,
    OPTION_PLUGIN,
    OPTION_SAVE_TRACE,
    OPTION_LAUNCHES
};

static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                        {"list-devices", no_argument, NULL, OPTION_LIST},
                                        {"driver", required_argument, NULL, OPTION_DRIVER},
                                        {"interface", required_argument, NULL, OPTION_INTERFACE},
                                        {"stats", required_argument, NULL, OPTION_STATS},
                                        {"trace", required_argument, NULL, OPTION_TRACE},
                                        {"trace-file", required_argument, NULL, OPTION_TRACE_FILE},
                                        {"threads", required_argument, NULL, OPTION_THREADS},
                                        {"fidelity", no_argument, NULL, OPTION_FIDELITY},
                                        {"check-scoreboard", no_argument, NULL, OPTION_SCOREBOARD},
                                        {"check", optional_argument, NULL, OPTION_CHECK},
                                        {"suppress", required_argument, NULL, OPTION_SUPPRESS},
                                        {"error-exit", required_argument, NULL, OPTION_ERROR_EXIT},
                                        {"report", required_argument, NULL, OPTION_REPORT},
                                        {"gen-suppressions", required_argument, NULL, OPTION_SUPPRESSIONS},
                                        {"gdb", optional_argument, NULL, OPTION_GDB},
                                        {"save-trace", required_argument, NULL, OPTION_SAVE_TRACE},
                                        {"list-launches", no_argument, NULL, OPTION_LAUNCHES},
                                        {"save-kernels", required_argument, NULL, OPTION_SAVE},
                                        {"execute", required_argument, NULL, OPTION_EXECUTE},
                                        {"topology", required_argument, NULL, OPTION_TOPOLOGY},
                                        {"on-fault", required_argument, NULL, OPTION_ON_FAULT},
                                        {"max-instructions", required_argument, NULL, OPTION_INSTRUCTIONS},
                                        {"timing", no_argument, NULL, OPTION_TIMING},
                                        {"timing-machine", required_argument, NULL, OPTION_TIMING_MACHINE},
                                        {"timing-set", required_argument, NULL, OPTION_TIMING_SET},
                                        {"timing-warm", no_argument, NULL, OPTION_TIMING_WARM},
                                        {"timing-draws", required_argument, NULL, OPTION_TIMING_DRAWS},
                                        {"show-timing", no_argument, NULL, OPTION_SHOW_TIMING},
                                        {"profile", required_argument, NULL, OPTION_PROFILE},
                                        {"trace-events", required_argument, NULL, OPTION_EVENTS},
                                        {"trace-window", required_argument, NULL, OPTION_WINDOW},
                                        {"profile-against", required_argument, NULL, OPTION_AGAINST},
                                        {"profile-sources", required_argument, NULL, OPTION_SOURCES},
                                        {"plugin", required_argument, NULL, OPTION_PLUGIN},
                                        {"help", no_argument, NULL, 'h'},
                                        {"version", no_argument, NULL, 'V'},
                                        {NULL, 0, NULL, 0}};

/* Returns the library for the value of --execute. */
static const char *library_for(const char *what)
{
    if (strcmp(what, "all") == 0)
        return "libgensim.so";
    if (strcmp(what, "none") == 0)
        return "libgensim_none.so";
    fail(SIM_EXIT_USAGE, "--execute: '%s' is neither all nor none", what);
}

/* Checks an option's value: if it is missing, getopt takes the next word, such as the -- before the program. */
static void check_value(const char *option, const char *value)
{
    if (value && strncmp(value, "--", 2) == 0)
        fail(SIM_EXIT_USAGE, "%s%s has no value: '%s' follows", strlen(option) > 1 ? "--" : "-", option, value);
}

/* Reports what getopt refused: an option without its value, a superfluous value, or an unknown option. */
static _Noreturn void fail_option(int refused, char *argument)
{
    if (refused == ':')
        fail(SIM_EXIT_USAGE, "%s has no value (gensim --help lists the options)", argument);
    if (optopt > 0 && optopt < OPTION_LIST)
        fail(SIM_EXIT_USAGE, "there is no option -%c (gensim --help lists the options)", optopt);
    fail(SIM_EXIT_USAGE, "%s is no option of gensim (gensim --help lists the options)", argument);
}

static void set_driver(const char *name, struct driver *driver)
{
    char problem[2 * PATH_MAX];
    if (!driver_find(name, driver, problem, sizeof problem))
        fail(SIM_EXIT_USAGE, "%s", problem);
}

/* A file that --check writes, absolute; without --check it would stay unwritten. */
static const char *check_option; /* that needs --check; NULL: none */

static void set_check_file(const char *name, const char *option, const char *path)
{
    check_option = option;
    set_file(name, option, path);
}

static void set_gdb(const char *text)
{
    char connection[160], problem[256];
    if (timing.execute && strcmp(timing.execute, "none") == 0)
        fail(SIM_EXIT_USAGE, "--gdb: there is nothing to debug without running kernels (--execute none)");
    if (!listen_open(text, connection, sizeof connection, problem, sizeof problem))
        fail(SIM_EXIT_USAGE, "--gdb: %s", problem);
    set(GENSIM_ENV_GDB, connection);
}

/* Writes the path of a plug-in: a file, or the name of one that comes with gensim. */
static void find_plugin(const char *file, char *path)
{
    char name[300];
    size_t length = strlen(file);
    if (!strchr(file, '/') && (length < 3 || strcmp(file + length - 3, ".so") != 0)) {
        snprintf(name, sizeof name, "gensim-%.255s.so", file);
        if (!find_beside(name, path, PATH_MAX))
            fail(SIM_EXIT_USAGE, "--plugin: no plug-in '%s' comes with gensim; a file ends in .so", file);
    } else if (!realpath(file, path)) {
        fail(SIM_EXIT_USAGE, "--plugin: cannot read '%s': %s", file, strerror(errno));
    }
}

/* Loads the plug-in here too, so that a mistake is reported before the program starts. */
static void set_plugin(const char *text)
{
    char its_options[1024], problem[512], file[PATH_MAX], path[PATH_MAX], whole[PATH_MAX + sizeof its_options];
    const char *equals = strchr(text, '=');
    if (strcmp(timing.execute ? timing.execute : "all", "none") == 0)
        fail(SIM_EXIT_USAGE, "--plugin: there is nothing to watch without running kernels (--execute none)");
    snprintf(file, sizeof file, "%.*s", equals ? (int)(equals - text) : (int)strlen(text), text);
    find_plugin(file, path);
    snprintf(whole, sizeof whole, "%s%s", path, equals ? equals : "");
    if (!sim_plugin_load(whole, its_options, sizeof its_options, problem, sizeof problem))
        fail(SIM_EXIT_USAGE, "--plugin: %s", problem);
    set(GENSIM_ENV_PLUGIN, whole);
}

/* Options of `gensim replay`; `is_wanted` is 0 for a program. */
struct replay {
    int is_wanted, lists;
    const char *refused; /* an option that only programs have */
    char path[TRACE_PATH];
};

static void set_save_trace(const char *folder)
{
    char problem[2 * PATH_MAX];
    if (timing.execute && strcmp(timing.execute, "none") == 0)
        fail(SIM_EXIT_USAGE, "--save-trace: there is nothing to record without running kernels (--execute none)");
    if (!traces_prepare(folder, problem, sizeof problem))
        fail(SIM_EXIT_USAGE, "--save-trace: %s", problem);
    set_path(GENSIM_ENV_SAVE_TRACE, "--save-trace", folder);
}

/* Finds the launch that is to be replayed, and sets its device. Returns the device's name. */
static const char *open_trace(struct replay *replay, char **arguments, const char *device)
{
    static struct trace_head head;
    char problem[2 * PATH_MAX];
    if (device || replay->refused)
        fail(SIM_EXIT_USAGE, "replay: %s is for programs: the trace says what ran", device ? "-d" : replay->refused);
    if (!arguments[0] || (arguments[1] && arguments[2]))
        fail(SIM_EXIT_USAGE, "replay: %s (gensim replay [OPTION...] DIR [LAUNCH])",
             arguments[0] ? "too many arguments" : "no folder is given");
    if (replay->lists) {
        if (!traces_list(arguments[0], problem, sizeof problem))
            fail(SIM_EXIT_USAGE, "replay: %s", problem);
        finish_output();
    }
    if (!traces_find(arguments[0], arguments[1], replay->path, &head, problem, sizeof problem))
        fail(SIM_EXIT_USAGE, "replay: %s", problem);
    const struct platform *platform = platform_find(head.device);
    char topology[64];
    snprintf(topology, sizeof topology, "%ux%ux%u", head.slices, head.subslices, head.eus);
    if (!platform || !platform->simulated)
        fail(SIM_EXIT_USAGE, "replay: %s is of an unknown device", replay->path);
    set(GENSIM_ENV_DEVICE, platform->ocloc);
    if (!getenv(GENSIM_ENV_THREADS))
        set(GENSIM_ENV_THREADS, "1"); /* as it was recorded */
    if (!timing.topology && !timing.machine &&
        (head.slices != platform->slices || head.subslices != platform->subslices || head.eus != platform->eus)) {
        struct platform checked = *platform;
        if (!sim_options_topology(topology, &checked))
            fail(SIM_EXIT_USAGE, "replay: %s is damaged: it is of a device with %s EUs", replay->path, topology);
        set(GENSIM_ENV_TOPOLOGY, topology);
        timing.topology = getenv(GENSIM_ENV_TOPOLOGY);
    }
    return platform->ocloc;
}

static void read_options(int count, char **arguments, const char **library, struct driver *driver,
                         struct replay *replay)
{
    int option, at = -1;
    const char *device = NULL, *interface = NULL, *gdb = NULL, *plugin = NULL, *save_trace = NULL;
    const char *letters = replay->is_wanted ? ":d:hV" : "+:d:hV";
    while ((option = getopt_long(count, arguments, letters, options, &at)) != -1) {
        check_value(at < 0 ? "d" : options[at].name, optarg);
        at = -1;
        switch (option) {
        case 'd':
            set_device(optarg);
            device = optarg;
            break;
        case OPTION_LIST: list_devices();
        case OPTION_INTERFACE:
            interface = optarg;
            replay->refused = "--interface";
            break;
        case OPTION_DRIVER:
            set_driver(optarg, driver);
            replay->refused = "--driver";
            break;
        case OPTION_SAVE_TRACE:
            save_trace = optarg;
            replay->refused = "--save-trace";
            break;
        case OPTION_LAUNCHES: replay->lists = 1; break;
        case OPTION_STATS: set_file(GENSIM_ENV_STATS, "--stats", optarg); break;
        case OPTION_TRACE: set_trace(optarg); break;
        case OPTION_TRACE_FILE: set_file(GENSIM_ENV_TRACE_FILE, "--trace-file", optarg); break;
        case OPTION_THREADS: set_number(GENSIM_ENV_THREADS, "--threads", optarg, GENSIM_MAX_THREADS); break;
        case OPTION_INSTRUCTIONS: set_number(GENSIM_ENV_INSTRUCTIONS, "--max-instructions", optarg, UINT64_MAX); break;
        case OPTION_TOPOLOGY: set_topology(timing.topology = optarg); break;
        case OPTION_TIMING: timing.wanted = "--timing"; break;
        case OPTION_TIMING_MACHINE: timing.machine = optarg; break;
        case OPTION_TIMING_SET: add_setting(optarg); break;
        case OPTION_TIMING_WARM: timing.warm = 1; break;
        case OPTION_TIMING_DRAWS: set_draws(optarg); break;
        case OPTION_SHOW_TIMING: timing.shown = 1; break;
        case OPTION_PROFILE: set_profile(optarg); break;
        case OPTION_EVENTS:
            set_file(GENSIM_ENV_EVENTS, "--trace-events", optarg);
            timing.wanted = "--trace-events";
            break;
        case OPTION_WINDOW: set_window(optarg); break;
        case OPTION_AGAINST: set_input(GENSIM_ENV_AGAINST, "--profile-against", optarg); break;
        case OPTION_SOURCES: set_folder(GENSIM_ENV_SOURCES, "--profile-sources", optarg); break;
        case OPTION_ON_FAULT: set_on_fault(optarg); break;
        case OPTION_FIDELITY: set(GENSIM_ENV_FIDELITY, "1"); break;
        case OPTION_SCOREBOARD: set(GENSIM_ENV_SCOREBOARD, "1"); break;
        case OPTION_CHECK: set_checks(optarg ? optarg : "all"); break;
        case OPTION_SUPPRESS: set_suppressions(optarg); break;
        case OPTION_ERROR_EXIT:
            set_number(GENSIM_ENV_ERROR_EXIT, "--error-exit", optarg, 255);
            check_option = "--error-exit";
            break;
        case OPTION_REPORT: set_check_file(GENSIM_ENV_REPORT, "--report", optarg); break;
        case OPTION_SUPPRESSIONS: set_check_file(GENSIM_ENV_SUPPRESSIONS, "--gen-suppressions", optarg); break;
        case OPTION_GDB: gdb = optarg ? optarg : ""; break;
        case OPTION_PLUGIN: plugin = optarg; break;
        case OPTION_SAVE: set_folder(GENSIM_ENV_SAVE, "--save-kernels", optarg); break;
        case OPTION_EXECUTE:
            *library = library_for(timing.execute = optarg);
            replay->refused = "--execute";
            break;
        case 'h': fputs(usage, stdout); finish_output();
        case 'V': print_version(); finish_output();
        default: fail_option(option, arguments[optind - 1]);
        }
    }
    if (replay->is_wanted)
        device = open_trace(replay, arguments + optind, device);
    else if (replay->lists)
        fail(SIM_EXIT_USAGE, "--list-launches: only with replay (gensim replay --list-launches DIR)");
    if (!device)
        fail(SIM_EXIT_USAGE, "no device is given (-d NAME; gensim --list-devices lists them)");
    check_interface(device, interface);
    if (!replay->is_wanted && platform_find(device)->needs_current && !driver_is_current(driver))
        fail(SIM_EXIT_USAGE,
             "%s is not known to the installed driver: --driver current (./dev deps --current downloads it)", device);
    if (getenv(GENSIM_ENV_AGAINST) && !getenv(GENSIM_ENV_PROFILE))
        fail(SIM_EXIT_USAGE, "--profile-against needs --profile");
    if (getenv(GENSIM_ENV_SOURCES) && !getenv(GENSIM_ENV_PROFILE))
        fail(SIM_EXIT_USAGE, "--profile-sources needs --profile");
    if (getenv(GENSIM_ENV_WINDOW) && !getenv(GENSIM_ENV_EVENTS))
        fail(SIM_EXIT_USAGE, "--trace-window needs --trace-events");
    set_timing(getenv(GENSIM_ENV_DEVICE));
    if (optind >= count && !replay->is_wanted)
        fail(SIM_EXIT_USAGE, "no program is given (gensim --help shows how)");
    if (check_option && !getenv(GENSIM_ENV_CHECK))
        fail(SIM_EXIT_USAGE, "%s needs --check", check_option);
    if (gdb && plugin)
        fail(SIM_EXIT_USAGE, "--plugin: not together with --gdb, which stops threads where a plug-in watches them");
    if (save_trace)
        set_save_trace(save_trace);
    if (plugin)
        set_plugin(plugin);
    if (gdb)
        set_gdb(gdb);
}

/* Becomes the program that replays. */
static _Noreturn void run_replay(const struct replay *replay)
{
    char program[PATH_MAX];
    if (!find_beside("gensim-replay", program, sizeof program))
        fail(SIM_EXIT_USAGE, "cannot find gensim-replay");
    execl(program, program, replay->path, (char *)NULL);
    fail(SIM_EXIT_FAULT, "cannot run %s: %s", program, strerror(errno));
}

int main(int count, char **arguments)
{
    char library[PATH_MAX], problem[2 * PATH_MAX];
    const char *name = library_for("all");
    struct driver driver = {""};
    unsetenv(GENSIM_ENV_STATS); /* an outer gensim's settings are not this run's */
    unsetenv(GENSIM_ENV_TRACE);
    unsetenv(GENSIM_ENV_TRACE_FILE);
    unsetenv(GENSIM_ENV_FIDELITY);
    unsetenv(GENSIM_ENV_SCOREBOARD);
    unsetenv(GENSIM_ENV_CHECK);
    unsetenv(GENSIM_ENV_GDB);
    unsetenv(GENSIM_ENV_PLUGIN);
    unsetenv(GENSIM_ENV_REPORT);
    unsetenv(GENSIM_ENV_SUPPRESSIONS);
    unsetenv(GENSIM_ENV_SUPPRESS);
    unsetenv(GENSIM_ENV_ERROR_EXIT);
    unsetenv(GENSIM_ENV_SAVE);
    unsetenv(GENSIM_ENV_SAVE_TRACE);
    unsetenv(GENSIM_ENV_THREADS);
    unsetenv(GENSIM_ENV_TOPOLOGY);
    unsetenv(GENSIM_ENV_INTERFACE);
    unsetenv(GENSIM_ENV_ON_FAULT);
    unsetenv(GENSIM_ENV_INSTRUCTIONS);
    unsetenv(GENSIM_ENV_TIMING);
    unsetenv(GENSIM_ENV_TIMING_SET);
    unsetenv(GENSIM_ENV_TIMING_WARM);
    unsetenv(GENSIM_ENV_TIMING_DRAWS);
    unsetenv(GENSIM_ENV_PROFILE);
    unsetenv(GENSIM_ENV_AGAINST);
    unsetenv(GENSIM_ENV_SOURCES);
    unsetenv(GENSIM_ENV_EVENTS);
    unsetenv(GENSIM_ENV_WINDOW);
    struct replay replay = {.is_wanted = count > 1 && strcmp(arguments[1], "replay") == 0};
    read_options(count - replay.is_wanted, arguments + replay.is_wanted, &name, &driver, &replay);
    if (replay.is_wanted)
        run_replay(&replay);
    find_library(name, library, sizeof library);
    preload(library);
    driver_run(&driver, arguments + optind, problem, sizeof problem);
    fail(SIM_EXIT_FAULT, "%s", problem);
}
