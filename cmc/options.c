/* Parses the command line. options.def is the table of options; the actions are here. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cmc/options.h"

enum shape { EXACT, JOINED, EITHER, SEPARATE };

/* Action of an option. `word` is the whole option where its value is joined to it; `value` is the value ("" for EXACT).
 */
typedef bool option_action(struct cmc_options *options, int number, const char *word, const char *value);

static option_action option_march, option_output, option_optimize, option_emit, option_dump_asm, option_front_joined,
    option_front_pair, option_debug, option_sanitize, option_report, option_verbose, option_time_report, option_request,
    option_verify_each, option_print_after, option_input_name, option_caller_version, option_only_kernel,
    option_finalizer, option_ignore, option_binary_format, option_registers, option_standard, option_warning,
    option_no_warnings;

static const struct option {
    const char *text;
    enum shape shape;
    option_action *action;
    int number;
    const char *meta, *help;
} table[] = {
#define CMC_OPTION(TEXT, SHAPE, ACTION, VALUE, META, HELP) {TEXT, SHAPE, option_##ACTION, VALUE, META, HELP},
#include "cmc/options.def"
#undef CMC_OPTION
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

void cmc_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("cmc: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static void *checked(void *memory)
{
    if (!memory) {
        cmc_error("out of memory");
        exit(1);
    }
    return memory;
}

static void print_platforms(FILE *out)
{
    for (size_t i = 0; i < platform_count; i++)
        fprintf(out, "%s, ", platform_table[i].name);
    fputs("host", out);
}

static bool no_platform(const char *name)
{
    fprintf(stderr,
            name ? "cmc: error: unknown platform '%s'; -march= takes " : "cmc: error: no platform; -march= takes ",
            name);
    print_platforms(stderr);
    fputc('\n', stderr);
    return false;
}

static bool option_march(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    options->host = strcmp(value, "host") == 0;
    options->platform = NULL;
    if (options->host)
        return true;
    if (platform_find(value))
        options->product = *product_of_platform(platform_find(value));
    else if (!product_find(value, &options->product))
        return no_platform(value);
    options->platform = &platform_table[options->product.platform];
    return true;
}

static bool option_output(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    free(options->output);
    options->output = checked(strdup(value));
    return true;
}

static bool option_optimize(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    if (value[0] < '0' || value[0] > '3' || value[1]) {
        cmc_error("'%s': the level is 0, 1, 2 or 3", word);
        return false;
    }
    options->optimization = (unsigned)(value[0] - '0');
    return true;
}

static bool option_emit(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)value;
    if (options->output_kind != CMC_BINARY && options->output_kind != (enum cmc_output)number) {
        cmc_error("'%s' asks for a second kind of output", word);
        return false;
    }
    options->output_kind = (enum cmc_output)number;
    return true;
}

static bool option_dump_asm(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word, (void)value;
    return options->dump_assembly = true;
}

static void add_front_end(struct cmc_options *options, const char *word)
{
    if (options->front_end_count == options->front_end_capacity) {
        options->front_end_capacity = 2 * options->front_end_capacity + 8;
        options->front_end =
            checked(realloc(options->front_end, options->front_end_capacity * sizeof *options->front_end));
    }
    options->front_end[options->front_end_count++] = word;
}

/* Passes -D NAME on as two words, which Clang accepts as well. */
static bool option_front_joined(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    add_front_end(options, word);
    bool apart = value != word + strlen(word) - strlen(value);
    if (apart)
        add_front_end(options, value);
    return true;
}

/* Handles Clang's warnings and cmc's own one: -W[no-][error=]register-spills. -Werror applies to both. */
static bool option_warning(struct cmc_options *options, int number, const char *word, const char *value)
{
    static const struct {
        const char *value;
        enum cmc_spills spills;
    } own[] = {{"register-spills", CMC_SPILLS_DEFAULT},
               {"no-register-spills", CMC_SPILLS_IGNORED},
               {"error=register-spills", CMC_SPILLS_ERROR},
               {"no-error=register-spills", CMC_SPILLS_NO_ERROR}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(value, own[i].value) == 0) {
            options->spills = own[i].spills;
            return true;
        }
    if (strcmp(value, "error") == 0 || strcmp(value, "no-error") == 0)
        options->warnings_are_errors = *value == 'e';
    return option_front_joined(options, number, word, value);
}

static bool option_no_warnings(struct cmc_options *options, int number, const char *word, const char *value)
{
    options->no_warnings = true;
    return option_front_joined(options, number, word, value);
}

static bool option_front_pair(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    add_front_end(options, word);
    add_front_end(options, value);
    return true;
}

static bool option_debug(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word, (void)value;
    return options->debug_info = true;
}

/* Names of Clang's checks for undefined behaviour. The alignment check is left out: format() reads elements at
 * unaligned addresses. */
#define UNDEFINED                                                                                                      \
    "-fsanitize=array-bounds,bool,builtin,enum,integer-divide-by-zero,null,pointer-overflow,return,shift-exponent,"    \
    "unreachable"

static bool option_sanitize(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number;
    bool both = !strcmp(value, "address,undefined") || !strcmp(value, "undefined,address");
    bool address = both || !strcmp(value, "address"), undefined = both || !strcmp(value, "undefined");
    if (!address && !undefined) {
        cmc_error("'%s': address, undefined or both with a comma", word);
        return false;
    }
    options->sanitize = word;
    options->sanitize_address = address;
    if (address)
        add_front_end(options, "-fsanitize=address");
    if (undefined)
        add_front_end(options, UNDEFINED);
    return true;
}

static bool option_report(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word, (void)value;
    return options->report = true;
}

static bool option_verbose(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word, (void)value;
    return options->verbose = true;
}

static bool option_time_report(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word, (void)value;
    return options->time_report = true;
}

static bool option_verify_each(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word, (void)value;
    return options->verify_each = true;
}

static bool option_request(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)word, (void)value;
    options->request = (enum cmc_request)number;
    return true;
}

