/* Executes hostile batches and state. Every file of the corpus is executed unchanged, which must work, and then many
 * times with a few words changed, which must end in a result or a fault and never in a memory error (this program is
 * built with sanitizers). The seed is fixed. Usage: fuzz_batches ROUNDS FILE...
 *
 * A corpus file is text: hexadecimal dwords, `@OFFSET` to continue elsewhere in memory, # for comments. The batch
 * starts at BASE. */
#include <string.h>
#include <time.h>
#include "check.h"
#include "sim/names/names.h"
#include "sim/stream/stream.h"
#include "test/unit/shard.h"

enum { BASE = 0x100000, WORDS = 0x4000, MOST_INSTRUCTIONS = 20000 };

static struct {
    uint32_t original[WORDS], words[WORDS];
    uint32_t used[WORDS], used_count; /* places that the file fills */
} memory;

/* In place of sim/names/memory.c: searching all memory at each fault would take all the time. */
int kernel_name_find(const struct kernel_code *code, struct kernel_name *name)
{
    *name = (struct kernel_name){.name = ""};
    return code->available == 0;
}

int kernel_source_find_all(const struct kernel_code *code, struct kernel_source_list *sources)
{
    (void)sources;
    return code->available == 0;
}

int kernel_binary_each(const struct kernel_code *code, void (*found)(void *context, const uint8_t *bytes, size_t size),
                       void *context)
{
    (void)found, (void)context;
    return code->available == 0;
}

int kernel_binary_find(const struct kernel_code *code, struct kernel_binary *binary)
{
    *binary = (struct kernel_binary){.elf = NULL};
    return code->available == 0;
}

/* Replaces the C library's: a wait that never ends polls without pauses until the instruction limit. */
int nanosleep(const struct timespec *time, struct timespec *rest)
{
    (void)time, (void)rest;
    return 0;
}

static uint64_t random_state;
static struct shard shard;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static void read_corpus(const char *path)
{
    char word[256];
    uint32_t at = 0;
    FILE *file = fopen(path, "r");
    CHECK(file);
    memset(&memory, 0, sizeof memory);
    while (fscanf(file, "%255s", word) == 1) {
        if (word[0] == '#') {
            CHECK(fscanf(file, "%*[^\n]") == 0);
        } else if (word[0] == '@') {
            at = (uint32_t)strtoul(word + 1, NULL, 16) / 4;
        } else {
            CHECK(at < WORDS);
            memory.used[memory.used_count++] = at;
            memory.original[at++] = (uint32_t)strtoul(word, NULL, 16);
        }
    }
    fclose(file);
}

/* One to four words of the file get a flipped bit, another word's value, an address in memory or any value. */
static void spoil(void)
{
    for (unsigned left = 1 + random_bits() % 4; left; left--) {
        uint32_t *word = &memory.words[memory.used[random_bits() % memory.used_count]];
        switch (random_bits() % 4) {
        case 0: *word ^= 1u << random_bits() % 32; break;
        case 1: *word = memory.words[memory.used[random_bits() % memory.used_count]]; break;
        case 2: *word = BASE + 4 * (random_bits() % WORDS); break;
        default: *word = random_bits() << random_bits() % 32;
        }
    }
}

static int execute(const struct platform *platform, struct sim_fault *fault)
{
    const struct sim_range range = {BASE, sizeof memory.words, (uint8_t *)memory.words};
    struct dispatcher *dispatcher = dispatcher_create(platform, 1, MOST_INSTRUCTIONS);
    struct stream *stream = stream_create(platform, dispatcher, 1);
    struct sim_space *space = sim_space_create(&range, 1);
    CHECK(dispatcher && stream && space);
    int done = stream_execute(stream, STREAM_RENDER, &(struct stream_source){.space = space}, BASE, fault);
    CHECK_EQUAL(done, !fault->raised);
    sim_space_destroy(space);
    stream_destroy(stream);
    dispatcher_destroy(dispatcher);
    return done;
}

static void fuzz(const struct platform *platform, const char *path, unsigned long rounds)
{
    unsigned long good = 0, bad = 0;
    struct sim_fault fault = {0};
    read_corpus(path);
    memcpy(memory.words, memory.original, sizeof memory.words);
    if (!execute(platform, &fault)) {
        sim_fault_print(&fault, path, stderr);
        exit(1);
    }
    for (unsigned long round = 0; round < rounds; round++) {
        if (!shard_plays(&shard, round, 1, &random_state))
            continue;
        fault = (struct sim_fault){0};
        memcpy(memory.words, memory.original, sizeof memory.words);
        spoil();
        if (execute(platform, &fault))
            good++;
        else
            bad++;
    }
    printf("%s on %s: %lu spoiled batches ran, %lu stopped with a fault\n", path, platform->name, good, bad);
    CHECK(rounds / shard.parts < 100 || (good > 0 && bad > 0));
}

int main(int count, char **arguments)
{
    shard = shard_take(&count, arguments);
    CHECK(count >= 3);
    unsigned long rounds = strtoul(arguments[1], NULL, 10);
    for (int i = 2; i < count; i++)
        for (size_t p = 0; p < platform_count; p++) {
            /* skl-walker.batch is for one part, any-registers.batch for all */
            const char *name = strrchr(arguments[i], '/') ? strrchr(arguments[i], '/') + 1 : arguments[i];
            const char *part = platform_table[p].ocloc;
            if (!platform_table[p].simulated || platform_table[p].needs_current)
                continue;
            if (strncmp(name, "any-", 4) == 0 || strncmp(name, part, strlen(part)) == 0)
                fuzz(&platform_table[p], arguments[i], rounds);
        }
    return 0;
}
