/* Reads the rows of tables/timing*.def: values, settings, draws from the ranges. */
#include "sim/timing/constants.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum confidence { HIGH, MEDIUM, LOW };

static const struct description {
    const char *name, *unit;
    enum timing_class class;
    const char *meaning;
} descriptions[TIMING_CONSTANTS] = {
#define TIMING_CONSTANT(NAME, UNIT, CLASS, MEANING) {#NAME, UNIT, TIMING_CLASS_##CLASS, MEANING},
#include "tables/timing.def"
#undef TIMING_CONSTANT
};

struct row {
    double value, low, high;
    enum confidence confidence;
    const char *source;
};

#define TIMING(NAME, VALUE, LOW, HIGH, CONFIDENCE, SOURCE) [TIMING_##NAME] = {VALUE, LOW, HIGH, CONFIDENCE, SOURCE},
static const struct row rows_skl[TIMING_CONSTANTS] = {
#include "tables/timing_skl.def"
};
static const struct row rows_icllp[TIMING_CONSTANTS] = {
#include "tables/timing_icllp.def"
};
static const struct row rows_tgllp[TIMING_CONSTANTS] = {
#include "tables/timing_tgllp.def"
};
#undef TIMING

static const struct row *const platform_rows[PLATFORM_NEXT] = {
    [PLATFORM_SKL] = rows_skl, [PLATFORM_ICLLP] = rows_icllp, [PLATFORM_TGLLP] = rows_tgllp};

