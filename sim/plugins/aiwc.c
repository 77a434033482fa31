/* A plug-in that characterises kernels independently of the machine, like Oclgrind's AIWC (Johnston and Milthorpe,
 * "Architecture-independent workload characterization for OpenCL kernels", 2018): gensim --plugin aiwc[=FILE].
 *
 * A line of JSON for each launch goes to the file, or to standard error. Counts are sums over groups, so the same for
 * any number of the host's threads. */
#include "include/cmkit/gensim_plugin.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory entropy is that of addresses without 0 to 10 of their lowest bits. */
enum { SKIPPED = 10, HISTORY = 8, HISTORIES = 1 << HISTORY, MOST_OPCODES = 128, LANES = 32 };

/* Counts by key: open addressing. */
struct table {
    uint64_t *keys; /* 1 + key; 0: free */
    uint64_t *counts;
    size_t room, used;
};

/* Sums of a launch, or of one group until they are added. */
struct sums {
    uint64_t instructions, classes[GENSIM_CLASSES], lanes[LANES + 1];
    const char *opcodes[MOST_OPCODES];
    uint64_t opcode_counts[MOST_OPCODES];
    uint64_t reads, writes, atomics, local, bytes;
    struct table addresses; /* of global memory, by four bytes */
    struct table branches;  /* taken: by instruction and history */
    struct table not_taken;
    uint64_t longest_thread;
    bool is_incomplete; /* memory ran out */
};

struct launch {
    pthread_mutex_t lock;
    struct sums sums;
};

struct thread {
    uint64_t instructions;
    uint32_t history;
};

struct group {
    struct sums sums;
    struct thread threads[];
};

static FILE *out;

static void start(const struct gensim_host *host, const char *options)
{
    (void)host;
    out = options[0] ? fopen(options, "we") : stderr;
    if (out)
        return;
    fprintf(stderr, "gensim: aiwc: cannot write %s; the numbers go here\n", options);
    out = stderr;
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void table_free(struct table *table)
{
    free(table->keys);
    free(table->counts);
    *table = (struct table){0};
}

static size_t place_of(const struct table *table, uint64_t key)
{
    size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (table->room - 1);
    while (table->keys[place] != 0 && table->keys[place] != key + 1)
        place = (place + 1) & (table->room - 1);
    return place;
}

static bool table_add(struct table *table, uint64_t key, uint64_t count);

static bool table_grow(struct table *table)
{
    struct table larger = {.room = table->room ? 2 * table->room : 256};
    larger.keys = calloc(larger.room, sizeof *larger.keys);
    larger.counts = calloc(larger.room, sizeof *larger.counts);
    if (!larger.keys || !larger.counts) {
        table_free(&larger);
        return false;
    }
    for (size_t i = 0; i < table->room; i++)
        if (table->keys[i])
            table_add(&larger, table->keys[i] - 1, table->counts[i]);
    table_free(table);
    *table = larger;
    return true;
}

static bool table_add(struct table *table, uint64_t key, uint64_t count)
{
    if (2 * (table->used + 1) > table->room && !table_grow(table))
        return false;
    size_t place = place_of(table, key);
    table->used += table->keys[place] == 0;
    table->keys[place] = key + 1;
    table->counts[place] += count;
    return true;
}

static bool table_merge(struct table *to, const struct table *from)
{
    bool good = true;
    for (size_t i = 0; i < from->room; i++)
        if (from->keys[i])
            good = table_add(to, from->keys[i] - 1, from->counts[i]) && good;
    return good;
}

static uint64_t table_count(const struct table *table, uint64_t key)
{
    size_t place = table->room ? place_of(table, key) : 0;
    return table->room && table->keys[place] ? table->counts[place] : 0;
}

/* Returns Shannon's entropy in bits. */
static double table_entropy(const struct table *table)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < table->room; i++)
        total += (double)table->counts[i];
    for (size_t i = 0; i < table->room; i++)
        if (table->counts[i])
            sum -= (double)table->counts[i] / total * log2((double)table->counts[i] / total);
    return sum;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void sums_free(struct sums *sums)
{
    table_free(&sums->addresses);
    table_free(&sums->branches);
    table_free(&sums->not_taken);
}

static void *kernel_begin(const struct gensim_kernel *kernel)
{
    struct launch *launch = calloc(1, sizeof *launch);
    (void)kernel;
    if (launch)
        pthread_mutex_init(&launch->lock, NULL);
    return launch;
}

static void *group_begin(const struct gensim_group *group)
{
    return calloc(1, sizeof(struct group) + group->kernel->group_threads * sizeof(struct thread));
}

static void count_opcode(struct sums *sums, const char *opcode, uint64_t count)
{
    for (int i = 0; i < MOST_OPCODES; i++)
        if (!sums->opcodes[i] || sums->opcodes[i] == opcode) {
            sums->opcodes[i] = opcode;
            sums->opcode_counts[i] += count;
            return;
        }
}

