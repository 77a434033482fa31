/* Sends hostile sequences of requests. Every file of the corpus is sent unchanged and must get its expected answers;
 * then it is sent many times with a few words changed in structures and in the memory that they point to, which must
 * end in answers or in a stop with a name. Built with sanitizers; the seed is fixed. Usage: fuzz_sequences ROUNDS
 * FILE...
 *
 * A corpus file is text, # starts a comment. `memory OFFSET DWORD...` fills the arena; `NAME RESULT DWORD...` is a
 * request that is answered with RESULT (an errno value, 0 for success). Dwords are hexadecimal; in their place
 * `^OFFSET` is the address of the arena's byte at OFFSET (two dwords), `%OFFSET` one in memory full of
 * MI_BATCH_BUFFER_END that cannot be written, `$fd` the descriptor that was exported last. */
#include <ctype.h>
#include <drm.h>
#include <i915_drm.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "requests.h"
#include "test/unit/shard.h"

enum { MOST_STEPS = 64, MOST_WORDS = 64, MOST_EXPORTED = 64 };

static const struct {
    const char *name;
    unsigned long number;
} names[] = {
    {"VERSION", DRM_IOCTL_VERSION},
    {"CLOSE", DRM_IOCTL_GEM_CLOSE},
    {"EXPORT", DRM_IOCTL_PRIME_HANDLE_TO_FD},
    {"IMPORT", DRM_IOCTL_PRIME_FD_TO_HANDLE},
    {"GETPARAM", DRM_IOCTL_I915_GETPARAM},
    {"QUERY", DRM_IOCTL_I915_QUERY},
    {"CREATE", DRM_IOCTL_I915_GEM_CREATE},
    {"USERPTR", DRM_IOCTL_I915_GEM_USERPTR},
    {"MMAP", DRM_IOCTL_I915_GEM_MMAP},
    {"MMAP_OFFSET", DRM_IOCTL_I915_GEM_MMAP_OFFSET},
    {"SET_DOMAIN", DRM_IOCTL_I915_GEM_SET_DOMAIN},
    {"SET_TILING", DRM_IOCTL_I915_GEM_SET_TILING},
    {"GET_TILING", DRM_IOCTL_I915_GEM_GET_TILING},
    {"BUSY", DRM_IOCTL_I915_GEM_BUSY},
    {"WAIT", DRM_IOCTL_I915_GEM_WAIT},
    {"EXECUTE", DRM_IOCTL_I915_GEM_EXECBUFFER2},
    {"CONTEXT_CREATE", DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT},
    {"CONTEXT_DESTROY", DRM_IOCTL_I915_GEM_CONTEXT_DESTROY},
    {"CONTEXT_GETPARAM", DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM},
    {"CONTEXT_SETPARAM", DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM},
    {"VM_CREATE", DRM_IOCTL_I915_GEM_VM_CREATE},
    {"VM_DESTROY", DRM_IOCTL_I915_GEM_VM_DESTROY},
    {"REG_READ", DRM_IOCTL_I915_REG_READ},
    {"RESET_STATS", DRM_IOCTL_I915_GET_RESET_STATS},
};

/* A request, or with number 0 a piece of memory. */
struct step {
    unsigned long number;
    int result;
    uint32_t offset; /* of the memory */
    uint32_t words[MOST_WORDS], count;
    uint32_t exported; /* 1 + the word that a descriptor is to replace */
};

static struct step steps[MOST_STEPS];
static unsigned step_count;
static uint8_t *batches; /* for the program's own memory as an object: whatever is executed of it ends */
static int exported[MOST_EXPORTED];
static unsigned exported_count;
static uint64_t random_state;

static uint32_t random_bits(void)
{
    return requests_random(&random_state);
}

static void add_word(struct step *step, const char *token)
{
    CHECK(step->count + 2 <= MOST_WORDS);
    if (strcmp(token, "$fd") == 0) {
        step->exported = step->count + 1;
        step->words[step->count++] = 0;
    } else if (token[0] == '^' || token[0] == '%') {
        uint64_t address = (uintptr_t)(token[0] == '^' ? requests_arena : batches) + strtoul(token + 1, NULL, 16);
        step->words[step->count++] = (uint32_t)address;
        step->words[step->count++] = (uint32_t)(address >> 32);
    } else {
        CHECK(isxdigit((unsigned char)token[0]));
        step->words[step->count++] = (uint32_t)strtoul(token, NULL, 16);
    }
}

static unsigned long number_of(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].number;
    fprintf(stderr, "no request is called %s\n", name);
    exit(1);
}

static void read_corpus(const char *path)
{
    char line[2048];
    FILE *file = fopen(path, "r");
    CHECK(file);
    step_count = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "#\n")] = 0;
        char *rest, *word = strtok_r(line, " ", &rest);
        if (!word)
            continue;
        CHECK(step_count < MOST_STEPS);
        struct step *step = &steps[step_count++];
        *step = (struct step){0};
        char *first = strtok_r(NULL, " ", &rest);
        CHECK(first);
        if (strcmp(word, "memory") == 0) {
            step->offset = (uint32_t)strtoul(first, NULL, 16);
        } else {
            step->number = number_of(word);
            step->result = -(int)strtoul(first, NULL, 10);
        }
        while ((word = strtok_r(NULL, " ", &rest)))
            add_word(step, word);
        CHECK(step->number ? step->count * 4 == _IOC_SIZE(step->number)
                           : step->offset + step->count * 4 <= REQUESTS_ARENA);
    }
    fclose(file);
}

