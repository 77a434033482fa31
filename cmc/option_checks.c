/* Checks combinations of options. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/options.h"

char *cmc_with_suffix(const char *path, const char *suffix)
{
    assert(suffix[0] == '.');
    const char *name = cmc_file_name(path), *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - path) : strlen(path);
    char *result;
    return cmc_checked(asprintf(&result, "%.*s%s", (int)stem, path, suffix) < 0 ? NULL : result);
}

char *cmc_assembly_path(const struct cmc_options *options)
{
    bool to_standard_output = strcmp(options->output, "-") == 0;
    return cmc_with_suffix(to_standard_output ? cmc_file_name(options->input) : options->output, ".asm");
}

bool cmc_may_have_registers(const struct platform *platform, unsigned registers)
{
    return registers == platform->grf_count ||
           (registers == CMC_MOST_REGISTERS && platform_has(platform, FEATURE_LARGE_GRF));
}

bool cmc_set_product(struct cmc_options *options, const struct product *product)
{
    assert(product);
    options->product = *product;
    options->platform = &platform_table[product->platform];
    if (!options->registers || options->registers == options->platform->grf_count)
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

/* vISA text too: it is written for a finalizer of that platform. */
static bool needs_finalizer(const struct cmc_options *options)
{
    return options->output_kind == CMC_BINARY || options->output_kind == CMC_VISA;
}

/* `cmc -E FILE.c`: tools such as sccache identify a compiler by the macros that it expands there. */
static bool asks_for_identity(const struct cmc_options *options)
{
    const char *dot = options->input_count == 1 ? strrchr(options->inputs[0].path, '.') : NULL;
    return options->output_kind == CMC_PREPROCESSED && dot && strcmp(dot, ".c") == 0;
}

static bool check_platforms(const struct cmc_options *options)
{
    if (!options->host && !options->product_count)
        return asks_for_identity(options) || cmc_no_platform(NULL);
    if (options->product_count > 1 && options->output_kind != CMC_BINARY &&
        options->output_kind != CMC_COMPILE_COMMANDS) {
        cmc_error("-march= with several platforms makes a fat binary: other outputs are of one platform");
        return false;
    }
    if (options->product_count > 1 && options->remarks) {
        cmc_error("--remarks are about the code of one platform, and -march= names several");
        return false;
    }
    if (options->product_count > 1 && options->explain) {
        cmc_error("--explain shows the code of one platform, and -march= names several");
        return false;
    }
    if (options->product_count > 1 && options->dump_assembly) {
        cmc_error("-mdump_asm writes the assembly of one platform, and -march= names several");
        return false;
    }
    struct cmc_options each = *options;
    for (size_t i = 0; i < options->product_count; i++) {
        const struct platform *platform = &platform_table[options->products[i].platform];
        if (!*platform->finalizer && needs_finalizer(options)) {
            cmc_error("there is no finalizer for %s: -emit-spirv writes what its driver compiles", platform->name);
            return false;
        }
        if (!cmc_set_product(&each, &options->products[i]))
            return false;
    }
    return true;
}

static bool check_host(const struct cmc_options *options)
{
    if (options->host && (options->output_kind == CMC_VISA || options->output_kind == CMC_VC ||
                          options->output_kind == CMC_SPIRV || options->dump_assembly))
        cmc_error("-march=host goes through no vISA: -S, -emit-vc, -emit-spirv and -mdump_asm need a GPU");
    else if (options->host && options->only_kernel)
        cmc_error("'--kernel=%s' needs a GPU: a library for this machine has all kernels", options->only_kernel);
    else if (options->sanitize && !options->host)
        cmc_error("'%s' needs -march=host", options->sanitize);
    else
        return true;
    return false;
}

static bool check_outputs(const struct cmc_options *options)
{
    if (options->output_name && !*options->output_name)
        cmc_error("the name of the output is empty");
    else if (options->output_name && options->input_count > 1 && options->output_kind != CMC_COMPILE_COMMANDS)
        cmc_error("-o names the output of one file, and there are %zu", options->input_count);
    else if (options->explain && (options->host || options->output_kind != CMC_BINARY))
        cmc_error("--explain needs the whole way to a GPU's binary");
    else if (options->explain_with && !options->explain)
        cmc_error("--with needs --explain");
    else if (options->remarks && (options->host || cmc_is_source_output(options->output_kind)))
        cmc_error("--remarks need the way to a GPU's code");
    else if (options->dump_assembly && options->output_kind != CMC_BINARY)
        cmc_error("-mdump_asm needs the whole way to the binary");
    else if (options->no_line_markers && options->output_kind != CMC_PREPROCESSED)
        cmc_error("-P needs -E");
    else
        return true;
    return false;
}

static bool check_dependencies(const struct cmc_options *options)
{
    bool lists = options->write_dependencies || options->output_kind == CMC_DEPENDENCIES;
    const char *word = options->dependency_file ? "-MF"
                       : options->target_count  ? "-MT or -MQ"
                       : options->phony_targets ? "-MP"
                                                : NULL;
    if (word && !lists)
        cmc_error("%s needs -M, -MM, -MD or -MMD", word);
    else if (options->dependency_file && options->input_count > 1)
        cmc_error("-MF names the dependencies of one file, and there are %zu", options->input_count);
    else
        return true;
    return false;
}

static bool check_inputs(const struct cmc_options *options)
{
    if (!options->input_count) {
        cmc_error("no input file");
        return false;
    }
    for (size_t i = 0; i < options->input_count; i++) {
        bool standard = strcmp(options->inputs[i].path, "-") == 0;
        if (options->input_name && !standard) {
            cmc_error("'--input-name=%s' names the source from standard input, but there is '%s'", options->input_name,
                      options->inputs[i].path);
            return false;
        }
        if (standard && options->input_count > 1) {
            cmc_error("standard input is compiled alone");
            return false;
        }
    }
    return true;
}

/* Binaries say for which GPU they are. */
static bool reads_binaries(const struct cmc_options *options)
{
    for (size_t i = 0; i < options->input_count; i++)
        if (cmc_language_of(&options->inputs[i]) != CMC_LANGUAGE_ZEBIN)
            return false;
    return true;
}

bool cmc_options_check(struct cmc_options *options)
{
    return options->request != CMC_COMPILE ||
           (check_inputs(options) && (reads_binaries(options) || check_platforms(options)) && check_outputs(options) &&
            check_host(options) && check_dependencies(options));
}