static const struct timing_machine machines[] = {
#define TIMING_MACHINE(NAME, PLATFORM, SLICES, SUBSLICES, EUS, OFF, MHZ, DRAM, LLC, CONFIDENCE, LABEL)                 \
    {#NAME, PLATFORM_##PLATFORM, SLICES, SUBSLICES, EUS, OFF, MHZ, DRAM, LLC, LABEL},
#include "tables/timing_machines.def"
#undef TIMING_MACHINE
};

enum { MACHINES = sizeof machines / sizeof machines[0] };

/* The platform's rows, NULL if it has none. */
static const struct row *rows_of(const struct platform *platform)
{
    return platform->id < PLATFORM_NEXT ? platform_rows[platform->id] : NULL;
}

const char *timing_class_name(enum timing_class class)
{
    static const char *const names[TIMING_CLASSES] = {"issue", "cache", "SLM and atomics", "DRAM", "launch"};
    return names[class];
}

double timing_class_error(const struct timing_machine *machine, enum timing_class class)
{
    static const double errors[][PLATFORM_NEXT] = {
#define TIMING_ERROR(CLASS, SKL_ERROR, ICLLP_ERROR, TGLLP_ERROR)                                                       \
    [TIMING_CLASS_##                                                                                                   \
        CLASS] = {[PLATFORM_SKL] = (SKL_ERROR), [PLATFORM_ICLLP] = (ICLLP_ERROR), [PLATFORM_TGLLP] = (TGLLP_ERROR)},
#include "tables/timing_errors.def"
#undef TIMING_ERROR
    };
    return errors[class][machine->platform];
}

const struct timing_machine *timing_machine_find(const struct platform *platform, const char *name)
{
    for (size_t i = 0; i < MACHINES; i++)
        if (machines[i].platform == platform->id && (!name || strcmp(machines[i].name, name) == 0))
            return &machines[i];
    return NULL;
}

const struct timing_machine *timing_machine_with(const struct platform *platform, unsigned slices, unsigned subslices,
                                                 unsigned eus)
{
    for (size_t i = 0; i < MACHINES; i++)
        if (machines[i].platform == platform->id && machines[i].slices == slices &&
            machines[i].subslices == subslices && machines[i].eus == eus && machines[i].off == 0)
            return &machines[i];
    return NULL;
}

int timing_constants_of(const struct platform *platform, struct timing_constants *constants)
{
    const struct row *rows = rows_of(platform);
    for (size_t i = 0; rows && i < TIMING_CONSTANTS; i++)
        constants->value[i] = rows[i].value;
    return rows != NULL;
}

/* The constant whose name is the first `length` characters; TIMING_CONSTANTS if there is none. */
static size_t find(const char *name, size_t length)
{
    size_t i = 0;
    while (i < TIMING_CONSTANTS &&
           (strlen(descriptions[i].name) != length || strncmp(descriptions[i].name, name, length) != 0))
        i++;
    return i;
}

const char *timing_constants_set(struct timing_constants *constants, const char *settings)
{
    while (*settings) {
        size_t length = strcspn(settings, "=,");
        size_t constant = find(settings, length);
        if (settings[length] != '=')
            return "is not NAME=VALUE";
        if (constant == TIMING_CONSTANTS)
            return "names no constant (gensim --show-timing lists them)";
        char *end;
        double value = strtod(settings + length + 1, &end);
        if (end == settings + length + 1 || (*end && *end != ',') || !(value >= 0) || value > 1e9)
            return "has no number from 0 to 1e9 as its value";
        constants->value[constant] = value;
        settings = *end ? end + 1 : end;
    }
    return NULL;
}

/* splitmix64: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Where draw `draw` lies in a random order of 0 to count - 1 that `state` starts. */
static unsigned stratum(uint64_t *state, unsigned draw, unsigned count)
{
    unsigned order[1024];
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    for (unsigned i = count; i > 1; i--) {
        unsigned other = (unsigned)(next_random(state) % i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    return order[draw];
}

static int is_set(const char *settings, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = settings; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return 1;
    return 0;
}

/* Logarithmic within [low, high]; linear where low is 0. Whole where both ends are: counts and rules. */
static double between(const struct row *row, double part)
{
    return row->low > 0 ? row->low * pow(row->high / row->low, part) : row->low + (row->high - row->low) * part;
}

void timing_constants_draw(const struct platform *platform, struct timing_constants *constants, const char *settings,
                           unsigned draw, unsigned count, uint64_t seed)
{
    const struct row *rows = rows_of(platform);
    for (size_t i = 0; i < TIMING_CONSTANTS; i++) {
        uint64_t state = seed * UINT64_C(0x100000001b3) + i;
        unsigned place = stratum(&state, draw, count);
        /* Its own place in the stratum, which does not depend on the order's length. */
        uint64_t own = state + draw;
        double part = (place + (double)(next_random(&own) >> 11) / (double)(UINT64_C(1) << 53)) / count;
        if (rows[i].confidence == HIGH || rows[i].low == rows[i].high || is_set(settings, descriptions[i].name))
            continue;
        double value = between(&rows[i], part);
        constants->value[i] = descriptions[i].unit[0] ? value : rows[i].high > 1 ? round(value) : value;
    }
}

static void print_machines(FILE *out, const struct platform *platform)
{
    for (size_t i = 0; i < MACHINES; i++)
        if (machines[i].platform == platform->id)
            fprintf(out, "%-13s %ux%ux%u%s  %4u MHz  %5.1f GB/s  LLC %5.1f MB  %s\n", machines[i].name,
                    machines[i].slices, machines[i].subslices, machines[i].eus, machines[i].off ? " less 1" : "",
                    machines[i].mhz, machines[i].dram / 1000.0, machines[i].llc / 1024.0, machines[i].label);
}

void timing_constants_print(FILE *out, const struct platform *platform, const struct timing_constants *constants)
{
    static const char *const confidences[] = {"high", "medium", "low"};
    const struct row *rows = rows_of(platform);
    fprintf(out, "%s: constants of the timing model\n", platform->label);
    for (size_t i = 0; i < TIMING_CONSTANTS; i++)
        fprintf(out, "%-20s %8g  %g to %g %s  %s  %s: %s. Source: %s.\n", descriptions[i].name, constants->value[i],
                rows[i].low, rows[i].high, descriptions[i].unit, confidences[rows[i].confidence],
                timing_class_name(descriptions[i].class), descriptions[i].meaning, rows[i].source);
    fputs("machines (--timing-machine):\n", out);
    print_machines(out, platform);
}
