/* Compiles the variants with cmc and ocloc to zebins, with a file of registers and spills beside each. */
#include "benchmarks/harness/hash.h"
#include "benchmarks/harness/suite.h"

#include "runtime/cmrt.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct current_compiler {
    char loader[4300], libraries[4200], program[4200];
};

static int fail(const char *what)
{
    fprintf(stderr, "cmbench: error: %s: %s\n", what, strerror(errno));
    return -1;
}

int programs_open(struct programs *programs, const struct bench_table *table, const char *folder)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return fail("/proc/self/exe");
    self[length] = 0;
    *strrchr(self, '/') = 0;
    const char *tools = getenv("CMKIT_TOOLS"); /* for programs that are not installed beside cmc and gensim */
    snprintf(programs->tools, sizeof programs->tools, "%s", tools ? tools : self);
    programs->table = table;
    programs->temporary = !folder;
    if (folder) {
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return fail(folder);
        return realpath(folder, programs->folder) ? 0 : fail(folder);
    }
    const char *temporary = getenv("TMPDIR");
    snprintf(programs->folder, sizeof programs->folder, "%s/cmbench-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(programs->folder) ? 0 : fail(programs->folder);
}

/* Removes the files of a folder and of folders in it, and it. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char name[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
            continue;
        if (unlink(name) != 0)
            remove_folder(name);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

void programs_close(struct programs *programs)
{
    char path[4096];
    if (programs->temporary) {
        remove_folder(programs->folder);
        return;
    }
    static const char *const files[] = {"log", "report", "stats.json", "kept"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        programs_file(programs, files[i], path);
        unlink(path);
    }
}

void programs_file(const struct programs *programs, const char *name, char path[4096])
{
    int length = snprintf(path, 4096, "%s/%s", programs->folder, name);
    if (length >= 4096) /* no such deep folder was made */
        abort();
}

/* Appends the lines of a file; not where cmc's headers are, which says nothing about versions. */
static void append_file(const char *path, char *text, size_t size)
{
    char line[512];
    size_t used = strlen(text);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "headers ", 8) != 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s", line);
    if (file)
        fclose(file);
}

void programs_versions(const struct programs *programs, char *text, size_t size)
{
    char cmc[4200], log[4096];
    const char *const own[] = {cmc, "--version", NULL};
    const char *const packages[] = {"dpkg-query", "-W", "intel-opencl-icd", "libigc1", "libze1", NULL};
    snprintf(cmc, sizeof cmc, "%s/cmc", programs->tools);
    programs_file(programs, "log", log);
    *text = 0;
    if (process_run(own, NULL, log) == 0)
        append_file(log, text, size);
    if (process_run(packages, NULL, log) == 0) /* not on every system */
        append_file(log, text, size);
}

/* Builds of one source with different options need different files: a hash of the options is in the name. */
static uint64_t hash(const char *text)
{
    return text ? hash_text(HASH_START, text) : 0;
}

/* Parses cmc --report: "PLATFORM: kernel NAME: N registers, N bytes spilled, ..." */
static void usage_of_cmc(FILE *log, FILE *usage)
{
    char line[1024], kernel[128], registers[12], spills[12];
    while (fgets(line, sizeof line, log))
        if (sscanf(line, "%*[^:]: kernel %127[^:]: %11[0-9] registers, %11[0-9] bytes", kernel, registers, spills) == 3)
            fprintf(usage, "%s %s %s\n", kernel, registers, spills);
}

/* Parses the head of an .asm file of IGC: "//.kernel NAME", "//.GRF count N", "//.spill size N". */
static void usage_of_asm(const char *path, const cmrt_program *program, FILE *usage)
{
    char line[1024], kernel[128] = "", registers[12] = "", spills[12] = "0";
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "//.kernel %127s", kernel) == 1 && *registers)
            break;
        sscanf(line, "//.GRF count %11[0-9]", registers);
        sscanf(line, "//.spill size %11[0-9]", spills);
    }
    if (file)
        fclose(file);
    const char *simd = strstr(path, "_simd"); /* IGC also keeps the variants that it tried and rejected */
    for (size_t i = 0; i < cmrt_program_kernel_count(program); i++) {
        const struct cmrt_kernel_info *info = cmrt_program_kernel(program, i);
        if (strcmp(info->name, kernel) == 0 && simd && strtoul(simd + 5, NULL, 10) == info->simd_size)
            fprintf(usage, "%s %s %s\n", kernel, *registers ? registers : "-1", spills);
    }
}

