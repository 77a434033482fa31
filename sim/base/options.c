/* Parses the options that gensim passes to its library in the environment. */
#include "sim/base/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sim_options_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    if (!isdigit((unsigned char)text[0]))
        return 0;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || number < low || number > high)
        return 0;
    *value = number;
    return 1;
}

/* Parses the number at *at and moves *at past it. */
static int read_number(const char **at, uint32_t *value)
{
    char digits[16];
    size_t length = strspn(*at, "0123456789");
    uint64_t number;
    if (length == 0 || length >= sizeof digits)
        return 0;
    memcpy(digits, *at, length);
    digits[length] = 0;
    *at += length;
    if (!sim_options_number(digits, 0, UINT32_MAX, &number))
        return 0;
    *value = (uint32_t)number;
    return 1;
}

int sim_options_trace(const char *text, struct sim_options_trace *trace)
{
    size_t length = strcspn(text, ":");
    memset(trace, 0, sizeof *trace);
    if (length == 0 || length >= sizeof trace->kernel)
        return 0;
    memcpy(trace->kernel, text, length);
    text += length;
    if (*text == 0)
        return 1;
    trace->has_group = 1;
    for (int i = 0; i < 3; i++) {
        text++; /* the colon or a comma */
        if (!read_number(&text, &trace->group[i]))
            return 0;
        if (*text != ',')
            break;
    }
    if (*text == 0)
        return 1;
    trace->has_thread = 1;
    if (*text != ':')
        return 0;
    text++;
    return read_number(&text, &trace->thread) && *text == 0;
}

static const struct {
    const char *name;
    enum sim_check check;
} check_names[] = {{"memory", SIM_CHECK_MEMORY},
                   {"init", SIM_CHECK_INIT},
                   {"race", SIM_CHECK_RACE},
                   {"barrier", SIM_CHECK_BARRIER},
                   {"scoreboard", SIM_CHECK_SCOREBOARD}};
enum { CHECK_NAMES = sizeof check_names / sizeof check_names[0] };

const char *sim_check_name(enum sim_check check)
{
    for (int i = 0; i < CHECK_NAMES; i++)
        if (check_names[i].check == check)
            return check_names[i].name;
    return "check";
}

/* Returns the check that the first `length` characters name, 0 for none. */
static unsigned find_check(const char *text, size_t length)
{
    for (int i = 0; i < CHECK_NAMES; i++)
        if (strlen(check_names[i].name) == length && strncmp(check_names[i].name, text, length) == 0)
            return check_names[i].check;
    return 0;
}

int sim_options_check(const char *text, unsigned *checks)
{
    *checks = 0;
    if (strcmp(text, "all") == 0)
        text = "memory,init,race,barrier,scoreboard";
    for (;; text++) {
        size_t length = strcspn(text, ",");
        unsigned check = find_check(text, length);
        if (!check)
            return 0;
        *checks |= check;
        text += length;
        if (*text == 0)
            return 1;
    }
}

int sim_options_topology(const char *text, struct platform *platform)
{
    static const unsigned most[3] = {GENSIM_MAX_SLICES, GENSIM_MAX_SUBSLICES, GENSIM_MAX_EUS};
    unsigned *const counts[3] = {&platform->slices, &platform->subslices, &platform->eus};
    for (int i = 0; i < 3; i++) {
        unsigned number = 0;
        for (; isdigit((unsigned char)*text) && number <= most[i]; text++)
            number = 10 * number + (unsigned)(*text - '0');
        if (number < 1 || number > most[i] || *text != (i < 2 ? 'x' : 0))
            return 0;
        *counts[i] = number;
        text += i < 2;
    }
    return 1;
}

static const struct {
    enum platform_id platform;
    const char *name;
} interfaces[] = {
#define KERNEL_INTERFACE(PLATFORM, NAME) {PLATFORM_##PLATFORM, NAME},
#include "tables/kernel_devices.def"
};

const char *sim_options_interface(const struct platform *platform, const char *name)
{
    static const char only[] = "i915"; /* of platforms without rows */
    size_t rows = 0;
    for (size_t i = 0; i < sizeof interfaces / sizeof interfaces[0]; i++)
        if (interfaces[i].platform == platform->id) {
            rows++;
            if (!name || strcmp(name, interfaces[i].name) == 0)
                return interfaces[i].name;
        }
    return rows == 0 && (!name || strcmp(name, only) == 0) ? only : NULL;
}

int sim_options_draws(const char *text, unsigned *count, uint64_t *seed)
{
    char digits[16];
    size_t length = strcspn(text, ":");
    uint64_t number;
    if (length >= sizeof digits)
        return 0;
    memcpy(digits, text, length);
    digits[length] = 0;
    if (!sim_options_number(digits, 1, GENSIM_MAX_DRAWS, &number))
        return 0;
    *count = (unsigned)number;
    *seed = 1;
    return !text[length] || sim_options_number(text + length + 1, 0, UINT64_MAX, seed);
}

static unsigned online_threads(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        return 1;
    return count > GENSIM_MAX_THREADS ? GENSIM_MAX_THREADS : (unsigned)count;
}