/* A branch with a predicate: taken if a channel takes it. Its history is that of the thread's last branches. */
static void count_branch(struct sums *sums, struct thread *thread, const struct gensim_instruction *instruction)
{
    bool is_taken = instruction->enabled != 0;
    uint64_t key = (uint64_t)instruction->index << HISTORY | (thread->history & (HISTORIES - 1));
    if (!table_add(is_taken ? &sums->branches : &sums->not_taken, key, 1))
        sums->is_incomplete = true;
    thread->history = thread->history << 1 | is_taken;
}

static void count_instruction(const struct gensim_group *group, void *data,
                              const struct gensim_instruction *instruction)
{
    struct group *own = data;
    (void)group;
    if (!own)
        return;
    struct thread *thread = &own->threads[instruction->thread];
    thread->instructions++;
    own->sums.instructions++;
    own->sums.classes[instruction->what]++;
    own->sums.lanes[__builtin_popcount(instruction->enabled)]++;
    count_opcode(&own->sums, instruction->opcode, 1);
    if (instruction->what == GENSIM_CONTROL && instruction->is_predicated)
        count_branch(&own->sums, thread, instruction);
}

static void count_access(const struct gensim_group *group, void *data, const struct gensim_instruction *instruction,
                         const struct gensim_access *access)
{
    struct group *own = data;
    (void)group, (void)instruction;
    if (!own)
        return;
    struct sums *sums = &own->sums;
    sums->bytes += access->size;
    sums->reads += access->direction == GENSIM_READ;
    sums->writes += access->direction == GENSIM_WRITE;
    sums->atomics += access->direction == GENSIM_ATOMIC;
    sums->local += access->memory == GENSIM_LOCAL;
    for (uint64_t at = access->address & ~UINT64_C(3);
         access->memory == GENSIM_GLOBAL && at < access->address + access->size; at += 4)
        if (!table_add(&sums->addresses, at, 1))
            sums->is_incomplete = true;
}

static void add(struct sums *to, const struct sums *from)
{
    to->instructions += from->instructions;
    for (int i = 0; i < GENSIM_CLASSES; i++)
        to->classes[i] += from->classes[i];
    for (int i = 0; i <= LANES; i++)
        to->lanes[i] += from->lanes[i];
    for (int i = 0; i < MOST_OPCODES && from->opcodes[i]; i++)
        count_opcode(to, from->opcodes[i], from->opcode_counts[i]);
    to->reads += from->reads;
    to->writes += from->writes;
    to->atomics += from->atomics;
    to->local += from->local;
    to->bytes += from->bytes;
    if (from->longest_thread > to->longest_thread)
        to->longest_thread = from->longest_thread;
    bool good = table_merge(&to->addresses, &from->addresses);
    good = table_merge(&to->branches, &from->branches) && good;
    good = table_merge(&to->not_taken, &from->not_taken) && good;
    to->is_incomplete = to->is_incomplete || from->is_incomplete || !good;
}

static void group_end(const struct gensim_group *group, void *data)
{
    struct group *own = data;
    struct launch *launch = group->kernel_data;
    if (!own)
        return;
    for (uint32_t i = 0; i < group->kernel->group_threads; i++)
        if (own->threads[i].instructions > own->sums.longest_thread)
            own->sums.longest_thread = own->threads[i].instructions;
    if (launch) {
        pthread_mutex_lock(&launch->lock);
        add(&launch->sums, &own->sums);
        pthread_mutex_unlock(&launch->lock);
    }
    sums_free(&own->sums);
    free(own);
}

/* --- the line ----------------------------------------------------------------------------------------------------- */

static int is_less_often(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Returns how many opcodes make 90 percent of all instructions. */
static int opcode_diversity(const struct sums *sums)
{
    uint64_t counts[MOST_OPCODES], sum = 0;
    memcpy(counts, sums->opcode_counts, sizeof counts);
    qsort(counts, MOST_OPCODES, sizeof *counts, is_less_often);
    int needed = 0;
    while (needed < MOST_OPCODES && 10 * sum < 9 * sums->instructions)
        sum += counts[needed++];
    return needed;
}

/* Returns the mean entropy of a branch's outcome when the last outcomes are known (Yokota). `linear`: with 2 min(p, q)
 * in place of Shannon's formula. */
static double branch_entropy(const struct sums *sums, bool linear)
{
    const struct table *tables[] = {&sums->branches, &sums->not_taken};
    double weighted = 0, total = 0;
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < tables[t]->room; i++) {
            uint64_t key = tables[t]->keys[i] - 1;
            if (tables[t]->keys[i] == 0 || (t == 1 && table_count(&sums->branches, key)))
                continue;
            double taken = (double)table_count(&sums->branches, key), not = (double)table_count(&sums->not_taken, key);
            double all = taken + not, p = taken / all, least = p < 1 - p ? p : 1 - p;
            double shannon = p > 0 && p < 1 ? -p * log2(p) - (1 - p) * log2(1 - p) : 0;
            weighted += all * (linear ? 2 * least : shannon);
            total += all;
        }
    return total > 0 ? weighted / total : 0;
}

