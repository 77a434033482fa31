/* cmrun: launches a kernel from the command line. main: parse the command line -> inspect the program -> load inputs ->
 * open the device -> bind arguments -> launch -> fetch and write results. */
#include "runtime/cmrun/options.h"
#include "runtime/cmrun/slot.h"
#include "runtime/cmrun/times.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct options options;
    int word_count;
    char **words;            /* the command line, to repeat it in advice */
    cmrt_program *inspected; /* NULL: SPIR-V, which `program` describes */
    const struct cmrt_kernel_info *info;
    cmrt_device *device;
    cmrt_program *program;
    cmrt_kernel *kernel;
    cmrt_queue **queues;
    struct slot *slots;
    struct times times; /* --time */
};

static int fail(const char *what)
{
    fprintf(stderr, "cmrun: error: %s\n", what);
    return -1;
}

static int fail_argument(const struct run *run, size_t index, const char *why)
{
    fprintf(stderr, "cmrun: error: argument %zu (%s): %s\n", index, run->options.arguments[index], why);
    return -1;
}

static void print_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[2]){*word, 0}, to);
    fputc('\'', to);
}

/* Advises to use gensim if there is no GPU: the same command runs on a simulated one. */
static int advise_gensim(const struct run *run)
{
    const char *platform = run->inspected ? cmrt_program_platform(run->inspected) : NULL;
    fprintf(stderr, "cmrun: error: %s; run on a simulated one with: gensim -d %s -- cmrun", cmrt_message(),
            platform ? platform : "icllp");
    for (int i = 1; i < run->word_count; i++) {
        fputc(' ', stderr);
        print_word(stderr, run->words[i]);
    }
    fputc('\n', stderr);
    return -1;
}

static void list_argument(const struct cmrt_argument *argument, size_t index)
{
    static const char *const kinds[] = {"not used", "value", "buf", "img", "sampler", "slm"};
    int is_surface = argument->kind == CMRT_ARGUMENT_UNKNOWN && argument->bytes; /* CPU: the library does not say */
    static const char *const accesses[] = {"", "read", "written", "read and written"};
    printf("  %2zu  %s", index, is_surface ? "buf or img" : kinds[argument->kind]);
    if (argument->kind == CMRT_ARGUMENT_VALUE)
        printf(" of %u bytes", argument->bytes);
    if (argument->kind == CMRT_ARGUMENT_BUFFER || argument->kind == CMRT_ARGUMENT_IMAGE)
        printf(", %s", accesses[argument->access]);
    if (argument->media_block)
        printf(" in blocks");
    if (*argument->name)
        printf("  (%s %s)", argument->type, argument->name);
    putchar('\n');
}

static int list_program(const cmrt_program *program)
{
    const char *platform = cmrt_program_platform(program);
    printf("platform: %s\n", platform ? platform : "unknown");
    for (size_t i = 0; i < cmrt_program_kernel_count(program); i++) {
        const struct cmrt_kernel_info *info = cmrt_program_kernel(program, i);
        printf("kernel %s: SIMD width %u, %u registers, %u bytes scratch, %u bytes SLM, %u barriers\n", info->name,
               info->simd_size, info->grf_count, info->scratch_bytes, info->slm_bytes, info->barriers);
        for (size_t k = 0; k < info->argument_count; k++)
            list_argument(&info->arguments[k], k);
    }
    if (fflush(stdout) || ferror(stdout))
        return fail("cannot write to standard output");
    return 0;
}

/* Finds the kernel's description and compares the number of arguments. */
static int choose_kernel(struct run *run, const cmrt_program *described)
{
    size_t count = cmrt_program_kernel_count(described), i = 0;
    const struct options *options = &run->options;
    if (!options->kernel && count != 1) {
        fprintf(stderr, "cmrun: error: %s has %zu kernels; choose one with -k (--list prints them)\n", options->program,
                count);
        return -1;
    }
    while (i < count && options->kernel && strcmp(cmrt_program_kernel(described, i)->name, options->kernel) != 0)
        i++;
    if (i == count) {
        fprintf(stderr, "cmrun: error: %s: no kernel '%s'; it has:", options->program, options->kernel);
        for (i = 0; i < count; i++)
            fprintf(stderr, " %s", cmrt_program_kernel(described, i)->name);
        fputc('\n', stderr);
        return -1;
    }
    run->info = cmrt_program_kernel(described, i);
    if (run->info->argument_count != options->argument_count) {
        fprintf(stderr, "cmrun: error: kernel %s takes %zu arguments, %zu given\n", run->info->name,
                run->info->argument_count, options->argument_count);
        return -1;
    }
    return 0;
}

static int load_arguments(struct run *run)
{
    char why[REASON_BYTES];
    size_t count = run->options.argument_count;
    run->slots = calloc(count + 1, sizeof *run->slots);
    if (!run->slots)
        return fail("out of memory");
    for (size_t i = 0; i < count; i++)
        if (argument_parse(run->options.arguments[i], &run->slots[i].argument, why))
            return fail_argument(run, i, why);
    for (size_t i = 0; i < count; i++)
        if (slot_load(run->slots, i, &run->info->arguments[i], why))
            return fail_argument(run, i, why);
    return 0;
}

static int open_program(struct run *run)
{
    enum cmrt_target target;
    enum cmrt_status status = cmrt_file_target(run->options.program, &target);
    if (!status)
        status = cmrt_device_open(target, &run->device);
    if (status == CMRT_NO_DEVICE)
        return advise_gensim(run);
    if (!status)
        status = cmrt_program_load(run->device, run->options.program, &run->program);
    return status ? fail(cmrt_message()) : 0;
}