int sim_options_window(const char *text, uint64_t window[2])
{
    static const uint64_t MOST = 1000000000; /* microseconds */
    char first[32];
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof first)
        return 0;
    snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    return sim_options_number(first, 0, MOST, &window[0]) &&
           sim_options_number(colon + 1, window[0] + 1, MOST, &window[1]);
}

const char *sim_options_read(struct sim_options *options)
{
    *options = (struct sim_options){.threads = online_threads()};
    const char *device = getenv(GENSIM_ENV_DEVICE);
    if (!device)
        return "no device is named (start the program with `gensim -d DEVICE -- PROGRAM`)";
    options->platform = platform_find(device);
    if (!options->platform || !options->platform->simulated)
        return "the device named in " GENSIM_ENV_DEVICE " is not one that can be simulated";

    options->interface = sim_options_interface(options->platform, getenv(GENSIM_ENV_INTERFACE));
    if (!options->interface)
        return "the device has no kernel interface of the name in " GENSIM_ENV_INTERFACE;

    static struct platform changed;
    const char *text = getenv(GENSIM_ENV_TOPOLOGY);
    uint64_t number;
    if (text) {
        changed = *options->platform;
        if (!sim_options_topology(text, &changed))
            return GENSIM_ENV_TOPOLOGY " is not SLICESxSUBSLICESxEUS";
        options->platform = &changed;
    }
    text = getenv(GENSIM_ENV_THREADS);
    if (text) {
        if (!sim_options_number(text, 1, GENSIM_MAX_THREADS, &number))
            return GENSIM_ENV_THREADS " is not a number of threads";
        options->threads = (unsigned)number;
    }
    text = getenv(GENSIM_ENV_INSTRUCTIONS);
    if (text && !sim_options_number(text, 1, UINT64_MAX, &options->max_instructions))
        return GENSIM_ENV_INSTRUCTIONS " is not a number of instructions";
    text = getenv(GENSIM_ENV_ON_FAULT);
    if (text && strcmp(text, "stop") != 0 && strcmp(text, "continue") != 0)
        return GENSIM_ENV_ON_FAULT " is neither stop nor continue";
    options->continue_on_faults = text && strcmp(text, "continue") == 0;
    options->stats = getenv(GENSIM_ENV_STATS);
    text = getenv(GENSIM_ENV_TRACE);
    options->tracing = text != NULL;
    if (text && !sim_options_trace(text, &options->trace))
        return GENSIM_ENV_TRACE " is not KERNEL[:GROUP[:THREAD]]";
    if (text) {
        options->trace.file = getenv(GENSIM_ENV_TRACE_FILE);
        if (!getenv(GENSIM_ENV_THREADS))
            options->threads = 1; /* instructions in the same order each time */
    }
    options->save_kernels = getenv(GENSIM_ENV_SAVE);
    options->fidelity = getenv(GENSIM_ENV_FIDELITY) != NULL;
    text = getenv(GENSIM_ENV_CHECK);
    if (text && !sim_options_check(text, &options->checks))
        return GENSIM_ENV_CHECK " is not a list of checks";
    options->check_scoreboard = getenv(GENSIM_ENV_SCOREBOARD) != NULL || (options->checks & SIM_CHECK_SCOREBOARD);
    options->suppress = getenv(GENSIM_ENV_SUPPRESS);
    options->report = getenv(GENSIM_ENV_REPORT);
    options->gen_suppressions = getenv(GENSIM_ENV_SUPPRESSIONS);
    text = getenv(GENSIM_ENV_ERROR_EXIT);
    if (text && !sim_options_number(text, 1, 255, &number))
        return GENSIM_ENV_ERROR_EXIT " is not an exit status";
    options->error_exit = text ? (int)number : 0;
    options->gdb = getenv(GENSIM_ENV_GDB);
    if (options->gdb)
        options->threads = 1; /* the one that talks to gdb */
    options->plugin = getenv(GENSIM_ENV_PLUGIN);
    options->save_trace = getenv(GENSIM_ENV_SAVE_TRACE);
    if (options->save_trace && !getenv(GENSIM_ENV_THREADS))
        options->threads = 1; /* as a replay runs it */
    options->timing = getenv(GENSIM_ENV_TIMING);
    options->profile = getenv(GENSIM_ENV_PROFILE);
    options->against = getenv(GENSIM_ENV_AGAINST);
    options->sources = getenv(GENSIM_ENV_SOURCES);
    options->events = getenv(GENSIM_ENV_EVENTS);
    text = getenv(GENSIM_ENV_WINDOW);
    if (!sim_options_window(text ? text : "0:1000", options->window))
        return GENSIM_ENV_WINDOW " is not FROM:TO";
    options->timing_set = getenv(GENSIM_ENV_TIMING_SET);
    options->timing_warm = getenv(GENSIM_ENV_TIMING_WARM) != NULL;
    text = getenv(GENSIM_ENV_TIMING_DRAWS);
    if (text && !sim_options_draws(text, &options->timing_draws, &options->timing_seed))
        return GENSIM_ENV_TIMING_DRAWS " is not COUNT or COUNT:SEED";
    return NULL;
}
