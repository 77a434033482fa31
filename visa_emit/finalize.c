/* Runs Intel's finalizer as a subprocess and reads its results. Its exit status means nothing (it is 1 whenever
 * register use is printed, 0 for regions outside a variable). Success is therefore: Gen code exists, no error file
 * exists, and no complaint was printed. */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "visa_emit/finalize.h"
#include "visa_emit/gen_layout.h"
#include "visa_emit/process.h"
#include "visa_emit/stack_depth.h"

enum { LARGE_REGISTER_FILE = 256 }; /* halves the number of threads; other kernels have the platform's default */
enum { MAX_ARGUMENTS = 64, TIME_LIMIT_SECONDS = 300 };

/* The finalizer's limits. $CMKIT_FINALIZER_MEMORY is its memory in MB. */
static struct process_limits limits(void)
{
    const char *chosen = getenv("CMKIT_FINALIZER_MEMORY");
    unsigned long long megabytes = chosen ? strtoull(chosen, NULL, 10) : 0;
    bool usable = megabytes > 0 && megabytes <= SIZE_MAX >> 20;
    return (struct process_limits){TIME_LIMIT_SECONDS, usable ? (size_t)megabytes << 20 : PROCESS_MEMORY};
}

/* Address space of a first run: with -enablePreemption the finalizer spills without end at a few kernels; with
 * GEN_OTHER_SPILLS that ends. */
#define FIRST_MEMORY ((size_t)2 << 30)

/* The finalizer's message for an option that it does not know. */
#define UNKNOWN_OPTION "unrecognized option"

/* Option with the size of a thread's stack in KB. */
#define STACK_OPTION "-scratchAllocForStackInKB "

/* Options of every run. All but the last two give the same code that Intel's compilers get from the finalizer as a
 * library. The last two switch off transformations that are wrong under register pressure: docs/compiler/abi.md,
 * "Faults of the finalizer". */
static const char *const fixed_options[] = {
    "-abiver", "2", "-printregusage", "-binary", "-output", "-nospillcleanup", "-nosplitonspill"};

const char *gen_finalizer(void)
{
    const char *chosen = getenv("CMKIT_FINALIZER");
    return chosen && *chosen ? chosen : "GenX_IR";
}

bool gen_finalizer_path(char *path, size_t size)
{
    return process_find(gen_finalizer(), path, size);
}

/* The first words of the command. A program of the newest driver's packages needs their loader and C library. */
enum { LOADER, OPTION, LIBRARIES, LOADED, MOST_WORDS };
struct program {
    char words[MOST_WORDS][4096];
    unsigned count;
};

/* Finds the finalizer of the packages that `./dev deps --current` unpacks. False: it is not there, and the last word
 * says where it was looked for. */
static bool find_current(struct program *program)
{
    const char *folder = getenv("CMKIT_CURRENT"), *home = getenv("HOME");
    char root[2048];
    if (folder && *folder)
        snprintf(root, sizeof root, "%s/root", folder);
    else
        snprintf(root, sizeof root, "%s/.cache/cmkit/current/root", home ? home : "");
    snprintf(program->words[LIBRARIES], sizeof *program->words, "%s/usr/lib/x86_64-linux-gnu", root);
    snprintf(program->words[LOADER], sizeof *program->words, "%s/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", root);
    snprintf(program->words[OPTION], sizeof *program->words, "--library-path");
    snprintf(program->words[LOADED], sizeof *program->words, "%s/usr/bin/GenX_IR", root);
    program->count = MOST_WORDS;
    return access(program->words[LOADER], X_OK) == 0 && access(program->words[LOADED], R_OK) == 0;
}

static bool file_holds(const char *path, const char *words)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool found = false;
    if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 0) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        found = data != MAP_FAILED && memmem(data, (size_t)info.st_size, words, strlen(words));
        if (data != MAP_FAILED)
            munmap(data, (size_t)info.st_size);
    }
    if (file >= 0)
        close(file);
    return found;
}

/* True if the installed finalizer, or the chosen one, is recent. It has no option that prints its version, but a
 * message about the operand that is new. */
static bool installed_is_recent(void)
{
    static enum { UNKNOWN, RECENT, OLD } known;
    char path[4096];
    if (known == UNKNOWN)
        known = gen_finalizer_path(path, sizeof path) && file_holds(path, "Paired surface can not be") ? RECENT : OLD;
    return known == RECENT;
}

bool gen_finalizer_is_recent(const struct platform *platform)
{
    return platform->newest_finalizer || installed_is_recent();
}

/* True if the platform needs a recent finalizer and the installed one is not. */
static bool is_of_current(const struct platform *platform)
{
    const char *chosen = getenv("CMKIT_FINALIZER");
    return platform->newest_finalizer && !(chosen && *chosen) && !installed_is_recent();
}

