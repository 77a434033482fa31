/* Runs the kernels of test/kernels and compares every byte that they write with their references.
 *
 *   kernel_test PROGRAM KERNEL.cm      PROGRAM: what cmc made of KERNEL.cm, a zebin (then under gensim) or a host
 * library
 *
 * KERNEL.cm says how each of its kernels is launched, in lines of the form
 *   // RUN-KERNEL: NAME groups=4[x1x1] local=2[x1x1] in=1024 out=512 [arguments=buffer] [tolerance=1e-6]
 *                 [image=WxH:FORMAT] [sampler=nearest|linear,clamp|border|repeat|mirror,pixels|normalized] [buffers=N]
 * in and out are sizes in bytes of the two arguments. An image is the third argument: it holds the first bytes of `in`,
 * and what it holds afterwards stands behind `out`, where the reference writes it too; a sampler is the fourth.
 * buffers=N: the arguments behind these are N buffers as large as `in`, one after the other; the first holds the bytes
 * of `in` each plus 1, the second each plus 2 and so on, and what they hold afterwards stands behind `out` and the
 * image. Arguments behind these that are values each take the next bytes of `in`. With tolerance=T the results are
 * floats and may differ by T times the larger of 1 and their size; NaN equals NaN. Inputs are bytes of a seeded
 * generator; each kernel is launched with several inputs, on buffers that are used again, so that results that stay
 * behind do not pass. */
#include "runtime/cmrt.h"
#include "runtime/file.h"
#include "test/kernels/reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 3, MAXIMUM_BYTES = 1 << 20, MAXIMUM_THREADS = 4096, MAXIMUM_BUFFERS = 16 };

struct plan {
    char kernel[64];
    uint32_t groups[3], local[3];
    unsigned in_bytes, out_bytes;
    unsigned width, height, image_bytes; /* of the image; 0: none */
    enum cmrt_format format;
    bool has_sampler, linear, normalized;
    enum cmrt_sampler_address address;
    unsigned buffers; /* more than in and out */
    double tolerance; /* 0: every bit counts */
};

struct session {
    cmrt_program *program;
    cmrt_device *device;
    cmrt_queue *queue;
    unsigned failures, runs;
};

static void fail(struct session *session, const char *kernel, const char *what)
{
    printf("FAIL %s: %s\n", kernel, what);
    session->failures++;
}

/* X, XxY or XxYxZ: sizes that are not given are 1. */
static bool parse_sizes(const char *text, uint32_t size[3])
{
    char rest;
    size[0] = size[1] = size[2] = 1;
    int found = sscanf(text, "%ux%ux%u%c", &size[0], &size[1], &size[2], &rest);
    return found >= 1 && found <= 3 && size[0] && size[1] && size[2];
}