/* One to four words of all get a flipped bit, another word's value, an address of the arena or any value. */
static void spoil(struct step *all)
{
    for (unsigned left = 1 + random_bits() % 4; left; left--) {
        struct step *step = &all[random_bits() % step_count], *other = &all[random_bits() % step_count];
        if (!step->count)
            continue;
        uint32_t *word = &step->words[random_bits() % step->count];
        switch (random_bits() % 5) {
        case 0: *word ^= 1u << random_bits() % 32; break;
        case 1: *word = other->count ? other->words[random_bits() % other->count] : 0; break;
        case 2: *word = (uint32_t)((uintptr_t)requests_arena + random_bits() % REQUESTS_ARENA); break;
        case 3: *word = random_bits() % 16; break;
        default: *word = random_bits() << random_bits() % 32;
        }
    }
}

/* After a request that was answered: objects get a batch that ends, mappings go. Memory wrapped by a spoiled request is
 * closed, for any of the program's could be executed then. */
static void clean_up(const struct step *step, const uint32_t *words, int spoiled)
{
    const struct drm_i915_gem_create *create = (const void *)words;
    const struct drm_i915_gem_userptr *user = (const void *)words;
    const struct drm_i915_gem_mmap *map = (const void *)words;
    const struct drm_prime_handle *prime = (const void *)words;
    if (step->number == DRM_IOCTL_I915_GEM_CREATE)
        requests_fill(create->handle);
    else if (step->number == DRM_IOCTL_I915_GEM_USERPTR && spoiled)
        object_handle_close(&requests_file.objects, user->handle);
    else if (step->number == DRM_IOCTL_I915_GEM_MMAP)
        munmap((void *)(uintptr_t)map->addr_ptr, map->size);
    else if (step->number == DRM_IOCTL_PRIME_HANDLE_TO_FD && exported_count < MOST_EXPORTED)
        exported[exported_count++] = prime->fd;
    else if (step->number == DRM_IOCTL_PRIME_FD_TO_HANDLE && spoiled)
        object_handle_close(&requests_file.objects, prime->handle);
}

static void play_step(const struct step *step, const struct step *original)
{
    _Alignas(8) uint32_t words[MOST_WORDS];
    memcpy(words, step->words, sizeof words);
    if (!step->number) {
        memcpy(requests_arena + step->offset, words, step->count * 4);
        return;
    }
    if (step->exported)
        words[step->exported - 1] = exported_count ? (uint32_t)exported[exported_count - 1] : UINT32_MAX;
    int spoiled = memcmp(step->words, original->words, sizeof step->words) != 0;
    int result = requests_send(step->number, words);
    if (step == original && result != step->result) {
        fprintf(stderr, "request 0x%lx answers %d, expected %d\n", _IOC_NR(step->number), result, step->result);
        exit(1);
    }
    if (result == 0)
        clean_up(step, words, spoiled);
}

static void create_batches(void)
{
    batches = mmap(NULL, REQUESTS_ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(batches != MAP_FAILED);
    for (size_t i = 0; i < REQUESTS_ARENA / 4; i++)
        ((uint32_t *)(void *)batches)[i] = 0x05000000;
    CHECK_EQUAL(mprotect(batches, REQUESTS_ARENA, PROT_READ), 0);
}

/* With a file of its own, so that handles count from one. */
static void play(const struct step *all)
{
    CHECK_EQUAL(kernel_file_open(&requests_file, &requests_device), 0);
    memset(requests_arena, 0, REQUESTS_ARENA);
    for (unsigned i = 0; i < step_count; i++)
        play_step(&all[i], &steps[i]);
    while (exported_count)
        close(exported[--exported_count]);
    kernel_file_close(&requests_file);
}

int main(int count, char **arguments)
{
    static struct step spoiled[MOST_STEPS];
    const struct shard shard = shard_take(&count, arguments);
    CHECK(count >= 3);
    unsigned long rounds = strtoul(arguments[1], NULL, 10);
    requests_start("icllp", &i915_interface);
    create_batches();
    for (int i = 2; i < count; i++) {
        read_corpus(arguments[i]);
        play(steps);
        requests_count = (struct requests_count){0};
        for (unsigned long round = 0; round < rounds; round++) {
            if (!shard_plays(&shard, round, 1, &random_state))
                continue;
            memcpy(spoiled, steps, sizeof spoiled);
            spoil(spoiled);
            play(spoiled);
        }
        struct requests_count n = requests_count;
        printf("%s: %lu answered, %lu refused, %lu stopped by name\n", arguments[i], n.answered, n.refused, n.stopped);
        CHECK(rounds / shard.parts < 100 || (n.answered && n.refused));
    }
    kernel_device_destroy(&requests_device);
    return 0;
}
