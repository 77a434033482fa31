#include "test/run/kernel_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X, XxY or XxYxZ: sizes that are not given are 1. Returns how many there are, 0 where the text is malformed. */
static unsigned parse_sizes(const char *text, uint32_t size[3])
{
    char rest;
    size[0] = size[1] = size[2] = 1;
    int found = sscanf(text, "%ux%ux%u%c", &size[0], &size[1], &size[2], &rest);
    return found >= 1 && found <= 3 && size[0] && size[1] && size[2] ? (unsigned)found : 0;
}

static uint64_t product(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

/* SIZES:FORMAT */
static bool parse_image(const char *text, struct plan *plan)
{
    char sizes[32], format[16];
    uint32_t size[3];
    if (sscanf(text, "%31[0-9x]:%15s", sizes, format) != 2)
        return false;
    plan->shape.dimensions = parse_sizes(sizes, size);
    plan->format = cmrt_format_find(format);
    if (!plan->shape.dimensions || plan->format == CMRT_FORMAT_NONE || product(size) > MAXIMUM_BYTES)
        return false;
    plan->shape.width = size[0];
    plan->shape.height = size[1];
    plan->shape.depth = size[2];
    plan->image_bytes = (unsigned)cmrt_image_bytes(plan->format, size[0], size[1]) * size[2];
    return plan->image_bytes > 0;
}

/* FILTER,ADDRESS,COORDINATES */
static bool parse_sampler(const char *text, struct plan *plan)
{
    static const char *const addresses[] = {"none", "clamp", "border", "repeat", "mirror"};
    char filter[16], address[16], coordinates[16];
    if (sscanf(text, "%15[a-z],%15[a-z],%15[a-z]", filter, address, coordinates) != 3)
        return false;
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (strcmp(address, addresses[i]) == 0) {
            plan->has_sampler = true;
            plan->address = (enum cmrt_sampler_address)i;
        }
    plan->linear = strcmp(filter, "linear") == 0;
    plan->normalized = strcmp(coordinates, "normalized") == 0;
    return plan->has_sampler && (plan->linear || strcmp(filter, "nearest") == 0) &&
           (plan->normalized || strcmp(coordinates, "pixels") == 0);
}

int plan_parse(const char *text, struct plan *plan)
{
    char word[64];
    int used;
    memset(plan, 0, sizeof *plan);
    if (sscanf(text, " %63s%n", plan->kernel, &used) != 1)
        return -1;
    for (text += used; sscanf(text, " %63[^ \r\n]%n", word, &used) == 1; text += used) {
        if (!(strncmp(word, "groups=", 7) == 0 && parse_sizes(word + 7, plan->groups)) &&
            !(strncmp(word, "local=", 6) == 0 && parse_sizes(word + 6, plan->local)) &&
            sscanf(word, "in=%u", &plan->in_bytes) != 1 && sscanf(word, "out=%u", &plan->out_bytes) != 1 &&
            sscanf(word, "tolerance=%lf", &plan->tolerance) != 1 && sscanf(word, "buffers=%u", &plan->buffers) != 1 &&
            !(strncmp(word, "image=", 6) == 0 && parse_image(word + 6, plan)) &&
            !(strncmp(word, "sampler=", 8) == 0 && parse_sampler(word + 8, plan)) &&
            strcmp(word, "arguments=buffer") != 0) /* pointers and buffers are set alike */
            return -1;
        if (text[used] == '\r' || text[used] == '\n')
            break;
    }
    int sizes =
        plan->in_bytes && plan->in_bytes <= MAXIMUM_BYTES && plan->out_bytes && plan->out_bytes <= MAXIMUM_BYTES;
    sizes = sizes && plan->image_bytes <= plan->in_bytes && (!plan->has_sampler || plan->image_bytes) &&
            plan->buffers <= MAXIMUM_BUFFERS;
    return sizes && plan->groups[0] && plan->local[0] && product(plan->groups) * product(plan->local) <= MAXIMUM_THREADS
               ? 0
               : -1;
}

static void fill_random(unsigned char *bytes, size_t size, unsigned seed)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15ull + 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        bytes[i] = (unsigned char)(state >> 56);
    }
}