static bool option_print_after(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    options->print_after = value;
    return true;
}

static bool option_input_name(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    options->input_name = value;
    return true;
}

/* libclangFEWrapper.so says what it was built with: what the two agree on may change with every version. */
static bool option_caller_version(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)options, (void)number, (void)word;
    if (strcmp(value, CMKIT_VERSION) == 0)
        return true;
    cmc_error("libclangFEWrapper.so is of cmkit %s and its cmc of cmkit %s: install both from one version", value,
              CMKIT_VERSION);
    return false;
}

static bool option_only_kernel(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    options->only_kernel = value;
    return true;
}

static bool option_finalizer(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)number, (void)word;
    options->finalizer_options = value;
    return true;
}

/* `number`: the count of registers; 0 if the value has it. */
static bool option_registers(struct cmc_options *options, int number, const char *word, const char *value)
{
    options->registers = number                      ? (unsigned)number
                         : strcmp(value, "128") == 0 ? 128
                         : strcmp(value, "256") == 0 ? 256
                                                     : 0;
    options->registers_word = word;
    if (!options->registers)
        cmc_error("'%s': a thread has 128 or 256 registers", word);
    return options->registers != 0;
}

/* The CM headers are C++17. */
static bool option_standard(struct cmc_options *options, int number, const char *word, const char *value)
{
    const char *year = strstr(value, "++");
    static const char *const older[] = {"98", "03", "0x", "11", "1y", "14"};
    bool good = year != NULL;
    for (size_t i = 0; good && i < sizeof older / sizeof *older; i++)
        good = strcmp(year + 2, older[i]) != 0;
    if (!good) {
        cmc_error("'%s': CM is C++17 or a later C++: c++17, c++20, c++23", word);
        return false;
    }
    return option_front_joined(options, number, word, value);
}

static bool option_ignore(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)options, (void)number, (void)word, (void)value;
    return true;
}

static bool option_binary_format(struct cmc_options *options, int number, const char *word, const char *value)
{
    (void)options, (void)number, (void)word;
    if (strcmp(value, "ze") == 0)
        return true;
    cmc_error("'-binary-format=%s': the only format is ze", value);
    return false;
}