/* Returns the entropy of the addresses without their lowest bits. */
static double memory_entropy(const struct sums *sums, int skipped)
{
    struct table table = {0};
    for (size_t i = 0; i < sums->addresses.room; i++)
        if (sums->addresses.keys[i])
            table_add(&table, (sums->addresses.keys[i] - 1) >> skipped, sums->addresses.counts[i]);
    double entropy = table_entropy(&table);
    table_free(&table);
    return entropy;
}

static double mean_lanes(const struct sums *sums)
{
    double weighted = 0;
    for (int i = 0; i <= LANES; i++)
        weighted += (double)sums->lanes[i] * i;
    return sums->instructions ? weighted / (double)sums->instructions : 0;
}

static void print_name(const char *name)
{
    fputc('"', out);
    for (; *name; name++)
        if (*name == '"' || *name == '\\')
            fprintf(out, "\\%c", *name);
        else
            fprintf(out, (unsigned char)*name < ' ' ? "\\u%04x" : "%c", *name);
    fputc('"', out);
}

static void print_mix(const struct sums *sums)
{
    static const char *const names[GENSIM_CLASSES] = {"move", "compare", "bits",    "integer", "float",
                                                      "math", "control", "message", "wait"};
    fputs(", \"mix\": {", out);
    for (int i = 0; i < GENSIM_CLASSES; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", names[i], sums->classes[i]);
    fputc('}', out);
}

static void print(const struct gensim_kernel *kernel, const struct sums *sums)
{
    uint64_t groups = (uint64_t)kernel->groups[0] * kernel->groups[1] * kernel->groups[2];
    fputs("{\"kernel\": ", out);
    print_name(kernel->name);
    fprintf(out, ", \"device\": \"%s\", \"hash\": \"%016" PRIx64 "\", \"instructions\": %" PRIu64, kernel->device,
            kernel->hash, sums->instructions);
    print_mix(sums);
    fprintf(out, ", \"opcodes_for_90_percent\": %d", opcode_diversity(sums));
    fprintf(out,
            ", \"groups\": %" PRIu64 ", \"threads\": %" PRIu64 ", \"simd\": %" PRIu32
            ", \"mean_lanes\": %.3f, \"instructions_per_thread\": %.1f, \"longest_thread\": %" PRIu64,
            groups, groups * kernel->group_threads, kernel->simd, mean_lanes(sums),
            groups ? (double)sums->instructions / (double)(groups * kernel->group_threads) : 0.0, sums->longest_thread);
    fprintf(out, ", \"branch_entropy\": %.4f, \"branch_entropy_linear\": %.4f", branch_entropy(sums, false),
            branch_entropy(sums, true));
    fprintf(out,
            ", \"reads\": %" PRIu64 ", \"writes\": %" PRIu64 ", \"atomics\": %" PRIu64 ", \"local\": %" PRIu64
            ", \"bytes\": %" PRIu64 ", \"footprint\": %zu, \"memory_entropy\": [",
            sums->reads, sums->writes, sums->atomics, sums->local, sums->bytes, 4 * sums->addresses.used);
    for (int skipped = 0; skipped <= SKIPPED; skipped++)
        fprintf(out, "%s%.4f", skipped ? ", " : "", memory_entropy(sums, skipped));
    fprintf(out, "]%s}\n", sums->is_incomplete ? ", \"incomplete\": true" : "");
}

static void kernel_end(const struct gensim_kernel *kernel, void *data)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct launch *launch = data;
    if (!launch)
        return;
    pthread_mutex_lock(&lock);
    print(kernel, &launch->sums);
    fflush(out);
    pthread_mutex_unlock(&lock);
    sums_free(&launch->sums);
    pthread_mutex_destroy(&launch->lock);
    free(launch);
}

static void finish(void)
{
    if (out && out != stderr && fclose(out) != 0)
        fputs("gensim: aiwc: not all numbers could be written\n", stderr);
}

static const struct gensim_plugin plugin = {.version = GENSIM_PLUGIN_VERSION,
                                            .name = "aiwc",
                                            .start = start,
                                            .kernel_begin = kernel_begin,
                                            .group_begin = group_begin,
                                            .instruction = count_instruction,
                                            .access = count_access,
                                            .group_end = group_end,
                                            .kernel_end = kernel_end,
                                            .finish = finish};

__attribute__((visibility("default"))) const struct gensim_plugin *gensim_plugin(void)
{
    return &plugin;
}