/* Finds the finalizer for the platform, as an absolute path, because it runs in another folder. False: there is none,
 * and the last word is what was looked for. */
static bool find_program(const struct platform *platform, struct program *program)
{
    char found[4096];
    if (is_of_current(platform))
        return find_current(program);
    program->count = 1;
    bool there = gen_finalizer_path(found, sizeof found);
    char *absolute = there ? realpath(found, NULL) : NULL;
    snprintf(program->words[0], sizeof *program->words, "%s", absolute ? absolute : found);
    free(absolute);
    return absolute != NULL;
}

/* Adds the platform's workaround options, without which code computes wrong values. Source: IGC, VectorCompiler,
 * GenX.td (features of each platform) and GenXCisaBuilder.cpp (finalizer options of each feature). */
static unsigned add_workarounds(const char **argv, unsigned count, const struct platform *platform)
{
    if (platform_has(platform, FEATURE_PREEMPTION))
        argv[count++] = "-enablePreemption";
    if (platform_has(platform, FEATURE_FUSED_EU)) {
        argv[count++] = "-fusedCallWA";
        argv[count++] = "1";
    }
    if (platform_has(platform, FEATURE_FUSED_EU_NOMASK))
        argv[count++] = "-noMaskWA";
    return count;
}

/* Fills argv. `extra` is split at blanks in place. False: too many options. */
static bool command_line(const char **argv, const struct program *program, const struct platform *platform, char *extra)
{
    unsigned count = 0;
    while (count < program->count) {
        argv[count] = program->words[count];
        count++;
    }
    argv[count++] = "kernel.visaasm";
    argv[count++] = "-platform";
    argv[count++] = platform->finalizer;
    for (size_t i = 0; i < sizeof fixed_options / sizeof *fixed_options; i++)
        argv[count++] = fixed_options[i];
    count = add_workarounds(argv, count, platform);
    if (platform->grf_count == LARGE_REGISTER_FILE) {
        argv[count++] = "-TotalGRFNum";
        argv[count++] = "256";
    }
    for (char *rest, *word = strtok_r(extra, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count == MAX_ARGUMENTS - 1)
            return false;
        argv[count++] = word;
    }
    argv[count] = NULL;
    return true;
}

void gen_print_command(const struct platform *platform, const char *extra_options, FILE *out)
{
    const char *argv[MAX_ARGUMENTS];
    struct program program;
    char *extra = strdup(extra_options ? extra_options : "");
    find_program(platform, &program);
    bool fits = extra && command_line(argv, &program, platform, extra);
    for (unsigned i = 0; fits && argv[i]; i++)
        fprintf(out, " \"%s\"", argv[i]);
    fputc('\n', out);
    free(extra);
}

/* Copies the text from `label` to the end of its line into `line`. */
static bool line_after(const char *text, const char *label, char *line, size_t size)
{
    const char *found = text ? strstr(text, label) : NULL;
    if (!found)
        return false;
    found += strlen(label);
    found += strspn(found, " \t");
    size_t length = strcspn(found, "\r\n");
    while (length && isspace((unsigned char)found[length - 1]))
        length--;
    snprintf(line, size, "%.*s", (int)(length < size ? length : size - 1), found);
    return true;
}

/* Copies the whole line that has `word`. */
static bool line_with(const char *text, const char *word, char *line, size_t size)
{
    const char *found = strstr(text, word);
    if (!found)
        return false;
    while (found > text && found[-1] != '\n')
        found--;
    return line_after(found, "", line, size);
}

/* Copies the last line that is not blank: the best guess at the message of an unknown program. */
static void last_line(const char *text, char *line, size_t size)
{
    snprintf(line, size, "it wrote no code and said nothing");
    while (*text) {
        size_t length = strcspn(text, "\r\n");
        if (strspn(text, " \t") < length)
            snprintf(line, size, "%.*s", (int)(length < size ? length : size - 1), text);
        text += length;
        text += strspn(text, "\r\n");
    }
}