static uint64_t product(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

/* WIDTHxHEIGHT:FORMAT */
static bool parse_image(const char *text, struct plan *plan)
{
    char format[16];
    if (sscanf(text, "%ux%u:%15s", &plan->width, &plan->height, format) != 3 || plan->width > 4096 ||
        plan->height > 4096 || (plan->format = cmrt_format_find(format)) == CMRT_FORMAT_COUNT)
        return false;
    plan->image_bytes = (unsigned)cmrt_image_bytes(plan->format, plan->width, plan->height);
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

/* Reads one RUN-KERNEL line; 0 if it is one that makes sense. */
static int plan_parse(const char *text, struct plan *plan)
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

/* Where what buffer `number` of the further ones holds stands in a result. */
static unsigned buffer_place(const struct plan *plan, unsigned number)
{
    return plan->out_bytes + plan->image_bytes + number * plan->in_bytes;
}

static unsigned result_bytes(const struct plan *plan)
{
    return buffer_place(plan, plan->buffers);
}

static void fill_buffers(const struct plan *plan, const unsigned char *input, unsigned char *result)
{
    for (unsigned k = 0; k < plan->buffers; k++)
        for (unsigned i = 0; i < plan->in_bytes; i++)
            result[buffer_place(plan, k) + i] = (unsigned char)(input[i] + k + 1);
}

/* Whether the elements at byte i of two results, which differ, are alike enough. */
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

static void compare(struct session *session, const struct plan *plan, unsigned seed, const unsigned char *got,
                    const unsigned char *want)
{
    unsigned wrong = 0, first = 0;
    for (unsigned i = result_bytes(plan); i-- > 0;) {
        if (got[i] != want[i] && !is_close(plan, got, want, i)) {
            wrong++;
            first = i;
        }
    }
    if (wrong) {
        char what[200];
        uint32_t got_word = 0, want_word = 0;
        unsigned at = first & ~3u, bytes = result_bytes(plan) - at < 4 ? result_bytes(plan) - at : 4;
        memcpy(&got_word, got + at, bytes);
        memcpy(&want_word, want + at, bytes);
        snprintf(what, sizeof what, "input %u: %u of %u bytes differ, the first at %u: dword 0x%08x, should be 0x%08x",
                 seed, wrong, result_bytes(plan), first, got_word, want_word);
        fail(session, plan->kernel, what);
    }
}

/* What a kernel is given. */
struct arguments {
    cmrt_buffer *in, *out;
    cmrt_image *image;     /* or NULL */
    cmrt_sampler *sampler; /* or NULL */
    cmrt_buffer *more[MAXIMUM_BUFFERS];
};

/* Values are set for each input. */
static enum cmrt_status set_values(const struct plan *plan, cmrt_kernel *kernel, const unsigned char *input)
{
    const struct cmrt_kernel_info *info = cmrt_kernel_info(kernel);
    enum cmrt_status status = CMRT_OK;
    size_t at = 0;
    for (size_t i = 2; i < info->argument_count && !status; i++) {
        if (info->arguments[i].kind != CMRT_ARGUMENT_VALUE)
            continue;
        if (at + info->arguments[i].bytes > plan->in_bytes)
            return CMRT_BAD_ARGUMENT;
        status = cmrt_kernel_set_value(kernel, i, input + at, info->arguments[i].bytes);
        at += info->arguments[i].bytes;
    }
    return status;
}

/* Fills the arguments, launches, and reads what the kernel left to `got`. */
static enum cmrt_status launch(struct session *session, const struct plan *plan, cmrt_kernel *kernel,
                               const struct arguments *arguments, const unsigned char *input,
                               const unsigned char *before, unsigned char *got)
{
    enum cmrt_status status = set_values(plan, kernel, input);
    if (!status)
        status = cmrt_buffer_write(session->queue, arguments->in, 0, input, plan->in_bytes);
    if (!status)
        status = cmrt_buffer_write(session->queue, arguments->out, 0, before, plan->out_bytes);
    for (unsigned k = 0; k < plan->buffers && !status; k++)
        status =
            cmrt_buffer_write(session->queue, arguments->more[k], 0, before + buffer_place(plan, k), plan->in_bytes);
    if (!status && arguments->image)
        status = cmrt_image_write(session->queue, arguments->image, input);
    if (!status)
        status = cmrt_launch(session->queue, kernel, plan->groups, plan->local);
    if (!status)
        status = cmrt_wait(session->queue);
    if (!status)
        status = cmrt_buffer_read(session->queue, arguments->out, 0, got, plan->out_bytes);
    if (!status && arguments->image)
        status = cmrt_image_read(session->queue, arguments->image, got + plan->out_bytes);
    for (unsigned k = 0; k < plan->buffers && !status; k++)
        status = cmrt_buffer_read(session->queue, arguments->more[k], 0, got + buffer_place(plan, k), plan->in_bytes);
    return status;
}

/* Launches the kernel with one input and compares. */
static enum cmrt_status run_input(struct session *session, const struct plan *plan, cmrt_kernel *kernel,
                                  const struct arguments *arguments, unsigned seed)
{
    enum { UNTOUCHED = 0xa5 };
    unsigned char *input = malloc(plan->in_bytes), *want = malloc(result_bytes(plan)),
                  *got = malloc(result_bytes(plan));
    enum cmrt_status status = CMRT_NO_MEMORY;
    if (input && want && got) {
        fill_random(input, plan->in_bytes, seed);
        memset(want, UNTOUCHED, plan->out_bytes);
        memcpy(want + plan->out_bytes, input, plan->image_bytes);
        fill_buffers(plan, input, want);
        status = launch(session, plan, kernel, arguments, input, want, got);
        for (unsigned thread = 0; thread < product(plan->groups) * product(plan->local); thread++)
            find_reference(plan->kernel)(input, want, thread);
        if (!status)
            compare(session, plan, seed, got, want);
        session->runs++;
    }
    free(input);
    free(want);
    free(got);
    return status;
}

static enum cmrt_status open_arguments(struct session *session, const struct plan *plan, cmrt_kernel *kernel,
                                       struct arguments *arguments)
{
    enum cmrt_status status = cmrt_buffer_open(session->device, CMRT_MEMORY_SHARED, plan->in_bytes, &arguments->in);
    if (!status)
        status = cmrt_buffer_open(session->device, CMRT_MEMORY_SHARED, plan->out_bytes, &arguments->out);
    if (!status && plan->image_bytes)
        status = cmrt_image_open(session->device, plan->width, plan->height, plan->format, CMRT_READ_WRITE,
                                 &arguments->image);
    if (!status && plan->has_sampler)
        status =
            cmrt_sampler_open(session->device, plan->address, plan->linear ? CMRT_FILTER_LINEAR : CMRT_FILTER_NEAREST,
                              plan->normalized, &arguments->sampler);
    if (!status)
        status = cmrt_kernel_set_buffer(kernel, 0, arguments->in);
    if (!status)
        status = cmrt_kernel_set_buffer(kernel, 1, arguments->out);
    if (!status && arguments->image)
        status = cmrt_kernel_set_image(kernel, 2, arguments->image);
    if (!status && arguments->sampler)
        status = cmrt_kernel_set_sampler(kernel, 3, arguments->sampler);
    size_t first = 2 + (arguments->image != NULL) + (arguments->sampler != NULL);
    for (unsigned k = 0; k < plan->buffers && !status; k++) {
        status = cmrt_buffer_open(session->device, CMRT_MEMORY_SHARED, plan->in_bytes, &arguments->more[k]);
        if (!status)
            status = cmrt_kernel_set_buffer(kernel, first + k, arguments->more[k]);
    }
    return status;
}

static void run_plan(struct session *session, const struct plan *plan)
{
    cmrt_kernel *kernel = NULL;
    struct arguments arguments = {0};
    if (!find_reference(plan->kernel)) {
        fail(session, plan->kernel, "no reference");
        return;
    }
    enum cmrt_status status = cmrt_kernel_open(session->program, plan->kernel, &kernel);
    if (!status)
        status = open_arguments(session, plan, kernel, &arguments);
    for (unsigned seed = 1; seed <= INPUTS && !status; seed++)
        status = run_input(session, plan, kernel, &arguments, seed);
    if (status)
        fail(session, plan->kernel, cmrt_message());
    for (unsigned k = 0; k < plan->buffers; k++)
        cmrt_buffer_close(arguments.more[k]);
    cmrt_sampler_close(arguments.sampler);
    cmrt_image_close(arguments.image);
    cmrt_buffer_close(arguments.out);
    cmrt_buffer_close(arguments.in);
    cmrt_kernel_close(kernel);
}

static int open_session(struct session *session, const char *program)
{
    enum cmrt_target target;
    enum cmrt_status status = cmrt_file_target(program, &target);
    if (!status)
        status = cmrt_device_open(target, &session->device);
    if (!status)
        status = cmrt_program_load(session->device, program, &session->program);
    if (!status)
        status = cmrt_queue_open(session->device, &session->queue);
    if (status)
        fprintf(stderr, "kernel_test: error: %s\n", cmrt_message());
    return status ? -1 : 0;
}

int main(int count, char **words)
{
    static const char mark[] = "// RUN-KERNEL:";
    struct session session = {0};
    void *text;
    size_t size;
    if (count != 3 || file_read(words[2], &text, &size)) {
        fprintf(stderr, "usage: kernel_test PROGRAM KERNEL.cm\n");
        return 2;
    }
    if (open_session(&session, words[1])) {
        free(text);
        return 1;
    }
    for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
        struct plan plan;
        at += strlen(mark);
        if (plan_parse(at, &plan))
            fail(&session, words[2], "a RUN-KERNEL line that cannot be understood");
        else
            run_plan(&session, &plan);
    }
    if (!session.runs)
        fail(&session, words[2], "nothing was run");
    cmrt_queue_close(session.queue);
    cmrt_program_close(session.program);
    cmrt_device_close(session.device);
    free(text);
    return session.failures ? 1 : 0;
}