static int open_kernel(struct run *run)
{
    enum cmrt_status status = cmrt_kernel_open(run->program, run->info->name, &run->kernel);
    run->queues = calloc(run->options.queues, sizeof *run->queues);
    if (!run->queues)
        return fail("out of memory");
    for (uint32_t i = 0; i < run->options.queues && !status; i++)
        status = cmrt_queue_open(run->device, &run->queues[i]);
    return status ? fail(cmrt_message()) : 0;
}

/* Waits for the launch and prints its time. */
static enum cmrt_status take_time(struct run *run, cmrt_queue *queue)
{
    uint64_t nanoseconds;
    enum cmrt_status status = cmrt_wait(queue);
    if (!status)
        status = cmrt_elapsed(queue, &nanoseconds);
    if (status)
        return status;
    fprintf(stderr, "cmrun: %s: %llu ns\n", run->info->name, (unsigned long long)nanoseconds);
    times_add_range(&run->times, nanoseconds);
    if (times_add(&run->times, nanoseconds))
        fputs("cmrun: no memory for the time of a launch\n", stderr);
    return status;
}

static int launch(struct run *run)
{
    const struct options *options = &run->options;
    for (size_t i = 0; i < options->argument_count; i++)
        if (slot_bind(&run->slots[i], i, run->device, run->queues[0], run->kernel))
            return fail(cmrt_message());
    for (uint32_t i = 0; i < options->repeat; i++) {
        cmrt_queue *queue = run->queues[i % options->queues];
        enum cmrt_status status = cmrt_launch(queue, run->kernel, options->groups, options->local);
        if (!status && options->time)
            status = take_time(run, queue);
        if (status)
            return fail(cmrt_message());
    }
    times_print(stderr, run->info->name, &run->times);
    for (uint32_t i = 0; i < options->queues; i++)
        if (cmrt_wait(run->queues[i]))
            return fail(cmrt_message());
    return 0;
}

static int save_results(struct run *run)
{
    char why[REASON_BYTES];
    size_t count = run->options.argument_count;
    for (size_t i = 0; i < count; i++)
        if (slot_fetch(&run->slots[i], run->queues[0]))
            return fail(cmrt_message());
    struct output_set *outputs = outputs_new();
    int result = outputs ? 0 : fail("out of memory");
    for (size_t i = 0; i < count && !result; i++)
        if (slot_save(&run->slots[i], outputs, why))
            result = fail(why);
    for (size_t i = 0; i < count && !result; i++)
        if (run->slots[i].argument.print != SCALAR_COUNT)
            values_print(stdout, run->slots[i].argument.print, run->slots[i].bytes, run->slots[i].byte_count);
    if (!result && (fflush(stdout) || ferror(stdout)))
        result = fail("cannot write to standard output");
    if (!result && outputs_commit(outputs, why, sizeof why))
        result = fail(why);
    outputs_free(outputs);
    return result;
}

static void clean_up(struct run *run)
{
    for (size_t i = 0; run->slots && i < run->options.argument_count; i++)
        slot_close(&run->slots[i]);
    free(run->slots);
    times_free(&run->times);
    for (uint32_t i = 0; run->queues && i < run->options.queues; i++)
        cmrt_queue_close(run->queues[i]);
    free(run->queues);
    cmrt_kernel_close(run->kernel);
    cmrt_program_close(run->program);
    cmrt_device_close(run->device);
    cmrt_program_close(run->inspected);
}

/* The program's description, without a device where its file has one. NULL after an error line. */
static const cmrt_program *describe(struct run *run)
{
    enum cmrt_status status = cmrt_program_inspect(run->options.program, &run->inspected);
    if (status == CMRT_NO_DEVICE)
        return open_program(run) ? NULL : run->program;
    if (status)
        fail(cmrt_message());
    return run->inspected;
}

static int list_as_json(const char *program)
{
    char *json;
    if (cmrt_program_describe(program, &json))
        return fail(cmrt_message());
    fputs(json, stdout);
    free(json);
    return fflush(stdout) || ferror(stdout) ? fail("cannot write to standard output") : 0;
}

static int run_program(struct run *run)
{
    if (run->options.json)
        return list_as_json(run->options.program);
    const cmrt_program *described = describe(run);
    if (!described)
        return -1;
    if (run->options.list)
        return list_program(described);
    if (choose_kernel(run, described) || load_arguments(run) || (!run->program && open_program(run)) ||
        open_kernel(run) || launch(run))
        return -1;
    return save_results(run);
}

int main(int count, char **words)
{
    char why[REASON_BYTES];
    struct run run = {.word_count = count, .words = calloc((size_t)count + 1, sizeof *words)};
    signal(SIGXFSZ, SIG_IGN); /* a result that becomes larger than the user allows is an error with words */
    if (!run.words)
        return fail("out of memory"), 1;
    memcpy(run.words, words, (size_t)count * sizeof *words); /* getopt reorders the original */
    switch (options_parse(count, words, &run.options, why)) {
    case OPTIONS_WRONG:
        fail(why);
        free(run.words);
        return 2;
    case OPTIONS_DONE: free(run.words); return 0;
    case OPTIONS_RUN: break;
    }
    int result = run_program(&run);
    clean_up(&run);
    free(run.words);
    return result ? 1 : 0;
}