/* Finds the row of the option `word`: the longest match if several rows are prefixes of it. NULL: no row matches. */
static const struct option *find(const char *word)
{
    const struct option *best = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *row = &table[i];
        size_t length = strlen(row->text);
        bool whole = strcmp(word, row->text) == 0;
        bool fits = whole || ((row->shape == JOINED || row->shape == EITHER) && strncmp(word, row->text, length) == 0);
        if (fits && (!best || strlen(best->text) < length))
            best = row;
    }
    return best;
}

/* Parses one option and its value. *index moves to the last word used. */
static bool parse_option(struct cmc_options *options, int count, char **words, int *index)
{
    const char *word = words[*index];
    const struct option *row = find(word);
    if (!row) {
        cmc_error("unknown option '%s'; cmc --help lists them", word);
        return false;
    }
    const char *value = word + strlen(row->text);
    bool next = row->shape == SEPARATE || (row->shape == EITHER && !*value);
    if (next && ++*index >= count) {
        cmc_error("'%s' needs a value", word);
        return false;
    }
    if (next)
        value = words[*index];
    if (next && row->shape == EITHER && value[0] == '-' && value[1]) {
        cmc_error("'%s' needs a value, not the option '%s'", word, value);
        return false;
    }
    return row->action(options, row->number, word, value);
}

static bool parse_input(struct cmc_options *options, const char *word)
{
    if (options->input) {
        cmc_error("one source file at a time: '%s' and '%s'", options->input, word);
        return false;
    }
    options->input = word;
    return true;
}

char *cmc_with_suffix(const char *path, const char *suffix)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - path) : strlen(path);
    char *result = checked(malloc(stem + strlen(suffix) + 1));
    memcpy(result, path, stem);
    strcpy(result + stem, suffix);
    return result;
}

char *cmc_assembly_path(const struct cmc_options *options)
{
    if (strcmp(options->output, "-") != 0)
        return cmc_with_suffix(options->output, ".asm");
    const char *name = strrchr(options->input, '/');
    return cmc_with_suffix(name ? name + 1 : options->input, ".asm");
}

/* Without -o, names the output after the source and puts it into the current folder. */
static bool default_output(struct cmc_options *options)
{
    static const char *const suffix[] = {[CMC_BINARY] = ".bin", [CMC_LLVM] = ".ll",      [CMC_VC] = ".vc.ll",
                                         [CMC_SPIRV] = ".spv",  [CMC_VISA] = ".visaasm", [CMC_NOTHING] = ""};
    if (options->output || options->output_kind == CMC_NOTHING)
        return true;
    if (strcmp(options->input, "-") == 0) {
        cmc_error("source from standard input: -o must name the output");
        return false;
    }
    const char *name = strrchr(options->input, '/');
    bool library = options->host && options->output_kind == CMC_BINARY;
    options->output = cmc_with_suffix(name ? name + 1 : options->input, library ? ".so" : suffix[options->output_kind]);
    return true;
}

static bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Refuses an output that would overwrite the source or another output. */
static bool check_overwriting(const struct cmc_options *options)
{
    if (!options->output)
        return true;
    char *assembly = cmc_assembly_path(options);
    bool itself = strcmp(options->output, assembly) == 0;
    bool source =
        same_file(options->input, options->output) || (options->dump_assembly && same_file(options->input, assembly));
    free(assembly);
    if (source && strcmp(options->output, "-") != 0)
        cmc_error("the output would overwrite the source '%s'", options->input);
    else if (options->dump_assembly && itself)
        cmc_error("-mdump_asm writes to '%s' too: name another output", options->output);
    else
        return true;
    return false;
}

bool cmc_may_have_registers(const struct platform *platform, unsigned registers)
{
    return registers == platform->grf_count ||
           (registers == CMC_MOST_REGISTERS && platform_has(platform, FEATURE_LARGE_GRF));
}

/* Sets a larger register file than the platform's default, if the platform supports it. */
static bool set_registers(struct cmc_options *options)
{
    if (!options->registers || options->host || options->registers == options->platform->grf_count)
        return true;
    if (!cmc_may_have_registers(options->platform, options->registers)) {
        cmc_error("%s: %s has %u registers a thread", options->registers_word, options->platform->name,
                  options->platform->grf_count);
        return false;
    }
    options->changed = *options->platform;
    options->changed.grf_count = options->registers;
    options->platform = &options->changed;
    return true;
}