static struct reference *references;

void reference_add(struct reference *reference)
{
    for (const struct reference *known = references; known; known = known->next)
        if (strcmp(known->kernel, reference->kernel) == 0) {
            fprintf(stderr, "kernel_test: two references of the kernel %s\n", reference->kernel);
            exit(1);
        }
    reference->next = references;
    references = reference;
}

static reference_function *find_reference(const char *kernel)
{
    const struct reference *known = references;
    while (known && strcmp(known->kernel, kernel) != 0)
        known = known->next;
    return known ? known->run : NULL;
}

unsigned buffer_offset(const struct plan *plan, unsigned number)
{
    return plan->out_bytes + plan->image_bytes + number * plan->in_bytes;
}

unsigned result_bytes(const struct plan *plan)
{
    return buffer_offset(plan, plan->buffers);
}

static void fill_buffers(const struct plan *plan, const unsigned char *input, unsigned char *result)
{
    for (unsigned k = 0; k < plan->buffers; k++)
        for (unsigned i = 0; i < plan->in_bytes; i++)
            result[buffer_offset(plan, k) + i] = (unsigned char)(input[i] + k + 1);
}

/* True if the elements at byte i of two different results are equal within the tolerance. */
static int is_close(const struct plan *plan, const unsigned char *got, const unsigned char *want, unsigned i)
{
    float g, w;
    if (plan->tolerance == 0 || (i | 3) >= result_bytes(plan))
        return 0;
    memcpy(&g, got + (i & ~3u), sizeof g);
    memcpy(&w, want + (i & ~3u), sizeof w);
    if (isnan(g) || isnan(w) || isinf(g) || isinf(w))
        return isnan(g) && isnan(w);
    return fabs((double)g - w) <= plan->tolerance * fmax(1, fabs(w));
}

void plan_inputs(const struct plan *plan, unsigned seed, unsigned char *input, unsigned char *result)
{
    enum { UNTOUCHED = 0xa5 };
    fill_random(input, plan->in_bytes, seed);
    memset(result, UNTOUCHED, plan->out_bytes);
    memcpy(result + plan->out_bytes, input, plan->image_bytes);
    fill_buffers(plan, input, result);
}

bool plan_has_reference(const struct plan *plan)
{
    return find_reference(plan->kernel) != NULL;
}

bool plan_reference(const struct plan *plan, const unsigned char *input, unsigned char *result)
{
    reference_function *reference = find_reference(plan->kernel);
    for (unsigned thread = 0; reference && thread < product(plan->groups) * product(plan->local); thread++)
        reference(input, result, thread);
    return reference != NULL;
}

bool plan_compare(const struct plan *plan, unsigned seed, const unsigned char *got, const unsigned char *want)
{
    unsigned wrong = 0, first = 0;
    for (unsigned i = result_bytes(plan); i-- > 0;) {
        if (got[i] != want[i] && !is_close(plan, got, want, i)) {
            wrong++;
            first = i;
        }
    }
    if (wrong) {
        uint32_t got_word = 0, want_word = 0;
        unsigned at = first & ~3u, bytes = result_bytes(plan) - at < 4 ? result_bytes(plan) - at : 4;
        memcpy(&got_word, got + at, bytes);
        memcpy(&want_word, want + at, bytes);
        printf("FAIL %s: input %u: %u of %u bytes differ, the first at %u: dword 0x%08x, should be 0x%08x\n",
               plan->kernel, seed, wrong, result_bytes(plan), first, got_word, want_word);
    }
    return wrong == 0;
}

bool plans_run(const char *text, const char *path, void (*run)(void *context, const struct plan *plan), void *context)
{
    static const char mark[] = "// RUN-KERNEL:";
    bool good = true;
    for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
        struct plan plan;
        at += strlen(mark);
        if (plan_parse(at, &plan) == 0) {
            run(context, &plan);
            continue;
        }
        printf("FAIL %s: a RUN-KERNEL line that cannot be understood\n", path);
        good = false;
    }
    return good;
}
