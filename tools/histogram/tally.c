#include "tools/histogram/tally.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tables/platforms.h"

enum { MOST_PLATFORMS = 32 };

struct row {
    char *label;
    const char *state;
    uint64_t counts[MOST_PLATFORMS];
};

/* Rows, found through a hash table of their indices + 1. */
struct tally {
    struct row *rows;
    size_t count, room;
    uint32_t *slots;
    size_t slot_count; /* a power of two, more than twice `count` */
};

static _Noreturn void out_of_memory(void)
{
    fprintf(stderr, "gen-histogram: error: out of memory\n");
    exit(2);
}

struct tally *tally_create(void)
{
    struct tally *tally = calloc(1, sizeof *tally);
    if (tally == NULL)
        out_of_memory();
    return tally;
}

static size_t hash(const char *text)
{
    size_t value = 1469598103934665603u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 1099511628211u;
    return value;
}

/* Returns the slot that holds `label`, or the empty slot for it. */
static uint32_t *slot_of(struct tally *tally, const char *label)
{
    for (size_t at = hash(label);; at++) {
        uint32_t *slot = &tally->slots[at & (tally->slot_count - 1)];
        if (*slot == 0 || strcmp(tally->rows[*slot - 1].label, label) == 0)
            return slot;
    }
}

static void grow(struct tally *tally)
{
    tally->room = tally->room > 0 ? 2 * tally->room : 64;
    tally->slot_count = 4 * tally->room;
    void *rows = realloc(tally->rows, tally->room * sizeof *tally->rows);
    free(tally->slots);
    tally->slots = calloc(tally->slot_count, sizeof *tally->slots);
    if (rows == NULL || tally->slots == NULL)
        out_of_memory();
    tally->rows = rows;
    for (uint32_t i = 0; i < tally->count; i++)
        *slot_of(tally, tally->rows[i].label) = i + 1;
}

void tally_add(struct tally *tally, const char *label, const char *state, unsigned device, uint64_t count)
{
    if (tally->count == tally->room)
        grow(tally);
    uint32_t *slot = slot_of(tally, label);
    if (*slot == 0) {
        tally->rows[tally->count] = (struct row){.label = strdup(label), .state = state};
        if (tally->rows[tally->count++].label == NULL)
            out_of_memory();
        *slot = (uint32_t)tally->count;
    }
    struct row *row = &tally->rows[*slot - 1];
    if (strcmp(state, "approximate") == 0) /* for some of its types */
        row->state = state;
    assert(device < MOST_PLATFORMS);
    row->counts[device] += count;
}

static int by_label(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->label, ((const struct row *)b)->label);
}

/* The slots are not updated: nothing is added afterwards. */
static void write_table(FILE *out, struct tally *tally, const char *what, const char *state)
{
    qsort(tally->rows, tally->count, sizeof *tally->rows, by_label);
    fprintf(out, "| %s |%s%s%s", what, *state ? " " : "", state, *state ? " |" : "");
    for (unsigned d = 0; d < platform_count; d++)
        if (platform_table[d].simulated)
            fprintf(out, " %s |", platform_table[d].ocloc);
    fprintf(out, "\n| --- |%s", *state ? " --- |" : "");
    for (unsigned d = 0; d < platform_count; d++)
        if (platform_table[d].simulated)
            fprintf(out, " ---: |");
    fputc('\n', out);
    for (size_t i = 0; i < tally->count; i++) {
        const struct row *row = &tally->rows[i];
        fprintf(out, "| `%s` |%s%s%s", row->label, *state ? " " : "", row->state, *state ? " |" : "");
        for (unsigned d = 0; d < platform_count; d++)
            if (platform_table[d].simulated)
                fprintf(out, " %" PRIu64 " |", row->counts[d]);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void write_page(FILE *out, const char *command, struct tally *kernels, struct tally *refused,
                       struct tally *const sections[TALLY_SECTIONS])
{
    static const struct {
        const char *title, *what, *about;
    } texts[TALLY_SECTIONS] = {
        [TALLY_OPCODES] = {"Instructions", "instruction", ""},
        [TALLY_MESSAGES] = {"Messages", "message", ""},
        [TALLY_SIZES] = {"Execution sizes", "lanes", ""},
        [TALLY_MODIFIERS] = {"Predicates, conditions and modifiers", "modifier", ""},
        [TALLY_REGIONS] = {"Regions", "operand",
                           "In elements, by the element's size; `architecture` is any register except general ones and "
                           "accumulators.\n\n"},
        [TALLY_TYPES] = {"Types", "instruction and types", "Destination, then sources; `#` marks an immediate.\n\n"},
    };
    fprintf(
        out,
        "# Coverage: instructions and messages of compiled kernels\n\n"
        "Generated: `%s`. Do not edit.\n\n"
        "This page counts the reachable instructions of the kernels below that pass the simulator's decoder and all "
        "its "
        "rules.\nEach instruction of the code counts once. *Exact* results have the bits of real hardware. "
        "*Approximate* results may differ\nin the last bits, at least for some types (`tables/eu_ops.def`, "
        "`tables/eu_math.def`). Instructions and messages of gensim\nthat no kernel here uses are not listed; they "
        "have tests of their own.\n\n## Kernels\n\n"
        "`own`, `piglit`: the OpenCL C of our tests and benchmarks, and of piglit's, compiled by `ocloc`. `drivers`: "
        "the kernels\ninside Intel's drivers. `vector`, `cmc`: our CM kernels, compiled by IGC's vector back end and "
        "by cmc. Kernels that a\ncompiler refuses for a platform are left out (doubles on icllp and tgllp).\n\n",
        command);
    write_table(out, kernels, "set", "");
    fprintf(out, "## Refused\n\n");
    if (refused->count == 0)
        fprintf(out, "None.\n\n");
    else
        write_table(out, refused, "reason", "simulated");
    for (unsigned i = 0; i < TALLY_SECTIONS; i++) {
        fprintf(out, "## %s\n\n%s", texts[i].title, texts[i].about);
        write_table(out, sections[i], texts[i].what, "simulated");
    }
}

bool tally_report(const char *output, const char *command, struct tally *kernels, struct tally *refused,
                  struct tally *const sections[TALLY_SECTIONS])
{
    FILE *out = output != NULL ? fopen(output, "w") : stdout;
    if (out != NULL)
        write_page(out, command, kernels, refused, sections);
    if (out == NULL || fflush(out) != 0 || ferror(out)) {
        fprintf(stderr, "gen-histogram: error: cannot write %s: %s\n", output != NULL ? output : "the report",
                strerror(errno));
        if (output != NULL && out != NULL)
            remove(output);
        return false;
    }
    return output == NULL || fclose(out) == 0;
}
