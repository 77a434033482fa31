/* Explains binaries of any compiler: --explain with a zebin as its input. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/phases.h"
#include "runtime/fat.h"
#include "runtime/file.h"
#include "runtime/status.h"
#include "runtime/zebin.h"
#include "tables/products.h"
#include "visa_emit/process.h"

enum { ERROR_SIZE = 1024 };

/* Returns iga64's listing of the code, which the caller frees. NULL after an error line. */
static char *disassemble(const struct platform *platform, const char *input, const struct zebin_code *code)
{
    char program[4096], error[ERROR_SIZE] = "";
    if (!process_find("iga64", program, sizeof program)) {
        cmc_error("--explain of a binary needs iga64 on the path (Debian: libigc-tools)");
        return NULL;
    }
    char *listing = cmc_disassemble(program, platform, code->bytes, code->size, error, sizeof error);
    if (!listing)
        cmc_error("%s: %s", input, error);
    return listing;
}

static bool has_source(const struct explain_kernel *explain)
{
    return explain->kernel->file != 0;
}

static bool explain_kernel(const struct cmc_options *options, struct explain_binary *binary,
                           const struct platform *platform)
{
    struct visa_program *program = cmc_checked(visa_program_create(platform));
    struct visa_kernel *kernel = visa_add_kernel(program, binary->info->name);
    struct explain_kernel explain;
    struct gen_code code;
    bool good = zebin_code_find(binary->bytes, binary->size, binary->info->name, &binary->code);
    if (!good)
        cmc_error("%s: there is no code of kernel %s", options->input, binary->info->name);
    char *listing = good ? disassemble(platform, options->input, &binary->code) : NULL;
    if (listing) {
        binary->listing = listing;
        explain_binary_collect(&explain, binary, program, kernel, &code);
        if (!has_source(&explain))
            fprintf(stderr,
                    "cmc: warning: %s: kernel %s has no debug lines: cmc writes them; ocloc with -options \"-g "
                    "-s SOURCE\" for a source of one kernel\n",
                    options->input, binary->info->name);
        good = (!options->explain_with || explain_run_read(&explain, options->explain_with)) &&
               cmc_explain_write(options, &explain);
        explain_kernel_free(&explain);
    }
    free(listing);
    visa_program_destroy(program);
    return good && listing;
}

/* The GPU that the file names, else that of -march=. NULL after an error line. */
static const struct platform *platform_of(const struct cmc_options *options, const struct zebin *zebin)
{
    struct product product;
    if (zebin->product && product_find(zebin->product, &product))
        return &platform_table[product.platform];
    if (zebin->product)
        cmc_error("%s is for %s, which cmkit does not know", options->input, zebin->product);
    else if (options->product_count)
        return &platform_table[options->products[0].platform];
    else
        cmc_error("%s does not say for which GPU it is; -march= does", options->input);
    return NULL;
}

static bool explain_kernels(const struct cmc_options *options, const void *bytes, size_t size)
{
    struct zebin zebin;
    if (zebin_read(bytes, size, &zebin)) {
        cmc_error("%s: %s", options->input, cmrt_message());
        return false;
    }
    const struct platform *platform = platform_of(options, &zebin);
    bool good = platform != NULL, any = false;
    for (size_t i = 0; good && i < zebin.kernel_count; i++) {
        struct explain_binary binary = {.bytes = bytes, .size = size, .info = &zebin.kernels[i]};
        if (options->only_kernel && strcmp(options->only_kernel, zebin.kernels[i].name) != 0)
            continue;
        good = explain_kernel(options, &binary, platform);
        any = true;
    }
    if (good && !any)
        cmc_error("%s: there is no kernel%s%s", options->input, options->only_kernel ? " " : "",
                  options->only_kernel ? options->only_kernel : "");
    zebin_free(&zebin);
    return good && any;
}

bool cmc_explain_binary(const struct cmc_options *options)
{
    void *bytes, *one = NULL;
    size_t size, one_size;
    const char *wanted = options->product_count ? options->products[0].name : NULL;
    if (!options->explain) {
        cmc_error("%s is a binary: only --explain reads it", options->input);
        return false;
    }
    if (file_read(options->input, &bytes, &size) != 0) {
        cmc_error("cannot read %s: %s", options->input, strerror(errno));
        return false;
    }
    bool good, is_fat = fat_recognise(bytes, size);
    if (is_fat && fat_select(bytes, size, wanted, &one, &one_size)) {
        cmc_error("%s: %s", options->input, cmrt_message());
        good = false;
    } else if (!is_fat && !zebin_recognise(bytes, size)) {
        cmc_error("%s is no zebin; ocloc writes one with --format zebin", options->input);
        good = false;
    } else {
        good = explain_kernels(options, is_fat ? one : bytes, is_fat ? one_size : size);
    }
    free(one);
    free(bytes);
    return good;
}