/* Finds the finalizer's complaint and copies it as one line. False: no complaint. */
static bool complaint(const char *said, const char *errors, char *line, size_t size)
{
    char what[256], where[128];
    if (line_after(said, "near line ", what, sizeof what)) {
        snprintf(line, size, "vISA line %s", what);
        return true;
    }
    if (line_with(said, UNKNOWN_OPTION, what, sizeof what)) {
        snprintf(line, size, "%s", what);
        return true;
    }
    if (errors) {
        if (!line_after(errors, "Error Message:", what, sizeof what))
            last_line(errors, what, sizeof what);
        bool located = line_after(errors, "Violating Instruction:", where, sizeof where);
        snprintf(line, size, "%s%s%s", what, located ? " in: " : "", located ? where : "");
        return true;
    }
    static const char *const marks[] = {"WARNING:", "Warning:", "warning:", "ERROR:", "Error:", "error:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (!line_after(said, marks[i], what, sizeof what))
            continue;
        bool located = line_after(said, "Violating Instruction:", where, sizeof where);
        snprintf(line, size, "%s%s%s", what, located ? " in: " : "", located ? where : "");
        return true;
    }
    return false;
}

static unsigned number_after(const char *text, const char *label)
{
    char line[32];
    return line_after(text, label, line, sizeof line) ? (unsigned)strtoul(line, NULL, 10) : 0;
}

/* Returns the size of the stack that the user asked for; 0: none. */
static uint64_t asked_stack(const char *listing)
{
    const char *options = strstr(listing, "//.options_string");
    const char *option = options ? strstr(options, STACK_OPTION) : NULL, *end = options ? strchr(options, '\n') : NULL;
    return option && end && option < end ? strtoull(option + sizeof STACK_OPTION - 1, NULL, 10) << 10 : 0;
}

/* Finds out how much memory a thread needs for spilled registers and the stack of functions. Debian 12's finalizer
 * says it for both. Recent ones (which name the commit that they are made from) leave the stack to their caller, and do
 * not read its option: a size that the user asked for is taken, else the depth, and for an unknown depth what Debian
 * 12's gives. */
static void take_memory(const struct platform *platform, struct gen_code *out)
{
    enum { UNKNOWN_DEPTH = 128 << 10, UNKNOWN_DEPTH_LSC = 64 << 10 };
    bool lsc = platform_has(platform, FEATURE_LSC_ALONE);
    out->spill_bytes = number_after(out->assembly, "//.spill size");
    out->spills = number_after(out->assembly, "//.spill GRF est. ref count") != 0;
    out->stack_bytes = stack_depth(out->assembly, stack_depth_unit(platform));
    if (!strstr(out->assembly, "//.git-hash") || !strstr(out->assembly, "L_f0_S"))
        return;
    uint64_t asked = asked_stack(out->assembly), unknown = lsc ? UNKNOWN_DEPTH_LSC : UNKNOWN_DEPTH;
    uint64_t depth = asked ? asked : out->stack_bytes ? out->stack_bytes : unknown;
    if (asked || depth > out->spill_bytes)
        out->spill_bytes = (unsigned)depth;
}

/* Reads the finalizer's output files. False: there is no usable code, and `why` has the reason. */
static bool take_results(const struct platform *platform, const struct scratch *scratch, struct gen_code *out,
                         char *why, size_t why_size)
{
    size_t assembly_size = 0;
    out->code = (uint8_t *)scratch_read(scratch, "kernel.dat", &out->size);
    out->assembly = scratch_read(scratch, "kernel.asm", &assembly_size);
    if (!out->code || !out->assembly || out->size == 0)
        return false;
    if (!strstr(out->assembly, "{EOT}") && !strstr(out->assembly, "EOT")) {
        snprintf(why, why_size, "its code never ends the thread: does the kernel return?");
        return false;
    }
    out->registers = number_after(out->assembly, "//.GRF count");
    take_memory(platform, out);
    out->instructions = number_after(out->assembly, "//.instCount");
    out->local_id_load_bytes = gen_local_id_load_bytes(out->assembly, out->code, out->size);
    if (gen_instruction_count(out->code, out->size) != out->instructions) {
        snprintf(why, why_size, "code and listing disagree: was there room in the temporary folder?");
        return false;
    }
    return true;
}

/* Returns the finalizer's file with errors, or NULL. A recent one names that of a function, such as
 * kernel_f0.errors.txt, in the line behind "Please check". */
static char *read_errors(const struct scratch *scratch, const char *said)
{
    static const char *const names[] = {"kernel.errors.txt", "errors.txt"};
    size_t size;
    char name[128] = "", *errors = NULL;
    const char *named = said ? strstr(said, "Please check\n") : NULL;
    if (named && sscanf(named, "Please check %127s", name) == 1 && !strchr(name, '/'))
        errors = scratch_read(scratch, name, &size);
    for (size_t i = 0; !errors && i < sizeof names / sizeof *names; i++)
        errors = scratch_read(scratch, names[i], &size);
    return errors;
}