/* vISA text too: it is written for a finalizer of that part. */
static bool needs_finalizer(const struct cmc_options *options)
{
    return options->output_kind == CMC_BINARY || options->output_kind == CMC_VISA;
}

/* Checks combinations of options. */
static bool check(struct cmc_options *options)
{
    if (options->request != CMC_COMPILE)
        return true;
    if (!options->input) {
        cmc_error("no input file");
        return false;
    }
    if (!options->host && !options->platform)
        return no_platform(NULL);
    if (!options->host && !*options->platform->finalizer && needs_finalizer(options)) {
        cmc_error("there is no finalizer for %s: -emit-spirv writes what its driver compiles", options->platform->name);
        return false;
    }
    if (options->input_name && strcmp(options->input, "-") != 0) {
        cmc_error("'--input-name=%s' names the source from standard input, but there is '%s'", options->input_name,
                  options->input);
        return false;
    }
    if (options->output && !*options->output) {
        cmc_error("the name of the output is empty");
        return false;
    }
    if (options->host && (options->output_kind == CMC_VISA || options->output_kind == CMC_VC ||
                          options->output_kind == CMC_SPIRV || options->dump_assembly)) {
        cmc_error("-march=host goes through no vISA: -S, -emit-vc, -emit-spirv and -mdump_asm need a GPU");
        return false;
    }
    if (options->host && options->only_kernel) {
        cmc_error("'--kernel=%s' needs a GPU: a library for this machine has all kernels", options->only_kernel);
        return false;
    }
    if (options->sanitize && !options->host) {
        cmc_error("'%s' needs -march=host", options->sanitize);
        return false;
    }
    if (options->dump_assembly && options->output_kind != CMC_BINARY) {
        cmc_error("-mdump_asm needs the whole way to the binary");
        return false;
    }
    return set_registers(options) && default_output(options) && check_overwriting(options);
}

bool cmc_options_parse(int count, char **words, struct cmc_options *options)
{
    *options = (struct cmc_options){.optimization = 2};
    bool good = true;
    for (int i = 1; good && i < count; i++) {
        bool is_option = words[i][0] == '-' && words[i][1];
        good = is_option ? parse_option(options, count, words, &i) : parse_input(options, words[i]);
    }
    return good && check(options);
}

void cmc_options_free(struct cmc_options *options)
{
    free(options->output);
    free(options->front_end);
}

/* Names of products that are not platforms' own, a line for each platform that has any. */
static void print_products(void)
{
    for (size_t i = 0; i < platform_count; i++) {
        const char *before = "";
        for (size_t k = 0; k < product_count; k++) {
            bool own = strcasecmp(product_table[k].name, platform_table[i].name) == 0;
            if (product_table[k].platform != platform_table[i].id || own)
                continue;
            if (!*before)
                printf("  %-22s ", platform_table[i].name);
            printf("%s%s", before, product_table[k].name);
            before = ", ";
        }
        if (*before)
            puts("");
    }
    puts("  MAJOR.MINOR.REVISION   the same by the version of their graphics, such as 12.55.8 or 20.4.4");
}

void cmc_options_help(void)
{
    puts("cmc -march=NAME [options] FILE.cm\n\nCompiles C for Metal for an Intel GPU to a zebin, which Level Zero and "
         "OpenCL load.\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!*table[i].help)
            continue;
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", table[i].text, table[i].shape == SEPARATE ? " " : "", table[i].meta);
        printf("  %-22s %s\n", left, table[i].help);
    }
    puts("\nPlatforms:");
    for (size_t i = 0; i < platform_count; i++)
        printf("  %-22s %s\n", platform_table[i].name, platform_table[i].label);
    puts("Also, with their own macros:");
    print_products();
    puts("\nThe finalizer is the program GenX_IR on the path, or the one that $CMKIT_FINALIZER names.\n"
         "Exit status: 0 success, 1 the source does not compile, 2 wrong command line.");
}