static void usage_of_igc(const char *dump, const char *program, FILE *usage)
{
    cmrt_program *contents;
    if (cmrt_program_inspect(program, &contents))
        return;
    DIR *folder = opendir(dump);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[PATH_MAX];
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".asm") == 0 &&
            snprintf(path, sizeof path, "%s/%s", dump, entry->d_name) < (int)sizeof path)
            usage_of_asm(path, contents, usage);
    }
    if (folder)
        closedir(folder);
    cmrt_program_close(contents);
}

/* Splits options at blanks and appends the words. */
static size_t add_options(const char **words, size_t count, size_t room, char *options)
{
    for (char *word = strtok(options, " "); word && count + 1 < room; word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

static int compile_cm(const struct programs *programs, const char *source, const char *options,
                      const struct platform *platform, const char *path, const char *log)
{
    char march[64], cmc[4200], copy[9216];
    const char *words[64] = {cmc, march, "--report", source, "-o", path};
    snprintf(cmc, sizeof cmc, "%s/cmc", programs->tools);
    snprintf(march, sizeof march, "-march=%s", platform->name);
    snprintf(copy, sizeof copy, "%s", options ? options : "");
    words[add_options(words, 6, 64, copy)] = NULL;
    return process_run(words, NULL, log);
}

/* Finds the compiler of the newest driver, which ./dev deps --current downloads: its loader, the loader's libraries and
 * the program. 0, or -1 if it is not there. */
static int find_current(struct current_compiler *current)
{
    const char *folder = getenv("CMKIT_CURRENT"), *home = getenv("HOME");
    char root[4096], pattern[4200];
    glob_t found;
    if (folder && *folder)
        snprintf(root, sizeof root, "%s/root", folder);
    else
        snprintf(root, sizeof root, "%s/.cache/cmkit/current/root", home ? home : "");
    snprintf(current->libraries, sizeof current->libraries, "%s/usr/lib/x86_64-linux-gnu", root);
    snprintf(current->loader, sizeof current->loader, "%s/ld-linux-x86-64.so.2", current->libraries);
    snprintf(pattern, sizeof pattern, "%s/usr/bin/ocloc-*", root);
    if (glob(pattern, 0, NULL, &found) != 0)
        return -1;
    snprintf(current->program, sizeof current->program, "%s", found.gl_pathv[0]);
    globfree(&found);
    return access(current->loader, X_OK);
}

static int compile_cl(const struct programs *programs, const char *source, const char *options,
                      const struct platform *platform, const char *path, const char *log, const char *dump)
{
    char dump_to[4200], written[4200];
    const char *ocloc = getenv("CMKIT_OCLOC");
    struct current_compiler current;
    int uses_current = !ocloc && platform->needs_current && find_current(&current) == 0;
    const char *words[] = {current.loader,
                           "--library-path",
                           current.libraries,
                           uses_current ? current.program
                           : ocloc      ? ocloc
                                        : "ocloc",
                           "compile",
                           "-q",
                           "-file",
                           source,
                           "-device",
                           platform->ocloc,
                           "--format",
                           "zebin",
                           "-output_no_suffix",
                           "-output",
                           strrchr(path, '/') + 1,
                           "-out_dir",
                           programs->folder,
                           options && *options ? "-options" : NULL,
                           options,
                           NULL};
    const char *environment[] = {"IGC_ShaderDumpEnable=1", dump_to, "IGC_VISAOptions=-printregusage", NULL};
    snprintf(dump_to, sizeof dump_to, "IGC_DumpToCustomDir=%s", dump);
    remove_folder(dump);
    if (mkdir(dump, 0777) != 0)
        return -1;
    snprintf(written, sizeof written, "%s.bin", path); /* newer compilers append this themselves */
    if (unlink(path) != 0 && errno != ENOENT)
        return -1;
    int status = process_run(uses_current ? words : words + 3, environment, log);
    return status || access(path, F_OK) == 0 ? status : rename(written, path);
}

static const char *source_of(const struct workload *workload, const struct bench_variant *variant)
{
    return variant->source ? variant->source : workload->name;
}

static int compile(const struct programs *programs, const struct workload *workload,
                   const struct bench_variant *variant, const struct platform *platform, const char *path,
                   char why[512])
{
    char source[8192], log[4096], dump[4096], usage_path[4200];
    char options[9216], matrix[32] = "";
    int cm = variant->language == BENCH_CM;
    programs_file(programs, "log", log);
    programs_file(programs, "dump", dump);
    snprintf(source, sizeof source, "%s/%s/%s.%s", programs->table->folder, workload->name,
             source_of(workload, variant), cm ? "cm" : "cl");
    if (!cm && workload->needs & BENCH_NEEDS_MATRIX)
        snprintf(matrix, sizeof matrix, "%s-DLANES=%u", variant->options ? " " : "", platform->grf_bytes / 4);
    snprintf(options, sizeof options, "%s%s%s%s", variant->options ? variant->options : "", matrix,
             !programs->lines ? ""
             : cm             ? " -g"
                              : " -gline-tables-only -s ",
             programs->lines && !cm ? source : "");
    int status = cm ? compile_cm(programs, source, options, platform, path, log)
                    : compile_cl(programs, source, options, platform, path, log, dump);
    if (status || access(path, R_OK) != 0) {
        process_reason(log, status, why);
        remove_folder(dump);
        return -1;
    }
    snprintf(usage_path, sizeof usage_path, "%s.usage", path);
    FILE *usage = fopen(usage_path, "w"), *text = fopen(log, "r");
    if (usage && cm && text)
        usage_of_cmc(text, usage);
    else if (usage)
        usage_of_igc(dump, path, usage);
    if (usage)
        fclose(usage);
    if (text)
        fclose(text);
    remove_folder(dump);
    return 0;
}

int programs_get(const struct programs *programs, const struct workload *workload, const struct bench_variant *variant,
                 const struct platform *platform, char path[4096], char why[512])
{
    char name[256];
    uint64_t options = hash(variant->options) + (programs->lines ? 1 : 0);
    snprintf(name, sizeof name, options ? "%s-%s-%s-%s-%016" PRIx64 ".bin" : "%s-%s-%s-%s.bin", workload->name,
             source_of(workload, variant), variant->language == BENCH_CM ? "cm" : "cl", platform->ocloc, options);
    programs_file(programs, name, path);
    if (access(path, R_OK) == 0)
        return 0;
    return compile(programs, workload, variant, platform, path, why);
}

/* Adds the figures of `kernel`, or of all kernels if it is NULL. */
static void add_usage(const char *program, const char *kernel, int *registers, int *spills)
{
    char path[4200], name[128], numbers[2][12];
    snprintf(path, sizeof path, "%s.usage", program);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%127s %11s %11s", name, numbers[0], numbers[1]) == 3)
        if (!kernel || strcmp(name, kernel) == 0) {
            int count = (int)strtol(numbers[0], NULL, 10), bytes = (int)strtol(numbers[1], NULL, 10);
            *registers = count > *registers ? count : *registers;
            *spills = bytes > *spills ? bytes : *spills;
        }
    if (file)
        fclose(file);
}

void programs_usage(const char *program, const char *kernel, int *registers, int *spills)
{
    add_usage(program, kernel, registers, spills);
}

void programs_most_usage(const char *program, int *registers, int *spills)
{
    add_usage(program, NULL, registers, spills);
}