static bool judge(const struct platform *platform, const struct scratch *scratch, const struct process_result *ran,
                  struct gen_code *out, char *why, size_t why_size)
{
    char *errors = read_errors(scratch, ran->output);
    bool accepted = false, refused = false;
    if (ran->timed_out)
        snprintf(why, why_size, "no result after %d seconds", TIME_LIMIT_SECONDS);
    else if (ran->starved)
        snprintf(why, why_size,
                 "it used up %zu MB of memory: the kernel is too large, or holds too many values at once; "
                 "$CMKIT_FINALIZER_MEMORY=MB gives it more",
                 limits().bytes >> 20);
    else if ((refused = ran->signal))
        snprintf(why, why_size, "it crashed (%s)", strsignal(ran->signal));
    else if (complaint(ran->output, errors, why, why_size)) {
        refused = !strstr(why, UNKNOWN_OPTION);
    } else {
        last_line(ran->output, why, why_size);
        bool gave_no_reason = strstr(why, " kernel.visaasm -platform "); /* it printed its command line only */
        if (gave_no_reason && strstr(why, " -abortonspill"))
            snprintf(why, why_size,
                     "it needs more registers than a thread has, and -abortonspill lets it keep none in memory");
        else if (gave_no_reason)
            snprintf(why, why_size, GEN_NO_REASON);
        accepted = take_results(platform, scratch, out, why, why_size);
    }
    free(errors);
    if (!accepted)
        gen_code_free(out);
    out->refused = refused;
    return accepted;
}

static void report_missing(const struct platform *platform, const struct program *program, char *error,
                           size_t error_size)
{
    const char *name = program->words[program->count - 1];
    if (is_of_current(platform))
        snprintf(error, error_size,
                 "no finalizer for %s: there is no %s; ./dev deps --current downloads it, -emit-spirv writes what the "
                 "driver compiles",
                 platform->name, name);
    else
        snprintf(error, error_size,
                 "no finalizer: there is no program %s%s; Debian has GenX_IR in libigc-tools, $CMKIT_FINALIZER names "
                 "another",
                 name, strchr(name, '/') ? "" : " on the path");
}

/* Runs the command. False: it gave no code, and `error` says why; *stopped: by a signal or a limit. */
static bool run(const char *const *argv, struct process_limits most, const struct platform *platform,
                const char *kernel_name, const struct scratch *scratch, struct gen_code *out, bool *stopped,
                char *error, size_t error_size)
{
    char why[400] = "";
    struct process_result ran = {0};
    *stopped = false;
    if (!process_run(argv, scratch->folder, most, &ran, error, error_size))
        return false;
    bool accepted = judge(platform, scratch, &ran, out, why, sizeof why);
    *stopped = ran.signal || ran.starved || ran.timed_out;
    if (!accepted)
        snprintf(error, error_size, "kernel %s: %s: %s", kernel_name, gen_finalizer(), why);
    free(ran.output);
    return accepted;
}

/* Runs the command, and if it is stopped, again with other estimates of what to spill. */
static bool run_twice(const char **argv, const struct platform *platform, const char *kernel_name,
                      const struct scratch *scratch, struct gen_code *out, char *error, size_t error_size)
{
    bool stopped;
    unsigned count = 0;
    struct process_limits first = limits();
    if (first.bytes > FIRST_MEMORY)
        first.bytes = FIRST_MEMORY;
    if (run(argv, first, platform, kernel_name, scratch, out, &stopped, error, error_size))
        return true;
    while (argv[count])
        count++;
    if (!stopped || count + 1 >= MAX_ARGUMENTS)
        return false;
    argv[count] = GEN_OTHER_SPILLS;
    argv[count + 1] = NULL;
    return run(argv, limits(), platform, kernel_name, scratch, out, &stopped, error, error_size);
}

bool gen_finalize(const struct platform *platform, const char *kernel_name, const char *visa_text,
                  const char *extra_options, struct gen_code *out, char *error, size_t error_size)
{
    const char *argv[MAX_ARGUMENTS];
    struct scratch scratch;
    bool accepted = false;
    char *extra = strdup(extra_options ? extra_options : "");
    struct program program;
    *out = (struct gen_code){0};
    if (!find_program(platform, &program)) {
        report_missing(platform, &program, error, error_size);
        goto done;
    }
    if (!extra || !command_line(argv, &program, platform, extra)) {
        snprintf(error, error_size, "too many options for the finalizer");
        goto done;
    }
    if (!scratch_create(&scratch, error, error_size))
        goto done;
    if (scratch_write(&scratch, "kernel.visaasm", visa_text, error, error_size))
        accepted = run_twice(argv, platform, kernel_name, &scratch, out, error, error_size);
    scratch_remove(&scratch);
done:
    free(extra);
    return accepted;
}

void gen_code_free(struct gen_code *code)
{
    free(code->code);
    free(code->assembly);
    *code = (struct gen_code){0};
}
