/* Compiles every file of the command line for every platform that it names. */
#include "cmc/driver.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cmc/dependencies.h"
#include "cmc/fat.h"
#include "cmc/messages.h"
#include "cmc/output.h"
#include "cmc/phases.h"
#include "runtime/file.h"

/* Names the output: as -o says, else standard output for texts that people read, else after the source, in the current
 * folder. NULL after an error; "" if there is none. The caller frees it. */
static char *output_path(const struct cmc_options *options)
{
    static const char *const suffix[] = {
        [CMC_BINARY] = ".bin", [CMC_LLVM] = ".ll", [CMC_VC] = ".vc.ll", [CMC_SPIRV] = ".spv", [CMC_VISA] = ".visaasm"};
    enum cmc_output kind = options->output_kind;
    if (options->input_language == CMC_LANGUAGE_ZEBIN && !options->output_name)
        return cmc_checked(strdup(""));
    if (options->output_name || cmc_is_source_output(kind))
        return cmc_checked(strdup(options->output_name ? options->output_name : kind == CMC_NOTHING ? "" : "-"));
    if (strcmp(options->input, "-") == 0) {
        cmc_error("source from standard input: -o must name the output");
        return NULL;
    }
    bool library = options->host && kind == CMC_BINARY;
    return cmc_with_suffix(cmc_file_name(options->input), library ? ".so" : suffix[kind]);
}

static bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Refuses an output that would overwrite the source or another output. */
static bool check_overwriting(const struct cmc_options *options)
{
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

static bool compile_product(struct cmc_options *options)
{
    if (options->verbose || options->print_commands)
        cmc_print_commands(options);
    if (options->print_commands)
        return true;
    if (options->output_kind == CMC_PREPROCESSED || options->output_kind == CMC_DEPENDENCIES)
        return cmc_preprocess(options);
    if (options->input_language >= CMC_LANGUAGE_VISA_TEXT)
        return cmc_compile_text(options);
    return options->host ? cmc_compile_host(options) : cmc_compile_gpu(options);
}

static bool compile_products(struct cmc_options *options)
{
    if (!options->product_count)
        return compile_product(options);
    struct cmc_fat fat = {0};
    bool good = true;
    options->fat = options->product_count > 1 ? &fat : NULL;
    for (size_t i = 0; good && i < options->product_count; i++)
        good = cmc_set_product(options, &options->products[i]) && compile_product(options);
    if (good && fat.data)
        good = cmc_write(options->output, fat.data, fat.size);
    cmc_fat_free(&fat);
    return good;
}

/* As the front end names files: ./a.cm is a.cm. */
static const char *without_dot(const char *path)
{
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* The preprocessor and the syntax are a source's. */
static bool check_kind(const struct cmc_options *options)
{
    if (cmc_is_source(options->input_language) || !cmc_is_source_output(options->output_kind))
        return true;
    cmc_error("-E, -M and -fsyntax-only read a source, and '%s' is none", options->input);
    return false;
}

static bool compile_file(struct cmc_options *options)
{
    if (options->input_language == CMC_LANGUAGE_ZEBIN)
        return cmc_explain_binary(options);
    struct cmc_dependencies dependencies = {.no_system = options->no_system_dependencies};
    bool lists = options->write_dependencies || options->output_kind == CMC_DEPENDENCIES;
    if (lists)
        options->dependencies = &dependencies;
    if (lists && strcmp(options->input, "-") != 0)
        cmc_depends(&dependencies, without_dot(options->input), false);
    bool good = compile_products(options);
    if (good && lists && !options->print_commands)
        good = cmc_write_dependencies(options, &dependencies);
    cmc_dependencies_free(&dependencies);
    return good;
}

/* Reads standard input, which each platform's compilation needs, and so do messages that show a line of it. */
static bool read_standard_input(struct cmc_options *options, void **text)
{
    if (strcmp(options->input, "-") != 0 || options->print_commands)
        return true;
    if (file_read("/dev/stdin", text, &options->text_size) != 0) {
        cmc_error("cannot read -: %s", strerror(errno));
        return false;
    }
    options->text = *text;
    return true;
}

bool cmc_run(const struct cmc_options *given)
{
    assert(given->request == CMC_COMPILE && given->input_count);
    bool good = true;
    cmc_messages_begin(given);
    for (size_t i = 0; i < given->input_count; i++) {
        struct cmc_options options = *given;
        void *text = NULL;
        options.input = given->inputs[i].path;
        options.input_language = cmc_language_of(&given->inputs[i]);
        char *output = output_path(&options);
        options.output = output;
        good = output && check_kind(&options) && check_overwriting(&options) && read_standard_input(&options, &text) &&
               compile_file(&options) && good;
        cmc_messages_flush(&options);
        free(text);
        free(output);
    }
    cmc_messages_end();
    return good;
}
